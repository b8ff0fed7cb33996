// A new mapping for processors that turned out faster or slower than the problem says, or are gone.
//
// Method. The problem is written down as it is believed to be: each processor's computations take longer by its
// measured factor, and those that are gone are left out. A heuristic maps that, and the evaluators say what period the
// mapping would have. Ratios are rounded to thousandths: they are measured, and the numbers of exact evaluations grow
// with their digits.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "live/engine/route.hpp"
#include "tpn/document.hpp"
#include "tpn/problem_view.hpp"

namespace takt::live {

struct RemappingTerms {
  const heuristics::Heuristic* heuristic = nullptr;  // one of heuristics::heuristics()
  std::vector<heuristics::OptionSetting> options;
  tpn::Model model = tpn::Model::kOverlap;
  std::uint64_t window = 0;                             // of the run; 0: none
  std::optional<std::chrono::milliseconds> time_limit;  // none: the answer is the same on every machine
};

/// What has been found for the processors as they are believed to be.
struct Remapping {
  std::optional<tpn::Mapping> mapping;  // nothing if the heuristic found none, for this reason
  std::string reason;                   // a phrase without a full stop
  Rational predicted;                   // the mapping's period, in time units per data set; exact if it could be found
                                        // in the time, else what is proved not to be exceeded
};

/// The problem whose processors take `ratios` times as long, one ratio >= 0 for each processor of the platform, with no
/// mapping. A ratio counts as at least 1/1000.
tpn::Document believed_problem(const tpn::Document& problem, std::span<const Rational> ratios);

/// The problem without these processors, with no mapping; positions in `kept` name those that are left.
tpn::Document without_processors(const tpn::Document& problem, const std::set<std::size_t>& gone,
                                 std::vector<std::size_t>& kept);

/// Ranks of a run on the platform, source and sink included, but for the coordinator.
std::size_t ranks_of(const tpn::Platform& platform);

/// A mapping of the problem as it is carried out; nothing if it is too large for that.
std::optional<Route> route_for(const tpn::ProblemView& problem, const tpn::Mapping& mapping,
                               const Rational& ticks_per_unit);

bool uses_any(const tpn::Mapping& mapping, const std::set<std::size_t>& processors);

/// The period that a mapping has, or nothing if it is too large to be evaluated.
std::optional<Rational> period_of(const tpn::Document& problem, const tpn::Mapping& mapping,
                                  const RemappingTerms& terms);

/// Maps a believed problem, without the processors that are gone. `present` is the mapping in use, for searches that
/// start from known ones.
Remapping remap(const tpn::Document& believed, const std::set<std::size_t>& gone, const tpn::Mapping* present,
                const RemappingTerms& terms);

}  // namespace takt::live

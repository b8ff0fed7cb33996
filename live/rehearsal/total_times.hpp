// How long a stream takes in all, by the load of one processor and by how a run meets it: the comparison of the
// adaptive pipeline with one that is not, and more ways of being adaptive.
//
// A case is made of a setting (problem, stream, where and when the load comes), a load and a way to run. From it follow
// the first mapping, the loads and what adapts, for a run on whatever machine; `rehearse_case` runs it on a virtual
// clock.
//
// References. [gonzalez2006adaptive], Section 5 and Figure 3a.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "live/rehearsal/rehearsal.hpp"

namespace takt::live {

/// What all cases of a comparison share.
struct TotalTimeSetting {
  tpn::Document problem;  // with no mapping
  tpn::Model model = tpn::Model::kStrict;
  std::uint64_t data_sets = 0;   // >= 1
  std::size_t loaded_stage = 0;  // the first processor that has it under the first mapping is loaded
  Rational load_from;            // time units after the begin
};

/// Eight stages of 20 time units, ten equal processors, transfers of 1/2, 128 data sets, STRICT, load on the processor
/// of the fifth stage from 240 on: the paper's figure, its seconds divided by 250, a time unit a millisecond.
TotalTimeSetting figure_setting();

/// How a run meets a load.
struct RunWay {
  std::string name;
  std::string heuristic;  // of the first mapping and of those that follow; one of heuristics::heuristics()
  std::vector<heuristics::OptionSetting> options{};
  std::uint64_t window = 0;
  std::optional<SwitchKind> adapts{};  // nothing: not at all
};

/// Not adaptive; as the paper has it, for a large and a small window; without draining; other heuristics.
std::vector<RunWay> run_ways();

struct TotalTimeCase {
  Rational load;  // >= 0
  RunWay way;
};

/// Each load with each way, by load.
std::vector<TotalTimeCase> total_time_cases(std::span<const Rational> loads, std::span<const RunWay> ways);

/// The problem with the mapping that the run begins with; with none if the heuristic has none.
tpn::Document first_instance(const TotalTimeSetting& setting, const RunWay& way);
/// The load of a case, for an instance with that mapping.
BackgroundLoad load_of(const TotalTimeSetting& setting, const TotalTimeCase& one, const tpn::Document& instance,
                       const Rational& ticks_per_unit);
/// What adapts the run, if anything does; without a time limit.
std::optional<AdaptationTerms> adaptation_of(const TotalTimeSetting& setting, const RunWay& way);

struct TotalTime {
  Rational time;             // until the last data set is delivered, in time units
  std::size_t mappings = 1;  // the first included
};

/// Runs a case on a virtual clock. Nothing if the heuristic has no mapping or the mapping cannot be carried out.
std::optional<TotalTime> rehearse_case(const TotalTimeSetting& setting, const TotalTimeCase& one,
                                       const Rational& ticks_per_unit, RunLog* log = nullptr);

}  // namespace takt::live

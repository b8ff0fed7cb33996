// What adapting may cost and must gain: pipelines, laws, loads, and runs on a virtual clock that are held to bars.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "live/rehearsal/rehearsal.hpp"

namespace takt::live {

/// A problem with its first mapping, and how it runs.
struct BarProblem {
  std::string name;
  tpn::Document instance;
  tpn::Model model = tpn::Model::kStrict;
  std::string heuristic;
  std::uint64_t window = 0;
  bool has_idle = false;  // a processor that the first mapping does not use
};

std::vector<BarProblem> bar_problems();

/// How the times of a stage vary, with mean 1.
enum class Law { constant, uniform, exponential, heavy };
inline constexpr Law kLaws[] = {Law::constant, Law::uniform, Law::exponential, Law::heavy};
std::string_view name_of(Law law);
/// The time that a law gives for a number drawn uniformly from (0, 1).
double time_by(Law law, double number);

/// No load; one for 26 periods of ten, for 126, ten times 15 of 30; for ever.
enum class BarLoad { none, brief, longer, pulsating, lasting };
inline constexpr BarLoad kPassingLoads[] = {BarLoad::none, BarLoad::brief, BarLoad::longer, BarLoad::pulsating};
std::string_view name_of(BarLoad load);

struct BarCase {
  Law law = Law::constant;
  bool is_autocorrelated =
      false;  // a factor of all stages of a data set: exp of an AR(1) series, 0.95, of deviation 1/2
  std::uint64_t data_sets = 200;
  std::size_t earlier = 0;  // rows of normal times from before the run
  BarLoad load = BarLoad::none;
  std::uint64_t load_after = 0;  // of `lasting`: the data set whose delivery it follows
  std::uint64_t seed = 0;
};

struct BarRun {
  double total = 0;  // time units
  std::size_t switches = 0;
  std::optional<std::uint64_t> found_after;  // data sets delivered from a lasting load to the first switch behind it
};

struct BarPair {
  BarRun off;
  BarRun safe;
  double period = 0;  // of the first mapping, in time units
};

/// Runs a case without adapting and with it, and writes its decisions to the log, if any.
BarPair run_case(const BarProblem& problem, const BarCase& one, RunLog* log = nullptr);
/// By the paper's rule.
BarRun run_by_paper(const BarProblem& problem, const BarCase& one);

/// What a run may take if there is no lasting load, in time units: 1.03 times as long as without adapting, 6
/// periods, and a window for each switch; from 400 data sets on no more than 1.05 times as long.
double most_allowed(const BarProblem& problem, const BarCase& one, const BarPair& pair);

}  // namespace takt::live

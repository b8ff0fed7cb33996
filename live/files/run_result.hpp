// What the coordinator leaves for the program that started the run: numbers as JSON, and the records of all ranks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "live/adaptation/coordinator.hpp"
#include "live/engine/messages.hpp"

namespace takt::live {

/// Names of files in RunPlan::output.
inline constexpr std::string_view kResultFile = "result.json";
inline constexpr std::string_view kRecordsFile = "records";
inline constexpr std::string_view kFailureFile = "failure";
inline constexpr std::string_view kBegunFile = "begun";  // once all processes are there: how much is delivered by now
inline constexpr std::string_view kLogFile = "log";
inline constexpr std::string_view kViewFile = "view";      // how the run stands (run_view.hpp), where it is looked at
inline constexpr std::string_view kEventsFile = "events";  // likewise, what has happened (run_view.hpp)
inline constexpr std::string_view kStallFile = "stall";    // why a run that stands still was ended
inline constexpr std::string_view kCoordinatorFile = "coordinator";  // its process; renewed every second
inline constexpr std::string_view kWordsFile = "words";              // what a user should know at once: lines

struct RunResult {
  std::uint64_t first_data_set = 0;  // of this run
  std::uint64_t delivered = 0;       // in order, each once
  std::uint64_t failed = 0;          // of those, without a result
  std::uint64_t wrong = 0;           // of those, with another content than they must have
  Ticks begin = 0;                   // nanoseconds of the run's clock: the first data set may begin
  Ticks end = 0;                     // the last was delivered
  bool has_real_time = false;        // all ranks had it
  bool has_bells = false;
  std::uint64_t cpu_nanoseconds = 0;  // of all ranks
  std::uint64_t cores = 0;            // that the ranks share; 0 if they are not known to be on one machine
  std::map<std::size_t, std::vector<StageWork>> work;  // by processor: what stages took there, but for made up ones
  ComputationShares computed;                          // likewise, where processors do not take turns
  std::uint64_t machines = 1;
  std::uint64_t clock_error = 0;  // that clocks of machines may still have differed by, in nanoseconds
  std::vector<MappingFrom> mappings;
  std::vector<std::vector<Record>> records;  // by processor with a rank; in a file of their own
};

std::string write_run_result(const RunResult& result);

/// Without records. Throws tpn::ParseError.
RunResult read_run_result(std::string_view text, const std::string& file);

}  // namespace takt::live

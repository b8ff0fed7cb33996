// What follows where a stage fails on a data set, as users say it, and the run of data sets that have failed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "live/files/run_plan.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/live/run_setup.hpp"

namespace takt::tools {

/// "--on-failure" and "--again".
void add_failure_options(CommandLine& line, RunChoices& choices);

/// Throws UsageError if the options do not go together with the others.
void require_consistent_failures(const RunChoices& choices, live::KernelKind kernel);

/// Of a text that the option takes.
live::FailurePlan failure_plan_of(const RunChoices& choices);

/// What a journal holds; nothing if there is none. Throws FileError if it cannot be read.
struct JournalHoldings {
  std::uint64_t data_sets = 0;        // in order
  std::vector<std::uint64_t> failed;  // those without a result
  std::uint64_t dropped = 0;          // those whose segments are gone
  std::uint64_t repeated = 0;         // records of data sets that had failed before
};
JournalHoldings holdings_of(const std::string& journal);

/// "3 of 400 data sets have no result; ..."; empty if none failed. `data_sets` are those that the journal holds.
std::string failed_words(const std::string& journal, const JournalHoldings& holdings);

}  // namespace takt::tools

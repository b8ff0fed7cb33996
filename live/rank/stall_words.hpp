// A run that stands still, in words: which process holds which data set since when, and which do not answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "live/adaptation/stall_watch.hpp"
#include "live/files/run_plan.hpp"

namespace takt::live {

/// The processors of a run and their processes, by processor.
struct RankNames {
  std::vector<std::string> processors;
  std::vector<std::int64_t> processes;  // their ids; 0 if there is none
  bool are_here = false;                // all are processes of this machine
};

/// "2.5 s", "4 min".
std::string readable_ticks(Ticks time);

/// A phrase of one line; names are escaped as tpn::visible does. At most eight processors are named.
std::string stall_words(const Standstill& stall, const RunPlan& plan, const RankNames& names);

}  // namespace takt::live

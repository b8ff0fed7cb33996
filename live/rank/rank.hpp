// One process of a run: from the plan to the end, whatever part in it is the rank's.
#pragma once

#include <vector>

#include "live/pipeline.hpp"
#include "live/rank/job.hpp"

namespace takt::live {

/// Exit statuses of a process.
inline constexpr int kRunEnded = 0;
inline constexpr int kRunMisused = 2;
inline constexpr int kRunUnreadable = 3;
inline constexpr int kRunFailed = 70;

/// Runs the plan of argv[1] as a rank of the job that `start` joins; an exit status. `stages` are the functions of a
/// plan that has functions for stages. An error is written to standard error and to the plan's output folder, and
/// ends the job.
int run_rank(int argc, char** argv, const std::vector<NamedStage>& stages, const JobStarter& start);

}  // namespace takt::live

// One process of a run: from the plan to the end, whatever part in it is the rank's.
#pragma once

#include <functional>
#include <memory>

#include "live/engine/kernel.hpp"
#include "live/files/run_plan.hpp"

namespace takt::live {

/// Makes the kernel of a plan that has functions for stages.
using KernelMaker = std::function<std::unique_ptr<Kernel>(const RunPlan& plan)>;

/// Exit statuses of a process.
inline constexpr int kRunEnded = 0;
inline constexpr int kRunMisused = 2;
inline constexpr int kRunUnreadable = 3;
inline constexpr int kRunFailed = 70;

/// Runs the plan of argv[1] as a rank of an MPI job; an exit status. What goes wrong is said on standard error, and in
/// the plan's output folder, and ends the job.
int run_rank(int argc, char** argv, const KernelMaker& make_functions);

}  // namespace takt::live

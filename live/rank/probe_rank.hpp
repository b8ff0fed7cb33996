// One process of a probe: computes and is timed, exchanges messages and times them, and waits without work in between.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "live/engine/kernel.hpp"
#include "live/files/run_plan.hpp"
#include "live/rank/computers.hpp"
#include "live/rank/job.hpp"

namespace takt::live {

/// What rank 0 has gathered, which does not take part; nothing for the others. `kernel` does the stages, or they sleep;
/// `source` is the first stage's input, if there is one. The plan has terms of a probe. Collective.
std::optional<ProbeResult> probe(const RunPlan& plan, Job& job, std::unique_ptr<Kernel> kernel,
                                 const PacketSource& source);

/// The name of this rank in messages.
std::string prober_name(const RunPlan& plan, int rank);

}  // namespace takt::live

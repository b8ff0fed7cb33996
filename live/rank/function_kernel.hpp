// Functions of users as stages, by the names of the instance's.
#pragma once

#include <memory>
#include <vector>

#include "live/engine/kernel.hpp"
#include "live/files/run_plan.hpp"
#include "live/pipeline.hpp"

namespace takt::live {

/// The kernel of a plan whose stages are functions. Throws std::runtime_error if a stage has none.
std::unique_ptr<Kernel> make_function_kernel(const RunPlan& plan, const std::vector<NamedStage>& given);

}  // namespace takt::live

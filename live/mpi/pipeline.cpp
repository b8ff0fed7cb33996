// Functions as stages, by the names of the instance's.
#include "live/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

#include "live/kernel.hpp"
#include "live/mpi/rank.hpp"

namespace takt::live {

namespace {

class FunctionKernel : public Kernel {
 public:
  /// By stage.
  explicit FunctionKernel(std::vector<NamedStage> stages) : stages_(std::move(stages)) {}

  void run(const StageCall& call, Packet& packet) override {
    const NamedStage& stage = stages_[call.stage];
    try {
      stage.function(packet);
    } catch (const std::exception& error) {
      throw StageFailed(fmt::format("stage {}, data set {}: {}", stage.name, packet.data_set, error.what()));
    }
  }

 private:
  std::vector<NamedStage> stages_;
};

std::unique_ptr<Kernel> make_functions(const RunPlan& plan, const std::vector<NamedStage>& given) {
  std::vector<NamedStage> stages;
  for (const tpn::Stage& stage : plan.instance.application.stages) {
    const auto found = std::ranges::find(given, stage.name, &NamedStage::name);
    if (found == given.end()) {
      std::string names;
      for (const NamedStage& one : given) names += (names.empty() ? "" : ", ") + one.name;
      throw std::runtime_error(fmt::format("found functions for {}, expected one for stage {}",
                                           names.empty() ? "no stage" : names, stage.name));
    }
    stages.push_back(*found);
  }
  return std::make_unique<FunctionKernel>(std::move(stages));
}

}  // namespace

int run(int argc, char** argv, const std::vector<NamedStage>& stages) {
  return run_rank(argc, argv, [&](const RunPlan& plan) { return make_functions(plan, stages); });
}

}  // namespace takt::live

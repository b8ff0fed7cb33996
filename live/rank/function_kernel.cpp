// A stage that throws, or ends its process, is named with its data set.
#include "live/rank/function_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "live/files/run_result.hpp"
#include "live/rank/stage_watch.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

namespace {

class FunctionKernel : public Kernel {
 public:
  /// By stage; why one ends its process is written to the file.
  FunctionKernel(std::vector<NamedStage> stages, std::string file)
      : file_(std::move(file)), stages_(std::move(stages)) {}

  void run(const StageCall& call, Packet& packet) override {
    const NamedStage& stage = stages_[call.stage];
    const std::uint64_t data_set = packet.data_set;
    std::string what = "it threw something else than a std::exception";
    try {
      const StageWatch watch(file_, tpn::visible(stage.name), data_set);
      stage.function(packet);
      packet.data_set = data_set;
      return;
    } catch (const std::exception& error) {
      constexpr std::size_t kShown = 300;
      what = tpn::visible(error.what(), kShown);
    } catch (...) {
    }
    throw StageFailed(fmt::format("stage {}, data set {}: {}", tpn::visible(stage.name), data_set, what));
  }

 private:
  std::string file_;
  std::vector<NamedStage> stages_;
};

}  // namespace

std::unique_ptr<Kernel> make_function_kernel(const RunPlan& plan, const std::vector<NamedStage>& given) {
  std::vector<NamedStage> stages;
  for (const tpn::Stage& stage : plan.instance.application.stages) {
    const auto found = std::ranges::find(given, stage.name, &NamedStage::name);
    if (found == given.end()) {
      std::string names;
      for (const NamedStage& one : given) names += (names.empty() ? "" : ", ") + one.name;
      throw std::runtime_error(fmt::format("found functions for {}; expected one for stage {}, too",
                                           names.empty() ? "no stage" : names, tpn::visible(stage.name)));
    }
    stages.push_back(*found);
  }
  return std::make_unique<FunctionKernel>(std::move(stages), fmt::format("{}/{}", plan.output, kFailureFile));
}

}  // namespace takt::live

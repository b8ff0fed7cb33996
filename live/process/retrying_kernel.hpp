// Failures of stages as failures of data sets: tried again, then told in place of a result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "live/engine/kernel.hpp"
#include "live/engine/stage_files.hpp"

namespace takt::live {

struct RetryTerms {
  std::vector<std::string> stages;    // their names
  std::uint64_t retries = 0;          // of a stage on a data set, behind the first try
  TextForm inputs = TextForm::sized;  // of a stage that takes several files, where a failure tells them
  /// Where a failure ends the run: whose stages these are, as its words begin. Nothing is tried again, and the failure
  /// has no input; what comes before it is delivered.
  std::string stops_as;
  /// By data set and stage: what is known to fail, in words, and is not tried any more.
  std::map<std::pair<std::uint64_t, std::size_t>, std::string> known;
  /// Hears, on the thread that runs stages, that a stage has failed and what follows.
  std::function<void(std::size_t stage, const std::string& words)> say = nullptr;
};

/// Runs the stages of another kernel. Where one throws StageFailed it is tried again on the same bytes; where it has
/// been tried often enough the packet has failed (Packet::has_failed), and no further stage sees it.
class RetryingKernel final : public Kernel {
 public:
  RetryingKernel(std::unique_ptr<Kernel> kernel, RetryTerms terms)
      : kernel_(std::move(kernel)), terms_(std::move(terms)) {}

  void run(const StageCall& call, Packet& packet) override;
  CoreTime time_outside(std::size_t stage) const override { return kernel_->time_outside(stage); }

 private:
  void fail(const StageCall& call, Packet& packet, std::string words, const Packet& taken) const;
  void tell(const StageCall& call, const std::string& what, std::uint64_t failures) const;

  std::unique_ptr<Kernel> kernel_;
  RetryTerms terms_;
};

}  // namespace takt::live

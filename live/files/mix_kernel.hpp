// The computation of emulated stages: every stage changes every word, so that the result tells which stages ran.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "live/engine/kernel.hpp"
#include "live/engine/stage_files.hpp"

namespace takt::live {

/// Stages that take the application's input make a packet of their data set's number; one that takes several files
/// mixes each into the others; every stage changes every 64-bit word by an invertible mix of its own. A stage left out,
/// done twice or in another's place, a word lost or another data set's: each is another result. It takes no time:
/// nominal times are for others to keep.
class MixKernel : public Kernel {
 public:
  static constexpr std::size_t kLeastBytes = 16;
  /// Packets of `bytes` >= kLeastBytes.
  explicit MixKernel(std::size_t bytes, StageFlow flow = {});

  /// Throws StageFailed if a packet has another size.
  void run(const StageCall& call, Packet& packet) override;

 private:
  void require_size(const StageCall& call, std::uint64_t data_set, const std::string& bytes) const;

  std::size_t bytes_;
  StageFlow flow_;
};

/// What is left of a data set behind stages 0 to stages - 1, for packets of `bytes` >= MixKernel::kLeastBytes.
std::string expected_result(std::uint64_t data_set, std::size_t stages, std::size_t bytes);

/// Likewise the result of a run of an application of `stages` stages.
std::string expected_result(std::uint64_t data_set, const StageFlow& flow, std::size_t stages, std::size_t bytes);

}  // namespace takt::live

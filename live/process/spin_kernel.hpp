// Emulated stages that compute: what else runs on their core slows them down, as it does real work.
#pragma once

#include "live/files/mix_kernel.hpp"

namespace takt::live {

/// Content as MixKernel has it; each call takes its nominal time of the calling thread's processor time.
class SpinKernel final : public MixKernel {
 public:
  using MixKernel::MixKernel;

  void run(const StageCall& call, Packet& packet) override;
};

}  // namespace takt::live

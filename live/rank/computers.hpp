// How a rank computes: a sleep of the time that the instance says, or a kernel on a thread of its own.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "live/engine/engine.hpp"
#include "live/engine/kernel.hpp"
#include "live/engine/load.hpp"
#include "live/engine/stage_files.hpp"
#include "live/files/mix_kernel.hpp"
#include "live/process/worker.hpp"

namespace takt::live {

/// The application's input, by data set.
using PacketSource = std::function<std::string(std::uint64_t data_set)>;

/// Sleeps: the engine holds the processor until the end. Packets change as MixKernel has it.
class EmulatedComputer : public Computer {
 public:
  /// The loads must outlive it; those of this processor count.
  EmulatedComputer(std::size_t bytes, const StageFlow& flow, std::span<const BackgroundLoad> loads,
                   std::size_t processor)
      : kernel_(bytes, flow), flow_(flow), loads_(loads), processor_(processor) {}

  std::optional<Ticks> begin(const PartCall& call, Packet packet) override;
  bool is_done() override { return true; }
  Packet take() override { return std::move(packet_); }

 private:
  MixKernel kernel_;
  StageFlow flow_;
  std::span<const BackgroundLoad> loads_;
  std::size_t processor_;
  Packet packet_;
};

/// Gives what there is to do to a worker. Source and sink do nothing, at once.
class WorkingComputer : public Computer {
 public:
  /// The loads must outlive it; those of this processor count. `notify` is called when work is done. The k-th data set
  /// of the engine is the k-th of `numbers` for the kernel and the source, if there are any; they must outlive it.
  WorkingComputer(std::unique_ptr<Kernel> kernel, PacketSource source, const StageFlow& flow,
                  std::span<const BackgroundLoad> loads, std::size_t processor, std::function<void()> notify,
                  std::span<const std::uint64_t> numbers = {});

  std::optional<Ticks> begin(const PartCall& call, Packet packet) override;
  bool is_done() override { return !is_at_work_ || worker_.is_done(); }
  Packet take() override;
  StageTimes stage_times() const override { return stage_times_; }
  bool is_warm(std::size_t first_stage, std::size_t last_stage) const override;
  std::vector<StageWork> work() const override;

 private:
  std::unique_ptr<Kernel> kernel_;
  PacketSource source_;
  bool has_file_lists_;
  std::span<const BackgroundLoad> loads_;
  std::size_t processor_;
  std::span<const std::uint64_t> numbers_;
  Worker worker_;
  bool is_at_work_ = false;
  std::size_t first_stage_ = 0;                // of the calls in hand
  std::uint64_t data_set_ = 0;                 // in hand, as the engine knows it
  std::map<std::size_t, StageWork> by_stage_;  // of this process
  StageTimes stage_times_;                     // of what was taken last
  Packet packet_;                              // where nobody is
};

}  // namespace takt::live

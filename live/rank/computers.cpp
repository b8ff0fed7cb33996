// A part's stages are calls of one kernel, one after the other.
#include "live/rank/computers.hpp"

#include <utility>

namespace takt::live {

std::optional<Ticks> EmulatedComputer::begin(const PartCall& call, Packet packet) {
  packet_ = std::move(packet);
  for (std::size_t stage = call.first_stage; stage <= call.last_stage; ++stage) kernel_.run({stage, {}}, packet_);
  return loaded_end(loads_, processor_, call.start, call.nominal);
}

WorkingComputer::WorkingComputer(std::unique_ptr<Kernel> kernel, PacketSource source,
                                 std::span<const BackgroundLoad> loads, std::size_t processor,
                                 std::function<void()> notify)
    : kernel_(std::move(kernel)),
      source_(std::move(source)),
      loads_(loads),
      processor_(processor),
      worker_(*kernel_, std::move(notify)) {}

std::optional<Ticks> WorkingComputer::begin(const PartCall& call, Packet packet) {
  if (call.is_first && source_) packet.bytes = source_(packet.data_set);
  is_at_work_ = call.first_stage <= call.last_stage;
  if (!is_at_work_) {
    packet_ = std::move(packet);
    return call.start;
  }
  // An instance may know the time of a part only, and loads come and go meanwhile: the first stage takes all of it.
  std::chrono::nanoseconds left(loaded_end(loads_, processor_, call.start, call.nominal) - call.start);
  std::vector<StageCall> calls;
  for (std::size_t stage = call.first_stage; stage <= call.last_stage; ++stage) {
    calls.push_back({stage, std::exchange(left, std::chrono::nanoseconds(0))});
  }
  worker_.start(std::move(calls), std::move(packet));
  return std::nullopt;
}

Packet WorkingComputer::take() {
  if (!is_at_work_) return std::move(packet_);
  return worker_.take().packet;
}

}  // namespace takt::live

// A part's stages are calls of one kernel, one after the other.
#include "live/rank/computers.hpp"

#include <utility>

namespace takt::live {

namespace {

void add(StageWork& work, const CoreTime& core) {
  work.running += core.running.count();
  if (work.waiting && core.waiting) {
    *work.waiting += core.waiting->count();
  } else {
    work.waiting.reset();
  }
}

}  // namespace

std::optional<Ticks> EmulatedComputer::begin(const PartCall& call, Packet packet) {
  packet_ = std::move(packet);
  if (call.first_stage <= call.last_stage) {
    run_stages(flow_, call.first_stage, call.last_stage, packet_, [&](std::size_t stage, Packet& one) {
      kernel_.run({stage, {}}, one);
    });
  }
  return loaded_end(loads_, processor_, call.start, call.nominal);
}

WorkingComputer::WorkingComputer(std::unique_ptr<Kernel> kernel, PacketSource source, const StageFlow& flow,
                                 std::span<const BackgroundLoad> loads, std::size_t processor,
                                 std::function<void()> notify, std::span<const std::uint64_t> numbers)
    : kernel_(std::move(kernel)),
      source_(std::move(source)),
      has_file_lists_(!flow.is_chain()),
      loads_(loads),
      processor_(processor),
      numbers_(numbers),
      worker_(*kernel_, std::move(notify), flow) {}

std::optional<Ticks> WorkingComputer::begin(const PartCall& call, Packet packet) {
  const std::uint64_t number = numbers_.empty() ? packet.data_set : numbers_[packet.data_set];
  if (call.is_first && source_) {
    has_file_lists_ ? set_input(packet, source_(number)) : static_cast<void>(packet.bytes = source_(number));
  }
  is_at_work_ = call.first_stage <= call.last_stage;
  if (!is_at_work_) {
    packet_ = std::move(packet);
    return call.start;
  }
  // An instance may know the time of a part only, and loads come and go meanwhile: the first stage takes all of it.
  std::chrono::nanoseconds left(loaded_end(loads_, processor_, call.start, call.nominal) - call.start);
  first_stage_ = call.first_stage;
  data_set_ = std::exchange(packet.data_set, number);
  std::vector<StageCall> calls;
  for (std::size_t stage = call.first_stage; stage <= call.last_stage; ++stage) {
    calls.push_back({stage, std::exchange(left, std::chrono::nanoseconds(0))});
  }
  worker_.start(std::move(calls), std::move(packet));
  return std::nullopt;
}

Packet WorkingComputer::take() {
  if (!is_at_work_) return std::move(packet_);
  FinishedWork finished = worker_.take();
  stage_times_.clear();
  for (std::size_t k = 0; k < finished.times.size(); ++k) {
    const auto& [wall, core] = finished.times[k];
    stage_times_.push_back(wall.count());
    StageWork& work = by_stage_.try_emplace(first_stage_ + k, StageWork{first_stage_ + k, 0, 0, 0, 0}).first->second;
    ++work.calls;
    work.wall += wall.count();
    add(work, core);
  }
  finished.packet.data_set = data_set_;
  return std::move(finished.packet);
}

bool WorkingComputer::is_warm(std::size_t first_stage, std::size_t last_stage) const {
  for (std::size_t stage = first_stage; stage <= last_stage; ++stage)
    if (!by_stage_.contains(stage)) return false;
  return true;
}

std::vector<StageWork> WorkingComputer::work() const {
  std::vector<StageWork> all;
  for (const auto& [stage, work] : by_stage_) {
    all.push_back(work);
    add(all.back(), kernel_->time_outside(stage));
  }
  return all;
}

}  // namespace takt::live

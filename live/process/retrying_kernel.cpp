// A stage may have changed what it was given before it failed: each try has a copy.
#include "live/process/retrying_kernel.hpp"

#include <fmt/format.h>

#include <string_view>

#include "live/files/journal.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

void RetryingKernel::run(const StageCall& call, Packet& packet) {
  if (packet.has_failed) return;
  const bool stops = !terms_.stops_as.empty();
  const std::uint64_t data_set = packet.data_set;
  const Packet taken = stops ? Packet() : packet;
  if (const auto known = terms_.known.find({packet.data_set, call.stage}); known != terms_.known.end()) {
    return fail(call, packet, known->second, taken);
  }
  for (std::uint64_t failures = 1;; ++failures) {
    try {
      kernel_->run(call, packet);
      return;
    } catch (const StageFailed& failure) {
      tell(call, failure.what(), failures);
      if (!stops) packet = taken;
      packet.data_set = data_set;
      if (failures <= terms_.retries) continue;
      return fail(call, packet, failure.what(), taken);
    }
  }
}

// The record has stage and data set by themselves.
void RetryingKernel::fail(const StageCall& call, Packet& packet, std::string words, const Packet& taken) const {
  const std::string& stage = terms_.stages[call.stage];
  const std::string begin = fmt::format("stage {}, data set {}: ", tpn::visible(stage), packet.data_set);
  const bool has_begin = words.starts_with(begin);
  if (terms_.stops_as.empty() && has_begin) words.erase(0, begin.size());
  if (!terms_.stops_as.empty()) words.insert(0, terms_.stops_as + ": " + (has_begin ? "" : begin));
  packet.bytes = encode(StageFailure{stage, std::move(words),
                                     taken.inputs.empty() ? taken.bytes : records_of(taken.inputs, terms_.inputs)});
  packet.inputs.clear();
  packet.has_failed = true;
}

void RetryingKernel::tell(const StageCall& call, const std::string& what, std::uint64_t failures) const {
  if (!terms_.say) return;
  terms_.say(call.stage, fmt::format("{}; {}", what,
                                     failures <= terms_.retries
                                         ? fmt::format("try {} of {} follows", failures + 1, terms_.retries + 1)
                                         : "the run goes on without a result of this data set"));
}

}  // namespace takt::live

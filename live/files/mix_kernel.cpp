// Multiplications and shifts, as the finalizer of SplitMix64 has them.
#include "live/files/mix_kernel.hpp"

#include <fmt/format.h>

#include <cstring>

#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

// One-to-one for each key, and for no two keys do they commute.
std::uint64_t mixed(std::uint64_t word, std::uint64_t key) {
  word ^= (key + 1) * kGolden;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
  return word ^ (word >> 31);
}

// Calls change(word, index) for each word in turn; of a size that is no multiple of words the last overlaps.
template <typename Change>
void change_words(std::string& bytes, Change change) {
  const auto at = [&](std::size_t offset, std::size_t index) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[offset], kWord);
    word = change(word, index);
    std::memcpy(&bytes[offset], &word, kWord);
  };
  const std::size_t words = bytes.size() / kWord;
  for (std::size_t k = 0; k < words; ++k) at(k * kWord, k);
  if (bytes.size() % kWord != 0) at(bytes.size() - kWord, words);
}

std::string first_packet(std::uint64_t data_set, std::size_t size) {
  std::string bytes(size, '\0');
  change_words(bytes, [&](std::uint64_t, std::size_t index) { return mixed(data_set, index); });
  return bytes;
}

// One-to-one for each file where the others stay; files that change places make another packet.
void mix_in(std::string& bytes, const std::string& file, std::size_t number) {
  change_words(bytes, [&](std::uint64_t word, std::size_t) { return mixed(word, number); });
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<char>(bytes[k] ^ file[k]);
}

void apply_stage(std::string& bytes, std::size_t stage) {
  change_words(bytes, [&](std::uint64_t word, std::size_t) { return mixed(word, stage); });
}

}  // namespace

MixKernel::MixKernel(std::size_t bytes, StageFlow flow) : bytes_(bytes), flow_(std::move(flow)) {
  maxplus::expects(bytes >= kLeastBytes, "a packet has room for two words");
}

void MixKernel::require_size(const StageCall& call, std::uint64_t data_set, const std::string& bytes) const {
  if (bytes.size() == bytes_) return;
  throw StageFailed(fmt::format("stage {}, data set {}: found a packet of {} bytes, expected {}", call.stage, data_set,
                                bytes.size(), bytes_));
}

void MixKernel::run(const StageCall& call, Packet& packet) {
  if (flow_.takes_input(call.stage)) packet.bytes = first_packet(packet.data_set, bytes_);
  for (std::size_t k = 0; k < packet.inputs.size(); ++k) {
    std::string& file = packet.inputs[k].bytes;
    require_size(call, packet.data_set, file);
    k == 0 ? static_cast<void>(packet.bytes = std::move(file)) : mix_in(packet.bytes, file, k);
  }
  require_size(call, packet.data_set, packet.bytes);
  apply_stage(packet.bytes, call.stage);
}

std::string expected_result(std::uint64_t data_set, std::size_t stages, std::size_t bytes) {
  maxplus::expects(bytes >= MixKernel::kLeastBytes, "a packet has room for two words");
  std::string result = first_packet(data_set, bytes);
  for (std::size_t stage = 0; stage < stages; ++stage) apply_stage(result, stage);
  return result;
}

std::string expected_result(std::uint64_t data_set, const StageFlow& flow, std::size_t stages, std::size_t bytes) {
  if (flow.is_chain()) return expected_result(data_set, stages, bytes);
  MixKernel kernel(bytes, flow);
  const StageFile input{kInputFile, {}};
  Packet packet{data_set, encode_files({&input, 1})};
  run_stages(flow, 0, stages - 1, packet, [&](std::size_t stage, Packet& one) { kernel.run({stage, {}}, one); });
  return result_of(flow, packet, TextForm::sized);
}

}  // namespace takt::live

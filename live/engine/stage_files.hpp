// Whose files stages take, and what goes from part to part where these fork and join: the files of several stages in
// one message.
//
// Problem. In a chain a message is a file: its bytes go as they are. In a workflow a part sends the files of several of
// its stages to one receiver, and a computation takes the files of several messages.
//
// Method. Between the parts of a workflow a packet's bytes are a list of files, each with the stage whose it is. So a
// computation joins the lists of its messages, runs its stages one by one, and each transfer takes from the list of its
// results what its receiver wants. A packet that has failed has one file, the failure, of the stage that failed: of
// several the first in the list of stages. That is the same failure whatever the mapping, for no stage before it has
// failed.
//
// Cost. Linear in the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/engine/packet.hpp"
#include "tpn/document.hpp"

namespace takt::live {

/// Whose files the stages of an application take.
class StageFlow {
 public:
  /// A chain of whatever stages.
  StageFlow() = default;
  explicit StageFlow(const tpn::Application& application);

  bool is_chain() const { return stages_.empty(); }
  /// Whether the stage takes the application's input.
  bool takes_input(std::size_t stage) const { return is_chain() ? stage == 0 : stages_[stage].before.empty(); }

  /// Of a workflow: the stages whose files a stage takes, in ascending order.
  std::span<const std::size_t> before(std::size_t stage) const { return stages_[stage].before; }
  /// Likewise its name; and whether nobody takes its file.
  const std::string& name(std::size_t stage) const { return stages_[stage].name; }
  bool is_exit(std::size_t stage) const { return stages_[stage].last_taker == stage; }
  /// Whether a stage behind `last` takes its file, or it is an exit's.
  bool is_wanted_behind(std::size_t stage, std::size_t last) const {
    return is_exit(stage) || stages_[stage].last_taker > last;
  }
  /// The exits, in ascending order.
  std::vector<std::size_t> exits() const;

 private:
  struct FlowStage {
    std::string name;
    std::vector<std::size_t> before;
    std::size_t last_taker = 0;  // the last stage that takes its file; itself if there is none
  };
  std::vector<FlowStage> stages_;  // of a workflow
};

/// In place of a stage: the application's input.
inline constexpr std::size_t kInputFile = std::numeric_limits<std::size_t>::max();

/// A file of a workflow's data set on its way.
struct StageFile {
  std::size_t stage = 0;  // or kInputFile
  std::string bytes;

  friend bool operator==(const StageFile&, const StageFile&) = default;
};

/// The bytes of a packet between parts of a workflow, and back. Throws std::runtime_error if they are none.
std::string encode_files(std::span<const StageFile> files);
std::vector<StageFile> decode_files(std::string_view bytes);

/// The files of all packets, which are of one data set; the failure of the first stage where some have failed. There is
/// one at least.
Packet joined(std::vector<Packet> packets);
/// Those files of a packet that are of the stages, which must be among them; one that has failed as it is. The span
/// empty: the application's input.
Packet selected(const Packet& packet, std::span<const std::size_t> stages);

/// The application's input among a packet's files becomes that.
void set_input(Packet& packet, std::string bytes);

/// How texts are told from one another: by 8 bytes before each, its length, little endian; or by line feeds between
/// them.
enum class TextForm : std::uint8_t { sized, lines };

/// Of each file the name of its stage, then its bytes.
std::string records_of(std::span<const InputFile> files, TextForm form);

/// What a data set's delivered files amount to: that of the only exit; of several exits records_of them. Of a packet
/// that has failed the failure.
std::string result_of(const StageFlow& flow, const Packet& delivered, TextForm form);

/// The files of a part while its stages run.
class PartFiles {
 public:
  PartFiles(const StageFlow& flow, std::size_t first, std::size_t last, const Packet& packet);

  /// What the stage takes, as a packet.
  Packet taken_by(std::size_t stage);
  /// Its result; false if it has failed, and nothing further runs.
  bool add(std::size_t stage, Packet result);
  /// What is wanted behind the part, or the failure.
  Packet take();

 private:
  bool is_wanted_after(std::size_t stage, std::size_t of) const;
  std::string file_for(std::size_t stage, std::size_t of);

  const StageFlow& flow_;
  std::size_t first_;
  std::size_t last_;
  std::uint64_t data_set_;
  std::vector<StageFile> files_;
  bool has_failed_ = false;
};

/// Runs the stages `first` to `last` of a part on a packet: `run(stage, packet)` puts a stage's result in place of what
/// it takes, which is Packet::bytes, or Packet::inputs of a stage that takes several files. Where a stage of a workflow
/// fails no further one runs.
template <typename Run>
void run_stages(const StageFlow& flow, std::size_t first, std::size_t last, Packet& packet, Run run) {
  if (flow.is_chain()) {
    for (std::size_t stage = first; stage <= last; ++stage) run(stage, packet);
    return;
  }
  PartFiles files(flow, first, last, packet);
  for (std::size_t stage = first; stage <= last; ++stage) {
    Packet one = files.taken_by(stage);
    run(stage, one);
    if (!files.add(stage, std::move(one))) break;
  }
  packet = files.take();
}

}  // namespace takt::live

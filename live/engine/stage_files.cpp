// A list of files is, for each, the stage, the length and the bytes: lists are joined by writing one behind the other.
#include "live/engine/stage_files.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "maxplus/contract.hpp"
#include "tpn/workflow.hpp"

namespace takt::live {

namespace {

constexpr std::size_t kFileWord = sizeof(std::uint64_t);
constexpr std::size_t kFileHead = 2 * kFileWord;

void put_word(std::string& bytes, std::uint64_t word) {
  std::array<char, kFileWord> raw{};
  std::memcpy(raw.data(), &word, kFileWord);
  bytes.append(raw.data(), kFileWord);
}

std::uint64_t take_word(std::string_view& bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data(), kFileWord);
  bytes.remove_prefix(kFileWord);
  return word;
}

struct FileView {
  std::size_t stage = 0;
  std::string_view bytes;
};

std::vector<FileView> files_in(std::string_view bytes) {
  std::vector<FileView> files;
  while (!bytes.empty()) {
    if (bytes.size() < kFileHead) throw std::runtime_error("found the half of a file");
    const auto stage = static_cast<std::size_t>(take_word(bytes));
    const std::uint64_t length = take_word(bytes);
    if (length > bytes.size()) throw std::runtime_error("found the half of a file");
    files.push_back({stage, bytes.substr(0, length)});
    bytes.remove_prefix(length);
  }
  return files;
}

void put_file(std::string& to, std::size_t stage, std::string_view bytes) {
  put_word(to, stage);
  put_word(to, bytes.size());
  to += bytes;
}

std::string_view file_of(const std::vector<FileView>& files, std::size_t stage) {
  const auto found = std::ranges::find(files, stage, &FileView::stage);
  if (found == files.end()) throw std::runtime_error("a file is missing that a stage has to take");
  return found->bytes;
}

std::size_t failed_stage(const Packet& packet) {
  const std::vector<FileView> files = files_in(packet.bytes);
  if (files.size() != 1) throw std::runtime_error("found no failure in a packet that has failed");
  return files.front().stage;
}

}  // namespace

StageFlow::StageFlow(const tpn::Application& application) {
  if (tpn::is_chain(application)) return;
  for (std::size_t k = 0; k < application.stages.size(); ++k) {
    stages_.push_back({application.stages[k].name, tpn::stages_before(application, k), k});
    for (const std::size_t before : stages_.back().before) stages_[before].last_taker = k;
  }
}

std::vector<std::size_t> StageFlow::exits() const {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < stages_.size(); ++k)
    if (is_exit(k)) found.push_back(k);
  return found;
}

std::string encode_files(std::span<const StageFile> files) {
  std::string bytes;
  for (const StageFile& file : files) put_file(bytes, file.stage, file.bytes);
  return bytes;
}

std::vector<StageFile> decode_files(std::string_view bytes) {
  std::vector<StageFile> files;
  for (const FileView& file : files_in(bytes)) files.push_back({file.stage, std::string(file.bytes)});
  return files;
}

Packet joined(std::vector<Packet> packets) {
  maxplus::expects(!packets.empty(), "something is joined");
  Packet* failed = nullptr;
  for (Packet& packet : packets) {
    if (packet.has_failed && (failed == nullptr || failed_stage(packet) < failed_stage(*failed))) failed = &packet;
  }
  if (failed != nullptr) return std::move(*failed);
  Packet all = std::move(packets.front());
  for (std::size_t i = 1; i < packets.size(); ++i) all.bytes += packets[i].bytes;
  return all;
}

Packet selected(const Packet& packet, std::span<const std::size_t> stages) {
  if (packet.has_failed) return packet;
  Packet some{packet.data_set};
  const std::vector<FileView> files = files_in(packet.bytes);
  if (stages.empty()) put_file(some.bytes, kInputFile, file_of(files, kInputFile));
  for (const std::size_t stage : stages) put_file(some.bytes, stage, file_of(files, stage));
  return some;
}

void set_input(Packet& packet, std::string bytes) {
  std::vector<StageFile> files = decode_files(packet.bytes);
  const auto input = std::ranges::find(files, kInputFile, &StageFile::stage);
  maxplus::expects(input != files.end(), "the packet has the application's input");
  input->bytes = std::move(bytes);
  packet.bytes = encode_files(files);
}

std::string result_of(const StageFlow& flow, const Packet& delivered, TextForm form) {
  const std::vector<FileView> files = files_in(delivered.bytes);
  if (delivered.has_failed) return std::string(file_of(files, failed_stage(delivered)));
  const std::vector<std::size_t> exits = flow.exits();
  if (exits.size() == 1) return std::string(file_of(files, exits.front()));
  std::vector<InputFile> results;
  results.reserve(exits.size());
  for (const std::size_t exit : exits) results.push_back({flow.name(exit), std::string(file_of(files, exit))});
  return records_of(results, form);
}

std::string records_of(std::span<const InputFile> files, TextForm form) {
  std::string records;
  const auto add = [&](std::string_view bytes) {
    if (form == TextForm::lines) {
      if (!records.empty()) records += '\n';
    } else {
      for (std::size_t k = 0; k < kFileWord; ++k) records += static_cast<char>(bytes.size() >> (8 * k) & 0xFF);
    }
    records += bytes;
  };
  for (const InputFile& file : files) {
    add(file.stage);
    add(file.bytes);
  }
  return records;
}

PartFiles::PartFiles(const StageFlow& flow, std::size_t first, std::size_t last, const Packet& packet)
    : flow_(flow), first_(first), last_(last), data_set_(packet.data_set), files_(decode_files(packet.bytes)) {}

// Whether anybody behind `stage` takes a file from here.
bool PartFiles::is_wanted_after(std::size_t stage, std::size_t of) const {
  if (of != kInputFile && of >= first_ && flow_.is_wanted_behind(of, last_)) return true;
  for (std::size_t later = stage + 1; later <= last_; ++later) {
    const std::span<const std::size_t> before = flow_.before(later);
    if (of == kInputFile ? before.empty() : std::ranges::find(before, of) != before.end()) return true;
  }
  return false;
}

std::string PartFiles::file_for(std::size_t stage, std::size_t of) {
  const auto found = std::ranges::find(files_, of, &StageFile::stage);
  if (found == files_.end()) throw std::runtime_error("a file is missing that a stage has to take");
  return is_wanted_after(stage, of) ? found->bytes : std::move(found->bytes);
}

Packet PartFiles::taken_by(std::size_t stage) {
  Packet packet{data_set_};
  const std::span<const std::size_t> before = flow_.before(stage);
  if (before.empty()) {
    packet.bytes = file_for(stage, kInputFile);
  } else if (before.size() == 1) {
    packet.bytes = file_for(stage, before.front());
  } else {
    for (const std::size_t of : before) packet.inputs.push_back({flow_.name(of), file_for(stage, of)});
  }
  return packet;
}

bool PartFiles::add(std::size_t stage, Packet result) {
  has_failed_ = result.has_failed;
  if (has_failed_) files_.clear();
  files_.push_back({stage, std::move(result.bytes)});
  return !has_failed_;
}

Packet PartFiles::take() {
  if (!has_failed_) {
    std::erase_if(files_, [&](const StageFile& file) {
      return file.stage == kInputFile || file.stage < first_ || !flow_.is_wanted_behind(file.stage, last_);
    });
  }
  return {data_set_, encode_files(files_), has_failed_, {}};
}

}  // namespace takt::live

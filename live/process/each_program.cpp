// Input goes as the pipe takes it, while output is read.
#include "live/process/each_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "live/engine/kernel.hpp"
#include "live/process/child_process.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

namespace {

using Clock = StageProcess::Clock;

constexpr std::string_view kPlace = "{}";
constexpr std::size_t kChunk = std::size_t{1} << 16;

// A text that stands for another one in a command.
struct Place {
  std::string text;
  std::string word;
};

std::string with_each_place(std::string_view command, const std::vector<Place>& places) {
  std::string text;
  for (;;) {
    std::size_t next = std::string_view::npos;
    const Place* first = nullptr;
    for (const Place& place : places) {
      const std::size_t at = command.find(place.text);
      if (at < next) first = &place;
      next = std::min(next, at);
    }
    text += command.substr(0, next);
    if (first == nullptr) return text;
    text += first->word;
    command.remove_prefix(next + first->text.size());
  }
}

std::string new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "takt-stage-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  return name;
}

}  // namespace

// `open` holds what would close each quote, and each command within one, the innermost last. A quote that nothing
// closes is none, as an apostrophe in a comment or a text of the shell's.
bool is_between_quotes(std::string_view command, std::string_view place) {
  std::string open;
  std::size_t quoted = 0;  // how many are open at the place that was found
  for (std::size_t k = 0; k < command.size(); ++k) {
    const char in = open.empty() ? '\0' : open.back();
    const char c = command[k];
    if (command.substr(k).starts_with(place)) {
      if (quoted == 0 && (in == '\'' || in == '"')) quoted = open.size();
      k += place.size() - 1;
    } else if (c == in) {
      if (quoted == open.size()) return true;
      open.pop_back();
    } else if (in == '\'') {
      continue;
    } else if (c == '\\') {
      ++k;
    } else if (command.substr(k).starts_with("$(")) {
      open += ')';
      ++k;
    } else if (c == '"' || c == '`' || (c == '\'' && in != '"')) {
      open += c;
    } else if (c == '(' && in != '"') {
      open += ')';
    } else if (c == '#' && in != '"' && (k == 0 || command[k - 1] == ' ' || command[k - 1] == '\n')) {
      k = std::min(command.find('\n', k), command.size());
    }
  }
  return false;
}

// Removed when this goes.
class EachProgram::Files {
 public:
  Files() = default;
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  ~Files() {
    std::error_code ignored;
    for (const std::string& path : paths_) std::filesystem::remove(path, ignored);
  }

  void add(std::string path) { paths_.push_back(std::move(path)); }

 private:
  std::vector<std::string> paths_;
};

EachProgram::EachProgram(Keeper& keeper, StageCommand command, const ProgramOptions& options)
    : keeper_(keeper), command_(std::move(command)), options_(options) {}

void EachProgram::fail(const std::string& what) const {
  throw StageFailed(fmt::format("stage {}, data set {}: its program {}", tpn::visible(command_.name), data_set_, what));
}

bool EachProgram::takes_text() const {
  return options_.flow.takes_input(command_.stage) && (options_.first_stage_has_lines || options_.first_stage_counts);
}

std::string EachProgram::file_with(const std::string& name, const std::string& bytes, Files& files) {
  if (folder_.empty()) {
    folder_ = new_folder();
    keeper_.remove_at_end(folder_);
  }
  std::string path = fmt::format("{}/{}", folder_, name);
  files.add(path);
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  if (!out) throw std::system_error(errno, std::generic_category(), path);
  return path;
}

std::string EachProgram::command_for(const Packet& packet, Files& files) {
  if (takes_text()) return with_each_place(command_.command, {{std::string(kPlace), tpn::shell_word(packet.bytes)}});
  const std::string number = fmt::format("{:08}", packet.data_set);
  if (packet.inputs.empty()) {
    const std::string path = file_with(number, packet.bytes, files);
    return with_each_place(command_.command, {{std::string(kPlace), tpn::shell_word(path)}});
  }
  std::vector<Place> places;
  for (const InputFile& input : packet.inputs) {
    std::string place = "{" + input.stage + "}";
    if (command_.command.find(place) == std::string::npos) continue;
    const std::string path = file_with(fmt::format("{}-{}", number, places.size()), input.bytes, files);
    places.push_back({std::move(place), tpn::shell_word(path)});
  }
  return with_each_place(command_.command, places);
}

void EachProgram::run(Packet& packet) {
  data_set_ = packet.data_set;
  const std::vector<std::string> variables = {"TAKT_STAGE=" + command_.name,
                                              "TAKT_DATA_SET=" + std::to_string(packet.data_set)};
  if (packet.inputs.empty() && command_.command.find(kPlace) == std::string::npos) {
    StageProcess process(keeper_, command_.command, variables);
    packet.bytes = result_of(process, packet.bytes);
    return;
  }
  Files files;
  const std::string command = command_for(packet, files);
  StageProcess process(keeper_, command, variables);
  packet.bytes = result_of(process, "");
}

std::string EachProgram::result_of(StageProcess& process, const std::string& input) {
  begin_ = Clock::now();
  stops_ = {};
  std::string result;
  read_result(process, input, result);
  // It has closed its output: it ends, unless it does something else behind it.
  std::optional<KeptEnd> end;
  while (!(end = process.end_within(std::chrono::milliseconds(100)))) {
    require_in_time();
  }
  time_ += end->core;
  if (const auto failure = failure_of_status(end->status)) {
    const std::string said = process.said();
    fail("ended: " + *failure + (said.empty() ? "" : "; on standard error: " + said));
  }
  return result;
}

void EachProgram::require_in_time() {
  begin_ += stops_.look();
  if (options_.time_limit && Clock::now() - begin_ >= *options_.time_limit) {
    fail(fmt::format("did not end within {}", milliseconds_words(*options_.time_limit)));
  }
}

void EachProgram::read_result(StageProcess& process, const std::string& input, std::string& result) {
  std::vector<std::string_view> left;
  if (!input.empty()) left.emplace_back(input);
  std::vector<char> buffer(kChunk);
  for (;;) {
    if (!left.empty() && !process.write_some(left)) left.clear();  // it reads no more
    if (left.empty()) process.close_input();
    std::optional<Clock::time_point> until;
    if (options_.time_limit) {
      until = std::min(begin_ + std::chrono::ceil<Clock::duration>(*options_.time_limit),
                       Clock::now() + NoticedStops::kLook);
    }
    const StageReadiness ready = process.wait(!left.empty(), until);
    if (ready.can_read) {
      const auto count = process.read_some(buffer.data(), buffer.size());
      if (count == std::size_t{0}) return;
      if (count) result.append(buffer.data(), *count);
      if (result.size() > options_.most_bytes) fail(fmt::format("wrote more than {} bytes", options_.most_bytes));
    }
    require_in_time();
  }
}

}  // namespace takt::live

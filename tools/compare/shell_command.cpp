// Reads what a command prints while it watches the clock and the user.
#include "tools/compare/shell_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "live/process/child_process.hpp"
#include "live/process/descriptor.hpp"
#include "tools/command.hpp"
#include "tools/files/files.hpp"
#include "tools/files/signals.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

namespace {

using live::OwnedDescriptor;

// How often an interruption is looked for.
constexpr int kStepMilliseconds = 50;

[[noreturn]] void fail_to_start(const char* what) {
  throw FileError(fmt::format("a command cannot be started: {}: {}", what, std::strerror(errno)));
}

class RunningCommand {
 public:
  RunningCommand(std::string command, const CommandInput& input, bool reads_stdin) : deadline_(input.deadline) {
    const OwnedDescriptor stdin_file(open(reads_stdin ? input.path.c_str() : "/dev/null", O_RDONLY | O_CLOEXEC));
    if (!stdin_file.is_open()) fail_to_start(input.path.c_str());
    child_.emplace(std::move(command), input.variables,
                   live::ChildStreams{stdin_file.number(), output_.in.number(), errors_.in.number()});
    output_.in.reset();
    errors_.in.reset();
  }

  CommandOutcome finish() {
    // What it has left behind may hold its output open for ever.
    while (!failure_ && (output_.out.is_open() || errors_.out.is_open())) {
      if (!step() && child_->has_ended()) break;
    }
    while (!failure_ && !child_->has_ended()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      look_at_limits();
    }
    const int status = child_->end();
    if (!failure_) {
      failure_ = live::failure_of_status(status);
      if (const std::string said = printable(last_line(said_)); failure_ && !said.empty()) *failure_ += ": " + said;
    }
    return {std::move(text_), std::move(failure_)};
  }

 private:
  void look_at_limits() {
    if (interruption()) failure_ = "it was interrupted";
    if (std::chrono::steady_clock::now() >= deadline_) failure_ = "the time limit was met";
  }

  // Waits for some of what it prints; false where nothing came.
  bool step() {
    std::array<pollfd, 2> ends = {pollfd{output_.out.number(), POLLIN, 0}, pollfd{errors_.out.number(), POLLIN, 0}};
    const bool came = poll(ends.data(), ends.size(), kStepMilliseconds) > 0;
    if (ends[0].revents != 0) take(output_.out, text_);
    if (ends[1].revents != 0) take(errors_.out, said_);
    if (text_.size() > kMostCommandOutput) failure_ = fmt::format("more than {} bytes of output", kMostCommandOutput);
    // Of what it says on standard error the end will do.
    constexpr std::size_t kSaid = 10'000;
    if (said_.size() > 2 * kSaid) said_.erase(0, said_.size() - kSaid);
    look_at_limits();
    return came;
  }

  static void take(OwnedDescriptor& from, std::string& text) {
    std::array<char, 1 << 16> buffer;
    const ssize_t count = read(from.number(), buffer.data(), buffer.size());
    if (count > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      from.reset();
    }
  }

  live::Pipe output_;
  live::Pipe errors_;
  std::optional<live::ChildProcess> child_;
  std::chrono::steady_clock::time_point deadline_;
  std::string text_;
  std::string said_;  // the end of it
  std::optional<std::string> failure_;
};

}  // namespace

std::pair<std::string, bool> with_path(std::string_view command, const std::string& path) {
  constexpr std::string_view kPlace = "{}";
  std::string text;
  bool is_found = false;
  while (true) {
    const std::size_t at = command.find(kPlace);
    text += command.substr(0, at);
    if (at == std::string_view::npos) return {text, is_found};
    is_found = true;
    text += shell_word(path);
    command.remove_prefix(at + kPlace.size());
  }
}

CommandOutcome run_command(std::string_view command, const CommandInput& input) {
  auto [text, is_given_path] = with_path(command, input.path);
  try {
    return RunningCommand(std::move(text), input, !is_given_path).finish();
  } catch (const std::system_error& error) {
    throw FileError(fmt::format("a command cannot be started: {}", error.what()));
  }
}

}  // namespace takt::tools

// Reads what commands print while it watches the clock and the user.
#include "tools/own/shell_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/replace.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "live/process/child_process.hpp"
#include "live/process/descriptor.hpp"
#include "live/process/pipe_signal.hpp"
#include "maxplus/deadline.hpp"
#include "tools/command.hpp"
#include "tools/files/files.hpp"
#include "tools/files/signals.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

namespace {

using live::OwnedDescriptor;

// How often an interruption is looked for.
constexpr std::chrono::milliseconds kStep{50};

[[noreturn]] void fail_to_start(const char* what) {
  throw FileError(fmt::format("a command cannot be started: {}: {}", what, std::strerror(errno)));
}

// How the command ended, with the last line that it said; nothing if it ended well.
std::optional<std::string> failure_of(int status, std::string_view said) {
  auto failure = live::failure_of_status(status);
  if (const std::string line = printable(last_line(said)); failure && !line.empty()) *failure += ": " + line;
  return failure;
}

// What a running command prints, read while the clock and the user are watched.
class CommandStreams {
 public:
  explicit CommandStreams(std::size_t most_output) : most_output_(most_output) {}

  // To be handed to the process, and closed here with `started`.
  int output_for_process() const { return output_.in.number(); }
  int errors_for_process() const { return errors_.in.number(); }
  void started() {
    output_.in.reset();
    errors_.in.reset();
  }

  bool are_open() const { return output_.out.is_open() || errors_.out.is_open(); }
  bool is_output_open() const { return output_.out.is_open(); }
  std::string& text() { return text_; }
  const std::string& said() const { return said_; }  // the end of it
  const std::optional<std::string>& failure() const { return failure_; }

  void look_at_limits(std::chrono::steady_clock::time_point deadline) {
    if (interruption()) failure_ = "it was interrupted";
    if (maxplus::SearchClock::now() >= deadline) failure_ = "the time limit was reached";
  }

  // Waits for some of what it prints, or until `input` can be written to (-1: nothing is to be written). What can be
  // done, as poll says.
  struct Ready {
    bool is_anything = false;
    bool can_write = false;
  };
  Ready step(int input, std::chrono::steady_clock::time_point deadline) {
    std::array<pollfd, 3> ends = {pollfd{output_.out.number(), POLLIN, 0}, pollfd{errors_.out.number(), POLLIN, 0},
                                  pollfd{input, POLLOUT, 0}};
    const auto left = deadline - std::min(maxplus::SearchClock::now(), deadline);
    const auto time = std::chrono::ceil<std::chrono::milliseconds>(std::min<decltype(left)>(left, kStep));
    const bool came = poll(ends.data(), ends.size(), static_cast<int>(time.count())) > 0;
    if (ends[0].revents != 0) take(output_.out, text_);
    if (ends[1].revents != 0) take(errors_.out, said_);
    if (text_.size() > most_output_) failure_ = fmt::format("more than {} bytes of output", most_output_);
    // Of what it says on standard error the end will do.
    constexpr std::size_t kSaid = 10'000;
    if (said_.size() > 2 * kSaid) said_.erase(0, said_.size() - kSaid);
    look_at_limits(deadline);
    return {came, ends[2].revents != 0};
  }

 private:
  static void take(OwnedDescriptor& from, std::string& text) {
    std::array<char, 1 << 16> buffer;
    const ssize_t count = read(from.number(), buffer.data(), buffer.size());
    if (count > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      from.reset();
    }
  }

  std::size_t most_output_;
  live::Pipe output_;
  live::Pipe errors_;
  std::string text_;
  std::string said_;
  std::optional<std::string> failure_;
};

class RunningCommand {
 public:
  RunningCommand(std::string command, const CommandInput& input, bool reads_stdin)
      : streams_(input.most_output), path_(input.path), deadline_(input.deadline) {
    const OwnedDescriptor stdin_file(open(reads_stdin ? input.path.c_str() : "/dev/null", O_RDONLY | O_CLOEXEC));
    if (!stdin_file.is_open()) fail_to_start(input.path.c_str());
    child_.emplace(
        std::move(command), input.variables,
        live::ChildStreams{stdin_file.number(), streams_.output_for_process(), streams_.errors_for_process()});
    streams_.started();
  }

  CommandOutcome finish() {
    // What it has left behind may hold its output open for ever.
    while (!streams_.failure() && streams_.are_open()) {
      // Asked before the wait: what it printed last is there then.
      const bool has_ended = child_->has_ended();
      if (!streams_.step(-1, deadline_).is_anything && has_ended) break;
    }
    while (!streams_.failure() && !child_->has_ended()) {
      child_->wait(kStep);
      streams_.look_at_limits(deadline_);
    }
    const int status = child_->end();
    // The path of a problem's file differs from run to run.
    const std::string said = boost::replace_all_copy(streams_.said(), path_, "{}");
    auto failure = streams_.failure() ? streams_.failure() : failure_of(status, said);
    return {std::move(streams_.text()), std::move(failure)};
  }

 private:
  CommandStreams streams_;
  std::optional<live::ChildProcess> child_;
  std::string path_;
  std::chrono::steady_clock::time_point deadline_;
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

class ShellServer::Process {
 public:
  Process(const std::string& command, const ServerLimits& limits)
      : streams_(limits.most_output), farewell_(limits.farewell) {
    live::Pipe input;
    child_.emplace(
        command, std::vector<std::string>{},
        live::ChildStreams{input.out.number(), streams_.output_for_process(), streams_.errors_for_process()});
    streams_.started();
    input_ = std::move(input.in);
    if (fcntl(input_.number(), F_SETFL, O_NONBLOCK) != 0) fail_to_start("fcntl");
  }

  CommandOutcome ask(std::string_view line, std::chrono::steady_clock::time_point deadline) {
    if (!streams_.text().empty()) return failed("it printed more than one line for a problem");
    const std::string question = std::string(line) + '\n';
    std::string_view left = question;
    while (true) {
      const std::size_t end = streams_.text().find('\n');
      if (end != std::string::npos) return answer(end);
      if (streams_.failure()) return failed(*streams_.failure());
      if (!streams_.is_output_open()) return ended();
      if (streams_.step(left.empty() ? -1 : input_.number(), deadline).can_write) write_some(left);
    }
  }

 private:
  CommandOutcome answer(std::size_t end) {
    std::string text = streams_.text().substr(0, end);
    streams_.text().erase(0, end + 1);
    return {std::move(text), std::nullopt};
  }

  static CommandOutcome failed(std::string why) { return {{}, std::move(why)}; }

  // It has closed its output; it ends, or is ended.
  CommandOutcome ended() {
    child_->wait(farewell_);
    const bool has_ended = child_->has_ended();
    const auto failure = failure_of(child_->end(), streams_.said());
    return failed(has_ended && failure ? *failure : "it ended without an answer");
  }

  // If it does not read any more, its output will tell why.
  void write_some(std::string_view& left) {
    live::WithoutPipeSignal guard;
    const ssize_t count = write(input_.number(), left.data(), left.size());
    if (count >= 0) {
      left.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EAGAIN && errno != EINTR) {
      if (errno == EPIPE) guard.note_raised();
      left = {};
    }
  }

  CommandStreams streams_;
  std::chrono::milliseconds farewell_;
  OwnedDescriptor input_;
  std::optional<live::ChildProcess> child_;
};

ShellServer::ShellServer(std::string command, const ServerLimits& limits)
    : command_(std::move(command)), limits_(limits) {}
ShellServer::ShellServer(ShellServer&& other) noexcept = default;
ShellServer& ShellServer::operator=(ShellServer&& other) noexcept = default;
ShellServer::~ShellServer() = default;

CommandOutcome ShellServer::ask(std::string_view line, std::chrono::steady_clock::time_point deadline) {
  try {
    if (!process_) process_ = std::make_unique<Process>(command_, limits_);
    CommandOutcome outcome = process_->ask(line, deadline);
    if (outcome.failure) process_.reset();
    return outcome;
  } catch (const std::system_error& error) {
    throw FileError(fmt::format("a command cannot be started: {}", error.what()));
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

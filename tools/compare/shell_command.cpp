// fork and exec by hand: between them only calls that are safe in a program of several threads.
#include "tools/compare/shell_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "tools/command.hpp"
#include "tools/files.hpp"
#include "tools/number_words.hpp"
#include "tools/signals.hpp"

namespace takt::tools {

namespace {

// How often an interruption is looked for.
constexpr int kStepMilliseconds = 50;

// Closed when this goes.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int number = -1) : number_(number) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~OwnedDescriptor() { reset(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void reset() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

[[noreturn]] void fail_to_start(const char* what) {
  throw FileError(fmt::format("a command cannot be started: {}: {}", what, std::strerror(errno)));
}

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail_to_start("pipe");
    out = OwnedDescriptor(ends[0]);
    in = OwnedDescriptor(ends[1]);
  }
  OwnedDescriptor out;
  OwnedDescriptor in;
};

std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  all.insert(all.end(), variables.begin(), variables.end());
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// What the end of a process looked like.
std::optional<std::string> failure_of_status(int status) {
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) return fmt::format("exit status {}", WEXITSTATUS(status));
  return std::nullopt;
}

std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  const std::size_t line = text.rfind('\n');
  return printable(line == std::string_view::npos ? text : text.substr(line + 1));
}

class RunningCommand {
 public:
  RunningCommand(std::string command, const CommandInput& input, bool reads_stdin) : deadline_(input.deadline) {
    std::vector<std::string> words = {"/bin/sh", "-c", std::move(command)};
    std::vector<std::string> variables = environment_with(input.variables);
    const std::vector<char*> arguments = pointers_to(words);
    const std::vector<char*> environment = pointers_to(variables);
    const OwnedDescriptor stdin_file(open(reads_stdin ? input.path.c_str() : "/dev/null", O_RDONLY | O_CLOEXEC));
    if (!stdin_file.is_open()) fail_to_start(input.path.c_str());
    id_ = fork();
    if (id_ < 0) fail_to_start("fork");
    if (id_ == 0) become(arguments, environment, stdin_file.number());
    setpgid(id_, id_);  // whoever of the two comes first
    output_.in.reset();
    errors_.in.reset();
  }
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;
  ~RunningCommand() { end(); }

  CommandOutcome finish() {
    // What it has left behind may hold its output open for ever.
    while (!failure_ && (output_.out.is_open() || errors_.out.is_open())) {
      if (!step() && has_ended()) break;
    }
    while (!failure_ && !has_ended()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      look_at_limits();
    }
    const int status = end();
    if (!failure_) {
      failure_ = failure_of_status(status);
      if (const std::string said = last_line(said_); failure_ && !said.empty()) *failure_ += ": " + said;
    }
    return {std::move(text_), std::move(failure_)};
  }

 private:
  [[noreturn]] void become(const std::vector<char*>& arguments, const std::vector<char*>& environment, int stdin_file) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int number : {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ}) {
      std::signal(number, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    constexpr int kNotStarted = 127;
    if (dup2(stdin_file, STDIN_FILENO) < 0 || dup2(output_.in.number(), STDOUT_FILENO) < 0 ||
        dup2(errors_.in.number(), STDERR_FILENO) < 0) {
      _exit(kNotStarted);
    }
    execve(arguments.front(), arguments.data(), environment.data());
    _exit(kNotStarted);
  }

  // Its number stays taken.
  bool has_ended() const {
    siginfo_t found{};
    return waitid(P_PID, static_cast<id_t>(id_), &found, WEXITED | WNOHANG | WNOWAIT) == 0 && found.si_pid == id_;
  }

  // Kills whatever is left of its group; the status it ended with.
  int end() {
    if (std::exchange(is_gone_, true)) return status_;
    kill(-id_, SIGKILL);
    while (waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
    }
    return status_;
  }

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

  Pipe output_;
  Pipe errors_;
  std::chrono::steady_clock::time_point deadline_;
  pid_t id_ = -1;
  bool is_gone_ = false;
  int status_ = 0;
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
  return RunningCommand(std::move(text), input, !is_given_path).finish();
}

}  // namespace takt::tools

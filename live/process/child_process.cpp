// fork and exec by hand: between them only calls that are safe in a program of several threads.
#include "live/process/child_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <istream>
#include <system_error>
#include <thread>
#include <utility>

#include "live/process/descriptor.hpp"
#include "maxplus/deadline.hpp"

namespace takt::live {

namespace {

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

// `by_shell` is for a script that does not say what runs it.
[[noreturn]] void become(const std::vector<char*>& arguments, const std::vector<char*>& by_shell,
                         const std::vector<char*>& environment, const ChildStreams& streams, pid_t parent,
                         int last_signal) {
  constexpr int kNotStarted = 127;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, last_signal);
  if (getppid() != parent) _exit(kNotStarted);  // it died before it could be asked for
  for (const int number : {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ}) {
    std::signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (dup2(streams.in, STDIN_FILENO) < 0 || dup2(streams.out, STDOUT_FILENO) < 0 ||
      dup2(streams.err, STDERR_FILENO) < 0) {
    _exit(kNotStarted);
  }
  execve(arguments.front(), arguments.data(), environment.data());
  if (errno == ENOEXEC) execve(by_shell.front(), by_shell.data(), environment.data());
  _exit(kNotStarted);
}

}  // namespace

pid_t start_process(std::vector<std::string> words, const std::vector<std::string>& variables,
                    const ChildStreams& streams, int last_signal) {
  std::vector<std::string> all_variables = environment_with(variables);
  const std::vector<char*> arguments = pointers_to(words);
  std::string shell = "/bin/sh";
  std::vector<char*> by_shell = arguments;
  by_shell.insert(by_shell.begin(), shell.data());
  const std::vector<char*> environment = pointers_to(all_variables);
  const pid_t parent = getpid();
  const pid_t id = fork();
  if (id < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (id == 0) become(arguments, by_shell, environment, streams, parent, last_signal);
  setpgid(id, id);  // whoever of the two comes first
  return id;
}

ChildProcess::ChildProcess(std::string command, const std::vector<std::string>& variables, const ChildStreams& streams,
                           int last_signal)
    : id_(start_process({"/bin/sh", "-c", std::move(command)}, variables, streams, last_signal)) {}

bool ChildProcess::has_ended() const {
  if (is_gone_) return true;
  // Its number stays taken.
  siginfo_t found{};
  return waitid(P_PID, static_cast<id_t>(id_), &found, WEXITED | WNOHANG | WNOWAIT) == 0 && found.si_pid == id_;
}

void ChildProcess::wait(std::chrono::milliseconds time) const {
  if (is_gone_) return;
  const OwnedDescriptor process(static_cast<int>(syscall(SYS_pidfd_open, id_, 0)));
  pollfd end{process.number(), POLLIN, 0};
  if (process.is_open()) {
    poll(&end, 1, static_cast<int>(time.count()));
  } else {
    std::this_thread::sleep_for(time);
  }
}

bool ChildProcess::ends_when_asked(std::chrono::milliseconds patience) const {
  constexpr std::chrono::milliseconds kStep{5};
  const auto end = maxplus::SearchClock::now() + patience;
  if (!has_ended()) kill(id_, SIGTERM);
  while (!has_ended() && maxplus::SearchClock::now() < end) wait(kStep);
  return has_ended();
}

int ChildProcess::end() {
  if (std::exchange(is_gone_, true)) return status_;
  kill(-id_, SIGKILL);
  while (waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
  }
  return status_;
}

char process_state(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process), std::ios::binary);
  return process_state(file);
}

char process_state(std::istream& stat) {
  // A process that has gone since its file was opened is an error of reading, which getline takes for the end.
  std::string text;
  std::getline(stat, text, '\0');
  // "17 (any name) S 4 ...": the state stands behind the last parenthesis.
  const std::size_t close = text.rfind(") ");
  return close == std::string::npos || close + 2 >= text.size() ? '\0' : text[close + 2];
}

std::optional<std::string> failure_of_status(int status) {
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) return fmt::format("exit status {}", WEXITSTATUS(status));
  return std::nullopt;
}

}  // namespace takt::live

// fork, exec and wait4.
#include "tests/tools/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace takt::testing {

namespace {

constexpr int kNotStarted = 127;

[[noreturn]] void become_program(const std::vector<std::string>& arguments, const std::function<void()>& prepare) {
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  if (prepare) prepare();
  std::vector<std::string> words = {TAKT_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(TAKT_PROGRAM, pointers.data());
  _exit(kNotStarted);
}

Ending ending_of(pid_t id) {
  int status = 0;
  struct rusage usage {};
  while (wait4(id, &status, 0, &usage) < 0) {
    if (errno != EINTR) throw std::runtime_error("wait4 fails");
  }
  if (WIFSIGNALED(status)) return {-1, WTERMSIG(status), usage.ru_maxrss};
  return {WEXITSTATUS(status), 0, usage.ru_maxrss};
}

pid_t forked() {
  const pid_t id = fork();
  if (id < 0) throw std::runtime_error("fork fails");
  return id;
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& arguments, const std::function<void()>& prepare)
    : id_(forked()) {
  if (id_ == 0) become_program(arguments, prepare);
}

RunningProgram::~RunningProgram() {
  if (has_ended_) return;
  kill(id_, SIGKILL);
  ending_of(id_);
}

void RunningProgram::send(int signal) const { kill(id_, signal); }

Ending RunningProgram::wait() {
  has_ended_ = true;
  return ending_of(id_);
}

Ending ending_of(const std::function<void()>& deed) {
  const pid_t id = forked();
  if (id == 0) {
    deed();
    _exit(0);
  }
  return ending_of(id);
}

}  // namespace takt::testing

// Starts gnuplot and listens to what it says.
#include "tools/experiment/gnuplot.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tools/command.hpp"
#include "tools/files/signals.hpp"

namespace takt::tools {

namespace {

constexpr int kNotFound = 127;
constexpr int kNotStarted = 126;

[[noreturn]] void become_gnuplot(const std::string& folder, const std::string& script, const std::string& assignment,
                                 int said) {
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(said, STDOUT_FILENO);
  dup2(said, STDERR_FILENO);
  if (chdir(folder.c_str()) != 0) _exit(kNotStarted);
  setenv("LC_ALL", "C.UTF-8", 1);
  execlp("gnuplot", "gnuplot", "--default-settings", "-e", assignment.c_str(), script.c_str(), nullptr);
  _exit(errno == ENOENT ? kNotFound : kNotStarted);
}

std::string all_of(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

GnuplotOutcome run_gnuplot(const std::string& folder, const std::string& name) {
  const std::string picture = name + ".svg";
  UnfinishedFile file(folder + "/" + picture + ".part");
  if (file.error() != 0) throw FileError(file.path() + ": cannot be written: " + std::strerror(file.error()));
  const std::string assignment = "output = '" + picture + ".part'";
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw FileError("gnuplot: cannot be started: " + std::string(std::strerror(errno)));
  const pid_t process = fork();
  if (process == 0) become_gnuplot(folder, name + ".gp", assignment, ends[1]);
  close(ends[1]);
  const std::string said = process < 0 ? std::strerror(errno) : all_of(ends[0]);
  close(ends[0]);
  const int status = process < 0 ? -1 : wait_for(process);
  if (process > 0 && WIFEXITED(status) && WEXITSTATUS(status) == kNotFound) return {true, {}};
  if (process < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return {false, said.empty() ? "it ended without a word" : said};
  }
  if (const int error = file.finish_as(folder + "/" + picture); error != 0) {
    throw FileError(folder + "/" + picture + ": cannot be written: " + std::strerror(error));
  }
  return {};
}

}  // namespace takt::tools

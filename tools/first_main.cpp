// The first stage of the takt program: what evaluates, checks and draws. It stands in for the whole program while
// scripts/setup builds that, and says how long the other commands take.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "tools/frame/pending_commands.hpp"
#include "tools/frame/start.hpp"

namespace {

constexpr int kTryAgain = 75;  // EX_TEMPFAIL of sysexits.h

// What scripts/setup and Ninja have written of the build: when it began, and the last step that began.
struct BuildProgress {
  long since = 0;
  int step = 0;
  int steps = 0;
  bool has_failed = false;
};

BuildProgress progress_of(const std::string& log) {
  BuildProgress progress;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    std::sscanf(line.c_str(), "since %ld", &progress.since);                // NOLINT(cert-err34-c)
    std::sscanf(line.c_str(), "[%d/%d]", &progress.step, &progress.steps);  // NOLINT(cert-err34-c)
    progress.has_failed = progress.has_failed || line.starts_with("FAILED: ");
  }
  return progress;
}

std::string words_of(const BuildProgress& progress, const std::string& log) {
  if (progress.has_failed) return "its build has failed: see " + log;
  if (progress.since == 0) return "build it by scripts/setup program";
  if (progress.step == 0) return "its build has just begun; try again in some minutes";
  const long elapsed = std::max(0L, static_cast<long>(std::time(nullptr)) - progress.since);
  const long left = elapsed * (progress.steps - progress.step + 1) / progress.step;
  return fmt::format("step {} of {}, about {} s to go; try again then", progress.step, progress.steps,
                     std::max(left, 1L));
}

bool is_pending(std::string command) {
  std::ranges::replace(command, '-', '_');
  const auto pending = takt::tools::pending_commands();
  return std::ranges::find(pending, command) != pending.end();
}

}  // namespace

int main(int argc, char** argv) {
  const char* const command = argc > 2 && argv[1] == std::string("help") ? argv[2] : argc > 1 ? argv[1] : "";
  if (!is_pending(command)) return takt::tools::start(argc, argv);
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string log = (program.parent_path() / "rest.log").string();
  fmt::print(stderr, "takt: {} is not built yet: {}\n", command, words_of(progress_of(log), log));
  return kTryAgain;
}

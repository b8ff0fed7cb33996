// Long check: random nets of every kind, all answers for each against each other; what fails is shrunk and kept.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/evaluators/fuzz/draw_fuzz_net.hpp"
#include "tests/evaluators/fuzz/judge_fuzz_net.hpp"
#include "tests/evaluators/fuzz/shrink.hpp"

namespace takt {
namespace {

using support::FuzzFailure;
using support::FuzzNet;
using support::FuzzTally;

// What stands here is said should a net end the process.
char current_net[100] = "";

extern "C" void say_current_net(int signal) {
  // Nothing can be done where this fails as well.
  if (write(STDERR_FILENO, current_net, sizeof current_net) < 0) _exit(EXIT_FAILURE);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

struct KindCount {
  std::uint64_t nets = 0;
  std::uint64_t comparisons = 0;
  double seconds = 0;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::uint64_t sum_of(const FuzzTally& tally) {
  std::uint64_t sum = 0;
  for (const auto& [comparison, count] : tally) sum += count;
  return sum;
}

std::string reason_of(const FuzzFailure& failure) { return failure.comparison + ": " + failure.found; }

// The shrunk net as a file; its name.
std::string keep_shrunk(const FuzzNet& net, const FuzzFailure& failure, const std::filesystem::path& file) {
  const auto judged = [](const FuzzNet& candidate) {
    FuzzTally none;
    return judge_fuzz_net(candidate, none);
  };
  const FuzzNet least = support::shrink(net, [&](const FuzzNet& candidate) {
    const auto found = judged(candidate);
    return found && found->comparison == failure.comparison;
  });
  const auto left = judged(least);
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << write_fuzz_net(least, left ? reason_of(*left) : "not found again: " + reason_of(failure));
  return file.string();
}

void print_counts(const std::vector<KindCount>& counts, const FuzzTally& tally) {
  fmt::print("{:<16}{:>10}{:>14}{:>10}\n", "kind", "nets", "comparisons", "seconds");
  KindCount all;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    fmt::print("{:<16}{:>10}{:>14}{:>10.0f}\n", support::fuzz_kinds()[kind], counts[kind].nets,
               counts[kind].comparisons, counts[kind].seconds);
    all.nets += counts[kind].nets;
    all.comparisons += counts[kind].comparisons;
    all.seconds += counts[kind].seconds;
  }
  fmt::print("{:<16}{:>10}{:>14}{:>10.0f}\n\n", "all", all.nets, all.comparisons, all.seconds);
  for (const auto& [comparison, count] : tally) fmt::print("{:<26}{:>14}\n", comparison, count);
}

// Of all kinds in turn, or of one.
int run_fuzz(std::uint64_t seed, std::uint64_t nets, const std::filesystem::path& folder, const std::string& only) {
  const auto kinds = support::fuzz_kinds();
  const auto one = static_cast<std::size_t>(std::ranges::find(kinds, only) - kinds.begin());
  if (!only.empty() && one == kinds.size()) throw std::invalid_argument("no kind of nets is called " + only);
  std::vector<KindCount> counts(support::fuzz_kinds().size());
  FuzzTally tally;
  std::uint64_t failures = 0;
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t k = 0; k < nets; ++k) {
    const std::size_t kind = only.empty() ? k % counts.size() : one;
    fmt::format_to_n(current_net, sizeof current_net - 1, "died at net {} of seed {}, {}\n", k, seed,
                     support::fuzz_kinds()[kind]);
    const FuzzNet net = support::draw_fuzz_net(kind, (seed << 32) + k);
    const std::uint64_t before = sum_of(tally);
    const auto begin = std::chrono::steady_clock::now();
    const auto failure = support::judge_fuzz_net(net, tally);
    ++counts[kind].nets;
    counts[kind].comparisons += sum_of(tally) - before;
    counts[kind].seconds += seconds_since(begin);
    if (!failure) continue;
    ++failures;
    fmt::print("net {} of seed {}, {}: {}\n", k, seed, support::fuzz_kinds()[kind], reason_of(*failure));
    std::fflush(stdout);
    fmt::print("  shrunk: {}\n", keep_shrunk(net, *failure, folder / fmt::format("fuzz-{}-{}.json", seed, k)));
    std::fflush(stdout);
  }
  print_counts(counts, tally);
  fmt::print("\nseed {}: {} nets in {:.0f} s, {} failures\n", seed, nets, seconds_since(start), failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int judge_file(const std::string& name) {
  std::ifstream file(name);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  FuzzTally tally;
  const auto failure = judge_fuzz_net(support::read_fuzz_net(text, name), tally);
  fmt::print("{}: {}\n", name, failure ? reason_of(*failure) : fmt::format("{} comparisons, all agree", sum_of(tally)));
  return failure ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace
}  // namespace takt

// mapping_fuzz SEED COUNT [FOLDER [KIND]]: that many nets; the shrunk ones into the folder. mapping_fuzz FILE: one of
// those.
int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(signal, takt::say_current_net);
    if (arguments.size() == 1) return takt::judge_file(arguments[0]);
    if (arguments.size() < 2 || arguments.size() > 4) {
      fmt::print(stderr, "usage: mapping_fuzz SEED COUNT [FOLDER [KIND]], or mapping_fuzz FILE\n");
      return EXIT_FAILURE;
    }
    return takt::run_fuzz(std::stoull(arguments[0]), std::stoull(arguments[1]),
                          arguments.size() >= 3 ? arguments[2] : "fuzz-found",
                          arguments.size() == 4 ? arguments[3] : "");
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return EXIT_FAILURE;
  }
}

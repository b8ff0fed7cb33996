// Long check: the bars of safe adaptation on the virtual clock, for all pipelines, laws, loads and seeds.
//
//   safe_adaptation_check [SEEDS] [passing|lasting|all] [PROBLEM] [DATA_SETS]
//
//   safe_adaptation_check show PROBLEM LAW AR|- none|260|1260|pulsating|lasting ROWS SEED
//
// prints a line for each cell, and fails where one does not keep its bar: without a lasting load, 99 of 100 seeds take
// no more than `most_allowed`, also with autocorrelated sizes where a processor is idle; a lasting load is found within
// 10 data sets (constant times), 30 (exponential), in the mean, with 60 rows of normal times, and in 98 of 100 seeds at
// all.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/live/adaptation/adaptation_bars.hpp"

namespace takt::live {
namespace {

constexpr std::size_t kEarlier = 60;
// Of the paper's rule, which decides anew all the time and is there to be compared with.
constexpr std::uint64_t kPaperSeeds = 3;

struct Cell {
  std::size_t runs = 0;
  std::size_t beyond = 0;
  double worst = 0;
  double sum = 0;
  double switches = 0;
};

// Whether the cell keeps the bar.
bool judge_passing(const BarProblem& problem, BarCase one, std::uint64_t seeds) {
  const bool is_random = one.law != Law::constant || one.is_autocorrelated;
  Cell cell;
  for (one.seed = 0; one.seed < (is_random ? seeds : 1); ++one.seed) {
    const BarPair pair = run_case(problem, one);
    const double share = pair.safe.total / pair.off.total;
    ++cell.runs;
    if (pair.safe.total > most_allowed(problem, one, pair)) ++cell.beyond;
    cell.worst = std::max(cell.worst, share);
    cell.sum += share;
    cell.switches += static_cast<double>(pair.safe.switches);
  }
  const auto runs = static_cast<double>(cell.runs);
  const bool is_held = !one.is_autocorrelated || problem.has_idle;
  const bool is_kept = cell.beyond * 100 <= cell.runs;
  fmt::print("{:9} {:11} {:4} {:9} {:3} rows {:5} | mean {:.4f} worst {:.4f} beyond {:3}/{} switches {:.2f}{}\n",
             problem.name, name_of(one.law), one.is_autocorrelated ? "AR" : "", name_of(one.load), one.earlier,
             one.data_sets, cell.sum / runs, cell.worst, cell.beyond, cell.runs, cell.switches / runs,
             is_kept   ? ""
             : is_held ? "  BEYOND THE BAR"
                       : "  (no processor is idle: no bar)");
  std::fflush(stdout);
  return is_kept || !is_held;
}

bool judge_lasting(const BarProblem& problem, BarCase one, std::uint64_t seeds) {
  std::size_t never = 0;
  std::vector<std::uint64_t> found;
  double safe = 0;
  double paper = 0;
  double beside_paper = 0;  // of the same seeds
  double off = 0;
  std::size_t runs = 0;
  for (one.seed = 0; one.seed < (one.law == Law::constant ? 1 : seeds); ++one.seed, ++runs) {
    const BarPair pair = run_case(problem, one);
    safe += pair.safe.total;
    off += pair.off.total;
    if (one.seed < kPaperSeeds) {
      paper += run_by_paper(problem, one).total;
      beside_paper += pair.safe.total;
    }
    pair.safe.found_after ? found.push_back(*pair.safe.found_after) : static_cast<void>(++never);
  }
  std::ranges::sort(found);
  double mean = 0;
  for (const std::uint64_t after : found) mean += static_cast<double>(after) / static_cast<double>(found.size());
  const double bar = one.law == Law::constant ? 10 : 30;
  const bool is_held = one.earlier > 0 && (one.law == Law::constant || one.law == Law::exponential);
  constexpr std::size_t kNever = 2;  // of 100
  const bool is_kept = never * 100 <= kNever * runs && mean <= bar;
  fmt::print(
      "{:9} {:11} load after {:3} {:3} rows | of not adapting {:.3f}, of the paper's rule {:.3f}; found after {:.1f} "
      "({}), never in {}/{}{}\n",
      problem.name, name_of(one.law), one.load_after, one.earlier, safe / off, beside_paper / paper, mean,
      found.empty() ? 0 : found[(found.size() - 1) * 9 / 10], never, runs,
      is_kept   ? ""
      : is_held ? "  BEYOND THE BAR"
                : "  (no bar)");
  std::fflush(stdout);
  return is_kept || !is_held;
}

std::size_t judge_all_passing(const BarProblem& problem, std::uint64_t seeds, std::uint64_t data_sets) {
  std::size_t failed = 0;
  for (const Law law : kLaws)
    for (const bool is_autocorrelated : {false, true})
      for (const BarLoad load : kPassingLoads)
        for (const std::size_t earlier : {std::size_t{0}, kEarlier}) {
          const BarCase one{.law = law,
                            .is_autocorrelated = is_autocorrelated,
                            .data_sets = data_sets,
                            .earlier = earlier,
                            .load = load};
          if (!judge_passing(problem, one, seeds)) ++failed;
        }
  return failed;
}

std::size_t judge_all_lasting(const BarProblem& problem, std::uint64_t seeds) {
  std::size_t failed = 0;
  for (const Law law : kLaws)
    for (const std::uint64_t after : {12U, 60U})
      for (const std::size_t earlier : {std::size_t{0}, kEarlier}) {
        const BarCase one{
            .law = law, .data_sets = 200, .earlier = earlier, .load = BarLoad::lasting, .load_after = after};
        if (!judge_lasting(problem, one, seeds)) ++failed;
      }
  return failed;
}

class PrintedLog : public RunLog {
 public:
  explicit PrintedLog(const tpn::Document& problem) : problem_(problem) {}
  void write(const RunLogEntry& entry) override {
    fmt::print("{:9.1f} {}\n", static_cast<double>(entry.time) / 1000, text_of(entry, problem_, {Rational(1000), ""}));
  }

 private:
  const tpn::Document& problem_;
};

// One run with its decisions.
int show(const std::vector<std::string>& words) {
  for (const BarProblem& problem : bar_problems()) {
    if (problem.name != words.at(1)) continue;
    BarCase one;
    for (const Law law : kLaws)
      if (name_of(law) == words.at(2)) one.law = law;
    one.is_autocorrelated = words.at(3) == "AR";
    for (const BarLoad load : {BarLoad::none, BarLoad::brief, BarLoad::longer, BarLoad::pulsating, BarLoad::lasting})
      if (name_of(load) == words.at(4)) one.load = load;
    one.earlier = std::stoull(words.at(5));
    one.seed = std::stoull(words.at(6));
    one.load_after = words.size() > 7 ? std::stoull(words[7]) : 12;
    PrintedLog log(problem.instance);
    const BarPair pair = run_case(problem, one, &log);
    fmt::print("{:.1f}, {:.1f} without adapting, {:.1f} by the paper's rule; {} switches; {:.1f} allowed\n",
               pair.safe.total, pair.off.total, run_by_paper(problem, one).total, pair.safe.switches,
               most_allowed(problem, one, pair));
  }
  return 0;
}

int check(std::uint64_t seeds, const std::string& what, const std::string& only, std::uint64_t data_sets) {
  std::size_t failed = 0;
  for (const BarProblem& problem : bar_problems()) {
    if (!only.empty() && problem.name != only) continue;
    if (what != "lasting") failed += judge_all_passing(problem, seeds, data_sets);
    if (what != "passing") failed += judge_all_lasting(problem, seeds);
  }
  fmt::print("{} cells are beyond their bars\n", failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace takt::live

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "show") return takt::live::show(words);
  const auto word = [&](std::size_t k, const char* usual) { return k < words.size() ? words[k] : std::string(usual); };
  return takt::live::check(std::stoull(word(0, "100")), word(1, "all"), word(2, ""), std::stoull(word(3, "200")));
}

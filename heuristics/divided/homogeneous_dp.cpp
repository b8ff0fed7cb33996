// homogeneous-dp-divided: the least period on processors of one speed.
//
// Problem. Divide the pipeline among p equal processors in the least period. All chains of them are alike, so the
// optimum on one is the optimum on a clique.
//
// Method. The paper's Algorithm 1 over intervals of stages i..j and numbers of processors k: where i..j has a perfectly
// divided mapping on k, take it; else try every boundary of a stage that is not divisible, and every way to share k
// out between its two sides. Its base cases are printed: a single stage that is not divisible takes its work on any
// number of processors, a divisible one work / k. So processors may stay idle, though nowhere else; with equal speeds
// that never costs anything (heuristics/divided/chain_recurrence.hpp tells what goes wrong with others). We depart in
// two ways. The optimum of the left side falls and that of the right one rises as processors move from right to left,
// so the best way to share is found by bisection. And all values are ratios of the work of an interval to k, sorted
// once: the program compares ranks.
//
// Invariant. The least period of a state does not rise with k.
//
// Cost. O(n^2 p) states, O(n log p) operations each.
//
// References. [li2013data], Theorem III.1 and Algorithm 1; [subhlok1995optimal] for the program without divisible
// stages.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "heuristics/common/ranked_values.hpp"
#include "heuristics/divided/divided.hpp"
#include "heuristics/divided/mapping.hpp"

namespace takt::heuristics {

namespace {

// A second or two.
constexpr std::size_t kMaxStates = 1'000'000;

// stage = 0: divided perfectly, or a single stage on the first processor. Else the first stage of the second side, and
// the number of processors of the first.
struct EqualChoice {
  std::size_t rank = 0;
  std::uint32_t stage = 0;
  std::uint32_t processors = 0;
};

// Periods as if all speeds were 1.
class EqualProgram {
 public:
  EqualProgram(const DividedPipeline& pipeline, std::size_t processors)
      : segments_(compact_segments(pipeline)), processors_(processors) {}

  std::size_t states() const { return segments_.size() * (segments_.size() + 1) / 2 * processors_; }

  // Where the intervals end; nothing if the deadline passed before.
  std::optional<std::vector<Rational>> run(const evaluators::Deadline& deadline) {
    std::vector<Rational> ends(processors_);
    if (segments_.empty()) return ends;
    const RankedValues ratios(all_ratios());
    best_.resize(ratios.ranks.size());
    for (std::size_t length = 0; length < segments_.size(); ++length) {
      for (std::size_t i = 0; i + length < segments_.size(); ++i) {
        if (evaluators::has_passed(deadline)) return std::nullopt;
        for (std::size_t k = 1; k <= processors_; ++k) decide(i, i + length, k, ratios.ranks);
      }
    }
    lay_out(0, segments_.size() - 1, 0, processors_, ends);
    return ends;
  }

 private:
  // Of stages i..j on k processors.
  std::size_t state(std::size_t i, std::size_t j, std::size_t k) const {
    return (j * (j + 1) / 2 + i) * processors_ + k - 1;
  }

  Integer work(std::size_t i, std::size_t j) const { return segments_[j].end - segments_[i].start; }

  // In the order of states.
  std::vector<Rational> all_ratios() const {
    std::vector<Rational> ratios;
    ratios.reserve(states());
    for (std::size_t j = 0; j < segments_.size(); ++j) {
      for (std::size_t i = 0; i <= j; ++i) {
        for (std::size_t k = 1; k <= processors_; ++k) ratios.push_back(Rational::fraction(work(i, j), k));
      }
    }
    return ratios;
  }

  bool perfect(std::size_t i, std::size_t j, std::size_t k) const {
    const Integer total = work(i, j);
    std::size_t stage = i;
    for (std::size_t taken = 1; taken < k; ++taken) {
      const Integer boundary = segments_[i].start * k + total * taken;  // times k
      while (segments_[stage].end * k <= boundary) ++stage;
      if (!segments_[stage].divisible && segments_[stage].start * k < boundary) return false;
    }
    return true;
  }

  void decide(std::size_t i, std::size_t j, std::size_t k, const std::vector<std::uint32_t>& ranks) {
    EqualChoice& best = best_[state(i, j, k)];
    if (i == j) {
      best.rank = ranks[state(i, j, segments_[i].divisible ? k : 1)];
      return;
    }
    if (perfect(i, j, k)) {
      best.rank = ranks[state(i, j, k)];
      return;
    }
    best.rank = ranks.size();
    for (std::size_t b = i + 1; b <= j; ++b) {
      const auto left = [&](std::size_t r) { return best_[state(i, b - 1, r)].rank; };
      const auto right = [&](std::size_t r) { return best_[state(b, j, k - r)].rank; };
      // The least r with left(r) <= right(r), or k - 1 if there is none; the best is that one or the one before.
      std::size_t low = 1;
      std::size_t high = k - 1;
      while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (left(middle) <= right(middle)) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      for (std::size_t r = std::max<std::size_t>(low, 2) - 1; r <= low; ++r) {
        const std::size_t rank = std::max(left(r), right(r));
        if (rank < best.rank) best = {rank, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(r)};
      }
    }
  }

  // The k processors from `first` on take i..j.
  void lay_out(std::size_t i, std::size_t j, std::size_t first, std::size_t k, std::vector<Rational>& ends) const {
    const EqualChoice& choice = best_[state(i, j, k)];
    if (choice.stage > 0) {
      lay_out(i, choice.stage - 1, first, choice.processors, ends);
      lay_out(choice.stage, j, first + choice.processors, k - choice.processors, ends);
      return;
    }
    const bool alone = i == j && !segments_[i].divisible;
    for (std::size_t taken = 1; taken <= k; ++taken) {
      ends[first + taken - 1] =
          alone ? Rational(segments_[j].end) : Rational::fraction(work(i, j) * taken, k) + segments_[i].start;
    }
  }

  std::vector<Segment> segments_;
  std::size_t processors_;
  std::vector<EqualChoice> best_;
};

Result divide_equally(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const auto read = pipeline_of(problem, log);
  if (const auto* infeasible = std::get_if<Infeasible>(&read)) return *infeasible;
  const auto& pipeline = std::get<DividedPipeline>(read);
  const auto& processors = problem.document().platform.processors;
  const auto& first = pipeline.speeds.front();
  const auto other = std::ranges::find_if(pipeline.speeds, [&first](const Integer& speed) { return speed != first; });
  if (other != pipeline.speeds.end()) {
    const auto& unequal = processors[static_cast<std::size_t>(other - pipeline.speeds.begin())];
    return Infeasible{fmt::format("processors {} and {} have speeds {} and {}, and it needs equal ones",
                                  tpn::json::quote(processors.front().name), tpn::json::quote(unequal.name),
                                  processors.front().speed->to_string(), unequal.speed->to_string())};
  }
  EqualProgram program(pipeline, processors.size());
  if (program.states() > kMaxStates) {
    return LimitMet{
        fmt::format("the dynamic program has {} states here, and at most {} are tried; chain-dp finds the "
                    "same period without them",
                    program.states(), kMaxStates)};
  }
  const auto ends = program.run(settings.deadline);
  if (!ends) return out_of_time();
  return map_division(problem, pipeline, divide(pipeline, document_chain(pipeline), *ends), settings, log);
}

}  // namespace

Heuristic homogeneous_dp_divided() {
  return {.name = "homogeneous-dp-divided",
          .summary = "intervals with replicable stages divided, in the least period on processors of one speed",
          .mapping_class = MappingClass::divided,
          .model = tpn::Model::kOverlap,
          .takes = {.shared_resources = true, .several_ends = true, .segments = true, .rates = true},
          .communication = "free, or hidden behind computation",
          .optimality = "optimal among contiguous divisions on equal processors, but for rounded fractions",
          .cost = "O(n^3 p log p)",
          .source = "li2013data, Algorithm 1",
          .options = {granularity_option()},
          .map = divide_equally};
}

}  // namespace takt::heuristics

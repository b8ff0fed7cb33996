// Lengths in ascending order, filtered by shares, decided by evaluation.
#include "heuristics/search/tidying.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "heuristics/search/rebuilds.hpp"
#include "plan/wider/weighted_round_robin.hpp"

namespace takt::heuristics {

namespace {

using evaluators::CutoffAt;
using evaluators::Int128;
using evaluators::MappingAnswer;

constexpr std::uint64_t kMostEvaluations = 400;
// Of one evaluation: some milliseconds.
constexpr std::uint64_t kTidyingOperations = 500'000;
// Of lengths that shares allow, how many are tried per sequence.
constexpr int kMostLengths = 12;
// Lengths that have fine shares, and how many entries they may make.
constexpr std::array<std::size_t, 9> kFine = {36, 60, 120, 240, 360, 720, 1260, 2520, 5040};
constexpr std::size_t kMostEntries = 10'000;
// Sequences longer than this are worth other processors.
constexpr std::size_t kLong = 24;

// The longest run of equal entries, around the end as well.
std::size_t longest_run(const std::vector<std::size_t>& sequence) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (std::size_t k = 0; k < 2 * sequence.size(); ++k) {
    run = k > 0 && sequence[k % sequence.size()] == sequence[(k - 1) % sequence.size()] ? run + 1 : 1;
    longest = std::max(longest, run);
  }
  return std::min(longest, sequence.size());
}

std::vector<std::size_t> spread(const std::vector<std::size_t>& sequence) {
  const std::vector<std::size_t> group = group_of(sequence);
  std::vector<std::uint64_t> weights;
  weights.reserve(group.size());
  for (const std::size_t p : group) weights.push_back(static_cast<std::uint64_t>(std::ranges::count(sequence, p)));
  std::vector<std::size_t> result = plan::weighted_round_robin(weights);
  for (std::size_t& entry : result) entry = group[entry];
  return result;
}

class Tidying {
 public:
  Tidying(const tpn::ProblemView& problem, const tpn::Model& model, EvaluatedMapping start, Loads& loads,
          const evaluators::Deadline& deadline)
      : problem_(problem.document()),
        links_(problem),
        model_(model),
        loads_(loads),
        dealer_(problem_, loads, model),
        evaluator_(problem, {.operations = kTidyingOperations}),
        point_(std::move(start)),
        deadline_(deadline) {}

  EvaluatedMapping run(RepeatedProcessors repetition) {
    join_equal_parts();
    for (std::size_t i = 0; repetition == RepeatedProcessors::allowed && i < point_.mapping.size(); ++i) sharpen(i);
    shorten();
    exchange_processors();
    spread_turns();
    return std::move(point_);
  }

 private:
  bool is_over() const { return evaluated_ >= kMostEvaluations || evaluators::has_passed(deadline_); }

  // Takes a mapping of no longer period, or only of a shorter one.
  bool take(const tpn::Mapping& candidate, CutoffAt beyond = CutoffAt::above) {
    if (is_over() || !links_.hold(candidate)) return false;
    ++evaluated_;
    const auto evaluation = evaluator_.evaluate(candidate, model_, {point_.period, beyond});
    if (evaluation.answer != MappingAnswer::exact || evaluation.lower > point_.period) return false;
    if (beyond == CutoffAt::reached && evaluation.lower == point_.period) return false;
    point_.mapping = candidate;
    point_.period = evaluation.lower;
    return true;
  }

  void join_equal_parts() {
    for (std::size_t i = 0; i + 1 < point_.mapping.size();) {
      tpn::Mapping candidate = point_.mapping;
      candidate[i].last_stage = candidate[i + 1].last_stage;
      candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      if (point_.mapping[i].processors != point_.mapping[i + 1].processors || !take(candidate)) ++i;
    }
  }

  // Longer sequences, where their finer shares shorten the period.
  void sharpen(std::size_t i) {
    const auto group = group_of(point_.mapping[i].processors);
    if (group.size() == 1) return;
    std::vector<std::size_t> lengths(kFine.begin(), kFine.end());
    lengths.push_back(dealer_.even_length(point_.mapping, i, group, kFine.back(), point_.period));
    for (const std::size_t length : lengths) {
      if (length <= group.size() || is_over()) continue;
      tpn::Mapping candidate = point_.mapping;
      dealer_.deal(candidate, i, group, length, point_.period);
      if (entries_of(candidate) <= kMostEntries && loads_.pressure(candidate, model_, point_.period))
        take(candidate, CutoffAt::reached);
    }
  }

  void shorten() {
    std::vector<std::size_t> order(point_.mapping.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto length = [&](std::size_t i) { return point_.mapping[i].processors.size(); };
    std::ranges::stable_sort(order, std::ranges::greater(), length);
    for (const std::size_t i : order) shorten_part(point_.mapping, i);
  }

  // Whether a part of this mapping, which need not be the one in hand, could have a shorter sequence: then it is taken.
  bool shorten_part(const tpn::Mapping& mapping, std::size_t i) {
    const auto& sequence = mapping[i].processors;
    const auto group = group_of(sequence);
    if (group.size() == sequence.size()) return false;
    const auto shares = shares_of(mapping, i, group);
    int tried = 0;
    for (std::size_t length = 1; length < sequence.size() && tried < kMostLengths && !is_over(); ++length) {
      std::int64_t turns = 0;
      for (const Share& share : shares)
        turns += static_cast<std::int64_t>(Int128{share.available} * static_cast<std::int64_t>(length) / share.turn);
      if (turns < static_cast<std::int64_t>(length)) continue;
      tpn::Mapping candidate = mapping;
      dealer_.deal(candidate, i, group, length, point_.period);
      if (!loads_.pressure(candidate, model_, point_.period)) continue;
      ++tried;
      if (take(candidate)) return true;
    }
    return false;
  }

  // What the period leaves to a processor's other parts is available: `available` ticks for turns of `turn` ticks.
  struct Share {
    std::int64_t available = 0;
    std::int64_t turn = 1;
  };

  // Rounded so that none is too small: available ticks up, others down.
  std::vector<Share> shares_of(const tpn::Mapping& mapping, std::size_t i, const std::vector<std::size_t>& group) {
    std::vector<Share> shares;
    for (const std::size_t p : group) {
      Share share{loads_.ticks(point_.period) + 1, std::max<std::int64_t>(loads_.computation(mapping[i], p), 1)};
      for (std::size_t j = 0; j < mapping.size(); ++j) {
        const auto& other = mapping[j].processors;
        if (j == i) continue;
        const std::int64_t turns = std::ranges::count(other, p);
        share.available -= static_cast<std::int64_t>(Int128{loads_.computation(mapping[j], p)} * turns /
                                                     static_cast<std::int64_t>(other.size()));
      }
      share.available = std::max<std::int64_t>(share.available, 0);
      shares.push_back(share);
    }
    return shares;
  }

  void exchange_processors() {
    for (std::size_t p = 0; p < problem_.platform.processors.size(); ++p) {
      for (std::size_t q = p + 1; q < problem_.platform.processors.size() && !is_over(); ++q) exchange(p, q);
    }
  }

  void exchange(std::size_t p, std::size_t q) {
    const auto longest =
        std::ranges::max_element(point_.mapping, {}, [](const tpn::Part& part) { return part.processors.size(); });
    const auto i = static_cast<std::size_t>(longest - point_.mapping.begin());
    if (longest->processors.size() <= kLong) return;
    if (loads_.computation(*longest, p) == loads_.computation(*longest, q)) return;
    tpn::Mapping candidate = point_.mapping;
    for (tpn::Part& part : candidate) {
      for (std::size_t& entry : part.processors) entry = entry == p ? q : entry == q ? p : entry;
    }
    if (links_.hold(candidate)) shorten_part(candidate, i);
  }

  void spread_turns() {
    for (std::size_t i = 0; i < point_.mapping.size(); ++i) {
      const auto& sequence = point_.mapping[i].processors;
      tpn::Mapping candidate = point_.mapping;
      candidate[i].processors = spread(sequence);
      if (longest_run(candidate[i].processors) < longest_run(sequence)) take(candidate);
    }
  }

  const tpn::Document& problem_;
  tpn::LinkCheck links_;
  tpn::Model model_;
  Loads& loads_;
  TurnDealer dealer_;
  evaluators::MappingEvaluator evaluator_;
  EvaluatedMapping point_;
  evaluators::Deadline deadline_;
  std::uint64_t evaluated_ = 0;
};

}  // namespace

std::size_t entries_of(const tpn::Mapping& mapping) {
  return std::accumulate(mapping.begin(), mapping.end(), std::size_t{0},
                         [](std::size_t sum, const tpn::Part& part) { return sum + part.processors.size(); });
}

EvaluatedMapping tidied(const tpn::ProblemView& problem, const tpn::Model& model, const EvaluatedMapping& start,
                        RepeatedProcessors repetition, const evaluators::Deadline& deadline) {
  auto loads = Loads::make(problem);
  if (!loads) return start;
  return Tidying(problem, model, start, *loads, deadline).run(repetition);
}

}  // namespace takt::heuristics

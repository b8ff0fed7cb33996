// The recurrence over intervals of stages and of processors, bottom up.
#include "heuristics/divided/chain_recurrence.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "heuristics/common/ranked_values.hpp"
#include "maxplus/contract.hpp"

namespace takt::heuristics {

namespace {

// The pair first <= last as a number below n (n + 1) / 2.
std::size_t interval(std::size_t first, std::size_t last) { return last * (last + 1) / 2 + first; }

std::size_t intervals(std::size_t n) { return n * (n + 1) / 2; }

// How the optimum of a state comes about.
enum class ChoiceKind : std::uint8_t { perfect, fastest, split, without_first, without_last };

struct ChainChoice {
  std::size_t rank = 0;  // of the state's period
  ChoiceKind kind = ChoiceKind::perfect;
  std::uint32_t stage = 0;      // split: the first one of the second side
  std::uint32_t processor = 0;  // split: the same; fastest: who takes the stage
};

class ChainProgram {
 public:
  ChainProgram(const DividedPipeline& pipeline, const Chain& chain, Recurrence recurrence)
      : segments_(compact_segments(pipeline)), processors_(chain.size()), recurrence_(recurrence) {
    speed_before_.emplace_back(0);
    for (const std::size_t p : chain) speed_before_.emplace_back(speed_before_.back() + pipeline.speeds[p]);
  }

  std::optional<ChainPeriod> run(const evaluators::Deadline& deadline) {
    if (segments_.empty()) return ChainPeriod{0, std::vector<Rational>(processors_)};
    const RankedValues ratios(all_ratios());
    best_.resize(ratios.ranks.size());
    for (std::size_t stages = 0; stages < segments_.size(); ++stages) {
      for (std::size_t i = 0; i + stages < segments_.size(); ++i) {
        if (evaluators::has_passed(deadline)) return std::nullopt;
        for (std::size_t length = 0; length < processors_; ++length) {
          for (std::size_t p = 0; p + length < processors_; ++p) decide(i, i + stages, p, p + length, ratios.ranks);
        }
      }
    }
    ChainPeriod least;
    least.period = ratios.values[best_[state(0, segments_.size() - 1, 0, processors_ - 1)].rank];
    least.ends.resize(processors_);
    lay_out(0, segments_.size() - 1, 0, processors_ - 1, least.ends);
    return least;
  }

 private:
  std::size_t state(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const {
    return interval(i, j) * intervals(processors_) + interval(p, q);
  }

  Integer work(std::size_t i, std::size_t j) const { return segments_[j].end - segments_[i].start; }
  Integer speed(std::size_t p, std::size_t q) const { return speed_before_[q + 1] - speed_before_[p]; }

  // In the order of states.
  std::vector<Rational> all_ratios() const {
    std::vector<Rational> ratios;
    ratios.reserve(intervals(segments_.size()) * intervals(processors_));
    for (std::size_t j = 0; j < segments_.size(); ++j) {
      for (std::size_t i = 0; i <= j; ++i) {
        for (std::size_t q = 0; q < processors_; ++q) {
          for (std::size_t p = 0; p <= q; ++p) ratios.push_back(Rational::fraction(work(i, j), speed(p, q)));
        }
      }
    }
    return ratios;
  }

  // Whether no boundary falls inside a stage that is not divisible if p..q are all as long busy with i..j.
  bool perfect(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const {
    const Integer all = speed(p, q);
    const Integer total = work(i, j);
    std::size_t stage = i;
    for (std::size_t k = p; k < q; ++k) {
      const Integer boundary = segments_[i].start * all + total * speed(p, k);  // times the speed of all
      while (segments_[stage].end * all <= boundary) ++stage;
      if (!segments_[stage].divisible && segments_[stage].start * all < boundary) return false;
    }
    return true;
  }

  void decide(std::size_t i, std::size_t j, std::size_t p, std::size_t q, const std::vector<std::uint32_t>& ranks) {
    ChainChoice& best = best_[state(i, j, p, q)];
    if (perfect(i, j, p, q)) {
      best = {ranks[state(i, j, p, q)], ChoiceKind::perfect, 0, 0};
      return;
    }
    best.rank = ranks.size();
    const auto offer = [&best](std::size_t rank, ChoiceKind kind, std::size_t stage, std::size_t processor) {
      if (rank >= best.rank) return;
      best = {rank, kind, static_cast<std::uint32_t>(stage), static_cast<std::uint32_t>(processor)};
    };
    if (i == j) {
      for (std::size_t k = p; k <= q; ++k) offer(ranks[state(i, i, k, k)], ChoiceKind::fastest, 0, k);
      return;
    }
    // All boundaries are ends of stages that are not divisible: divisible neighbors are one.
    for (std::size_t b = i + 1; b <= j; ++b) {
      for (std::size_t r = p + 1; r <= q; ++r) {
        offer(std::max(best_[state(i, b - 1, p, r - 1)].rank, best_[state(b, j, r, q)].rank), ChoiceKind::split, b, r);
      }
    }
    if (recurrence_ == Recurrence::corrected) {
      offer(best_[state(i, j, p + 1, q)].rank, ChoiceKind::without_first, 0, 0);
      offer(best_[state(i, j, p, q - 1)].rank, ChoiceKind::without_last, 0, 0);
    }
  }

  void lay_out(std::size_t i, std::size_t j, std::size_t p, std::size_t q, std::vector<Rational>& ends) const {
    const ChainChoice& choice = best_[state(i, j, p, q)];
    switch (choice.kind) {
      case ChoiceKind::perfect:
        for (std::size_t k = p; k <= q; ++k) {
          ends[k] = Rational::fraction(work(i, j) * speed(p, k), speed(p, q)) + segments_[i].start;
        }
        break;
      case ChoiceKind::fastest:
        for (std::size_t k = p; k <= q; ++k) ends[k] = k < choice.processor ? segments_[i].start : segments_[i].end;
        break;
      case ChoiceKind::split:
        lay_out(i, choice.stage - 1, p, choice.processor - 1, ends);
        lay_out(choice.stage, j, choice.processor, q, ends);
        break;
      case ChoiceKind::without_first:
        ends[p] = segments_[i].start;
        lay_out(i, j, p + 1, q, ends);
        break;
      case ChoiceKind::without_last:
        lay_out(i, j, p, q - 1, ends);
        ends[q] = segments_[j].end;
        break;
    }
  }

  std::vector<Segment> segments_;
  std::size_t processors_;
  Recurrence recurrence_;
  std::vector<Integer> speed_before_;  // of the chain's first k processors
  std::vector<ChainChoice> best_;
};

}  // namespace

RecurrenceSize recurrence_size(const DividedPipeline& pipeline, const Chain& chain) {
  const Integer n = compact_segments(pipeline).size();
  const Integer p = chain.size();
  // An interval of k + 1 stages has k boundaries: (n^3 - n) / 6 in all; the same for processors.
  return {n * (n + 1) / 2 * (p * (p + 1) / 2), (n * n * n - n) / 6 * ((p * p * p - p) / 6)};
}

std::optional<ChainPeriod> recurrence_period(const DividedPipeline& pipeline, const Chain& chain, Recurrence recurrence,
                                             const evaluators::Deadline& deadline) {
  const RecurrenceSize size = recurrence_size(pipeline, chain);
  maxplus::expects(size.states <= kMaxStates && size.splits <= kMaxSplits,
                   "the recurrence is of a size that it can do");
  return ChainProgram(pipeline, chain, recurrence).run(deadline);
}

}  // namespace takt::heuristics

// interval-optimal: the least period among interval mappings on equal links, by sets of processors.
//
// Problem. A processor of its own for every interval, the largest cycle time least. NP-hard on processors of different
// speeds ([benoit2007mapping]); exponential in the processors alone here, whatever the number of stages.
//
// Method. Bisection over the sorted cycle times (heuristics/interval/search.hpp). The test for a period P: cuts 0 .. n
// lie before, between and behind the stages, and f(S) is the set of cuts before which all stages can be mapped within P
// on some of the processors S in some order. f of no processors is {0}, and
//   f(S) = union over u in S of f(S - u) and of all ends e with a cut d in f(S - u) and [d, e) within P on u.
// There is a mapping if n is in f(S) for some S. It must be the set, not the furthest cut: where files differ, an
// interval may take too long that is part of one that does not. Processors with the same cycle times are a kind, and
// sets are counts of each. A set of cuts is a string of bits; what u reaches from any of four cuts is in a table, so
// that f(S) is a union of n / 4 rows for each u.
// No more than n processors are used. A processor is left out where n others are nowhere slower: of a mapping that has
// it one of these is free, and may take its place.
//
// Invariant. No interval mapping has a shorter period. Links between processors must all be there and be equal, those
// from the source equal among each other, and those to the sink: where they differ, what an interval takes depends on
// its neighbors, and the problem is refused.
//
// Cost. Time 2^p p n^2 / 500 for each of O(log(n p)) tests (2^p: the product of the kinds' counts, plus one each), on
// top of O(n^2 p log(n p)) for sorting; memory 2^p n bits.
//
// References. [benoit2007mapping], section 3, for the problem; the search is our own.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "heuristics/interval/search.hpp"
#include "maxplus/contract.hpp"
#include "plan/claims.hpp"

namespace takt::heuristics {

namespace {

using Word = std::uint64_t;
constexpr std::size_t kWordBits = 64;
// Cuts that a table of unions goes over at once.
constexpr std::size_t kGroup = 4;
constexpr std::size_t kRows = std::size_t{1} << kGroup;

// Of all sets of cuts together, half a gigabyte.
constexpr std::size_t kMostWords = std::size_t{1} << 26;
// Unions of words for one test, some seconds for all of a bisection; more with a deadline.
constexpr double kMostUnions = 1U << 29;

// Processors with the same cycle times, as far as they can be of use.
struct ProcessorKind {
  std::size_t processor = 0;  // any of them, for ranks
  std::vector<std::size_t> members;
};

// The kinds that an optimal mapping may need, faster ones first, each with as many members as can be of use.
std::vector<ProcessorKind> useful_kinds(const IntervalCosts& costs, const RankedCycleTimes& times) {
  const std::size_t intervals = costs.stages() * (costs.stages() + 1) / 2;
  std::vector<ProcessorKind> all(times.kinds());
  for (std::size_t u = 0; u < costs.processors(); ++u) all[times.kind(u)].members.push_back(u);
  std::vector<std::uint64_t> sums;
  for (ProcessorKind& kind : all) {
    kind.processor = kind.members.front();
    std::uint64_t& sum = sums.emplace_back();
    for (std::size_t i = 0; i < intervals; ++i) sum += times.rank(i, kind.processor);
  }
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return sums[k]; });
  const auto nowhere_slower = [&](const ProcessorKind& a, const ProcessorKind& b) {
    for (std::size_t i = 0; i < intervals; ++i) {
      if (times.rank(i, a.processor) > times.rank(i, b.processor)) return false;
    }
    return true;
  };
  std::vector<ProcessorKind> useful;
  for (const std::size_t k : order) {
    std::size_t places = costs.stages();
    for (std::size_t other = 0; other < useful.size() && places > 0; ++other) {
      if (nowhere_slower(useful[other], all[k])) places -= std::min(places, useful[other].members.size());
    }
    if (places == 0) continue;
    if (all[k].members.size() > places) all[k].members.resize(places);
    useful.push_back(std::move(all[k]));
  }
  return useful;
}

// f, for one period after the other.
class CutSets {
 public:
  CutSets(std::size_t stages, const RankedCycleTimes& times, std::vector<ProcessorKind> kinds,
          const evaluators::Deadline& deadline)
      : stages_(stages), words_(stages / kWordBits + 1), times_(times), kinds_(std::move(kinds)), deadline_(deadline) {
    for (const ProcessorKind& kind : kinds_) {
      strides_.push_back(states_);
      const std::size_t digits = kind.members.size() + 1;
      states_ = states_ > kMostWords / digits ? kMostWords + 1 : states_ * digits;
    }
  }

  // Why the sets are too many, if they are.
  std::optional<LimitMet> limit() const {
    if (states_ > kMostWords / words_) {
      return LimitMet{fmt::format("the sets of {} processors of {} kinds, with {} stages, take more than {} megabytes",
                                  members(), kinds_.size(), stages_, kMostWords * sizeof(Word) >> 20)};
    }
    if (deadline_.time() || unions() <= kMostUnions) return std::nullopt;
    return LimitMet{
        fmt::format("{} sets of {} processors of {} kinds are too many to go over without a time limit, with {} stages",
                    states_, members(), kinds_.size(), stages_)};
  }

  // A mapping within that rank; nothing if there is none, or if the deadline has passed.
  std::optional<tpn::Mapping> test(std::uint32_t rank) {
    tabulate(rank);
    sets_.resize(states_ * words_);
    std::fill_n(sets_.begin(), words_, 0);
    sets_[0] = 1;
    std::vector<std::size_t> counts(kinds_.size());
    for (std::size_t state = 1; state < states_; ++state) {
      if (state % kStatesPerLook == 0 && evaluators::has_passed(deadline_)) return std::nullopt;
      for (std::size_t k = 0; ++counts[k] > kinds_[k].members.size(); ++k) counts[k] = 0;
      fill(state, counts);
      if (holds(state, stages_)) return mapping(state);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kStatesPerLook = 1024;

  std::size_t members() const {
    std::size_t count = 0;
    for (const ProcessorKind& kind : kinds_) count += kind.members.size();
    return count;
  }

  std::size_t groups() const { return (stages_ + kGroup - 1) / kGroup; }

  double unions() const {
    return static_cast<double>(states_) * static_cast<double>(kinds_.size()) * static_cast<double>(groups()) *
           static_cast<double>(words_);
  }

  // The ends that a kind reaches from some of a group's cuts.
  Word* row(std::size_t kind, std::size_t group, std::size_t cuts) {
    return &table_[((kind * groups() + group) * kRows + cuts) * words_];
  }

  void tabulate(std::uint32_t most) {
    table_.assign(kinds_.size() * groups() * kRows * words_, 0);
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      for (std::size_t first = 0; first < stages_; ++first) {
        Word* const single = row(k, first / kGroup, std::size_t{1} << first % kGroup);
        for (std::size_t last = first; last < stages_; ++last) {
          if (times_.rank(place_of({first, last}, stages_), kinds_[k].processor) > most) continue;
          single[(last + 1) / kWordBits] |= Word{1} << (last + 1) % kWordBits;
        }
      }
      for (std::size_t group = 0; group < groups(); ++group) {
        for (std::size_t cuts = 1; cuts < kRows; ++cuts) {
          const std::size_t lowest = cuts & (~cuts + 1);
          for (std::size_t w = 0; w < words_ && lowest != cuts; ++w) {
            row(k, group, cuts)[w] = row(k, group, lowest)[w] | row(k, group, cuts - lowest)[w];
          }
        }
      }
    }
  }

  void fill(std::size_t state, const std::vector<std::size_t>& counts) {
    Word* const into = &sets_[state * words_];
    std::fill_n(into, words_, 0);
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      if (counts[k] == 0) continue;
      const Word* const from = &sets_[(state - strides_[k]) * words_];
      const Word* reached = row(k, 0, 0);
      for (std::size_t w = 0; w < words_; ++w) into[w] |= from[w];
      for (std::size_t group = 0; group < groups(); ++group, reached += kRows * words_) {
        const std::size_t bit = group * kGroup;
        const Word* const ends = reached + (from[bit / kWordBits] >> bit % kWordBits) % kRows * words_;
        for (std::size_t w = 0; w < words_; ++w) into[w] |= ends[w];
      }
    }
  }

  bool holds(std::size_t state, std::size_t cut) const {
    return (sets_[state * words_ + cut / kWordBits] >> cut % kWordBits & 1) != 0;
  }

  // From the last part to the first, of as few processors as this set has in it; the first kind, then the first cut.
  tpn::Mapping mapping(std::size_t state) {
    tpn::Mapping parts;
    std::vector<std::size_t> used(kinds_.size());
    std::vector<std::size_t> counts(kinds_.size());
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      counts[k] = state / strides_[k] % (kinds_[k].members.size() + 1);
    }
    std::size_t end = stages_;
    while (end > 0) {
      const auto [kind, start] = last_step(state, counts, end);
      state -= strides_[kind];
      --counts[kind];
      if (start == end) continue;
      parts.push_back(part_of({start, end - 1}, kinds_[kind].members[used[kind]++]));
      end = start;
    }
    std::ranges::reverse(parts);
    return parts;
  }

  // A kind of the set and the cut from which it goes to the end, or the end itself where the set need not have it.
  std::pair<std::size_t, std::size_t> last_step(std::size_t state, const std::vector<std::size_t>& counts,
                                                std::size_t end) {
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      if (counts[k] > 0 && holds(state - strides_[k], end)) return {k, end};
    }
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      for (std::size_t start = 0; counts[k] > 0 && start < end; ++start) {
        const Word* const ends = row(k, start / kGroup, std::size_t{1} << start % kGroup);
        const bool reaches = (ends[end / kWordBits] >> end % kWordBits & 1) != 0;
        if (reaches && holds(state - strides_[k], start)) return {k, start};
      }
    }
    maxplus::expects(false, "a cut of a set is reached from another");
    return {};
  }

  std::size_t stages_;
  std::size_t words_;  // of a set of cuts
  const RankedCycleTimes& times_;
  std::vector<ProcessorKind> kinds_;
  const evaluators::Deadline& deadline_;
  std::vector<std::size_t> strides_;  // by kind: a state counts its members in a digit of its own
  std::size_t states_ = 1;
  std::vector<Word> table_;
  std::vector<Word> sets_;  // by state
};

// What of the links is unequal, or nothing. Ends may lack links: cycle times tell who lacks them.
std::optional<std::string> inequality(const IntervalCosts& costs) {
  if (const auto& absent = costs.links().absent) return fmt::format("{}, and it needs them all", *absent);
  for (const LinkSurvey* links : {&costs.links(), &costs.source_links(), &costs.sink_links()}) {
    if (links->unequal) return fmt::format("{}, and it needs equal ones", *links->unequal);
  }
  return std::nullopt;
}

Result map_by_interval_optimal(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const IntervalCosts costs(problem, *settings.model);
  if (const auto reason = inequality(costs)) return Infeasible{*reason};
  const auto built = RankedCycleTimes::build(costs, all_intervals(costs.stages()), settings.deadline);
  if (const auto* limit = std::get_if<LimitMet>(&built)) return *limit;
  BestMapping best(costs);
  const auto start = whole_chain(costs);
  if (start) best.offer({*start});
  const std::string reason = "no processors have the links from the source and to the sink that a mapping needs";
  if (std::holds_alternative<RankingCutShort>(built)) return best.result(true, reason);
  const auto& times = std::get<RankedCycleTimes>(built);
  CutSets sets(costs.stages(), times, useful_kinds(costs, times), settings.deadline);
  if (const auto limit = sets.limit()) return *limit;
  const auto end = start ? times.rank_of(costs.period({*start})) : times.count();
  const bool cut_short = bisect_periods(
      costs, times, end, [&](std::uint32_t rank) { return sets.test(rank); }, settings.deadline, best, log);
  if (!cut_short && !best.empty()) {
    log.notes.push_back(
        fmt::format("No interval mapping{} has a shorter period.",
                    plan::MappingClaim(plan::Prover::loads, plan::freedoms_of(problem.document())).without()));
  }
  return best.result(cut_short, reason);
}

}  // namespace

Heuristic interval_optimal() {
  return {.name = "interval-optimal",
          .summary = "the best interval mapping on equal links, by sets of processors",
          .mapping_class = MappingClass::interval,
          .model = tpn::Model::kStrict,
          .model_use = ModelUse::cycle_times,
          .communication = "one-port, equal links",
          .optimality = "optimal among interval mappings; only for equal links",
          .cost = "O(2^p p n^2 log(n p) / 500), p of different speeds; about 20 of them without a time limit",
          .source = "takt",
          .is_quick = false,
          .map = map_by_interval_optimal};
}

}  // namespace takt::heuristics

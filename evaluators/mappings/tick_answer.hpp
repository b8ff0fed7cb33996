// What solvers in ticks are asked and answer, and the sums they compare.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluators/kernel/numbers.hpp"
#include "evaluators/kernel/period.hpp"
#include "evaluators/mappings/tick_lists.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

/// Products of two 64-bit integers fit 127 bits and a sign.
inline bool less(const NarrowFraction& a, const NarrowFraction& b) {
  return static_cast<Int128>(a.numerator) * b.denominator < static_cast<Int128>(b.numerator) * a.denominator;
}

inline void raise(NarrowFraction& best, const NarrowFraction& other) {
  if (less(best, other)) best = other;
}

/// Whether `count` operations of up to `ticks` each have a sum below 2^62.
inline bool fits(std::uint64_t count, std::int64_t ticks) {
  return static_cast<Int128>(count) * ticks < static_cast<Int128>(1) << 62;
}

/// The largest of some sums over a number of data sets; the sums are below 2^62.
inline NarrowFraction largest_sum(std::span<const std::uint64_t> sums, std::uint64_t data_sets) {
  return {static_cast<std::int64_t>(*std::ranges::max_element(sums)), static_cast<std::int64_t>(data_sets)};
}

/// Raises `best` to the largest cycle time of computations, of processors that serve one part each. False if their
/// sums do not fit. `sums` is room to add up in.
inline bool raise_by_computations(const TickLists& lists, std::vector<std::uint64_t>& sums, NarrowFraction& best) {
  for (const ListedPart& part : lists.parts) {
    if (part.is_distinct()) {
      raise(best, {part.longest, part.length});
      continue;
    }
    if (!fits(part.length, part.longest)) return false;
    sums.assign(part.nodes, 0);
    for (const EntryWork& entry : lists.entries_of(part))
      sums[entry.node - part.first_node] += static_cast<std::uint64_t>(entry.computation);
    raise(best, largest_sum(sums, part.length));
  }
  return true;
}

/// Ticks per data set that an answer need not be finished beyond: above, or also where reached.
struct TickCutoff {
  NarrowFraction ticks{1, 0};  // denominator 0: none
  bool when_reached = false;

  bool is_passed_by(const NarrowFraction& lower) const {
    return ticks.denominator != 0 && (when_reached ? !less(lower, ticks) : less(ticks, lower));
  }
};

/// How far an answer goes: what evaluate() asks for, or the largest cycle time only.
enum class SolveFor { period, cycle_time };

/// `exact`, `cut_off` and `interval` as MappingAnswer, in ticks per data set; `too_large`: beyond the limit and no
/// bound known; `unfit`: 64 bits don't do.
enum class TickAnswerKind { exact, cut_off, interval, too_large, unfit };
struct TickAnswer {
  TickAnswerKind kind = TickAnswerKind::unfit;
  NarrowFraction lower;
  NarrowFraction upper;             // of `exact` and `interval`
  NarrowFraction cycle_time{0, 0};  // the largest one; denominator 0: not known, or cut off before
};

/// What separated() or shared() answers, as the model separates operations or shares processors. Where circuits of
/// resources are not all of its nets, what is proved of the period is a lower bound: only a cut stands then.
template <typename Separated, typename Shared>
TickAnswer answer_by_resources(const tpn::Model& model, SolveFor aim, Separated separated, Shared shared) {
  TickAnswer answer;
  if (tpn::separates_operations(model)) {
    answer = separated();
  } else if (tpn::shares_processors(model)) {
    answer = shared();
  }
  const bool is_whole = tpn::is_resources_only(model) || aim == SolveFor::cycle_time;
  return is_whole || answer.kind == TickAnswerKind::cut_off ? answer : TickAnswer{};
}

}  // namespace takt::evaluators

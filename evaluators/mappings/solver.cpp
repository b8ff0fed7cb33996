// Bounds a mapping's period by cycle times, and searches where the bounds leave a choice.
#include "evaluators/mappings/solver.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "evaluators/kernel/numbers.hpp"
#include "evaluators/mappings/problem_times.hpp"
#include "evaluators/mappings/table_times.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

namespace {

// All columns together, each of at most TickTimes::kMostTicks = 2^50, stay below 2^62.
constexpr std::size_t kMostParts = 1000;
// Columns of at most that many ticks each; nor is a time below 0 short.
bool is_short(std::int64_t ticks) {
  return static_cast<std::uint64_t>(ticks) <= static_cast<std::uint64_t>(tpn::TickTimes::kMostTicks);
}
// Clocks times rows, of which there are less than 2^33, stay below 2^62.
constexpr std::size_t kMostEntries = std::size_t{1} << 26;

}  // namespace

template <typename Times>
MappingSolver<Times>::MappingSolver(Times times, std::uint64_t max_operations)
    : times_(std::move(times)), max_operations_(std::min(max_operations, std::uint64_t{1} << 32)) {}

template <typename Times>
void MappingSolver<Times>::begin(const typename Times::Mapping& mapping) {
  columns_.clear();
  steps_.clear();
  times_.list_parts(mapping, lists_);
  is_listed_ = lists_.parts.size() <= kMostParts && lists_.entries.size() <= kMostEntries;
  if (!is_listed_) return;
  times_.list_computations(lists_);
  for (const ListedPart& part : lists_.parts) is_listed_ &= is_short(part.longest);
}

template <typename Times>
TickAnswer MappingSolver<Times>::solve(tpn::Model model, const TickCutoff& cutoff, SolveFor aim) {
  if (!is_listed_) return {};
  return answer_by_resources(
      model, aim, [&] { return lists_.shared ? solve_shared_ports(cutoff, aim) : solve_columns(cutoff, aim); },
      [&] { return solve_strict(cutoff, aim); });
}

template <typename Times>
std::optional<TickAnswerKind> MappingSolver<Times>::list_steps(std::size_t part) {
  if (part < columns_.size()) return std::nullopt;
  const ListedPart& senders = lists_.parts[part];
  const ListedPart& receivers = lists_.parts[part + 1];
  const std::uint64_t length = std::lcm(std::uint64_t{senders.length}, std::uint64_t{receivers.length});
  if (steps_.size() + length > max_operations_) return TickAnswerKind::too_large;
  TransferColumn column;
  column.first_step = steps_.size();
  column.length = static_cast<std::uint32_t>(length);
  steps_.resize(steps_.size() + length);
  EntryWork* const from = lists_.entries_of(senders).data();
  EntryWork* const to = lists_.entries_of(receivers).data();
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::int64_t any = 0;  // bit by bit: below 0 if one is
  for (TransferStep& step : std::span(steps_).subspan(column.first_step)) {
    const std::int64_t ticks = times_.transfer(part, a, b);
    step.transfer = ticks;
    step.both = ticks + to[b].computation;
    step.sender = from[a].node;
    step.receiver = to[b].node;
    from[a].sent += static_cast<std::uint64_t>(ticks);
    to[b].received += static_cast<std::uint64_t>(ticks);
    column.longest = std::max(column.longest, ticks);
    any |= ticks;
    if (++a == senders.length) a = 0;
    if (++b == receivers.length) b = 0;
  }
  columns_.push_back(column);
  if (any < 0 || !is_short(column.longest) || !fits(length, column.longest)) {
    is_listed_ = false;
    return TickAnswerKind::unfit;
  }
  return std::nullopt;
}

template <typename Times>
std::optional<TickAnswerKind> MappingSolver<Times>::list_all_steps() {
  for (std::size_t i = 0; i + 1 < lists_.parts.size(); ++i) {
    if (const auto failure = list_steps(i)) return failure;
  }
  return std::nullopt;
}

template <typename Times>
std::optional<std::uint64_t> MappingSolver<Times>::count_rows() const {
  const std::uint64_t limit = max_operations_ / lists_.parts.size();
  std::uint64_t rows = 1;  // at most 2^32, and a length less than 2^31
  for (const ListedPart& part : lists_.parts) {
    rows = std::lcm(rows, std::uint64_t{part.length});
    if (rows > limit) return std::nullopt;
  }
  return rows;
}

template <typename Times>
std::int64_t MappingSolver<Times>::sequential_ticks() const {
  std::int64_t total = 0;
  for (const ListedPart& part : lists_.parts) total += part.longest;
  for (const TransferColumn& column : columns_) total += column.longest;
  return total;
}

template <typename Times>
typename MappingSolver<Times>::Repeats MappingSolver<Times>::repeats_of(std::size_t part,
                                                                        std::uint64_t data_sets) const {
  Repeats repeats{data_sets / lists_.parts[part].length, 0, 0};
  if (part > 0) repeats.receptions = data_sets / columns_[part - 1].length;
  if (part < columns_.size()) repeats.sendings = data_sets / columns_[part].length;
  return repeats;
}

template <typename Times>
void MappingSolver<Times>::add_all_operations(std::size_t part, std::uint64_t data_sets, std::uint64_t* sums) const {
  const Repeats repeats = repeats_of(part, data_sets);
  for (const EntryWork& entry : lists_.entries_of(lists_.parts[part])) {
    sums[entry.node] += static_cast<std::uint64_t>(entry.computation) * repeats.computations +
                        entry.received * repeats.receptions + entry.sent * repeats.sendings;
  }
}

template <typename Times>
std::int64_t MappingSolver<Times>::busiest(const ListedPart& part, std::uint64_t EntryWork::*ticks) {
  std::uint64_t most = 0;
  if (part.is_distinct()) {
    for (const EntryWork& entry : lists_.entries_of(part)) most = std::max(most, entry.*ticks);
    return static_cast<std::int64_t>(most);
  }
  sums_.assign(part.nodes, 0);
  for (const EntryWork& entry : lists_.entries_of(part)) {
    most = std::max(most, sums_[entry.node - part.first_node] += entry.*ticks);
  }
  return static_cast<std::int64_t>(most);
}

// OVERLAP where no processor serves two parts: no circuit leaves its column.
template <typename Times>
TickAnswer MappingSolver<Times>::solve_columns(const TickCutoff& cutoff, SolveFor aim) {
  NarrowFraction best;
  if (!raise_by_computations(lists_, sums_, best)) return {};
  if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  for (std::size_t i = 0; i + 1 < lists_.parts.size(); ++i) {
    if (const auto failure = list_steps(i)) return {*failure, {}, {}};
    const std::int64_t sent = busiest(lists_.parts[i], &EntryWork::sent);
    const std::int64_t received = busiest(lists_.parts[i + 1], &EntryWork::received);
    raise(best, {std::max(sent, received), columns_[i].length});
    if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  }
  const NarrowFraction cycle_time = best;
  if (aim == SolveFor::cycle_time) return {TickAnswerKind::exact, best, best, cycle_time};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const SearchEnd end = search_column(i, cutoff, best);
    if (end == SearchEnd::too_wide) return {TickAnswerKind::unfit, {}, {}, cycle_time};
    if (end == SearchEnd::stopped) return {TickAnswerKind::cut_off, best, {}, cycle_time};
  }
  return {TickAnswerKind::exact, best, best, cycle_time};
}

// Whether a port takes part in every transfer of its component: then that port's cycle time is the period.
template <typename Times>
bool MappingSolver<Times>::is_settled(const ListedPart& senders, const ListedPart& receivers) {
  if (senders.nodes == 1 || receivers.nodes == 1) return true;
  const std::uint32_t components = std::gcd(senders.length, receivers.length);
  return senders.is_distinct() && receivers.is_distinct() &&
         (components == senders.length || components == receivers.length);
}

template <typename Times>
SearchEnd MappingSolver<Times>::search_column(std::size_t part, const TickCutoff& cutoff, NarrowFraction& best) {
  const TransferColumn& column = columns_[part];
  const ListedPart& senders = lists_.parts[part];
  const ListedPart& receivers = lists_.parts[part + 1];
  if (is_settled(senders, receivers)) return SearchEnd::proved;
  // One transfer at a time would be fast enough.
  if (!less(best, {column.longest, 1})) return SearchEnd::proved;
  const auto pass = [steps = steps_of(column)](std::int64_t* keys, std::int64_t unit) {
    for (const TransferStep& step : steps) {
      const std::int64_t end = std::max(keys[step.sender], keys[step.receiver]) + step.transfer * unit;
      keys[step.sender] = end;
      keys[step.receiver] = end;
    }
  };
  // The receivers' nodes follow those of the senders.
  const KeySearch::Clocks clocks{senders.first_node, senders.nodes + receivers.nodes};
  return search_.raise_to_period(column.length, clocks, column.longest * column.length, cutoff, best, pass);
}

// From the cycle times in `sums_` over the net's rows to the period, by passes over all rows.
template <typename Times>
template <typename Pass>
TickAnswer MappingSolver<Times>::search_rows(std::uint64_t rows, std::size_t clocks, const TickCutoff& cutoff,
                                             SolveFor aim, Pass pass) {
  const auto data_sets = static_cast<std::int64_t>(rows);
  NarrowFraction best = largest_sum(sums_, rows);
  const NarrowFraction cycle_time = best;
  if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}, cycle_time};
  const std::int64_t longest_path = data_sets * sequential_ticks();
  const bool settled = best.numerator == longest_path || (rows == 1 && !lists_.shared);
  if (aim == SolveFor::cycle_time || settled) return {TickAnswerKind::exact, best, best, cycle_time};
  const SearchEnd end = search_.raise_to_period(rows, {0, clocks}, longest_path, cutoff, best, pass);
  if (end == SearchEnd::too_wide) return {TickAnswerKind::unfit, {}, {}, cycle_time};
  if (end == SearchEnd::stopped) return {TickAnswerKind::cut_off, best, {}, cycle_time};
  return {TickAnswerKind::exact, best, best, cycle_time};
}

template <typename Times>
TickAnswer MappingSolver<Times>::solve_strict(const TickCutoff& cutoff, SolveFor aim) {
  const std::optional<std::uint64_t> rows = count_rows();
  if (!rows) return lists_.shared ? TickAnswer{TickAnswerKind::too_large, {}, {}} : bound_strict(cutoff, aim);
  if (cutoff.ticks.denominator != 0) {
    if (!fits(*rows, sequential_ticks())) return {};
    sums_.assign(lists_.nodes, 0);
    for (const ListedPart& part : lists_.parts) {
      for (const EntryWork& entry : lists_.entries_of(part)) {
        sums_[entry.node] += static_cast<std::uint64_t>(entry.computation) * (*rows / part.length);
      }
    }
    if (const NarrowFraction lower = largest_sum(sums_, *rows); cutoff.is_passed_by(lower)) {
      return {TickAnswerKind::cut_off, lower, {}};
    }
  }
  if (const auto failure = list_all_steps()) return {*failure, {}, {}};
  if (!fits(*rows, sequential_ticks())) return {};
  sums_.assign(lists_.nodes, 0);
  for (std::size_t i = 0; i < lists_.parts.size(); ++i) add_all_operations(i, *rows, sums_.data());
  const auto pass = [this, rows = *rows](std::int64_t* keys, std::int64_t unit) { play_strict(rows, keys, unit); };
  return search_rows(*rows, lists_.nodes, cutoff, aim, pass);
}

// STRICT. A processor computes what it has received, and sends what it has computed, with nothing in between:
// only receptions and first computations wait for it.
template <typename Times>
void MappingSolver<Times>::play_strict(std::uint64_t rows, std::int64_t* keys, std::int64_t unit) {
  const ListedPart& first = lists_.parts.front();
  const EntryWork* const entries = lists_.entries.data();
  cursors_.resize(columns_.size());
  StepCursor* const end_of_cursors = cursors_.data() + cursors_.size();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const TransferStep* const steps = steps_.data() + columns_[i].first_step;
    cursors_[i] = {steps, steps, steps + columns_[i].length};
  }
  std::uint32_t entry = 0;
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::uint32_t node = entries[entry].node;
    std::int64_t end = keys[node] + entries[entry].computation * unit;
    if (++entry == first.length) entry = 0;
    for (StepCursor* cursor = cursors_.data(); cursor != end_of_cursors; ++cursor) {
      const TransferStep& step = *cursor->at;
      const TransferStep* const next = cursor->at + 1;
      cursor->at = next == cursor->end ? cursor->first : next;
      const std::int64_t start = std::max(end, keys[step.receiver]);
      keys[step.sender] = start + step.transfer * unit;
      end = start + step.both * unit;
      node = step.receiver;
    }
    keys[node] = end;
  }
}

// OVERLAP where a processor serves several parts: its computing, sending and receiving are a clock each.
template <typename Times>
TickAnswer MappingSolver<Times>::solve_shared_ports(const TickCutoff& cutoff, SolveFor aim) {
  const std::optional<std::uint64_t> rows = count_rows();
  if (!rows) return {TickAnswerKind::too_large, {}, {}};
  if (const auto failure = list_all_steps()) return {*failure, {}, {}};
  if (!fits(*rows, sequential_ticks())) return {};
  const std::size_t nodes = lists_.nodes;
  sums_.assign(3 * nodes, 0);
  for (std::size_t i = 0; i < lists_.parts.size(); ++i) {
    const Repeats repeats = repeats_of(i, *rows);
    for (const EntryWork& entry : lists_.entries_of(lists_.parts[i])) {
      sums_[entry.node] += static_cast<std::uint64_t>(entry.computation) * repeats.computations;
      sums_[nodes + entry.node] += entry.sent * repeats.sendings;
      sums_[2 * nodes + entry.node] += entry.received * repeats.receptions;
    }
  }
  const auto pass = [this, rows = *rows](std::int64_t* keys, std::int64_t unit) {
    play_shared_ports(rows, keys, unit);
  };
  return search_rows(*rows, 3 * nodes, cutoff, aim, pass);
}

// One pass over clocks for computing, sending and receiving.
template <typename Times>
void MappingSolver<Times>::play_shared_ports(std::uint64_t rows, std::int64_t* keys, std::int64_t unit) {
  std::int64_t* const sending = keys + lists_.nodes;
  std::int64_t* const receiving = sending + lists_.nodes;
  for (ListedPart& part : lists_.parts) part.at = 0;
  for (TransferColumn& column : columns_) column.at = 0;
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = 0; i < lists_.parts.size(); ++i) {
      ListedPart& part = lists_.parts[i];
      const EntryWork& entry = lists_.entries[part.first_entry + part.at];
      if (++part.at == part.length) part.at = 0;
      end = std::max(end, keys[entry.node]) + entry.computation * unit;
      keys[entry.node] = end;
      if (i == columns_.size()) break;
      TransferColumn& column = columns_[i];
      const TransferStep& step = steps_[column.first_step + column.at];
      if (++column.at == column.length) column.at = 0;
      if (step.receiver == step.sender) continue;  // within one processor: no time, no port
      end = std::max({end, sending[step.sender], receiving[step.receiver]}) + step.transfer * unit;
      sending[step.sender] = end;
      receiving[step.receiver] = end;
    }
  }
}

// STRICT where the rows are too many and no processor serves two parts: cycle times over the data sets after
// which a processor's own operations repeat.
template <typename Times>
TickAnswer MappingSolver<Times>::bound_strict(const TickCutoff& cutoff, SolveFor aim) {
  NarrowFraction best;
  const auto length_of = [&](std::size_t column) { return std::uint64_t{columns_[column].length}; };
  sums_.assign(lists_.nodes, 0);
  for (std::size_t i = 0; i < lists_.parts.size(); ++i) {
    const ListedPart& part = lists_.parts[i];
    const bool receives = i > 0;
    const bool sends = i + 1 < lists_.parts.size();
    if (sends) {
      if (const auto failure = list_steps(i)) return {*failure, {}, {}};
    }
    // Each length is at most 2^32, so their least common multiple fits.
    const std::uint64_t data_sets =
        std::lcm(receives ? length_of(i - 1) : part.length, sends ? length_of(i) : part.length);
    const std::int64_t longest =
        part.longest + (receives ? columns_[i - 1].longest : 0) + (sends ? columns_[i].longest : 0);
    if (!fits(data_sets, longest)) return {};
    add_all_operations(i, data_sets, sums_.data());
    raise(best, largest_sum(std::span(sums_).subspan(part.first_node, part.nodes), data_sets));
    if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  }
  const NarrowFraction upper{sequential_ticks(), 1};
  if (aim == SolveFor::cycle_time || !less(best, upper)) return {TickAnswerKind::exact, best, best, best};
  return {TickAnswerKind::interval, best, upper, best};
}

template class MappingSolver<ProblemTimes>;
template class MappingSolver<TableTimes>;

}  // namespace takt::evaluators

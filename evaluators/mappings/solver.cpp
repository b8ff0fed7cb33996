// Bounds a mapping's period by cycle times, and searches where the bounds leave a choice.
#include "evaluators/mappings/solver.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "evaluators/kernel/numbers.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

namespace {

// All columns together, each of at most TickTimes::kMostTicks = 2^50, stay below 2^62.
constexpr std::size_t kMostParts = 1000;
// Clocks times rows, of which there are less than 2^33, stay below 2^62.
constexpr std::size_t kMostEntries = std::size_t{1} << 26;

// Whether `count` operations of up to `ticks` each have a sum below 2^62.
bool fits(std::uint64_t count, std::int64_t ticks) {
  return static_cast<Int128>(count) * ticks < static_cast<Int128>(1) << 62;
}

void raise(NarrowFraction& best, const NarrowFraction& other) {
  if (less(best, other)) best = other;
}

// Over a number of data sets; the sums are below 2^62.
NarrowFraction largest_sum(const std::vector<std::uint64_t>& sums, std::uint64_t data_sets) {
  return {static_cast<std::int64_t>(*std::ranges::max_element(sums)), static_cast<std::int64_t>(data_sets)};
}

}  // namespace

TickAnswer MappingSolver::solve(std::span<const tpn::Part> mapping, tpn::Model model, const TickCutoff& cutoff,
                                SolveFor aim) {
  list_parts(mapping);
  if (parts_.size() > kMostParts || entries_.size() > kMostEntries) return {};
  list_computations();
  TickAnswer answer;
  if (tpn::separates_operations(model)) {
    answer = shared_ ? solve_shared_ports(cutoff, aim) : solve_columns(cutoff, aim);
  } else if (tpn::shares_processors(model)) {
    answer = solve_strict(cutoff, aim);
  }
  // Circuits of resources are not all of the net: what is proved is a lower bound.
  const bool is_whole = tpn::is_resources_only(model) || aim == SolveFor::cycle_time;
  return is_whole || answer.kind == TickAnswerKind::cut_off ? answer : TickAnswer{};
}

bool MappingSolver::add_computations(std::uint64_t data_sets) {
  std::int64_t total = 0;
  for (const ListedPart& part : parts_) total += part.longest;
  if (!fits(data_sets, total)) return false;
  for (const ListedPart& part : parts_) {
    const std::uint64_t times = data_sets / part.length;
    for (const EntryWork& entry : std::span(entries_).subspan(part.first_entry, part.length)) {
      sums_[entry.node] += static_cast<std::uint64_t>(entry.computation) * times;
    }
  }
  return true;
}

bool MappingSolver::add_transfers(const TransferColumn& column, std::uint64_t data_sets) {
  if (!fits(data_sets, column.longest)) return false;
  const std::uint64_t times = data_sets / column.length;
  for (const TransferStep& step : steps_of(column)) {
    sums_[step.sender] += static_cast<std::uint64_t>(step.transfer) * times;
    sums_[step.receiver] += static_cast<std::uint64_t>(step.transfer) * times;
  }
  return true;
}

std::int64_t MappingSolver::sequential_ticks() const {
  std::int64_t total = 0;
  for (const ListedPart& part : parts_) total += part.longest;
  for (const TransferColumn& column : columns_) total += column.longest;
  return total;
}

bool MappingSolver::raise_by_computations(NarrowFraction& best) {
  for (const ListedPart& part : parts_) {
    if (part.is_distinct()) {
      raise(best, {part.longest, part.length});
      continue;
    }
    if (!fits(part.length, part.longest)) return false;
    sums_.assign(part.nodes, 0);
    for (const EntryWork& entry : std::span(entries_).subspan(part.first_entry, part.length)) {
      sums_[entry.node - part.first_node] += static_cast<std::uint64_t>(entry.computation);
    }
    raise(best, largest_sum(sums_, part.length));
  }
  return true;
}

// OVERLAP where no processor serves two parts: no circuit leaves its column.
TickAnswer MappingSolver::solve_columns(const TickCutoff& cutoff, SolveFor aim) {
  NarrowFraction best;
  if (!raise_by_computations(best)) return {};
  if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  for (std::size_t i = 0; i + 1 < parts_.size(); ++i) {
    const ListedPart& senders = parts_[i];
    const ListedPart& receivers = parts_[i + 1];
    if (!list_steps(i, 0 - senders.first_node, senders.nodes - receivers.first_node)) {
      return {TickAnswerKind::too_large, {}, {}};
    }
    sums_.assign(senders.nodes + receivers.nodes, 0);
    if (!add_transfers(columns_.back(), columns_.back().length)) return {};
    raise(best, largest_sum(sums_, columns_.back().length));
    if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  }
  if (aim == SolveFor::cycle_time) return {TickAnswerKind::exact, best, best};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const SearchEnd end = search_column(i, cutoff, best);
    if (end == SearchEnd::too_wide) return {};
    if (end == SearchEnd::stopped) return {TickAnswerKind::cut_off, best, {}};
  }
  return {TickAnswerKind::exact, best, best};
}

// Whether a port takes part in every transfer of its component: then that port's cycle time is the period.
bool MappingSolver::is_settled(const ListedPart& senders, const ListedPart& receivers) {
  if (senders.nodes == 1 || receivers.nodes == 1) return true;
  const std::uint32_t components = std::gcd(senders.length, receivers.length);
  return senders.is_distinct() && receivers.is_distinct() &&
         (components == senders.length || components == receivers.length);
}

template <typename Play, typename Stop>
SearchEnd MappingSolver::search(std::size_t clocks, std::int64_t longest_path, NarrowFraction& lambda, Play play,
                                Stop stop) {
  const int bits = static_cast<int>(std::bit_width(clocks));
  const auto mask = (std::int64_t{1} << bits) - 1;
  search_.prepare(clocks);
  keys_.resize(clocks);
  const auto pass = [&](const std::vector<std::int64_t>& x, std::int64_t factor, ClockArcs<std::int64_t>& arcs) {
    // No key of a pass leaves 62 bits: |value| <= highest clock + longest path, the origin below 2^bits.
    const Int128 largest = static_cast<Int128>(longest_path) * factor + *std::ranges::max_element(x);
    if (largest >= (std::int64_t{1} << (62 - bits)) - 1) return PassOutcome::too_wide;
    for (std::size_t t = 0; t < clocks; ++t) keys_[t] = (x[t] << bits) + static_cast<std::int64_t>(t);
    play(keys_.data(), factor << bits);
    for (std::size_t t = 0; t < clocks; ++t) {
      arcs.values[t] = keys_[t] >> bits;
      arcs.origins[t] = static_cast<std::uint32_t>(keys_[t] & mask);
    }
    return PassOutcome::done;
  };
  const auto stops = [&](const ClockRatio<std::int64_t>& ratio) {
    return stop(NarrowFraction{ratio.weight, ratio.tokens});
  };
  const SearchEnd end = search_.run({lambda.numerator, lambda.denominator}, pass, stops);
  lambda = {search_.lambda().weight, search_.lambda().tokens};
  return end;
}

SearchEnd MappingSolver::search_column(std::size_t part, const TickCutoff& cutoff, NarrowFraction& best) {
  const TransferColumn& column = columns_[part];
  if (is_settled(parts_[part], parts_[part + 1])) return SearchEnd::proved;
  // One transfer at a time would be fast enough.
  if (!less(best, {column.longest, 1})) return SearchEnd::proved;
  const std::int64_t common = std::gcd(best.denominator, std::int64_t{column.length});
  const std::int64_t data_sets = column.length / common;
  if (!fits(static_cast<std::uint64_t>(data_sets), best.numerator)) return SearchEnd::too_wide;
  NarrowFraction lambda{best.numerator * data_sets, best.denominator / common};
  const NarrowFraction start = lambda;
  const auto pass = [steps = steps_of(column)](std::int64_t* keys, std::int64_t unit) {
    for (const TransferStep& step : steps) {
      const std::int64_t end = std::max(keys[step.sender], keys[step.receiver]) + step.transfer * unit;
      keys[step.sender] = end;
      keys[step.receiver] = end;
    }
  };
  // Where lambda has risen, its denominator is a number of clocks.
  const auto period = [&](const NarrowFraction& ratio) {
    return NarrowFraction{ratio.numerator, ratio.denominator * column.length};
  };
  const auto stop = [&](const NarrowFraction& ratio) { return cutoff.is_passed_by(period(ratio)); };
  const std::size_t clocks = parts_[part].nodes + parts_[part + 1].nodes;
  const SearchEnd end = search(clocks, column.longest * column.length, lambda, pass, stop);
  if (less(start, lambda)) best = period(lambda);
  return end;
}

// From the cycle times in `sums_` over the net's rows to the period, by passes over all rows.
template <typename Pass>
TickAnswer MappingSolver::search_rows(std::uint64_t rows, std::size_t clocks, const TickCutoff& cutoff, SolveFor aim,
                                      Pass pass) {
  const auto data_sets = static_cast<std::int64_t>(rows);
  NarrowFraction best = largest_sum(sums_, rows);
  if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  const std::int64_t longest_path = data_sets * sequential_ticks();
  const bool settled = best.numerator == longest_path || (rows == 1 && !shared_);
  if (aim == SolveFor::cycle_time || settled) return {TickAnswerKind::exact, best, best};
  NarrowFraction lambda{best.numerator, 1};
  const auto period = [&](const NarrowFraction& ratio) {
    return NarrowFraction{ratio.numerator, ratio.denominator * data_sets};
  };
  const auto stop = [&](const NarrowFraction& ratio) { return cutoff.is_passed_by(period(ratio)); };
  const SearchEnd end = search(clocks, longest_path, lambda, pass, stop);
  best = period(lambda);
  if (end == SearchEnd::too_wide) return {};
  if (end == SearchEnd::stopped) return {TickAnswerKind::cut_off, best, {}};
  return {TickAnswerKind::exact, best, best};
}

// STRICT. A processor computes what it has received, and sends what it has computed, with nothing in between:
// only receptions and first computations wait for it.
TickAnswer MappingSolver::solve_strict(const TickCutoff& cutoff, SolveFor aim) {
  const std::optional<std::uint64_t> rows = count_rows();
  if (!rows) return shared_ ? TickAnswer{TickAnswerKind::too_large, {}, {}} : bound_strict(cutoff, aim);
  sums_.assign(nodes_, 0);
  if (!add_computations(*rows)) return {};
  if (const NarrowFraction lower = largest_sum(sums_, *rows); cutoff.is_passed_by(lower)) {
    return {TickAnswerKind::cut_off, lower, {}};
  }
  for (std::size_t i = 0; i + 1 < parts_.size(); ++i) {
    if (!list_steps(i, 0, 0)) return {TickAnswerKind::too_large, {}, {}};
    add_transfers(columns_.back(), *rows);
  }
  if (!fits(*rows, sequential_ticks())) return {};
  const auto pass = [this, rows = *rows](std::int64_t* keys, std::int64_t unit) {
    const ListedPart& first = parts_.front();
    const EntryWork* const entries = entries_.data();
    const TransferStep* const steps = steps_.data();
    TransferColumn* const columns = columns_.data();
    const std::size_t count = columns_.size();
    for (TransferColumn& column : columns_) column.at = 0;
    std::uint32_t entry = 0;
    for (std::uint64_t row = 0; row < rows; ++row) {
      std::uint32_t node = entries[entry].node;
      std::int64_t end = keys[node] + entries[entry].computation * unit;
      if (++entry == first.length) entry = 0;
      for (std::size_t c = 0; c < count; ++c) {
        TransferColumn& column = columns[c];
        const TransferStep& step = steps[column.first_step + column.at];
        if (++column.at == column.length) column.at = 0;
        const std::int64_t start = std::max(end, keys[step.receiver]);
        keys[step.sender] = start + step.transfer * unit;
        end = start + step.both * unit;
        node = step.receiver;
      }
      keys[node] = end;
    }
  };
  return search_rows(*rows, nodes_, cutoff, aim, pass);
}

// OVERLAP where a processor serves several parts: its computing, sending and receiving are a clock each.
TickAnswer MappingSolver::solve_shared_ports(const TickCutoff& cutoff, SolveFor aim) {
  const std::optional<std::uint64_t> rows = count_rows();
  if (!rows) return {TickAnswerKind::too_large, {}, {}};
  sums_.assign(3 * std::size_t{nodes_}, 0);
  if (!add_computations(*rows)) return {};
  for (std::size_t i = 0; i + 1 < parts_.size(); ++i) {
    if (!list_steps(i, nodes_, 2 * nodes_)) return {TickAnswerKind::too_large, {}, {}};
    add_transfers(columns_.back(), *rows);
  }
  if (!fits(*rows, sequential_ticks())) return {};
  const auto pass = [this, rows = *rows](std::int64_t* keys, std::int64_t unit) {
    play_shared_ports(rows, keys, unit);
  };
  return search_rows(*rows, 3 * std::size_t{nodes_}, cutoff, aim, pass);
}

// One pass over clocks for computing, sending and receiving.
void MappingSolver::play_shared_ports(std::uint64_t rows, std::int64_t* keys, std::int64_t unit) {
  for (ListedPart& part : parts_) part.at = 0;
  for (TransferColumn& column : columns_) column.at = 0;
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      ListedPart& part = parts_[i];
      const EntryWork& entry = entries_[part.first_entry + part.at];
      if (++part.at == part.length) part.at = 0;
      end = std::max(end, keys[entry.node]) + entry.computation * unit;
      keys[entry.node] = end;
      if (i == columns_.size()) break;
      TransferColumn& column = columns_[i];
      const TransferStep& step = steps_[column.first_step + column.at];
      if (++column.at == column.length) column.at = 0;
      if (step.receiver == step.sender + nodes_) continue;  // within one processor: no time, no port
      end = std::max({end, keys[step.sender], keys[step.receiver]}) + step.transfer * unit;
      keys[step.sender] = end;
      keys[step.receiver] = end;
    }
  }
}

// STRICT where the rows are too many and no processor serves two parts: cycle times over the data sets after
// which a processor's own operations repeat.
TickAnswer MappingSolver::bound_strict(const TickCutoff& cutoff, SolveFor aim) {
  NarrowFraction best;
  const auto length_of = [&](std::size_t column) { return std::uint64_t{columns_[column].length}; };
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const ListedPart& part = parts_[i];
    const bool receives = i > 0;
    const bool sends = i + 1 < parts_.size();
    if (sends && !list_steps(i, 0, 0)) return {TickAnswerKind::too_large, {}, {}};
    // Each length is at most 2^32, so their least common multiple fits.
    const std::uint64_t data_sets =
        std::lcm(receives ? length_of(i - 1) : part.length, sends ? length_of(i) : part.length);
    const std::int64_t longest =
        part.longest + (receives ? columns_[i - 1].longest : 0) + (sends ? columns_[i].longest : 0);
    if (!fits(data_sets, longest)) return {};
    sums_.assign(part.nodes, 0);
    add_strict_operations(i, data_sets);
    raise(best, largest_sum(sums_, data_sets));
    if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  }
  const NarrowFraction upper{sequential_ticks(), 1};
  if (aim == SolveFor::cycle_time || !less(best, upper)) return {TickAnswerKind::exact, best, best};
  return {TickAnswerKind::interval, best, upper};
}

// Adds what the processors of part i are busy for over some data sets, a multiple of the lengths that count.
void MappingSolver::add_strict_operations(std::size_t i, std::uint64_t data_sets) {
  const ListedPart& part = parts_[i];
  for (const EntryWork& entry : std::span(entries_).subspan(part.first_entry, part.length)) {
    sums_[entry.node - part.first_node] += static_cast<std::uint64_t>(entry.computation) * (data_sets / part.length);
  }
  const auto add = [&](const TransferColumn& column, std::uint32_t TransferStep::*side) {
    for (const TransferStep& step : steps_of(column)) {
      sums_[step.*side - part.first_node] += static_cast<std::uint64_t>(step.transfer) * (data_sets / column.length);
    }
  };
  if (i > 0) add(columns_[i - 1], &TransferStep::receiver);
  if (i + 1 < parts_.size()) add(columns_[i], &TransferStep::sender);
}

}  // namespace takt::evaluators

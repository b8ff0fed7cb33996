// Lists columns, bounds by ports and computations, searches clusters or rows.
#include "evaluators/mappings/workflow_solver.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "maxplus/none.hpp"
#include "maxplus/rational.hpp"
#include "tpn/ends.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

namespace {

constexpr std::uint32_t kNone = maxplus::kNone<std::uint32_t>;
// All columns together, each of at most TickTimes::kMostTicks = 2^50, stay below 2^62.
constexpr std::size_t kMostColumns = 2000;
constexpr std::size_t kMostEntries = std::size_t{1} << 26;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

std::uint32_t sending_port(std::uint32_t part) { return 2 * part; }
std::uint32_t receiving_port(std::uint32_t part) { return 2 * part + 1; }

}  // namespace

WorkflowSolver::WorkflowSolver(const tpn::ProblemView& problem, const tpn::TickTimes& times,
                               std::uint64_t max_operations)
    : times_(problem, times),
      ticks_(times),
      routes_(problem.document().application, tpn::outer_ends(problem.document().platform)),
      sources_(problem.document().platform.source ? 1 : 0),
      max_operations_(std::min(max_operations, std::uint64_t{1} << 32)) {}

void WorkflowSolver::begin(std::span<const tpn::Part> mapping) {
  steps_.clear();
  columns_.clear();
  has_steps_ = false;
  times_.list_parts(mapping, lists_);
  is_listed_ = lists_.entries.size() <= kMostEntries;
  if (!is_listed_) return;
  times_.list_computations(lists_);
  for (const ListedPart& part : lists_.parts) is_listed_ = is_listed_ && part.longest <= tpn::TickTimes::kMostTicks;
  routes_.list(mapping);
  list_columns(mapping);
  is_listed_ = is_listed_ && columns_.size() <= kMostColumns;
}

void WorkflowSolver::list_columns(std::span<const tpn::Part> mapping) {
  const auto sink = static_cast<std::uint32_t>(lists_.parts.size() - 1);
  const auto add_transfers = [&](std::span<const tpn::MappingRoutes::Route> routes, std::uint32_t from) {
    for (const tpn::MappingRoutes::Route& route : routes) {
      const std::uint32_t to = route.to == tpn::MappingRoutes::kOutside ? sink : route.to + sources_;
      columns_.push_back({.from = from, .to = to, .amount = ticks_.amount_of(routes_.files_of(route))});
    }
  };
  if (sources_ > 0) add_transfers(routes_.entering(), 0);
  for (std::uint32_t i = 0; i < mapping.size(); ++i) {
    columns_.push_back({.from = i + sources_, .to = i + sources_});
    add_transfers(routes_.out_of(i), i + sources_);
  }
  while (all_columns_.size() < columns_.size()) all_columns_.push_back(static_cast<std::uint32_t>(all_columns_.size()));
  first_of_part_.assign(lists_.parts.size() + 1, 0);
  for (const Column& column : columns_) {
    ++first_of_part_[column.from + 1];
    if (!column.is_computation()) ++first_of_part_[column.to + 1];
  }
  std::partial_sum(first_of_part_.begin(), first_of_part_.end(), first_of_part_.begin());
  part_columns_.resize(first_of_part_.back());
  // Each part's places fill from the end, and its begin is where they stop.
  for (auto c = static_cast<std::uint32_t>(columns_.size()); c-- > 0;) {
    part_columns_[--first_of_part_[columns_[c].from + 1]] = c;
    if (!columns_[c].is_computation()) part_columns_[--first_of_part_[columns_[c].to + 1]] = c;
  }
  first_of_part_.erase(first_of_part_.begin());
  first_of_part_.push_back(part_columns_.size());
}

TickAnswer WorkflowSolver::solve(tpn::Model model, const TickCutoff& cutoff, SolveFor aim) {
  if (!is_listed_) return {};
  return answer_by_resources(
      model, aim, [&] { return lists_.shared ? solve_shared_ports(cutoff, aim) : solve_clusters(cutoff, aim); },
      [&] { return solve_strict(cutoff, aim); });
}

std::optional<TickAnswerKind> WorkflowSolver::list_steps() {
  if (has_steps_) return std::nullopt;
  for (Column& column : columns_) {
    column.first_step = steps_.size();
    if (!column.is_computation()) {
      if (const auto failure = list_transfer(column)) return failure;
      continue;
    }
    const ListedPart& part = lists_.parts[column.from];
    column.length = part.length;
    column.longest = part.longest;
    for (const EntryWork& entry : lists_.entries_of(part))
      steps_.push_back({entry.computation, entry.node, entry.node});
  }
  has_steps_ = true;
  return std::nullopt;
}

std::optional<TickAnswerKind> WorkflowSolver::list_transfer(Column& column) {
  const ListedPart& senders = lists_.parts[column.from];
  const ListedPart& receivers = lists_.parts[column.to];
  const std::uint64_t length = std::lcm(std::uint64_t{senders.length}, std::uint64_t{receivers.length});
  if (steps_.size() + length > max_operations_) return TickAnswerKind::too_large;
  column.length = static_cast<std::uint32_t>(length);
  const std::span<const EntryWork> from = lists_.entries_of(senders);
  const std::span<const EntryWork> to = lists_.entries_of(receivers);
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  for (std::uint64_t k = 0; k < length; ++k) {
    const std::int64_t ticks = times_.message(column.from, column.to, column.amount, a, b);
    steps_.push_back({ticks, from[a].node, to[b].node});
    column.longest = std::max(column.longest, ticks);
    if (++a == senders.length) a = 0;
    if (++b == receivers.length) b = 0;
  }
  if (column.longest <= tpn::TickTimes::kMostTicks && fits(length, column.longest)) return std::nullopt;
  is_listed_ = false;
  return TickAnswerKind::unfit;
}

std::optional<std::uint64_t> WorkflowSolver::rows_of(std::span<const std::uint32_t> columns) const {
  const std::uint64_t limit = max_operations_ / columns.size();
  std::uint64_t rows = 1;  // at most 2^32, and so is each length
  for (const std::uint32_t c : columns) {
    rows = std::lcm(rows, std::uint64_t{columns_[c].length});
    if (rows > limit) return std::nullopt;
  }
  return rows;
}

std::int64_t WorkflowSolver::sequential_ticks(std::span<const std::uint32_t> columns) const {
  std::int64_t total = 0;
  for (const std::uint32_t c : columns) total += columns_[c].longest;
  return total;
}

void WorkflowSolver::add_up(std::span<const std::uint32_t> columns, std::uint64_t data_sets, Ports which,
                            std::uint64_t* sums) const {
  for (const std::uint32_t c : columns) {
    const Column& column = columns_[c];
    const std::uint64_t repeats = data_sets / column.length;
    for (const Step& step : std::span(steps_).subspan(column.first_step, column.length)) {
      const std::uint64_t ticks = static_cast<std::uint64_t>(step.ticks) * repeats;
      if (which != Ports::receiving) sums[step.sender] += ticks;
      if (which == Ports::receiving || (which == Ports::all && step.receiver != step.sender))
        sums[step.receiver] += ticks;
    }
  }
}

// By what the processors of a part send, receive, or do at all; no other part has them.
std::optional<TickAnswerKind> WorkflowSolver::raise_by_ports(std::uint32_t number, Ports which, NarrowFraction& best) {
  const ListedPart& part = lists_.parts[number];
  std::uint64_t data_sets = 1;
  std::int64_t longest = 0;
  sums_.assign(lists_.nodes, 0);
  const auto columns =
      std::span(part_columns_).subspan(first_of_part_[number], first_of_part_[number + 1] - first_of_part_[number]);
  const auto counts = [&](const Column& column) {
    if (which == Ports::all) return true;
    return !column.is_computation() && (which == Ports::sending ? column.from : column.to) == number;
  };
  for (const std::uint32_t c : columns) {
    if (!counts(columns_[c])) continue;
    // Both are at most 2^32.
    data_sets = std::lcm(data_sets, std::uint64_t{columns_[c].length});
    if (data_sets > std::uint64_t{1} << 32) return TickAnswerKind::too_large;
    longest += columns_[c].longest;
  }
  if (!fits(data_sets, longest)) return TickAnswerKind::unfit;
  for (const std::uint32_t& c : columns)
    if (counts(columns_[c])) add_up(std::span(&c, 1), data_sets, which, sums_.data());
  raise(best, largest_sum(std::span(sums_).subspan(part.first_node, part.nodes), data_sets));
  return std::nullopt;
}

// Nothing if all are in, `cut_off` if some were enough.
std::optional<TickAnswerKind> WorkflowSolver::raise_by_all_ports(const TickCutoff& cutoff, NarrowFraction& best) {
  for (std::uint32_t part = 0; part < lists_.parts.size(); ++part) {
    for (const Ports which : {Ports::sending, Ports::receiving})
      if (const auto failure = raise_by_ports(part, which, best)) return failure;
    if (cutoff.is_passed_by(best)) return TickAnswerKind::cut_off;
  }
  return std::nullopt;
}

TickAnswer WorkflowSolver::solve_clusters(const TickCutoff& cutoff, SolveFor aim) {
  NarrowFraction best;
  if (!raise_by_computations(lists_, sums_, best)) return {};
  if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  if (const auto failure = list_steps()) return {*failure, {}, {}};
  if (const auto failure = raise_by_all_ports(cutoff, best)) {
    return {*failure, *failure == TickAnswerKind::cut_off ? best : NarrowFraction{}, {}};
  }
  const NarrowFraction cycle_time = best;
  if (aim == SolveFor::cycle_time) return {TickAnswerKind::exact, best, best, cycle_time};
  find_clusters();
  bool is_interval = false;
  for (std::uint32_t k = 0; k < cluster_count_; ++k) {
    const std::span<const std::uint32_t> columns = clusters_[k];
    // One data set at a time would be fast enough.
    if (columns.empty() || !less(best, {sequential_ticks(columns), 1})) continue;
    if (columns.size() == 1 && is_settled(columns_[columns.front()])) continue;
    if (!rows_of(columns)) {
      is_interval = true;
      continue;
    }
    const SearchEnd end = search_cluster(columns, cutoff, best);
    if (end == SearchEnd::too_wide) return {TickAnswerKind::unfit, {}, {}, cycle_time};
    if (end == SearchEnd::stopped) return {TickAnswerKind::cut_off, best, {}, cycle_time};
  }
  const std::span all = std::span(all_columns_).first(columns_.size());
  if (is_interval) return {TickAnswerKind::interval, best, {sequential_ticks(all), 1}, cycle_time};
  return {TickAnswerKind::exact, best, best, cycle_time};
}

// Whether a port takes part in every transfer of the column: then that port's cycle time is the period.
bool WorkflowSolver::is_settled(const Column& column) const {
  return lists_.parts[column.from].nodes == 1 || lists_.parts[column.to].nodes == 1;
}

std::uint32_t WorkflowSolver::class_of(std::uint32_t port) {
  while (joined_[port] != port) {
    joined_[port] = joined_[joined_[port]];
    port = joined_[port];
  }
  return port;
}

// Transfers wait for each other where they share ports, directly or not. A computation leads from the class of what its
// part receives to that of what it sends: those on a circuit of classes are in its cluster.
void WorkflowSolver::find_clusters() {
  const auto parts = static_cast<std::uint32_t>(lists_.parts.size());
  joined_.resize(std::size_t{2} * parts);
  std::iota(joined_.begin(), joined_.end(), 0U);
  for (const Column& column : columns_) {
    if (!column.is_computation()) joined_[class_of(sending_port(column.from))] = class_of(receiving_port(column.to));
  }
  first_way_.assign(joined_.size(), kNone);
  next_way_.resize(parts);
  for (std::uint32_t part = 0; part < parts; ++part) {
    // Ports without transfers are classes of their own, to which and from which nothing leads.
    std::uint32_t& first = first_way_[class_of(receiving_port(part))];
    next_way_[part] = first;
    first = part;
  }
  visits_.assign(joined_.size(), {});
  visited_ = 0;
  cluster_count_ = 0;
  for (std::uint32_t port = 0; port < joined_.size(); ++port)
    if (joined_[port] == port && visits_[port].order == 0) visit(port);
  if (clusters_.size() < cluster_count_) clusters_.resize(cluster_count_);
  for (std::uint32_t k = 0; k < cluster_count_; ++k) clusters_[k].clear();
  for (std::uint32_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const std::uint32_t cluster = visits_[class_of(sending_port(column.from))].cluster;
    if (!column.is_computation() || visits_[class_of(receiving_port(column.from))].cluster == cluster)
      clusters_[cluster].push_back(c);
  }
}

// Tarjan's strongly connected components.
void WorkflowSolver::visit(std::uint32_t port_class) {
  Visit& here = visits_[port_class];
  here = {++visited_, visited_, 0, true};
  open_.push_back(port_class);
  for (std::uint32_t part = first_way_[port_class]; part != kNone; part = next_way_[part]) {
    const std::uint32_t next = class_of(sending_port(part));
    if (visits_[next].order == 0) visit(next);
    if (visits_[next].is_open) here.lowest = std::min(here.lowest, visits_[next].lowest);
  }
  if (here.lowest != here.order) return;
  for (bool is_last = false; !is_last; open_.pop_back()) {
    Visit& member = visits_[open_.back()];
    member.is_open = false;
    member.cluster = cluster_count_;
    is_last = open_.back() == port_class;
  }
  ++cluster_count_;
}

void WorkflowSolver::set_turns(std::span<const std::uint32_t> columns) {
  turns_.clear();
  for (const std::uint32_t c : columns) {
    const Column& column = columns_[c];
    const Step* const first = steps_.data() + column.first_step;
    turns_.push_back({first, first, first + column.length, column.from, column.to, 0, 0});
  }
  computed_.assign(lists_.parts.size(), kNever);
  arrived_.assign(lists_.parts.size(), kNever);
}

SearchEnd WorkflowSolver::search_cluster(std::span<const std::uint32_t> columns, const TickCutoff& cutoff,
                                         NarrowFraction& best) {
  const std::uint64_t rows = *rows_of(columns);
  set_turns(columns);
  // By part: what computes, sends and receives.
  bases_.assign(3 * lists_.parts.size(), kNone);
  std::uint32_t clocks = 0;
  const auto offset = [&](std::uint32_t part, std::size_t kind) {
    std::uint32_t& base = bases_[3 * std::size_t{part} + kind];
    if (base == kNone) {
      base = clocks;
      clocks += lists_.parts[part].nodes;
    }
    return base - lists_.parts[part].first_node;  // modulo 2^32, as what it is added to
  };
  for (Turn& turn : turns_) {
    const bool computes = turn.from == turn.to;
    turn.sender_offset = offset(turn.from, computes ? 0 : 1);
    turn.receiver_offset = computes ? turn.sender_offset : offset(turn.to, 2);
  }
  const auto longest_path = static_cast<std::int64_t>(rows) * sequential_ticks(columns);
  if (!fits(rows, sequential_ticks(columns))) return SearchEnd::too_wide;
  return search_.raise_to_period(rows, {0, clocks}, longest_path, cutoff, best,
                                 [&](std::int64_t* keys, std::int64_t unit) { play_ports(rows, keys, unit); });
}

void WorkflowSolver::play_ports(std::uint64_t rows, std::int64_t* keys, std::int64_t unit) {
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (Turn& turn : turns_) {
      const Step& step = turn.next();
      std::int64_t& sender = keys[step.sender + turn.sender_offset];
      if (turn.from == turn.to) {
        sender = std::max(sender, arrived_[turn.from]) + step.ticks * unit;
        computed_[turn.from] = sender;
        arrived_[turn.from] = kNever;
        continue;
      }
      std::int64_t end = computed_[turn.from];
      if (step.sender != step.receiver) {
        std::int64_t& receiver = keys[step.receiver + turn.receiver_offset];
        end = std::max({end, sender, receiver}) + step.ticks * unit;
        sender = end;
        receiver = end;
      }
      arrived_[turn.to] = std::max(arrived_[turn.to], end);
    }
  }
  std::ranges::fill(arrived_, kNever);
}

void WorkflowSolver::play_processors(std::uint64_t rows, std::int64_t* keys, std::int64_t unit) {
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (Turn& turn : turns_) {
      const Step& step = turn.next();
      std::int64_t& sender = keys[step.sender];
      if (turn.from == turn.to) {
        sender += step.ticks * unit;
      } else if (step.sender != step.receiver) {
        std::int64_t& receiver = keys[step.receiver];
        const std::int64_t end = std::max(sender, receiver) + step.ticks * unit;
        sender = end;
        receiver = end;
      }
    }
  }
}

// From the cycle times in `sums_` over the net's rows to the period.
TickAnswer WorkflowSolver::search_rows(std::uint64_t rows, std::size_t clocks, const TickCutoff& cutoff, SolveFor aim,
                                       bool is_strict) {
  const std::span all = std::span(all_columns_).first(columns_.size());
  NarrowFraction best = largest_sum(sums_, rows);
  const NarrowFraction cycle_time = best;
  if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}, cycle_time};
  const std::int64_t longest_path = static_cast<std::int64_t>(rows) * sequential_ticks(all);
  if (aim == SolveFor::cycle_time || best.numerator == longest_path)
    return {TickAnswerKind::exact, best, best, cycle_time};
  set_turns(all);
  const std::uint32_t nodes = lists_.nodes;
  for (Turn& turn : turns_) {
    if (is_strict || turn.from == turn.to) continue;
    turn.sender_offset = nodes;
    turn.receiver_offset = 2 * nodes;
  }
  const auto play = [&](std::int64_t* keys, std::int64_t unit) {
    is_strict ? play_processors(rows, keys, unit) : play_ports(rows, keys, unit);
  };
  const SearchEnd end = search_.raise_to_period(rows, {0, clocks}, longest_path, cutoff, best, play);
  if (end == SearchEnd::too_wide) return {TickAnswerKind::unfit, {}, {}, cycle_time};
  if (end == SearchEnd::stopped) return {TickAnswerKind::cut_off, best, {}, cycle_time};
  return {TickAnswerKind::exact, best, best, cycle_time};
}

TickAnswer WorkflowSolver::solve_strict(const TickCutoff& cutoff, SolveFor aim) {
  NarrowFraction best;
  if (cutoff.ticks.denominator != 0 && !lists_.shared) {
    if (!raise_by_computations(lists_, sums_, best)) return {};
    if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  }
  if (const auto failure = list_steps()) return {*failure, {}, {}};
  const std::span all = std::span(all_columns_).first(columns_.size());
  if (const auto rows = rows_of(all)) {
    if (!fits(*rows, sequential_ticks(all))) return {};
    sums_.assign(lists_.nodes, 0);
    add_up(all, *rows, Ports::all, sums_.data());
    return search_rows(*rows, lists_.nodes, cutoff, aim, true);
  }
  if (lists_.shared) return {TickAnswerKind::too_large, {}, {}};
  for (std::uint32_t part = 0; part < lists_.parts.size(); ++part) {
    if (const auto failure = raise_by_ports(part, Ports::all, best)) return {*failure, {}, {}};
    if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  }
  const NarrowFraction upper{sequential_ticks(all), 1};
  if (aim == SolveFor::cycle_time || !less(best, upper)) return {TickAnswerKind::exact, best, best, best};
  return {TickAnswerKind::interval, best, upper, best};
}

// A processor's computing, sending and receiving are a clock each.
TickAnswer WorkflowSolver::solve_shared_ports(const TickCutoff& cutoff, SolveFor aim) {
  if (const auto failure = list_steps()) return {*failure, {}, {}};
  const std::span all = std::span(all_columns_).first(columns_.size());
  const auto rows = rows_of(all);
  if (!rows) return {TickAnswerKind::too_large, {}, {}};
  if (!fits(*rows, sequential_ticks(all))) return {};
  const std::size_t nodes = lists_.nodes;
  sums_.assign(3 * nodes, 0);
  for (const std::uint32_t& c : all) {
    const std::span one(&c, 1);
    if (columns_[c].is_computation()) {
      add_up(one, *rows, Ports::sending, sums_.data());
      continue;
    }
    add_up(one, *rows, Ports::sending, sums_.data() + nodes);
    add_up(one, *rows, Ports::receiving, sums_.data() + 2 * nodes);
  }
  return search_rows(*rows, 3 * nodes, cutoff, aim, false);
}

}  // namespace takt::evaluators

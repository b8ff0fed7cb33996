// Lists a mapping's operations in ticks, bounds their period, and searches where the bounds leave a choice.
#include "evaluators/mapping_solver.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace takt::evaluators {

namespace {

__extension__ typedef __int128 Int128;

// All columns together, each of at most TickTimes::kMostTicks = 2^50, stay below 2^62.
constexpr std::size_t kMostParts = 1000;
// Clocks times rows, of which there are less than 2^33, stay below 2^62.
constexpr std::size_t kMostEntries = std::size_t{1} << 26;

// Whether `count` operations of up to `ticks` each have a sum below 2^62.
bool fits(std::uint64_t count, std::int64_t ticks) {
  return static_cast<Int128>(count) * ticks < static_cast<Int128>(1) << 62;
}

void raise(Ratio& best, const Ratio& other) {
  if (less(best, other)) best = other;
}

// Over a number of data sets; the sums are below 2^62.
Ratio largest_sum(const std::vector<std::uint64_t>& sums, std::uint64_t data_sets) {
  return {static_cast<std::int64_t>(*std::ranges::max_element(sums)), static_cast<std::int64_t>(data_sets)};
}

}  // namespace

MappingSolver::MappingSolver(const tpn::Document& problem, const tpn::Timing& timing, tpn::TickTimes times,
                             std::uint64_t max_operations)
    : problem_(problem),
      timing_(timing),
      times_(std::move(times)),
      max_operations_(std::min(max_operations, std::uint64_t{1} << 32)),
      has_source_(problem.platform.source.has_value()),
      has_sink_(problem.platform.sink.has_value()),
      ends_{problem.platform.processors.size(), problem.platform.processors.size() + 1},
      seen_(problem.platform.processors.size() + 2) {}

TickAnswer MappingSolver::solve(std::span<const tpn::Part> mapping, tpn::Model model, const TickCutoff& cutoff,
                                SolveFor aim) {
  list_parts(mapping);
  if (parts_.size() > kMostParts || entries_.size() > kMostEntries) return {};
  list_computations();
  switch (model) {
    case tpn::Model::overlap:
      return shared_ ? solve_shared_ports(cutoff, aim) : solve_columns(cutoff, aim);
    case tpn::Model::strict:
      return solve_strict(cutoff, aim);
  }
  return {};
}

void MappingSolver::list_parts(std::span<const tpn::Part> mapping) {
  parts_.clear();
  entries_.clear();
  columns_.clear();
  steps_.clear();
  nodes_ = 0;
  shared_ = false;
  ++evaluation_;
  std::size_t stage = 0;
  if (has_source_) add_part({ends_.data(), 1}, seen_.size(), 0, 0);
  for (const tpn::Part& part : mapping) {
    maxplus::expects(part.first_stage == stage && part.last_stage >= stage, "a mapping has its parts in stage order");
    stage = part.last_stage + 1;
    add_part(part.processors, problem_.platform.processors.size(), part.first_stage, part.last_stage);
  }
  maxplus::expects(stage == problem_.application.stages.size(), "a mapping holds every stage");
  if (has_sink_) add_part({&ends_[1], 1}, seen_.size(), 0, 0);
}

void MappingSolver::add_part(std::span<const std::size_t> processors, std::size_t limit, std::size_t first_stage,
                             std::size_t last_stage) {
  maxplus::expects(!processors.empty() && processors.size() < (std::size_t{1} << 31),
                   "a part has between 1 and 2^31 entries");
  const auto index = static_cast<std::uint32_t>(parts_.size());
  NetPart part;
  part.processors = processors.data();
  part.first_stage = first_stage;
  part.last_stage = last_stage;
  part.length = static_cast<std::uint32_t>(processors.size());
  part.first_entry = static_cast<std::uint32_t>(entries_.size());
  part.first_node = nodes_;
  for (const std::size_t processor : processors) {
    maxplus::expects(processor < limit, "a mapping names processors of the platform");
    Seen& seen = seen_[processor];
    if (seen.evaluation != evaluation_) {
      seen = {evaluation_, nodes_++, index};
    } else if (seen.part != index) {
      shared_ = true;
    }
    entries_.push_back({seen.node, 0});
  }
  part.nodes = nodes_ - part.first_node;
  parts_.push_back(part);
}

void MappingSolver::list_computations() {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    NetPart& part = parts_[i];
    if (is_source(i) || is_sink(i)) continue;
    for (std::uint32_t entry = 0; entry < part.length; ++entry) {
      const std::size_t processor = part.processors[entry];
      const std::int64_t ticks = times_.computation(part.first_stage, part.last_stage, processor);
      if (ticks < 0) throw_for_computation(part, processor);
      entries_[part.first_entry + entry].computation = ticks;
      part.longest = std::max(part.longest, ticks);
    }
  }
}

// Timing says what is missing.
void MappingSolver::throw_for_computation(const NetPart& part, std::size_t processor) const {
  timing_.computation(part.first_stage, part.last_stage, processor);
  maxplus::expects(false, "a computation without ticks has no time either");
}

void MappingSolver::throw_for_transfer(std::size_t part, std::size_t from, std::size_t to) const {
  if (is_source(part)) {
    timing_.from_source(to);
  } else if (is_sink(part + 1)) {
    timing_.to_sink(from);
  } else {
    timing_.transfer(parts_[part].last_stage, from, to);
  }
  maxplus::expects(false, "a transfer without ticks has no time either");
}

std::int64_t MappingSolver::transfer(std::size_t part, std::size_t from, std::size_t to) const {
  if (from == to) return 0;
  const std::int64_t ticks = is_source(part)     ? times_.from_source(to)
                             : is_sink(part + 1) ? times_.to_sink(from)
                                                 : times_.transfer(parts_[part].last_stage, from, to);
  if (ticks < 0) throw_for_transfer(part, from, to);
  return ticks;
}

bool MappingSolver::list_steps(std::size_t part, std::uint32_t sender_clocks, std::uint32_t receiver_clocks) {
  const NetPart& senders = parts_[part];
  const NetPart& receivers = parts_[part + 1];
  const std::uint64_t length = std::lcm(std::uint64_t{senders.length}, std::uint64_t{receivers.length});
  if (steps_.size() + length > max_operations_) return false;
  Column column;
  column.first_step = steps_.size();
  column.length = static_cast<std::uint32_t>(length);
  steps_.resize(steps_.size() + length);
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  for (Step& step : std::span(steps_).subspan(column.first_step)) {
    const Entry& from = entries_[senders.first_entry + a];
    const Entry& to = entries_[receivers.first_entry + b];
    step.transfer = transfer(part, senders.processors[a], receivers.processors[b]);
    step.both = step.transfer + to.computation;
    step.sender = from.node + sender_clocks;
    step.receiver = to.node + receiver_clocks;
    column.longest = std::max(column.longest, step.transfer);
    if (++a == senders.length) a = 0;
    if (++b == receivers.length) b = 0;
  }
  columns_.push_back(column);
  return true;
}

std::optional<std::uint64_t> MappingSolver::count_rows() const {
  const std::uint64_t limit = max_operations_ / parts_.size();
  std::uint64_t rows = 1;  // at most 2^32, and a length less than 2^31
  for (const NetPart& part : parts_) {
    rows = std::lcm(rows, std::uint64_t{part.length});
    if (rows > limit) return std::nullopt;
  }
  return rows;
}

bool MappingSolver::add_computations(std::uint64_t data_sets) {
  std::int64_t total = 0;
  for (const NetPart& part : parts_) total += part.longest;
  if (!fits(data_sets, total)) return false;
  for (const NetPart& part : parts_) {
    const std::uint64_t times = data_sets / part.length;
    for (const Entry& entry : std::span(entries_).subspan(part.first_entry, part.length)) {
      sums_[entry.node] += static_cast<std::uint64_t>(entry.computation) * times;
    }
  }
  return true;
}

bool MappingSolver::add_transfers(const Column& column, std::uint64_t data_sets) {
  if (!fits(data_sets, column.longest)) return false;
  const std::uint64_t times = data_sets / column.length;
  for (const Step& step : steps_of(column)) {
    sums_[step.sender] += static_cast<std::uint64_t>(step.transfer) * times;
    sums_[step.receiver] += static_cast<std::uint64_t>(step.transfer) * times;
  }
  return true;
}

std::int64_t MappingSolver::sequential_ticks() const {
  std::int64_t total = 0;
  for (const NetPart& part : parts_) total += part.longest;
  for (const Column& column : columns_) total += column.longest;
  return total;
}

bool MappingSolver::raise_by_computations(Ratio& best) {
  for (const NetPart& part : parts_) {
    if (part.is_distinct()) {
      raise(best, {part.longest, part.length});
      continue;
    }
    if (!fits(part.length, part.longest)) return false;
    sums_.assign(part.nodes, 0);
    for (const Entry& entry : std::span(entries_).subspan(part.first_entry, part.length)) {
      sums_[entry.node - part.first_node] += static_cast<std::uint64_t>(entry.computation);
    }
    raise(best, largest_sum(sums_, part.length));
  }
  return true;
}

// OVERLAP where no processor serves two parts: no circuit leaves its column.
TickAnswer MappingSolver::solve_columns(const TickCutoff& cutoff, SolveFor aim) {
  Ratio best;
  if (!raise_by_computations(best)) return {};
  if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  for (std::size_t i = 0; i + 1 < parts_.size(); ++i) {
    const NetPart& senders = parts_[i];
    const NetPart& receivers = parts_[i + 1];
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
    if (end == SearchEnd::unfit) return {};
    if (end == SearchEnd::stopped) return {TickAnswerKind::cut_off, best, {}};
  }
  return {TickAnswerKind::exact, best, best};
}

// Whether a port takes part in every transfer of its component: then that port's cycle time is the period.
bool MappingSolver::is_settled(const NetPart& senders, const NetPart& receivers) {
  if (senders.nodes == 1 || receivers.nodes == 1) return true;
  const std::uint32_t components = std::gcd(senders.length, receivers.length);
  return senders.is_distinct() && receivers.is_distinct() &&
         (components == senders.length || components == receivers.length);
}

SearchEnd MappingSolver::search_column(std::size_t part, const TickCutoff& cutoff, Ratio& best) {
  const Column& column = columns_[part];
  if (is_settled(parts_[part], parts_[part + 1])) return SearchEnd::proved;
  // One transfer at a time would be fast enough.
  if (!less(best, {column.longest, 1})) return SearchEnd::proved;
  const std::int64_t common = std::gcd(best.denominator, std::int64_t{column.length});
  const std::int64_t data_sets = column.length / common;
  if (!fits(static_cast<std::uint64_t>(data_sets), best.numerator)) return SearchEnd::unfit;
  Ratio lambda{best.numerator * data_sets, best.denominator / common};
  const Ratio start = lambda;
  const auto pass = [steps = steps_of(column)](std::int64_t* keys, std::int64_t unit) {
    for (const Step& step : steps) {
      const std::int64_t end = std::max(keys[step.sender], keys[step.receiver]) + step.transfer * unit;
      keys[step.sender] = end;
      keys[step.receiver] = end;
    }
  };
  // Where lambda has risen, its denominator is a number of clocks.
  const auto period = [&](const Ratio& ratio) { return Ratio{ratio.numerator, ratio.denominator * column.length}; };
  const auto stop = [&](const Ratio& ratio) { return cutoff.is_passed_by(period(ratio)); };
  const std::size_t clocks = parts_[part].nodes + parts_[part + 1].nodes;
  const SearchEnd end = search_.run(clocks, column.longest * column.length, lambda, pass, stop);
  if (less(start, lambda)) best = period(lambda);
  return end;
}

// From the cycle times in `sums_` over the net's rows to the period, by passes over all rows.
template <typename Pass>
TickAnswer MappingSolver::search_rows(std::uint64_t rows, std::size_t clocks, const TickCutoff& cutoff, SolveFor aim,
                                      Pass pass) {
  const auto data_sets = static_cast<std::int64_t>(rows);
  Ratio best = largest_sum(sums_, rows);
  if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  const std::int64_t longest_path = data_sets * sequential_ticks();
  const bool settled = best.numerator == longest_path || (rows == 1 && !shared_);
  if (aim == SolveFor::cycle_time || settled) return {TickAnswerKind::exact, best, best};
  Ratio lambda{best.numerator, 1};
  const auto period = [&](const Ratio& ratio) { return Ratio{ratio.numerator, ratio.denominator * data_sets}; };
  const auto stop = [&](const Ratio& ratio) { return cutoff.is_passed_by(period(ratio)); };
  const SearchEnd end = search_.run(clocks, longest_path, lambda, pass, stop);
  best = period(lambda);
  if (end == SearchEnd::unfit) return {};
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
  if (const Ratio lower = largest_sum(sums_, *rows); cutoff.is_passed_by(lower)) {
    return {TickAnswerKind::cut_off, lower, {}};
  }
  for (std::size_t i = 0; i + 1 < parts_.size(); ++i) {
    if (!list_steps(i, 0, 0)) return {TickAnswerKind::too_large, {}, {}};
    add_transfers(columns_.back(), *rows);
  }
  if (!fits(*rows, sequential_ticks())) return {};
  const auto pass = [this, rows = *rows](std::int64_t* keys, std::int64_t unit) {
    const NetPart& first = parts_.front();
    const Entry* const entries = entries_.data();
    const Step* const steps = steps_.data();
    Column* const columns = columns_.data();
    const std::size_t count = columns_.size();
    for (Column& column : columns_) column.at = 0;
    std::uint32_t entry = 0;
    for (std::uint64_t row = 0; row < rows; ++row) {
      std::uint32_t node = entries[entry].node;
      std::int64_t end = keys[node] + entries[entry].computation * unit;
      if (++entry == first.length) entry = 0;
      for (std::size_t c = 0; c < count; ++c) {
        Column& column = columns[c];
        const Step& step = steps[column.first_step + column.at];
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
    for (NetPart& part : parts_) part.at = 0;
    for (Column& column : columns_) column.at = 0;
    for (std::uint64_t row = 0; row < rows; ++row) {
      std::int64_t end = std::numeric_limits<std::int64_t>::min();
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        NetPart& part = parts_[i];
        const Entry& entry = entries_[part.first_entry + part.at];
        if (++part.at == part.length) part.at = 0;
        end = std::max(end, keys[entry.node]) + entry.computation * unit;
        keys[entry.node] = end;
        if (i == columns_.size()) break;
        Column& column = columns_[i];
        const Step& step = steps_[column.first_step + column.at];
        if (++column.at == column.length) column.at = 0;
        if (step.receiver == step.sender + nodes_) continue;  // within one processor: no time, no port
        end = std::max({end, keys[step.sender], keys[step.receiver]}) + step.transfer * unit;
        keys[step.sender] = end;
        keys[step.receiver] = end;
      }
    }
  };
  return search_rows(*rows, 3 * std::size_t{nodes_}, cutoff, aim, pass);
}

// STRICT where the rows are too many and no processor serves two parts: cycle times over the data sets after
// which a processor's own operations repeat.
TickAnswer MappingSolver::bound_strict(const TickCutoff& cutoff, SolveFor aim) {
  Ratio best;
  const auto length_of = [&](std::size_t column) { return std::uint64_t{columns_[column].length}; };
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const NetPart& part = parts_[i];
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
    for (const Entry& entry : std::span(entries_).subspan(part.first_entry, part.length)) {
      sums_[entry.node - part.first_node] += static_cast<std::uint64_t>(entry.computation) * (data_sets / part.length);
    }
    if (receives) {
      for (const Step& step : steps_of(columns_[i - 1])) {
        sums_[step.receiver - part.first_node] +=
            static_cast<std::uint64_t>(step.transfer) * (data_sets / length_of(i - 1));
      }
    }
    if (sends) {
      for (const Step& step : steps_of(columns_[i])) {
        sums_[step.sender - part.first_node] += static_cast<std::uint64_t>(step.transfer) * (data_sets / length_of(i));
      }
    }
    raise(best, largest_sum(sums_, data_sets));
    if (cutoff.is_passed_by(best)) return {TickAnswerKind::cut_off, best, {}};
  }
  const Ratio upper{sequential_ticks(), 1};
  if (aim == SolveFor::cycle_time || !less(best, upper)) return {TickAnswerKind::exact, best, best};
  return {TickAnswerKind::interval, best, upper};
}

}  // namespace takt::evaluators

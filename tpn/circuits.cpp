// Lists the operations of each resource, and averages their durations.
#include "tpn/circuits.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>

#include "tpn/column_period.hpp"

namespace takt::tpn {

namespace {

// The transfers of a part that a resource of that kind handles, receptions first.
template <typename Visit>
void for_each_transfer(const NetPart& part, ConstraintKind kind, Visit visit) {
  if (handles_receptions(kind)) std::ranges::for_each(part.receptions, visit);
  if (handles_sendings(kind)) std::ranges::for_each(part.sendings, visit);
}

// The data sets after which a processor's resource repeats. A part that it exchanges files with counts only where the
// processor, or its host, serves that too: some of the transfers between them are then internal.
Integer repetition(const Pipeline& pipeline, const ServiceIndex& services, ConstraintKind kind, std::size_t processor) {
  Integer height = 1;
  const std::size_t host = pipeline.port_owner(processor);
  const auto include = [&](PartIndex part) { height = lcm(height, Integer(pipeline.parts[part].sequence.size())); };
  std::optional<PartIndex> last_seen;
  for (const auto& service : services.of(processor)) {
    const PartIndex part = service.part;
    if (last_seen && part == *last_seen) continue;
    last_seen = part;
    if (handles_computations(kind)) include(part);
    for_each_transfer(pipeline.parts[part], kind, [&](ColumnIndex transfer) {
      include(part);
      const PartIndex other = other_end(pipeline.columns[transfer], part);
      if (services.serves(host, other)) include(other);
    });
  }
  return height;
}

// Of the entry of a sequence: where a column keeps what it takes, in rounds.
std::size_t place_of(std::size_t entry, const Column& column, std::size_t length) {
  return (entry + column.shift % length) % length;
}

// Calls visit(sender, receiver, count, index) for the pairs that meet in a transfer column: index is their duration's
// in the column's table, count the number of data sets, out of the meeting period, on which they meet.
template <typename Visit>
void for_each_meeting(const Pipeline& pipeline, const Column& column, Visit visit) {
  const auto& senders = pipeline.parts[column.part].sequence;
  const auto& receivers = pipeline.parts[column.receiver].sequence;
  const std::size_t g = std::gcd(senders.size(), receivers.size());
  struct Share {
    std::size_t processor = 0;
    std::uint64_t count = 0;
  };
  for (std::size_t residue = 0; residue < g; ++residue) {
    std::map<std::size_t, Share> rows;
    std::map<std::size_t, Share> cells;
    for (std::size_t a = residue; a < senders.size(); a += g) {
      Share& share = rows[column.sender_offset[place_of(a, column, senders.size())]];
      share.processor = senders[a];
      ++share.count;
    }
    for (std::size_t b = residue; b < receivers.size(); b += g) {
      Share& share = cells[column.receiver_offset[place_of(b, column, receivers.size())]];
      share.processor = receivers[b];
      ++share.count;
    }
    for (const auto& [row, sender] : rows) {
      for (const auto& [cell, receiver] : cells) {
        visit(sender.processor, receiver.processor, sender.count * receiver.count, row + cell);
      }
    }
  }
}

// Adds to each processor's total what a column takes of its time over the meeting period; duration(index) reads the
// table. In 128 bits none wraps: a total is at most the period, below 2^64, times a duration, below 2^63.
template <typename Total, typename DurationAt>
void add_column(const Pipeline& pipeline, const Column& column, ConstraintKind kind, DurationAt duration,
                std::vector<Total>& totals) {
  if (column.kind == ColumnKind::transfer) {
    for_each_meeting(pipeline, column, [&](std::size_t from, std::size_t to, std::uint64_t count, std::size_t index) {
      const Total time = Total(duration(index)) * count;
      if (kind == ConstraintKind::segment) {
        for (std::size_t s = pipeline.ports.first_segment; s < totals.size(); ++s)
          if (pipeline.segment(s).passes(from, to)) totals[s] += time;
        return;
      }
      const std::size_t sender = pipeline.owner(kind, from);
      const std::size_t receiver = pipeline.owner(kind, to);
      if (sender == receiver) return;
      if (handles_sendings(kind)) totals[sender] += time;
      if (handles_receptions(kind)) totals[receiver] += time;
    });
  } else {
    const auto& sequence = pipeline.parts[column.part].sequence;
    for (std::size_t entry = 0; entry < sequence.size(); ++entry) {
      const std::size_t place = place_of(entry, column, sequence.size());
      totals[sequence[entry]] += duration(column.sender_offset[place] + column.receiver_offset[0]);
    }
  }
}

template <typename Total>
void add_cycle_times(const Pipeline& pipeline, const Column& column, const std::vector<Total>& totals,
                     std::vector<Rational>& cycle_times) {
  const Integer divisor = Integer(meeting_period(column)) * pipeline.scale;
  for (std::size_t p = 0; p < totals.size(); ++p) {
    if (totals[p] != 0) cycle_times[p] += Rational::fraction(maxplus::integer_of(totals[p]), divisor);
  }
}

}  // namespace

ServiceIndex::ServiceIndex(const Pipeline& pipeline) : services_(pipeline.processors.size()) {
  for (const PartIndex part : pipeline.all_parts()) {
    const auto& sequence = pipeline.parts[part].sequence;
    for (std::size_t entry = 0; entry < sequence.size(); ++entry) {
      services_[sequence[entry]].push_back({part, entry});
      const std::size_t host = pipeline.port_owner(sequence[entry]);
      if (host != sequence[entry]) services_[host].push_back({part, entry});
    }
  }
}

bool owns(const Pipeline& pipeline, ConstraintKind kind, std::size_t processor) {
  if (pipeline.is_segment(processor) || kind == ConstraintKind::segment)
    return pipeline.is_segment(processor) && kind == ConstraintKind::segment;
  if (!handles_computations(kind)) return pipeline.port_owner(processor) == processor;
  // A source or sink with other ports has no processor that does one thing at a time.
  const bool handles_transfers = handles_receptions(kind) || handles_sendings(kind);
  return !pipeline.is_host(processor) && !(handles_transfers && pipeline.has_ports_beside(processor));
}

std::span<const ServiceIndex::Service> ServiceIndex::of(std::size_t processor, PartIndex part) const {
  const auto& all = services_[processor];
  const auto first = std::ranges::lower_bound(all, part, {}, &Service::part);
  const auto last = std::ranges::upper_bound(all, part, {}, &Service::part);
  return {first, last};
}

Integer most_operations(const Pipeline& pipeline, const ServiceIndex& services, ConstraintKind kind,
                        std::size_t processor) {
  const Integer height = repetition(pipeline, services, kind, processor);
  Integer most = 0;
  for (const auto& service : services.of(processor)) {
    const NetPart& served = pipeline.parts[service.part];
    std::size_t operations = handles_computations(kind) ? 1 : 0;
    for_each_transfer(served, kind, [&](ColumnIndex) { ++operations; });
    most += height / served.sequence.size() * operations;
  }
  return most;
}

namespace {

// After how many entries it repeats which sides of a segment they are on.
std::uint64_t repetition_of_sides(const std::vector<std::size_t>& sequence, const SegmentWay& way) {
  const auto repeats_after = [&](std::uint64_t period) {
    for (std::size_t entry = period; entry < sequence.size(); ++entry) {
      const std::size_t here = sequence[entry];
      const std::size_t before = sequence[entry - period];
      if (way.from[here] != way.from[before] || way.to[here] != way.to[before]) return false;
    }
    return true;
  };
  std::uint64_t period = sequence.size();
  for (const std::uint64_t factor : maxplus::prime_factors(period))
    while (period % factor == 0 && repeats_after(period / factor)) period /= factor;
  return period;
}

bool is_on_segment(const Pipeline& pipeline, const SegmentWay& way, const Column& transfer) {
  const auto& senders = pipeline.parts[transfer.part].sequence;
  const auto& receivers = pipeline.parts[transfer.receiver].sequence;
  const std::size_t g = std::gcd(senders.size(), receivers.size());
  // By residue, whether some sender is on either side.
  std::vector<std::array<bool, 2>> sides(g, {false, false});
  for (std::size_t a = 0; a < senders.size(); ++a) {
    if (way.from[senders[a]]) sides[a % g][0] = true;
    if (way.to[senders[a]]) sides[a % g][1] = true;
  }
  for (std::size_t b = 0; b < receivers.size(); ++b) {
    if (way.to[receivers[b]] && sides[b % g][0]) return true;
    if (way.is_both && way.from[receivers[b]] && sides[b % g][1]) return true;
  }
  return false;
}

std::variant<Circuit, TooLarge> list_segment(const Pipeline& pipeline, const SegmentWay& way, std::uint64_t limit) {
  std::vector<ColumnIndex> transfers;
  Integer height = 1;
  for (const ColumnIndex c : pipeline.all_columns()) {
    const Column& column = pipeline.columns[c];
    if (column.kind != ColumnKind::transfer || !is_on_segment(pipeline, way, column)) continue;
    transfers.push_back(c);
    for (const PartIndex part : {column.part, column.receiver})
      height = lcm(height, Integer(repetition_of_sides(pipeline.parts[part].sequence, way)));
  }
  const Integer most = height * transfers.size();
  if (most > limit) return TooLarge{LimitKind::circuit_operations, most, limit};
  Circuit circuit;
  circuit.height = height.get_ui();
  for (std::uint64_t round = 0; round < circuit.height; ++round) {
    for (const ColumnIndex c : transfers) {
      const Column& column = pipeline.columns[c];
      const std::uint64_t j = (round + circuit.height - column.shift % circuit.height) % circuit.height;
      if (way.passes(pipeline.parts[column.part].processor_at(j), pipeline.parts[column.receiver].processor_at(j)))
        circuit.operations.push_back({round, c});
    }
  }
  return circuit;
}

}  // namespace

std::variant<Circuit, TooLarge> list_circuit(const Pipeline& pipeline, const ServiceIndex& services,
                                             ConstraintKind kind, std::size_t processor, std::uint64_t limit) {
  if (kind == ConstraintKind::segment) return list_segment(pipeline, pipeline.segment(processor), limit);
  const Integer height = repetition(pipeline, services, kind, processor);
  const Integer most = most_operations(pipeline, services, kind, processor);
  if (most > limit) return TooLarge{LimitKind::circuit_operations, most, limit};

  Circuit circuit;
  circuit.operations.reserve(most.get_ui());
  circuit.height = height.get_ui();
  for (const auto& service : services.of(processor)) {
    const NetPart& served = pipeline.parts[service.part];
    const auto in_round = [&](std::uint64_t j, ColumnIndex c) {
      const std::uint64_t shift = pipeline.columns[c].shift;
      return Operation{shift == 0 ? j : (j + shift) % circuit.height, c};
    };
    for (std::uint64_t j = service.entry; j < circuit.height; j += served.sequence.size()) {
      // What only fills a batch occupies nobody, and would hold up the processor until its file is there.
      const bool fills = served.computed_at(j) == 0 && !served.receptions.empty();
      if (handles_computations(kind) && !fills) circuit.operations.push_back(in_round(j, served.computation));
      for_each_transfer(served, kind, [&](ColumnIndex transfer) {
        const Operation operation = in_round(j, transfer);
        if (pipeline.is_handled(kind, transfer, operation.data_set)) circuit.operations.push_back(operation);
      });
    }
  }
  std::ranges::sort(circuit.operations);
  return circuit;
}

std::variant<Circuit, TooLarge> circuit_of(const Pipeline& pipeline, ConstraintKind kind, std::size_t processor,
                                           std::uint64_t limit) {
  return list_circuit(pipeline, ServiceIndex(pipeline), kind, processor, limit);
}

PartIndex part_served(const Pipeline& pipeline, const Operation& operation, ConstraintKind kind, std::size_t owner) {
  const Column& column = pipeline.columns[operation.column];
  if (kind == ConstraintKind::segment) return column.part;
  const bool sends = pipeline.owner(kind, pipeline.sender_of(operation)) == owner;
  return sends ? column.part : column.receiver;
}

BusiestPort busiest_port(const Pipeline& pipeline, const Circuit& circuit, PortCount ports, std::uint64_t limit) {
  const std::uint64_t operations = circuit.operations.size();
  Integer repetition = circuit.height;
  for (const Operation& operation : circuit.operations)
    repetition = lcm(repetition, Integer(pipeline.columns[operation.column].period));
  const Integer laps = repetition / circuit.height;
  if (laps * operations > limit) return {};
  const std::uint64_t all = Integer(laps * operations).get_ui();
  std::vector<Rational> busy(std::gcd(ports, all));
  for (std::uint64_t k = 0; k < all; ++k) {
    Operation operation = circuit.operations[k % operations];
    operation.data_set += k / operations * circuit.height;
    busy[k % busy.size()] += pipeline.duration(operation);
  }
  const auto busiest = std::ranges::max_element(busy);
  return {*busiest * Rational::fraction(busy.size(), Integer(ports) * repetition),
          static_cast<std::uint64_t>(busiest - busy.begin())};
}

namespace {

// Instead of the sum of all ports' times, and none of what is no resource.
void share_among_ports(const Pipeline& pipeline, ConstraintKind kind, OfPorts which,
                       std::vector<Rational>& cycle_times) {
  if (pipeline.ports.count.empty()) return;
  for (std::size_t p = 0; p < cycle_times.size(); ++p)
    if (!owns(pipeline, kind, p)) cycle_times[p] = 0;
  if (handles_computations(kind)) return;
  const ServiceIndex services(pipeline);
  for (std::size_t p = 0; p < cycle_times.size(); ++p) {
    const PortCount ports = pipeline.port_count(p);
    if (ports == kOnePort || !owns(pipeline, kind, p)) continue;
    if (ports == kUnlimitedPorts) {
      cycle_times[p] = 0;
      continue;
    }
    const std::uint64_t limit = which == OfPorts::mean ? 0 : kDefaultCircuitSteps;
    const auto circuit = list_circuit(pipeline, services, kind, p, limit);
    const auto* const listed = std::get_if<Circuit>(&circuit);
    std::optional<Rational> busiest;
    if (listed != nullptr && !listed->operations.empty())
      busiest = busiest_port(pipeline, *listed, ports, kDefaultCircuitSteps).cycle_time;
    cycle_times[p] = busiest ? *busiest : cycle_times[p] / Rational(ports);
  }
}

}  // namespace

std::vector<Rational> cycle_times_of(const Pipeline& pipeline, ConstraintKind kind, OfPorts which) {
  std::vector<Rational> cycle_times(pipeline.processors.size());
  std::vector<maxplus::Int128> totals;
  std::vector<Integer> long_totals;
  for (const Column& column : pipeline.columns) {
    const bool uses = column.kind == ColumnKind::compute
                          ? handles_computations(kind)
                          : handles_sendings(kind) || handles_receptions(kind) || kind == ConstraintKind::segment;
    if (!uses) continue;
    if (const auto narrow = column.table.narrow()) {
      totals.assign(cycle_times.size(), 0);
      add_column(
          pipeline, column, kind, [&](std::size_t k) { return (*narrow)[k]; }, totals);
      add_cycle_times(pipeline, column, totals, cycle_times);
    } else {
      long_totals.assign(cycle_times.size(), Integer(0));
      add_column(
          pipeline, column, kind, [&](std::size_t k) { return column.table[k]; }, long_totals);
      add_cycle_times(pipeline, column, long_totals, cycle_times);
    }
  }
  share_among_ports(pipeline, kind, which, cycle_times);
  return cycle_times;
}

}  // namespace takt::tpn

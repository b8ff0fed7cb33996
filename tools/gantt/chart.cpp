// Schedules by time: which data sets can have an operation in a window, and when.
#include "tools/gantt/chart.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "evaluators/play/play.hpp"
#include "maxplus/contract.hpp"

namespace takt::tools {

using evaluators::CircuitStep;
using evaluators::CriticalCircuit;
using evaluators::Firing;
using evaluators::PacedSchedule;
using maxplus::Integer;
using maxplus::Rational;

namespace {

Integer remainder(const Integer& number, const Integer& modulus) {
  Integer result;
  mpz_fdiv_r(result.get_mpz_t(), number.get_mpz_t(), modulus.get_mpz_t());
  return result;
}

bool is_within(const TimeWindow& window, const Rational& start, const Rational& end) {
  if (start == end) return window.from <= start && start < window.to;
  return start < window.to && window.from < end;
}

Rational duration_of(const tpn::Pipeline& pipeline, tpn::ColumnIndex column, const Integer& data_set) {
  return pipeline.duration({representative(pipeline, column, data_set), column});
}

}  // namespace

std::uint64_t representative(const tpn::Pipeline& pipeline, tpn::ColumnIndex column, const Integer& data_set) {
  const tpn::Column& operations = pipeline.columns[column];
  Integer alike = pipeline.parts[operations.part].sequence.size();
  if (operations.kind == tpn::ColumnKind::transfer) alike *= pipeline.parts[operations.receiver].sequence.size();
  return Integer(remainder(data_set, alike) + operations.shift).get_ui();
}

PacedChart::PacedChart(const tpn::FoldedNet& net, const PacedSchedule& paced, const CriticalCircuit& circuit)
    : net_(net), paced_(paced), circuit_(circuit), critical_(paced.columns) {
  maxplus::expects(!circuit.steps.empty(), "a critical circuit has a step");
  for (const CircuitStep& step : circuit.steps) {
    heights_before_.push_back(height_);
    height_ += step.height;
  }
  for (std::size_t k = 0; k < circuit.steps.size(); ++k) {
    critical_[circuit.steps[k].column].insert(remainder(heights_before_[k], height_));
  }
  lap_steps_ = circuit.laps * circuit.steps.size();
  lap_data_sets_ = circuit.laps * height_;
  entry_ = -paced.start(Integer(circuit.data_set), circuit.steps.front().column);
  for (std::size_t c = 0; c < paced.columns; ++c) {
    Integer earliest = paced.offsets[c];
    Integer latest = earliest;
    Integer longest;
    for (std::uint64_t row = 0; row < paced.rows; ++row) {
      const Integer& offset = paced.offsets[row * paced.columns + c];
      earliest = std::min(earliest, offset);
      latest = std::max(latest, offset);
      longest = std::max(longest, net.pipeline.columns[c].duration(row));
    }
    earliest_start_.push_back(Rational::fraction(earliest, paced.unit));
    latest_end_.push_back(Rational::fraction(latest, paced.unit) + Rational::fraction(longest, net.pipeline.scale));
  }
}

bool PacedChart::for_each(const TimeWindow& window, const ChartVisit& visit) const {
  for (const tpn::ColumnIndex c : net_.pipeline.all_columns()) {
    Integer first = circuit_.data_set;
    Integer last = first + lap_data_sets_ - 1;
    // Without a period nothing takes any time, and all happens at once.
    if (paced_.period.sign() != 0) {
      first = ((window.from - entry_ - latest_end_[c]) / paced_.period).floor();
      last = ((window.to - entry_ - earliest_start_[c]) / paced_.period).floor();
    }
    for (Integer j = first; j <= last; ++j) {
      const ChartOperation found = operation(j, c);
      if (is_within(window, found.start, found.end) && !visit(found)) return false;
    }
  }
  return true;
}

ChartOperation PacedChart::step(const Integer& number) const {
  const std::size_t count = circuit_.steps.size();
  const std::size_t k = maxplus::modulo(number, count);
  const Integer lap = (number - k) / count;
  return operation(circuit_.data_set + lap * height_ + heights_before_[k], circuit_.steps[k].column);
}

ChartOperation PacedChart::operation(const Integer& round, tpn::ColumnIndex column) const {
  const Integer data_set = round - net_.pipeline.columns[column].shift;
  const Rational start = entry_ + paced_.start(round, column);
  return {data_set, column, start, start + duration_of(net_.pipeline, column, data_set), is_critical(round, column)};
}

bool PacedChart::is_critical(const Integer& round, tpn::ColumnIndex column) const {
  return critical_[column].contains(remainder(round - circuit_.data_set, height_));
}

bool StartUpChart::for_each(const TimeWindow& window, const ChartVisit& visit) const {
  // No operation of a data set is before its first, and each comes later on the next data set of its row. So nothing is
  // to come once all entries of the first part's sequence had a turn behind the window, in the rounds of all columns,
  // or all rows one without a share.
  const std::uint64_t rounds = std::ranges::max(net_.pipeline.columns, {}, &tpn::Column::shift).shift;
  const std::size_t turns = net_.pipeline.parts.front().sequence.size() + rounds;
  std::size_t late = 0;
  std::uint64_t without = 0;
  std::uint64_t played = 0;
  bool fits = true;
  evaluators::play(net_, data_sets_.value_or(UINT64_MAX), [&](const Firing& firing) {
    if (firing.operation.column == 0) {
      late = firing.start < window.to ? 0 : late + 1;
      if (late > turns || without > net_.pipeline.rows + rounds) return false;
      ++without;
    }
    if (firing.start < firing.end && firing.start < window.to) without = 0;
    fits = ++played <= kMostPlayed;
    if (fits && is_within(window, firing.start, firing.end)) {
      const std::uint64_t data_set = net_.pipeline.data_set_of(firing.operation);
      fits = visit({Integer(data_set), firing.operation.column, firing.start, firing.end, false});
    }
    return fits;
  });
  return fits;
}

std::vector<Rational> StartUpChart::completions(std::uint64_t most) const {
  std::vector<Rational> done;
  Rational latest;
  std::map<std::uint64_t, std::pair<std::size_t, Rational>> left;  // by data set, of the exits that it has passed
  const std::vector<tpn::PartIndex> exits = net_.pipeline.exits();
  if (most == 0) return done;
  // The play that is drawn: behind the last of fewer data sets some operations would come sooner.
  evaluators::play(net_, data_sets_.value_or(UINT64_MAX), [&](const Firing& firing) {
    const auto exit = std::ranges::find_if(
        exits, [&](tpn::PartIndex part) { return net_.pipeline.parts[part].computation == firing.operation.column; });
    if (exit == exits.end()) return true;
    const std::uint64_t last = net_.pipeline.data_set_of(firing.operation);
    net_.pipeline.parts[*exit].for_each_computed_at(last, [&](std::uint64_t j) {
      auto& [passed, end] = left[j];
      end = std::max(end, firing.end);
      if (++passed < exits.size() || done.size() == most) return;
      latest = std::max(latest, end);
      done.push_back(latest);
      left.erase(j);
    });
    return done.size() < most;
  });
  return done;
}

std::vector<ChartOperation> StartUpChart::first_data_set() const {
  std::vector<ChartOperation> operations;
  evaluators::play(net_, data_sets_.value_or(UINT64_MAX), [&](const Firing& firing) {
    if (net_.pipeline.data_set_of(firing.operation) == 0)
      operations.push_back({0, firing.operation.column, firing.start, firing.end, false});
    return operations.size() < net_.pipeline.columns.size();
  });
  std::ranges::sort(operations, {}, &ChartOperation::column);
  return operations;
}

std::optional<std::vector<ChartOperation>> operations_in(const ChartSchedule& schedule, const TimeWindow& window,
                                                         std::size_t most) {
  std::vector<ChartOperation> operations;
  const bool fit = schedule.for_each(window, [&](const ChartOperation& operation) {
    if (operations.size() == most) return false;
    operations.push_back(operation);
    return true;
  });
  if (!fit) return std::nullopt;
  std::ranges::sort(operations, [](const ChartOperation& a, const ChartOperation& b) {
    return std::tie(a.data_set, a.column) < std::tie(b.data_set, b.column);
  });
  return operations;
}

}  // namespace takt::tools

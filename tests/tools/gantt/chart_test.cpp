// Charts by time: the critical circuit without a gap, the operations of windows, resources one at a time.
#include "tools/gantt/chart.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "evaluators/play/play.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/tools/gantt/steady.hpp"
#include "tools/gantt/chart_window.hpp"
#include "tpn/models.hpp"

namespace takt::tools {
namespace {

using maxplus::Integer;
using maxplus::Rational;
using testing::Steady;

std::vector<ChartOperation> operations_of(const ChartSchedule& schedule, const TimeWindow& window) {
  constexpr std::size_t kAll = 1'000'000;
  return operations_in(schedule, window, kAll).value();
}

template <typename Visit>
void for_each_steady(std::uint64_t seeds, Visit visit) {
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const tpn::Document document = support::random_document(kind, seed);
      for (const tpn::Model& model : support::all_models()) {
        INFO("kind " << static_cast<int>(kind) << ", seed " << seed << ", " << tpn::label_of(model));
        const Steady steady(document, model);
        if (steady.evaluation.upper.sign() != 0) visit(steady);
      }
    }
  }
}

TEST_CASE("each operation of the critical circuit starts the moment the one before it ends, from 0 to the lap's end") {
  for_each_steady(15, [](const Steady& steady) {
    Rational end;
    Integer data_set = steady.evaluation.circuit.data_set;
    for (Integer k = 0; k < steady.chart.lap_steps(); ++k) {
      const ChartOperation step = steady.chart.step(k);
      REQUIRE(step.start == end);
      REQUIRE(step.is_critical);
      REQUIRE(step.data_set >= data_set);
      end = step.end;
      data_set = step.data_set;
    }
    REQUIRE(end == steady.chart.lap_time());
    const ChartOperation again = steady.chart.step(steady.chart.lap_steps());
    REQUIRE(again.start == end);
    REQUIRE(again.data_set == Integer(steady.evaluation.circuit.data_set) + steady.chart.lap_data_sets());
    REQUIRE(steady.chart.step(-1).end == Rational());
  });
}

// Everything from well before a window to well behind it, by the schedule's own definition.
std::vector<std::tuple<Integer, std::size_t>> within(const Steady& steady, const TimeWindow& window) {
  const Rational longest = Rational::fraction(std::ranges::max(steady.paced.offsets), steady.paced.unit);
  const Rational period = steady.chart.period();
  const Rational reach = longest + period + Rational(10) + steady.chart.lap_time();
  std::vector<std::tuple<Integer, std::size_t>> found;
  const auto whole = [](const Rational& number) { return Integer(number.numerator() / number.denominator()); };
  const Integer first = whole((window.from - steady.chart.entry() - reach) / period) - 2;
  const Integer last = whole((window.to - steady.chart.entry()) / period) + 2;
  for (Integer j = first; j <= last; ++j) {
    for (const tpn::ColumnIndex c : steady.net.pipeline.all_columns()) {
      const Rational start = steady.chart.entry() + steady.paced.start(j, c);
      const std::uint64_t rows = steady.net.pipeline.rows.get_ui();
      const Rational end = start + steady.net.pipeline.duration({maxplus::modulo(j, rows), c});
      const bool touches =
          start == end ? window.from <= start && start < window.to : start < window.to && end > window.from;
      if (touches) found.emplace_back(j, c);
    }
  }
  return found;
}

TEST_CASE("a window of the steady state has the operations that take time within it") {
  for_each_steady(2, [](const Steady& steady) {
    const Rational lap = steady.chart.lap_time();
    for (const TimeWindow& window :
         {TimeWindow{0, lap}, TimeWindow{-lap, lap / Rational(3)}, TimeWindow{lap / Rational(7), lap / Rational(6)}}) {
      std::vector<std::tuple<Integer, std::size_t>> found;
      for (const ChartOperation& operation : operations_of(steady.chart, window)) {
        found.emplace_back(operation.data_set, operation.column);
        CHECK(operation.start == steady.chart.entry() + steady.paced.start(operation.data_set, operation.column));
      }
      REQUIRE(found == within(steady, window));
    }
  });
}

TEST_CASE("critical operations are those of the circuit's steps, lap after lap") {
  for_each_steady(3, [](const Steady& steady) {
    const TimeWindow laps{-steady.chart.lap_time(), steady.chart.lap_time()};
    std::set<std::tuple<Integer, std::size_t>> steps;
    for (Integer k = -steady.chart.lap_steps() - 1; k <= steady.chart.lap_steps(); ++k) {
      const ChartOperation step = steady.chart.step(k);
      steps.emplace(step.data_set, step.column);
    }
    for (const ChartOperation& operation : operations_of(steady.chart, laps)) {
      if (operation.start == operation.end) continue;
      REQUIRE(operation.is_critical == steps.contains({operation.data_set, operation.column}));
    }
  });
}

TEST_CASE("no bars of a line overlap") {
  for_each_steady(3, [](const Steady& steady) {
    const LineIndex index(steady.net);
    const TimeWindow window{0, steady.chart.lap_time() + steady.chart.period() * Rational(5)};
    std::map<std::size_t, std::vector<std::tuple<Rational, Rational>>> bars;
    for (const ChartOperation& operation : operations_of(steady.chart, window)) {
      for (const LineIndex::Place& place : index.places_of(operation)) {
        REQUIRE(place.line < gantt_lines(steady.net).size());
        bars[place.line].emplace_back(operation.start, operation.end);
      }
    }
    REQUIRE_FALSE(bars.empty());
    for (auto& [line, times] : bars) {
      std::ranges::sort(times);
      for (std::size_t k = 1; k < times.size(); ++k) REQUIRE(std::get<1>(times[k - 1]) <= std::get<0>(times[k]));
    }
  });
}

// With transfers ahead and with batches too: of the play that goes on, data sets of a batch at its end.
TEST_CASE("the first data sets are done when the play that is drawn delivers them") {
  std::size_t nets = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const tpn::Document document = seed % 2 == 0 ? support::ahead_document(seed) : support::batch_document(seed);
    const tpn::FoldedNet net = support::net_of(document, tpn::Model::kStrict);
    const tpn::Pipeline& pipeline = net.pipeline;
    const StartUpChart chart(net);
    constexpr std::uint64_t kDone = 4;
    std::vector<Rational> ends(kDone);
    evaluators::play(net, 4000, [&](const evaluators::Firing& firing) {
      for (const tpn::PartIndex exit : pipeline.exits()) {
        if (pipeline.parts[exit].computation != firing.operation.column) continue;
        for (std::uint64_t j = 0; j < kDone; ++j) {
          if (pipeline.parts[exit].computed_with(j) == pipeline.data_set_of(firing.operation))
            ends[j] = std::max(ends[j], firing.end);
        }
      }
      return firing.operation.data_set < 200;
    });
    for (std::uint64_t j = 1; j < kDone; ++j) ends[j] = std::max(ends[j], ends[j - 1]);
    INFO("seed " << seed);
    REQUIRE(chart.completions(kDone) == ends);
    const std::vector<ChartOperation> first = chart.first_data_set();
    REQUIRE(first.size() == pipeline.columns.size());
    for (const tpn::ColumnIndex c : pipeline.all_columns()) REQUIRE(first[c].column == c);
    nets += pipeline.is_shifted() || pipeline.has_batches() ? 1 : 0;
  }
  CHECK(nets > 30);
}

TEST_CASE("a window of the start-up has what takes time there in the play") {
  for_each_steady(2, [](const Steady& steady) {
    const StartUpChart chart(steady.net);
    const Rational end = chart.completions(5).back();
    for (const TimeWindow& window : {TimeWindow{0, end}, TimeWindow{end / Rational(2), end}, TimeWindow{-9, -1}}) {
      std::vector<std::tuple<Integer, std::size_t>> played;
      evaluators::play(steady.net, 300, [&](const evaluators::Firing& firing) {
        const bool takes_time = firing.start < firing.end;
        if (takes_time && firing.start < window.to && firing.end > window.from) {
          played.emplace_back(firing.operation.data_set, firing.operation.column);
        }
        return true;
      });
      INFO(window.from.to_string() << " to " << window.to.to_string());
      std::vector<std::tuple<Integer, std::size_t>> operations;
      for (const ChartOperation& operation : operations_of(chart, window)) {
        if (operation.start < operation.end && operation.data_set < 300) {
          operations.emplace_back(operation.data_set, operation.column);
        }
      }
      REQUIRE(operations == played);
    }
  });
}

TEST_CASE("data sets before 0 have the processors and durations of those behind") {
  for_each_steady(2, [](const Steady& steady) {
    const std::uint64_t rows = steady.net.pipeline.rows.get_ui();
    for (const tpn::ColumnIndex c : steady.net.pipeline.all_columns()) {
      for (long j = -30; j < 30; ++j) {
        const std::uint64_t alike = representative(steady.net.pipeline, c, j);
        const std::uint64_t row = maxplus::modulo(Integer(j), rows);
        const tpn::Column& column = steady.net.pipeline.columns[c];
        REQUIRE(column.duration(alike) == column.duration(row));
        const auto& parts = steady.net.pipeline.parts;
        REQUIRE(parts[column.part].processor_at(alike) == parts[column.part].processor_at(row));
        if (column.kind != tpn::ColumnKind::transfer) continue;
        REQUIRE(parts[column.receiver].processor_at(alike) == parts[column.receiver].processor_at(row));
      }
    }
  });
}

TEST_CASE("a lap of more than 400 bars is cut to as many steps as have no more") {
  const Steady steady(support::document_of("examples/example-c.json"), *tpn::find_model("strict"));
  const ChosenWindow window = paced_window(steady.subject(), steady.chart, {});
  REQUIRE(window.cut == std::vector<std::string>{"first 14 of 42 operations of the critical circuit"});
  REQUIRE(window.times.from == Rational());
  REQUIRE(window.times.to == steady.chart.step(13).end);
  const LineIndex index(steady.net);
  const auto bars_until = [&](const Rational& end) {
    std::size_t bars = 0;
    for (const ChartOperation& operation : operations_of(steady.chart, with_margins({0, end}))) {
      bars += index.places_of(operation).size();
    }
    return bars;
  };
  CHECK(bars_until(window.times.to) <= kChosenBars);
  CHECK(bars_until(steady.chart.step(14).end) > kChosenBars);
}

TEST_CASE("where one step has more than 400 bars, only the lines of the circuit are drawn") {
  // A thousand processors alike that take turns; P0 is the only one of its part.
  const std::size_t replication[] = {1, 1000};
  const tpn::Document document = support::replicated_document(
      replication, [](std::size_t part, std::size_t, std::size_t) { return Rational(part == 0 ? 1000 : 999'000); });
  const Steady steady(document, *tpn::find_model("overlap"));
  const ChosenWindow window = paced_window(steady.subject(), steady.chart, {});
  REQUIRE_FALSE(window.lines.empty());
  CHECK(window.lines.size() < gantt_lines(steady.net).size());
  REQUIRE_FALSE(window.cut.empty());
  CHECK(window.cut.front().ends_with("lines, those of the critical circuit"));
  CHECK(window.times.from < window.times.to);
}

}  // namespace
}  // namespace takt::tools

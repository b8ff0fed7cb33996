// Measured runs: plays have the exact period and durations of their nets; stalls, noise and early operations are seen.
#include "live/measurement/measurement.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "live/measurement/explanation.hpp"
#include "live/measurement/measured_document.hpp"
#include "tests/live/measurement/plays.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/named_ends.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::live {
namespace {

using evaluators::Firing;
using support::Draw;
using tpn::Document;
using tpn::FoldedNet;

Trace played(const FoldedNet& net, std::uint64_t data_sets) {
  Trace trace;
  evaluators::play(net, data_sets, [&](const Firing& firing) {
    trace.push_back(firing);
    return true;
  });
  return trace;
}

// Everything from a moment on takes place later.
void stall(Trace& trace, const Rational& from, const Rational& length) {
  for (Firing& firing : trace) {
    if (firing.start >= from) firing.start += length;
    if (firing.end > from) firing.end += length;
  }
}

// The data sets for windows of whole repetitions of the steady state, and the length of a repetition; nothing if
// that is too long.
struct EnoughDataSets {
  std::uint64_t number;
  std::uint64_t repetition;
};

std::optional<EnoughDataSets> enough_data_sets(const FoldedNet& net) {
  constexpr std::uint64_t kMost = 3000;
  if (net.pipeline.rows > 60) return std::nullopt;
  const auto evaluation = evaluators::evaluate(net, support::options_of(evaluators::Method::simulate));
  if (!evaluation.measurement || !evaluation.measurement->repeats) return std::nullopt;
  const evaluators::Repetition& repeats = *evaluation.measurement->repeats;
  const std::uint64_t transient = *std::ranges::max_element(repeats.transients);
  const std::uint64_t repetition = net.pipeline.rows.get_ui() * repeats.hyper_periods;
  std::uint64_t data_sets = 25 * repetition * (transient / (5 * repetition) + 2);
  while (data_sets <= kMost && stretch_of(net, data_sets).window % repetition != 0) data_sets += 25 * repetition;
  if (data_sets > kMost) return std::nullopt;
  return EnoughDataSets{data_sets, repetition};
}

// Whether all of the last data sets are done at the pace of the period. Where processors never wait for each other the
// slowest may be ahead for long, as it started sooner.
bool is_even(const FoldedNet& net, const Trace& trace, std::uint64_t repetition, const Rational& period) {
  const std::size_t columns = net.pipeline.columns.size();
  for (std::uint64_t k = 0; k < repetition; ++k) {
    const std::size_t last = trace.size() - 1 - k * columns;
    if (trace[last].end - trace[last - repetition * columns].end != period * Rational(repetition)) return false;
  }
  return true;
}

TEST_CASE("nobody is busy for more than all of a short run, its transient included") {
  const std::uint64_t seeds = support::draws(40);
  std::size_t shares = 0;
  support::for_each_net({.seeds = seeds, .first = 1}, support::all_models(), [&](const FoldedNet& net) {
    for (const Rational& share : measure(net, played(net, 40)).busy) {
      REQUIRE(share.sign() >= 0);
      REQUIRE(share <= Rational(1));
      ++shares;
    }
  });
  REQUIRE(shares > 1000);
}

TEST_CASE("the play of a net, measured, has its exact period, utilizations and durations") {
  const std::uint64_t seeds = support::draws(4);
  std::size_t measured = 0;
  support::for_each_net({.seeds = seeds, .first = 1}, support::all_models(), [&](const FoldedNet& net) {
    const auto data_sets = enough_data_sets(net);
    if (!data_sets) return;
    const Rational period = support::period_of(net);
    const Trace trace = played(net, data_sets->number);
    if (!is_even(net, trace, data_sets->repetition, period)) return;
    ++measured;
    const RunMeasurement run = measure(net, trace);
    REQUIRE(run.period == period);
    REQUIRE(!run.stretch.is_played);
    REQUIRE(run.stalls.empty());
    REQUIRE(run.early == 0);
    if (period.sign() == 0) {
      REQUIRE(run.busy.empty());
    } else if (data_sets->repetition == net.pipeline.rows) {
      for (std::size_t r = 0; r < net.resources.size(); ++r) {
        REQUIRE(run.busy[r] == net.resources[r].cycle_time / period);
      }
    }
    std::map<OperationKey, Rational> nominal;
    for (std::uint64_t j = 0; j < data_sets->number; ++j) {
      for (const tpn::ColumnIndex c : net.pipeline.all_columns()) {
        nominal[key_of(net.pipeline, {j, c})] = net.pipeline.duration({j, c});
      }
    }
    for (const OperationClass& seen : run.classes) {
      REQUIRE(seen.mean == nominal.at(key_of(seen)));
      REQUIRE(seen.median == seen.mean);
    }
  });
  REQUIRE(measured >= 10 * seeds);
}

TEST_CASE("the instance with the measured durations of a play is the instance itself") {
  const std::uint64_t seeds = support::draws(40);
  std::size_t equal = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const support::Kind kind : support::kKinds) {
      const Document drawn = support::random_document(kind, seed);
      const Document document = seed % 2 == 0 ? support::with_named_ends(drawn, seed, support::EndPorts::any) : drawn;
      const FoldedNet net = support::net_of(document, tpn::Model::kStrict);
      if (net.pipeline.rows > 60) continue;
      CAPTURE(seed, static_cast<int>(kind));
      const RunMeasurement run = measure(net, played(net, 10 * net.pipeline.rows.get_ui()));
      // A pair of processors that meets in several columns has one time, the mean of theirs.
      std::map<std::pair<std::size_t, std::size_t>, std::pair<Rational, int>> pairs;
      for (const OperationClass& seen : run.classes) {
        if (net.pipeline.columns[seen.column].kind != tpn::ColumnKind::transfer) continue;
        auto& [sum, count] = pairs[{seen.sender, seen.receiver}];
        sum += seen.mean;
        ++count;
      }
      const Document result = measured_document(document, net, run, MeasuredValue::mean);
      const FoldedNet again =
          support::net_of(tpn::read_document(tpn::write_document(result), "measured"), tpn::Model::kStrict);
      bool is_equal = true;
      for (std::uint64_t j = 0; j < net.pipeline.rows.get_ui(); ++j) {
        for (const tpn::ColumnIndex c : net.pipeline.all_columns()) {
          const auto [column, sender, receiver] = key_of(net.pipeline, {j, c});
          Rational expected = net.pipeline.duration({j, c});
          if (net.pipeline.is_transfer(c) && !net.pipeline.is_internal(c, j)) {
            const auto& [sum, count] = pairs.at({sender, receiver});
            is_equal = is_equal && sum / Rational(count) == expected;
            expected = sum / Rational(count);
          }
          REQUIRE(again.pipeline.duration({j, c}) == expected);
        }
      }
      if (!is_equal) continue;
      ++equal;
      const Document by_medians = measured_document(document, net, run, MeasuredValue::median);
      REQUIRE(support::period_of(support::net_of(by_medians, tpn::Model::kStrict)) == support::period_of(net));
    }
  }
  REQUIRE(equal >= 4 * seeds);
}

namespace {

// As runs tell of it: by data set, then column, also where the net counts rounds.
Trace played_by_data_sets(const FoldedNet& net, std::uint64_t data_sets) {
  Trace trace = played(net, data_sets);
  for (Firing& firing : trace) firing.operation.data_set = net.pipeline.data_set_of(firing.operation);
  std::ranges::sort(trace, {}, &Firing::operation);
  return trace;
}

}  // namespace

TEST_CASE("a batch is measured whole: what only fills it is no computation, and its data sets are delivered with it") {
  const Document document = document_of_pairs();
  const FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
  const Trace trace = played_by_data_sets(net, 40);
  const RunMeasurement run = measure(net, trace);
  CHECK(run.period == Rational::fraction(5, 2));
  CHECK(run.overtaking == 0);
  REQUIRE(run.classes.size() == 3);
  CHECK(run.classes.back().size == 2);
  CHECK(run.classes.back().operations == 16);
  CHECK(run.classes.back().mean == Rational(5));
  CHECK(measured_document(document, net, run, MeasuredValue::mean).application == document.application);
  // Data sets 0 and 1 are both there at 2.
  const std::vector<Rational> ends = ends_of_data_sets(net.pipeline, trace);
  CHECK(std::vector<Rational>(ends.begin(), ends.begin() + 4) ==
        std::vector<Rational>{Rational(7), Rational(7), Rational(12), Rational(12)});
  // A run of 39 ends with a batch of one.
  Trace cut(trace.begin(), trace.end() - static_cast<std::ptrdiff_t>(net.pipeline.columns.size()));
  cut.back().end = cut.back().start + Rational(4);
  const RunMeasurement of_cut = measure(net, cut);
  REQUIRE(of_cut.classes.size() == 4);
  CHECK(of_cut.classes[2].size == 1);
  CHECK(of_cut.classes[2].operations == 1);
}

TEST_CASE("the instance with the measured durations of a play in batches is the instance itself") {
  std::size_t batches = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(600); ++seed) {
    const Document document = support::batch_document(seed);
    const FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
    if (net.pipeline.rows > 60) continue;
    CAPTURE(seed);
    const std::uint64_t data_sets =
        evaluators::played_data_sets(net, std::max(kFewestMeasured, 10 * net.pipeline.rows.get_ui()));
    const RunMeasurement run = measure(net, played_by_data_sets(net, data_sets));
    for (const OperationClass& seen : run.classes) {
      REQUIRE(seen.size > 0);
      if (seen.size > 1) ++batches;
    }
    const Document result = measured_document(document, net, run, MeasuredValue::mean);
    const FoldedNet again =
        support::net_of(tpn::read_document(tpn::write_document(result), "measured"), tpn::Model::kOverlap);
    for (std::uint64_t j = 0; j < 2 * net.pipeline.rows.get_ui(); ++j) {
      for (const tpn::ColumnIndex c : net.pipeline.all_columns()) {
        if (net.pipeline.is_transfer(c)) continue;
        const tpn::Operation operation{j + net.pipeline.columns[c].shift, c};
        REQUIRE(again.pipeline.duration(operation) == net.pipeline.duration(operation));
      }
    }
  }
  CHECK(batches > 20);
}

TEST_CASE("durations that differ are samples of the measured instance, whose mean is what they were on average") {
  const Document document = support::document_of("examples/example-a.json");
  const FoldedNet net = support::net_of(document, tpn::Model::kStrict);
  RunMeasurement run = measure(net, played(net, 60));
  for (OperationClass& seen : run.classes) {
    CHECK(seen.durations.size() == seen.operations);
    CHECK(seen.durations.front() == seen.durations.back());
  }
  const Document constant = measured_document(document, net, run, MeasuredValue::mean);
  CHECK(std::ranges::none_of(constant.platform.links,
                             [](const tpn::Link& link) { return static_cast<bool>(link.timing.fixed_law); }));
  for (OperationClass& seen : run.classes) {
    // One before its time, which counts as 0, and one as much later: the mean stays.
    seen.durations.front() = -seen.mean;
    seen.durations.back() = Rational(3) * seen.mean;
  }
  const Document varied = measured_document(document, net, run, MeasuredValue::mean);
  const Document again = tpn::read_document(tpn::write_document(varied), "again");
  CHECK(again == varied);
  CHECK(support::period_of(support::net_of(again, tpn::Model::kStrict)) == support::period_of(net));
  for (const tpn::Stage& stage : again.application.stages) {
    for (const tpn::StageTime& time : stage.times) {
      REQUIRE(time.law);
      CHECK(time.law->samples.front() == Rational(0));
      CHECK(time.law->samples.back() > Rational(2));
    }
  }
}

TEST_CASE("stalls of the machine move the slope and the mean, and not the median") {
  const Document document = support::document_of("examples/example-a.json");
  const FoldedNet net = support::net_of(document, tpn::Model::kStrict);
  const Rational period = support::period_of(net);
  Trace trace = played(net, 400);
  const RunMeasurement calm = measure(net, trace);
  REQUIRE(calm.interval.has_value());
  CHECK(calm.interval->low == Approx(calm.interval->high));
  stall(trace, 30'000, 2000);
  stall(trace, 60'000, 2500);
  const RunMeasurement run = measure(net, trace);
  CHECK(run.period == period);
  CHECK(run.stalls.size() == 2);
  CHECK(run.slow_windows >= 36);
  CHECK(*run.slope > 1.02 * period.to_double().value());
  CHECK(run.interval->mean == Approx(period.to_double().value() + 4500 / 320.0).epsilon(0.01));
  CHECK(run.interval->low < *period.to_double());
  CHECK(run.interval->high > run.interval->mean);
}

TEST_CASE("durations that vary are measured by their definition") {
  // In these no window is so slow by chance that it is taken for a stall.
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const auto& [file, window] : {std::pair{"examples/example-a.json", 0},
                                       {"examples/weighted-round-robin.json", 0},
                                       {"examples/several-parts.json", 3}}) {
      CAPTURE(seed, file);
      const Document document = support::document_of(file);
      const FoldedNet net =
          with_window(support::net_of(document, tpn::Model::kStrict), static_cast<std::uint64_t>(window));
      Draw draw(seed);
      std::map<OperationKey, std::vector<Rational>> drawn;
      const std::uint64_t data_sets = 300;
      const Trace trace = run_of(net, data_sets, [&](const tpn::Operation& at) {
        Rational duration =
            net.pipeline.duration(at) * (Rational(1) + Rational::fraction(draw.between(0, 1000), 100'000));
        if (at.data_set >= data_sets / 5) drawn[key_of(net.pipeline, at)].push_back(duration);
        return duration;
      });
      const RunMeasurement run = measure(net, trace);
      for (const OperationClass& seen : run.classes) {
        std::vector<Rational>& values = drawn.at(key_of(seen));
        std::ranges::sort(values);
        Rational sum;
        for (const Rational& value : values) sum += value;
        CHECK(seen.operations == values.size());
        CHECK(seen.mean == sum / Rational(values.size()));
        CHECK(seen.median == (values[(values.size() - 1) / 2] + values[values.size() / 2]) / Rational(2));
      }
      CHECK(run.period > support::period_of(net));
      CHECK(run.period < support::period_of(net) * Rational::fraction(101, 100));
      CHECK(run.interval->low < run.interval->high);
      CHECK(*run.slope == Approx(run.interval->mean).epsilon(0.005));
    }
  }
}

TEST_CASE("where the hyper-period is too long the run is compared with the play") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-c.json"), tpn::Model::kStrict);
  REQUIRE(net.pipeline.rows == 10395);
  Trace trace = played(net, 400);
  const RunMeasurement exact = measure(net, trace);
  REQUIRE(exact.stretch.is_played);
  CHECK(exact.played == exact.period);
  CHECK(exact.played == played_period(net, exact.stretch));
  CHECK(exact.stalls.empty());
  CHECK(exact.stretch.window == 16);
  // Every data set a thousandth of a time unit later than the one before.
  for (Firing& firing : trace) {
    const Rational late = Rational::fraction(maxplus::Integer(firing.operation.data_set), 1000);
    firing.start += late;
    firing.end += late;
  }
  CHECK(*measure(net, trace).period.to_double() == Approx(*exact.played->to_double() + 0.001).margin(0.0002));
  const FoldedNet small = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  const RunMeasurement forced = measure(small, played(small, 100), true);
  CHECK(forced.stretch.is_played);
  CHECK(forced.played == forced.period);
}

TEST_CASE("equal processors make a net short, and a run of them none") {
  const std::vector<std::size_t> replication = {5, 21, 27, 11};
  const Document document = support::uniform_document(replication, 10, 10, 1);
  const FoldedNet net = support::net_of(document, tpn::Model::kStrict);
  REQUIRE(net.pipeline.rows == 10395);
  REQUIRE(tpn::repetition_of(net) < 40);
  Draw draw(1);
  const Trace trace = run_of(net, 400, [&](const tpn::Operation& at) {
    return net.pipeline.duration(at) + Rational::fraction(draw.between(0, 100), 10'000);
  });
  const RunMeasurement run = measure(net, trace);
  CHECK(run.stretch.is_played);
  const auto explained = explain(net, trace, run);
  REQUIRE(explained.has_value());
  CHECK(explained->by_instance == run.played);
  CHECK(explained->by_own == run.period);
}

TEST_CASE("windows are the least multiple of the hyper-period from a 25th of the data sets on") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  const auto window = [&](std::uint64_t data_sets) { return stretch_of(net, data_sets).window; };
  CHECK(window(60) == 6);
  CHECK(window(150) == 6);
  CHECK(window(151) == 12);
  CHECK(window(300) == 12);
  CHECK(window(301) == 24);
  CHECK(window(400) == 24);
  CHECK(window(1800) == 72);
  CHECK(window(1801) == 144);
  CHECK(!stretch_of(net, 60).is_played);
  CHECK(stretch_of(net, 59).is_played);
  CHECK(stretch_of(net, 59).window == 3);
  CHECK(stretch_of(net, 400).first == 80);
  const RunMeasurement run = measure(net, played(net, kFewestMeasured));
  CHECK(run.windows == 7);
  CHECK(run.period == *run.played);
}

TEST_CASE("operations that begin too soon, and data sets that overtake, are counted") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-b.json"), tpn::Model::kStrict);
  Trace trace = played(net, 100);
  std::uint64_t overtaking = 0;
  Rational latest;
  const std::size_t columns = net.pipeline.columns.size();
  for (std::size_t last = columns - 1; last < trace.size(); last += columns) {
    if (trace[last].end < latest) ++overtaking;
    latest = std::max(latest, trace[last].end);
  }
  REQUIRE(overtaking > 0);
  CHECK(measure(net, trace).overtaking == overtaking);
  const Rational period = measure(net, trace).period;
  trace[50 * columns + 1].start -= period / Rational(10);
  RunMeasurement run = measure(net, trace);
  CHECK(run.early == 0);
  CHECK(run.earliest == period / Rational(10));
  trace[50 * columns + 1].start -= Rational::fraction(7, 2);
  run = measure(net, trace);
  CHECK(run.early == 1);
  CHECK(run.earliest == period / Rational(10) + Rational::fraction(7, 2));
  // Neither its end nor what it took from when it could begin has changed.
  CHECK(run.classes.size() == measure(net, played(net, 100)).classes.size());
}

TEST_CASE("a run that took no time, and one beyond the largest double, are measured") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  const Trace nothing = run_of(net, 100, no_time);
  const RunMeasurement still = measure(net, nothing);
  CHECK(still.period == 0);
  CHECK(still.busy.empty());
  CHECK(still.slope == 0.0);
  const Rational huge(maxplus::Integer("1" + std::string(400, '0')));
  const Trace long_run = run_of(net, 100, [&](const tpn::Operation& at) { return net.pipeline.duration(at) * huge; });
  const RunMeasurement slow = measure(net, long_run);
  CHECK(slow.period == support::period_of(net) * huge);
  CHECK(!slow.slope.has_value());
  CHECK(!slow.interval.has_value());
}

}  // namespace
}  // namespace takt::live

// What explains a run: plays with durations of its own, held against plays by the definition of the net.
#include "live/measurement/explanation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "maxplus/deadline.hpp"
#include "tests/live/measurement/plays.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::live {
namespace {

using evaluators::Firing;
using support::Draw;
using tpn::Document;
using tpn::FoldedNet;
using tpn::Operation;

// Durations by operation that vary much, most of them short: the product of two draws.
std::vector<Rational> drawn_durations(const FoldedNet& net, std::uint64_t data_sets, Draw& draw) {
  std::vector<Rational> durations;
  for (std::uint64_t j = 0; j < data_sets; ++j) {
    for (const tpn::ColumnIndex c : net.pipeline.all_columns()) {
      const Rational factor = Rational::fraction(draw.between(0, 1000) * draw.between(0, 1000), 250'000);
      durations.push_back(net.pipeline.duration({j, c}) * factor);
    }
  }
  return durations;
}

// Of the last four fifths but for stalls, where the class is there.
std::vector<Rational> means_of(const FoldedNet& net, const std::vector<Rational>& durations,
                               const RunMeasurement& run) {
  const std::size_t columns = net.pipeline.columns.size();
  const auto operation = [&](std::size_t i) { return Operation{i / columns, tpn::ColumnIndex(i % columns)}; };
  std::map<OperationKey, std::vector<Rational>> late;
  std::map<OperationKey, std::vector<Rational>> all;
  for (std::size_t i = 0; i < durations.size(); ++i) {
    const OperationKey key = key_of(net.pipeline, operation(i));
    all[key].push_back(durations[i]);
    const auto holds = [&](const Stall& stall) { return stall.first <= i / columns && i / columns <= stall.last; };
    if (i / columns >= run.stretch.first && std::ranges::none_of(run.stalls, holds)) late[key].push_back(durations[i]);
  }
  std::vector<Rational> means;
  for (std::size_t i = 0; i < durations.size(); ++i) {
    const OperationKey key = key_of(net.pipeline, operation(i));
    const std::vector<Rational>& values = late.contains(key) ? late.at(key) : all.at(key);
    Rational sum;
    for (const Rational& value : values) sum += value;
    means.push_back(sum / Rational(values.size()));
  }
  return means;
}

bool occupies(const tpn::Pipeline& pipeline, const tpn::Resource& resource, const Operation& at) {
  const auto [column, sender, receiver] = key_of(pipeline, at);
  if (!pipeline.is_transfer(at.column)) {
    return tpn::handles_computations(resource.kind) && resource.processor == sender;
  }
  if (sender == receiver) return false;
  return (tpn::handles_sendings(resource.kind) && resource.processor == sender) ||
         (tpn::handles_receptions(resource.kind) && resource.processor == receiver);
}

// Of the first of the busiest resources with these means: by how much a class takes longer than the net says in all, of
// the class that does so by most; or shorter.
Rational most_changed_in_all(const FoldedNet& net, const std::vector<Rational>& means, std::uint64_t data_sets,
                             bool is_slower) {
  Rational most_busy = -1;
  Rational most;
  for (const tpn::Resource& resource : net.resources) {
    Rational busy;
    std::map<OperationKey, Rational> sums;
    for (std::uint64_t j = 0; j < data_sets; ++j) {
      for (const tpn::ColumnIndex c : net.pipeline.all_columns()) {
        if (!occupies(net.pipeline, resource, {j, c})) continue;
        const Rational& mean = means[j * net.pipeline.columns.size() + c.value()];
        busy += mean;
        const Rational more = mean - net.pipeline.duration({j, c});
        sums[key_of(net.pipeline, {j, c})] += is_slower ? more : -more;
      }
    }
    if (busy <= most_busy) continue;
    most_busy = busy;
    most = 0;
    for (const auto& [key, sum] : sums) most = std::max(most, sum);
  }
  return most;
}

Rational changed_in_all(const FoldedNet& net, const std::optional<ChangedDuration>& changed, std::uint64_t data_sets) {
  if (!changed) return 0;
  REQUIRE(changed->by_instance == net.pipeline.duration(changed->first));
  const OperationKey key = key_of(net.pipeline, changed->first);
  Rational sum;
  for (std::uint64_t j = 0; j < data_sets; ++j) {
    if (key_of(net.pipeline, {j, changed->first.column}) == key) sum += changed->mean - changed->by_instance;
  }
  return std::max(sum, -sum);
}

TEST_CASE("the play with each operation's own time is the run, but for what the net does not have") {
  const std::uint64_t seeds = support::draws(3);
  std::size_t explained = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const support::Kind kind : support::kKinds) {
      const Document document = support::random_document(kind, seed);
      for (const tpn::Model& model : support::all_models()) {
        Draw draw(seed);
        const auto window = static_cast<std::uint64_t>(draw.between(0, 6));
        CAPTURE(seed, static_cast<int>(kind), tpn::label_of(model), window);
        const FoldedNet net = with_window(support::net_of(document, model), window);
        const std::size_t columns = net.pipeline.columns.size();
        const auto data_sets = static_cast<std::uint64_t>(draw.between(10, 60));
        const std::vector<Rational> durations = drawn_durations(net, data_sets, draw);
        const auto drawn = [&](const Operation& at) { return durations[at.data_set * columns + at.column.value()]; };
        const Trace prompt = run_of(net, data_sets, drawn);
        const RunMeasurement measured = measure(net, prompt);
        const auto explanation = explain(net, prompt, measured);
        REQUIRE(explanation.has_value());
        REQUIRE(explanation->by_own == measured.period);

        const auto nominal = [&](const Operation& at) { return net.pipeline.duration(at); };
        REQUIRE(explanation->by_instance == measure(net, run_of(net, data_sets, nominal)).period);
        const std::vector<Rational> means = means_of(net, durations, measured);
        const auto mean = [&](const Operation& at) { return means[at.data_set * columns + at.column.value()]; };
        REQUIRE(explanation->by_means == measure(net, run_of(net, data_sets, mean)).period);

        // Of operations that start too late the durations are the same, and so is what the net makes of them.
        const Trace late = run_of(net, data_sets, drawn,
                                  [&](const Operation&) { return Rational::fraction(draw.between(0, 100), 50); });
        const RunMeasurement slower = measure(net, late);
        const auto again = explain(net, late, slower);
        REQUIRE(again.has_value());
        REQUIRE(again->by_own == measured.period);
        if (measured.stalls.empty() && slower.stalls.empty()) REQUIRE(again->by_means == explanation->by_means);

        REQUIRE(most_changed_in_all(net, means, data_sets, explanation->by_means >= explanation->by_instance) ==
                changed_in_all(net, explanation->most_changed, data_sets));

        const Causes causes = causes_of(*again, support::period_of(net), slower.period);
        Rational sum = support::period_of(net);
        for (const AddedTime& added : causes) sum += added.time;
        REQUIRE(sum == slower.period);
        ++explained;
      }
    }
  }
  REQUIRE(explained >= 20 * seeds);
}

TEST_CASE("one long stall is in no mean") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  const auto stalled = [&](const Operation& at) {
    const bool is_long = at.data_set == 200 && at.column.value() == 2;
    return net.pipeline.duration(at) + (is_long ? Rational(20'000) : Rational());
  };
  const Trace trace = run_of(net, 400, stalled);
  const RunMeasurement run = measure(net, trace);
  REQUIRE(std::ranges::any_of(run.stalls, [](const Stall& stall) { return stall.first <= 200 && 200 <= stall.last; }));
  const auto explanation = explain(net, trace, run);
  REQUIRE(explanation.has_value());
  CHECK(explanation->by_means == support::period_of(net));
  CHECK(explanation->by_own == run.period);
  CHECK(run.period == support::period_of(net));
}

TEST_CASE("a batch that the run's end cuts is no changed duration") {
  const Document document = document_of_pairs();
  const FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
  const auto trace_of = [&](const Rational& factor) {
    const auto duration = [&](const Operation& at) {
      const bool is_cut = at.data_set == 38 && at.column == net.pipeline.parts[tpn::PartIndex(1)].computation;
      return is_cut ? Rational(4) : net.pipeline.duration(at) * factor;
    };
    return run_of(net, 39, duration);
  };
  const auto explained = [&](const Trace& trace) { return explain(net, trace, measure(net, trace)); };
  const auto as_said = explained(trace_of(1));
  REQUIRE(as_said.has_value());
  CHECK(!as_said->most_changed);
  CHECK(as_said->by_instance == as_said->by_means);
  CHECK(as_said->by_own == as_said->by_means);

  const auto slower = explained(trace_of(2));
  REQUIRE(slower.has_value());
  REQUIRE(slower->most_changed);
  CHECK(slower->most_changed->by_instance == Rational(5));
  CHECK(slower->most_changed->mean == Rational(10));
}

TEST_CASE("times beyond 64 bits are played as well") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  const Rational huge(maxplus::Integer("1" + std::string(40, '0')));
  const Trace trace = run_of(net, 60, [&](const Operation& at) { return net.pipeline.duration(at) * huge; });
  const RunMeasurement run = measure(net, trace);
  const auto explanation = explain(net, trace, run);
  REQUIRE(explanation.has_value());
  CHECK(explanation->by_own == run.period);
  CHECK(explanation->by_means == run.period);
  CHECK(explanation->by_own == explanation->by_instance * huge);
}

TEST_CASE("nothing is explained once the deadline has passed") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  // More than a watch does between two looks at the clock.
  const Trace trace = run_of(net, 20'000, no_time);
  const RunMeasurement run = measure(net, trace);
  CHECK(!explain(net, trace, run, maxplus::SearchClock::time_point::min()).has_value());
}

TEST_CASE("the main causes are those that count, and are not far behind the greatest") {
  const auto names = [](const Causes& causes, const Rational& least) {
    std::vector<Cause> found;
    for (const AddedTime& added : main_causes(causes, least)) found.push_back(added.cause);
    return found;
  };
  const auto causes = [](int transient, int instance, int variation, int rest) {
    return Causes{{{Cause::transient, transient},
                   {Cause::instance, instance},
                   {Cause::variation, variation},
                   {Cause::rest, rest}}};
  };
  CHECK(names(causes(0, 0, 0, 0), 0).empty());
  CHECK(names(causes(0, 3, -3, 3), 4).empty());
  CHECK(names(causes(0, 4, 0, 0), 4) == std::vector{Cause::instance});
  CHECK(names(causes(0, -5, 11, 5), 1) == std::vector{Cause::variation});
  CHECK(names(causes(0, -5, 10, 5), 1) == std::vector{Cause::variation, Cause::instance, Cause::rest});
  CHECK(names(causes(7, 0, 0, -8), 1) == std::vector{Cause::rest, Cause::transient});
}

}  // namespace
}  // namespace takt::live

// simulate: earliest firing against the rules of the models, measured periods, transients, limits.
#include "evaluators/play/simulate.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/play/firing.hpp"
#include "evaluators/play/play.hpp"
#include "maxplus/deadline.hpp"
#include "tests/evaluators/buffered.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

using evaluators::Evaluation;
using evaluators::Firing;
using evaluators::Measurement;
using maxplus::Integer;
using maxplus::Rational;
using tpn::FoldedNet;

std::vector<Firing> played(const FoldedNet& net, std::uint64_t data_sets) {
  std::vector<Firing> firings;
  evaluators::play(net, data_sets, [&](const Firing& firing) {
    firings.push_back(firing);
    return true;
  });
  return firings;
}

Evaluation simulated(const FoldedNet& net, std::optional<std::uint64_t> max_rows = {}) {
  evaluators::Options options = support::options_of(evaluators::Method::simulate);
  options.max_rows = max_rows;
  return evaluators::evaluate(net, options);
}

// Each operation starts when the last of those it waits for ends, and at 0 if there is none.
void require_earliest(const FoldedNet& net, const std::vector<Firing>& firings) {
  const std::size_t columns = net.pipeline.columns.size();
  const std::uint64_t data_sets = firings.size() / columns;
  std::vector<Rational> earliest(firings.size());
  for (const tpn::Dependence& d : net.dependences) {
    for (std::uint64_t j = d.residue; j + d.height < data_sets; j += d.modulus) {
      Rational& start = earliest[(j + d.height) * columns + d.to.value()];
      start = std::max(start, firings[j * columns + d.from.value()].end);
    }
  }
  for (std::size_t v = 0; v < firings.size(); ++v) {
    const tpn::Operation operation{v / columns, tpn::ColumnIndex(v % columns)};
    REQUIRE(firings[v].operation == operation);
    REQUIRE(firings[v].start == earliest[v]);
    REQUIRE(firings[v].end == earliest[v] + net.pipeline.duration(operation));
  }
}

TEST_CASE("operations are played when the rules of the models let them start, and no later") {
  support::for_each_net({support::draws(150)}, support::all_models(), [](const FoldedNet& net) {
    const std::uint64_t data_sets = 40;
    const std::vector<Firing> firings = played(net, data_sets);
    require_earliest(net, firings);
    const auto expected = support::played_operations(net.pipeline, net.model, data_sets);
    REQUIRE(firings.size() == expected.size());
    for (std::size_t v = 0; v < firings.size(); ++v) {
      REQUIRE(firings[v].start == expected[v].start);
      REQUIRE(firings[v].end == expected[v].end);
    }
  });
}

// By definition: from its transient on, a column's operations take place as much later, whatever their data set's
// class, every time everything repeats; and the transient is not a data set longer.
void require_transients(const FoldedNet& net, const Measurement& measured) {
  const std::size_t columns = net.pipeline.columns.size();
  const std::uint64_t window = measured.repeats->hyper_periods * net.pipeline.rows.get_ui();
  const std::uint64_t longest = *std::ranges::max_element(measured.repeats->transients);
  const std::vector<Firing> firings = played(net, longest + 5 * window);
  const auto growth = [&](std::size_t column, std::uint64_t j) {
    return firings[(j + window) * columns + column].end - firings[j * columns + column].end;
  };
  Rational slowest;
  for (std::size_t c = 0; c < columns; ++c) {
    const std::uint64_t transient = measured.repeats->transients[c];
    for (std::uint64_t j = transient; j < longest + 3 * window; ++j) {
      if (growth(c, j) != growth(c, j + window)) FAIL("column " << c << ", data set " << j << " does not repeat");
      slowest = std::max(slowest, growth(c, j));
    }
    if (transient > 0) REQUIRE(growth(c, transient - 1) != growth(c, transient - 1 + window));
  }
  REQUIRE(slowest / Rational(window) == measured.period);
}

// How often which outcome was met.
struct Record {
  std::size_t nets = 0;
  std::size_t repeating = 0;
  std::size_t exact = 0;
  std::size_t with_transient = 0;
  std::size_t over_several = 0;
};

void require_measurement(const FoldedNet& net, Record& record) {
  const Rational period = support::period_of(net);
  const Evaluation evaluation = simulated(net);
  REQUIRE(evaluation.method == evaluators::Method::simulate);
  REQUIRE(evaluation.lower == evaluators::largest_cycle_time(net));
  REQUIRE(period <= evaluation.upper);
  REQUIRE(std::holds_alternative<std::monostate>(evaluation.limit) == evaluation.exact());
  support::require_proof(net, evaluation);
  REQUIRE(evaluation.measurement.has_value());
  const Measurement& measured = *evaluation.measurement;
  REQUIRE(measured.hyper_periods > 0);
  REQUIRE(measured.data_sets == measured.hyper_periods * net.pipeline.rows.get_ui());
  ++record.nets;
  if (evaluation.exact()) ++record.exact;
  if (!measured.repeats) return;
  ++record.repeating;
  if (std::ranges::any_of(measured.repeats->transients, [](std::uint64_t t) { return t > 0; })) ++record.with_transient;
  if (measured.repeats->hyper_periods > 1) ++record.over_several;
  REQUIRE(measured.period.to_string() == period.to_string());
  REQUIRE(evaluation.upper == period);
  require_transients(net, measured);
}

TEST_CASE("the measured period is the exact one, and transients are as long as they are, on random instances") {
  Record record;
  support::for_each_net({support::draws(150)}, tpn::default_models(),
                        [&](const FoldedNet& net) { require_measurement(net, record); });
  INFO(record.repeating << " repeat, " << record.exact << " exact, " << record.with_transient
                        << " with a transient, of " << record.nets);
  CHECK(record.nets == 18 * support::draws(150));
  CHECK(record.repeating == record.nets);
  CHECK(record.exact > support::draws(1000));
  CHECK(record.exact < 2600);
  CHECK(record.with_transient > support::draws(500));
}

TEST_CASE("a play that repeats after several hyper-periods only is measured over all of them") {
  const FoldedNet b = support::net_of(support::document_of("examples/example-b.json"), tpn::Model::kOverlap);
  REQUIRE(simulated(b).measurement->repeats->hyper_periods == 2);
  Record record;
  // Transfers that are either short or long often have a critical circuit through several ports, with several tokens.
  constexpr std::array<std::array<std::size_t, 2>, 4> kReplications = {{{2, 3}, {3, 4}, {4, 5}, {6, 4}}};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    support::Draw random(seed);
    for (const auto& replication : kReplications) {
      const tpn::Document document =
          support::replicated_document(replication, [&](std::size_t, std::size_t from, std::size_t to) {
            const bool is_long = random.coin();
            return Rational(from != to && is_long ? 10 : 1);
          });
      for (const tpn::Model& model : tpn::default_models()) {
        INFO("replication " << replication[0] << " " << replication[1] << ", seed " << seed << ", "
                            << tpn::name_of(model));
        require_measurement(support::net_of(document, model), record);
      }
    }
  }
  INFO(record.repeating << " repeat, " << record.over_several << " over several hyper-periods, of " << record.nets);
  CHECK(record.repeating == record.nets);
  CHECK(record.over_several > 10);
}

TEST_CASE("nets whose tokens belong to no resource, some further apart than the rows, are measured and certified too") {
  Record record;
  support::for_each_document({20}, [&](const tpn::Document& document) {
    require_measurement(support::buffered_net<1>(document), record);
    require_measurement(support::buffered_net<30>(document), record);
  });
  CHECK(record.repeating == 360);
  CHECK(record.with_transient > 20);
}

// A chain of processors with fixed times: computations, and transfers of `transfer` each.
tpn::Document chain(const std::vector<int>& computations, int transfer) {
  const std::vector<std::size_t> replication(computations.size(), 1);
  return support::replicated_document(replication, [&](std::size_t part, std::size_t from, std::size_t to) {
    return Rational(from == to ? computations[part] : transfer);
  });
}

TEST_CASE("the transient of a chain under STRICT, by hand") {
  // P0 computes for 4, sends for 1, P1 computes for 5: 6 time units per data set in P1. P0 ends its computations at
  // 4, 9, 15, 21, ...: from data set 1 on it waits for P1. Transfers end at 5, 11, 17, ..., P1 at 10, 16, 22, ...
  const Evaluation evaluation = simulated(support::net_of(chain({4, 5}, 1), tpn::Model::kStrict));
  REQUIRE(evaluation.exact());
  REQUIRE(evaluation.measurement->period == Rational(6));
  REQUIRE(evaluation.measurement->repeats->hyper_periods == 1);
  REQUIRE(evaluation.measurement->repeats->transients == std::vector<std::uint64_t>{1, 0, 0});
}

TEST_CASE("an operation that waits for several that end at once starts then, and a tick later with any of them") {
  // Computations of 3, a transfer of 3, computations of 3 again: the file arrives as the data set before is computed.
  const auto starts_of_last = [](const FoldedNet& net) {
    const std::vector<Firing> firings = played(net, 3);
    return std::vector<Rational>{firings[2].start, firings[5].start, firings[8].start};
  };
  const auto net_of = [](int first, int transfer, int last) {
    return support::net_of(chain({first, last}, transfer), tpn::Model::kOverlap);
  };
  CHECK(starts_of_last(net_of(3, 3, 3)) == std::vector<Rational>{6, 9, 12});
  CHECK(starts_of_last(net_of(4, 3, 3)) == std::vector<Rational>{7, 11, 15});
  CHECK(starts_of_last(net_of(3, 4, 3)) == std::vector<Rational>{7, 11, 15});
  CHECK(starts_of_last(net_of(3, 3, 4)) == std::vector<Rational>{6, 10, 14});
  const Evaluation tied = simulated(net_of(3, 3, 3));
  CHECK(tied.measurement->period == Rational(3));
  CHECK(tied.measurement->repeats->transients == std::vector<std::uint64_t>{0, 0, 0});
}

TEST_CASE("of the repetitions that prove one bound the shortest gives the clocks") {
  // As above by hand, P0 and P1 are free at 0 and 0, 5 and 10, 11 and 16, 17 and 22: the last two steps are of 6 each.
  const Evaluation evaluation = simulated(support::net_of(chain({4, 5}, 1), tpn::Model::kStrict));
  CHECK(evaluation.measurement->hyper_periods == 3);
  CHECK(std::get<evaluators::ResourceClocks>(evaluation.witness).values == std::vector<Rational>{11, 16});
}

TEST_CASE("ends are 64 bits wide up to the largest of them, and wider from the next on") {
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const auto fit = [](std::int64_t duration, int more, std::uint64_t data_sets) {
    const Rational time = Rational(Integer(duration) + more);
    const std::vector<std::size_t> alone(2, 1);
    const auto document = support::replicated_document(alone, [&](std::size_t part, std::size_t from, std::size_t to) {
      return from == to && part == 0 ? time : Rational(0);
    });
    return evaluators::ends_fit_64_bits(support::net_of(document, tpn::Model::kOverlap), data_sets);
  };
  CHECK(fit(largest, 0, 1));
  CHECK_FALSE(fit(largest, 1, 1));
  CHECK(fit(largest / 7, 0, 7));  // 7 divides 2^63 - 1
  CHECK_FALSE(fit(largest / 7, 0, 8));
  CHECK_FALSE(fit(largest / 7, 1, 7));
}

TEST_CASE("under OVERLAP an early column that runs ahead for ever repeats at its own speed") {
  // Computations end at 2, 4, 6, ... and 3 + 5, 3 + 10, ...; transfers at 3, 5, 7, ...
  const FoldedNet net = support::net_of(chain({2, 5}, 1), tpn::Model::kOverlap);
  const Evaluation evaluation = simulated(net);
  REQUIRE(evaluation.measurement->period == Rational(5));
  REQUIRE(evaluation.measurement->repeats->transients == std::vector<std::uint64_t>{0, 0, 0});
  const std::vector<Firing> firings = played(net, 3);
  REQUIRE(firings.back().start == Rational(13));
  REQUIRE(firings[6].end == Rational(6));
}

// Two branches through ten processors each, joined by a last one that takes no time. Even data sets pass ten that take
// `time`, odd ones a first that takes time + 1 and nine that take 1. So the odd branch is the slower one, but even data
// sets are under way for longer: data set 2 k arrives at time * (10 + k), data set 2 k + 1 at (time + 1) * (k + 1) + 9.
FoldedNet branches(int time) {
  constexpr std::array<std::size_t, 11> kReplication = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1};
  const tpn::Document document =
      support::replicated_document(kReplication, [&](std::size_t part, std::size_t from, std::size_t to) {
        if (from != to || part == 10) return Rational(0);
        if (from % 2 == 0) return Rational(time);
        return Rational(part == 0 ? time + 1 : 1);
      });
  return support::net_of(document, tpn::Model::kOverlap);
}

TEST_CASE("a slow branch overtakes at last a fast one that arrives later, however long that takes") {
  // Data set 2 k leaves the last processor at max(1990 + 199 k, 209 + 200 (k - 1)), after data set 2 k - 1. That grows
  // by 200 from k = 1981 on; long before, everything seems to repeat.
  const FoldedNet net = branches(199);
  const Evaluation evaluation = simulated(net);
  REQUIRE(evaluation.exact());
  REQUIRE(evaluation.measurement->period == Rational(100));
  REQUIRE(evaluation.measurement->repeats.has_value());
  const std::vector<std::uint64_t>& transients = evaluation.measurement->repeats->transients;
  REQUIRE(transients.front() == 0);
  REQUIRE(transients.back() == 2 * 1980 + 1);
  require_transients(net, *evaluation.measurement);
}

TEST_CASE("a play that is stopped before it repeats is measured without a claim that it does") {
  // The slow branch would overtake after 179,100 hyper-periods. Until then the last completion grows with the fast one.
  const Evaluation evaluation = simulated(branches(19900));
  const Measurement& measured = *evaluation.measurement;
  REQUIRE(measured.hyper_periods > 1000);
  REQUIRE(measured.hyper_periods < 179'100);
  REQUIRE_FALSE(measured.repeats.has_value());
  REQUIRE(measured.period == Rational::fraction(19900, 2));
  // The clocks of all resources know better.
  REQUIRE(evaluation.upper == Rational::fraction(19901, 2));
  REQUIRE(evaluation.exact());
}

TEST_CASE("huge and mixed numbers are played and measured exactly") {
  const auto power_of_ten = [](int exponent) {
    return std::get<Rational>(maxplus::parse_decimal("1e" + std::to_string(exponent)));
  };
  constexpr std::array<std::size_t, 3> kReplication = {4, 3, 5};
  for (const tpn::Model& model : tpn::default_models()) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const FoldedNet plain = support::net_of(support::uniform_document(kReplication, 1, 1000, seed), model);
      const std::vector<Firing> firings = played(plain, 100);
      const Evaluation expected = simulated(plain);
      for (const int exponent : {9, 12, 15, 18, 30, -30}) {
        INFO("seed " << seed << ", " << tpn::name_of(model) << ", times 1e" << exponent);
        const Rational unit = power_of_ten(exponent);
        const FoldedNet net = support::net_of(support::uniform_document(kReplication, 1, 1000, seed, unit), model);
        const std::vector<Firing> scaled = played(net, 100);
        for (std::size_t v = 0; v < firings.size(); ++v) REQUIRE(scaled[v].end == firings[v].end * unit);
        const Evaluation evaluation = simulated(net);
        REQUIRE(evaluation.upper == expected.upper * unit);
        REQUIRE(evaluation.measurement->period == expected.measurement->period * unit);
        REQUIRE(evaluation.measurement->repeats->transients == expected.measurement->repeats->transients);
      }
    }
  }
}

TEST_CASE("where the rows are too many to play, the data sets that are played are measured") {
  constexpr std::array<std::size_t, 12> kPrimes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  const tpn::Document document = support::uniform_document(kPrimes, 1, 9, 1);
  for (const tpn::Model& model : tpn::default_models()) {
    const FoldedNet net = support::net_of(document, model);
    require_earliest(net, played(net, 50));
    const std::uint64_t limit = 3000;
    const Evaluation evaluation = simulated(net, limit);
    REQUIRE_FALSE(evaluation.exact());
    const auto& too_large = std::get<tpn::TooLarge>(evaluation.limit);
    REQUIRE(too_large.kind == tpn::LimitKind::rows);
    REQUIRE(too_large.needed == net.pipeline.rows);
    REQUIRE(too_large.limit == limit);
    support::require_proof(net, evaluation);
    const Measurement& measured = *evaluation.measurement;
    REQUIRE(measured.data_sets == limit);
    REQUIRE(measured.hyper_periods == 0);
    REQUIRE_FALSE(measured.repeats.has_value());
    // The growth from data set 1024, the last power of two that leaves half of them, on.
    const std::vector<Firing> firings = played(net, limit);
    const auto latest = [&](std::uint64_t data_sets) {
      Rational time;
      for (std::size_t v = 0; v < data_sets * net.pipeline.columns.size(); ++v) time = std::max(time, firings[v].end);
      return time;
    };
    REQUIRE(measured.period == (latest(limit) - latest(1024)) / Rational(limit - 1024));
  }
}

TEST_CASE("the data sets that are played are measured from the half on, where they are a power of two") {
  const FoldedNet net =
      support::net_of(support::uniform_document(std::vector<std::size_t>{2, 3, 5, 7}, 1, 9, 1), tpn::Model::kStrict);
  const std::vector<Firing> firings = played(net, 16);
  Rational half;
  Rational all;
  for (const Firing& firing : firings) {
    all = std::max(all, firing.end);
    if (firing.operation.data_set < 8) half = std::max(half, firing.end);
  }
  const Measurement measured = *simulated(net, 16).measurement;
  CHECK(measured.data_sets == 16);
  CHECK(measured.period == (all - half) / Rational(8));
}

TEST_CASE("a play that has no time to repeat is measured as far as it went, or not at all") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  evaluators::Options options = support::options_of(evaluators::Method::simulate);
  options.deadline = maxplus::SearchClock::time_point::min();
  const Evaluation evaluation = evaluators::evaluate(net, options);
  REQUIRE(std::holds_alternative<evaluators::OutOfTime>(evaluation.limit));
  REQUIRE_FALSE(evaluation.measurement.has_value());
  support::require_proof(net, evaluation);
}

TEST_CASE("a play stops when its visitor has seen enough") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  std::size_t seen = 0;
  evaluators::play(net, ~std::uint64_t{0}, [&](const Firing&) { return ++seen < 10; });
  REQUIRE(seen == 10);
}

TEST_CASE("a mapping in which nothing takes any time is measured as 0") {
  constexpr std::array<std::size_t, 2> kReplication = {2, 3};
  const tpn::Document document = support::uniform_document(kReplication, 0, 0, 1);
  for (const tpn::Model& model : tpn::default_models()) {
    const Evaluation evaluation = simulated(support::net_of(document, model));
    REQUIRE(evaluation.exact());
    REQUIRE(evaluation.measurement->period.sign() == 0);
    REQUIRE(evaluation.measurement->repeats->transients == std::vector<std::uint64_t>(3, 0));
  }
}

}  // namespace
}  // namespace takt

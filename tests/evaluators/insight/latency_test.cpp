// Latency in all its meanings, against other ways to the same numbers.
#include "evaluators/insight/latency.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "evaluators/insight/convex_curve.hpp"
#include "evaluators/insight/paced.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/workflow.hpp"
#include "tpn/writer.hpp"

namespace takt {
namespace {

using evaluators::LatencyCurve;
using evaluators::LeastLatency;
using evaluators::PacedSchedule;
using maxplus::Integer;
using maxplus::Rational;
using tpn::FoldedNet;

using Matrix = std::vector<std::vector<std::optional<Rational>>>;

void raise(std::optional<Rational>& entry, const Rational& value) {
  if (!entry || *entry < value) entry = value;
}

// From the round in which a data set arrives to the one in which an exit delivers it, with its batch.
std::uint64_t rounds_of(const FoldedNet& net, tpn::PartIndex exit, std::uint64_t data_set) {
  const tpn::NetPart& part = net.pipeline.parts[exit];
  return net.pipeline.columns[part.computation].shift + part.computed_with(data_set) - data_set;
}

// Longest paths from the first operations of each data set to the end of the last ones of each, at a period.
Matrix stays(const FoldedNet& net, std::uint64_t rows, const Rational& period) {
  const std::size_t columns = net.pipeline.columns.size();
  Matrix result(rows, std::vector<std::optional<Rational>>(rows));
  for (std::uint64_t entry = 0; entry < rows; ++entry) {
    std::vector<std::optional<Rational>> end(rows * columns);
    for (const tpn::PartIndex part : net.pipeline.entries()) {
      const tpn::ColumnIndex first = net.pipeline.parts[part].computation;
      end[entry * columns + first.value()] = net.pipeline.duration({entry, first});
    }
    for (bool raised = true; raised;) {
      raised = false;
      for (const tpn::Dependence& d : net.dependences) {
        for (std::uint64_t row = d.residue; row < rows; row += d.modulus) {
          if (!end[row * columns + d.from.value()]) continue;
          const std::uint64_t later = (row + d.height) % rows;
          const Rational value =
              *end[row * columns + d.from.value()] - period * Rational(d.height) + net.pipeline.duration({later, d.to});
          std::optional<Rational>& known = end[later * columns + d.to.value()];
          if (known && !(*known < value)) continue;
          known = value;
          raised = true;
        }
      }
    }
    for (std::uint64_t j = 0; j < rows; ++j) {
      for (const tpn::PartIndex exit : net.pipeline.exits()) {
        const std::uint64_t rounds = rounds_of(net, exit, j);
        const auto& last = end[(j + rounds) % rows * columns + net.pipeline.parts[exit].computation.value()];
        if (last) raise(result[entry][j], *last + period * Rational(rounds));
      }
    }
  }
  return result;
}

// The largest cycle mean, from all powers up to the size.
Rational largest_mean(const Matrix& matrix) {
  Matrix power = matrix;
  std::optional<Rational> largest;
  for (std::size_t k = 1; k <= matrix.size(); ++k) {
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      if (power[i][i]) raise(largest, *power[i][i] / Rational(k));
    }
    Matrix next(matrix.size(), std::vector<std::optional<Rational>>(matrix.size()));
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      for (std::size_t j = 0; j < matrix.size(); ++j) {
        for (std::size_t between = 0; between < matrix.size(); ++between) {
          if (power[i][between] && matrix[between][j]) raise(next[i][j], *power[i][between] + *matrix[between][j]);
        }
      }
    }
    power = std::move(next);
  }
  return *largest;
}

// The schedule keeps every dependence at the period, and no data set stays longer.
void require_schedule(const FoldedNet& net, const LeastLatency& least, const Rational& period, std::uint64_t rows) {
  const std::size_t columns = net.pipeline.columns.size();
  const auto start = [&](std::uint64_t row, std::size_t column) {
    return Rational::fraction(least.offsets[row * columns + column], least.unit);
  };
  for (const tpn::Dependence& d : net.dependences) {
    for (std::uint64_t row = d.residue; row < rows; row += d.modulus) {
      const Rational end = start(row, d.from) + net.pipeline.duration({row, d.from});
      REQUIRE(end <= start((row + d.height) % rows, d.to) + period * Rational(d.height));
    }
  }
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (const tpn::PartIndex exit : net.pipeline.exits()) {
      const std::uint64_t rounds = rounds_of(net, exit, row);
      const std::uint64_t last = (row + rounds) % rows;
      const tpn::ColumnIndex delivery = net.pipeline.parts[exit].computation;
      for (const tpn::PartIndex entry : net.pipeline.entries()) {
        REQUIRE(start(last, delivery) + period * Rational(rounds) + net.pipeline.duration({last, delivery}) -
                    start(row, net.pipeline.parts[entry].computation) <=
                least.value);
      }
    }
  }
}

Rational least_at(const FoldedNet& net, const Rational& period) {
  return std::get<LeastLatency>(evaluators::least_latency(net, period)).value;
}

void require_least(const FoldedNet& net) {
  const Rational best = support::period_of(net);
  const std::uint64_t rows = tpn::repetition_of(net).get_ui();
  for (const Rational& period : {best, best * Rational::fraction(5, 4)}) {
    const auto least = std::get<LeastLatency>(evaluators::least_latency(net, period));
    REQUIRE(least.value == largest_mean(stays(net, rows, period)));
    require_schedule(net, least, period, rows);
    const auto paced = std::get<PacedSchedule>(evaluators::paced_schedule(net, period));
    const evaluators::Latency latency = evaluators::latency_of(net, paced);
    REQUIRE(latency.alone <= least.value);
    REQUIRE(least.value <= latency.paced);
  }
}

TEST_CASE("the least latency is the largest cycle mean of stays, and a schedule keeps it") {
  support::for_each_net({support::draws(8), 1}, support::all_models(), [](const FoldedNet& net) {
    if (net.pipeline.rows <= 6) require_least(net);
  });
}

TEST_CASE("the same of batches and transfers that are ahead, with which a data set passes several rounds") {
  std::size_t batches = 0;
  const auto hold = [&](const FoldedNet& net, const tpn::Document&, std::uint64_t) {
    if (tpn::repetition_of(net) > 8 || support::period_of(net).sign() == 0) return;
    batches += net.pipeline.has_batches() ? 1 : 0;
    require_least(net);
  };
  support::for_each_net_of(support::batch_document, support::draws(120), tpn::default_models(), hold);
  CHECK(batches > support::draws(10));
}

TEST_CASE("the same of workflows with several entries, or several exits") {
  support::Draw draw(29);
  std::size_t several = 0;
  for (std::uint64_t n = support::draws(100); n > 0; --n) {
    tpn::Document document = support::small_workflow(draw);
    const auto routes = tpn::routes_of(document.application, *document.mapping, tpn::outer_ends(document.platform));
    for (const tpn::FileRoute& route : routes)
      if (draw.one_in(3)) document.transfers.push_back({route.from, route.to, draw.count(0, 2)});
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      const FoldedNet net = support::net_of(document, model);
      if (support::period_of(net).sign() == 0) continue;
      CAPTURE(n, tpn::label_of(model), tpn::write_document(document));
      several += net.pipeline.entries().size() > 1 || net.pipeline.exits().size() > 1 ? 1 : 0;
      require_least(net);
    }
  }
  CHECK(several > support::draws(60));
}

TEST_CASE("latencies of example A") {
  const tpn::Document document = support::document_of("examples/example-a.json");
  const FoldedNet net = support::net_of(document, tpn::Model::kStrict);
  const Rational period = Rational::fraction(692, 3);
  const evaluators::Latency latency =
      evaluators::latency_of(net, std::get<PacedSchedule>(evaluators::paced_schedule(net, period)));
  CHECK(latency.alone == Rational(721));
  CHECK(latency.paced == Rational::fraction(2234, 3));
  CHECK(latency.paced_by_class == std::vector<Rational>{685, Rational::fraction(2234, 3), 604,
                                                        Rational::fraction(2002, 3), Rational::fraction(2003, 3), 670});
  CHECK(least_at(net, period) == Rational(721));
  CHECK(std::get<std::vector<Rational>>(evaluators::unpaced_growth(net)) == std::vector<Rational>(6, 0));
  const FoldedNet overlap = support::net_of(document, tpn::Model::kOverlap);
  CHECK(std::get<std::vector<Rational>>(evaluators::unpaced_growth(overlap)) == std::vector<Rational>(6, 167));
}

// F on one processor; P, P, Q, Q; Y, X, X, Y; Z: each class alone could have 20.
TEST_CASE("two classes together may need more latency than each alone") {
  tpn::Document document;
  for (const char* name : {"F", "P", "Q", "X", "Y", "Z"}) document.platform.processors.push_back({name, {}, 1});
  for (const std::size_t slow : {1U, 2U, 3U, 4U}) document.platform.processors[slow].time = 8;
  document.platform.defaults.time = 0;
  const std::vector<std::vector<std::size_t>> sequences = {{0}, {1, 1, 2, 2}, {4, 3, 3, 4}, {5}};
  document.mapping.emplace();
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    document.application.stages.emplace_back().name = "S" + std::to_string(i);
    document.mapping->push_back({i, i, sequences[i]});
  }
  const FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
  const Rational period = support::period_of(net);
  REQUIRE(period == Rational(4));
  CHECK(least_at(net, period) == Rational(26));
  const Matrix own = stays(net, 4, period);
  for (std::size_t j = 0; j < 4; ++j) CHECK(own[j][j] == Rational(20));
}

TEST_CASE("the trade-off curve of period and latency is right at other periods too") {
  std::size_t bent = 0;
  using support::Kind;
  const support::DocumentDraws draws{support::draws(250), 1, {Kind::repeated, Kind::several_parts, Kind::everything}};
  support::for_each_document(draws, [&](const tpn::Document& document, std::uint64_t seed) {
    const FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
    if (net.pipeline.rows > 12) return;
    const auto curve = std::get<LatencyCurve>(evaluators::latency_curve(net, support::period_of(net)));
    for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
      const Rational share = Rational::fraction(static_cast<long>(seed % 26), 26);
      const auto between = [&](const Rational& a, const Rational& b) { return a + (b - a) * share; };
      REQUIRE(least_at(net, between(curve[k].first, curve[k + 1].first)) ==
              between(curve[k].second, curve[k + 1].second));
    }
    REQUIRE(least_at(net, curve.back().first + Rational(1)) == curve.back().second);
    bent += curve.size() > 1 ? 1 : 0;
  });
  CHECK(bent > 3);
}

TEST_CASE("a convex curve keeps its vertices and drops points between") {
  using evaluators::TouchingLine;
  // max(0, x - 1, 3 x - 9) on [-2, 6], by slopes 0, 1, 3.
  std::size_t looked = 0;
  const evaluators::LineFinder find = [&](const Rational& x) -> std::optional<TouchingLine> {
    ++looked;
    if (Rational(4) < x) return TouchingLine{x, x * Rational(3) - Rational(9), 3};
    if (Rational(1) < x) return TouchingLine{x, x - Rational(1), 1};
    return TouchingLine{x, 0, 0};
  };
  const auto curve = evaluators::convex_curve(*find(-2), *find(6), find);
  REQUIRE(curve.has_value());
  CHECK(*curve == evaluators::Polyline{{-2, 0}, {1, 0}, {4, 3}, {6, 9}});
  CHECK(looked <= 5);
}

}  // namespace
}  // namespace takt

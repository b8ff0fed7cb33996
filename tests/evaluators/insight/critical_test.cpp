// Critical operations and floats, each against evaluations of nets in which that operation takes longer.
#include "evaluators/insight/critical.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <set>
#include <vector>

#include "evaluators/insight/paced.hpp"
#include "evaluators/insight/waits.hpp"
#include "maxplus/solvers.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using evaluators::CriticalOperations;
using evaluators::PacedSchedule;
using maxplus::Integer;
using maxplus::Rational;
using tpn::Document;
using tpn::FoldedNet;

// The period where one operation of every `rows` data sets takes longer, by solving the unfolded net.
Rational period_with(const FoldedNet& net, std::uint64_t rows, std::size_t vertex, const Rational& longer) {
  const Integer scale = net.pipeline.scale * longer.denominator();
  std::vector<maxplus::ListedArc> arcs;
  const std::size_t columns = net.pipeline.columns.size();
  for (const tpn::Dependence& d : net.dependences) {
    for (std::uint64_t row = d.residue; row < rows; row += d.modulus) {
      const std::size_t from = row * columns + d.from.value();
      Integer weight = net.pipeline.columns[d.from].duration(row) * longer.denominator();
      if (from == vertex) weight += longer.numerator() * net.pipeline.scale;
      const std::uint64_t later = row + d.height;
      arcs.push_back({from, later % rows * columns + d.to.value(), weight, later / rows});
    }
  }
  const auto solved = maxplus::default_solver().solve(maxplus::make_token_graph(rows * columns, arcs), {});
  return std::get<maxplus::CriticalCycle>(solved).ratio / Rational(scale * Integer(rows));
}

// How many operations were looked at.
std::size_t require_floats(const FoldedNet& net) {
  const Rational period = support::period_of(net);
  const auto paced = std::get<PacedSchedule>(evaluators::paced_schedule(net, period));
  const CriticalOperations critical = evaluators::critical_operations(net, paced);
  const auto floats = std::get<evaluators::OperationFloats>(evaluators::operation_floats(net, paced));
  for (std::size_t v = 0; v < floats.size(); ++v) {
    if (!floats[v]) {
      REQUIRE(!critical.is_critical[v]);
      REQUIRE(period_with(net, paced.rows, v, period * Rational(1'000'000)) == period);
      continue;
    }
    REQUIRE((floats[v]->sign() == 0) == critical.is_critical[v]);
    REQUIRE(period_with(net, paced.rows, v, *floats[v]) == period);
    REQUIRE(period_with(net, paced.rows, v, *floats[v] + Rational::fraction(1, 1000)) > period);
  }
  return floats.size();
}

TEST_CASE("an operation may take longer by its float, and no more") {
  std::size_t operations = 0;
  support::for_each_net({support::draws(40), 1}, support::all_models(), [&](const FoldedNet& net) {
    if (net.pipeline.rows <= 6) operations += require_floats(net);
  });
  CHECK(operations > 500);
}

TEST_CASE(
    "what lies on no circuit may take as long as it likes: transfers of no port, and data sets that fill batches") {
  std::size_t operations = 0;
  std::size_t endless = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(800); ++seed) {
    for (const tpn::Document& document : {support::host_document(seed), support::batch_document(seed)}) {
      const FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
      if (net.pipeline.rows > 8 || support::period_of(net).sign() == 0) continue;
      INFO("seed " << seed);
      operations += require_floats(net);
      const auto paced = std::get<PacedSchedule>(evaluators::paced_schedule(net, support::period_of(net)));
      const auto floats = std::get<evaluators::OperationFloats>(evaluators::operation_floats(net, paced));
      for (const auto& most : floats) endless += most ? 0 : 1;
    }
  }
  CHECK(operations > 500);
  CHECK(endless > 50);
}

TEST_CASE("all critical circuits count where two resources tie") {
  // Two stages that take equally long, free links: each processor's own circuit is critical.
  const std::size_t replication[] = {1, 1};
  const FoldedNet net = support::net_of(
      support::replicated_document(
          replication, [](std::size_t, std::size_t from, std::size_t to) { return Rational(from == to ? 5 : 0); }),
      tpn::Model::kOverlap);
  const auto paced = std::get<PacedSchedule>(evaluators::paced_schedule(net, Rational(5)));
  const CriticalOperations critical = evaluators::critical_operations(net, paced);
  CHECK(critical.count == 2);
  CHECK_FALSE(critical.single_circuit);
  CHECK(critical.contains(0, 0));
  CHECK_FALSE(critical.contains(0, 1));
  CHECK(critical.contains(0, 2));
}

// Counted over all rows of the net, one by one: operations on circuits of waits without slack, and these circuits; none
// where two share an operation.
struct CountedCircuits {
  std::uint64_t operations = 0;
  std::optional<Integer> circuits;
};

CountedCircuits count_circuits(const FoldedNet& net, const PacedSchedule& paced) {
  const std::uint64_t rows = net.pipeline.rows.get_ui();
  const std::size_t columns = net.pipeline.columns.size();
  std::set<evaluators::WaitArc> arcs;
  for (const tpn::Dependence& d : net.dependences) {
    for (std::uint64_t row = d.residue; row < rows; row += d.modulus) {
      const Rational end =
          paced.start(row, d.from) + Rational::fraction(net.pipeline.columns[d.from].duration(row), net.pipeline.scale);
      if (paced.start(row + d.height, d.to) != end) continue;
      arcs.insert({row * columns + d.from.value(), (row + d.height) % rows * columns + d.to.value()});
    }
  }
  const std::vector<evaluators::WaitArc> listed(arcs.begin(), arcs.end());
  const auto component = evaluators::strong_components_of(listed, rows * columns);
  std::set<std::size_t> operations;
  std::set<std::size_t> circuits;
  std::uint64_t inner = 0;
  for (const auto& [from, to] : listed) {
    if (component[from] != component[to]) continue;
    ++inner;
    operations.insert(from);
    circuits.insert(component[from]);
  }
  const bool is_multiple = inner != operations.size();
  return {operations.size(), is_multiple ? std::nullopt : std::optional(Integer(circuits.size()))};
}

TEST_CASE("critical operations and circuits are counted over all rows, however few are distinct") {
  std::uint64_t several = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(600); ++seed) {
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      // Parts of one to six alike processors.
      const std::size_t replication[] = {1 + seed % 3, 1 + seed / 3 % 6, 1 + seed / 18 % 4};
      const Document alike =
          support::replicated_document(replication, [&](std::size_t part, std::size_t from, std::size_t to) {
            return Rational(static_cast<long>(from == to ? 3 + 7 * part * (seed % 5 + 1) : 1 + seed % 4));
          });
      const FoldedNet net =
          support::net_of(seed % 4 == 0 ? support::alike_document(seed, seed % 8 == 0) : alike, model);
      if (net.pipeline.rows > 60) continue;
      INFO("seed " << seed << ", " << tpn::label_of(model));
      const auto paced = std::get<PacedSchedule>(evaluators::paced_schedule(net, support::period_of(net)));
      const CriticalOperations critical = evaluators::critical_operations(net, paced);
      const CountedCircuits counted = count_circuits(net, paced);
      CHECK(critical.real_count == counted.operations);
      CHECK(critical.real_size == net.pipeline.rows * net.pipeline.columns.size());
      // Circuits of several classes are not counted.
      if (critical.circuits) CHECK(critical.circuits == counted.circuits);
      if (counted.circuits == Integer(1)) CHECK(critical.circuits == Integer(1));
      several += critical.circuits && *critical.circuits > 1 ? 1 : 0;
    }
  }
  CHECK(several > 10);
}

TEST_CASE("floats of more operations than asked for are a limit") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  const auto paced = std::get<PacedSchedule>(evaluators::paced_schedule(net, Rational::fraction(692, 3)));
  const auto answer = evaluators::operation_floats(net, paced, {}, 41);
  CHECK(std::get<tpn::TooLarge>(std::get<evaluators::Limit>(answer)).needed == 42);
}

}  // namespace
}  // namespace takt

// Folded nets and their unfolding, held against nets listed operation by operation.
#include "tpn/folded_net.hpp"

#include <algorithm>
#include <array>
#include <boost/range/iterator_range.hpp>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tpn/event_graph.hpp"
#include "tpn/models.hpp"

namespace takt::tpn {
namespace {

using support::net_of;

EventGraph unfolded(const FoldedNet& net) { return std::get<EventGraph>(unfold(net, 1'000'000)); }

// (from, to, tokens) of a place; vertices are row * columns + column.
using PlainPlace = std::tuple<std::size_t, std::size_t, std::uint64_t>;

std::set<PlainPlace> places_of(const EventGraph& graph) {
  std::set<PlainPlace> places;
  for (const auto& place : boost::make_iterator_range(edges(graph))) {
    places.emplace(source(place, graph), target(place, graph), graph[place].tokens);
  }
  return places;
}

// The net from its definition: the flow of each row, and each resource's operations over all rows in the
// order of rows and columns, each followed by the next and the last by the first with a token.
std::set<PlainPlace> plain_places(const Pipeline& pipeline, Model model) {
  const std::size_t columns = pipeline.columns.size();
  std::set<PlainPlace> places;
  std::map<std::pair<int, std::size_t>, std::vector<std::size_t>> operations;  // by port and processor
  for (std::uint64_t row = 0; row < pipeline.rows.get_ui(); ++row) {
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t vertex = row * columns + c;
      if (c + 1 < columns) places.emplace(vertex, vertex + 1, 0);
      const std::size_t here = pipeline.parts[c / 2].processor_at(row);
      if (c % 2 == 0) {
        operations[{0, here}].push_back(vertex);
        continue;
      }
      const std::size_t there = pipeline.parts[c / 2 + 1].processor_at(row);
      if (here == there) continue;
      operations[{model == Model::kStrict ? 0 : 1, here}].push_back(vertex);
      operations[{model == Model::kStrict ? 0 : 2, there}].push_back(vertex);
    }
  }
  for (const auto& [resource, list] : operations) {
    for (std::size_t k = 0; k + 1 < list.size(); ++k) places.emplace(list[k], list[k + 1], 0);
    places.emplace(list.back(), list.front(), 1);
  }
  return places;
}

TEST_CASE("places stand by input transition, then by dependence, guards or none") {
  std::size_t guarded = 0;
  support::for_each_net({.seeds = 30}, default_models(), [&](const FoldedNet& net) {
    const EventGraph graph = unfolded(net);
    const std::uint64_t rows = net.pipeline.rows.get_ui();
    std::size_t edge = 0;
    for (std::size_t vertex = 0; vertex < num_vertices(graph); ++vertex) {
      REQUIRE(graph[vertex].firing_time == net.pipeline.columns[graph[vertex].column].duration(graph[vertex].row));
      for (std::size_t k = 0; k < net.dependences.size(); ++k) {
        const Dependence& d = net.dependences[k];
        if (d.from != graph[vertex].column || graph[vertex].row % d.modulus != d.residue) continue;
        if (d.modulus > 1) ++guarded;
        const auto place = edge_from_index(edge++, graph);
        REQUIRE(source(place, graph) == vertex);
        REQUIRE(graph[target(place, graph)].column == d.to);
        REQUIRE(graph[target(place, graph)].row == (graph[vertex].row + d.height) % rows);
        REQUIRE(graph[place].dependence == k);
        REQUIRE(graph[place].tokens == (graph[vertex].row + d.height) / rows);
      }
    }
    REQUIRE(edge == num_edges(graph));
  });
  REQUIRE(guarded > 100);
}

TEST_CASE("the unfolded net is the one listed operation by operation, for every kind of mapping") {
  support::for_each_net({.seeds = 150}, default_models(), [](const FoldedNet& net) {
    REQUIRE(places_of(unfolded(net)) == plain_places(net.pipeline, net.model));
  });
}

TEST_CASE("a resource's circuit holds one token, and the resources' tokens are all there are") {
  support::for_each_net({.seeds = 40, .first = 200}, default_models(), [](const FoldedNet& net) {
    const EventGraph graph = unfolded(net);
    std::uint64_t tokens = 0;
    for (const auto& place : boost::make_iterator_range(edges(graph))) tokens += graph[place].tokens;
    REQUIRE(tokens == net.resources.size());
  });
}

TEST_CASE("example A unfolds to 6 rows of 7 transitions, with the places of the paper's figures 4 and 5") {
  const Document document = support::document_of("examples/example-a.json");
  const FoldedNet overlap = net_of(document, Model::kOverlap);
  const FoldedNet strict = net_of(document, Model::kStrict);
  REQUIRE(num_vertices(unfolded(overlap)) == 42);
  // 36 of the flow; 24 of computations, 18 of output ports, 18 of input ports.
  REQUIRE(num_edges(unfolded(overlap)) == 96);
  REQUIRE(overlap.resources.size() == 7 + 6 + 6);
  // 36 of the flow, 24 from a processor's sending back to its reception.
  REQUIRE(num_edges(unfolded(strict)) == 60);
  REQUIRE(strict.resources.size() == 7);
}

TEST_CASE("plain round robin needs no guards: one dependence for all the processors of a part") {
  const Document document = support::document_of("examples/example-a.json");
  for (const Model& model : default_models()) {
    for (const Dependence& d : net_of(document, model).dependences) REQUIRE(d.modulus == 1);
  }
  const std::vector<Dependence> expected = {
      {ColumnIndex(0), ColumnIndex(1), 0, 1, 0, ConstraintKind::flow, 0, PartIndex(0)},
      {ColumnIndex(1), ColumnIndex(0), 1, 1, 0, ConstraintKind::processor, 0, PartIndex(0)},
      {ColumnIndex(1), ColumnIndex(2), 0, 1, 0, ConstraintKind::flow, 0, PartIndex(0)},
      {ColumnIndex(2), ColumnIndex(3), 0, 1, 0, ConstraintKind::flow, 0, PartIndex(0)},
      {ColumnIndex(3), ColumnIndex(1), 2, 1, 0, ConstraintKind::processor, 0, PartIndex(1)},
      {ColumnIndex(3), ColumnIndex(4), 0, 1, 0, ConstraintKind::flow, 0, PartIndex(0)},
      {ColumnIndex(4), ColumnIndex(5), 0, 1, 0, ConstraintKind::flow, 0, PartIndex(0)},
      {ColumnIndex(5), ColumnIndex(3), 3, 1, 0, ConstraintKind::processor, 0, PartIndex(2)},
      {ColumnIndex(5), ColumnIndex(6), 0, 1, 0, ConstraintKind::flow, 0, PartIndex(0)},
      {ColumnIndex(6), ColumnIndex(5), 1, 1, 0, ConstraintKind::processor, 0, PartIndex(3)}};
  REQUIRE(net_of(document, Model::kStrict).dependences == expected);
}

TEST_CASE("a sequence written twice over gives the same dependences as once") {
  constexpr std::array<std::size_t, 3> kReplication = {2, 3, 1};
  const Document once = support::uniform_document(kReplication, 1, 9, 1);
  Document twice = once;
  auto& sequence = (*twice.mapping)[1].processors;
  const std::vector<std::size_t> copy = sequence;
  sequence.insert(sequence.end(), copy.begin(), copy.end());
  for (const Model& model : default_models()) {
    REQUIRE(net_of(once, model).dependences == net_of(twice, model).dependences);
  }
}

TEST_CASE("a repeated processor is guarded by the entries it stands in") {
  constexpr std::array<std::size_t, 1> kReplication = {2};
  Document document = support::uniform_document(kReplication, 1, 9, 1);
  (*document.mapping)[0].processors = {0, 1, 0};
  const std::vector<Dependence> expected = {
      {ColumnIndex(0), ColumnIndex(0), 1, 3, 2, ConstraintKind::compute, 0, PartIndex(0)},
      {ColumnIndex(0), ColumnIndex(0), 2, 3, 0, ConstraintKind::compute, 0, PartIndex(0)},
      {ColumnIndex(0), ColumnIndex(0), 3, 3, 1, ConstraintKind::compute, 0, PartIndex(0)}};
  REQUIRE(net_of(document, Model::kOverlap).dependences == expected);
}

TEST_CASE("a file between two parts on one processor costs nothing and occupies no port") {
  constexpr std::array<std::size_t, 2> kReplication = {1, 1};
  Document document = support::uniform_document(kReplication, 5, 5, 1);
  (*document.mapping)[1].processors = {0};
  const FoldedNet net = net_of(document, Model::kOverlap);
  REQUIRE(net.pipeline.duration({0, ColumnIndex(1)}).sign() == 0);
  REQUIRE(net.resources.size() == 1);
  REQUIRE(net.resources.front().kind == ConstraintKind::compute);
  REQUIRE(net.resources.front().cycle_time == Rational(10));
}

TEST_CASE("durations depend on the data set modulo the period of their column") {
  const FoldedNet net = net_of(support::document_of("examples/example-c.json"), Model::kOverlap);
  const std::vector<std::uint64_t> periods = {5, 105, 21, 189, 27, 297, 11};
  for (std::size_t c = 0; c < periods.size(); ++c) {
    const Column& column = net.pipeline.columns[c];
    REQUIRE(column.period == periods[c]);
    for (std::uint64_t j = 0; j < 600; ++j) REQUIRE(column.duration(j) == column.duration(j + column.period));
  }
}

// Two parts of so many processors, each of which takes what `time` says next; links take 1.
template <typename Time>
Document two_parts(std::size_t first, std::size_t second, Time time) {
  Document document;
  document.platform.defaults.time = 1;
  document.mapping.emplace();
  for (const std::size_t count : {first, second}) {
    const std::size_t stage = document.mapping->size();
    document.application.stages.emplace_back().name = "S" + std::to_string(stage);
    Part& part = document.mapping->emplace_back(Part{stage, stage, {}});
    for (std::size_t k = 0; k < count; ++k) {
      part.processors.push_back(document.platform.processors.size());
      document.platform.processors.push_back({"P" + std::to_string(part.processors.back()), {}, time()});
    }
  }
  return document;
}

TEST_CASE("times whose common denominator would be too long for all of them are refused") {
  // 1 / (10^400 + 2k + 1): hardly two have a factor in common.
  Integer denominator;
  mpz_ui_pow_ui(denominator.get_mpz_t(), 10, 400);
  const Document document = two_parts(2000, 1, [&] { return Rational::fraction(1, Integer((denominator += 2) + 1)); });
  const auto refused = make_pipeline(document);
  REQUIRE(std::get<TooLarge>(refused).kind == LimitKind::duration_words);
  REQUIRE(std::get<TooLarge>(refused).needed > kDefaultDurationWords);
}

TEST_CASE("a net is not built once the time is over, unless it is small") {
  std::vector<std::size_t> replication = {120, 121, 1};
  const Document document = support::uniform_document(replication, 1, 9, 1);
  const maxplus::Deadline over = maxplus::Deadline::Clock::now();
  REQUIRE(std::get<TooLarge>(fold(document, Model::kStrict, over)).kind == LimitKind::building_time);
  REQUIRE(std::holds_alternative<FoldedNet>(fold(document, Model::kStrict)));
  const Document small = support::document_of("examples/example-a.json");
  REQUIRE(std::holds_alternative<FoldedNet>(fold(small, Model::kStrict, over)));
}

TEST_CASE("too many rows are refused before anything is unfolded") {
  const FoldedNet net = net_of(support::document_of("examples/example-c.json"), Model::kStrict);
  const auto refused = unfold(net, 10394);
  REQUIRE(std::get<TooLarge>(refused).kind == LimitKind::rows);
  REQUIRE(std::get<TooLarge>(refused).needed == 10395);
  REQUIRE(std::holds_alternative<EventGraph>(unfold(net, 10395)));
}

TEST_CASE("circuits of more steps than allowed are refused") {
  const Document document = support::document_of("examples/example-a.json");
  const auto refused = fold(std::get<Pipeline>(make_pipeline(document)), Model::kStrict, 8);
  REQUIRE(std::get<TooLarge>(refused).kind == LimitKind::circuit_operations);
  REQUIRE(std::get<TooLarge>(refused).limit == 8);
}

TEST_CASE("the limit on circuits holds for all resources together") {
  // Each processor's circuit has three operations per visit in STRICT; none alone exceeds the limit.
  constexpr std::array<std::size_t, 3> kReplication = {4, 4, 4};
  const Document document = support::uniform_document(kReplication, 1, 9, 1);
  const auto pipeline = std::get<Pipeline>(make_pipeline(document));
  REQUIRE(std::holds_alternative<FoldedNet>(fold(pipeline, Model::kStrict, 28)));
  for (std::uint64_t limit = 0; limit < 28; ++limit) {
    const auto refused = fold(pipeline, Model::kStrict, limit);
    REQUIRE(std::get<TooLarge>(refused).needed > limit);
  }
}

TEST_CASE("more pairs of processors than a table can hold are refused before any is looked at") {
  const Document document = two_parts(30'000, 30'001, [] { return Rational(1); });
  const auto refused = make_pipeline(document);
  REQUIRE(std::get<TooLarge>(refused).kind == LimitKind::meetings);
  REQUIRE(std::get<TooLarge>(refused).needed == 900'030'000);
}

TEST_CASE("rows whose transitions cannot be numbered are refused, whatever rows are allowed") {
  constexpr std::array<std::size_t, 14> kPrimes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43};
  const FoldedNet net = net_of(support::uniform_document(kPrimes, 1, 9, 1), Model::kStrict);
  const auto refused = unfold(net, ~std::uint64_t{0});
  REQUIRE(std::get<TooLarge>(refused).kind == LimitKind::transitions_and_places);
}

TEST_CASE("a dependence within a data set that leads backwards is a contract violation") {
  const auto pipeline = std::get<Pipeline>(make_pipeline(support::document_of("examples/example-a.json")));
  DependenceList list(pipeline, 100);
  REQUIRE_THROWS_AS(list.add({.from = ColumnIndex(2), .to = ColumnIndex(1), .height = 0, .modulus = 1, .residue = 0}),
                    maxplus::ContractViolation);
  REQUIRE_THROWS_AS(list.add({.from = ColumnIndex(2), .to = ColumnIndex(1), .height = 1, .modulus = 5, .residue = 0}),
                    maxplus::ContractViolation);
}

TEST_CASE("resources stand by first column, then naturally by name") {
  const FoldedNet net = net_of(support::document_of("examples/example-c.json"), Model::kStrict);
  REQUIRE(name_of(net.resources[0], net.pipeline) == "P0");
  REQUIRE(name_of(net.resources[5], net.pipeline) == "P5");
  REQUIRE(name_of(net.resources[10], net.pipeline) == "P10");
}

TEST_CASE("natural order counts digits as numbers") {
  const std::vector<std::string> sorted = {"", "P", "P0", "P2", "P02", "P10", "P10a", "P10b2", "P10b10", "Q1"};
  for (std::size_t a = 0; a < sorted.size(); ++a) {
    for (std::size_t b = 0; b < sorted.size(); ++b) {
      INFO(sorted[a] << " before " << sorted[b]);
      const bool swapped = (sorted[a] == "P2" && sorted[b] == "P02") || (sorted[a] == "P02" && sorted[b] == "P2");
      // P2 and P02 are the same number; plain text decides.
      REQUIRE(natural_less(sorted[a], sorted[b]) == (swapped ? sorted[a] < sorted[b] : a < b));
    }
  }
}

}  // namespace
}  // namespace takt::tpn

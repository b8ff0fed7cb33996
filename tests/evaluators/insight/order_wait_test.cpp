// A wait for the order of a processor's parts is on the circuit, is kept by every schedule, and is found where it is.
#include "evaluators/insight/order_wait.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/play/play.hpp"
#include "tests/support/random_nets.hpp"

namespace takt::testing {

namespace {

using evaluators::OrderWait;
using tpn::FoldedNet;
using tpn::Operation;

// Parts by processor, of an operation.
std::map<std::size_t, std::size_t> parts_of(const FoldedNet& net, const Operation& operation) {
  const tpn::Column& column = net.pipeline.columns[operation.column];
  std::map<std::size_t, std::size_t> parts;
  for (const tpn::PartIndex part : {column.part, column.receiver})
    parts.emplace(net.pipeline.parts[part].processor_at(operation.data_set), part);
  return parts;
}

// Whether that processor itself makes the second wait for the first, with nothing of its own between the two.
bool is_next_of(const FoldedNet& net, const Operation& here, const Operation& there, std::size_t processor) {
  return std::ranges::any_of(net.dependences, [&](const tpn::Dependence& dependence) {
    return dependence.kind != tpn::ConstraintKind::flow && dependence.from == here.column &&
           dependence.to == there.column && here.data_set + dependence.height == there.data_set &&
           here.data_set % dependence.modulus == dependence.residue &&
           net.pipeline.parts[dependence.part].processor_at(here.data_set) == processor;
  });
}

// That a processor they share has other parts in the one than in the other.
bool joins_parts(const FoldedNet& net, const Operation& here, const Operation& there) {
  if (here.data_set == there.data_set && net.pipeline.flows(here.column, there.column)) return false;
  const auto before = parts_of(net, here);
  const auto after = parts_of(net, there);
  return std::ranges::any_of(after, [&](const auto& own) {
    const auto other = before.find(own.first);
    return other != before.end() && other->second != own.second && is_next_of(net, here, there, own.first);
  });
}

TEST_CASE("the order of a processor's parts is named where a critical circuit leads over it, and nowhere else") {
  int found = 0;
  const support::DocumentDraws draws{150, 0, {support::Kind::several_parts}};
  support::for_each_net(draws, tpn::default_models(), [&](const FoldedNet& net) {
    const evaluators::Evaluation evaluation = evaluators::evaluate(net, {});
    REQUIRE(evaluation.exact());
    const auto& circuit = evaluation.circuit;
    const auto wait = evaluators::order_wait(net, circuit);
    bool is_there = false;
    bool is_on_circuit = false;
    Operation here{circuit.data_set, circuit.steps.empty() ? tpn::ColumnIndex() : circuit.steps.front().column};
    const std::uint64_t steps = maxplus::Integer(circuit.laps * circuit.steps.size()).get_ui();
    for (std::uint64_t k = 0; k < steps; ++k) {
      const auto& next = circuit.steps[(k + 1) % circuit.steps.size()];
      const Operation there{here.data_set + circuit.steps[k % circuit.steps.size()].height, next.column};
      is_there = is_there || joins_parts(net, here, there);
      is_on_circuit = is_on_circuit || (wait && wait->earlier == here && wait->later == there);
      here = there;
    }
    REQUIRE(wait.has_value() == is_there);
    if (!wait) return;
    ++found;
    REQUIRE(is_on_circuit);
    REQUIRE(parts_of(net, wait->earlier).contains(wait->processor));
    REQUIRE(parts_of(net, wait->later).contains(wait->processor));
    maxplus::Rational end;
    bool is_kept = false;
    evaluators::play(net, wait->later.data_set + 1, [&](const evaluators::Firing& firing) {
      if (firing.operation == wait->earlier) end = firing.end;
      if (firing.operation == wait->later) is_kept = firing.start >= end;
      return true;
    });
    REQUIRE(is_kept);
  });
  CHECK(found > 20);
}

TEST_CASE("a processor of one part has no such order") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  CHECK_FALSE(evaluators::order_wait(net, evaluators::evaluate(net, {}).circuit));
}

}  // namespace

}  // namespace takt::testing

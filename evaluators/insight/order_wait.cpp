// The dependences of a circuit's steps, until one joins two parts of a processor.
#include "evaluators/insight/order_wait.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace takt::evaluators {

namespace {

using tpn::Dependence;
using tpn::FoldedNet;
using tpn::Operation;
using tpn::Pipeline;

bool is_order(const Dependence& dependence) {
  return tpn::handles_receptions(dependence.kind) || tpn::handles_computations(dependence.kind) ||
         tpn::handles_sendings(dependence.kind);
}

// The parts whose processor, or host, takes part in an operation: one computes, two share a transfer.
std::vector<tpn::PartIndex> parts_at(const Pipeline& pipeline, const Operation& operation, tpn::ConstraintKind kind,
                                     std::size_t owner) {
  std::vector<tpn::PartIndex> parts;
  const tpn::Column& column = pipeline.columns[operation.column];
  for (const tpn::PartIndex part : {column.part, column.receiver}) {
    if (pipeline.owner(kind, pipeline.processor_at(part, operation)) == owner) parts.push_back(part);
  }
  return parts;
}

}  // namespace

std::optional<OrderWait> order_wait(const FoldedNet& net, const CriticalCircuit& circuit) {
  const Pipeline& pipeline = net.pipeline;
  if (circuit.steps.empty() || !tpn::shared_owner(pipeline)) return std::nullopt;
  std::map<std::tuple<std::size_t, std::size_t, std::uint64_t>, std::vector<const Dependence*>> by_step;
  for (const Dependence& dependence : net.dependences) {
    by_step[{dependence.from, dependence.to, dependence.height}].push_back(&dependence);
  }
  constexpr std::uint64_t kMostSteps = 1'000'000;
  const Integer all = circuit.laps * circuit.steps.size();
  const std::uint64_t looked_at = Integer(std::min(all, Integer(kMostSteps))).get_ui();
  Operation here{circuit.data_set, circuit.steps.front().column};
  for (std::uint64_t k = 0; k < looked_at; ++k) {
    const CircuitStep& step = circuit.steps[k % circuit.steps.size()];
    const CircuitStep& next = circuit.steps[(k + 1) % circuit.steps.size()];
    const Operation there{here.data_set + step.height, next.column};
    bool is_flow = false;
    std::optional<OrderWait> wait;
    for (const Dependence* dependence : by_step[{step.column, next.column, step.height}]) {
      if (here.data_set % dependence->modulus != dependence->residue) continue;
      is_flow = is_flow || !is_order(*dependence);
      if (!is_order(*dependence) || wait) continue;
      const std::size_t owner = pipeline.owner(*dependence, here.data_set);
      const auto parts = parts_at(pipeline, there, dependence->kind, owner);
      const auto before = parts_at(pipeline, here, dependence->kind, owner);
      const bool is_within = std::ranges::any_of(
          parts, [&](tpn::PartIndex part) { return std::ranges::find(before, part) != before.end(); });
      if (!is_within) wait = OrderWait{owner, here, there};
    }
    if (wait && !is_flow) return wait;
    here = there;
  }
  return std::nullopt;
}

}  // namespace takt::evaluators

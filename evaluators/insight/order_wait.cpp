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

namespace {

// Both bring files to a part, other ones.
std::optional<tpn::PartIndex> joined_part(const Pipeline& pipeline, const Operation& here, const Operation& there) {
  const tpn::Column& from = pipeline.columns[here.column];
  const tpn::Column& to = pipeline.columns[there.column];
  const bool are_receptions = pipeline.is_transfer(here.column) && pipeline.is_transfer(there.column);
  return are_receptions && here.column != there.column && from.receiver == to.receiver ? std::optional(to.receiver)
                                                                                       : std::nullopt;
}

// What a circuit's steps say of the order at resources.
class OrderSteps {
 public:
  explicit OrderSteps(const FoldedNet& net) : pipeline_(net.pipeline) {
    for (const Dependence& dependence : net.dependences)
      by_step_[{dependence.from, dependence.to, dependence.height}].push_back(&dependence);
  }

  /// Nothing if the step is a file's, or stays within a part but for its files.
  std::optional<OrderWait> wait(const Operation& here, const Operation& there) const {
    const auto found = by_step_.find({here.column, there.column, there.data_set - here.data_set});
    if (found == by_step_.end()) return std::nullopt;
    std::optional<OrderWait> wait;
    for (const Dependence* dependence : found->second) {
      if (here.data_set % dependence->modulus != dependence->residue) continue;
      if (!is_order(*dependence)) return std::nullopt;
      if (wait) continue;
      const std::size_t owner = pipeline_.owner(*dependence, here.data_set);
      const auto parts = parts_at(pipeline_, there, dependence->kind, owner);
      const auto before = parts_at(pipeline_, here, dependence->kind, owner);
      const auto both = std::ranges::find_if(
          parts, [&](tpn::PartIndex part) { return std::ranges::find(before, part) != before.end(); });
      if (both == parts.end()) {
        wait = OrderWait{owner, here, there};
      } else if (const auto join = joined_part(pipeline_, here, there); join && *join == *both) {
        wait = OrderWait{owner, here, there, join};
      }
    }
    return wait;
  }

 private:
  const Pipeline& pipeline_;
  std::map<std::tuple<std::size_t, std::size_t, std::uint64_t>, std::vector<const Dependence*>> by_step_;
};

}  // namespace

std::optional<OrderWait> order_wait(const FoldedNet& net, const CriticalCircuit& circuit) {
  const Pipeline& pipeline = net.pipeline;
  if (circuit.steps.empty() || (pipeline.is_chain() && !tpn::shared_owner(pipeline))) return std::nullopt;
  const OrderSteps steps(net);
  constexpr std::uint64_t kMostSteps = 1'000'000;
  const Integer all = circuit.laps * circuit.steps.size();
  const std::uint64_t looked_at = Integer(std::min(all, Integer(kMostSteps))).get_ui();
  Operation here{circuit.data_set, circuit.steps.front().column};
  std::optional<OrderWait> found;
  for (std::uint64_t k = 0; k < looked_at; ++k) {
    const CircuitStep& step = circuit.steps[k % circuit.steps.size()];
    const Operation there{here.data_set + step.height, circuit.steps[(k + 1) % circuit.steps.size()].column};
    const auto wait = steps.wait(here, there);
    if (wait && !found) found = wait;
    if (wait && (!wait->join || pipeline.data_set_of(here) < pipeline.data_set_of(there))) return wait;
    here = there;
  }
  return found;
}

}  // namespace takt::evaluators

// The dependences that the critical circuit of an evaluation is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "maxplus/contract.hpp"
#include "tools/drawing/drawing.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

/// The dependences of the critical circuit, found again by the steps that evaluators give; none if the
/// evaluation is not exact. Keeps references to the subject's net and circuit.
class CriticalSteps {
 public:
  explicit CriticalSteps(const Subject& subject) : net_(subject.net), circuit_(subject.evaluation.circuit) {
    if (!subject.evaluation.exact()) return;
    for (std::size_t k = 0; k < net_.dependences.size(); ++k) {
      const tpn::Dependence& d = net_.dependences[k];
      by_step_[{d.from, d.to, d.height}].push_back(k);
    }
    known_ = true;
  }

  /// Calls visit(data set modulo `rows`, dependence) for each step, lap after lap, until the walk closes
  /// modulo that many rows.
  template <typename Visit>
  void for_each(std::uint64_t rows, const Visit& visit) const {
    if (!known_ || circuit_.steps.empty()) return;
    const std::uint64_t start = circuit_.data_set % rows;
    std::uint64_t row = start;
    std::uint64_t data_set = circuit_.data_set;
    do {
      for (std::size_t t = 0; t < circuit_.steps.size(); ++t) {
        const auto& step = circuit_.steps[t];
        visit(row, dependence(data_set, step, circuit_.steps[(t + 1) % circuit_.steps.size()].column));
        row = (row + step.height % rows) % rows;
        data_set += step.height;
      }
    } while (row != start);
  }

  /// Index of the dependence by which `step` on that data set leads to column `to`; the evaluation must be exact. Two
  /// ports may ask for the same wait; the circuit of a resource is its own.
  std::size_t dependence(std::uint64_t data_set, const evaluators::CircuitStep& step, std::size_t to) const {
    std::optional<std::size_t> found;
    for (const std::size_t k : by_step_.at({step.column, to, step.height})) {
      const tpn::Dependence& d = net_.dependences[k];
      if (data_set % d.modulus != d.residue) continue;
      if (!found) found = k;
      if (!circuit_.resource || d.kind == net_.resources[*circuit_.resource].kind) return k;
    }
    maxplus::expects(found.has_value(), "each step of a critical circuit is a dependence");
    return *found;
  }

 private:
  const tpn::FoldedNet& net_;
  const evaluators::CriticalCircuit& circuit_;
  std::map<std::tuple<std::size_t, std::size_t, std::uint64_t>, std::vector<std::size_t>> by_step_;
  bool known_ = false;
};

}  // namespace takt::tools

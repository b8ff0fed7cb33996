// Each step of the sub-pipeline's circuit becomes the whole net's dependence where that has the same, else the whole's
// circuit of the resource.
#include "evaluators/sub_pipelines/embedding.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "tpn/chain.hpp"

namespace takt::evaluators {

using tpn::Dependence;
using tpn::FoldedNet;

LeavingDependences::LeavingDependences(const FoldedNet& net) : by_column_(net.pipeline.columns.size()) {
  for (const Dependence& d : net.dependences) by_column_[d.from][d.modulus].push_back(&d);
  for (auto& by_modulus : by_column_) {
    for (auto& [modulus, dependences] : by_modulus) std::ranges::stable_sort(dependences, {}, &Dependence::residue);
  }
}

LeavingDependences::List::const_iterator LeavingDependences::first_of(const List& dependences, std::uint64_t residue) {
  return std::ranges::lower_bound(dependences, residue, {}, &Dependence::residue);
}

// A walk of the whole that grows.
struct Embedding::Walk {
  std::vector<CircuitStep> steps;
  std::uint64_t data_set = 0;  // where it has come to
  // All steps may be taken on data sets a multiple of this later as well. 0: too large for 64 bits.
  std::uint64_t modulus = 1;

  void go(const Dependence& d) {
    steps.push_back({d.from, d.height});
    data_set += d.height;
    if (modulus == 0 || modulus % d.modulus == 0) return;
    const std::uint64_t factor = d.modulus / std::gcd(modulus, d.modulus);
    modulus = modulus <= std::numeric_limits<std::uint64_t>::max() / factor ? modulus * factor : 0;
  }
};

Embedding::Embedding(const FoldedNet& whole, const FoldedNet& sub_pipeline, tpn::PartIndex first_part)
    : whole_(whole), first_part_(first_part), of_whole_(whole), of_sub_pipeline_(sub_pipeline) {}

// Along the operations of the resource that the whole's dependences of that kind and processor join. Those that are
// missing among them are the flow's.
void Embedding::follow_resource(const Dependence& along, tpn::ColumnIndex to, std::uint64_t until, Walk& walk) const {
  const auto processor_on = [&](const Dependence& d) { return whole_.pipeline.owner(d, walk.data_set); };
  const std::size_t processor = processor_on(along);
  for (tpn::ColumnIndex column = along.from; column != to || walk.data_set != until;) {
    maxplus::expects(walk.data_set <= until, "a resource handles what is in the sub-pipeline in the same order");
    const Dependence* next = nullptr;
    of_whole_.any(column, walk.data_set, [&](const Dependence& d) {
      const bool is_of_resource = d.kind == along.kind && processor_on(d) == processor;
      if (is_of_resource || (next == nullptr && d.kind == tpn::ConstraintKind::flow)) next = &d;
      return is_of_resource;
    });
    maxplus::expects(next != nullptr, "a resource always has a next operation");
    walk.go(*next);
    column = next->to;
  }
}

// False if the sub-pipeline has no such dependence.
bool Embedding::follow(tpn::ColumnIndex column, tpn::ColumnIndex to, std::uint64_t height, Walk& walk) const {
  const tpn::ColumnIndex target = tpn::in_whole_chain(to, first_part_);
  const bool has_same =
      of_whole_.any(tpn::in_whole_chain(column, first_part_), walk.data_set, [&](const Dependence& d) {
        if (d.to != target || d.height != height) return false;
        walk.go(d);
        return true;
      });
  if (has_same) return true;
  return of_sub_pipeline_.any(column, walk.data_set, [&](const Dependence& d) {
    if (d.to != to || d.height != height) return false;
    follow_resource(tpn::in_whole_chain(d, first_part_), target, walk.data_set + height, walk);
    return true;
  });
}

std::optional<CriticalCircuit> Embedding::embed(const CriticalCircuit& circuit, std::uint64_t max_steps,
                                                const Deadline& deadline) const {
  maxplus::DeadlineWatch watch(deadline, 4096);
  std::uint64_t height = 0;
  for (const CircuitStep& step : circuit.steps) height += step.height;
  const std::size_t size = circuit.steps.size();
  Walk walk;
  walk.data_set = circuit.data_set;
  for (std::uint64_t laps = 1, lap = 0;;) {
    for (std::size_t t = 0; t < size; ++t) {
      if (watch.has_passed() || walk.steps.size() > max_steps) return std::nullopt;
      const CircuitStep& step = circuit.steps[t];
      const bool holds = follow(step.column, circuit.steps[(t + 1) % size].column, step.height, walk);
      maxplus::expects(holds, "a circuit of the sub-pipeline consists of its dependences");
    }
    if (++lap < laps) continue;
    if (walk.modulus == 0) return std::nullopt;
    const std::uint64_t needed = walk.modulus / std::gcd(walk.modulus, height);
    if (lap % needed == 0) break;
    if (needed > max_steps / size) return std::nullopt;
    laps = (lap / needed + 1) * needed;
  }
  CriticalCircuit embedded;
  embedded.data_set = circuit.data_set;
  embedded.steps = std::move(walk.steps);
  return embedded;
}

}  // namespace takt::evaluators

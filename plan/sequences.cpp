// Machines numbered type after type, in the order of the parts.
#include "plan/sequences.hpp"

#include <numeric>

#include "tpn/expansion.hpp"

namespace takt::plan {

std::vector<std::uint64_t> SequencePart::by_type(std::size_t types) const {
  std::vector<std::uint64_t> result(types);
  for (const std::size_t type : machines) ++result[type];
  for (const std::size_t type : standby) ++result[type];
  return result;
}

SequencePart round_robin(std::size_t first_stage, std::size_t last_stage, const std::vector<std::uint64_t>& by_type,
                         bool is_replicable) {
  SequencePart part{first_stage, last_stage, {}, {}, {}};
  for (std::size_t t = 0; t < by_type.size(); ++t) part.machines.insert(part.machines.end(), by_type[t], t);
  if (!is_replicable) {
    part.standby.assign(part.machines.begin() + 1, part.machines.end());
    part.machines.resize(1);
  }
  part.sequence.resize(part.machines.size());
  std::iota(part.sequence.begin(), part.sequence.end(), std::size_t{0});
  return part;
}

SequencePlan sequences_of(const TypedPlan& plan) {
  SequencePlan result;
  for (const TypedPart& part : plan) {
    SequencePart& made = result.emplace_back(SequencePart{part.first_stage, part.last_stage, {}, {}, {}});
    made.machines.assign(part.machines, part.type);
    made.standby.assign(part.standby, part.type);
    made.sequence.resize(part.machines);
    std::iota(made.sequence.begin(), made.sequence.end(), std::size_t{0});
  }
  return result;
}

SequencePlan plan_of_moves(const Catalogue& catalogue, const std::vector<PlannedMove>& moves) {
  SequencePlan plan;
  for (auto move = moves.begin(); move != moves.end();) {
    const PlannedMove& part = *move;
    std::vector<std::uint64_t> by_type(catalogue.types.size());
    for (; move != moves.end() && move->first_stage == part.first_stage; ++move) by_type[move->type] += move->machines;
    plan.push_back(round_robin(part.first_stage, part.last_stage, by_type,
                               catalogue.least_replicable_stage(part.last_stage) <= part.first_stage));
  }
  return plan;
}

std::vector<PlannedMove> moves_of(const Catalogue& catalogue, const SequencePlan& plan) {
  std::vector<PlannedMove> moves;
  for (const SequencePart& part : plan) {
    const std::vector<std::uint64_t> by_type = part.by_type(catalogue.types.size());
    for (std::size_t t = 0; t < by_type.size(); ++t) {
      if (by_type[t] > 0) moves.push_back({part.first_stage, part.last_stage, t, by_type[t]});
    }
  }
  return moves;
}

std::vector<std::uint64_t> machines_by_type(const Catalogue& catalogue, const SequencePlan& plan) {
  std::vector<std::uint64_t> result(catalogue.types.size());
  for (const SequencePart& part : plan) {
    for (const std::size_t type : part.machines) ++result[type];
    for (const std::size_t type : part.standby) ++result[type];
  }
  return result;
}

Rational cost_of(const Catalogue& catalogue, const SequencePlan& plan) {
  const std::vector<std::uint64_t> machines = machines_by_type(catalogue, plan);
  Rational cost;
  for (std::size_t t = 0; t < machines.size(); ++t) cost += catalogue.types[t].price * Rational(machines[t]);
  return cost;
}

tpn::Mapping mapping_of(const SequencePlan& plan, const std::vector<std::uint64_t>& machines) {
  std::vector<std::size_t> next(machines.size());
  for (std::size_t t = 1; t < next.size(); ++t) next[t] = next[t - 1] + machines[t - 1];
  tpn::Mapping mapping;
  for (const SequencePart& part : plan) {
    std::vector<std::size_t> processors;
    for (const std::size_t type : part.machines) processors.push_back(next[type]++);
    for (const std::size_t type : part.standby) ++next[type];
    tpn::Part& made = mapping.emplace_back(tpn::Part{part.first_stage, part.last_stage, {}});
    for (const std::size_t machine : part.sequence) made.processors.push_back(processors[machine]);
  }
  return mapping;
}

tpn::Document mapped_document(const tpn::Document& problem, const Catalogue& catalogue, const tpn::Model& model,
                              const SequencePlan& plan, const Rational& period) {
  const std::vector<std::uint64_t> machines = machines_by_type(catalogue, plan);
  tpn::Document result = tpn::expanded(problem, machines);
  result.mapping = mapping_of(plan, machines);
  result.predicted_period = period;
  result.model = model;
  return result;
}

}  // namespace takt::plan

// Machines numbered type after type, in the order of the parts.
#include "plan/sequences.hpp"

#include <limits>
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

std::uint64_t processors_of(const Catalogue& catalogue, const std::vector<std::uint64_t>& machines) {
  Integer sum = 0;
  for (std::size_t t = 0; t < machines.size(); ++t)
    sum += Integer(static_cast<unsigned long>(machines[t])) * static_cast<unsigned long>(catalogue.types[t].cores);
  return sum.fits_ulong_p() ? sum.get_ui() : std::numeric_limits<std::uint64_t>::max();
}

std::vector<std::size_t> turns_of_cores(const std::vector<std::size_t>& sequence,
                                        const std::vector<MachineCores>& machines) {
  std::vector<std::uint64_t> turns(machines.size());
  for (const std::size_t machine : sequence) ++turns[machine];
  std::uint64_t rounds = 1;
  for (std::size_t k = 0; k < machines.size(); ++k)
    rounds = std::lcm(rounds, machines[k].cores / std::gcd(machines[k].cores, turns[k]));
  std::vector<std::uint64_t> taken(machines.size());
  std::vector<std::size_t> cores;
  for (; rounds > 0; --rounds) {
    for (const std::size_t machine : sequence)
      cores.push_back(machines[machine].first + taken[machine]++ % machines[machine].cores);
  }
  return cores;
}

tpn::Mapping mapping_of(const Catalogue& catalogue, const SequencePlan& plan,
                        const std::vector<std::uint64_t>& machines) {
  const auto& types = catalogue.types;
  std::vector<std::size_t> next(machines.size());
  for (std::size_t t = 1; t < next.size(); ++t) next[t] = next[t - 1] + machines[t - 1] * types[t - 1].cores;
  tpn::Mapping mapping;
  for (const SequencePart& part : plan) {
    const bool is_replicable = catalogue.is_replicable(part.first_stage, part.last_stage);
    std::vector<MachineCores> cores;
    for (const std::size_t type : part.machines) {
      cores.push_back({next[type], catalogue.working_cores(type, is_replicable)});
      next[type] += types[type].cores;
    }
    for (const std::size_t type : part.standby) next[type] += types[type].cores;
    mapping.push_back({part.first_stage, part.last_stage, turns_of_cores(part.sequence, cores)});
  }
  return mapping;
}

tpn::Document mapped_document(const tpn::Document& problem, const Catalogue& catalogue, const tpn::Model& model,
                              const SequencePlan& plan, const Rational& period) {
  const std::vector<std::uint64_t> machines = machines_by_type(catalogue, plan);
  tpn::Document result = tpn::expanded(problem, machines);
  result.mapping = mapping_of(catalogue, plan, machines);
  result.predicted_period = period;
  result.model = model;
  return result;
}

}  // namespace takt::plan

// The closed forms, part by part.
#include "plan/plan.hpp"

#include <algorithm>

#include "maxplus/contract.hpp"
#include "plan/sequences.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

namespace {

Rational per_machine(const Rational& demand, std::uint64_t machines) { return demand / Rational(machines); }

PartTimes times_of(const Catalogue& catalogue, const TypedPlan& plan, std::size_t i) {
  const TypedPart& part = plan[i];
  const auto& receive =
      i == 0 ? catalogue.from_source[part.type] : catalogue.transfer(part.first_stage - 1, plan[i - 1].type, part.type);
  const auto& send = i + 1 == plan.size() ? catalogue.to_sink[part.type]
                                          : catalogue.transfer(part.last_stage, part.type, plan[i + 1].type);
  maxplus::expects(receive && send, "a plan's links are there");
  return {*receive, catalogue.computation(part.first_stage, part.last_stage, part.type), *send};
}

std::optional<std::uint64_t> cores_of(const Catalogue& catalogue, const std::vector<std::uint64_t>& by_type) {
  Integer cores = 0;
  for (std::size_t t = 0; t < by_type.size(); ++t)
    cores += Integer(static_cast<unsigned long>(by_type[t])) * static_cast<unsigned long>(catalogue.types[t].cores);
  if (!cores.fits_ulong_p()) return std::nullopt;
  return cores.get_ui();
}

}  // namespace

PlanFacts::PlanFacts(const Catalogue& catalogue, const tpn::Model& model, const TypedPlan& plan)
    : plan_(plan), by_type_(catalogue.types.size()) {
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const TypedPart& part = plan_[i];
    const PartTimes times = times_of(catalogue, plan_, i);
    const std::uint64_t paid = part.machines + part.standby;
    const bool is_replicable = catalogue.is_replicable(part.first_stage, part.last_stage);
    limits_.push_back(catalogue.limits(model, part.type, is_replicable));
    working_cores_.push_back(catalogue.working_cores(part.type, is_replicable));
    has_partitions_.push_back(catalogue.partitions(part.first_stage, part.last_stage) > 0);
    demands_.push_back(machine_demand(limits_.back(), times.receive, times.compute, times.send));
    by_type_[part.type] += paid;
    machines_ += paid;
    cost_ += catalogue.types[part.type].price * Rational(paid);
    cost_ += catalogue.types[part.type].premium * Rational(part.on_demand);
    latency_ += times.receive + times.compute;
    times_.push_back(times);
  }
  cores_ = cores_of(catalogue, by_type_);
  latency_ += times_.back().send;
  ends_ = std::max(end_demand(times_.front().receive, catalogue.source_ports),
                   end_demand(times_.back().send, catalogue.sink_ports));
  period_ = ends_;
  for (std::size_t i = 0; i < plan_.size(); ++i)
    period_ = std::max(period_, per_machine(demands_[i], plan_[i].machines));
}

Integer PlanFacts::window() const {
  if (period_.sign() == 0) return 1;
  return std::max((latency_ / period_).ceiling(), Integer(1));
}

std::optional<Integer> PlanFacts::rooms() const {
  Integer rooms = 1;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const Rational around = times_[i].compute + std::max(times_[i].receive, times_[i].send);
    if (around.sign() == 0) continue;
    if (period_.sign() == 0) return std::nullopt;
    const Rational each = period_ * Rational(plan_[i].machines) * Rational(working_cores_[i]);
    rooms = std::max(rooms, (around / each).ceiling());
  }
  return rooms;
}

std::optional<Rational> PlanFacts::period_without(std::size_t part, std::uint64_t lost) const {
  if (lost <= plan_[part].standby) return period_;
  if (plan_[part].standby > 0) return std::nullopt;  // one computes, whichever
  if (plan_[part].machines <= lost || has_partitions_[part]) return std::nullopt;
  return std::max(period_, per_machine(demands_[part], plan_[part].machines - lost));
}

std::optional<Rational> PlanFacts::period_after(std::uint64_t failures) const {
  Rational longest = period_;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const auto left = period_without(i, failures);
    if (!left) return std::nullopt;
    longest = std::max(longest, *left);
  }
  return longest;
}

Rational PlanFacts::busy(std::size_t part, const Rational& period) const {
  return busy_share(per_machine(demands_[part], plan_[part].machines), period);
}

std::uint64_t machines_on_demand(const Catalogue& catalogue, const TypedPart& part) {
  return catalogue.types[part.type].premium.sign() > 0 ? part.on_demand : part.machines;
}

std::optional<Rational> period_on_demand(const Catalogue& catalogue, const tpn::Model& model, TypedPlan plan) {
  for (TypedPart& part : plan) {
    part.machines = machines_on_demand(catalogue, part);
    if (part.machines == 0) return std::nullopt;
  }
  return PlanFacts(catalogue, model, plan).period();
}

tpn::Document mapped_document(const tpn::Document& problem, const Catalogue& catalogue, const tpn::Model& model,
                              const TypedPlan& plan) {
  const Rational period = PlanFacts(catalogue, model, plan).period();
  tpn::Document mapped = mapped_document(problem, catalogue, model, sequences_of(plan), period);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const MachineType& type = catalogue.types[plan[i].type];
    // The first turns are those of the first cores, machine by machine.
    for (std::uint64_t k = machines_on_demand(catalogue, plan[i]); k < plan[i].machines; ++k) {
      const std::size_t first = (*mapped.mapping)[i].processors[k];
      for (std::size_t p = first; p < first + type.cores; ++p) {
        mapped.platform.processors[p].price = type.price;
        mapped.platform.processors[p].inherited.price = false;
      }
    }
  }
  return mapped;
}

}  // namespace takt::plan

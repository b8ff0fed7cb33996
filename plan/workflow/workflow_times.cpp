// A sample of two machines of each type has all times.
#include "plan/workflow/workflow_times.hpp"

#include <algorithm>
#include <utility>

namespace takt::plan {

WorkflowTimes::WorkflowTimes(tpn::Document sample, Catalogue catalogue)
    : catalogue_(std::move(catalogue)),
      sample_(std::make_unique<const tpn::Document>(std::move(sample))),
      timing_(std::make_unique<const tpn::Timing>(*sample_)) {}

std::optional<WorkflowTimes> WorkflowTimes::read(const tpn::Document& problem, const maxplus::Deadline& deadline) {
  std::optional<Catalogue> catalogue = catalogue_within(problem, deadline, kWorkflowPlansTake);
  if (!catalogue) return std::nullopt;
  return WorkflowTimes(two_of_each_type(problem), *std::move(catalogue));
}

std::optional<Rational> WorkflowTimes::computation(std::span<const std::size_t> stages, std::size_t type) const {
  const MachineType& machine = catalogue_.types[type];
  Rational sum;
  Rational held;
  for (const std::size_t k : stages) {
    const auto& time = catalogue_.stage_time(k, type);
    if (!time) return std::nullopt;
    sum += *time;
    held += catalogue_.stages[k].memory;
  }
  if (machine.memory && *machine.memory < held) return std::nullopt;
  return machine.fixed_time ? *machine.fixed_time : sum;
}

bool WorkflowTimes::is_replicable(std::span<const std::size_t> stages) const {
  return std::ranges::all_of(stages, [&](std::size_t k) { return catalogue_.stages[k].replicable; });
}

std::optional<Rational> WorkflowTimes::transfer(std::span<const std::size_t> files, std::size_t from,
                                                std::size_t to) const {
  if (!timing_->has_link(first_of_type(from), second_of_type(to))) return std::nullopt;
  return timing_->transfer(files, first_of_type(from), second_of_type(to));
}

std::optional<Rational> WorkflowTimes::to_sink(std::span<const std::size_t> files, std::size_t type) const {
  if (!timing_->sink_link(first_of_type(type))) return std::nullopt;
  return timing_->to_sink(files, first_of_type(type), 0);
}

}  // namespace takt::plan

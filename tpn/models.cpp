// OVERLAP and STRICT as lists of dependences, and the merging of guards.
#include "tpn/models.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "tpn/circuits.hpp"

namespace takt::tpn {

namespace {

// OVERLAP ONE-PORT: a processor receives, computes and sends at the same time, one of each.
// [benoit2009throughput, section 3.2]
void list_overlap(DependenceList& dependences) {
  dependences.add_flow();
  dependences.add_circuits(ConstraintKind::compute);
  dependences.add_circuits(ConstraintKind::out_port);
  dependences.add_circuits(ConstraintKind::in_port);
}

// STRICT ONE-PORT: a processor receives, computes or sends. [benoit2009throughput, section 3.3]
void list_strict(DependenceList& dependences) {
  dependences.add_flow();
  dependences.add_circuits(ConstraintKind::processor);
}

constexpr std::array kModels = {
    CommunicationModel{Model::overlap, "overlap", "OVERLAP ONE-PORT", list_overlap},
    CommunicationModel{Model::strict, "strict", "STRICT ONE-PORT", list_strict},
};

auto group_key(const Dependence& d) { return std::tie(d.from, d.to, d.height, d.kind, d.part, d.modulus); }

// Divides `modulus` as long as the residues are still a union of whole classes. Each division by f
// leaves one residue where there were f, so only factors of both counts can succeed.
void shrink_guard(std::uint64_t& modulus, std::vector<std::uint64_t>& residues) {
  for (const std::uint64_t f : maxplus::prime_factors(std::gcd(modulus, residues.size()))) {
    const std::uint64_t smaller = modulus / f;
    std::vector<std::uint64_t> folded(residues);
    for (std::uint64_t& r : folded) r %= smaller;
    std::ranges::sort(folded);
    folded.erase(std::unique(folded.begin(), folded.end()), folded.end());
    if (folded.size() * f != residues.size()) continue;
    modulus = smaller;
    residues = std::move(folded);
  }
}

// One pass over the groups of dependences that differ in their residue only.
std::vector<Dependence> merge_once(std::vector<Dependence> dependences) {
  std::ranges::sort(dependences, [](const Dependence& a, const Dependence& b) {
    return std::tuple_cat(group_key(a), std::tie(a.residue)) < std::tuple_cat(group_key(b), std::tie(b.residue));
  });
  dependences.erase(std::unique(dependences.begin(), dependences.end()), dependences.end());
  std::vector<Dependence> merged;
  for (auto first = dependences.begin(); first != dependences.end();) {
    const auto last =
        std::find_if(first, dependences.end(), [&](const Dependence& d) { return group_key(d) != group_key(*first); });
    std::vector<std::uint64_t> residues;
    std::transform(first, last, std::back_inserter(residues), [](const Dependence& d) { return d.residue; });
    std::uint64_t modulus = first->modulus;
    shrink_guard(modulus, residues);
    for (const std::uint64_t residue : residues) {
      merged.push_back(*first);
      merged.back().modulus = modulus;
      merged.back().residue = residue;
    }
    first = last;
  }
  return merged;
}

}  // namespace

DependenceList::DependenceList(const Pipeline& pipeline, std::uint64_t limit) : pipeline_(pipeline), limit_(limit) {}

void DependenceList::add_flow() {
  for (std::size_t c = 0; c + 1 < pipeline_.columns.size(); ++c) {
    add({.from = c, .to = c + 1, .height = 0, .modulus = 1, .residue = 0, .kind = ConstraintKind::flow, .part = 0});
  }
}

void DependenceList::add(const Dependence& dependence) {
  maxplus::expects(dependence.from < pipeline_.columns.size() && dependence.to < pipeline_.columns.size(),
                   "a dependence joins two columns");
  maxplus::expects(dependence.height > 0 || dependence.from < dependence.to,
                   "a dependence within a data set leads to a later column");
  maxplus::expects(dependence.residue < dependence.modulus && pipeline_.rows % dependence.modulus == 0,
                   "a guard's modulus divides the number of rows");
  dependences_.push_back(dependence);
}

void DependenceList::add_circuits(ConstraintKind kind) {
  const ServiceIndex services(pipeline_);
  const std::vector<Rational> cycle_times = cycle_times_of(pipeline_, kind);
  for (std::size_t p = 0; p < pipeline_.processors.size() && !too_large_; ++p) {
    auto listed = list_circuit(pipeline_, services, kind, p, limit_ - steps_);
    if (auto* too_large = std::get_if<TooLarge>(&listed)) {
      too_large->needed += steps_;
      too_large->limit = limit_;
      too_large_ = *too_large;
      return;
    }
    const auto& [operations, height] = std::get<Circuit>(listed);
    if (operations.empty()) continue;
    steps_ += operations.size();
    const auto earliest = std::ranges::min_element(operations, {}, &Operation::column);
    resources_.push_back({kind, p, earliest->column, cycle_times[p]});
    for (std::size_t k = 0; k < operations.size(); ++k) {
      const Operation& here = operations[k];
      const bool wraps = k + 1 == operations.size();
      const Operation& next = operations[wraps ? 0 : k + 1];
      const std::uint64_t distance = next.data_set + (wraps ? height : 0) - here.data_set;
      if (distance == 0 && next.column == here.column + 1) continue;  // the flow says so already
      add({.from = here.column,
           .to = next.column,
           .height = distance,
           .modulus = height,
           .residue = here.data_set,
           .kind = kind,
           .part = part_served(pipeline_, here, p)});
    }
  }
}

std::vector<Dependence> DependenceList::take_dependences() {
  for (std::size_t before = dependences_.size() + 1; dependences_.size() < before;) {
    before = dependences_.size();
    dependences_ = merge_once(std::move(dependences_));
  }
  std::ranges::sort(dependences_);
  return std::exchange(dependences_, {});
}

std::vector<Resource> DependenceList::take_resources() {
  std::ranges::stable_sort(resources_, [&](const Resource& a, const Resource& b) {
    if (a.first_column != b.first_column) return a.first_column < b.first_column;
    return natural_less(pipeline_.processors[a.processor], pipeline_.processors[b.processor]);
  });
  return std::exchange(resources_, {});
}

std::span<const CommunicationModel> communication_models() { return kModels; }

const CommunicationModel& communication_model(Model model) {
  return *std::ranges::find(kModels, model, &CommunicationModel::model);
}

std::string_view name_of(Model model) { return communication_model(model).name; }

std::optional<Model> find_model(std::string_view name) {
  const auto found = std::ranges::find(kModels, name, &CommunicationModel::name);
  if (found == kModels.end()) return std::nullopt;
  return found->model;
}

}  // namespace takt::tpn

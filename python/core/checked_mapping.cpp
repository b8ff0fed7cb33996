// The messages of broken rules, and the rule of what is not replicable.
#include "python/core/checked_mapping.hpp"

#include <pybind11/pybind11.h>

#include <algorithm>

#include "tpn/json.hpp"

namespace takt::python {

namespace py = pybind11;

MappingRules::MappingRules(const tpn::Document& problem)
    : problem_(problem),
      all_replicable_(std::ranges::all_of(problem.application.stages, [](const auto& s) { return s.replicable; })) {}

void fail_in_part(std::size_t part, const std::string& text) {
  throw py::value_error("part " + std::to_string(part) + ": " + text);
}

void CheckedMapping::fail_for_stages(std::int64_t stages) const {
  const std::size_t left = rules_->stages() - stages_;
  fail_in_part(size_, "found " + std::to_string(stages) + " stages, expected " +
                          (left == 0 ? "no part behind the last stage" : "1 to " + std::to_string(left)));
}

void CheckedMapping::fail_for_processor(const std::string& number) const {
  fail_in_part(size_, "found processor " + number + ", expected 0 to " + std::to_string(rules_->processors() - 1));
}

void CheckedMapping::fail_for_length() const {
  if (parts_[size_].processors.empty()) fail_in_part(size_, "found no processor, expected at least one");
  fail_in_part(size_, "found " + std::to_string(entries_) + " processors so far, expected at most " +
                          std::to_string(kMostEntries) + " in all parts");
}

void CheckedMapping::fail_at_end() const {
  const std::size_t all = rules_->stages();
  if (size_ == 0) throw py::value_error("found no part, expected parts that hold " + std::to_string(all) + " stages");
  const tpn::Part& last = parts_[size_ - 1];
  const std::size_t found = last.last_stage - last.first_stage + 1;
  fail_in_part(size_ - 1, "found " + std::to_string(found) + " stages in the last part, expected " +
                              std::to_string(all - last.first_stage) + ": the parts hold all " + std::to_string(all));
}

void CheckedMapping::check_replication(const tpn::Part& part) const {
  if (std::ranges::count(part.processors, part.processors.front()) == std::ssize(part.processors)) return;
  for (std::size_t stage = part.first_stage; stage <= part.last_stage; ++stage) {
    const tpn::Stage& here = rules_->problem().application.stages[stage];
    if (here.replicable) continue;
    fail_in_part(size_, "found several processors for stage " + tpn::json::quote(here.name) +
                            ", which is not replicable, expected one and the same processor");
  }
}

}  // namespace takt::python

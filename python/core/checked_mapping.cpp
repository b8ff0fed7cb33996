// The messages of broken rules.
#include "python/core/checked_mapping.hpp"

#include <pybind11/pybind11.h>

#include <algorithm>

#include "tpn/errors.hpp"
#include "tpn/validate.hpp"

namespace takt::python {

namespace py = pybind11;

MappingRules::MappingRules(const tpn::Document& problem)
    : problem_(problem), limit_parts_(std::ranges::any_of(problem.application.stages, [](const tpn::Stage& stage) {
        return !stage.replicable || stage.partitions > 0 || !stage.runs_on.empty();
      })) {}

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

void CheckedMapping::check_rules(const tpn::Part& part) const {
  try {
    tpn::validate_part(part, rules_->problem(), "");
  } catch (const tpn::InvalidInstance& error) {
    fail_in_part(size_, error.detail);
  }
}

}  // namespace takt::python

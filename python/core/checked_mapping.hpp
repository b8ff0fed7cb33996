// A mapping that comes part by part from its caller, checked by all rules that tpn::validate has for mappings but those
// of times, in memory that serves the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tpn/document.hpp"

namespace takt::python {

/// What a problem asks of its mappings.
class MappingRules {
 public:
  /// Keeps a reference to the document, which has processors.
  explicit MappingRules(const tpn::Document& problem);

  const tpn::Document& problem() const { return problem_; }
  std::size_t stages() const { return problem_.application.stages.size(); }
  std::size_t processors() const { return problem_.platform.processors.size(); }
  /// Whether some stage is not for all processors, or all sequences.
  bool limit_parts() const { return limit_parts_; }

 private:
  const tpn::Document& problem_;
  bool limit_parts_;
};

/// begin, then begin_part, add_processor..., end_part for each part, then end. Each throws pybind11::value_error, which
/// names the part, where a rule is broken; no lock of the interpreter is needed.
class CheckedMapping {
 public:
  /// Keeps a reference to the rules.
  explicit CheckedMapping(const MappingRules& rules) : rules_(&rules) {}

  void begin() { size_ = 0, stages_ = 0, entries_ = 0; }
  void begin_part(std::int64_t stages) {
    if (stages < 1 || static_cast<std::uint64_t>(stages) > rules_->stages() - stages_) fail_for_stages(stages);
    if (size_ == parts_.size()) parts_.emplace_back();
    tpn::Part& part = parts_[size_];
    part.first_stage = stages_;
    stages_ += static_cast<std::size_t>(stages);
    part.last_stage = stages_ - 1;
    part.processors.clear();
  }
  void add_processor(std::int64_t processor) {
    // What is negative is beyond all processors, too.
    if (static_cast<std::uint64_t>(processor) >= rules_->processors()) fail_for_processor(std::to_string(processor));
    parts_[size_].processors.push_back(static_cast<std::size_t>(processor));
  }
  void end_part() {
    const tpn::Part& part = parts_[size_];
    entries_ += part.processors.size();
    if (part.processors.empty() || entries_ > kMostEntries) fail_for_length();
    if (rules_->limit_parts()) check_rules(part);
    ++size_;
  }
  void end() const {
    if (stages_ != rules_->stages()) fail_at_end();
  }

  std::span<const tpn::Part> parts() const { return {parts_.data(), size_}; }
  /// Of the part that is being read.
  std::size_t part() const { return size_; }
  /// Stages of the parts before, and of the one that was begun.
  std::size_t stages() const { return stages_; }

  [[noreturn]] void fail_for_stages(std::int64_t stages) const;
  [[noreturn]] void fail_for_processor(const std::string& number) const;

 private:
  // Of all parts, as many as evaluators number.
  static constexpr std::size_t kMostEntries = (std::size_t{1} << 31) - 1;

  [[noreturn]] void fail_for_length() const;
  [[noreturn]] void fail_at_end() const;
  void check_rules(const tpn::Part& part) const;

  const MappingRules* rules_;
  std::vector<tpn::Part> parts_;  // the first `size_` are the mapping
  std::size_t size_ = 0;
  std::size_t stages_ = 0;
  std::size_t entries_ = 0;
};

/// "part 1: " before what is wrong with it.
[[noreturn]] void fail_in_part(std::size_t part, const std::string& text);

}  // namespace takt::python

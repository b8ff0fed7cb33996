// The short results of JSON Lines: the members that thousands of results are compared by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evaluators/kernel/period.hpp"
#include "heuristics/verdict.hpp"
#include "tools/answers/result.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// The period of one line's document under one model.
struct LineResult {
  std::string_view file;
  std::size_t line = 0;
  tpn::Model model = tpn::Model::kOverlap;
  std::uint64_t window = 0;         // none if 0
  std::size_t limited_buffers = 0;  // beyond the model
  tpn::TimeUnit time_unit = tpn::TimeUnit::own;
  evaluators::Period lower;
  evaluators::Period upper;
  evaluators::Period max_cycle_time;
  std::string_view processor;  // who has the largest cycle time, and with what
  tpn::ConstraintKind resource = tpn::ConstraintKind::processor;
  std::string limit;  // for an interval

  bool is_exact() const { return lower == upper; }
};

/// The same of an evaluation, which must outlive it.
LineResult line_result(std::size_t line, const EvaluatedInstance& result, tpn::TimeUnit unit);

/// Appends the object of docs/formats.md and the end of a line.
void write_line(std::string& text, const LineResult& result);

/// The predicted period of one line's document, held against its period under one model.
struct LineVerdict {
  std::string_view file;
  std::size_t line = 0;
  std::optional<std::string_view> heuristic;
  tpn::Model model = tpn::Model::kOverlap;
  tpn::TimeUnit time_unit = tpn::TimeUnit::own;
  maxplus::Rational predicted;
  std::optional<heuristics::PeriodBounds> period;  // nothing if the net was too large
  /// The exact periods by model, nothing if one is not known.
  std::vector<std::pair<tpn::Model, std::optional<maxplus::Rational>>> periods;
  maxplus::Rational tolerance;
  std::string limit;  // where the period is not exact
};

void write_line(std::string& text, const LineVerdict& verdict);

}  // namespace takt::tools

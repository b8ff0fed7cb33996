// Mappings by the names of their stages and processors.
#include "heuristics/common/mapping_words.hpp"

#include <fmt/format.h>

#include "maxplus/decimal.hpp"
#include "tpn/time_scale.hpp"

namespace takt::heuristics {

std::string stages_in_words(const tpn::Document& problem, std::size_t first_stage, std::size_t last_stage) {
  const auto& stages = problem.application.stages;
  if (first_stage == last_stage) return stages[first_stage].name;
  return stages[first_stage].name + ".." + stages[last_stage].name;
}

std::string stages_in_words(const tpn::Document& problem, const tpn::Part& part) {
  return stages_in_words(problem, part.first_stage, part.last_stage);
}

const std::string& processor_name(const tpn::Document& problem, std::size_t processor) {
  return problem.platform.processors[processor].name;
}

std::string mapping_in_words(const tpn::Document& problem, std::span<const tpn::Part> mapping) {
  std::string words;
  for (const tpn::Part& part : mapping) {
    if (!words.empty()) words += " | ";
    words += stages_in_words(problem, part) + ':';
    for (const std::size_t p : part.processors) words += ' ' + processor_name(problem, p);
  }
  return words;
}

std::string time_in_words(const tpn::Document& problem, const tpn::Rational& time) {
  return time_in_words(problem.time_unit, time);
}

std::string time_in_words(tpn::TimeUnit unit, const tpn::Rational& time) {
  const tpn::TimeScale scale = tpn::time_scale(time, unit);
  const std::string number = maxplus::decimal(time / scale.length);
  return scale.name.empty() ? number : fmt::format("{} {}", number, scale.name);
}

}  // namespace takt::heuristics

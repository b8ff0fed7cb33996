// Mappings by the names of their stages and processors.
#include "heuristics/common/mapping_words.hpp"

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

}  // namespace takt::heuristics

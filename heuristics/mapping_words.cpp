// Mappings by the names of their stages and processors.
#include "heuristics/mapping_words.hpp"

namespace takt::heuristics {

std::string mapping_in_words(const tpn::Document& problem, std::span<const tpn::Part> mapping) {
  std::string words;
  for (const tpn::Part& part : mapping) {
    if (!words.empty()) words += " | ";
    words += problem.application.stages[part.first_stage].name;
    if (part.last_stage > part.first_stage) words += ".." + problem.application.stages[part.last_stage].name;
    words += ':';
    for (const std::size_t p : part.processors) words += ' ' + problem.platform.processors[p].name;
  }
  return words;
}

}  // namespace takt::heuristics

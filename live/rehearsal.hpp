// A run without machines: all ranks in one process, on a virtual clock. What an engine does, without what clocks and
// messages add.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluators/play/play.hpp"
#include "live/coordinator.hpp"
#include "live/engine.hpp"
#include "tpn/document.hpp"

namespace takt::live {

struct RehearsalTerms {
  tpn::Model model = tpn::Model::kOverlap;
  EngineTerms engine;
  CoordinatorTerms coordination;
};

struct Rehearsal {
  std::vector<evaluators::Firing> trace;  // by data set, then column
  std::vector<std::string> results;       // by data set, from the first
  std::vector<MappingFrom> mappings;
};

/// Runs a document that has a mapping. Nothing where the mapping is too large or a duration too long to be counted in
/// ticks, all of them exact.
std::optional<Rehearsal> rehearse(const tpn::Document& instance, const RehearsalTerms& terms);

}  // namespace takt::live

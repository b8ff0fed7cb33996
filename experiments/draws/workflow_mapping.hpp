// Random mappings of drawn workflows: replicas of each stage, their speeds, the network between them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/draws/generator.hpp"
#include "tpn/document.hpp"

namespace takt::experiments {

/// The parameters that `add_mapping` reads: replicas, rows, speeds, links, bandwidth. The two texts are the standard
/// values of speeds and of bandwidth.
std::vector<GeneratorParameter> mapping_parameters(std::string_view speeds, std::string_view bandwidth);

/// Why these parameters, each of which is valid, do not fit together for a workflow of `stages` stages; nothing if
/// they do.
std::optional<std::string> objection_of_mapping(const Arguments& arguments, std::size_t stages);

/// Gives a document, whose stages are all there, processors P0, P1, ..., a mapping of one part for each stage, and a
/// network. Stages that are not replicable have one processor. If there is a source or a sink, its links have the
/// first bandwidth drawn.
void add_mapping(tpn::Document& document, const Arguments& arguments, const DrawKey& key);

/// Says of a stage whose files it takes: earlier stages, ascending. The stage before alone needs no word.
void take_from(tpn::Stage& stage, std::size_t index, std::vector<std::size_t> before);

}  // namespace takt::experiments

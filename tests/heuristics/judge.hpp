// Every heuristic held to its word on a problem with something that not all take.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "tpn/document.hpp"
#include "tpn/models.hpp"

namespace takt::testing {

/// OVERLAP, STRICT and bounded room.
const std::vector<tpn::Model>& judged_models();

/// Asks every heuristic for mappings of the document's problem, under all those models. Those that do not take what it
/// has must refuse; others must predict the period, unless they predict by a model of their own, and every period
/// known, the document's own among them, must be at least the bound. Counts answers in `answered`.
void judge_heuristics(const tpn::Document& document, bool tpn::Capabilities::*taken,
                      std::map<std::string_view, int>& answered);

bool has_note(const heuristics::Solution& solution, const std::string& start);

}  // namespace takt::testing

// Every heuristic held to its word on a problem with something that not all take.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "tests/support/draw.hpp"
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

/// Each of these has answered more often than that.
void check_answers(const std::map<std::string_view, int>& answered, int more_than,
                   const std::vector<std::string_view>& names);

/// Asks exhaustive, under all those models, for the least period of interval and of replicated mappings, which must be
/// that of all mappings, and not below the bound. Counts periods that are the bound in `attained`, and tells of each
/// question and its answer: nothing where there is no mapping.
void judge_exhaustive(
    const tpn::Document& problem, int& attained,
    const std::function<void(const heuristics::Settings&, const std::optional<maxplus::Rational>&)>& tell);

/// What typed-dp answers under a model: a mapping whose period is the predicted one and, if the claim is that no
/// mapping of parts of one type each has a shorter one, the least of all.
heuristics::Solution judged_typed_dp(const tpn::Document& problem, const tpn::Model& model);

/// Whether that is claimed.
bool claims_least(const heuristics::Solution& solution);

/// Gives a problem, each one time in four, stages with memory and processors that hold `least` to `most` of it, stages
/// that run on some processors only, and links that are absent. Whether it has any of these.
bool give_limits(tpn::Document& problem, support::Draw& draw, int least, int most);

bool has_note(const heuristics::Solution& solution, const std::string& start);

}  // namespace takt::testing

// Heuristics run with their answers checked.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "tests/support/random_problems.hpp"
#include "tpn/document.hpp"

namespace takt::testing {

using support::free_problem;
using support::Links;
using support::random_problem;
using support::Shape;
using support::skeleton_problem;
using support::Speeds;

/// Solves and requires that a second run answers the same (unless there is a deadline), that the mapping is valid and
/// survives being written and read.
heuristics::Solution solve_checked(std::string_view heuristic, const tpn::Document& problem,
                                   heuristics::Settings settings = {});

/// Settings that choose a model, and these options.
heuristics::Settings under(const std::optional<tpn::Model>& model, std::vector<heuristics::OptionSetting> options = {});
/// For exhaustive, which searches a class of mappings.
heuristics::Settings of_class(const std::string& mapping_class, const tpn::Model& model);
/// The settings with a deadline that has passed.
heuristics::Settings too_late(heuristics::Settings settings = {});

/// The problem with the times that works take at speeds, stage by stage and processor by processor, in place of both.
tpn::Document as_table(const tpn::Document& problem);

/// The proposal, which there must be.
const heuristics::Proposal& proposal_of(const heuristics::Solution& solution);

/// The reason of a refusal, a limit's after "limit: "; else "a mapping".
std::string reason_of(const heuristics::Solution& solution);

/// The exact period of the problem's mapping under a model.
maxplus::Rational exact_period(const tpn::Document& problem, const tpn::Mapping& mapping, tpn::Model model);

/// The least period of all mappings of a class ("one-to-one", "interval", "replicated") in which each processor has one
/// turn, by enumeration; nothing if there is no valid one. For a few stages and processors.
std::optional<maxplus::Rational> least_period(const tpn::Document& problem, const std::string& mapping_class,
                                              tpn::Model model);

}  // namespace takt::testing

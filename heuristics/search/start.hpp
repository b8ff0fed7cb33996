// Where a local search starts: the document's mapping, another heuristic's, or a plain one.
#pragma once

#include <string>
#include <variant>

#include "heuristics/heuristic.hpp"

namespace takt::heuristics {

/// A mapping to start from and its exact period.
struct SearchStart {
  std::string name;
  tpn::Mapping mapping;
  Rational period;
  bool cut_short = false;  // by the deadline
};

using StartAnswer = std::variant<SearchStart, Infeasible, LimitMet>;

/// The start of that name: a heuristic, "given" for the document's own mapping, or "auto": the given mapping where
/// there is one whose period can be evaluated, else the best of some fast heuristics, else, where none of them answers,
/// a shortest chain of linked processors, one per part (heuristics/hedpm/chain.hpp). So "auto" finds a start wherever a
/// mapping exists, if its period can be evaluated. Those tried are logged.
StartAnswer find_start(const tpn::ProblemView& problem, const std::string& name, const Settings& settings, Log& log);

}  // namespace takt::heuristics

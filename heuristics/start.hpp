// Where a local search starts: the document's mapping, another heuristic's, or a plain one.
#pragma once

#include <string>
#include <variant>

#include "heuristics/heuristic.hpp"
#include "heuristics/links.hpp"

namespace takt::heuristics {

/// A mapping to start from and its exact period.
struct Start {
  std::string name;
  tpn::Mapping mapping;
  Rational period;
  bool cut_short = false;  // by the deadline
};

/// The start of that name: a heuristic, "given" for the document's own mapping, or "auto": the given mapping where
/// there is one, else the best of some fast heuristics, else, where none of them answers, each data set on as few
/// processors as links allow. So "auto" finds a start wherever a mapping exists. Those tried are logged.
std::variant<Start, Infeasible, LimitMet> find_start(const tpn::Document& problem, const std::string& name,
                                                     const LinkTable& links, const Settings& settings, Log& log);

/// Parts of one processor each on a shortest path of links from the source to the sink, one stage a part but for one
/// part: of those mappings the one of least exact period, if there is any. One processor where some has both ends.
std::optional<Start> shortest_chain(const tpn::Document& problem, const LinkTable& links, tpn::Model model);

}  // namespace takt::heuristics

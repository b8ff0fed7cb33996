// Where a local search starts: the document's mapping, other heuristics', or a plain one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/heuristic.hpp"

namespace takt::heuristics {

/// A mapping to start from and its exact period.
struct SearchStart {
  std::string name;
  tpn::Mapping mapping;
  Rational period;
  bool cut_short = false;                  // by the deadline
  std::optional<tpn::StageOrder> order{};  // of the stages, as a proposal's
};

using StartAnswer = std::variant<SearchStart, Infeasible, LimitMet>;
/// One start at least, best first.
using StartsAnswer = std::variant<std::vector<SearchStart>, Infeasible, LimitMet>;

/// What "auto" goes by.
struct StartRules {
  std::string_view asker;  // the heuristic that asks
  Rational lower_bound;    // a start of this period is enough
  bool may_repeat = true;  // mappings of heuristics may give a processor several turns
};

/// The start of that name, a heuristic or "given" for the document's own mapping; or for "auto" all that there are: the
/// given mapping, those that the settings know already, else those of all quick heuristics and, where the search is to
/// use all of its time, of the others as well, in a share of it. Where none of them answers, a shortest chain of linked
/// processors, one per part (heuristics/hedpm/chain.hpp). So "auto" finds a start wherever a mapping exists, if its
/// period can be evaluated. Those tried are logged.
StartsAnswer find_starts(const tpn::ProblemView& problem, const std::string& name, const Settings& settings,
                         const StartRules& rules, Log& log);

/// Whether a processor has several turns.
bool repeats(const tpn::Mapping& mapping);

/// The exact period of a mapping of the evaluator's problem, by the evaluator where its limits allow, else by whichever
/// method fits; nothing if none does until the deadline.
std::optional<Rational> exact_period(const tpn::ProblemView& problem, evaluators::MappingEvaluator& evaluator,
                                     const tpn::Mapping& mapping, const tpn::Model& model,
                                     const evaluators::Deadline& deadline);

}  // namespace takt::heuristics

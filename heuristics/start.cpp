// Asks other heuristics for a mapping, and falls back on a chain of linked processors.
#include "heuristics/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "evaluators/evaluate.hpp"
#include "evaluators/mapping_evaluator.hpp"
#include "heuristics/hedpm_chain.hpp"
#include "heuristics/mapping_words.hpp"
#include "heuristics/registry.hpp"
#include "maxplus/contract.hpp"
#include "maxplus/decimal.hpp"
#include "tpn/folded_net.hpp"

namespace takt::heuristics {

namespace {

using evaluators::MappingAnswer;

// Fast ones, as "auto" tries them.
constexpr std::array<std::string_view, 6> kFast = {"bs121", "spl", "bsl", "bsc", "hedpm", "greedy"};

constexpr const char* kPlain = "plain";  // the name of the start that no heuristic gives
constexpr const char* kBeyondExact =
    "the period of its mapping is beyond the limits of exact evaluation, and a start needs it";

// By repeated evaluation where its limits allow, else by whichever evaluator fits.
std::optional<Rational> exact_period(const tpn::Document& problem, const tpn::Mapping& mapping, tpn::Model model,
                                     const evaluators::Deadline& deadline) {
  const auto quick = evaluators::MappingEvaluator(problem).evaluate(mapping, model);
  if (quick.answer == MappingAnswer::exact) return quick.lower.rational();
  tpn::Document document = problem;
  document.mapping = mapping;
  const auto folded = tpn::fold(document, model);
  if (std::holds_alternative<tpn::TooLarge>(folded)) return std::nullopt;
  evaluators::Options options;
  options.deadline = deadline;
  const auto evaluation = evaluators::evaluate(std::get<tpn::FoldedNet>(folded), options);
  if (!evaluation.exact()) return std::nullopt;
  return evaluation.lower;
}

// Half of the time left is the search's.
evaluators::Deadline half_way(const evaluators::Deadline& deadline) {
  const auto now = std::chrono::steady_clock::now();
  if (!deadline || *deadline <= now) return deadline;
  return now + (*deadline - now) / 2;
}

std::variant<Start, Infeasible, LimitMet> given(const tpn::Document& problem, tpn::Model model,
                                                const evaluators::Deadline& deadline) {
  if (!problem.mapping) return Infeasible{"the document has no mapping, and the start \"given\" needs one"};
  const auto period = exact_period(problem, *problem.mapping, model, deadline);
  if (!period)
    return LimitMet{"the period of the given mapping is beyond the limits of exact evaluation, and a start needs it"};
  return Start{"given", *problem.mapping, *period, false};
}

std::variant<Start, Infeasible, LimitMet> by_heuristic(const tpn::Document& problem, const Heuristic& heuristic,
                                                       const Settings& settings) {
  Settings its;
  its.model = settings.model;
  its.seed = settings.seed;
  its.deadline = settings.deadline;
  const Solution solution = solve(heuristic, problem, its);
  if (const auto* infeasible = std::get_if<Infeasible>(&solution.result)) return *infeasible;
  if (const auto* limit = std::get_if<LimitMet>(&solution.result)) return *limit;
  const auto& proposal = std::get<Proposal>(solution.result);
  const auto period =
      exact_period(problem, proposal.mapping, settings.model.value_or(tpn::Model::strict), settings.deadline);
  if (!period) return LimitMet{kBeyondExact};
  return Start{std::string(heuristic.name), proposal.mapping, *period, proposal.cut_short};
}

// A chain of linked processors as hedpm cuts it, even where there is no time left to look for the best cuts.
std::variant<Start, Infeasible, LimitMet> plain(const tpn::Document& problem, tpn::Model model,
                                                const evaluators::Deadline& deadline) {
  const dynamic_mapping::Model averages(problem, dynamic_mapping::View::real);
  Log log;  // the row of the table of starts says it
  const Result found = dynamic_mapping::chain_proposal(averages, dynamic_mapping::sorted(averages), deadline, log);
  if (const auto* infeasible = std::get_if<Infeasible>(&found)) return *infeasible;
  const auto& proposal = std::get<Proposal>(found);
  const auto period = exact_period(problem, proposal.mapping, model, deadline);
  if (!period) return LimitMet{kBeyondExact};
  return Start{kPlain, proposal.mapping, *period, proposal.cut_short};
}

}  // namespace

std::variant<Start, Infeasible, LimitMet> find_start(const tpn::Document& problem, const std::string& name,
                                                     const Settings& settings, Log& log) {
  const tpn::Model model = settings.model.value_or(tpn::Model::strict);
  Settings half = settings;
  half.deadline = half_way(settings.deadline);
  if (name == "given") return given(problem, model, half.deadline);
  if (name != "auto") {
    const Heuristic* heuristic = find_heuristic(name);
    maxplus::expects(heuristic != nullptr, "a start is a heuristic, \"given\" or \"auto\"");
    auto start = by_heuristic(problem, *heuristic, half);
    if (auto* infeasible = std::get_if<Infeasible>(&start)) infeasible->reason = name + ": " + infeasible->reason;
    if (auto* limit = std::get_if<LimitMet>(&start)) limit->reason = name + ": " + limit->reason;
    return start;
  }
  Steps table{"Starts", {"heuristic", "exact period", "answer"}, {}};
  if (problem.mapping) {
    auto start = given(problem, model, half.deadline);
    const auto* limit = std::get_if<LimitMet>(&start);
    if (limit == nullptr) return start;
    table.rows.push_back({"given", "", limit->reason});
  }
  std::optional<Start> best;
  for (const std::string_view fast : kFast) {
    const Heuristic* heuristic = find_heuristic(fast);
    if (heuristic == nullptr) continue;
    auto answer = by_heuristic(problem, *heuristic, half);
    if (auto* start = std::get_if<Start>(&answer)) {
      table.rows.push_back({std::string(fast), decimal(start->period), mapping_in_words(problem, start->mapping)});
      if (!best || start->period < best->period) best = std::move(*start);
    } else {
      const auto* infeasible = std::get_if<Infeasible>(&answer);
      table.rows.push_back(
          {std::string(fast), "", infeasible != nullptr ? infeasible->reason : std::get<LimitMet>(answer).reason});
    }
    if (best && evaluators::has_passed(half.deadline)) break;
  }
  std::variant<Start, Infeasible, LimitMet> answer =
      best ? std::variant<Start, Infeasible, LimitMet>(std::move(*best)) : plain(problem, model, half.deadline);
  if (const auto* start = std::get_if<Start>(&answer); start != nullptr && start->name == kPlain) {
    table.rows.push_back({start->name, decimal(start->period), mapping_in_words(problem, start->mapping)});
  }
  log.tables.push_back(std::move(table));
  return answer;
}

}  // namespace takt::heuristics

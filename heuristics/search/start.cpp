// Asks other heuristics for a mapping, and falls back on a chain of linked processors.
#include "heuristics/search/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "evaluators/evaluate.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/common/mapping_words.hpp"
#include "heuristics/hedpm/chain.hpp"
#include "heuristics/registry.hpp"
#include "maxplus/contract.hpp"
#include "maxplus/decimal.hpp"
#include "tpn/folded_net.hpp"

namespace takt::heuristics {

namespace {

using evaluators::MappingAnswer;

// Fast ones, as "auto" tries them.
constexpr std::array<std::string_view, 6> kFast = {"bs121", "spl", "bsl", "bsc", "hedpm", "greedy"};

using Answer = std::variant<Start, Infeasible, LimitMet>;

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

Answer given(const tpn::Document& problem, const Settings& settings) {
  if (!problem.mapping) return Infeasible{"the document has no mapping, and the start \"given\" needs one"};
  const auto period = exact_period(problem, *problem.mapping, *settings.model, settings.deadline);
  if (!period)
    return LimitMet{"the period of the given mapping is beyond the limits of exact evaluation, and a start needs it"};
  return Start{"given", *problem.mapping, *period, false};
}

// From a proposal; other results as they are.
Answer proposed(const tpn::Document& problem, std::string_view name, const Result& result, const Settings& settings) {
  if (const auto* infeasible = std::get_if<Infeasible>(&result)) return *infeasible;
  if (const auto* limit = std::get_if<LimitMet>(&result)) return *limit;
  const auto& proposal = std::get<Proposal>(result);
  const auto period = exact_period(problem, proposal.mapping, *settings.model, settings.deadline);
  if (!period)
    return LimitMet{"the period of its mapping is beyond the limits of exact evaluation, and a start needs it"};
  return Start{std::string(name), proposal.mapping, *period, proposal.cut_short};
}

Answer by_heuristic(const tpn::Document& problem, std::string_view name, const Settings& settings) {
  const Heuristic* heuristic = find_heuristic(name);
  maxplus::expects(heuristic != nullptr, "a start is a heuristic, \"given\" or \"auto\"");
  Settings its;
  if (heuristic->model_use != ModelUse::none) its.model = settings.model;
  its.seed = settings.seed;
  its.deadline = settings.deadline;
  return proposed(problem, name, solve(*heuristic, problem, its).result, settings);
}

// A chain of linked processors as hedpm cuts it, even where there is no time left to look for the best cuts.
Answer plain(const tpn::Document& problem, const Settings& settings) {
  const dynamic_mapping::Model averages(problem, dynamic_mapping::View::real);
  Log log;  // the row of the table of starts says it
  const Result found =
      dynamic_mapping::chain_proposal(averages, dynamic_mapping::sorted(averages), settings.deadline, log);
  return proposed(problem, "plain", found, settings);
}

// As a row of the table of starts.
std::vector<std::string> row_of(std::string_view name, const Answer& answer, const tpn::Document& problem) {
  if (const auto* start = std::get_if<Start>(&answer))
    return {std::string(name), decimal(start->period), mapping_in_words(problem, start->mapping)};
  if (const auto* infeasible = std::get_if<Infeasible>(&answer)) return {std::string(name), "", infeasible->reason};
  return {std::string(name), "", std::get<LimitMet>(answer).reason};
}

}  // namespace

std::variant<Start, Infeasible, LimitMet> find_start(const tpn::Document& problem, const std::string& name,
                                                     const Settings& settings, Log& log) {
  Settings half = settings;
  half.deadline = half_way(settings.deadline);
  if (name == "given") return given(problem, half);
  if (name != "auto") {
    Answer start = by_heuristic(problem, name, half);
    if (auto* infeasible = std::get_if<Infeasible>(&start)) infeasible->reason = name + ": " + infeasible->reason;
    if (auto* limit = std::get_if<LimitMet>(&start)) limit->reason = name + ": " + limit->reason;
    return start;
  }
  Steps table{"Starts", {"heuristic", "exact period", "answer"}, {}};
  if (problem.mapping) {
    Answer start = given(problem, half);
    if (std::holds_alternative<Start>(start)) return start;
    table.rows.push_back(row_of("given", start, problem));
  }
  std::optional<Start> best;
  for (const std::string_view fast : kFast) {
    Answer answer = by_heuristic(problem, fast, half);
    table.rows.push_back(row_of(fast, answer, problem));
    auto* start = std::get_if<Start>(&answer);
    if (start != nullptr && (!best || start->period < best->period)) best = std::move(*start);
    if (best && evaluators::has_passed(half.deadline)) break;
  }
  Answer answer = best ? Answer(std::move(*best)) : plain(problem, half);
  if (!best && std::holds_alternative<Start>(answer)) table.rows.push_back(row_of("plain", answer, problem));
  log.tables.push_back(std::move(table));
  return answer;
}

}  // namespace takt::heuristics

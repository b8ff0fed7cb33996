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
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

namespace {

using evaluators::MappingAnswer;

// Fast ones, as "auto" tries them.
constexpr std::array<std::string_view, 6> kFast = {"bs121", "spl", "bsl", "bsc", "hedpm", "greedy"};

// Asks for mappings of one problem, and evaluates them.
class StartFinder {
 public:
  StartFinder(const tpn::ProblemView& problem, const Settings& settings) : problem_(problem), settings_(settings) {
    settings_.deadline = settings.deadline.half_way();  // the other half is the search's
  }

  bool is_out_of_time() const { return evaluators::has_passed(settings_.deadline); }

  StartAnswer given() {
    const auto& mapping = problem_.document().mapping;
    if (!mapping) return Infeasible{"the document has no mapping, and the start \"given\" needs one"};
    return evaluated({"given", *mapping, {}, false}, "the given mapping");
  }

  StartAnswer by_heuristic(std::string_view name) {
    const Heuristic* heuristic = find_heuristic(name);
    maxplus::expects(heuristic != nullptr, "a start is a heuristic, \"given\" or \"auto\"");
    Settings its;
    if (heuristic->model_use != ModelUse::none) its.model = settings_.model;
    its.seed = settings_.seed;
    its.deadline = settings_.deadline;
    return proposed(name, solve(*heuristic, problem_, its).result);
  }

  // A chain of linked processors as hedpm cuts it, even where there is no time left to look for the best cuts.
  StartAnswer plain() {
    const dynamic_mapping::CostModel averages(problem_, dynamic_mapping::View::real);
    Log log;  // the row of the table of starts says it
    return proposed(
        "plain", dynamic_mapping::chain_proposal(averages, dynamic_mapping::sorted(averages), settings_.deadline, log));
  }

 private:
  // From a proposal; other results as they are.
  StartAnswer proposed(std::string_view name, Result result) {
    if (auto* infeasible = std::get_if<Infeasible>(&result)) return std::move(*infeasible);
    if (auto* limit = std::get_if<LimitMet>(&result)) return std::move(*limit);
    auto& proposal = std::get<Proposal>(result);
    return evaluated({std::string(name), std::move(proposal.mapping), {}, proposal.cut_short}, "its mapping");
  }

  StartAnswer evaluated(SearchStart start, std::string_view whose) {
    const auto period = exact_period(start.mapping);
    if (!period) {
      return LimitMet{
          fmt::format("the period of {} is beyond the limits of exact evaluation, and a start needs it", whose)};
    }
    start.period = *period;
    return start;
  }

  // By repeated evaluation where its limits allow, else by whichever evaluator fits.
  std::optional<Rational> exact_period(const tpn::Mapping& mapping) {
    if (!evaluator_) evaluator_.emplace(problem_);
    const auto quick = evaluator_->evaluate(mapping, *settings_.model);
    if (quick.answer == MappingAnswer::exact) return quick.lower.rational();
    auto pipeline = tpn::make_pipeline(problem_, mapping);
    if (std::holds_alternative<tpn::TooLarge>(pipeline)) return std::nullopt;
    const auto folded = tpn::fold(std::get<tpn::Pipeline>(std::move(pipeline)), *settings_.model);
    if (std::holds_alternative<tpn::TooLarge>(folded)) return std::nullopt;
    evaluators::Options options;
    options.deadline = settings_.deadline;
    const auto evaluation = evaluators::evaluate(std::get<tpn::FoldedNet>(folded), options);
    if (!evaluation.exact()) return std::nullopt;
    return evaluation.lower;
  }

  const tpn::ProblemView& problem_;
  Settings settings_;
  std::optional<evaluators::MappingEvaluator> evaluator_;
};

// As a row of the table of starts.
std::vector<std::string> row_of(std::string_view name, const StartAnswer& answer, const tpn::Document& problem) {
  if (const auto* start = std::get_if<SearchStart>(&answer))
    return {std::string(name), decimal(start->period), mapping_in_words(problem, start->mapping)};
  if (const auto* infeasible = std::get_if<Infeasible>(&answer)) return {std::string(name), "", infeasible->reason};
  return {std::string(name), "", std::get<LimitMet>(answer).reason};
}

// With the name of the heuristic that was asked for before its reason.
StartAnswer named(const std::string& name, StartAnswer answer) {
  if (auto* infeasible = std::get_if<Infeasible>(&answer)) infeasible->reason = name + ": " + infeasible->reason;
  if (auto* limit = std::get_if<LimitMet>(&answer)) limit->reason = name + ": " + limit->reason;
  return answer;
}

// "auto".
StartAnswer best_start(StartFinder& finder, const tpn::Document& problem, Log& log) {
  LogTable table{"Starts", {"heuristic", "exact period", "answer"}, {}};
  if (problem.mapping) {
    StartAnswer start = finder.given();
    if (std::holds_alternative<SearchStart>(start)) return start;
    table.rows.push_back(row_of("given", start, problem));
  }
  std::optional<SearchStart> best;
  for (const std::string_view fast : kFast) {
    StartAnswer answer = finder.by_heuristic(fast);
    table.rows.push_back(row_of(fast, answer, problem));
    auto* start = std::get_if<SearchStart>(&answer);
    if (start != nullptr && (!best || start->period < best->period)) best = std::move(*start);
    if (best && finder.is_out_of_time()) break;
  }
  const bool has_none = !best;
  StartAnswer answer = has_none ? finder.plain() : StartAnswer(std::move(*best));
  if (has_none && std::holds_alternative<SearchStart>(answer)) table.rows.push_back(row_of("plain", answer, problem));
  log.tables.push_back(std::move(table));
  return answer;
}

}  // namespace

StartAnswer find_start(const tpn::ProblemView& problem, const std::string& name, const Settings& settings, Log& log) {
  StartFinder finder(problem, settings);
  if (name == "given") return finder.given();
  if (name != "auto") return named(name, finder.by_heuristic(name));
  return best_start(finder, problem.document(), log);
}

}  // namespace takt::heuristics

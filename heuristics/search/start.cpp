// Asks other heuristics for a mapping, and falls back on a chain of linked processors.
#include "heuristics/search/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "evaluators/evaluate.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/common/mapping_words.hpp"
#include "heuristics/common/placement.hpp"
#include "heuristics/hedpm/chain.hpp"
#include "heuristics/ordered_problem.hpp"
#include "heuristics/registry.hpp"
#include "maxplus/contract.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/links.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/workflow.hpp"

namespace takt::heuristics {

namespace {

using evaluators::MappingAnswer;

// Of the time for starts, what each heuristic that is not quick may take.
constexpr int kShare = 5;

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

  StartAnswer by_heuristic(std::string_view name) { return by_heuristic(name, settings_.deadline); }

  // For heuristics that are not quick: a share of the time, and what they have by then.
  StartAnswer in_its_share(std::string_view name) {
    StartAnswer answer = by_heuristic(name, settings_.deadline.after_part(1, kShare));
    if (auto* start = std::get_if<SearchStart>(&answer)) start->cut_short = false;
    return answer;
  }

  StartAnswer known(const KnownMapping& known) {
    return evaluated({known.name, known.mapping, {}, false, known.order}, "its mapping");
  }

  // A chain of linked processors as hedpm cuts it, even if there is no time left to look for the best cuts.
  StartAnswer plain() {
    if (!tpn::is_chain(problem_.document().application)) return on_one_processor();
    const dynamic_mapping::CostModel averages(problem_, dynamic_mapping::View::real);
    Log log;  // the row of the table of starts says it
    StartAnswer answer = proposed(
        "plain", dynamic_mapping::chain_proposal(averages, dynamic_mapping::sorted(averages), settings_.deadline, log));
    if (!std::holds_alternative<Infeasible>(answer)) return answer;
    StartAnswer alone = on_one_processor();
    return std::holds_alternative<SearchStart>(alone) ? std::move(alone) : std::move(answer);
  }

 private:
  // All stages together, on the processor that is fastest with them among those linked with source and sink.
  StartAnswer on_one_processor() {
    const std::size_t last = problem_.document().application.stages.size() - 1;
    std::optional<SearchStart> best;
    for (std::size_t p = 0; p < problem_.document().platform.processors.size(); ++p) {
      tpn::Mapping mapping{{0, last, {p}}};
      if (!problem_.can_run(mapping) || tpn::missing_link(problem_, mapping)) continue;
      StartAnswer answer = evaluated({"plain", std::move(mapping), {}, false}, "its mapping");
      auto* const start = std::get_if<SearchStart>(&answer);
      if (start != nullptr && (!best || start->period < best->period)) best = std::move(*start);
    }
    if (best) return *std::move(best);
    return Infeasible{"no heuristic found a mapping, and no processor runs all stages and is linked as it must be"};
  }

  StartAnswer by_heuristic(std::string_view name, const evaluators::Deadline& deadline) {
    const Heuristic* heuristic = find_heuristic(name);
    maxplus::expects(heuristic != nullptr, "a start is a heuristic, \"given\" or \"auto\"");
    Settings its;
    if (heuristic->model_use != ModelUse::none) its.model = settings_.model;
    its.seed = settings_.seed;
    its.deadline = deadline;
    return proposed(name, solve(*heuristic, problem_, its).result);
  }

  // From a proposal; other results as they are.
  StartAnswer proposed(std::string_view name, Result result) {
    if (auto* infeasible = std::get_if<Infeasible>(&result)) return std::move(*infeasible);
    if (auto* limit = std::get_if<LimitMet>(&result)) return std::move(*limit);
    auto& proposal = std::get<Proposal>(result);
    return evaluated({std::string(name), std::move(proposal.mapping), {}, proposal.cut_short, proposal.order},
                     "its mapping");
  }

  StartAnswer evaluated(SearchStart start, std::string_view whose) {
    const OrderedProblem ordered(problem_, start.order);
    if (!PlacementRules(ordered.view()).memory_holds(start.mapping))
      return Infeasible{fmt::format("{} needs more memory than a machine has", whose)};
    if (!evaluator_) evaluator_.emplace(problem_);
    std::optional<evaluators::MappingEvaluator> own;
    if (start.order) own.emplace(ordered.view());
    const auto period =
        exact_period(ordered.view(), own ? *own : *evaluator_, start.mapping, *settings_.model, settings_.deadline);
    if (!period) {
      return LimitMet{
          fmt::format("the period of {} is beyond the limits of exact evaluation, and a start needs it", whose)};
    }
    start.period = *period;
    return start;
  }

  const tpn::ProblemView& problem_;
  Settings settings_;
  std::optional<evaluators::MappingEvaluator> evaluator_;
};

// As a row of the table of starts.
std::vector<std::string> row_of(std::string_view name, const StartAnswer& answer, const tpn::ProblemView& problem) {
  if (const auto* start = std::get_if<SearchStart>(&answer)) {
    const OrderedProblem ordered(problem, start->order);
    return {std::string(name), time_in_words(problem.document(), start->period),
            mapping_in_words(ordered.view().document(), start->mapping)};
  }
  if (const auto* infeasible = std::get_if<Infeasible>(&answer)) return {std::string(name), "", infeasible->reason};
  return {std::string(name), "", std::get<LimitMet>(answer).reason};
}

// With the name of the heuristic that was asked for before its reason.
StartAnswer named(const std::string& name, StartAnswer answer) {
  if (auto* infeasible = std::get_if<Infeasible>(&answer)) infeasible->reason = name + ": " + infeasible->reason;
  if (auto* limit = std::get_if<LimitMet>(&answer)) limit->reason = name + ": " + limit->reason;
  return answer;
}

// "auto": asks one after the other, and keeps what is found.
class StartList {
 public:
  StartList(const tpn::ProblemView& problem, const Settings& settings, const StartRules& rules)
      : problem_(problem), settings_(settings), rules_(rules), finder_(problem, settings) {}

  StartsAnswer all(Log& log) {
    if (problem_.document().mapping) add("given", finder_.given(), false);
    for (const KnownMapping& known : settings_.known) {
      if (!is_done()) add(known.name, finder_.known(known), true);
    }
    if (settings_.known.empty()) ask_heuristics();
    if (starts_.empty()) {
      StartAnswer plain = finder_.plain();
      add("plain", plain, true);
      if (auto* infeasible = std::get_if<Infeasible>(&plain)) return std::move(*infeasible);
      if (auto* limit = std::get_if<LimitMet>(&plain)) return std::move(*limit);
    }
    log.tables.push_back(std::move(table_));
    std::ranges::stable_sort(starts_, {}, &SearchStart::period);
    return std::move(starts_);
  }

 private:
  void ask_heuristics() {
    for (const Heuristic& heuristic : heuristics()) {
      if (heuristic.is_quick && !is_done()) add(heuristic.name, finder_.by_heuristic(heuristic.name), true);
    }
    if (!settings_.deadline.time() || !settings_.uses_all_time) return;
    for (const Heuristic& heuristic : heuristics()) {
      if (heuristic.is_quick || heuristic.name == rules_.asker || is_done()) continue;
      add(heuristic.name, finder_.in_its_share(heuristic.name), true);
    }
  }

  // Nothing better is possible, or there is a start and no time.
  bool is_done() { return !starts_.empty() && (best_ <= rules_.lower_bound || finder_.is_out_of_time()); }

  void add(std::string_view name, const StartAnswer& answer, bool is_found) {
    table_.rows.push_back(row_of(name, answer, problem_));
    const auto* start = std::get_if<SearchStart>(&answer);
    if (start == nullptr || (is_found && !rules_.may_repeat && repeats(start->mapping))) return;
    if (starts_.empty() || start->period < best_) best_ = start->period;
    const bool is_new = std::ranges::none_of(starts_, [&](const SearchStart& other) {
      return other.mapping == start->mapping && other.order == start->order;
    });
    if (is_new) starts_.push_back(*start);
  }

  const tpn::ProblemView& problem_;
  const Settings& settings_;
  StartRules rules_;
  StartFinder finder_;
  std::vector<SearchStart> starts_;
  Rational best_;
  LogTable table_{"Starts", {"heuristic", "exact period", "answer"}, {}};
};

}  // namespace

std::optional<Rational> exact_period(const tpn::ProblemView& problem, evaluators::MappingEvaluator& evaluator,
                                     const tpn::Mapping& mapping, const tpn::Model& model,
                                     const evaluators::Deadline& deadline) {
  const auto quick = evaluator.evaluate(mapping, model);
  if (quick.answer == MappingAnswer::exact) return quick.lower.rational();
  auto pipeline = tpn::make_pipeline(problem, mapping);
  if (std::holds_alternative<tpn::TooLarge>(pipeline)) return std::nullopt;
  const auto folded = tpn::fold(std::get<tpn::Pipeline>(std::move(pipeline)), model);
  if (std::holds_alternative<tpn::TooLarge>(folded)) return std::nullopt;
  evaluators::Options options;
  options.deadline = deadline;
  const auto evaluation = evaluators::evaluate(std::get<tpn::FoldedNet>(folded), options);
  if (!evaluation.exact()) return std::nullopt;
  return evaluation.lower;
}

bool repeats(const tpn::Mapping& mapping) {
  std::vector<std::size_t> seen;
  for (const tpn::Part& part : mapping) seen.insert(seen.end(), part.processors.begin(), part.processors.end());
  std::ranges::sort(seen);
  return std::ranges::adjacent_find(seen) != seen.end();
}

StartsAnswer find_starts(const tpn::ProblemView& problem, const std::string& name, const Settings& settings,
                         const StartRules& rules, Log& log) {
  if (name == "auto") return StartList(problem, settings, rules).all(log);
  StartFinder finder(problem, settings);
  StartAnswer answer = name == "given" ? finder.given() : named(name, finder.by_heuristic(name));
  if (auto* infeasible = std::get_if<Infeasible>(&answer)) return std::move(*infeasible);
  if (auto* limit = std::get_if<LimitMet>(&answer)) return std::move(*limit);
  return std::vector<SearchStart>{std::move(std::get<SearchStart>(answer))};
}

}  // namespace takt::heuristics

// Local search from the mappings of all others, the exact TPN period its objective.
//
// Problem. The heuristics of the literature decide with models in which replicas never wait for one another; their
// mappings can often be bettered by looking at the period that the timed Petri net really has.
//
// Method. The starts (heuristics/search/start.hpp) are the given mapping and those of the other heuristics; from the
// best of them, iterated local search (heuristics/search/local_search.hpp). It ends when several descents in a row find
// nothing better, when no mapping can be better (heuristics/search/period_lower_bound.hpp), or after a fixed number of
// moves: same seed, same mapping, however large the platform. Where it is to use all of its time, it goes on until the
// deadline. Of a workflow the stages are listed anew now and then (heuristics/search/order_search.hpp), and at last
// transfers are served in another order where that is better (heuristics/search/served_order.hpp).
//
// Invariant. The period in hand is exact, and never longer than any start's.
//
// Cost. That of the starts and of the search.
//
// References. [benoit2009throughput] for the period, [lourenco2003iterated] for iterated local search; the
// neighborhoods are our own.
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "heuristics/common/amounts.hpp"
#include "heuristics/common/mapping_words.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/ordered_problem.hpp"
#include "heuristics/search/local_search.hpp"
#include "heuristics/search/order_search.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "heuristics/search/served_order.hpp"
#include "heuristics/search/start.hpp"
#include "heuristics/search/tidying.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/stage_order.hpp"
#include "tpn/workflow.hpp"

namespace takt::heuristics {

namespace {

constexpr std::string_view kName = "polish";

std::string start_note(const tpn::Document& problem, const std::vector<SearchStart>& starts) {
  const SearchStart& best = starts.front();
  std::string note =
      fmt::format("Starts from the mapping \"{}\", of period {}", best.name, time_in_words(problem, best.period));
  if (starts.size() > 1) note += fmt::format(", the best of {} different ones", starts.size());
  return note + ".";
}

// A twentieth of the time is for shorter sequences.
Settings with_time_to_tidy(Settings settings) {
  settings.deadline = settings.deadline.after_part(19, 20);
  return settings;
}

// Of a workflow: transfers in the order that suits the mapping.
void serve_better(Proposal& proposal, const tpn::Document& problem, const Settings& settings, std::uint64_t tried,
                  Log& log) {
  constexpr std::uint64_t kMostSolved = 1'000'000;
  if (tpn::is_chain(problem.application)) return;
  auto served = better_served(document_of(problem, proposal), *settings.model, proposal.predicted_period,
                              settings.deadline, kMostSolved);
  if (!served) return;
  log.notes.push_back(fmt::format("Another order of its transfers, of {} tried, shortens the period from {} to {}.",
                                  served->tried, time_in_words(problem, proposal.predicted_period),
                                  time_in_words(problem, served->period)));
  log.improvements.push_back({tried, served->period});
  proposal.predicted_period = std::move(served->period);
  proposal.served = std::move(served->transfers);
}

// What a search says of itself, a local one or one over orders.
template <typename Search>
Result answer_of(Search& search, const std::optional<tpn::StageOrder>& order, const tpn::ProblemView& problem,
                 const Settings& settings, const std::vector<SearchStart>& starts, const Rational& lower_bound,
                 Log& log) {
  const auto repetition = settings.flag("weighted") ? RepeatedProcessors::allowed : RepeatedProcessors::none;
  const OrderedProblem ordered(problem, order);
  const EvaluatedMapping best = tidied(ordered.view(), *settings.model, search.best(), repetition, settings.deadline);
  log.tables.push_back(search.improvements());
  log.improvements = search.progress();
  log.notes.push_back(fmt::format("Moves tried: {}; mappings evaluated: {}.", search.tried(), search.evaluated()));
  const Rational period = best.period.rational();
  const std::size_t before = entries_of(search.best().mapping);
  const std::size_t after = entries_of(best.mapping);
  if (best.period < search.best().period) {
    log.improvements.push_back({search.tried(), period});
    log.notes.push_back(fmt::format("Finer shares, of {} entries in place of {}, shorten the period from {} to {}.",
                                    after, before, time_in_words(problem.document(), search.best().period.rational()),
                                    time_in_words(problem.document(), period)));
  } else if (after < before) {
    log.notes.push_back(
        fmt::format("Sequences of {} entries together became {} without a longer period.", before, after));
  }
  Proposal proposal{best.mapping, period, starts.front().cut_short || search.cut_short(), lower_bound, order};
  if (lower_bound < period) serve_better(proposal, problem.document(), settings, search.tried(), log);
  log.notes.push_back(bound_note(problem.document(), *settings.model, proposal.predicted_period, lower_bound));
  if (!search.cannot_improve() && search.has_tried_all_it_may())
    log.notes.push_back("More moves (--moves) might find a better mapping.");
  return proposal;
}

// In the order of the document, and in others.
Result search_orders(const tpn::ProblemView& problem, const Settings& settings, const std::vector<SearchStart>& starts,
                     const Rational& lower_bound, Log& log) {
  const Settings searching = with_time_to_tidy(settings);
  StageOrderSearch search(problem, searching, starts, lower_bound);
  search.run();
  if (search.rounds() > 0)
    log.notes.push_back(
        fmt::format("The stages were listed anew {} times, and the search went on in that order.", search.rounds()));
  return answer_of(search, search.order(), problem, settings, starts, lower_bound, log);
}

Result map_by_polish(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  require_amounts(problem);
  const Rational lower_bound = period_lower_bound(problem, *settings.model, settings.deadline.after_part(1, 8));
  auto found = find_starts(problem, settings.text("start"), settings,
                           {.asker = kName, .lower_bound = lower_bound, .may_repeat = settings.flag("weighted")}, log);
  if (auto* infeasible = std::get_if<Infeasible>(&found)) return std::move(*infeasible);
  if (auto* limit = std::get_if<LimitMet>(&found)) return std::move(*limit);
  const auto& starts = std::get<std::vector<SearchStart>>(found);
  log.notes.push_back(start_note(problem.document(), starts));

  const std::size_t processors = problem.document().platform.processors.size();
  if (processors > kMostPlaces) {
    log.notes.push_back(fmt::format("Left as it is: the platform has {} processors, and changes are tried up to {}.",
                                    processors, kMostPlaces));
    log.improvements = {{0, starts.front().period}};
    return Proposal{starts.front().mapping, starts.front().period, starts.front().cut_short, lower_bound,
                    starts.front().order};
  }
  if (!tpn::is_chain(problem.document().application)) return search_orders(problem, settings, starts, lower_bound, log);
  const Settings searching = with_time_to_tidy(settings);
  LocalSearch search(problem, searching, starts, lower_bound);
  search.run();
  return answer_of(search, std::nullopt, problem, settings, starts, lower_bound, log);
}

}  // namespace

Heuristic polish() {
  return {
      .name = kName,
      .summary = "local search on the exact period, from any mapping",
      .mapping_class = MappingClass::divided,
      .model = tpn::Model::kStrict,
      .model_use = ModelUse::evaluation,
      .takes = {.workflows = true, .shared_resources = true, .several_ends = true, .segments = true},
      .communication = "as the model has it",
      .optimality = "never worse than its starts, the mappings of all quick heuristics among them",
      .cost = "O(p^2) moves per step, O(p) each, and the evaluation of some",
      .source = "takt",
      .is_quick = false,
      .options = {{.name = "start",
                   .help = "where to start; given: the mapping in the file; auto: all of these",
                   .standard = std::string("auto"),
                   .choices = {"auto", "given"},
                   .or_heuristic = true},
                  {.name = "restarts",
                   .help = "stop after N descents in a row, from disturbed mappings, that find nothing better; no "
                           "effect with a time limit",
                   .standard = Rational(30),
                   .bound = tpn::json::Bound::whole},
                  {.name = "moves",
                   .help = "maximum number of moves to try; no effect with a time limit",
                   .standard = Rational(300'000),
                   .bound = tpn::json::Bound::whole},
                  {.name = "weighted", .help = "allow several turns of a processor in a sequence", .standard = true}},
      .map = map_by_polish};
}

}  // namespace takt::heuristics

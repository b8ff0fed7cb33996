// Asks other heuristics for a mapping, and knows a plain one.
#include "heuristics/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "evaluators/evaluate.hpp"
#include "evaluators/mapping_evaluator.hpp"
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
  if (!deadline) return deadline;
  const auto now = std::chrono::steady_clock::now();
  return now + (*deadline - now) / 2;
}

std::variant<Start, Infeasible, LimitMet> given(const tpn::Document& problem, tpn::Model model,
                                                const evaluators::Deadline& deadline) {
  if (!problem.mapping) return Infeasible{"the document has no mapping to start from"};
  const auto period = exact_period(problem, *problem.mapping, model, deadline);
  if (!period) return LimitMet{"the period of the given mapping is beyond the limits of exact evaluation"};
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
  if (!period) return LimitMet{"the period of its mapping is beyond the limits of exact evaluation"};
  return Start{std::string(heuristic.name), proposal.mapping, *period, proposal.cut_short};
}

// Processors in a row, each linked with the next, from the source to the sink, as few as possible: by the number
// of links to the sink, breadth first. `next` of the last is itself.
struct Chains {
  std::vector<std::size_t> starts;
  std::vector<std::size_t> next;
  std::size_t length = 0;
};

Chains shortest_chains(std::size_t processors, const LinkTable& links) {
  constexpr std::size_t kUnseen = std::numeric_limits<std::size_t>::max();
  Chains chains;
  std::vector<std::size_t> lengths(processors, kUnseen);
  chains.next.resize(processors);
  std::vector<std::size_t> queue;
  for (std::size_t p = 0; p < processors; ++p) {
    if (!links.to_sink(p)) continue;
    lengths[p] = 1;
    chains.next[p] = p;
    queue.push_back(p);
  }
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (std::size_t p = 0; p < processors; ++p) {
      if (lengths[p] != kUnseen || !links.between(p, queue[at])) continue;
      lengths[p] = lengths[queue[at]] + 1;
      chains.next[p] = queue[at];
      queue.push_back(p);
    }
  }
  for (const std::size_t p : queue) {
    if (!links.from_source(p) || (!chains.starts.empty() && lengths[p] > chains.length)) continue;
    chains.starts.push_back(p);
    chains.length = lengths[p];
  }
  return chains;
}

}  // namespace

std::optional<Start> shortest_chain(const tpn::Document& problem, const LinkTable& links, tpn::Model model) {
  const std::size_t stages = problem.application.stages.size();
  const Chains chains = shortest_chains(problem.platform.processors.size(), links);
  if (chains.starts.empty() || chains.length > stages) return std::nullopt;
  evaluators::MappingEvaluator evaluator(problem);
  std::optional<Start> best;
  for (const std::size_t first : chains.starts) {
    for (std::size_t longest = 0; longest < chains.length; ++longest) {
      tpn::Mapping mapping;
      std::size_t stage = 0;
      std::size_t processor = first;
      for (std::size_t i = 0; i < chains.length; ++i, processor = chains.next[processor]) {
        const std::size_t size = i == longest ? stages - chains.length + 1 : 1;
        mapping.push_back({stage, stage + size - 1, {processor}});
        stage += size;
      }
      const auto evaluation = evaluator.evaluate(mapping, model);  // one row: exact
      if (evaluation.answer != MappingAnswer::exact) continue;
      const Rational period = evaluation.lower.rational();
      if (!best || period < best->period) best = Start{"plain", std::move(mapping), period, false};
      if (chains.length == stages) break;
    }
  }
  return best;
}

std::variant<Start, Infeasible, LimitMet> find_start(const tpn::Document& problem, const std::string& name,
                                                     const LinkTable& links, const Settings& settings, Log& log) {
  const tpn::Model model = settings.model.value_or(tpn::Model::strict);
  Settings half = settings;
  half.deadline = half_way(settings.deadline);
  if (name == "given" || (name == "auto" && problem.mapping)) return given(problem, model, half.deadline);
  if (name != "auto") {
    const Heuristic* heuristic = find_heuristic(name);
    maxplus::expects(heuristic != nullptr, "a start is a heuristic, \"given\" or \"auto\"");
    auto start = by_heuristic(problem, *heuristic, half);
    if (auto* infeasible = std::get_if<Infeasible>(&start)) infeasible->reason = name + ": " + infeasible->reason;
    if (auto* limit = std::get_if<LimitMet>(&start)) limit->reason = name + ": " + limit->reason;
    return start;
  }
  Steps table{"starts", {"heuristic", "exact period", "answer"}, {}};
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
  if (!best) {
    best = shortest_chain(problem, links, model);
    if (best) table.rows.push_back({"plain", decimal(best->period), mapping_in_words(problem, best->mapping)});
  }
  log.tables.push_back(std::move(table));
  if (best) return std::move(*best);
  return Infeasible{"no processors linked in a row, at most one a stage, lead from the source to the sink"};
}

}  // namespace takt::heuristics

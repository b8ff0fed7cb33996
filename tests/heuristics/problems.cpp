// Every run is held to the same rules.
#include "tests/heuristics/problems.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "heuristics/registry.hpp"
#include "maxplus/deadline.hpp"
#include "tests/heuristics/typed/named_problems.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/errors.hpp"
#include "tpn/reader.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {

using heuristics::Proposal;
using heuristics::Solution;
using maxplus::Rational;

namespace {

// Periods fall, iterations do not.
void check_improvements(const std::vector<heuristics::Improvement>& improvements) {
  for (std::size_t k = 1; k < improvements.size(); ++k) {
    REQUIRE(improvements[k].period < improvements[k - 1].period);
    REQUIRE(improvements[k].iteration >= improvements[k - 1].iteration);
  }
}

bool is_capital(char letter) { return letter >= 'A' && letter <= 'Z'; }

}  // namespace

Solution solve_checked(std::string_view heuristic, const tpn::Document& problem, heuristics::Settings settings) {
  const heuristics::Heuristic* found = heuristics::find_heuristic(heuristic);
  REQUIRE(found != nullptr);
  Solution solution = heuristics::solve(*found, problem, settings);
  const auto* proposal = std::get_if<Proposal>(&solution.result);
  for (const heuristics::LogTable& table : solution.log.tables) {
    REQUIRE(is_capital(table.title.front()));
    const bool is_printed_table = table.columns.front() == "Iter";  // HeDPM's Table 2, with the paper's headings
    for (const auto& column : table.columns) REQUIRE(is_capital(column.front()) == is_printed_table);
    for (const auto& row : table.rows) REQUIRE(row.size() == table.columns.size());
  }
  check_improvements(solution.log.improvements);
  if (proposal != nullptr) {
    const tpn::Document mapped = heuristics::mapped_document(problem, *found, solution);
    tpn::validate(mapped);
    REQUIRE(tpn::read_document(tpn::write_document(mapped), "written") == mapped);
  }
  if (!settings.deadline.time()) {
    const Solution again = heuristics::solve(*found, problem, settings);
    REQUIRE(again.result.index() == solution.result.index());
    REQUIRE(again.log.improvements == solution.log.improvements);
    if (proposal != nullptr) {
      REQUIRE(std::get<Proposal>(again.result).mapping == proposal->mapping);
      REQUIRE(std::get<Proposal>(again.result).predicted_period == proposal->predicted_period);
    }
  }
  return solution;
}

heuristics::Settings under(const std::optional<tpn::Model>& model, std::vector<heuristics::OptionSetting> options) {
  heuristics::Settings settings;
  settings.model = model;
  settings.options = std::move(options);
  return settings;
}

heuristics::Settings of_class(const std::string& mapping_class, const tpn::Model& model) {
  return under(model, {{"class", mapping_class}});
}

heuristics::Settings too_late(heuristics::Settings settings) {
  settings.deadline = maxplus::SearchClock::time_point::min();
  return settings;
}

tpn::Document as_table(const tpn::Document& problem) {
  tpn::Document table = problem;
  for (tpn::Stage& stage : table.application.stages) {
    for (std::size_t p = 0; p < problem.platform.processors.size(); ++p)
      stage.times.push_back({p, *stage.work / *problem.platform.processors[p].speed});
    stage.work.reset();
  }
  for (tpn::Processor& processor : table.platform.processors) processor.speed.reset();
  return table;
}

const Proposal& proposal_of(const Solution& solution) {
  if (const auto* infeasible = std::get_if<heuristics::Infeasible>(&solution.result)) FAIL(infeasible->reason);
  if (const auto* limit = std::get_if<heuristics::LimitMet>(&solution.result)) FAIL(limit->reason);
  return std::get<Proposal>(solution.result);
}

std::string reason_of(const Solution& solution) {
  if (const auto* infeasible = std::get_if<heuristics::Infeasible>(&solution.result)) return infeasible->reason;
  if (const auto* limit = std::get_if<heuristics::LimitMet>(&solution.result)) return "limit: " + limit->reason;
  return "a mapping";
}

Rational exact_period(const tpn::Document& problem, const tpn::Mapping& mapping, tpn::Model model) {
  tpn::Document document = problem;
  document.mapping = mapping;
  return support::period_of(support::net_of(document, model));
}

// Invalid mappings are found by evaluating them.
std::optional<Rational> least_period(const tpn::Document& problem, const std::string& mapping_class, tpn::Model model) {
  std::optional<Rational> least;
  for_each_dealt(problem, [&](const tpn::Mapping& mapping) {
    const auto is_replicated = [](const tpn::Part& part) { return part.processors.size() > 1; };
    if (mapping_class == "one-to-one" && mapping.size() < problem.application.stages.size()) return;
    if (mapping_class != "replicated" && std::ranges::any_of(mapping, is_replicated)) return;
    try {
      tpn::Document mapped = problem;
      mapped.mapping = mapping;
      tpn::validate(mapped);
      const Rational period = exact_period(problem, mapping, model);
      if (!least || period < *least) least = period;
    } catch (const tpn::InvalidInstance&) {  // an absent link, or replicas of a stage that is not replicable
    }
  });
  return least;
}

}  // namespace takt::testing

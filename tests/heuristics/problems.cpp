// Every run is held to the same rules.
#include "tests/heuristics/problems.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "heuristics/registry.hpp"
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

tpn::Document known_problem(const std::string& name) {
  const std::string path = std::string(TAKT_SOURCE_DIR) + "/tests/data/problems/" + name + ".json";
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return tpn::read_document(text, path);
}

const Proposal& proposal_of(const Solution& solution) {
  if (const auto* infeasible = std::get_if<heuristics::Infeasible>(&solution.result)) FAIL(infeasible->reason);
  if (const auto* limit = std::get_if<heuristics::LimitMet>(&solution.result)) FAIL(limit->reason);
  return std::get<Proposal>(solution.result);
}

Rational exact_period(const tpn::Document& problem, const tpn::Mapping& mapping, tpn::Model model) {
  tpn::Document document = problem;
  document.mapping = mapping;
  return support::period_of(support::net_of(document, model));
}

// Every mapping, by permutations: a permutation of the processors, its first entries dealt to the parts in every
// way. Many come several times, and invalid ones are found by evaluating them.
std::optional<Rational> least_period(const tpn::Document& problem, const std::string& mapping_class, tpn::Model model) {
  const std::size_t stages = problem.application.stages.size();
  std::vector<std::size_t> permutation;
  for (std::size_t p = 0; p < problem.platform.processors.size(); ++p) permutation.push_back(p);
  std::optional<Rational> least;
  do {
    for (std::size_t cuts = 0; cuts < std::size_t{1} << (stages - 1); ++cuts) {
      // Lengths of the parts' sequences, as the digits of a number in base p + 1.
      tpn::Mapping parts{{0, 0, {}}};
      for (std::size_t k = 1; k < stages; ++k) {
        if ((cuts >> (k - 1) & 1) != 0) parts.push_back({k, k, {}});
        parts.back().last_stage = k;
      }
      if (mapping_class == "one-to-one" && parts.size() < stages) continue;
      std::vector<std::size_t> lengths(parts.size(), 1);
      for (;;) {
        std::size_t total = 0;
        for (const std::size_t length : lengths) total += length;
        if (total <= permutation.size()) {
          tpn::Mapping mapping = parts;
          std::size_t next = 0;
          for (std::size_t i = 0; i < parts.size(); ++i)
            for (std::size_t k = 0; k < lengths[i]; ++k) mapping[i].processors.push_back(permutation[next++]);
          try {
            tpn::Document mapped = problem;
            mapped.mapping = mapping;
            tpn::validate(mapped);
            const Rational period = exact_period(problem, mapping, model);
            if (!least || period < *least) least = period;
          } catch (const tpn::InvalidInstance&) {  // an absent link, or replicas of a stage that is not replicable
          }
        }
        if (mapping_class != "replicated") break;
        std::size_t digit = 0;
        while (digit < lengths.size() && ++lengths[digit] > permutation.size()) lengths[digit++] = 1;
        if (digit == lengths.size()) break;
      }
    }
  } while (std::ranges::next_permutation(permutation).found);
  return least;
}

}  // namespace takt::testing

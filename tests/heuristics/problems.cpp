// Problems are drawn with Boost.Random, whose numbers are the same everywhere.
#include "tests/heuristics/problems.hpp"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <catch2/catch.hpp>
#include <string>

#include "heuristics/registry.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/reader.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {

using heuristics::Proposal;
using heuristics::Solution;
using maxplus::Rational;

namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  Rational whole(int low, int high) { return boost::random::uniform_int_distribution<int>(low, high)(engine_); }
  bool coin() { return boost::random::uniform_int_distribution<int>(0, 1)(engine_) == 1; }

 private:
  boost::random::mt19937_64 engine_;
};

}  // namespace

tpn::Document random_problem(const Shape& shape, std::uint64_t seed) {
  Draw draw(seed);
  tpn::Document problem;
  for (std::size_t k = 0; k < shape.stages; ++k) {
    tpn::Stage stage;
    stage.name = "S" + std::to_string(k);
    stage.work = draw.whole(1, 20);
    stage.output = draw.whole(1, 20);
    stage.replicable = shape.all_replicable || draw.coin();
    problem.application.stages.push_back(std::move(stage));
  }
  const Rational speed = draw.whole(1, 20);
  for (std::size_t u = 0; u < shape.processors; ++u) {
    problem.platform.processors.push_back({.name = "P" + std::to_string(u),
                                           .speed = shape.speeds == Speeds::equal ? speed : draw.whole(1, 20),
                                           .time = {}});
  }
  if (shape.links == Links::free) {
    problem.platform.defaults.time = 0;
  } else {
    problem.platform.defaults.bandwidth = 10;
  }
  if (shape.links == Links::unequal) {
    for (std::size_t u = 0; u < shape.processors; ++u) {
      for (std::size_t v = u + 1; v < shape.processors; ++v) {
        tpn::Link link{u, v, {}, false};
        link.timing.bandwidth = draw.whole(5, 15);
        problem.platform.links.push_back(std::move(link));
      }
    }
  }
  if (shape.ends) {
    problem.application.input = draw.whole(1, 20);
    problem.platform.source.emplace();
    problem.platform.sink.emplace();
  }
  tpn::validate(problem);
  return problem;
}

tpn::Document free_problem(const std::vector<Rational>& works, const std::vector<std::size_t>& fixed,
                           const std::vector<Rational>& speeds) {
  tpn::Document problem;
  for (std::size_t k = 0; k < works.size(); ++k) {
    tpn::Stage stage;
    stage.name = "S" + std::to_string(k + 1);
    stage.work = works[k];
    stage.replicable = std::ranges::find(fixed, k) == fixed.end();
    problem.application.stages.push_back(std::move(stage));
  }
  for (std::size_t u = 0; u < speeds.size(); ++u) {
    problem.platform.processors.push_back({.name = "P" + std::to_string(u + 1), .speed = speeds[u], .time = {}});
  }
  problem.platform.defaults.time = 0;
  tpn::validate(problem);
  return problem;
}

Solution solve_checked(std::string_view heuristic, const tpn::Document& problem, heuristics::Settings settings) {
  const heuristics::Heuristic* found = heuristics::find_heuristic(heuristic);
  REQUIRE(found != nullptr);
  Solution solution = heuristics::solve(*found, problem, settings);
  const auto* proposal = std::get_if<Proposal>(&solution.result);
  for (const heuristics::Steps& table : solution.log.tables) {
    for (const auto& row : table.rows) REQUIRE(row.size() == table.columns.size());
  }
  if (proposal != nullptr) {
    const tpn::Document mapped = heuristics::mapped_document(problem, *found, solution);
    tpn::validate(mapped);
    REQUIRE(tpn::read_document(tpn::write_document(mapped), "written") == mapped);
  }
  if (!settings.deadline) {
    const Solution again = heuristics::solve(*found, problem, settings);
    REQUIRE(again.result.index() == solution.result.index());
    if (proposal != nullptr) {
      REQUIRE(std::get<Proposal>(again.result).mapping == proposal->mapping);
      REQUIRE(std::get<Proposal>(again.result).predicted_period == proposal->predicted_period);
    }
  }
  return solution;
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

}  // namespace takt::testing

// Covers against all ways to divide machines among parts, against the nets of drawn mappings, and by hand.
#include "heuristics/typed/cover_plans.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "heuristics/search/price_goal.hpp"
#include "heuristics/typed/named_plan.hpp"
#include "plan/bounds.hpp"
#include "plan/machine_demand.hpp"
#include "plan/wider/covers.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/heuristics/typed/named_problems.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/folded_net.hpp"

namespace takt::testing {
namespace {

using maxplus::Rational;

struct Covered {
  explicit Covered(const tpn::Document& problem)
      : view(problem),
        classes(heuristics::machine_classes(view, {.by_links = false})),
        catalogue(heuristics::catalogue_of(view, classes, heuristics::TransferChoice::least)) {}

  plan::CoversAnswer solve(const tpn::Model& model, const Rational& period) const {
    return plan::solve_covers(catalogue, {.model = model, .period = period, .slack = 0, .deadline = {}});
  }

  tpn::ProblemView view;
  heuristics::MachineClasses classes;
  plan::Catalogue catalogue;
};

// Any disjoint machines for the parts of any division, each with one turn or more.
std::optional<tpn::Mapping> drawn(const tpn::Document& problem, const Covered& covered, support::Draw& draw) {
  const std::size_t stages = problem.application.stages.size();
  std::vector<std::size_t> free(problem.platform.processors.size());
  for (std::size_t p = 0; p < free.size(); ++p) free[p] = p;
  draw.shuffle(free);
  tpn::Mapping mapping;
  for (std::size_t first = 0; first < stages && !free.empty();) {
    const std::size_t last = first + draw.index(stages - first);
    const bool is_replicable = covered.catalogue.is_replicable(first, last);
    tpn::Part part{first, last, {}};
    const std::size_t machines = is_replicable ? 1 + draw.index(free.size()) : 1;
    for (std::size_t k = 0; k < machines; ++k) {
      for (std::size_t turns = is_replicable ? draw.count(1, 3) : 1; turns > 0; --turns) {
        part.processors.push_back(free.back());
      }
      free.pop_back();
    }
    draw.shuffle(part.processors);
    mapping.push_back(std::move(part));
    first = last + 1;
  }
  if (mapping.empty() || mapping.back().last_stage + 1 != stages) return std::nullopt;
  for (const tpn::Part& part : mapping) {
    for (const std::size_t p : part.processors) {
      const std::size_t type = covered.classes.of[p];
      if (covered.catalogue.least_first_stage(part.last_stage, type) > part.first_stage) return std::nullopt;
    }
  }
  return covered.view.links().hold(mapping) ? std::optional(mapping) : std::nullopt;
}

TEST_CASE("no mapping whose machines serve one part each, in any turns, is cheaper than the bound of covers") {
  std::size_t judged = 0;
  std::size_t tight = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(400); ++seed) {
    support::Draw draw(seed);
    const std::size_t machines = draw.count(2, 5);
    const NamedShape shape{draw.count(1, 4), machines, draw.count(1, machines), draw.coin() ? 40 : 0, draw.coin()};
    const tpn::Document problem = named_problem(shape, seed);
    const tpn::Model model = draw.coin() ? tpn::Model::kOverlap : tpn::Model::kStrict;
    const Covered covered(problem);
    for (int k = 0; k < 6; ++k) {
      const auto mapping = drawn(problem, covered, draw);
      if (!mapping) continue;
      tpn::Document mapped = problem;
      mapped.mapping = *mapping;
      const auto net = tpn::fold(mapped, model);
      const auto evaluation = evaluators::evaluate(std::get<tpn::FoldedNet>(net));
      if (!evaluation.exact() || evaluation.lower.sign() == 0) continue;
      ++judged;
      INFO("seed " << seed << ", mapping " << k);
      const plan::CoversAnswer answer = covered.solve(model, evaluation.lower);
      REQUIRE_FALSE(answer.is_impossible);
      const Rational cost = heuristics::price_of(problem, *mapping);
      REQUIRE(answer.lower_bound <= cost);
      tight += answer.lower_bound == cost ? 1 : 0;
      REQUIRE(plan::cost_bound(covered.catalogue, model, evaluation.lower) <= cost);
      for (const plan::CoverCandidate& candidate : answer.candidates) REQUIRE(answer.lower_bound <= candidate.cost);
    }
  }
  REQUIRE(judged > support::draws(800));
  REQUIRE(tight > support::draws(100));
}

// The least price of machines for the parts of a division, each machine in one part and idle or at work, by trying all.
class AllDivisions {
 public:
  AllDivisions(const Covered& covered, const tpn::Model& model, const Rational& period)
      : catalogue_(covered.catalogue), model_(model), period_(period), at_(covered.classes.of.size()) {
    for (const std::size_t type : covered.classes.of) types_.push_back(type);
  }

  std::optional<Rational> least() {
    cut(0);
    return least_;
  }

 private:
  void cut(std::size_t stage) {
    if (stage == catalogue_.stages.size()) return place(0);
    for (std::size_t last = stage; last < catalogue_.stages.size(); ++last) {
      parts_.emplace_back(stage, last);
      cut(last + 1);
      parts_.pop_back();
    }
  }

  void place(std::size_t machine) {
    if (machine < at_.size()) {
      for (at_[machine] = 0; at_[machine] <= parts_.size(); ++at_[machine]) place(machine + 1);
      return;
    }
    Rational cost;
    std::vector<Rational> shares(parts_.size());
    std::vector<bool> is_whole(parts_.size());
    const auto receptions = plan::least_transfers(catalogue_, true);
    const auto sendings = plan::least_transfers(catalogue_, false);
    for (std::size_t m = 0; m < at_.size(); ++m) {
      if (at_[m] == parts_.size()) continue;
      const auto [first, last] = parts_[at_[m]];
      const std::size_t t = types_[m];
      const auto& receive = receptions[first * catalogue_.types.size() + t];
      const auto& send = sendings[last * catalogue_.types.size() + t];
      if (catalogue_.least_first_stage(last, t) > first || !receive || !send) return;
      const bool is_replicable = catalogue_.is_replicable(first, last);
      const Rational demand = plan::machine_demand(catalogue_.limits(model_, t, is_replicable), *receive,
                                                   catalogue_.computation(first, last, t), *send);
      cost += catalogue_.types[t].price;
      is_whole[at_[m]] = is_whole[at_[m]] || demand <= period_;
      if (is_replicable) shares[at_[m]] += demand <= period_ ? Rational(1) : period_ / demand;
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (shares[i] < Rational(1) && !is_whole[i]) return;
    }
    if (!least_ || cost < *least_) least_ = cost;
  }

  const plan::Catalogue& catalogue_;
  tpn::Model model_;
  const Rational& period_;
  std::vector<std::size_t> types_;  // by machine
  std::vector<std::size_t> at_;     // by machine: its part, or their number
  std::vector<std::pair<std::size_t, std::size_t>> parts_;
  std::optional<Rational> least_;
};

TEST_CASE("covers find the least price of all divisions of few machines, and their bound is below it") {
  std::size_t feasible = 0;
  std::size_t found = 0;
  std::size_t closed = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    support::Draw draw(seed);
    const NamedShape shape{draw.count(1, 3), 4, 4, draw.coin() ? 40 : 0, draw.coin()};
    const tpn::Document problem = named_problem(shape, seed);
    const tpn::Model model = draw.coin() ? tpn::Model::kOverlap : tpn::Model::kStrict;
    const Covered covered(problem);
    const Rational period = draw.fraction(40, 4);
    const plan::CoversAnswer answer = covered.solve(model, period);
    const auto least = AllDivisions(covered, model, period).least();
    INFO("seed " << seed);
    if (!least) {
      REQUIRE(answer.candidates.empty());
      continue;
    }
    ++feasible;
    REQUIRE_FALSE(answer.is_impossible);
    REQUIRE(answer.lower_bound <= *least);
    closed += answer.lower_bound == *least ? 1 : 0;
    if (answer.candidates.empty()) continue;
    REQUIRE(answer.candidates.front().cost >= *least);
    found += answer.candidates.front().cost == *least ? 1 : 0;
  }
  INFO(feasible << " feasible, " << found << " found, " << closed << " closed");
  REQUIRE(feasible > 60);
  REQUIRE(10 * found >= 9 * feasible);
  REQUIRE(10 * closed >= 8 * feasible);
}

TEST_CASE("what a machine of a lone part has left serves another part") {
  // Work 3 alone on P0 takes 3 of 10; P0 and P1 do the other 17 in 7 and 10 of each 10.
  tpn::Document problem = free_problem({17, 3}, {1}, {1, 1, 1});
  problem.platform.processors[2].price = 5;
  const tpn::ProblemView view(problem);
  heuristics::NamedQuery query;
  query.period = 10;
  const auto answer = heuristics::cheapest_on_platform(view, query);
  REQUIRE(answer.plan);
  CHECK(answer.plan->cost == 2);
  CHECK(answer.plan->period <= 10);
  CHECK(answer.optimal_in() == heuristics::NamedClass::any);
}

}  // namespace
}  // namespace takt::testing

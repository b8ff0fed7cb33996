// The heuristics for interval mappings: predictions against exact periods, optima against brute force.
#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "heuristics/interval/costs.hpp"
#include "heuristics/interval/search.hpp"
#include "heuristics/registry.hpp"
#include "tests/heuristics/interval/problems.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::testing {
namespace {

using heuristics::Infeasible;
using heuristics::Proposal;
using heuristics::Solution;
using maxplus::Rational;
using tpn::Model;

// Every interval mapping, or one-to-one mapping, of a problem of Shape::links equal or free: the least period by
// equation (2) of the paper, with nothing but the fields of the document.
class BruteForce {
 public:
  BruteForce(const tpn::Document& problem, Model model, std::size_t longest)
      : problem_(problem), model_(model), longest_(longest), used_(problem.platform.processors.size()) {}

  std::optional<Rational> least() {
    extend(0, 0);
    return least_;
  }

 private:
  Rational file_time(std::size_t before) const {
    const auto& stages = problem_.application.stages;
    const auto& platform = problem_.platform;
    if (before == 0 && !platform.source) return 0;
    if (before == stages.size() && !platform.sink) return 0;
    if (platform.defaults.time) return *platform.defaults.time;
    const Rational size = before == 0 ? *problem_.application.input : *stages[before - 1].output;
    return size / *platform.defaults.bandwidth;
  }

  void extend(std::size_t first, const Rational& so_far) {
    const auto& stages = problem_.application.stages;
    if (first == stages.size()) {
      if (!least_ || so_far < *least_) least_ = so_far;
      return;
    }
    for (std::size_t u = 0; u < used_.size(); ++u) {
      if (used_[u]) continue;
      used_[u] = true;
      Rational work;
      for (std::size_t last = first; last < std::min(first + longest_, stages.size()); ++last) {
        work += *stages[last].work;
        const Rational in = file_time(first);
        const Rational computation = work / *problem_.platform.processors[u].speed;
        const Rational out = file_time(last + 1);
        const Rational cycle =
            model_ == Model::kStrict ? in + computation + out : std::max(std::max(in, out), computation);
        extend(last + 1, std::max(so_far, cycle));
      }
      used_[u] = false;
    }
  }

  const tpn::Document& problem_;
  Model model_;
  std::size_t longest_;
  std::vector<bool> used_;
  std::optional<Rational> least_;
};

// The proposals of all that map a varied problem under the model, STRICT unless it is said, which predict exact
// periods.
std::vector<Proposal> exact_proposals(const tpn::Document& problem, const std::optional<Model>& model = {}) {
  std::vector<Proposal> proposals;
  for (const std::string_view name : kIntervalHeuristics) {
    INFO(name);
    const Solution solution = solve_checked(name, problem, under(model));
    if (name == "homogeneous-dp" && std::holds_alternative<Infeasible>(solution.result)) continue;
    const Proposal& proposal = proposals.emplace_back(proposal_of(solution));
    REQUIRE(proposal.predicted_period == exact_period(problem, proposal.mapping, model.value_or(Model::kStrict)));
    REQUIRE_FALSE(proposal.cut_short);
  }
  return proposals;
}

TEST_CASE("predictions are exact STRICT periods, on problems with all there is", "[interval]") {
  std::size_t proposals = 0;
  for (std::uint64_t seed = 0; seed < support::draws(1000); ++seed) {
    INFO("seed " << seed);
    proposals += exact_proposals(varied_problem(seed)).size();
  }
  REQUIRE(proposals > support::draws(6000));
}

TEST_CASE("exhaustive predicts exact STRICT periods that no interval heuristic betters") {
  for (std::uint64_t seed = 0; seed < support::draws(1000); ++seed) {
    const tpn::Document problem = varied_problem(seed);
    INFO("seed " << seed);
    const Proposal best = proposal_of(solve_checked("exhaustive", problem));
    REQUIRE(best.predicted_period == exact_period(problem, best.mapping, Model::kStrict));
    for (const std::string_view name : {"spl", "bsc"}) {
      const Proposal other = proposal_of(heuristics::solve(*heuristics::find_heuristic(name), problem));
      REQUIRE(best.predicted_period <= other.predicted_period);
    }
  }
}

TEST_CASE("with another model predictions are exact periods of this, whatever the room", "[interval]") {
  for (std::uint64_t seed = 2000; seed < 2000 + support::draws(300); ++seed) {
    INFO("seed " << seed);
    exact_proposals(varied_problem(seed), Model::kOverlap);
  }
  std::size_t above_overlap = 0;
  for (std::uint64_t seed = 2300; seed < 2300 + support::draws(150); ++seed) {
    INFO("seed " << seed);
    const tpn::Document problem = varied_problem(seed);
    for (const Proposal& proposal : exact_proposals(problem, tpn::bounded_model(1 + seed % 2)))
      if (proposal.predicted_period > exact_period(problem, proposal.mapping, Model::kOverlap)) ++above_overlap;
  }
  REQUIRE(above_overlap > support::draws(200));
}

TEST_CASE("a model that has more than cycle times is refused by what knows only these") {
  static const tpn::CommunicationModel kFurther{.name = "further",
                                                .title = "FURTHER",
                                                .resources = Model::kOverlap->resources,
                                                .further = [](tpn::DependenceList&, const Model&) {}};
  const tpn::Document problem = varied_problem(1);
  for (const std::string_view name : kIntervalHeuristics) {
    INFO(name);
    const Solution solution = heuristics::solve(*heuristics::find_heuristic(name), problem, under(Model(kFurther)));
    REQUIRE(std::get<Infeasible>(solution.result).reason ==
            "it predicts by cycle times, and periods of the model further follow from more");
  }
  const Solution divided =
      heuristics::solve(*heuristics::find_heuristic("hedpm"), problem, under(tpn::bounded_model(1)));
  REQUIRE(std::get<Infeasible>(divided.result).reason ==
          "it predicts for the model overlap or strict, not for bounded");
}

TEST_CASE("on platforms with gaps no mapping needs a link that is absent, and predictions are exact", "[interval]") {
  std::size_t found = 0;
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < support::draws(500); ++seed) {
    const tpn::Document problem = varied_problem(seed, Reach::gaps);
    const tpn::ProblemView view(problem);
    const heuristics::IntervalCosts costs(view, Model::kStrict);
    const bool one_for_all = heuristics::whole_chain(costs).has_value();
    for (const std::string_view name : kIntervalHeuristics) {
      INFO(name << ", seed " << seed);
      const Solution solution = solve_checked(name, problem);
      if (const auto* proposal = std::get_if<Proposal>(&solution.result)) {
        REQUIRE(proposal->predicted_period == exact_period(problem, proposal->mapping, Model::kStrict));
        ++found;
      } else {
        REQUIRE(std::holds_alternative<Infeasible>(solution.result));
        REQUIRE_THAT(reason_of(solution), !Catch::Contains("the mapping it chose"));
        if (name == "spl" || name == "bsl" || name == "bsc") REQUIRE_FALSE(one_for_all);
        ++refused;
      }
    }
  }
  REQUIRE(found > support::draws(500));
  REQUIRE(refused > support::draws(500));
}

TEST_CASE("ranks order exact cycle times, as integers over one denominator or as fractions") {
  std::size_t impossible = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    tpn::Document problem = varied_problem(seed, seed % 2 == 0 ? Reach::complete : Reach::gaps);
    // Beyond 64 bits.
    if (seed % 5 == 0) problem.application.stages.front().work = Rational::fraction(1, maxplus::Integer(1) << 70);
    const tpn::ProblemView view(problem);
    // Models with rooms are not ranked by integers.
    const heuristics::IntervalCosts costs(view, seed % 3 == 0   ? Model::kOverlap
                                                : seed % 3 == 1 ? Model::kStrict
                                                                : tpn::bounded_model(2));
    const auto intervals = heuristics::all_intervals(costs.stages());
    const auto times =
        std::get<heuristics::RankedCycleTimes>(heuristics::RankedCycleTimes::build(costs, intervals, {}));
    INFO("seed " << seed);
    for (std::uint32_t rank = 1; rank < times.count(); ++rank) REQUIRE(times.period(rank - 1) < times.period(rank));
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      for (std::size_t u = 0; u < costs.processors(); ++u) {
        const auto time = costs.cycle_time(intervals[i], u);
        const std::uint32_t rank = times.rank(i, u);
        REQUIRE((rank == heuristics::RankedCycleTimes::kImpossible) == !time.has_value());
        if (time) REQUIRE(times.period(rank) == *time);
        if (time) REQUIRE(times.rank_of(*time) == rank);
        impossible += time ? 0 : 1;
      }
    }
  }
  REQUIRE(impossible > 100);
}

TEST_CASE("bs121 is optimal one-to-one where links are equal", "[interval]") {
  for (std::uint64_t seed = 0; seed < 400; seed += support::step()) {
    INFO("seed " << seed);
    const std::size_t stages = 1 + seed % 5;
    const tpn::Document problem = random_problem({.stages = stages,
                                                  .processors = stages + seed / 5 % 3,
                                                  .links = seed % 7 == 0 ? Links::free : Links::equal,
                                                  .ends = seed % 2 == 0},
                                                 seed);
    for (const Model model : {Model::kStrict, Model::kOverlap}) {
      const Solution solution = solve_checked("bs121", problem, under(model));
      REQUIRE(proposal_of(solution).mapping.size() == stages);
      REQUIRE(proposal_of(solution).predicted_period == BruteForce(problem, model, 1).least());
    }
  }
}

TEST_CASE("homogeneous-dp is optimal among interval mappings on homogeneous platforms", "[interval]") {
  std::set<std::size_t> parts;
  for (std::uint64_t seed = 0; seed < 300; seed += support::step()) {
    INFO("seed " << seed);
    const tpn::Document problem = random_problem({.stages = 1 + seed % 6,
                                                  .processors = 1 + seed / 6 % 4,
                                                  .speeds = Speeds::equal,
                                                  .links = seed % 7 == 0 ? Links::free : Links::equal,
                                                  .ends = seed % 2 == 0},
                                                 seed);
    for (const Model model : {Model::kStrict, Model::kOverlap}) {
      const Solution solution = solve_checked("homogeneous-dp", problem, under(model));
      REQUIRE(proposal_of(solution).predicted_period == BruteForce(problem, model, 6).least());
      parts.insert(proposal_of(solution).mapping.size());
    }
  }
  REQUIRE(parts == std::set<std::size_t>{1, 2, 3, 4});
}

TEST_CASE("spl, bsl and bsc lie between the best interval mapping and all stages on one processor", "[interval]") {
  std::size_t optimal = 0;
  std::size_t below_one = 0;
  for (std::uint64_t seed = 0; seed < 300; seed += support::step()) {
    const tpn::Document problem =
        random_problem({.stages = 1 + seed % 5, .processors = 1 + seed / 5 % 4, .ends = seed % 2 == 0}, seed);
    const std::size_t stages = problem.application.stages.size();
    const auto best = BruteForce(problem, Model::kStrict, stages).least();
    std::optional<Rational> one;
    for (std::size_t u = 0; u < problem.platform.processors.size(); ++u) {
      const Rational period = exact_period(problem, {{0, stages - 1, {u}}}, Model::kStrict);
      if (!one || period < *one) one = period;
    }
    for (const std::string_view name : kIntervalHeuristics) {
      INFO(name << ", seed " << seed);
      const Solution solution = solve_checked(name, problem);
      if (std::holds_alternative<Infeasible>(solution.result)) continue;
      const Rational& period = proposal_of(solution).predicted_period;
      REQUIRE(period >= *best);
      if (name != "spl" && name != "bsl" && name != "bsc") continue;
      REQUIRE(period <= *one);
      optimal += period == *best ? 1 : 0;
      below_one += period < *one ? 1 : 0;
    }
  }
  REQUIRE(optimal > support::draws(400));
  REQUIRE(below_one > support::draws(250));
}

}  // namespace
}  // namespace takt::testing

// What every heuristic of the registry promises, on random problems of several kinds.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "heuristics/registry.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/seeds.hpp"
#include "tools/files/model_choice.hpp"
#include "tpn/models.hpp"

namespace takt::testing {
namespace {

using heuristics::Heuristic;
using heuristics::MappingClass;
using heuristics::Proposal;
using heuristics::Settings;
using heuristics::Solution;
using maxplus::Rational;
using tpn::Model;

// What a prediction is, as docs/heuristics.md says.
enum class Prediction {
  exact,           // the exact period under the solution's model
  free_overlap,    // the exact OVERLAP period where communication is free, never above it
  free_any_model,  // the exact period under any model where communication is free, never above it
  loads,           // the largest cycle time under OVERLAP, so never above the exact period
  computations,    // the largest one of a computation, so never above the exact period of any model
  own_model        // on either side of every exact period
};

const std::map<std::string_view, Prediction> kPredictions = {{"bs121", Prediction::exact},
                                                             {"spl", Prediction::exact},
                                                             {"bsl", Prediction::exact},
                                                             {"bsc", Prediction::exact},
                                                             {"random", Prediction::exact},
                                                             {"greedy", Prediction::exact},
                                                             {"exhaustive", Prediction::exact},
                                                             {"interval-optimal", Prediction::exact},
                                                             {"homogeneous-dp", Prediction::exact},
                                                             {"hedpm", Prediction::own_model},
                                                             {"dpm", Prediction::own_model},
                                                             {"calibrate", Prediction::free_any_model},
                                                             {"pdm", Prediction::free_overlap},
                                                             {"homogeneous-dp-divided", Prediction::free_overlap},
                                                             {"chain-dp", Prediction::free_overlap},
                                                             {"chain-approx", Prediction::free_overlap},
                                                             {"random-sampling", Prediction::free_overlap},
                                                             {"hill-climbing", Prediction::free_overlap},
                                                             {"simulated-annealing", Prediction::free_overlap},
                                                             {"clique-optimal", Prediction::free_overlap},
                                                             {"greedy-cpu", Prediction::loads},
                                                             {"coarse-grained", Prediction::computations},
                                                             {"typed-dp", Prediction::exact},
                                                             {"polish", Prediction::exact}};

// Those that are made for some problems only, and refuse others even where every link exists.
const std::set<std::string_view> kParticular = {"interval-optimal", "homogeneous-dp", "homogeneous-dp-divided", "pdm"};

struct Case {
  Shape shape;
  std::uint64_t seed = 1;
  bool gaps = false;  // some links are absent
  tpn::Document problem;
};

// Every combination of speeds, links and ends, and some of the links gone in every fifth.
Case random_case(std::uint64_t seed) {
  constexpr std::array kLinks = {Links::free, Links::equal, Links::unequal};
  Case made;
  made.seed = seed;
  made.shape = {.stages = 1 + seed * 7 % 6,
                .processors = 1 + seed * 5 % 6,
                .speeds = seed % 2 == 0 ? Speeds::equal : Speeds::unequal,
                .links = kLinks[seed / 2 % 3],
                .ends = seed / 6 % 2 == 0,
                .all_replicable = seed / 12 % 2 == 0};
  made.problem = random_problem(made.shape, seed);
  made.gaps = made.shape.links == Links::unequal && seed % 5 == 0;
  if (made.gaps) {
    made.problem.platform.defaults = {};
    std::erase_if(made.problem.platform.links, [](const tpn::Link& link) { return (link.from + link.to) % 3 == 0; });
    made.problem.application.input.reset();
    made.problem.platform.source.reset();
    made.problem.platform.sink.reset();
  }
  return made;
}

bool is_one_to_one(const tpn::Mapping& mapping) {
  return std::ranges::all_of(mapping, [](const tpn::Part& part) { return part.first_stage == part.last_stage; });
}

// No processor is in two parts.
bool is_of_disjoint_parts(const tpn::Mapping& mapping) {
  std::set<std::size_t> seen;
  for (const tpn::Part& part : mapping) {
    for (const std::size_t processor : std::set(part.processors.begin(), part.processors.end())) {
      if (!seen.insert(processor).second) return false;
    }
  }
  return true;
}

// No processor has two turns of one part.
bool takes_turns_once(const tpn::Mapping& mapping) {
  return std::ranges::all_of(mapping, [](const tpn::Part& part) {
    return std::set(part.processors.begin(), part.processors.end()).size() == part.processors.size();
  });
}

bool is_replicated(const tpn::Mapping& mapping) {
  return std::ranges::any_of(mapping, [](const tpn::Part& part) { return part.processors.size() > 1; });
}

// The narrowest class that the mapping is of.
MappingClass class_of(const tpn::Mapping& mapping) {
  if (!takes_turns_once(mapping)) return MappingClass::divided;
  if (!is_of_disjoint_parts(mapping)) return MappingClass::general;
  if (is_replicated(mapping)) return MappingClass::replicated;
  return is_one_to_one(mapping) ? MappingClass::one_to_one : MappingClass::interval;
}

// The widest class that the heuristic may answer with: bs121 groups stages where processors are too few.
MappingClass promised_class(const Heuristic& heuristic, const Shape& shape) {
  const bool must_group = heuristic.mapping_class == MappingClass::one_to_one && shape.stages > shape.processors;
  return must_group ? MappingClass::interval : heuristic.mapping_class;
}

// The largest cycle time of the problem's mapping under OVERLAP, of all resources or of computations alone.
Rational largest_cycle_time(const tpn::Document& problem, const tpn::Mapping& mapping, bool of_computations) {
  tpn::Document mapped = problem;
  mapped.mapping = mapping;
  Rational largest;
  for (const tpn::Resource& resource : support::net_of(mapped, Model::kOverlap).resources) {
    if (!of_computations || resource.kind == tpn::ConstraintKind::compute) {
      largest = std::max(largest, resource.cycle_time);
    }
  }
  return largest;
}

void check_prediction(const Heuristic& heuristic, const Case& at, const Solution& solution) {
  const Proposal& proposal = proposal_of(solution);
  const auto exact = [&](Model model) { return exact_period(at.problem, proposal.mapping, model); };
  const auto check_free = [&](Model model) {
    if (at.shape.links == Links::free) CHECK(proposal.predicted_period == exact(model));
    CHECK(proposal.predicted_period <= exact(model));
  };
  switch (kPredictions.at(heuristic.name)) {
    case Prediction::exact:
      CHECK(proposal.predicted_period == exact(solution.model));
      break;
    case Prediction::free_any_model:
      check_free(Model::kStrict);
      check_free(Model::kOverlap);
      break;
    case Prediction::free_overlap:
      check_free(Model::kOverlap);
      break;
    case Prediction::loads:
      CHECK(proposal.predicted_period == largest_cycle_time(at.problem, proposal.mapping, false));
      CHECK(proposal.predicted_period <= exact(Model::kOverlap));
      break;
    case Prediction::computations:
      CHECK(proposal.predicted_period == largest_cycle_time(at.problem, proposal.mapping, true));
      CHECK(proposal.predicted_period <= exact(Model::kOverlap));
      CHECK(proposal.predicted_period <= exact(Model::kStrict));
      break;
    case Prediction::own_model:
      CHECK(proposal.predicted_period > 0);
      break;
  }
}

void check_refusal(const Heuristic& heuristic, const Case& at, const Solution& solution) {
  const std::string& reason = std::get<heuristics::Infeasible>(solution.result).reason;
  CHECK(reason.size() > 10);
  CHECK(reason.back() != '.');
  CHECK((at.gaps || kParticular.contains(heuristic.name)));
}

// Under its own model, or under several where it may be told which.
std::vector<std::optional<Model>> models_of(const Heuristic& heuristic) {
  if (heuristic.model_use == heuristics::ModelUse::none) return {std::nullopt};
  return {Model::kOverlap, Model::kStrict, tpn::bounded_model(1)};
}

void check_promises(const Heuristic& heuristic, const Case& at, const Settings& settings) {
  const Solution solution = solve_checked(heuristic.name, at.problem, settings);
  CHECK(solution.model == settings.model.value_or(heuristic.model));
  if (!std::holds_alternative<Proposal>(solution.result)) return check_refusal(heuristic, at, solution);
  const Proposal& proposal = std::get<Proposal>(solution.result);
  CHECK_FALSE(proposal.cut_short);
  CHECK(class_of(proposal.mapping) <= promised_class(heuristic, at.shape));
  check_prediction(heuristic, at, solution);
}

// Enough to move away from the starts.
std::vector<heuristics::OptionSetting> few_moves() { return {{"moves", Rational(300)}}; }

// Every heuristic under each of its models.
template <typename Check>
void for_each_run(const Case& at, const Check& check) {
  for (const Heuristic& heuristic : heuristics::heuristics()) {
    for (const std::optional<Model> model : models_of(heuristic)) {
      INFO(heuristic.name << ", seed " << at.seed << ", " << at.shape.stages << " stages, " << at.shape.processors
                          << " processors, " << (model ? tpn::label_of(*model) : "its own model"));
      Settings settings = under(model);
      settings.seed = at.seed;
      if (heuristic.name == "polish") settings.options = few_moves();
      check(heuristic, settings);
    }
  }
}

TEST_CASE("every heuristic keeps its class and its word on random problems, twice alike, or says why not") {
  for (std::uint64_t seed = 1; seed <= support::draws(60); ++seed) {
    const Case at = random_case(seed);
    for_each_run(at, [&](const auto& heuristic, const auto& settings) { check_promises(heuristic, at, settings); });
  }
}

// Stages with times of their own on all processors, on some in place of work over speed.
Case case_with_stage_times(std::uint64_t seed) {
  Case made = random_case(seed);
  made.shape.speeds = Speeds::none;
  made.shape.all_replicable = seed % 2 == 0;
  made.gaps = false;
  made.problem = random_problem(made.shape, seed);
  return made;
}

TEST_CASE("every heuristic keeps its word where stages have times of their own, or says that it needs works") {
  std::set<std::string_view> proposing;
  for (std::uint64_t seed = 1; seed <= support::draws(80); ++seed) {
    const Case at = case_with_stage_times(seed);
    for_each_run(at, [&](const Heuristic& heuristic, const Settings& settings) {
      const auto solution = heuristics::solve(heuristic, at.problem, settings);
      if (kPredictions.at(heuristic.name) == Prediction::free_overlap) {
        CHECK_THAT(reason_of(solution), Catch::EndsWith("dividing work needs works and speeds"));
        return;
      }
      check_promises(heuristic, at, settings);
      if (std::holds_alternative<Proposal>(solution.result)) proposing.insert(heuristic.name);
    });
  }
  // homogeneous-dp if there is one processor alone.
  CHECK(proposing.size() == 16);
}

TEST_CASE("every heuristic has a kind of prediction to be held to") {
  for (const Heuristic& heuristic : heuristics::heuristics()) {
    INFO(heuristic.name);
    CHECK(kPredictions.contains(heuristic.name));
  }
  CHECK(kPredictions.size() == heuristics::heuristics().size());
}

TEST_CASE("each heuristic finds a mapping of its own class, not only of a narrower one") {
  std::map<std::string_view, MappingClass> widest;
  for (std::uint64_t seed = 1; seed <= support::draws(600); ++seed) {
    const Case at = random_case(seed);
    for (const Heuristic& heuristic : heuristics::heuristics()) {
      Settings settings;
      if (heuristic.name == "exhaustive") settings = of_class("replicated", heuristic.model);
      if (heuristic.name == "polish") settings.options = few_moves();
      const auto solution = heuristics::solve(heuristic, at.problem, settings);
      const auto* proposal = std::get_if<Proposal>(&solution.result);
      if (proposal == nullptr) continue;
      MappingClass& found = widest.emplace(heuristic.name, MappingClass::one_to_one).first->second;
      // greedy-cpu gives a processor a second stage once all have one.
      const bool counts = at.shape.stages <= at.shape.processors || heuristic.mapping_class == MappingClass::general;
      if (counts) found = std::max(found, class_of(proposal->mapping));
    }
  }
  for (const Heuristic& heuristic : heuristics::heuristics()) {
    INFO(heuristic.name);
    CHECK(widest.at(heuristic.name) == heuristic.mapping_class);
  }
}

}  // namespace
}  // namespace takt::testing

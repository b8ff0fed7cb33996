// random: an interval mapping drawn at random. A baseline.
//
// Problem. An interval mapping, one processor per interval; nothing is made small.
//
// Method. Benoit and Robert compare with random mappings in their extended version; the paper at hand does not define
// them, so this definition is ours. The number of parts m is uniform in 1, ..., min(n, p); then the m - 1 cuts are
// uniform among the sets of m - 1 of the n - 1 places, and the processors uniform among the sequences of m different
// ones. Of a workflow first the order of the stages: each next one is uniform among those that may be it. A mapping
// that needs a link which the platform lacks is drawn again, at most kDraws times.
//
// Invariant. With all links, every interval mapping may come up; those of few parts are the likelier ones, each.
//
// Cost. O(n + p) a draw.
//
// References. [benoit2007mapping], section 5, mentions it.
#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <numeric>

#include <fmt/format.h>

#include "heuristics/common/mapping_words.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/interval/costs.hpp"
#include "heuristics/ordered_problem.hpp"
#include "tpn/links.hpp"

namespace takt::heuristics {

namespace {

constexpr int kDraws = 1000;

using Engine = boost::random::mt19937_64;

std::uint64_t draw(std::uint64_t low, std::uint64_t high, Engine& engine) {
  return boost::random::uniform_int_distribution<std::uint64_t>(low, high)(engine);
}

// `count` different ones of low, ..., high - 1, every sequence equally likely.
std::vector<std::size_t> draw_different(std::size_t count, std::size_t low, std::size_t high, Engine& engine) {
  std::vector<std::size_t> pool(high - low);
  std::iota(pool.begin(), pool.end(), low);
  for (std::size_t i = 0; i < count; ++i) std::swap(pool[i], pool[draw(i, pool.size() - 1, engine)]);
  pool.resize(count);
  return pool;
}

tpn::Mapping draw_mapping(const IntervalCosts& costs, Engine& engine) {
  const std::size_t parts = draw(1, std::min(costs.stages(), costs.processors()), engine);
  auto ends = draw_different(parts - 1, 1, costs.stages(), engine);
  std::ranges::sort(ends);
  ends.push_back(costs.stages());
  const auto processors = draw_different(parts, 0, costs.processors(), engine);
  tpn::Mapping mapping;
  for (std::size_t i = 0; i < parts; ++i) {
    mapping.push_back(part_of({i == 0 ? 0 : ends[i - 1], ends[i] - 1}, processors[i]));
  }
  return mapping;
}

// Of a workflow: each next stage uniform among those that may be it.
std::optional<tpn::StageOrder> draw_order(const tpn::Application& application, Engine& engine) {
  if (!tpn::may_be_reordered(application)) return std::nullopt;
  return tpn::drawn_order(application, tpn::own_order(application),
                          [&](std::size_t count) { return draw(0, count - 1, engine); });
}

Result map_by_random(const tpn::ProblemView& asked, const Settings& settings, Log& log) {
  Engine engine(settings.seed);
  const auto order = draw_order(asked.document().application, engine);
  const OrderedProblem ordered(asked, order);
  const tpn::ProblemView& problem = ordered.view();
  const IntervalCosts costs(problem, *settings.model);
  for (int i = 1; i <= kDraws; ++i) {
    const tpn::Mapping mapping = draw_mapping(costs, engine);
    if (problem.can_run(mapping) && !tpn::missing_link(problem, mapping)) {
      const Rational period = costs.period(mapping);
      log.tables.push_back(
          {"The mapping drawn",
           {"draw", "parts", "period"},
           {{std::to_string(i), std::to_string(mapping.size()), time_in_words(problem.document(), period)}}});
      return Proposal{.mapping = mapping, .predicted_period = period, .order = order};
    }
    if (evaluators::has_passed(settings.deadline)) return out_of_time();
  }
  const char* const lacks = problem.absent_times() == nullptr ? "" : " and each stage on a processor that runs it";
  return Infeasible{fmt::format("none of the {} mappings drawn has all the links that it needs{}", kDraws, lacks)};
}

}  // namespace

Heuristic random() {
  return {.name = "random",
          .summary = "an interval mapping drawn at random",
          .mapping_class = MappingClass::interval,
          .model = tpn::Model::kStrict,
          .model_use = ModelUse::cycle_times,
          .takes = {.workflows = true, .shared_resources = true, .several_ends = true, .segments = true},
          .communication = "none counts in the mapping, one-port in the prediction",
          .optimality = "none, a baseline",
          .cost = "O(n + p)",
          .source = "takt; benoit2007mapping, section 5, mentions one",
          .map = map_by_random};
}

}  // namespace takt::heuristics

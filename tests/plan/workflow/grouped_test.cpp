// Machines for parts of workflows against brute force: all partitions, all types, and cycle times that a net says.
#include "plan/workflow/grouped.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "evaluators/bounds.hpp"
#include "plan/bounds.hpp"
#include "tests/plan/rich_catalogues.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/ends.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"
#include "tpn/validate.hpp"
#include "tpn/workflow.hpp"

namespace takt::plan {

namespace {

using Partition = std::vector<std::size_t>;  // by stage, its block

// All of them, blocks numbered by their first stage.
std::vector<Partition> partitions_of(std::size_t stages) {
  std::vector<Partition> result{{}};
  for (std::size_t k = 0; k < stages; ++k) {
    std::vector<Partition> longer;
    for (const Partition& partition : result) {
      const std::size_t blocks = partition.empty() ? 0 : *std::ranges::max_element(partition) + 1;
      for (std::size_t block = 0; block <= blocks; ++block) {
        longer.push_back(partition);
        longer.back().push_back(block);
      }
    }
    result = std::move(longer);
  }
  return result;
}

// Whether blocks wait for each other in a circle: by who reaches whom.
bool has_circle(const tpn::Application& application, const Partition& partition) {
  const std::size_t blocks = *std::ranges::max_element(partition) + 1;
  std::vector<std::vector<bool>> reaches(blocks, std::vector<bool>(blocks));
  for (std::size_t k = 0; k < partition.size(); ++k)
    for (const std::size_t before : tpn::stages_before(application, k))
      if (partition[before] != partition[k]) reaches[partition[before]][partition[k]] = true;
  for (std::size_t via = 0; via < blocks; ++via)
    for (std::size_t a = 0; a < blocks; ++a)
      for (std::size_t b = 0; b < blocks; ++b)
        if (reaches[a][via] && reaches[via][b]) reaches[a][b] = true;
  for (std::size_t a = 0; a < blocks; ++a)
    if (reaches[a][a]) return true;
  return false;
}

std::set<std::set<std::vector<std::size_t>>> accepted_partitions(const tpn::Application& application) {
  std::set<std::set<std::vector<std::size_t>>> result;
  for (const Partition& partition : partitions_of(application.stages.size())) {
    std::vector<std::vector<std::size_t>> blocks(*std::ranges::max_element(partition) + 1);
    for (std::size_t k = 0; k < partition.size(); ++k) blocks[partition[k]].push_back(k);
    const bool is_apart_broken = std::ranges::any_of(blocks, [&](const auto& block) {
      return std::ranges::any_of(block, [&](std::size_t k) { return application.stages[k].apart && k != block[0]; });
    });
    if (!is_apart_broken && !has_circle(application, partition)) result.insert({blocks.begin(), blocks.end()});
  }
  return result;
}

// Types, counts, links, memory and stages that stand alone, as of chains; who takes whose file at random. Without
// several ports, of which one may be busier than another.
tpn::Document random_catalogue(std::uint64_t seed, std::size_t most_stages = 4) {
  support::Draw draw(seed);
  tpn::Document problem;
  do {
    problem = rich_catalogue(
        {.most_stages = most_stages, .most_types = 3, .counts = draw.coin(), .unequal_links = draw.coin()},
        draw.index(1000000));
  } while (problem.application.stages.size() < most_stages);
  auto& stages = problem.application.stages;
  do {
    for (std::size_t k = 0; k < stages.size(); ++k) {
      stages[k].produces = 1;
      stages[k].after.emplace();
      for (std::size_t before = 0; before < k; ++before)
        if (draw.coin()) stages[k].after->push_back(before);
    }
  } while (tpn::is_chain(problem.application));
  for (tpn::ProcessorType& type : problem.platform.types) {
    if (draw.one_in(3)) type.cores = draw.count(2, 3);
    if (type.ports != tpn::kUnlimitedPorts) type.ports = tpn::kOnePort;
  }
  for (auto* end : {&problem.platform.source, &problem.platform.sink}) {
    if (!*end) continue;
    for (tpn::Endpoint& one : tpn::in_turn(**end))
      if (one.ports != tpn::kUnlimitedPorts) one.ports = tpn::kOnePort;
  }
  return problem;
}

tpn::FoldedNet net_of(const tpn::Document& problem, const GroupedQuery& query, const GroupedPlan& plan) {
  const tpn::Document mapped = mapped_document(problem, query.model, plan);
  tpn::validate(mapped);
  return std::get<tpn::FoldedNet>(tpn::fold(mapped, query.model));
}

// The least cost of all plans whose nets have no cycle time above the period.
class BruteForce {
 public:
  BruteForce(const tpn::Document& problem, const WorkflowTimes& times, const GroupedQuery& query)
      : problem_(problem), times_(times), query_(query) {}

  std::optional<Rational> least() {
    for (const auto& blocks : accepted_partitions(problem_.application)) {
      const auto groups = in_order(problem_.application, {blocks.begin(), blocks.end()});
      REQUIRE(groups);
      GroupedPlan plan{*groups, std::vector<GroupMachines>(groups->size()), {}, {}};
      try_types(plan, 0);
    }
    return least_;
  }

 private:
  void try_types(GroupedPlan& plan, std::size_t group) {
    if (group == plan.groups.size()) return try_numbers(plan);
    for (std::size_t t = 0; t < times_.types(); ++t) {
      if (!times_.computation(plan.groups[group], t)) continue;
      plan.machines[group] = {t, 1};
      try_types(plan, group + 1);
    }
  }

  // With one machine each, every machine's cycle time is what it takes of a data set.
  void try_numbers(const GroupedPlan& one) {
    if (!is_linked(one)) return;
    const tpn::FoldedNet net = net_of(problem_, query_, one);
    std::vector<Rational> busy(one.groups.size());
    for (const tpn::Resource& resource : net.resources) {
      const auto group = group_of(net.pipeline, resource);
      if (!group) {
        if (resource.cycle_time > query_.period) return;
        continue;
      }
      busy[*group] = std::max(busy[*group], resource.cycle_time);
    }
    Rational cost;
    std::vector<std::uint64_t> used(times_.types());
    for (std::size_t g = 0; g < busy.size(); ++g) {
      const std::uint64_t machines = std::max((busy[g] / query_.period).ceiling(), Integer(1)).get_ui();
      if (machines > 1 && !times_.is_replicable(one.groups[g])) return;
      cost += problem_.platform.types[one.machines[g].type].price * Rational(machines);
      used[one.machines[g].type] += machines;
    }
    for (std::size_t t = 0; t < used.size(); ++t) {
      const auto& count = problem_.platform.types[t].count;
      if (count && Rational(used[t]) > *count) return;
    }
    if (!least_ || cost < *least_) least_ = cost;
  }

  // That a processor, or a host, serves; nothing of the outside world.
  static std::optional<std::size_t> group_of(const tpn::Pipeline& pipeline, const tpn::Resource& resource) {
    const auto& owner = pipeline.ports.owner;
    for (const tpn::NetPart& part : pipeline.parts) {
      if (part.role != tpn::PartRole::mapped) continue;
      for (const std::size_t p : part.sequence)
        if (p == resource.processor || (!owner.empty() && owner[p] == resource.processor)) return part.mapping_part;
    }
    return std::nullopt;
  }

  // Whether all links are there: else the mapping is refused.
  bool is_linked(const GroupedPlan& plan) const {
    try {
      tpn::validate(mapped_document(problem_, query_.model, plan));
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  const tpn::Document& problem_;
  const WorkflowTimes& times_;
  const GroupedQuery& query_;
  std::optional<Rational> least_;
};

TEST_CASE("groupings are the partitions whose parts do not wait for each other in a circle") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const tpn::Document problem = random_catalogue(seed);
    std::set<std::set<std::vector<std::size_t>>> seen;
    CHECK(for_each_grouping(problem.application, [&](const StageGroups& groups) {
      CHECK(seen.insert({groups.begin(), groups.end()}).second);
      const tpn::StageOrder order = order_of(groups);
      std::vector<std::size_t> place(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
      for (std::size_t k = 0; k < order.size(); ++k)
        for (const std::size_t before : tpn::stages_before(problem.application, k)) CHECK(place[before] < place[k]);
      return true;
    }));
    CHECK(seen == accepted_partitions(problem.application));
  }
}

TEST_CASE("a visit that has seen enough ends the enumeration of groupings") {
  const tpn::Document problem = random_catalogue(1);
  int visits = 0;
  CHECK_FALSE(for_each_grouping(problem.application, [&](const StageGroups&) { return ++visits < 2; }));
  CHECK(visits == 2);
}

TEST_CASE("the cheapest machines of all parts are those of brute force, and have the cycle times of their net") {
  std::size_t found = 0;
  std::size_t none = 0;
  for (std::uint64_t seed = 0; seed < support::draws(100); ++seed) {
    const tpn::Document problem = random_catalogue(seed);
    const auto times = WorkflowTimes::read(problem, {});
    REQUIRE(times);
    support::Draw draw(seed + 1000);
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      GroupedQuery query{.model = model, .period = draw.fraction(30, 2), .all_apart = false, .deadline = {}};
      const auto expected = BruteForce(problem, *times, query).least();
      const Groupings groupings = groupings_of(*times, query);
      CHECK(groupings.are_all);
      std::optional<Rational> least;
      for (const Groupings::Entry& entry : groupings.entries) {
        const GroupedAnswer answer = cheapest_machines(*times, entry.groups, query);
        REQUIRE_FALSE(answer.cut_short);
        if (!answer.plan) continue;
        CHECK(entry.bound <= answer.plan->cost);
        CHECK(answer.lower_bound == answer.plan->cost);
        if (!least || answer.plan->cost < *least) {
          least = answer.plan->cost;
          const tpn::FoldedNet net = net_of(problem, query, *answer.plan);
          CHECK(evaluators::largest_cycle_time(net) == answer.plan->busiest);
          CHECK(answer.plan->busiest <= query.period);
          CHECK(cost_bound(times->catalogue(), model, query.period) <= answer.plan->cost);
        }
      }
      CAPTURE(seed, tpn::name_of(model), query.period.to_string());
      CAPTURE(least ? least->to_string() : "none", expected ? expected->to_string() : "none");
      CHECK(least == expected);
      ++(expected ? found : none);
    }
  }
  CHECK(found > support::draws(50));
  CHECK(none > 0);
}

TEST_CASE("parts of more stages than are enumerated are joined where that saves machines") {
  std::size_t saved = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const tpn::Document problem = random_catalogue(seed, 10);
    const auto times = WorkflowTimes::read(problem, {});
    GroupedQuery query{.model = tpn::Model::kOverlap, .period = 200, .all_apart = false, .deadline = {}};
    const Groupings joined = groupings_of(*times, query);
    CHECK_FALSE(joined.are_all);
    CHECK(std::ranges::is_sorted(joined.entries, {}, &Groupings::Entry::bound));
    query.all_apart = true;
    const Groupings apart = groupings_of(*times, query);
    CHECK(apart.are_all);
    if (apart.entries.empty()) continue;
    CHECK(apart.entries.front().groups == each_apart(problem.application));
    REQUIRE_FALSE(joined.entries.empty());
    CHECK(joined.entries.front().bound <= apart.entries.front().bound);
    if (joined.entries.front().bound < apart.entries.front().bound) ++saved;
  }
  CHECK(saved > 0);
}

TEST_CASE("a search that has no time says so") {
  const tpn::Document problem = random_catalogue(3, 12);
  const auto times = WorkflowTimes::read(problem, {});
  GroupedQuery query{.model = tpn::Model::kOverlap, .period = 40, .all_apart = false, .deadline = {}};
  query.deadline = maxplus::Deadline(maxplus::Deadline::Clock::now());
  CHECK(groupings_of(*times, query).cut_short);
}

}  // namespace

}  // namespace takt::plan

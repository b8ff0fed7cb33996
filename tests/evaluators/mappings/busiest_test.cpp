// Who is busiest: the resources that a folded net gives the largest cycle time, those of the earliest column.
#include "evaluators/mappings/busiest.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <tuple>
#include <variant>
#include <vector>

#include "evaluators/bounds.hpp"
#include "tests/support/random_nets.hpp"

namespace takt::evaluators {
namespace {

using support::Kind;

// Kind, number of the part in the net, processor.
using Named = std::set<std::tuple<tpn::ConstraintKind, std::size_t, std::size_t>>;

Named busiest_of(const tpn::FoldedNet& net) {
  const tpn::Resource& first = net.resources[busiest_resource(net)];
  Named found;
  for (const tpn::Resource& resource : net.resources) {
    if (resource.cycle_time != first.cycle_time || resource.first_column != first.first_column) continue;
    for (std::size_t i = 0; i < net.pipeline.parts.size(); ++i) {
      const auto& sequence = net.pipeline.parts[i].sequence;
      if (std::ranges::find(sequence, resource.processor) == sequence.end()) continue;
      found.emplace(resource.kind, i, resource.processor);
    }
  }
  return found;
}

TEST_CASE("the busiest resources of a table are those of the net") {
  BusiestResources finder;
  int several = 0;
  const support::DocumentDraws draws{
      60, 1, {Kind::plain, Kind::fractional, Kind::intervals, Kind::repeated, Kind::endpoints}};
  support::for_each_net(draws, tpn::default_models(), [&](const tpn::FoldedNet& net) {
    const auto table = table_of(net.pipeline);
    if (!table || largest_cycle_time(net) == maxplus::Rational(0)) return;
    Named found;
    for (const TableResource& resource : finder.find(*table, net.model)) {
      found.emplace(resource.kind, resource.place, net.pipeline.parts[resource.place].sequence[resource.entry]);
    }
    REQUIRE(found == busiest_of(net));
    several += found.size() > 1 ? 1 : 0;
  });
  CHECK(several > 5);
}

TEST_CASE("long sums do not wrap") {
  TimeTable table;
  const std::vector<std::size_t> lengths = {BusiestResources::kMostEntries, BusiestResources::kMostEntries - 1};
  table.begin(lengths);
  std::ranges::fill(table.transfers(0), BusiestResources::kMostTicks);
  std::ranges::fill(table.computations(1), BusiestResources::kMostTicks);
  table.computations(1)[3] -= 1;
  BusiestResources finder;
  const auto strict = finder.find(table, tpn::Model::kStrict);
  REQUIRE(strict.size() == lengths[1] - 1);
  REQUIRE(strict.front().place == 1);
  const auto overlap = finder.find(table, tpn::Model::kOverlap);
  REQUIRE(overlap.size() == lengths[1]);
  REQUIRE(overlap.front().kind == tpn::ConstraintKind::in_port);
}

}  // namespace
}  // namespace takt::evaluators

// The theorem of planners with cores: machine by machine, then the next core of each, nothing is above the largest
// cycle time; core after core of one machine something is.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <optional>

#include "plan/catalogue.hpp"
#include "plan/plan.hpp"
#include "plan/sequences.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/named_ends.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

namespace {

// A chain of parts, each of one stage on machines of a type of its own: cores, ports, transfers between two parts
// alike.
struct TypedChain {
  tpn::Document problem;
  TypedPlan plan;
};

TypedChain typed_chain(std::uint64_t seed) {
  support::Draw draw(seed);
  const auto ports = [&]() -> tpn::PortCount { return draw.one_in(4) ? tpn::kUnlimitedPorts : draw.count(1, 3); };
  const auto link = [&] {
    tpn::LinkTiming timing;
    timing.time = draw.whole(0, 12);
    return timing;
  };
  TypedChain chain;
  tpn::Platform& platform = chain.problem.platform;
  constexpr std::uint64_t kMostRows = 360;
  std::uint64_t rows = 1;
  const std::size_t parts = draw.count(1, 4);
  for (std::size_t i = 0; i < parts; ++i) {
    tpn::ProcessorType& type = platform.types.emplace_back();
    type.name = std::string(1, static_cast<char>('a' + i));
    type.cores = draw.count(1, 4);
    type.ports = ports();
    tpn::Stage& stage = chain.problem.application.stages.emplace_back();
    stage.name = "S" + std::to_string(i);
    stage.type_times.push_back({i, draw.whole(0, 40)});
    std::uint64_t machines = draw.count(1, 4);
    if (std::lcm(rows, machines * type.cores) > kMostRows) machines = 1;
    rows = std::lcm(rows, machines * type.cores);
    chain.plan.push_back({i, i, i, machines});
    if (i > 0) platform.type_links.push_back({i - 1, i, link()});
  }
  for (std::optional<tpn::Endpoint>* end : {&platform.source, &platform.sink}) {
    if (draw.one_in(4)) continue;
    end->emplace(tpn::Endpoint{link(), {}});
    (*end)->ports = ports();
    if (draw.one_in(3)) **end = support::alike_ends(**end, end == &platform.source ? "cam" : "disk", draw.count(1, 3));
  }
  return chain;
}

Rational largest_cycle_time(const tpn::FoldedNet& net) {
  Rational largest;
  for (const tpn::Resource& resource : net.resources) largest = std::max(largest, resource.cycle_time);
  return largest;
}

}  // namespace

TEST_CASE("dealt machine by machine chains of parts of one type have their largest cycle time, core after core not") {
  const std::uint64_t seeds = support::draws(1500);
  for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
    std::uint64_t late = 0;
    std::uint64_t several = 0;
    Rational worst = 1;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      CAPTURE(tpn::label_of(model), seed);
      const TypedChain chain = typed_chain(seed);
      const Catalogue catalogue = catalogue_of(chain.problem);
      tpn::Document instance = mapped_document(chain.problem, catalogue, model, chain.plan);
      const tpn::FoldedNet net = support::net_of(instance, model);
      const Rational bound = largest_cycle_time(net);
      REQUIRE(support::period_of(net) == bound);
      REQUIRE(PlanFacts(catalogue, model, chain.plan).period() == bound);
      const tpn::Mapping dealt = *instance.mapping;
      for (tpn::Part& part : *instance.mapping) std::ranges::sort(part.processors);
      if (*instance.mapping == dealt) continue;
      ++several;
      const Rational bunched = support::period_of(support::net_of(instance, model));
      if (bound < bunched) {
        ++late;
        worst = std::max(worst, bunched / bound);
      }
    }
    UNSCOPED_INFO(tpn::label_of(model) << ": " << late << " of " << several << " are late core after core, up to "
                                       << worst.to_double().value_or(0) << " times");
    CHECK(late > 0);
    CHECK(several > seeds / 4);
  }
}

}  // namespace takt::plan

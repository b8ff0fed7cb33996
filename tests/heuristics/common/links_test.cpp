// Missing links held to a walk over every data set, and the search for absent works and sizes.
#include "heuristics/common/links.hpp"

#include <catch2/catch.hpp>

#include <string>

#include "tests/heuristics/problems.hpp"
#include "tpn/errors.hpp"

namespace takt::testing {
namespace {

using heuristics::LinkTable;
using maxplus::Rational;

// A third of the links are absent, and the ends are linked with all processors but the last and the first.
tpn::Document sparse_problem(std::uint64_t seed) {
  tpn::Document problem =
      random_problem({.stages = 3, .processors = 5, .links = Links::unequal, .ends = seed % 2 == 0}, seed);
  problem.platform.defaults = {};
  std::erase_if(problem.platform.links, [&](const tpn::Link& link) { return (link.from + link.to + seed) % 3 == 0; });
  for (auto* end : {&problem.platform.source, &problem.platform.sink}) {
    if (!*end) continue;
    (*end)->timing = {};
    (*end)->links.clear();
  }
  for (std::size_t p = 0; p < 4 && problem.platform.source; ++p)
    problem.platform.source->links.push_back({p, {.bandwidth = Rational(7), .latency = {}, .time = {}}});
  for (std::size_t p = 1; p < 5 && problem.platform.sink; ++p)
    problem.platform.sink->links.push_back({p, {.bandwidth = {}, .latency = {}, .time = Rational(2)}});
  return problem;
}

bool is_held(const tpn::Document& problem, const tpn::Mapping& mapping) {
  const tpn::Timing timing(problem);
  for (std::size_t data_set = 0; data_set < 132; ++data_set) {
    const auto processor = [&](const tpn::Part& part) { return part.processors[data_set % part.processors.size()]; };
    if (problem.platform.source && !timing.source_link(processor(mapping.front()))) return false;
    if (problem.platform.sink && !timing.sink_link(processor(mapping.back()))) return false;
    for (std::size_t i = 0; i + 1 < mapping.size(); ++i) {
      const std::size_t from = processor(mapping[i]);
      const std::size_t to = processor(mapping[i + 1]);
      if (from != to && !timing.link(from, to)) return false;
    }
  }
  return true;
}

TEST_CASE("a link is missing if and only if some data set needs it, and both ways to ask agree") {
  int held = 0;
  int not_held = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const tpn::Document problem = sparse_problem(seed);
    const tpn::Timing timing(problem);
    const LinkTable table(problem, timing);
    for (std::size_t pick = 0; pick < 600; ++pick) {
      tpn::Mapping mapping{{0, 0, {}}, {1, 1, {}}, {2, 2, {}}};
      std::size_t next = pick * 7 + seed;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t length = (1 + (pick >> (2 * i)) % 4) * (pick % 10 == 0 ? 11 : 1);
        for (std::size_t k = 0; k < length; ++k) mapping[i].processors.push_back((next = next * 5 + 3) / 8 % 5);
      }
      const auto missing = heuristics::missing_link(problem, timing, mapping);
      REQUIRE(missing.has_value() != is_held(problem, mapping));
      REQUIRE(table.hold(mapping) != missing.has_value());
      ++(missing ? not_held : held);
      if (!missing) continue;
      if (missing->from && missing->to) {
        REQUIRE_FALSE(timing.link(*missing->from, *missing->to));
      } else {
        REQUIRE_FALSE((missing->to ? timing.source_link(*missing->to) : timing.sink_link(*missing->from)).has_value());
      }
    }
  }
  REQUIRE(held > 300);
  REQUIRE(not_held > 300);
}

TEST_CASE("amounts are required where a speed or a bandwidth needs them, and only there") {
  const auto error_of = [](const tpn::Document& problem) -> std::string {
    try {
      heuristics::require_amounts(problem, tpn::Timing(problem));
    } catch (const tpn::InvalidInstance& error) {
      return error.what();
    }
    return "";
  };
  tpn::Document problem;
  problem.application.stages = {{"A", 1, 1}, {"B", 1, 1}, {"C", 1, {}}};
  problem.platform.processors = {{"P0", {}, 5}, {"P1", 2, {}}, {"P2", 3, {}}};
  problem.platform.defaults.bandwidth = 4;
  CHECK(error_of(problem).empty());

  problem.application.stages[1].work.reset();
  CHECK(error_of(problem) ==
        "/application/stages/1/work: found stage \"B\" without \"work\", expected its work, as "
        "\"P1\" computes it at a speed");
  problem.platform.processors = {{"P0", {}, 5}, {"P1", {}, 5}, {"P2", {}, 5}};
  CHECK(error_of(problem).empty());

  const std::string absent =
      "/application/stages/0/output: found stage \"A\" without \"output\", expected its size, as ";
  problem.application.stages[0].output.reset();
  CHECK(error_of(problem) == absent + "\"P0\" sends it to \"P1\" at a bandwidth");
  const auto fixed = [](std::size_t from, std::size_t to) { return tpn::Link{from, to, {{}, {}, Rational(1)}, false}; };
  problem.platform.links = {fixed(1, 2), fixed(0, 1)};
  CHECK(error_of(problem) == absent + "\"P0\" sends it to \"P2\" at a bandwidth");
  problem.platform.links.push_back(fixed(0, 2));
  CHECK(error_of(problem).empty());
  problem.platform.links[0].timing = {Rational(3), {}, {}};
  CHECK(error_of(problem) == absent + "\"P1\" sends it to \"P2\" at a bandwidth");
  problem.platform.links[0] = fixed(2, 1);

  problem.platform.sink = tpn::Endpoint{};
  CHECK(error_of(problem) ==
        "/application/stages/2/output: found stage \"C\" without \"output\", expected its size, "
        "as \"P0\" sends it to the sink at a bandwidth");
  problem.platform.sink->timing.time = 1;
  CHECK(error_of(problem).empty());
  problem.platform.source = tpn::Endpoint{};
  CHECK(error_of(problem) ==
        "/application/input: found no \"input\", expected its size, as the source sends it to "
        "\"P0\" at a bandwidth");
}

}  // namespace
}  // namespace takt::testing

// Missing links held to a walk over every data set.
#include "tpn/links.hpp"

#include <catch2/catch.hpp>

#include "tests/support/random_problems.hpp"
#include "tpn/ends.hpp"
#include "tpn/problem_view.hpp"

namespace takt::tpn {
namespace {

using support::Links;
using support::random_problem;

// A third of the links are absent, and the ends are linked with all processors but the last and the first.
Document sparse_problem(std::uint64_t seed) {
  Document problem =
      random_problem({.stages = 3, .processors = 5, .links = Links::unequal, .ends = seed % 2 == 0}, seed);
  problem.platform.defaults = {};
  std::erase_if(problem.platform.links, [&](const Link& link) { return (link.from + link.to + seed) % 3 == 0; });
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

// Of every end two more, linked with less and less.
Document with_more_ends(Document problem) {
  for (auto* end : {&problem.platform.source, &problem.platform.sink}) {
    if (!*end) continue;
    Endpoint all;
    for (std::size_t k = 0; k < 3; ++k) {
      all.named.push_back(**end);
      all.named.back().name = "end" + std::to_string(k);
      if (k > 0) all.named.back().links.erase(all.named.back().links.begin() + static_cast<std::ptrdiff_t>(k));
    }
    *end = all;
  }
  return problem;
}

bool is_held(const Document& problem, const Mapping& mapping) {
  const Timing timing(problem);
  for (std::size_t data_set = 0; data_set < 132; ++data_set) {
    const auto processor = [&](const Part& part) { return part.processors[data_set % part.processors.size()]; };
    const std::size_t sources = count_of(problem.platform.source);
    const std::size_t sinks = count_of(problem.platform.sink);
    if (sources > 0 && !timing.source_link(processor(mapping.front()), data_set % sources)) return false;
    if (sinks > 0 && !timing.sink_link(processor(mapping.back()), data_set % sinks)) return false;
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
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const Document problem = seed < 12 ? sparse_problem(seed) : with_more_ends(sparse_problem(seed));
    const ProblemView view(problem);
    const Timing& timing = view.timing();
    const LinkTable& table = view.links();
    for (std::size_t pick = 0; pick < 600; ++pick) {
      Mapping mapping{{0, 0, {}}, {1, 1, {}}, {2, 2, {}}};
      std::size_t next = pick * 7 + seed;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t length = (1 + (pick >> (2 * i)) % 4) * (pick % 10 == 0 ? 11 : 1);
        for (std::size_t k = 0; k < length; ++k) mapping[i].processors.push_back((next = next * 5 + 3) / 8 % 5);
      }
      const auto missing = missing_link(view, mapping);
      REQUIRE(missing.has_value() != is_held(problem, mapping));
      REQUIRE(table.hold(mapping) != missing.has_value());
      ++(missing ? not_held : held);
      if (!missing) continue;
      if (missing->from && missing->to) {
        REQUIRE_FALSE(timing.link(*missing->from, *missing->to));
      } else {
        REQUIRE_FALSE((missing->to ? timing.source_link(*missing->to, missing->which)
                                   : timing.sink_link(*missing->from, missing->which))
                          .has_value());
        REQUIRE((missing->from.has_value() || !table.from_sources(mapping.front().processors)));
        REQUIRE((missing->to.has_value() || !table.to_sinks(mapping.back().processors)));
      }
    }
  }
  REQUIRE(held > 400);
  REQUIRE(not_held > 300);
}

}  // namespace
}  // namespace takt::tpn

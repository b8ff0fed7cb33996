// Starts from the plain random problems and adds what they lack, each with a probability of its own.
#include "tests/heuristics/interval/problems.hpp"

#include "tests/heuristics/problems.hpp"
#include "tests/support/draw.hpp"
#include "tpn/validate.hpp"

namespace takt::testing {

using maxplus::Rational;
using support::Draw;

namespace {

void add_fixed_times(tpn::Document& problem, Draw& draw) {
  for (tpn::Processor& processor : problem.platform.processors) {
    if (!draw.one_in(2)) continue;
    processor.speed.reset();
    processor.time = draw.whole(0, 10);
  }
  for (tpn::Link& link : problem.platform.links) {
    if (draw.one_in(4)) link.timing = {.bandwidth = {}, .latency = {}, .time = draw.whole(0, 5)};
  }
}

void add_own_ends(tpn::Document& problem, Draw& draw) {
  for (auto* end : {&problem.platform.source, &problem.platform.sink}) {
    if (!*end) continue;
    (*end)->timing.bandwidth = draw.whole(1, 20);
    for (std::size_t u = 0; u < problem.platform.processors.size(); ++u) {
      if (draw.one_in(3)) (*end)->links.push_back({u, {.bandwidth = draw.whole(1, 20), .latency = {}, .time = {}}});
    }
  }
}

// No defaults: what is not listed is no link.
void leave_gaps(tpn::Document& problem, Draw& draw) {
  auto& platform = problem.platform;
  platform.defaults = {};
  platform.links.clear();
  const int density = draw.whole(0, 4);
  const auto some = [&] { return draw.whole(1, 4) <= density; };
  const std::size_t count = platform.processors.size();
  for (std::size_t u = 0; u < count; ++u) {
    for (std::size_t v = 0; v < count; ++v) {
      if (u == v || !some()) continue;
      platform.links.push_back({u, v, {.bandwidth = draw.whole(5, 15), .latency = {}, .time = {}}, true});
    }
    for (auto* end : {&platform.source, &platform.sink}) {
      if (!*end) continue;
      if (u == 0) (*end)->timing = {};
      if (u == 0) (*end)->links.clear();
      if (some()) (*end)->links.push_back({u, {.bandwidth = draw.whole(5, 15), .latency = {}, .time = {}}});
    }
  }
}

}  // namespace

tpn::Document varied_problem(std::uint64_t seed, Reach reach) {
  Draw draw(seed + 1'000'000);
  Shape shape;
  shape.stages = draw.count(1, 8);
  shape.processors = draw.count(1, 8);
  shape.speeds = draw.one_in(4) ? Speeds::equal : Speeds::unequal;
  shape.links = draw.one_in(8) ? Links::free : (draw.one_in(2) ? Links::equal : Links::unequal);
  shape.all_replicable = draw.one_in(2);
  tpn::Document problem = random_problem(shape, seed);
  if (draw.one_in(4)) problem.platform.source.reset();
  if (draw.one_in(4)) problem.platform.sink.reset();
  if (shape.links != Links::free && draw.one_in(2)) problem.platform.defaults.latency = Rational::fraction(1, 3);
  if (draw.one_in(4)) add_fixed_times(problem, draw);
  if (draw.one_in(4)) add_own_ends(problem, draw);
  if (reach == Reach::gaps) leave_gaps(problem, draw);
  tpn::validate(problem);
  return problem;
}

}  // namespace takt::testing

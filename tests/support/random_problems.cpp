// Problems are drawn with Boost.Random, whose numbers are the same everywhere.
#include "tests/support/random_problems.hpp"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <string>
#include <utility>

#include "tpn/validate.hpp"

namespace takt::support {

using maxplus::Rational;

namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  Rational whole(int low, int high) { return boost::random::uniform_int_distribution<int>(low, high)(engine_); }
  bool coin() { return boost::random::uniform_int_distribution<int>(0, 1)(engine_) == 1; }

 private:
  boost::random::mt19937_64 engine_;
};

// In place of the speeds of two processors in three, and of some works over the speeds of the others.
void add_stage_times(tpn::Document& problem, Draw& draw) {
  std::vector<tpn::Processor>& processors = problem.platform.processors;
  for (std::size_t p = 0; p < processors.size(); ++p) {
    if (p % 3 != 1) processors[p].speed.reset();
  }
  for (tpn::Stage& stage : problem.application.stages) {
    for (std::size_t p = 0; p < processors.size(); ++p) {
      if (processors[p].speed && draw.coin()) continue;
      const Rational time = draw.whole(1, 20);
      stage.times.push_back({p, draw.coin() ? time : time / Rational(4)});
    }
  }
}

}  // namespace

tpn::Document random_problem(const Shape& shape, std::uint64_t seed) {
  Draw draw(seed);
  tpn::Document problem;
  for (std::size_t k = 0; k < shape.stages; ++k) {
    tpn::Stage stage;
    stage.name = "S" + std::to_string(k);
    stage.work = draw.whole(1, 20);
    stage.output = draw.whole(1, 20);
    stage.replicable = shape.all_replicable || draw.coin();
    problem.application.stages.push_back(std::move(stage));
  }
  const Rational speed = draw.whole(1, 20);
  for (std::size_t u = 0; u < shape.processors; ++u) {
    problem.platform.processors.push_back({.name = "P" + std::to_string(u),
                                           .speed = shape.speeds == Speeds::equal ? speed : draw.whole(1, 20),
                                           .time = {}});
  }
  if (shape.speeds == Speeds::none) add_stage_times(problem, draw);
  if (shape.links == Links::free) {
    problem.platform.defaults.time = 0;
  } else {
    problem.platform.defaults.bandwidth = 10;
  }
  if (shape.links == Links::unequal) {
    for (std::size_t u = 0; u < shape.processors; ++u) {
      for (std::size_t v = u + 1; v < shape.processors; ++v) {
        tpn::Link link{u, v, {}, false};
        link.timing.bandwidth = draw.whole(5, 15);
        problem.platform.links.push_back(std::move(link));
      }
    }
  }
  if (shape.ends) {
    problem.application.input = draw.whole(1, 20);
    problem.platform.source.emplace();
    problem.platform.sink.emplace();
  }
  tpn::validate(problem);
  return problem;
}

tpn::Document skeleton_problem(int experiment, std::size_t stages, std::size_t processors, std::uint64_t seed) {
  Draw draw(seed);
  const auto size = [&]() -> Rational {
    if (experiment == 1) return 10;
    return draw.whole(1, experiment == 2 ? 100 : 20);
  };
  const auto work = [&]() -> Rational {
    if (experiment == 3) return draw.whole(10, 1000);
    return experiment == 4 ? draw.whole(1, 1000) / Rational(100) : draw.whole(1, 20);
  };
  tpn::Document problem;
  problem.application.input = size();
  for (std::size_t k = 0; k < stages; ++k) {
    tpn::Stage& stage = problem.application.stages.emplace_back();
    stage.name = "S" + std::to_string(k);
    stage.work = work();
    stage.output = size();
  }
  for (std::size_t u = 0; u < processors; ++u) {
    problem.platform.processors.push_back({.name = "P" + std::to_string(u), .speed = draw.whole(1, 20), .time = {}});
  }
  problem.platform.defaults.bandwidth = 10;
  problem.platform.source.emplace();
  problem.platform.sink.emplace();
  tpn::validate(problem);
  return problem;
}

tpn::Document free_problem(const std::vector<Rational>& works, const std::vector<std::size_t>& fixed,
                           const std::vector<Rational>& speeds) {
  tpn::Document problem;
  for (std::size_t k = 0; k < works.size(); ++k) {
    tpn::Stage stage;
    stage.name = "S" + std::to_string(k + 1);
    stage.work = works[k];
    stage.replicable = std::ranges::find(fixed, k) == fixed.end();
    problem.application.stages.push_back(std::move(stage));
  }
  for (std::size_t u = 0; u < speeds.size(); ++u) {
    problem.platform.processors.push_back({.name = "P" + std::to_string(u + 1), .speed = speeds[u], .time = {}});
  }
  problem.platform.defaults.time = 0;
  tpn::validate(problem);
  return problem;
}

}  // namespace takt::support

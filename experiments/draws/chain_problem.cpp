// Numbers in order, names by index.
#include "experiments/draws/chain_problem.hpp"

#include <string>
#include <utility>

namespace takt::experiments {

std::vector<Rational> draw_all(const Range& range, std::size_t count, Stream& stream) {
  std::vector<Rational> drawn;
  drawn.reserve(count);
  for (std::size_t i = 0; i < count; ++i) drawn.push_back(range.draw(stream));
  return drawn;
}

tpn::Document chain_problem(const std::vector<Rational>& works, const std::vector<Rational>& speeds) {
  tpn::Document problem;
  for (const Rational& work : works) {
    tpn::Stage stage;
    stage.name = "S" + std::to_string(problem.application.stages.size());
    stage.work = work;
    problem.application.stages.push_back(std::move(stage));
  }
  for (const Rational& speed : speeds) {
    const std::string name = "P" + std::to_string(problem.platform.processors.size());
    problem.platform.processors.push_back({.name = name, .speed = speed, .time = {}});
  }
  return problem;
}

void add_ends(tpn::Document& problem, std::string_view ends, const Rational& input) {
  if (ends == "both" || ends == "source") {
    problem.application.input = input;
    problem.platform.source.emplace();
  }
  if (ends == "both" || ends == "sink") problem.platform.sink.emplace();
}

}  // namespace takt::experiments

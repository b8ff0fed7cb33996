// The study of exact periods on draws of machines: periods and largest cycle times are those of the nets.
#include <catch2/catch.hpp>

#include <variant>

#include "evaluators/evaluate.hpp"
#include "experiments/descriptions/description.hpp"
#include "tests/experiments/drawn.hpp"
#include "tpn/folded_net.hpp"

namespace takt::experiments {

TEST_CASE("the study of exact periods takes draws of machines whose cores share ports") {
  const Description description = read_description(
      R"({"name": "n", "study": "evaluate", "models": ["overlap", "strict"], "measures": ["period", "max_cycle_time"],
          "generator": {"name": "replicated-mapping", "stages": 3, "processors": 5, "cores": "1..3", "ports": 2},
          "cells": [{"name": "c", "draws": 5}]})",
      "d.json");
  const ExperimentCell& cell = description.cells.front();
  const auto study = description.study->prepare(description, cell);
  for (std::uint64_t draw = 0; draw < 5; ++draw) {
    const DrawKey key = key_of(cell.arguments, 1, draw);
    DrawResult result(study->series().size());
    for (SeriesResult& series : result) series.values.resize(description.measures.size());
    study->run(key, {}, result);
    const tpn::Document document = cell.arguments.generator().draw(cell.arguments, key);
    for (std::size_t m = 0; m < description.models.size(); ++m) {
      CAPTURE(draw, m, result[m].failure);
      const auto net = std::get<tpn::FoldedNet>(tpn::fold(document, description.models[m]));
      const evaluators::Evaluation evaluation = evaluators::evaluate(net);
      CHECK(result[m].values[0] == evaluation.upper);
      Rational longest;
      for (const tpn::Resource& resource : net.resources) longest = std::max(longest, resource.cycle_time);
      CHECK(result[m].values[1] == longest);
    }
  }
}

}  // namespace takt::experiments

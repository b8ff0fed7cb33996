// The keys of a description that one study alone has: read by it, refused of others and where they hold something else.
#include <catch2/catch.hpp>
#include <string>

#include "experiments/descriptions/description.hpp"

namespace takt::experiments {

namespace {

std::string message(const std::string& study, const std::string& members) {
  const bool is_adaptive = study == "adaptive";
  const std::string generator = is_adaptive ? "loaded-cluster" : "replicated-mapping";
  const std::string text = R"({"name": "n", "study": ")" + study + R"(", "generator": ")" + generator +
                           R"(", "draws": 1, "grid": {"stages": [2]})" + members + "}";
  try {
    read_description(text, "d.json");
  } catch (const tpn::ParseError& error) {
    return error.what();
  }
  return "";
}

const std::string kRuns = R"(, "loads": [2], "thresholds": [0.5, "infinite"], "stream_lengths": [10])";

}  // namespace

TEST_CASE("a study reads the keys of its own") {
  CHECK(message("adaptive", kRuns).empty());
  CHECK(message("adaptive", kRuns + R"(, "buffered": true, "loaded_stage": 2)").empty());
  CHECK(message("searches", R"(, "heuristics": ["polish"], "checkpoints": [100, 1])").empty());
  CHECK(message("heuristics", R"(, "heuristics": ["bsc"], "data_sets": 5, "measures": ["completion"])").empty());
}

TEST_CASE("a study's own keys are refused where they are another's, or hold something else") {
  CHECK_THAT(message("searches", R"(, "heuristics": ["polish"], "checkpoints": [-1])"),
             Catch::EndsWith("/checkpoints/0: found the number -1, expected a whole number of at least 0"));
  CHECK_THAT(message("searches", R"(, "heuristics": ["polish"], "checkpoints": 5)"),
             Catch::EndsWith("/checkpoints: found the number 5, expected an array: numbers of iterations"));
  CHECK_THAT(message("adaptive", kRuns + R"(, "buffered": 1)"),
             Catch::EndsWith("/buffered: found the number 1, expected true or false"));
  CHECK_THAT(message("adaptive", kRuns + R"(, "loaded_stage": 3)"),
             Catch::EndsWith(
                 "the cell \"stages 2\" has no stage 3, which is to be loaded, expected a description with what its "
                 "study needs"));
  CHECK(message("heuristics", R"(, "heuristics": ["bsc"], "checkpoints": [1])")
            .find("/checkpoints: found the unknown key") != std::string::npos);
}

TEST_CASE("draws of processors that share ports are refused by studies that do not take them, before any is drawn") {
  for (const char* machines : {R"("cores": "1..2")", R"("ports": 2)"}) {
    const std::string cells = std::string(R"(, "cells": [{"name": "c", "stages": 2, )") + machines + "}]";
    CHECK_THAT(message("heuristics", R"(, "heuristics": ["bsc"])" + cells),
               Catch::EndsWith(
                   "/study: found the study heuristics: it takes only processors that share no resource, with one port "
                   "each, and the cell \"c\" draws others, expected a description with what its study needs"));
    CHECK(message("evaluate", cells).empty());
  }
}

TEST_CASE("lists of a description are lists") {
  CHECK_THAT(message("heuristics", R"(, "heuristics": "bsc")"),
             Catch::EndsWith("/heuristics: found the text \"bsc\", expected an array: heuristics"));
  CHECK_THAT(message("evaluate", R"(, "models": "strict")"),
             Catch::EndsWith("/models: found the text \"strict\", expected an array: models"));
  CHECK_THAT(message("evaluate", R"(, "paired": "stages")"),
             Catch::EndsWith("/paired: found the text \"stages\", expected an array: parameters"));
}

}  // namespace takt::experiments

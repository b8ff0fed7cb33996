// The default window of a run: by the net, by rounds, by memory, by data sets.
#include "tools/live/window_choice.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/window.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/tools/program.hpp"
#include "tpn/reader.hpp"

namespace takt::testing {
namespace {

using tools::WindowChoice;
using tools::WindowReason;

tools::EvaluatedInstance evaluated(const tpn::Document& document) {
  auto folded = tools::fold_instance("instance", document, tpn::Model::kOverlap);
  auto& instance = std::get<tools::EvaluatedInstance>(folded);
  instance.evaluation = evaluators::evaluate(instance.net);
  return std::move(instance);
}

WindowChoice chosen(const tpn::Document& document, std::uint64_t data_sets, bool has_real_stages) {
  return tools::choose_window(evaluated(document), document, data_sets, has_real_stages);
}

// Three parts on four processors, their files of this size.
tpn::Document sized(const std::string& size) {
  const auto stage = [&](const std::string& name, int work) {
    return R"({"name": ")" + name + R"(", "work": )" + std::to_string(work) + R"(, "output": ")" + size + R"("})";
  };
  return tpn::read_document(R"({"application": {"stages": [)" + stage("a", 10) + "," + stage("b", 20) + "," +
                                stage("c", 10) +
                                R"(]}, "platform": {"processors": [{"name": "p0", "speed": "1/ms"},
          {"name": "p1", "speed": "1/ms"}, {"name": "p2", "speed": "1/ms"}, {"name": "p3", "speed": "1/ms"}],
          "bandwidth": "1 TB/s"}, "mapping": [{"stages": ["a"], "processors": ["p0"]},
          {"stages": ["b"], "processors": ["p1", "p2"]}, {"stages": ["c"], "processors": ["p3"]}]})",
                            "sized");
}

TEST_CASE("made up stages have the least window that keeps the period, plus two; real ones eight rounds") {
  const tpn::Document document = sized("1 kB");
  const tools::EvaluatedInstance instance = evaluated(document);
  const auto least = evaluators::least_window(instance.net, instance.evaluation.upper, 400);
  REQUIRE(least.has_value());
  const WindowChoice made_up = chosen(document, 400, false);
  CHECK(made_up.window == *least + 2);
  CHECK(made_up.reason == WindowReason::least);
  CHECK(tools::reason_words(made_up) == " (the least that keeps the period, plus two)");
  const WindowChoice real = chosen(document, 400, true);
  CHECK(real.window == 32);
  CHECK(real.reason == WindowReason::rounds);
  CHECK(tools::reason_words(real) == " (8 for each of 4 processors)");
}

TEST_CASE("a window holds a gigabyte of files, and never less than the period needs") {
  const std::uint64_t least = chosen(sized("1 kB"), 400, false).window;
  const WindowChoice some = chosen(sized("50 MB"), 400, true);
  CHECK(some.window == 20);
  CHECK(some.reason == WindowReason::memory);
  CHECK(tools::reason_words(some) == " (files of up to 50 MB: 1 GB under way at most)");
  const WindowChoice few = chosen(sized("10 GB"), 400, true);
  CHECK(few.window == chosen(sized("10 GB"), 400, false).window);
  CHECK(few.window >= least);
  CHECK(few.reason == WindowReason::least);
}

TEST_CASE("a window is no longer than a run, and files without a unit have no size") {
  const WindowChoice all = chosen(sized("1 kB"), 12, true);
  CHECK(all.window == 12);
  CHECK(all.reason == WindowReason::all);
  CHECK(tools::reason_words(all) == " (all of them)");
  CHECK(chosen(sized("1 kB"), 32, true).reason == WindowReason::all);
  CHECK(chosen(sized("1 kB"), 33, true).reason == WindowReason::rounds);
  const tpn::Document bare = support::document_of("examples/example-a.json");
  CHECK(chosen(bare, 400, true).window == 56);
  // One of its processors serves two parts.
  CHECK(chosen(support::document_of("examples/several-parts.json"), 400, true).processors == 3);
}

}  // namespace
}  // namespace takt::testing

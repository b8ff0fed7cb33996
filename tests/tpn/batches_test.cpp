// Batches: how they are read, written and laid out, how long they take, and what is refused.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/tpn/files.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/capacity.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"
#include "tpn/parameters.hpp"
#include "tpn/reader.hpp"
#include "tpn/timing.hpp"
#include "tpn/writer.hpp"

namespace takt::tpn {
namespace {

const std::string kBatches = R"({
  "application": {
    "stages": [
      {"name": "a", "work": 6, "output": 4},
      {"name": "b", "time": {"Q": {"fixed": 12, "each": 2}, "R": 5}, "output": 2},
      {"name": "c", "work": 1}
    ]
  },
  "platform": {
    "processors": [{"name": "P", "speed": 2}, {"name": "Q", "speed": 1, "cores": 2}, {"name": "R", "speed": 1}],
    "bandwidth": 2
  },
  "mapping": [
    {"stages": ["a"], "processors": ["P"]},
    {"stages": ["b"], "processors": [{"processor": "Q", "batch": 3}, "R"]},
    {"stages": ["c"], "processors": ["R"]}
  ]
})";

TEST_CASE("batches are consecutive entries of a sequence, computed with the last of them") {
  const Document document = read_document(kBatches, "f");
  const Part& part = (*document.mapping)[1];
  CHECK(part.processors == std::vector<std::size_t>{1, 1, 1, 3, 2, 2, 2});  // Q.1, R, Q.2: host by host
  CHECK(part.batches == std::vector<Batch>{{0, 3}, {4, 3}});
  CHECK(read_document(write_document(document), "g") == document);
  const auto net = std::get<FoldedNet>(fold(document, Model::kOverlap));
  const Pipeline& pipeline = net.pipeline;
  CHECK(pipeline.rows == 7);
  CHECK(pipeline.parts[1].to_batch_end == std::vector<std::uint64_t>{2, 1, 0, 0, 2, 1, 0});
  // Columns: a 0, to b 1, b 2, to c 3, c 4. Two rounds more behind b.
  std::vector<std::uint64_t> shifts;
  for (const Column& column : pipeline.columns) shifts.push_back(column.shift);
  CHECK(shifts == std::vector<std::uint64_t>{0, 0, 0, 2, 2});
  std::vector<Rational> times;
  for (std::uint64_t j = 0; j < 7; ++j) times.push_back(pipeline.duration({j, ColumnIndex(2)}));
  CHECK(times == std::vector<Rational>{0, 0, 18, 5, 0, 0, 18});
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t j = 0; j < 7; ++j) sizes.push_back(pipeline.parts[1].computed_at(j));
  CHECK(sizes == std::vector<std::uint64_t>{0, 0, 3, 1, 0, 0, 3});
  CHECK(pipeline.parts[1].computed_with(8) == 9);
  CHECK(with_whole_batches(pipeline, 8, 20) == 10);
  CHECK(whole_batches_within(pipeline, 9) == 7);
  CHECK(whole_batches_within(pipeline, 2) == 0);
  CHECK(!with_whole_batches(pipeline, 8, 9));
  // From the last of a batch to the transfers of all of it: 2, 1 and 0 data sets back, in rounds 0, 1 and 2 later.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> flow;
  for (const Dependence& d : net.dependences)
    if (d.kind == ConstraintKind::flow && d.from == ColumnIndex(2)) flow.emplace_back(d.residue, d.height);
  std::ranges::sort(flow);
  CHECK(flow ==
        std::vector<std::pair<std::uint64_t, std::uint64_t>>{{2, 0}, {2, 1}, {2, 2}, {3, 2}, {6, 0}, {6, 1}, {6, 2}});
  for (const Resource& resource : net.resources) {
    if (name_of(resource, pipeline) == "Q.1 compute") CHECK(resource.cycle_time == Rational::fraction(18, 7));
  }
}

TEST_CASE("what a stage takes once and what for each data set are numbers of their own") {
  Document document = read_document(kBatches, "f");
  const Timing timing(document);
  CHECK(timing.computation(1, 1, 1) == Rational(14));
  CHECK(timing.computation(1, 1, 1, 3) == Rational(18));
  CHECK(timing.computation(1, 1, 3, 3) == Rational(15));
  CHECK(timing.computation(0, 0, 0, 3) == Rational(9));
  const std::vector<Parameter> parameters = parameters_of(document);
  const auto named = [&](const std::string& name) { return *std::ranges::find(parameters, name, &Parameter::name); };
  CHECK(named("b on Q for each").pointer == "/application/stages/1/time/Q/each");
  CHECK(named("b on Q fixed").value == Rational(12));
  for (Rational* number : numbers_at(document, named("b on Q fixed"))) *number = 1;
  CHECK(Timing(document).computation(1, 1, 2, 3) == Rational(7));
}

TEST_CASE("what is wrong about batches is told by place, what was found and what was expected") {
  const std::vector<testing::WrongChange> wrong = {
      {{R"("batch": 3)", R"("batch": 0)"}, ""},
      {{R"("batch": 3)", R"("batch": 1001)"},
       R"(f:15:66: /mapping/1/processors/0/batch: found the number 1001, expected a whole number from 1 to 1000)"},
      {{R"({"processor": "Q", )", R"({)"},
       R"(f:15:38: /mapping/1/processors/0: found a turn without "processor", expected the key "processor")"},
      {{R"({"processor": "Q", )", R"({"processor": "S", )"},
       R"(f:15:52: /mapping/1/processors/0/processor: found the unknown processor "S", expected the name of a processor of the platform)"},
      {{R"("each": 2)", R"("per": 2)"},
       R"(f:5:49: /application/stages/1/time/Q/per: found the unknown key "per", expected "fixed", "each", "mean", "law", "cv", "spread", "phases", "exponent" or "samples" in the time of a stage)"},
      {{R"({"fixed": 12, "each": 2})", R"({"fixed": 12})"},
       R"(f:5:35: /application/stages/1/time/Q: found the time of a stage without "each", expected the key "each")"},
      {{R"("fixed": 12)", R"("fixed": -1)"}, ""},
      {{R"("output": 2})", R"("output": 2, "produces": 2})"},
       R"(f:15:37: /mapping/1/processors: found a batch of 3, though stage "b" consumes 1 and produces 2, expected batches only where each stage takes and makes one file per firing)"},
  };
  testing::check_messages(kBatches, wrong);
}

TEST_CASE("room and windows that hold no batch are refused with the least that do") {
  const Document document = read_document(kBatches, "f");
  const auto message = [&](const Model& model) {
    return testing::message_of([&] { std::get<FoldedNet>(fold(document, model)); });
  };
  CHECK(message(bounded_model(2)) ==
        "/mapping/1/processors: found a batch of 3, with room for 2 files before it on \"Q.1\", expected room for 3 "
        "files, or a smaller batch");
  CHECK(message(bounded_model(3)) == "accepted");
  const auto with_window = [&](std::uint64_t window) {
    auto net = std::get<FoldedNet>(fold(document, Model::kOverlap));
    return testing::message_of([&] { with_capacity(std::move(net), {.buffers = {}, .window = window}); });
  };
  CHECK(
      with_window(2) ==
      "/mapping: found a window of 2 data sets, though 3 have to be under way before a batch is delivered, expected a "
      "window of 3 or more");
  CHECK(with_window(3) == "accepted");
  CHECK(why_refused({.shared_resources = true, .ahead = true}, document) ==
        "it takes only mappings without \"batch\": found a batch of 3 on \"Q.1\"");
}

}  // namespace
}  // namespace takt::tpn

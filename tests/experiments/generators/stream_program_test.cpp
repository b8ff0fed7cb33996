// stream-program: the graphs of the benchmarks, whose filters take what others send them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "tests/experiments/drawn.hpp"
#include "tests/experiments/workflow_graphs.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"
#include "tpn/validate.hpp"

namespace takt::experiments {

namespace {

tpn::Document program(const char* benchmark, std::uint64_t draw = 0) {
  return drawn(arguments_of("stream-program", {{"benchmark", benchmark}}), draw);
}

// The graph's sizes. `longest` is the number of stages on a longest way.
struct Sizes {
  std::size_t stages;
  std::size_t edges;
  std::size_t entries;
  std::size_t exits;
  std::size_t longest;
  std::size_t stateful;

  friend bool operator==(const Sizes&, const Sizes&) = default;
};

Sizes sizes_of(const tpn::Application& application) {
  const Degrees degrees = degrees_of(application);
  std::vector<std::size_t> depth(application.stages.size(), 1);
  const auto edges = edges_of(application);
  for (std::size_t k = 0; k < depth.size(); ++k) {
    for (const std::size_t before : tpn::stages_before(application, k))
      depth[k] = std::max(depth[k], depth[before] + 1);
  }
  const auto count = [](const std::vector<std::size_t>& numbers) {
    return static_cast<std::size_t>(std::ranges::count(numbers, 0U));
  };
  return {depth.size(),
          edges.size(),
          count(degrees.in),
          count(degrees.out),
          *std::ranges::max_element(depth),
          static_cast<std::size_t>(std::ranges::count(application.stages, false, &tpn::Stage::replicable))};
}

// Items that come to a stage per data set.
Rational taken_by(const tpn::Application& application, std::size_t stage) {
  Rational items;
  for (const std::size_t before : tpn::stages_before(application, stage)) items += *application.stages[before].output;
  return items;
}

// By the part of the name before the first dot, the numbers of the first stage, all alike but where nobody takes the
// file: work, items in, items out.
std::map<std::string, std::vector<Rational>> numbers_of(const tpn::Application& application) {
  std::map<std::string, std::vector<Rational>> numbers;
  for (std::size_t k = 0; k < application.stages.size(); ++k) {
    const tpn::Stage& stage = application.stages[k];
    std::vector<Rational> own = {*stage.work, taken_by(application, k), stage.output.value_or(Rational(-1))};
    const auto [known, is_new] = numbers.emplace(stage.name.substr(0, stage.name.find('.')), own);
    INFO(stage.name);
    if (!stage.output) own.back() = known->second.back();
    REQUIRE(known->second == own);
  }
  return numbers;
}

}  // namespace

TEST_CASE("the graphs of the benchmarks have the filters of their programs") {
  // Twelve channels of three filters, a joiner, four beams of three.
  CHECK(sizes_of(program("beamformer").application) == Sizes{49, 12 * 2 + 12 + 4 + 4 * 2, 12, 4, 7, 12 * 3 + 4});
  // A source, ten steps of eight, nine joiners between them.
  CHECK(sizes_of(program("bitonic-sort").application) == Sizes{90, 8 + 9 * 16, 1, 8, 20, 0});
  // A low pass, two filters of the pitch, sixteen bands of three.
  CHECK(sizes_of(program("channel-vocoder").application) == Sizes{51, 2 + 16 * 3, 1, 17, 4, 0});
  CHECK(sizes_of(program("dct").application) == Sizes{34, 16 * 3, 1, 16, 4, 0});
  // Each round has eight filters and a key of 5 + its number, and takes seven of a longest way; the first waits for its
  // key.
  CHECK(sizes_of(program("des").application) == Sizes{64, 71, 5, 1, 32, 0});
  CHECK(sizes_of(program("fft").application) == Sizes{15, 14, 1, 1, 15, 0});
  CHECK(tpn::is_chain(program("fft").application));
  CHECK(sizes_of(program("filterbank").application) == Sizes{65, 8 * 9, 8, 1, 8, 0});
  CHECK(sizes_of(program("fm-radio").application) == Sizes{28, 2 + 6 * 6, 1, 1, 7, 1});
}

TEST_CASE("filters take per data set what is sent to them, and work on each item") {
  const auto fm = numbers_of(program("fm-radio").application);
  CHECK(fm.at("LowPass") == std::vector<Rational>{5 + 1 + 128, 5, 1});
  CHECK(fm.at("Subtracter") == std::vector<Rational>{2 + 1 + 1, 2, 1});
  CHECK(fm.at("Sum") == std::vector<Rational>{6 + 1 + 6, 6, -1});
  const auto sort = numbers_of(program("bitonic-sort").application);
  CHECK(sort.at("CompareExchange")[1] == Rational(2));
  CHECK(sort.at("Join") == std::vector<Rational>{32, 16, 2});
  const auto bank = numbers_of(program("filterbank").application);
  CHECK(bank.at("Compressor") == std::vector<Rational>{9, 8, 1});
  CHECK(bank.at("StopAdder") == std::vector<Rational>{8 * (2 + 1 + 2), 16, 8});
  CHECK(bank.at("Adder") == std::vector<Rational>{8 * (8 + 1 + 8), 64, -1});
  const auto beams = numbers_of(program("beamformer").application);
  CHECK(beams.at("FineFilter") == std::vector<Rational>{4 + 2 + 256, 4, 2});
  CHECK(beams.at("Join") == std::vector<Rational>{48, 24, 24});
  CHECK(beams.at("BeamForm") == std::vector<Rational>{24 + 2 + 48, 24, 2});
  const auto vocoder = numbers_of(program("channel-vocoder").application);
  CHECK(vocoder.at("CorrPeak") == std::vector<Rational>{50 + 1 + 5050, 50, -1});
  const auto transform = numbers_of(program("dct").application);
  CHECK(transform.at("RowDCT")[1] == Rational(16));
  CHECK(transform.at("Join") == std::vector<Rational>{512, 256, 16});
  // Of DES all items that come to a stage are those that it pops: all but those that write its key take some.
  const tpn::Application des = program("des").application;
  const std::map<std::string, int> pops = {
      {"IntoBits", 2},  {"PC1", 64},    {"Rotate", 56},  {"PC2", 56},        {"Expand", 32},
      {"KeyXor", 96},   {"Sboxes", 48}, {"Permute", 32}, {"Identity", 32},   {"Xor", 64},
      {"NextLeft", 64}, {"Join", 64},   {"Split", 64},   {"CrissCross", 64}, {"FinalPermutation", 64}};
  std::size_t checked = 0;
  for (std::size_t k = 0; k < des.stages.size(); ++k) {
    const auto known = pops.find(des.stages[k].name.substr(0, des.stages[k].name.find('.')));
    if (known == pops.end()) continue;
    INFO(des.stages[k].name);
    CHECK(taken_by(des, k) == Rational(known->second));
    ++checked;
  }
  CHECK(checked == des.stages.size() - 5);
}

TEST_CASE("each benchmark is valid, its filters with a state stand on one processor, and it has a period") {
  for (const std::string_view benchmark : find_generator("stream-program")->parameters.front().choices) {
    for (const char* links : {"equal", "ports", "pairs"}) {
      const Arguments arguments = arguments_of(
          "stream-program", {{"benchmark", std::string(benchmark)}, {"links", links}, {"replicas", "1..2"}});
      CAPTURE(benchmark, links);
      REQUIRE_FALSE(find_generator("stream-program")->objection(arguments));
      const tpn::Document document = drawn(arguments, 1);
      REQUIRE_NOTHROW(tpn::validate(document));
      REQUIRE(document == drawn(arguments, 1));
      for (const tpn::Part& part : *document.mapping)
        REQUIRE((document.application.stages[part.first_stage].replicable || part.processors.size() == 1));
      for (const tpn::Model& model : tpn::default_models()) {
        const auto net = std::get<tpn::FoldedNet>(tpn::fold(document, model));
        const evaluators::Evaluation evaluation = evaluators::evaluate(net);
        REQUIRE(evaluation.exact());
        REQUIRE(evaluation.lower >= evaluators::largest_cycle_time(net));
      }
    }
  }
}

}  // namespace takt::experiments

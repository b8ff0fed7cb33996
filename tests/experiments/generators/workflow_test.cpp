// workflow: each shape is one, what is drawn beside it, and forests whose period is their largest cycle time.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "tests/experiments/drawn.hpp"
#include "tests/experiments/workflow_graphs.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::experiments {

namespace {

constexpr const char* kShapes[] = {"chain", "fork-join", "in-tree", "out-tree", "layered", "series-parallel"};

// Shapes of several sizes, widths and degrees.
template <typename Check>
void for_each_graph(const char* shape, const Check& check) {
  for (const std::size_t stages : {3U, 4U, 7U, 10U, 23U, 40U}) {
    for (const std::size_t width : {2U, 3U, 5U}) {
      const Arguments arguments = arguments_of("workflow", {{"shape", shape},
                                                            {"stages", std::to_string(stages)},
                                                            {"width", std::to_string(width)},
                                                            {"degree", std::to_string(width)},
                                                            {"replicas", "1"}});
      for (std::uint64_t draw = 0; draw < 25; ++draw) {
        CAPTURE(shape, stages, width, draw);
        const tpn::Document document = drawn(arguments, draw);
        REQUIRE(document.application.stages.size() == stages);
        check(document.application, width);
      }
    }
  }
}

tpn::FoldedNet net_of(const tpn::Document& document, const tpn::Model& model) {
  return std::get<tpn::FoldedNet>(tpn::fold(document, model));
}

std::uint64_t rows_of(const tpn::Document& document) {
  std::uint64_t rows = 1;
  for (const tpn::Part& part : *document.mapping) rows = std::lcm(rows, part.processors.size());
  return rows;
}

// Of that many draws, how many have a period above the largest cycle time.
std::size_t without_critical_resource(const Said& said, const tpn::Model& model, std::uint64_t draws) {
  const Arguments arguments = arguments_of("workflow", said);
  std::size_t count = 0;
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    const tpn::FoldedNet net = net_of(drawn(arguments, draw), model);
    const evaluators::Evaluation evaluation = evaluators::evaluate(net);
    REQUIRE(evaluation.exact());
    REQUIRE(evaluation.lower >= evaluators::largest_cycle_time(net));
    if (evaluation.lower > evaluators::largest_cycle_time(net)) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("a chain is one") {
  for_each_graph("chain", [](const tpn::Application& application, std::size_t) {
    REQUIRE(tpn::is_chain(application));
    for (const tpn::Stage& stage : application.stages) REQUIRE_FALSE(stage.after);
  });
}

TEST_CASE("a fork-join has branches between its first and its last stage, as many as there is room for") {
  std::set<std::size_t> lengths;
  for_each_graph("fork-join", [&](const tpn::Application& application, std::size_t width) {
    const std::size_t last = application.stages.size() - 1;
    const Degrees degrees = degrees_of(application);
    REQUIRE(degrees.in.front() == 0);
    REQUIRE(degrees.out.back() == 0);
    const std::size_t branches = std::min(width, application.stages.size() - 2);
    REQUIRE(degrees.out.front() == branches);
    REQUIRE(degrees.in.back() == branches);
    for (std::size_t k = 1; k < last; ++k) {
      REQUIRE(degrees.in[k] == 1);
      REQUIRE(degrees.out[k] == 1);
    }
    lengths.insert(tpn::stages_before(application, last).front());
  });
  CHECK(lengths.size() > 10);
}

TEST_CASE(
    "an out-tree has one way to each stage, no file that more than so many take; an in-tree is one turned round") {
  std::set<std::size_t> most_out;
  for_each_graph("out-tree", [&](const tpn::Application& application, std::size_t degree) {
    const Degrees degrees = degrees_of(application);
    REQUIRE(degrees.in.front() == 0);
    for (std::size_t k = 1; k < degrees.in.size(); ++k) REQUIRE(degrees.in[k] == 1);
    const std::size_t most = *std::ranges::max_element(degrees.out);
    REQUIRE(most <= degree);
    most_out.insert(most);
  });
  CHECK(most_out == std::set<std::size_t>{1, 2, 3, 4, 5});
  for_each_graph("in-tree", [](const tpn::Application& application, std::size_t degree) {
    const Degrees degrees = degrees_of(application);
    REQUIRE(degrees.out.back() == 0);
    for (std::size_t k = 0; k + 1 < degrees.out.size(); ++k) REQUIRE(degrees.out[k] == 1);
    REQUIRE(*std::ranges::max_element(degrees.in) <= degree);
  });
  const Said size = {{"stages", "12"}};
  Said turned = size;
  turned.emplace_back("shape", "in-tree");
  Said tree = size;
  tree.emplace_back("shape", "out-tree");
  const tpn::Document in = drawn(arguments_of("workflow", turned), 3, {"shape"});
  const tpn::Document out = drawn(arguments_of("workflow", tree), 3, {"shape"});
  std::set<std::pair<std::size_t, std::size_t>> edges;
  for (const auto& [from, to] : edges_of(out.application)) edges.emplace(11 - to, 11 - from);
  CHECK(edges_of(in.application) == edges);
}

TEST_CASE("layers take from the layer before alone; data sets come in at the first and go out at the last") {
  std::set<std::size_t> taken;
  for_each_graph("layered", [&](const tpn::Application& application, std::size_t width) {
    const std::size_t stages = application.stages.size();
    for (const auto& [from, to] : edges_of(application)) REQUIRE(from / width + 1 == to / width);
    const Degrees degrees = degrees_of(application);
    for (std::size_t k = 0; k < stages; ++k) {
      REQUIRE((degrees.in[k] == 0) == (k < width));
      REQUIRE((degrees.out[k] == 0) == (k / width == (stages - 1) / width));
      taken.insert(degrees.in[k]);
    }
  });
  CHECK(taken == std::set<std::size_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("a series-parallel graph is reduced to an edge; a bridge, and a layered graph, are not") {
  std::size_t forks = 0;
  for_each_graph("series-parallel", [&](const tpn::Application& application, std::size_t width) {
    const std::size_t last = application.stages.size() - 1;
    REQUIRE(is_series_parallel(edges_of(application), 0, last));
    const Degrees degrees = degrees_of(application);
    REQUIRE(*std::ranges::max_element(degrees.out) <= width);
    REQUIRE(*std::ranges::max_element(degrees.in) <= width);
    REQUIRE(std::ranges::count(degrees.in, 0U) == 1);
    REQUIRE(std::ranges::count(degrees.out, 0U) == 1);
    forks += static_cast<std::size_t>(std::ranges::count_if(degrees.out, [](std::size_t out) { return out > 1; }));
  });
  CHECK(forks > 450);
  CHECK_FALSE(is_series_parallel({{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}, 0, 3));
  CHECK(is_series_parallel({{0, 1}, {0, 2}, {1, 3}, {2, 3}}, 0, 3));
}

TEST_CASE("shortcuts are so many edges more, each over a way that there is without") {
  for (const char* shape : kShapes) {
    for (std::uint64_t draw = 0; draw < 20; ++draw) {
      CAPTURE(shape, draw);
      const Said said = {{"shape", shape}, {"stages", "9"}};
      Said more = said;
      more.emplace_back("shortcuts", "4");
      const auto without = edges_of(drawn(arguments_of("workflow", said), draw, {"shortcuts"}).application);
      const auto with = edges_of(drawn(arguments_of("workflow", more), draw, {"shortcuts"}).application);
      REQUIRE(std::ranges::includes(with, without));
      std::vector<std::vector<bool>> leads(9, std::vector<bool>(9, false));
      for (const auto& [from, to] : without) leads[from][to] = true;
      for (std::size_t by = 0; by < 9; ++by) {
        for (std::size_t from = 0; from < 9; ++from) {
          for (std::size_t to = 0; to < 9; ++to)
            leads[from][to] = leads[from][to] || (leads[from][by] && leads[by][to]);
        }
      }
      std::size_t open = 0;
      for (std::size_t from = 0; from < 9; ++from) {
        for (std::size_t to = 0; to < 9; ++to) open += leads[from][to] && !without.contains({from, to}) ? 1 : 0;
      }
      REQUIRE(with.size() == without.size() + std::min<std::size_t>(4, open));
      for (const auto& [from, to] : with) REQUIRE(leads[from][to]);
    }
  }
}

TEST_CASE("a thousand stages are no trouble to any shape") {
  for (const char* shape : kShapes) {
    INFO(shape);
    const tpn::Document document =
        drawn(arguments_of("workflow", {{"shape", shape}, {"stages", "1000"}, {"shortcuts", "9"}, {"rows", "6"}}), 0);
    CHECK_NOTHROW(tpn::validate(document));
    CHECK(rows_of(document) <= 6);
  }
}

TEST_CASE("each document is valid, stays what it is when written, and has a period") {
  for (const char* shape : kShapes) {
    for (const char* links : {"equal", "ports", "pairs"}) {
      for (const char* ends : {"both", "source", "sink", "none"}) {
        const Arguments arguments = arguments_of("workflow", {{"shape", shape},
                                                              {"stages", "8"},
                                                              {"links", links},
                                                              {"ends", ends},
                                                              {"replicable", "half"},
                                                              {"sizes", "0..20"}});
        for (std::uint64_t draw = 0; draw < 4; ++draw) {
          CAPTURE(shape, links, ends, draw);
          const tpn::Document document = drawn(arguments, draw);
          REQUIRE_NOTHROW(tpn::validate(document));
          REQUIRE(tpn::read_document(tpn::write_document(document), "drawn") == document);
          REQUIRE(document == drawn(arguments, draw));
          REQUIRE_FALSE(document == drawn(arguments, draw + 1));
          REQUIRE(document.platform.source.has_value() ==
                  (ends == std::string("both") || ends == std::string("source")));
          for (std::size_t k = 0; k < 8; ++k) {
            const tpn::Part& part = (*document.mapping)[k];
            REQUIRE((part.first_stage == k && part.last_stage == k));
            REQUIRE(part.processors.size() <= (document.application.stages[k].replicable ? 3U : 1U));
          }
          for (const tpn::Model& model : tpn::default_models()) {
            const tpn::FoldedNet net = net_of(document, model);
            const evaluators::Evaluation evaluation = evaluators::evaluate(net);
            REQUIRE(evaluation.exact());
            REQUIRE(evaluation.lower >= evaluators::largest_cycle_time(net));
          }
        }
      }
    }
  }
}

TEST_CASE("forests of parts without ends, on equal links, have a critical resource under both models") {
  for (const tpn::Model& model : tpn::default_models()) {
    for (const char* shape : {"chain", "in-tree", "out-tree"}) {
      CAPTURE(shape, tpn::label_of(model));
      CHECK(without_critical_resource({{"shape", shape}, {"replicas", "1..4"}}, model, 100) == 0);
    }
    for (const char* shape : {"chain", "fork-join", "in-tree", "layered", "series-parallel"}) {
      CAPTURE(shape, tpn::label_of(model));
      CHECK(without_critical_resource({{"shape", shape}, {"replicas", "1..4"}, {"shortcuts", "2"}}, model, 100) > 5);
    }
  }
  // The theorem asks for equal transfers between two parts.
  CHECK(without_critical_resource({{"shape", "chain"}, {"replicas", "1..4"}, {"links", "pairs"}}, tpn::Model::kStrict,
                                  100) > 0);
}

TEST_CASE(
    "forks and joins that no file passes over cost something under STRICT, on equal links nothing under OVERLAP") {
  for (const char* shape : {"fork-join", "series-parallel"}) {
    INFO(shape);
    CHECK(without_critical_resource({{"shape", shape}, {"replicas", "1..4"}}, tpn::Model::kOverlap, 200) == 0);
    CHECK(without_critical_resource({{"shape", shape}, {"replicas", "1..4"}}, tpn::Model::kStrict, 100) > 5);
  }
}

TEST_CASE("replicas are uniform in their range, and keep to the rows") {
  std::vector<std::size_t> counts(6);
  std::set<std::uint64_t> rows;
  const Said said = {{"stages", "30"}, {"replicas", "2..5"}};
  Said limited = said;
  limited.emplace_back("rows", "12");
  for (std::uint64_t draw = 0; draw < 100; ++draw) {
    const tpn::Document free = drawn(arguments_of("workflow", said), draw);
    for (const tpn::Part& part : *free.mapping) ++counts[part.processors.size()];
    const std::uint64_t kept = rows_of(drawn(arguments_of("workflow", limited), draw));
    REQUIRE(kept <= 12);
    rows.insert(kept);
  }
  CHECK(counts[0] + counts[1] == 0);
  for (std::size_t i = 2; i <= 5; ++i) CHECK(counts[i] == Approx(750).margin(95));  // four deviations
  CHECK(rows == std::set<std::uint64_t>{10, 12});
}

TEST_CASE("a shape that is paired has the same works and the same processors as another") {
  const tpn::Document tree = drawn(arguments_of("workflow", {{"shape", "in-tree"}}), 5, {"shape"});
  const tpn::Document layers = drawn(arguments_of("workflow"), 5, {"shape"});
  CHECK(tree.platform == layers.platform);
  CHECK(tree.mapping == layers.mapping);
  for (std::size_t k = 0; k < 10; ++k) CHECK(tree.application.stages[k].work == layers.application.stages[k].work);
  CHECK_FALSE(tree.application == layers.application);
}

TEST_CASE("what no workflow is drawn of is refused with the reason") {
  const auto objection = [](const Said& said) {
    return find_generator("workflow")->objection(arguments_of("workflow", said));
  };
  CHECK(objection({{"shape", "fork-join"}, {"stages", "2"}}) == "a fork-join has at least three \"stages\"");
  CHECK(objection({{"replicas", "1..2 by 1/2"}}) == "a stage has a whole number of \"replicas\"");
  CHECK(objection({{"replicas", "4..5"}, {"rows", "3"}}) ==
        "every number of \"replicas\" makes more \"rows\" than that");
  CHECK(objection({{"stages", "1000"}, {"links", "pairs"}}) ==
        "at most 2000 processors have links by pairs: stages times the most \"replicas\" are more");
  CHECK_FALSE(objection({{"stages", "1000"}, {"links", "ports"}}));
  CHECK_FALSE(objection({{"replicas", "4..5"}, {"rows", "4"}}));
}

}  // namespace takt::experiments

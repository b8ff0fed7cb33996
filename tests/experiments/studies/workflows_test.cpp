// Studies on workflows and machines: measures are those of the nets, and who takes only chains says so before any is
// drawn.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "evaluators/insight/ahead.hpp"
#include "evaluators/insight/completion.hpp"
#include "experiments/descriptions/description.hpp"
#include "tests/experiments/drawn.hpp"
#include "tests/experiments/workflow_graphs.hpp"
#include "tpn/chain.hpp"
#include "tpn/errors.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"

namespace takt::experiments {

namespace {

using Catch::Contains;

// A study of a description with these members beside its name, made ready for its only cell.
class Asked {
 public:
  explicit Asked(const std::string& members)
      : description_(read_description(R"({"name": "n", "draws": 100, )" + members + "}", "d.json")),
        study_(description_.study->prepare(description_, description_.cells.front())) {}

  const Description& description() const { return description_; }
  DrawKey key(std::uint64_t draw) const { return key_of(description_, description_.cells.front(), draw); }
  tpn::Document document(std::uint64_t draw) const {
    return description_.generator->draw(description_.cells.front().arguments, key(draw));
  }
  DrawResult result(std::uint64_t draw) {
    DrawResult result(study_->series().size());
    for (SeriesResult& series : result) series.values.resize(description_.measures.size());
    study_->run(key(draw), {}, result);
    return result;
  }

 private:
  Description description_;
  std::unique_ptr<Study> study_;
};

std::string refused(const std::string& members) {
  try {
    Asked asked(members);
  } catch (const tpn::ParseError& error) {
    return error.what();
  }
  return "";
}

tpn::FoldedNet folded(tpn::Pipeline pipeline, const tpn::Model& model) {
  return std::get<tpn::FoldedNet>(tpn::fold(std::move(pipeline), model));
}
Rational period_of(const tpn::FoldedNet& net) {
  const evaluators::Evaluation evaluation = evaluators::evaluate(net);
  REQUIRE(evaluation.exact());
  return evaluation.lower;
}
Rational gap(const Rational& period, const Rational& longest) { return period / longest - Rational(1); }

// The periods of all orders of columns, by trying each that has the computations and transfers of a file in order.
class AllOrders {
 public:
  AllOrders(const tpn::Pipeline& pipeline, const tpn::Model& model)
      : pipeline_(pipeline), model_(model), stands_(pipeline.columns.size(), false) {
    extend();
  }

  const std::vector<Rational>& periods() const { return periods_; }

 private:
  bool may_stand(std::size_t column) const {
    const tpn::Column& next = pipeline_.columns[column];
    for (std::size_t other = 0; other < stands_.size(); ++other) {
      if (stands_[other] || other == column) continue;
      const tpn::Column& missing = pipeline_.columns[other];
      const bool is_file = missing.kind == tpn::ColumnKind::transfer;
      if (next.kind == tpn::ColumnKind::compute && is_file && missing.receiver == next.part) return false;
      if (next.kind == tpn::ColumnKind::transfer && !is_file && missing.part == next.part) return false;
    }
    return true;
  }

  void extend() {
    if (order_.size() == stands_.size()) {
      tpn::Pipeline changed = pipeline_;
      for (std::size_t i = 0; i < order_.size(); ++i) changed.columns[i] = pipeline_.columns[order_[i]];
      tpn::connect(changed);
      periods_.push_back(period_of(folded(std::move(changed), model_)));
      return;
    }
    for (std::size_t column = 0; column < stands_.size(); ++column) {
      if (stands_[column] || !may_stand(column)) continue;
      stands_[column] = true;
      order_.push_back(column);
      extend();
      order_.pop_back();
      stands_[column] = false;
    }
  }

  const tpn::Pipeline& pipeline_;
  const tpn::Model& model_;
  std::vector<bool> stands_;
  std::vector<std::size_t> order_;
  std::vector<Rational> periods_;
};

const std::string kLayered =
    R"("generator": {"name": "workflow", "links": "pairs", "stages": 7}, "cells": [{"name": "c"}])";

}  // namespace

TEST_CASE("the study of exact periods takes workflows, and machines whose cores share ports") {
  const std::string workflow =
      R"("generator": {"name": "workflow", "links": "pairs"}, "cells": [{"name": "c", "shape": )";
  const std::string machines = R"("cells": [{"name": "c"}], "generator": {"name": "replicated-mapping", "stages": 3,
                                  "processors": 5, "cores": "1..3", "ports": 2})";
  for (const std::string& drawn : {workflow + R"("layered"}])", workflow + R"("in-tree"}])", machines,
                                   workflow + R"("series-parallel"}])", workflow + R"("chain"}])"}) {
    Asked asked(R"("study": "evaluate", "measures": ["period", "max_cycle_time", "gap", "rows"], )" + drawn);
    for (std::uint64_t draw = 0; draw < 10; ++draw) {
      const DrawResult result = asked.result(draw);
      const tpn::Document document = asked.document(draw);
      std::uint64_t rows = 1;
      for (const tpn::Part& part : *document.mapping) rows = std::lcm(rows, part.processors.size());
      for (std::size_t m = 0; m < 2; ++m) {
        CAPTURE(drawn, draw, m);
        const auto net = std::get<tpn::FoldedNet>(tpn::fold(document, asked.description().models[m]));
        const Rational longest = evaluators::largest_cycle_time(net);
        CHECK(result[m].values[0] == period_of(net));
        CHECK(result[m].values[1] == longest);
        CHECK(result[m].values[2] == gap(period_of(net), longest));
        CHECK(result[m].values[3] == Rational(rows));
      }
    }
  }
}

TEST_CASE("gaps with transfers ahead are those of nets with what is advised, and none is above the gap without") {
  Asked asked(R"("study": "orders", "orders": 1, )" + kLayered +
              R"(, "measures": ["period", "max_cycle_time", "gap", "ahead_gap", "ahead", "room"])");
  std::vector<std::size_t> helped(2);
  for (std::uint64_t draw = 0; draw < 30; ++draw) {
    const DrawResult result = asked.result(draw);
    const auto pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(asked.document(draw)));
    for (std::size_t m = 0; m < 2; ++m) {
      CAPTURE(draw, m);
      const tpn::Model& model = asked.description().models[m];
      const tpn::FoldedNet net = folded(pipeline, model);
      const Rational longest = evaluators::largest_cycle_time(net);
      const auto& values = result[m].values;
      REQUIRE(values[0] == period_of(net));
      REQUIRE(values[1] == longest);
      REQUIRE(values[2] == gap(period_of(net), longest));
      const auto choice = evaluators::best_ahead(pipeline, model, period_of(net));
      if (!choice) {
        REQUIRE(values[3] == values[2]);
        REQUIRE(values[4] == Rational(0));
        REQUIRE(values[5] == Rational(0));
        continue;
      }
      ++helped[m];
      const tpn::FoldedNet ahead = folded(tpn::with_ahead(pipeline, choice->ahead), model);
      REQUIRE(values[3] == gap(period_of(ahead), longest));
      REQUIRE(*values[3] < *values[2]);
      REQUIRE(*values[4] > Rational(0));
      REQUIRE(*values[5] >= Rational(1));
    }
  }
  CHECK(helped[0] > 3);
  CHECK(helped[1] > 3);
}

TEST_CASE("the orders that are looked at are among all orders, none worse than the default") {
  Asked asked(R"("study": "orders", "orders": 40, "cells": [{"name": "c"}],
                 "generator": {"name": "workflow", "links": "pairs", "stages": 5, "width": 2, "degree": 2},
                 "measures": ["gap", "order_gap", "random_gap"])");
  std::size_t improved = 0;
  std::size_t best = 0;
  std::size_t changed = 0;
  std::size_t worse = 0;
  for (std::uint64_t draw = 0; draw < 25; ++draw) {
    const DrawResult result = asked.result(draw);
    const auto pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(asked.document(draw)));
    for (std::size_t m = 0; m < 2; ++m) {
      CAPTURE(draw, m);
      const tpn::Model& model = asked.description().models[m];
      const auto& values = result[m].values;
      REQUIRE((values[0] && values[1] && values[2]));
      REQUIRE(*values[1] <= *values[0]);
      // The default order is one of them.
      if (*values[1] == *values[0] && *values[2] == *values[0]) continue;
      const AllOrders all(pipeline, model);
      const Rational longest = evaluators::largest_cycle_time(folded(pipeline, model));
      for (const std::size_t i : {1U, 2U}) {
        REQUIRE(std::ranges::any_of(all.periods(),
                                    [&](const Rational& period) { return gap(period, longest) == *values[i]; }));
      }
      const Rational least = gap(*std::ranges::min_element(all.periods()), longest);
      REQUIRE(least <= *values[1]);
      if (*values[1] < *values[0]) ++improved;
      if (*values[0] != least && *values[1] == least) ++best;
      if (*values[2] != *values[0]) ++changed;
      if (*values[2] > *values[0]) ++worse;
    }
  }
  CHECK(improved > 0);
  CHECK(best == improved);
  CHECK(changed > 5);
  CHECK(worse > 5);
}

TEST_CASE("no step of the search leaves the default order, no order changes a chain without ends") {
  Asked none(R"("study": "orders", "orders": 0, )" + kLayered + R"(, "measures": ["gap", "order_gap"])");
  Asked chain(R"("study": "orders", "generator": {"name": "workflow", "shape": "chain", "links": "pairs"},
                 "cells": [{"name": "c"}], "measures": ["gap", "order_gap", "random_gap"])");
  for (std::uint64_t draw = 0; draw < 20; ++draw) {
    for (const SeriesResult& series : none.result(draw)) CHECK(series.values[0] == series.values[1]);
    for (const SeriesResult& series : chain.result(draw)) {
      CHECK(series.values[0] == series.values[1]);
      CHECK(series.values[0] == series.values[2]);
    }
  }
}

TEST_CASE("mappings in order of workflows have their nets' periods and completions") {
  const std::string study =
      R"("study": "heuristics", "heuristics": ["in-order"], "data_sets": 9, "generator": "workflow",
                               "measures": ["period", "max_cycle_time", "completion"], "cells": [{"name": "c", "shape": )";
  for (const char* shape : {"series-parallel", "layered"}) {
    Asked asked(study + "\"" + shape + "\"}]");
    for (std::uint64_t draw = 0; draw < 5; ++draw) {
      const DrawResult result = asked.result(draw);
      tpn::Document document = asked.document(draw);
      document.mapping.emplace();
      for (std::size_t k = 0; k < document.application.stages.size(); ++k) document.mapping->push_back({k, k, {k}});
      for (std::size_t m = 0; m < 2; ++m) {
        CAPTURE(shape, draw, m, result[m].failure);
        const auto net = std::get<tpn::FoldedNet>(tpn::fold(document, asked.description().models[m]));
        CHECK(result[m].values[0] == period_of(net));
        CHECK(result[m].values[1] == evaluators::largest_cycle_time(net));
        const std::vector<maxplus::Integer> sets = {9};
        CHECK(*result[m].values[2] == evaluators::completions_of(net, sets).times.front().lower);
      }
    }
  }
}

TEST_CASE("who takes only chains is named before any workflow is drawn; chains of the same generator are taken") {
  const auto asked = [](const std::string& study, const std::string& shape) {
    return refused(study + R"(, "generator": "workflow", "cells": [{"name": "c", "shape": ")" + shape + R"("}])");
  };
  const std::string others = " takes only chains, and the cell \"c\" draws workflows that fork or join";
  const std::string heuristic = R"("study": "heuristics", "heuristics": ["in-order", "bsc"])";
  CHECK_THAT(asked(heuristic, "in-tree"), Contains("the study heuristics: bsc" + others));
  CHECK(asked(heuristic, "chain").empty());
  const std::string reference = R"("study": "heuristics", "heuristics": ["in-order"], "references": ["bsc"])";
  CHECK_THAT(asked(reference, "layered"), Contains("the study heuristics: bsc" + others));
  CHECK(asked(reference, "chain").empty());
  CHECK_THAT(
      refused(reference + R"(, "generator": "workflow", "cells": [{"name": "c", "shape": "chain", "shortcuts": 1}])"),
      Contains("the study heuristics: bsc" + others));
  CHECK_THAT(asked(R"("study": "heuristics", "heuristics": ["in-order"], "references": [{"name": "bsc", "where":
                 {"cell": "other"}}])",
                   "layered"),
             Contains("other"));
  const std::string search = R"("study": "searches", "checkpoints": [5], "heuristics": ["hill-climbing"])";
  CHECK(asked(search, "out-tree").empty());
  CHECK(asked(search, "chain").empty());
  CHECK_THAT(asked(R"("study": "orders", "orders": -1)", "layered"),
             Contains("/orders: found the number -1, expected a whole number of at least 0"));
  CHECK_THAT(refused(R"("study": "orders", "generator": "skeleton-pair", "cells": [{"name": "c"}])"),
             Contains("the study orders: it needs mappings, and the generator draws problems without"));
}

}  // namespace takt::experiments

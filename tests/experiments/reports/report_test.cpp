// Tables, figures and verdicts of rows written by hand, where each answer can be seen.
#include "experiments/reports/report.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "experiments/reports/series_choice.hpp"
#include "tests/experiments/hand_made.hpp"

namespace takt::experiments {

namespace {

using Texts = std::vector<std::string>;

// Three cells, two heuristics; `more` are further members, which begin with a comma.
std::string description(const std::string& more, const std::string& draws = "2") {
  return R"({"name": "by-hand", "study": "heuristics", "generator": "replicated-mapping",
    "grid": {"stages": [2, 3, 4], "draws": )" +
         draws + R"(}, "heuristics": ["spl", "bsl", "bsc"], "models": ["strict"], "measures": ["period"])" + more + "}";
}

std::string row(int draw, const std::string& heuristic, const std::string& period) {
  return "{\"draw\": " + std::to_string(draw) + ", \"heuristic\": \"" + heuristic + "\", \"model\": \"strict\"" +
         (period.empty() ? R"(, "failed": "no mapping")" : ", \"period\": \"" + period + "\"") + "}";
}

// Two draws of each heuristic.
HandMadeCell cell(std::size_t index, const Texts& spl, const Texts& bsl, const Texts& bsc) {
  HandMadeCell result{index, {}};
  for (std::size_t i = 0; i < spl.size(); ++i) {
    result.rows.push_back(row(static_cast<int>(i), "spl", spl[i]));
    result.rows.push_back(row(static_cast<int>(i), "bsl", bsl[i]));
    result.rows.push_back(row(static_cast<int>(i), "bsc", bsc[i]));
  }
  return result;
}

// Means 2, 3, 4 of spl; 3, 3, 3 of bsl; 1/2, 4 and none of bsc.
std::vector<HandMadeCell> usual_cells() {
  return {cell(0, {"1", "3"}, {"2", "4"}, {"1/3", "2/3"}), cell(1, {"3", "3"}, {"3", "3"}, {"4", "4"}),
          cell(2, {"3", "5"}, {"5/2", "7/2"}, {"", ""})};
}

ExpectationVerdict verdict(const std::string& expectation, const std::vector<HandMadeCell>& cells = usual_cells(),
                           const std::string& draws = "2") {
  const HandMadeRun run =
      hand_made_run(description(R"(, "expect": [{"says": "so", )" + expectation + "}]", draws), cells);
  return verdict_of(*run.summary, run.description->expectations.front());
}

// Three cells of ten draws: spl is below the others in all of them, as often above as below, and above in all.
std::vector<HandMadeCell> tested_cells() {
  Texts ten(10, "4");
  Texts above = {"5", "6", "5", "6", "5", "6", "5", "6", "5", "6"};
  Texts mixed = {"5", "3", "5", "3", "5", "3", "5", "3", "5", "2"};
  return {cell(0, ten, above, above), cell(1, mixed, ten, above), cell(2, above, ten, above)};
}

// "met 1 of 3", and the outcome of all.
std::string outcome(const ExpectationVerdict& verdict) {
  const std::string all = verdict.outcome == ExpectationOutcome::met       ? "met"
                          : verdict.outcome == ExpectationOutcome::not_met ? "not met"
                                                                           : "not decided";
  return all + ": " + std::to_string(verdict.count(ExpectationOutcome::met)) + " met, " +
         std::to_string(verdict.count(ExpectationOutcome::not_met)) + " not, of " +
         std::to_string(verdict.places.size());
}

std::string text(const std::optional<Estimate>& number) {
  if (!number) return "-";
  return number->exact() ? number->lower.to_string() : number->lower.to_string() + ".." + number->upper.to_string();
}

ReportedTable table(const std::string& request) {
  const HandMadeRun run =
      hand_made_run(description(R"(, "report": [{"kind": "table", )" + request + "}]"), usual_cells());
  return std::get<ReportedTable>(report_of(*run.summary).items.front());
}

ReportedFigure figure(const std::string& request, const std::vector<HandMadeCell>& cells = usual_cells(),
                      const std::string& draws = "2", const std::string& more = "") {
  const HandMadeRun run =
      hand_made_run(description(R"(, "report": [{"name": "f", )" + request + "}]" + more, draws), cells);
  return std::get<ReportedFigure>(report_of(*run.summary).items.front());
}

// "spl: 2 2, 3 3"
std::string points(const FigureSeries& series) {
  std::string result = series.label + ":";
  for (const FigurePoint& point : series.points) result += " (" + point.x.to_string() + " " + text(point.y) + ")";
  return result;
}

}  // namespace

TEST_CASE("a table has a row for each cell, and a column for each statistic of each series") {
  const ReportedTable all = table(R"("title": "Means", "columns": {"mean": "period"})");
  CHECK(all.title == "Means");
  CHECK(all.headings == Texts{"stages"});
  REQUIRE(all.columns.size() == 3);
  CHECK(all.columns[0].label == "spl mean period");
  CHECK(all.columns[2].label == "bsc mean period");
  REQUIRE(all.rows.size() == 3);
  CHECK(all.rows[0].labels == Texts{"2"});
  CHECK(text(all.rows[0].numbers[0]) == "2");
  CHECK(text(all.rows[0].numbers[2]) == "1/2");
  CHECK(text(all.rows[2].numbers[2]) == "-");
}

TEST_CASE("a table may have a row for each series, and all statistics") {
  const ReportedTable all = table(R"("each": "heuristic", "where": {"stages": [2, 4]}, "columns": [{"draws": true},
    {"failed": true}, {"count": "period > 2"}, {"share": "period > 2", "label": "slow"}, {"smallest": "period"},
    {"largest": "period"}, {"quantile": "period", "at": "1/2"}])");
  CHECK(all.headings == Texts{"stages", "heuristic"});
  REQUIRE(all.rows.size() == 6);
  CHECK(all.columns[3].label == "slow");
  CHECK(all.columns[6].label == "quantile 1/2 period");
  CHECK(all.rows[1].labels == Texts{"2", "bsl"});
  Texts numbers;
  for (const auto& number : all.rows[1].numbers) numbers.push_back(text(number));
  CHECK(numbers == Texts{"2", "0", "1", "1/2", "2", "4", "2"});
  CHECK(all.rows[1].numbers[5]->draw == 1);
  numbers.clear();
  for (const auto& number : all.rows[5].numbers) numbers.push_back(text(number));
  CHECK(numbers == Texts{"2", "2", "0", "-", "-", "-", "-"});
}

TEST_CASE("labels tell columns apart, and labels of one's own are left alone where they do") {
  CHECK(table(R"("columns": [{"mean": "period", "heuristic": "spl", "label": "a"},
                 {"mean": "period", "heuristic": "bsl", "label": "b"}])")
            .columns[1]
            .label == "b");
  CHECK(table(R"("columns": [{"mean": "period", "heuristic": "spl", "label": "a"},
                 {"mean": "period", "heuristic": "bsl", "label": "a"}])")
            .columns[1]
            .label == "bsl a");
  CHECK(table(R"("columns": {"mean": "period", "label": ""})").columns[1].label == "bsl");
}

TEST_CASE("people read the words of measures, programs their keys") {
  const HandMadeRun run = hand_made_run(R"({"name": "words", "study": "heuristics", "generator": "skeleton-pair",
    "cells": [{"name": "c", "draws": 1}], "heuristics": ["bsc"], "models": ["strict"], "data_sets": 5,
    "references": ["lower-bound", "spl", {"name": "lower-bound", "label": "floor"}, "hedpm-model"],
    "bins": {"prediction_gap": 1},
    "report": [
      {"kind": "table", "columns": [{"mean": "predicted_period"}, {"mean": "max_cycle_time"}, {"largest": "to spl"},
        {"quantile": "to lower-bound", "at": 0.5}, {"quantile": "to floor", "at": "9/10"}, {"deviation": "completion"},
        {"share": "prediction_gap<0.10 and  to lower-bound >= 2"}, {"count": "to hedpm-model > 1"}, {"failed": true},
        {"mean": "max_cycle_time", "label": "max_cycle_time"}]},
      {"kind": "curve", "name": "a", "x": "heuristic", "y": {"mean": "predicted_period"}},
      {"kind": "histogram", "name": "b", "y": {"bins": "prediction_gap"}}
    ]})",
                                        {{0,
                                          {R"({"draw": 0, "heuristic": "bsc", "model": "strict", )"
                                           R"("predicted_period": "2", "prediction_gap": "0", "period": "2"})"}}});
  const ExperimentReport report = report_of(*run.summary);
  Texts labels;
  Texts words;
  for (const ReportedColumn& column : std::get<ReportedTable>(report.items[0]).columns) {
    labels.push_back(column.label);
    words.push_back(column.words);
  }
  CHECK(labels == Texts{"mean predicted_period", "mean max_cycle_time", "largest to spl", "quantile 1/2 to lower-bound",
                        "quantile 9/10 to floor", "deviation completion",
                        "share prediction_gap<0.10 and  to lower-bound >= 2", "count to hedpm-model > 1", "failed",
                        "max_cycle_time"});
  CHECK(words == Texts{"mean predicted period", "mean max cycle time", "largest period / spl",
                       "median period / lower bound", "9/10 quantile of period / floor", "deviation of completion time",
                       "share with prediction gap<0.10 and period / lower bound >= 2",
                       "draws with production time / optimum > 1", "failed", "max_cycle_time"});
  const auto& curve = std::get<ReportedFigure>(report.items[1]);
  CHECK(curve.request.y_label == "mean predicted_period");
  CHECK(curve.y_words == "mean predicted period");
  CHECK(curve.x_words == "heuristic");
  const auto& histogram = std::get<ReportedFigure>(report.items[2]);
  CHECK(histogram.request.x_label == "prediction_gap");
  CHECK(histogram.x_words == "prediction gap");
  CHECK(histogram.series[0].words == "prediction gap");
}

TEST_CASE("a value is expected of each cell and series") {
  const std::string mean = R"("value": {"mean": "period", "heuristic": "spl"}, "within": )";
  CHECK(outcome(verdict(mean + "[2, 4]")) == "met: 3 met, 0 not, of 3");
  CHECK(outcome(verdict(mean + "[3, 3]")) == "not met: 1 met, 2 not, of 3");
  CHECK(outcome(verdict(mean + R"([3, 3], "in": "1/3")")) == "met: 1 met, 2 not, of 3");
  CHECK(outcome(verdict(mean + R"([3, 3], "in": 0.34)")) == "not met: 1 met, 2 not, of 3");
  CHECK(outcome(verdict(mean + R"([2, 2], "where": {"stages": 2})")) == "met: 1 met, 0 not, of 1");
  const ExpectationVerdict all = verdict(R"("value": {"mean": "period"}, "within": [3, 4])");
  CHECK(outcome(all) == "not met: 6 met, 2 not, of 9");
  CHECK(all.places[2].name == "stages 2, bsc");
  CHECK(text(all.places[2].found) == "1/2");
}

TEST_CASE("what has no answer is not decided, and never met") {
  const std::string value = R"("value": {"mean": "period", "heuristic": "bsc"}, "within": [0, 100])";
  CHECK(outcome(verdict(value)) == "not decided: 2 met, 0 not, of 3");
  CHECK(outcome(verdict(value + R"(, "in": "2/3")")) == "met: 2 met, 0 not, of 3");
  CHECK(outcome(verdict(value, {})) == "not decided: 0 met, 0 not, of 3");
  CHECK(outcome(verdict(R"("value": {"mean": "period"}, "least": "heuristic", "is": "bsc")", {})) ==
        "not decided: 0 met, 0 not, of 3");
  CHECK(outcome(verdict(R"("value": {"count": "period > 1", "heuristic": "spl"}, "paper": 1, "of": 3,
                           "confidence": 0.9)",
                        {})) == "not decided: 0 met, 0 not, of 1");
  CHECK(outcome(verdict(R"("value": {"mean": "period"}, "crossing": "heuristic", "is": ["spl", "bsl"], "x": "stages",
                           "within": [2, 4])",
                        {})) == "not decided: 0 met, 0 not, of 1");
}

TEST_CASE("a number between two ends that say both is not decided") {
  // Of more than a thousand thirds the mean is known to 40 bits.
  std::vector<HandMadeCell> cells = {{0, {}}};
  for (int draw = 0; draw < 1001; ++draw) {
    for (const char* heuristic : {"spl", "bsl", "bsc"}) cells[0].rows.push_back(row(draw, heuristic, "1/3"));
  }
  const auto outcome_within = [&](const std::string& within) {
    return verdict(R"("where": {"stages": 2}, "value": {"mean": "period", "heuristic": "spl"}, "within": )" + within,
                   cells, "1001")
        .outcome;
  };
  CHECK(outcome_within(R"(["1/3", 1])") == ExpectationOutcome::undecided);
  CHECK(outcome_within("[0.333, 0.334]") == ExpectationOutcome::met);
  CHECK(outcome_within("[0, 0.333]") == ExpectationOutcome::not_met);
}

TEST_CASE("a sample is held to all cells together") {
  // Of spl's periods 1, 3, 3, 3, 3, 5 five are 3 or more.
  const std::string value = R"("value": {"count": "period >= 3", "heuristic": "spl"}, "confidence": )";
  const ExpectationVerdict fine = verdict(value + R"(0.9, "paper": 3, "of": 4)");
  CHECK(outcome(fine) == "met: 1 met, 0 not, of 1");
  CHECK(text(fine.places[0].found) == "5");
  CHECK(fine.places[0].remark.starts_with("of 6, tails "));
  // None of 4 where 1 of 2 has it, C(5, 4) / C(6, 4) = 1/3, or both, C(4, 4) / C(6, 4) = 1/15: that no division is
  // rare is met, that all are is not met.
  CHECK(outcome(verdict(value + R"("0.8", "paper": 0, "of": 4)")) == "not decided: 0 met, 0 not, of 1");
  CHECK(outcome(verdict(value + R"("0.87", "paper": 0, "of": 4)")) == "met: 1 met, 0 not, of 1");
  CHECK(outcome(verdict(value + R"("0.33", "paper": 0, "of": 4)")) == "not met: 0 met, 1 not, of 1");
  // The second of the cells alone.
  const std::string one = R"("where": {"stages": 3}, )" + value;
  CHECK(outcome(verdict(one + R"("0.86", "paper": 0, "of": 4)")) == "not met: 0 met, 1 not, of 1");
  CHECK(outcome(verdict(one + R"("0.87", "paper": 0, "of": 4)")) == "met: 1 met, 0 not, of 1");
  // Of draws without a result nothing is counted.
  CHECK(verdict(R"("value": {"count": "period > 1", "heuristic": "bsc"}, "confidence": 0.9, "paper": 1, "of": 2)")
            .places[0]
            .remark.starts_with("of 4, tails "));
}

TEST_CASE("with a confidence, the least mean is a verdict on the law, or none") {
  const std::string spl = R"("value": {"mean": "period"}, "least": "heuristic", "is": "spl")";
  const ExpectationVerdict exact = verdict(spl, tested_cells(), "10");
  CHECK(outcome(exact) == "not met: 2 met, 1 not, of 3");
  CHECK_FALSE(exact.places[1].tail);
  const ExpectationVerdict tested = verdict(spl + R"(, "confidence": 0.95)", tested_cells(), "10");
  CHECK(outcome(tested) == "not met: 1 met, 1 not, of 3");
  CHECK(tested.places[0].outcome == ExpectationOutcome::met);
  CHECK(tested.places[1].outcome == ExpectationOutcome::undecided);
  CHECK(tested.places[1].remark.starts_with("p "));
  CHECK(tested.places[2].outcome == ExpectationOutcome::not_met);
  CHECK(tested.places[2].remark == "bsl has the least");
  CHECK(*tested.places[2].tail < 0.001);
}

TEST_CASE("the least of several series is expected, ties included") {
  const auto least = [](const std::string& is) {
    return verdict(R"("value": {"mean": "period"}, "least": "heuristic", "is": )" + is);
  };
  // Stages 2: bsc; 3: spl and bsl alike; 4: bsc has no mean.
  CHECK(outcome(least(R"("bsc")")) == "not met: 1 met, 1 not, of 3");
  CHECK(least(R"("bsc")").places[1].remark == "spl has the least");
  CHECK(text(least(R"("bsc")").places[0].found) == "1/4");
  CHECK(outcome(least(R"("spl")")) == "not met: 1 met, 1 not, of 3");
  CHECK(outcome(least(R"(["bsc", "bsl"])")) == "not decided: 2 met, 0 not, of 3");
}

TEST_CASE("a ratio is taken cell by cell") {
  const auto ratio = [](const std::string& under, const std::string& within) {
    return verdict(R"("ratio": [{"mean": "period", "heuristic": "spl"}, {)" + under + R"(}], "within": )" + within);
  };
  const std::string bsl = R"("mean": "period", "heuristic": "bsl")";
  CHECK(outcome(ratio(bsl, R"(["2/3", "4/3"])")) == "met: 3 met, 0 not, of 3");
  CHECK(outcome(ratio(bsl, R"([1, 2])")) == "not met: 2 met, 1 not, of 3");
  CHECK(text(ratio(bsl, R"([1, 2])").places[0].found) == "2/3");
  CHECK(outcome(ratio(R"("count": "period > 100")", "[0, 9]")) == "not decided: 0 met, 0 not, of 3");
}

TEST_CASE("a crossing is where fewest points are misordered, the lowest such") {
  const auto crossing = [](const std::string& is, const std::string& within,
                           const std::vector<HandMadeCell>& cells = usual_cells()) {
    return verdict(R"("value": {"mean": "period"}, "crossing": "heuristic", "x": "stages", "is": )" + is +
                       R"(, "within": )" + within,
                   cells);
  };
  // spl is below bsl at 2, they are alike at 3, it is above at 4.
  CHECK(text(crossing(R"(["bsl", "spl"])", "[4, 4]").places[0].found) == "3");
  CHECK(crossing(R"(["bsl", "spl"])", "[3, 4]").outcome == ExpectationOutcome::met);
  CHECK(crossing(R"(["bsl", "spl"])", "[4, 4]").outcome == ExpectationOutcome::not_met);
  const std::vector<HandMadeCell> never = {cell(0, {"1", "1"}, {"2", "2"}, {"2", "2"}),
                                           cell(1, {"1", "1"}, {"2", "2"}, {"2", "2"}),
                                           cell(2, {"1", "1"}, {"2", "2"}, {"1", "1"})};
  CHECK(crossing(R"(["bsl", "spl"])", "[2, 4]", never).outcome == ExpectationOutcome::not_met);
  CHECK(crossing(R"(["bsl", "bsc"])", "[2, 4]", never).outcome == ExpectationOutcome::not_met);
  CHECK(crossing(R"(["bsl", "bsc"])", "[2, 4]", never).places[0].remark == "bsl is never below");
  // bsc is below spl at 2, above at 3, and has no mean at 4.
  const ExpectationVerdict open = crossing(R"(["spl", "bsc"])", "[3, 3]");
  CHECK(text(open.places[0].found) == "3");
  CHECK(open.places[0].remark == "(1 points without order)");
  const ExpectationVerdict wide = crossing(R"(["bsc", "spl"])", "[2, 2]");
  // From 2 on if it were below at 4, never if it were above.
  CHECK_FALSE(wide.places[0].found);
  CHECK(wide.outcome == ExpectationOutcome::undecided);
}

TEST_CASE("a curve for each series, points by x") {
  const ReportedFigure all = figure(R"("kind": "curve", "x": "stages", "y": {"mean": "period"})");
  REQUIRE(all.series.size() == 3);
  CHECK(points(all.series[0]) == "spl: (2 2) (3 3) (4 4)");
  CHECK(points(all.series[2]) == "bsc: (2 1/2) (3 4) (4 -)");
  CHECK(all.series[2].heuristic == "bsc");
  CHECK(all.categories.empty());
  CHECK(all.request.x_label == "stages");
  CHECK(all.request.y_label == "mean period");
}

TEST_CASE("what has no number at all is no curve, and statistics are named where they differ") {
  const ReportedFigure all = figure(R"("kind": "curve", "x": "stages", "where": {"stages": 4}, "y": [
    {"mean": "period"}, {"largest": "period", "heuristic": "spl", "label": "worst", "dashed": true}])");
  REQUIRE(all.series.size() == 3);
  CHECK(points(all.series[1]) == "bsl mean period: (4 3)");
  CHECK(points(all.series[2]) == "worst: (4 5)");
  CHECK(all.series[2].is_dashed);
}

TEST_CASE("whiskers are one deviation, and x may be names") {
  const ReportedFigure all =
      figure(R"("kind": "whiskers", "x": "heuristic", "where": {"stages": 3}, "y": {"mean": "period"})");
  REQUIRE(all.series.size() == 1);
  CHECK(all.categories == Texts{"spl", "bsl", "bsc"});
  CHECK(points(all.series[0]) == "mean period: (0 3) (1 3) (2 4)");
  REQUIRE(all.series[0].points[0].deviation);
  CHECK(all.series[0].points[0].deviation->lower == Rational(0));
  // 1 and 3 are each 1 from their mean: the root of 2.
  const ReportedFigure two =
      figure(R"("kind": "whiskers", "x": "cell", "where": {"stages": 2}, "y": {"mean": "period", "heuristic": "spl"})");
  CHECK(two.categories == Texts{"stages 2"});
  CHECK(two.series[0].points[0].deviation->lower.to_double().value() == Approx(1.41421356));
}

TEST_CASE("a histogram counts bins, and those between that have no draw") {
  const ReportedFigure all = figure(R"("kind": "histogram", "where": {"stages": 2}, "y": {"bins": "period"})",
                                    usual_cells(), "2", R"(, "bins": {"period": "1/2"})");
  REQUIRE(all.series.size() == 3);
  CHECK(all.bin_width == Rational::fraction(1, 2));
  CHECK(points(all.series[0]) == "spl: (1 1) (3/2 0) (2 0) (5/2 0) (3 1)");
  CHECK(points(all.series[2]) == "bsc: (0 1) (1/2 1)");
  CHECK(all.request.x_label == "period");
  CHECK(all.request.y_label == "draws");
}

TEST_CASE("a profile has the share of draws within each ratio to the best, and counts those without a result") {
  const ReportedFigure all = figure(R"("kind": "profile", "y": {"values": "period"})");
  REQUIRE(all.series.size() == 3);
  // Least: 1/3, 2/3; 3, 3; 5/2, 7/2.
  CHECK(points(all.series[0]) == "spl: (1 1/3) (6/5 1/2) (10/7 2/3) (3 5/6) (9/2 1)");
  CHECK(points(all.series[1]) == "bsl: (1 2/3) (6 1)");
  CHECK(points(all.series[2]) == "bsc: (1 1/3) (4/3 2/3)");
  CHECK(all.request.x_label == "period / best");
  CHECK(all.x_words == "period / best of the draw");
  CHECK(all.series[2].heuristic == "bsc");
  const ReportedFigure one = figure(R"("kind": "profile", "y": {"values": "period"}, "where": {"stages": 4})");
  CHECK(points(one.series[2]) == "bsc: (1 0)");
}

TEST_CASE("ratios are of numbers that are never below 0, and over 0 only 0 has one") {
  const std::vector<HandMadeCell> cells = {cell(0, {"0", "0"}, {"0", "2"}, {"1", "0"})};
  const auto profile = [](const std::vector<HandMadeCell>& some) {
    return figure(R"("kind": "profile", "where": {"stages": 2}, "y": {"values": "period"})", some);
  };
  const ReportedFigure zero = profile(cells);
  CHECK(points(zero.series[0]) == "spl: (1 1)");
  CHECK(points(zero.series[1]) == "bsl: (1 1/2)");
  CHECK_THROWS_WITH(profile({cell(0, {"1", "1"}, {"2", "-1/2"}, {"1", "1"})}),
                    Catch::Contains("the value -1/2 in draw 1 of the cell \"stages 2\"") &&
                        Catch::Contains("expected a measure that is never below 0"));
  CHECK(profile({}).series.empty());
}

TEST_CASE("ranks are means over draws or over cells, and bars join what does not differ") {
  const ReportedFigure draws = figure(R"("kind": "rank", "y": {"values": "period"})");
  REQUIRE(draws.series.size() == 3);
  // By draw: 2 3 1, 2 3 1, 3/2 3/2 3, 3/2 3/2 3, 2 1 3, 2 1 3.
  CHECK(points(draws.series[0]) == "spl: (0 11/6)");
  CHECK(points(draws.series[1]) == "bsl: (0 11/6)");
  CHECK(points(draws.series[2]) == "bsc: (0 7/3)");
  REQUIRE(draws.rankings.size() == 1);
  const Ranking& ranking = draws.rankings.front();
  CHECK(ranking.blocks == 6);
  CHECK(ranking.tail > 0.05);
  CHECK(ranking.level == Rational::fraction(1, 20));
  CHECK(*ranking.critical_difference == Approx(2.343 * std::sqrt(3 * 4 / 36.0)).epsilon(1e-3));
  CHECK(ranking.order == std::vector<std::size_t>{0, 1, 2});
  REQUIRE(ranking.groups.size() == 1);
  CHECK(ranking.groups[0].last == 2);
  const ReportedFigure cells = figure(R"("kind": "rank", "over": "cells", "level": 0.1, "y": {"values": "period"})");
  CHECK(cells.rankings.front().blocks == 3);
  CHECK(points(cells.series[2]) == "bsc: (0 7/3)");
}

TEST_CASE("pairs that differ are not joined, whichever test says so, and those that no bar joins are told") {
  Texts spl(12, "1");
  Texts bsl(12, "2");
  Texts bsc(12, "3");
  const auto ranking = [&](const std::string& test) {
    return figure(R"("kind": "rank", "where": {"stages": 2}, "y": {"values": "period"}, )" + test,
                  {cell(0, spl, bsl, bsc)}, "12")
        .rankings.front();
  };
  const Ranking nemenyi = ranking(R"("test": "nemenyi")");
  CHECK(nemenyi.tail < 1e-4);
  // Ranks 1, 2 and 3, a critical difference of 0.957.
  CHECK(nemenyi.groups.empty());
  const Ranking wilcoxon = ranking(R"("test": "wilcoxon")");
  REQUIRE(wilcoxon.pairs.size() == 3);
  CHECK(wilcoxon.pairs[0].tail == Approx(2.0 / 4096));
  CHECK(wilcoxon.groups.empty());
  CHECK_FALSE(wilcoxon.critical_difference);
  // spl before bsl and bsl before bsc by many draws, but bsc is far ahead of spl in one.
  bsl = {"3", "2", "2", "2", "2", "0", "0", "4", "3", "0", "3", "4"};
  bsc = {"5", "3", "6", "5", "6", "1", "1", "5", "6", "1", "-6", "5"};
  const Ranking mixed = ranking(R"("test": "wilcoxon", "level": 0.1)");
  CHECK(mixed.pairs[0].tail == Approx(0.03369140625));
  CHECK(mixed.pairs[1].tail == Approx(0.11328125));
  CHECK(mixed.pairs[2].tail == Approx(0.0322265625));
  CHECK(mixed.order == std::vector<std::size_t>{0, 1, 2});
  CHECK(mixed.groups.empty());
  REQUIRE(mixed.unjoined.size() == 1);
  CHECK(mixed.unjoined[0].first == 0);
  CHECK(mixed.unjoined[0].last == 2);
  // At a lower level Friedman's test finds nothing, and all are joined.
  const Ranking none = ranking(R"("test": "wilcoxon", "level": 0.005)");
  CHECK(none.tail > 0.005);
  REQUIRE(none.groups.size() == 1);
  CHECK(none.groups[0].last == 2);
}

TEST_CASE("boxes are quartiles by rank, with whiskers and what lies beyond") {
  const Texts values = {"1", "2", "3", "4", "5", "6", "7", "8", "100", "-20", "100", "9/2"};
  const ReportedFigure all =
      figure(R"("kind": "boxes", "x": "stages", "y": {"values": "period", "heuristic": "spl"})",
             {cell(0, values, values, values), cell(2, Texts(12, ""), Texts(12, "1"), Texts(12, "1"))}, "12");
  REQUIRE(all.series.size() == 1);
  CHECK(all.categories == Texts{"2", "3", "4"});
  REQUIRE(all.series[0].points.size() == 3);
  // In order: -20 1 2 3 4 9/2 5 6 7 8 100 100; the third, the sixth and the ninth.
  const BoxNumbers& box = *all.series[0].points[0].box;
  CHECK(box.first == Rational(2));
  CHECK(box.median == Rational::fraction(9, 2));
  CHECK(box.third == Rational(7));
  CHECK(box.low == Rational(1));
  CHECK(box.high == Rational(8));
  CHECK(box.outside == std::vector<Rational>{-20, 100});
  CHECK(text(all.series[0].points[0].y) == "9/2");
  CHECK_FALSE(all.series[0].points[1].box);
  CHECK_FALSE(all.series[0].points[2].y);
}

TEST_CASE("where each heuristic has one box, each is a series of its own") {
  const std::string boxes = R"("kind": "boxes", "x": "heuristic", "y": {"values": "period"})";
  const ReportedFigure one = figure(boxes + R"(, "where": {"stages": 2})");
  REQUIRE(one.series.size() == 3);
  CHECK(one.categories == Texts{"spl", "bsl", "bsc"});
  CHECK(points(one.series[1]) == "bsl: (1 2)");
  CHECK(one.series[1].heuristic == "bsl");
  const ReportedFigure two = figure(boxes + R"(, "where": {"stages": [2, 3]})");
  REQUIRE(two.series.size() == 2);
  CHECK(points(two.series[0]) == "stages 2: (0 1) (1 2) (2 1/3)");
}

TEST_CASE("a facet makes a panel for each of its values, with the same series in each") {
  const ReportedFigure by_cell = figure(R"("kind": "curve", "x": "model", "facet": "stages", "y": {"mean": "period"})");
  CHECK(by_cell.panels == Texts{"stages 2", "stages 3", "stages 4"});
  // bsc has no number in the last panel.
  REQUIRE(by_cell.series.size() == 8);
  CHECK(points(by_cell.series[0]) == "spl: (0 2)");
  CHECK(by_cell.series[2].panel == 0);
  CHECK(by_cell.series[3].panel == 1);
  CHECK(points(by_cell.series[3]) == "spl: (0 3)");
  CHECK(by_cell.categories == Texts{"strict"});
  const ReportedFigure by_series =
      figure(R"("kind": "whiskers", "x": "stages", "facet": "heuristic", "y": {"mean": "period"})");
  CHECK(by_series.panels == Texts{"spl", "bsl", "bsc"});
  REQUIRE(by_series.series.size() == 3);
  CHECK(by_series.series[1].panel == 1);
  CHECK(points(by_series.series[1]) == "mean period: (2 3) (3 3) (4 3)");
  const ReportedFigure ranks = figure(R"("kind": "rank", "facet": "stages", "y": {"values": "period"})");
  REQUIRE(ranks.rankings.size() == 3);
  CHECK(ranks.rankings[2].panel == 2);
  CHECK(ranks.rankings[2].first_series == 6);
  CHECK(points(ranks.series[6]) == "spl: (0 2)");
  CHECK(points(ranks.series[8]) == "bsc: (0 3)");
}

TEST_CASE("a report says how much of the run is there, and what failed") {
  const HandMadeRun run = hand_made_run(description(""), {usual_cells()[2]});
  const ExperimentReport report = report_of(*run.summary);
  CHECK(report.draws == 2);
  CHECK(report.described == 6);
  CHECK_FALSE(report.is_complete());
  CHECK(report.failed == 2);
  REQUIRE(report.failures.size() == 2);
  CHECK(report.failures[1].draw == 1);
  CHECK(report.failures[1].reason == "no mapping");
}

}  // namespace takt::experiments

// What descriptions may ask to be reported, and what is refused, at its place.
#include <catch2/catch.hpp>
#include <string>

#include "experiments/descriptions/description.hpp"

namespace takt::experiments {

namespace {

using Catch::Contains;

const std::string kStart =
    R"({"name": "n", "study": "heuristics", "generator": "replicated-mapping", "grid": {"stages": [2, 3], "draws": 1},)"
    R"( "heuristics": ["spl", "bsl"], "models": ["strict"], "measures": ["period"], "bins": {"period": 1},)"
    "\n";

std::string message(const std::string& more) {
  try {
    read_description(kStart + more + "}", "d.json");
  } catch (const tpn::ParseError& error) {
    return error.what();
  }
  return "";
}

std::string of_table(const std::string& members) {
  return message(R"("report": [{"kind": "table", )" + members + "}]");
}

std::string of_figure(const std::string& kind, const std::string& members) {
  return message(R"("report": [{"kind": ")" + kind + R"(", "name": "f", )" + members + "}]");
}

std::string of_expectation(const std::string& members) {
  return message(R"("expect": [{"says": "s", )" + members + "}]");
}

}  // namespace

TEST_CASE("reports and expectations of all kinds are read") {
  CHECK(of_table(R"("each": "model", "columns": [{"mean": "period"}])").empty());
  CHECK(of_figure("curve", R"("x": "stages", "y": {"mean": "period"}, "paper_range": [1, 2], "line": 1)").empty());
  CHECK(of_figure("whiskers", R"("x": "cell", "y": {"mean": "period"})").empty());
  CHECK(of_figure("histogram", R"("y": {"bins": "period"}, "y_logarithmic": true)").empty());
  CHECK(of_expectation(R"("value": {"mean": "period"}, "within": [1, 2], "paper": 1.5, "in": "1/2")").empty());
  CHECK(of_expectation(R"("value": {"count": "period > 1"}, "paper": 1, "of": 2, "confidence": 0.99)").empty());
  CHECK(of_expectation(R"("value": {"mean": "period"}, "least": "heuristic", "is": ["spl", "bsl"])").empty());
  CHECK(of_expectation(R"("ratio": [{"mean": "period"}, {"mean": "period", "heuristic": "spl"}], "within": [0, 1])")
            .empty());
  CHECK(of_expectation(R"("value": {"mean": "period"}, "crossing": "heuristic", "is": ["spl", "bsl"], "x": "stages",
                          "within": [2, 3])")
            .empty());
}

TEST_CASE("a choice of cells is written as people write numbers") {
  const Description description = read_description(
      kStart + R"("expect": [{"says": "s", "where": {"stages": {"from": 2.5, "to": 9}}, "value": {"draws": true},
                  "within": [0, 1]}, {"says": "s", "where": {"cell": "stages 2", "stages": 2.0},
                  "value": {"draws": true}, "within": [0, 1]}]})",
      "d.json");
  CHECK(description.expectations[0].where.at("stages") == std::vector<std::string>{"3"});
  CHECK(description.expectations[1].where.at("stages") == std::vector<std::string>{"2"});
}

TEST_CASE("what a table or figure cannot show is refused") {
  CHECK(
      message(R"("report": [{"kind": "tabel"}])") ==
      R"(d.json:2:21: /report/0/kind: found "tabel" (did you mean "table"?), expected "table", "curve", "whiskers", "histogram", "boxes", "profile" or "rank")");
  CHECK(of_table(R"("columns": [])") == "d.json:2:41: /report/0/columns: found none, expected one statistic at least");
  CHECK(of_table(R"("columns": {"bins": "period"})") ==
        "d.json:2:41: /report/0/columns: found \"bins\", expected a statistic that is one number");
  CHECK(of_table(R"("columns": {"mean": "perid"})") ==
        "d.json:2:50: /report/0/columns/mean: found \"perid\" (did you mean \"period\"?), expected \"period\"");
  CHECK(of_table(R"("columns": {"mean": "period", "largest": "period"})") ==
        "d.json:2:41: /report/0/columns: found both \"mean\" and \"largest\", expected one statistic");
  CHECK_THAT(of_table(R"("columns": {"label": "a"})"), Contains("found no statistic, expected one of draws, "));
  CHECK(of_table(R"("columns": {"quantile": "period", "at": 1.5})") ==
        "d.json:2:70: /report/0/columns/at: found the number 1.5, expected a number from 0 to 1");
  CHECK_THAT(of_table(R"("columns": {"share": "perod > 1"})"),
             Contains("expected a measure before \">\", one of period"));
  CHECK(of_table(R"("columns": {"mean": "period", "model": "overlap"})") ==
        "d.json:2:41: /report/0/columns: found no series of model \"overlap\", expected one that the study has");
  CHECK_THAT(of_table(R"("each": "model", "columns": {"mean": "period", "model": "strict"})"),
             Contains("found \"model\", which \"each\" gives a row for each of its values"));
  CHECK_THAT(of_table(R"("each": "modle", "columns": {"mean": "period"})"),
             Contains("found \"modle\" (did you mean \"model\"?), expected \"heuristic\" or \"model\""));
  CHECK_THAT(of_figure("whiskers", R"("x": "stages", "y": {"largest": "period"})"), Contains("expected a \"mean\""));
  CHECK_THAT(of_figure("histogram", R"("y": {"mean": "period"})"), Contains("expected the \"bins\" of a measure"));
  CHECK_THAT(of_figure("curve", R"("x": "stagse", "y": {"mean": "period"})"), Contains("did you mean \"stages\"?"));
  CHECK(of_figure("curve", R"("x": "stages", "y": {"mean": "period"}, "y_range": [2, 1])") ==
        "d.json:2:94: /report/0/y_range: found low above high, expected [low, high]");
  CHECK_THAT(message(R"("report": [{"kind": "curve", "name": "A b", "x": "stages", "y": {"mean": "period"}}])"),
             Contains("it names a file"));
  const std::string curve = R"({"kind": "curve", "name": "c", "x": "stages", "y": {"mean": "period"}})";
  CHECK_THAT(message("\"report\": [" + curve + ", " + curve + "]"), Contains("found \"c\" twice"));
}

TEST_CASE("figures of all values are read, and refused where something is missing or cannot be") {
  const std::string values = R"("y": {"values": "period"})";
  CHECK(of_figure("profile", values).empty());
  CHECK(of_figure("profile", values + R"(, "x_range": [1, 4], "facet": "stages", "x_label": "a")").empty());
  CHECK(of_figure("rank", values + R"(, "test": "wilcoxon", "level": 0.01, "over": "cells")").empty());
  CHECK(of_figure("boxes", values + R"(, "x": "stages", "facet": "heuristic", "y_logarithmic": true)").empty());
  CHECK(of_figure("curve", R"("x": "stages", "y": {"mean": "period"}, "facet": "heuristic")").empty());
  const auto refuses = [&](const std::string& kind, const std::string& more, const std::string& message) {
    CHECK_THAT(of_figure(kind, more), Contains(message));
  };
  refuses("profile", R"("y": {"mean": "period"})", "found another statistic, expected the \"values\" of a measure");
  refuses("curve", R"("x": "stages", "y": {"values": "period"})",
          "found \"values\", expected a statistic that is one number");
  CHECK_THAT(of_table(R"("columns": {"values": "period"})"),
             Contains("found \"values\", expected a statistic that is one number"));
  CHECK_THAT(of_expectation(R"("value": {"values": "period"}, "within": [1, 2])"),
             Contains("found \"values\", expected a statistic that is one number"));
  refuses("profile", R"("y": {"values": "period", "heuristic": "spl"})",
          "found one series, expected two series or more, which are compared");
  refuses("profile", values + R"(, "facet": "heuristic")", "found one series, expected two series or more");
  refuses("profile", values + R"(, "x": "stages")", "\"x\"");
  refuses("profile", values + R"(, "x_range": [0.5, 2])", "expected [low, high] of ratios, from 1 on");
  refuses("rank", values + R"(, "test": "nemeny")",
          "found \"nemeny\" (did you mean \"nemenyi\"?), expected \"nemenyi\" or \"wilcoxon\"");
  refuses("rank", values + R"(, "over": "runs")", "expected \"draws\" or \"cells\"");
  refuses("rank", values + R"(, "level": 0.9)", "expected at most 1/2");
  refuses("boxes", values, "\"x\"");
  refuses("boxes", values + R"(, "x": "stages", "facet": "stages")", "found \"stages\", which is \"x\" as well");
  refuses("curve", R"("x": "stages", "y": {"mean": "period"}, "facet": "stagse")", "did you mean \"stages\"?");
  refuses("curve", R"("x": "stages", "y": {"mean": "period"}, "test": "nemenyi")", "\"test\"");
}

TEST_CASE("figures of all values take an experiment that keeps all rows, those of means do not") {
  const auto of_kept = [](const std::string& keep, const std::string& figure) -> std::string {
    try {
      read_description(
          R"({"name": "n", "study": "heuristics", "generator": "skeleton-pair", "heuristics": ["spl", "bsl"],
        "grid": {"stages": {"from": 2, "to": 31}, "draws": 2}, "models": ["strict"], "measures": ["period"], "keep": )" +
              keep + R"(, "report": [{"name": "f", "y": {"values": "period"}, )" + figure + "}]}",
          "d.json");
    } catch (const tpn::ParseError& error) {
      return error.what();
    }
    return {};
  };
  for (const std::string kind : {R"("kind": "profile")", R"("kind": "rank")", R"("kind": "boxes", "x": "stages")"}) {
    CHECK(of_kept(R"("all")", kind).empty());
    for (const std::string keep : {R"("none")", R"("period > 3")"}) {
      CHECK_THAT(of_kept(keep, kind),
                 Contains("/report/0/kind: found a figure of all values in an experiment that does not keep all "
                          "rows, expected \"keep\": \"all\", or another kind"));
    }
  }
  CHECK(of_kept(R"("none")", R"("kind": "rank", "over": "cells")").empty());
  CHECK_THAT(of_kept(R"("all")", R"("kind": "profile", "facet": "stages")"),
             Contains("found 30 values of \"stages\", expected at most 24, a panel for each"));
}

TEST_CASE("an expectation that cannot be checked is refused") {
  const std::string value = R"("value": {"mean": "period"}, )";
  CHECK_THAT(of_expectation(R"("within": [0, 1])"), Contains("\"value\""));
  CHECK_THAT(of_expectation(R"("value": {"mean": "period"})"), Contains("\"within\""));
  CHECK(of_expectation(value + R"("within": [0, 1], "by": "me")") ==
        "d.json:2:79: /expect/0/by: found \"me\", expected \"paper\", \"words\" or \"takt\"");
  CHECK(of_expectation(value + R"("within": [0, 1], "in": 1.5)") ==
        "d.json:2:79: /expect/0/in: found the number 1.5, expected at most 1");
  CHECK_THAT(of_expectation(value + R"("within": [0, 1], "is": "spl")"), Contains("\"is\""));
  CHECK(of_expectation(value + R"("within": [0, 1], "where": {"stages": [2, 7]})") ==
        "d.json:2:97: /expect/0/where/stages/1: found \"7\", expected a value of \"stages\" that some cell has");
  CHECK_THAT(of_expectation(value + R"("within": [0, 1], "where": {"cell": "stages2"})"),
             Contains("found \"stages2\" (did you mean \"stages 2\"?), expected the name of a cell"));
  CHECK_THAT(of_expectation(value + R"("within": [0, 1], "where": {"stages": {"from": 8, "to": 9}})"),
             Contains("found no such cell"));
  CHECK_THAT(of_expectation(value + R"("least": "heuristic", "is": ["spl", "bs"])"),
             Contains("found no series of heuristic \"bs\""));
  CHECK_THAT(of_expectation(value + R"("least": "heuristic", "is": [])"), Contains("expected one series or several"));
  CHECK_THAT(
      of_expectation(value + R"("crossing": "heuristic", "is": ["spl", "bsl"], "x": "network", "within": [0, 1])"),
      Contains("expected an x whose values are all numbers"));
  CHECK_THAT(of_expectation(value + R"("crossing": "heuristic", "is": ["spl"], "x": "stages", "within": [0, 1])"),
             Contains("expected two series"));
  CHECK_THAT(of_expectation(R"("ratio": [{"mean": "period"}], "within": [0, 1])"), Contains("expected two statistics"));
  CHECK_THAT(of_expectation(value + R"("paper": 1, "of": 2, "confidence": 0.9)"),
             Contains("which is what a sample has"));
  const std::string count = R"("value": {"count": "period > 1"}, "confidence": )";
  CHECK_THAT(of_expectation(count + R"(1, "paper": 1, "of": 2)"), Contains("expected less than 1"));
  CHECK_THAT(of_expectation(count + R"(0.9, "paper": 3, "of": 2)"), Contains("expected a whole number of draws"));
  CHECK_THAT(of_expectation(count + R"(0.9, "paper": 3, "of": 1000000)"), Contains("expected at most 100000"));
}

}  // namespace takt::experiments

// takt evaluate: answers as JSON, by every method, within limits.
#include <gmpxx.h>
#include <chrono>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "maxplus/solvers.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/tools/commands/evaluate_json.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

const std::vector<std::vector<std::string>>& ways() {
  static const std::vector<std::vector<std::string>> kWays = [] {
    std::vector<std::vector<std::string>> list = {{}, {"--method", "sweep"}};
    for (const auto& solver : maxplus::cycle_ratio_solvers()) {
      list.push_back({"--method", "unfold", "--solver", std::string(solver.name)});
    }
    return list;
  }();
  return kWays;
}

mpq_class number(const ordered_json& text) {
  mpq_class value(text.get<std::string>());
  value.canonicalize();
  REQUIRE(value.get_str() == text);  // lowest terms
  return value;
}

// With a blank behind each.
std::string keys(const ordered_json& object) {
  std::string names;
  for (const auto& [key, value] : object.items()) names += key + ' ';
  return names;
}

TEST_CASE("the JSON of a small instance, field by field") {
  const Outcome outcome = takt({"evaluate", "-", "--model", "strict", "--json"}, kSmall);
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  REQUIRE(ordered_json::parse(outcome.out).dump() == ordered_json::parse(R"({
    "file": "-", "model": "strict", "exact": true,
    "period": "3", "period_decimal": 3.0, "throughput": "1/3", "throughput_decimal": 0.3333333333333333,
    "period_lower_bound": "3", "period_lower_bound_decimal": 3.0, "period_upper_bound": "3", "period_upper_bound_decimal": 3.0,
    "max_cycle_time": "3", "max_cycle_time_decimal": 3.0, "busiest_resource": {"processor": "R", "kind": "processor"}, "has_critical_resource": true,
    "method": "sweep", "hyper_period": 2, "distinct_rows": 2,
    "critical_circuit": {"length": 2, "steps": [
      {"operation": "transfer", "part": 0, "processor": "P", "peer": "R", "data_set": 1, "duration": "0", "duration_decimal": 0.0},
      {"operation": "compute", "part": 1, "stages": ["b"], "processor": "R", "data_set": 1, "duration": "6", "duration_decimal": 6.0}]},
    "resources": [
      {"processor": "P", "kind": "processor", "cycle_time": "13/6", "cycle_time_decimal": 2.1666666666666665, "utilization": "13/18", "utilization_decimal": 0.7222222222222222},
      {"processor": "Q", "kind": "processor", "cycle_time": "5/3", "cycle_time_decimal": 1.6666666666666667, "utilization": "5/9", "utilization_decimal": 0.5555555555555556},
      {"processor": "R", "kind": "processor", "cycle_time": "3", "cycle_time_decimal": 3.0, "utilization": "1", "utilization_decimal": 1.0}]})")
                                                         .dump());
}

// What must hold of the circuit of an exact answer that is listed in full.
void require_circuit(const ordered_json& result) {
  const ordered_json& steps = result.at("critical_circuit").at("steps");
  REQUIRE(result.at("critical_circuit").at("length") == steps.size());
  mpq_class total = 0;
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const ordered_json& step = steps[t];
    const ordered_json& next = steps[(t + 1) % steps.size()];
    total += number(step.at("duration"));
    const bool computes = step.at("operation") == "compute";
    REQUIRE(computes == step.contains("stages"));
    REQUIRE(computes != step.contains("peer"));
    // An operation waits for the one before: of its data set, or on a resource that both need.
    const auto processors = [](const ordered_json& operation) {
      std::set<std::string> names{operation.at("processor")};
      if (operation.contains("peer")) names.insert(operation.at("peer").get<std::string>());
      return names;
    };
    std::vector<std::string> shared;
    const auto mine = processors(step);
    const auto its = processors(next);
    std::ranges::set_intersection(mine, its, std::back_inserter(shared));
    REQUIRE_FALSE(shared.empty());
    if (t + 1 < steps.size()) REQUIRE(step.at("data_set") <= next.at("data_set"));
  }
  // The circuit's duration over the data sets it advances is the period.
  const std::uint64_t span =
      steps.back().at("data_set").get<std::uint64_t>() - steps.front().at("data_set").get<std::uint64_t>();
  const mpq_class height = total / number(result.at("period"));
  REQUIRE(height.get_den() == 1);
  REQUIRE(height > mpq_class(mpz_class(span)));
}

TEST_CASE("every method gives every kind of mapping its known answer and a circuit of that ratio") {
  const auto expected = ordered_json::parse(text_of(source("tests/data/known/expected.json")));
  REQUIRE(expected.size() == 10);
  for (const auto& [name, models] : expected.items()) {
    for (const auto& [model, answer] : models.items()) {
      for (const auto& way : ways()) {
        const std::string path = source("tests/data/known/" + name + ".json");
        INFO(path << ", " << model << ", " << (way.empty() ? "auto" : way.back()));
        const ordered_json result = json_of(appended({path, "--model", model, "--circuit", "full"}, way));
        REQUIRE(result.at("file") == path);
        REQUIRE(result.at("model") == model);
        REQUIRE(result.at("exact") == true);
        REQUIRE(result.at("period") == answer.at("period"));
        REQUIRE(result.at("period_lower_bound") == answer.at("period"));
        REQUIRE(result.at("period_upper_bound") == answer.at("period"));
        REQUIRE(result.at("max_cycle_time") == answer.at("max_cycle_time"));
        REQUIRE(std::to_string(result.at("hyper_period").get<std::uint64_t>()) == answer.at("rows"));
        REQUIRE(result.at("has_critical_resource") == (answer.at("period") == answer.at("max_cycle_time")));
        REQUIRE(number(result.at("throughput")) * number(result.at("period")) == 1);
        mpq_class busiest = 0;
        for (const ordered_json& resource : result.at("resources")) {
          const mpq_class utilization = number(resource.at("utilization"));
          REQUIRE(utilization >= 0);
          REQUIRE(utilization <= 1);
          REQUIRE(utilization * number(result.at("period")) == number(resource.at("cycle_time")));
          busiest = std::max(busiest, number(resource.at("cycle_time")));
        }
        REQUIRE(busiest == number(result.at("max_cycle_time")));
        require_circuit(result);
      }
    }
  }
}

TEST_CASE("the circuits of the examples have the ratio of their periods") {
  for (const char* name :
       {"example-a", "example-b", "example-c", "hedpm-case-study", "several-parts", "weighted-round-robin"}) {
    for (const char* model : {"overlap", "strict"}) {
      INFO(name << ", " << model);
      require_circuit(
          json_of({source(std::string("examples/") + name + ".json"), "--model", model, "--circuit", "full"}));
    }
  }
}

TEST_CASE("period_decimal is the double nearest to the period") {
  for (const char* name : {"examples/example-a.json", "examples/hedpm-case-study.json", "tests/data/known/speeds.json",
                           "tests/data/known/everything.json"}) {
    for (const ordered_json& result : json_of({source(name)})) {
      const mpq_class period = number(result.at("period"));
      const auto given = result.at("period_decimal").get<double>();
      const auto error = [&](double value) { return mpq_class(abs(mpq_class(value) - period)); };
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      REQUIRE(error(given) <= error(std::nextafter(given, kInfinity)));
      REQUIRE(error(given) <= error(std::nextafter(given, -kInfinity)));
    }
  }
}

TEST_CASE("a circuit is shown by 20 of its steps unless all are asked for") {
  const std::string path = source("tests/data/known/everything.json");
  const ordered_json part = json_of({path, "--model", "strict"}).at("critical_circuit");
  const ordered_json whole = json_of({path, "--model", "strict", "--circuit", "full"}).at("critical_circuit");
  REQUIRE(part.at("steps").size() == 20);
  REQUIRE(whole.at("steps").size() > 20);
  REQUIRE(part.at("length") == whole.at("steps").size());
  REQUIRE(whole.at("length") == whole.at("steps").size());
  REQUIRE(std::equal(part.at("steps").begin(), part.at("steps").end(), whole.at("steps").begin()));
  const std::string hidden = "  ... and " + std::to_string(whole.at("steps").size() - 20) + " more (--circuit full";
  REQUIRE_THAT(takt({"evaluate", path, "--model", "strict"}).out, Contains(hidden));
  REQUIRE_THAT(takt({"evaluate", path, "--model", "strict", "--circuit", "full"}).out, !Contains("... and"));
}

TEST_CASE("source and sink are parts of their own name") {
  const ordered_json result =
      json_of({source("examples/several-parts.json"), "--model", "overlap", "--circuit", "full"});
  const ordered_json& steps = result.at("critical_circuit").at("steps");
  REQUIRE(std::ranges::any_of(steps, [](const ordered_json& step) { return step.at("part") == "source"; }));
  REQUIRE(std::ranges::all_of(steps, [](const ordered_json& step) {
    return (step.at("part") == "source") == (step.at("processor") == "source");
  }));
  std::set<std::string> kinds;
  for (const ordered_json& resource : result.at("resources")) kinds.insert(resource.at("kind").get<std::string>());
  REQUIRE(kinds == std::set<std::string>{"compute", "in-port", "out-port"});
}

TEST_CASE("the method and the solver that were used are named") {
  const std::string a = source(kExampleA);
  REQUIRE(json_of({a, "--model", "strict", "--method", "unfold"}).at("solver") == "howard");
  for (const auto& solver : maxplus::cycle_ratio_solvers()) {
    const std::string name(solver.name);
    const ordered_json unfolded = json_of({a, "--model", "strict", "--method", "unfold", "--solver", name});
    REQUIRE(unfolded.at("method") == "unfold");
    REQUIRE(unfolded.at("solver") == name);
    const ordered_json by_column = json_of({a, "--model", "overlap", "--method", "pattern", "--solver", name});
    REQUIRE(by_column.at("period") == "189");
    REQUIRE(by_column.value("solver", "howard") == name);
  }
  const ordered_json automatic = json_of({a, "--model", "strict"});
  REQUIRE(automatic.at("method") == "sweep");
  REQUIRE_FALSE(automatic.contains("solver"));
  const ordered_json pattern = json_of({a, "--model", "overlap", "--method", "pattern"});
  REQUIRE(pattern.at("method") == "pattern");
  REQUIRE(pattern.at("period") == "189");
  REQUIRE_FALSE(pattern.contains("solver"));
  const Outcome verbose = takt({"evaluate", a, "--model", "strict", "--verbose"});
  REQUIRE(verbose.out == takt({"evaluate", a, "--model", "strict"}).out);
  REQUIRE_THAT(verbose.err, Contains("auto chose sweep: a sweep has 42 operations") && Contains("6 rows x 7 columns"));
}

TEST_CASE("pattern is refused for a net it does not fit, with the reason and status 2") {
  const Outcome strict = takt({"evaluate", source(kExampleA), "--model", "strict", "--method", "pattern"});
  REQUIRE(strict.status == tools::kUsage);
  REQUIRE(strict.out.empty());
  REQUIRE_THAT(strict.err, Contains("--method pattern does not fit") && Contains("use sweep or residue"));
  const Outcome shared =
      takt({"evaluate", source("tests/data/known/several-parts.json"), "--model", "overlap", "--method", "pattern"});
  REQUIRE(shared.status == tools::kUsage);
  REQUIRE_THAT(shared.err, Contains("serves parts"));
}

TEST_CASE("a limit that is met gives an interval, says which, and status 4") {
  const std::string a = source(kExampleA);
  for (const std::vector<std::string>& limit :
       std::vector<std::vector<std::string>>{{"--max-rows", "5"}, {"--time-limit", "1e-9"}}) {
    for (const auto& way : ways()) {
      INFO(limit.front() << ", " << (way.empty() ? "auto" : way.back()));
      const ordered_json result = json_of(appended(appended({a, "--model", "strict"}, limit), way), tools::kLimit);
      REQUIRE(result.at("exact") == false);
      for (const char* field :
           {"period", "period_decimal", "throughput", "has_critical_resource", "critical_circuit"}) {
        REQUIRE(result.at(field).is_null());
      }
      const mpq_class period(692, 3);
      REQUIRE(number(result.at("period_lower_bound")) <= period);
      REQUIRE(number(result.at("period_upper_bound")) >= period);
      REQUIRE(number(result.at("max_cycle_time")) == mpq_class(1295, 6));
      for (const ordered_json& resource : result.at("resources")) REQUIRE(resource.at("utilization").is_null());
    }
  }
  REQUIRE(json_of({a, "--model", "strict", "--max-rows", "6"}).at("exact") == true);
  const Outcome table = takt({"evaluate", a, "--model", "strict", "--max-rows", "5"});
  REQUIRE(table.status == tools::kLimit);
  REQUIRE_THAT(table.out,
               Contains("The period is not known exactly: 6 rows would be needed, the limit is 5 (--max-rows).") &&
                   Contains("period at least     215.833 time units per data set, exactly 1295/6\n") &&
                   Contains("period at most      821 time units per data set\n") && !Contains("Critical circuit"));
}

TEST_CASE("an interval has an estimate beside it where one is asked for, and says that it proves nothing") {
  const std::string a = source(kExampleA);
  const std::vector<std::string> limited = {a, "--model", "strict", "--max-rows", "5", "--estimate"};
  const auto with = [&](const std::vector<std::string>& more) { return appended(limited, more); };
  const ordered_json result = json_of(limited, tools::kLimit);
  const ordered_json& estimate = result.at("estimate");
  REQUIRE(keys(estimate) == "mean mean_decimal mean_low mean_high confidence draws data_sets seed from_empty ");
  REQUIRE(keys(estimate.at("from_empty")) == "mean mean_decimal mean_low mean_high gap period_low period_high ");
  REQUIRE(estimate.at("seed") == 1);
  const double period = 692.0 / 3;
  REQUIRE(estimate.at("mean_low") <= period);
  REQUIRE(estimate.at("mean_high") >= period);
  REQUIRE(estimate.at("from_empty").at("period_low") <= period);
  REQUIRE(estimate.at("from_empty").at("period_high") >= period);
  REQUIRE(json_of(with({"--seed", "1"}), tools::kLimit) == result);
  const ordered_json other = json_of(with({"--seed", "2"}), tools::kLimit).at("estimate");
  REQUIRE(other.at("seed") == 2);
  REQUIRE(other.at("from_empty").at("mean") != estimate.at("from_empty").at("mean"));

  const Outcome shown = takt(appended({"evaluate"}, limited));
  REQUIRE(shown.status == tools::kLimit);
  REQUIRE_THAT(shown.out, Contains("  estimate            230.6") && Contains(" ± 0.0") &&
                              Contains(" time units per data set; statistical, not proved\n") &&
                              Contains("95 % confidence, 64 random starts of 2000 data sets, seed 1\n"));
}

TEST_CASE("where there is no estimate the answer says why") {
  const std::string a = source(kExampleA);
  const ordered_json exact = json_of({a, "--model", "strict", "--estimate"});
  REQUIRE(exact.at("exact") == true);
  REQUIRE(exact.at("estimate").is_null());
  REQUIRE(exact.at("no_estimate") == "the period is exact");
  REQUIRE_THAT(takt({"evaluate", a, "--model", "strict", "--estimate"}).out,
               Contains("  estimate            none: the period is exact\n"));
  const ordered_json overlap =
      json_of({a, "--model", "overlap", "--method", "unfold", "--max-rows", "5", "--estimate"}, tools::kLimit);
  REQUIRE(overlap.at("estimate").is_null());
  REQUIRE(overlap.at("no_estimate") == "its processors do several things at a time; the estimate needs STRICT");
  const Outcome seed = takt({"evaluate", a, "--seed", "2"});
  REQUIRE(seed.status == tools::kUsage);
  REQUIRE_THAT(seed.err, Contains("--seed goes with --estimate"));
  const Outcome lines = takt({"evaluate", a, "--lines", "--estimate"});
  REQUIRE(lines.status == tools::kUsage);
  REQUIRE_THAT(lines.err, Contains("--estimate does not go with --lines"));
}

TEST_CASE("the fields stand in one order, whatever the answer") {
  const std::string order =
      "file model exact period period_decimal throughput throughput_decimal period_lower_bound "
      "period_lower_bound_decimal period_upper_bound period_upper_bound_decimal max_cycle_time max_cycle_time_decimal "
      "busiest_resource has_critical_resource method hyper_period distinct_rows critical_circuit resources ";
  REQUIRE(keys(json_of({source(kExampleA), "--model", "strict"})) == order);
  ordered_json interval = json_of({source(kExampleA), "--model", "strict", "--max-rows", "5"}, tools::kLimit);
  REQUIRE(interval.erase("limit") == 1);
  REQUIRE(keys(interval) == order);
}

TEST_CASE("where nothing takes time the period is 0 and there is no throughput") {
  ordered_json document = ordered_json::parse(kSmall);
  document["platform"].erase("links");
  for (ordered_json& stage : document["application"]["stages"]) stage["work"] = 0;
  const ordered_json results = json_of({"-"}, tools::kAnswered, document.dump());
  REQUIRE(results.size() == 2);
  for (const ordered_json& result : results) {
    REQUIRE(result.at("exact") == true);
    REQUIRE(result.at("period") == "0");
    REQUIRE(result.at("period_decimal") == 0.0);
    REQUIRE(result.at("throughput").is_null());
    for (const ordered_json& resource : result.at("resources")) REQUIRE(resource.at("utilization").is_null());
  }
  const Outcome table = takt({"evaluate", "-", "--model", "strict"}, document.dump());
  REQUIRE_THAT(table.out, Contains("nothing in this mapping takes any time") && !Contains("throughput"));
}

TEST_CASE("a plan's mapped document, whose bandwidths are ports, has a report under every model") {
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  REQUIRE(takt({"plan", source("examples/catalogue.json"), "--rate", "200/s", "-o", mapped}).status == 0);
  REQUIRE(ordered_json::parse(text_of(mapped))["platform"].contains("links") == false);
  for (const std::string model : {"overlap", "strict"}) {
    const std::string page = folder.path(model + ".html");
    REQUIRE(takt({"report", mapped, "--model", model, "-o", page}).status == tools::kAnswered);
    CHECK_THAT(text_of(page), Contains("What would help"));
  }
}

TEST_CASE("potentials name the limit where bounds are beyond what floating point estimates") {
  for (const std::string power : {"e250", "e-250"}) {
    auto document = ordered_json::parse(text_of(source(kExampleA)));
    const std::function<void(ordered_json&)> scale = [&](ordered_json& value) {
      for (auto& [key, member] : value.items()) {
        if (key == "time" && member.is_number()) {
          member = member.dump() + power;
        } else if (member.is_structured()) {
          scale(member);
        }
      }
    };
    scale(document);
    const Outcome outcome = takt({"evaluate", "-", "--model", "strict", "--method", "potentials"}, document.dump());
    CHECK(outcome.status == tools::kLimit);
    CHECK_THAT(outcome.out,
               Contains("digits before or behind the decimal point of the bounds would be needed, the limit "
                        "is 200 (--method residue)."));
  }
}

TEST_CASE("the order in which a processor serves its parts is named, by evaluate, sensitivity and report") {
  const std::string file = source("examples/server-in-two-parts.json");
  const std::string sentence =
      "The order in which server serves its parts is on the critical circuit: compute decode of data set 1 starts only "
      "after compute store of data set 0.";
  for (const std::string model : {"overlap", "strict"}) {
    CHECK_THAT(takt({"evaluate", file, "--model", model}).out, Contains("\n" + sentence + "\n"));
    CHECK_THAT(takt({"sensitivity", file, "--model", model}).out, Contains("\n" + sentence + "\n"));
    const TemporaryFolder folder;
    REQUIRE(takt({"report", file, "--model", model, "-o", folder.path("r.html")}).status == tools::kAnswered);
    CHECK_THAT(text_of(folder.path("r.html")), Contains(sentence));
    const auto json = ordered_json::parse(takt({"evaluate", file, "--model", model, "--json"}).out);
    const auto& wait = json.at("critical_circuit").at("order_wait");
    CHECK(wait.at("processor") == "server");
    CHECK(wait.at("earlier").at("stages") == ordered_json{"store"});
    CHECK(wait.at("earlier").at("data_set") == 0);
    CHECK(wait.at("later").at("stages") == ordered_json{"decode"});
    CHECK(wait.at("later").at("data_set") == 1);
  }
  // Without the order nothing is to be said of it.
  const std::string example = takt({"evaluate", source(kExampleA)}).out;
  CHECK(example.find("The order in which") == std::string::npos);
}

TEST_CASE("room that would be too small for machines in turn is enough for the mapping as it is") {
  const Outcome outcome = takt({"evaluate", "-", "--model", "bounded", "--rooms", "1"}, R"({
    "application": {"stages": [
      {"name": "a", "output": 1, "time": {"P": 1, "Q": 1}}, {"name": "b", "time": {"P": 1, "Q": 1, "R": 1}}
    ]},
    "platform": {
      "processors": [{"name": "P"}, {"name": "Q"}, {"name": "R", "host": "H"}, {"name": "S", "speed": 1, "host": "H"}],
      "time": 1
    },
    "mapping": [{"stages": ["a"], "processors": ["P", "Q"]}, {"stages": ["b"], "processors": ["Q", "P", "P", "R"]}],
    "transfers": [{"from": 0, "to": 1, "ahead": 3}]
  })");
  CHECK(outcome.err.empty());
  CHECK(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("  period              1 time unit per data set\n"));
}

TEST_CASE("transfers that are ahead lower the period where that order costs something") {
  const std::string file = source("examples/server-in-two-parts.json");
  const std::string advice =
      "With the output of decode 2 data sets ahead the period would be 15 ms per data set, and no order has a shorter "
      "period. A data set would then stay up to 44 ms in an even stream, as at present. takt evaluate --ahead best "
      "shows it, and writes it with -o.";
  CHECK_THAT(takt({"evaluate", file, "--model", "overlap"}).out, Contains("\n" + advice + "\n"));
  CHECK_THAT(
      takt({"evaluate", file, "--model", "strict"}).out,
      Contains("With the output of decode 1 data set ahead the period would be 22 ms per data set, the best found. "));
  const TemporaryFolder folder;
  REQUIRE(takt({"report", file, "--model", "overlap", "-o", folder.path("r.html")}).status == tools::kAnswered);
  CHECK_THAT(text_of(folder.path("r.html")), Contains(advice));
  const auto json = json_of({file, "--model", "overlap"}).at("ahead");
  CHECK_FALSE(json.at("applied"));
  CHECK(json.at("transfers").dump() == R"([{"sending_part":0,"receiving_part":1,"ahead_by":2}])");
  CHECK(json.at("period") == "3/200");
  CHECK(json.at("period_without") == "39/1000");
  CHECK(json.at("proved_least"));
  // What it writes is an instance of that period, with a certificate, and needs no advice.
  const std::string written = folder.path("written.json");
  const Outcome best = takt({"evaluate", file, "--model", "overlap", "--ahead", "best", "-o", written});
  CHECK_THAT(best.out, Contains("\n"
                                "This is with the output of decode 2 data sets ahead; otherwise the period is 39 ms "
                                "per data set. No order of the operations has a shorter period.\n"));
  const std::string certificate = folder.path("certificate.json");
  const Outcome again = takt({"evaluate", written, "--model", "overlap", "--certificate", certificate});
  CHECK_THAT(again.out, Contains("period              15 ms per data set"));
  CHECK(again.out.find("ahead") == std::string::npos);
  CHECK(takt({"check", written, certificate}).status == tools::kAnswered);
  CHECK(takt({"check", file, certificate}).status != tools::kAnswered);
}

TEST_CASE("where nothing that is ahead lowers the period, --ahead best says so") {
  CHECK_THAT(takt({"evaluate", source(kExampleA), "--model", "overlap", "--ahead", "best"}).out,
             Contains("\n"
                      "No transfer ahead shortens the period: it is the largest cycle time.\n"));
  const TemporaryFolder folder;
  const std::string written = folder.path("written.json");
  const std::string file = source("examples/server-in-two-parts.json");
  REQUIRE(takt({"evaluate", file, "--model", "strict", "--ahead", "best", "-o", written}).status == tools::kAnswered);
  CHECK_THAT(takt({"evaluate", written, "--model", "strict", "--ahead", "best"}).out,
             Contains("\n"
                      "No transfer ahead was found that shortens the period.\n"));
}

TEST_CASE("map says which transfers to have ahead, of a mapping that puts a processor into several parts") {
  const TemporaryFolder folder;
  const Outcome outcome = takt({"map", source("tests/data/server-only.json"), "--heuristic", "polish", "--model",
                                "overlap", "-o", folder.path("mapped.json")});
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("\nWith the output of decode ") && Contains("ahead the period would be "));
  CHECK_THAT(takt({"evaluate", folder.path("mapped.json"), "--model", "overlap"}).out,
             Contains("\nWith the output of decode "));
}

TEST_CASE("map --ahead best proposes mappings with the transfers ahead that it says, and writes them") {
  const TemporaryFolder folder;
  const std::string problem = source("tests/data/server-only.json");
  const std::string plain = folder.path("plain.json");
  const std::string ahead = folder.path("ahead.json");
  const std::vector<std::string> words = {"map", problem, "--heuristic", "polish", "--model", "overlap", "-o"};
  const auto with = [&](const std::vector<std::string>& more) {
    const Outcome outcome = takt(appended(words, more));
    REQUIRE(outcome.status == tools::kAnswered);
    return outcome;
  };
  with({plain});
  const Outcome told = with({ahead, "--ahead", "best"});
  CHECK_THAT(told.out, Contains(" with the output of decode ") && Contains("\nThis is with the output of decode ") &&
                           Contains("; otherwise the period is "));
  CHECK_THAT(told.err, Contains("The notes before this one are about mappings without transfers ahead."));
  // The same mapping, of the period that is said, which is the one that evaluate --ahead best finds.
  const ordered_json before = ordered_json::parse(text_of(plain));
  const ordered_json after = ordered_json::parse(text_of(ahead));
  CHECK(before.at("mapping") == after.at("mapping"));
  CHECK_FALSE(before.contains("transfers"));
  CHECK(json_of({plain, "--model", "overlap", "--ahead", "best"}).at("ahead").at("transfers").size() ==
        after.at("transfers").size());
  const auto json = ordered_json::parse(with({ahead, "--ahead", "best", "--json"}).out);
  CHECK(json_of({ahead, "--model", "overlap"}).at("period") == json.at("predicted_period"));
  CHECK(json.at("ahead").at("applied") == true);
  CHECK(json.at("ahead").at("period") == json.at("predicted_period"));
  CHECK(json.at("ahead").at("period_without") == json_of({plain, "--model", "overlap"}).at("period"));
  CHECK(json.at("relation") == "equal");
  CHECK_FALSE(json.contains("any_mapping_period_lower_bound"));
  CHECK(takt({"verify", ahead}).status == tools::kAnswered);
  // Of all heuristics, and of the best of them, the ranking is that of periods with what is ahead.
  for (const std::string which : {"all", ""}) {
    const support::CountedClock clock(std::chrono::milliseconds(1));
    std::vector<std::string> all = {"map", problem,   "--model", "overlap", "--time-limit",
                                    "2",   "--ahead", "best",    "-o",      ahead};
    if (!which.empty()) all.insert(all.end(), {"--heuristic", which});
    CHECK_THAT(takt(all).out, Contains("with the output of decode "));
    CHECK(ordered_json::parse(text_of(ahead)).contains("transfers"));
  }
}

TEST_CASE("where nothing ahead helps what map proposes, it says so") {
  const TemporaryFolder folder;
  const std::string out = folder.path("mapped.json");
  const Outcome outcome = takt({"map", source("examples/hedpm-problem.json"), "--heuristic", "bsc", "--model",
                                "overlap", "--ahead", "best", "-o", out});
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("\n"
                                   "No transfer ahead shortens the period: it is the largest cycle time.\n"));
  CHECK_FALSE(ordered_json::parse(text_of(out)).contains("transfers"));
  CHECK_THAT(takt({"map", source("examples/hedpm-problem.json"), "--ahead", "most"}).err, Contains("--ahead"));
}

TEST_CASE("commands that do not know transfers that are ahead say so") {
  const TemporaryFolder folder;
  const std::string file = folder.path("ahead.json");
  REQUIRE(takt({"evaluate", source("examples/server-in-two-parts.json"), "--model", "overlap", "--ahead", "best", "-o",
                file})
              .status == tools::kAnswered);
  const std::string reason = "found a transfer that is 2 ahead";
  const Outcome mapped = takt({"map", file, "--heuristic", "polish"});
  CHECK(mapped.status != tools::kAnswered);
  CHECK_THAT(mapped.err, Contains(reason));
  for (const std::string method : {"pattern", "simulate", "potentials"}) {
    const Outcome outcome = takt({"evaluate", file, "--model", "strict", "--method", method});
    CHECK(outcome.status == tools::kUsage);
    CHECK_THAT(outcome.err, Contains("it takes only transfers without \"ahead\""));
  }
  CHECK_THAT(takt({"evaluate", file, "-o", folder.path("x.json")}).err, Contains("-o goes with --ahead best"));
}

}  // namespace
}  // namespace takt::testing

// takt gantt: drawings, tables, traces, and what is refused; takt simulate -o OUT.svg.
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/counted_clock.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;
using nlohmann::ordered_json;

std::vector<std::string> gantt(const std::vector<std::string>& more) {
  return appended({"gantt", source(kExampleA)}, more);
}

TEST_CASE("gantt writes SVG, and of two models a file each") {
  const TemporaryFolder folder;
  const Outcome two = takt(gantt({"-o", folder.path("a.svg")}));
  REQUIRE(two.status == tools::kAnswered);
  CHECK(two.err.empty());
  CHECK(two.out == "wrote " + folder.path("a-overlap.svg") +
                       ": one lap of the critical circuit: 2 operations, 378 time units for 2 data sets\nwrote " +
                       folder.path("a-strict.svg") +
                       ": one lap of the critical circuit: 10 operations, 1384 time units for 6 data sets\n");
  const Outcome one = takt(gantt({"--model", "strict"}));
  CHECK(one.out == text_of(folder.path("a-strict.svg")));
  CHECK_THAT(one.out, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "));
  const Outcome both = takt(gantt({}));
  CHECK(both.status == tools::kAnswered);
  CHECK(both.out == text_of(folder.path("a-overlap.svg")));
  CHECK_THAT(both.err, Contains(": under OVERLAP ONE-PORT (default; --model strict for the other)\n"));
  CHECK(folder.names() == std::vector<std::string>{"a-overlap.svg", "a-strict.svg"});
}

TEST_CASE("gantt says on the line and in the drawing what it left out") {
  const TemporaryFolder folder;
  const Outcome outcome =
      takt({"gantt", source("examples/example-c.json"), "--model", "strict", "-o", folder.path("c.svg")});
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, EndsWith("; first 14 of 42 operations of the critical circuit\n"));
  CHECK_THAT(text_of(folder.path("c.svg")), Contains("Shown: first 14 of 42 operations of the critical circuit."));
}

TEST_CASE("gantt writes CSV and JSON of the same operations") {
  const Outcome csv = takt(gantt({"--model", "strict", "--format", "csv"}));
  REQUIRE(csv.status == tools::kAnswered);
  const auto lines = lines_of(csv.out);
  CHECK(lines[0] ==
        "model,data_set,operation,part,stages,processor,peer,start,end,start_decimal,end_decimal,schedule,critical");
  CHECK(lines[1] == "strict,-1,compute,2,S2,P5,,0,73,0,73,paced,false");
  CHECK(std::ranges::count_if(lines, [](const std::string& line) { return line.ends_with("paced,true"); }) == 10);
  const ordered_json json = ordered_json::parse(takt(gantt({"--model", "strict", "--format", "json"})).out);
  CHECK(json.at("model") == "strict");
  CHECK(json.at("schedule") == "paced");
  CHECK(json.at("period") == "692/3");
  CHECK(json.at("entry") == "-829/3");
  CHECK(json.at("window_begin") == "0");
  CHECK(json.at("window_end") == "1384");
  CHECK(json.at("operations").size() == lines.size() - 1);
  CHECK(json.at("operations")[0].dump() ==
        R"({"operation":"compute","part":2,"stages":["S2"],"processor":"P5","data_set":-1,"start":"0",)"
        R"("start_decimal":0.0,"end":"73","end_decimal":73.0,"critical":false})");
  const ordered_json both = ordered_json::parse(takt(gantt({"--format", "json"})).out);
  REQUIRE(both.size() == 2);
  CHECK(both[0].at("model") == "overlap");
}

TEST_CASE("a start-up as CSV is what simulate writes, where both have the same data sets") {
  const Outcome chart = takt(gantt({"--schedule", "start-up", "--to", "100000", "--format", "csv"}));
  REQUIRE(chart.status == tools::kAnswered);
  const auto played = lines_of(takt({"simulate", source(kExampleA), "--data-sets", "300"}).out);
  const auto lines = lines_of(chart.out);
  std::map<std::string, std::string> known;
  for (const std::string& line : lines) known[line.substr(0, line.rfind(',', line.rfind(',') - 1))] = line;
  for (std::size_t k = 1; k < played.size(); ++k) {
    REQUIRE(known.contains(played[k]));
    CHECK(known.at(played[k]) == played[k] + ",start-up,");
  }
}

TEST_CASE("windows are by time or by data sets") {
  const auto window = [](std::vector<std::string> more) {
    more.insert(more.end(), {"--model", "strict", "--format", "json"});
    const ordered_json json = ordered_json::parse(takt(gantt(more)).out);
    return json.at("window_begin").get<std::string>() + " to " + json.at("window_end").get<std::string>();
  };
  CHECK(window({"--data-sets", "3"}) == "0 to 692");
  CHECK(window({"--to", "12.5"}) == "0 to 25/2");
  CHECK(window({"--from", "-1/3", "--to", "7"}) == "-1/3 to 7");
  CHECK(window({"--schedule", "start-up"}) == "0 to 1777");
  CHECK(window({"--schedule", "start-up", "--data-sets", "1"}) == "0 to 685");
}

TEST_CASE("gantt refuses what it cannot draw, and says what to do") {
  const TemporaryFolder folder;
  const auto refused = [&](std::vector<std::string> more, int status, const std::string& message) {
    const Outcome outcome = takt(gantt(more));
    CHECK(outcome.status == status);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains(message));
  };
  refused({"--from", "3"}, tools::kUsage, "--from goes with --to");
  refused({"--from", "3", "--to", "3"}, tools::kUsage, "expected --to after --from");
  refused({"--to", "soon"}, tools::kUsage, R"(found "soon", expected a time)");
  refused({"--data-sets", "3", "--to", "3"}, tools::kUsage, "--data-sets");
  refused({"-o", folder.path("a.gif")}, tools::kUsage,
          "a chart's name ends in .svg, .png, .pdf, .csv, .json or .trace.json");
  refused({"-o", "-", "--format", "svg", "--model", "strict"}, tools::kUsage, "-o takes a file");
  refused({"--model", "strict", "--to", "100000000"}, tools::kLimit, "the window has more than 20000 operations");
  refused({"--model", "strict", "--schedule", "start-up", "--from", "1e20", "--to", "1e21"}, tools::kLimit,
          "too far from the start");
  refused({"--model", "strict", "--schedule", "start-up", "--data-sets", "18446744073709551615"}, tools::kLimit,
          "129127208515966861305 operations would be needed");
  refused({"--model", "strict", "--color", "red"}, tools::kUsage, "--color");
  CHECK(folder.names().empty());
}

TEST_CASE("the steady state needs the exact period") {
  // Rows whose number has nine digits, and no method within the time.
  const std::string document = tpn::write_document(support::dealt_document(9, 120, 100, 999, 1));
  const support::CountedClock clock(std::chrono::milliseconds(1));
  const Outcome outcome = takt({"gantt", "-", "--model", "strict", "--time-limit", "10ms"}, document);
  CHECK(outcome.status == tools::kLimit);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Contains("--schedule start-up needs none") || Contains("time limit was reached"));
}

TEST_CASE("a start-up of a thousand processors is a drawing that can be looked at") {
  const std::string document = tpn::write_document(support::dealt_document(50, 1000, 100, 999, 1));
  const Outcome outcome = takt({"gantt", "-", "--model", "overlap", "--schedule", "start-up"}, document);
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK(outcome.out.size() < 110'000);
  CHECK_THAT(outcome.out, Contains(" lines, those of data set 0; "));
  CHECK_THAT(outcome.out, Contains("; first 1 of the "));
}

// A slice: process and thread, start, end in nanoseconds.
using Slices = std::map<std::tuple<int, int>, std::vector<std::tuple<std::int64_t, std::int64_t>>>;

std::int64_t nanoseconds(const ordered_json& microseconds) { return std::llround(microseconds.get<double>() * 1000); }

TEST_CASE(
    "a trace has a process per part, whose threads are its machines' resources, slices that do not overlap, and flows "
    "along the circuit") {
  const Outcome outcome = takt(gantt({"--model", "overlap", "--data-sets", "6", "--format", "trace"}));
  REQUIRE(outcome.status == tools::kAnswered);
  const ordered_json trace = ordered_json::parse(outcome.out);
  CHECK(trace.at("otherData").at("model") == "overlap");
  std::map<std::string, int> count;
  std::vector<std::string> names;
  Slices slices;
  std::map<int, std::vector<std::tuple<int, int, double>>> flows;
  std::int64_t first = INT64_MAX;
  for (const ordered_json& event : trace.at("traceEvents")) {
    const std::string phase = event.at("ph");
    ++count[phase == "M" ? event.at("name").get<std::string>() : phase];
    if (phase == "M" && event.at("name") == "process_name") names.push_back(event.at("args").at("name"));
    if (phase == "X") {
      const std::int64_t start = nanoseconds(event.at("ts"));
      slices[{event.at("pid"), event.at("tid")}].emplace_back(start, start + nanoseconds(event.at("dur")));
      first = std::min(first, start);
    }
    if (phase == "s" || phase == "f")
      flows[event.at("id")].emplace_back(event.at("pid"), event.at("tid"), event.at("ts"));
  }
  CHECK(first == 0);
  CHECK(count.at("process_name") == 4);
  CHECK(names == std::vector<std::string>{"S0", "S1 on 2 machines", "S2 on 3 machines", "S3"});
  CHECK(count.at("thread_name") == 19);
  CHECK(count.at("s") == 5);
  CHECK(count.at("f") == 5);
  for (const auto& [id, ends] : flows) {
    REQUIRE(ends.size() == 2);
    for (const auto& [process, thread, time] : ends) {
      const auto& on = slices.at({process, thread});
      const std::int64_t at = std::llround(time * 1000);
      CHECK(std::ranges::any_of(on, [&](const auto& slice) { return std::get<0>(slice) == at; }));
    }
  }
}

TEST_CASE("slices of a thread never overlap, however times are rounded") {
  std::size_t threads = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::string document = tpn::write_document(support::random_document(support::Kind::fractional, seed));
    for (const char* model : {"overlap", "strict"}) {
      for (const char* unit : {"ns", "us"}) {
        INFO("seed " << seed << ", " << model << ", " << unit);
        const Outcome outcome = takt({"gantt", "-", "--model", model, "--format", "trace", "--unit", unit}, document);
        REQUIRE(outcome.status == tools::kAnswered);
        Slices slices;
        const ordered_json trace = ordered_json::parse(outcome.out);
        for (const ordered_json& event : trace.at("traceEvents")) {
          if (event.at("ph") != "X") continue;
          const std::int64_t start = nanoseconds(event.at("ts"));
          slices[{event.at("pid"), event.at("tid")}].emplace_back(start, start + nanoseconds(event.at("dur")));
        }
        threads += slices.size();
        for (auto& [thread, on] : slices) {
          std::ranges::sort(on);
          for (std::size_t k = 1; k < on.size(); ++k) REQUIRE(std::get<1>(on[k - 1]) <= std::get<0>(on[k]));
        }
      }
    }
  }
  CHECK(threads > 50);
}

TEST_CASE("an instance in which nothing takes any time is drawn all the same") {
  const std::string nothing = R"({"application": {"stages": [{"name": "a"}]},
    "platform": {"processors": [{"name": "P", "time": 0}]}, "mapping": [{"stages": ["a"], "processors": ["P"]}]})";
  for (const char* schedule : {"paced", "start-up"}) {
    for (const char* format : {"svg", "csv", "json", "trace"}) {
      INFO(schedule << ", " << format);
      const Outcome outcome =
          takt({"gantt", "-", "--model", "strict", "--schedule", schedule, "--format", format}, nothing);
      CHECK(outcome.status == tools::kAnswered);
      CHECK_FALSE(outcome.out.empty());
    }
  }
}

TEST_CASE("simulate draws into a file that ends in .svg, the data sets that are asked for and no others") {
  const TemporaryFolder folder;
  const Outcome outcome =
      takt({"simulate", source(kExampleA), "--model", "strict", "--data-sets", "2", "-o", folder.path("a.svg")});
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK(outcome.out == "wrote " + folder.path("a.svg") + ": the first 2 data sets are done after 929 time units\n");
  const std::string drawing = text_of(folder.path("a.svg"));
  CHECK_THAT(drawing, Contains("data set 1: "));
  CHECK_THAT(drawing, !Contains("data set 2: "));
  const Outcome both = takt({"simulate", source(kExampleA), "-o", folder.path("b.svg")});
  REQUIRE(both.status == tools::kAnswered);
  CHECK(folder.names() == std::vector<std::string>{"a.svg", "b-overlap.svg", "b-strict.svg"});
  CHECK(text_of(folder.path("b-strict.svg")) == takt(gantt({"--model", "strict", "--schedule", "start-up"})).out);
  const Outcome table = takt({"simulate", source(kExampleA), "-o", folder.path("c.svg"), "--format", "csv"});
  REQUIRE(table.status == tools::kAnswered);
  CHECK_THAT(text_of(folder.path("c.svg")), StartsWith("model,"));
  const Outcome many = takt({"simulate", source(kExampleA), "--data-sets", "9999", "-o", folder.path("d.svg")});
  CHECK(many.status == tools::kLimit);
  CHECK_THAT(many.err, Contains("more than 20000 operations are not drawn (--data-sets)"));
}

}  // namespace
}  // namespace takt::testing

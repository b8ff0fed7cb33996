// takt measure: traces in every form and order, what is wrong with others, and what is told of a run.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/draw.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using nlohmann::ordered_json;

std::string simulated(const std::string& instance, const std::string& model, const std::string& data_sets,
                      const std::string& format = "csv") {
  const Outcome outcome = takt({"simulate", instance, "--model", model, "--data-sets", data_sets, "--format", format});
  REQUIRE(outcome.status == tools::kAnswered);
  return outcome.out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

TEST_CASE("measure tells of a run beside its prediction") {
  const Outcome outcome =
      takt({"measure", source(kExampleA), "-", "--tolerance", "0"}, simulated(source(kExampleA), "strict", "400"));
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  CHECK(outcome.out == source(kExampleA) + R"(, STRICT ONE-PORT
predicted 230.667 time units (exactly 692/3) (no critical resource: M_ct 215.833 of P2)
measured  230.667, +0.00 % (mean 230.667, 95 %: 230.667 .. 230.667; 400 data sets, 0 stalls)
explained with mean times                 230.667, +0.00 %
          with each operation's own time  230.667, +0.00 %
          the rest                        +0, +0.00 %
what counts: nothing: none of these makes a difference of 1 %
400 data sets delivered in order, none lost, none twice

Utilizations, the busiest first
  resource  measured  predicted
  P2          93.6 %     93.6 %
  P0          91.5 %     91.5 %
  P1          86.8 %     86.8 %
  P6          52.9 %     52.9 %
  P4          45.0 %     45.0 %
  P3          41.2 %     41.2 %
  P5          37.7 %     37.7 %
)");
}

TEST_CASE("all examples, simulated, are measured exactly, as CSV and as JSON") {
  for (const std::string name : {"example-a", "example-b", "example-c", "weighted-round-robin", "several-parts",
                                 "unequal-links", "video", "hedpm-case-study"}) {
    const std::string instance = source("examples/" + name + ".json");
    for (const std::string model : {"overlap", "strict"}) {
      for (const std::string format : {"csv", "json"}) {
        CAPTURE(name, model, format);
        const Outcome outcome =
            takt({"measure", instance, "-", "--tolerance", "0", "--json"}, simulated(instance, model, "600", format));
        CHECK(outcome.status == tools::kAnswered);
        const ordered_json result = ordered_json::parse(outcome.out);
        CHECK(result.at("measured_period") == result.at("predicted_period"));
        const ordered_json& explanation = result.at("explanation");
        CHECK(explanation.at("mean_times_period") == explanation.at("instance_period"));
        CHECK(explanation.at("own_times_period") == result.at("measured_period"));
        CHECK(explanation.at("rest_period") == "0");
        CHECK(result.at("model") == model);
        CHECK(result.at("delivered") == 600);
        CHECK(result.at("holds") == true);
      }
    }
  }
}

TEST_CASE("the JSON of a measured run has its period as numbers and exactly") {
  const std::string trace = simulated(source(kExampleA), "strict", "100", "json");
  const ordered_json result = ordered_json::parse(takt({"measure", source(kExampleA), "-", "--json"}, trace).out);
  CHECK(result.at("file") == source(kExampleA));
  CHECK(result.at("trace_file") == "-");
  CHECK(result.at("predicted_period_decimal").get<double>() == Approx(692 / 3.0));
  CHECK(result.at("measured_period_decimal").get<double>() == Approx(692 / 3.0));
  CHECK(result.at("measured_period") == "692/3");
  CHECK(result.at("predicted_by") == "period");
  CHECK(result.at("explanation").at("mean_times_period") == "692/3");
  CHECK(result.at("explanation").at("main_causes").empty());
  CHECK(result.at("max_cycle_time") == "1295/6");
  CHECK(result.at("gap_percent") == 0.0);
  CHECK(result.at("stalls") == 0);
  CHECK(result.at("dropped") == 20);
  CHECK(result.at("window_length") == 6);
  CHECK(result.at("resources").size() == 7);
  CHECK(!result.contains("unit_seconds"));
  CHECK(!result.contains("tolerance"));
}

TEST_CASE("a run in another order, with its columns in another, says the same") {
  std::vector<std::string> lines = lines_of(simulated(source(kExampleA), "overlap", "60"));
  const std::string in_order = takt({"measure", source(kExampleA), "-"}, joined(lines)).out;
  std::vector<std::string> rows(lines.begin() + 1, lines.end());
  support::Draw(7).shuffle(rows);
  rows.insert(rows.begin(), lines.front());
  CHECK(takt({"measure", source(kExampleA), "-"}, joined(rows)).out == in_order);

  ordered_json object = ordered_json::parse(simulated(source(kExampleA), "overlap", "60", "json"));
  std::reverse(object["operations"].begin(), object["operations"].end());
  CHECK(takt({"measure", source(kExampleA), "-"}, object.dump()).out == in_order);
  CHECK(takt({"measure", source(kExampleA), "-"}, object.dump(4)).out == in_order);

  std::vector<std::string> bare = {"end,start,peer,processor,part,operation,data_set,model"};
  for (const auto& operation : object["operations"]) {
    bare.push_back(operation["end"].get<std::string>() + "," + operation["start"].get<std::string>() + "," +
                   operation.value("peer", "") + "," + operation["processor"].get<std::string>() + "," +
                   operation["part"].dump() + "," + operation["operation"].get<std::string>() + "," +
                   operation["data_set"].dump() + ",overlap");
  }
  CHECK(takt({"measure", source(kExampleA), "-"}, joined(bare)).out == in_order);
}

TEST_CASE("of a trace with several models one is measured, the one that is said") {
  for (const std::string format : {"csv", "json"}) {
    const std::string both = takt({"simulate", source(kExampleA), "--data-sets", "60", "--format", format}).out;
    const Outcome unsaid = takt({"measure", source(kExampleA), "-"}, both);
    CHECK(unsaid.status == tools::kUsage);
    CHECK(lines_of(unsaid.err).front() ==
          "takt measure: standard input holds runs under overlap and strict; say which with --model");
    for (const std::string model : {"overlap", "strict"}) {
      const Outcome one = takt({"measure", source(kExampleA), "-", "--model", model, "--tolerance", "0"}, both);
      CHECK(one.status == tools::kAnswered);
      CHECK(one.out ==
            takt({"measure", source(kExampleA), "-"}, simulated(source(kExampleA), model, "60", format)).out);
    }
    const Outcome none = takt({"measure", source(kExampleA), "-", "--model", "bounded"}, both);
    CHECK(none.status == tools::kBadInput);
    CHECK(none.err ==
          "takt: standard input: found a run under overlap and strict, expected one under bounded (--model)\n");
  }
}

TEST_CASE("rooms are those of the trace where it says some") {
  const std::string trace = takt({"simulate", source(kExampleA), "--model", "bounded", "--rooms", "2", "--data-sets",
                                  "60", "--format", "json"})
                                .out;
  const Outcome said = takt({"measure", source(kExampleA), "-", "--tolerance", "0"}, trace);
  CHECK(said.status == tools::kAnswered);
  CHECK_THAT(said.out, Contains("BOUNDED ONE-PORT, ROOM FOR 2 FILES"));
  CHECK(takt({"measure", source(kExampleA), "-", "--rooms", "1", "--tolerance", "0"}, trace).status == tools::kNo);
  CHECK(takt({"measure", source(kExampleA), "-", "--model", "bounded", "--rooms", "1", "--tolerance", "0"}, trace)
            .status == tools::kNo);
}

TEST_CASE("a run that is further off than the tolerance is answered with no") {
  ordered_json object = ordered_json::parse(simulated(source(kExampleA), "strict", "100", "json"));
  for (auto& operation : object["operations"]) {
    for (const char* const key : {"start", "end"}) {
      operation[key] = operation[key].get<std::string>() + "01";  // times 100, and 1 more
    }
  }
  const Outcome off = takt({"measure", source(kExampleA), "-", "--tolerance", "1%"}, object.dump());
  CHECK(off.status == tools::kNo);
  CHECK_THAT(off.out, Contains("measured  23066.7, +9900.00 %"));
  CHECK_THAT(off.out, Contains("\nexplained with mean times                 23066.7, +9900.00 %\n"));
  CHECK_THAT(off.out, Contains("\nwhat counts: times are not those of the instance: on the busiest, P2, "));
  CHECK_THAT(off.out, Contains("\nThe measured period is further off than the tolerance of 1%.\n"));
  const Outcome json = takt({"measure", source(kExampleA), "-", "--tolerance", "1%", "--json"}, object.dump());
  CHECK(json.status == tools::kNo);
  CHECK(ordered_json::parse(json.out).at("holds") == false);
  CHECK(takt({"measure", source(kExampleA), "-"}, object.dump()).status == tools::kAnswered);
  CHECK(takt({"measure", source(kExampleA), "-", "--tolerance", "9900%"}, object.dump()).status == tools::kAnswered);
}

TEST_CASE("the instance with the measured durations is written, and has the measured period") {
  const TemporaryFolder folder;
  const std::string out = folder.path("measured.json");
  for (const std::string name : {"example-a", "weighted-round-robin", "video"}) {
    const std::string instance = source("examples/" + name + ".json");
    const std::string trace = simulated(instance, "strict", "400");
    const Outcome outcome = takt({"measure", instance, "-", "--measured", out}, trace);
    CHECK(outcome.status == tools::kAnswered);
    CHECK_THAT(outcome.out, Contains("wrote " + out + ": the instance with the measured durations"));
    const ordered_json before = ordered_json::parse(takt({"evaluate", instance, "--model", "strict", "--json"}).out);
    const ordered_json after = ordered_json::parse(takt({"evaluate", out, "--json"}).out);
    CHECK(after.at("model") == "strict");
    CHECK(after.at("period") == before.at("period"));
    CHECK(after.at("resources") == before.at("resources"));
  }
  CHECK(takt({"measure", source(kExampleA), source(kExampleA), "--measured", "-"}).status == tools::kUsage);
  CHECK(takt({"measure", source(kExampleA), source(kExampleA), "--measured", source(kExampleA)}).status ==
        tools::kBadInput);
}

TEST_CASE("a window of data sets is among what operations wait for") {
  const Outcome outcome = takt({"measure", source(kExampleA), "-", "--window", "2", "--json"},
                               simulated(source(kExampleA), "strict", "100"));
  const ordered_json result = ordered_json::parse(outcome.out);
  CHECK(result.at("window") == 2);
  CHECK(result.at("predicted_period_decimal").get<double>() > 231);
  CHECK(result.at("early_operations").get<int>() > 0);
}

struct WrongTrace {
  std::string from;  // of the right trace
  std::string to;
  std::string message;
};

TEST_CASE("what is wrong with a trace is told with its line") {
  const std::string right = simulated(source(kExampleA), "strict", "10");
  const std::string second = "strict,0,transfer,0,,P0,P1,22,208,22,208\n";
  const std::string header = "the columns model,data_set,operation,part,stages,processor,peer,start,end";
  const std::vector<WrongTrace> wrongs = {
      {"P0,P1,22", "P9,P1,22",
       ":3: found the processor \"P9\", expected \"P0\", which sends the file of part 0 of data set 0"},
      {"P0,P1,22", "P0,P2,22",
       ":3: found the peer \"P2\", expected \"P1\", which receives the file of part 0 of data set 0"},
      {"0,S0,P0,,0,22", "0,S0,P\xff,,0,22",
       ":2: found the processor \"P\\xff\", expected \"P0\", which computes part 0 of data set 0"},
      {"0,S0,P0,,0,22", "0,S1,P0,,0,22", ":2: found the stages \"S1\", expected \"S0\", those of part 0"},
      {"0,S0,P0,,0,22", "0,S0,P0,P1,0,22", ":2: found the peer \"P1\", expected none of a computation"},
      {"0,S0,P0,,0,22", "4,S0,P0,,0,22", ":2: found the part \"4\", expected a part of the mapping, from 0 to 3"},
      {"0,S0,P0,,0,22", "source,,source,,0,22",
       ":2: found the part \"source\", expected a part of the mapping, from 0 to 3"},
      {"0,S0,P0,,0,22", "0,S0,P0,,-1,22", ":2: found the start \"-1\", expected a time that is not below 0"},
      {"0,S0,P0,,0,22", "0,S0,P0,,0,-1/2", ":2: found the end \"-1/2\", expected a time that is not below 0"},
      {"0,S0,P0,,0,22", "0,S0,P0,,23,22",
       ":2: found the end \"22\" before the start \"23\", expected an end that is not sooner"},
      {"0,S0,P0,,0,22", "0,S0,P0,,soon,22", ":2: found the start \"soon\", expected a number"},
      {"0,S0,P0,,0,22", "0,S0,P0,,0,1e999", ":2: found the end \"1e999\", expected "},
      {"0,S0,P0,,0,22", "0,S0,P0,,0,inf", ":2: found the end \"inf\", expected "},
      {"0,S0,P0,,0,22", "0,S0,P0,,0,1/0", ":2: found the end \"1/0\", expected "},
      {"0,S0,P0,,0,22", "0,S0,P0,,0," + std::string(1001, '9'), ":2: found the end \"999"},
      {"strict,0,compute", "strict,-1,compute",
       ":2: found the data set \"-1\", expected a whole number from 0 to 2^64 - 1"},
      {"strict,0,compute", "strict,18446744073709551616,compute",
       ":2: found the data set \"18446744073709551616\", expected "},
      {"strict,0,compute", "strict,18446744073709551615,compute",
       ": found no compute S0 (P0) of data set 0, expected all 7 operations of each data set, from 0 on"},
      {"strict,0,compute", "strict,0,think", ":2: found the operation \"think\", expected compute or transfer"},
      {"strict,0,compute,3,S3,P6,", "strict,0,transfer,3,,P6,",
       ":8: found a transfer of part 3, expected none behind the last part"},
      {"strict,0,compute", "relaxed,0,compute", ":2: found the model \"relaxed\", expected overlap, strict or bounded"},
      {second, "",
       ": found no transfer the output of S0 (P0 -> P1) of data set 0, expected all 7 operations of each data set, "
       "from 0 on"},
      {second, second + second,
       ":4: found transfer the output of S0 (P0 -> P1) of data set 0 a second time, expected it once, as on line 3"},
      {"strict,0,compute,0,S0,P0,,0,22,0,22\n", "strict,0,compute\n",
       ":2: found 3 fields, expected 11, as the header has"},
      {"strict,0,compute,0,S0", "strict,0,compute,0,\"S0",
       ":2: found a quote that opens a field, expected one that closes it"},
      {"model,data_set", "modell,data_set", ":1: found the unknown column \"modell\", expected " + header},
      {"model,data_set", "data_set,data_set", ":1: found the column \"data_set\" a second time, expected it once"},
      {"start,end,start_decimal", "start,critical,start_decimal", ":1: found no column \"end\", expected " + header},
  };
  for (const WrongTrace& wrong : wrongs) {
    const Outcome outcome = takt({"measure", source(kExampleA), "-"}, replaced(right, wrong.from, wrong.to));
    CAPTURE(wrong.message, outcome.err);
    CHECK(outcome.status == tools::kBadInput);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, StartsWith("takt: standard input" + wrong.message));
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
  }
}

TEST_CASE("a trace that ends too soon, or has nothing, is refused") {
  const std::string right = simulated(source(kExampleA), "strict", "10");
  std::vector<std::string> lines = lines_of(right);
  lines.pop_back();
  CHECK_THAT(takt({"measure", source(kExampleA), "-"}, joined(lines)).err,
             StartsWith("takt: standard input: found no compute S3 (P6) of data set 9, expected all 7 operations"));
  CHECK_THAT(takt({"measure", source(kExampleA), "-"}, right.substr(0, right.size() - 30)).err,
             StartsWith("takt: standard input:71: found "));
  CHECK(takt({"measure", source(kExampleA), "-"}, "").err ==
        "takt: standard input:1: found no row, expected the header "
        "model,data_set,operation,part,stages,processor,peer,start,end\n");
  CHECK(takt({"measure", source(kExampleA), "-"}, lines.front() + "\n").err ==
        "takt: standard input: found no operation, expected those of a run\n");
  CHECK(takt({"measure", source(kExampleA), "-"}, "[]").err ==
        "takt: standard input: found no operation, expected those of a run\n");
  CHECK(takt({"measure", source(kExampleA), "-"}, simulated(source(kExampleA), "strict", "9")).err ==
        "takt: standard input: found 9 data sets, expected at least 10 to measure\n");
  CHECK_THAT(
      takt({"measure", source(kExampleA), "-"}, simulated(source("examples/example-b.json"), "strict", "10")).err,
      StartsWith("takt: standard input:"));
}

TEST_CASE("what is wrong with a trace in JSON is told with its place") {
  const std::string right = simulated(source(kExampleA), "strict", "10", "json");
  const std::string model = "\"model\": \"strict\"";
  const std::string begin = "\"operations\": [";
  const std::vector<WrongTrace> wrongs = {
      {"\"P0\",\"data_set\":0", "\"P9\",\"data_set\":0",
       ":2:3: found the processor \"P9\", expected \"P0\", which computes part 0 of data set 0"},
      {"\"start\":\"0\"", "\"start\":-1", ":2:3: found the start \"-1\", expected a time that is not below 0"},
      {"\"start\":\"0\"", "\"start\":[0]", ":2:93: found an array, expected text or a number for \"start\""},
      {"\"start\":\"0\"", "\"begin\":\"0\"", ":2:85: found the unknown key \"begin\", expected keys among operation, "},
      {"\"stages\":[\"S0\"]", "\"stages\":\"S0\"", ":2:44: found the text \"S0\", expected an array of names"},
      {begin, begin + "7, ", ":1:81: /operations/0: found the number 7, expected an object: an operation"},
      {model, "\"model\": \"loose\"", ":1:62: found the model \"loose\", expected overlap, strict or bounded"},
      {model, "\"modell\": \"strict\"", ":1:53: "},
      {model, model + ", \"rooms\": 100000", ":1:81: found the number 100000, expected at most 1000"},
      {"]}", "]", ":72:1: found the end of the file, expected "},
      {"\"P0\"", "\"P\xff\"", ":2:"},
  };
  for (const WrongTrace& wrong : wrongs) {
    const Outcome outcome = takt({"measure", source(kExampleA), "-"}, replaced(right, wrong.from, wrong.to));
    CAPTURE(wrong.message, outcome.err);
    CHECK(outcome.status == tools::kBadInput);
    CHECK_THAT(outcome.err, StartsWith("takt: standard input:"));
    CHECK_THAT(outcome.err, Contains(wrong.message.substr(wrong.message.find(' ') + 1)));
  }
  const std::string twice = "[" + right + "," + right + "]";
  CHECK_THAT(takt({"measure", source(kExampleA), "-"}, twice).err,
             Contains("found the model \"strict\" a second time, expected it once"));
}

TEST_CASE("times over denominators without common factors end at a limit") {
  std::string text = "model,data_set,operation,part,stages,processor,peer,start,end\n";
  const std::vector<std::string> lines = lines_of(simulated(source(kExampleA), "strict", "40"));
  std::string power = "1";
  for (std::size_t i = 1; i < lines.size(); ++i) {
    // Up to the start.
    std::size_t commas = 0;
    std::size_t place = 0;
    while (commas < 7) commas += lines[i][place++] == ',' ? 1 : 0;
    text += lines[i].substr(0, place) + "0,1/" + std::to_string(1'000'003 + 2 * i) + "\n";
  }
  const Outcome outcome = takt({"measure", source(kExampleA), "-"}, text);
  CHECK(outcome.status == tools::kLimit);
  CHECK_THAT(
      outcome.err,
      Contains("bits or more in the common denominator of the trace's times would be needed, the limit is 2048"));
}

}  // namespace
}  // namespace takt::testing

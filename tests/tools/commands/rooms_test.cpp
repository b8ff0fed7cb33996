// takt rooms, takt evaluate --window and takt simulate --completion: what limits hold and how long all takes.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using nlohmann::ordered_json;

const std::string kExampleB = source("examples/example-b.json");

Outcome answered(const std::vector<std::string>& arguments, const std::string& input = "") {
  Outcome outcome = takt(arguments, input);
  INFO(outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  return outcome;
}

// A chain of one stage per processor, with these times of processors and one time for all links.
std::string chain_of(const std::vector<std::string>& times, const std::string& link) {
  ordered_json document;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const std::string number = std::to_string(k);
    document["application"]["stages"].push_back({{"name", "S" + number}});
    document["platform"]["processors"].push_back({{"name", "P" + number}, {"time", times[k]}});
    document["mapping"].push_back({{"stages", {"S" + number}}, {"processors", {"P" + number}}});
  }
  document["platform"]["time"] = link;
  return document.dump();
}

std::string sentence_of(const std::string& document) { return lines_of(answered({"rooms", "-"}, document).out).at(1); }

TEST_CASE("rooms says in a sentence and in tables how much room the period takes") {
  const std::string path = source(kExampleA);
  const Outcome outcome = answered({"rooms", path});
  CHECK_THAT(outcome.out, StartsWith(path + R"(, OVERLAP ONE-PORT
The period is 189 with room for two, 211 with one; only P0's out-room needs two.

  room for all  period
             1     211
             2     189

Room that keeps the period, alone and all together: their sum, 13, is the least possible
  part  processor  room  alone  together
     0  P0         out       2         2
     1  P1         in        1         1
)"));
  const Outcome b = answered({"rooms", kExampleB});
  CHECK_THAT(b.out,
             Contains("The period is 291.667 (exactly 875/3) with room for two, 320.833 (exactly 1925/6) with one; "
                      "6 of 7 rooms need two, the other needs one."));
}

TEST_CASE("the sentence on rooms fits what needs them") {
  CHECK(sentence_of(chain_of({"5"}, "1")) == "The period is 5; no file waits before or behind a computation.");
  CHECK(sentence_of(chain_of({"5", "1"}, "1")) ==
        "The period is 5 with room for two, 6 with one; only P0's out-room needs two.");
  CHECK(sentence_of(chain_of({"5", "5"}, "1")) ==
        "The period is 5 with room for two, 6 with one; every room needs two.");
  CHECK(sentence_of(chain_of({"5", "1", "1"}, "5")) ==
        "The period is 5 with room for two, 10 with one; every room needs two.");
  CHECK(sentence_of(chain_of({"5", "1", "5"}, "1")) ==
        "The period is 5 with room for two, 6 with one; only P0's out-room and P2's in-room need two.");
  CHECK(sentence_of(chain_of({"5", "0"}, "0")) == "The period is 5 with room for one: no room needs more.");
}

TEST_CASE("rooms of batches say what a batch needs") {
  CHECK_THAT(
      answered({"rooms", source("examples/batches.json")}).out,
      Contains("The period is 2.5 ms with room for eight; with room for fewer than eight, a batch of eight is never "
               "computed; 8 of 9 rooms need up to eight, the other needs one.\n"));
}

TEST_CASE("rooms of transfers that are ahead say what is refused, and prove what keeps the period") {
  const TemporaryFolder folder;
  const std::string file = folder.path("ahead.json");
  const std::string certificate = folder.path("certificate.json");
  ordered_json document = ordered_json::parse(text_of(source("examples/server-in-two-parts.json")));
  document["transfers"] = ordered_json::parse(R"([{"from": 1, "to": 2, "ahead": 2}])");
  std::ofstream(file) << document.dump();
  CHECK_THAT(
      answered({"rooms", file, "--certificate", certificate}).out,
      Contains("The period is 15 ms with room for three; with room for fewer than three, transfers ahead might "
               "deadlock; only gpu2's in-room, gpu2's out-room and server's in-room of part 2 need up to three.\n"
               "\n"
               "  room for all   period\n"
               "        1 to 2  refused\n"
               "             3    15 ms\n"));
  answered({"check", file, certificate});
  const ordered_json json = ordered_json::parse(answered({"rooms", file, "--json"}).out);
  CHECK(json["by_room"].dump() ==
        R"([{"room":1,"period":null,"period_decimal":null},{"room":2,"period":null,"period_decimal":null},)"
        R"({"room":3,"period":"3/200","period_decimal":0.015}])");
  CHECK(json["room_sum"] == 10);
  // A report knows as much.
  const std::string page = folder.path("page.html");
  answered({"report", file, "--model", "overlap", "-o", page});
  CHECK_THAT(text_of(page),
             Contains("The period is 15 ms with room for three; with room for fewer than three, transfers"));
  document["transfers"][0]["ahead"] = 1000;
  std::ofstream(file) << document.dump();
  const Outcome most = takt({"rooms", file});
  CHECK(most.status == tools::kLimit);
  CHECK_THAT(most.out,
             Contains("The period is 15 ms with room for any number of files; room for 1000 files, the most that takt "
                      "tries, is refused for server's in-room of part 2: transfers ahead might deadlock.\n"));
}

TEST_CASE("rooms as JSON, and the certificate of all of them") {
  const TemporaryFolder folder;
  const std::string certificate = folder.path("a.certificate.json");
  const ordered_json result = ordered_json::parse(
      answered({"rooms", source(kExampleA), "--json", "--all", "3", "--certificate", certificate}).out);
  CHECK(result["model"] == "overlap");
  CHECK(result["period"] == "189");
  CHECK(result["enough"] == 2);
  REQUIRE(result["by_room"].size() == 3);
  CHECK(result["by_room"][0].dump() == R"({"room":1,"period":"211","period_decimal":211.0})");
  CHECK(result["by_room"][2]["period"] == "189");
  REQUIRE(result["buffers"].size() == 12);
  CHECK(result["buffers"][0].dump() == R"({"part":0,"processor":"P0","side":"out","room_alone":2,"room_together":2})");
  CHECK(result["room_sum"] == 13);
  CHECK(result["room_sum_lower_bound"] == 13);
  CHECK(result["least_possible"] == true);
  CHECK(answered({"check", source(kExampleA), certificate}).out ==
        "Proved: the period is 189 under OVERLAP ONE-PORT, ROOM LIMITED IN 12 PLACES.\n");
  CHECK(ordered_json::parse(answered({"check", source(kExampleA), certificate, "--json"}).out)["limited_buffers"] ==
        12);
  // With less room behind P0 it proves nothing.
  ordered_json claim = ordered_json::parse(text_of(certificate));
  REQUIRE(claim["buffers"][0]["room"] == 2);
  claim["buffers"][0]["room"] = 1;
  CHECK(takt({"check", source(kExampleA), folder.write("less.json", claim.dump())}).status == tools::kNo);
}

TEST_CASE("rooms that a limit leaves open are said to be so") {
  const Outcome late = takt({"rooms", source(kExampleA), "--time-limit", "1e-9", "--json"});
  CHECK(late.status == tools::kLimit);
  const Outcome misused = takt({"rooms", source(kExampleA), "--all", "1001"});
  CHECK(misused.status == tools::kUsage);
  CHECK_THAT(misused.err, StartsWith("takt rooms: --all: found 1001, expected at most 1000\n"));
}

TEST_CASE("evaluate --window limits the data sets under way, and its certificate says so") {
  const TemporaryFolder folder;
  const std::string certificate = folder.path("b.certificate.json");
  const Outcome table =
      answered({"evaluate", kExampleB, "--model", "overlap", "--window", "3", "--certificate", certificate});
  CHECK_THAT(table.out,
             Contains("OVERLAP ONE-PORT, WINDOW OF 3 DATA SETS\n") && Contains("350 time units per data set"));
  CHECK(answered({"check", kExampleB, certificate}).out ==
        "Proved: the period is 350 under OVERLAP ONE-PORT, WINDOW OF 3 DATA SETS.\n");
  CHECK(ordered_json::parse(answered({"check", kExampleB, certificate, "--json"}).out)["window"] == 3);
  const ordered_json both =
      ordered_json::parse(answered({"evaluate", source(kExampleA), "--window", "1", "--json"}).out);
  REQUIRE(both.size() == 2);
  CHECK(both[0]["window"] == 1);
  CHECK(both[0]["period"] == both[1]["period"]);  // one at a time: the model does not matter
  CHECK(takt({"evaluate", kExampleB, "--model", "overlap", "--window", "3", "--method", "pattern"}).status ==
        tools::kUsage);
  const Outcome misused = takt({"evaluate", kExampleB, "--window", "100001"});
  CHECK(misused.status == tools::kUsage);
  CHECK_THAT(misused.err, StartsWith("takt evaluate: --window: found 100001, expected at most 100000\n"));
}

TEST_CASE("simulate --completion says when the first data sets are done") {
  CHECK(answered({"simulate", source(kExampleA), "--model", "strict", "--completion", "1", "100", "1e9"}).out ==
        source(kExampleA) + R"(, STRICT ONE-PORT
From data set 1 on, ends repeat every 6 data sets, later by as much each time.

   data sets    done after  per data set
           1           685           685
         100         23457        234.57
  1000000000  230666667057       230.667
)");
  const ordered_json both = ordered_json::parse(
      answered({"simulate", source(kExampleA), "--completion", "100", "--completion", "7", "--format", "json"}).out);
  REQUIRE(both.size() == 2);
  CHECK(
      both[0]["completion"][0].dump() ==
      R"({"data_sets":100,"time":"19336","time_decimal":19336.0,"time_lower_bound":"19336","time_lower_bound_decimal":19336.0,"time_upper_bound":"19336","time_upper_bound_decimal":19336.0})");
  CHECK(both[1]["completion"][1]["data_sets"] == 7);
  CHECK(answered({"simulate", source(kExampleA), "--model", "strict", "--completion", "1", "--format", "csv"}).out ==
        "model,data_sets,lower_bound,upper_bound,lower_bound_decimal,upper_bound_decimal\n"
        "strict,1,685,685,685,685\n");
}

TEST_CASE("what does not go with --completion is a wrong command line") {
  const auto message = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = takt(arguments);
    CHECK(outcome.status == tools::kUsage);
    return lines_of(outcome.err).front();
  };
  CHECK(message({"simulate", source(kExampleA), "--completion", "0"}) ==
        "takt simulate: --completion: found \"0\", expected a whole number of data sets, such as 100 or 1e9");
  CHECK(message({"simulate", source(kExampleA), "--completion", "5", "-o", "x.csv"}) ==
        "takt simulate: --completion goes to standard output, without -o");
  CHECK(message({"simulate", source(kExampleA), "--time-limit", "5"}) ==
        "takt simulate: --time-limit goes with --completion");
  CHECK_THAT(message({"simulate", source(kExampleA), "--completion", "5", "--data-sets", "5"}),
             Contains("--data-sets"));
}

}  // namespace
}  // namespace takt::testing

// takt generate and takt generators: draws as documents, the same for the same words, and what is refused.
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/draws/generator.hpp"
#include "tests/support/process_events.hpp"
#include "tests/tools/process.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tpn/reader.hpp"
#include "tpn/validate.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;
using Words = std::vector<std::string>;

std::string generated(const Words& words) {
  const Outcome outcome = takt(appended({"generate"}, words));
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  return outcome.out;
}

void check_refused(const Words& words, const std::string& message) {
  INFO(message);
  const Outcome outcome = takt(appended({"generate"}, words));
  CHECK(outcome.status == tools::kUsage);
  CHECK(outcome.out.empty());
  CHECK(lines_of(outcome.err).front() == "takt generate: " + message);
}

}  // namespace

TEST_CASE("a drawn document is the generator's, and is drawn again by the command line that it holds") {
  for (const experiments::Generator& generator : experiments::generators()) {
    const std::string name(generator.name);
    INFO(name);
    // Of workflows the processors are what their stages have.
    const std::string changed = name == "workflow" || name == "stream-program" ? "rows" : "processors";
    const std::string text = generated({name, "--seed", "7", "--draw", "3", "--" + changed, "20"});
    const tpn::Document document = tpn::read_document(text, name);
    experiments::Arguments arguments(generator);
    arguments.set(changed, std::uint64_t{20});
    CHECK(document == experiments::draw_document(arguments, 7, 3));
    CHECK(document.application.name == name + ", seed 7, draw 3");
    std::string again = document.remarks.at("").comment.value();
    REQUIRE(again.starts_with("takt generate "));
    Words words;
    std::istringstream stream(again.substr(14));
    for (std::string word; stream >> word;) words.push_back(word);
    CHECK(generated(words) == text);
  }
}

TEST_CASE("an instance that was drawn can be evaluated, a problem can be mapped") {
  CHECK(takt({"evaluate", "-"}, generated({"replicated-mapping", "--draw", "2"})).status == tools::kAnswered);
  CHECK(takt({"map", "-", "--heuristic", "bsc"}, generated({"skeleton-pair"})).status == tools::kAnswered);
  for (const char* shape : {"fork-join", "in-tree", "out-tree", "layered", "series-parallel"}) {
    INFO(shape);
    CHECK(takt({"evaluate", "-"}, generated({"workflow", "--shape", shape})).status == tools::kAnswered);
  }
  // Its mapping is one of many.
  CHECK(takt({"map", "-", "--heuristic", "bsc"}, generated({"workflow", "--shape", "chain"})).status ==
        tools::kAnswered);
  CHECK(takt({"evaluate", "-"}, generated({"stream-program", "--benchmark", "des"})).status == tools::kAnswered);
}

TEST_CASE("lines hold the documents of consecutive draws") {
  const std::vector<std::string> lines =
      lines_of(generated({"hedpm-sample", "--lines", "--draws", "5", "--draw", "2"}));
  REQUIRE(lines.size() == 5);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string single = generated({"hedpm-sample", "--draw", std::to_string(i + 2)});
    CHECK(tpn::read_document(lines[i], "line") == tpn::read_document(single, "single"));
  }
  CHECK(lines_of(generated({"hedpm-sample", "--lines"})).size() == 1);
}

TEST_CASE("a file of -o is written whole, and what is in it is said") {
  const TemporaryFolder folder;
  const std::string path = folder.path("drawn.json");
  CHECK(generated({"ferret-like", "--draw", "4", "-o", path}) == path + ": ferret-like, seed 1, draw 4\n");
  CHECK(text_of(path) == generated({"ferret-like", "--draw", "4"}));
  const Words many = {"ferret-like", "--lines", "--draws", "3", "-o", path};
  CHECK(generated(many) == path + ": ferret-like, seed 1, draws 0 to 2\n");
  CHECK(lines_of(text_of(path)).size() == 3);
  CHECK(folder.names() == Words{"drawn.json"});
  const Outcome nowhere = takt({"generate", "ferret-like", "-o", folder.path("none/drawn.json")});
  CHECK(nowhere.status == tools::kBadInput);
}

TEST_CASE("paired parameters leave the numbers as they are") {
  const auto speeds = [](const Words& words) {
    std::vector<std::string> found;
    for (const auto& processor : tpn::read_document(generated(words), "drawn").platform.processors) {
      found.push_back(processor.speed->to_string());
    }
    found.resize(5);
    return found;
  };
  CHECK(speeds({"skeleton-pair", "--processors", "5", "--paired", "processors"}) ==
        speeds({"skeleton-pair", "--processors", "50", "--paired", "processors"}));
  CHECK_FALSE(speeds({"skeleton-pair", "--processors", "5"}) == speeds({"skeleton-pair", "--processors", "50"}));
}

TEST_CASE("what no generator draws is refused, with what is meant") {
  check_refused({"skeleton"},
                "GENERATOR: found \"skeleton\" (did you mean \"skeleton-pair\"?), expected replicated-mapping, "
                "skeleton-pair, hedpm-sample, ferret-like, "
                "planted-pdm, loaded-cluster, workflow or stream-program");
  check_refused({}, "GENERATOR is required");
  check_refused({"skeleton-pair", "--stagse", "3"},
                "found the unknown option \"--stagse\" (did you mean \"--stages\"?)");
  check_refused({"skeleton-pair", "--network", "pair"},
                "--network goes with replicated-mapping, not with skeleton-pair");
  check_refused({"skeleton-pair", "--links", "unequl"},
                "--links: found \"unequl\" (did you mean \"unequal\"?), expected one of equal, unequal, free");
  check_refused({"skeleton-pair", "--stages", "0"}, "--stages: found \"0\", expected a whole number from 1 to 1000");
  check_refused(
      {"skeleton-pair", "--speeds", "0..20"},
      "--speeds: found \"0..20\", expected a number or a range such as 5..15 or \"0.01..10 by 0.01\", above 0, at "
      "most 1000000000");
  check_refused(
      {"skeleton-pair", "--speeds", "1e-300"},
      "--speeds: found \"1e-300\", expected a number or a range such as 5..15 or \"0.01..10 by 0.01\", above 0, "
      "at most 1000000000, with at most 60 digits");
  check_refused({"replicated-mapping", "--stages", "30"},
                "every stage needs a processor: \"processors\" is less than \"stages\"");
  check_refused({"ferret-like", "--draws", "2"}, "--draws goes with --lines, which makes a line of each draw");
  check_refused({"ferret-like", "--lines", "--draws", "2", "--draw", "18446744073709551615"},
                "--draw and --draws: found a last draw beyond 2^64 - 1");
  check_refused({"ferret-like", "--seed", "-1"}, "--seed: found \"-1\", expected a whole number from 0 to 2^64 - 1");
  check_refused({"ferret-like", "--paired", "speed"},
                "--paired: found \"speed\" (did you mean \"speeds\"?), expected processors, speeds or bandwidth");
  check_refused({"ferret-like", "-o", "-"}, "-o takes a file; documents go to standard output without it");
}

TEST_CASE("draws without end stop where the output takes no more, and leave no half file behind a signal") {
  const Words endless = {"generate", "ferret-like", "--lines", "--draws", "1000000000000"};
  RunningProgram full(endless, [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); });
  CHECK(full.wait().status == tools::kBadInput);

  const TemporaryFolder folder;
  RunningProgram interrupted(appended(endless, {"-o", folder.path("draws.jsonl")}));
  support::wait_in(folder.path(""), [&] { return !folder.names().empty(); });
  interrupted.send(SIGINT);
  CHECK(interrupted.wait().signal == SIGINT);
  CHECK(folder.names().empty());
}

TEST_CASE("the last draw of all is one") {
  CHECK(tpn::read_document(generated({"ferret-like", "--draw", "18446744073709551615", "--lines", "--draws", "1"}), "")
            .application.name == "ferret-like, seed 1, draw 18446744073709551615");
}

TEST_CASE("help beside a generator's name tells its parameters") {
  const std::string help = generated({"planted-pdm", "--help"});
  CHECK_THAT(help, Contains("planted-pdm: a pipeline with divisible stages"));
  CHECK_THAT(help, Contains("divisible   13"));
  CHECK_THAT(generated({"--help"}), !Contains("divisible   13"));
}

TEST_CASE("takt generators lists every generator and parameter, as a table and as JSON") {
  const Outcome table = takt({"generators"});
  REQUIRE(table.status == tools::kAnswered);
  const ordered_json array = ordered_json::parse(takt({"generators", "--json"}).out);
  const auto& all = experiments::generators();
  REQUIRE(array.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(array[i]["name"] == all[i].name);
    CHECK(array[i]["makes"] == experiments::name_of(all[i].kind));
    CHECK_THAT(table.out, Contains(std::string(all[i].name) + ": " + std::string(all[i].summary)));
    REQUIRE(array[i]["parameters"].size() == all[i].parameters.size());
    for (std::size_t k = 0; k < all[i].parameters.size(); ++k) {
      const ordered_json& parameter = array[i]["parameters"][k];
      CHECK(parameter["name"] == all[i].parameters[k].name);
      CHECK(parameter["default"] == all[i].parameters[k].standard);
      CHECK((parameter["value_kind"] == "choice") == parameter.contains("choices"));
      CHECK_THAT(table.out, Contains("\n  " + std::string(all[i].parameters[k].name) + " "));
    }
  }
}

}  // namespace takt::testing

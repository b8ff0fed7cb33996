// Nothing that a document, a file's name or an argument holds acts on a terminal.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tpn/visible.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

// ESC, line feed, bell, delete, C1 as UTF-8 and bare, a turn of direction, a line separator.
const std::string kEvil = "x\x1b]0;\n\a\x7f\u009b31m\x9b\u202e\u2028y";

bool is_safe(std::string_view text) {
  while (!text.empty()) {
    const tpn::Utf8Start start = tpn::first_character(text);
    if (!start.code || (*start.code != U'\n' && tpn::is_unseen(*start.code))) return false;
    text.remove_prefix(start.length);
  }
  return true;
}

void require_safe(const Outcome& outcome) {
  CAPTURE(outcome.out, outcome.err);
  REQUIRE(is_safe(outcome.out));
  REQUIRE(is_safe(outcome.err));
}

TEST_CASE("names in documents are shown escaped by every command, in tables, messages, traces and JSON") {
  const TemporaryFolder folder;
  for (const std::string name : {"attack/min-c1.json", "attack/min-evil.json", "data/world/evil-names.json"}) {
    const std::string file = source("tests/" + name);
    ordered_json claim = ordered_json::parse(text_of(file));
    claim["predicted_period"] = 1;
    claim["heuristic"] = {{"name", claim["platform"]["processors"][0]["name"]}};
    const std::string claimed = folder.write("claim.json", claim.dump());
    const std::string out = folder.path("out.json");
    const std::vector<std::vector<std::string>> command_lines = {
        {"evaluate", file, "--circuit", "full", "--verbose"},
        {"evaluate", file, "--json"},
        {"simulate", file},
        {"simulate", file, "--format", "json"},
        {"gantt", file, "--model", "strict", "--format", "csv"},
        {"map", file, "--heuristic", "polish", "--trace", "-o", out},
        {"map", file, "--heuristic", "polish", "--trace", "--json", "-o", out},
        {"map", file, "--heuristic", "polish"},
        {"map", file, "--heuristic", "all", "-o", out},
        {"verify", claimed},
        {"verify", claimed, "--json"},
    };
    for (const auto& arguments : command_lines) {
      INFO(arguments.front());
      const Outcome outcome = takt(arguments);
      REQUIRE((outcome.status == tools::kAnswered || outcome.status == tools::kNo));
      require_safe(outcome);
    }
    REQUIRE_THAT(takt({"evaluate", file}).out, Contains("\\u009b31m") || Contains("\\u000a"));
    // A table of values is read back: names stand for themselves.
    const std::string trace = folder.path("trace.csv");
    REQUIRE(takt({"simulate", file, "--model", "strict", "--data-sets", "40", "-o", trace}).status == tools::kAnswered);
    const Outcome measured = takt({"measure", file, trace, "--model", "strict"});
    REQUIRE(measured.status == tools::kAnswered);
    require_safe(measured);
  }
}

TEST_CASE("escaped names in JSON and in written documents are read back as they were") {
  const TemporaryFolder folder;
  for (const std::string name : {"min-c1.json", "min-evil.json"}) {
    const std::string file = source("tests/attack/" + name);
    const ordered_json document = ordered_json::parse(text_of(file));
    const std::string out = folder.path("out.json");
    REQUIRE(takt({"map", file, "--heuristic", "polish", "-o", out}).status == tools::kAnswered);
    const ordered_json mapped = ordered_json::parse(text_of(out));
    REQUIRE(mapped["application"]["stages"][0]["name"] == document["application"]["stages"][0]["name"]);
    REQUIRE(mapped["platform"]["processors"][0]["name"] == document["platform"]["processors"][0]["name"]);
    const ordered_json result = ordered_json::parse(takt({"evaluate", file, "--model", "strict", "--json"}).out);
    REQUIRE(result["resources"][0]["processor"] == document["platform"]["processors"][0]["name"]);
  }
}

TEST_CASE("bad documents, files and arguments are told in lines that are safe to print") {
  const std::string evil_key = source("tests/attack/min-evilkey.json");
  const Outcome key = takt({"evaluate", evil_key});
  REQUIRE(key.status == tools::kBadInput);
  REQUIRE(lines_of(key.err).size() == 1);
  REQUIRE_THAT(key.err, Contains(":1:39: /application/stages/0/<b>&'\"; drop %s %n $(id) `id`\\u000a\\u001b[31mRED"));
  const std::vector<std::vector<std::string>> command_lines = {
      {"evaluate", evil_key},
      {"evaluate", kEvil},
      {"evaluate", kEvil, "--certificate", kEvil},
      {kEvil},
      {"--" + kEvil},
      {"evaluate", "--" + kEvil},
      {"evaluate", "a.json", "--model", kEvil},
      {"evaluate", "a.json", "--json=" + kEvil},
      {"evaluate", "a.json", "--time-limit", kEvil},
      {"check", "a.json", "b.json", kEvil},
      {"dot", "a.json", "-o", kEvil},
      {"simulate", "a.json", "-o", kEvil + "/b"},
      {"map", "a.json", "--heuristic", kEvil},
      {"map", "a.json", "--heuristic", "hedpm", "--reading", kEvil},
      {"verify", kEvil},
      {"verify", "a.json", "--tolerance", kEvil},
  };
  for (const auto& arguments : command_lines) {
    const Outcome outcome = takt(arguments);
    REQUIRE(outcome.status != tools::kAnswered);
    REQUIRE(outcome.out.empty());
    REQUIRE(lines_of(outcome.err).size() <= 2);
    require_safe(outcome);
  }
}

TEST_CASE("what a certificate names is told escaped, whether it proves anything or not") {
  const TemporaryFolder folder;
  const std::string file = source("tests/attack/min-c1.json");
  const std::string path = folder.path("c.json");
  REQUIRE(takt({"evaluate", file, "--model", "strict", "--certificate", path}).status == tools::kAnswered);
  const Outcome proved = takt({"check", file, path});
  REQUIRE(proved.status == tools::kAnswered);
  require_safe(proved);
  ordered_json certificate = ordered_json::parse(text_of(path));
  for (const char* key : {"data_set", "circuit"}) certificate.erase(key);
  certificate["resource"] = "\u009b31m\n\u202e";
  const Outcome refused = takt({"check", file, folder.write("c.json", certificate.dump())});
  REQUIRE(refused.status == tools::kNo);
  REQUIRE_THAT(refused.out, Contains("no resource \\u009b31m\\u000a\\u202e"));
  REQUIRE(lines_of(refused.out).size() == 1);
  require_safe(refused);
  certificate["evil\x1b\n"] = 1;
  const Outcome bad = takt({"check", file, folder.write(kEvil.substr(0, 3), certificate.dump())});
  REQUIRE(bad.status == tools::kBadInput);
  REQUIRE(lines_of(bad.err).size() == 1);
  require_safe(bad);
}

TEST_CASE("files whose names act on terminals are written under those very names, and told escaped") {
  const TemporaryFolder folder;
  const std::string name = "x\x1b[31m\n\u202e.svg";
  const Outcome drawn = takt({"dot", source("examples/example-a.json"), "--model", "strict", "-o", folder.path(name)});
  REQUIRE(drawn.out ==
          "wrote " + folder.path("x\\u001b[31m\\u000a\\u202e.svg") + ": 6 rows x 7 columns, STRICT ONE-PORT\n");
  REQUIRE(folder.names() == std::vector<std::string>{name});
  require_safe(takt({"simulate", source("examples/example-a.json"), "-o", folder.path(name)}));
  const std::string input = folder.write(name, text_of(source("examples/example-a.json")));
  require_safe(takt({"evaluate", input, "--verbose"}));
  require_safe(takt({"evaluate", input, "--verbose", "--method", "pattern", "--model", "strict"}));
}

TEST_CASE("a key of any length makes a message that can be read") {
  const std::string key(100'000, 'k');
  const Outcome outcome = takt({"evaluate", "-"}, "{\"" + key + "\": 1}");
  REQUIRE(outcome.status == tools::kBadInput);
  REQUIRE(outcome.err.size() < 1000);
}

}  // namespace
}  // namespace takt::testing

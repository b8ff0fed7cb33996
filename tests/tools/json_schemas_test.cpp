// docs/schemas against what the commands print, judged by an independent validator; one glossary of keys for all.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "maxplus/rational.hpp"
#include "tests/support/answer_schemas.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing::schemas {
namespace {

using Json = nlohmann::json;
using maxplus::Rational;

const std::string kGlossary = "common.schema.json";
const std::string kGlossaryKeys = kGlossary + "#/definitions/";
const std::string kDecimal = "_decimal";

Json json_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  REQUIRE(file.good());
  return Json::parse(file);
}

Json schema_json(const std::string& name) { return json_file(source("docs/schemas/" + name)); }

const Json& glossary() {
  static const Json keys = schema_json(kGlossary).at("definitions");
  return keys;
}

// The names of all schemas but the glossary.
std::vector<std::string> schema_names() {
  constexpr std::string_view kEnding = ".schema.json";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source("docs/schemas"))) {
    const std::string name = entry.path().filename().string();
    if (name != kGlossary) names.push_back(name.substr(0, name.size() - kEnding.size()));
  }
  return names;
}

bool is_accepted_as(const std::string& name, const Json& answer, std::string& why) {
  return accepts(source("docs/schemas"), name, answer, why);
}

// Calls visit(object) for each object within a value.
void for_each_object(const Json& value, const std::function<void(const Json&)>& visit) {
  if (value.is_object()) visit(value);
  if (value.is_structured()) {
    for (const Json& item : value) for_each_object(item, visit);
  }
}

bool is_exact_key(const std::string& key) {
  if (!glossary().contains(key)) return false;
  const Json& definition = glossary().at(key);
  const Json exact = {{"$ref", "#/types/exact"}};
  return definition.value("allOf", Json()) == Json::array({exact}) || definition.value("items", Json()) == exact;
}

void require_decimal(const Json& exact, const Json& decimal) {
  if (exact.is_null()) {
    REQUIRE(decimal.is_null());
    return;
  }
  const auto number = std::get<Rational>(maxplus::parse_fraction(exact.get<std::string>())).to_double();
  REQUIRE(decimal == (number ? Json(*number) : Json()));
}

// Beside each exact number of an answer stands the nearest double; how many there are.
std::size_t require_decimals(const Json& answer) {
  std::size_t numbers = 0;
  for_each_object(answer, [&](const Json& object) {
    for (const auto& [key, value] : object.items()) {
      if (!is_exact_key(key)) continue;
      CAPTURE(key, object.dump());
      REQUIRE(object.contains(key + kDecimal));
      const Json& decimals = object.at(key + kDecimal);
      ++numbers;
      if (!value.is_array()) {
        require_decimal(value, decimals);
        continue;
      }
      REQUIRE(decimals.size() == value.size());
      for (std::size_t i = 0; i < value.size(); ++i) require_decimal(value[i], decimals[i]);
    }
  });
  return numbers;
}

// Every answer says what it is about.
bool names_its_input(const Json& answer) {
  if (!answer.is_array()) return answer.contains("file") || answer.contains("files");
  return std::ranges::all_of(answer, names_its_input);
}

std::vector<Json> answers_in(const std::string& text, bool is_lines) {
  std::vector<Json> answers;
  if (!is_lines) return {Json::parse(text)};
  for (const std::string& line : lines_of(text)) answers.push_back(Json::parse(line));
  return answers;
}

using Words = std::vector<std::string>;

// What a command prints is as its schema says. Returns the numbers seen.
std::size_t hold(const std::string& name, const Words& words, const std::string& input = "") {
  const Outcome outcome = takt(words, input);
  std::string line;
  for (const std::string& word : words) line += word + " ";
  CAPTURE(line, outcome.status, outcome.err, outcome.out.substr(0, 2000));
  REQUIRE(outcome.status != tools::kUsage);
  REQUIRE_FALSE(outcome.out.empty());
  std::size_t numbers = 0;
  const bool is_lines = std::ranges::find(words, "--lines") != words.end();
  for (const Json& answer : answers_in(outcome.out, is_lines)) {
    std::string why;
    const bool is_accepted = is_accepted_as(name, answer, why);
    CAPTURE(why);
    REQUIRE(is_accepted);
    if (name != "heuristics" && name != "generators" && name != "experiment-list") REQUIRE(names_its_input(answer));
    numbers += require_decimals(answer);
  }
  return numbers;
}

std::vector<std::string> examples(bool are_mapped) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(source("examples"))) {
    if (entry.path().extension() != ".json") continue;
    if (json_file(entry.path()).contains("mapping") == are_mapped) paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

// Each command on two of the examples, where not all combinations are tried.
TEST_CASE("what commands print of mapped examples is as their schemas say") {
  struct Asked {
    std::string schema;
    Words words;  // FILE: the example
    bool takes_batches = true;
  };
  const std::vector<Asked> commands = {
      {"evaluate", {"evaluate", "FILE", "--latency-curve", "--json", "--time-limit", "20"}, false},
      {"evaluate", {"evaluate", "FILE", "--latency", "--json", "--time-limit", "20"}},
      {"evaluate", {"evaluate", "FILE", "--model", "bounded", "--rooms", "8", "--json"}},
      {"evaluate", {"evaluate", "FILE", "--model", "bounded", "--rooms", "2", "--json"}, false},
      {"evaluate", {"evaluate", "FILE", "--method", "unfold", "--max-rows", "1", "--estimate", "--json"}},
      {"evaluate", {"evaluate", "FILE", "--method", "simulate", "--window", "9", "--json"}, false},
      {"rooms", {"rooms", "FILE", "--json", "--time-limit", "5"}, false},
      {"sensitivity", {"sensitivity", "FILE", "--curve", "--floats", "--json", "--time-limit", "5"}},
      {"vary", {"vary", "FILE", "--law", "gamma:0.5", "--data-sets", "100", "--copies", "16", "--json"}},
      {"vary",
       {"vary", "FILE", "--law", "gamma:0.5", "--data-sets", "100", "--copies", "16", "--windows", "20", "--json"}},
      {"simulate", {"simulate", "FILE", "--data-sets", "2", "--format", "json"}},
      {"gantt", {"gantt", "FILE", "--format", "json"}},
      {"gantt", {"gantt", "FILE", "--schedule", "start-up", "--model", "strict", "--format", "json"}},
      {"completion", {"simulate", "FILE", "--completion", "1", "1e30", "--format", "json"}},
  };
  const support::CountedClock clock(std::chrono::milliseconds(1));
  const std::vector<std::string> files = examples(true);
  const std::size_t step = support::makes_all_draws() ? 1 : 8;
  std::size_t numbers = 0;
  for (std::size_t k = 0; k < commands.size(); ++k) {
    for (std::size_t i = k % step; i < files.size(); i += step) {
      if (!commands[k].takes_batches && text_of(files[i]).find("\"batch\"") != std::string::npos) continue;
      Words words = commands[k].words;
      words[1] = files[i];
      numbers += hold(commands[k].schema, words);
    }
  }
  const std::string parts = source("examples/server-in-two-parts.json");
  numbers += hold("evaluate", {"evaluate", source(kExampleA), "--set", "P0 -> P2=174", "--json"});
  numbers += hold("evaluate", {"evaluate", parts, "--json"});
  numbers += hold("sensitivity", {"sensitivity", source(kExampleA), "--set", "P1 ports=unlimited", "--json"});
  numbers += hold("sensitivity", {"sensitivity", parts, "--model", "strict", "--json"});
  const std::string video = source("examples/video.json");
  const Words vary = {"vary", video, "--law", "exponential", "--data-sets", "100", "--json"};
  for (const Words& more : {Words{"--rooms", "1,2"}, Words{"--beside", video, "--rate", "1000/s"},
                            Words{"--arrivals", source("examples/video-arrivals.csv")}, Words{"--within", "99% 2s"}}) {
    numbers += hold("vary", appended(vary, more));
  }
  for (const char* model : {"overlap", "strict"}) {
    numbers += hold("sensitivity", {"sensitivity", source(kExampleA), "--model", model, "--target", "150", "--json"});
    numbers += hold("sensitivity",
                    {"sensitivity", source("tests/data/changes/two-gpus.json"), "--model", model, "--each", "--json"});
  }
  CHECK(numbers > 1'000);
}

TEST_CASE("what commands print of predictions and problems is as their schemas say") {
  std::size_t numbers = 0;
  const support::CountedClock clock(std::chrono::milliseconds(10));
  const std::string hedpm = source("examples/hedpm-case-study.json");
  numbers += hold("verify", {"verify", hedpm, "--json"});
  numbers += hold("verify", {"verify", hedpm, "--model", "bounded", "--rooms", "1", "--json"});
  for (const std::string& file : {source("examples/hedpm-problem.json"), source("examples/measured-problem.json")}) {
    numbers += hold("map", {"map", file, "--heuristic", "all", "--time-limit", "2", "--json"});
  }
  const TemporaryFolder folder;
  numbers += hold("map", {"map", source("tests/data/server-only.json"), "--heuristic", "polish", "--model", "overlap",
                          "--ahead", "best", "--json", "-o", folder.path("ahead.json")});
  numbers += hold("rooms", {"rooms", folder.path("ahead.json"), "--json"});
  for (const std::string heuristic : {"bsc", "polish", "hedpm"}) {
    numbers += hold("map", {"map", source("examples/hedpm-problem.json"), "--heuristic", heuristic, "--trace", "--json",
                            "-o", folder.path("mapped.json")});
  }
  numbers += hold("compare", {"compare", source("examples/problems.jsonl"), "--heuristics", "bsc,spl", "--json"});
  CHECK(numbers > 100);
}

TEST_CASE("what commands print of graphs, journals and lists is as their schemas say") {
  CHECK(hold("cycle-ratio", {"cycle-ratio", source("examples/ring.graph"), "--json"}) > 4);
  hold(
      "cycle-ratio", {"cycle-ratio", "-", "--min", "--json"},
      R"({"name": "g", "time_unit": "ms", "data_sets": 3, "arcs": [{"from": "a", "to": "a", "weight": "1/3", "tokens": 2}]})");
  hold("cycle-ratio", {"cycle-ratio", "-", "--json"}, "a b 1 0\nb a 2 0\n");
  hold("cycle-ratio", {"cycle-ratio", "-", "--json"}, "a b 1\n");
  hold("journal", {"journal", source("examples/greetings.journal"), "--json"});
  const TemporaryFolder folder;
  hold("journal", {"journal", source("examples/greetings.journal"), "--json", "--extract", folder.path("results")});
  hold("heuristics", {"heuristics", "--json"});
  hold("generators", {"generators", "--json"});
  hold("experiment-list", {"experiment", "list", "--json"});
}

TEST_CASE("what commands print of runs is as their schemas say") {
  const std::string file = source("examples/example-a.json");
  const TemporaryFolder folder;
  const std::string trace = folder.path("trace.json");
  REQUIRE(takt({"simulate", file, "--model", "strict", "--data-sets", "200", "-o", trace}).status == tools::kAnswered);
  CHECK(hold("measure", {"measure", file, trace, "--json"}) > 10);
  CHECK(hold("measure", {"measure", file, trace, "--tolerance", "1%", "--json"}) > 10);
  const std::string run = folder.path("run");
  REQUIRE(takt({"experiment", "run", "hedpm-figure-1-equal", "--draws", "1", "-o", run}).status != tools::kUsage);
  hold("experiment-status", {"experiment", "status", run, "--json"});
  CHECK(hold("experiment-report", {"experiment", "report", run, "--format", "json"}) > 10);
  for (const std::string name : {"data-parallel-table-1-20", "replicated-table-2", "adaptive-figure-3a"}) {
    const std::string other = folder.path(name);
    REQUIRE(takt({"experiment", "run", name, "--draws", "2", "-o", other}).status != tools::kUsage);
    CHECK(hold("experiment-report", {"experiment", "report", other, "--format", "json"}) > 10);
  }
  // Figures that no built-in experiment has.
  const std::string figures = folder.write("figures.json", R"({"name": "figures", "study": "heuristics",
    "generator": "skeleton-pair", "grid": {"draws": 9, "stages": [3, 6]}, "heuristics": ["bsc", "spl", "random"],
    "models": ["strict"], "measures": ["period"], "report": [
      {"kind": "profile", "name": "a", "facet": "stages", "y": {"values": "period"}},
      {"kind": "rank", "name": "b", "y": {"values": "period"}},
      {"kind": "rank", "name": "c", "facet": "stages", "test": "wilcoxon", "y": {"values": "period"}},
      {"kind": "boxes", "name": "d", "x": "stages", "y": {"values": "period"}}]})");
  const std::string drawn = folder.path("figures");
  REQUIRE(takt({"experiment", "run", figures, "-o", drawn}).status == tools::kAnswered);
  CHECK(hold("experiment-report", {"experiment", "report", drawn, "--format", "json"}) > 50);
}

TEST_CASE("what commands print of plans and certificates is as their schemas say") {
  const std::string file = source("examples/catalogue.json");
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  const std::string proof = folder.path("proof.json");
  CHECK(hold("plan", {"plan", file, "--rate", "200/s", "--losses", "--upgrade", "--json", "-o", mapped, "--certificate",
                      proof}) > 50);
  CHECK(hold("check", {"check", mapped, proof, "--json"}) > 5);
  CHECK(hold("check", {"check", file, proof, "--json"}) > 1);
  hold("plan", {"plan", file, "--rate", "200/s", "--survive", "1", "--latency", "80 ms", "--headroom", "5%", "--json"});
  hold("plan", {"plan", file, "--rate", "200/s", "--frontier", "--up-to", "450/s", "--json"});
  hold("plan", {"plan", file, "--budget", "2", "--json"});
  hold("plan", {"plan", file, "--machines", "small=4", "--rate", "200/s", "--json"});
  hold("plan", {"plan", file, "--rate", "1000000/s", "--json"});
  hold("plan", {"plan", file, "--rate", "200/s", "--beside", file + " 20/s", "--json"});
  const std::string room = source("examples/hedpm-problem.json");
  hold("plan", {"plan", room, "--period", "9", "--survive", "1", "--latency", "99", "--json"});
  const std::string spot = R"({"application": {"stages": [{"name": "work", "work": 40}]}, "platform": {"types": [)"
                           R"({"name": "slow", "speed": 1, "price": 1, "spot price": 0.4}]}})";
  for (const char* rate : {"1/20", "0"})
    hold("plan", {"plan", "-", "--period", "10", "--on-demand", rate, "--json"}, spot);
  const std::string types =
      R"({"application": {"stages": [{"name": "work", "work": 40}]}, "platform": {"types": [)"
      R"({"name": "slow", "speed": 1, "price": 1}, {"name": "fast", "speed": 3, "price": 2.6}]}})";
  for (const char* among : {"mixed", "weighted"}) {
    hold("plan", {"plan", "-", "--period", "10", "--among", among, "--json"}, types);
  }
  const std::string ring = folder.path("ring.json");
  REQUIRE(takt({"cycle-ratio", source("examples/ring.graph"), "--certificate", ring}).status == tools::kAnswered);
  CHECK(hold("check", {"check", source("examples/ring.graph"), ring, "--json"}) == 1);
  CHECK(hold("check", {"check", source(kExampleA), ring, source(kExampleA), "missing", "--keep-going", "--json"}) == 0);
}

TEST_CASE("what lines and files without an answer print is as the schemas say") {
  const std::string text = takt({"generate", "replicated-mapping", "--lines", "--draws", "3"}).out + "{}\n";
  CHECK(hold("evaluate", {"evaluate", "-", "--lines"}, text) > 10);
  CHECK(hold("evaluate", {"evaluate", "-", "--lines", "--json"}, text) > 30);
  hold("evaluate", {"evaluate", "-", "--lines", "--max-rows", "1", "--method", "unfold"}, text);
  hold("evaluate", {"evaluate", source(kExampleA), "missing.json", "--keep-going", "--json"});
  std::string predicted = takt({"map", source("examples/hedpm-problem.json"), "--heuristic", "bsc"}).out;
  std::erase(predicted, '\n');
  CHECK(hold("verify", {"verify", "-", "--lines"}, predicted + "\n{}\n") > 2);
  CHECK(hold("verify", {"verify", "-", "--lines", "--json"}, predicted + "\n") > 5);
}

// The object schemas within a schema.
void for_each_shape(const Json& schema, const std::function<void(const Json&)>& visit) {
  for_each_object(schema, [&](const Json& object) {
    if (object.contains("properties") && object.at("properties").is_object()) visit(object);
  });
}

std::string key_of(const Json& property) {
  const Json& reference = property.contains("allOf") ? property.at("allOf").at(0) : property;
  const std::string target = reference.at("$ref");
  REQUIRE(target.starts_with(kGlossaryKeys));
  return target.substr(kGlossaryKeys.size());
}

TEST_CASE("a key has one type and one meaning in all schemas, and an exact one its decimal") {
  std::set<std::string> used;
  for (const std::string& name : schema_names()) {
    CAPTURE(name);
    for_each_shape(schema_json(name + ".schema.json"), [&](const Json& shape) {
      REQUIRE(shape.at("additionalProperties") == false);
      const Json& properties = shape.at("properties");
      for (const auto& [key, property] : properties.items()) {
        CAPTURE(key);
        if (key.ends_with(kDecimal)) {
          REQUIRE(is_exact_key(key.substr(0, key.size() - kDecimal.size())));
          const std::string type =
              glossary().at(key.substr(0, key.size() - kDecimal.size())).contains("items") ? "decimals" : "decimal";
          REQUIRE(property == Json({{"$ref", kGlossary + "#/types/" + type}}));
          continue;
        }
        REQUIRE(key_of(property) == key);
        REQUIRE(glossary().at(key).contains("description"));
        REQUIRE(properties.contains(key + kDecimal) == is_exact_key(key));
        used.insert(key);
      }
    });
  }
  for (const auto& [key, definition] : glossary().items()) {
    CAPTURE(key);
    CHECK(used.contains(key));
  }
}

TEST_CASE("schemas refuse keys that they do not know, and exact numbers without a decimal") {
  const Json right = Json::parse(takt({"evaluate", source(kExampleA), "--model", "strict", "--json"}).out);
  std::string why;
  const bool is_right = is_accepted_as("evaluate", right, why);
  CAPTURE(why);
  REQUIRE(is_right);
  const std::vector<std::function<void(Json&)>> forgeries = {
      [](Json& answer) { answer["lower_bound"] = "1"; },
      [](Json& answer) { answer["resources"][0]["value"] = "1"; },
      [](Json& answer) { answer.erase("period_decimal"); },
      [](Json& answer) { answer["critical_circuit"]["steps"][3].erase("duration_decimal"); },
      [](Json& answer) { answer["hyper_period"] = "6"; },
      [](Json& answer) { answer["period"] = 230.5; },
      [](Json& answer) { answer["period"] = "1.5"; },
      [](Json& answer) { answer.erase("file"); },
  };
  for (const auto& forge : forgeries) {
    Json wrong = right;
    forge(wrong);
    CAPTURE(wrong.dump());
    CHECK_FALSE(is_accepted_as("evaluate", wrong, why));
  }
}

}  // namespace
}  // namespace takt::testing::schemas

// The table of heuristics: names, descriptions, options.
#include "heuristics/registry.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/heuristics/problems.hpp"

namespace takt::testing {
namespace {

TEST_CASE("every heuristic has a name of its own and says all that takt heuristics lists") {
  std::set<std::string_view> names;
  for (const auto& heuristic : heuristics::heuristics()) {
    INFO(heuristic.name);
    REQUIRE(names.insert(heuristic.name).second);
    REQUIRE(heuristic.name != "all");  // takt map's word for each of them
    REQUIRE(heuristics::find_heuristic(heuristic.name) == &heuristic);
    REQUIRE(heuristic.map != nullptr);
    for (const std::string_view text : {heuristic.name, heuristic.summary, heuristic.communication,
                                        heuristic.optimality, heuristic.cost, heuristic.source}) {
      REQUIRE_FALSE(text.empty());
      REQUIRE(text.back() != '.');
    }
  }
  REQUIRE(heuristics::find_heuristic("no such") == nullptr);
}

// The name of the heuristic that a line of code defines, "chain-dp" of "Heuristic chain_dp() {"; or "".
std::string defined_by(const std::string& line) {
  const std::string start = "Heuristic ";
  if (!line.starts_with(start) || !line.ends_with("() {")) return "";
  std::string name = line.substr(start.size(), line.find('(') - start.size());
  std::ranges::replace(name, '_', '-');
  return name;
}

// The heuristics that the sources of a folder define.
std::set<std::string> defined_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      if (const std::string name = defined_by(line); !name.empty()) names.insert(name);
    }
  }
  return names;
}

TEST_CASE("every heuristic that a source defines has its row in the registry") {
  std::set<std::string> registered;
  for (const auto& heuristic : heuristics::heuristics()) registered.emplace(heuristic.name);
  REQUIRE(defined_by("Heuristic chain_dp() {") == "chain-dp");
  REQUIRE(defined_in(TAKT_SOURCE_DIR "/heuristics") == registered);
}

TEST_CASE("a predicted period with too many digits for a document is a limit") {
  // Some 6 digits per stage, and more stages than 1000 digits hold.
  std::vector<maxplus::Rational> works;
  for (int k = 0; k < 500; ++k) works.push_back(maxplus::Rational::fraction(1, 999'983 - 2 * k));
  const auto solution = solve_checked("spl", free_problem(works, {}, {maxplus::Rational(1)}));
  REQUIRE(std::get<heuristics::LimitMet>(solution.result).reason ==
          "its predicted period takes more than the 1000 digits of a document's number");
}

TEST_CASE("options of one name are one option, whichever heuristic has them, and none of takt map's own") {
  const std::set<std::string_view> taken = {"heuristic", "help", "json", "model", "o", "seed", "time-limit", "trace"};
  std::map<std::string_view, const heuristics::Option*> options;
  for (const auto& heuristic : heuristics::heuristics()) {
    for (const heuristics::Option& option : heuristic.options) {
      INFO(heuristic.name << " --" << option.name);
      REQUIRE_FALSE(option.help.empty());
      REQUIRE(taken.count(option.name) == 0);
      REQUIRE_FALSE(heuristics::violation(heuristic, option, option.standard));
      const heuristics::Option& first = *options.emplace(option.name, &option).first->second;
      REQUIRE(first.help == option.help);
      REQUIRE(first.standard == option.standard);
      REQUIRE(first.choices == option.choices);
      REQUIRE(first.or_heuristic == option.or_heuristic);
      REQUIRE(first.bound == option.bound);
      REQUIRE(first.most == option.most);
    }
  }
}

}  // namespace
}  // namespace takt::testing

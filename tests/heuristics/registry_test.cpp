// The table of heuristics: names, descriptions, options.
#include "heuristics/registry.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "tests/heuristics/problems.hpp"

namespace takt::testing {
namespace {

TEST_CASE("every heuristic has a name of its own and says all that takt heuristics lists") {
  std::set<std::string_view> names;
  for (const auto& heuristic : heuristics::heuristics()) {
    INFO(heuristic.name);
    REQUIRE(names.insert(heuristic.name).second);
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

TEST_CASE("options of one name are of one kind, whichever heuristic has them") {
  std::map<std::string_view, std::size_t> kinds;
  for (const auto& heuristic : heuristics::heuristics()) {
    for (const heuristics::Option& option : heuristic.options) {
      INFO(heuristic.name << " --" << option.name);
      REQUIRE_FALSE(option.help.empty());
      REQUIRE(kinds.emplace(option.name, option.standard.index()).first->second == option.standard.index());
      if (!option.choices.empty()) {
        const auto& standard = std::get<std::string>(option.standard);
        REQUIRE(std::ranges::find(option.choices, standard) != option.choices.end());
      }
    }
  }
}

}  // namespace
}  // namespace takt::testing

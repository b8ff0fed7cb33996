// Runs the command and parses.
#include "tests/tools/commands/evaluate_json.hpp"

#include <catch2/catch.hpp>

#include "tests/tools/program.hpp"

namespace takt::testing {

nlohmann::ordered_json json_of(const std::vector<std::string>& arguments, int status, const std::string& input) {
  const Outcome outcome = takt(appended({"evaluate", "--json"}, arguments), input);
  INFO(outcome.err);
  REQUIRE(outcome.status == status);
  return nlohmann::ordered_json::parse(outcome.out);
}

}  // namespace takt::testing

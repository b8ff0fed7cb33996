// Budgets, other rates and failures of plans without closed forms, held against questions for single rates and
// evaluations.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <variant>
#include <vector>

#include "maxplus/rational.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using maxplus::Rational;
using nlohmann::ordered_json;

// Seven machines of three generations, prices that fall apart.
constexpr const char* kRoom = R"({
  "application": {
    "stages": [
      {"name": "read", "work": 4, "output": 2},
      {"name": "solve", "work": 30, "output": 2},
      {"name": "write", "work": 3, "replicable": false}
    ]
  },
  "platform": {
    "bandwidth": 2,
    "processors": [
      {"name": "a1", "speed": 1, "price": 2}, {"name": "a2", "speed": 1, "price": 2}, {"name": "a3", "speed": 1, "price": 3},
      {"name": "b1", "speed": 2, "price": 5}, {"name": "b2", "speed": 2, "price": 4},
      {"name": "c1", "speed": 3, "price": 8}, {"name": "c2", "speed": 3, "price": 7}
    ]
  }
})";

constexpr const char* kTypes = R"({
  "application": {
    "stages": [{"name": "read", "work": 4, "output": 2}, {"name": "solve", "work": 30}]
  },
  "platform": {
    "bandwidth": 2,
    "types": [
      {"name": "slow", "speed": 1, "price": 1, "count": 6}, {"name": "fast", "speed": 3, "price": 2.6, "count": 4}
    ]
  }
})";

Rational exact_number(const ordered_json& value) {
  return std::get<Rational>(maxplus::parse_number(value.get<std::string>()));
}

class Planned {
 public:
  Planned(const std::string& text, std::vector<std::string> fixed)
      : file_(folder_.write("problem.json", text)), fixed_(std::move(fixed)) {}

  Outcome ask(const std::vector<std::string>& words) const {
    return takt(appended(appended({"plan", file_}, words), fixed_));
  }
  ordered_json json(const std::vector<std::string>& words) const {
    const Outcome outcome = ask(appended(words, {"--json"}));
    INFO(outcome.err);
    return ordered_json::parse(outcome.out);
  }
  std::string path(const std::string& name) const { return folder_.path(name); }

 private:
  TemporaryFolder folder_;
  std::string file_;
  std::vector<std::string> fixed_;
};

// The plan of a budget keeps it, and its price is the least for its rate; what is proved to be out of reach is dearer.
void check_budgets(const Planned& planned, const std::vector<std::string>& budgets) {
  Rational before;
  for (const std::string& budget : budgets) {
    CAPTURE(budget);
    const ordered_json plan = planned.json({"--budget", budget});
    REQUIRE(plan["found"] == true);
    const Rational period = exact_number(plan["period"]);
    CHECK(exact_number(plan["cost"]) <= exact_number(budget));
    const ordered_json same = planned.json({"--period", plan["period"].get<std::string>()});
    CHECK(exact_number(same["cost"]) <= exact_number(plan["cost"]));
    if (plan.contains("any_mapping_period_lower_bound")) {
      const Rational bound = exact_number(plan["any_mapping_period_lower_bound"]);
      CHECK(bound <= period);
      if (bound < period) {
        const ordered_json faster = planned.json({"--period", bound.to_string()});
        CHECK((faster["found"] == false || exact_number(faster["cost"]) > exact_number(budget)));
      }
    }
    if (before.sign() > 0) CHECK(period <= before);
    before = period;
  }
}

}  // namespace

TEST_CASE("a budget buys the fastest plan that is found, on named machines and with wider classes of types") {
  check_budgets(Planned(kRoom, {}), {"4", "7", "12", "20", "31"});
  check_budgets(Planned(kTypes, {"--among", "mixed"}), {"1", "3.6", "8", "16.4"});
  check_budgets(Planned(kTypes, {"--among", "weighted"}), {"1", "3.6", "8", "16.4"});
  const Outcome none = Planned(kRoom, {}).ask({"--budget", "1"});
  CHECK(none.status == tools::kNo);
  CHECK_THAT(none.out, Contains(": no mapping of any kind costs at most 1: proved.\n"));
  // A search that ends at once has proved nothing of slower mappings, which cost less.
  const Outcome early = Planned(kRoom, {}).ask({"--budget", "7", "--time-limit", "0.000001"});
  CHECK(early.status == tools::kLimit);
  CHECK(early.out.find("proved") == std::string::npos);
  const Outcome some = Planned(kRoom, {}).ask({"--budget", "7"});
  CHECK_THAT(some.out, Contains(" for at most 7 is "));
}

TEST_CASE("other rates cost what plans for them do") {
  for (const auto& [text, fixed] : {std::pair(kRoom, std::vector<std::string>{}),
                                    std::pair(kTypes, std::vector<std::string>{"--among", "weighted"})}) {
    const Planned planned(text, fixed);
    const ordered_json plan = planned.json({"--rate", "1/20", "--frontier"});
    const auto& rows = plan["cost_by_rate"];
    REQUIRE(rows.size() > 3);
    Rational cost;
    Rational period;
    for (const auto& row : rows) {
      CAPTURE(row.dump());
      CHECK(cost < exact_number(row["cost"]));
      if (period.sign() > 0) CHECK(exact_number(row["period"]) < period);
      cost = exact_number(row["cost"]);
      period = exact_number(row["period"]);
      CHECK(exact_number(row["any_mapping_cost_lower_bound"]) <= cost);
      const ordered_json alone = planned.json({"--period", row["period"].get<std::string>()});
      CHECK(exact_number(alone["cost"]) <= cost);
      CHECK(exact_number(alone["bounds"].back()["cost_lower_bound"]) <= cost);
    }
    // The whole range, up to twice the rate, or as far as mappings go.
    const bool is_all = period <= Rational(10);
    const std::string shown = planned.ask({"--rate", "1/20", "--frontier"}).out;
    CHECK(is_all != (shown.find("  For 0.") != std::string::npos || shown.find(" reaches 0.") != std::string::npos));
    const ordered_json up = planned.json({"--rate", "1/20", "--frontier", "--up-to", "1/20"});
    CHECK(exact_number(up["cost_by_rate"].back()["period"]) <= Rational(20));
  }
}

TEST_CASE("what is left after a failure is the period of the mapping without the machine") {
  const Planned planned(kRoom, {});
  const std::string path = planned.path("mapped.json");
  const ordered_json plan = planned.json({"--rate", "1/8", "--losses", "-o", path});
  const ordered_json mapped = ordered_json::parse(text_of(path));
  REQUIRE(plan["machine_losses"].size() == plan["machine_count"]);
  std::size_t left_over = 0;
  for (const auto& loss : plan["machine_losses"]) {
    ordered_json left = mapped;
    bool stops = false;
    for (auto& part : left["mapping"]) {
      ordered_json turns = ordered_json::array();
      for (const auto& name : part["processors"]) {
        if (name != loss["machine"]) turns.push_back(name);
      }
      part["processors"] = turns;
      stops = stops || turns.empty();
    }
    CHECK(loss["period_after_loss"].is_null() == stops);
    if (stops) continue;
    ++left_over;
    left.erase("predicted_period");
    TemporaryFolder folder;
    const Outcome outcome = takt({"evaluate", folder.write("left.json", left.dump()), "--json"});
    CHECK(ordered_json::parse(outcome.out)["period"] == loss["period_after_loss"]);
  }
  CHECK(left_over > 0);
  // Of types each kind of machine once.
  const Planned types(kTypes, {"--among", "weighted"});
  CHECK_THAT(types.ask({"--rate", "1/8", "--losses"}).out, Contains("  if one fails  then"));
}

TEST_CASE("questions that plans without closed forms do not answer are refused") {
  const Planned planned(kRoom, {});
  for (const auto& [words, said] :
       {std::pair(std::vector<std::string>{"--rate", "1/9", "--upgrade"}, "--upgrade does not go with"),
        std::pair(std::vector<std::string>{"--rate", "1/9", "--price-ranges"}, "--price-ranges does not go with"),
        std::pair(std::vector<std::string>{"--budget", "9", "--latency", "3"},
                  "--latency together with --budget does not go"),
        std::pair(std::vector<std::string>{"--frontier"},
                  "--frontier without --rate, --period or --budget does not go"),
        std::pair(std::vector<std::string>{"--budget", "9", "--survive", "1"},
                  "--survive together with --budget does not")}) {
    const Outcome outcome = planned.ask(words);
    CHECK(outcome.status == tools::kUsage);
    CHECK_THAT(outcome.err, Contains(said));
  }
}

}  // namespace takt::testing

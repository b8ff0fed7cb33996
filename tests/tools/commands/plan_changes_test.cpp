// From what runs to the next plan, plans of a schedule, and the prices for which a plan stays a cheapest one.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <set>
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

const std::string kRunningCatalogue = source("examples/catalogue.json");

std::string planned_text(const std::vector<std::string>& words) {
  const Outcome outcome = takt(appended({"plan", kRunningCatalogue}, words));
  INFO(outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  return outcome.out;
}

ordered_json planned_json(const std::vector<std::string>& words) {
  return ordered_json::parse(planned_text(appended(words, {"--json"})));
}

Rational number_in(const std::string& text) { return std::get<Rational>(maxplus::parse_number(text)); }
Rational number_in(const ordered_json& value) { return number_in(value.get<std::string>()); }

// Names of machines by their stages, as a document maps them.
std::map<std::string, std::set<std::string>> by_stages(const std::string& path) {
  const ordered_json document = ordered_json::parse(text_of(path));
  std::map<std::string, std::set<std::string>> result;
  for (const auto& part : document["mapping"]) {
    for (const auto& name : part["processors"]) result[part["stages"].dump()].insert(name.get<std::string>());
  }
  return result;
}

}  // namespace

TEST_CASE("from what runs as few machines are set up as can be, and the others keep their names") {
  const TemporaryFolder folder;
  const std::string running = folder.path("running.json");
  const std::string next = folder.path("next.json");
  planned_text({"--rate", "200/s", "-o", running});
  const auto before = by_stages(running);
  for (const char* rate : {"100/s", "200/s", "210/s", "300/s", "390/s"}) {
    for (const std::vector<std::string>& price : {std::vector<std::string>{}, {"--setup-price", "0.25"}}) {
      CAPTURE(rate, price.size());
      const ordered_json plan = planned_json(appended({"--rate", rate, "--from", running, "-o", next}, price));
      std::uint64_t stay = 0;
      std::uint64_t set_up = 0;
      std::set<std::string> gone;
      for (const auto& [stages, names] : before) gone.insert(names.begin(), names.end());
      for (const auto& [stages, names] : by_stages(next)) {
        for (const std::string& name : names) {
          const auto known = before.find(stages);
          const bool is_same = known != before.end() && known->second.contains(name);
          ++(is_same ? stay : set_up);
          gone.erase(name);
        }
      }
      const ordered_json& changes = plan["changes"];
      CHECK(changes["staying_count"] == stay);
      CHECK(changes["setup_count"] == set_up);
      CHECK(changes["is_least"] == true);
      std::uint64_t returned = 0;
      for (const auto& [type, count] : changes["returned"].items()) returned += count.get<std::uint64_t>();
      CHECK(returned == gone.size());
      // The cheapest plan is one of those that were passed over, or taken.
      const Rational cheapest = number_in(planned_json({"--rate", rate})["cost"]);
      CHECK(number_in(changes["cheapest_cost"]) == cheapest);
      CHECK(number_in(plan["cost"]) >= cheapest);
      CHECK(changes["cheapest_setup_count"].get<std::uint64_t>() >= (price.empty() ? set_up : 0));
      if (price.empty()) continue;
      const Rational each = Rational::fraction(1, 4);
      CHECK(number_in(plan["cost"]) + each * Rational(set_up) <=
            cheapest + each * Rational(changes["cheapest_setup_count"].get<std::uint64_t>()));
    }
  }
}

TEST_CASE("sentences about what changes") {
  const TemporaryFolder folder;
  const std::string running = folder.path("running.json");
  planned_text({"--rate", "200/s", "-o", running});
  CHECK_THAT(planned_text({"--rate", "210/s", "--from", running}),
             Contains("28 machines stay; 2 are to be set up: 1 small moved, 1 large rented.\n"));
  CHECK_THAT(planned_text({"--rate", "200/s", "--from", running}), Contains("29 machines stay; none is set up.\n"));
  // Stand-bys are machines that stay as well.
  const std::string safe = folder.path("safe.json");
  planned_text({"--rate", "200/s", "--survive", "1", "-o", safe});
  CHECK_THAT(planned_text({"--rate", "200/s", "--survive", "1", "--from", safe}),
             Contains("32 machines stay; none is set up.\n"));
}

TEST_CASE("a machine that serves several parts stays in none of them") {
  const TemporaryFolder folder;
  const std::string running = folder.path("running.json");
  planned_text({"--rate", "200/s", "-o", running});
  ordered_json document = ordered_json::parse(text_of(running));
  document["mapping"][2]["processors"] = {"small-1", "large-1"};
  document.erase("predicted_period");
  const std::string several = folder.write("several.json", document.dump());
  const ordered_json changes = planned_json({"--rate", "200/s", "--from", several})["changes"];
  // Of 26 + 1 small and 2 large: small-1 is in two parts, large-2 in none.
  CHECK(changes["running"] == ordered_json::parse(R"({"small": 27, "large": 2})"));
  CHECK(changes["staying_count"] == 25 + 1 + 1);
  CHECK(changes["setup_count"] == 2);
  CHECK(changes["moved"] == ordered_json::parse(R"({"small": 1, "large": 1})"));
  CHECK(changes["rented"].empty());
  CHECK(changes["returned"].empty());
}

TEST_CASE("what cannot be planned from is refused") {
  const TemporaryFolder folder;
  const std::string running = folder.path("running.json");
  planned_text({"--rate", "200/s", "-o", running});
  const auto refused = [](const std::vector<std::string>& words, int status) {
    const Outcome outcome = takt(appended({"plan", kRunningCatalogue}, words));
    CHECK(outcome.status == status);
    return outcome.err;
  };
  CHECK_THAT(refused({"--budget", "2", "--from", running}, tools::kUsage),
             Contains("--from goes with --rate or --period"));
  CHECK_THAT(refused({"--rate", "200/s", "--from", running, "--frontier"}, tools::kUsage),
             Contains("--from does not go with --frontier"));
  CHECK_THAT(refused({"--rate", "200/s", "--setup-price", "1"}, tools::kUsage),
             Contains("--setup-price goes with --from or --schedule"));
  CHECK_THAT(refused({"--rate", "200/s", "--from", source("examples/example-a.json")}, tools::kBadInput),
             Contains("/application/stages: found "));
  CHECK_THAT(refused({"--rate", "200/s", "--from", kRunningCatalogue}, tools::kBadInput),
             Contains("found no mapping, expected the mapping that runs now"));
  // As if its machines had been written out by hand.
  ordered_json document = ordered_json::parse(text_of(running));
  auto& machine = document["platform"]["processors"][0];
  machine.erase("type");
  machine["bandwidth"] = "1 Gbit/s";
  for (auto& stage : document["application"]["stages"]) stage["time"]["small-1"] = stage["time"]["small"];
  const std::string untyped = folder.write("untyped.json", document.dump());
  CHECK_THAT(refused({"--rate", "200/s", "--from", untyped}, tools::kBadInput),
             Contains("/platform/processors: small-1 has no type, expected one of the problem's"));
}

TEST_CASE("a schedule has the cheapest plan of each phase, or what is cheapest with set-ups paid for") {
  const ordered_json day = planned_json({"--schedule", "8h 300/s, 30 min 200/s, 15.5h 50/s"});
  const ordered_json& found = day["plan_schedule"];
  CHECK(day["optimal"] == true);
  CHECK(number_in(found["lasts"]) == Rational(24));
  Rational sum;
  std::size_t k = 0;
  for (const char* rate : {"300/s", "200/s", "50/s"}) {
    const ordered_json& phase = found["phases"][k++];
    const ordered_json alone = planned_json({"--rate", rate});
    CHECK(phase["plan"]["cost"] == alone["cost"]);
    sum += number_in(phase["lasts"]) * number_in(alone["cost"]);
  }
  CHECK(number_in(found["cost"]) == sum);
  CHECK(number_in(found["one_plan_cost"]) == Rational(24) * number_in(planned_json({"--rate", "300/s"})["cost"]));
  // The dearer a set-up, the fewer of them; at last one plan serves all.
  Rational before;
  std::uint64_t set_up_before = 1000;
  for (const char* price : {"0", "0.02", "0.1", "0.5", "2", "10"}) {
    CAPTURE(price);
    const ordered_json paid =
        planned_json({"--schedule", "8h 300/s, 30 min 200/s, 15.5h 50/s", "--setup-price", price})["plan_schedule"];
    Rational cost;
    std::uint64_t set_up = 0;
    for (const auto& phase : paid["phases"]) {
      cost += number_in(phase["lasts"]) * number_in(phase["plan"]["cost"]);
      set_up += phase["setup_count"].get<std::uint64_t>();
      CHECK(number_in(phase["plan"]["period"]) <= number_in(phase["period"]));
    }
    cost += number_in(std::string(price)) * Rational(set_up);
    CHECK(number_in(paid["cost"]) == cost);
    CHECK(cost <= number_in(paid["one_plan_cost"]));
    CHECK(number_in(paid["cost_lower_bound"]) == sum);
    CHECK(before <= cost);
    CHECK(set_up <= set_up_before);
    before = cost;
    set_up_before = set_up;
  }
  CHECK(set_up_before == 0);
}

TEST_CASE("schedules that cannot be read, or kept, say where") {
  const auto refused = [](const std::string& schedule, int status) {
    const Outcome outcome = takt({"plan", kRunningCatalogue, "--schedule", schedule});
    CHECK(outcome.status == status);
    return outcome.out + outcome.err;
  };
  CHECK_THAT(refused("8h", tools::kUsage),
             Contains("--schedule: found \"8h\", expected phases of a duration and a rate"));
  CHECK_THAT(refused("8h 300/s,", tools::kUsage), Contains("--schedule: found \"\", expected phases"));
  CHECK_THAT(refused("8x 300/s", tools::kUsage), Contains("--schedule: duration of a phase: found \"8x\""));
  CHECK_THAT(refused("8h 0/s", tools::kUsage), Contains("--schedule: rate of a phase: found \"0/s\""));
  CHECK_THAT(refused("8 300/s", tools::kUsage), Contains("--schedule"));
  CHECK_THAT(refused("8h 300/s, 1h 50000/s", tools::kNo), Contains("keeps 50000/s. takt plan --rate says why.\n"));
  const Outcome both = takt({"plan", kRunningCatalogue, "--schedule", "8h 300/s", "--rate", "20/s"});
  CHECK(both.status == tools::kUsage);
  CHECK_THAT(both.err, Contains("--schedule does not go with --rate or --period"));
}

TEST_CASE("prices for which a plan stays a cheapest one are told") {
  CHECK_THAT(planned_text({"--rate", "200/s", "--price-ranges"}),
             Contains("  If only the price of one type changes, no plan with one type per part, each machine whole in "
                      "one part, in round robin, "
                      "is cheaper than this one at these prices:\n"
                      "  type   price  cheapest from         to\n"
                      "  small   0.05           0.00      0.055\n"
                      "  large   0.11           0.10       0.90\n"
                      "  gpu     0.90           0.65  any price\n"));
  const Outcome refused = takt({"plan", kRunningCatalogue, "--budget", "2", "--price-ranges"});
  CHECK(refused.status == tools::kUsage);
  CHECK_THAT(refused.err, Contains("--price-ranges goes with --rate or --period"));
}

}  // namespace takt::testing

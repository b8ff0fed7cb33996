// takt plan --beside: pipelines that take their machines from one stock.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

ordered_json frames_of_a_camera() {
  return ordered_json::parse(R"({
    "application": {"item": "frame", "input": "1 MB", "stages": [
      {"name": "decode", "time": {"cpu": "8 ms", "gpu": "4 ms"}, "output": "2 MB"},
      {"name": "detect", "time": {"cpu": "120 ms", "gpu": "6 ms"}}]},
    "platform": {"bandwidth": "10 Gbit/s", "currency": "EUR/h", "source": {}, "types": [
      {"name": "cpu", "price": 0.05}, {"name": "gpu", "price": 0.5, "count": 2}]}})");
}

ordered_json pages_of_a_scanner() {
  return ordered_json::parse(R"({
    "application": {"item": "page", "stages": [
      {"name": "read", "time": {"gpu": "10 ms", "cpu": "90 ms", "disk": "1 ms"}, "output": "5 MB"},
      {"name": "store", "time": {"disk": "5 ms"}, "output": "1 kB"}]},
    "platform": {"bandwidth": "10 Gbit/s", "currency": "EUR/h", "sink": {}, "types": [
      {"name": "disk", "price": 0.01, "memory": "1 GB"}, {"name": "gpu", "price": 0.5, "count": 2},
      {"name": "cpu", "price": 0.05}]}})");
}

class TwoPipelines {
 public:
  TwoPipelines(const ordered_json& first, const ordered_json& second)
      : first_(folder_.write("frames.json", first.dump())), second_(folder_.write("pages.json", second.dump())) {}

  Outcome asked(const char* rate, const std::string& other_rate, const std::vector<std::string>& options = {}) const {
    return takt(appended({"plan", first_, "--rate", rate, "--beside", second_ + " " + other_rate}, options));
  }
  ordered_json answer(const char* rate, const std::string& other_rate,
                      const std::vector<std::string>& options = {}) const {
    const Outcome outcome = asked(rate, other_rate, appended(options, {"--json"}));
    INFO(outcome.err);
    REQUIRE(outcome.status == tools::kAnswered);
    return ordered_json::parse(outcome.out);
  }
  ordered_json alone(bool is_first, const char* rate) const {
    return ordered_json::parse(takt({"plan", is_first ? first_ : second_, "--rate", rate, "--json"}).out);
  }
  std::string path(const char* name) const { return folder_.path(name); }

 private:
  TemporaryFolder folder_;
  std::string first_;
  std::string second_;
};

int machines_named(const ordered_json& answer, const char* type) {
  int sum = 0;
  for (const ordered_json& pipeline : answer["pipelines"]) sum += pipeline["plan"]["machines"].value(type, 0);
  return sum;
}

}  // namespace

TEST_CASE("two pipelines share what each alone would take, at the least cost in all") {
  const TwoPipelines both(frames_of_a_camera(), pages_of_a_scanner());
  CHECK(both.alone(true, "300/s")["machines"].value("gpu", 0) == 2);
  ordered_json scanner = pages_of_a_scanner();
  // The stage that would like a GPU has no other cheap place.
  scanner["application"]["stages"][0]["time"].erase("disk");
  scanner["application"]["stages"][0]["time"]["cpu"] = "600 ms";
  const TwoPipelines competing(frames_of_a_camera(), scanner);
  CHECK(competing.alone(false, "100/s")["machines"].value("gpu", 0) == 1);
  const ordered_json answer = competing.answer("300/s", "100/s");
  CHECK(machines_named(answer, "gpu") <= 2);
  CHECK(answer["optimal"] == true);
  CHECK(answer["cost_lower_bound"] == answer["stock_cost"]);
  CHECK(answer.contains("cost_of_cheapest"));
  double cost = 0;
  for (const ordered_json& pipeline : answer["pipelines"]) cost += pipeline["plan"]["cost_decimal"].get<double>();
  CHECK(cost == Approx(answer["stock_cost_decimal"].get<double>()));
  CHECK(answer["pipelines"][0]["plan"]["period_decimal"].get<double>() <= 1.0 / 300);
  CHECK(answer["pipelines"][1]["plan"]["period_decimal"].get<double>() <= 1.0 / 100);
  const Outcome told = competing.asked("300/s", "100/s");
  CHECK_THAT(told.out, Contains("frames.json at 300 frames/s and ") && Contains("No mappings of any kind cost less") &&
                           Contains("If each had the whole stock to itself, it would be") && Contains("They take ") &&
                           Contains("39 cpu, 1 of 2 gpu and 1 disk."));
}

TEST_CASE("with as many machines as one likes each pipeline has its own cheapest plan") {
  ordered_json frames = frames_of_a_camera();
  ordered_json pages = pages_of_a_scanner();
  frames["platform"]["types"][1].erase("count");
  pages["platform"]["types"][1].erase("count");
  const TwoPipelines both(frames, pages);
  const ordered_json answer = both.answer("300/s", "100/s");
  CHECK(answer["pipelines"][0]["plan"]["cost"] == both.alone(true, "300/s")["cost"]);
  CHECK(answer["pipelines"][1]["plan"]["cost"] == both.alone(false, "100/s")["cost"]);
  CHECK_FALSE(answer.contains("cost_of_cheapest"));
  CHECK(answer["pipelines"][1]["plan"]["machines"].contains("disk"));
}

TEST_CASE("each pipeline's plan is written as a mapped document of its own") {
  const TwoPipelines both(frames_of_a_camera(), pages_of_a_scanner());
  const std::string mapped = both.path("mapped.json");
  const ordered_json answer = both.answer("300/s", "100/s", {"-o", mapped, "--model", "strict"});
  for (std::size_t k = 0; k < 2; ++k) {
    INFO(k);
    const Outcome evaluated =
        takt({"evaluate", k == 0 ? mapped : both.path("mapped-2.json"), "--json", "--model", "strict"});
    REQUIRE(evaluated.status == tools::kAnswered);
    CHECK(ordered_json::parse(evaluated.out)["period"] == answer["pipelines"][k]["plan"]["period"]);
  }
}

TEST_CASE("where the machines are not enough for both, or for one, the answer says which") {
  const TwoPipelines both(frames_of_a_camera(), pages_of_a_scanner());
  ordered_json frames = frames_of_a_camera();
  frames["platform"]["types"][0]["count"] = 3;
  ordered_json pages = pages_of_a_scanner();
  pages["application"]["stages"][0]["time"].erase("disk");
  pages["platform"]["types"][2]["count"] = 3;
  const TwoPipelines few(frames, pages);
  const Outcome none = few.asked("300/s", "200/s");
  CHECK(none.status == tools::kNo);
  CHECK_THAT(none.out, Contains("each pipeline has a plan alone, and no plans with one type per part"));
  const Outcome one = few.asked("300/s", "2000/s");
  CHECK(one.status == tools::kNo);
  CHECK_THAT(one.out, Contains("pages.json at 2000 pages/s has no plan even alone: "));
}

TEST_CASE("files that say different things of one type, and options of one pipeline, are refused") {
  const auto message = [](const ordered_json& second, std::vector<std::string> options = {}, const char* rate = "9/s") {
    const TwoPipelines both(frames_of_a_camera(), second);
    const Outcome outcome = both.asked("30/s", rate, std::move(options));
    CHECK(outcome.status == (outcome.err.starts_with("takt plan: ") ? tools::kUsage : tools::kBadInput));
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  ordered_json dollars = pages_of_a_scanner();
  dollars["platform"]["currency"] = "USD/h";
  CHECK_THAT(message(dollars), Contains("have different currencies, \"EUR/h\" and \"USD/h\""));
  CHECK_THAT(takt({"plan", "-", "--rate", "3/s", "--beside", "- 9/s"}, frames_of_a_camera().dump()).err,
             Contains("can be read only once"));
  ordered_json dearer = pages_of_a_scanner();
  dearer["platform"]["types"][2]["price"] = 0.06;
  CHECK_THAT(message(dearer), Contains("have different prices of cpu; a type must be the same in both"));
  ordered_json more = pages_of_a_scanner();
  more["platform"]["types"][1]["count"] = 3;
  CHECK_THAT(message(more), Contains("have different counts of gpu"));
  ordered_json quotas = pages_of_a_scanner();
  quotas["platform"]["quotas"] = ordered_json::parse(R"([{"machines": 9}])");
  CHECK_THAT(message(quotas), Contains("has quotas"));
  CHECK_THAT(message(pages_of_a_scanner(), {"--latency", "1s"}), Contains("--beside does not go with --latency"));
  CHECK_THAT(message(pages_of_a_scanner(), {}, "fast"), Contains("expected a file and a rate"));
  const ordered_json bare = ordered_json::parse(R"({
    "application": {"stages": [{"name": "a", "time": {"cpu": 5}}]},
    "platform": {"types": [{"name": "cpu", "price": 0.05}]}})");
  CHECK_THAT(message(bare, {}, "9"), Contains("must both have units, or none"));
}

}  // namespace takt::testing

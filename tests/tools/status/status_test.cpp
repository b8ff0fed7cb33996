// What is told of a run from what its jobs leave: rates, shares, the story; names of users in each form.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/support/answer_schemas.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/status/status_files.hpp"
#include "tools/status/status_json.hpp"
#include "tools/status/status_keeper.hpp"
#include "tools/status/status_page.hpp"
#include "tools/status/status_prometheus.hpp"
#include "tpn/reader.hpp"

namespace takt::tools {
namespace {

using Catch::Contains;
using maxplus::Rational;
using testing::TemporaryFolder;

constexpr const char* kText = R"({
  "application": {"stages": [{"name": "a<b", "work": 1, "output": 1}, {"name": "c", "work": 1}]},
  "platform": {"processors": [{"name": "p\"\\0", "speed": 1}, {"name": "</script>", "speed": 1}], "bandwidth": 1},
  "mapping": [{"stages": ["a<b"], "processors": ["p\"\\0"]}, {"stages": ["c"], "processors": ["</script>"]}]})";

void require_schema(const std::string& name, const std::string& text) {
  std::string why;
  const bool is_accepted =
      testing::schemas::accepts(testing::source("docs/schemas"), name, nlohmann::json::parse(text), why);
  CAPTURE(why);
  CHECK(is_accepted);
}

live::RunPlan plan_of() {
  live::RunPlan plan;
  plan.instance = tpn::read_document(kText, "test", 1);
  plan.coordination.data_sets = 1000;
  plan.coordination.window = 3;
  plan.processors = {0, 1};
  return plan;
}

live::Ticks ticks(double seconds) { return static_cast<live::Ticks>(seconds * 1e9); }

// Ten data sets a second; the first processor computes half of the time, and takes twice as long from 100 s on.
live::RunView view_at(double seconds) {
  live::RunView view;
  view.now = ticks(seconds);
  view.next = static_cast<std::uint64_t>(seconds * 10);
  view.horizon = view.next + 3;
  view.mapping = *plan_of().instance.mapping;
  live::RankState state;
  state.times = {ticks(seconds / 2), ticks(seconds / 4), ticks(seconds / 8), ticks(seconds / 8)};
  state.computed = ticks(seconds / 2);
  state.nominal = seconds < 100 ? ticks(seconds / 2) : ticks(50 + (seconds - 100) / 4);
  state.queue = 1;
  view.states[0] = state;
  live::RankState other;
  other.times[3] = ticks(seconds);
  other.holdings.push_back({view.next, 1, 1, std::nullopt, view.now - ticks(0.25)});
  other.holdings.push_back({view.next + 1, 1, 1, 0, view.now});
  view.states[1] = other;
  view.beliefs = {Rational(2), Rational(1)};
  return view;
}

StatusKeeper running(double until, double first = 0) {
  StatusKeeper keeper({"file", false, 0, std::nullopt}, 0, plan_of(), 0.125, 1000);
  keeper.start(0, plan_of(), 0.125, 1000);
  keeper.begin(first);
  for (double seconds = 1; seconds <= until; ++seconds) keeper.see(view_at(seconds));
  return keeper;
}

TEST_CASE("rates and shares are those of the last minute, slowdowns those of the last ten seconds") {
  const LiveStatus status = running(90).status(90.4, 1'000'000);
  CHECK(status.phase == RunPhase::running);
  CHECK(status.delivered == 900);
  CHECK(status.under_way == 3);
  REQUIRE(status.rate);
  CHECK(*status.rate == Approx(10));
  CHECK(status.rate_seconds == Approx(60));
  CHECK(*predicted_rate(status) == Approx(8));
  CHECK(*status.seconds_left == Approx(10));
  REQUIRE(status.processors.size() == 2);
  REQUIRE(status.processors[0].shares);
  CHECK(status.processors[0].shares->computing == Approx(0.5));
  CHECK(status.processors[0].shares->blocked == Approx(0.125));
  CHECK(*status.processors[0].slowdown == Approx(1));
  CHECK(*status.processors[0].believed == 2);
  CHECK(status.processors[0].queue == 2);
  CHECK_FALSE(status.processors[1].slowdown);
  REQUIRE(status.processors[1].holds.size() == 2);
  CHECK(status.processors[1].holds[0].seconds == Approx(0.25));
  CHECK(*running(115).status(115, 1).processors[0].slowdown == Approx(2));
}

TEST_CASE("a run that delivers nothing has a rate that falls") {
  StatusKeeper keeper = running(60);
  for (double seconds = 61; seconds <= 90; ++seconds) {
    live::RunView view = view_at(seconds);
    view.next = 600;
    keeper.see(view);
  }
  const LiveStatus status = keeper.status(90, 1'000'000);
  CHECK(*status.rate == Approx(5));
  CHECK(*status.now_rate == 0);
  CHECK(status.seconds_since_delivery == Approx(30));
  CHECK_THAT(status_page(status), Contains("Nothing has been delivered for 30.00 s."));
}

TEST_CASE("the jobs of a run make one story, and data sets are numbered through") {
  StatusKeeper keeper = running(20);
  keeper.hear({.time = ticks(19.5), .words = "another mapping", .predicted = ticks(0.5), .is_decision = true});
  keeper.restart(21, {21, "it died", "p", 150}, {1}, "it died; the next follows");
  CHECK(keeper.status(21, 100).phase == RunPhase::restarting);
  keeper.start(22, plan_of(), 0.25, 1000);
  keeper.begin(23);
  live::RunView view = view_at(1);
  view.next = 210;
  view.horizon = 213;
  keeper.see(view);
  keeper.hear({.time = ticks(0.5), .words = "data set 205 failed", .is_failure = true});
  const LiveStatus status = keeper.status(24, 100);
  CHECK(status.delivered == 210);
  CHECK(status.failed == 1);
  CHECK(status.decisions == 1);
  CHECK(status.predicted_period == 0.25);
  REQUIRE(status.restarts.size() == 1);
  CHECK(status.processors[1].is_left_out);
  CHECK(status.processors[0].shares->computing == Approx(0.5));
  REQUIRE(status.events.size() == 5);
  CHECK(status.events[1].words == "another mapping");
  CHECK(status.events[4].seconds == Approx(23.5));
  keeper.end(25, RunPhase::ended, 1000, "over");
  CHECK(keeper.status(99, 100).seconds == 25);
  CHECK(keeper.status(99, 100).delivered == 1000);
}

TEST_CASE("points and events of a long run are bounded") {
  StatusKeeper keeper({"file", false, 0, std::nullopt}, 0, plan_of(), 0.1, std::nullopt);
  keeper.begin(0);
  for (int second = 1; second <= 20000; ++second) {
    keeper.see(view_at(second));
    if (second % 50 == 0) keeper.tell(second, "something");
  }
  const LiveStatus status = keeper.status(20000, 100000);
  CHECK(status.points.size() <= 600);
  CHECK(status.points.size() >= 200);
  CHECK(status.points.front().delivered == 0);
  CHECK(status.points.back().delivered == 200000);
  CHECK(status.events.size() == 200);
  CHECK(status.earlier_events == 201);
  CHECK_FALSE(status.data_sets);
  CHECK_THAT(status_page(status), !Contains("aria-label=\"100 % delivered"));
}

TEST_CASE("each form of a status holds names of users as it must") {
  const LiveStatus status = running(5).status(5, 1'700'000'000);
  const std::string page = status_page(status);
  CHECK_THAT(page, Contains("&lt;/script&gt;") && Contains("a&lt;b") && Contains("location.reload"));
  CHECK(page.find("</script>") == page.rfind("</script>"));
  const std::string prom = status_prometheus(status);
  CHECK_THAT(prom,
             Contains("takt_processor_queue{processor=\"p\\\"") && Contains("takt_run_phase{phase=\"running\"} 1"));
  std::istringstream lines(prom);
  std::string family;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE ")) family = line.substr(7, line.find(' ', 7) - 7);
    if (!line.starts_with('#')) CHECK(line.starts_with(family));
    CHECK(line.find('\r') == std::string::npos);
  }
  const std::string text = status_json(status);
  require_schema("run-status", text);
  CHECK(nlohmann::json::parse(text)["processor_states"][1]["name"] == "</script>");
}

TEST_CASE("the files of a status are replaced at once, and one that cannot be says so") {
  const TemporaryFolder folder;
  const LiveStatus status = running(5).status(5, 1'700'000'000);
  for (int again = 0; again < 2; ++again) write_status({folder.path("a.json"), folder.path("b.prom")}, status);
  CHECK(folder.names() == std::vector<std::string>{"a.json", "b.prom"});
  CHECK_THROWS_AS(write_status({folder.path("none/a.json")}, status), FileError);
  CHECK(is_status_name("x.html"));
  CHECK_FALSE(is_status_name("x.txt"));
}

}  // namespace
}  // namespace takt::tools

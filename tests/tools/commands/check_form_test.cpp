// takt check: which faults of a certificate are errors of form, and which make it prove nothing, as
// docs/certificates.md says.
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using nlohmann::ordered_json;

constexpr const char* kInstance = "examples/example-a.json";

// What takt writes for example A: a circuit, and clocks of resources or of columns or a schedule.
ordered_json certificate_of(const TemporaryFolder& folder, const std::string& model, const std::string& method) {
  const std::string path = folder.path("written.json");
  REQUIRE(takt({"evaluate", source(kInstance), "--model", model, "--method", method, "--certificate", path}).status ==
          0);
  return ordered_json::parse(text_of(path));
}

class FormTests {
 public:
  FormTests()
      : strict_(certificate_of(folder_, "strict", "sweep")),
        columns_(certificate_of(folder_, "overlap", "pattern")),
        schedule_(certificate_of(folder_, "strict", "residue")) {
    REQUIRE(strict_.contains("clocks"));
    REQUIRE(strict_.contains("circuit"));
    REQUIRE(columns_.contains("columns"));
    REQUIRE(schedule_.contains("schedule"));
    for (const ordered_json& certificate : {strict_, columns_, schedule_}) {
      REQUIRE(status_of(certificate.dump()) == tools::kAnswered);
    }
  }

  const ordered_json& strict() const { return strict_; }
  const ordered_json& columns() const { return columns_; }
  const ordered_json& schedule() const { return schedule_; }

  // A certificate with one thing changed.
  void require(int status, const std::string& what, ordered_json certificate,
               const std::function<void(ordered_json&)>& change) const {
    INFO(what);
    change(certificate);
    REQUIRE(status_of(certificate.dump()) == status);
  }

  // The same with members set to other values.
  void require(int status, const ordered_json& certificate, const ordered_json& members) const {
    require(status, members.dump(), certificate, [&](ordered_json& changed) { changed.update(members); });
  }

  int status_of(const std::string& text) const {
    return takt({"check", source(kInstance), folder_.write("changed.json", text)}).status;
  }

 private:
  TemporaryFolder folder_;
  ordered_json strict_;
  ordered_json columns_;
  ordered_json schedule_;
};

// A certificate without some of its members.
ordered_json without(ordered_json certificate, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) certificate.erase(key);
  return certificate;
}

constexpr int kForm = tools::kBadInput;

TEST_CASE("a certificate that is not JSON, or not an object of the known keys, is an error of form") {
  const FormTests tests;
  const std::string text = tests.strict().dump();
  for (const std::string& bad : {std::string(), text.substr(0, text.size() - 1), text + "}", std::string("[]"),
                                 "{\"model\": \"strict\", " + text.substr(1),
                                 "{\"x\": " + std::string(70, '[') + std::string(70, ']') + "," + text.substr(1),
                                 std::string("{\"\xff\": 1}")}) {
    INFO(bad);
    REQUIRE(tests.status_of(bad) == kForm);
  }
  REQUIRE(tests.status_of("\xef\xbb\xbf" + text) == tools::kAnswered);
  tests.require(kForm, tests.strict(), {{"comment", "none"}});
  for (const char* key : {"model", "period", "circuit", "data_set", "clocks"}) {
    INFO(key);
    REQUIRE(tests.status_of(without(tests.strict(), {key}).dump()) == kForm);
  }
}

TEST_CASE("a claim of another form is an error of form, one that is not so is refused") {
  const FormTests tests;
  const ordered_json open = without(tests.strict(), {"period"});
  for (const ordered_json& model : std::vector<ordered_json>{"STRICT", "", 1, nullptr, {"strict"}}) {
    tests.require(kForm, tests.strict(), {{"model", model}});
  }
  tests.require(kForm, tests.strict(), {{"rooms", 1}});
  for (const ordered_json& rooms : std::vector<ordered_json>{0, "1/2", 1001, -1}) {
    tests.require(kForm, tests.strict(), {{"model", "bounded"}, {"rooms", rooms}});
  }
  tests.require(tools::kNo, tests.strict(), {{"model", "bounded"}, {"rooms", 1000}});
  for (const ordered_json& period : std::vector<ordered_json>{-1, "-1/2", "692/0", "230.5 s", "1e3 s", "", " 1",
                                                              nullptr, true, ordered_json::array()}) {
    tests.require(kForm, tests.strict(), {{"period", period}});
  }
  tests.require(tools::kAnswered, tests.strict(), {{"period", "1384/6"}});
  tests.require(tools::kNo, tests.strict(), {{"period", 230.5}});
  tests.require(kForm, tests.strict(), {{"lower", 0}});
  tests.require(kForm, tests.strict(), {{"upper", 1000}});
  tests.require(kForm, open, {{"lower", 0}});
  tests.require(kForm, open, {{"upper", 1000}});
  tests.require(kForm, open, {{"lower", -1}, {"upper", 1000}});
  tests.require(tools::kAnswered, open, {{"lower", 0}, {"upper", 1000}});
  tests.require(tools::kNo, open, {{"lower", 1000}, {"upper", 0}});
  tests.require(kForm, open, {{"lower", 0}, {"upper", std::string(100'001, '1')}});
  tests.require(tools::kAnswered, open, {{"lower", 0}, {"upper", std::string(100'000, '1')}});
}

TEST_CASE("a lower witness of another form is an error of form, one that does not hold is refused") {
  const FormTests tests;
  const ordered_json open = without(tests.strict(), {"circuit", "data_set"});
  for (const ordered_json& data_set : std::vector<ordered_json>{-1, 0.5, "x", nullptr}) {
    tests.require(kForm, tests.strict(), {{"data_set", data_set}});
  }
  tests.require(tools::kNo, tests.strict(), {{"data_set", 0}});
  tests.require(tools::kAnswered, tests.strict(), {{"data_set", 7}});
  tests.require(kForm, tests.strict(), {{"circuit", ordered_json::object()}});
  tests.require(tools::kNo, tests.strict(), {{"circuit", ordered_json::array()}});
  tests.require(kForm, tests.strict(), {{"resource", "P2"}});
  tests.require(kForm, without(tests.strict(), {"circuit"}), {{"resource", "P2"}});
  tests.require(kForm, tests.strict(), {{"port", "in"}});
  tests.require(kForm, open, {{"resource", 2}});
  tests.require(kForm, open, {{"resource", "P2"}, {"port", "up"}});
  tests.require(tools::kNo, open, {{"resource", "P2"}});  // its cycle time is less than the period
  tests.require(tools::kNo, open, {{"resource", "P2"}, {"port", "in"}});
  tests.require(tools::kNo, open, {{"resource", "P2"}, {"port", "both"}});
  tests.require(tools::kNo, open, {{"resource", "P9"}});
  tests.require(tools::kNo, open, {{"resource", "source"}});
  const auto require_step = [&](int status, const std::string& key, const ordered_json& value) {
    tests.require(status, key + value.dump(), tests.strict(),
                  [&](ordered_json& changed) { changed["circuit"][0][key] = value; });
  };
  require_step(kForm, "comment", 0);
  for (const char* key : {"column", "to", "height"}) {
    for (const ordered_json& value : std::vector<ordered_json>{-1, 0.5, "18446744073709551616", "x"}) {
      require_step(kForm, key, value);
    }
    require_step(tools::kNo, key, "18446744073709551615");
    tests.require(kForm, key, tests.strict(), [&](ordered_json& changed) { changed["circuit"][0].erase(key); });
  }
  tests.require(tools::kNo, "a step less", tests.strict(), [](ordered_json& changed) { changed["circuit"].erase(0); });
  tests.require(tools::kNo, "heights of 0", tests.strict(), [](ordered_json& changed) {
    changed["circuit"] = {{{"column", 0}, {"to", 0}, {"height", 0}}};
  });
}

TEST_CASE("clocks of another form are an error of form, those that do not hold are refused") {
  const FormTests tests;
  const auto require_clock = [&](int status, const std::string& key, const ordered_json& value) {
    tests.require(status, key + value.dump(), tests.strict(),
                  [&](ordered_json& changed) { changed["clocks"][0][key] = value; });
  };
  tests.require(kForm, tests.strict(), {{"clocks", 1}});
  tests.require(tools::kNo, tests.strict(), {{"clocks", ordered_json::array()}});
  tests.require(kForm, tests.strict(), {{"columns", ordered_json::array()}});
  tests.require(kForm, tests.strict(), {{"schedule", ordered_json::array()}});
  require_clock(kForm, "resource", 0);
  require_clock(kForm, "port", "up");
  require_clock(kForm, "comment", 0);
  require_clock(kForm, "value", "x");
  require_clock(tools::kNo, "resource", "P9");
  require_clock(tools::kNo, "resource", "P1");
  require_clock(tools::kNo, "port", "compute");
  require_clock(tools::kNo, "value", 1'000'000);
  tests.require(tools::kAnswered, "clocks later by as much", tests.strict(), [](ordered_json& changed) {
    for (auto& clock : changed["clocks"]) {
      clock["value"] = std::to_string(std::stoi(clock["value"].get<std::string>()) - 2000);
    }
  });
  tests.require(tools::kNo, "a clock less", tests.strict(), [](ordered_json& changed) { changed["clocks"].erase(0); });
  tests.require(tools::kNo, "a clock twice", tests.strict(),
                [](ordered_json& changed) { changed["clocks"].push_back(changed["clocks"][0]); });
  tests.require(tools::kAnswered, "another order", tests.strict(),
                [](ordered_json& changed) { std::swap(changed["clocks"][0], changed["clocks"][1]); });
}

TEST_CASE("clocks by column of another form are an error of form, those that do not hold are refused") {
  const FormTests tests;
  const auto change = [&](int status, const std::string& what, const std::function<void(ordered_json&)>& in_columns) {
    tests.require(status, what, tests.columns(), [&](ordered_json& changed) { in_columns(changed["columns"]); });
  };
  change(kForm, "a key too many", [](ordered_json& columns) { columns[0]["comment"] = 0; });
  change(kForm, "no column", [](ordered_json& columns) { columns[0].erase("column"); });
  change(kForm, "no clocks", [](ordered_json& columns) { columns[0].erase("clocks"); });
  change(kForm, "half a column", [](ordered_json& columns) { columns[0]["column"] = 0.5; });
  change(tools::kNo, "a column too many", [](ordered_json& columns) {
    columns.push_back({{"column", 7}, {"clocks", ordered_json::array()}});
  });
  change(tools::kNo, "a column twice", [](ordered_json& columns) {
    columns.push_back({{"column", 0}, {"clocks", ordered_json::array()}});
  });
  change(tools::kNo, "a column less", [](ordered_json& columns) { columns.erase(0); });
  change(tools::kNo, "a clock elsewhere", [](ordered_json& columns) {
    columns[1]["clocks"].push_back(columns[0]["clocks"][0]);
    columns[0]["clocks"].erase(0);
  });
  tests.require(tools::kNo, "columns that wait for earlier ones", tests.strict(), [](ordered_json& changed) {
    changed["columns"] = {{{"column", 0}, {"clocks", changed["clocks"]}}};
    changed.erase("clocks");
  });
}

TEST_CASE("a schedule of another form is an error of form, one that does not hold is refused, whatever its moduli") {
  const FormTests tests;
  const auto change = [&](int status, const std::string& what, const std::function<void(ordered_json&)>& in_schedule) {
    tests.require(status, what, tests.schedule(), [&](ordered_json& changed) { in_schedule(changed["schedule"]); });
  };
  for (const char* key : {"column", "modulus", "start"}) {
    change(kForm, key, [&](ordered_json& schedule) { schedule[0].erase(key); });
  }
  change(kForm, "a key too many", [](ordered_json& schedule) { schedule[0]["comment"] = 0; });
  change(kForm, "a modulus that does not count", [](ordered_json& schedule) { schedule[0]["modulus"] = "1000"; });
  change(kForm, "no start", [](ordered_json& schedule) {
    schedule[0]["modulus"] = 0;
    schedule[0]["start"] = ordered_json::array();
  });
  change(kForm, "a start that is no number", [](ordered_json& schedule) { schedule[0]["start"][0] = "soon"; });
  change(tools::kNo, "a column too many", [](ordered_json& schedule) {
    schedule.push_back({{"column", 7}, {"modulus", 1}, {"start", {0}}});
  });
  change(tools::kNo, "a column twice", [](ordered_json& schedule) { schedule.push_back(schedule[0]); });
  change(tools::kNo, "a column less", [](ordered_json& schedule) { schedule.erase(0); });
  change(tools::kNo, "a start too late", [](ordered_json& schedule) { schedule[0]["start"][0] = 1'000'000; });

  // One data set after the other, whatever a column's durations and guards repeat after.
  ordered_json sequential = without(tests.schedule(), {"period", "schedule", "circuit", "data_set"});
  sequential.update({{"lower", "1295/6"}, {"upper", 821}, {"resource", "P2"}});
  const std::vector<int> starts = {0, 22, 214, 361, 526, 672, 798};
  for (std::size_t c = 0; c < starts.size(); ++c) {
    sequential["schedule"].push_back({{"column", c}, {"modulus", 1}, {"start", {starts[c]}}});
  }
  REQUIRE(tests.status_of(sequential.dump()) == tools::kAnswered);
  ordered_json five = sequential;
  five["schedule"][3] = {{"column", 3}, {"modulus", 5}, {"start", {361, 1182, 2003, 2824, 3645}}};
  REQUIRE(tests.status_of(five.dump()) == tools::kAnswered);
  for (const int shift : {-1, 1}) {
    ordered_json shifted = five;
    shifted["schedule"][3]["start"][4] = 3645 + shift;
    REQUIRE(tests.status_of(shifted.dump()) == tools::kNo);
  }
}

TEST_CASE("source and sink have clocks as processors have, and a processor may have their name where they are not") {
  const TemporaryFolder folder;
  const std::string instance = source("tests/data/known/source-and-sink.json");
  const std::string path = folder.path("ends.json");
  REQUIRE(takt({"evaluate", instance, "--model", "overlap", "--method", "sweep", "--certificate", path}).status == 0);
  std::vector<std::string> ends;
  const ordered_json certificate = ordered_json::parse(text_of(path));
  for (const auto& clock : certificate.at("clocks")) {
    const auto name = clock.at("resource").get<std::string>();
    if (name == "source" || name == "sink") ends.push_back(name + " " + clock.at("port").get<std::string>());
  }
  REQUIRE(ends == std::vector<std::string>{"source compute", "source out", "sink in", "sink compute"});
  REQUIRE(takt({"check", instance, path}).status == tools::kAnswered);

  std::string text = text_of(source(kInstance));
  for (std::size_t at = text.find("\"P2\""); at != std::string::npos; at = text.find("\"P2\"")) {
    text.replace(at, 4, "\"source\"");
  }
  const std::string renamed = folder.write("renamed.json", text);
  REQUIRE(takt({"evaluate", renamed, "--model", "strict", "--certificate", path}).status == tools::kAnswered);
  REQUIRE_THAT(text_of(path), Catch::Contains("\"source\""));
  REQUIRE(takt({"check", renamed, path}).status == tools::kAnswered);
}

}  // namespace
}  // namespace takt::testing

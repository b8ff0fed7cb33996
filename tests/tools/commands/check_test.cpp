// takt check: certificates through files, and what is refused.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/counted_clock.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/number_words.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using nlohmann::ordered_json;

// Writes the certificate of an instance under a model; returns its path.
std::string certify(const TemporaryFolder& folder, const std::string& instance, const std::string& model,
                    const std::vector<std::string>& more = {}) {
  const std::string path = folder.path("certificate.json");
  const Outcome outcome = takt(appended({"evaluate", instance, "--model", model, "--certificate", path}, more));
  REQUIRE((outcome.status == tools::kAnswered || outcome.status == tools::kLimit));
  REQUIRE(outcome.err.empty());
  return path;
}

TEST_CASE("every method's certificate of every kind of mapping is accepted") {
  const TemporaryFolder folder;
  const auto expected = ordered_json::parse(text_of(source("tests/data/known/expected.json")));
  const std::vector<std::vector<std::string>> ways = {
      {"--method", "sweep"}, {"--method", "unfold"}, {"--method", "unfold", "--solver", "karp"}};
  for (const auto& [name, models] : expected.items()) {
    const std::string instance = source("tests/data/known/" + name + ".json");
    for (const auto& [model, answer] : models.items()) {
      for (const auto& way : ways) {
        INFO(name << ", " << model << ", " << way.back());
        const Outcome outcome = takt({"check", instance, certify(folder, instance, model, way)});
        REQUIRE(outcome.status == tools::kAnswered);
        REQUIRE(outcome.err.empty());
        const std::string period =
            tools::exact_and_decimal(*tools::read_number(answer.at("period").get<std::string>()));
        REQUIRE_THAT(outcome.out, StartsWith("Proved: the period is " + period + " under "));
      }
    }
  }
}

TEST_CASE("certificates by column, as pattern writes them, are accepted") {
  const TemporaryFolder folder;
  for (const char* example : {"examples/example-a.json", "examples/example-b.json", "examples/example-c.json",
                              "examples/weighted-round-robin.json"}) {
    for (const std::vector<std::string>& more :
         std::vector<std::vector<std::string>>{{"--method", "pattern"}, {"--method", "pattern", "--solver", "karp"}}) {
      INFO(example << ", " << more.back());
      const std::string certificate = certify(folder, source(example), "overlap", more);
      REQUIRE_THAT(text_of(certificate), Catch::Contains("\"columns\""));
      REQUIRE(takt({"check", source(example), certificate}).status == tools::kAnswered);
    }
  }
}

TEST_CASE("a verdict names the period and the model in one line") {
  const TemporaryFolder folder;
  const std::string certificate = certify(folder, source(kExampleA), "strict");
  const Outcome outcome = takt({"check", source(kExampleA), certificate});
  REQUIRE(outcome.out == "Proved: the period is 230.667 (exactly 692/3) under STRICT ONE-PORT.\n");
}

TEST_CASE("the instance or the certificate can come from standard input") {
  const TemporaryFolder folder;
  const std::string certificate = certify(folder, source(kExampleA), "overlap");
  REQUIRE(takt({"check", "-", certificate}, text_of(source(kExampleA))).status == tools::kAnswered);
  REQUIRE(takt({"check", source(kExampleA), "-"}, text_of(certificate)).status == tools::kAnswered);
}

TEST_CASE("a certificate that was changed, or belongs to another instance, is refused with status 1") {
  const TemporaryFolder folder;
  const std::string text = text_of(certify(folder, source(kExampleA), "strict"));
  const auto require_refused = [&](const std::string& instance, const std::string& certificate) {
    const Outcome outcome = takt({"check", instance, folder.write("changed.json", certificate)});
    REQUIRE(outcome.status == tools::kNo);
    REQUIRE_THAT(outcome.out, StartsWith("Refused: the certificate does not prove that the period is "));
    REQUIRE(lines_of(outcome.out).size() == 1);
    REQUIRE(outcome.err.empty());
  };
  for (const char* period : {"691/3", "693/3", "692/6", "0"}) {
    ordered_json changed = ordered_json::parse(text);
    changed["period"] = period;
    require_refused(source(kExampleA), changed.dump());
  }
  ordered_json changed = ordered_json::parse(text);
  changed["model"] = "overlap";
  require_refused(source(kExampleA), changed.dump());
  changed = ordered_json::parse(text);
  changed["circuit"].erase(0);
  require_refused(source(kExampleA), changed.dump());
  require_refused(source("examples/example-b.json"), text);
}

TEST_CASE("an interval has a certificate that proves its bounds") {
  const TemporaryFolder folder;
  const std::string certificate = certify(folder, source(kExampleA), "strict", {"--max-rows", "2"});
  const Outcome outcome = takt({"check", source(kExampleA), certificate});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.out == "Proved: the period lies between 215.833 (exactly 1295/6) and 821 under STRICT ONE-PORT.\n");
}

TEST_CASE("what is no certificate, or cannot be read, is bad input") {
  const TemporaryFolder folder;
  const std::string instance = source(kExampleA);
  const auto require_bad = [&](const std::vector<std::string>& arguments, const std::string& found) {
    const Outcome outcome = takt(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.status == tools::kBadInput);
    REQUIRE(outcome.out.empty());
    REQUIRE(lines_of(outcome.err).size() == 1);
    REQUIRE_THAT(outcome.err, StartsWith("takt: ") && Contains(found));
  };
  require_bad({"check", instance, instance}, "found an instance, expected a certificate; takt evaluate ");
  require_bad({"check", instance, folder.write("empty.json", "")}, "empty.json:1:1: found an empty file");
  require_bad({"check", instance, folder.write("half.json", "{\"model\": \"strict\",")}, "half.json:1:");
  require_bad({"check", instance, folder.path("absent.json")}, "cannot be read: No such file or directory");
  require_bad({"check", instance, folder.path("")}, "cannot be read: Is a directory");
  require_bad({"check", folder.path("absent.json"), instance}, "cannot be read: No such file or directory");
}

// Example A with its certificate under STRICT, B with that of A, and a certificate that has a key too many.
struct Pairs {
  TemporaryFolder folder;
  std::string a = source(kExampleA);
  std::string b = source("examples/example-b.json");
  std::string proof = certify(folder, a, "strict");
  std::string unreadable = folder.write("unreadable.json", R"({"model": "strict", "color": "red"})");
};

const std::string kSlow = "tests/attack/check-slow.json";
const std::string kSlowCertificate = "tests/attack/check-slow.certificate.json";

TEST_CASE("several pairs have a line each that names them, and the worst status") {
  const Pairs pairs;
  const Outcome proved = takt({"check", pairs.a, pairs.proof, pairs.a, pairs.proof});
  REQUIRE(proved.status == tools::kAnswered);
  const std::string line =
      pairs.a + ", " + pairs.proof + ": Proved: the period is 230.667 (exactly 692/3) under STRICT ONE-PORT.\n";
  REQUIRE(proved.out == line + line);
  REQUIRE(proved.err.empty());

  const Outcome limit = takt({"check", source(kSlow), source(kSlowCertificate), pairs.a, pairs.proof});
  REQUIRE(limit.status == tools::kLimit);
  REQUIRE(lines_of(limit.out).size() == 2);
  REQUIRE_THAT(limit.out, StartsWith(source(kSlow) + ", " + source(kSlowCertificate) +
                                     ": Undecided: the certificate cannot be checked: ") &&
                              Contains(line));

  const Outcome refused =
      takt({"check", pairs.a, pairs.proof, pairs.b, pairs.proof, source(kSlow), source(kSlowCertificate)});
  REQUIRE(refused.status == tools::kNo);
  REQUIRE(lines_of(refused.out).size() == 3);
  REQUIRE_THAT(refused.out, StartsWith(line) && Contains("\n" + pairs.b + ", " + pairs.proof + ": Refused: "));
}

TEST_CASE("a pair that cannot be read stops all, before any verdict") {
  const Pairs pairs;
  for (const std::string& bad : {pairs.unreadable, pairs.folder.path("absent.json"), pairs.folder.path("")}) {
    for (const std::vector<std::string>& form : {std::vector<std::string>{}, {"--json"}}) {
      const Outcome outcome = takt(appended({"check", pairs.a, pairs.proof, pairs.a, bad}, form));
      REQUIRE(outcome.status == tools::kBadInput);
      REQUIRE(outcome.out.empty());
      REQUIRE(lines_of(outcome.err).size() == 1);
      REQUIRE_THAT(outcome.err, StartsWith("takt: " + bad + ":"));
    }
  }
}

TEST_CASE("told to keep going, check tells of pairs that cannot be read and has a verdict on the others") {
  const Pairs pairs;
  const std::string absent = pairs.folder.path("absent.json");
  const Outcome outcome = takt({"check", "--keep-going", pairs.a, pairs.unreadable, absent, pairs.proof, pairs.b,
                                pairs.proof, pairs.a, pairs.proof});
  REQUIRE(outcome.status == tools::kBadInput);
  const std::vector<std::string> messages = lines_of(outcome.err);
  REQUIRE(messages.size() == 2);
  REQUIRE_THAT(messages[0], StartsWith("takt: " + pairs.unreadable + ":1:") && Contains("color"));
  REQUIRE(messages[1] == "takt: " + absent + ": cannot be read: No such file or directory");
  REQUIRE(lines_of(outcome.out).size() == 2);
  REQUIRE_THAT(outcome.out, StartsWith(pairs.b) && Contains("\n" + pairs.a));
  REQUIRE(takt({"check", "--keep-going", pairs.a, pairs.proof}).status == tools::kAnswered);
  REQUIRE(takt({"check", "--keep-going", pairs.b, pairs.proof}).status == tools::kNo);
}

TEST_CASE("check prints its verdict as JSON, an object for one pair") {
  const Pairs pairs;
  const auto json_of = [](const std::vector<std::string>& arguments, int status) {
    const Outcome outcome = takt(appended({"check", "--json"}, arguments));
    REQUIRE(outcome.status == status);
    REQUIRE(outcome.err.empty());
    return ordered_json::parse(outcome.out);
  };
  ordered_json expected = {{"file", pairs.a},
                           {"certificate", pairs.proof},
                           {"verdict", "proved"},
                           {"model", "strict"},
                           {"period", "692/3"},
                           {"period_decimal", 692.0 / 3},
                           {"period_lower_bound", "692/3"},
                           {"period_lower_bound_decimal", 692.0 / 3},
                           {"period_upper_bound", "692/3"},
                           {"period_upper_bound_decimal", 692.0 / 3}};
  REQUIRE(json_of({pairs.a, pairs.proof}, tools::kAnswered).dump() == expected.dump());

  const ordered_json refused = json_of({pairs.b, pairs.proof}, tools::kNo);
  REQUIRE(refused.at("verdict") == "refused");
  REQUIRE_THAT(refused.at("reason").get<std::string>(), Contains("of the circuit is no dependence"));
  REQUIRE_FALSE(refused.contains("limit"));

  const std::string interval = certify(pairs.folder, pairs.a, "strict", {"--max-rows", "2"});
  const ordered_json proved = json_of({pairs.a, interval}, tools::kAnswered);
  REQUIRE(proved.at("period").is_null());
  REQUIRE(proved.at("period_decimal").is_null());
  REQUIRE(proved.at("period_lower_bound") == "1295/6");
  REQUIRE(proved.at("period_upper_bound_decimal") == 821.0);

  const ordered_json undecided = json_of({source(kSlow), source(kSlowCertificate)}, tools::kLimit);
  REQUIRE(undecided.at("verdict") == "undecided");
  REQUIRE_THAT(undecided.at("limit").get<std::string>(), Contains("would be needed, the limit is 200000000"));
  REQUIRE_FALSE(undecided.contains("reason"));
}

TEST_CASE("JSON of several pairs is an array, with an error where a pair cannot be read") {
  const Pairs pairs;
  const Outcome outcome = takt({"check", "--json", "--keep-going", pairs.a, pairs.unreadable, pairs.a, pairs.proof});
  REQUIRE(outcome.status == tools::kBadInput);
  REQUIRE(lines_of(outcome.err).size() == 1);
  const ordered_json verdicts = ordered_json::parse(outcome.out);
  REQUIRE(verdicts.size() == 2);
  REQUIRE(verdicts[0].at("file") == pairs.a);
  REQUIRE(verdicts[0].at("certificate") == pairs.unreadable);
  REQUIRE("takt: " + verdicts[0].at("error").get<std::string>() + "\n" == outcome.err);
  REQUIRE(verdicts[0].size() == 3);
  REQUIRE(verdicts[1].at("verdict") == "proved");
}

TEST_CASE("a certificate of many operations on long numbers meets a limit before they are made") {
  const Outcome outcome = takt({"check", source(kSlow), source(kSlowCertificate)});
  REQUIRE(outcome.status == tools::kLimit);
  REQUIRE(outcome.out.empty());
  REQUIRE_THAT(outcome.err, StartsWith("takt: the certificate cannot be checked: ") &&
                                Contains("operations of the checker or more would be needed, the limit is 200000000"));
}

TEST_CASE("a check that meets its time limit has no verdict") {
  // 251 x 257 rows of three operations.
  const TemporaryFolder folder;
  ordered_json problem = {{"application", {{"stages", ordered_json::array()}}},
                          {"platform", {{"processors", ordered_json::array()}, {"time", 1}}},
                          {"mapping", ordered_json::array()}};
  for (const int replicas : {251, 257}) {
    const std::string stage = "S" + std::to_string(replicas);
    ordered_json processors = ordered_json::array();
    for (int p = 0; p < replicas; ++p) {
      processors.push_back(stage + "P" + std::to_string(p));
      problem["platform"]["processors"].push_back({{"name", processors.back()}, {"time", 1 + p % 7}});
    }
    problem["application"]["stages"].push_back({{"name", stage}});
    problem["mapping"].push_back({{"stages", {stage}}, {"processors", processors}});
  }
  const std::string instance = folder.write("instance.json", problem.dump());
  const std::string path = folder.path("certificate.json");
  REQUIRE(takt({"evaluate", "--model", "strict", "--method", "sweep", instance, "--certificate", path}).status == 0);
  const support::CountedClock clock(std::chrono::milliseconds(1));
  const Outcome outcome = takt({"check", instance, path, "--time-limit", "3ms"});
  REQUIRE(outcome.status == tools::kLimit);
  REQUIRE(outcome.out.empty());
  REQUIRE(outcome.err == "takt: the certificate cannot be checked: the time limit was reached\n");

  // Long numbers are not even read.
  ordered_json certificate = ordered_json::parse(text_of(source(kSlowCertificate)));
  certificate["clocks"][0]["value"] = "1/" + std::string(90'000, '7');
  const Outcome reading =
      takt({"check", source(kSlow), folder.write("long.json", certificate.dump()), "--time-limit", "1e-9", "--json"});
  REQUIRE(reading.status == tools::kLimit);
  const ordered_json undecided = ordered_json::parse(reading.out);
  REQUIRE(undecided.at("verdict") == "undecided");
  REQUIRE(undecided.at("limit") == "the time limit was reached");
  REQUIRE_FALSE(undecided.contains("model"));
}

TEST_CASE("a certificate of any kind is proved in full, or there was no time for it") {
  const TemporaryFolder folder;
  const std::string catalogue = source("examples/catalogue.json");
  const std::string graph = folder.write("ring.graph", "a b 3 1\nb a 4 0\n");
  const auto written = [&](const std::vector<std::string>& command, const std::string& name) {
    const std::string path = folder.path(name);
    REQUIRE(takt(appended(command, {"--certificate", path})).status == 0);
    return path;
  };
  const std::string period = written({"evaluate", source(kExampleA), "--model", "strict"}, "period.json");
  const std::string plan = written({"plan", catalogue, "--rate", "100/s"}, "plan.json");
  const std::string ratio = written({"cycle-ratio", graph}, "ratio.json");
  int undecided = 0;
  for (const auto& [file, certificate] : {std::pair(source(kExampleA), period), {catalogue, plan}, {graph, ratio}}) {
    INFO(certificate);
    const Outcome whole = takt({"check", file, certificate});
    REQUIRE(whole.status == 0);
    REQUIRE_THAT(whole.out, Contains("Proved"));
    const Outcome late = takt({"check", file, certificate, "--time-limit", "1e-9"});
    if (late.status == 0) {  // a small one is proved before the clock is asked
      CHECK(late.out == whole.out);
      continue;
    }
    ++undecided;
    CHECK(late.status == tools::kLimit);
    CHECK_THAT(late.err, Contains("the certificate cannot be checked: the time limit was reached"));
    const Outcome json = takt({"check", file, certificate, "--time-limit", "1e-9", "--json"});
    CHECK(json.status == tools::kLimit);
    CHECK(ordered_json::parse(json.out).at("verdict") == "undecided");
  }
  CHECK(undecided >= 1);
}

TEST_CASE("a certificate that cannot be written leaves no result and no rest") {
  const TemporaryFolder folder;
  for (const std::string& path : {folder.path("absent/c.json"), folder.path("")}) {
    const Outcome outcome = takt({"evaluate", source(kExampleA), "--model", "strict", "--certificate", path});
    REQUIRE(outcome.status == tools::kBadInput);
    REQUIRE(outcome.out.empty());
    REQUIRE_THAT(outcome.err, StartsWith("takt: " + path + ": cannot be written: "));
  }
  REQUIRE(folder.names().empty());
}

TEST_CASE("a certificate replaces an older one, through a link as well, and leaves no rest") {
  const TemporaryFolder folder;
  folder.write("old.json", "old");
  std::filesystem::create_symlink("old.json", folder.path("certificate.json"));
  const std::string text = text_of(certify(folder, source(kExampleA), "strict"));
  REQUIRE(text_of(folder.path("old.json")) == text);
  REQUIRE(std::filesystem::is_symlink(folder.path("certificate.json")));
  REQUIRE(folder.names() == std::vector<std::string>{"certificate.json", "old.json"});
}

}  // namespace
}  // namespace takt::testing

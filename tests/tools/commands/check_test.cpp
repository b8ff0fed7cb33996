// takt check: certificates through files, and what is refused.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using nlohmann::ordered_json;

const std::string kExampleA = "examples/example-a.json";

// Writes the certificate of an instance under a model; returns its path.
std::string certify(const TemporaryFolder& folder, const std::string& instance, const std::string& model,
                    std::vector<std::string> more = {}) {
  const std::string path = folder.path("certificate.json");
  std::vector<std::string> arguments = {"evaluate", instance, "--model", model, "--certificate", path};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = takt(arguments);
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
        REQUIRE_THAT(outcome.out, StartsWith("Proved: the period is " + answer.at("period").get<std::string>() + " "));
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
  REQUIRE(outcome.out == "Proved: the period is 692/3 under STRICT ONE-PORT.\n");
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
  REQUIRE(outcome.out == "Proved: the period lies between 1295/6 and 821 under STRICT ONE-PORT.\n");
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
  require_bad({"check", instance, instance}, "found the unknown key \"application\"");
  require_bad({"check", instance, folder.write("empty.json", "")}, "empty.json:1:1: found an empty file");
  require_bad({"check", instance, folder.write("half.json", "{\"model\": \"strict\",")}, "half.json:1:");
  require_bad({"check", instance, folder.path("absent.json")}, "cannot be read: No such file or directory");
  require_bad({"check", instance, folder.path("")}, "cannot be read: Is a directory");
  require_bad({"check", folder.path("absent.json"), instance}, "cannot be read: No such file or directory");
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

// takt check on certificates of plans: what is proved of catalogues and of mapped documents, and what is refused.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

const std::string kCatalogue = "examples/catalogue.json";

// A plan's mapped document and its certificate.
struct Planned {
  std::string mapped;
  std::string certificate;
};

Planned plan(const TemporaryFolder& folder, std::vector<std::string> options, int status = tools::kAnswered) {
  const Planned made{folder.path("mapped.json"), folder.path("certificate.json")};
  std::vector<std::string> arguments = {"plan", source(kCatalogue), "--certificate", made.certificate};
  if (status == tools::kAnswered) arguments.insert(arguments.end(), {"-o", made.mapped});
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Outcome outcome = takt(arguments);
  // Where a search closed a gap, the certificate proves less, and that is said.
  if (!outcome.err.empty())
    REQUIRE_THAT(outcome.err, Contains("a search proved the same of") && Contains("a search did"));
  REQUIRE(outcome.status == status);
  return made;
}

}  // namespace

TEST_CASE("a plan's certificate proves of the catalogue that nothing is cheaper, and of the mapping that it is best") {
  const TemporaryFolder folder;
  const Planned made = plan(folder, {"--rate", "200/s"});
  const auto json = ordered_json::parse(takt({"check", made.mapped, made.certificate, "--json"}).out);
  CHECK(json.at("verdict") == "proved");
  CHECK(json.at("period") == "1/200");
  CHECK(json.at("plan_check").at("verdict") == "proved");
  CHECK(json.at("plan_check").at("cost_lower_bound") == "157/100");
  CHECK(json.at("plan_check").at("cost") == "157/100");
  CHECK(json.at("plan_check").at("machine_count") == 29);
  CHECK(json.at("plan_check").at("optimal") == true);
  CHECK_FALSE(json.at("plan_check").contains("other_kind"));
}

TEST_CASE("the certificate of every kind of plan is proved, and says what it is about") {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::vector<std::string>, std::string>> kinds = {
      {{"--rate", "200/s", "--model", "strict"}, "1.68 with a period of at most 5 ms under STRICT"},
      {{"--rate", "200/s", "--model", "bounded"}, "under BOUNDED"},
      {{"--rate", "200/s", "--survive", "1"}, "1.78 with a period of at most 5 ms after any machine has failed"},
      {{"--rate", "200/s", "--survive", "2"}, "after any 2 machines have failed"},
      {{"--rate", "200/s", "--apart"}, "1.7 with a period of at most 5 ms, each stage a part of its own"},
      {{"--rate", "200/s", "--latency", "150ms"}, "and a latency of at most 150 ms"},
      {{"--rate", "200/s", "--machines", "small=40,large=3,gpu=0"}, ", of at most 0 gpu, 3 large, 40 small"},
      {{"--budget", "1.6"}, "1.63 with a period below 5 ms"}};
  for (const auto& [options, words] : kinds) {
    CAPTURE(options, words);
    const Planned made = plan(folder, options);
    const Outcome outcome = takt({"check", made.mapped, made.certificate});
    CHECK(outcome.status == tools::kAnswered);
    CHECK_THAT(outcome.out, Contains(words));
    CHECK_THAT(outcome.out, Contains("it is such a plan"));
  }
}

TEST_CASE("a plan that a search found has a certificate of a lesser bound") {
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  const std::string certificate = folder.path("certificate.json");
  const Outcome planned = takt(
      {"plan", source(kCatalogue), "--rate", "200/s", "--latency", "80ms", "--certificate", certificate, "-o", mapped});
  CHECK(planned.status == tools::kAnswered);
  CHECK_THAT(planned.err, Contains("the certificate proves that nothing costs less than"));
  const Outcome outcome = takt({"check", mapped, certificate});
  CHECK(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out,
             Contains("costs less than 1.71 with a period of at most 5 ms and a latency of at most 80 ms"));
  CHECK_THAT(outcome.out,
             Contains("16 machines cost 1.76, and it is such a plan: at most 0.05 more than the cheapest"));
}

TEST_CASE("that there is no plan is proved") {
  const TemporaryFolder folder;
  const Planned made = plan(folder, {"--rate", "500/s"}, tools::kNo);
  const Outcome outcome = takt({"check", source(kCatalogue), made.certificate});
  CHECK(outcome.out ==
        "Proved: there is no plan with one type per part, each machine whole in one part, in round robin, with a "
        "period of at most 2 ms under OVERLAP "
        "ONE-PORT.\n");
  CHECK(outcome.status == tools::kAnswered);
  const auto json = ordered_json::parse(takt({"check", source(kCatalogue), made.certificate, "--json"}).out);
  CHECK(json.at("plan_check").at("impossible") == true);
  CHECK(json.at("plan_check").at("cost_lower_bound").is_null());
  CHECK_FALSE(json.contains("period"));
}

TEST_CASE("a mapping beside a certificate of other plans is told apart") {
  const TemporaryFolder folder;
  const Planned slower = plan(folder, {"--rate", "100/s"});
  const std::string mapped = folder.write("slower.json", text_of(slower.mapped));
  const Planned made = plan(folder, {"--rate", "200/s"});
  auto certificate = ordered_json::parse(text_of(made.certificate));
  const ordered_json half = {{"plan", certificate.at("plan")}};
  const std::string alone = folder.write("half.json", half.dump());
  const Outcome outcome = takt({"check", mapped, alone});
  CHECK(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("it is no such plan: the part"));

  auto instance = ordered_json::parse(text_of(made.mapped));
  instance["platform"]["processors"].push_back({{"name", "idle"}, {"type", "small"}});
  const Outcome dearer = takt({"check", folder.write("dearer.json", instance.dump()), alone});
  CHECK_THAT(dearer.out, Contains("30 machines cost 1.62, and it is such a plan: at most 0.05 more than the cheapest"));
  instance["platform"]["processors"].back()["price"] = 0;
  const Outcome other = takt({"check", folder.write("other.json", instance.dump()), alone});
  CHECK_THAT(other.out, Contains("it is no such plan: idle differs from its type, small."));
}

TEST_CASE("a plan's certificate that is changed is refused, and says where") {
  const TemporaryFolder folder;
  const Planned made = plan(folder, {"--rate", "200/s"});
  const auto certificate = ordered_json::parse(text_of(made.certificate));
  const auto refusal = [&](const auto& change) {
    ordered_json changed = certificate;
    change(changed.at("plan"));
    const Outcome outcome = takt({"check", made.mapped, folder.write("changed.json", changed.dump())});
    CHECK(outcome.status == tools::kNo);
    CHECK(takt({"check", source(kCatalogue), folder.path("changed.json")}).status == tools::kNo);
    return outcome.out;
  };
  CHECK_THAT(refusal([](ordered_json& plan) { plan["bound"] = "158/100"; }),
             Contains("the bound is 79/50, expected at most 157/100"));
  CHECK_THAT(refusal([](ordered_json& plan) { plan["period"] = "1/190"; }), Contains("expected at most"));
  CHECK_THAT(refusal([](ordered_json& plan) { plan["potentials"].erase(0); }), Contains("potential is missing"));
  CHECK_THAT(refusal([](ordered_json& plan) { plan["potentials"][0]["value"] = 3; }),
             Contains("decode on 10 small lead to stage 1, type small, next small, whose potential is 3, expected at "
                      "most 1/2"));
  CHECK_THAT(refusal([](ordered_json& plan) { plan["potentials"][0]["value"] = "1/3"; }),
             Contains("expected a multiple of 1/100"));
  CHECK_THAT(refusal([](ordered_json& plan) { plan["potentials"][0]["type"] = "tiny"; }),
             Contains("found a potential of tiny, which is no type"));
  CHECK_THAT(refusal([](ordered_json& plan) { plan["potentials"][0]["stage"] = 5; }),
             Contains("found a potential of stage 5, expected 1 to 4"));
  CHECK_THAT(refusal([](ordered_json& plan) { plan["potentials"][0].erase("next"); }), Contains("without a next type"));
  CHECK_THAT(refusal([](ordered_json& plan) { plan["potentials"].push_back(plan["potentials"][0]); }),
             Contains("has two potentials"));
  CHECK_THAT(refusal([](ordered_json& plan) {
               plan["multipliers"] = {{"small", 1}};
             }),
             Contains("the multiplier of small is 1, expected 0: their number is unlimited"));
  CHECK_THAT(refusal([](ordered_json& plan) { plan["latency_multiplier"] = 1; }),
             Contains("expected 0, for it has no limit"));
  CHECK_THAT(refusal([](ordered_json& plan) {
               plan["counts"] = {{"tiny", 1}};
             }),
             Contains("found a count for tiny, which is no type"));
  CHECK_THAT(refusal([](ordered_json& plan) {
               plan.erase("bound");
               plan["impossible"] = true;
             }),
             Contains("expected"));
}

TEST_CASE("what is no certificate of plans is an error of form") {
  const TemporaryFolder folder;
  const Planned made = plan(folder, {"--rate", "200/s"});
  const auto certificate = ordered_json::parse(text_of(made.certificate));
  const auto complaint = [&](const auto& change) {
    ordered_json changed = certificate;
    change(changed["plan"]);
    const Outcome outcome = takt({"check", source(kCatalogue), folder.write("changed.json", changed.dump())});
    CHECK(outcome.status == tools::kBadInput);
    CHECK(outcome.out == "");
    return outcome.err;
  };
  CHECK_THAT(complaint([](ordered_json& plan) { plan = 1; }),
             Contains("/plan: found the number 1, expected an object: a plan's certificate"));
  CHECK_THAT(complaint([](ordered_json& plan) { plan["class"] = "mixed"; }), Contains("expected \"typed\""));
  CHECK_THAT(complaint([](ordered_json& plan) { plan["below"] = 1; }), Contains("\"below\" beside \"period\""));
  CHECK_THAT(complaint([](ordered_json& plan) { plan.erase("period"); }), Contains("period"));
  CHECK_THAT(complaint([](ordered_json& plan) { plan["impossible"] = true; }),
             Contains("\"impossible\" beside \"bound\""));
  CHECK_THAT(complaint([](ordered_json& plan) { plan.erase("model"); }), Contains("model"));
  CHECK_THAT(complaint([](ordered_json& plan) { plan["period"] = 0; }), Contains("/plan/period"));
  CHECK_THAT(complaint([](ordered_json& plan) { plan["spare"] = "1/2"; }), Contains("/plan/spare"));
  CHECK_THAT(complaint([](ordered_json& plan) { plan["counts"] = {{"small", -1}}; }), Contains("/plan/counts/small"));
  CHECK_THAT(complaint([](ordered_json& plan) {
               plan["multipliers"] = {{"gpu", -1}};
             }),
             Contains("/plan/multipliers/gpu"));
  CHECK_THAT(complaint([](ordered_json& plan) { plan["potentials"][0]["price"] = 1; }), Contains("/plan/potentials/0"));
  CHECK_THAT(complaint([](ordered_json& plan) { plan["optimal"] = true; }), Contains("\"optimal\""));
}

TEST_CASE("a catalogue needs a certificate of plans, and plans need types") {
  const TemporaryFolder folder;
  const Planned made = plan(folder, {"--rate", "200/s"});
  auto period = ordered_json::parse(text_of(made.certificate));
  const ordered_json half = {{"plan", period.at("plan")}};
  period.erase("plan");
  const std::string alone = folder.write("period.json", period.dump());
  CHECK(takt({"check", made.mapped, alone}).out == "Proved: the period is 5 ms under OVERLAP ONE-PORT.\n");
  const Outcome outcome = takt({"check", source(kCatalogue), alone});
  CHECK(outcome.status == tools::kBadInput);
  CHECK_THAT(outcome.err, Contains("/mapping: found no mapping"));
  const Outcome other = takt({"check", source("examples/example-a.json"), folder.write("half.json", half.dump())});
  CHECK(other.status == tools::kNo);
  CHECK_THAT(other.out, Contains("the document has no types of processors"));
}

}  // namespace takt::testing

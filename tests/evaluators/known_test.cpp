// Published and known periods, exactly as text.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "evaluators/bounds.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

void require_answer(const std::string& path, tpn::Model model, const std::string& period,
                    const std::string& largest_cycle_time, const std::string& rows) {
  INFO(path << ", " << tpn::name_of(model));
  const tpn::FoldedNet net = support::net_of(support::document_of(path), model);
  REQUIRE(support::period_of(net).to_string() == period);
  support::require_every_way(net, support::period_of(net));
  REQUIRE(evaluators::largest_cycle_time(net).to_string() == largest_cycle_time);
  REQUIRE(net.pipeline.rows.get_str() == rows);
}

std::string busiest(const std::string& path, tpn::Model model) {
  const tpn::FoldedNet net = support::net_of(support::document_of(path), model);
  return tpn::name_of(net.resources[evaluators::busiest_resource(net)], net.pipeline);
}

TEST_CASE("the reconstructed examples A and B have the periods the paper prints") {
  // benoit2009throughput: 189 and M_ct of P0's output port; 230.7 and 215.8 of P2; 291.7 and 258.3 of P2.
  require_answer("examples/example-a.json", tpn::Model::kOverlap, "189", "189", "6");
  require_answer("examples/example-a.json", tpn::Model::kStrict, "692/3", "1295/6", "6");
  require_answer("examples/example-b.json", tpn::Model::kOverlap, "875/3", "775/3", "12");
  require_answer("examples/example-b.json", tpn::Model::kStrict, "1925/6", "875/3", "12");
  REQUIRE(busiest("examples/example-a.json", tpn::Model::kOverlap) == "P0 out-port");
  REQUIRE(busiest("examples/example-a.json", tpn::Model::kStrict) == "P2");
  REQUIRE(busiest("examples/example-b.json", tpn::Model::kOverlap) == "P2 out-port");
}

TEST_CASE("example C, with the paper's replication 5, 21, 27, 11, has 10395 rows") {
  require_answer("examples/example-c.json", tpn::Model::kOverlap, "3", "3", "10395");
  require_answer("examples/example-c.json", tpn::Model::kStrict, "178/35", "178/35", "10395");
}

TEST_CASE("HeDPM's case study has no critical resource under STRICT") {
  require_answer("examples/hedpm-case-study.json", tpn::Model::kOverlap, "22/15", "22/15", "3");
  require_answer("examples/hedpm-case-study.json", tpn::Model::kStrict, "518519/139800", "2149/600", "3");
  REQUIRE(busiest("examples/hedpm-case-study.json", tpn::Model::kStrict) == "p3");
}

TEST_CASE("every kind of mapping has its known period, largest cycle time and rows") {
  std::ifstream file(std::string(TAKT_SOURCE_DIR) + "/tests/data/known/expected.json");
  const nlohmann::json expected = nlohmann::json::parse(file);
  REQUIRE(expected.size() == 10);
  for (const auto& [name, models] : expected.items()) {
    for (const auto& [model, answer] : models.items()) {
      require_answer("tests/data/known/" + name + ".json", *tpn::find_model(model), answer.at("period"),
                     answer.at("max_cycle_time"), answer.at("rows"));
    }
  }
}

}  // namespace
}  // namespace takt

// Certificates as text: written, read back, and refused if they are not certificates.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "evaluators/proof/certificate.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tpn/errors.hpp"

namespace takt {
namespace {

using evaluators::Certificate;

TEST_CASE("a certificate read back is written the same") {
  support::for_each_net({20}, support::all_models(), [](const tpn::FoldedNet& net) {
    for (const support::Way& way : support::ways_for(net)) {
      const auto certificate = std::get<Certificate>(evaluators::certify(net, evaluators::evaluate(net, way.options)));
      const std::string text = evaluators::write_certificate(certificate);
      REQUIRE(evaluators::write_certificate(evaluators::read_certificate(text, "c.json")) == text);
    }
  });
}

TEST_CASE("a certificate with numbers of thousands of digits is read back and proves its claim") {
  // Legal durations, 1 / (10^400 + k), whose sums have denominators too long for an instance.
  maxplus::Integer denominator;
  mpz_ui_pow_ui(denominator.get_mpz_t(), 10, 400);
  const std::array<std::size_t, 2> replication = {2, 3};
  const tpn::Document document = support::replicated_document(replication, [&](std::size_t, std::size_t, std::size_t) {
    return maxplus::Rational::fraction(1, ++denominator);
  });
  for (const tpn::Model& model : tpn::default_models()) {
    const tpn::FoldedNet net = support::net_of(document, model);
    for (const support::Way& way : support::ways_for(net)) {
      const auto certificate = std::get<Certificate>(evaluators::certify(net, evaluators::evaluate(net, way.options)));
      const std::string text = evaluators::write_certificate(certificate);
      if (model == tpn::Model::kStrict) {
        REQUIRE(certificate.upper.denominator().get_str().size() > maxplus::kMaxDigits);
      }
      const Certificate read_back = evaluators::read_certificate(text, "c.json");
      REQUIRE(evaluators::write_certificate(read_back) == text);
      REQUIRE(std::holds_alternative<evaluators::Proven>(evaluators::check(document, read_back)));
    }
  }
}

TEST_CASE("what is not a certificate is refused with its place, what was found and what was expected") {
  const std::string claim = R"({"model": "strict", "period": 1, "resource": "P0", )";
  const std::string floor = claim + R"("floor": {"unit": 1, "highest": 1, "transfers": [)";
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"[]", "c.json:1:1: "},
      {R"({"model": "strict"})", "\"period\""},
      {R"({"model": "duplex", "period": 1})",
       "found the text \"duplex\", expected \"overlap\", \"strict\" or \"bounded\""},
      {R"({"model": "strict", "rooms": 1, "period": 1})", "\"rooms\" with the model \"strict\""},
      {R"({"model": "bounded", "rooms": 0, "period": 1})", "expected a whole number greater than 0"},
      {R"({"model": "strict", "window": 0, "period": 1})", "expected a whole number greater than 0"},
      {R"({"model": "strict", "window": 100001, "period": 1})", "expected a whole number from 1 to 100000"},
      {R"({"model": "overlap", "buffers": {}, "period": 1})", "the buffers whose room is limited"},
      {R"({"model": "overlap", "buffers": [{"processor": "P0", "part": 0, "side": "in"}], "period": 1})", "\"room\""},
      {R"({"model": "overlap", "buffers": [{"processor": "P0", "part": 0, "side": "up", "room": 1}], "period": 1})",
       "found the text \"up\", expected \"in\" or \"out\""},
      {R"({"model": "overlap", "buffers": [{"processor": "P0", "part": 0, "side": "in", "room": 1001}], "period": 1})",
       "expected a whole number from 1 to 1000"},
      {R"({"model": "overlap", "buffers": [{"processor": "P0", "part": "1/2", "side": "in", "room": 1}], "period": 1})",
       "1/2"},
      {R"({"model": "strict", "period": 1, "lower": 1, "resource": "P0", "clocks": []})",
       "either a period or two bounds"},
      {R"({"model": "strict", "period": -1, "resource": "P0", "clocks": []})", "-1"},
      {R"({"model": "strict", "period": 1, "resource": "P0"})",
       "none of \"schedule\", \"clocks\", \"columns\" and \"floor\""},
      {claim + R"("clocks": [], "schedule": []})", "\"clocks\" beside"},
      {claim + R"("clocks": [], "columns": []})", "\"columns\" beside"},
      {claim + R"("columns": [{"column": 0}]})", "\"clocks\""},
      {claim + R"("columns": [{"clocks": []}]})", "\"column\""},
      {claim + R"("columns": [{"column": -1, "clocks": []}]})", "-1"},
      {claim + R"("columns": [{"column": 0, "clocks": [], "rows": 1}]})", "\"rows\""},
      {claim + R"("clocks": [], "floor": {}})", "\"floor\" beside"},
      {claim + R"("floor": []})", "a floor"},
      {claim + R"("floor": {"unit": 0, "highest": 1, "transfers": []}})", "expected a number greater than 0"},
      {claim + R"("floor": {"unit": 1, "highest": -1, "transfers": []}})", "-1"},
      {R"({"model": "strict", "period": 1, "resource": "P0",
           "floor": {"unit": 1, "highest": 9223372036854775808, "transfers": []}})",
       "expected a number below 2^63"},
      {floor + R"({}]}})", "\"sees\""},
      {floor + R"({"sees": [[0, 0.5]], "keeps": [], "pairs": []}]}})", "0.5"},
      {floor + R"({"sees": [[0, 1]], "keeps": [[]], "pairs": [{"sees": 4294967296, "keeps": 0, "floor": []}]}]}})",
       "expected the number of a set"},
      {floor + R"({"sees": [[0, 1]], "keeps": [[]], "pairs": [{"sees": 0, "keeps": 0, "floor": [2147483648]}]}]}})",
       "expected a whole number from -2^31 to 2^31 - 1"},
      {floor +
           R"({"sees": [[0, 1]], "keeps": [[]], "pairs": [{"sees": 0, "keeps": 0, "floor": [0], "numbers": 1}]}]}})",
       "numbers"},
      {claim + R"("circuit": [], "clocks": []})", "either a circuit or"},
      {R"({"model": "strict", "period": 1, "port": "in", "circuit": [], "clocks": []})", "a resource that it belongs"},
      {claim + R"("port": "up", "clocks": []})", "\"in\", \"compute\""},
      {R"({"model": "strict", "period": 1, "data_set": "0", "circuit": [{"column": 0, "to": 1}], "clocks": []})",
       "height"},
      {claim + R"("schedule": [{"column": 0, "modulus": "2", "start": [1]}]})",
       "found 1 start times, expected as many as the modulus says, 2"},
      {claim + R"("clocks": [{"resource": "P0", "value": 1, "port": "in", "x": 1}]})", "x"},
  };
  for (const auto& [text, part] : bad) {
    INFO(text);
    try {
      evaluators::read_certificate(text, "c.json");
      FAIL("it was read");
    } catch (const tpn::ParseError& error) {
      INFO(error.what());
      CHECK(std::string(error.what()).find(part) != std::string::npos);
      CHECK(std::string(error.what()).starts_with("c.json:"));
    }
  }
}

}  // namespace
}  // namespace takt

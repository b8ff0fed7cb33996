// The mapping in what a program prints: whole documents, mappings alone, and everything else.
#include "tools/own/own_mapping.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tpn/errors.hpp"
#include "tpn/reader.hpp"

namespace takt::tools {
namespace {

tpn::Document problem() {
  return tpn::read_document(
      R"({"application":{"stages":[{"name":"a","work":2,"output":1},{"name":"b","work":2,"output":1,"replicable":false},
          {"name":"c","work":1}]},
          "platform":{"processors":[{"name":"P","speed":1},{"name":"Q","speed":2},{"name":"R","time":1}],
          "links":[{"from":"P","to":"Q","bandwidth":1}]}})",
      "p");
}

TEST_CASE("a mapping is read by the problem's names, from a document or alone") {
  const tpn::Document document = problem();
  const tpn::ProblemView view(document);
  const std::string mapping =
      R"("mapping":[{"stages":["a"],"processors":["P"]},{"stages":["b","c"],"processors":["Q","Q"]}])";
  for (const std::string& text :
       {"{" + mapping + "}",
        R"({"application":{"no":"matter"},"platform":3,)" + mapping + ",\"predicted_period\":\"7/2\"}",
        "{" + mapping + ",\"predicted_period\":\"2 s\"}"}) {
    const OwnMapping own = read_own_mapping(text, "its output", view);
    REQUIRE(own.mapping == tpn::Mapping{{0, 0, {0}}, {1, 2, {1, 1}}});
    REQUIRE(own.predicted_period.has_value() == (text.find("predicted") != std::string::npos));
  }
}

TEST_CASE("what is no mapping of the problem is told with its place") {
  const tpn::Document document = problem();
  const tpn::ProblemView view(document);
  const auto error_of = [&](const std::string& text) -> std::string {
    try {
      read_own_mapping(text, "its output", view);
    } catch (const tpn::ParseError& error) {
      return error.what();
    } catch (const tpn::InvalidInstance& error) {
      return error.what();
    }
    return "no error";
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "its output:1:1: found an empty file, expected a JSON document"},
      {"[]", "its output:1:1: found an array, expected an object: a document, or its mapping alone"},
      {"{}", "its output:1:1: found the object without \"mapping\", expected the key \"mapping\""},
      {R"({"mapping":[]})", "its output:1:12: /mapping: found an empty array, expected parts, at least one"},
      {R"({"mapping":[{"stages":["x"],"processors":["P"]}]})",
       "its output:1:24: /mapping/0/stages/0: found the unknown stage \"x\", expected the name of a stage of the "
       "problem"},
      {R"({"mapping":[{"stages":["a"],"processors":["X"]}]})",
       "its output:1:43: /mapping/0/processors/0: found the unknown processor \"X\", expected the name of a processor "
       "of "
       "the problem"},
      {R"({"mapping":[{"stages":["a","c"],"processors":["P"]}]})",
       "its output:1:28: /mapping/0/stages/1: found stage \"c\", expected the stage that follows the one before"},
      {R"({"mapping":[{"stages":["a"],"processors":["P"]}]})",
       "its output: /mapping: found no part for stage \"b\", expected every stage in exactly one part"},
      {R"({"mapping":[{"stages":["a"],"processors":["P"]},{"stages":["b","c"],"processors":["P","Q"]}]})",
       "its output: /mapping/1/processors: found several processors for stage \"b\", which is not replicable, expected "
       "one and the same processor"},
      {R"({"mapping":[{"stages":["a"],"processors":["R"]},{"stages":["b","c"],"processors":["Q"]}]})",
       "its output: /platform/links: found no bandwidth or time from \"R\" to \"Q\", expected a link between them, or "
       "a "
       "default of the platform"},
      {R"({"mapping":[{"stages":["a","b","c"],"processors":[]}]})",
       "its output: /mapping/0/processors: found an empty sequence, expected at least one processor"},
      {R"({"mapping":[{"stages":["a","b","c"],"processors":["P"]}],"predicted_period":-1})",
       "its output:1:77: /predicted_period: found the number -1, expected a number of at least 0"},
  };
  for (const auto& [text, message] : cases) CHECK(error_of(text) == message);
}

}  // namespace
}  // namespace takt::tools

// Sources and sinks by name: how they are read, written and laid out, and what is refused.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/tpn/files.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"
#include "tpn/parameters.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::tpn {
namespace {

const std::string kNamedEnds = R"({
  "application": {"input": 12, "stages": [{"name": "a", "work": 1, "output": 6}]},
  "platform": {
    "processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}],
    "bandwidth": 1,
    "sources": [
      {"name": "door", "bandwidth": 3},
      {"name": "yard", "links": [{"processor": "Q", "time": 5}]},
      {"name": "gate", "ports": 2}
    ],
    "sinks": [{"name": "disk"}]
  },
  "mapping": [{"stages": ["a"], "processors": ["P", "Q"]}]
})";

TEST_CASE("several sources are read, written and laid out as a sequence, each with links of its own") {
  const Document document = read_document(kNamedEnds, "f");
  REQUIRE(document.platform.source->named.size() == 3);
  CHECK(document.platform.sink->named.front().name == "disk");
  CHECK(read_document(write_document(document), "g") == document);
  const auto net = std::get<FoldedNet>(fold(document, Model::kOverlap));
  const Pipeline& pipeline = net.pipeline;
  CHECK(pipeline.processors == std::vector<std::string>{"P", "Q", "door", "yard", "gate", "disk"});
  REQUIRE(pipeline.parts.front().sequence == std::vector<std::size_t>{2, 3, 4});
  CHECK(pipeline.rows == 6);
  std::vector<Rational> times;
  for (std::uint64_t j = 0; j < 6; ++j) times.push_back(pipeline.duration({j, ColumnIndex(1)}));
  // door -> P, yard -> Q, gate -> P, door -> Q, yard -> P, gate -> Q
  CHECK(times == std::vector<Rational>{4, 5, 12, 4, 12, 12});
  CHECK(pipeline.port_count(4) == 2);
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters_of(document)) names.push_back(parameter.name);
  for (const std::string name : {"door -> all others bandwidth", "yard -> Q"})
    CHECK(std::ranges::find(names, name) != names.end());
}

TEST_CASE("what is wrong about several sources is told by place, what was found and what was expected") {
  const std::vector<testing::WrongChange> wrong = {
      {{R"("name": "yard")", R"("name": "door")"},
       R"(f:8:16: /platform/sources/1/name: found the name "door" a second time, expected a name of its own)"},
      {{R"("name": "yard")", R"("name": "P")"},
       R"(f:8:16: /platform/sources/1/name: found the name "P" a second time, expected a name of its own)"},
      {{R"({"name": "yard", )", R"({)"},
       R"(f:8:7: /platform/sources/1: found a source without "name", expected the key "name")"},
      {{R"("sinks")", R"("source": {}, "sinks")"},
       R"(f:6:16: /platform/sources: found "sources" beside "source", expected either one source or several by name)"},
      {{R"("processor": "Q")", R"("processor": "R")"}, ""},
      {{R"("bandwidth": 1,)", ""}, ""},
  };
  testing::check_messages(kNamedEnds, wrong);
}

}  // namespace
}  // namespace takt::tpn

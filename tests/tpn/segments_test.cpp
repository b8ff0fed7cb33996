// Segments: how they are read, written and laid out, what they do to bandwidths, and what is refused.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/tpn/files.hpp"
#include "tpn/circuits.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"
#include "tpn/parameters.hpp"
#include "tpn/reader.hpp"
#include "tpn/timing.hpp"
#include "tpn/writer.hpp"

namespace takt::tpn {
namespace {

const std::string kTwoRacks = R"({
  "application": {"input": 12, "stages": [{"name": "a", "work": 1, "output": 60}, {"name": "b", "work": 1, "output": 12}]},
  "platform": {
    "types": [{"name": "big", "speed": 1}],
    "processors": [
      {"name": "P", "speed": 1, "cores": 2, "bandwidth": 10},
      {"name": "Q", "speed": 1},
      {"name": "R", "type": "big"}
    ],
    "bandwidth": 4,
    "links": [{"from": "P", "to": "R", "bandwidth": 20}],
    "segments": [
      {"name": "uplink", "bandwidth": 3, "between": [["P", "source"], ["Q", "big"]]},
      {"name": "bus", "ports": 2, "duplex": false, "between": [["Q"], ["sink", "P.1"]]}
    ],
    "source": {},
    "sink": {"bandwidth": 6}
  },
  "mapping": [{"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q", "R"]}]
})";

std::vector<std::size_t> operations_of(const Pipeline& pipeline, std::size_t segment) {
  std::vector<std::size_t> found;
  const auto circuit = std::get<Circuit>(circuit_of(pipeline, ConstraintKind::segment, segment));
  for (const Operation& operation : circuit.operations) {
    found.push_back(operation.data_set);
    found.push_back(operation.column);
  }
  return found;
}

TEST_CASE("segments are resources of the transfers between their two sets, each direction on its own") {
  const Document document = read_document(kTwoRacks, "f");
  REQUIRE(document.platform.segments.size() == 2);
  CHECK(read_document(write_document(document), "g") == document);
  const auto net = std::get<FoldedNet>(fold(document, Model::kOverlap));
  const Pipeline& pipeline = net.pipeline;
  CHECK(pipeline.processors == std::vector<std::string>{"P.1", "P.2", "Q", "R", "source", "sink", "P", "uplink forward",
                                                        "uplink reverse", "bus"});
  // Columns: source 0, to P 1, a 2, to b 3, b 4, to the sink 5, sink 6. P.1 sends to Q, P.2 to R.
  CHECK(operations_of(pipeline, 7) == std::vector<std::size_t>{0, 3});
  CHECK(operations_of(pipeline, 8).empty());
  CHECK(operations_of(pipeline, 9) == std::vector<std::size_t>{0, 3, 0, 5});
  CHECK(std::get<Circuit>(circuit_of(pipeline, ConstraintKind::segment, 7)).height == 1);
  CHECK(std::get<Circuit>(circuit_of(pipeline, ConstraintKind::segment, 9)).height == 2);
  // To Q at the uplink's 3, to R at the link's own 20; from Q to the sink at its 6.
  const auto time = [&](std::uint64_t j, std::size_t c) { return pipeline.duration({j, ColumnIndex(c)}); };
  CHECK(time(0, 3) == Rational(20));
  CHECK(time(1, 3) == Rational(3));
  CHECK(time(0, 5) == Rational(2));
  std::vector<std::string> names;
  for (const Resource& resource : net.resources) names.push_back(name_of(resource, pipeline));
  CHECK(std::ranges::count(names, "uplink forward") == 1);
  CHECK(std::ranges::count(names, "uplink reverse") == 0);
  CHECK(std::ranges::count(names, "bus") == 1);
  for (const Resource& resource : net.resources) {
    if (name_of(resource, pipeline) == "uplink forward") CHECK(resource.cycle_time == Rational::fraction(23, 2));
    // Two places take turns: one has all files of P, the other all of Q.
    if (name_of(resource, pipeline) == "bus") CHECK(resource.cycle_time == Rational(10));
  }
}

TEST_CASE("a segment's bandwidth is a parameter with which durations may bend") {
  Document document = read_document(kTwoRacks, "f");
  const std::vector<Parameter> parameters = parameters_of(document);
  const auto found = std::ranges::find(parameters, std::string("uplink bandwidth"), &Parameter::name);
  REQUIRE(found != parameters.end());
  CHECK(found->pointer == "/platform/segments/0/bandwidth");
  CHECK(found->may_bend);
  CHECK(found->is_inverse());
  const auto numbers = numbers_at(document, *found);
  REQUIRE(numbers.size() == 1);
  *numbers.front() = 1;
  CHECK(Timing(document).transfer(0, 0, 2) == Rational(60));
}

TEST_CASE("what is wrong about segments is told by place, what was found and what was expected") {
  const std::vector<testing::WrongChange> wrong = {
      {{R"("name": "bus")", R"("name": "uplink")"},
       R"(f:14:16: /platform/segments/1/name: found the name "uplink" a second time, expected a name of its own)"},
      {{R"("name": "bus")", R"("name": "P")"},
       R"(f:14:16: /platform/segments/1/name: found the name "P" a second time, expected a name of its own)"},
      {{R"("name": "bus")", R"("name": "uplink forward")"},
       R"(f:14:16: /platform/segments/1/name: found the name "uplink forward" a second time, expected a name of its own)"},
      {{R"("between": [["Q"])", R"("between": [["nobody"])"},
       R"(f:14:65: /platform/segments/1/between/0/0: found the unknown machine "nobody", expected the name of a processor, a host, a type, a source or a sink of the platform)"},
      {{R"(["sink", "P.1"])", R"(["sink", "Q"])"},
       R"(f:14:80: /platform/segments/1/between/1/1: found "Q", which is in both lists of the segment "bus", expected each machine in one of them)"},
      {{R"([["Q"], ["sink", "P.1"]])", R"([["Q"]])"},
       R"(f:14:63: /platform/segments/1/between: found 1 list, expected two lists of machines, such as [["node1", "node2"], ["node3"]])"},
      {{R"([["Q"], ["sink", "P.1"]])", R"([["Q"], []])"},
       R"(f:14:71: /platform/segments/1/between/1: found an empty array, expected names of machines, at least one)"},
      {{R"("ports": 2, "duplex")", R"("ports": 0, "duplex")"}, ""},
      {{R"("bandwidth": 3, )", R"("bandwidth": 0, )"}, ""},
      {{R"("source": {},)", ""}, ""},
      {{R"("duplex": false)", R"("duplex": 1)"}, ""},
  };
  testing::check_messages(kTwoRacks, wrong);
}

}  // namespace
}  // namespace takt::tpn

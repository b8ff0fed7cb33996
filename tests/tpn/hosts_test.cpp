// Hosts in documents: which processors they stand for, what they share, and what is refused.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/tpn/files.hpp"
#include "tpn/expansion.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/hosts.hpp"
#include "tpn/reader.hpp"
#include "tpn/timing.hpp"
#include "tpn/writer.hpp"

namespace takt::tpn {
namespace {

Document cameras() {
  return read_document(testing::contents(testing::source_path("tests/data/full-hosts.json")), "full-hosts.json");
}

// A document of three machines; each message is of one change.
const std::string kMachines = R"({
  "application": {"stages": [{"name": "a", "work": 6, "output": 2}, {"name": "b", "work": 4, "output": 2}]},
  "platform": {
    "processors": [
      {"name": "one", "cores": 2, "speed": 1, "bandwidth": 4},
      {"name": "gpu", "host": "one", "speed": 8},
      {"name": "two", "cores": 3, "speed": 2}
    ],
    "bandwidth": 1,
    "links": [{"from": "one", "to": "two", "bandwidth": 2}]
  },
  "mapping": [
    {"stages": ["a"], "processors": ["one", "two"]},
    {"stages": ["b"], "processors": ["gpu"]}
  ]
})";

TEST_CASE("cores are processors of one host, with its ports and its links") {
  const Document document = cameras();
  const auto& processors = document.platform.processors;
  REQUIRE(processors.size() == 4 + 2 + 2 + 1 + 1 + 2);
  const auto named = [&](const std::string& name) -> const Processor& {
    for (const Processor& processor : processors)
      if (processor.name == name) return processor;
    FAIL(name);
    return processors.front();
  };
  CHECK(named("edge-1.4").host == "edge-1");
  CHECK(named("edge-1.4").core == 4);
  CHECK(named("edge-1.4").ports == 2);
  CHECK(named("edge-2.2").ports == kUnlimitedPorts);
  CHECK(named("edge-2.1").memory_bandwidth == Rational(10'000'000'000));
  // What the host has, its guests have.
  CHECK(named("gpu-1").ports == 4);
  CHECK(named("gpu-1").bandwidth == named("box-1.1").bandwidth);
  CHECK(named("box-3.1").bandwidth == named("box-2").bandwidth);
  CHECK(named("box-2").memory_bandwidth == Rational(20'000'000'000));
  CHECK(named("box-2").core == 0);
  // Host by host in turn, as long as a host has cores.
  std::string turns;
  for (const std::size_t p : document.mapping->front().processors) turns += processors[p].name + " ";
  CHECK(turns == "edge-1.1 edge-2.1 edge-1.2 edge-2.2 edge-1.3 edge-1.4 ");
  // A time of a host is one of all its cores; a core's own goes with the others.
  const Timing timing(document);
  CHECK(timing.stage_time(0, 6) == Rational::fraction(4, 1000));
  CHECK(timing.stage_time(0, 7) == Rational::fraction(4, 1000));
  // Within a host no port; with a memory bandwidth a file takes time, without one none.
  CHECK(timing.transfer(0, 0, 3) == Rational::fraction(6'000'000, 10'000'000'000));
  CHECK(timing.transfer(0, 6, 8).sign() == 0);
  // The link of edge-1 and gpu-1 is one of all cores of edge-1 and box-1.
  CHECK(timing.transfer(0, 2, 7) == timing.transfer(0, 0, 8));
  CHECK(timing.transfer(0, 2, 7) == Rational::fraction(6'000'000, 125'000'000) + Rational::fraction(2, 10'000));
}

TEST_CASE("a document with hosts is written as it was read") {
  const Document document = cameras();
  const std::string text = write_document(document);
  CAPTURE(text);
  CHECK(read_document(text, "written") == document);
  for (const char* line :
       {R"("name": "edge-2", "type": "edge", "cores": 2, "ports": "unlimited")",
        R"("name": "gpu-1", "host": "box-1", "speed": "9e9/s"})", R"("processors": ["edge-1", "edge-2"])",
        R"("from": "box-2", "to": "box-1")", R"("box-1": "4 ms")", R"("box-1.2": "90 ms")"}) {
    CAPTURE(line);
    CHECK(text.find(line) != std::string::npos);
  }
}

TEST_CASE("cores that somebody changed or left out are written one by one") {
  Document document = read_document(kMachines, "f");
  document.platform.processors[1].speed = 3;
  std::string text = write_document(document);
  CAPTURE(text);
  Document again = read_document(text, "g");
  CHECK(again.platform.processors[1].speed == Rational(3));
  CHECK(HostIndex(again.platform).size_of(0) == 3);
  CHECK(again.mapping == document.mapping);
  CHECK(std::get<FoldedNet>(fold(again, Model::kOverlap)).dependences ==
        std::get<FoldedNet>(fold(document, Model::kOverlap)).dependences);
}

TEST_CASE("machines of a catalogue bring their cores") {
  const std::string text = R"({
    "application": {"stages": [{"name": "a", "work": 6}]},
    "platform": {"types": [{"name": "small", "cores": 2, "ports": 3, "speed": 1, "price": 5},
                           {"name": "big", "speed": 2}]}})";
  const Document document = read_document(text, "f", std::nullopt, Catalogues::accepted);
  CHECK(read_document(write_document(document), "g", std::nullopt, Catalogues::accepted) == document);
  const Document machines = expanded(document, std::vector<std::uint64_t>{2, 1});
  std::string names;
  for (const Processor& processor : machines.platform.processors) names += processor.name + " ";
  CHECK(names == "small-1.1 small-1.2 small-2.1 small-2.2 big-1 ");
  CHECK(machines.platform.processors[2].ports == 3);
  CHECK(HostIndex(machines.platform).are_together(2, 3));
  CHECK_FALSE(HostIndex(machines.platform).are_together(1, 2));
  CHECK(read_document(write_document(machines), "h") == machines);
}

TEST_CASE("what is wrong about a host is told by place, what was found and what was expected") {
  const std::vector<testing::WrongChange> wrong = {
      {{R"("cores": 2)", R"("cores": 0)"},
       R"(f:5:32: /platform/processors/0/cores: found the number 0, expected a whole number greater than 0)"},
      {{R"("cores": 2)", R"("cores": 4097)"},
       R"(f:5:32: /platform/processors/0/cores: found the number 4097, expected a whole number from 1 to 4096)"},
      {{R"("cores": 2)", R"("cores": 2, "ports": "many")"},
       R"(f:5:44: /platform/processors/0/ports: found the text "many", expected a number of ports, or "unlimited")"},
      {{R"("cores": 2)", R"("cores": 2, "ports": 1001)"},
       R"(f:5:44: /platform/processors/0/ports: found the number 1001, expected a whole number from 1 to 1000)"},
      {{R"("host": "one")", R"("host": "on")"},
       R"(f:6:31: /platform/processors/1/host: found the unknown host "on", expected the name of another processor, )"
       R"(or one that several processors have as their host)"},
      {{R"("host": "one")", R"("host": "one", "bandwidth": 3)"},
       R"(f:6:51: /platform/processors/1/bandwidth: found "bandwidth" of its own for "gpu", expected that of "one": )"
       R"(processors of the host "one" share its card)"},
      {{R"("cores": 3, "speed": 2})", R"("cores": 3, "speed": 2}, {"name": "one.2", "speed": 1})"},
       R"(f:7:57: /platform/processors/3/name: found the name "one.2" a second time, expected a name of its own)"},
      {{R"("cores": 3, "speed": 2})", R"("cores": 3, "speed": 2}, {"name": "one", "speed": 1})"},
       R"(f:7:57: /platform/processors/3/name: found the name "one" a second time, expected a name of its own)"},
      {{R"("to": "two")", R"("to": "gpu")"},
       R"(f:10:15: /platform/links/0: found a link from "one" to itself, expected two different hosts; )"
       R"("memory bandwidth" says how fast files are within one)"},
      {{R"({"from": "one", "to": "two", "bandwidth": 2})",
        R"({"from": "one", "to": "two", "bandwidth": 2}, {"from": "two.2", "to": "gpu"})"},
       R"(f:10:61: /platform/links/1: found a second undirected link between "two" and "one", expected one for both )"
       R"(directions: links are undirected unless "directed" is true; say so in both, or drop one)"},
      {{R"(["gpu"])", R"(["gpu.1"])"},
       R"(f:14:38: /mapping/1/processors/0: found the unknown processor "gpu.1", expected the name of a processor of )"
       R"(the platform)"},
      {{R"({"name": "a",)", R"({"name": "a", "replicable": false,)"},
       R"(f:13:37: /mapping/0/processors: found several processors for stage "a", which is not replicable, expected )"
       R"(one and the same processor)"},
      {{R"("name": "two", "cores": 3)", R"("name": "two", "host": "gpu")"},
       R"(f:7:31: /platform/processors/2/host: found the host "gpu", which is on the host "one" itself, expected "one")"},
  };
  testing::check_messages(kMachines, wrong);
}

}  // namespace
}  // namespace takt::tpn

// takt import: tables to problems, every bad row with its line.
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "maxplus/rational.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/files/measured_tables.hpp"
#include "tpn/document.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using maxplus::Rational;
using tools::import_tables;
using tpn::Document;

const std::string kTimes = "stage,processor,time\na,P,3\na,Q,4.5\nb,P,7/2\nb,Q,1e-1\n";

tools::MeasuredTables measured_tables(const std::string& times, const std::string& links, const std::string& sizes) {
  tools::MeasuredTables tables{{"times.csv", times}, {}, {}};
  if (!links.empty()) tables.links = tools::TableText{"links.csv", links};
  if (!sizes.empty()) tables.sizes = tools::TableText{"sizes.csv", sizes};
  return tables;
}

Document imported(const std::string& times, const std::string& links = "", const std::string& sizes = "") {
  const auto result = import_tables(measured_tables(times, links, sizes));
  CAPTURE(result.faults);
  REQUIRE(result.problem.has_value());
  return *result.problem;
}

std::vector<std::string> faults_of(const std::string& times, const std::string& links = "",
                                   const std::string& sizes = "") {
  const auto result = import_tables(measured_tables(times, links, sizes));
  CHECK(result.problem.has_value() == result.faults.empty());
  return result.faults;
}

TEST_CASE("a table of times alone is a problem whose transfers take no time") {
  const Document problem = imported(kTimes);
  REQUIRE(problem.application.stages.size() == 2);
  CHECK(problem.application.stages[0] ==
        tpn::Stage{.name = "a", .work = {}, .output = {}, .times = {{0, 3}, {1, Rational::fraction(9, 2)}}});
  CHECK(problem.application.stages[1].times ==
        std::vector<tpn::StageTime>{{0, Rational::fraction(7, 2)}, {1, Rational::fraction(1, 10)}});
  CHECK(problem.platform.processors == std::vector<tpn::Processor>{{"P", {}, {}}, {"Q", {}, {}}});
  CHECK(problem.platform.defaults.time == Rational(0));
  CHECK(problem.platform.links.empty());
  CHECK(problem.time_unit == tpn::TimeUnit::own);
  CHECK(imported("TIME, Processor ,\"stage\"\n3,P,a\n\n4.5,Q,a\r\n7/2,P,b\n1/10,Q,b") == problem);
}

// The last stage first, so that the order of the list is that of the edges.
const std::string kJoin = "stage,processor,time\noverlay,O,15\ndecode,D,12\ndetect,G,90\nthumbnail,T,10\nencode,E,25\n";

std::string with_edges(const std::string& name, const std::string& edges, const std::vector<std::string>& more = {},
                       int status = tools::kAnswered) {
  const TemporaryFolder folder;
  const Outcome outcome = takt(
      appended({"import", "--times", folder.write("times.csv", kJoin), "--edges", folder.write(name, edges)}, more));
  INFO(outcome.err);
  REQUIRE(outcome.status == status);
  std::string said = status == tools::kAnswered ? outcome.out : outcome.err;
  for (std::size_t at = said.find(folder.path("")); at != std::string::npos; at = said.find(folder.path("")))
    said.erase(at, folder.path("").size());
  return said;
}

TEST_CASE("edges say whose files stages take, in a table or in DOT, and the order of the stages") {
  const std::string table =
      "from,to,size\ndecode,detect,60\ndecode,thumbnail,60\ndecode,overlay,\ndetect,overlay,10\n"
      "thumbnail,overlay,10\noverlay,encode,60\nsource,decode,7\nencode,sink,5\n";
  const Document problem = tpn::read_document(with_edges("edges.csv", table), "imported");
  const auto& stages = problem.application.stages;
  std::vector<std::string> names;
  for (const tpn::Stage& stage : stages) names.push_back(stage.name);
  CHECK(names == std::vector<std::string>{"decode", "detect", "thumbnail", "overlay", "encode"});
  CHECK_FALSE(stages[0].after);
  CHECK_FALSE(stages[1].after);
  CHECK(stages[2].after == std::vector<std::size_t>{0});
  CHECK(stages[3].after == std::vector<std::size_t>{0, 1, 2});
  CHECK_FALSE(stages[4].after);
  CHECK(stages[0].output == Rational(60));
  CHECK(stages[4].output == Rational(5));
  CHECK(problem.application.input == Rational(7));
  const std::string dot = R"(/* as drawn */ digraph video { node [shape=box]; source -> decode [label="7"];
    decode -> { detect thumbnail } [label="60 B"]; decode -> overlay; detect -> overlay [label="10"];
    thumbnail -> overlay [label="10"]; overlay -> encode [label=60]; encode -> sink [label="5 B"] })";
  CHECK(tpn::read_document(with_edges("edges.gv", dot), "imported") == problem);
}

TEST_CASE("what is wrong with edges is said with its place") {
  const auto fault = [](const std::string& rows) {
    return with_edges("edges.csv", "from,to,size\n" + rows, {}, tools::kBadInput);
  };
  CHECK_THAT(fault("decode,x,1\n"),
             Contains("edges.csv:2: found the unknown stage \"x\", expected one of the table of times, or from "
                      "\"source\" to \"sink\"\n"));
  CHECK_THAT(fault("decode,decode,1\n"), Contains("edges.csv:2: found the stage \"decode\" taking its own file"));
  CHECK_THAT(fault("decode,detect,1\ndecode,detect,1\n"),
             Contains("edges.csv:3: found the edge from \"decode\" to \"detect\" a second time, expected it once\n"));
  CHECK_THAT(
      fault("decode,detect,1\ndecode,overlay,2\n"),
      Contains("edges.csv:3: found the size \"2\" of \"decode\"'s file, expected the size on its other edge, 1 B\n"));
  CHECK_THAT(fault("decode,detect,-1\n"),
             Contains("edges.csv:2: found the size \"-1\", expected a number of at least 0\n"));
  CHECK_THAT(fault("decode,detect,1\ndetect,overlay,1\noverlay,detect,1\noverlay,encode,1\n"),
             Contains("edges.csv: found a cycle of files, overlay -> detect -> overlay, expected none\n"));
  CHECK_THAT(
      fault("decode,detect,1\nsource,detect,1\n"),
      Contains("edges.csv:3: found \"detect\", which takes files of other stages, expected a stage that takes none\n"));
  CHECK_THAT(
      fault("decode,detect,1\ndecode,sink,1\n"),
      Contains(
          "edges.csv:3: found \"decode\", whose file other stages take, expected a stage whose file no stage takes\n"));
  CHECK_THAT(with_edges("edges.dot", "digraph { decode -> }", {}, tools::kBadInput),
             Contains("edges.dot: found no graph in DOT, expected one such as digraph { a -> b [label=\"5 MB\"] }: "));
  CHECK_THAT(with_edges("edges.dot", "graph { decode -- detect }", {}, tools::kBadInput),
             Contains("edges.dot: found an undirected graph, expected a digraph with edges a -> b\n"));
  CHECK_THAT(with_edges("edges.dot", "digraph { decode -> x }", {}, tools::kBadInput),
             Contains("edges.dot: decode -> x: found the unknown stage \"x\""));
}

TEST_CASE("links are directed, and one where both directions agree; ends and defaults have their own names") {
  const Document problem = imported(kTimes + "b,R,5\na,R,6\n",
                                    "to,from,time,bandwidth,latency\nQ,P,,4,1\nP,Q,,4,1\nR,P,2,,\nQ,R,3,,\nR,Q,1,,\n"
                                    "P,source,9,,\nsink,R,,8,\n*,*,,5,\n",
                                    "stage,output\nb,12\na,1\nsource,0.5\n");
  const auto& links = problem.platform.links;
  REQUIRE(links.size() == 4);
  CHECK(links[0] == tpn::Link{0, 1, {4, 1, {}}, false});
  CHECK(links[1] == tpn::Link{0, 2, {{}, {}, 2}, true});
  CHECK(links[2] == tpn::Link{1, 2, {{}, {}, 1}, true});
  CHECK(links[3] == tpn::Link{2, 1, {{}, {}, 3}, true});
  CHECK(problem.platform.defaults == tpn::LinkTiming{5, {}, {}});
  REQUIRE(problem.platform.source.has_value());
  CHECK(problem.platform.source->links == std::vector<tpn::EndpointLink>{{0, {{}, {}, 9}}});
  REQUIRE(problem.platform.sink.has_value());
  CHECK(problem.platform.sink->links == std::vector<tpn::EndpointLink>{{2, {8, {}, {}}}});
  CHECK(problem.application.input == Rational::fraction(1, 2));
  CHECK(problem.application.stages[0].output == Rational(1));
  CHECK(problem.application.stages[1].output == Rational(12));
}

TEST_CASE("numbers may have units, all of them or none, 0 and sizes excepted") {
  const Document problem =
      imported("stage,processor,time\na,P,3 ms\na,Q,0.25 s\nb,P,0\nb,Q,1us\n",
               "from,to,bandwidth,latency\nP,Q,1.25 GB/s,0\nQ,P,100 Mbit/s,2 us\n", "stage,output\na,4 MB\nb,12\n");
  CHECK(problem.time_unit == tpn::TimeUnit::second);
  CHECK(problem.application.stages[0].times ==
        std::vector<tpn::StageTime>{{0, Rational::fraction(3, 1000)}, {1, Rational::fraction(1, 4)}});
  CHECK(problem.application.stages[0].output == Rational(4'000'000));
  CHECK(problem.platform.links[0].timing.bandwidth == Rational(1'250'000'000));
  CHECK(problem.platform.links[1].timing.bandwidth == Rational(12'500'000));
  CHECK(tpn::read_document(tpn::write_document(problem), "written") == problem);

  CHECK(faults_of("stage,processor,time\na,P,3\na,Q,2 ms\n") ==
        std::vector<std::string>{"times.csv:2: found \"3\" without a unit, though \"2 ms\" in times.csv:3 has one, "
                                 "expected units on all times, latencies and bandwidths, or on none"});
  CHECK(faults_of(kTimes, "from,to,time\nP,Q,0\nQ,P,2 ms\n") ==
        std::vector<std::string>{"times.csv:2: found \"3\" without a unit, though \"2 ms\" in links.csv:3 has one, "
                                 "expected units on all times, latencies and bandwidths, or on none"});
}

TEST_CASE("ends whose links have times need no sizes") {
  const Document problem = imported(kTimes, "from,to,time\nsource,P,1\nQ,sink,2\nP,Q,1\n");
  CHECK(problem.application.input == Rational(0));
  CHECK(problem.application.stages[1].output == Rational(0));
}

TEST_CASE("processors called source and sink, and stages called source, are what they are called") {
  const Document problem = imported("stage,processor,time\nsource,source,1\nlast,sink,2\n",
                                    "from,to,bandwidth\nsource,sink,2\n", "stage,output\nsource,3\n");
  CHECK_FALSE(problem.platform.source.has_value());
  CHECK_FALSE(problem.platform.sink.has_value());
  CHECK(problem.platform.links == std::vector<tpn::Link>{{0, 1, {2, {}, {}}, true}});
  CHECK(problem.application.stages[0].output == Rational(3));
  CHECK_FALSE(problem.application.input.has_value());
}

TEST_CASE("several rows of one time are samples, and their mean is the time") {
  const Document problem = imported("stage,processor,time\na,P,18\nb,P,5\na,P,21\na,Q,7\na,P,18\n",
                                    "from,to,time\nP,Q,2\nQ,P,3\nP,Q,4\n", "");
  const tpn::Stage& stage = problem.application.stages[0];
  REQUIRE(stage.times.size() == 2);
  CHECK(stage.times[0].time == Rational(19));
  CHECK(stage.times[0].law->samples ==
        std::vector<Rational>{Rational::fraction(18, 19), Rational::fraction(21, 19), Rational::fraction(18, 19)});
  CHECK_FALSE(stage.times[1].law);
  REQUIRE(problem.platform.links.size() == 2);
  CHECK(problem.platform.links[0].timing.time == Rational(3));
  CHECK(problem.platform.links[0].timing.fixed_law->samples.size() == 2);
  CHECK_FALSE(problem.platform.links[1].timing.fixed_law);
}

TEST_CASE("every bad row of times is told, in the order of lines") {
  const auto faults = faults_of(
      "stage,processor,time\n,P,1\na,,1\na,P,\na,P,-1\na,P,x\na,P,1 "
      "GB\na\"b,P,1\na,P\n\xFF,P,1\na,P,2\n\na,P,3\nb,P,4,5\n");
  const std::vector<std::string> expected = {
      R"(times.csv:2: found nothing in the column "stage", expected the name of a stage, as UTF-8 text)",
      R"(times.csv:3: found nothing in the column "processor", expected the name of a processor, as UTF-8 text)",
      R"(times.csv:4: found nothing in the column "time", expected a number such as 12, 0.5 or "7/2")",
      R"(times.csv:5: found "-1" in the column "time", expected a number of at least 0)",
      R"(times.csv:6: found "x" in the column "time", expected a number, or a time in s, ms, us, ns, min or h, such as "10 ms")",
      R"(times.csv:7: found "1 GB" in the column "time", expected a time in s, ms, us, ns, min or h, such as "10 ms", not a size)",
      R"(times.csv:8: found a quote within "a\"b", expected quotes around the whole field, and "" for one within)",
      "times.csv:9: found 2 fields, expected 3, as the header has",
      "",
      "times.csv:14: found 4 fields, expected 3, as the header has",
  };
  REQUIRE(faults.size() == expected.size());
  for (std::size_t i = 0; i < faults.size(); ++i) {
    CAPTURE(i);
    if (expected[i].empty()) {
      CHECK_THAT(faults[i], Catch::StartsWith("times.csv:10: found ") && Catch::EndsWith(", as UTF-8 text"));
    } else {
      CHECK(faults[i] == expected[i]);
    }
  }
}

TEST_CASE("processors may have cores and types, said once or the same in all rows") {
  const std::string times =
      "stage,processor,time,cores,type\n"
      "a,E1,3,4,edge\na,E2,3,,edge\nb,E1,5,4,\nb,E2,6,4,edge\na,G,1,,\nc,E2,2,,\n";
  const Document problem = imported(times, "from,to,time\nE1,G,2\nsource,E2,1\n", "stage,output\nsource,3\n");
  const tpn::Platform& platform = problem.platform;
  REQUIRE(platform.processors.size() == 9);
  CHECK(platform.processors[3].name == "E1.4");
  CHECK(platform.processors[3].host == "E1");
  REQUIRE(platform.types.size() == 1);
  CHECK(platform.types[0].cores == 4);
  CHECK(platform.processors[7].type == std::size_t{0});
  // A time that all edge machines have is their type's; others are their own, and who has none does not run the stage.
  CHECK(problem.application.stages[0].type_times == std::vector<tpn::TypeTime>{{0, 3}});
  CHECK(problem.application.stages[1].type_times.empty());
  CHECK(problem.application.stages[2].times.size() == 4);
  CHECK(platform.links == std::vector<tpn::Link>{{0, 8, {.bandwidth = {}, .latency = {}, .time = Rational(2)}, true}});
  CHECK(platform.source->links.front().processor == 4);
  const std::string text = tpn::write_document(problem);
  CAPTURE(text);
  CHECK(tpn::read_document(text, "again") == problem);
  CHECK(text.find(R"({"name": "E1", "type": "edge"})") != std::string::npos);
  CHECK(text.find(R"("time": {"E1": 5, "E2": 6})") != std::string::npos);
}

TEST_CASE("cores and types that contradict each other are told with both lines") {
  CHECK(faults_of("stage,processor,time,cores,type\na,P,3,4,x\nb,P,3,5,y\nc,P,1,0,\nd,Q,1,4097,\n") ==
        std::vector<std::string>{
            "times.csv:3: found 5 cores of \"P\", expected the same as in line 2",
            "times.csv:3: found the type \"y\" of \"P\", expected the same as in line 2",
            "times.csv:4: found \"0\" in the column \"cores\", expected a whole number greater than 0",
            "times.csv:5: found 4097 cores, expected at most 4096"});
}

const std::string kCameraTimes =
    "stage,processor,time,cores,host\n"
    "decode,node1,8,4,\ndecode,node2,8,4,\ndetect,gpu1,2,,node1\ndetect,gpu2,2,,node2\n";

tools::MeasuredTables camera_tables(const std::string& links, const std::string& sizes = "") {
  tools::MeasuredTables tables{
      {"times.csv", kCameraTimes}, tools::TableText{"links.csv", links}, {}, {"door", "yard"}, {"disk"}};
  if (!sizes.empty()) tables.sizes = tools::TableText{"sizes.csv", sizes};
  return tables;
}

TEST_CASE("several sources and sinks have names, links of their own and turns in the order of their names") {
  const auto result =
      import_tables(camera_tables("from,to,bandwidth,time\n*,*,9,\ndoor,*,3,\nyard,node2,,5\nyard,gpu1,4,\n*,disk,,1\n",
                                  "stage,output\nsource,6\ndecode,1\n"));
  CAPTURE(result.faults);
  REQUIRE(result.problem.has_value());
  const tpn::Platform& platform = result.problem->platform;
  CHECK(platform.defaults == tpn::LinkTiming{9, {}, {}});
  REQUIRE(platform.source->named.size() == 2);
  const tpn::Endpoint& door = platform.source->named[0];
  CHECK(door.name == "door");
  CHECK(door.timing == tpn::LinkTiming{3, {}, {}});
  CHECK(door.links.empty());
  const tpn::Endpoint& yard = platform.source->named[1];
  CHECK(yard.name == "yard");
  // gpu1 is on node1, the first of whose processors its links have; node2's cores are the next but gpu1.
  CHECK(yard.links == std::vector<tpn::EndpointLink>{{0, {4, {}, {}}}, {4, {{}, {}, 5}}});
  REQUIRE(platform.sink->named.size() == 1);
  CHECK(platform.sink->named[0].timing == tpn::LinkTiming{{}, {}, 1});
  CHECK(platform.processors[8].name == "gpu1");
  CHECK(platform.processors[8].host == "node1");
  CHECK(result.problem->application.input == Rational(6));
  CHECK(tpn::read_document(tpn::write_document(*result.problem), "written") == *result.problem);
}

TEST_CASE("the one source, too, may have links to all others") {
  const Document problem = imported(kTimes, "from,to,time\nsource,*,2\nsource,Q,1\nP,sink,3\nP,Q,0\nQ,P,0\n");
  CHECK(problem.platform.source->timing == tpn::LinkTiming{{}, {}, 2});
  CHECK(problem.platform.source->links == std::vector<tpn::EndpointLink>{{1, {{}, {}, 1}}});
  CHECK(problem.platform.sink->timing == tpn::LinkTiming{});
  CHECK(problem.application.input == Rational(0));
}

TEST_CASE("hosts that are none, and names of sources that are taken, are told") {
  CHECK(
      faults_of("stage,processor,time,host\na,P,1,rack\nb,P,1,hall\na,Q,1,P\na,R,1,shelf\na,S,1,R\na,T,1,T\n") ==
      std::vector<std::string>{R"(times.csv:2: found the host "rack" of "P", which is a host itself, expected none)",
                               R"(times.csv:3: found the host "hall" of "P", expected the same as in line 2)",
                               R"(times.csv:5: found the host "shelf" of "R", which is a host itself, expected none)"});
  CHECK(faults_of("stage,processor,time,host\na,P,1,rack\na,Q,1,\n") ==
        std::vector<std::string>{R"(times.csv:2: found the unknown host "rack" of "P", expected the name of another )"
                                 R"(processor, or one that several processors have as their host)"});
  tools::MeasuredTables tables = camera_tables("from,to,time\n*,*,1\n");
  tables.sources = {"door", "node1", "", "door", "*"};
  tables.sinks = {"door", "gpu2"};
  const auto result = import_tables(tables);
  CHECK_FALSE(result.problem.has_value());
  CHECK(
      result.faults ==
      std::vector<std::string>{
          R"(--sources: found "node1", which the table of times has as a processor or a host, expected a name of its own)",
          R"(--sources: found nothing, expected names between commas)",
          R"(--sources: found the name "door" a second time, expected it once)",
          R"(--sources: found "*", expected names between commas)",
          R"(--sinks: found the name "door" a second time, expected it once)",
          R"(--sinks: found "gpu2", which the table of times has as a processor or a host, expected a name of its own)"});
}

TEST_CASE("bad rows of links with several sources are told") {
  const auto faults =
      import_tables(camera_tables("from,to,bandwidth,time\nsource,node1,,1\nnode1,sink,,1\ndoor,disk,,1\n"
                                  "*,node1,,1\nnode1,*,,1\nnode1,gpu1,,1\ndoor,node1,,1\n"
                                  "door,gpu1,,1\n"))
          .faults;
  CHECK(
      faults ==
      std::vector<std::string>{
          R"(links.csv:2: found the unknown processor "source", expected one of the table of times, one of --sources, or "*" at both ends)",
          R"(links.csv:3: found the unknown processor "sink", expected one of the table of times, or one of --sinks)",
          R"(links.csv:4: found the unknown processor "disk", expected one of the table of times, or "*")",
          R"(links.csv:5: found the unknown processor "*", expected one of the table of times, one of --sources, or "*" at both ends)",
          R"(links.csv:6: found the unknown processor "*", expected one of the table of times, or one of --sinks)",
          R"(links.csv:7: found a link from "node1" to "gpu1", which are on one host, expected two hosts)"});
  CHECK(import_tables(camera_tables("from,to,time\ndoor,node1,1\nnode1,disk,1\n")).faults ==
        std::vector<std::string>{
            R"(links.csv: found no link from the source "yard", expected a row of it, or one of "*" at both ends)"});
  CHECK(
      import_tables(camera_tables("from,to,bandwidth\n*,*,1\n")).faults ==
      std::vector<std::string>{
          "links.csv: found a bandwidth from a source and no size of what it sends, expected a row \"source\" in a "
          "table of sizes",
          "links.csv: found a bandwidth to a sink and no size of what the last stage, \"detect\", sends, expected its "
          "row in a table of sizes"});
}

TEST_CASE("import takes names between commas, and without a table of links their transfers take no time") {
  const Outcome outcome =
      takt({"import", "--times", "-", "--sources", "cam1, cam2", "--sinks", R"("a,b")", "-o", "/dev/null"}, kTimes);
  CHECK(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("4 times of 2 stages on 2 processors, 2 sources, 1 sink"));
  const Outcome shown = takt({"import", "--times", "-", "--sources", "cam1,cam2", "--sinks", R"("a,b")"}, kTimes);
  const Document problem = tpn::read_document(shown.out, "shown");
  CHECK(problem.application.input == Rational(0));
  CHECK(problem.platform.source->named.at(1).name == "cam2");
  CHECK(problem.platform.sink->named.at(0).name == "a,b");
  CHECK_THAT(takt({"import", "--times", "-", "--sources", ","}, kTimes).err,
             Contains("--sources: found nothing, expected names between commas"));
}

TEST_CASE("a header that is none is told once") {
  const std::string header = ", expected columns among stage,processor,time,cores,type,host";
  CHECK(faults_of("") == std::vector<std::string>{
                             "times.csv:1: found no row, expected the header stage,processor,time,cores,type,host"});
  CHECK(faults_of("stage,processor,time\n") ==
        std::vector<std::string>{"times.csv:1: found a header alone, expected rows below"});
  CHECK(faults_of("\nstage,processor\na,P\n") ==
        std::vector<std::string>{"times.csv:2: found no column \"time\"" + header});
  CHECK(faults_of("stage,processor,time,unit\na,P,1,s\n") ==
        std::vector<std::string>{"times.csv:1: found the unknown column \"unit\"" + header});
  CHECK(faults_of("stage,stage,time\n") ==
        std::vector<std::string>{"times.csv:1: found the column \"stage\" a second time, expected it once"});
  CHECK(faults_of("stage;processor;time\na;P;1\n") ==
        std::vector<std::string>{"times.csv:1: found the unknown column \"stage;processor;time\"" + header +
                                 ", between commas"});
}

TEST_CASE("every bad row of links and sizes is told") {
  const auto faults = faults_of(kTimes,
                                "from,to,bandwidth,latency,time\nP,Q,1,,2\nP,Q,,,\nP,P,1,,\nP,R,1,,\nsink,P,1,,\n"
                                "P,source,1,,\n*,P,1,,\nP,Q,0,,\nP,Q,1,-1,\nP,Q,1,,\nP,Q,2,,\nP,Q,,1,2\nP,Q,,1,\n",
                                "stage,output\nc,1\na,-1\na,1\na,1\n");
  const std::vector<std::string> expected = {
      "links.csv:2: found a time together with a bandwidth or a latency, expected either",
      "links.csv:3: found neither a time nor a bandwidth, expected one",
      R"(links.csv:4: found a link from "P" to itself, expected two different ends)",
      R"(links.csv:5: found the unknown processor "R", expected one of the table of times, or "sink")",
      R"(links.csv:6: found the unknown processor "sink", expected one of the table of times, "source", or "*" at both ends)",
      R"(links.csv:7: found the unknown processor "source", expected one of the table of times, or "sink")",
      R"(links.csv:8: found the unknown processor "*", expected one of the table of times, "source", or "*" at both ends)",
      R"(links.csv:9: found "0" in the column "bandwidth", expected a number greater than 0)",
      R"(links.csv:10: found "-1" in the column "latency", expected a number of at least 0)",
      R"(links.csv:12: found a second link from "P" to "Q", expected one: the first is in line 11)",
      "links.csv:13: found a time together with a bandwidth or a latency, expected either",
      R"(links.csv:14: found nothing in the column "bandwidth", expected a number such as 12, 0.5 or "7/2")",
      R"(sizes.csv:2: found the unknown stage "c", expected one of the table of times, or "source")",
      R"(sizes.csv:3: found "-1" in the column "output", expected a number of at least 0)",
      R"(sizes.csv:5: found a second size for "a", expected one: the first is in line 4)",
  };
  CHECK(faults == expected);
  CHECK(
      faults_of(kTimes, "from,to,bandwidth\nsource,P,1\nP,sink,1\n") ==
      std::vector<std::string>{
          "links.csv: found a bandwidth from the source and no size of what it sends, expected a row \"source\" in a "
          "table of sizes",
          "links.csv: found a bandwidth to the sink and no size of what the last stage, \"b\", sends, expected its row "
          "in a table of sizes"});
}

TEST_CASE("what a table leaves open is noted, and evaluation and heuristics name it") {
  tools::MeasuredTables tables{{"times.csv", "stage,processor,time\na,P,1\nb,Q,2\nb,R,2\n"},
                               tools::TableText{"links.csv", "from,to,time\nP,Q,1\nQ,R,1\n"},
                               {}};
  const auto result = import_tables(tables);
  REQUIRE(result.problem.has_value());
  REQUIRE(result.notes.size() == 2);
  CHECK_THAT(result.notes[0], Contains("Each row of links is one direction"));
  CHECK(result.notes[1] ==
        "3 times for stages on processors are missing, the first of \"a\" on \"Q\": those stages do not run "
        "there.");
  const std::string text = tpn::write_document(*result.problem);
  const Outcome mapped = takt({"map", "-", "--heuristic", "polish"}, text);
  CHECK(mapped.status == tools::kAnswered);
  CHECK_THAT(mapped.err, Contains("a       P\n  b       Q"));
}

TEST_CASE("import writes the example, to standard output or a file, and its mappings hold") {
  const std::vector<std::string> tables = {"import",
                                           "--times",
                                           source("examples/measured-times.csv"),
                                           "--links",
                                           source("examples/measured-links.csv"),
                                           "--sizes",
                                           source("examples/measured-sizes.csv")};
  const Outcome shown = takt(tables);
  REQUIRE(shown.status == tools::kAnswered);
  CHECK(shown.err.empty());
  CHECK(shown.out == text_of(source("examples/measured-problem.json")));

  const TemporaryFolder folder;
  const std::string file = folder.path("problem.json");
  const Outcome written = takt(appended(tables, {"-o", file}));
  REQUIRE(written.status == tools::kAnswered);
  CHECK(written.out == file + ": 9 times of 3 stages on 3 processors\n");
  CHECK(text_of(file) == shown.out);
  const Outcome mapped = takt({"map", "-", "--heuristic", "exhaustive"}, shown.out);
  REQUIRE(mapped.status == tools::kAnswered);
  CHECK(takt({"verify", "-"}, mapped.out).status == tools::kAnswered);
}

TEST_CASE("import reads standard input once, and tells twenty faults at most") {
  std::string times = "stage,processor,time\n";
  for (int i = 0; i < 30; ++i) times += "a,P,x\n";
  const Outcome outcome = takt({"import", "--times", "-"}, times);
  CHECK(outcome.status == tools::kBadInput);
  CHECK(outcome.out.empty());
  REQUIRE(lines_of(outcome.err).size() == 21);
  CHECK_THAT(lines_of(outcome.err).front(), Contains("standard input:2: found \"x\""));
  CHECK(lines_of(outcome.err).back() == "takt: and 10 more");
  CHECK(takt({"import", "--times", "-", "--links", "-"}, times).status == tools::kUsage);
  CHECK(takt({"import"}).status == tools::kUsage);
  CHECK(takt({"import", "--times", "/no/such/file"}).status == tools::kBadInput);
}

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

TEST_CASE("random tables become the problem that they were made from") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    support::Draw random(seed);
    const auto below = [&](int n) { return random.whole(0, n - 1); };
    const std::vector<std::string> endings = {"", ", \"x\"", "\nsecond line", " \xC3\xA4", "\t*"};
    const auto ending = [&] { return endings[static_cast<std::size_t>(below(5))]; };
    Document problem;
    for (int s = 1 + below(4); s > 0; --s)
      problem.application.stages.push_back({"S" + std::to_string(s) + ending(), {}, {}});
    for (int p = 1 + below(4); p > 0; --p)
      problem.platform.processors.push_back({"P" + std::to_string(p) + ending(), {}, {}});
    std::string times = "stage,processor,time\n";
    for (tpn::Stage& stage : problem.application.stages) {
      for (std::size_t p = 0; p < problem.platform.processors.size(); ++p) {
        const Rational time = Rational::fraction(below(50), 1 + below(8));
        stage.times.push_back({p, time});
        times += in_quotes(stage.name) + ',' + in_quotes(problem.platform.processors[p].name) + ',' + time.to_string() +
                 '\n';
      }
    }
    std::string links = "bandwidth,from,to,latency,time\n";
    const std::size_t count = problem.platform.processors.size();
    for (std::size_t from = 0; from < count; ++from) {
      for (std::size_t to = 0; to < count; ++to) {
        if (from == to) continue;
        const bool by_time = below(2) == 0;
        const Rational number = 1 + below(3);
        const tpn::LinkTiming timing = by_time ? tpn::LinkTiming{{}, {}, number} : tpn::LinkTiming{number, {}, {}};
        problem.platform.links.push_back({from, to, timing, true});
        links += (by_time ? "" : number.to_string()) + ',' + in_quotes(problem.platform.processors[from].name) + ',' +
                 in_quotes(problem.platform.processors[to].name) + ",," + (by_time ? number.to_string() : "") + '\n';
      }
    }
    auto& all = problem.platform.links;
    for (tpn::Link& link : all) {
      if (link.from > link.to) continue;
      const auto back = std::find_if(all.begin(), all.end(), [&](const tpn::Link& other) {
        return other.from == link.to && other.to == link.from && other.timing == link.timing;
      });
      if (back == all.end()) continue;
      link.directed = false;
      back->from = back->to;
    }
    std::erase_if(all, [](const tpn::Link& link) { return link.from == link.to; });
    if (count == 1) problem.platform.defaults.time = 0;  // no links to list
    REQUIRE(imported(times, count > 1 ? links : "") == problem);
  }
}

TEST_CASE("whatever a table says, it becomes a problem that is read back, or earns faults") {
  const std::string links = "from,to,bandwidth,time\nP,Q,,1\nQ,P,2,\nsource,P,,1\nQ,sink,,2\n*,*,3,\n";
  const std::string named_links = "from,to,bandwidth,time\nP,Q,,1\na0,P,2,\na0,*,,1\nQ,sink,,2\nP0,Q,,1\n*,*,3,\n";
  const std::string letters = ",\"\n\r\t ;aPQ01/-.e*\xC3\xFF";
  std::size_t imports = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    support::Draw random(seed);
    const auto below = [&](std::size_t n) { return random.index(n); };
    tools::MeasuredTables tables{{"t", seed % 3 == 0 ? kCameraTimes + "a,Q,2,,\nb,P,1,,\n" : kTimes},
                                 tools::TableText{"l", seed % 2 == 0 ? named_links : links},
                                 tools::TableText{"s", "stage,output\nsource,1\nb,2\n"}};
    for (std::size_t changes = below(4); changes > 0; --changes) {
      std::string& text = below(2) == 0 ? tables.times.text : below(2) == 0 ? tables.links->text : tables.sizes->text;
      const std::size_t at = below(text.size());
      if (below(3) == 0) {
        text.erase(at, 1 + below(3));
      } else {
        text.insert(at, 1, letters[below(letters.size())]);
      }
    }
    if (seed % 2 == 0) tables.sources = {"a0", "P0"};
    const auto result = import_tables(tables);
    REQUIRE(result.problem.has_value() == result.faults.empty());
    if (!result.problem) continue;
    ++imports;
    REQUIRE(tpn::read_document(tpn::write_document(*result.problem), "written") == *result.problem);
  }
  CHECK(imports > 500);
}

}  // namespace
}  // namespace takt::testing

// Durations: gains, layers of links, and the error for every value that is needed and absent.
#include "tpn/timing.hpp"

#include <catch2/catch.hpp>

#include <string>

#include "tpn/errors.hpp"
#include "tpn/validate.hpp"

namespace takt::tpn {
namespace {

Rational ratio(int above, int below) { return Rational::fraction(above, below); }

LinkTiming with_bandwidth(Rational bandwidth) { return {bandwidth, std::nullopt, std::nullopt}; }
LinkTiming with_latency(Rational latency) { return {std::nullopt, latency, std::nullopt}; }
LinkTiming with_both(Rational bandwidth, Rational latency) { return {bandwidth, latency, std::nullopt}; }
LinkTiming with_time(Rational time) { return {std::nullopt, std::nullopt, time}; }

// Stages A, B, C of work 6, 10, 14 and output 12, 20, 28; processors P0, P1 of speed 2, 4 and P2 of time 5;
// bandwidth 4, latency 1/2 unless a test changes it.
Document sample() {
  Document document;
  document.application.input = 8;
  document.application.stages = {Stage{"A", 6, 12}, Stage{"B", 10, 20}, Stage{"C", 14, 28}};
  document.platform.processors = {Processor{"P0", 2, std::nullopt}, Processor{"P1", 4, std::nullopt},
                                  Processor{"P2", std::nullopt, 5}};
  document.platform.defaults = with_both(4, ratio(1, 2));
  return document;
}

// The transfer of A's file, of size 12, from P0 to P1.
Rational transfer(const Document& document) { return Timing(document).transfer(0, 0, 1); }

template <typename Function>
std::string error_from(Function function) {
  try {
    function();
  } catch (const InvalidInstance& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("a computation takes the works of its stages over the speed, or the processor's fixed time") {
  const Document document = sample();
  const Timing timing(document);
  CHECK(timing.computation(0, 0, 0) == 3);
  CHECK(timing.computation(0, 2, 1) == ratio(30, 4));
  CHECK(timing.computation(1, 2, 0) == 12);
  CHECK(timing.computation(0, 2, 2) == 5);
}

TEST_CASE("the gain multiplies works and outputs, and a file of its own has a latency of its own") {
  Document document = sample();
  document.application.stages[0].produces = 3;
  document.application.stages[1].consumes = 2;
  document.application.stages[1].produces = 4;
  document.application.stages[2].consumes = 5;
  document.application.stages[2].produces = 7;
  document.platform.source = Endpoint{};
  document.platform.sink = Endpoint{};
  const Timing timing(document);
  CHECK(timing.gain(0) == 1);
  CHECK(timing.gain(1) == ratio(3, 2));
  CHECK(timing.gain(2) == ratio(6, 5));
  CHECK(timing.computation(0, 2, 0) == (6 + 15 + ratio(84, 5)) / 2);
  CHECK(timing.computation(0, 2, 2) == 5);
  CHECK(timing.computation(1, 2, 2) == ratio(15, 2));
  CHECK(timing.transfer(0, 0, 1) == 3 + ratio(3, 2));
  CHECK(timing.transfer(1, 0, 1) == ratio(30, 4) + 3);
  CHECK(timing.from_source(0) == 2 + ratio(1, 2));
  CHECK(timing.to_sink(0) == ratio(42, 5) + ratio(42, 10));
  document.platform.defaults = with_time(9);
  CHECK(Timing(document).transfer(1, 0, 1) == 54);
}

TEST_CASE("a link without entry has the platform's bandwidth and latency, or its time") {
  Document document = sample();
  CHECK(transfer(document) == ratio(7, 2));
  document.platform.defaults = with_bandwidth(4);
  CHECK(transfer(document) == 3);
  document.platform.defaults = with_time(9);
  CHECK(transfer(document) == 9);
  document.platform.defaults = with_time(0);
  CHECK(transfer(document) == 0);
}

TEST_CASE("a file of size 0 pays the latency all the same") {
  Document document = sample();
  document.application.stages[0].output = 0;
  CHECK(transfer(document) == ratio(1, 2));
}

TEST_CASE("an undirected entry holds both ways and takes from the platform what it does not say") {
  Document document = sample();
  document.platform.links = {Link{1, 0, with_bandwidth(6), false}};
  CHECK(transfer(document) == 2 + ratio(1, 2));
  CHECK(Timing(document).transfer(0, 1, 0) == 2 + ratio(1, 2));
  CHECK(Timing(document).transfer(0, 0, 2) == ratio(7, 2));
  document.platform.links[0].timing = with_latency(2);
  CHECK(transfer(document) == 3 + 2);
  document.platform.links[0].timing = with_both(6, 0);
  CHECK(transfer(document) == 2);
  document.platform.links[0].timing = with_time(11);
  CHECK(transfer(document) == 11);
  document.platform.links[0].timing = LinkTiming{};
  CHECK(transfer(document) == ratio(7, 2));
}

TEST_CASE("a directed entry beats an undirected one in its direction, whatever their order") {
  Document document = sample();
  const Link undirected{0, 1, with_time(11), false};
  const Link directed{0, 1, with_latency(2), true};
  for (const auto& links : {std::vector<Link>{undirected, directed}, std::vector<Link>{directed, undirected}}) {
    document.platform.links = links;
    CHECK(transfer(document) == 5);
    CHECK(Timing(document).transfer(0, 1, 0) == 11);
  }
}

TEST_CASE("the links that are named come in ascending order of their pairs, each once, a directed one first") {
  Document document = sample();
  REQUIRE(Timing(document).named_links().empty());
  document.platform.defaults = {};
  document.platform.links = {Link{2, 1, with_time(7), false}, Link{2, 0, with_latency(1), true},
                             Link{0, 1, with_bandwidth(6), false}, Link{1, 0, with_time(2), true}};
  const Timing timing(document);
  std::string listed;
  for (const NamedLink& named : timing.named_links()) {
    listed += std::to_string(named.from) + std::to_string(named.to);
    const auto link = timing.link(named);
    listed += link ? " " + link->of(12).to_string() + ", " : " absent, ";
    CHECK(link == timing.link(named.from, named.to));
    CHECK(timing.has_link(named) == link.has_value());
    CHECK(timing.has_link(named.from, named.to) == link.has_value());
  }
  CHECK(listed == "01 2, 10 2, 12 7, 20 absent, 21 7, ");
  CHECK_FALSE(timing.has_link(0, 2));
  document.platform.defaults = with_bandwidth(3);
  CHECK(timing.has_link(0, 2));
  CHECK(timing.link(2, 0)->of(12) == 5);
}

TEST_CASE("over a default time an entry with a bandwidth has no latency") {
  Document document = sample();
  document.platform.defaults = with_time(9);
  document.platform.links = {Link{0, 1, with_bandwidth(6), false}};
  CHECK(transfer(document) == 2);
}

TEST_CASE("an end's links come first, then the end itself, then the platform") {
  Document document = sample();
  document.platform.source = Endpoint{};
  const auto from_source = [&document] { return Timing(document).from_source(1); };
  CHECK(from_source() == 2 + ratio(1, 2));
  document.platform.source->timing = with_latency(3);
  CHECK(from_source() == 2 + 3);
  document.platform.source->timing = with_bandwidth(2);
  CHECK(from_source() == 4 + ratio(1, 2));
  document.platform.source->links = {EndpointLink{0, with_time(100)}, EndpointLink{1, with_latency(7)}};
  CHECK(from_source() == 4 + 7);
  document.platform.source->links[1].timing = LinkTiming{};
  CHECK(from_source() == 4 + ratio(1, 2));
  document.platform.source->timing = with_time(13);
  CHECK(from_source() == 13);
  document.platform.source->links[1].timing = with_bandwidth(8);
  CHECK(from_source() == 1);
  document.platform.source->links[1].timing = with_time(17);
  CHECK(from_source() == 17);

  document.platform.sink = Endpoint{with_both(7, 1), {EndpointLink{1, with_bandwidth(14)}}};
  CHECK(Timing(document).to_sink(0) == 5);
  CHECK(Timing(document).to_sink(1) == 3);
  document.platform.sink->timing = with_time(19);
  CHECK(Timing(document).to_sink(0) == 19);
  CHECK(Timing(document).to_sink(1) == 2);
}

TEST_CASE("a value that is needed and absent is named with what needs it") {
  Document document = sample();
  document.platform.source = Endpoint{};
  document.platform.sink = Endpoint{};
  document.application.input.reset();
  document.application.stages[1].work.reset();
  document.application.stages[1].output.reset();
  document.application.stages[2].output.reset();
  const Timing timing(document);
  CHECK(error_from([&] { timing.computation(0, 2, 1); }) ==
        "/application/stages/1/work: found stage \"B\" without \"work\", expected its work, as \"P1\" computes it at a "
        "speed");
  CHECK(timing.computation(0, 2, 2) == 5);
  CHECK(timing.computation(0, 0, 1) == ratio(6, 4));
  CHECK(error_from([&] { timing.transfer(1, 0, 2); }) ==
        "/application/stages/1/output: found stage \"B\" without \"output\", expected its size, as \"P0\" sends it to "
        "\"P2\" at a bandwidth");
  CHECK(error_from([&] { timing.from_source(0); }) ==
        "/application/input: found no \"input\", expected its size, as the source sends it to \"P0\" at a bandwidth");
  CHECK(error_from([&] { timing.to_sink(0); }) ==
        "/application/stages/2/output: found stage \"C\" without \"output\", expected its size, as \"P0\" sends it to "
        "the "
        "sink at a bandwidth");
  document.platform.defaults = with_time(1);
  CHECK(timing.transfer(1, 0, 2) == 1);
  CHECK(timing.from_source(0) == 1);
}

TEST_CASE("a stage's own time for a processor stands in place of work over speed, firing by firing") {
  Document document = sample();
  std::vector<Stage>& stages = document.application.stages;
  const Rational by_work = Timing(document).computation(0, 2, 1);
  const Rational first = *stages[0].work / *document.platform.processors[1].speed;
  stages[0].times = {{1, ratio(7, 3)}, {0, 4}};
  CHECK(Timing(document).computation(0, 2, 1) == by_work - first + ratio(7, 3));
  CHECK(Timing(document).computation(0, 0, 0) == 4);
  CHECK(Timing(document).computation(0, 2, 2) == 5);
  CHECK_FALSE(Timing(document).processor(1).has_value());
  CHECK(Timing(document).processor(2).has_value());

  stages[0].produces = 3;
  stages[1].consumes = 2;
  stages[1].times = {{1, 10}};
  const Timing timing(document);
  CHECK(timing.computation(1, 1, 1) == 15);
  CHECK(timing.stage_time(1, 1) == Rational(15));
  CHECK(timing.own_times(0).size() == 2);
  CHECK(timing.own_times(0).front()->processor == 0);
  CHECK(timing.own_times(2).empty());

  document.platform.processors[1].speed.reset();
  CHECK(Timing(document).computation(0, 1, 1) == ratio(7, 3) + 15);
  CHECK_FALSE(Timing(document).stage_time(2, 1).has_value());
  CHECK(error_from([&] { Timing(document).computation(0, 2, 1); }) ==
        "/application/stages/2/time: found stage \"C\" without a time on \"P1\", expected a processor that runs it "
        "(\"P0\" or \"P2\"), or \"P1\" in the stage's \"time\"");
}

TEST_CASE("a link that nobody describes is named by its pair") {
  Document document = sample();
  document.platform.source = Endpoint{};
  document.platform.sink = Endpoint{};
  const std::string end = ", expected a link between them, or a default of the platform";
  for (const LinkTiming& defaults : {LinkTiming{}, with_latency(1)}) {
    document.platform.defaults = defaults;
    const Timing timing(document);
    CHECK(error_from([&] { timing.transfer(0, 0, 2); }) ==
          "/platform/links: found no bandwidth or time from \"P0\" to \"P2\"" + end);
    CHECK(error_from([&] { timing.from_source(2); }) ==
          "/platform/source: found no bandwidth or time from the source to \"P2\"" + end);
    CHECK(error_from([&] { timing.to_sink(2); }) ==
          "/platform/sink: found no bandwidth or time from \"P2\" to the sink" + end);
  }
  document.platform.defaults = with_time(3);
  document.platform.links = {Link{0, 2, with_latency(1), false}};
  CHECK(error_from([&] { Timing(document).transfer(0, 0, 2); }) ==
        "/platform/links: found no bandwidth or time from \"P0\" to \"P2\"" + end);
}

}  // namespace
}  // namespace takt::tpn

// Documents with types of processors: against the same ones written out, through text and back, and wrong ones.
#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/random_nets.hpp"
#include "tests/support/typed_documents.hpp"
#include "tests/tpn/files.hpp"
#include "tpn/errors.hpp"
#include "tpn/expansion.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/reader.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::tpn {
namespace {

using support::unless_refused;

constexpr std::uint64_t kSeeds = 60;

template <typename Visit>
void for_each_typed(Visit visit) {
  support::for_each_document({.seeds = kSeeds}, [&](const Document& document, std::uint64_t seed) {
    visit(support::with_random_types(document, seed + 1000));
  });
}

TEST_CASE("every time and every link of a typed document is that of the one written out") {
  std::size_t transfers = 0;
  for_each_typed([&](const Document& typed) {
    const Document plain = support::without_types(typed);
    const ProblemView views[] = {ProblemView(typed), ProblemView(plain)};
    const Timing& timing = views[0].timing();
    const Timing& expected = views[1].timing();
    const std::size_t stages = typed.application.stages.size();
    const std::size_t processors = typed.platform.processors.size();
    for (std::size_t p = 0; p < processors; ++p) {
      for (std::size_t k = 0; k < stages; ++k)
        REQUIRE(unless_refused([&] { return timing.computation(k, stages - 1, p); }) ==
                unless_refused([&] { return expected.computation(k, stages - 1, p); }));
      if (typed.platform.source) REQUIRE(timing.source_link(p) == expected.source_link(p));
      if (typed.platform.sink) REQUIRE(timing.sink_link(p) == expected.sink_link(p));
      for (std::size_t q = 0; q < processors; ++q) {
        if (p == q) continue;
        REQUIRE(timing.link(p, q) == expected.link(p, q));
        REQUIRE(timing.has_link(p, q) == expected.has_link(p, q));
        REQUIRE(views[0].links().between(p, q) == views[1].links().between(p, q));
        REQUIRE(unless_refused([&] { return timing.transfer(0, p, q); }) ==
                unless_refused([&] { return expected.transfer(0, p, q); }));
        ++transfers;
      }
    }
  });
  CHECK(transfers > 10'000);
}

TEST_CASE("pairs that no link names are of kinds, each of one link, and all of them are counted") {
  std::size_t several = 0;
  for_each_typed([&](const Document& typed) {
    const Timing timing(typed);
    const std::size_t count = typed.platform.processors.size();
    const OtherLinks& others = timing.other_links();
    std::vector<bool> is_named(count * count);
    for (const NamedLink& named : timing.named_links()) {
      is_named[named.from * count + named.to] = true;
      REQUIRE(timing.link(named) == timing.link(named.from, named.to));
      REQUIRE(timing.has_link(named) == timing.has_link(named.from, named.to));
    }
    std::vector<std::uint64_t> pairs(others.kinds.size());
    for (std::size_t from = 0; from < count; ++from) {
      for (std::size_t to = 0; to < count; ++to) {
        if (from == to || is_named[from * count + to]) continue;
        REQUIRE(others.kinds[others.kind(from, to)].link == timing.link(from, to));
        ++pairs[others.kind(from, to)];
      }
    }
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const OtherLinks::Kind& kind = others.kinds[k];
      REQUIRE(kind.pairs == pairs[k]);
      if (kind.pairs == 0) continue;
      REQUIRE(kind.from != kind.to);
      REQUIRE_FALSE(is_named[kind.from * count + kind.to]);
      REQUIRE(others.kind(kind.from, kind.to) == k);
    }
    several += pairs.size() > 1 ? 1 : 0;
  });
  CHECK(several > 100);
}

TEST_CASE("times in ticks know types and ports") {
  std::size_t compared = 0;
  for_each_typed([&](const Document& typed) {
    const Timing timing(typed);
    const auto ticks = TickTimes::exact(typed, timing);
    REQUIRE(ticks);
    const std::size_t stages = typed.application.stages.size();
    const std::size_t processors = typed.platform.processors.size();
    const auto check = [&](std::int64_t found, const std::optional<Rational>& time) {
      if (!time) {
        REQUIRE(found == TickTimes::kAbsent);
      } else {
        REQUIRE(Rational(found) == *time * ticks->scale());
        ++compared;
      }
    };
    for (std::size_t p = 0; p < processors; ++p) {
      for (std::size_t k = 0; k < stages; ++k) {
        check(ticks->computation(0, k, p), unless_refused([&] { return timing.computation(0, k, p); }));
        for (std::size_t q = 0; q < processors; ++q)
          if (p != q) check(ticks->transfer(k, p, q), unless_refused([&] { return timing.transfer(k, p, q); }));
      }
      if (typed.platform.source) check(ticks->from_source(p), unless_refused([&] { return timing.from_source(p); }));
      if (typed.platform.sink) check(ticks->to_sink(p), unless_refused([&] { return timing.to_sink(p); }));
    }
  });
  CHECK(compared > 20'000);
}

TEST_CASE("a typed document is accepted if and only if the one written out is") {
  std::size_t accepted = 0;
  const auto is_valid = [](const Document& document) {
    try {
      validate(document);
      return true;
    } catch (const InvalidInstance&) {
      return false;
    }
  };
  for_each_typed([&](Document typed) {
    const bool expected = is_valid(support::without_types(typed));
    REQUIRE(is_valid(typed) == expected);
    accepted += expected ? 1 : 0;
    typed.application.stages.front().output.reset();
    if (typed.platform.sink && typed.application.stages.size() == 1) return;
    REQUIRE(is_valid(typed) == is_valid(support::without_types(typed)));
    typed.application.stages.front().output = 1;
    typed.platform.defaults = {};
    REQUIRE(is_valid(typed) == is_valid(support::without_types(typed)));
  });
  CHECK(accepted > kSeeds * 7);
}

TEST_CASE("a typed document that is written reads back as the very same") {
  for_each_typed([&](Document typed) {
    for (const char* pointer : {"/platform/types/0", "/platform/links/0", "/platform/links/1"})
      typed.remarks[pointer].comment = pointer;
    if (typed.platform.links.size() + typed.platform.type_links.size() < 2) typed.remarks.erase("/platform/links/1");
    if (typed.platform.links.size() + typed.platform.type_links.size() < 1) typed.remarks.erase("/platform/links/0");
    const std::string text = write_document(typed);
    const Document again = read_document(text, "written");
    REQUIRE(again.application == typed.application);
    REQUIRE(again.platform == typed.platform);
    REQUIRE(again == typed);
    REQUIRE(write_document(again) == text);
  });
}

TEST_CASE("the example of all keys is what it says") {
  const Document document =
      read_document(testing::contents(testing::source_path("tests/data/full-types.json")), "full-types.json");
  const Platform& platform = document.platform;
  REQUIRE(platform.types.size() == 3);
  CHECK(platform.currency == "EUR/h");
  CHECK(platform.types[0] == ProcessorType{"small",
                                           Rational(1'000'000'000),
                                           {},
                                           Rational(125'000'000),
                                           Rational(4) * 1024 * 1024 * 1024,
                                           Rational::fraction(1, 20),
                                           Rational(20)});
  CHECK(platform.types[2].count == Rational(0));
  CHECK(platform.processors[0].speed == Rational(1'000'000'000));
  CHECK(platform.processors[0].price == Rational::fraction(1, 20));
  CHECK(platform.processors[1].price == Rational::fraction(3, 50));
  CHECK(platform.processors[2].bandwidth == Rational(625'000'000));
  CHECK_FALSE(platform.processors[3].type);
  REQUIRE(platform.links.size() == 1);
  REQUIRE(platform.type_links.size() == 2);
  CHECK(platform.type_links[0].place == 0);
  CHECK(platform.type_links[1].place == 1);
  CHECK(platform.place_of_link(0) == 1);
  const std::vector<Stage>& stages = document.application.stages;
  CHECK(stages[1].apart);
  CHECK(stages[1].memory == Rational(2) * 1024 * 1024 * 1024);
  CHECK(stages[1].type_times.size() == 2);
  CHECK(stages[1].times == std::vector<StageTime>{{1, Rational::fraction(1, 10)},
                                                  {0, Rational::fraction(3, 25), true},
                                                  {2, Rational::fraction(3, 500), true}});
  const Timing timing(document);
  CHECK(timing.computation(0, 1, 0) == Rational::fraction(16, 125));
  CHECK(timing.computation(2, 2, 3) == Rational::fraction(1, 600));
  // 6 MB at the 1 Gbit/s of small, with the latency of the link between the types; gpu-1 to own has its own link.
  CHECK(timing.transfer(0, 0, 2) == Rational::fraction(48, 1000) + Rational::fraction(2, 10'000));
  CHECK(timing.transfer(0, 2, 3) == Rational::fraction(6, 4000) + Rational::fraction(5, 100'000));
  CHECK(timing.transfer(0, 0, 3) == Rational::fraction(48, 1000) + Rational::fraction(5, 100'000));
  CHECK(timing.from_source(0) == Rational::fraction(5, 1000) + Rational::fraction(5, 100'000));
  CHECK(timing.to_sink(3) == Rational::fraction(2, 10'000) + Rational::fraction(5, 100'000));
}

// Two types, two processors and a link, in which a test puts one thing in place of another.
const std::string kSample = R"({
"application": {"input": 1, "stages": [
{"name": "A", "time": {"small": 2, "big": 1}, "output": 6, "memory": 3},
{"name": "B", "work": 4, "output": 1}]},
"platform": {"types": [
{"name": "small", "speed": 2, "bandwidth": 3, "count": 2, "price": 0.5},
{"name": "big", "speed": 4, "memory": 8}],
"processors": [{"name": "P", "type": "small"}, {"name": "Q", "type": "big"}, {"name": "R", "speed": 1}],
"bandwidth": 10,
"links": [{"from": "small", "to": "big", "latency": 1}], "source": {}},
"mapping": [{"stages": ["A"], "processors": ["P"]}, {"stages": ["B"], "processors": ["Q"]}]
})";

TEST_CASE("each wrong document with types earns one message that names place, found and expected") {
  CHECK(testing::message_of_text(kSample) == "accepted");
  const std::vector<testing::WrongChange> cases{
      {{R"({"name": "P", "type": "small"})", R"({"name": "P", "type": "smal"})"},
       R"(f:8:38: /platform/processors/0/type: found the unknown type "smal", expected the name of one of the )"
       "platform's types"},
      {{R"({"name": "P", "type": "small"})", R"({"name": "P", "type": 3})"},
       "f:8:38: /platform/processors/0/type: found the number 3, expected a text: the name of a type"},
      {{R"({"name": "R", "speed": 1})", R"({"name": "R", "type": "P"})"},
       R"(f:8:100: /platform/processors/2/type: found the unknown type "P", expected the name of one of the )"
       "platform's types"},
      {{R"({"name": "big", "speed": 4)", R"({"name": "small", "speed": 4)"},
       R"(f:8:70: /platform/processors/1/type: found the unknown type "big", expected the name of one of the )"
       "platform's types"},
      {{R"({"name": "R", "speed": 1})", R"({"name": "big", "speed": 1})"},
       R"(f:8:87: /platform/processors/2/name: found the name "big", which a type has, expected a name of its own)"},
      {{R"("types": [)", R"("types": [], "typos": [)"},
       R"(f:5:27: /platform/typos: found the unknown key "typos" (did you mean "types"?), expected "types", )"
       R"("currency", "quotas", "processors", "bandwidth", "latency", "time", "links", "segments", "source", )"
       R"("sources", "sink" or "sinks" in the platform)"},
      {{R"("speed": 4, "memory": 8)", R"("speed": 4, "time": 1)"},
       R"(f:7:37: /platform/types/1/time: found "time" beside "speed", expected one of them: a time is fixed and )"
       "says it all"},
      {{R"("speed": 4, "memory": 8)", R"("speed": 0)"},
       "f:7:26: /platform/types/1/speed: found the number 0, expected a number greater than 0"},
      {{R"("time": {"small": 2, "big": 1}, "output": 6)", R"("time": {"small": 2, "huge": 1}, "output": 6)"},
       R"(f:3:44: /application/stages/0/time/huge: found a time for the unknown processor "huge", expected the name )"
       "of a processor or a type of the platform"},
      {{R"("speed": 4, "memory": 8)", R"("time": 1)"},
       R"(f:3:43: /application/stages/0/time/big: found a time of the stage for "big", whose own "time" at )"
       "/platform/types/1 holds for whatever it computes, expected one of the two"},
      {{R"({"name": "R", "speed": 1})", R"({"name": "R", "time": 1, "bandwidth": 0})"},
       "f:8:116: /platform/processors/2/bandwidth: found the number 0, expected a number greater than 0"},
      {{R"("small": 2, "big": 1)", R"("small": 2, "big": 1, "R": -1)"},
       "f:3:51: /application/stages/0/time/R: found the number -1, expected a number of at least 0"},
      {{R"({"name": "Q", "type": "big"})", R"({"name": "Q", "type": "big", "time": 3})"}, "accepted"},
      {{R"({"name": "P", "type": "small"})", R"({"name": "P", "type": "small", "speed": 1, "time": 1})"},
       R"(f:8:67: /platform/processors/0/time: found "time" beside "speed", expected one of them: a time is fixed )"
       "and says it all"},
      {{R"("price": 0.5)", R"("price": -1)"},
       "f:6:68: /platform/types/0/price: found the number -1, expected a number of at least 0"},
      {{R"("price": 0.5)", R"("price": "0.5 EUR")"},
       R"(f:6:68: /platform/types/0/price: found the text "0.5 EUR", expected a number; its unit belongs in the )"
       R"(platform, such as "currency": "EUR/h")"},
      {{R"("count": 2)", R"("count": 1.5)"},
       "f:6:56: /platform/types/0/count: found the number 1.5, expected a whole number of at least 0"},
      {{R"("count": 2)", R"("count": -1)"},
       "f:6:56: /platform/types/0/count: found the number -1, expected a whole number of at least 0"},
      {{R"("count": 2)", R"("count": "many")"},
       R"(f:6:56: /platform/types/0/count: found the text "many", expected a number such as 12, 0.5 or "7/2", )"
       "without a unit"},
      {{R"("memory": 8)", R"("memory": "8 GHz")"},
       R"(f:7:39: /platform/types/1/memory: found the text "8 GHz", expected a size in B, kB, MB, GB, TB, KiB, MiB, )"
       R"(GiB, TiB or bits (kbit, Mbit, ...), such as "4 MB")"},
      {{R"("memory": 8)", R"("memory": -8)"},
       "f:7:39: /platform/types/1/memory: found the number -8, expected a number of at least 0"},
      {{R"("memory": 8)", R"("memory": "8 GB")"},
       R"(f:7:39: /platform/types/1/memory: found the text "8 GB" with a unit, though the number 2 at )"
       "/application/stages/0/time/small (line 3) has none, expected units on all times, latencies, bandwidths, "
       "speeds and predictions, or on nothing"},
      {{R"("memory": 3)", R"("memory": "3 ms")"},
       R"(f:3:70: /application/stages/0/memory: found the text "3 ms", expected a size in B, kB, MB, GB, TB, KiB, )"
       R"(MiB, GiB, TiB or bits (kbit, Mbit, ...), such as "4 MB", not a time)"},
      {{R"("memory": 3)", R"("memory": 3, "apart": 1)"},
       "f:3:82: /application/stages/0/apart: found the number 1, expected true or false"},
      {{R"("from": "small", "to": "big")", R"("from": "small", "to": "Q")"},
       R"(f:10:11: /platform/links/0: found a link from the type "small" to the processor "Q", expected two )"
       R"(processors or two types: name the processors of "small" one by one, or give "Q" a type of its own)"},
      {{R"("from": "small", "to": "big")", R"("from": "P", "to": "big")"},
       R"(f:10:11: /platform/links/0: found a link from the processor "P" to the type "big", expected two )"
       R"(processors or two types: name the processors of "big" one by one, or give "P" a type of its own)"},
      {{R"("from": "small", "to": "big")", R"("from": "small", "to": "bog")"},
       R"(f:10:35: /platform/links/0/to: found the unknown processor "bog", expected the name of a processor or a )"
       "type of the platform"},
      {{R"("latency": 1}])", R"("latency": 1}, {"from": "big", "to": "small", "time": 1}])"},
       R"(f:10:57: /platform/links/1: found a second undirected link between "big" and "small", expected one for )"
       R"(both directions: links are undirected unless "directed" is true; say so in both, or drop one)"},
      {{R"("latency": 1}])",
        R"("latency": 1, "directed": true}, {"from": "small", "to": "big", "time": 1, "directed": true}])"},
       R"(f:10:75: /platform/links/1: found a second directed link from "small" to "big", expected at most one)"},
      {{R"("latency": 1}])", R"("latency": 1}, {"from": "P", "to": "P", "time": 1}])"},
       R"(f:10:57: /platform/links/1: found a link from "P" to itself, expected two different processors)"},
      {{R"("latency": 1}])", R"("latency": -1}])"},
       "f:10:53: /platform/links/0/latency: found the number -1, expected a number of at least 0"},
      {{R"("source": {})", R"("source": {"links": [{"processor": "small", "time": 1}]})"},
       R"(f:10:93: /platform/source/links/0/processor: found the type "small", expected the name of a processor of )"
       "the platform"},
      {{R"("processors": ["P"])", R"("processors": ["small"])"},
       R"(f:11:46: /mapping/0/processors/0: found the type "small", expected the name of a processor of the platform)"},
      {{R"("input": 1)", R"("currency": "EUR", "input": 1)"},
       R"(f:2:17: /application/currency: found the unknown key "currency", expected "name", "item", "input", "data )"
       R"(sets" or "stages" in the application)"},
      {{R"("processors": [{"name": "P")", R"("currency": 3, "processors": [{"name": "P")"},
       "f:8:13: /platform/currency: found the number 3, expected a text: the currency of prices"},
      {{R"({"name": "big", "speed": 4, "memory": 8})", R"({"name": "big", "speed": 4, "memory": 8}, {"name": "idle"})"},
       R"(f:7:43: /platform/types/2: found type "idle" without "speed" and "time", expected one of them, or "idle" )"
       R"(in the "time" of the stages it computes)"},
      {{R"({"name": "big", "speed": 4, "memory": 8})", R"({"name": "big", "speed": 4, "sockets": 8})"},
       R"(f:7:29: /platform/types/1/sockets: found the unknown key "sockets", expected "name", "cores", "speed", )"
       R"("time", "bandwidth", "ports", "memory bandwidth", "memory", "price", "spot price" or "count" in a type)"},
      {{R"("bandwidth": 3)", R"("bandwidth": "3 MB/s")"},
       R"(f:6:44: /platform/types/0/bandwidth: found the text "3 MB/s" with a unit, though the number 2 at )"
       "/application/stages/0/time/small (line 3) has none, expected units on all times, latencies, bandwidths, "
       "speeds and predictions, or on nothing"},
  };
  testing::check_messages(kSample, cases);
}

TEST_CASE("a catalogue is refused unless it is asked for") {
  std::string text = kSample;
  const auto erase = [&](std::string_view begin, std::string_view end) {
    const std::size_t at = text.find(begin);
    text.erase(at, text.find(end, at) - at);
  };
  erase("\"processors\": [{\"name\": \"P\"", "\"bandwidth\": 10");
  CHECK(testing::message_of_text(text, Catalogues::accepted) ==
        "f:10:12: /mapping: found a mapping, but no \"processors\" in the platform, only types, expected "
        "\"processors\" for it, such as {\"name\": \"P1\", \"type\": \"...\"}");
  erase(",\n\"mapping\"", "\n}");
  CHECK(testing::message_of_text(text, Catalogues::accepted) == "accepted");
  CHECK(testing::message_of_text(text) ==
        "f:5:13: /platform: found types without \"processors\", expected processors; \"takt plan\" chooses how many "
        "there are to be of each type, and \"takt map\" takes all that the types have where each has a \"count\"");
  const Document catalogue = read_document(text, "f", std::nullopt, Catalogues::accepted);
  REQUIRE(catalogue.platform.is_catalogue());
  CHECK(read_document(write_document(catalogue), "written", std::nullopt, Catalogues::accepted) == catalogue);
  const Document made = expanded(catalogue, std::vector<std::uint64_t>{2, 1});
  CHECK(read_document(write_document(made), "written") == made);
  REQUIRE(made.platform.processors.size() == 3);
  CHECK(made.platform.processors[1].name == "small-2");
}

TEST_CASE("types inherit times to a limited depth") {
  Document document;
  document.platform.types = {{.name = "t"}};
  for (std::size_t k = 0; k < 2001; ++k) {
    document.application.stages.push_back({.name = "S" + std::to_string(k), .work = {}, .output = {}});
    document.application.stages.back().type_times.push_back({0, 1});
    document.platform.processors.push_back({.name = "P" + std::to_string(k), .speed = {}, .time = {}, .type = 0});
  }
  const std::string text = write_document(document);
  CHECK_THAT(testing::message_of_text(text), Catch::Contains("found 4004001 times of stages for processors of types"));
  document.platform.processors.resize(100);
  CHECK(testing::message_of_text(write_document(document)) == "accepted");
}

}  // namespace
}  // namespace takt::tpn

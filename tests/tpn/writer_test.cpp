// Writing documents: the text a person sees, and the promise that reading it gives back the document.
#include "tpn/writer.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "maxplus/contract.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"
#include "tests/tpn/files.hpp"
#include "tpn/reader.hpp"
#include "tpn/validate.hpp"

namespace takt::tpn {
namespace {

// Random documents of every shape that validate accepts.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Document document() {
    Document document;
    document.application = application();
    document.platform = platform();
    if (chance(40)) add_stage_times(document);
    if (chance(70)) document.mapping = mapping(document);
    if (chance(50)) document.predicted_period = non_negative();
    if (chance(40)) document.heuristic = heuristic();
    if (chance(50)) document.model = chance(50) ? Model::kOverlap : Model::kStrict;
    if (chance(40)) document.time_unit = TimeUnit::second;
    if (chance(30)) document.remarks = remarks(document);
    return document;
  }

 private:
  int pick(int low, int high) { return random_.whole(low, high); }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(pick(0, static_cast<int>(bound) - 1)); }
  bool chance(int percent) { return pick(1, 100) <= percent; }

  Integer digits(int count) {
    std::string text(1, static_cast<char>('0' + pick(1, 9)));
    while (--count > 0) text += static_cast<char>('0' + pick(0, 9));
    return Integer(text);
  }

  Rational positive() {
    Integer power;
    switch (pick(0, 6)) {
      case 0:
        return pick(1, 100);
      case 1:
        return Rational::fraction(pick(1, 1000), 10);
      case 2:
        return Rational::fraction(pick(1, 100), pick(1, 100));
      case 3:  // around the largest integer that is written as a number
        return Rational((std::int64_t{1} << 53) + pick(-2, 2));
      case 4:  // around the most significant digits that are
        mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(pick(0, 40)));
        return chance(50) ? Rational::fraction(digits(pick(13, 17)), power) : Rational(Integer(digits(15) * power));
      case 5:
        mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(pick(280, 320)));
        return chance(50) ? Rational::fraction(digits(3), power) : Rational(Integer(digits(3) * power));
      default:
        return Rational::fraction(digits(pick(1, 1000)), digits(pick(1, 1000)));
    }
  }
  Rational non_negative() { return chance(15) ? Rational(0) : positive(); }

  std::string unique_name(const char* prefix, std::size_t number) {
    static const std::vector<std::string> endings{"",      " \"x\"", "/a~b", "\\", "\n\t\x01", "\xC3\xA4\xE2\x82\xAC",
                                                  "{}[],:"};
    return prefix + std::to_string(number) + endings[below(endings.size())];
  }

  // On processors without a fixed time, in any order.
  void add_stage_times(Document& document) {
    for (Stage& stage : document.application.stages) {
      for (std::size_t p = 0; p < document.platform.processors.size(); ++p) {
        if (!document.platform.processors[p].speed || chance(50)) continue;
        stage.times.insert(chance(50) ? stage.times.begin() : stage.times.end(), {p, non_negative()});
      }
    }
  }

  LinkTiming timing() {
    LinkTiming timing;
    if (chance(25)) {
      timing.time = non_negative();
    } else {
      if (chance(60)) timing.bandwidth = positive();
      if (chance(60)) timing.latency = non_negative();
    }
    return timing;
  }

  Application application() {
    Application application;
    if (chance(80)) application.name = unique_name("app", 0);
    if (chance(30)) application.item = unique_name("item", 0);
    application.input = non_negative();
    const std::size_t count = 1 + below(6);
    for (std::size_t i = 0; i < count; ++i) {
      Stage stage{unique_name("S", i), non_negative(), non_negative()};
      stage.replicable = chance(70);
      if (i > 0 && chance(30)) stage.consumes = pick(1, 5);
      if (chance(30)) stage.produces = pick(1, 5);
      application.stages.push_back(stage);
    }
    return application;
  }

  Endpoint endpoint(std::size_t processors) {
    Endpoint endpoint{timing(), {}};
    for (std::size_t i = 0; i < processors; ++i) {
      if (chance(25)) endpoint.links.push_back({i, timing()});
    }
    for (EndpointLink& link : endpoint.links) complete(link.timing);
    return endpoint;
  }

  // A latency alone cannot be had over a time.
  void complete(LinkTiming& timing) {
    if (timing.latency && !timing.bandwidth) timing.bandwidth = positive();
  }

  Platform platform() {
    Platform platform;
    const std::size_t count = 1 + below(6);
    for (std::size_t i = 0; i < count; ++i) {
      Processor processor{unique_name("P", i), {}, {}};
      if (chance(30)) {
        processor.time = non_negative();
      } else {
        processor.speed = positive();
      }
      platform.processors.push_back(processor);
    }
    platform.defaults = timing();
    if (!platform.defaults.time) platform.defaults.bandwidth = positive();
    for (std::size_t from = 0; from < count; ++from) {
      for (std::size_t to = 0; to < count; ++to) {
        if (from != to && chance(20)) platform.links.push_back({from, to, timing(), true});
        if (from < to && chance(20)) {
          platform.links.push_back({chance(50) ? from : to, 0, timing(), false});
          platform.links.back().to = from + to - platform.links.back().from;
        }
      }
    }
    for (Link& link : platform.links) complete(link.timing);
    if (chance(40)) platform.source = endpoint(count);
    if (chance(40)) platform.sink = endpoint(count);
    if (platform.source) complete(platform.source->timing);
    if (platform.sink) complete(platform.sink->timing);
    return platform;
  }

  Mapping mapping(const Document& document) {
    Mapping mapping;
    const std::size_t stages = document.application.stages.size();
    for (std::size_t first = 0; first < stages;) {
      Part part{first, first + below(stages - first), {}};
      const bool replicable = std::all_of(document.application.stages.begin() + static_cast<long>(first),
                                          document.application.stages.begin() + static_cast<long>(part.last_stage) + 1,
                                          [](const Stage& stage) { return stage.replicable; });
      const std::size_t fixed = below(document.platform.processors.size());
      const std::size_t length = 1 + below(5);
      for (std::size_t i = 0; i < length; ++i) {
        part.processors.push_back(replicable ? below(document.platform.processors.size()) : fixed);
      }
      first = part.last_stage + 1;
      mapping.push_back(part);
    }
    return mapping;
  }

  HeuristicRecord heuristic() {
    HeuristicRecord record{unique_name("h", 0), {}, {}};
    if (chance(50)) record.seed = Rational(Integer(digits(pick(1, 20))));
    const std::size_t count = below(4);
    for (std::size_t i = 0; i < count; ++i) {
      OptionValue value = chance(50);
      if (chance(40)) value = chance(50) ? positive() : -positive();
      if (chance(40)) value = unique_name("text", i);
      record.options.emplace_back(unique_name("o", i), value);
    }
    return record;
  }

  std::map<std::string, Remarks> remarks(const Document& document) {
    std::vector<std::string> pointers{"", "/application", "/application/stages/0", "/platform",
                                      "/platform/processors/0"};
    if (!document.platform.links.empty()) pointers.emplace_back("/platform/links/0");
    if (document.platform.source) pointers.emplace_back("/platform/source");
    if (document.platform.sink && !document.platform.sink->links.empty()) {
      pointers.emplace_back("/platform/sink/links/0");
    }
    if (document.mapping) pointers.emplace_back("/mapping/0");
    if (document.heuristic) pointers.emplace_back("/heuristic");
    std::map<std::string, Remarks> remarks;
    for (const std::string& pointer : pointers) {
      if (chance(40)) remarks[pointer].schema = unique_name("schema", 0);
      if (chance(40)) remarks[pointer].comment = chance(20) ? "" : unique_name("remark", 0);
    }
    return remarks;
  }

  support::Draw random_;
};

TEST_CASE("a written document reads back as the very same document, and is then written as the same text") {
  std::uint64_t mapped = 0;
  const std::uint64_t seeds = support::draws(3000);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    const Document document = Generator(seed).document();
    REQUIRE_NOTHROW(validate(document));
    const std::string text = write_document(document);
    const Document again = read_document(text, "written");
    REQUIRE(again == document);
    REQUIRE(write_document(again) == text);
    const std::string line = write_document_line(document);
    REQUIRE(line.find('\n') == line.size() - 1);
    REQUIRE(read_document(line, "line") == document);
    if (document.mapping) ++mapped;
  }
  CHECK(mapped > seeds / 2);
}

TEST_CASE("every good document of the source tree survives being written") {
  for (const auto& file : testing::good_documents()) {
    CAPTURE(file.string());
    const auto read = [](const std::string& text, const std::string& name) {
      return read_document(text, name, std::nullopt, Catalogues::accepted);
    };
    const Document document = read(testing::contents(file), file.string());
    CHECK(read(write_document(document), "written") == document);
  }
}

TEST_CASE("the text has one line for each stage, processor, link and part, and leaves defaults out") {
  Document document;
  document.application.name = "demo";
  document.application.input = 10;
  document.application.stages = {Stage{"load", 12, Rational::fraction(7, 3)},
                                 Stage{"rank", 9, Rational::fraction(1, 2)}};
  document.application.stages[1].replicable = false;
  document.application.stages[1].consumes = 2;
  document.platform.processors = {Processor{"P0", 2, {}}, Processor{"P1", {}, 22}};
  document.platform.defaults = {10, Rational::fraction(1, 10), {}};
  document.platform.links = {Link{0, 1, {5, {}, {}}, true}, Link{0, 1, {{}, {}, 0}, false}};
  document.platform.source = Endpoint{};
  document.platform.sink = Endpoint{{{}, {}, 3}, {EndpointLink{1, {20, {}, {}}}}};
  document.mapping = Mapping{Part{0, 0, {0, 1, 0}}, Part{1, 1, {1}}};
  document.predicted_period = Rational::fraction(22, 7);
  document.heuristic = HeuristicRecord{"hedpm", 1, {{"depth", Rational(2)}, {"swap", false}}};
  document.model = Model::kOverlap;
  CHECK(write_document(document) == R"({
  "application": {
    "name": "demo",
    "input": 10,
    "stages": [
      {"name": "load", "work": 12, "output": "7/3"},
      {"name": "rank", "work": 9, "output": 0.5, "replicable": false, "consumes": 2}
    ]
  },
  "platform": {
    "processors": [
      {"name": "P0", "speed": 2},
      {"name": "P1", "time": 22}
    ],
    "bandwidth": 10,
    "latency": 0.1,
    "links": [
      {"from": "P0", "to": "P1", "bandwidth": 5, "directed": true},
      {"from": "P0", "to": "P1", "time": 0}
    ],
    "source": {},
    "sink": {"time": 3, "links": [{"processor": "P1", "bandwidth": 20}]}
  },
  "mapping": [
    {"stages": ["load"], "processors": ["P0", "P1", "P0"]},
    {"stages": ["rank"], "processors": ["P1"]}
  ],
  "predicted_period": "22/7",
  "heuristic": {"name": "hedpm", "seed": 1, "options": {"depth": 2, "swap": false}},
  "model": "overlap"
}
)");
}

TEST_CASE("with units every quantity has the one that makes it shortest, and remarks stand first in their objects") {
  const std::string text = R"({
  "$schema": "instance.schema.json",
  "//": "ours",
  "application": {
    "name": "demo",
    "input": "10 kB",
    "stages": [
      {"//": "from disk", "name": "load", "work": 12000000, "output": "4 MiB"},
      {"name": "rank", "work": 9, "output": "0 B"}
    ]
  },
  "platform": {
    "processors": [
      {"name": "P0", "speed": "2e9/s"},
      {"name": "P1", "time": "22 ms"}
    ],
    "bandwidth": "1.25 GB/s",
    "latency": "0.1 ns",
    "links": [
      {"//": "old", "from": "P0", "to": "P1", "bandwidth": "12.5 MB/s"}
    ],
    "sink": {"time": "0 s"}
  },
  "predicted_period": "22/7 s"
}
)";
  CHECK(write_document(read_document(text, "f")) == text);
}

TEST_CASE("a number that no document can hold is the caller's bug") {
  Document document;
  document.application.stages = {Stage{"S", {}, {}}};
  document.platform.processors = {Processor{"P", 1, {}}};
  Integer large;
  mpz_ui_pow_ui(large.get_mpz_t(), 7, 2000);
  document.predicted_period = Rational(large);
  CHECK_THROWS_AS(write_document(document), maxplus::ContractViolation);
}

}  // namespace
}  // namespace takt::tpn

// Validation of documents that programs build: each rule is broken once, and each near miss accepted.
#include "tpn/validate.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <string>
#include <vector>

#include "tests/tpn/files.hpp"
#include "tpn/errors.hpp"
#include "tpn/reader.hpp"
#include "tpn/timing.hpp"

namespace takt::tpn {
namespace {

using Change = std::function<void(Document&)>;

// tests/data/full-document.json: stages load, segment, rank; processors P0, P1 with speeds, P2 with a time.
Document full_document() {
  static const Document document =
      read_document(testing::contents(testing::source_path("tests/data/full-document.json")), "full-document.json");
  return document;
}

// The pointer of the error that a change of the full document causes; "" where it causes none.
std::string pointer_after(const Change& change) {
  Document document = full_document();
  change(document);
  try {
    validate(document);
  } catch (const InvalidInstance& error) {
    CHECK(std::string(error.what()) == error.pointer + ": " + error.detail);
    return error.pointer;
  }
  return "";
}

// Gives the second stage times of its own.
Change with_times(const std::vector<StageTime>& times) {
  return [=](Document& document) { document.application.stages[1].times = times; };
}

TEST_CASE("every rule that a document can break is checked, at its pointer") {
  Integer large;
  mpz_ui_pow_ui(large.get_mpz_t(), 7, 2000);
  const Rational too_long(large);
  const std::vector<std::pair<std::string, Change>> cases{
      {"/application/name", [](Document& d) { d.application.name = "\xFF"; }},
      {"/application/input", [](Document& d) { d.application.input = -1; }},
      {"/application/input", [&](Document& d) { d.application.input = too_long; }},
      {"/application/stages", [](Document& d) { d.application.stages.clear(); }},
      {"/application/stages/1/name", [](Document& d) { d.application.stages[1].name.clear(); }},
      {"/application/stages/1/name", [](Document& d) { d.application.stages[1].name = "\xC3"; }},
      {"/application/stages/2/name", [](Document& d) { d.application.stages[2].name = "load"; }},
      {"/application/stages/1/work", [](Document& d) { d.application.stages[1].work = -1; }},
      {"/application/stages/1/output", [](Document& d) { d.application.stages[1].output = -1; }},
      {"/application/stages/1/consumes", [](Document& d) { d.application.stages[1].consumes = 0; }},
      {"/application/stages/1/produces",
       [](Document& d) { d.application.stages[1].produces = Rational::fraction(1, 2); }},
      {"/application/stages/0/consumes", [](Document& d) { d.application.stages[0].consumes = 2; }},
      {"/platform/processors", [](Document& d) { d.platform.processors.clear(); }},
      {"/platform/processors/1/name", [](Document& d) { d.platform.processors[1].name = "P0"; }},
      {"/platform/processors/1/name", [](Document& d) { d.platform.processors[1].name = "source"; }},
      {"/platform/processors/1/name", [](Document& d) { d.platform.processors[1].name = "sink"; }},
      {"/platform/processors/1/speed", [](Document& d) { d.platform.processors[1].speed = 0; }},
      {"/platform/processors/2/time", [](Document& d) { d.platform.processors[2].time = -1; }},
      {"/platform/processors/2", [](Document& d) { d.platform.processors[2].speed = 1; }},
      {"/platform/processors/2", [](Document& d) { d.platform.processors[2].time.reset(); }},
      {"/application/stages/1/time", with_times({{3, 1}})},
      {"/application/stages/1/time/P1", with_times({{1, -1}})},
      {"/application/stages/1/time/P1", with_times({{0, 1}, {1, too_long}})},
      {"/application/stages/1/time/P2", with_times({{0, 1}, {2, 1}})},
      {"/application/stages/1/time/P1", with_times({{1, 1}, {0, 2}, {1, 2}})},
      {"/application/stages/1/time",
       [](Document& d) {
         d.platform.processors[1].speed.reset();
         d.application.stages[0].times = {{1, 1}};
       }},
      {"/platform/bandwidth", [](Document& d) { d.platform.defaults.bandwidth = 0; }},
      {"/platform/latency", [](Document& d) { d.platform.defaults.latency = -1; }},
      {"/platform/time", [](Document& d) { d.platform.defaults.time = 1; }},
      {"/platform/links/1/from", [](Document& d) { d.platform.links[1].from = 3; }},
      {"/platform/links/1/to", [](Document& d) { d.platform.links[1].to = 3; }},
      {"/platform/links/1", [](Document& d) { d.platform.links[1].to = d.platform.links[1].from; }},
      {"/platform/links/1", [](Document& d) { d.platform.links[1].directed = false; }},
      {"/platform/links/3", [](Document& d) { d.platform.links.push_back(d.platform.links[1]); }},
      {"/platform/links/2/time", [](Document& d) { d.platform.links[2].timing.latency = 0; }},
      {"/platform/links/2/time", [](Document& d) { d.platform.links[2].timing.time = -1; }},
      {"/platform/source", [](Document& d) { d.application.input.reset(); }},
      {"/platform/source/links/0/processor", [](Document& d) { d.platform.source->links[0].processor = 3; }},
      {"/platform/source/links/1",
       [](Document& d) { d.platform.source->links.push_back(d.platform.source->links[0]); }},
      {"/platform/source/links/0/bandwidth", [](Document& d) { d.platform.source->links[0].timing.bandwidth = -2; }},
      {"/platform/sink", [](Document& d) { d.application.stages[2].output.reset(); }},
      {"/platform/sink/time", [](Document& d) { d.platform.sink->timing.time = -2; }},
      {"/mapping", [](Document& d) { d.mapping->clear(); }},
      {"/mapping", [](Document& d) { d.mapping->pop_back(); }},
      {"/mapping/0/stages", [](Document& d) { (*d.mapping)[0].first_stage = 2; }},
      {"/mapping/1/stages", [](Document& d) { (*d.mapping)[1].last_stage = 3; }},
      {"/mapping/0/stages/0", [](Document& d) { (*d.mapping)[0].first_stage = 1; }},
      {"/mapping/1/stages/0", [](Document& d) { (*d.mapping)[1].first_stage = 1; }},
      {"/mapping/1/stages/0", [](Document& d) { (*d.mapping)[0].last_stage = 0; }},
      {"/mapping/2/stages/0",
       [](Document& d) {
         d.mapping->push_back(Part{0, 0, {0}});
       }},
      {"/mapping/0/processors", [](Document& d) { (*d.mapping)[0].processors.clear(); }},
      {"/mapping/0/processors/1", [](Document& d) { (*d.mapping)[0].processors[1] = 3; }},
      {"/mapping/0/processors", [](Document& d) { d.application.stages[1].replicable = false; }},
      {"/application/stages/1/work", [](Document& d) { d.application.stages[1].work.reset(); }},
      {"/application/stages/1/output", [](Document& d) { d.application.stages[1].output.reset(); }},
      {"/platform/links", [](Document& d) { d.platform.defaults.bandwidth.reset(); }},
      {"/predicted_period", [](Document& d) { d.predicted_period = -1; }},
      {"/heuristic/name", [](Document& d) { d.heuristic->name.clear(); }},
      {"/heuristic/seed", [](Document& d) { d.heuristic->seed = -1; }},
      {"/heuristic/options/starts", [](Document& d) { d.heuristic->options[1].first = "starts"; }},
      {"/heuristic/options/order", [](Document& d) { d.heuristic->options[3].second = "7/2"; }},
      {"/heuristic/options/order", [](Document& d) { d.heuristic->options[3].second = "\xFF"; }},
      {"/heuristic/options/ratio", [&](Document& d) { d.heuristic->options[1].second = too_long; }},
  };
  REQUIRE(pointer_after([](Document&) {}).empty());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(i);
    CHECK(pointer_after(cases[i].second) == cases[i].first);
  }
}

TEST_CASE("what only looks like a broken rule is accepted") {
  const std::vector<Change> changes{
      [](Document& d) { d.mapping.reset(); },
      [](Document& d) { d.mapping.reset(), d.application.stages[0].work.reset(), d.platform.defaults = {}; },
      [](Document& d) {
        (*d.mapping)[1].processors = {2, 2, 2};
      },                                                          // rank is not replicable, but this is one processor
      [](Document& d) { d.application.stages[2].work.reset(); },  // P2 has a fixed time
      [](Document& d) {
        d.application.stages[1].times = {{1, 1}, {0, 0}};
        d.application.stages[1].work.reset();
      },
      [](Document& d) {
        d.platform.processors[1].speed.reset();
        d.application.stages[0].times = {{1, 1}};
        d.application.stages[1].times = {{1, 2}};
      },
      [](Document& d) { d.application.stages[0].output.reset(); },  // the file stays within the part
      [](Document& d) { d.platform.source.reset(), d.platform.processors[1].name = "source"; },
      [](Document& d) {
        d.platform.links.push_back({0, 1, {}, true});
      },
      [](Document& d) { d.platform.source->timing = {}, d.platform.source->links.clear(); },
      [](Document& d) { d.application.stages[1].work = 0, d.application.stages[1].output = 0; },
      [](Document& d) { d.predicted_period = 0, d.heuristic->seed = 0; },
      [](Document& d) { d.heuristic->options[3].second = "1/0"; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    CAPTURE(i);
    CHECK(pointer_after(changes[i]).empty());
  }
}

TEST_CASE("a part on the same processor as its neighbor needs no link and no file") {
  Document document = full_document();
  document.platform.defaults = {};
  document.platform.links.clear();
  document.platform.source.reset();
  document.platform.sink.reset();
  document.application.stages[1].output.reset();
  document.mapping = Mapping{Part{0, 1, {0}}, Part{2, 2, {0, 0}}};
  CHECK_NOTHROW(validate(document));
  document.mapping = Mapping{Part{0, 1, {0, 1}}, Part{2, 2, {0, 0}}};
  CHECK_THROWS_AS(validate(document), InvalidInstance);
}

TEST_CASE("a mapping that is validated alone fails as the document with it does") {
  Document document = full_document();
  document.platform.defaults = {};  // P1 and P2 are not linked
  document.platform.links[1].timing.bandwidth = 2;
  const std::vector<std::pair<std::string, Mapping>> cases{
      {"accepted", {Part{0, 1, {0, 0}}, Part{2, 2, {2}}}},
      {"/mapping: ", {Part{0, 1, {0, 0}}}},
      {"/mapping/1/stages/0: ", {Part{0, 0, {0}}, Part{2, 2, {2}}}},
      {"/mapping/0/processors/1: ", {Part{0, 2, {0, 3}}}},
      {"/mapping/0/processors: ", {Part{0, 2, {0, 1}}}},
      {"/platform/links: ", {Part{0, 1, {0, 1}}, Part{2, 2, {2}}}},
      {"/platform/source: ", {Part{0, 2, {2}}}},
  };
  document.platform.source->timing = {};
  for (const auto& [pointer, mapping] : cases) {
    const std::string alone = testing::message_of([&, &of = mapping] { validate_mapping(document, of); });
    CHECK(alone.starts_with(pointer));
    Document mapped = document;
    mapped.mapping = mapping;
    CHECK(alone == testing::message_of([&] { validate(mapped); }));
  }
  document.mapping = Mapping{};  // its own counts for nothing
  CHECK_NOTHROW(validate_mapping(document, cases.front().second));
}

// Small platforms whose links are partly missing, or with a latency alone: validate must find exactly what
// plain loops over every data set's transfers find.
TEST_CASE("a missing link matters if and only if its processors meet on some data set") {
  const std::vector<LinkTiming> defaults{{}, {2, {}, {}}, {{}, {}, 3}, {{}, 1, {}}};
  const std::vector<LinkTiming> own{{}, {{}, 1, {}}, {{}, {}, 1}, {4, {}, {}}};
  int accepted = 0;
  int refused = 0;
  for (std::size_t m = 1; m <= 4; ++m) {
    for (std::size_t k = 1; k <= 4; ++k) {
      for (std::size_t variant = 0; variant < 512; ++variant) {
        Document document;
        document.application.stages = {Stage{"A", {}, {}}, Stage{"B", {}, {}}};
        if (variant % 2 == 0) document.application.stages[0].output = 1;
        for (int p = 0; p < 8; ++p) {
          document.platform.processors.push_back(Processor{"P" + std::to_string(p), std::nullopt, 1});
        }
        document.platform.defaults = defaults[variant / 2 % 4];
        Part first{0, 0, {}};
        Part second{1, 1, {}};
        for (std::size_t a = 0; a < m; ++a) first.processors.push_back(variant / 8 % 2 == 0 ? a : a / 2);
        for (std::size_t b = 0; b < k; ++b) second.processors.push_back(b + variant / 16 % 2 * 4);
        document.mapping = Mapping{first, second};
        std::size_t pick = variant / 32;  // which links there are, and of which kind
        for (std::size_t from = 0; from < 4; ++from) {
          for (std::size_t to = 0; to < 8; ++to) {
            pick = (pick * 7 + from * 3 + to) % 16;
            if (from == to || pick >= 6) continue;
            document.platform.links.push_back({from, to, own[pick % 4], true});
          }
        }
        const Timing timing(document);
        bool complete = true;
        for (std::size_t data_set = 0; data_set < m * k; ++data_set) {
          const std::size_t from = first.processors[data_set % m];
          const std::size_t to = second.processors[data_set % k];
          if (from == to) continue;
          try {
            timing.transfer(0, from, to);
          } catch (const InvalidInstance&) {
            complete = false;
          }
        }
        bool valid = true;
        try {
          validate(document);
        } catch (const InvalidInstance&) {
          valid = false;
        }
        REQUIRE(valid == complete);
        ++(valid ? accepted : refused);
      }
    }
  }
  CHECK(accepted > 1000);
  CHECK(refused > 1000);
}

}  // namespace
}  // namespace takt::tpn

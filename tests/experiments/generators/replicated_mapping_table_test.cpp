// Draws of replicated mappings as tables: those of the documents, under every option, without allocation.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "evaluators/mappings/table_evaluator.hpp"
#include "experiments/draws/generator.hpp"
#include "tests/experiments/drawn.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/timing.hpp"

namespace takt::experiments {

namespace {

using evaluators::TimeTable;

const Generator& generator() { return *find_generator("replicated-mapping"); }

struct CellRow {
  const char* stages;
  const char* processors;
  const char* computation;
  const char* transfer;
};

// Sizes and ranges of Table 2, one stage, as many stages as processors, one value, fractions.
constexpr CellRow kRows[] = {{"10", "20", "5..15", "5..15"},   {"10", "30", "10..1000", "10..1000"},
                             {"20", "30", "5..15", "5..15"},   {"2", "7", "1", "5..10"},
                             {"3", "7", "1", "10..50"},        {"1", "4", "5..15", "5..15"},
                             {"6", "6", "1..3", "2..9"},       {"4", "9", "3/2..7/2 by 1/7", "1..2 by 0.001"},
                             {"3", "11", "7/3", "1..2 by 1/4"}};

// Arguments of every replication, network and kind of values with these sizes and ranges.
std::vector<Arguments> options_of(const CellRow& row) {
  std::vector<Arguments> all;
  for (const char* replication : {"dealt", "composition", "sequential"}) {
    for (const char* network : {"sender", "pair", "star", "stage"}) {
      for (const char* values : {"times", "speeds"}) {
        all.push_back(arguments_of("replicated-mapping", {{"stages", row.stages},
                                                          {"processors", row.processors},
                                                          {"computation", row.computation},
                                                          {"transfer", row.transfer},
                                                          {"replication", replication},
                                                          {"network", network},
                                                          {"values", values}}));
      }
    }
  }
  return all;
}

void require_same(TimeTable& table, const tpn::Document& document) {
  const tpn::Timing timing(document);
  const tpn::Mapping& mapping = *document.mapping;
  const Rational& scale = table.scale().ticks_per_unit();
  REQUIRE(table.processors().empty());
  REQUIRE_FALSE((table.ends().source || table.ends().sink));
  REQUIRE(table.parts() == mapping.size());
  for (std::size_t k = 0; k < mapping.size(); ++k) {
    const auto& processors = mapping[k].processors;
    REQUIRE(table.length(k) == processors.size());
    for (std::size_t a = 0; a < processors.size(); ++a) {
      REQUIRE(Rational(table.computations(k)[a]) == scale * timing.computation(k, k, processors[a]));
      if (k + 1 == mapping.size()) continue;
      const auto& receivers = mapping[k + 1].processors;
      for (std::size_t b = 0; b < receivers.size(); ++b) {
        REQUIRE(Rational(table.transfers(k)[a * receivers.size() + b]) ==
                scale * timing.transfer(k, processors[a], receivers[b]));
      }
    }
  }
}

// Of each cell.
std::uint64_t draws() { return support::draws(50); }

}  // namespace

TEST_CASE("a draw of replicated mappings is the same as a table and as a document, whatever the options") {
  TimeTable table;
  std::size_t without = 0;
  for (const CellRow& row : kRows) {
    for (const Arguments& arguments : options_of(row)) {
      INFO(arguments.canonical());
      const auto filler = generator().table_filler(arguments);
      if (!filler) {
        // The inverses of the numbers 10 to 50 or of 1 to 2 by thousandths have no common unit.
        REQUIRE(arguments.choice("values") == "speeds");
        REQUIRE(arguments.range("transfer").size() > 40);
        ++without;
        continue;
      }
      for (std::uint64_t draw = 0; draw < draws(); ++draw) {
        const DrawKey key = key_of(arguments, 5, draw);
        filler->fill(key, table);
        require_same(table, generator().draw(arguments, key));
      }
    }
  }
  REQUIRE(without == 3 * 12);
}

TEST_CASE("draws of replicated mappings are filled in and evaluated without allocation") {
  for (const Arguments& arguments : options_of(kRows[0])) {
    INFO(arguments.canonical());
    const auto filler = generator().table_filler(arguments);
    TimeTable table;
    evaluators::TableEvaluator evaluator;
    std::size_t exact = 0;
    const auto draw_all = [&] {
      for (std::uint64_t draw = 0; draw < 50; ++draw) {
        filler->fill({.seed = 1, .cell = 2, .draw = draw}, table);
        const auto both = evaluator.evaluate(table);
        exact += both.overlap.period.upper == both.overlap.period.lower &&
                         both.strict.period.lower >= both.strict.largest_cycle_time
                     ? 1
                     : 0;
      }
    };
    draw_all();
    const std::uint64_t before = support::allocations();
    draw_all();
    REQUIRE(support::allocations() == before);
    REQUIRE(exact == 100);
  }
}

TEST_CASE("more processors than a table has room for have no table") {
  Arguments arguments(generator());
  arguments.set("processors", std::uint64_t{8944});
  REQUIRE(generator().table_filler(arguments));
  arguments.set("processors", std::uint64_t{8945});
  REQUIRE_FALSE(generator().table_filler(arguments));
}

}  // namespace takt::experiments

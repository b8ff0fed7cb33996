// Tables of times: the same answers as of the documents and pipelines that they stand for, without allocation.
#include "evaluators/mappings/table_evaluator.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "evaluators/bounds.hpp"
#include "maxplus/contract.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using evaluators::MappingAnswer;
using evaluators::MappingEvaluation;
using evaluators::OnePortEvaluations;
using evaluators::OuterEnds;
using evaluators::Period;
using evaluators::table_of;
using evaluators::TableEvaluation;
using evaluators::TableEvaluator;
using evaluators::TimeTable;
using maxplus::Integer;
using maxplus::Rational;
using support::Draw;
using tpn::Model;

void require_equal(const TableEvaluation& found, const Rational& period, const Rational& cycle_time) {
  REQUIRE(found.period.answer == MappingAnswer::exact);
  REQUIRE(found.period.lower.rational().to_string() == period.to_string());
  REQUIRE(found.period.upper.value().rational().to_string() == period.to_string());
  REQUIRE(found.largest_cycle_time.rational().to_string() == cycle_time.to_string());
}

// What the net's evaluators say of a pipeline.
tpn::FoldedNet net_of(tpn::Pipeline pipeline, Model model) {
  return std::get<tpn::FoldedNet>(tpn::fold(std::move(pipeline), model));
}

void require_right(TableEvaluator& evaluator, const TimeTable& table, const tpn::Pipeline& pipeline) {
  for (const Model model : support::all_models()) {
    INFO(tpn::label_of(model));
    const tpn::FoldedNet net = net_of(pipeline, model);
    require_equal(evaluator.evaluate(table, model), support::period_of(net), evaluators::largest_cycle_time(net));
    REQUIRE(evaluator.largest_cycle_time(table, model).rational() == evaluators::largest_cycle_time(net));
  }
  const OnePortEvaluations both = evaluator.evaluate(table);
  const auto require_same = [&](const TableEvaluation& of_both, Model model) {
    const TableEvaluation alone = evaluator.evaluate(table, model);
    require_equal(of_both, alone.period.lower.rational(), alone.largest_cycle_time.rational());
  };
  require_same(both.overlap, Model::kOverlap);
  require_same(both.strict, Model::kStrict);
}

void require_same_pipeline(const tpn::Pipeline& a, const tpn::Pipeline& b) {
  REQUIRE(a.rows == b.rows);
  REQUIRE(a.parts.size() == b.parts.size());
  for (const tpn::ColumnIndex column : a.all_columns()) {
    REQUIRE(a.columns[column].period == b.columns[column].period);
    const auto data_sets = static_cast<std::uint64_t>(a.rows.get_ui());
    for (std::uint64_t j = 0; j < data_sets; ++j) {
      REQUIRE(a.duration({j, column}) == b.duration({j, column}));
      REQUIRE(a.is_internal(column, j) == b.is_internal(column, j));
    }
  }
}

TEST_CASE("the table of a document of every kind has the document's periods and cycle times under every model") {
  TableEvaluator evaluator;
  support::for_each_document({support::draws(400)}, [&](const tpn::Document& document) {
    const auto pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(document));
    const TimeTable table = table_of(document).value();
    require_same_pipeline(evaluators::pipeline_of(table), pipeline);
    require_right(evaluator, table, pipeline);
    evaluators::MappingEvaluator of_document(document);
    const OnePortEvaluations both = evaluator.evaluate(table);
    REQUIRE(both.overlap.period.lower == of_document.evaluate(*document.mapping, Model::kOverlap).lower);
    REQUIRE(both.strict.period.lower == of_document.evaluate(*document.mapping, Model::kStrict).lower);
  });
}

TEST_CASE("the table of a mapping in which much is equal has the mapping's periods") {
  TableEvaluator evaluator;
  for (std::uint64_t seed = 0; seed < support::draws(600); ++seed) {
    for (const bool shared : {false, true}) {
      INFO("seed " << seed << (shared ? ", shared" : ""));
      const tpn::Document document = support::alike_document(seed, shared);
      require_right(evaluator, table_of(document).value(), std::get<tpn::Pipeline>(tpn::make_pipeline(document)));
    }
  }
}

// How the processors of a random table are chosen.
enum class Processors { own, repeated, shared };

// Fills a table with a mapping of its own, times up to `longest`, many of them 0 if `zeros`.
void draw_table(TimeTable& table, Draw& draw, Processors processors, std::int64_t longest, bool zeros) {
  std::vector<std::size_t> lengths;
  std::vector<std::size_t> sequence;
  for (std::size_t parts = 1 + draw.index(4); lengths.size() < parts;) {
    lengths.push_back(1 + draw.index(processors == Processors::shared ? 3 : 4));
    for (std::size_t entry = 0; entry < lengths.back(); ++entry) {
      const std::size_t first = processors == Processors::shared ? 0 : 10 * lengths.size();
      sequence.push_back(first + draw.index(3));
    }
  }
  const OuterEnds ends{draw.index(3) == 0, draw.index(3) == 0};
  if (processors == Processors::own) {
    table.begin(lengths, ends);
  } else {
    table.begin(lengths, sequence, ends);
  }
  const auto fill = [&](std::span<std::int64_t> times) {
    for (std::int64_t& time : times) time = zeros && draw.index(2) == 0 ? 0 : draw.between(0, longest);
  };
  for (std::size_t part = 0; part < table.parts(); ++part) fill(table.computations(part));
  for (std::size_t part = 0; part + 1 < table.parts(); ++part) fill(table.transfers(part));
  if (ends.source) fill(table.from_source());
  if (ends.sink) fill(table.to_sink());
}

TEST_CASE("tables whose times differ from entry to entry have the periods of their pipelines") {
  constexpr std::array<std::int64_t, 6> kLongest = {
      0, 3, 1000, (std::int64_t{1} << 50) + 1, std::int64_t{1} << 62, std::numeric_limits<std::int64_t>::max()};
  const std::vector<Rational> scales = {1, 60, Rational::fraction(7, 3),
                                        Rational(Integer("1000000000000000000000000000000"))};
  TableEvaluator evaluator;
  TimeTable table;
  for (std::uint64_t seed = 0; seed < support::draws(600); ++seed) {
    Draw draw(seed);
    for (const Processors processors : {Processors::own, Processors::repeated, Processors::shared}) {
      const std::int64_t longest = kLongest[draw.index(kLongest.size())];
      INFO("seed " << seed << ", processors " << static_cast<int>(processors) << ", up to " << longest);
      table.set_scale(scales[draw.index(scales.size())]);
      draw_table(table, draw, processors, longest, draw.index(3) == 0);
      const tpn::Pipeline pipeline = evaluators::pipeline_of(table);
      require_right(evaluator, table, pipeline);
      const std::optional<TimeTable> again = table_of(pipeline);
      if (again) require_same_pipeline(evaluators::pipeline_of(*again), pipeline);
    }
  }
}

TEST_CASE("every exact way agrees on pipelines of tables in which the same two processors take several times") {
  TimeTable table;
  for (std::uint64_t seed = 0; seed < support::draws(150); ++seed) {
    Draw draw(seed);
    for (const Processors processors : {Processors::own, Processors::repeated, Processors::shared}) {
      draw_table(table, draw, processors, 20, false);
      for (const Model model : support::all_models()) {
        const tpn::FoldedNet net = net_of(evaluators::pipeline_of(table), model);
        INFO("seed " << seed << ", " << tpn::label_of(model));
        support::require_every_way(net, support::period_of(net));
      }
    }
  }
}

TEST_CASE("tables are evaluated without allocation once as large ones have been") {
  TableEvaluator evaluator;
  for (const Processors processors : {Processors::own, Processors::repeated, Processors::shared}) {
    INFO("processors " << static_cast<int>(processors));
    TimeTable table(12);
    Rational sum;
    std::size_t exact = 0;
    const auto evaluate_all = [&] {
      for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Draw draw(seed);
        draw_table(table, draw, processors, 1000, seed % 3 == 0);
        const std::uint64_t before = support::allocations();
        const OnePortEvaluations both = evaluator.evaluate(table);
        const Period cycle_time = evaluator.largest_cycle_time(table, Model::kStrict);
        exact += both.overlap.period.answer == MappingAnswer::exact && cycle_time == both.strict.largest_cycle_time;
        if (exact > 100) REQUIRE(support::allocations() == before);
      }
    };
    evaluate_all();
    evaluate_all();
    REQUIRE(exact == 200);
  }
}

TEST_CASE("a table takes mapping after mapping without allocation once it was as large") {
  TimeTable table;
  const std::vector<std::size_t> large = {4, 6, 9};
  const std::vector<std::size_t> processors = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 17};
  table.begin(large, processors, {true, true});
  const std::vector<std::size_t> small = {3, 2};
  const std::uint64_t before = support::allocations();
  table.begin(small);
  std::ranges::fill(table.transfers(0), 5);
  table.begin(small, {true, false});
  REQUIRE(std::ranges::count(table.transfers(0), 0) == 6);
  table.begin(large, processors, {false, true});
  REQUIRE(support::allocations() == before);
}

TEST_CASE("beyond the limits a table is answered by an interval from its largest cycle time on") {
  const evaluators::MappingLimits limits{.operations = 20};
  TableEvaluator limited(limits);
  TableEvaluator unlimited;
  std::size_t intervals = 0;
  TimeTable table;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    draw_table(table, draw, static_cast<Processors>(seed % 3), 100, false);
    for (const Model model : support::all_models()) {
      const TableEvaluation found = limited.evaluate(table, model);
      const TableEvaluation exact = unlimited.evaluate(table, model);
      REQUIRE(found.largest_cycle_time == exact.largest_cycle_time);
      REQUIRE(found.period.lower <= exact.period.lower);
      REQUIRE(found.period.upper.value() >= exact.period.lower);
      if (found.period.answer != MappingAnswer::interval) continue;
      ++intervals;
      REQUIRE(found.period.lower == found.largest_cycle_time);
    }
  }
  REQUIRE(intervals > 50);
}

TEST_CASE("published examples come out of their tables") {
  TableEvaluator evaluator;
  const auto periods = [&](const std::string& path) {
    const OnePortEvaluations both = evaluator.evaluate(table_of(support::document_of(path)).value());
    const auto text = [](const TableEvaluation& one) {
      return one.period.lower.rational().to_string() + " > " + one.largest_cycle_time.rational().to_string();
    };
    return text(both.overlap) + ", " + text(both.strict);
  };
  CHECK(periods("examples/example-a.json") == "189 > 189, 692/3 > 1295/6");
  CHECK(periods("examples/example-b.json") == "875/3 > 775/3, 1925/6 > 875/3");
}

TEST_CASE("a document of times without a common unit of 64 bits has no table, one with room for it has") {
  constexpr std::array<std::size_t, 2> kReplication = {2, 3};
  tpn::Document document = support::uniform_document(kReplication, 1, 9, 1);
  REQUIRE(table_of(document));
  document.platform.processors.front().time = Rational::fraction(1, Integer("100000000000000000039"));
  REQUIRE_FALSE(table_of(document));
  // Entries of sequences of one length meet one other each, but a table has room for all pairs or none.
  document.platform.processors.front().time = 1;
  constexpr std::size_t kLength = 4473;
  static_assert(kLength * kLength > TimeTable::kMostTransfers &&
                (kLength - 1) * (kLength - 1) < TimeTable::kMostTransfers);
  for (const std::size_t length : {kLength - 1, kLength}) {
    document.mapping =
        tpn::Mapping{{0, 0, std::vector<std::size_t>(length, 0)}, {1, 1, std::vector<std::size_t>(length, 2)}};
    REQUIRE(table_of(document).has_value() == (length < kLength));
  }
  CHECK_THROWS_AS(TimeTable().begin(std::array<std::size_t, 2>{kLength, kLength}), maxplus::ContractViolation);
}

TEST_CASE("what is no table breaks the contract") {
  TimeTable table;
  TableEvaluator evaluator;
  const std::vector<std::size_t> lengths = {2, 3};
  CHECK_THROWS_AS(evaluator.evaluate(table, Model::kStrict), maxplus::ContractViolation);
  CHECK_THROWS_AS(table.begin({}), maxplus::ContractViolation);
  CHECK_THROWS_AS(table.begin(std::vector<std::size_t>{2, 0}), maxplus::ContractViolation);
  CHECK_THROWS_AS(table.begin(lengths, std::vector<std::size_t>{0, 1, 2}), maxplus::ContractViolation);
  CHECK_THROWS_AS(TimeTable(0), maxplus::ContractViolation);
  CHECK_THROWS_AS(TableEvaluator({.operations = 0}), maxplus::ContractViolation);
  for (const bool is_transfer : {false, true}) {
    table.begin(lengths);
    (is_transfer ? table.transfers(0) : table.computations(1)).back() = -1;
    for (const Model model : support::all_models()) {
      CHECK_THROWS_AS(evaluator.evaluate(table, model), maxplus::ContractViolation);
    }
    CHECK_THROWS_AS(evaluator.evaluate(table), maxplus::ContractViolation);
  }
}

}  // namespace
}  // namespace takt

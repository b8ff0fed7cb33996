// Many mappings of one problem: the same periods as the evaluators', true bounds, and no allocation.
#include "evaluators/mappings/evaluator.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "evaluators/bounds.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tpn/errors.hpp"

namespace takt {
namespace {

using evaluators::CutoffAt;
using evaluators::MappingAnswer;
using evaluators::MappingEvaluation;
using evaluators::MappingEvaluator;
using evaluators::Period;
using maxplus::Rational;
using support::Draw;
using tpn::Mapping;
using tpn::Model;

const std::array<Model, 2> kModels = {Model::kOverlap, Model::kStrict};

// How the processors of a drawn mapping are chosen.
enum class Style { plain, repeated, shared };

// Cuts the stages anywhere; sequences of up to `longest` entries, as the processors allow.
Mapping draw_mapping(const tpn::Document& problem, Style style, std::size_t longest, Draw& draw) {
  const std::size_t stages = problem.application.stages.size();
  std::vector<std::size_t> free(problem.platform.processors.size());
  for (std::size_t p = 0; p < free.size(); ++p) free[p] = p;
  for (std::size_t k = free.size(); k > 1; --k) std::swap(free[k - 1], free[draw.count(0, k - 1)]);
  Mapping mapping;
  for (std::size_t stage = 0; stage < stages; ++stage) {
    const bool cut = !mapping.empty() && (style == Style::shared || !free.empty()) && !draw.one_in(4);
    if (!mapping.empty() && !cut) {
      mapping.back().last_stage = stage;
      continue;
    }
    tpn::Part part{stage, stage, {}};
    const std::size_t entries = draw.count(1, longest);
    while (part.processors.size() < entries) {
      if (style == Style::shared) {
        part.processors.push_back(draw.count(0, problem.platform.processors.size() - 1));
      } else if (style == Style::repeated && !part.processors.empty() && draw.one_in(2)) {
        part.processors.push_back(part.processors[draw.count(0, part.processors.size() - 1)]);
      } else if (!free.empty()) {
        part.processors.push_back(free.back());
        free.pop_back();
      } else {
        break;
      }
    }
    mapping.push_back(std::move(part));
  }
  return mapping;
}

Style style_of(std::size_t k) { return static_cast<Style>(k % 3); }

tpn::Document with_mapping(const tpn::Document& problem, const Mapping& mapping) {
  tpn::Document document = problem;
  document.mapping = mapping;
  return document;
}

Rational exact_period(const tpn::Document& problem, const Mapping& mapping, Model model) {
  return support::period_of(support::net_of(with_mapping(problem, mapping), model));
}

// The problem's own mapping and `drawn` others, each under both models; visit(mapping, model).
template <typename Visit>
void for_each_mapping(const tpn::Document& problem, std::uint64_t seed, std::size_t drawn, std::size_t longest,
                      Visit visit) {
  Draw draw(seed);
  for (std::size_t k = 0; k <= drawn; ++k) {
    const Mapping mapping = k == 0 ? *problem.mapping : draw_mapping(problem, style_of(k), longest, draw);
    for (const Model model : kModels) {
      INFO("seed " << seed << ", mapping " << k << ", " << tpn::name_of(model));
      visit(mapping, model);
    }
  }
}

// The evaluation in full is exact, and every cutoff near the period is answered by what is true.
// Returns how many were cut off.
std::size_t require_right(MappingEvaluator& evaluator, const tpn::Document& problem, const Mapping& mapping,
                          Model model) {
  const tpn::FoldedNet net = support::net_of(with_mapping(problem, mapping), model);
  const Rational period = support::period_of(net);
  const Rational cycle_time = evaluators::largest_cycle_time(net);
  const MappingEvaluation full = evaluator.evaluate(mapping, model);
  REQUIRE(full.answer == MappingAnswer::exact);
  REQUIRE(full.lower.rational().to_string() == period.to_string());
  REQUIRE(full.upper.value().rational().to_string() == period.to_string());
  REQUIRE(evaluator.largest_cycle_time(mapping, model).value().rational().to_string() == cycle_time.to_string());

  std::size_t cut = 0;
  const Rational little = Rational::fraction(1, 1'000'003);
  for (const Rational& value : {period, cycle_time, period * (1 + little), period * (1 - little),
                                (period + cycle_time) / 2, period / 2, period * 2, Rational(0), Rational(-1)}) {
    for (const CutoffAt at : {CutoffAt::above, CutoffAt::reached}) {
      const bool beyond = at == CutoffAt::above ? period > value : period >= value;
      const MappingEvaluation evaluation = evaluator.evaluate(mapping, model, {value, at});
      if (evaluation.answer == MappingAnswer::cut_off) {
        ++cut;
        REQUIRE(beyond);
        REQUIRE_FALSE(evaluation.upper.has_value());
        const Rational lower = evaluation.lower.rational();
        REQUIRE(lower <= period);
        REQUIRE((at == CutoffAt::above ? lower > value : lower >= value));
      } else {
        REQUIRE(evaluation.answer == MappingAnswer::exact);
        REQUIRE(evaluation.lower.rational() == period);
        REQUIRE(evaluation.upper.value().rational() == period);
      }
    }
  }
  return cut;
}

TEST_CASE("one evaluator gives the evaluators' periods for many mappings of every kind of problem") {
  std::size_t cut = 0;
  constexpr std::uint64_t kSeeds = 60;  // 8 kinds x 60 seeds x 6 mappings x 2 models = 5760 evaluations in full
  support::for_each_document({kSeeds}, [&](const tpn::Document& problem, std::uint64_t seed) {
    MappingEvaluator evaluator(problem);
    for_each_mapping(problem, seed, 5, 4, [&](const Mapping& mapping, Model model) {
      cut += require_right(evaluator, problem, mapping, model);
      const Period period = evaluator.evaluate(mapping, model).lower;
      REQUIRE(evaluator.evaluate(mapping, model, {period, CutoffAt::reached}).answer == MappingAnswer::cut_off);
    });
  });
  // Six at least of the 18 cutoffs of each: the period where it is to be reached, what is below it, and -1.
  REQUIRE(cut > 34'560);
}

TEST_CASE("a processor in two parts can make the period exceed every cycle time without replication") {
  std::size_t above = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const tpn::Document problem = support::random_document(support::Kind::several_parts, seed);
    MappingEvaluator evaluator(problem);
    Draw draw(seed);
    for (std::size_t k = 0; k < 4; ++k) {
      const Mapping mapping = draw_mapping(problem, Style::shared, 1, draw);
      for (const Model model : kModels) {
        INFO("seed " << seed << ", mapping " << k << ", " << tpn::name_of(model));
        require_right(evaluator, problem, mapping, model);
        above += *evaluator.largest_cycle_time(mapping, model) < evaluator.evaluate(mapping, model).lower ? 1U : 0U;
      }
    }
  }
  REQUIRE(above > 0);
}

TEST_CASE("one evaluator is right where transfers meet in long patterns and circuits tie") {
  constexpr std::array<std::size_t, 4> kReplication = {5, 4, 6, 3};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (const bool ties : {true, false}) {
      const tpn::Document problem =
          ties ? support::uniform_document(kReplication, 0, 3, seed) : support::balanced_document(kReplication, seed);
      tpn::Document linked = problem;  // any pair may meet
      linked.platform.defaults.time = ties ? 2 : 700;
      MappingEvaluator evaluator(linked);
      INFO((ties ? "ties" : "no ties"));
      for_each_mapping(linked, seed, 3, 7,
                       [&](const Mapping& mapping, Model model) { require_right(evaluator, linked, mapping, model); });
    }
  }
}

TEST_CASE("the published examples and the tie of 23/12 come out of a mapping evaluator") {
  const auto period = [](const std::string& path, Model model) {
    const tpn::Document document = support::document_of(path);
    return MappingEvaluator(document).evaluate(*document.mapping, model).upper.value().rational().to_string();
  };
  CHECK(period("examples/example-a.json", Model::kOverlap) == "189");
  CHECK(period("examples/example-a.json", Model::kStrict) == "692/3");
  CHECK(period("examples/example-b.json", Model::kOverlap) == "875/3");
  CHECK(period("examples/example-b.json", Model::kStrict) == "1925/6");
  CHECK(period("examples/example-c.json", Model::kStrict) == "178/35");
  CHECK(period("tests/regressions/tie-23-12.json", Model::kStrict) == "23/12");
}

TEST_CASE("where a model has more than circuits of resources, cutoffs rest on these and periods on the whole net") {
  std::size_t cut_off = 0;
  std::size_t exact = 0;
  support::for_each_document({30}, [&](const tpn::Document& document) {
    const Rational overlap = exact_period(document, *document.mapping, Model::kOverlap);
    const Rational period = exact_period(document, *document.mapping, tpn::bounded_model(1));
    MappingEvaluator evaluator(document);
    for (const Rational& cutoff : {overlap / Rational(2), overlap, period}) {
      const auto answer =
          evaluator.evaluate(*document.mapping, tpn::bounded_model(1), {evaluators::Period(cutoff), CutoffAt::above});
      if (answer.answer == MappingAnswer::cut_off) {
        ++cut_off;
        REQUIRE(answer.lower > evaluators::Period(cutoff));
        REQUIRE(answer.lower <= evaluators::Period(period));
      } else {
        ++exact;
        REQUIRE(answer.answer == MappingAnswer::exact);
        REQUIRE(answer.lower.rational() == period);
      }
    }
  });
  REQUIRE(cut_off > 150);
  REQUIRE(exact > 300);
}

TEST_CASE("evaluations allocate nothing once every mapping has been seen") {
  support::for_each_document({20}, [](const tpn::Document& problem, std::uint64_t seed) {
    MappingEvaluator evaluator(problem);
    Draw draw(seed);
    std::vector<Mapping> mappings;
    for (std::size_t k = 0; k < 6; ++k) mappings.push_back(draw_mapping(problem, style_of(k), 4, draw));
    std::size_t decided = 0;
    const auto evaluate_all = [&] {
      Period incumbent = Period::fraction(1'000'000, 1);
      for (const Mapping& mapping : mappings) {
        for (const Model model : kModels) {
          decided += evaluator.largest_cycle_time(mapping, model).has_value() ? 1U : 0U;
          const MappingEvaluation full = evaluator.evaluate(mapping, model);
          const MappingEvaluation neighbor = evaluator.evaluate(mapping, model, {incumbent, CutoffAt::reached});
          if (neighbor.upper && *neighbor.upper < incumbent) incumbent = *neighbor.upper;
          decided += full.upper == full.lower ? 1U : 0U;
        }
      }
    };
    evaluate_all();
    decided = 0;
    const std::uint64_t before = support::allocations();
    evaluate_all();
    REQUIRE(support::allocations() == before);
    REQUIRE(decided == 2 * kModels.size() * mappings.size());
  });
}

// Speeds and bandwidths whose least common multiple is far beyond 64 bits.
tpn::Document incommensurable(std::uint64_t seed) {
  tpn::Document document = support::random_document(support::Kind::intervals, seed);
  constexpr std::array<long, 12> kPrimes = {999'983, 999'979, 999'961, 999'959, 999'953, 999'931,
                                            999'917, 999'907, 999'883, 999'863, 999'853, 999'809};
  std::size_t k = 0;
  for (tpn::Processor& processor : document.platform.processors) {
    processor.time.reset();
    processor.speed = Rational::fraction(kPrimes[k++ % kPrimes.size()], 500'000);
  }
  for (tpn::Link& link : document.platform.links) {
    if (link.timing.time) continue;
    link.timing.bandwidth = Rational::fraction(kPrimes[k++ % kPrimes.size()], 700'000);
  }
  return document;
}

TEST_CASE("times that no scale of 64 bits holds are answered in general, and cut off without") {
  std::size_t cut = 0;
  std::size_t wide = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const tpn::Document problem = incommensurable(seed);
    MappingEvaluator evaluator(problem);
    for_each_mapping(problem, seed, 2, 4, [&](const Mapping& mapping, Model model) {
      cut += require_right(evaluator, problem, mapping, model);
      const Rational period = exact_period(problem, mapping, model);
      if (period.sign() == 0) return;
      const Period half = period / 2;
      evaluator.evaluate(mapping, model, {half, CutoffAt::above});
      const std::uint64_t before = support::allocations();
      const MappingEvaluation rejected = evaluator.evaluate(mapping, model, {half, CutoffAt::above});
      const std::uint64_t taken = support::allocations() - before;
      REQUIRE(rejected.answer == MappingAnswer::cut_off);
      if (half.narrow() != nullptr) REQUIRE(taken < 20);  // no net is built
      wide += Period(period).narrow() == nullptr ? 1U : 0U;
    });
  }
  REQUIRE(cut > 1080);
  REQUIRE(wide > 0);
}

TEST_CASE("times from 1e-30 to 1e30 side by side are exact") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    tpn::Document problem = support::random_document(support::Kind::plain, seed);
    const Rational tiny = Rational::fraction(1, maxplus::Integer("1000000000000000000000000000000"));
    const Rational huge = Rational(1) / tiny;
    for (tpn::Processor& processor : problem.platform.processors) *processor.time *= tiny;
    for (tpn::Link& link : problem.platform.links) {
      if (link.from % 2 == 0) *link.timing.time *= huge;
    }
    MappingEvaluator evaluator(problem);
    for (const Model model : kModels) require_right(evaluator, problem, *problem.mapping, model);
  }
}

TEST_CASE("a uniform tiny unit keeps the fast way, with periods beyond 64 bits") {
  const Rational tiny = Rational::fraction(7, maxplus::Integer("1000000000000000000000000000000"));
  constexpr std::array<std::size_t, 3> kReplication = {2, 3, 2};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const tpn::Document problem = support::uniform_document(kReplication, 1, 9, seed, tiny);
    MappingEvaluator evaluator(problem);
    for (const Model model : kModels) require_right(evaluator, problem, *problem.mapping, model);
  }
}

TEST_CASE("beyond the limit on operations the answer is a true interval, the largest cycle time below") {
  evaluators::MappingLimits limits;
  limits.operations = 40;
  std::size_t intervals = 0;
  const auto require_interval = [&](MappingEvaluator& evaluator, const tpn::Document& problem, const Mapping& mapping,
                                    Model model) {
    const tpn::FoldedNet net = support::net_of(with_mapping(problem, mapping), model);
    const Rational period = support::period_of(net);
    const MappingEvaluation evaluation = evaluator.evaluate(mapping, model);
    REQUIRE(evaluation.lower.rational() <= period);
    REQUIRE(evaluation.upper.value().rational() >= period);
    REQUIRE(evaluator.largest_cycle_time(mapping, model).value().rational() == evaluators::largest_cycle_time(net));
    if (evaluation.answer == MappingAnswer::interval) {
      ++intervals;
      REQUIRE(evaluation.lower.rational().to_string() == evaluators::largest_cycle_time(net).to_string());
      REQUIRE(evaluation.upper.value().rational().to_string() == evaluators::sequential_period(net).to_string());
      const auto cut = evaluator.evaluate(mapping, model, {evaluation.lower, CutoffAt::reached});
      REQUIRE((cut.answer == MappingAnswer::cut_off || cut.upper.value() >= Period(period)));
    } else {
      REQUIRE(evaluation.answer == MappingAnswer::exact);
      REQUIRE(evaluation.lower.rational() == period);
      REQUIRE(evaluation.upper.value().rational() == period);
    }
  };
  constexpr std::array<std::size_t, 4> kReplication = {5, 4, 7, 3};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    tpn::Document problem = support::balanced_document(kReplication, seed);
    problem.platform.defaults.time = 300;
    MappingEvaluator evaluator(problem, limits);
    for_each_mapping(problem, seed, 8, 6, [&](const Mapping& mapping, Model model) {
      require_interval(evaluator, problem, mapping, model);
    });
    tpn::Document general = incommensurable(seed);
    MappingEvaluator general_evaluator(general, limits);
    for (const Model model : kModels) require_interval(general_evaluator, general, *general.mapping, model);
  }
  REQUIRE(intervals > 50);
}

TEST_CASE("more rows than any machine has are bounded at once") {
  // 2 * 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23 * 29 * 31 rows, more than 2^37.
  constexpr std::array<std::size_t, 11> kReplication = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31};
  const tpn::Document problem = support::balanced_document(kReplication, 1);
  MappingEvaluator evaluator(problem);
  const tpn::FoldedNet net = support::net_of(problem, Model::kStrict);
  const MappingEvaluation evaluation = evaluator.evaluate(*problem.mapping, Model::kStrict);
  REQUIRE(evaluation.answer == MappingAnswer::interval);
  REQUIRE(evaluation.lower.rational() == evaluators::largest_cycle_time(net));
  REQUIRE(evaluation.upper.value().rational() == evaluators::sequential_period(net));
  // In OVERLAP no circuit leaves its column, so that the rows don't count.
  REQUIRE(evaluator.evaluate(*problem.mapping, Model::kOverlap).answer == MappingAnswer::exact);
}

TEST_CASE("a time that a mapping needs and the problem lacks is the error that a net would give") {
  const auto error_of = [](auto function) -> std::string {
    try {
      function();
    } catch (const tpn::InvalidInstance& error) {
      return error.what();
    }
    return "no error";
  };
  tpn::Document problem = support::random_document(support::Kind::endpoints, 3);
  problem.platform.source.emplace();
  problem.platform.sink.emplace();
  problem.application.input = 3;
  problem.platform.processors = {{.name = "P0", .speed = 2, .time = {}},
                                 {.name = "P1", .speed = {}, .time = 3},
                                 {.name = "P2", .speed = 3, .time = {}}};
  problem.platform.links.clear();
  problem.platform.defaults = {.bandwidth = 5, .latency = 1, .time = {}};
  problem.application.stages = {{.name = "A", .work = 4, .output = 6}, {.name = "B", .work = 5, .output = 7}};
  problem.mapping = Mapping{{0, 0, {0, 2}}, {1, 1, {1}}};
  const auto remove = [&](auto change) {
    tpn::Document lacking = problem;
    change(lacking);
    for (const Model model : kModels) {
      const std::string expected = error_of([&] { support::net_of(lacking, model); });
      REQUIRE(expected != "no error");
      MappingEvaluator evaluator(lacking);
      CHECK(error_of([&] { evaluator.evaluate(*lacking.mapping, model); }) == expected);
      CHECK(error_of([&] { evaluator.largest_cycle_time(*lacking.mapping, model); }) == expected);
    }
  };
  remove([](tpn::Document& d) { d.application.stages[0].work.reset(); });
  remove([](tpn::Document& d) { d.application.stages[0].output.reset(); });
  remove([](tpn::Document& d) { d.application.stages[1].output.reset(); });
  remove([](tpn::Document& d) { d.application.input.reset(); });
  remove([](tpn::Document& d) { d.platform.defaults = {}; });
  remove([](tpn::Document& d) { d.platform.defaults.bandwidth.reset(); });
  // What a mapping does not need may be absent: P1 takes a fixed time for whatever it is given.
  problem.application.stages[1].work.reset();
  MappingEvaluator evaluator(problem);
  for (const Model model : kModels) require_right(evaluator, problem, *problem.mapping, model);
}

TEST_CASE("a sequence of stages that is no mapping breaks the contract") {
  const tpn::Document problem = support::random_document(support::Kind::plain, 5);
  REQUIRE(problem.application.stages.size() > 1);
  MappingEvaluator evaluator(problem);
  const auto evaluate = [&](const Mapping& mapping) { return evaluator.evaluate(mapping, Model::kStrict); };
  CHECK_THROWS_AS(evaluate({}), maxplus::ContractViolation);
  Mapping shorter = *problem.mapping;
  shorter.pop_back();
  CHECK_THROWS_AS(evaluate(shorter), maxplus::ContractViolation);
  Mapping empty = *problem.mapping;
  empty.front().processors.clear();
  CHECK_THROWS_AS(evaluate(empty), maxplus::ContractViolation);
  Mapping unknown = *problem.mapping;
  unknown.front().processors.front() = problem.platform.processors.size();
  CHECK_THROWS_AS(evaluate(unknown), maxplus::ContractViolation);
}

TEST_CASE("periods compare as the numbers they are, narrow or wide") {
  const Rational wide = Rational::fraction(1, maxplus::Integer("1000000000000000000000000000000"));
  const std::vector<Rational> numbers = {
      Rational(-2),       wide - 1, Rational(0),       wide, Rational::fraction(1, 3), Rational::fraction(2, 3),
      Rational(1) - wide, 1,        Rational(1) / wide};
  for (const Rational& a : numbers) {
    CHECK(Period(a).rational() == a);
    for (const Rational& b : numbers) CHECK((Period(a) <=> Period(b)) == (a <=> b));
  }
  CHECK(Period::fraction(4, 6) == Period(Rational::fraction(2, 3)));
  CHECK(Period::fraction(4, 6).rational().to_string() == "2/3");
  CHECK(Period(wide).narrow() == nullptr);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  CHECK(Period::fraction(kMost, kMost - 1) < Period::fraction(kMost - 1, kMost - 2));
  CHECK_THROWS_AS(Period::fraction(1, 0), maxplus::ContractViolation);
}

}  // namespace
}  // namespace takt

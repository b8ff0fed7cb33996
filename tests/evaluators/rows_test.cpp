// Nets of many rows, few of them distinct: equal processors and links, and what `auto` makes of large nets.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "evaluators/bounds.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/evaluators/search_notes.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using evaluators::Evaluation;
using evaluators::Method;
using maxplus::Integer;
using maxplus::Rational;
using support::Draw;
using tpn::FoldedNet;
using tpn::Model;

constexpr std::array<std::size_t, 12> kTwelveParts = {31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79};

// Every part's processors are equal, and so are its links to the next, but for those from one part.
tpn::Document one_unequal_transfer(std::size_t unequal, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<std::size_t> part_of;
  for (std::size_t i = 0; i < kTwelveParts.size(); ++i) part_of.insert(part_of.end(), kTwelveParts[i], i);
  return support::replicated_document(kTwelveParts, [&](std::size_t i, std::size_t from, std::size_t to) {
    if (from == to) return Rational(10 * kTwelveParts[i]);
    return i == unequal ? Rational(draw.between(1, 60)) : Rational(20);
  });
}

TEST_CASE("twelve parts with one unequal transfer are exact, whatever rows they have") {
  for (const std::size_t unequal : {0U, 5U, 10U}) {
    INFO("transfer " << unequal);
    const FoldedNet net = support::net_of(one_unequal_transfer(unequal, unequal), Model::kStrict);
    REQUIRE(net.pipeline.rows.get_str() == "497341164867050876831");
    const Integer distinct = tpn::repetition_of(net);
    REQUIRE(Integer(kTwelveParts[unequal] * kTwelveParts[unequal + 1]) % distinct == 0);
    const Evaluation evaluation = evaluators::evaluate(net);
    REQUIRE(evaluation.exact());
    support::require_proof(net, evaluation);
    const Evaluation other = evaluators::evaluate(net, support::options_of(Method::residue));
    REQUIRE(other.exact());
    REQUIRE(other.upper == evaluation.upper);
    support::require_proof(net, other);
  }
}

TEST_CASE("where transfers between two parts take the same time the largest cycle time is the period") {
  std::size_t unequal = 0;  // nets with unequal processors, too many rows to look at
  for (std::uint64_t seed = 0; seed < support::draws(500); ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    std::vector<std::size_t> replication(2 + draw.index(6));
    for (std::size_t& replicas : replication) replicas = 1 + draw.index(seed % 2 == 0 ? 5 : 60);
    std::vector<std::int64_t> transfers(replication.size());
    for (std::int64_t& time : transfers) time = draw.between(0, 30);
    const tpn::Document document =
        support::replicated_document(replication, [&](std::size_t i, std::size_t from, std::size_t to) {
          return from == to ? Rational(draw.between(1, 100)) : Rational(transfers[i]);
        });
    for (const Model& model : tpn::default_models()) {
      const FoldedNet net = support::net_of(document, model);
      const Evaluation evaluation = evaluators::evaluate(net);
      REQUIRE(evaluation.exact());
      REQUIRE(evaluation.upper == evaluators::largest_cycle_time(net));
      REQUIRE(evaluators::uniform_schedule(net).period <= evaluation.upper);
      if (tpn::repetition_of(net) > 1'000'000) ++unequal;
      if (tpn::repetition_of(net) <= 100'000) support::require_proof(net, evaluation);
    }
  }
  REQUIRE(unequal > 5);
}

TEST_CASE("the uniform schedule is never faster than the period, and proves its beat") {
  support::for_each_net({100}, support::all_models(), [](const FoldedNet& net) {
    const Evaluation bounds = evaluators::uniform_bounds(net, Method::residue);
    REQUIRE(support::period_of(net) <= bounds.upper);
    REQUIRE(bounds.upper <= evaluators::sequential_period(net));
    support::require_proof(net, bounds);
  });
}

TEST_CASE("auto sweeps a balanced net of twelve million rows") {
  constexpr std::array<std::size_t, 7> kReplication = {16, 9, 5, 7, 11, 13, 17};
  const FoldedNet net = support::net_of(support::balanced_document(kReplication, 1), Model::kStrict);
  REQUIRE(tpn::repetition_of(net) == 12'252'240);
  const Evaluation evaluation = evaluators::evaluate(net);
  REQUIRE(evaluation.exact());
  REQUIRE(evaluation.method == Method::sweep);
  REQUIRE(evaluators::largest_cycle_time(net) < evaluation.lower);
}

TEST_CASE("memory that does not suffice for a sweep is a limit, with bounds") {
  constexpr std::array<std::size_t, 7> kReplication = {16, 9, 5, 7, 11, 13, 17};
  const FoldedNet net = support::net_of(support::balanced_document(kReplication, 1), Model::kStrict);
  evaluators::Options options = support::options_of(Method::sweep);
  options.max_memory = 1 << 20;
  const Evaluation evaluation = evaluators::evaluate(net, options);
  REQUIRE(evaluation.lower == evaluators::largest_cycle_time(net));
  REQUIRE(evaluation.lower < evaluation.upper);
  const auto* limit = std::get_if<tpn::TooLarge>(&evaluation.limit);
  REQUIRE(limit != nullptr);
  REQUIRE(limit->kind == tpn::LimitKind::sweep_bytes);
  REQUIRE(limit->limit == options.max_memory);
}

TEST_CASE("a search that is asked to end does, with a proved interval, and tells how far it is") {
  constexpr std::array<std::size_t, 5> kReplication = {16, 9, 5, 7, 11};
  const FoldedNet net = support::net_of(support::balanced_document(kReplication, 3), Model::kStrict);
  const Rational period = support::period_of(net);
  std::size_t intervals = 0;
  for (const Method method : {Method::automatic, Method::sweep, Method::residue}) {
    for (const int shares : {1, 2, 3, 5}) {
      INFO(evaluators::name_of(method) << ", " << shares);
      std::atomic<bool> request = false;
      support::SearchNotes notes(request, shares);
      evaluators::Options options = support::options_of(method);
      options.deadline = options.deadline.or_on(request).heard_by(notes);
      const Evaluation evaluation = evaluators::evaluate(net, options);
      REQUIRE(notes.valid);
      REQUIRE_FALSE(notes.methods.empty());
      REQUIRE(evaluation.lower <= period);
      REQUIRE(period <= evaluation.upper);
      support::require_proof(net, evaluation);
      REQUIRE(evaluation.exact() != std::holds_alternative<evaluators::OutOfTime>(evaluation.limit));
      if (!evaluation.exact()) ++intervals;
    }
  }
  REQUIRE(intervals >= 8);
}

TEST_CASE("residue keeps its limits on guards and long numbers, with true bounds") {
  struct Attack {
    const char* file;
    Rational lower;  // of the period
    Rational upper;
  };
  const std::array<Attack, 3> attacks = {
      Attack{"residue-limits", Rational::fraction(7980209, 2667126), Rational::fraction(7980209, 2667126)},
      Attack{"residue-limits-1k", Rational::fraction(76019, 25620), Rational::fraction(76019, 25620)},
      Attack{"long-numbers", Rational::fraction(199, 100), 2}};
  for (const Attack& attack : attacks) {
    INFO(attack.file);
    const FoldedNet net =
        support::net_of(support::document_of(std::string("tests/attack/") + attack.file + ".json"), Model::kStrict);
    evaluators::Options options = support::options_of(Method::residue);
    options.max_memory = 64 << 20;
    const support::CountedClock clock(std::chrono::milliseconds(1));
    options.deadline = clock.at_question(200);
    const Evaluation evaluation = evaluators::evaluate(net, options);
    REQUIRE(evaluation.lower <= attack.upper);
    REQUIRE(attack.lower <= evaluation.upper);
    REQUIRE(evaluation.upper < evaluators::sequential_period(net));
    support::require_proof(net, evaluation);
  }
}

TEST_CASE("auto is exact where guards are too many for residue") {
  const FoldedNet net = support::net_of(support::document_of("tests/attack/residue-limits-1k.json"), Model::kStrict);
  const Evaluation evaluation = evaluators::evaluate(net);
  REQUIRE(evaluation.exact());
  REQUIRE(evaluation.upper == Rational::fraction(76019, 25620));
  support::require_proof(net, evaluation);
}

}  // namespace
}  // namespace takt

// residue in the whole: numbers of every width, guards, buffers, and true intervals where a limit stops it.
#include "evaluators/residue/residue.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "evaluators/bounds.hpp"
#include "tests/evaluators/buffered.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using evaluators::Evaluation;
using evaluators::Method;
using maxplus::Integer;
using maxplus::Rational;
using support::Kind;
using tpn::FoldedNet;
using tpn::Model;

Evaluation answer_of(const FoldedNet& net) { return evaluators::evaluate(net, support::options_of(Method::residue)); }

void require_exact(const FoldedNet& net, const Rational& period) {
  const Evaluation evaluation = answer_of(net);
  REQUIRE(evaluation.exact());
  REQUIRE(evaluation.method == Method::residue);
  REQUIRE(evaluation.upper.to_string() == period.to_string());
  REQUIRE(std::holds_alternative<std::monostate>(evaluation.limit));
  support::require_proof(net, evaluation);
}

void require_true_interval(const FoldedNet& net, const Evaluation& evaluation, const Rational& period) {
  REQUIRE(evaluators::largest_cycle_time(net) <= evaluation.lower);
  REQUIRE(evaluation.lower <= period);
  REQUIRE(period <= evaluation.upper);
  REQUIRE(std::holds_alternative<std::monostate>(evaluation.limit) == evaluation.exact());
  support::require_proof(net, evaluation);
}

// No processor's cycle time is the period, so that the search has work to do.
template <std::size_t kParts>
FoldedNet balanced_net(const std::array<std::size_t, kParts>& replication, std::uint64_t seed) {
  return support::net_of(support::balanced_document(replication, seed), Model::kStrict);
}

TEST_CASE("residue answers alike in numbers of 64 bits, of 128 and beyond") {
  constexpr std::array<std::size_t, 4> kReplication = {4, 6, 5, 3};
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    for (const Model model : {Model::kStrict, Model::kOverlap}) {
      const Rational plain =
          support::period_of(support::net_of(support::uniform_document(kReplication, 1, 1000, seed), model));
      // Sums of weights leave 64 bits near 2^45 and 128 bits near 2^109.
      for (unsigned bits = 0; bits <= 125; bits += 5) {
        INFO("seed " << seed << ", 2^" << bits);
        const Rational unit(Integer(1) << bits);
        const tpn::Document document = support::uniform_document(kReplication, 1, 1000, seed, unit);
        require_exact(support::net_of(document, model), plain * unit);
      }
    }
  }
}

TEST_CASE("residue takes times whose common denominator is beyond 64 bits") {
  constexpr std::array<std::size_t, 3> kReplication = {3, 4, 2};
  const Rational unit = Rational::fraction(1, (Integer(1) << 89) - 1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    tpn::Document document = support::uniform_document(kReplication, 0, 50, seed);
    document.platform.processors[0].time = *document.platform.processors[0].time + unit;
    const FoldedNet net = support::net_of(document, Model::kStrict);
    require_exact(net, support::period_of(net));
  }
}

TEST_CASE("residue is exact where dependences hold for some data sets only") {
  std::size_t guarded = 0;
  const auto strict = {Model(Model::kStrict)};
  support::for_each_net({300, 10'000, {Kind::several_parts, Kind::repeated, Kind::everything}}, strict,
                        [&](const FoldedNet& net) {
                          for (const tpn::Dependence& d : net.dependences) guarded += d.modulus > 1 ? 1 : 0;
                          require_exact(net, support::period_of(net));
                        });
  REQUIRE(guarded > 1000);
}

template <std::uint64_t kRoom>
void require_exact_with_buffers(std::size_t& tighter) {
  INFO("room " << kRoom);
  support::for_each_document({100, 0, {Kind::plain, Kind::fractional, Kind::endpoints, Kind::several_parts}},
                             [&](const tpn::Document& document) {
                               const FoldedNet net = support::buffered_net<kRoom>(document);
                               const Evaluation unfolded =
                                   evaluators::evaluate(net, support::options_of(Method::unfold));
                               require_exact(net, unfolded.upper);
                               if (support::period_of(support::net_of(document, Model::kOverlap)) < unfolded.upper)
                                 ++tighter;
                             });
}

TEST_CASE("residue is exact where bounded buffers hold tokens that belong to no resource") {
  std::size_t tighter = 0;
  require_exact_with_buffers<1>(tighter);
  require_exact_with_buffers<2>(tighter);
  require_exact_with_buffers<5>(tighter);
  REQUIRE(tighter > 100);  // so the buffers mattered
}

TEST_CASE("the period lies within every interval of residue that tiny budgets stop") {
  constexpr std::array<std::array<std::size_t, 4>, 5> kReplications = {
      {{9, 10, 7, 11}, {8, 9, 5, 7}, {5, 21, 27, 11}, {16, 9, 5, 14}, {12, 5, 7, 18}}};
  std::size_t stopped = 0;    // instances
  std::size_t intervals = 0;  // answers
  std::size_t improved = 0;   // of them, with more below than the largest cycle time
  for (std::uint64_t seed = 0; stopped < support::draws(200); ++seed) {
    REQUIRE(seed < 100);
    for (const auto& replication : kReplications) {
      INFO("seed " << seed << ", " << replication[0] << "," << replication[1] << "," << replication[2]);
      const FoldedNet net = balanced_net(replication, seed);
      const Rational period = support::period_of(net);
      bool stops = false;
      for (const double visits : {0.0, 1e4, 1e5, 2e5}) {
        INFO("visits " << visits);
        const Evaluation evaluation = evaluators::residue(net, {}, {.all = visits});
        require_true_interval(net, evaluation, period);
        if (evaluation.exact()) continue;
        const auto* limit = std::get_if<tpn::TooLarge>(&evaluation.limit);
        REQUIRE(limit != nullptr);
        REQUIRE(
            (limit->kind == tpn::LimitKind::residue_visits || limit->kind == tpn::LimitKind::least_residue_classes));
        REQUIRE(static_cast<double>(limit->limit) == visits);
        REQUIRE(limit->needed > limit->limit);
        stops = true;
        ++intervals;
        if (evaluators::largest_cycle_time(net) < evaluation.lower) ++improved;
      }
      if (stops) ++stopped;
    }
  }
  CAPTURE(intervals);
  REQUIRE(improved > support::draws(50));
}

TEST_CASE("the period lies within every interval of residue that the memory limit stops") {
  constexpr std::array<std::array<std::size_t, 4>, 2> kReplications = {{{9, 10, 7, 11}, {8, 9, 5, 7}}};
  std::size_t stopped = 0;
  std::size_t improved = 0;  // of them, with less above than one data set after the other
  for (std::uint64_t seed = 0; seed < support::draws(40); ++seed) {
    for (const auto& replication : kReplications) {
      const FoldedNet net = balanced_net(replication, seed);
      const Rational period = support::period_of(net);
      const Evaluation coarse = evaluators::coarse_bounds(net, Method::residue);
      for (const std::uint64_t bytes : {1'000U, 20'000U, 60'000U, 120'000U}) {
        INFO("replication " << replication[0] << ", seed " << seed << ", " << bytes << " bytes");
        evaluators::Options options = support::options_of(Method::residue);
        options.max_memory = bytes;
        const Evaluation evaluation = evaluators::evaluate(net, options);
        require_true_interval(net, evaluation, period);
        if (evaluation.exact()) continue;
        const auto* limit = std::get_if<tpn::TooLarge>(&evaluation.limit);
        REQUIRE(limit != nullptr);
        REQUIRE(limit->kind == tpn::LimitKind::residue_bytes);
        REQUIRE(limit->limit == bytes);
        REQUIRE(limit->needed > bytes);
        ++stopped;
        if (evaluation.upper < coarse.upper) ++improved;
      }
    }
  }
  CAPTURE(stopped, improved);
  REQUIRE(stopped > support::draws(150));
  REQUIRE(improved > support::draws(40));
}

TEST_CASE("residue gives the bounds it has when its time is up") {
  constexpr std::array<std::size_t, 4> kReplication = {29, 23, 31, 17};
  const FoldedNet net = balanced_net(kReplication, 1);
  const Rational period = support::period_of(net);
  for (const int question : {1, 5, 20}) {
    INFO("at question " << question);
    const support::CountedClock clock(std::chrono::milliseconds(1));
    evaluators::Options options = support::options_of(Method::residue);
    options.deadline = clock.at_question(question);
    const Evaluation evaluation = evaluators::evaluate(net, options);
    REQUIRE_FALSE(evaluation.exact());
    REQUIRE(std::holds_alternative<evaluators::OutOfTime>(evaluation.limit));
    require_true_interval(net, evaluation, period);
  }
}

TEST_CASE("residue refuses nets whose classes alone are too many, with bounds") {
  // Two parts of two processors each, whose turns repeat after 9001 and 9011 data sets.
  tpn::Document document;
  document.platform.defaults.time = 2;
  document.mapping.emplace();
  for (std::size_t i = 0; i < 2; ++i) {
    tpn::Stage& stage = document.application.stages.emplace_back();
    stage.name = "S" + std::to_string(i);
    stage.work = 1;
    stage.output = 1;
    tpn::Part part{i, i, {}};
    for (std::size_t p = 0; p < 2; ++p) {
      document.platform.processors.push_back(
          {.name = "P" + std::to_string(2 * i + p), .speed = {}, .time = Rational(1 + p)});
    }
    part.processors.assign(i == 0 ? 9001 : 9011, 2 * i);
    part.processors.front() = 2 * i + 1;
    document.mapping->push_back(std::move(part));
  }
  document.platform.links.push_back({.from = 0, .to = 2, .timing = {.bandwidth = {}, .latency = {}, .time = 1}});
  const FoldedNet net = support::net_of(document, Model::kStrict);
  const Evaluation evaluation = answer_of(net);
  REQUIRE_FALSE(evaluation.exact());
  REQUIRE(evaluation.lower == evaluators::largest_cycle_time(net));
  REQUIRE(evaluation.upper < evaluators::sequential_period(net));
  const auto* limit = std::get_if<tpn::TooLarge>(&evaluation.limit);
  REQUIRE(limit != nullptr);
  REQUIRE(limit->kind == tpn::LimitKind::least_residue_classes);
}

}  // namespace
}  // namespace takt

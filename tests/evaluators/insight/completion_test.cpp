// Completion times against plays of as many data sets.
#include "evaluators/insight/completion.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

#include "evaluators/play/play.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using evaluators::CompletionTime;
using maxplus::Integer;
using maxplus::Rational;
using tpn::FoldedNet;

// When the first 1, 2, 3, ... data sets are done.
std::vector<Rational> played(const FoldedNet& net, std::uint64_t data_sets) {
  std::vector<Rational> done;
  evaluators::play(net, data_sets, [&](const evaluators::Firing& firing) {
    if (firing.operation.column != net.pipeline.delivery()) return true;
    done.push_back(done.empty() ? firing.end : std::max(done.back(), firing.end));
    return true;
  });
  return done;
}

TEST_CASE("completion times from ends that repeat are those of a play, up to three repetitions and more") {
  std::size_t nets = 0;
  support::for_each_net({support::draws(30)}, support::all_models(), [&](const FoldedNet& net) {
    const auto repeating = evaluators::repeating_ends(net);
    if (!repeating || repeating->repeats_every > 2'000) return;
    const std::vector<Rational> done = played(net, repeating->transient + 4 * repeating->repeats_every + 3);
    for (std::size_t n = 1; n <= done.size(); ++n) REQUIRE(repeating->completion(n) == done[n - 1]);
    ++nets;
  });
  REQUIRE(nets > 50);
}

TEST_CASE("bounds of completion times hold, and are near") {
  std::size_t times = 0;
  std::size_t near = 0;
  support::for_each_net({support::draws(30)}, support::all_models(), [&](const FoldedNet& net) {
    const evaluators::Evaluation evaluation = evaluators::evaluate(net);
    evaluators::Evaluation by_classes = evaluators::evaluate(net, support::options_of(evaluators::Method::residue));
    const std::vector<Rational> done = played(net, 60);
    for (const std::size_t n : {1U, 2U, 3U, 5U, 8U, 13U, 34U, 60U}) {
      const CompletionTime bounds = evaluators::completion_bounds(net, evaluation, n);
      REQUIRE(bounds.lower <= done[n - 1]);
      REQUIRE(done[n - 1] <= bounds.upper);
      // Without a paced schedule, as if there are too many rows.
      by_classes.lower = evaluation.lower - Rational(1);
      const CompletionTime wide = evaluators::completion_bounds(net, by_classes, n);
      REQUIRE(wide.lower <= done[n - 1]);
      REQUIRE(done[n - 1] <= wide.upper);
      ++times;
      if (bounds.upper - done[n - 1] <= evaluation.upper * Rational(3)) ++near;
    }
  });
  REQUIRE(near * 2 > times);
}

TEST_CASE("completion times are asked for in any order and of any size") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  const std::vector<Integer> counts = {Integer("1000000000000000000000"), 1, 100};
  const evaluators::Completions completions = evaluators::completions_of(net, counts);
  REQUIRE(completions.times.size() == 3);
  const std::vector<Rational> done = played(net, 100);
  REQUIRE(completions.times[1].lower == done[0]);
  REQUIRE(completions.times[2].lower == done[99]);
  for (const CompletionTime& time : completions.times) REQUIRE(time.exact());
  REQUIRE(completions.repeats_every == 6);
  // The period is 692/3, so it is that per data set but for the beginning.
  const Rational beginning = completions.times[0].lower - Rational(counts[0]) * Rational::fraction(692, 3);
  REQUIRE(beginning > Rational(-2000));
  REQUIRE(beginning < Rational(2000));
}

TEST_CASE("where the rows are too many to be played, completion times are bounds") {
  const FoldedNet net = support::net_of(support::dealt_document(20, 300, 1, 100, 1), tpn::Model::kOverlap);
  REQUIRE(net.pipeline.rows > 1'000'000);
  const std::vector<Integer> counts = {10, 1'000'000'000};
  const evaluators::Completions completions = evaluators::completions_of(net, counts);
  REQUIRE_FALSE(completions.repeats_every);
  REQUIRE_FALSE(completions.times[1].exact());
  REQUIRE(completions.times[0].exact());
  REQUIRE(completions.times[0].lower == played(net, 10).back());
  REQUIRE(completions.times[1].upper < completions.times[1].lower * Rational::fraction(11, 10));
}

}  // namespace
}  // namespace takt

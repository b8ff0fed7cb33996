// The paced schedule against the definition: played with releases, and kept by every dependence.
#include "evaluators/insight/paced.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "evaluators/insight/critical.hpp"
#include "evaluators/insight/latency.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using evaluators::CriticalOperations;
using evaluators::PacedSchedule;
using maxplus::Integer;
using maxplus::Rational;
using tpn::FoldedNet;

PacedSchedule paced_at(const FoldedNet& net, const Rational& period) {
  return std::get<PacedSchedule>(evaluators::paced_schedule(net, period));
}

// Starts of rounds 0 and on, each data set let in no sooner than its release, by brute force.
std::vector<std::vector<Rational>> played(const FoldedNet& net, const Rational& period, std::uint64_t data_sets) {
  const std::size_t columns = net.pipeline.columns.size();
  std::vector<bool> arrives(columns, false);
  for (const tpn::PartIndex part : net.pipeline.entries()) arrives[net.pipeline.parts[part].computation] = true;
  std::vector<std::vector<Rational>> starts(data_sets, std::vector<Rational>(columns));
  for (std::uint64_t j = 0; j < data_sets; ++j) {
    for (std::size_t c = 0; c < columns; ++c) {
      const Rational data_set = Rational(j) - Rational(net.pipeline.columns[tpn::ColumnIndex(c)].shift);
      // Others begin as early as what they wait for lets them, before time 0 as well: a delay might never end.
      Rational start = arrives[c] ? period * data_set : Rational(-1'000'000);
      for (const tpn::Dependence& d : net.dependences) {
        if (d.to != c || d.height > j || (j - d.height) % d.modulus != d.residue) continue;
        const std::uint64_t before = j - d.height;
        start = std::max(start, starts[before][d.from] + net.pipeline.duration({before, d.from}));
      }
      starts[j][c] = start;
    }
  }
  return starts;
}

// At its period, and somewhat slower.
void require_played(const FoldedNet& net) {
  const Rational least = support::period_of(net);
  for (const Rational& period : {least, least * Rational::fraction(6, 5)}) {
    const PacedSchedule paced = paced_at(net, period);
    const std::uint64_t hyper_period = net.pipeline.rows.get_ui();
    const auto starts = played(net, period, 40 * hyper_period);
    for (std::uint64_t j = 39 * hyper_period; j < 40 * hyper_period; ++j) {
      for (std::size_t c = 0; c < paced.columns; ++c) REQUIRE(paced.start(Integer(j), c) == starts[j][c]);
    }
  }
}

TEST_CASE("a paced schedule is what a stream with even releases comes to") {
  support::for_each_net({support::draws(6), 1}, support::all_models(), [](const FoldedNet& net) {
    if (net.pipeline.rows <= 12) require_played(net);
  });
}

TEST_CASE("a paced schedule is what an even stream comes to, with transfers ahead and with batches") {
  std::size_t ahead = 0;
  std::size_t batches = 0;
  const auto hold = [&](const FoldedNet& net, const tpn::Document&, std::uint64_t) {
    if (net.pipeline.rows > 24 || !net.pipeline.is_shifted()) return;
    ++(net.pipeline.has_batches() ? batches : ahead);
    require_played(net);
  };
  support::for_each_net_of(support::batch_document, support::draws(40), tpn::default_models(), hold);
  support::for_each_net_of(support::ahead_document, support::draws(40), tpn::default_models(), hold);
  CHECK(ahead > support::draws(10));
  CHECK(batches > support::draws(10));
}

TEST_CASE("a transfer that is ahead waits for its file, not for its round") {
  tpn::Document document = support::complete_problem(2, 2, 1, 1, 1);
  document.mapping = {{0, 0, {0}}, {1, 1, {1}}};
  const auto latency_with = [&](std::uint64_t ahead) {
    document.transfers = {{0, 1, ahead}};
    const FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
    return evaluators::latency_of(net, paced_at(net, 1)).paced;
  };
  const Rational alone = latency_with(0);
  for (const std::uint64_t ahead : {1U, 5U}) CHECK(latency_with(ahead) == alone);
}

TEST_CASE("the paced schedule of example A under STRICT") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  const PacedSchedule paced = paced_at(net, Rational::fraction(692, 3));
  REQUIRE(paced.rows == 6);
  CHECK(paced.start(0, 0) == Rational(0));
  CHECK(paced.start(1, 1) == Rational::fraction(829, 3));
  CHECK(paced.start(-5, 1) == Rational::fraction(829, 3) - Rational(1384));
  const CriticalOperations critical = evaluators::critical_operations(net, paced);
  CHECK(critical.count == 10);
  CHECK(critical.single_circuit);
  CHECK(critical.contains(1, 1));
  CHECK(critical.contains(-5, 1));
  CHECK_FALSE(critical.contains(0, 0));
}

TEST_CASE("too many operations for a paced schedule are a limit") {
  const FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  const auto answer = evaluators::paced_schedule(net, Rational(300), {}, 41);
  const auto& limit = std::get<tpn::TooLarge>(std::get<evaluators::Limit>(answer));
  CHECK(limit.needed == 42);
  CHECK(limit.limit == 41);
}

TEST_CASE("times beyond 64 bits give the same paced schedule") {
  tpn::Document document = support::document_of("examples/example-a.json");
  const Rational huge(Integer("1000000000000000000000"));
  for (tpn::Processor& processor : document.platform.processors) processor.time = *processor.time * huge;
  for (tpn::Link& link : document.platform.links) link.timing.time = *link.timing.time * huge;
  const FoldedNet net = support::net_of(document, tpn::Model::kStrict);
  CHECK(paced_at(net, Rational::fraction(692, 3) * huge).start(1, 1) == Rational::fraction(829, 3) * huge);
}

TEST_CASE("starts that grow beyond 64 bits, row by row, while each wait fits are the same paced schedule") {
  // Sending takes time to the first of two processors only; most of its turns are in the first half.
  constexpr std::size_t kGroups = 66;
  tpn::Document document = support::complete_problem(2, 3, 0, 0, 1);
  document.mapping = {{0, 0, {0}}, {1, 1, {}}};
  auto& turns = document.mapping->back().processors;
  for (std::size_t k = 0; k < kGroups; ++k) turns.insert(turns.end(), {1, 1, 2});
  for (std::size_t k = 0; k < kGroups; ++k) turns.insert(turns.end(), {2, 2, 1});
  const auto net_of_time = [&](const Rational& time) {
    for (tpn::Link& link : document.platform.links) {
      const bool is_slow = std::min(link.from, link.to) == 0 && std::max(link.from, link.to) == 1;
      link.timing.time = is_slow ? time : Rational();
    }
    return support::net_of(document, tpn::Model::kStrict);
  };
  const PacedSchedule expected = paced_at(net_of_time(2), 1);
  Integer latest = 0;
  for (const Integer& offset : expected.offsets) latest = std::max(latest, offset);
  REQUIRE(latest >= 40);
  for (const unsigned bits : {40U, 55U, 56U, 57U, 58U, 70U}) {
    INFO(bits << " bits");
    const Rational factor = Integer(Integer(1) << bits);
    const PacedSchedule found = paced_at(net_of_time(factor * 2), factor);
    REQUIRE(found.offsets.size() == expected.offsets.size());
    for (std::uint64_t row = 0; row < expected.rows; ++row) {
      for (std::size_t c = 0; c < expected.columns; ++c)
        REQUIRE(found.offset(row, c) == expected.offset(row, c) * factor);
    }
    const auto least = [](const FoldedNet& net, const Rational& period) {
      return std::get<evaluators::LeastLatency>(evaluators::least_latency(net, period)).value;
    };
    CHECK(least(net_of_time(factor * 2), factor) == least(net_of_time(2), 1) * factor);
  }
}

}  // namespace
}  // namespace takt

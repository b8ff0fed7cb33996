// Sampled estimates against the means over all first data sets, and against exact periods.
#include "evaluators/play/sampled.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "evaluators/bounds.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

using evaluators::SampledMean;
using maxplus::Rational;
using tpn::FoldedNet;
using tpn::Model;

// STRICT on two to four parts whose numbers of processors have no common divisor, of several rows.
FoldedNet sampled_net(std::uint64_t seed) {
  support::Draw draw(seed);
  std::vector<std::size_t> replication(draw.count(2, 4));
  for (;;) {
    for (std::size_t& count : replication) count = draw.count(1, 5);
    const std::size_t divisor =
        std::accumulate(replication.begin(), replication.end(), std::size_t{0}, std::gcd<std::size_t, std::size_t>);
    if (divisor == 1 && std::ranges::max(replication) > 1) break;
  }
  return support::net_of(support::uniform_document(replication, 1, 30, seed, Rational::fraction(1, 6)), Model::kStrict);
}

// Mean time of a block of `data_sets` data sets, over all first ones, in time units.
Rational mean_time(const FoldedNet& net, std::uint64_t data_sets) {
  const std::uint64_t rows = net.pipeline.rows.get_ui();
  maxplus::Integer total = 0;
  for (std::uint64_t first = 0; first < rows; ++first) total += support::time_of_block(net, first, data_sets);
  return Rational::fraction(total, net.pipeline.scale * maxplus::Integer(rows));
}

bool holds(const SampledMean& sampled, const Rational& expectation) {
  const double expected = *expectation.to_double();
  return sampled.low <= expected * (1 + 1e-12) && expected <= sampled.high * (1 + 1e-12);
}

TEST_CASE("intervals of samples hold the mean over all first data sets about as often as they say") {
  const std::uint64_t nets = support::draws(1000);
  constexpr std::uint64_t kDataSets = 12;
  constexpr std::uint64_t kSamples = 4;  // of each net
  std::uint64_t growths = 0;
  std::uint64_t times = 0;
  std::uint64_t periods = 0;
  for (std::uint64_t seed = 0; seed < nets; ++seed) {
    INFO("seed " << seed);
    const FoldedNet net = sampled_net(seed);
    REQUIRE(!evaluators::unfit_for_sample(net));
    const Rational period = support::period_of(net);
    const Rational whole = mean_time(net, kDataSets);
    const Rational from_empty = whole / Rational(kDataSets);
    const Rational growth = (whole - mean_time(net, kDataSets / 2)) / Rational(kDataSets / 2);
    for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
      const auto sampled =
          evaluators::sample_period(net, {.data_sets = kDataSets, .draws = 40, .seed = kSamples * seed + sample});
      REQUIRE(sampled.has_value());
      REQUIRE(sampled->growth.low <= sampled->growth.high);
      if (holds(sampled->growth, growth)) ++growths;
      // The theorem: where the expectation is in its interval, so is the period.
      const bool is_held = holds(sampled->from_empty, from_empty);
      const double exact = *period.to_double();
      const bool is_between = sampled->low <= exact * (1 + 1e-12) && exact <= sampled->high * (1 + 1e-12);
      REQUIRE((is_between || !is_held));
      if (is_held) ++times;
      if (is_between) ++periods;
    }
  }
  const double samples = static_cast<double>(nets * kSamples);
  // 95 % and four standard deviations of 400 samples either way.
  CHECK(static_cast<double>(growths) / samples > 0.90);
  CHECK(static_cast<double>(growths) / samples < 0.995);
  CHECK(static_cast<double>(times) / samples > 0.90);
  CHECK(static_cast<double>(times) / samples < 0.995);
  CHECK(periods >= times);
}

TEST_CASE("long samples are near the period, the growth nearer than the time from an empty net") {
  constexpr std::uint64_t kNets = 40;
  std::size_t nearer = 0;
  for (std::uint64_t seed = 0; seed < kNets; ++seed) {
    INFO("seed " << seed);
    const FoldedNet net = sampled_net(seed);
    const auto sampled = evaluators::sample_period(net, {.data_sets = 4000, .draws = 8});
    REQUIRE(sampled.has_value());
    const Rational period = support::period_of(net);
    const auto distance = [&](const Rational& mean) { return mean < period ? period - mean : mean - period; };
    const Rational off = distance(sampled->growth.mean);
    CHECK(off <= period * Rational::fraction(1, 200));
    if (off < distance(sampled->from_empty.mean)) ++nearer;
  }
  CHECK(nearer * 10 >= kNets * 9);
}

TEST_CASE("a sample is the same for the same seed, another for another, and ends at its deadline") {
  const FoldedNet net = support::net_of(support::dealt_document(6, 40, 10, 100, 1), Model::kStrict);
  const evaluators::SampleSettings settings{.data_sets = 500, .draws = 5, .seed = 7};
  const auto once = evaluators::sample_period(net, settings);
  const auto again = evaluators::sample_period(net, settings);
  CHECK(once->growth.mean == again->growth.mean);
  CHECK(once->growth.low == again->growth.low);
  CHECK(once->from_empty.mean == again->from_empty.mean);
  const auto other = evaluators::sample_period(net, {.data_sets = 500, .draws = 5, .seed = 8});
  CHECK(other->growth.mean != once->growth.mean);
  const auto surer = evaluators::sample_period(net, {.data_sets = 500, .draws = 5, .seed = 7, .confidence = 0.999});
  CHECK(surer->growth.mean == once->growth.mean);
  CHECK(surer->growth.low < once->growth.low);
  CHECK(surer->growth.high > once->growth.high);
  CHECK(!evaluators::sample_period(net, settings, maxplus::Deadline::Clock::now()));
}

TEST_CASE("samples are refused, with a reason, where the theorem says nothing") {
  const auto reason = [](const FoldedNet& net) { return evaluators::unfit_for_sample(net).value_or("none"); };
  constexpr std::array<std::size_t, 3> kReplication = {2, 3, 4};
  const tpn::Document document = support::uniform_document(kReplication, 1, 30, 1);
  CHECK(reason(support::net_of(document, Model::kStrict)) == "none");
  CHECK(reason(support::net_of(document, Model::kOverlap)).find("several things at a time") != std::string::npos);
  CHECK(reason(support::net_of(document, tpn::bounded_model(1))).find("several things") != std::string::npos);
  FoldedNet windowed = support::net_of(document, Model::kStrict);
  windowed = std::get<FoldedNet>(tpn::with_capacity(std::move(windowed), {.buffers = {}, .window = 3}));
  CHECK(reason(windowed) == "its rooms or its window are limited");
  tpn::Document repeated = document;
  auto& sequence = (*repeated.mapping)[1].processors;
  sequence.push_back(sequence.front());
  CHECK(reason(support::net_of(repeated, Model::kStrict)) == "it takes only mappings with each processor once");
  constexpr std::array<std::size_t, 3> kEven = {2, 6, 4};
  CHECK(reason(support::net_of(support::uniform_document(kEven, 1, 30, 1), Model::kStrict)).find("divisor 2") !=
        std::string::npos);
  const Rational unit = Rational::fraction(maxplus::Integer(1) << 70, 1);
  CHECK(reason(support::net_of(support::uniform_document(kReplication, 1, 30, 1, unit), Model::kStrict))
            .find("64 bits") != std::string::npos);
}

TEST_CASE("a usual sample of a large net takes some seconds at most") {
  const FoldedNet net = support::net_of(support::dealt_document(20, 1000, 10, 100, 1), Model::kStrict);
  const evaluators::SampleSettings settings = evaluators::usual_sample(net, 3);
  CHECK(settings.seed == 3);
  CHECK(settings.draws >= 30);
  CHECK(settings.data_sets % 2 == 0);
  CHECK(settings.data_sets * settings.draws <= 20'000'000);
}

}  // namespace
}  // namespace takt

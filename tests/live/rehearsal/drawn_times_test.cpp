// Tests of times that vary on a virtual clock: a rehearsal is a copy of vary's play.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "live/engine/drawn_times.hpp"
#include "live/rehearsal/rehearsal.hpp"
#include "tests/live/measurement/plays.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/law.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/window.hpp"
#include "vary/drawn_copy.hpp"
#include "vary/net_times.hpp"
#include "vary/play.hpp"

namespace takt::live {

namespace {

using vary::ArrivalKind;

constexpr std::uint64_t kDataSets = 40;
constexpr std::uint64_t kSeed = 7;
constexpr long kTicksPerUnit = 1'000'000;

struct DrawnCase {
  std::optional<tpn::Law> law{};
  Rational gap = 0;  // 0: saturated
  ArrivalKind arrivals = ArrivalKind::periodic;
  Anchor anchor = Anchor::agreed;
  std::uint64_t window = 0;
};

// When each data set is delivered in the first copy of a play; those of data sets that are always there arrive at 0.
std::vector<double> played_deliveries(const tpn::Document& instance, const tpn::Model& model, const DrawnCase& drawn) {
  const tpn::FoldedNet net = with_window(support::net_of(instance, model), drawn.window);
  auto times = drawn.law ? vary::times_of(instance, net, *drawn.law) : vary::times_of(instance, net).value();
  const vary::PlayedNet played(net, std::move(times));
  const double gap = drawn.gap.to_double().value();
  const vary::Scenario scenario{gap};
  const auto copies = vary::play_copies(played, std::span(&scenario, 1),
                                        {.seed = kSeed, .data_sets = kDataSets, .arrivals = {drawn.arrivals}}, 0, {});
  std::vector<double> deliveries = copies->front().latencies.front();
  vary::DrawnArrivals arrivals(drawn.arrivals, gap, kSeed);
  for (std::uint64_t j = 0; j < kDataSets; ++j) deliveries[j] += arrivals.of(j);
  return deliveries;
}

std::vector<double> rehearsed_deliveries(const tpn::Document& instance, const tpn::Model& model,
                                         const DrawnCase& drawn) {
  RehearsalTerms terms;
  terms.model = model;
  terms.engine.anchor = drawn.anchor;
  terms.coordination.data_sets = kDataSets;
  terms.coordination.window = drawn.window;
  terms.jitter = JitterTerms{drawn.law, kSeed};
  if (drawn.gap.sign() > 0) terms.arrivals = ArrivalTerms{drawn.gap, drawn.arrivals, kSeed};
  terms.ticks_per_unit = Rational(kTicksPerUnit);
  const auto run = rehearse(instance, terms);
  const tpn::Pipeline pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(instance));
  std::vector<double> deliveries;
  for (const Rational& end : ends_of_data_sets(pipeline, run->trace)) deliveries.push_back(end.to_double().value());
  return deliveries;
}

// How far apart they are at most, in ticks for each operation that a delivery may wait for.
double off_by(const tpn::Document& instance, const tpn::Model& model, const DrawnCase& drawn) {
  const std::vector<double> played = played_deliveries(instance, model, drawn);
  const std::vector<double> rehearsed = rehearsed_deliveries(instance, model, drawn);
  const tpn::Pipeline pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(instance));
  double most = 0;
  for (std::uint64_t j = 0; j < kDataSets; ++j) {
    const auto operations = static_cast<double>(pipeline.columns.size() + j + 1);
    most = std::max(most, std::abs(played[j] - rehearsed[j]) * kTicksPerUnit / operations);
  }
  return most;
}

Rational cycle_time_of(const tpn::Document& instance, const tpn::Model& model) {
  Rational longest;
  for (const tpn::Resource& resource : support::net_of(instance, model).resources)
    longest = std::max(longest, resource.cycle_time);
  return longest;
}

tpn::Law law_of(const std::string& text) { return std::get<tpn::Law>(tpn::parse_law(text)); }

bool can_be_drawn(const tpn::Document& instance) {
  if (!instance.mapping || tpn::why_refused(kRunsTake, instance)) return false;
  const auto pipeline = tpn::make_pipeline(instance);
  const auto* made = std::get_if<tpn::Pipeline>(&pipeline);
  return made != nullptr && !made->has_batches() && !made->is_shifted() &&
         tpn::fold(instance, tpn::Model::kOverlap).index() == 0;
}

}  // namespace

TEST_CASE("a rehearsal with drawn times and arrivals is the first copy of a play, for every example") {
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TAKT_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".json") continue;
    const tpn::Document instance = support::document_of("examples/" + entry.path().filename().string());
    if (!can_be_drawn(instance)) continue;
    INFO(entry.path().string());
    const std::uint64_t narrow = tpn::too_narrow_window(std::get<tpn::Pipeline>(tpn::make_pipeline(instance)));
    for (const tpn::Model& model : tpn::default_models()) {
      const Rational gap = cycle_time_of(instance, model) * Rational::fraction(5, 4);
      const tpn::Law lognormal = law_of("lognormal:0.5");
      for (const DrawnCase& drawn :
           {DrawnCase{lognormal}, DrawnCase{law_of("exponential"), gap},
            DrawnCase{lognormal, gap, ArrivalKind::poisson}, DrawnCase{{}, gap, ArrivalKind::poisson},
            DrawnCase{lognormal, gap, ArrivalKind::periodic, Anchor::observed},
            DrawnCase{lognormal, 0, ArrivalKind::periodic, Anchor::logical},
            DrawnCase{lognormal, 0, ArrivalKind::periodic, Anchor::agreed, narrow + 2},
            DrawnCase{lognormal, gap, ArrivalKind::poisson, Anchor::agreed, narrow + 2}}) {
        CHECK(off_by(instance, model, drawn) <= 0.5);
      }
    }
    ++seen;
  }
  CHECK(seen >= 10);
}

TEST_CASE("a rehearsal with drawn times is the first copy of a play, for random mappings of every kind") {
  std::size_t seen = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(25); ++seed) {
    for (const support::Kind kind : support::kKinds) {
      const tpn::Document instance = support::random_document(kind, seed);
      if (!can_be_drawn(instance)) continue;
      for (const tpn::Model& model : tpn::default_models()) {
        INFO("seed " << seed << ", kind " << static_cast<int>(kind));
        const Rational gap = seed % 2 == 0 ? Rational(0) : cycle_time_of(instance, model);
        CHECK(off_by(instance, model, {law_of("gamma:0.8"), gap, ArrivalKind::poisson}) <= 0.5);
        ++seen;
      }
    }
  }
  CHECK(seen > 20);
}

TEST_CASE("drawn durations take the laws of the file, and the data set's factor on all that grows with it") {
  const tpn::Document instance = tpn::read_document(
      R"({"application": {"stages": [{"name": "A", "work": {"mean": 4, "law": "exponential"}, "output": 6},
                                     {"name": "B", "work": {"samples": [1, 5]}}],
                          "data sets": {"law": "gamma", "cv": 0.3}},
          "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}], "bandwidth": 2,
                       "latency": 1},
          "mapping": [{"stages": ["A"], "processors": ["P"]}, {"stages": ["B"], "processors": ["Q"]}]})",
      "laws");
  const tpn::Pipeline pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(instance));
  const DurationSource drawn = drawn_durations(instance, pipeline, {}, Rational(kTicksPerUnit));
  for (std::uint64_t j = 0; j < 200; ++j) {
    // The file is 3 times the factor, and the latency is 1 whatever it is.
    const double factor = (static_cast<double>(drawn(1, j)) / kTicksPerUnit - 1) / 3;
    const double b = static_cast<double>(drawn(2, j)) / kTicksPerUnit / factor;
    CHECK((std::abs(b - 1) < 1e-4 || std::abs(b - 5) < 1e-4));
    CHECK(factor > 0);
  }
  CHECK(drawn(1, 0) != drawn(1, 1));
  for (const tpn::Model& model : tpn::default_models()) CHECK(off_by(instance, model, {{}, 5}) <= 0.5);
}

TEST_CASE("a run that goes on with later data sets has its first one arrive when it begins") {
  const tpn::Document instance =
      support::uniform_document(std::vector<std::size_t>{1, 2}, 2, 9, 3, Rational::fraction(1, 2));
  RehearsalTerms terms;
  terms.coordination.first_data_set = 10;
  terms.coordination.data_sets = 30;
  terms.arrivals = ArrivalTerms{Rational(1000)};
  const auto run = rehearse(instance, terms);
  REQUIRE(run->trace.size() == 60);
  CHECK(run->trace[0].start == 0);
  CHECK(run->trace[3].start == 1000);
}

}  // namespace takt::live

// Tests of documents of probes: planted problems come back from the times that a probe of them would measure.
#include "live/probing/probed_document.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/draw.hpp"
#include "tests/support/named_ends.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/ends.hpp"
#include "tpn/law.hpp"
#include "tpn/reader.hpp"
#include "tpn/timing.hpp"
#include "tpn/writer.hpp"

namespace takt::live {

namespace {

const Rational kSecond = 1'000'000'000;
const ProbeFit kFivePercent{Rational::fraction(1, 20)};

std::int64_t ticks_of(const Rational& seconds) {
  return maxplus::Integer((seconds * kSecond).numerator() / (seconds * kSecond).denominator()).get_si();
}

ProbeTerms terms_of(std::optional<std::size_t> one_stage = std::nullopt) {
  return {.repeats = 3, .in_turn = false, .one_stage = one_stage, .sizes = {0, 10, 1000}, .exchanges = 1, .inputs = 0};
}

// What a probe finds where all takes as long as the document says, in seconds.
ProbeResult result_of(const tpn::Document& document, const ProbeTerms& terms) {
  const tpn::Timing timing(document);
  ProbeResult result;
  result.sizes.push_back(ticks_of(document.application.input.value_or(0) / kSecond));
  const std::size_t processors = document.platform.processors.size();
  for (std::size_t k = 0; k < document.application.stages.size(); ++k) {
    const Rational size = document.application.stages[k].output.value_or(0) * timing.gain(k);
    result.sizes.push_back(ticks_of(size / kSecond));
    auto& row = result.times.emplace_back(processors);
    const std::vector<bool> runs = probed_stages(document)[k];
    for (std::size_t p = 0; p < processors; ++p) {
      if (!runs[p]) continue;
      if (terms.one_stage && p > 0 && k != *terms.one_stage) continue;
      const std::int64_t time = ticks_of(timing.stage_time(k, p).value());
      // Median and mean.
      row[p] = {time + time / 2, time, time - time / 2};
    }
  }
  const tpn::EndNumbers ends(document.platform);
  for (const ProbedPair& pair : probed_pairs(document.platform)) {
    const auto link = ends.is_source(pair.from) ? timing.source_link(pair.to, ends.which(pair.from))
                      : ends.is_sink(pair.to)   ? timing.sink_link(pair.from, ends.which(pair.to))
                                                : timing.link(pair.from, pair.to);
    auto& times = result.round_trips.emplace_back();
    for (const std::uint64_t size : terms.sizes) times.push_back(2 * ticks_of(link->of(Rational(size))));
  }
  return result;
}

// Six digits of a work and of a speed.
bool is_near(const Rational& found, const Rational& expected) {
  return std::abs((found / expected - 1).to_double().value()) < 2e-5;
}

// A problem some of whose stages run on some processors only, by times or by "runs on".
tpn::Document partly_run(std::uint64_t seed) {
  support::Draw draw(seed);
  const std::size_t stages = draw.count(1, 5);
  const std::size_t processors = draw.count(2, 6);
  tpn::Document document;
  document.time_unit = tpn::TimeUnit::second;
  document.platform.defaults.bandwidth = 1000;
  for (std::size_t p = 0; p < processors; ++p)
    document.platform.processors.push_back(
        {.name = "P" + std::to_string(p), .speed = Rational(draw.count(1, 4)), .time = {}});
  const bool has_works = draw.coin();
  for (std::size_t k = 0; k < stages; ++k) {
    tpn::Stage& stage = document.application.stages.emplace_back();
    stage.name = "S" + std::to_string(k);
    stage.output = Rational(draw.count(0, 9));
    std::vector<std::size_t> where;
    for (std::size_t p = 0; p < processors; ++p)
      if (draw.coin()) where.push_back(p);
    if (where.empty()) where.push_back(draw.index(processors));
    if (has_works) stage.work = Rational::fraction(draw.count(1, 50), 1000);
    for (const std::size_t p : where) {
      if (has_works) {
        stage.runs_on.push_back(document.platform.processors[p].name);
      } else {
        stage.times.push_back({p, Rational::fraction(draw.count(1, 50), 1000)});
      }
    }
  }
  return document;
}

void require_same_times(const tpn::Document& found, const tpn::Document& expected) {
  const tpn::Timing ours(found);
  const tpn::Timing theirs(expected);
  const std::size_t stages = expected.application.stages.size();
  const std::size_t processors = expected.platform.processors.size();
  for (std::size_t p = 0; p < processors; ++p) {
    for (std::size_t k = 0; k < stages; ++k) {
      REQUIRE(is_near(ours.stage_time(k, p).value(), theirs.stage_time(k, p).value()));
      for (std::size_t q = p + 1; q < processors; ++q) {
        REQUIRE(is_near(ours.transfer(k, p, q), theirs.transfer(k, p, q)));
        REQUIRE(ours.transfer(k, q, p) == ours.transfer(k, p, q));
      }
    }
    for (std::size_t e = 0; e < tpn::count_of(expected.platform.source); ++e)
      REQUIRE(is_near(ours.from_source(p, e), theirs.from_source(p, e)));
    for (std::size_t e = 0; e < tpn::count_of(expected.platform.sink); ++e)
      REQUIRE(is_near(ours.to_sink(p, e), theirs.to_sink(p, e)));
  }
}

tpn::Document planted(std::uint64_t seed) {
  support::Draw draw(seed);
  support::Shape shape;
  shape.stages = draw.count(1, 5);
  shape.processors = draw.count(1, 5);
  shape.speeds = draw.coin() ? support::Speeds::unequal : support::Speeds::equal;
  shape.links = draw.coin() ? support::Links::unequal : support::Links::equal;
  shape.ends = draw.coin();
  tpn::Document document = support::random_problem(shape, seed);
  for (tpn::Stage& stage : document.application.stages) {
    stage.times.clear();
    if (!stage.output) stage.output = 7;
    if (draw.one_in(3)) stage.produces = draw.whole(1, 3);
  }
  if (!draw.one_in(3)) return document;
  document = support::with_named_ends(std::move(document), seed, support::EndPorts::one);
  for (auto* ends : {&document.platform.source, &document.platform.sink}) {
    if (!*ends) continue;
    for (tpn::Endpoint& end : tpn::in_turn(**ends)) {
      end.links.clear();
      end.timing = {.bandwidth = draw.whole(1, 9), .latency = {}, .time = {}};
    }
  }
  return document;
}

}  // namespace

TEST_CASE("works, speeds, sizes and links of random problems are found") {
  for (std::uint64_t seed = 0; seed < support::draws(500); ++seed) {
    CAPTURE(seed);
    const tpn::Document document = planted(seed);
    const ProbeTerms terms = terms_of();
    const ProbedDocument probed = probed_document(document, terms, result_of(document, terms), kFivePercent);
    CHECK_FALSE(probed.has_own_times);
    CHECK(probed.fit.worst_misfit < Rational::fraction(1, 10'000));
    CHECK(probed.document.platform.processors[0].speed == Rational(1));
    CHECK(probed.document.time_unit == tpn::TimeUnit::second);
    require_same_times(probed.document, document);
    CHECK(tpn::read_document(tpn::write_document(probed.document), "probed") == probed.document);
  }
}

TEST_CASE("one stage on all processors, and all on the first, are enough where works and speeds say it all") {
  for (std::uint64_t seed = 0; seed < support::draws(500); ++seed) {
    CAPTURE(seed);
    const tpn::Document document = planted(seed);
    const ProbeTerms terms = terms_of(seed % document.application.stages.size());
    // Times of one stage are never beyond the fit.
    const ProbedDocument probed = probed_document(document, terms, result_of(document, terms), ProbeFit{});
    CHECK_FALSE(probed.has_own_times);
    require_same_times(probed.document, document);
  }
}

TEST_CASE("where works and speeds do not say it, stages have times of their own") {
  for (std::uint64_t seed = 0; seed < support::draws(500); ++seed) {
    CAPTURE(seed);
    support::Draw draw(seed);
    tpn::Document document = planted(seed);
    const std::size_t processors = document.platform.processors.size();
    for (tpn::Stage& stage : document.application.stages) {
      for (std::size_t p = 0; p < processors; ++p) stage.times.push_back({p, draw.whole(1, 100)});
    }
    const ProbeTerms terms = terms_of();
    const ProbeResult result = result_of(document, terms);
    const ProbedDocument own = probed_document(document, terms, result, ProbeFit{});
    if (!own.has_own_times) CHECK(own.fit.worst_misfit == 0);
    require_same_times(own.document, document);
    CHECK(tpn::read_document(tpn::write_document(own.document), "probed") == own.document);
    const ProbedDocument fitted = probed_document(document, terms, result, ProbeFit{own.fit.worst_misfit});
    CHECK_FALSE(fitted.has_own_times);
    for (const tpn::Stage& stage : fitted.document.application.stages) CHECK(stage.times.empty());
  }
}

TEST_CASE("what the document says besides stays, and what followed from its times goes") {
  const std::string text = R"({
    "application": {"name": "mine", "input": 4, "stages": [
      {"name": "a", "work": 3, "output": 5, "replicable": false, "//": "a remark"}, {"name": "b", "output": 1}]},
    "platform": {"processors": [{"name": "P", "speed": 2}, {"name": "Q", "time": 7}],
      "bandwidth": 1, "latency": 2, "links": [{"//": "old", "from": "P", "to": "Q", "time": 3}]},
    "mapping": [{"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q"]}],
    "predicted_period": 7, "heuristic": {"name": "greedy"}, "model": "strict"})";
  const tpn::Document asked = tpn::read_document(text, "asked");
  const ProbeResult result{.times = {{{2'000'000}, {1'000'000}}, {{4'000'000}, {2'000'000}}},
                           .sizes = {10, 20, 30},
                           .round_trips = {{2000, 2020, 4000}},
                           .round_trip_spreads = {}};
  const ProbedDocument probed = probed_document(asked, terms_of(), result, kFivePercent);
  CHECK(tpn::write_document_line(probed.document) ==
        R"({"application":{"name":"mine","input":"10 B","stages":[{"//":"a remark","name":"a","work":0.002,)"
        R"("output":"20 B","replicable":false},{"name":"b","work":0.004,"output":"30 B"}]},"platform":{"processors":)"
        R"([{"name":"P","speed":"1/s"},{"name":"Q","speed":"2/s"}],"links":[{"from":"P","to":"Q",)"
        R"("bandwidth":"1 GB/s","latency":"1 us"}]},"mapping":[{"stages":["a"],"processors":["P"]},)"
        R"({"stages":["b"],"processors":["Q"]}],"model":"strict"})"
        "\n");
}

TEST_CASE("what was measured takes the place of types and ports, which would lessen it") {
  const tpn::Document asked = tpn::read_document(
      R"({"application": {"input": 10, "stages": [{"name": "a", "time": {"t": 1}}]},
          "platform": {"types": [{"//": "old", "name": "t", "bandwidth": 1, "price": 2}], "source": {},
                       "processors": [{"name": "P", "type": "t"}, {"name": "Q", "type": "t"}],
                       "links": [{"from": "t", "to": "t", "time": 7}]}})",
      "asked");
  const ProbeTerms terms{
      .repeats = 1, .in_turn = false, .one_stage = {}, .sizes = {0, 1000}, .exchanges = 1, .inputs = 0};
  const ProbeResult result{.times = {{{4000}, {8000}}},
                           .sizes = {10, 0},
                           .round_trips = {{200, 2200}, {20, 60}, {20, 60}},
                           .round_trip_spreads = {}};
  const ProbedDocument probed = probed_document(asked, terms, result, kFivePercent);
  const tpn::Document& document = probed.document;
  CHECK(document.platform.types.empty());
  CHECK(document.platform.type_links.empty());
  CHECK(document.application.stages[0].type_times.empty());
  CHECK(document.platform.processors[1].price == 2);
  const tpn::Timing timing(document);
  CHECK(timing.source_link(1)->per_unit == Rational::fraction(1, 50'000'000'000));
  CHECK(timing.computation(0, 0, 1) == 2 * timing.computation(0, 0, 0));
  CHECK(tpn::read_document(tpn::write_document(document), "probed") == document);
}

TEST_CASE("a link whose messages take as long whatever their size has a fixed time, and no time is 0") {
  const tpn::Document asked = tpn::read_document(
      R"({"application": {"stages": [{"name": "a"}]},
          "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}]}})",
      "asked");
  const ProbeResult result{
      .times = {{{0}, {0, 0, 1}}}, .sizes = {0, 0}, .round_trips = {{3000, 3000, 3000}}, .round_trip_spreads = {}};
  const ProbedDocument probed = probed_document(asked, terms_of(), result, kFivePercent);
  REQUIRE(probed.document.platform.links.size() == 1);
  CHECK(probed.document.platform.links[0].timing ==
        tpn::LinkTiming{.bandwidth = {}, .latency = {}, .time = Rational::fraction(15, 10'000'000)});
  CHECK(probed.document.application.stages[0].work == Rational::fraction(1, 1'000'000'000));
}

TEST_CASE("where all are taken to be alike, processors have one speed, and links one latency and bandwidth") {
  const tpn::Document asked = tpn::read_document(
      R"({"application": {"input": 0, "stages": [{"name": "a", "output": 0, "produces": 2}, {"name": "b"}]},
          "platform": {"source": {}, "processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1},
                                                    {"name": "R", "speed": 1}]}})",
      "asked");
  const ProbeTerms terms{
      .repeats = 1, .in_turn = false, .one_stage = {}, .sizes = {0, 1000}, .exchanges = 1, .inputs = 0};
  const ProbeResult result{.times = {{{4000}, {5000}, {6000}}, {{8000}, {8000}, {16000}}},
                           .sizes = {0, 100, 100},
                           .round_trips = {{200, 2200}, {200, 2200}, {400, 2200}, {20, 60}, {20, 60}, {20, 60}},
                           .round_trip_spreads = {}};
  const ProbedDocument probed = probed_document(asked, terms, result, {.most_misfit = {}, .is_alike = true});
  const tpn::Document& document = probed.document;
  CHECK_FALSE(probed.has_own_times);
  CHECK(tpn::read_document(tpn::write_document(document), "probed") == document);
  // Per firing: b has two for each data set.
  CHECK(document.application.stages[0].work == Rational::fraction(5, 1'000'000));
  CHECK(document.application.stages[1].work == Rational::fraction(4, 1'000'000));
  for (const tpn::Processor& processor : document.platform.processors) CHECK(processor.speed == Rational(1));
  CHECK(probed.fit.worst_misfit == Rational::fraction(1, 2));
  CHECK(probed.fit.worst_stage == 1);
  CHECK(probed.fit.worst_processor == 2);
  CHECK(document.platform.links.empty());
  CHECK(document.platform.source->links.empty());
  CHECK(document.platform.source->timing == tpn::LinkTiming{.bandwidth = Rational(50'000'000'000),
                                                            .latency = Rational::fraction(1, 100'000'000),
                                                            .time = {}});
  // The third link is the odd one.
  CHECK(document.platform.defaults == tpn::LinkTiming{.bandwidth = Rational(1'000'000'000),
                                                      .latency = Rational::fraction(1, 10'000'000),
                                                      .time = {}});
  REQUIRE(probed.links.size() == 6);
  CHECK(probed.links[0].fit.worst_misfit == 0);
  CHECK(probed.links[2].fit.worst_misfit == Rational::fraction(1, 2));
  CHECK(probed.links[2].fit.worst_sample == 0);
  CHECK(probed.links[3].fit.worst_misfit == 0);
}

TEST_CASE("unless it is said, processors and links are alike where they differ by less than repeats spread") {
  const tpn::Document asked = tpn::read_document(
      R"({"application": {"stages": [{"name": "a"}]},
          "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}, {"name": "R", "speed": 1}]}})",
      "asked");
  const ProbeTerms terms{
      .repeats = 3, .in_turn = false, .one_stage = {}, .sizes = {0, 1000}, .exchanges = 3, .inputs = 0};
  ProbeResult result{.times = {{{4000, 4400, 3800}, {4100, 3900, 4300}, {4050, 4500, 3900}}},
                     .sizes = {0, 0},
                     .round_trips = {{200, 2200}, {210, 2100}, {205, 2150}},
                     .round_trip_spreads = {{20, 200}, {20, 200}, {20, 200}}};
  const ProbeFit decides{.most_misfit = Rational::fraction(1, 20), .is_alike = std::nullopt};
  const ProbedDocument alike = probed_document(asked, terms, result, decides);
  CHECK(alike.has_alike_processors);
  CHECK(alike.has_alike_links);
  CHECK(alike.document == probed_document(asked, terms, result, {.most_misfit = {}, .is_alike = true}).document);
  // Each may be so without the other.
  result.round_trips[1] = {400, 4200};
  const ProbedDocument other_link = probed_document(asked, terms, result, decides);
  CHECK(other_link.has_alike_processors);
  CHECK_FALSE(other_link.has_alike_links);
  CHECK(other_link.document.platform.links.size() == 3);
  result.times[0][1] = {8000, 8100, 7900};
  const ProbedDocument apart = probed_document(asked, terms, result, decides);
  CHECK_FALSE(apart.has_alike_processors);
  CHECK(apart.document == probed_document(asked, terms, result, kFivePercent).document);
  CHECK_FALSE(probed_document(asked, terms, result, kFivePercent).processors.has_value());
  // Without spreads, as of too few, links are what they were measured.
  result.round_trip_spreads.clear();
  CHECK_FALSE(probed_document(asked, terms, result, decides).links_by_size.has_value());
}

TEST_CASE("repeats of a stage that differ stay as samples, and their mean is its time") {
  const tpn::Document asked = tpn::read_document(
      R"({"application": {"stages": [{"name": "a"}, {"name": "b"}]},
          "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}]}})",
      "asked");
  const ProbeResult result{
      .times = {{{4000, 4400, 3600}, {8000, 8400, 9600}}, {{1000, 1000, 1000}, {2100, 2100, 2100}}},
      .sizes = {0, 0, 0},
      .round_trips = {{2000, 2020, 4000}},
      .round_trip_spreads = {}};
  const auto stages_of = [&](const ProbeFit& fit) {
    const tpn::Document probed = probed_document(asked, terms_of(), result, fit).document;
    CHECK(tpn::read_document(tpn::write_document(probed), "probed") == probed);
    return probed.application.stages;
  };
  const auto nanoseconds = [](const Rational& mean, const tpn::SharedLaw& law) {
    REQUIRE(law);
    std::vector<double> samples;
    for (const Rational& multiple : law->samples) samples.push_back((mean * multiple * kSecond).to_double().value());
    return samples;
  };
  // As measured.
  const auto alike = stages_of({.most_misfit = 1, .is_alike = true});
  CHECK(nanoseconds(*alike[0].work, alike[0].work_law) == std::vector<double>{4000, 4400, 3600, 8000, 8400, 9600});
  CHECK(alike[0].work == Rational(38000) / (Rational(6) * kSecond));
  CHECK_FALSE(alike[1].work_law);
  const auto own = stages_of({.most_misfit = 0, .is_alike = false});
  REQUIRE(own[0].times.size() == 2);
  CHECK(nanoseconds(own[0].times[0].time, own[0].times[0].law) == std::vector<double>{4000, 4400, 3600});
  CHECK(nanoseconds(own[0].times[1].time, own[0].times[1].law) == std::vector<double>{8000, 8400, 9600});
  CHECK(own[1].times[1].time == Rational(2100) / kSecond);
  CHECK_FALSE(own[1].times[1].law);
  // Around each processor's median, for the work of both.
  const auto fitted = stages_of({.most_misfit = 1, .is_alike = false});
  const std::vector<double> shared = nanoseconds(*fitted[0].work, fitted[0].work_law);
  REQUIRE(shared.size() == 6);
  CHECK(shared[1] / shared[0] == Approx(1.1).epsilon(1e-5));
  CHECK(shared[3] / shared[4] == Approx(8000.0 / 8400).epsilon(1e-5));
  CHECK(shared[4] == Approx(shared[0]).epsilon(1e-5));
  CHECK_FALSE(fitted[1].work_law);
}

TEST_CASE("stages run on the processors on which they were measured, and on no others") {
  std::size_t fitted = 0;
  std::size_t own = 0;
  std::size_t alike = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const tpn::Document document = partly_run(seed);
    CAPTURE(seed, tpn::write_document(document));
    const auto runs = probed_stages(document);
    const ProbeTerms terms = terms_of();
    for (const std::optional<bool> is_alike : {std::optional(false), std::optional(true)}) {
      const ProbedDocument probed =
          probed_document(document, terms, result_of(document, terms), {Rational::fraction(1, 20), is_alike});
      const std::string text = tpn::write_document(probed.document);
      REQUIRE(tpn::read_document(text, "probed") == probed.document);
      const auto found = probed_stages(probed.document);
      REQUIRE(found == runs);
      (probed.has_alike_processors ? alike : probed.has_own_times ? own : fitted) += 1;
      if (probed.has_alike_processors) continue;
      const tpn::Timing ours(probed.document);
      const tpn::Timing theirs(document);
      for (std::size_t k = 0; k < runs.size(); ++k)
        for (std::size_t p = 0; p < runs[k].size(); ++p)
          if (runs[k][p]) {
            const Rational ratio = ours.stage_time(k, p).value() / theirs.stage_time(k, p).value();
            REQUIRE(std::abs((ratio - 1).to_double().value()) < (probed.has_own_times ? 2e-5 : 0.051));
          }
      CHECK(probed.has_own_times == (!probed.has_fit || probed.fit.worst_misfit > Rational::fraction(1, 20)));
    }
  }
  CAPTURE(fitted, own, alike);
  CHECK(fitted > 30);
  CHECK(own > 30);
  CHECK(alike > 100);
}

}  // namespace takt::live

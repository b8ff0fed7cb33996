// Tests of runs that adapt, on a virtual clock: against a recurrence over all operations, whatever mapping they are of.
#include "live/adaptation/adaptation.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "heuristics/registry.hpp"
#include "live/rehearsal/rehearsal.hpp"
#include "live/rehearsal/total_times.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::live {

namespace {

constexpr int kTicks = 1000;  // per time unit

class KeptLog : public RunLog {
 public:
  void write(const RunLogEntry& entry) override { entries.push_back(entry); }

  template <typename What>
  std::vector<What> all() const {
    std::vector<What> found;
    for (const RunLogEntry& entry : entries)
      if (const auto* what = std::get_if<What>(&entry.what)) found.push_back(*what);
    return found;
  }

  std::vector<RunLogEntry> entries;
};

// When every operation of a run starts and ends: as early as its file, its resources and the window allow, each
// operation of the mapping that its data set has.
class Recurrence {
 public:
  Recurrence(const tpn::Document& problem, const tpn::Model& model, std::span<const BackgroundLoad> loads)
      : view_(problem), shares_(tpn::shares_processors(model)), loads_(loads) {}

  /// `drained` are data sets that begin when all before them are delivered.
  std::vector<evaluators::Firing> run(const std::vector<MappingFrom>& mappings, std::uint64_t data_sets,
                                      std::uint64_t window, const std::set<std::uint64_t>& drained) {
    std::vector<evaluators::Firing> firings;
    std::vector<Ticks> delivered;
    Ticks resumed = 0;
    for (std::uint64_t j = 0; j < data_sets; ++j) {
      while (next_ < mappings.size() && mappings[next_].data_set == j) {
        const auto made = tpn::make_pipeline(view_, mappings[next_++].mapping);
        route_ = Route::make(std::get<tpn::Pipeline>(made), kTicks);
      }
      if (drained.contains(j)) resumed = delivered.back();
      Ticks file = std::max(j >= window ? delivered[j - window] : 0, resumed);
      for (std::size_t c = 0; c < route_->columns(); ++c) {
        const auto [start, end] = operation(c, j, file);
        firings.push_back(
            {{j, tpn::ColumnIndex(c)}, Rational::fraction(start, kTicks), Rational::fraction(end, kTicks)});
        file = end;
      }
      delivered.push_back(delivered.empty() ? file : std::max(delivered.back(), file));
    }
    return firings;
  }

 private:
  std::pair<Ticks, Ticks> operation(std::size_t c, std::uint64_t j, Ticks file) {
    const std::size_t here = route_->processor_at(c / 2, j);
    const Ticks nominal = route_->duration(c, j);
    if (c % 2 == 0) {
      Ticks& free = free_[{here, shares_ ? 0 : 1}];
      const Ticks start = std::max(file, free);
      free = loaded_end(loads_, here, start, nominal);
      return {start, free};
    }
    const std::size_t there = route_->processor_at(c / 2 + 1, j);
    if (here == there) return {file, file};
    Ticks& sender = free_[{here, shares_ ? 0 : 2}];
    Ticks& receiver = free_[{there, shares_ ? 0 : 3}];
    const Ticks start = std::max({file, sender, receiver});
    sender = receiver = start + nominal;
    return {start, start + nominal};
  }

  tpn::ProblemView view_;
  bool shares_;
  std::span<const BackgroundLoad> loads_;
  std::size_t next_ = 0;
  std::optional<Route> route_;
  std::map<std::pair<std::size_t, int>, Ticks> free_;
};

bool same_firing(const evaluators::Firing& a, const evaluators::Firing& b) {
  return a.operation == b.operation && a.start == b.start && a.end == b.end;
}

// The quick heuristics, and a short search.
AdaptationTerms random_adaptation(support::Draw& draw, const tpn::Model& model, std::uint64_t window) {
  AdaptationTerms terms;
  const auto all = heuristics::heuristics();
  do {
    terms.remapping.heuristic = &all[draw.index(all.size())];
  } while (!terms.remapping.heuristic->is_quick && terms.remapping.heuristic->name != "polish");
  if (!terms.remapping.heuristic->is_quick) terms.remapping.options = {{"moves", Rational(100)}};
  terms.remapping.model = model;
  terms.remapping.window = window;
  terms.monitor.keep = draw.count(1, 4);
  terms.monitor.threshold = draw.fraction(4, 4);
  terms.monitor.counts_under_way = draw.coin();
  terms.kind = draw.coin() ? SwitchKind::roll : SwitchKind::drain;
  terms.logs_all_times = draw.coin();
  return terms;
}

tpn::Document random_pipeline(support::Draw& draw, std::uint64_t seed) {
  constexpr support::Speeds kSpeeds[] = {support::Speeds::equal, support::Speeds::unequal, support::Speeds::none};
  constexpr support::Links kLinks[] = {support::Links::free, support::Links::equal, support::Links::unequal};
  return support::random_problem({.stages = draw.count(1, 6),
                                  .processors = draw.count(2, 8),
                                  .speeds = kSpeeds[draw.index(3)],
                                  .links = kLinks[draw.index(3)],
                                  .ends = draw.coin()},
                                 seed);
}

std::vector<BackgroundLoad> random_loads(support::Draw& draw, std::size_t processors, Ticks length) {
  std::vector<BackgroundLoad> loads;
  for (std::size_t i = draw.count(0, 4); i > 0; --i) {
    BackgroundLoad load{draw.index(processors), draw.fraction(20, 3), draw.between(0, length)};
    if (draw.coin()) load.until = load.from + draw.between(0, length / 2);
    loads.push_back(load);
  }
  return loads;
}

// What no run may break, however it adapts: its switches are in its log, and nothing is lost.
void check_kept(const Rehearsal& run, const KeptLog& log, std::uint64_t data_sets) {
  CHECK(run.results.size() == data_sets);
  std::vector<std::pair<std::uint64_t, tpn::Mapping>> switches;
  for (const TuningPoint& point : log.all<TuningPoint>()) {
    if (point.outcome == TuningOutcome::mapped) {
      if (!switches.empty() && switches.back().first == point.data_set) switches.pop_back();  // decided again
      switches.emplace_back(point.data_set, point.mapping);
    }
  }
  REQUIRE(run.mappings.size() == switches.size() + 1);
  for (std::size_t i = 0; i < switches.size(); ++i) {
    CHECK(run.mappings[i + 1].data_set == switches[i].first);
    CHECK(run.mappings[i + 1].mapping == switches[i].second);
    CHECK(switches[i].first > run.mappings[i].data_set);
    CHECK(switches[i].first < data_sets);
  }
}

// The data sets before which a run drained, whatever came of it.
std::set<std::uint64_t> drained_before(const KeptLog& log) {
  std::set<std::uint64_t> data_sets;
  for (const TuningPoint& point : log.all<TuningPoint>())
    if (point.kind == SwitchKind::drain) data_sets.insert(point.data_set);
  return data_sets;
}

struct FigureRun {
  Rehearsal run;
  KeptLog log;
};

// The paper's setting, with these loads in milliseconds.
std::unique_ptr<FigureRun> run_figure(const RunWay& way, std::vector<BackgroundLoad> loads,
                                      const EngineTerms& engine = {.anchor = Anchor::observed},
                                      const std::set<std::size_t>& gone = {},
                                      const TotalTimeSetting& setting = figure_setting()) {
  auto result = std::make_unique<FigureRun>();
  for (BackgroundLoad& load : loads) {
    load.from *= kTicks;
    if (load.until < 1'000'000) load.until *= kTicks;
  }
  auto adaptation = adaptation_of(setting, way);
  if (adaptation) adaptation->gone = gone;
  if (adaptation && engine.anchor == Anchor::logical) adaptation->monitor.counts_under_way = false;
  result->run = *rehearse(first_instance(setting, way), {.model = setting.model,
                                                         .engine = engine,
                                                         .coordination = {0, setting.data_sets, way.window},
                                                         .loads = std::move(loads),
                                                         .adaptation = adaptation,
                                                         .log = &result->log,
                                                         .ticks_per_unit = kTicks});
  return result;
}

RunWay way_of(const std::string& heuristic, std::uint64_t window, std::optional<SwitchKind> adapts) {
  return {"", heuristic, {}, window, adapts};
}

}  // namespace

TEST_CASE("runs that adapt lose nothing and do each operation when the recurrence over all mappings says") {
  std::size_t runs = 0;
  std::size_t switched = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(200); ++seed) {
    for (const tpn::Model& model : tpn::default_models()) {
      support::Draw draw(seed);
      const tpn::Document problem = random_pipeline(draw, seed);
      const std::uint64_t window = draw.count(1, 12);
      const std::uint64_t data_sets = draw.count(1, 80);
      const AdaptationTerms terms = random_adaptation(draw, model, window);
      const Remapping first = remap(problem, {}, nullptr, terms.remapping);
      if (!first.mapping) continue;
      tpn::Document instance = problem;
      instance.mapping = first.mapping;
      const double length = (first.predicted * Rational(data_sets) * Rational(kTicks)).to_double().value_or(0);
      const auto loads = random_loads(draw, problem.platform.processors.size(), static_cast<Ticks>(length));
      KeptLog log;
      const auto run = rehearse(instance, {.model = model,
                                           .engine = {draw.coin() ? Anchor::agreed : Anchor::logical},
                                           .coordination = {0, data_sets, window},
                                           .loads = loads,
                                           .adaptation = terms,
                                           .log = &log,
                                           .ticks_per_unit = Rational(kTicks)});
      INFO("seed " << seed << ", " << tpn::name_of(model) << ", " << terms.remapping.heuristic->name);
      REQUIRE(run.has_value());
      check_kept(*run, log, data_sets);
      ++runs;
      switched += run->mappings.size() - 1;
      const auto expected =
          Recurrence(instance, model, loads).run(run->mappings, data_sets, window, drained_before(log));
      REQUIRE(run->trace.size() == expected.size());
      CHECK(std::equal(run->trace.begin(), run->trace.end(), expected.begin(), same_firing));
    }
  }
  CHECK(runs > 20);
  CHECK(switched > 4);
}

TEST_CASE("the trigger names the loaded processor and the data set that it is slow on") {
  for (const int load : {1, 2, 3, 5}) {
    const auto figure = run_figure(way_of("calibrate", 10, SwitchKind::roll), {{4, load, 240}});
    const auto functions = figure->log.all<PerformanceFunction>();
    REQUIRE(functions.size() == 1);
    const MonitorFinding& finding = functions[0].finding;
    CHECK(finding.rule == heuristics::RemapRule::slower_than_the_worst);
    CHECK(finding.cause.processor == 4);
    CHECK(finding.cause.is_under_way);
    CHECK(finding.limit == 30 * kTicks);
    // The first computation of the fifth stage that takes more than 30.
    const auto slow = std::ranges::find_if(figure->run.trace, [](const evaluators::Firing& firing) {
      return firing.operation.column == 8 && firing.end - firing.start > 30;
    });
    REQUIRE(slow != figure->run.trace.end());
    CHECK(finding.cause.data_set == slow->operation.data_set);
    const auto points = figure->log.all<MeasurementPoint>();
    REQUIRE(points.size() == 1);
    CHECK(points[0].first_stage == 4);
    CHECK(points[0].last_stage == 4);
  }
}

TEST_CASE("with a logical clock three slow computations in a row call for a new mapping") {
  const auto figure = run_figure(way_of("calibrate", 10, SwitchKind::roll), {{4, 3, 240}}, {.anchor = Anchor::logical});
  const auto functions = figure->log.all<PerformanceFunction>();
  REQUIRE(functions.size() == 1);
  CHECK(functions[0].finding.cause.processor == 4);
  CHECK(!functions[0].finding.cause.is_under_way);
  CHECK(figure->run.mappings.size() == 2);
  for (const tpn::Part& part : figure->run.mappings[1].mapping) CHECK(part.processors != std::vector<std::size_t>{4});
}

TEST_CASE("a run that adapts is done sooner than one that does not, and one that rolls sooner than one that drains") {
  for (const int load : {1, 3, 5}) {
    const std::vector<BackgroundLoad> loads = {{4, load, 240}};
    for (const std::uint64_t window : {9U, 16U}) {
      const Rational still = run_figure(way_of("calibrate", window, {}), loads)->run.end;
      const Rational drained = run_figure(way_of("calibrate", window, SwitchKind::drain), loads)->run.end;
      const Rational rolled = run_figure(way_of("calibrate", window, SwitchKind::roll), loads)->run.end;
      CHECK(drained < still);
      CHECK(rolled < drained);
    }
  }
}

TEST_CASE("a run goes on adapting: each load on a processor in use moves its stage once more") {
  for (const SwitchKind kind : {SwitchKind::roll, SwitchKind::drain}) {
    const auto figure = run_figure(way_of("calibrate", 10, kind), {{4, 4, 240}, {5, 4, 1500}});
    REQUIRE(figure->run.mappings.size() == 3);
    CHECK(uses_any(figure->run.mappings[1].mapping, {5}));
    CHECK(!uses_any(figure->run.mappings[1].mapping, {4}));
    CHECK(!uses_any(figure->run.mappings[2].mapping, {4, 5}));
    const auto functions = figure->log.all<PerformanceFunction>();
    REQUIRE(functions.size() == 2);
    CHECK(functions[1].finding.cause.processor == 5);
  }
}

TEST_CASE("when the loads of all processors end, even the slowest is faster than the best was, and nothing changes") {
  std::vector<BackgroundLoad> loads;
  for (std::size_t p = 0; p < 10; ++p) loads.push_back({p, 3, 0, 2000});
  const auto figure = run_figure(way_of("calibrate", 10, SwitchKind::roll), loads);
  const auto functions = figure->log.all<PerformanceFunction>();
  REQUIRE(functions.size() == 1);
  CHECK(functions[0].finding.rule == heuristics::RemapRule::faster_than_the_best);
  const auto points = figure->log.all<TuningPoint>();
  REQUIRE(points.size() == 1);
  CHECK(points[0].outcome != TuningOutcome::mapped);
  CHECK(figure->run.mappings.size() == 1);
}

TEST_CASE("a processor that is loaded more after the switch than was known when it was made is left in the end") {
  // No processor to spare: each serves two stages of eight. The stages move when what was under way is over.
  TotalTimeSetting setting = figure_setting();
  setting.problem.platform.processors.resize(4);
  const auto figure = run_figure(way_of("calibrate", 6, SwitchKind::roll), {{1, 5, 300}}, {}, {}, setting);
  REQUIRE(figure->run.mappings.size() >= 2);
  CHECK(!uses_any(figure->run.mappings.back().mapping, {1}));
}

TEST_CASE("processors that are gone are in no new mapping") {
  const auto figure = run_figure(way_of("calibrate", 10, SwitchKind::roll), {{4, 5, 240}}, {}, {2, 8});
  const std::vector<MappingFrom>& mappings = figure->run.mappings;
  REQUIRE(mappings.size() >= 2);
  for (std::size_t i = 1; i < mappings.size(); ++i) CHECK(!uses_any(mappings[i].mapping, {2, 8}));
  CHECK(!uses_any(mappings.back().mapping, {4}));
}

TEST_CASE("a heuristic without a mapping leaves the run as it was, and says why") {
  const auto figure =
      run_figure(way_of("calibrate", 10, SwitchKind::roll), {{4, 5, 240}}, {}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(figure->run.mappings.size() == 1);
  CHECK(figure->run.results.size() == 128);
  const auto points = figure->log.all<TuningPoint>();
  REQUIRE(!points.empty());
  CHECK(points.size() <= 5);  // each time at 3/2 of what was known by then, up to 6
  CHECK(points[0].outcome == TuningOutcome::none);
  CHECK(points[0].reason == "no processor is left");
}

TEST_CASE("entries of the log say in words what was measured, why a mapping was asked for and what came of it") {
  const tpn::Document problem = figure_setting().problem;
  const ShownTime shown{kTicks, "ms"};
  const MeasuredTime measured{4, 4, 10, 81470, false};
  CHECK(text_of({0, MeasurementPoint{measured, 4, 4}}, problem, shown) ==
        "measurement point  w: s4 on p4 81.47 ms (data set 10)");
  CHECK(text_of({0, PerformanceFunction{"calibrate", {.time = 81470, .limit = 31320, .cause = measured}}}, problem,
                shown) ==
        "performance function  calibrate (exact period): slower_than_the_worst, 81.47 ms per data set on p4, limit "
        "31.32 ms");
  TuningPoint point;
  point.outcome = TuningOutcome::mapped;
  point.mapping = {{0, 6, {0}}, {7, 7, {1, 2}}};
  point.data_set = 20;
  point.predicted = 21200;
  CHECK(text_of({0, point}, problem, shown) ==
        "tuning point  mapping, from data set 20 on (roll); predicted 21.2 ms: s0..s6 on p0; s7 on p1 p2");
  point.mapping[1].processors.assign(1000, 1);
  CHECK(text_of({0, point}, problem, shown)
            .ends_with("s7 on p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 p1 "
                       "p1 ... (1000 turns)"));
  point.outcome = TuningOutcome::no_better;
  point.as_it_was = 20000;
  CHECK(text_of({0, point}, problem, shown) ==
        "tuning point  none: another mapping is no faster; predicted 21.2 ms, as it was 20 ms");
  point.outcome = TuningOutcome::same;
  CHECK(text_of({0, point}, problem, shown) == "tuning point  none: the same mapping again; predicted 21.2 ms");
  point.outcome = TuningOutcome::none;
  point.reason = "no\nreason";
  CHECK(text_of({0, point}, problem, shown) == "tuning point  none: no mapping was found: no\\u000areason");
}

}  // namespace takt::live

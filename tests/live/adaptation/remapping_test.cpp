// Tests of what is believed of a problem, and of mappings without processors that are gone.
#include "live/adaptation/remapping.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "heuristics/registry.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/typed_documents.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/timing.hpp"
#include "tpn/validate.hpp"
#include "tpn/writer.hpp"

namespace takt::live {

namespace {

// Every other one with types of processors.
tpn::Document some_document(support::Kind kind, std::uint64_t seed) {
  tpn::Document document = support::random_document(kind, seed);
  return seed % 2 == 0 ? document : support::with_random_types(document, seed);
}

}  // namespace

TEST_CASE("in a believed problem each processor takes its ratio times as long, and transfers what they took") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const support::Kind kind : support::kKinds) {
      const tpn::Document problem = some_document(kind, seed);
      support::Draw draw(seed);
      std::vector<Rational> ratios;
      for (std::size_t p = 0; p < problem.platform.processors.size(); ++p) {
        ratios.push_back(draw.whole(1, 4) == 1 ? Rational(1) : Rational::fraction(draw.whole(1, 9000), 1000));
      }
      tpn::Document believed = believed_problem(problem, ratios);
      CHECK(!believed.mapping);
      tpn::validate(believed);
      const tpn::Timing before(problem);
      const tpn::Timing after(believed);
      for (const tpn::Part& part : *problem.mapping) {
        for (const std::size_t p : part.processors) {
          CHECK(after.computation(part.first_stage, part.last_stage, p) ==
                before.computation(part.first_stage, part.last_stage, p) * ratios[p]);
        }
      }
      CHECK(believed.platform.links == problem.platform.links);
      CHECK(believed.platform.type_links == problem.platform.type_links);
      tpn::Document again = tpn::read_document(tpn::write_document(believed), "believed");
      for (auto* document : {&again, &believed})
        for (tpn::Stage& stage : document->application.stages)
          std::ranges::sort(stage.times, {}, &tpn::StageTime::processor);
      CHECK(again == believed);
    }
  }
}

TEST_CASE("ratios are rounded to thousandths and are at least one of them") {
  const tpn::Document problem = support::free_problem({7}, {}, {1, 1, 1, 1});
  const tpn::Document believed = believed_problem(
      problem, std::vector<Rational>{Rational::fraction(12344, 10000), Rational::fraction(12345, 10000), 0, 3});
  const tpn::Timing timing(believed);
  CHECK(timing.computation(0, 0, 0) == 7 * Rational::fraction(1234, 1000));
  CHECK(timing.computation(0, 0, 1) == 7 * Rational::fraction(1235, 1000));
  CHECK(timing.computation(0, 0, 2) == Rational::fraction(7, 1000));
  CHECK(timing.computation(0, 0, 3) == 21);
  tpn::Document fixed = problem;
  fixed.application.stages[0].times = {{1, 4, false, 6}};
  const tpn::Document slower = believed_problem(fixed, std::vector<Rational>{1, 2, 1, 1});
  CHECK(tpn::Timing(slower).computation(0, 0, 1, 3) == 36);
}

TEST_CASE("without some processors the others take for everything what they took") {
  std::size_t seen = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const support::Kind kind : support::kKinds) {
      tpn::Document problem = some_document(kind, seed);
      support::Draw draw(seed);
      std::set<std::size_t> gone;
      for (std::size_t p = 0; p < problem.platform.processors.size(); ++p)
        if (draw.one_in(3)) gone.insert(p);
      std::vector<std::size_t> kept;
      const tpn::Document left = without_processors(problem, gone, kept);
      REQUIRE(kept.size() + gone.size() == problem.platform.processors.size());
      if (kept.empty()) continue;
      tpn::validate(left);
      CHECK(tpn::read_document(tpn::write_document(left), "left") == left);
      const tpn::Timing before(problem);
      const tpn::Timing after(left);
      for (std::size_t a = 0; a < kept.size(); ++a) {
        CHECK(!gone.contains(kept[a]));
        CHECK(left.platform.processors[a] == problem.platform.processors[kept[a]]);
        CHECK(after.processor(a) == before.processor(kept[a]));
        if (left.platform.source) CHECK(after.source_link(a) == before.source_link(kept[a]));
        if (left.platform.sink) CHECK(after.sink_link(a) == before.sink_link(kept[a]));
        for (std::size_t k = 0; k < problem.application.stages.size(); ++k) {
          if (!problem.application.stages[k].work) continue;
          CHECK(after.stage_time(k, a) == before.stage_time(k, kept[a]));
        }
        for (std::size_t b = 0; b < kept.size(); ++b) {
          if (a != b) CHECK(after.link(a, b) == before.link(kept[a], kept[b]));
        }
        ++seen;
      }
    }
  }
  CHECK(seen > 100);
}

TEST_CASE("every heuristic's remapping keeps to the processors that are left, and predicts the exact period") {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const tpn::Document problem = support::random_problem({.stages = 4, .processors = 6}, seed);
    const std::set<std::size_t> gone = {seed % 6, (seed * 5 + 1) % 6};
    for (const heuristics::Heuristic& heuristic : heuristics::heuristics()) {
      if (!heuristic.is_quick) continue;
      RemappingTerms terms{.heuristic = &heuristic, .options = {}, .model = tpn::Model::kStrict, .time_limit = {}};
      terms.window = seed % 2 * 5;
      const Remapping remapping = remap(problem, gone, nullptr, terms);
      INFO("seed " << seed << ", " << heuristic.name << ": " << remapping.reason);
      CHECK(remapping.mapping.has_value() == remapping.reason.empty());
      if (!remapping.mapping) continue;
      tpn::validate_mapping(problem, *remapping.mapping);
      CHECK(!uses_any(*remapping.mapping, gone));
      CHECK(remapping.predicted == *period_of(problem, *remapping.mapping, terms));
      if (terms.window == 0) {
        tpn::Document instance = problem;
        instance.mapping = remapping.mapping;
        CHECK(remapping.predicted ==
              evaluators::evaluate(std::get<tpn::FoldedNet>(tpn::fold(instance, terms.model))).lower);
      }
      ++found;
    }
  }
  CHECK(found > 40);
}

TEST_CASE("there is no mapping without processors, nor one that a heuristic is not made for") {
  const tpn::Document problem = support::free_problem({1, 2, 3}, {}, {1, 1});
  RemappingTerms terms{.heuristic = heuristics::find_heuristic("calibrate"), .options = {}, .time_limit = {}};
  CHECK(remap(problem, {0, 1}, nullptr, terms).reason == "no processor is left");
  tpn::Document without_work = problem;
  without_work.application.stages[1].work.reset();
  const Remapping remapping = remap(without_work, {}, nullptr, terms);
  CHECK(!remapping.mapping);
  CHECK(remapping.reason.find("/application/stages/1") != std::string::npos);
}

}  // namespace takt::live

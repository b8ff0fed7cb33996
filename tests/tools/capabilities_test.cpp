// Every row of every table that takes documents is given a problem that forks and one whose processors share ports,
// both beyond what a document can say: each refuses with the reason.
#include "tpn/capabilities.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "experiments/descriptions/description.hpp"
#include "heuristics/registry.hpp"
#include "heuristics/typed/named_plan.hpp"
#include "live/rehearsal/rehearsal.hpp"
#include "plan/catalogue.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/typed_documents.hpp"
#include "tools/experiment/builtin.hpp"
#include "tpn/errors.hpp"
#include "tpn/folded_net.hpp"

namespace takt {
namespace {

// What a document is made into, and what its refusal says.
struct Beyond {
  tpn::Document (*made_of)(tpn::Document document);
  std::string expected;
};

tpn::Document joining(tpn::Document document) {
  document.application.stages.back().after = std::vector<std::size_t>{};
  return document;
}

tpn::Document sharing(tpn::Document document) {
  for (std::size_t u = 0; u < 2; ++u) document.platform.processors.at(u).host = "rack";
  return document;
}

tpn::Document in_rounds(tpn::Document document) {
  document.transfers = {{0, 1, 2}};
  return document;
}

tpn::Document from_two_sources(tpn::Document document) {
  document.application.input = 1;
  document.platform.source.emplace();
  document.platform.source->named.resize(2);
  document.platform.source->named[0].name = "door";
  document.platform.source->named[1].name = "yard";
  return document;
}

tpn::Document over_uplink(tpn::Document document) {
  tpn::NetworkSegment& uplink = document.platform.segments.emplace_back();
  uplink.name = "uplink";
  for (std::size_t set = 0; set < 2; ++set) uplink.between[set] = {document.platform.processors.at(set).name};
  return document;
}

const std::vector<Beyond>& beyond() {
  static const std::vector<Beyond> kBeyond = {
      {joining, "whose files do not come from the stage before it alone, expected chains"},
      {sharing, "which share the ports of host \"rack\", expected processors that share no resource"}};
  return kBeyond;
}

template <typename Ask>
void check_refused(const tpn::Document& document, Ask ask) {
  for (const Beyond& one : beyond()) {
    try {
      ask(one.made_of(document));
      FAIL_CHECK("not refused: " << one.expected);
    } catch (const tpn::InvalidInstance& refused) {
      CHECK_THAT(refused.detail, Catch::EndsWith(one.expected));
    }
  }
}

TEST_CASE("every heuristic refuses workflows and shared ports unless it takes them, with the reason") {
  const tpn::Document problem = support::random_problem({.stages = 4, .processors = 6}, 3);
  for (const heuristics::Heuristic& heuristic : heuristics::heuristics()) {
    CAPTURE(heuristic.name);
    const auto reason = [&](const tpn::Document& asked) {
      return std::get<heuristics::Infeasible>(heuristics::solve(heuristic, asked).result).reason;
    };
    if (!heuristic.takes.rates) {
      tpn::Document several = problem;
      several.application.stages[1].produces = 2;
      CHECK_THAT(reason(several), Catch::StartsWith("it takes only stages with one file per firing: found stage "));
    }
    if (!heuristic.takes.workflows)  // tests/heuristics/workflow_test.cpp
      CHECK_THAT(reason(joining(problem)), Catch::StartsWith("it takes only chains: found stage "));
    CHECK(reason(in_rounds(problem)) == "it takes only transfers without \"ahead\": found a transfer that is 2 ahead");
    if (!heuristic.takes.several_ends)  // tests/heuristics/named_ends_test.cpp
      CHECK(reason(from_two_sources(problem)) == "it takes only one source and one sink: found 2 sources by name");
    if (!heuristic.takes.segments)  // tests/heuristics/segments_test.cpp
      CHECK(reason(over_uplink(problem)) ==
            "it takes only platforms without \"segments\": found the segment \"uplink\"");
    if (heuristic.takes.shared_resources) continue;  // tests/heuristics/hosts_test.cpp
    CHECK_THAT(reason(sharing(problem)), Catch::StartsWith("it takes only processors that share no resource: found "));
    tpn::Document several = problem;
    several.platform.processors[1].ports = 2;
    CHECK_THAT(reason(several),
               Catch::StartsWith("it takes only ports that pass one file at a time: found 2 ports of "));
  }
}

TEST_CASE("runs whose turns change refuse workflows and shared ports, plans workflows") {
  const tpn::Document instance = support::random_document(support::Kind::intervals, 5);
  live::RehearsalTerms first_free;
  first_free.engine.turns = live::TurnOrder::first_free;
  live::RehearsalTerms adaptive;
  adaptive.adaptation = live::AdaptationTerms{};
  live::RehearsalTerms short_run;
  short_run.coordination.data_sets = 5;
  check_refused(instance, [&](const tpn::Document& d) { live::rehearse(d, first_free); });
  check_refused(instance, [&](const tpn::Document& d) { live::rehearse(d, adaptive); });
  const auto not_ahead = Catch::EndsWith("found a transfer that is 2 ahead, expected transfers without \"ahead\"");
  CHECK_NOTHROW(live::rehearse(in_rounds(instance), short_run));
  CHECK_THROWS_WITH(live::rehearse(in_rounds(instance), adaptive), not_ahead);
  CHECK_THROWS_WITH(evaluators::MappingEvaluator(in_rounds(instance)), not_ahead);
  CHECK_NOTHROW(tpn::fold(in_rounds(instance), tpn::Model::kStrict));
  const auto several = Catch::EndsWith("found 2 sources by name, expected one source and one sink");
  CHECK_NOTHROW(live::rehearse(from_two_sources(instance), short_run));
  CHECK_THROWS_WITH(live::rehearse(from_two_sources(instance), first_free), several);
  CHECK_NOTHROW(evaluators::MappingEvaluator(from_two_sources(instance)));
  const auto segment = Catch::EndsWith("found the segment \"uplink\", expected platforms without \"segments\"");
  CHECK_NOTHROW(live::rehearse(over_uplink(instance), short_run));
  for (const live::RehearsalTerms& changing : {first_free, adaptive})
    CHECK_THROWS_WITH(live::rehearse(over_uplink(instance), changing), segment);
  CHECK_NOTHROW(evaluators::MappingEvaluator(over_uplink(instance)));
  CHECK_THROWS_WITH(plan::catalogue_of(support::with_random_types(over_uplink(instance), 1)), segment);
  const tpn::Document segmented = over_uplink(instance);
  const tpn::ProblemView view(segmented);
  CHECK_NOTHROW(
      heuristics::cheapest_on_platform(view, {.model = tpn::Model::kStrict, .period = 1, .restarts = 1, .moves = 100}));
  tpn::Document unlike = support::with_random_types(from_two_sources(instance), 1);
  CHECK_NOTHROW(plan::catalogue_of(unlike));
  unlike.platform.source->named[1].ports = 2;
  CHECK_THROWS_WITH(plan::catalogue_of(unlike),
                    Catch::EndsWith("found \"yard\", whose links or ports are not those of \"door\", expected sources "
                                    "that are equal, and sinks that are equal"));
  const auto planned = [](const tpn::Document& d) { plan::catalogue_of(support::with_random_types(d, 1)); };
  CHECK_THROWS_WITH(planned(joining(instance)), Catch::EndsWith(beyond().front().expected));
  CHECK_NOTHROW(planned(sharing(instance)));
  for (const auto made_of : {joining, sharing}) {
    CHECK_NOTHROW(live::rehearse(made_of(instance), short_run));
    CHECK_NOTHROW(tpn::fold(made_of(instance), tpn::Model::kStrict));
    CHECK_NOTHROW(evaluators::MappingEvaluator(made_of(instance)));
  }
}

// The generator of a description, its draws made into another document.
const experiments::Generator* made_generator = nullptr;
const Beyond* made_into = nullptr;

tpn::Document draw_beyond(const experiments::Arguments& arguments, const experiments::DrawKey& key) {
  return made_into->made_of(made_generator->draw(arguments, key));
}

TEST_CASE("every study refuses draws that fork, and ports that are shared, unless it takes them, with the reason") {
  std::set<std::string_view> studies;
  for (const auto& builtin : tools::builtin_descriptions()) {
    experiments::Description description = experiments::read_description(builtin.text, "builtin");
    if (!studies.insert(description.study->name).second) continue;
    made_generator = description.generator;
    experiments::Generator changed = *made_generator;
    changed.draw = draw_beyond;
    changed.table_filler = nullptr;
    experiments::ExperimentCell cell = description.cells.front();
    experiments::Arguments arguments(changed);
    for (const auto& parameter : changed.parameters)
      arguments.set(parameter.name, cell.arguments.value(parameter.name));
    cell.arguments = arguments;
    description.generator = &changed;
    for (const Beyond& one : beyond()) {
      if (one.made_of == sharing && description.study->takes.shared_resources) continue;
      if (one.made_of == joining && description.study->takes.workflows) continue;
      CAPTURE(description.study->name, one.expected);
      made_into = &one;
      const auto study = description.study->prepare(description, cell);
      experiments::DrawResult result(study->series().size());
      try {
        study->run({}, {}, result);
        FAIL_CHECK("not refused");
      } catch (const tpn::InvalidInstance& refused) {
        CHECK_THAT(refused.detail, Catch::EndsWith(one.expected));
      }
    }
  }
  CHECK(studies.size() == experiments::study_kinds().size());
}

TEST_CASE("capabilities say what else of a document is not taken") {
  tpn::Document document = support::random_document(support::Kind::intervals, 5);
  CHECK(tpn::why_refused({}, document) == std::nullopt);
  CHECK(tpn::why_refused(tpn::kEveryNet, sharing(joining(document))) == std::nullopt);
  document.application.stages.back().consumes = 2;
  CHECK_THAT(tpn::why_refused({.rates = false}, document).value(),
             Catch::StartsWith("it takes only stages with one file per firing: found stage "));
  document.mapping->front().processors.push_back(document.mapping->front().processors.front());
  CHECK_THAT(tpn::why_refused({.repeated_processors = false, .rates = true}, document).value(),
             Catch::StartsWith("it takes only mappings with each processor once: found "));
  document.platform.sink = tpn::Endpoint{};
  CHECK(tpn::why_refused({.ends = false}, document) == "it takes only pipelines without source and sink: found a sink");
}

}  // namespace
}  // namespace takt

// What must hold of every period, whatever the numbers.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "evaluators/bounds.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"

namespace takt {
namespace {

using maxplus::Rational;

const support::DocumentDraws kDraws{60, 1000};

Rational period(const tpn::Document& document, tpn::Model model) {
  return support::period_of(support::net_of(document, model));
}

template <typename Change>
void change_times(tpn::Document& document, Change change) {
  const auto change_link = [&](tpn::LinkTiming& timing) {
    if (timing.time) change(*timing.time);
    if (timing.latency) change(*timing.latency);
  };
  for (auto& stage : document.application.stages) {
    for (auto& own : stage.times) change(own.time);
  }
  for (auto& processor : document.platform.processors) {
    if (processor.time) change(*processor.time);
  }
  change_link(document.platform.defaults);
  for (auto& link : document.platform.links) change_link(link.timing);
  for (auto& link : document.platform.type_links) change_link(link.timing);
  for (auto* end : {&document.platform.source, &document.platform.sink}) {
    if (!*end) continue;
    change_link((*end)->timing);
    for (auto& link : (*end)->links) change_link(link.timing);
  }
}

TEST_CASE("scaling every time scales the period") {
  support::for_each_document(kDraws, [](tpn::Document document) {
    const Rational factor = Rational::fraction(7, 3);
    std::vector<Rational> before;
    for (const tpn::Model& model : support::all_models()) before.push_back(period(document, model));
    change_times(document, [&](Rational& time) { time *= factor; });
    for (auto& stage : document.application.stages) {
      if (stage.work) *stage.work *= factor;
      *stage.output *= factor;
    }
    if (document.application.input) *document.application.input *= factor;
    std::vector<Rational> after;
    for (const tpn::Model& model : support::all_models()) after.push_back(period(document, model) / factor);
    REQUIRE(after == before);
  });
}

TEST_CASE("rotating every sequence alike changes nothing") {
  support::for_each_document(kDraws, [](tpn::Document document) {
    // Data set j + 1 takes the place of data set j: every sequence moves on by one.
    const tpn::Document original = document;
    for (auto& part : *document.mapping) {
      std::rotate(part.processors.begin(), part.processors.begin() + 1, part.processors.end());
    }
    for (const tpn::Model& model : tpn::default_models()) {
      REQUIRE(period(document, model) == period(original, model));
    }
  });
}

TEST_CASE("OVERLAP is never slower than STRICT") {
  support::for_each_document(kDraws, [](const tpn::Document& document) {
    REQUIRE(period(document, tpn::Model::kOverlap) <= period(document, tpn::Model::kStrict));
  });
}

TEST_CASE("the largest cycle time is a lower bound, attained without replication and shared processors") {
  std::size_t attained = 0;
  support::for_each_net(kDraws, tpn::default_models(), [&](const tpn::FoldedNet& net, const tpn::Document& document) {
    std::set<std::size_t> processors;
    std::size_t entries = 0;
    bool single = true;
    for (const auto& part : *document.mapping) {
      single = single && part.processors.size() == 1;
      processors.insert(part.processors.begin(), part.processors.end());
      entries += part.processors.size();
    }
    const Rational& bound = evaluators::largest_cycle_time(net);
    REQUIRE(bound <= support::period_of(net));
    if (!single || processors.size() != entries) return;
    REQUIRE(bound == support::period_of(net));
    ++attained;
  });
  REQUIRE(attained > 20);
}

TEST_CASE("a slower resource never helps") {
  support::for_each_document(kDraws, [](const tpn::Document& document) {
    std::size_t number = 0;
    tpn::Document slower = document;
    change_times(slower, [&](Rational& time) {
      if (number++ % 3 == 0) time += Rational::fraction(5, 2);
    });
    for (auto& processor : slower.platform.processors) {
      if (processor.speed) *processor.speed /= Rational(2);
    }
    for (const tpn::Model& model : tpn::default_models()) {
      REQUIRE(period(document, model) <= period(slower, model));
    }
  });
}

TEST_CASE("cycle times are the averages of what a resource does over all rows") {
  support::for_each_net(kDraws, tpn::default_models(), [](const tpn::FoldedNet& net) {
    for (const tpn::Resource& resource : net.resources)
      REQUIRE(resource.cycle_time == support::plain_cycle_time(net, resource));
  });
}

}  // namespace
}  // namespace takt

// Mappings of the longest ticks, many at a time: where sums of them reach the edges of 64 bits, the answers are right.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tpn/tick_times.hpp"

namespace takt {
namespace {

using evaluators::MappingEvaluator;
using maxplus::Rational;
using support::Draw;
using tpn::Model;
using tpn::TickTimes;

// Times of a mapping's operations by part, first processor and second one.
using TickTime = std::int64_t (*)(std::size_t part, std::size_t from, std::size_t to);

std::int64_t longest_ticks(std::size_t, std::size_t, std::size_t) { return TickTimes::kMostTicks; }

// Nearly as long, no two alike.
std::int64_t nearly_longest(std::size_t part, std::size_t from, std::size_t to) {
  Draw draw(part * 1'000'000 + from * 1000 + to);
  return TickTimes::kMostTicks - draw.between(0, TickTimes::kMostTicks / 8);
}

tpn::Document of_lengths(const std::vector<std::size_t>& lengths, TickTime time) {
  return support::replicated_document(
      lengths, [&](std::size_t part, std::size_t from, std::size_t to) { return Rational(time(part, from, to)); });
}

// The first of its two processors as often as said, then the second, in the first part.
tpn::Document with_turns(tpn::Document document, std::size_t turns) {
  auto& processors = document.mapping->front().processors;
  processors.insert(processors.begin(), turns - 1, processors.front());
  return document;
}

void require_same(const tpn::Document& document, Model model, std::uint64_t operations = 4'000'000) {
  const tpn::FoldedNet net = support::net_of(document, model);
  const Rational period = support::period_of(net);
  evaluators::MappingLimits limits;
  limits.operations = operations;
  MappingEvaluator evaluator(document, limits);
  const auto is_right = [&](const evaluators::MappingEvaluation& answer) {
    CHECK(answer.lower.rational() <= period);
    CHECK((answer.upper && answer.upper->rational() >= period));
    if (operations > 1'000'000) CHECK(answer.answer == evaluators::MappingAnswer::exact);
  };
  is_right(evaluator.evaluate(*document.mapping, model));
  is_right(evaluator.evaluate(*document.mapping, model, {period * 2, evaluators::CutoffAt::above}));
  const auto longest = evaluator.largest_cycle_time(*document.mapping, model);
  REQUIRE(longest);
  CHECK(longest->rational() == evaluators::largest_cycle_time(net));
}

TEST_CASE("sums of a processor's turns reach 62, 63 and 64 bits") {
  for (const std::size_t turns : {4095U, 4096U, 8191U, 8192U, 16'383U, 16'384U}) {
    INFO(turns << " turns");
    for (const Model model : {Model::kOverlap, Model::kStrict})
      require_same(with_turns(of_lengths({2}, longest_ticks), turns), model);
  }
}

TEST_CASE("a column of transfers each of which has the longest ticks is searched rightly") {
  const auto time = [](std::size_t part, std::size_t from, std::size_t to) {
    return from == to ? std::int64_t{1} : nearly_longest(part, from, to);
  };
  for (const std::size_t senders : {31U, 63U, 64U, 90U, 91U, 127U}) {
    INFO(senders << " senders");
    require_same(of_lengths({senders, senders + 1}, time), Model::kOverlap);
  }
}

TEST_CASE("a column is searched rightly from another part's cycle time over a length of its own") {
  for (const std::size_t turns : {130U, 1092U, 4092U}) {
    INFO(turns << " turns");
    const auto time = [](std::size_t part, std::size_t from, std::size_t to) {
      return part == 0 && from != to ? std::int64_t{1} : TickTimes::kMostTicks;
    };
    require_same(with_turns(of_lengths({2, 5, 6}, time), turns), Model::kOverlap);
  }
}

TEST_CASE("rows upon rows of the longest ticks are played rightly") {
  const std::vector<std::vector<std::size_t>> several = {{2, 3}, {3, 4, 5}, {5, 7, 8}, {11, 13, 16}, {5, 7, 8, 9}};
  for (const std::vector<std::size_t>& lengths : several) {
    INFO(lengths.front() << " to " << lengths.back());
    const tpn::Document document = of_lengths(lengths, nearly_longest);
    require_same(document, Model::kStrict);
    tpn::Document shared = support::complete_problem(lengths.size(), 4, 1, 1, 1);
    for (tpn::Processor& processor : shared.platform.processors) processor.time = TickTimes::kMostTicks;
    for (tpn::Link& link : shared.platform.links) link.timing.time = nearly_longest(0, link.from, link.to);
    shared.mapping.emplace();
    Draw draw(lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      tpn::Part part{i, i, {}};
      while (part.processors.size() < lengths[i]) part.processors.push_back(draw.index(4));
      shared.mapping->push_back(std::move(part));
    }
    for (const Model model : {Model::kOverlap, Model::kStrict}) require_same(shared, model);
  }
}

TEST_CASE("bounds without rows are true where sums reach the edges of 64 bits") {
  for (const std::size_t turns : {2047U, 4096U, 8191U, 8192U, 16'383U}) {
    INFO(turns << " turns");
    const auto time = [](std::size_t, std::size_t from, std::size_t to) {
      return from != to ? std::int64_t{1} : TickTimes::kMostTicks;
    };
    require_same(with_turns(of_lengths({2, 1}, time), turns), Model::kStrict, turns + 1);
  }
}

}  // namespace
}  // namespace takt

// Minimal periods against the definition, data set by data set.
#include "tpn/column_period.hpp"

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tpn/folded_net.hpp"

namespace takt::tpn {

namespace {

std::size_t below(boost::random::mt19937_64& engine, std::size_t bound) {
  return boost::random::uniform_int_distribution<std::size_t>(0, bound - 1)(engine);
}

std::uint64_t period_by_definition(const Column& column, std::uint64_t meetings) {
  for (std::uint64_t t = 1;; ++t) {
    if (meetings % t != 0) continue;
    bool repeats = true;
    for (std::uint64_t j = 0; repeats && j < meetings; ++j) repeats = column.duration(j) == column.duration(j + t);
    if (repeats) return t;
  }
}

// Sequences of few processors with patterns of their own, few speeds and few bandwidths.
Document few_times(boost::random::mt19937_64& engine) {
  Document document;
  const std::size_t stages = 2 + below(engine, 2);
  for (std::size_t k = 0; k < stages; ++k) {
    Stage stage;
    stage.name = "S" + std::to_string(k);
    stage.work = 1;
    stage.output = 1;
    document.application.stages.push_back(stage);
  }
  document.mapping.emplace();
  for (std::size_t k = 0; k < stages; ++k) {
    Part part;
    part.first_stage = part.last_stage = k;
    const std::size_t first = document.platform.processors.size();
    const std::size_t own = 1 + below(engine, 6);
    for (std::size_t p = 0; p < own; ++p) {
      Processor processor;
      processor.name = "P" + std::to_string(first + p);
      processor.time = Rational(1 + below(engine, 2));
      document.platform.processors.push_back(processor);
      part.processors.push_back(first + p);
    }
    // Turns: some more of the processors, then all of it again and again.
    for (std::size_t extra = below(engine, 3); extra > 0; --extra) {
      part.processors.push_back(first + below(engine, own));
    }
    const std::vector<std::size_t> once = part.processors;
    for (std::size_t again = below(engine, 3); again > 0; --again) {
      part.processors.insert(part.processors.end(), once.begin(), once.end());
    }
    document.mapping->push_back(part);
  }
  document.platform.defaults.time = 1;
  for (std::size_t k = below(engine, 3); k > 0; --k) {
    Link link;
    link.from = document.mapping->front().processors.front();
    link.to = document.mapping->at(1).processors[below(engine, document.mapping->at(1).processors.size())];
    link.timing.time = Rational(2);
    bool is_new = true;
    for (const Link& other : document.platform.links) is_new = is_new && other.to != link.to;
    if (is_new) document.platform.links.push_back(link);
  }
  return document;
}

}  // namespace

TEST_CASE("the period of a column is the least after which its durations repeat") {
  boost::random::mt19937_64 engine(1);
  std::size_t shorter = 0;
  std::size_t between = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto made = make_pipeline(few_times(engine));
    for (const Column& column : std::get<Pipeline>(made).columns) {
      const std::uint64_t meetings = meeting_period(column);
      REQUIRE(column.period == period_by_definition(column, meetings));
      shorter += column.period < meetings ? 1 : 0;
      between += column.period > 1 && column.period < meetings ? 1 : 0;
    }
  }
  REQUIRE(shorter > 1000);
  REQUIRE(between > 500);
}

TEST_CASE("periods do not depend on the width of the durations") {
  Column column;
  column.receiver_offset = {0};
  column.sender_offset = {0, 1, 2, 3, 4, 5};
  const Integer wide = Integer(1) << 100;
  column.table = DurationTable(std::vector<Integer>{wide, wide + 1, 7, wide, wide + 1, 7});
  REQUIRE(minimal_period(column) == 3);
  column.table = DurationTable(std::vector<Integer>{wide, wide + 1, wide, wide + 1, wide, wide + 1});
  REQUIRE(minimal_period(column) == 2);
  column.table = DurationTable(std::vector<Integer>{wide, wide, wide, wide, wide, wide + 1});
  REQUIRE(minimal_period(column) == 6);
}

}  // namespace takt::tpn

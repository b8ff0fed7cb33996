// replicated-mapping: how processors are shared out, what has a time of its own, ranges of times and of speeds.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/experiments/drawn.hpp"
#include "tpn/hosts.hpp"
#include "tpn/validate.hpp"

namespace takt::experiments {

namespace {

std::map<std::vector<std::size_t>, int> replications(const char* how, std::uint64_t draws) {
  const Arguments arguments =
      arguments_of("replicated-mapping", {{"stages", "2"}, {"processors", "4"}, {"replication", how}});
  std::map<std::vector<std::size_t>, int> counts;
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    std::vector<std::size_t> replicas;
    const tpn::Document document = drawn(arguments, draw);
    for (const tpn::Part& part : *document.mapping) replicas.push_back(part.processors.size());
    ++counts[replicas];
  }
  return counts;
}

// The transfer times of one draw, in rows by sender; 0 if there is no link.
std::vector<std::vector<Rational>> transfers(const char* network) {
  const Arguments arguments = arguments_of(
      "replicated-mapping",
      {{"stages", "2"}, {"processors", "12"}, {"network", network}, {"transfer", "1..1000000"}, {"computation", "3"}});
  const tpn::Document document = drawn(arguments, 2);
  std::vector<std::vector<Rational>> times(12, std::vector<Rational>(12));
  for (const tpn::Link& link : document.platform.links) times[link.from][link.to] = *link.timing.time;
  return times;
}

std::set<std::string> distinct(const std::vector<Rational>& times) {
  std::set<std::string> found;
  for (const Rational& time : times) {
    if (time.sign() > 0) found.insert(time.to_string());
  }
  return found;
}

}  // namespace

TEST_CASE("processors are dealt, or a composition, or shared out stage after stage") {
  using Counts = std::vector<std::size_t>;
  auto dealt = replications("dealt", 2000);  // two further processors: 1/4, 1/2, 1/4
  CHECK(dealt.size() == 3);
  CHECK(std::abs(dealt[Counts{2, 2}] - 1000) < 90);
  CHECK(std::abs(dealt[Counts{1, 3}] - 500) < 78);
  for (const char* how : {"composition", "sequential"}) {  // with two stages the same: 1/3 each
    auto counts = replications(how, 2000);
    CHECK(counts.size() == 3);
    for (const auto& [replicas, count] : counts) CHECK(std::abs(count - 667) < 85);
  }
}

TEST_CASE("a network says what has a transfer time of its own") {
  std::set<std::string> of_all;
  std::size_t links = 0;
  for (const auto& row : transfers("sender")) {
    CHECK(distinct(row).size() <= 1);
    links += distinct(row).size();
    of_all.merge(distinct(row));
  }
  CHECK(of_all.size() == links);
  CHECK(links > 1);
  std::set<std::string> of_stage;
  for (const auto& row : transfers("stage")) of_stage.merge(distinct(row));
  CHECK(of_stage.size() == 1);
  std::size_t pairs = 0;
  std::set<std::string> of_pairs;
  for (const auto& row : transfers("pair")) {
    pairs += static_cast<std::size_t>(std::ranges::count_if(row, [](const Rational& t) { return t.sign() > 0; }));
    of_pairs.merge(distinct(row));
  }
  CHECK(of_pairs.size() >= pairs - 1);  // two of a million may be equal
  CHECK(pairs >= 11);
  // The larger of two own times: at most as many different ones as processors.
  std::set<std::string> of_star;
  for (const auto& row : transfers("star")) of_star.merge(distinct(row));
  CHECK(of_star.size() <= 12);
  CHECK(of_star.size() > 1);
}

TEST_CASE("times fill their range, and are the inverses of speeds where the ranges hold these") {
  std::set<std::string> times;
  std::set<std::string> inverses;
  const Arguments speeds = arguments_of("replicated-mapping", {{"values", "speeds"}});
  for (std::uint64_t draw = 0; draw < 30; ++draw) {
    for (const tpn::Processor& p : drawn(arguments_of("replicated-mapping"), draw).platform.processors) {
      times.insert(p.time->to_string());
    }
    for (const tpn::Processor& p : drawn(speeds, draw).platform.processors) {
      inverses.insert((Rational(1) / *p.time).to_string());
    }
  }
  const std::set<std::string> expected = {"5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"};
  CHECK(times == expected);
  CHECK(inverses == expected);
}

TEST_CASE("machines have cores that are drawn, share ports, and are dealt in turn") {
  const Said said = {{"stages", "3"}, {"processors", "7"}, {"transfer", "1..1000000"}};
  Said with_cores = said;
  with_cores.insert(with_cores.end(), {{"cores", "2..4"}, {"ports", "3"}});
  const Arguments arguments = arguments_of("replicated-mapping", with_cores);
  CHECK(arguments.generator().table_filler(arguments) == nullptr);
  std::set<std::size_t> counts;
  for (std::uint64_t draw = 0; draw < 10; ++draw) {
    const tpn::Document document = drawn(arguments, draw);
    CHECK_NOTHROW(tpn::validate(document));
    CHECK(drawn(arguments, draw) == document);
    const tpn::HostIndex hosts(document.platform);
    std::set<std::size_t> machines;
    for (std::size_t p = 0; p < document.platform.processors.size(); ++p) {
      CHECK(document.platform.processors[p].ports == 3);
      counts.insert(hosts.size_of(p));
      machines.insert(hosts.first_of(p));
    }
    CHECK(machines.size() == 7);
    for (const tpn::Link& link : document.platform.links) CHECK(machines.contains(link.from));
    // The first turns of a part are those of its machines.
    for (const tpn::Part& part : *document.mapping) {
      std::set<std::size_t> all;
      for (const std::size_t p : part.processors) all.insert(hosts.first_of(p));
      std::set<std::size_t> first;
      for (std::size_t k = 0; k < all.size(); ++k) first.insert(hosts.first_of(part.processors[k]));
      CHECK(first == all);
    }
  }
  CHECK(counts == std::set<std::size_t>{2, 3, 4});
  // Without them nothing is another than before.
  Said with_one = said;
  with_one.insert(with_one.end(), {{"cores", "1"}, {"ports", "1"}});
  CHECK(drawn(arguments_of("replicated-mapping", with_one), 5) == drawn(arguments_of("replicated-mapping", said), 5));
  const Arguments halves = arguments_of("replicated-mapping", {{"cores", "1..2 by 1/2"}});
  CHECK(halves.generator().objection(halves) == "a machine has a whole number of \"cores\"");
}

}  // namespace takt::experiments

// Probes by ranks that are threads: which stages are computed where, and of what. How long that takes is not asked.
#include "live/rank/probe_rank.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "live/rank/rank_files.hpp"
#include "tests/live/rank/thread_job.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tpn/ends.hpp"
#include "tpn/reader.hpp"

namespace takt::live {

namespace {

// A camera's frames are decoded on CPUs, looked at on GPUs, and stored where the disk is.
const std::string kSomewhere = R"({
  "application": {"stages": [{"name": "a", "time": {"cpu1": 5, "cpu2": 5}},
                             {"name": "b", "time": {"gpu1": 1, "gpu2": 2}},
                             {"name": "c", "work": 5, "runs on": ["disk"]}]},
  "platform": {"types": [{"name": "disk", "speed": 1}],
               "processors": [{"name": "cpu1"}, {"name": "cpu2"}, {"name": "gpu1"}, {"name": "gpu2"},
                              {"name": "store", "type": "disk"}]}})";
const std::string kEverywhere = R"({
  "application": {"input": 1, "stages": [{"name": "a", "work": 1}, {"name": "b", "work": 1},
                                          {"name": "c", "work": 1, "output": 1}]},
  "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 2}], "source": {}, "sink": {}}})";

using Calls = std::map<std::string, std::set<int>>;  // by stage and what it got: the ranks

// Each stage adds its letter.
class NotingKernel : public Kernel {
 public:
  NotingKernel(int rank, Calls& calls, std::mutex& mutex) : rank_(rank), calls_(calls), mutex_(mutex) {}

  void run(const StageCall& call, Packet& packet) override {
    const std::lock_guard lock(mutex_);
    const std::string letter(1, static_cast<char>('a' + call.stage));
    calls_[letter + " of " + packet.bytes].insert(rank_);
    packet.bytes += letter;
  }

 private:
  int rank_;
  Calls& calls_;
  std::mutex& mutex_;
};

struct Probed {
  ProbeResult result;
  Calls calls;
};

// Lines of the input are 1, 22 and 333, each data set has the next one.
Probed probed(const std::string& text, const ProbeTerms& terms) {
  RunPlan plan;
  plan.instance = tpn::read_document(text, "problem.json", std::nullopt, tpn::Catalogues::accepted);
  plan.processors.resize(tpn::EndNumbers(plan.instance.platform).end());
  std::iota(plan.processors.begin(), plan.processors.end(), 0);
  plan.probe = terms;
  Probed probed;
  std::mutex mutex;
  run_ranks(std::vector<int>(plan.processors.size() + 1, 0), [&](Job& job) {
    const PacketSource source = [](std::uint64_t data_set) {
      return std::string(data_set + 1, static_cast<char>('1' + data_set));
    };
    auto result = probe(plan, job, std::make_unique<NotingKernel>(job.rank(), probed.calls, mutex), source);
    if (result) probed.result = std::move(*result);
  });
  return probed;
}

// By stage, then processor, how many times there are.
std::vector<std::vector<std::size_t>> counts(const ProbeResult& result) {
  std::vector<std::vector<std::size_t>> found;
  for (const auto& row : result.times) {
    found.emplace_back();
    for (const auto& times : row) found.back().push_back(times.size());
  }
  return found;
}

ProbeTerms terms(bool in_turn, std::optional<std::size_t> one_stage) {
  return {.repeats = 4, .in_turn = in_turn, .one_stage = one_stage, .sizes = {0, 100}, .exchanges = 1, .inputs = 3};
}

}  // namespace

TEST_CASE("a probe has every processor compute all stages, each of what the one before made") {
  for (const bool in_turn : {false, true}) {
    const Probed all = probed(kEverywhere, terms(in_turn, std::nullopt));
    CHECK(counts(all.result) == std::vector<std::vector<std::size_t>>(3, {4, 4}));
    // Medians of lines 1, 2, 3 and 1 again.
    CHECK(all.result.sizes == std::vector<std::int64_t>{1, 2, 3, 4});
    CHECK(all.calls.size() == 9);
    for (const std::string& call : {"a of 1", "a of 22", "b of 22a", "c of 333ab"})
      CHECK(all.calls.at(call) == std::set<int>{1, 2});
    // One pair of processors, and each with source and sink.
    REQUIRE(all.result.round_trips.size() == 5);
    for (const auto& link : all.result.round_trips) CHECK((link.size() == 2 && std::ranges::min(link) > 0));
  }
}

TEST_CASE("a probe of one stage has the first processor compute all, and the others that one, of the same inputs") {
  for (const bool in_turn : {false, true}) {
    const Probed one = probed(kEverywhere, terms(in_turn, 1));
    CHECK(counts(one.result) == std::vector<std::vector<std::size_t>>{{4, 0}, {4, 4}, {4, 0}});
    CHECK(one.result.sizes == std::vector<std::int64_t>{1, 2, 3, 4});
    CHECK(one.calls.at("b of 333a") == std::set<int>{1, 2});
    CHECK(one.calls.at("a of 333") == std::set<int>{1});
    CHECK(one.calls.at("c of 333ab") == std::set<int>{1});
  }
}

TEST_CASE("stages are computed where they run, of what was made elsewhere") {
  for (const bool in_turn : {false, true}) {
    const Probed some = probed(kSomewhere, terms(in_turn, std::nullopt));
    CHECK(counts(some.result) ==
          std::vector<std::vector<std::size_t>>{{4, 4, 0, 0, 0}, {0, 0, 4, 4, 0}, {0, 0, 0, 0, 4}});
    CHECK(some.result.sizes == std::vector<std::int64_t>{1, 2, 3, 4});
    CHECK(some.calls.size() == 9);
    CHECK(some.calls.at("a of 22") == std::set<int>{1, 2});
    CHECK(some.calls.at("b of 22a") == std::set<int>{3, 4});
    CHECK(some.calls.at("c of 22ab") == std::set<int>{5});
  }
}

TEST_CASE("an input that became shorter is told with the data set that has no line") {
  const testing::TemporaryFolder folder;
  const PacketSource lines = lines_of(folder.write("input", "one\n"));
  CHECK(lines(0) == "one");
  CHECK_THROWS_WITH(lines(1), Catch::Matchers::Contains("input: found 1 lines, and none for data set 1"));
}

}  // namespace takt::live

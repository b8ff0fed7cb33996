// Tests of runs whose processors do not take turns: against a simulation of its own under the STRICT model, against
// list scheduling under OVERLAP, and against the same run in turn.
#include "live/adaptation/first_free.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <vector>

#include "live/rehearsal/rehearsal.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt::live {

namespace {

constexpr std::uint64_t kRunLength = 60;

// Exponential, the same for whoever computes it.
double factor(std::uint64_t seed, std::uint64_t data_set, std::size_t stage) {
  support::Draw random(seed * 1'000'003 + data_set * 101 + stage);
  for (int k = 0; k < 3; ++k) random.bits();
  return -std::log((static_cast<double>(random.bits() >> 11) + 0.5) / 9007199254740992.0);
}

EngineTerms first_free() { return {.turns = TurnOrder::first_free}; }

Rehearsal run_of(const tpn::Document& instance, const tpn::Model& model, EngineTerms engine, std::uint64_t window,
                 std::uint64_t seed) {
  RehearsalTerms terms{.model = model,
                       .engine = engine,
                       .coordination = {.first_data_set = 0, .data_sets = kRunLength, .window = window}};
  terms.ticks_per_unit = Rational(1'000'000);
  if (seed > 0) terms.factors = [seed](std::uint64_t j, std::size_t stage) { return factor(seed, j, stage); };
  auto run = rehearse(instance, terms);
  REQUIRE(run);
  return std::move(*run);
}

// One resource for each processor: it waits for a file, takes it, computes, waits for a receiver, sends.
class StrictSimulation {
 public:
  StrictSimulation(const tpn::Document& instance, std::uint64_t window, std::uint64_t seed)
      : instance_(instance), view_(instance), window_(window), seed_(seed), free_(instance.mapping->size()) {
    for (std::size_t i = 0; i < instance.mapping->size(); ++i) {
      std::set<std::size_t> seen;
      for (const std::size_t p : (*instance.mapping)[i].processors) seen.insert(p);
      for (const std::size_t p : seen) part_of_[p] = i;
    }
    for (const auto& [p, part] : part_of_) free_[part].push_back(p);
  }

  // When each data set and all before it are there, in ticks.
  std::vector<Ticks> deliveries() {
    while (delivered_.size() < kRunLength) {
      decide();
      const auto next = std::ranges::min_element(ends_, {}, [](const auto& end) { return end.second.at; });
      now_ = next->second.at;
      const std::size_t processor = next->first;
      const State state = next->second;
      ends_.erase(next);
      finish(processor, state);
      for (Ticks& latest = latest_; done_.contains(delivered_.size()); delivered_.push_back(latest)) {
        latest = std::max(latest, done_[delivered_.size()]);
      }
    }
    return delivered_;
  }

 private:
  enum class Doing { taking, computing, sending };
  struct State {
    Ticks at = 0;  // until when
    Doing doing = Doing::computing;
    std::uint64_t data_set = 0;
  };

  void compute(std::size_t p, std::uint64_t j) {
    const tpn::Part& part = (*instance_.mapping)[part_of_[p]];
    const Ticks nominal =
        Rational(view_.timing().computation(part.first_stage, part.last_stage, p) * kTicks).nearest().get_si();
    double all = 0;
    double plain = 0;
    for (std::size_t k = part.first_stage; k <= part.last_stage; ++k) {
      const double alone = *view_.timing().computation(k, k, p).to_double();
      plain += alone;
      all += alone * factor(seed_, j, k);
    }
    ends_[p] = {now_ + std::llround(all * (plain > 0 ? static_cast<double>(nominal) / plain : 0)), Doing::computing, j};
  }

  void finish(std::size_t p, const State& state) {
    const std::size_t part = part_of_[p];
    if (state.doing == Doing::taking) return compute(p, state.data_set);
    if (state.doing == Doing::computing && part + 1 < free_.size()) {
      files_[part + 1][state.data_set] = p;
      return;
    }
    if (state.doing == Doing::computing) done_[state.data_set] = now_;
    free_[part].push_back(p);
  }

  void decide() {
    for (; begun_ < kRunLength && begun_ < delivered_.size() + window_ && !free_[0].empty(); ++begun_) {
      compute(free_[0].front(), begun_);
      free_[0].erase(free_[0].begin());
    }
    for (std::size_t part = 1; part < free_.size(); ++part) {
      for (auto file = files_[part].begin(); file != files_[part].end() && !free_[part].empty();) {
        const auto [j, sender] = *file;
        const std::size_t receiver = free_[part].front();
        free_[part].erase(free_[part].begin());
        const std::size_t last_stage = (*instance_.mapping)[part - 1].last_stage;
        const Ticks time = Rational(view_.timing().transfer(last_stage, sender, receiver) * kTicks).nearest().get_si();
        ends_[sender] = {now_ + time, Doing::sending, j};
        ends_[receiver] = {now_ + time, Doing::taking, j};
        file = files_[part].erase(file);
      }
    }
  }

  static inline const Rational kTicks = 1'000'000;
  const tpn::Document& instance_;
  tpn::ProblemView view_;
  std::uint64_t window_;
  std::uint64_t seed_;
  std::map<std::size_t, std::size_t> part_of_;
  std::vector<std::vector<std::size_t>> free_;                         // by part, the longest free first
  std::map<std::size_t, std::map<std::uint64_t, std::size_t>> files_;  // by receiving part: data set, sender
  std::map<std::size_t, State> ends_;                                  // by processor
  std::map<std::uint64_t, Ticks> done_;
  std::vector<Ticks> delivered_;
  Ticks now_ = 0;
  Ticks latest_ = 0;
  std::uint64_t begun_ = 0;
};

// A small instance whose processors serve one part each, all of which are linked.
tpn::Document linked_document(std::uint64_t seed) {
  support::Draw random(seed);
  for (int k = 0; k < 3; ++k) random.bits();
  const std::size_t stages = 1 + random.bits() % 4;
  const std::size_t processors = stages + random.bits() % 5;
  tpn::Document instance = support::complete_problem(stages, processors, 2, 40, seed);
  instance.mapping = support::dealt_mapping(stages, processors, seed);
  return instance;
}

}  // namespace

TEST_CASE("under STRICT a run first free ends each data set when a simulation of its own says") {
  for (std::uint64_t seed = 1; seed <= support::draws(200); ++seed) {
    const tpn::Document instance = linked_document(seed);
    for (const std::uint64_t window : {std::uint64_t{1}, 1 + seed % 9, kRunLength}) {
      const Rehearsal run = run_of(instance, tpn::Model::kStrict, first_free(), window, seed);
      INFO("seed " << seed << ", window " << window);
      std::vector<Ticks> found;
      for (const Rational& time : run.deliveries)
        found.push_back(Rational(time * Rational(1'000'000)).nearest().get_si());
      REQUIRE(found == StrictSimulation(instance, window, seed).deliveries());
    }
  }
}

TEST_CASE("under OVERLAP one part first free is list scheduling") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::size_t processors = 1 + seed % 5;
    tpn::Document instance = support::complete_problem(1, processors, 20, 20, seed);
    tpn::Part part{0, 0, {}};
    for (std::size_t p = 0; p < processors; ++p) part.processors.push_back(p);
    instance.mapping = {part};
    std::priority_queue<double, std::vector<double>, std::greater<>> free;
    for (std::size_t p = 0; p < processors; ++p) free.push(0);
    double end = 0;
    for (std::uint64_t j = 0; j < kRunLength; ++j) {
      const double done = free.top() + 20 * factor(seed, j, 0);
      free.pop();
      free.push(done);
      end = std::max(end, done);
    }
    const Rehearsal run = run_of(instance, tpn::Model::kOverlap, first_free(), 0, seed);
    CHECK(*run.end.to_double() == Approx(end).margin(1e-3));
  }
}

TEST_CASE(
    "first free nothing is lost, each operation waits for its data set's last, and chains take the time in turn") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const tpn::Document instance = linked_document(seed);
    const std::size_t parts = instance.mapping->size();
    for (const tpn::Model& model : {tpn::Model(tpn::Model::kOverlap), tpn::Model(tpn::Model::kStrict)}) {
      const Rehearsal run = run_of(instance, model, first_free(), 1 + seed % 13, seed);
      INFO("seed " << seed << ", " << tpn::name_of(model));
      REQUIRE(run.trace.size() == kRunLength * (2 * parts - 1));
      REQUIRE(run.results.size() == kRunLength);
      for (std::size_t k = 0; k < run.trace.size(); ++k) {
        REQUIRE((k % (2 * parts - 1) == 0 || run.trace[k].start >= run.trace[k - 1].end));
      }
      std::uint64_t computed = 0;
      for (const auto& [processor, share] : run.computed) computed += share.data_sets;
      CHECK(computed == kRunLength * parts);
      const bool is_plain =
          std::ranges::all_of(*instance.mapping, [](const tpn::Part& part) { return part.processors.size() == 1; });
      // STRICT chains have one order.
      if (is_plain && model == tpn::Model::kStrict) {
        CHECK(run.deliveries == run_of(instance, model, {}, 1 + seed % 13, seed).deliveries);
      }
    }
  }
}

TEST_CASE("first free an absent link is not used, and who serves two parts is refused") {
  tpn::Document instance = support::complete_problem(2, 4, 2, 9, 5);
  instance.mapping = tpn::Mapping{{0, 0, {0, 1}}, {1, 1, {2, 3}}};
  std::erase_if(instance.platform.links, [](const tpn::Link& link) {
    return (link.from == 0 && link.to == 3) || (link.from == 3 && link.to == 0) || (link.from == 1 && link.to == 2) ||
           (link.from == 2 && link.to == 1);
  });
  instance.platform.defaults = {};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Rehearsal run = run_of(instance, tpn::Model::kStrict, first_free(), 6, seed);
    CHECK(run.results.size() == kRunLength);
    // What 0 begins ends on 2, what 1 begins on 3.
    CHECK(run.computed.at(0).data_sets == run.computed.at(2).data_sets);
  }
  instance = support::complete_problem(2, 2, 2, 9, 5);
  instance.mapping = tpn::Mapping{{0, 0, {0}}, {1, 1, {0, 1}}};
  const tpn::ProblemView view(instance);
  const auto made = tpn::make_pipeline(instance);
  const auto reason = FirstFree::why_not(view, std::get<tpn::Pipeline>(made));
  REQUIRE(reason);
  CHECK(reason->find("serves several parts") != std::string::npos);
}

}  // namespace takt::live

// One case: the answer, and everything that is cheaper.
#include "tests/plan/mixed_cases.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "plan/wider/mixed.hpp"
#include "plan/wider/weighted.hpp"
#include "tests/plan/random_catalogues.hpp"

namespace takt::plan {

namespace {

// All mixed plans: for each part any machines there are, in plain round robin.
class MixedPlans {
 public:
  MixedPlans(const Catalogue& catalogue, std::vector<std::uint64_t> left, const Query& query,
             const std::function<void(const SequencePlan&)>& use)
      : catalogue_(catalogue), left_(std::move(left)), query_(query), use_(use) {}

  void from(std::size_t first) {
    if (first == catalogue_.stages.size()) return use_(plan_);
    for (std::size_t last = first; last < catalogue_.stages.size(); ++last) {
      std::vector<std::uint64_t> chosen(left_.size());
      choose(first, last, 0, chosen);
    }
  }

 private:
  void choose(std::size_t first, std::size_t last, std::size_t t, std::vector<std::uint64_t>& chosen) {
    if (t == left_.size()) return place(first, last, chosen);
    const bool runs = catalogue_.least_first_stage(last, t, query_.all_apart) <= first;
    const std::uint64_t most = runs ? left_[t] : 0;
    for (chosen[t] = 0; chosen[t] <= most; ++chosen[t]) {
      left_[t] -= chosen[t];
      choose(first, last, t + 1, chosen);
      left_[t] += chosen[t];
    }
    chosen[t] = 0;
  }

  void place(std::size_t first, std::size_t last, const std::vector<std::uint64_t>& chosen) {
    const std::uint64_t paid = std::accumulate(chosen.begin(), chosen.end(), std::uint64_t{0});
    const bool replicable = catalogue_.least_replicable_stage(last) <= first;
    if (paid <= query_.spare || (!replicable && paid > query_.spare + 1)) return;
    plan_.push_back(round_robin(first, last, chosen, replicable));
    from(last + 1);
    plan_.pop_back();
  }

  const Catalogue& catalogue_;
  std::vector<std::uint64_t> left_;
  const Query& query_;
  const std::function<void(const SequencePlan&)>& use_;
  SequencePlan plan_;
};

// Of machines numbered type after type, those of `short_part` without the one at `missing`: the first of the stand-bys
// takes its place if there are any.
tpn::Mapping mapping_of(const NetJudge& judge, const SequencePlan& plan, std::size_t short_part = 0,
                        std::optional<std::size_t> missing = {}) {
  tpn::Mapping mapping;
  std::vector<std::uint64_t> next(judge.types());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    std::vector<std::vector<std::size_t>> machines;
    std::vector<std::vector<std::size_t>> standby;
    std::vector<std::vector<std::size_t>> turns;
    for (const std::size_t type : plan[i].machines) machines.push_back(judge.machine(type, next[type]++));
    for (const std::size_t type : plan[i].standby) standby.push_back(judge.machine(type, next[type]++));
    for (const std::size_t machine : plan[i].sequence) {
      if (i != short_part || !missing || machine != *missing) {
        turns.push_back(machines[machine]);
      } else if (!standby.empty()) {
        turns.push_back(standby.front());
      }
    }
    mapping.push_back(judge.part_on(plan[i].first_stage, plan[i].last_stage, turns));
  }
  return mapping;
}

// Whether the plan keeps the query's period, whichever machine fails; with one spare machine at most.
bool serves(NetJudge& judge, const SequencePlan& plan, const Query& query) {
  if (query.spare == 0) return judge.keeps(mapping_of(judge, plan), query.period, query.strictly);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    for (std::size_t k = 0; k < plan[i].machines.size(); ++k) {
      if (!judge.keeps(mapping_of(judge, plan, i, k), query.period, query.strictly)) return false;
    }
    // A stand-by may be the one that fails.
    if (!plan[i].standby.empty() && !judge.keeps(mapping_of(judge, plan), query.period, query.strictly)) return false;
  }
  return true;
}

// All turn sequences of at most `most` entries: each machine at least once, the first machine first.
void for_each_sequence(std::size_t machines, std::size_t most,
                       const std::function<void(const std::vector<std::size_t>&)>& use) {
  for (std::size_t length = machines; length <= most; ++length) {
    std::vector<std::size_t> sequence(length, 0);
    while (true) {
      std::vector<bool> has_turn(machines);
      for (const std::size_t machine : sequence) has_turn[machine] = true;
      if (std::ranges::all_of(has_turn, [](bool has) { return has; })) use(sequence);
      std::size_t k = length;
      while (k > 1 && sequence[k - 1] + 1 == machines) sequence[--k] = 0;
      if (k == 1) break;
      ++sequence[k - 1];
    }
  }
}

// Whether some sequences for a plan's machines keep the period.
bool some_turns_serve(NetJudge& judge, SequencePlan& plan, std::size_t i, const Query& query, std::uint64_t& judged) {
  if (i == plan.size()) {
    ++judged;
    return judge.keeps(mapping_of(judge, plan), query.period, query.strictly);
  }
  constexpr std::size_t kMostTurns = 5;
  bool serves = false;
  for_each_sequence(plan[i].machines.size(), kMostTurns, [&](const std::vector<std::size_t>& sequence) {
    if (serves) return;
    plan[i].sequence = sequence;
    serves = some_turns_serve(judge, plan, i + 1, query, judged);
  });
  return serves;
}

// What is wrong with the plan of an answer; empty if nothing is.
template <typename Answer>
const char* trouble_with(const Answer& answer, const tpn::Document& document, const Catalogue& catalogue,
                         const Query& query) {
  const std::vector<std::uint64_t> used = machines_by_type(catalogue, *answer.plan);
  for (std::size_t t = 0; t < used.size(); ++t) {
    if (catalogue.types[t].count && *catalogue.types[t].count < used[t]) return "more machines than there are";
  }
  NetJudge judge(document, query.model, used);
  if (!serves(judge, *answer.plan, query)) return "the plan is late";
  if (judge.period(mapping_of(judge, *answer.plan)) != answer.period) return "another period";
  return cost_of(catalogue, *answer.plan) == answer.cost ? "" : "another cost";
}

}  // namespace

CountedCase try_mixed(const tpn::Model& model, std::uint64_t seed) {
  support::Draw draw(seed ^ 0x313d);
  const tpn::Document document =
      random_catalogue({.stages = 3, .types = 3, .equal_links = true, .equal_cores = true}, seed);
  Catalogue catalogue = catalogue_of(document);
  std::vector<std::uint64_t> machines;
  for (MachineType& type : catalogue.types) {
    type.count = draw.count(0, 3);
    machines.push_back(*type.count);
    if (draw.one_in(6)) type.count.reset();
  }
  CountedQuery asked;
  asked.query.model = model;
  // About the period that `in_all` machines sustain.
  const long in_all = 1 + static_cast<long>(std::accumulate(machines.begin(), machines.end(), std::uint64_t{0}));
  asked.query.period = Rational::fraction(static_cast<long>(catalogue.stages.size()) * draw.whole(4, 14), in_all);
  asked.query.strictly = draw.one_in(6);
  if (draw.one_in(5)) asked.query.spare = 1;
  const MixedAnswer answer = solve_mixed(catalogue, asked);
  const CountedAnswer typed = solve_within(catalogue, asked);
  CountedCase result;
  const auto note = [&](const char* trouble) { result.trouble = trouble; };
  result.is_feasible = answer.plan.has_value();
  result.is_searched = answer.proof == PlanProof::search;
  result.is_bound = answer.plan && (!typed.plan || answer.cost < typed.cost);
  if (answer.cut_short) note("cut short");
  if (typed.plan && (!answer.plan || typed.cost < answer.cost)) note("dearer than typed");
  if (answer.plan && result.trouble.empty()) note(trouble_with(answer, document, catalogue, asked.query));
  NetJudge judge(document, model, machines);
  MixedPlans(catalogue, machines, asked.query, [&](const SequencePlan& plan) {
    if (answer.plan && answer.cost <= cost_of(catalogue, plan)) return;
    ++result.judged;
    if (serves(judge, plan, asked.query)) note(answer.plan ? "a cheaper plan" : "there is a plan");
  }).from(0);
  return result;
}

CountedCase try_weighted(const tpn::Model& model, std::uint64_t seed) {
  support::Draw draw(seed ^ 0x3e19);
  const tpn::Document document =
      random_catalogue({.stages = 2, .types = 3, .equal_links = true, .equal_cores = true}, seed);
  Catalogue catalogue = catalogue_of(document);
  std::vector<std::uint64_t> machines;
  for (MachineType& type : catalogue.types) {
    machines.push_back(draw.count(0, 2));
    type.count = machines.back();
  }
  CountedQuery asked;
  asked.query.model = model;
  const long in_all = 1 + static_cast<long>(std::accumulate(machines.begin(), machines.end(), std::uint64_t{0}));
  asked.query.period = Rational::fraction(static_cast<long>(catalogue.stages.size()) * draw.whole(4, 14), in_all);
  asked.query.strictly = draw.one_in(6);
  const WeightedAnswer answer = solve_weighted(document, catalogue, asked);
  const MixedAnswer mixed = solve_mixed(catalogue, asked);
  CountedCase result;
  const auto note = [&](const char* trouble) { result.trouble = trouble; };
  result.is_feasible = answer.plan.has_value();
  result.is_bound = answer.plan && (!mixed.plan || answer.cost < mixed.cost);
  result.is_searched = answer.plan && answer.cost == answer.lower_bound;
  if (answer.cut_short) note("cut short");
  if (mixed.plan && (!answer.plan || mixed.cost < answer.cost)) note("dearer than mixed");
  if (answer.plan && (answer.is_impossible || answer.cost < answer.lower_bound)) note("below its bound");
  if (answer.plan && result.trouble.empty()) note(trouble_with(answer, document, catalogue, asked.query));
  NetJudge judge(document, model, machines);
  MixedPlans(catalogue, machines, asked.query, [&](SequencePlan plan) {
    if (!answer.is_impossible && answer.lower_bound <= cost_of(catalogue, plan)) return;
    if (some_turns_serve(judge, plan, 0, asked.query, result.judged)) note("a plan below the bound");
  }).from(0);
  return result;
}

}  // namespace takt::plan

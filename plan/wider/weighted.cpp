// Covers, sequences, the net's word; and plain turns for what stays late.
#include "plan/wider/weighted.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "evaluators/mappings/evaluator.hpp"
#include "maxplus/contract.hpp"
#include "plan/counted/labels.hpp"
#include "plan/counted/limits.hpp"
#include "plan/counted/multipliers.hpp"
#include "plan/counted/whole_limits.hpp"
#include "plan/typed/edges.hpp"
#include "plan/wider/mixed.hpp"
#include "plan/wider/share_graph.hpp"
#include "plan/wider/turns.hpp"
#include "plan/wider/weighted_round_robin.hpp"
#include "tpn/expansion.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

namespace {

// Machines for all parts, each once in its sequence so far.
struct Covers {
  std::optional<SequencePlan> plan;
  Rational cost;
  Rational lower_bound;
  bool is_impossible = false;
  bool cut_short = false;
};

template <typename Number>
Covers cheapest_covers(const Catalogue& catalogue, const CountedQuery& asked, const Scales& scales,
                       const WholeLimits& whole, const std::set<StageRange>& plain,
                       const std::optional<SequencePlan>& known) {
  const Edges<Number> edges(catalogue, asked.query, scales);
  const Limits<Number> limits = whole.in<Number>(catalogue, scales);
  const ShareGraph<Number> graph(edges, limits, Turns::weighted, asked.deadline, plain);
  Multipliers<ShareGraph<Number>> multipliers(graph, limits, asked.deadline);
  Covers covers;
  covers.is_impossible = true;
  if (known) multipliers.offer(route_of(catalogue, limits, *known));
  try {
    if (!multipliers.raise()) return covers;
    if (!multipliers.incumbent()) multipliers.look_for_excess();
  } catch (const PlanTimeUp&) {
    // What is known is taken by the search, which has no time left either.
  }
  if (multipliers.excess() != nullptr) return covers;
  const auto found = search_labels(graph, limits, multipliers, asked.deadline);
  covers.cut_short = found.cut_short;
  covers.is_impossible = !found.cut_short && !found.incumbent;
  const auto units = [&](const Number& value) { return Rational(maxplus::integer_of(value)) * scales.unit; };
  if (found.cut_short) covers.lower_bound = units(limits.rounded_up(found.bound));
  if (!found.incumbent) return covers;
  covers.cost = units(found.incumbent->usage.cost);
  covers.lower_bound = covers.cut_short ? std::min(covers.lower_bound, covers.cost) : covers.cost;
  covers.plan = plan_of_moves(catalogue, found.incumbent->moves);
  return covers;
}

// The demands of one part's machines.
std::vector<Rational> demands_of(const Catalogue& catalogue, const tpn::Model& model, const SequencePart& part) {
  const EqualTransfers transfers(catalogue, part.first_stage, part.last_stage);
  const bool is_replicable = catalogue.is_replicable(part.first_stage, part.last_stage);
  std::vector<Rational> demands;
  for (const std::size_t type : part.machines) {
    const Rational compute = catalogue.computation(part.first_stage, part.last_stage, type);
    demands.push_back(
        machine_demand(catalogue.limits(model, type, is_replicable), transfers.receive, compute, transfers.send));
  }
  return demands;
}

// Sequences for the machines of covers, and their nets.
class Sequencing {
 public:
  Sequencing(const tpn::Document& problem, const Catalogue& catalogue, const Query& query, SequencePlan plan)
      : catalogue_(catalogue),
        query_(query),
        plan_(std::move(plan)),
        machines_(machines_by_type(catalogue, plan_)),
        document_(tpn::expanded(problem, machines_)),
        evaluator_(document_) {
    for (const SequencePart& part : plan_) {
      demands_.push_back(demands_of(catalogue, query.model, part));
      has_plain_turns_.push_back(keeps_pace(demands_.back(), query.period, query.strictly));
      longest_ = std::max(longest_, part.machines.size());
    }
  }

  // The period, where some sequences keep the query's.
  std::optional<Rational> run(const maxplus::Deadline& deadline) {
    std::vector<std::uint64_t> lengths;
    const std::uint64_t short_ones = std::max<std::uint64_t>(kShort, longest_ + kShort / 3);
    for (std::uint64_t length = 1; length <= short_ones; ++length) lengths.push_back(length);
    for (const std::uint64_t times : {2U, 3U, 4U, 6U}) lengths.push_back(times * short_ones);
    for (const std::uint64_t length : lengths) {
      if (deadline.has_passed()) return std::nullopt;
      if (!take_turns(length)) continue;
      const auto found = evaluator_.evaluate(mapping_of(catalogue_, plan_, machines_), query_.model);
      if (found.answer != evaluators::MappingAnswer::exact) continue;
      Rational period = found.lower.rational();
      if (period < query_.period || (period == query_.period && !query_.strictly)) return period;
    }
    return std::nullopt;
  }

  const SequencePlan& plan() const { return plan_; }

  // Of the parts without plain turns, that whose machines are busiest; nothing if there is none.
  std::optional<StageRange> tightest() const {
    std::optional<std::size_t> best;
    Rational least;
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      if (has_plain_turns_[i]) continue;
      Rational shares;
      for (const Rational& demand : demands_[i]) shares += share_of_data_sets(demand, query_.period);
      if (best && least <= shares) continue;
      best = i;
      least = std::move(shares);
    }
    if (!best) return std::nullopt;
    return StageRange{plan_[*best].first_stage, plan_[*best].last_stage};
  }

 private:
  static constexpr std::uint64_t kShort = 60;

  // Of that length, or shorter; false if no sequence of such a length is new.
  bool take_turns(std::uint64_t length) {
    bool is_new = false;
    bool is_whole = true;
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      if (has_plain_turns_[i]) continue;
      if (const auto turns = turns_of(demands_[i], query_.period, query_.strictly, length)) {
        plan_[i].sequence = weighted_round_robin(*turns);
        is_new = true;
      }
      is_whole = is_whole && plan_[i].sequence.size() > plan_[i].machines.size();
    }
    const bool is_first = std::exchange(is_first_, false);
    return is_whole && (is_new || is_first);
  }

  const Catalogue& catalogue_;
  const Query& query_;
  SequencePlan plan_;
  std::vector<std::uint64_t> machines_;
  tpn::Document document_;
  evaluators::MappingEvaluator evaluator_;
  std::vector<std::vector<Rational>> demands_;  // by part and machine
  std::vector<bool> has_plain_turns_;
  std::size_t longest_ = 0;
  bool is_first_ = true;
};

class WeightedProgram {
 public:
  WeightedProgram(const tpn::Document& problem, const Catalogue& catalogue, const CountedQuery& asked)
      : problem_(problem),
        catalogue_(catalogue),
        asked_(asked),
        scales_(scales_within(catalogue, asked)),
        whole_(catalogue, asked, scales_) {}

  WeightedAnswer run() {
    begin_with_mixed();
    for (int round = 0; round < kRounds; ++round) {
      Covers covers = whole_.with_number([&]<typename Number>(const Number&) {
        return cheapest_covers<Number>(catalogue_, asked_, scales_, whole_, plain_, mixed_);
      });
      if (round == 0) {
        answer_.lower_bound = covers.lower_bound;
        answer_.is_impossible = covers.is_impossible;
      }
      answer_.cut_short = answer_.cut_short || covers.cut_short;
      if (!covers.plan || (answer_.plan && answer_.cost <= covers.cost)) break;
      const bool is_last = covers.cut_short;
      if (try_covers(std::move(covers)) || is_last) break;
    }
    if (answer_.plan && answer_.cost == answer_.lower_bound) answer_.cut_short = false;
    return so_far();
  }

  WeightedAnswer so_far() { return std::move(answer_); }

 private:
  static constexpr int kRounds = 60;

  void begin_with_mixed() {
    CountedQuery quick = asked_;
    quick.deadline = asked_.deadline.half_way();
    MixedAnswer mixed = solve_mixed(catalogue_, quick);
    answer_.cut_short = mixed.cut_short;
    mixed_ = mixed.plan;
    answer_.plan = std::move(mixed.plan);
    answer_.cost = mixed.cost;
    answer_.period = mixed.period;
  }

  // Whether there is nothing more to try.
  bool try_covers(Covers covers) {
    // All types have as many cores.
    std::uint64_t processors = 0;
    for (const SequencePart& part : *covers.plan) processors += part.machines.size() * catalogue_.types.front().cores;
    if (processors > kMostEvaluated || asked_.deadline.has_passed()) {
      answer_.cut_short = true;
      return true;
    }
    Sequencing sequencing(problem_, catalogue_, asked_.query, std::move(*covers.plan));
    if (const auto period = sequencing.run(asked_.deadline)) {
      answer_.plan = sequencing.plan();
      answer_.cost = covers.cost;
      answer_.period = *period;
      return true;
    }
    const auto late = sequencing.tightest();
    if (!late) return true;
    plain_.insert(*late);
    return false;
  }

  const tpn::Document& problem_;
  const Catalogue& catalogue_;
  const CountedQuery& asked_;
  const Scales scales_;
  const WholeLimits whole_;
  std::set<StageRange> plain_;
  std::optional<SequencePlan> mixed_;
  WeightedAnswer answer_;

  static constexpr std::uint64_t kMostEvaluated = 10'000;
};

}  // namespace

WeightedAnswer solve_weighted(const tpn::Document& problem, const Catalogue& catalogue, const CountedQuery& query) {
  maxplus::expects(catalogue.has_equal_links(), "weighted plans are of equal links");
  maxplus::expects(catalogue.has_equal_cores(), "weighted plans are of machines with equally many cores");
  maxplus::expects(query.query.spare == 0, "a weighted plan spares for no failure");
  CountedQuery asked = query;
  asked.query.deadline = query.deadline;
  std::optional<WeightedProgram> program;
  try {
    return program.emplace(problem, catalogue, asked).run();
  } catch (const PlanTimeUp&) {
    WeightedAnswer answer = program ? program->so_far() : WeightedAnswer();
    answer.cut_short = true;
    return answer;
  }
}

}  // namespace takt::plan

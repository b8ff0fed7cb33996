// Bounds from below, plans from above, the net between them.
#include "plan/wider/unequal.hpp"

#include <algorithm>
#include <utility>

#include "evaluators/mappings/evaluator.hpp"
#include "plan/plan.hpp"
#include "plan/wider/covers.hpp"
#include "tpn/expansion.hpp"

namespace takt::plan {

namespace {

using Time = std::optional<Rational>;

// Each boundary's transfers made equal: the least of those that there are, or the longest, none if one is absent.
class EqualLinks {
 public:
  EqualLinks(const Catalogue& catalogue, bool are_least) : result_(catalogue), are_least_(are_least) {}

  std::optional<Catalogue> run() {
    const std::size_t count = result_.types.size();
    std::vector<std::span<Time>> rows = {result_.from_source, result_.to_sink};
    for (std::size_t begin = 0; begin < result_.transfers.size(); begin += count * count) {
      rows.push_back(std::span(result_.transfers).subspan(begin, count * count));
    }
    for (const std::span<Time> row : rows) {
      if (!level(row)) return std::nullopt;
    }
    return std::move(result_);
  }

 private:
  bool level(std::span<Time> row) const {
    Time best;
    for (const Time& time : row) {
      if (!time && !are_least_) return false;
      if (time && (!best || (are_least_ ? *time < *best : *time > *best))) best = time;
    }
    std::ranges::fill(row, best);
    return best.has_value();
  }

  Catalogue result_;
  bool are_least_;
};

// Plans as they are found, and the cheapest of them.
class UnequalSearch {
 public:
  UnequalSearch(const tpn::Document& problem, const Catalogue& catalogue, const CountedQuery& query)
      : problem_(problem), catalogue_(catalogue), query_(query) {}

  WeightedAnswer answer() && { return std::move(answer_); }

  void typed() {
    CountedQuery quick = query_;
    quick.deadline = query_.deadline.after_part(1, 4);
    const CountedAnswer found = solve_within(catalogue_, quick);
    if (!found.plan) return;
    offer(sequences_of(*found.plan), found.cost, PlanFacts(catalogue_, query_.query.model, *found.plan).period());
  }

  // By equal links; the plan is the net's matter.
  void sandwich() {
    if (!catalogue_.has_equal_cores()) return;
    CountedQuery quick = query_;
    for (const bool are_least : {true, false}) {
      quick.deadline = query_.deadline.after_part(1, 4);
      const auto equal = EqualLinks(catalogue_, are_least).run();
      if (!equal) continue;
      const MixedAnswer found = solve_mixed(*equal, quick);
      if (are_least && !found.plan && !found.cut_short) answer_.is_impossible = true;
      if (are_least && (found.plan || found.cut_short)) raise(found.lower_bound);
      if (found.plan && (query_.query.spare == 0 || !are_least)) judge(*found.plan, found.cost);
    }
  }

  // Only plans in plain turns are taken where the class has no others; without a machine turns are others.
  void covers(bool are_plain) {
    const Query& asked = query_.query;
    const CoverQuery cover{.model = asked.model,
                           .period = asked.period,
                           .slack = 0,
                           .all_apart = asked.all_apart,
                           .deadline = query_.deadline};
    const auto keeps = [&](const CoverCandidate& candidate) {
      const auto plan = sequenced(candidate, are_plain);
      return plan && judge(*plan, candidate.cost);
    };
    const auto known = answer_.plan ? std::optional(answer_.cost) : std::nullopt;
    const CoversAnswer found =
        asked.spare > 0 ? solve_covers(catalogue_, cover) : try_covers(catalogue_, cover, known, keeps);
    answer_.is_impossible = answer_.is_impossible || found.is_impossible;
    raise(found.lower_bound);
    answer_.cut_short = answer_.cut_short || found.cut_short;
  }

  void finish() {
    answer_.cut_short = answer_.cut_short || query_.deadline.has_passed();
    if (answer_.plan) answer_.lower_bound = std::min(answer_.lower_bound, answer_.cost);
  }

 private:
  static constexpr std::uint64_t kMostEvaluated = 10'000;  // processors

  void raise(const Rational& bound) { answer_.lower_bound = std::max(answer_.lower_bound, bound); }

  void offer(SequencePlan plan, const Rational& cost, const Rational& period) {
    if (answer_.plan && answer_.cost <= cost) return;
    answer_.plan = std::move(plan);
    answer_.cost = cost;
    answer_.period = period;
  }

  std::optional<SequencePlan> sequenced(const CoverCandidate& candidate, bool are_plain) const {
    SequencePlan plan;
    for (const CoverPart& part : candidate.parts) {
      const auto turns = turns_of_cover(part, query_.query.period, query_.query.strictly);
      if (!turns || (are_plain && turns->size() > part.machines.size())) return std::nullopt;
      SequencePart& made = plan.emplace_back(SequencePart{part.first_stage, part.last_stage, {}, *turns, {}});
      for (const CoverMachine& machine : part.machines) made.machines.push_back(machine.type);
    }
    return plan;
  }

  // Whether it keeps the period.
  bool judge(const SequencePlan& plan, const Rational& cost) {
    if (answer_.plan && answer_.cost <= cost) return false;
    const std::vector<std::uint64_t> machines = machines_by_type(catalogue_, plan);
    if (!catalogue_.allows(machines)) return false;
    if (processors_of(catalogue_, machines) > kMostEvaluated) {
      answer_.cut_short = true;
      return false;
    }
    const tpn::Document document = tpn::expanded(problem_, machines);
    evaluators::MappingEvaluator evaluator(document);
    const Query& asked = query_.query;
    const evaluators::Cutoff late{asked.period,
                                  asked.strictly ? evaluators::CutoffAt::reached : evaluators::CutoffAt::above};
    const auto found = evaluator.evaluate(mapping_of(catalogue_, plan, machines), asked.model, late);
    if (found.answer != evaluators::MappingAnswer::exact) return false;
    const Rational period = found.lower.rational();
    if (asked.strictly ? period >= asked.period : period > asked.period) return false;
    offer(plan, cost, period);
    return true;
  }

  const tpn::Document& problem_;
  const Catalogue& catalogue_;
  const CountedQuery& query_;
  WeightedAnswer answer_;
};

}  // namespace

MixedAnswer mixed_on_all_links(const tpn::Document& problem, const Catalogue& catalogue, const CountedQuery& query) {
  if (catalogue.has_equal_links() && catalogue.has_equal_cores()) return solve_mixed(catalogue, query);
  UnequalSearch search(problem, catalogue, query);
  search.typed();
  search.sandwich();
  search.covers(true);
  search.finish();
  WeightedAnswer found = std::move(search).answer();
  MixedAnswer answer;
  answer.plan = std::move(found.plan);
  answer.cost = found.cost;
  answer.period = found.period;
  answer.lower_bound = found.lower_bound;
  answer.cut_short = found.cut_short || (!answer.plan && !found.is_impossible);
  return answer;
}

WeightedAnswer weighted_on_all_links(const tpn::Document& problem, const Catalogue& catalogue,
                                     const CountedQuery& query) {
  if (catalogue.has_equal_links() && catalogue.has_equal_cores()) return solve_weighted(problem, catalogue, query);
  UnequalSearch search(problem, catalogue, query);
  search.typed();
  search.covers(false);
  search.finish();
  return std::move(search).answer();
}

}  // namespace takt::plan

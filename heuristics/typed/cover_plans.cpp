// The cheapest candidate that keeps the period, of covers that are more and more ample.
#include "heuristics/typed/cover_plans.hpp"

#include <optional>
#include <utility>

#include "heuristics/common/placement.hpp"
#include "plan/wider/covers.hpp"

namespace takt::heuristics {

namespace {

class CoverPlanner {
 public:
  CoverPlanner(const tpn::ProblemView& problem, evaluators::MappingEvaluator& evaluator, const MachineClasses& classes,
               const tpn::Model& model, const Rational& period, const evaluators::Deadline& deadline)
      : problem_(problem),
        evaluator_(evaluator),
        classes_(classes),
        model_(model),
        period_(period),
        deadline_(deadline),
        placement_(problem),
        catalogue_(catalogue_of(problem, classes, TransferChoice::least)) {}

  CoverPlans run() {
    CoverPlans result;
    const auto keeps = [&](const plan::CoverCandidate& candidate) {
      auto plan = judged(candidate);
      if (!plan) return false;
      result.plans.push_back(*std::move(plan));
      return true;
    };
    const plan::CoverQuery query{
        .model = model_, .period = period_, .slack = 0, .shares_leftovers = true, .deadline = deadline_};
    const plan::CoversAnswer answer = plan::try_covers(catalogue_, query, std::nullopt, keeps);
    result.lower_bound = answer.lower_bound;
    result.is_impossible = answer.is_impossible;
    return result;
  }

 private:
  // Its mapping, where that keeps the period.
  std::optional<SearchStart> judged(const plan::CoverCandidate& candidate) {
    auto mapping = mapping_of_candidate(candidate);
    if (!mapping || !problem_.links().hold(*mapping) || !placement_.allow_but_for_runs(*mapping)) return std::nullopt;
    // Turns that take longer than that to evaluate are passed over: ampler covers have fewer.
    const auto found = evaluator_.evaluate(*mapping, model_, evaluators::Cutoff{period_});
    if (found.answer != evaluators::MappingAnswer::exact) return std::nullopt;
    const Rational period = found.lower.rational();
    if (period > period_) return std::nullopt;
    return SearchStart{"covers", *std::move(mapping), period};
  }

  std::optional<tpn::Mapping> mapping_of_candidate(const plan::CoverCandidate& candidate) const {
    tpn::Mapping mapping;
    for (const plan::CoverPart& part : candidate.parts) {
      const auto sequence = sequence_of(part);
      if (!sequence) return std::nullopt;
      mapping.push_back({part.first_stage, part.last_stage, *sequence});
    }
    return mapping;
  }

  std::optional<std::vector<std::size_t>> sequence_of(const plan::CoverPart& part) const {
    const auto turns = plan::turns_of_cover(part, period_);
    if (!turns) return std::nullopt;
    std::vector<std::size_t> sequence;
    for (const std::size_t k : *turns) {
      const plan::CoverMachine& machine = part.machines[k];
      sequence.push_back(classes_.members[machine.type][machine.number]);
    }
    return sequence;
  }

  const tpn::ProblemView& problem_;
  evaluators::MappingEvaluator& evaluator_;
  const MachineClasses& classes_;
  const tpn::Model& model_;
  const Rational& period_;
  const evaluators::Deadline& deadline_;
  PlacementRules placement_;
  plan::Catalogue catalogue_;
};

}  // namespace

CoverPlans plans_by_covers(const tpn::ProblemView& problem, evaluators::MappingEvaluator& evaluator,
                           const MachineClasses& classes, const tpn::Model& model, const Rational& period,
                           const evaluators::Deadline& deadline) {
  return CoverPlanner(problem, evaluator, classes, model, period, deadline).run();
}

}  // namespace takt::heuristics

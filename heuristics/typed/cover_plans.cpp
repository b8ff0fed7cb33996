// The cheapest candidate that keeps the period, of covers that are more and more ample.
#include "heuristics/typed/cover_plans.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "heuristics/common/placement.hpp"
#include "heuristics/search/price_goal.hpp"
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
    for (const Rational& slack : plan::cover_slacks()) {
      if (deadline_.has_passed()) break;
      const plan::CoversAnswer answer =
          plan::solve_covers(catalogue_, {model_, period_, slack, true, false, deadline_.half_way()});
      if (slack.sign() == 0) {
        result.lower_bound = answer.lower_bound;
        result.is_impossible = answer.is_impossible;
      }
      judge(answer, result);
      if (best_cost_ && *best_cost_ <= answer_bound(answer, result)) break;
    }
    return result;
  }

 private:
  // What candidates that are more ample cannot be below.
  static Rational answer_bound(const plan::CoversAnswer& answer, const CoverPlans& result) {
    return answer.candidates.empty() ? result.lower_bound : answer.candidates.front().cost;
  }

  // Of candidates that are cheaper than what there is, the first that keeps the period.
  void judge(const plan::CoversAnswer& answer, CoverPlans& result) {
    for (const plan::CoverCandidate& candidate : answer.candidates) {
      if (deadline_.has_passed()) return;
      if (best_cost_ && candidate.cost >= *best_cost_) return;
      const auto mapping = mapping_of_candidate(candidate);
      if (!mapping || !problem_.links().hold(*mapping) || !placement_.allow_but_for_runs(*mapping)) continue;
      const auto period = exact_period(problem_, evaluator_, *mapping, model_, deadline_);
      if (!period || *period > period_) continue;
      best_cost_ = price_of(problem_.document(), *mapping);
      result.plans.push_back({"covers", *mapping, *period});
      return;
    }
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
  std::optional<Rational> best_cost_;
};

}  // namespace

CoverPlans plans_by_covers(const tpn::ProblemView& problem, evaluators::MappingEvaluator& evaluator,
                           const MachineClasses& classes, const tpn::Model& model, const Rational& period,
                           const evaluators::Deadline& deadline) {
  return CoverPlanner(problem, evaluator, classes, model, period, deadline).run();
}

}  // namespace takt::heuristics

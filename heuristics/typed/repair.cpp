// An evaluation with its circuit, then one for each part on it and each class of free processors.
#include "heuristics/typed/repair.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/common/placement.hpp"
#include "tpn/folded_net.hpp"

namespace takt::heuristics {

namespace {

class Repair {
 public:
  Repair(const tpn::ProblemView& problem, const tpn::Model& model, const MachineClasses& classes,
         const evaluators::Deadline& deadline)
      : problem_(problem),
        model_(model),
        classes_(classes),
        deadline_(deadline),
        placement_(problem),
        evaluator_(problem) {}

  // The period, and the parts of the mapping that its critical circuit passes; nothing if it is not exact.
  struct Diagnosis {
    Rational period;
    std::set<std::size_t> parts;
  };
  std::optional<Diagnosis> diagnose(const tpn::Mapping& mapping) const {
    auto pipeline = tpn::make_pipeline(problem_, mapping);
    if (std::holds_alternative<tpn::TooLarge>(pipeline)) return std::nullopt;
    const auto folded = tpn::fold(std::get<tpn::Pipeline>(std::move(pipeline)), model_);
    if (std::holds_alternative<tpn::TooLarge>(folded)) return std::nullopt;
    const auto& net = std::get<tpn::FoldedNet>(folded);
    evaluators::Options options;
    options.deadline = deadline_;
    const evaluators::Evaluation evaluation = evaluators::evaluate(net, options);
    if (!evaluation.exact()) return std::nullopt;
    Diagnosis result{evaluation.lower, {}};
    for (const evaluators::CircuitStep& step : evaluation.circuit.steps) {
      const tpn::Column& column = net.pipeline.columns[step.column];
      add_part(net.pipeline, column.part, result.parts);
      if (column.kind == tpn::ColumnKind::transfer) add_part(net.pipeline, column.receiver, result.parts);
    }
    return result;
  }

  // The best of all mappings with one machine more in one of the parts, if it is faster.
  bool add_one(tpn::Mapping& mapping, const Diagnosis& diagnosis) {
    std::optional<tpn::Mapping> best;
    evaluators::Period least = diagnosis.period;
    for (const std::size_t i : diagnosis.parts) {
      const tpn::Part& part = mapping[i];
      if (!placement_.is_replicable(part.first_stage, part.last_stage)) continue;
      for (const std::size_t p : first_free(mapping)) {
        tpn::Mapping candidate = mapping;
        candidate[i].processors.push_back(p);
        if (!placement_.allow(candidate) || !problem_.links().hold(candidate)) continue;
        const auto answer = evaluator_.evaluate(candidate, model_, {least, evaluators::CutoffAt::reached});
        if (answer.answer != evaluators::MappingAnswer::exact || answer.lower >= least) continue;
        least = answer.lower;
        best = std::move(candidate);
      }
    }
    if (best) mapping = std::move(*best);
    return best.has_value();
  }

 private:
  static void add_part(const tpn::Pipeline& pipeline, std::size_t part, std::set<std::size_t>& parts) {
    if (pipeline.parts[part].role == tpn::PartRole::mapped) parts.insert(pipeline.parts[part].mapping_part);
  }

  // Of each class the first one that serves no part, cheapest first.
  std::vector<std::size_t> first_free(const tpn::Mapping& mapping) const {
    std::vector<bool> used(classes_.of.size());
    for (const tpn::Part& part : mapping)
      for (const std::size_t p : part.processors) used[p] = true;
    std::vector<std::size_t> free;
    for (const auto& members : classes_.members) {
      const auto found = std::ranges::find_if(members, [&](std::size_t p) { return !used[p]; });
      if (found != members.end()) free.push_back(*found);
    }
    const auto& processors = problem_.document().platform.processors;
    std::ranges::stable_sort(free, {}, [&](std::size_t p) { return processors[p].price; });
    return free;
  }

  const tpn::ProblemView& problem_;
  tpn::Model model_;
  const MachineClasses& classes_;
  evaluators::Deadline deadline_;
  PlacementRules placement_;
  evaluators::MappingEvaluator evaluator_;
};

}  // namespace

std::optional<SearchStart> repaired(const tpn::ProblemView& problem, const tpn::Model& model,
                                    const MachineClasses& classes, const Rational& period, tpn::Mapping mapping,
                                    const evaluators::Deadline& deadline) {
  Repair repair(problem, model, classes, deadline);
  std::optional<SearchStart> result;
  for (;;) {
    const auto diagnosis = repair.diagnose(mapping);
    if (!diagnosis) return result;
    result = {"repair", mapping, diagnosis->period};
    if (diagnosis->period <= period || evaluators::has_passed(deadline) || !repair.add_one(mapping, *diagnosis))
      return result;
  }
}

}  // namespace takt::heuristics

// heuristics: what heuristics predict of the problems drawn, what their mappings attain, and what could be attained.
//
// Problem. A table or curve of a paper shows predictions of heuristics, averaged over random problems. The exact
// periods of the same mappings, and the distance to a proved optimum or bound, say what those are worth.
//
// Method. Every heuristic maps the problem of the draw, with a seed that is a function of the draw as well; each
// mapping is evaluated under every model. A reference is mapped once per model, under that model where it has a choice.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <map>

#include "evaluators/bounds.hpp"
#include "evaluators/insight/completion.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "experiments/descriptions/description.hpp"
#include "experiments/studies/own_heuristics.hpp"
#include "experiments/studies/periods.hpp"
#include "heuristics/hedpm/model_optimum.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "maxplus/contract.hpp"
#include "tpn/models.hpp"

namespace takt::experiments {

namespace {

using heuristics::Proposal;

constexpr std::string_view kRunTime = "run_time";

struct HeuristicsSettings : StudySettings {
  std::uint64_t data_sets = 0;  // whose completion is measured; 0: none is
};

std::unique_ptr<const StudySettings> read_heuristics(const tpn::json::Tree& tree) {
  auto settings = std::make_unique<HeuristicsSettings>();
  if (const auto* sets = tpn::json::find(tree.root, "data_sets")) settings->data_sets = read_count(tree, *sets);
  return settings;
}

std::uint64_t data_sets_of(const Description& description) {
  return settings_of<HeuristicsSettings>(description).data_sets;
}

// A mapping with what was predicted of it, or why there is none.
struct Mapped {
  std::optional<Proposal> proposal;
  std::optional<tpn::Model> model;  // of the prediction, if there is one
  std::string reason;
  double seconds = 0;  // that it took, by the clock
};

// A time by the clock, to nanoseconds.
Rational in_seconds(double seconds) {
  constexpr long kNano = 1'000'000'000;
  return Rational::fraction(std::lround(seconds * kNano), kNano);
}

Mapped map_in_order(const tpn::Document& problem) {
  const std::size_t stages = problem.application.stages.size();
  if (stages > problem.platform.processors.size()) return {{}, {}, "fewer processors than stages"};
  Mapped mapped;
  mapped.proposal.emplace();
  for (std::size_t k = 0; k < stages; ++k) mapped.proposal->mapping.push_back({k, k, {k}});
  return mapped;
}

class HeuristicsStudy : public Study {
 public:
  HeuristicsStudy(const Description& description, const ExperimentCell& cell) : description_(description), cell_(cell) {
    for (const ChosenHeuristic& chosen : description.heuristics) {
      for (const tpn::Model& model : description.models) {
        series_.push_back({{"heuristic", chosen.label}, {"model", tpn::label_of(model)}});
      }
    }
  }

  const std::vector<SeriesKeys>& series() const override { return series_; }

  void use(OwnHeuristics& own) override { own_ = &own; }

  void run(const DrawKey& key, const maxplus::Deadline& deadline, DrawResult& result) override {
    const tpn::Document problem = draw_taken(description_, cell_, problem_key_of(description_, key));
    const tpn::ProblemView view(problem);
    evaluators::MappingEvaluator evaluator(view);
    const Context context{key, view, evaluator, deadline};
    const auto references = reference_periods(context);
    const std::size_t models = description_.models.size();
    for (std::size_t h = 0; h < description_.heuristics.size(); ++h) {
      const ChosenHeuristic& chosen = description_.heuristics[h];
      Mapped mapped;
      for (std::size_t m = 0; m < models; ++m) {
        SeriesResult& series = result[h * models + m];
        // Those of takt choose the model that they predict for; others are asked for each.
        const bool is_own = chosen.own != OwnForm::none;
        if (m == 0 || is_own)
          mapped = map(chosen, is_own ? std::optional(description_.models[m]) : std::nullopt, context);
        if (!mapped.proposal) {
          series.fail(mapped.reason);
        } else {
          put(mapped, description_.models[m], references[m], context, series);
        }
      }
    }
  }

 private:
  struct Context {
    const DrawKey& key;
    const tpn::ProblemView& view;
    evaluators::MappingEvaluator& evaluator;
    const maxplus::Deadline& deadline;

    const tpn::Document& problem() const { return view.document(); }
  };
  using References = std::vector<std::optional<Rational>>;  // periods, by Description::references

  Mapped map(const ChosenHeuristic& chosen, const std::optional<tpn::Model>& model, const Context& context) const {
    const auto begin = maxplus::SearchClock::now();
    Mapped mapped =
        chosen.own != OwnForm::none ? map_by_own(chosen, *model, context) : map_by_takt(chosen, model, context);
    mapped.seconds = std::chrono::duration<double>(maxplus::SearchClock::now() - begin).count();
    return mapped;
  }

  Mapped map_by_own(const ChosenHeuristic& chosen, const tpn::Model& model, const Context& context) const {
    maxplus::expects(own_ != nullptr, "somebody answers for heuristics that are none of takt's");
    OwnResult answer = own_->ask(chosen, {.problem = context.view,
                                          .model = model,
                                          .seed = settings_of(chosen, context.key, context.deadline).seed,
                                          .deadline = context.deadline});
    Mapped mapped;
    mapped.reason = std::move(answer.failure);
    if (!answer.mapping) return mapped;
    mapped.proposal.emplace();
    mapped.proposal->mapping = std::move(*answer.mapping);
    if (answer.predicted_period) {
      mapped.proposal->predicted_period = std::move(*answer.predicted_period);
      mapped.model = model;
    }
    return mapped;
  }

  static Mapped map_by_takt(const ChosenHeuristic& chosen, const std::optional<tpn::Model>& model,
                            const Context& context) {
    if (chosen.special == Special::in_order) return map_in_order(context.problem());
    heuristics::Settings settings = settings_of(chosen, context.key, context.deadline);
    settings.model = model;
    heuristics::Solution solution = heuristics::solve(*chosen.heuristic, context.view, std::move(settings));
    auto* proposal = std::get_if<Proposal>(&solution.result);
    if (proposal == nullptr || proposal->cut_short) return {{}, {}, reason_of(solution.result)};
    return {std::move(*proposal), solution.model, {}};
  }

  // By model.
  std::vector<References> reference_periods(const Context& context) const {
    std::vector<References> result;
    for (const tpn::Model& model : description_.models) {
      References periods;
      for (const ChosenHeuristic& chosen : description_.references) {
        periods.push_back(reference_period(chosen, model, context));
      }
      result.push_back(std::move(periods));
    }
    return result;
  }

  std::optional<Rational> reference_period(const ChosenHeuristic& chosen, const tpn::Model& model,
                                           const Context& context) const {
    if (!passes(cell_, chosen.where)) return std::nullopt;
    if (chosen.special == Special::lower_bound) {
      const Rational bound = heuristics::period_lower_bound(context.view, model, context.deadline);
      return maxplus::has_passed(context.deadline) ? std::nullopt : std::optional(bound);
    }
    if (chosen.special == Special::model_optimum) {
      const auto answer = heuristics::model_optimum(context.view, context.deadline);
      const auto* optimum = std::get_if<heuristics::ModelOptimum>(&answer);
      return optimum == nullptr ? std::nullopt : std::optional(optimum->production_time);
    }
    const bool has_choice = chosen.own != OwnForm::none ||
                            (chosen.heuristic != nullptr && chosen.heuristic->model_use != heuristics::ModelUse::none);
    const Mapped mapped = map(chosen, has_choice ? std::optional(model) : std::nullopt, context);
    if (!mapped.proposal) return std::nullopt;
    const auto found = period_of(*mapped.proposal, model, context);
    const auto* exact = std::get_if<Rational>(&found);
    return exact == nullptr ? std::nullopt : std::optional(*exact);
  }

  // With its stages and transfers in its order.
  static PeriodOrReason period_of(const Proposal& proposal, const tpn::Model& model, const Context& context) {
    if (!proposal.order && proposal.served.empty())
      return exact_period(context.evaluator, context.problem(), proposal.mapping, model, context.deadline);
    return exact_period(heuristics::document_of(context.problem(), proposal), model, context.deadline);
  }

  void put(const Mapped& mapped, const tpn::Model& model, const References& references, const Context& context,
           SeriesResult& result) const {
    const auto period = period_of(*mapped.proposal, model, context);
    if (const auto* reason = std::get_if<std::string>(&period)) {
      result.fail(*reason);
      return;
    }
    const auto& exact = std::get<Rational>(period);
    std::optional<Rational> predicted;
    if (mapped.model && *mapped.model == model) predicted = mapped.proposal->predicted_period;
    for (std::size_t i = 0; i < description_.measures.size(); ++i) {
      const std::string& name = description_.measures[i];
      result.values[i] = name == kRunTime
                             ? std::optional(in_seconds(mapped.seconds))
                             : measure(name, *mapped.proposal, model, exact, predicted, references, context);
    }
    for (std::size_t r = 0; r < references.size(); ++r) {
      if (!references[r] || description_.references[r].special != Special::lower_bound) continue;
      if (auto broken = broken_bound(description_.references[r], exact, *references[r])) {
        return result.fail(std::move(*broken));
      }
    }
  }

  static std::optional<Rational> quotient(const std::optional<Rational>& above, const std::optional<Rational>& below) {
    if (!above || !below || below->sign() == 0) return std::nullopt;
    return *above / *below;
  }

  std::optional<Rational> measure(const std::string& name, const Proposal& proposal, const tpn::Model& model,
                                  const Rational& exact, const std::optional<Rational>& predicted,
                                  const References& references, const Context& context) const {
    if (name == "period") return exact;
    if (name == "predicted_period") return predicted;
    if (name == "prediction_gap") {
      const auto ratio = quotient(predicted, exact);
      return ratio ? std::optional(*ratio - Rational(1)) : std::nullopt;
    }
    if (name == "max_cycle_time") return largest_cycle_time(proposal, model, context);
    if (name == "completion") return completion(proposal, model, context);
    for (std::size_t r = 0; r < references.size(); ++r) {
      const ChosenHeuristic& reference = description_.references[r];
      if (name != ratio_measure(reference)) continue;
      const bool is_of_model = reference.special == Special::model_optimum;
      return quotient(is_of_model ? heuristics::model_production_time(context.view, proposal.mapping) : exact,
                      references[r]);
    }
    return std::nullopt;
  }

  static std::optional<Rational> largest_cycle_time(const Proposal& proposal, const tpn::Model& model,
                                                    const Context& context) {
    if (!proposal.order && proposal.served.empty()) {
      const auto longest = context.evaluator.largest_cycle_time(proposal.mapping, model);
      return longest ? std::optional(longest->rational()) : std::nullopt;
    }
    const auto folded = tpn::fold(heuristics::document_of(context.problem(), proposal), model, context.deadline);
    const auto* net = std::get_if<tpn::FoldedNet>(&folded);
    return net == nullptr ? std::nullopt : std::optional(evaluators::largest_cycle_time(*net));
  }

  std::optional<Rational> completion(const Proposal& proposal, const tpn::Model& model, const Context& context) const {
    const auto folded = tpn::fold(heuristics::document_of(context.problem(), proposal), model);
    const auto* net = std::get_if<tpn::FoldedNet>(&folded);
    if (net == nullptr) return std::nullopt;
    const std::vector<maxplus::Integer> sets = {maxplus::Integer(data_sets_of(description_))};
    evaluators::Options options;
    options.deadline = context.deadline;
    const auto completions = evaluators::completions_of(*net, sets, options);
    if (!completions.times[0].exact()) return std::nullopt;
    return completions.times[0].lower;
  }

  const Description& description_;
  const ExperimentCell& cell_;
  std::vector<SeriesKeys> series_;
  OwnHeuristics* own_ = nullptr;
};

std::vector<FurtherMeasure> further_measures(const Description& description) {
  std::vector<FurtherMeasure> measures = ratio_measures(description);
  if (data_sets_of(description) > 0) measures.insert(measures.begin(), {"completion", "completion time"});
  return measures;
}

std::optional<std::string> objection_of_heuristics(const Description& description) {
  if (description.heuristics.empty()) return "it needs \"heuristics\", at least one";
  return objection_to_workflows(description);
}

}  // namespace

StudyKind heuristics_study() {
  return {.name = "heuristics",
          .summary = "what heuristics predict of the problems drawn, and the exact periods of their mappings",
          .keys = {"models", "heuristics", "references", "data_sets", "same_problem"},
          .measures = {{"predicted_period", "under the model that the heuristic predicts for"},
                       {"period", "exact, in time units per data set"},
                       {"prediction_gap", "predicted_period / period - 1: less than 0 where it is optimistic"},
                       {"max_cycle_time", "the longest that a resource is busy per data set"},
                       {.name = kRunTime,
                        .help = "seconds by the clock that the heuristic ran for; only where \"measures\" names it",
                        .words = "run time, s",
                        .is_run_time = true}},
          .draws_per_chunk = 20,
          .further_measures = further_measures,
          .objection = objection_of_heuristics,
          .takes = {.workflows = true},
          .read = read_heuristics,
          .prepare = [](const Description& description, const ExperimentCell& cell) -> std::unique_ptr<Study> {
            return std::make_unique<HeuristicsStudy>(description, cell);
          }};
}

}  // namespace takt::experiments

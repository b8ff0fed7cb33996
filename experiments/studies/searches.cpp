// searches: the best period that a search has found by each checkpoint of its iterations, from seed to seed.
//
// Problem. A search's figure is its best period so far over its iterations, the mean and the deviation of many seeds,
// beside the optimum: how soon is it near, and does it arrive?
//
// Method. Each draw runs every search once, to its own number of iterations, with a seed of the draw; its improvements
// (heuristics::Log) say what it had at every checkpoint. Where all draws are of one problem, what is compared with is
// computed once.
//
// References. [li2013data, section V, Table I and Figures 4 to 6].
#include <algorithm>
#include <map>

#include "experiments/descriptions/description.hpp"
#include "experiments/studies/periods.hpp"
#include "heuristics/search/period_lower_bound.hpp"

namespace takt::experiments {

namespace {

struct SearchesSettings : StudySettings {
  std::vector<std::uint64_t> checkpoints;  // ascending
};

std::unique_ptr<const StudySettings> read_searches(const tpn::json::Tree& tree) {
  auto settings = std::make_unique<SearchesSettings>();
  for (const auto& item : listed(tree, "checkpoints", "numbers of iterations")) {
    settings->checkpoints.push_back(read_count(tree, item));
  }
  std::ranges::sort(settings->checkpoints);
  return settings;
}

class SearchesStudy : public Study {
 public:
  SearchesStudy(const Description& description, const ExperimentCell& cell)
      : description_(description), cell_(cell), checkpoints_(settings_of<SearchesSettings>(description).checkpoints) {
    for (const ChosenHeuristic& chosen : description.heuristics) {
      for (const std::uint64_t checkpoint : checkpoints_) {
        series_.push_back({{"heuristic", chosen.label}, {"iterations", std::to_string(checkpoint)}});
      }
    }
  }

  const std::vector<SeriesKeys>& series() const override { return series_; }

  void run(const DrawKey& key, const maxplus::Deadline& deadline, DrawResult& result) override {
    const DrawKey problem_key = problem_key_of(description_, key);
    const tpn::Document problem = draw_taken(description_, cell_, problem_key);
    const tpn::ProblemView view(problem);
    const auto references = references_of(view, problem_key, deadline);
    const std::size_t checkpoints = checkpoints_.size();
    for (std::size_t h = 0; h < description_.heuristics.size(); ++h) {
      const ChosenHeuristic& chosen = description_.heuristics[h];
      const heuristics::Solution solution =
          heuristics::solve(*chosen.heuristic, view, settings_of(chosen, key, deadline));
      const auto* proposal = std::get_if<heuristics::Proposal>(&solution.result);
      for (std::size_t c = 0; c < checkpoints; ++c) {
        SeriesResult& series = result[h * checkpoints + c];
        if (proposal == nullptr || proposal->cut_short) {
          series.fail(reason_of(solution.result));
        } else {
          put(best_at(solution.log.improvements, checkpoints_[c]), references, series);
        }
      }
    }
  }

 private:
  using References = std::vector<std::optional<Rational>>;  // by Description::references

  static std::optional<Rational> best_at(const std::vector<heuristics::Improvement>& improvements,
                                         std::uint64_t checkpoint) {
    std::optional<Rational> best;
    for (const heuristics::Improvement& improvement : improvements) {
      if (improvement.iteration <= checkpoint) best = improvement.period;
    }
    return best;
  }

  const References& references_of(const tpn::ProblemView& view, const DrawKey& key, const maxplus::Deadline& deadline) {
    const auto known = references_.find(key.draw);
    if (known != references_.end()) return known->second;
    if (!description_.same_problem) references_.clear();
    References found;
    for (const ChosenHeuristic& chosen : description_.references) {
      found.push_back(reference(chosen, view, key, deadline));
    }
    return references_[key.draw] = std::move(found);
  }

  static std::optional<Rational> reference(const ChosenHeuristic& chosen, const tpn::ProblemView& view,
                                           const DrawKey& key, const maxplus::Deadline& deadline) {
    if (chosen.special == Special::lower_bound) {
      const Rational bound = heuristics::period_lower_bound(view, tpn::Model::kOverlap, deadline);
      return maxplus::has_passed(deadline) ? std::nullopt : std::optional(bound);
    }
    const auto solution = heuristics::solve(*chosen.heuristic, view, settings_of(chosen, key, deadline));
    const auto* proposal = std::get_if<heuristics::Proposal>(&solution.result);
    if (proposal == nullptr || proposal->cut_short) return std::nullopt;
    // As the searches' own: before shares are rounded to a dealing order, which the prediction comes after.
    if (!solution.log.improvements.empty()) return solution.log.improvements.back().period;
    return proposal->predicted_period;
  }

  void put(const std::optional<Rational>& best, const References& references, SeriesResult& result) const {
    for (std::size_t i = 0; i < description_.measures.size(); ++i) {
      const std::string& name = description_.measures[i];
      result.values[i] = best;
      for (std::size_t r = 0; r < references.size(); ++r) {
        if (name != ratio_measure(description_.references[r])) continue;
        const bool is_known = best && references[r] && references[r]->sign() != 0;
        result.values[i] = is_known ? std::optional(*best / *references[r]) : std::nullopt;
        if (!is_known) continue;
        if (auto broken = broken_bound(description_.references[r], *best, *references[r])) {
          return result.fail(std::move(*broken));
        }
      }
    }
  }

  const Description& description_;
  const ExperimentCell& cell_;
  const std::vector<std::uint64_t>& checkpoints_;
  std::vector<SeriesKeys> series_;
  std::map<std::uint64_t, References> references_;  // by the draw of the problem
};

std::optional<std::string> objection_of_searches(const Description& description) {
  if (description.heuristics.empty()) return "it needs \"heuristics\", at least one";
  if (settings_of<SearchesSettings>(description).checkpoints.empty())
    return "it needs \"checkpoints\", at least one number of iterations";
  const auto is_unfit = [](const ChosenHeuristic& chosen) {
    return chosen.heuristic == nullptr && chosen.special != Special::lower_bound;
  };
  if (std::ranges::any_of(description.heuristics, is_unfit) || std::ranges::any_of(description.references, is_unfit)) {
    return "its heuristics are searches, and its references heuristics or lower-bound";
  }
  return objection_to_workflows(description);
}

}  // namespace

StudyKind searches_study() {
  return {.name = "searches",
          .summary = "the best period that searches have found after so many iterations",
          .keys = {"heuristics", "references", "checkpoints", "same_problem"},
          .measures = {{"best", "the least period so far, as the search knows it, in time units per data set",
                        "best period so far"}},
          .draws_per_chunk = 5,
          .further_measures = ratio_measures,
          .objection = objection_of_searches,
          .takes = {.workflows = true},
          .read = read_searches,
          .prepare = [](const Description& description, const ExperimentCell& cell) -> std::unique_ptr<Study> {
            return std::make_unique<SearchesStudy>(description, cell);
          }};
}

}  // namespace takt::experiments

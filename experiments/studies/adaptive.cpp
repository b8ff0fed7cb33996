// adaptive: runs of the adaptive pipeline on the clusters drawn, for loads, thresholds and numbers of data sets.
//
// Problem. What does it cost to notice that a node has become slow, to drain, to calibrate and to go on elsewhere,
// against going on as before? `experiments/studies/adaptive_run.hpp` simulates one such run; here are all of a figure.
//
// References. [gonzalez2006adaptive, section 5].
#include <fmt/format.h>

#include <algorithm>

#include "experiments/descriptions/description.hpp"
#include "experiments/studies/adaptive_run.hpp"
#include "experiments/studies/periods.hpp"

namespace takt::experiments {

namespace {

// One stage's time on each node; the stages are equal.
std::vector<Rational> times_of(const tpn::Document& problem) {
  const tpn::Stage& stage = problem.application.stages[0];
  std::vector<Rational> times;
  for (const tpn::Processor& node : problem.platform.processors) times.push_back(*stage.work / *node.speed);
  return times;
}

// t_1 + ... + t_n + (S - 1) max t_i on the fittest n nodes, none of them loaded.
Rational unloaded_time(std::vector<Rational> times, std::size_t stages, std::uint64_t data_sets) {
  std::ranges::sort(times);
  Rational sum;
  for (std::size_t i = 0; i < stages; ++i) sum += times[i];
  return sum + Rational(data_sets - 1) * times[stages - 1];
}

// A run for each load, threshold and number of data sets.
struct AdaptiveSettings : StudySettings {
  std::vector<Rational> loads;
  std::vector<std::optional<Rational>> thresholds;  // none: never maps anew
  std::vector<std::uint64_t> stream_lengths;        // data sets
  bool is_buffered = false;                         // sends do not block
  std::uint64_t loaded_stage = 0;                   // from 1; 0: no node is loaded
};

std::unique_ptr<const StudySettings> read_adaptive(const tpn::json::Tree& tree) {
  namespace json = tpn::json;
  auto settings = std::make_unique<AdaptiveSettings>();
  for (const json::Value& item : listed(tree, "loads", "loads")) {
    settings->loads.push_back(json::as_number(tree, item, json::Bound::non_negative));
  }
  for (const json::Value& item : listed(tree, "thresholds", "thresholds")) {
    const bool is_none = item.kind == json::Kind::string && item.text == "infinite";
    settings->thresholds.push_back(is_none ? std::nullopt
                                           : std::optional(json::as_number(tree, item, json::Bound::non_negative)));
  }
  for (const json::Value& item : listed(tree, "stream_lengths", "numbers of data sets")) {
    settings->stream_lengths.push_back(read_count(tree, item));
  }
  if (const auto* buffered = json::find(tree.root, "buffered")) {
    settings->is_buffered = json::as_boolean(tree, *buffered);
  }
  if (const auto* stage = json::find(tree.root, "loaded_stage")) settings->loaded_stage = read_count(tree, *stage);
  return settings;
}

class AdaptiveStudy : public Study {
 public:
  AdaptiveStudy(const Description& description, const ExperimentCell& cell)
      : description_(description), cell_(cell), asked_(settings_of<AdaptiveSettings>(description)) {
    for (const std::uint64_t sets : asked_.stream_lengths) {
      for (const Rational& load : asked_.loads) {
        for (const auto& threshold : asked_.thresholds) {
          series_.push_back({{"data_sets", std::to_string(sets)},
                             {"load", load.to_string()},
                             {"threshold", threshold ? threshold->to_string() : "infinite"}});
          settings_.push_back({sets, load, threshold});
        }
      }
    }
  }

  const std::vector<SeriesKeys>& series() const override { return series_; }

  void run(const DrawKey& key, const maxplus::Deadline&, DrawResult& result) override {
    const tpn::Document problem = draw_taken(description_, cell_, key);
    AdaptiveScenario scenario;
    scenario.times = times_of(problem);
    scenario.stages = problem.application.stages.size();
    scenario.is_buffered = asked_.is_buffered;
    scenario.loaded_stage = asked_.loaded_stage == 0 ? 0 : asked_.loaded_stage - 1;
    for (std::size_t s = 0; s < settings_.size(); ++s) {
      scenario.data_sets = settings_[s].data_sets;
      scenario.load = settings_[s].load;
      scenario.threshold = settings_[s].threshold;
      const AdaptiveRun run = simulate_adaptive_run(scenario);
      const Rational unloaded = unloaded_time(scenario.times, scenario.stages, scenario.data_sets);
      for (std::size_t i = 0; i < description_.measures.size(); ++i) {
        result[s].values[i] = measure(description_.measures[i], run, unloaded);
      }
    }
  }

 private:
  struct Setting {
    std::uint64_t data_sets = 1;
    Rational load;
    std::optional<Rational> threshold;
  };

  static Rational measure(const std::string& name, const AdaptiveRun& run, const Rational& unloaded) {
    if (name == "time") return run.end;
    if (name == "remappings") return Rational(run.remappings);
    if (name == "calibrating") return run.calibrating;
    return run.end / unloaded;
  }

  const Description& description_;
  const ExperimentCell& cell_;
  const AdaptiveSettings& asked_;
  std::vector<SeriesKeys> series_;
  std::vector<Setting> settings_;
};

std::optional<std::string> objection_of_adaptive(const Description& description) {
  if (description.generator->name != "loaded-cluster") return "it needs the generator loaded-cluster";
  const auto& settings = settings_of<AdaptiveSettings>(description);
  if (settings.loads.empty() || settings.thresholds.empty() || settings.stream_lengths.empty()) {
    return "it needs \"loads\", \"thresholds\" and \"stream_lengths\", at least one of each";
  }
  for (const std::uint64_t sets : settings.stream_lengths) {
    if (sets == 0 || sets > 1'000'000) return "each of \"stream_lengths\" is from 1 to 1000000";
  }
  for (const ExperimentCell& cell : description.cells) {
    const std::uint64_t stages = cell.arguments.count("stages");
    if (stages > cell.arguments.count("processors")) {
      return fmt::format("the cell \"{}\" has more stages than nodes", cell.name);
    }
    if (settings.loaded_stage > stages) {
      return fmt::format("the cell \"{}\" has no stage {}, which is to be loaded", cell.name, settings.loaded_stage);
    }
  }
  return std::nullopt;
}

}  // namespace

StudyKind adaptive_study() {
  return {.name = "adaptive",
          .summary = "simulated runs of an adaptive pipeline of which a node becomes loaded",
          .keys = {"loads", "thresholds", "stream_lengths", "buffered", "loaded_stage"},
          .measures = {{"time", "from the first data set's start to the last one's end, in seconds"},
                       {"remappings", "how often it was mapped anew"},
                       {"calibrating", "seconds of that", "time calibrating"},
                       {"slowdown", "time over that of the same nodes without load"}},
          .draws_per_chunk = 100,
          .objection = objection_of_adaptive,
          .read = read_adaptive,
          .prepare = [](const Description& description, const ExperimentCell& cell) -> std::unique_ptr<Study> {
            return std::make_unique<AdaptiveStudy>(description, cell);
          }};
}

}  // namespace takt::experiments

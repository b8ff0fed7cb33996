// The recurrence of starts and ends, from one mapping to the next.
#include "experiments/studies/adaptive_run.hpp"

#include <algorithm>
#include <numeric>

#include "heuristics/monitor.hpp"
#include "maxplus/contract.hpp"

namespace takt::experiments {

using maxplus::Rational;

namespace {

class AdaptiveSimulation {
 public:
  explicit AdaptiveSimulation(const AdaptiveScenario& scenario) : scenario_(scenario) {
    maxplus::expects(scenario.stages >= 1 && scenario.stages <= scenario.times.size() && scenario.data_sets >= 1,
                     "an adaptive run has stages, no more than nodes, and data sets");
    maxplus::expects(scenario.loaded_stage < scenario.stages, "the loaded node has a stage");
    loaded_ = scenario.times.size();
    calibrate(0);
    loaded_ = nodes_[scenario.loaded_stage];
  }

  AdaptiveRun run() {
    std::uint64_t next = 0;
    Rational begin;
    for (;;) {
      const Segment segment = run_segment(next, begin);
      next = segment.next;
      result_.end = segment.end;
      if (next == scenario_.data_sets) return result_;
      begin = calibrate(segment.end);
      result_.calibrating += begin - segment.end;
      ++result_.remappings;
    }
  }

 private:
  // Of a mapping: the first data set that it left, and when its last one ended.
  struct Segment {
    std::uint64_t next = 0;
    Rational end;
  };

  // When a stage that begins then on that node ends.
  Rational end_of(std::size_t node, const Rational& start) const {
    const Rational& time = scenario_.times[node];
    if (node != loaded_) return start + time;
    const Rational factor = Rational(1) + scenario_.load;
    if (start >= scenario_.load_from) return start + time * factor;
    const Rational idle = scenario_.load_from - start;
    return time <= idle ? start + time : scenario_.load_from + (time - idle) * factor;
  }

  // All nodes take one stage each from then on; the fittest get the stages. When the slowest has ended.
  Rational calibrate(const Rational& begin) {
    std::vector<Rational> taken;
    for (std::size_t node = 0; node < scenario_.times.size(); ++node) taken.push_back(end_of(node, begin) - begin);
    nodes_.resize(scenario_.times.size());
    std::iota(nodes_.begin(), nodes_.end(), 0);
    std::ranges::stable_sort(nodes_, {}, [&](std::size_t node) { return taken[node]; });
    nodes_.resize(scenario_.stages);
    calibrated_.clear();
    for (const std::size_t node : nodes_) calibrated_.push_back(taken[node]);
    return begin + *std::ranges::max_element(taken);
  }

  // Until the data sets end, or those that were let in before the last stage called for a new mapping.
  Segment run_segment(std::uint64_t first, const Rational& begin) {
    const std::size_t n = scenario_.stages;
    std::vector<Rational> free(n, begin);  // when each node has handed on what it had
    std::vector<Rational> ends(n);
    std::vector<Rational> took(n);
    std::optional<Rational> closed;  // the source
    Segment segment{first, begin};
    for (std::uint64_t j = first; j < scenario_.data_sets; ++j) {
      if (closed && free[0] >= *closed) break;
      Rational ready = begin;
      for (std::size_t i = 0; i < n; ++i) {
        const Rational start = std::max(ready, free[i]);
        if (i > 0 && !scenario_.is_buffered) free[i - 1] = start;
        ends[i] = end_of(nodes_[i], start);
        took[i] = ends[i] - start;
        free[i] = ends[i];
        ready = ends[i];
      }
      segment = {j + 1, ready};
      if (!closed && scenario_.threshold && heuristics::remap_reason(calibrated_, took, *scenario_.threshold)) {
        closed = ready;
      }
    }
    return segment;
  }

  const AdaptiveScenario& scenario_;
  std::size_t loaded_ = 0;
  std::vector<std::size_t> nodes_;    // by stage
  std::vector<Rational> calibrated_;  // likewise: what they took
  AdaptiveRun result_;
};

}  // namespace

AdaptiveRun simulate_adaptive_run(const AdaptiveScenario& scenario) { return AdaptiveSimulation(scenario).run(); }

}  // namespace takt::experiments

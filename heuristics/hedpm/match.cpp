// The lists shrink match by match, the means with them.
#include "heuristics/hedpm/match.hpp"

#include <algorithm>
#include <utility>

#include "maxplus/contract.hpp"

namespace takt::heuristics::dynamic_mapping {

using tpn::LinearTime;

namespace {

Rational cost(const std::optional<LinearTime>& link, const Rational& size) {
  return link ? link->of(size) : Rational();
}

// Equation 3, on the average processor.
Rational average_time(const CostModel& model, std::size_t stage, const AverageProcessor& processor,
                      const std::optional<LinearTime>& link) {
  Rational time = processor.time(stage);
  for (const std::size_t file : {stage, stage + 1}) {
    if (model.is_sent(file)) time += cost(link, model.file(file));
  }
  return time;
}

// What Equations 4 and 6 know of the stages: means over some of them.
struct AverageStage {
  Rational file;
  Rational received;  // the share of stages whose files before them are sent
  Rational sent;      // and of those with a file sent behind them
};

AverageStage average_stage(const CostModel& model, const std::vector<std::size_t>& stages) {
  AverageStage mean;
  Rational before;
  for (const std::size_t k : stages) {
    if (model.is_sent(k)) {
      mean.received += 1;
      before += model.file(k);
    }
    if (model.is_sent(k + 1)) {
      mean.sent += 1;
      mean.file += model.file(k + 1);
    }
  }
  if (mean.sent.sign() > 0) {
    mean.file /= mean.sent;
  } else if (mean.received.sign() > 0) {
    mean.file = before / mean.received;  // only the last stage, and nobody takes its file
  }
  const Rational count(stages.size());
  mean.received /= count;
  mean.sent /= count;
  return mean;
}

// One run of Algorithm 4.1.
class Matcher {
 public:
  Matcher(const CostModel& model, const Order& order, Reading reading, const std::optional<Rational>& objective)
      : model_(model),
        reading_(reading),
        objective_(objective),
        processors_(order.processors),
        stages_(order.stages),
        matches_(model.stages()),
        links_(model.all_links()),
        average_(model, processors_) {}

  bool is_done() const { return stages_.empty(); }

  // The next row; nothing if a missing link stands in every processor's way.
  std::optional<Match> next() {
    Match row;
    if (stages_.size() > 1) {
      row.ideal = objective_ ? *objective_ : ideal_time();
      target_ = *row.ideal;
    }
    for (std::size_t first = 0; first < processors_.size(); ++first) {
      auto chosen = stages_.size() == 1 ? last_stage(first) : candidate(first);
      if (!chosen) continue;
      row.part = std::move(chosen->part);
      row.time = std::move(chosen->time);
      take(row.part);
      return row;
    }
    return std::nullopt;
  }

 private:
  struct CandidatePart {
    tpn::Part part;
    Rational time;
  };

  // Equations 5 and 6.
  Rational ideal_time() const {
    const AverageStage stage = average_stage(model_, stages_);
    const Rational share = Rational(stages_.size()) / Rational(processors_.size());
    return (stage.received + stage.sent) * cost(links_.mean(), stage.file) + share * average_.mean_time(stages_);
  }

  bool is_free(std::size_t stage) const { return stage < model_.stages() && !matches_.holds(stage); }
  bool is_free_before(std::size_t stage) const { return stage > 0 && !matches_.holds(stage - 1); }

  // How many processors the interval may have so that every run of unmatched stages can still have one; 0 or less
  // where the interval must grow.
  std::ptrdiff_t allowance(const tpn::Part& part) const {
    const int beside = (is_free_before(part.first_stage) ? 1 : 0) + (is_free(part.last_stage + 1) ? 1 : 0);
    return static_cast<std::ptrdiff_t>(processors_.size()) - (runs_ - 1 + beside);
  }

  bool grow(tpn::Part& part) const {
    if (is_free(part.last_stage + 1)) {
      ++part.last_stage;
    } else if (is_free_before(part.first_stage)) {
      --part.first_stage;
    } else {
      return false;
    }
    return true;
  }

  std::optional<Rational> time(const tpn::Part& part) const {
    return model_.execution_time(part.first_stage, part.last_stage, part.processors.front(), matches_);
  }

  Rational lower() const { return target_ * Rational::fraction(95, 100); }
  Rational upper() const { return target_ * Rational::fraction(reading_ == Reading::table ? 110 : 105, 100); }
  Rational distance(const Rational& time) const { return time < target_ ? target_ - time : time - target_; }

  // The later of two candidates, or the closer one.
  void keep(std::optional<CandidatePart>& kept, CandidatePart next) const {
    if (kept && reading_ == Reading::closest && distance(next.time) >= distance(kept->time)) return;
    kept = std::move(next);
  }

  std::optional<CandidatePart> candidate(std::size_t first) const {
    tpn::Part part{stages_.front(), stages_.front(), {processors_[first]}};
    while (allowance(part) < 1) grow(part);
    const auto alone = time(part);
    if (alone && *alone > upper()) {
      if (part.first_stage == part.last_stage) return replicas(first, *alone);
      return CandidatePart{std::move(part), *alone};
    }
    if (alone && *alone >= lower()) return CandidatePart{std::move(part), *alone};
    return group(std::move(part), alone);
  }

  std::optional<CandidatePart> group(tpn::Part part, std::optional<Rational> now) const {
    const Rational enough = reading_ == Reading::table ? lower() : target_;
    std::optional<CandidatePart> kept;
    if (now) kept = CandidatePart{part, *now};
    while (!(now && *now >= enough) && grow(part)) {
      now = time(part);
      if (now) keep(kept, {part, *now});
    }
    return kept;
  }

  CandidatePart replicas(std::size_t first, Rational slowest) const {
    const std::size_t stage = stages_.front();
    tpn::Part part{stage, stage, {processors_[first]}};
    std::optional<CandidatePart> kept = CandidatePart{part, slowest};
    if (!model_.is_replicable(stage)) return *kept;
    const Rational enough = reading_ == Reading::table ? upper() : target_;
    const std::ptrdiff_t most = allowance(part);
    Rational now = slowest;
    for (std::size_t i = first + 1; i < processors_.size() && std::ssize(part.processors) < most && now > enough; ++i) {
      const auto own = model_.execution_time(stage, stage, processors_[i], matches_);
      if (!own) continue;
      part.processors.push_back(processors_[i]);
      slowest = std::max(slowest, *own);
      now = slowest / Rational(part.processors.size());
      keep(kept, {part, now});
    }
    return *kept;
  }

  // Takes all processors that remain and reach its neighbors.
  std::optional<CandidatePart> last_stage(std::size_t first) const {
    const std::size_t stage = stages_.front();
    CandidatePart last{{stage, stage, {}}, {}};
    for (std::size_t i = first; i < processors_.size(); ++i) {
      const auto own = model_.execution_time(stage, stage, processors_[i], matches_);
      if (!own && i == first) return std::nullopt;
      if (!own) continue;
      last.time = std::max(last.time, *own);
      last.part.processors.push_back(processors_[i]);
      if (!model_.is_replicable(stage)) break;
    }
    const std::vector<std::size_t>& replicas = last.part.processors;
    if (reading_ == Reading::table && replicas.size() > 1) {
      last.time = 0;
      for (const std::size_t p : replicas)
        last.time = std::max(last.time, *model_.execution_time_beside(stage, p, replicas, matches_));
    }
    last.time /= Rational(replicas.size());
    return last;
  }

  void take(const tpn::Part& part) {
    runs_ += (is_free_before(part.first_stage) ? 1 : 0) + (is_free(part.last_stage + 1) ? 1 : 0) - 1;
    std::erase_if(stages_, [&](std::size_t k) { return part.first_stage <= k && k <= part.last_stage; });
    for (const std::size_t p : part.processors) {
      if (!objective_ && stages_.size() > 1) {  // only the ideal time asks for the means
        links_.remove(model_.entries(p, processors_));
        average_.remove(p);
      }
      std::erase(processors_, p);
    }
    matches_.add(part);
    maxplus::expects(runs_ <= std::ssize(processors_), "every run of unmatched stages can have a processor");
  }

  const CostModel& model_;
  const Reading reading_;
  const std::optional<Rational>& objective_;
  std::vector<std::size_t> processors_;
  std::vector<std::size_t> stages_;
  Matches matches_;
  LinkSums links_;
  AverageProcessor average_;
  Rational target_;
  std::ptrdiff_t runs_ = 1;
};

}  // namespace

Order sorted(const CostModel& model) {
  Order order{model.processors(), {}};
  for (std::size_t k = 0; k < model.stages(); ++k) order.stages.push_back(k);

  const AverageProcessor mean_processor(model, order.processors);
  const auto mean_link = model.all_links().mean();
  std::vector<Rational> stage_times;
  for (const std::size_t k : order.stages) stage_times.push_back(average_time(model, k, mean_processor, mean_link));
  std::ranges::stable_sort(order.stages, std::ranges::greater{}, [&](std::size_t k) { return stage_times[k]; });

  const AverageStage stage = average_stage(model, order.stages);
  std::vector<std::pair<Rational, std::size_t>> keyed;
  const Rational one_stage = Rational::fraction(1, model.stages());
  for (const std::size_t p : order.processors) {
    const Rational computation = model.fixed(p) + model.computation_before(model.stages(), p) * one_stage;
    keyed.emplace_back(stage.received * cost(model.incoming(p).mean(), stage.file) + computation +
                           stage.sent * cost(model.outgoing(p).mean(), stage.file),
                       p);
  }
  std::ranges::sort(keyed);
  std::ranges::transform(keyed, order.processors.begin(), &std::pair<Rational, std::size_t>::second);
  return order;
}

tpn::Mapping StageMatching::mapping() const {
  tpn::Mapping mapping;
  for (const Match& match : matches) mapping.push_back(match.part);
  std::ranges::sort(mapping, {}, &tpn::Part::first_stage);
  return mapping;
}

Rational StageMatching::production_time() const { return std::ranges::max_element(matches, {}, &Match::time)->time; }

StageMatching match(const CostModel& model, const Order& order, Reading reading,
                    const std::optional<Rational>& objective, const evaluators::Deadline& deadline) {
  Matcher matcher(model, order, reading, objective);
  StageMatching matching;
  while (!matcher.is_done()) {
    if (evaluators::has_passed(deadline)) {
      matching.ending = MatchingEnd::deadline;
      return matching;
    }
    auto row = matcher.next();
    if (!row) {
      matching.ending = MatchingEnd::missing_link;
      return matching;
    }
    matching.matches.push_back(std::move(*row));
  }
  return matching;
}

}  // namespace takt::heuristics::dynamic_mapping

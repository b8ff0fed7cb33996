// Greedy additions, then what has become too much is taken away again.
#include "tools/plan/latency_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "tools/plan/plan_json.hpp"
#include "tools/vary/estimate_words.hpp"
#include "tools/vary/vary_words.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"
#include "vary/net_times.hpp"

namespace takt::tools {

using maxplus::Rational;
using vary::Figure;

namespace {

// So far apart that no data set meets another.
constexpr double kApart = 1e6;
constexpr std::size_t kMostAdded = 1000;

class LatencySearch {
 public:
  LatencySearch(const tpn::Document& document, const plan::Catalogue& catalogue, const PlanWish& wish,
                const KeptRateQuestion& question, const maxplus::Deadline& deadline)
      : document_(document),
        catalogue_(catalogue),
        wish_(wish),
        question_(question),
        deadline_(deadline),
        gap_(double_of(wish.period)) {
    settings_.seed = question.seed;
    settings_.deadline = deadline;
  }

  LatencyPlan run(const FoundPlan& found) {
    LatencyPlan result;
    result.question = question_;
    const auto figures = percentiles(found, std::vector{gap_ * kApart, gap_});
    if (!figures) {
      result.reason = deadline_.has_passed() ? "the time was up" : "its net is too large to be played";
      return result;
    }
    result.alone = figures->at(0);
    if (result.is_alone_slower()) return result;
    result.before = figures->at(1);
    result.is_kept = is_within(*result.before);
    if (result.is_kept) return result;
    added_.assign(found.parts.size(), 0);
    FoundPlan best = found;
    Figure at = *result.before;
    while (!is_within(at)) {
      auto step = best_addition(best, at);
      if (!step) break;
      best = std::move(step->plan);
      at = step->figure;
    }
    if (is_within(at)) take_away(best, at);
    result.is_cut_short = deadline_.has_passed();
    result.is_kept = is_within(at);
    if (best.parts != found.parts) {
      result.plan = std::move(best);
      result.after = at;
    }
    return result;
  }

 private:
  struct Step {
    FoundPlan plan;
    Figure figure;
    std::size_t part = 0;
  };

  bool is_within(const Figure& figure) const { return figure.high() <= question_.limit.limit.latency; }

  // At these gaps, with the same random times; nothing if the net is too large or the time is up.
  std::optional<std::vector<Figure>> percentiles(const FoundPlan& found, const std::vector<double>& gaps) const {
    if (too_large_to_map(document_, found)) return std::nullopt;
    const tpn::Document mapped = planned_document(document_, catalogue_, wish_, found);
    auto folded = tpn::fold(mapped, wish_.model, deadline_);
    const auto* const net = std::get_if<tpn::FoldedNet>(&folded);
    if (net == nullptr) return std::nullopt;
    auto times = vary::times_of(mapped, *net, question_.law, deadline_);
    if (!times) return std::nullopt;
    const vary::PlayedNet played(*net, *std::move(times));
    std::vector<vary::Scenario> scenarios;
    scenarios.reserve(gaps.size());
    for (const double gap : gaps) scenarios.push_back({gap});
    const double share = question_.limit.limit.share;
    const auto figures = vary::figures_of(played, scenarios, std::span(&share, 1), settings_);
    if (!figures || figures->is_cut_short) return std::nullopt;
    std::vector<Figure> result;
    for (const vary::ScenarioFigures& scenario : figures->scenarios) result.push_back(scenario.within.at(0));
    return result;
  }

  bool has_another(const FoundPlan& plan, std::size_t part) const {
    const plan::TypedPart& typed = plan.parts[part];
    if (!catalogue_.is_replicable(typed.first_stage, typed.last_stage)) return false;
    const auto& count = catalogue_.types[typed.type].count;
    return !count || plan.facts.machines_by_type()[typed.type] < maxplus::Integer(*count);
  }

  FoundPlan with(const FoundPlan& plan, std::size_t part, bool is_added) const {
    plan::TypedPlan parts = plan.parts;
    is_added ? ++parts[part].machines : --parts[part].machines;
    return found_plan(catalogue_, wish_, std::move(parts));
  }

  // The machine that shortens the percentile most for its price.
  std::optional<Step> best_addition(const FoundPlan& plan, const Figure& at) {
    std::optional<Step> best;
    double most = 0;
    if (std::ranges::count_if(added_, [](std::size_t count) { return count >= kMostAdded; }) > 0) return std::nullopt;
    for (std::size_t part = 0; part < plan.parts.size(); ++part) {
      if (!has_another(plan, part)) continue;
      FoundPlan more = with(plan, part, true);
      const auto figures = percentiles(more, {gap_});
      if (!figures) return std::nullopt;
      const double price = double_of(catalogue_.types[plan.parts[part].type].price);
      // A machine that costs nothing is worth most.
      constexpr double kNearlyFree = 1e-9;
      const double gain = (at.value - figures->front().value) / std::max(price, kNearlyFree);
      if (gain <= most) continue;
      most = gain;
      best = Step{std::move(more), figures->front(), part};
    }
    if (best) ++added_[best->part];
    return best;
  }

  // Added machines that are not needed any more, the dearest first.
  void take_away(FoundPlan& plan, Figure& at) {
    std::vector<std::size_t> parts;
    for (std::size_t part = 0; part < added_.size(); ++part)
      if (added_[part] > 0) parts.push_back(part);
    std::ranges::sort(parts, std::greater<>(),
                      [&](std::size_t part) { return catalogue_.types[plan.parts[part].type].price; });
    for (const std::size_t part : parts) {
      while (added_[part] > 0) {
        FoundPlan less = with(plan, part, false);
        const auto figures = percentiles(less, {gap_});
        if (!figures || !is_within(figures->front())) break;
        plan = std::move(less);
        at = figures->front();
        --added_[part];
      }
    }
  }

  const tpn::Document& document_;
  const plan::Catalogue& catalogue_;
  const PlanWish& wish_;
  const KeptRateQuestion& question_;
  maxplus::Deadline deadline_;
  double gap_;
  vary::VarySettings settings_;
  std::vector<std::size_t> added_;  // by part
};

// "1 small more for \"decode\" and 2 gpu more for \"detect\"".
std::string added_words(const FoundPlan& before, const FoundPlan& after, const PlanWords& words) {
  std::vector<std::string> added;
  for (std::size_t i = 0; i < after.parts.size(); ++i) {
    const plan::TypedPart& part = after.parts[i];
    const std::uint64_t more = part.machines - before.parts[i].machines;
    if (more == 0) continue;
    added.push_back(fmt::format("{} {} more for {}", more, printable(words.catalogue.types[part.type].name),
                                stages_words(words.catalogue, part.first_stage, part.last_stage)));
  }
  return listing(added);
}

// The latency of a plan on whose machines a lone data set is fast enough, if one is shorter.
std::optional<Rational> tighter_latency(const LatencyPlan& latency, const FoundPlan& found) {
  if (latency.alone.value <= 0) return std::nullopt;
  // As far below the limit as the percentile lies above the mean, and a little more.
  constexpr double kBelow = 0.98;
  const double share = latency.question.limit.limit.latency / latency.alone.value * kBelow;
  if (share >= 1) return std::nullopt;
  return found.facts.latency() * rational_of(share);
}

// A plan and what became of its latency.
struct LatencyAttempt {
  PlanFindings findings;
  LatencyPlan latency;

  const Rational& cost() const { return (latency.plan ? *latency.plan : *findings.found).facts.cost(); }
};

class LatencyPlanner {
 public:
  LatencyPlanner(const tpn::Document& document, const plan::Catalogue& catalogue, const KeptRateQuestion& question,
                 const PlanQuestions& questions)
      : document_(document), catalogue_(catalogue), question_(question), questions_(questions) {}

  LatencyAttempt attempt(PlanFindings findings) const {
    constexpr int kTries = 8;
    LatencyAttempt result{std::move(findings), {}};
    const std::optional<Rational> asked = result.findings.wish.latency;
    for (int k = 0;; ++k) {
      const PlanWish& wish = result.findings.wish;
      result.latency =
          LatencySearch(document_, catalogue_, wish, question_, questions_.deadline).run(*result.findings.found);
      if (wish.latency != asked) result.latency.tightened = wish.latency;
      if (k == kTries || !result.latency.is_alone_slower() || questions_.deadline.has_passed()) return result;
      PlanWish tighter = wish;
      tighter.latency = tighter_latency(result.latency, *result.findings.found);
      if (!tighter.latency) return result;
      PlanFindings faster = find_plan(catalogue_, tighter, questions_);
      if (!faster.found) return result;
      result.findings = std::move(faster);
    }
  }

  // Nothing if there is no such plan.
  std::optional<LatencyAttempt> attempt_with(PlanWish wish, const Rational& headroom) const {
    wish.headroom = headroom;
    PlanFindings findings = find_plan(catalogue_, wish, questions_);
    if (!findings.found) return std::nullopt;
    return attempt(std::move(findings));
  }

 private:
  const tpn::Document& document_;
  const plan::Catalogue& catalogue_;
  const KeptRateQuestion& question_;
  const PlanQuestions& questions_;
};

}  // namespace

LatencyPlan plan_for_latency(const tpn::Document& document, const plan::Catalogue& catalogue, PlanFindings& findings,
                             const KeptRateQuestion& question, const PlanQuestions& questions) {
  const LatencyPlanner planner(document, catalogue, question, questions);
  const PlanWish wish = findings.wish;
  LatencyAttempt best = planner.attempt(findings);
  const bool is_hopeless = best.latency.is_alone_slower() || !best.latency.reason.empty();
  // One more where the limit is kept: it may be cheaper.
  constexpr int kSteps = 8;
  int tries_left = is_hopeless ? 0 : best.latency.is_kept && !best.latency.plan ? 0 : kSteps;
  for (int step = 1; tries_left > 0 && !questions.deadline.has_passed(); ++step, --tries_left) {
    const Rational headroom = Rational::fraction(step, 10);
    if (headroom <= wish.headroom) continue;
    auto next = planner.attempt_with(wish, headroom);
    if (!next) break;
    const bool was_kept = best.latency.is_kept;
    const bool is_better = next->latency.is_kept && (!was_kept || next->cost() < best.cost());
    if (was_kept && !is_better) break;
    if (is_better) best = *std::move(next);
  }
  best.latency.is_cut_short = best.latency.is_cut_short || (!best.latency.is_kept && questions.deadline.has_passed());
  findings = std::move(best.findings);
  findings.has_chosen_latency = findings.wish.latency != wish.latency;
  findings.has_chosen_headroom = findings.wish.headroom != wish.headroom;
  return std::move(best.latency);
}

std::string latency_sentences(const LatencyPlan& latency, const PlanWish& wish, const FoundPlan& found,
                              const PlanWords& words) {
  const EstimateWords estimates(words.times);
  const std::string share = share_words(latency.question.limit.limit.share);
  const std::string limit = words.times.readable(latency.question.limit.latency);
  const std::string basis = kept_rate_basis(latency.question, vary::VarySettings().copies);
  const std::string rate = words.rates.of_period(wish.period);
  if (!latency.reason.empty()) {
    return fmt::format("Whether {} of all {} are within {} is not known: {}.", share, words.times.item_plural(), limit,
                       latency.reason);
  }
  if (latency.is_alone_slower()) {
    return fmt::format(
        "No number of these machines keeps {} of all {} within {}: even alone in the pipeline, {} are within {} only "
        "({}). --latency finds faster machines.",
        share, words.times.item_plural(), limit, share, estimates.time(latency.alone), basis);
  }
  std::string text;
  if (latency.tightened) {
    text = fmt::format(
        "In the cheapest plan a {} takes too long even alone in the pipeline, so takt looked for plans whose latency "
        "is "
        "at most {} if times do not vary, a limit of its own: a cheaper plan may keep the percentile, too. ",
        words.times.item(), words.times.readable(*latency.tightened));
  }
  text += fmt::format("At {} {} of all {} are within {}", rate, share, words.times.item_plural(),
                      estimates.time(*latency.before));
  if (!latency.plan) {
    return latency.is_kept
               ? fmt::format("{}, as asked ({}).", text, basis)
               : fmt::format("{}, not within {} ({}): neither more machines nor headroom help.", text, limit, basis);
  }
  text += fmt::format(" ({}). With {} they are within {}", basis, added_words(found, *latency.plan, words),
                      estimates.time(*latency.after));
  if (!latency.is_kept) {
    return text + fmt::format(", still not within {}: {}.", limit,
                              latency.is_cut_short ? "the time was up" : "neither more machines nor headroom help");
  }
  return text + fmt::format(", for {} in all. The rate is proved; the latency is an estimate.",
                            words.money.counts_machines() ? machines_words(words.catalogue, latency.plan->facts)
                                                          : words.money.said(latency.plan->facts.cost()));
}

void write_latency_plan(tpn::JsonWriter& json, const LatencyPlan& latency, const PlanWish& wish,
                        const PlanWords& words) {
  const auto figure = [&](std::string_view name, const std::optional<Figure>& value) {
    if (value) return write_figure(json, name, *value);
    json.member(name, nullptr);
  };
  json.key("latency_plan");
  json.begin_object();
  json.member("fraction", latency.question.limit.limit.share);
  write_exact(json, "latency_limit", latency.question.limit.latency);
  json.member("kept", latency.is_kept);
  if (!latency.reason.empty()) {
    json.member("not_varied", latency.reason);
  } else {
    figure("percentile_alone", latency.alone);
    figure("percentile_before", latency.before);
    figure("percentile_after", latency.after);
    json.key("plan");
    if (latency.plan) {
      write_point(json, *latency.plan, wish, words);
    } else {
      json.value(nullptr);
    }
  }
  json.end();
}

}  // namespace takt::tools

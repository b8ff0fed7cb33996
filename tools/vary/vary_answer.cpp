// First the net saturated, then at rates.
#include "tools/vary/vary_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evaluators/evaluate.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/frame/options.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

// Of the exact period: a bound beside estimates, no reason to wait.
constexpr double kExactSeconds = 10;

std::optional<Rational> exact_period(const tpn::FoldedNet& net, const maxplus::Deadline& deadline) {
  evaluators::Options options;
  options.deadline = deadline.time() ? deadline.half_way() : maxplus::Deadline(deadline_after(kExactSeconds));
  const auto evaluation = evaluators::evaluate(net, options);
  return evaluation.exact() ? std::optional(evaluation.lower) : std::nullopt;
}

// Latencies at the rates that are asked for; none where the deadline passes first.
void add_rates(VariedInstance& result, const vary::PlayedNet& played, const VaryQuestion& question) {
  std::vector<vary::Scenario> scenarios;
  const auto add = [&](double gap) {
    result.rates.push_back({gap, result.period.value / gap, {}});
    if (gap > result.period.low()) scenarios.push_back({gap});
  };
  for (const Rational& gap : question.gaps) add(double_of(gap));
  if (question.gaps.empty()) {
    for (const double load : question.loads) add(result.period.value / load);
  }
  if (!scenarios.empty()) {
    const auto figures = vary::figures_of(played, scenarios, question.shares, question.settings);
    result.is_cut_short = result.is_cut_short || !figures || figures->is_cut_short;
    if (figures) {
      result.copies = std::max(result.copies, figures->copies);
      auto next = figures->scenarios.begin();
      for (VariedRate& rate : result.rates) {
        if (rate.gap > result.period.low()) rate.figures = *next++;
      }
    } else {
      result.rates.clear();
    }
  }
}

}  // namespace

std::variant<VariedInstance, NotVaried> vary_instance(const std::string& file, const tpn::Document& document,
                                                      const tpn::Model& model, const VaryQuestion& question) {
  const maxplus::Deadline& deadline = question.settings.deadline;
  auto folded = tpn::fold(document, model, deadline);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) return NotVaried{too_large_text(*too_large)};
  const auto& net = std::get<tpn::FoldedNet>(folded);
  auto times = question.law ? std::optional(vary::times_of(document, net, *question.law))
                            : vary::times_of(document, net, deadline);
  if (!times) return NotVaried{"the time was up before the laws of all durations were known"};
  const bool has_mean_latency = std::ranges::all_of(times->laws, vary::has_mean_latency);
  const vary::PlayedNet played(net, *std::move(times));
  VariedInstance result{.file = file,
                        .model = model,
                        .times = TimeWords(document),
                        .question = question,
                        .exact_period = exact_period(net, deadline),
                        .period = {},
                        .has_mean_latency = has_mean_latency,
                        .rates = {},
                        .smallest_gap = {}};
  const vary::Scenario saturated{};
  // Latencies want their share of the time.
  vary::VarySettings settings = question.settings;
  settings.deadline = deadline.after_part(1, 3);
  const auto most = vary::figures_of(played, std::span(&saturated, 1), {}, settings);
  if (!most) return NotVaried{"the time was up before two copies were played"};
  result.period = most->scenarios[0].period;
  result.copies = result.period_copies = most->copies;
  result.data_sets = most->data_sets;
  result.skipped = most->skipped;
  result.is_cut_short = most->is_cut_short;
  if (result.period.value <= 0) return NotVaried{"nothing takes time: data sets are delivered as they arrive"};

  add_rates(result, played, question);
  if (question.within) {
    result.smallest_gap = vary::smallest_gap(played, *question.within, result.period.value, question.settings);
    if (!result.smallest_gap) result.is_cut_short = true;
  }
  return result;
}

}  // namespace takt::tools

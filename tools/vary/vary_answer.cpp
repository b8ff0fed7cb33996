// First the net saturated, then at rates.
#include "tools/vary/vary_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evaluators/evaluate.hpp"
#include "evaluators/proof/check_expected.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/frame/options.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

// Of the exact period: a bound beside estimates, no reason to wait.
constexpr double kExactSeconds = 10;

// Latencies at the rates that are asked for; none if the deadline passes first.
void add_rates(VariedInstance& result, const vary::PlayedNet& played, const VaryQuestion& question) {
  std::vector<vary::Scenario> scenarios;
  const auto takes = [&](double gap) { return has_latencies(question, gap, result.period, result.upper); };
  const auto add = [&](double gap) {
    result.rates.push_back({gap, result.period.value / gap, {}});
    if (takes(gap)) scenarios.push_back({gap});
  };
  for (const Rational& gap : question.gaps) add(double_of(gap));
  if (question.has_own_gap()) add(question.table->mean_gap);
  if (result.rates.empty() && result.period.value > 0) {
    for (const double load : question.loads) add(result.period.value / load);
  }
  if (scenarios.empty()) return;
  const auto figures = vary::figures_of(played, scenarios, question.shares, rate_settings(question));
  if (!figures) {
    result.amount.is_cut_short = true;
    result.rates.clear();
    return;
  }
  result.amount.add_at_rates(*figures);
  auto next = figures->scenarios.begin();
  for (VariedRate& rate : result.rates) {
    if (takes(rate.gap)) rate.figures = *next++;
  }
}

}  // namespace

vary::VarySettings rate_settings(const VaryQuestion& question) {
  vary::VarySettings settings = question.settings;
  if (question.table) {
    settings.arrivals = {vary::ArrivalKind::table, question.table->times};
    settings.data_sets = question.table->data_sets;
    settings.skipped = 0;
    settings.lengthens = false;
  }
  return settings;
}

bool has_latencies(const VaryQuestion& question, double gap, const vary::Figure& period,
                   const std::optional<Rational>& upper) {
  // Nor do they grow for ever at rates that are proved to be kept.
  return question.table || gap > period.low() || (upper && gap > double_of(*upper));
}

std::optional<std::string> too_many_latencies(const VaryQuestion& question, std::size_t scenarios) {
  const vary::VarySettings settings = rate_settings(question);
  const std::uint64_t latencies = vary::latencies_of(scenarios, settings);
  if (latencies <= settings.most_latencies) return std::nullopt;
  return fmt::format(
      "{} latencies would be kept, of {} copies at {} rate{}, the limit is {}: fewer --copies or --data-sets take less",
      latencies, settings.copies, scenarios, scenarios == 1 ? "" : "s", settings.most_latencies);
}

std::optional<Rational> exact_period_of(const tpn::FoldedNet& net, const maxplus::Deadline& deadline, int parts) {
  evaluators::Options options;
  options.deadline = deadline.time() ? deadline.after_part(1, parts) : maxplus::Deadline(deadline_after(kExactSeconds));
  const auto evaluation = evaluators::evaluate(net, options);
  return evaluation.exact() ? std::optional(evaluation.lower) : std::nullopt;
}

std::optional<Rational> upper_bound_of(const tpn::Document& document, const tpn::FoldedNet& net,
                                       const std::optional<tpn::Law>& law, const Rational& exact_period) {
  const auto found = evaluators::expected_upper(document, net, exact_period, law ? &*law : nullptr);
  const auto* known = std::get_if<Rational>(&found);
  return known != nullptr ? std::optional(*known) : std::nullopt;
}

void keep_within_bounds(vary::Figure& period, const std::optional<Rational>& exact_period,
                        const std::optional<Rational>& upper) {
  if (exact_period && upper && period.low() > double_of(*upper)) {
    period.value = double_of(*upper);
    period.margin = double_of(*upper - *exact_period);
    return;
  }
  // Nearer to the truth, so the interval of the same width is as sure.
  if (exact_period) period.value = std::max(period.value, double_of(*exact_period));
  if (upper) period.value = std::min(period.value, double_of(*upper));
}

void PlayedAmount::add_saturated(const vary::VaryFigures& figures) {
  copies = std::max(copies, figures.copies);
  fewest_copies = copies;
  data_sets = figures.data_sets;
  most_data_sets = data_sets;
  skipped = figures.skipped;
  is_cut_short = is_cut_short || figures.is_cut_short;
  is_full = is_full || figures.is_full;
}

void PlayedAmount::add_at_rates(const vary::VaryFigures& figures) {
  copies = std::max(copies, figures.copies);
  for (const vary::ScenarioFigures& scenario : figures.scenarios) {
    fewest_copies = std::min(fewest_copies, scenario.copies);
    // Those of a table are as many as it has.
    if (scenario.data_sets > figures.data_sets) most_data_sets = std::max(most_data_sets, scenario.data_sets);
  }
  is_cut_short = is_cut_short || figures.is_cut_short;
  is_full = is_full || figures.is_full;
}

namespace {

std::optional<vary::SmallestGap> smallest_gap_of(const vary::PlayedNet& played, double period,
                                                 const VaryQuestion& question) {
  if (period <= 0) return vary::SmallestGap{.gap = 0, .low = 0, .high = 0, .alone = {}};
  return vary::smallest_gap(played, question.within->limit, period, rate_settings(question), question.gap_terms);
}

}  // namespace

std::variant<VariedInstance, NotVaried> vary_instance(const std::string& file, const tpn::Document& document,
                                                      const tpn::Model& model, const VaryQuestion& question) {
  const maxplus::Deadline& deadline = question.settings.deadline;
  const std::size_t rates =
      std::max({question.gaps.size(), question.gaps.empty() && !question.has_own_gap() ? question.loads.size() : 1,
                question.within ? vary::kGapsAtOnce : 1});
  if (const auto reason = too_many_latencies(question, rates)) return NotVaried{*reason};
  auto folded = tpn::fold(document, model, deadline);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) return NotVaried{too_large_text(*too_large)};
  const auto& net = std::get<tpn::FoldedNet>(folded);
  auto times = vary::times_of(document, net, question.law, deadline);
  if (!times) return NotVaried{"the time was up before the laws of all durations were known"};
  const bool has_mean_latency = std::ranges::all_of(times->laws, vary::has_mean_latency);
  const vary::PlayedNet played(net, *std::move(times));
  VariedInstance result{.file = file,
                        .model = model,
                        .times = TimeWords(document),
                        .question = question,
                        .exact_period = exact_period_of(net, deadline, 2),
                        .upper = {},
                        .period = {},
                        .has_mean_latency = has_mean_latency,
                        .amount = {},
                        .rates = {},
                        .smallest_gap = {}};
  if (result.exact_period) result.upper = upper_bound_of(document, net, question.law, *result.exact_period);
  const vary::Scenario saturated{};
  // Latencies want their share of the time.
  vary::VarySettings settings = question.settings;
  settings.deadline = deadline.after_part(1, 3);
  const auto most = vary::figures_of(played, std::span(&saturated, 1), {}, settings);
  if (!most) return NotVaried{"the time was up before two copies were played"};
  result.period = most->scenarios[0].period;
  keep_within_bounds(result.period, result.exact_period, result.upper);
  result.amount.add_saturated(*most);
  add_rates(result, played, question);
  if (question.within) {
    result.smallest_gap = smallest_gap_of(played, result.period.value, question);
    if (!result.smallest_gap) result.amount.is_cut_short = true;
  }
  return result;
}

}  // namespace takt::tools

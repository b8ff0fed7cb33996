// What would help: the numbers of the instance, and what the period becomes when they change.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tools/answers/sensitivity_output.hpp"
#include "tools/report/sections.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/parameter_words.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

using evaluators::ParameterInsight;
using tpn::Parameter;

// A parameter's name with the arrows of the page.
std::string name_of(const Parameter& parameter) {
  std::string name = tpn::visible(parameter.name, 70);
  for (const auto& [plain, arrow] : {std::pair{" -> ", " → "}, {" <-> ", " ↔ "}}) {
    const std::size_t at = name.find(plain);
    if (at != std::string::npos) return name.replace(at, std::string_view(plain).size(), arrow);
  }
  return name;
}

bool is_operation(const Parameter& parameter) {
  return parameter.quantity == Parameter::Quantity::processor_time ||
         parameter.quantity == Parameter::Quantity::stage_time ||
         parameter.quantity == Parameter::Quantity::stage_fixed || parameter.quantity == Parameter::Quantity::link_time;
}

// "10 % faster P0 → P2", "10 % higher P2 speed", "S1 work divided by 1.1".
std::string improved(const Parameter& parameter) {
  if (is_operation(parameter)) return "10 % faster " + name_of(parameter);
  if (parameter.is_inverse()) return "10 % higher " + name_of(parameter);
  return name_of(parameter) + " divided by 1.1";
}

std::string gain_or_not(const Rational& period, const std::optional<Rational>& smaller) {
  return smaller ? gain_text(period, *smaller) : "not finished";
}

void set_slack(PageHelp& help, const ParameterInsight& insight, const ReportFindings& findings,
               const ReportWords& words) {
  const Parameter& parameter = insight.parameter;
  if (!insight.slack) {
    help.slack = findings.is_out_of_time ? "not finished" : "anything";
    return;
  }
  const Rational& slack = *insight.slack;
  if (slack.sign() == 0) {
    help.slack = "0";
    return;
  }
  const bool has_weight = !parameter.is_inverse() && parameter.value.sign() == 0;
  const Rational now = has_weight ? Rational() : parameter.weight_of(parameter.value);
  if (now.sign() != 0) {
    const auto share = in_percent(slack / now);
    help.slack_note = share ? fmt::format("{:.0f} %", *share) : "";
    if (help.slack_note == "0 %") help.slack_note = "< 1 %";
  }
  // A speed has no time that grows: it may fall.
  help.slack = parameter.is_inverse()
                   ? "down to " + value_text(parameter, parameter.weight_of(now + slack), words.times())
                   : value_text(parameter, slack, words.times());
}

// The range of periods that all curves share.
struct CurveRange {
  Rational lowest;
  Rational highest;
};

CurveRange range_of(const ReportFindings& findings) {
  CurveRange range{findings.period(), findings.period()};
  for (const ParameterInsight& insight : findings.parameters.insights) {
    if (!insight.curve) continue;
    range.lowest = std::min(range.lowest, insight.curve->front().second);
    range.highest = std::max(range.highest, insight.curve->back().second);
  }
  return range;
}

double level(const CurveRange& range, const Rational& period) {
  constexpr double kCurveTop = 3;
  constexpr double kCurveBottom = PageHelps::kCurveHeight - 3;
  if (range.lowest == range.highest) return (kCurveTop + kCurveBottom) / 2;
  const Rational share = (period - range.lowest) / (range.highest - range.lowest);
  return kCurveBottom - share.to_double().value_or(0) * (kCurveBottom - kCurveTop);
}

std::string path_of(const evaluators::Polyline& curve, const CurveRange& range) {
  constexpr double kCurveLeft = 2;
  constexpr double kSpan = PageHelps::kCurveWidth - 4;
  const Rational& last = curve.back().first;
  std::string path;
  for (const auto& [weight, period] : curve) {
    const double x = kCurveLeft + (last.sign() == 0 ? 0 : (weight / last).to_double().value_or(0)) * kSpan;
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, level(range, period));
  }
  return path;
}

PageHelp help_of(const ReportFindings& findings, const ReportWords& words, const ParameterInsight& insight,
                 const CurveRange& range) {
  PageHelp help;
  help.name = name_of(insight.parameter);
  help.value = is_time(insight.parameter) ? words.time(insight.parameter.value) : words.number(insight.parameter.value);
  // A bandwidth with a unit is told with it, not in bytes per second.
  if (words.times().has_units()) {
    help.value.readable = value_text(insight.parameter, insight.parameter.value, words.times());
    if (!is_time(insight.parameter)) help.value.exact.clear();
  }
  help.helps = insight.helps(findings.period());
  help.is_critical = insight.share.sign() > 0;
  help.faster = gain_or_not(findings.period(), insight.faster_period);
  help.free = gain_or_not(findings.period(), insight.free ? std::optional(insight.free->period) : std::nullopt);
  if (insight.free && insight.free->period < findings.period()) help.limit = limiting_text(findings.net, *insight.free);
  set_slack(help, insight, findings, words);
  if (insight.curve) {
    help.curve = path_of(*insight.curve, range);
    help.dot = level(range, findings.period());
  }
  return help;
}

std::string left_out_text(const ReportFindings& findings, const ReportWords& words, std::size_t unshown) {
  const auto& parameters = findings.parameters;
  std::string text;
  const std::size_t idle = parameters.unasked;
  if (idle > 0) {
    text = fmt::format("{} more numbers do not help: the critical circuit does not depend on them. ", grouped(idle));
  }
  const std::size_t others = parameters.unasked_too + unshown;
  if (others > 0) text += fmt::format("{} more are left out. ", grouped(others));
  if (text.empty()) return "";
  return text + fmt::format("takt sensitivity {} {} lists all.", words.command_file(), words.model_options());
}

// "q cores: one more (1 → 2)"
std::string one_more_text(const evaluators::OneMore& row) {
  std::string name = one_more_name(row);
  return name.replace(name.rfind(" -> "), 4, " → ");
}

// The best rows; what all have in common where none makes the period shorter.
std::string one_more_text(const ReportFindings& findings, const ReportWords& words) {
  constexpr std::size_t kTold = 3;
  const evaluators::OneMoreAnalysis& analysis = findings.parameters.one_more;
  std::vector<std::string> told;
  for (const evaluators::OneMore& row : analysis.rows) {
    if (!row.period || !(*row.period < findings.period()) || told.size() == kTold) break;
    told.push_back(fmt::format("{}: {}, {}", one_more_text(row), words.times().readable(*row.period),
                               gain_text(findings.period(), *row.period)));
  }
  const std::string command =
      fmt::format(" takt sensitivity {} {} lists all.", words.command_file(), words.model_options());
  if (!told.empty()) return fmt::format("One port or core more, evaluated anew: {}.{}", fmt::join(told, "; "), command);
  const bool is_known = analysis.is_whole() && !analysis.rows.empty() &&
                        std::ranges::all_of(analysis.rows, [](const auto& row) { return row.period.has_value(); });
  const char* const segment = findings.document.platform.segments.empty() ? "" : "of a segment, ";
  return is_known ? fmt::format(
                        "One port or core more, of a machine, of identical machines, {}of the source or of the sink, "
                        "does not shorten the period.{}",
                        segment, command)
                  : "";
}

}  // namespace

PageHelps helps_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  PageHelps section;
  const auto& insights = findings.parameters.insights;
  if (!findings.exact() || findings.period().sign() == 0) return section;
  section.is_shown = true;
  if (insights.empty()) {
    section.introduction = "This was not finished within the time limit.";
    return section;
  }
  const CurveRange range = range_of(findings);
  for (const ParameterInsight& insight : insights) {
    if (section.first.size() + section.rest.size() == limits.helps + limits.folded_helps) break;
    PageHelp help = help_of(findings, words, insight, range);
    (section.first.size() < limits.helps ? section.first : section.rest).push_back(std::move(help));
  }
  const bool has_curves = std::ranges::any_of(section.first, [](const PageHelp& help) { return !help.curve.empty(); });
  section.introduction = "Each line changes one number and evaluates the whole pipeline anew, exactly.";
  if (has_curves) {
    section.introduction +=
        " The curve is the period for all times from 0 to twice the present one, which the dot marks.";
  }
  section.caption = "Sorted by what 10 % faster gains: a time divided by 1.1, a speed or bandwidth times 1.1.";
  section.summary = fmt::format("{} more", section.rest.size());
  section.left_out = left_out_text(findings, words, insights.size() - section.first.size() - section.rest.size());
  section.one_more = one_more_text(findings, words);
  return section;
}

namespace {

// Groups by their members.
std::size_t numbers_in(const std::vector<ParameterInsight>& insights) {
  std::size_t count = 0;
  for (const ParameterInsight& insight : insights) count += insight.parameter.size();
  return count;
}

// Something that shortens the period.
struct RankedChange {
  std::string article;  // "a ", or none
  std::string words;
  Rational period;
  bool is_free = false;
};

// Free changes first, then one port or core more beside a faster number; each the shortest period first.
std::vector<RankedChange> ranking(const ReportFindings& findings, const ReportWords& words) {
  std::vector<RankedChange> ranked;
  for (FreeChange& change : free_changes(findings.advice, words.times()))
    ranked.push_back({"", std::move(change.words), change.period, true});
  const auto free = static_cast<std::ptrdiff_t>(ranked.size());
  const ParameterFindings& parameters = findings.parameters;
  if (!parameters.insights.empty() && parameters.insights.front().helps(findings.period())) {
    const ParameterInsight& best = parameters.insights.front();
    const bool has_article = best.parameter.is_inverse() || is_operation(best.parameter);
    ranked.push_back({has_article ? "a " : "", improved(best.parameter), *best.faster_period});
  }
  const auto& more = parameters.one_more.rows;
  if (!more.empty() && more.front().period && *more.front().period < findings.period())
    ranked.push_back({"", one_more_text(more.front()), *more.front().period});
  std::stable_sort(ranked.begin() + free, ranked.end(),
                   [](const auto& a, const auto& b) { return a.period < b.period; });
  return ranked;
}

std::string plus_text(const ReportFindings& findings, const Rational& period) {
  std::string plus = gain_text(findings.period(), period);
  std::erase(plus, '+');
  return plus;
}

// Where no number helps alone.
std::string together_text(const ReportFindings& findings) {
  const auto& together = findings.parameters.together;
  if (!together || together->parameters.empty())
    return " No single time, speed or size helps: what makes one critical circuit faster leaves another.";
  return fmt::format(" No single time, speed or size helps. Together, 10 % faster each, {} give {} more throughput.{}",
                     tpn::visible(names_of(*together, findings.parameters.asked), 200),
                     plus_text(findings, together->period), together->is_smallest ? " Fewer do not help." : "");
}

// "5 of 10 numbers of the instance have slack: making them faster changes nothing."
std::string slack_text(const ReportFindings& findings) {
  const auto& insights = findings.parameters.insights;
  const std::size_t all = numbers_in(insights) + findings.parameters.unasked + findings.parameters.unasked_too;
  const bool are_operations =
      std::ranges::all_of(insights, [](const ParameterInsight& insight) { return is_operation(insight.parameter); });
  std::vector<ParameterInsight> with_slack;
  std::ranges::copy_if(insights, std::back_inserter(with_slack), [](const ParameterInsight& insight) {
    return insight.is_without_limit || (insight.slack && insight.slack->sign() > 0);
  });
  const std::size_t slack = numbers_in(with_slack);
  if (slack == 0 || findings.parameters.unasked > 0) return "";
  return fmt::format(" {} of {} {} {} faster changes nothing.", slack, all,
                     are_operations ? "operations" : "numbers of the instance",
                     slack == 1 ? "has slack: making it" : "have slack: making them");
}

}  // namespace

PageAdvice advice_of(const ReportFindings& findings, const ReportWords& words) {
  const std::vector<RankedChange> ranked = ranking(findings, words);
  const auto& insights = findings.parameters.insights;
  const bool are_numbers_known = !insights.empty() && insights.front().faster_period;
  const bool helps_alone = are_numbers_known && insights.front().helps(findings.period());
  std::string rest = are_numbers_known && !helps_alone ? together_text(findings) : "";
  if (are_numbers_known) rest += slack_text(findings);
  if (ranked.empty()) {
    // The first sentence stands out.
    const std::size_t end = rest.find_first_of(":.");
    if (rest.empty()) return {};
    return {"", rest.substr(1, end), rest.substr(end + 1), "", ""};
  }
  const RankedChange& best = ranked.front();
  std::string after = best.is_free ? " more throughput, at no cost." : " more throughput.";
  for (std::size_t k = 1; k < ranked.size(); ++k) {
    after += fmt::format("{} {}{}, {}", k == 1 ? " Next, each alone:" : ";", ranked[k].article, ranked[k].words,
                         gain_text(findings.period(), ranked[k].period));
  }
  if (ranked.size() > 1) after += '.';
  return {"What helps most: " + best.article, best.words, " gives ", plus_text(findings, best.period), after + rest};
}

}  // namespace takt::tools

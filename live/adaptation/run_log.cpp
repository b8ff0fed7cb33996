// The words of each entry stand in one place.
#include "live/adaptation/run_log.hpp"

#include <fmt/format.h>

#include "maxplus/decimal.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

namespace {

// Of a part, written out.
constexpr std::size_t kMostTurns = 24;

std::string time_text(const Rational& ticks, const ShownTime& shown) {
  const std::string number = maxplus::decimal(ticks / shown.ticks);
  return shown.unit.empty() ? number : number + " " + shown.unit;
}

std::string stages_text(std::size_t first, std::size_t last, const tpn::Document& problem) {
  const auto& stages = problem.application.stages;
  const std::string name = tpn::visible(stages[first].name);
  return first == last ? name : name + ".." + tpn::visible(stages[last].name);
}

std::string mapping_text(const tpn::Mapping& mapping, const tpn::Document& problem) {
  std::string text;
  for (const tpn::Part& part : mapping) {
    text += (text.empty() ? "" : "; ") + stages_text(part.first_stage, part.last_stage, problem) + " on";
    const std::size_t shown = part.processors.size() > kMostTurns ? kMostTurns : part.processors.size();
    for (std::size_t k = 0; k < shown; ++k) {
      text += " " + tpn::visible(problem.platform.processors[part.processors[k]].name);
    }
    if (shown < part.processors.size()) text += fmt::format(" ... ({} turns)", part.processors.size());
  }
  return text;
}

// One function for each kind of entry.
struct EntryWriter {
  const tpn::Document& problem;
  const ShownTime& shown;

  std::string operator()(const MeasurementPoint& point) const {
    const MeasuredTime& measured = point.measured;
    return fmt::format(
        "measurement point  w: {} on {} {} (data set {}{})", stages_text(point.first_stage, point.last_stage, problem),
        tpn::visible(problem.platform.processors[measured.processor].name), time_text(measured.time, shown),
        measured.data_set, measured.is_under_way ? ", not done yet" : "");
  }
  std::string operator()(const PerformanceFunction& function) const {
    const MonitorFinding& finding = function.finding;
    return fmt::format("performance function  {} (exact period): {}, {} per data set on {}, limit {}",
                       function.heuristic, name_of(finding.rule), time_text(finding.time, shown),
                       tpn::visible(problem.platform.processors[finding.cause.processor].name),
                       time_text(finding.limit, shown));
  }
  std::string operator()(const NoPairs& no) const {
    return fmt::format("measurement point  none of {} is repeated: its files are larger than 16 MB",
                       tpn::visible(problem.platform.processors[no.processor].name));
  }
  static std::string evidence_text(double stake) {
    return stake < 1e6 ? fmt::format("{:.0f}", stake) : fmt::format("{:.1e}", stake);
  }
  // Which processor is believed to take how long, and why.
  std::string belief_text(const SafeDecision& decision) const {
    const std::string name = tpn::visible(problem.platform.processors[decision.processor].name);
    std::string text = decision.outcome == SafeOutcome::data
                           ? fmt::format("data sets of {} are of another length", name)
                       : decision.outcome == SafeOutcome::taken_back
                           ? fmt::format("nothing confirms that {} takes {:.3g} times as long", name, decision.factor)
                       : decision.factor == 1 ? fmt::format("{} takes as long as usual", name)
                                              : fmt::format("{} takes {:.3g} times as long", name, decision.factor);
    text += fmt::format(" (evidence {}, needed {}", evidence_text(decision.stake), evidence_text(decision.need));
    if (decision.paired) {
      text += fmt::format("; {} repeated elsewhere {} {:.3g}", decision.pairs, decision.pairs == 1 ? "says" : "say",
                          *decision.paired);
    }
    return text + (decision.is_under_way ? "; still computing)" : ")");
  }
  std::string gain_text(const SafeDecision& decision) const {
    std::string text;
    if (decision.predicted) text = "; predicted " + time_text(*decision.predicted, shown);
    if (decision.as_it_was) text += ", as it was " + time_text(*decision.as_it_was, shown);
    return text;
  }
  std::string operator()(const SafeDecision& decision) const {
    const std::string begin = "tuning point  ";
    const std::string belief = belief_text(decision);
    const std::string loss = fmt::format("; would lose {:.3g} % if nothing had changed, {:.3g} periods left for losses",
                                         100 * decision.loss, decision.budget);
    switch (decision.outcome) {
      case SafeOutcome::mapped:
      case SafeOutcome::returned:
      case SafeOutcome::taken_back:
        return fmt::format("{}mapping, from data set {} on ({}): {}{}{}: {}", begin, decision.data_set,
                           name_of(decision.kind), belief, gain_text(decision),
                           decision.outcome == SafeOutcome::mapped ? loss : "",
                           mapping_text(decision.mapping, problem));
      case SafeOutcome::believed:
        return begin + "none: " + belief + "; no other mapping is faster by a tenth";
      case SafeOutcome::data:
        return begin + "none: " + belief;
      case SafeOutcome::waits:
        break;
    }
    return begin + "none yet: " + belief + gain_text(decision) + loss;
  }
  std::string operator()(const TuningPoint& point) const { return "tuning point  " + tuning_text(point); }
  std::string tuning_text(const TuningPoint& point) const {
    const std::string as_it_was =
        point.as_it_was ? fmt::format(", as it was {}", time_text(*point.as_it_was, shown)) : "";
    switch (point.outcome) {
      case TuningOutcome::mapped:
        return fmt::format("mapping, from data set {} on ({}); predicted {}{}: {}", point.data_set, name_of(point.kind),
                           time_text(point.predicted, shown), as_it_was, mapping_text(point.mapping, problem));
      case TuningOutcome::same:
        return fmt::format("none: the same mapping again; predicted {}", time_text(point.predicted, shown));
      case TuningOutcome::no_better:
        return fmt::format("none: another mapping is no faster; predicted {}{}", time_text(point.predicted, shown),
                           as_it_was);
      case TuningOutcome::none:
        break;
    }
    return "none: no mapping was found: " + tpn::visible(point.reason);
  }
};

}  // namespace

std::string text_of(const RunLogEntry& entry, const tpn::Document& problem, const ShownTime& shown) {
  return std::visit(EntryWriter{problem, shown}, entry.what);
}

std::string_view name_of(heuristics::RemapRule rule) {
  return rule == heuristics::RemapRule::slower_than_the_worst ? "slower_than_the_worst" : "faster_than_the_best";
}

std::string_view name_of(SwitchKind kind) { return kind == SwitchKind::roll ? "roll" : "drain"; }

std::string_view name_of(SafeOutcome outcome) {
  switch (outcome) {
    case SafeOutcome::mapped:
      return "mapped";
    case SafeOutcome::returned:
      return "returned";
    case SafeOutcome::taken_back:
      return "taken_back";
    case SafeOutcome::believed:
      return "believed";
    case SafeOutcome::data:
      return "data";
    case SafeOutcome::waits:
      break;
  }
  return "waits";
}

std::string_view name_of(TuningOutcome outcome) {
  switch (outcome) {
    case TuningOutcome::mapped:
      return "mapped";
    case TuningOutcome::same:
      return "same";
    case TuningOutcome::no_better:
      return "no_better";
    case TuningOutcome::none:
      break;
  }
  return "none";
}

}  // namespace takt::live

// The period, the facts beside it, and the bottleneck in a sentence.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "tools/answers/evaluation_output.hpp"
#include "tools/report/sections.hpp"
#include "tools/words/ahead_words.hpp"
#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"
#include "tools/words/order_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

constexpr std::size_t kNamed = 5;

std::string exactly(const ReportFindings& findings, const ReportWords& words) {
  constexpr std::size_t kLongest = 48;
  const Rational& period = findings.period();
  const Integer& sets = period.denominator();
  if (period.sign() == 0) return "nothing in this mapping takes any time";
  if (sets == 1) return fmt::format("exactly: one {} every {}", words.times().item(), words.span(period));
  const PageNumber told = words.time(period);
  const std::string number = told.exact.empty() ? told.readable : told.exact;
  const std::string text =
      fmt::format("exactly {}: {} every {}", number, words.times().items(sets), words.span(period * Rational(sets)));
  const bool is_exact = !told.exact.empty() || is_exactly(period, told.readable) || words.times().has_units();
  return is_exact && number.size() <= kLongest ? text : "the exact number is in the certificate";
}

// "22.0 % more data sets" where this period is that much longer than the other.
std::string comparison(const Rational& period, const Rational& other, const ReportWords& words) {
  if (period == other) return "no difference";
  if (other.sign() == 0) return "";
  const Rational gain = period / other - Rational(1);
  const bool is_more = gain.sign() > 0;
  return fmt::format("{} {} {}", percent(is_more ? gain : -gain), is_more ? "more" : "fewer",
                     plural_of(words.times().item()));
}

std::vector<PageFact> facts_of(const ReportFindings& findings, const ReportWords& words) {
  std::vector<PageFact> facts;
  const Rational& period = findings.period();
  if (findings.exact() && period.sign() != 0) {
    facts.push_back(words.throughput(period));
  }
  if (findings.other) {
    const PageNumber other = words.time(findings.other->period);
    facts.push_back({"period with " + tpn::title_of(findings.other->model), other.readable,
                     comparison(period, findings.other->period, words)});
  }
  const tpn::Resource& busiest = findings.net.resources[findings.evaluation.busiest];
  const PageNumber cycle_time = words.time(busiest.cycle_time);
  const auto share = findings.share(busiest.cycle_time);
  facts.push_back({"largest cycle time, " + words.resource(busiest), cycle_time.readable,
                   !share                 ? cycle_time.exact
                   : share == Rational(1) ? "the period"
                                          : percent(share) + " of the period"});
  if (findings.steady) {
    const PageNumber paced = words.time(findings.steady->latency.paced);
    facts.push_back({"from release to result, at most", paced.readable, paced.exact});
  }
  return facts;
}

// The resources that never rest.
std::vector<const tpn::Resource*> critical_resources(const ReportFindings& findings) {
  std::vector<const tpn::Resource*> critical;
  for (const tpn::Resource& resource : findings.net.resources) {
    if (findings.is_critical(resource)) critical.push_back(&resource);
  }
  return critical;
}

PageSentence sentence_on(const std::vector<const tpn::Resource*>& critical, const ReportWords& words) {
  std::vector<std::string> names;
  names.reserve(critical.size());
  for (const tpn::Resource* resource : critical) names.push_back(words.resource(*resource));
  if (names.size() == 1) {
    return {names.front(), " is busy all the time: with the turns as they are, only shorter times of its own help."};
  }
  return {listing(names, kNamed),
          " are busy all the time: with the turns as they are, only shorter times of every one of them help."};
}

// The two busiest resources of different processors.
std::string nearest(const ReportFindings& findings, const ReportWords& words) {
  const tpn::Resource& first = findings.net.resources[findings.evaluation.busiest];
  std::string text = fmt::format("{} comes nearest, busy {} of the time", words.resource(first),
                                 percent(findings.share(first.cycle_time)));
  const tpn::Resource* second = nullptr;
  for (const tpn::Resource& resource : findings.net.resources) {
    if (resource.processor == first.processor) continue;
    if (second == nullptr || second->cycle_time < resource.cycle_time) second = &resource;
  }
  if (second == nullptr) return text;
  return fmt::format("{}, then {} with {}", text, words.resource(*second), percent(findings.share(second->cycle_time)));
}

std::string chain_text(const ReportFindings& findings, const ReportWords& words) {
  const auto& circuit = findings.evaluation.circuit;
  Integer height = 0;
  for (const auto& step : circuit.steps) height += step.height;
  height *= circuit.laps;
  const Integer operations = circuit.laps * circuit.steps.size();
  const std::vector<std::string> names = words.processors_on(circuit);
  return fmt::format("{} a chain of {} operation{} through {} takes {} for every {}.",
                     names.size() > 1 ? "They wait for each other:" : "It waits for itself:", grouped(operations),
                     operations == 1 ? "" : "s", listing(names, kNamed + 2),
                     words.span(findings.period() * Rational(height)), words.times().items(height));
}

PageSentence bottleneck_of(const ReportFindings& findings, const ReportWords& words) {
  const auto& evaluation = findings.evaluation;
  if (!findings.exact()) {
    return {
        fmt::format("Between {} and {}:", words.time(evaluation.lower).readable, words.time(evaluation.upper).readable),
        fmt::format(" the period is not known exactly: {}.", limit_text(evaluation))};
  }
  if (findings.period().sign() == 0) return {"No bottleneck:", " nothing in this mapping takes any time."};
  std::string further =
      order_sentence(findings.net, stage_names(findings.document.application), findings.evaluation, words.times());
  for (const FreeChange& change : free_changes(findings.advice, words.times()))
    further += (further.empty() ? "" : " ") + change.sentence;
  if (!findings.advice.world.empty()) further += (further.empty() ? "" : " ") + findings.advice.world;
  if (!further.empty()) further.insert(0, " ");
  const auto critical = critical_resources(findings);
  if (!critical.empty()) {
    PageSentence on = sentence_on(critical, words);
    on.rest += further;
    return on;
  }
  return {"No resource is the bottleneck.",
          " " + nearest(findings, words) + ". " + chain_text(findings, words) + further};
}

}  // namespace

PageHeadline headline_of(const ReportFindings& findings, const ReportWords& words) {
  PageHeadline headline;
  const auto& evaluation = findings.evaluation;
  headline.unit = words.per_data_set();
  if (findings.exact()) {
    headline.period = words.time(findings.period()).readable;
    headline.exactly = exactly(findings, words);
  } else {
    headline.period =
        fmt::format("{} to {}", words.time(evaluation.lower).readable, words.time(evaluation.upper).readable);
    headline.exactly = fmt::format("at least {}, at most {}", words.times().said(evaluation.lower),
                                   words.times().said(evaluation.upper));
  }
  headline.title = fmt::format("{}{} – {}, {}", headline.period, words.times().per_item(), words.file(),
                               tpn::title_of(findings.net.model));
  headline.facts = facts_of(findings, words);
  headline.bottleneck = bottleneck_of(findings, words);
  if (const std::string transfers = words_of_transfers(findings.document); !transfers.empty())
    headline.bottleneck.rest += fmt::format(" This is with {}.", transfers);
  headline.is_proved = findings.proof.is_proved;
  if (!findings.proof.is_proved) {
    headline.proof = findings.proof.why_not;
  } else if (findings.exact()) {
    headline.proof = "Exact and proved: the certificate below was verified by takt’s independent checker.";
  } else {
    headline.proof = "Both bounds are proved: the certificate below was verified by takt’s independent checker.";
  }
  return headline;
}

}  // namespace takt::tools

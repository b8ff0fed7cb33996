// First what was asked, then what proves it, then the parts.
#include "tools/plan/plan_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "tools/number_words.hpp"
#include "tools/table.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;

namespace {

std::string machines_words(std::uint64_t machines) { return plural(Integer(machines), "machine"); }

// "1.57, with 29 machines", "29 machines".
std::string price_words(const plan::PlanFacts& facts, const PlanWords& words) {
  if (words.money.counts_machines()) return machines_words(facts.machines());
  return fmt::format("{}, with {}", words.money.said(facts.cost()), machines_words(facts.machines()));
}

std::string failures_words(std::uint64_t failures) {
  return failures == 1 ? "any one failure" : fmt::format("any {} failures", failures);
}

// What was wanted, where the plan does more.
std::string wanted_words(const PlanWish& wish, const FoundPlan& found, const PlanWords& words) {
  if (wish.aim != PlanAim::period) return "";
  const std::string wanted = words.rates.of_period(wish.period);
  if (wish.survive > 0 || wish.headroom.sign() > 0) {
    return fmt::format(
        " {} is kept{}{}.", wanted, wish.survive > 0 ? " after " + failures_words(wish.survive) : "",
        wish.headroom.sign() > 0 ? fmt::format(" with {} % of headroom", decimal(wish.headroom * 100)) : "");
  }
  return found.facts.period() == wish.period ? "" : fmt::format(" {} was asked for.", wanted);
}

void write_headline(std::ostream& out, const PlanFindings& findings, const PlanWords& words, const PlanShown& shown) {
  const FoundPlan& found = *findings.found;
  fmt::print(out, "{}, {}: {} {} {}.{}\n", shown.file, tpn::title_of(findings.wish.model),
             words.rates.of_period(found.facts.period()), words.money.counts_machines() ? "with" : "for",
             price_words(found.facts, words), wanted_words(findings.wish, found, words));
}

void write_claims(std::ostream& out, const PlanFindings& findings, const PlanWords& words) {
  const char* cheaper = words.money.counts_machines() ? "needs fewer machines" : "is cheaper";
  const Rational& cost = findings.found->facts.cost();
  if (findings.any_bound && *findings.any_bound == cost) {
    fmt::print(out, "No mapping of any kind {}: proved.\n", cheaper);
  } else {
    fmt::print(out, "Nothing of this kind (one type per part, round robin) {}: proved.", cheaper);
    if (findings.any_bound) {
      fmt::print(out, " No mapping at all is below {}{}.", words.money.said(*findings.any_bound),
                 words.money.counts_machines() ? " machines" : "");
    }
    out << '\n';
  }
  if (findings.cost_together) {
    fmt::print(out, "Stages that may not share a part cost something: {} as it is, {} without that.\n",
               words.money.said(cost), words.money.said(*findings.cost_together));
  }
}

std::string loss_words(const PlanFindings& findings, std::size_t part, const PlanWords& words) {
  const plan::TypedPart& typed = findings.found->parts[part];
  if (const auto period = findings.found->facts.period_without(part)) return words.rates.of_period(*period);
  const bool is_replicable = words.catalogue.least_replicable_stage(typed.last_stage) <= typed.first_stage;
  return is_replicable ? "stops" : "stops: not replicable";
}

void write_parts(std::ostream& out, const PlanFindings& findings, const PlanWords& words, bool losses) {
  const FoundPlan& found = *findings.found;
  std::size_t width = 0;
  for (const plan::TypedPart& part : found.parts) width = std::max(width, std::to_string(part.machines).size());
  Table table{{{"part"},
               {"machines"},
               {"a data set takes", Align::right},
               {"busy", Align::right},
               {losses ? "if one fails" : ""}},
              {}};
  for (std::size_t i = 0; i < found.parts.size(); ++i) {
    const plan::TypedPart& part = found.parts[i];
    const plan::PartTimes& times = found.facts.times()[i];
    const std::string binding =
        binding_words(binding_of(findings.wish.model, times.receive, times.compute, times.send));
    std::string machines =
        fmt::format("{:>{}} {}", part.machines, width, printable(words.catalogue.types[part.type].name));
    if (part.standby > 0) machines += fmt::format(" + {} standing by", part.standby);
    table.rows.push_back(
        {stages_words(words.catalogue, part.first_stage, part.last_stage), machines,
         binding.empty() ? "no time" : fmt::format("{} to {}", words.times.readable(found.facts.demands()[i]), binding),
         found.facts.busy(i) == Rational(1) ? "100 %" : percent(found.facts.busy(i)),
         losses ? loss_words(findings, i, words) : ""});
  }
  table.write(out);
}

void write_stay(std::ostream& out, const PlanFindings& findings, const PlanWords& words) {
  const plan::PlanFacts& facts = findings.found->facts;
  const Integer window = facts.window();
  fmt::print(out, "A data set stays {}; {} under way{}\n", words.times.readable(facts.latency()),
             window == 1 ? "one is" : window.get_str() + " are",
             tpn::separates_operations(findings.wish.model) && findings.wish.model.rooms() == 0
                 ? "; room for two files before and behind each part is enough."
                 : ".");
}

}  // namespace

void write_plan(std::ostream& out, const PlanFindings& findings, const PlanWords& words, const PlanShown& shown) {
  write_headline(out, findings, words, shown);
  write_claims(out, findings, words);
  out << '\n';
  write_parts(out, findings, words, shown.losses);
  out << '\n';
  write_stay(out, findings, words);
}

}  // namespace takt::tools

// First what was asked, then what proves it, then the parts.
#include "tools/plan/plan_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tools/number_words.hpp"
#include "tools/plan/plan_reasons.hpp"
#include "tools/table.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;

namespace {

std::string machines_words(std::uint64_t machines) { return plural(Integer(machines), "machine"); }
std::string machines_words(const Rational& machines) { return plural(machines.numerator(), "machine"); }

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

constexpr const char* kThisKind = "of this kind (one type per part, round robin)";

std::string cost_claims(const PlanFindings& findings, const PlanWords& words) {
  const char* cheaper = words.money.counts_machines() ? "needs fewer machines" : "is cheaper";
  const Rational& cost = findings.found->facts.cost();
  if (findings.any_bound == cost) return fmt::format("No mapping of any kind {}: proved.", cheaper);
  const std::string text =
      findings.is_optimal
          ? fmt::format("Nothing {} {}: proved.", kThisKind, cheaper)
          : fmt::format("Nothing {} is below {}: proved; whether this plan is the best was not found out in time.",
                        kThisKind, words.money.said(*findings.lower_bound));
  return fmt::format(
      "{} No mapping at all is below {}.", text,
      words.money.counts_machines() ? machines_words(*findings.any_bound) : words.money.said(*findings.any_bound));
}

std::string rate_claims(const PlanFindings& findings, const PlanWords& words) {
  const bool is_paid = findings.wish.aim == PlanAim::budget;
  const std::string within = is_paid ? " for at most " + words.money.said(findings.wish.budget) : " on these machines";
  if (findings.any_bound == findings.found->facts.period()) return "No mapping of any kind is faster: proved.";
  std::string text = findings.is_optimal ? fmt::format("Nothing {} is faster{}: proved.", kThisKind, within)
                                         : fmt::format("Whether something {} is faster{} was not found out in time.",
                                                       kThisKind, within);
  if (findings.any_bound && findings.any_bound->sign() > 0)
    text += fmt::format(" No mapping at all is above {}.", words.rates.of_period(*findings.any_bound));
  return text;
}

std::string loss_words(const PlanFindings& findings, std::size_t part, const PlanWords& words) {
  const plan::TypedPart& typed = findings.found->parts[part];
  if (const auto period = findings.found->facts.period_without(part)) return words.rates.of_period(*period);
  const bool is_replicable = words.catalogue.least_replicable_stage(typed.last_stage) <= typed.first_stage;
  return is_replicable ? "stops" : "stops: not replicable";
}

std::string gain_words(const Rational& before, const Rational& after) {
  if (after.sign() == 0) return "";
  const auto gain = (before / after - Rational(1)).to_double();
  return gain ? fmt::format("{:+.1f} %", *gain * 100) : "";
}

// Where a plan lies: "203.1/s for 1.63".
std::string point_words(const FoundPlan& point, const PlanWords& words) {
  return words.money.counts_machines()
             ? fmt::format("{} with {}", words.rates.of_period(point.kept), machines_words(point.facts.machines()))
             : fmt::format("{} for {}", words.rates.of_period(point.kept), words.money.said(point.facts.cost()));
}

}  // namespace

std::string plan_headline(const PlanFindings& findings, const PlanWords& words) {
  const FoundPlan& found = *findings.found;
  return fmt::format("{} {} {}.{}", words.rates.of_period(found.facts.period()),
                     words.money.counts_machines() ? "with" : "for", price_words(found.facts, words),
                     wanted_words(findings.wish, found, words));
}

std::string plan_claims(const PlanFindings& findings, const PlanWords& words) {
  return findings.wish.aim == PlanAim::period ? cost_claims(findings, words) : rate_claims(findings, words);
}

Table part_table(const PlanFindings& findings, const PlanWords& words, bool losses) {
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
  return table;
}

std::string stay_sentence(const PlanFindings& findings, const PlanWords& words) {
  const plan::PlanFacts& facts = findings.found->facts;
  const Integer window = facts.window();
  const bool waits_without_limit = tpn::separates_operations(findings.wish.model) && findings.wish.model.rooms() == 0;
  return fmt::format("A data set stays {}; {} under way{}.", words.times.readable(facts.latency()),
                     window == 1 ? "one is" : window.get_str() + " are",
                     waits_without_limit ? "; room for two files before and behind each part is enough" : "");
}

Table replan_table(const PlanFindings& findings, const PlanWords& words) {
  Table table{{{"one less of"}, {"all placed anew"}, {"", Align::right}, {""}}, {}};
  for (const FoundReplan& replan : findings.replans) {
    const std::string type = printable(words.catalogue.types[replan.type].name);
    if (!replan.left) {
      table.rows.push_back({type, "stops", "", ""});
      continue;
    }
    table.rows.push_back({type, words.rates.of_period(replan.left->kept),
                          gain_words(findings.found->facts.period(), replan.left->kept),
                          fmt::format("({})", part_machines_words(replan.left->parts, words))});
  }
  return table;
}

Table upgrade_table(const PlanFindings& findings, const PlanWords& words) {
  const bool is_free = words.money.counts_machines();
  Table table{{{"one more of"}, {"then"}, {"", Align::right}, {is_free ? "" : "for", Align::right}, {""}}, {}};
  for (const FoundUpgrade& upgrade : findings.upgrades) {
    const std::string type = printable(words.catalogue.types[upgrade.type].name);
    if (!upgrade.faster) {
      table.rows.push_back({type, "nothing", "", "", ""});
      continue;
    }
    const FoundPlan& faster = *upgrade.faster;
    table.rows.push_back({type, words.rates.of_period(faster.kept), gain_words(findings.found->kept, faster.kept),
                          is_free ? "" : words.money.said(faster.facts.cost()),
                          fmt::format("({})", part_machines_words(faster.parts, words))});
  }
  return table;
}

std::string neighbor_sentences(const PlanFindings& findings, const PlanWords& words) {
  std::string text;
  if (findings.cheaper) {
    text = fmt::format("Next cheaper: {}", point_words(*findings.cheaper, words));
    text +=
        words.money.counts_machines() ? "." : fmt::format(" ({}).", machines_words(findings.cheaper->facts.machines()));
  }
  if (findings.faster)
    text += fmt::format("{}Next faster: {}.", text.empty() ? "" : " ", point_words(*findings.faster, words));
  return text;
}

namespace {

void write_frontier(std::ostream& out, const PlanFindings& findings, const PlanWords& words) {
  constexpr std::size_t kShown = 60;
  const auto& points = findings.frontier->points;
  const std::size_t left_out = points.size() - std::min(points.size(), kShown);
  out << "\nEach of these is the cheapest of its rate, and the fastest for its price\n";
  if (left_out > 0) fmt::print(out, "  (the cheapest {} are left out; --json has them)\n", left_out);
  Table table{{{"rate", Align::right},
               {words.money.counts_machines() ? "" : words.money.heading("price"), Align::right},
               {"machines", Align::right},
               {"parts"},
               {""}},
              {}};
  for (std::size_t k = left_out; k < points.size(); ++k) {
    const FoundPlan point = found_plan(words.catalogue, findings.wish, points[k].plan);
    table.rows.push_back({words.rates.of_period(points[k].period),
                          words.money.counts_machines() ? "" : words.money.number(points[k].cost),
                          std::to_string(point.facts.machines()), part_machines_words(points[k].plan, words),
                          points[k].period == findings.found->kept ? "<- the plan" : ""});
  }
  table.write(out);
  if (findings.frontier->is_whole) out << "Nothing of this kind is faster, whatever it costs: proved.\n";
}

void write_found(std::ostream& out, const PlanFindings& findings, const PlanWords& words, const PlanShown& shown) {
  fmt::print(out, "{}, {}: {}\n{}\n", shown.file, tpn::title_of(findings.wish.model), plan_headline(findings, words),
             plan_claims(findings, words));
  if (findings.cost_together) {
    fmt::print(out, "Keeping stages apart costs something: {} as it is, {} if they might share parts.\n",
               words.money.said(findings.found->facts.cost()), words.money.said(*findings.cost_together));
  }
  out << '\n';
  part_table(findings, words, shown.losses).write(out);
  fmt::print(out, "\n  {}\n", stay_sentence(findings, words));
  if (!findings.replans.empty()) {
    out << '\n';
    replan_table(findings, words).write(out);
  }
  const Table upgrades = upgrade_table(findings, words);
  const std::string neighbors = neighbor_sentences(findings, words);
  if (!upgrades.rows.empty() || !neighbors.empty()) out << '\n';
  if (!upgrades.rows.empty()) upgrades.write(out);
  if (!neighbors.empty()) fmt::print(out, "  {}\n", neighbors);
  if (findings.frontier && shown.frontier) write_frontier(out, findings, words);
}

}  // namespace

void write_plan(std::ostream& out, const PlanFindings& findings, const PlanWords& words, const PlanShown& shown) {
  if (findings.found) return write_found(out, findings, words, shown);
  if (!findings.is_cut_short) {
    fmt::print(out, "No: {}\n", reason_of(findings, words).text);
    return;
  }
  fmt::print(out, "{}, {}: no plan was found in time.", shown.file, tpn::title_of(findings.wish.model));
  if (findings.answer)
    fmt::print(out, " Nothing {} is below {}: proved.", kThisKind, words.money.said(findings.answer->lower_bound));
  out << '\n';
}

}  // namespace takt::tools

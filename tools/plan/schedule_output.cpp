// What all phases cost, what is proved, then phase by phase.
#include "tools/plan/schedule_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

#include "tools/plan/plan_json.hpp"
#include "tools/plan/plan_reasons.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/table.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

// A sum of prices times hours, or times time units.
std::string paid_words(const Rational& cost, const PlanWords& words) {
  if (!words.money.counts_machines()) return words.money.said(cost);
  return fmt::format("{} machine-{}", decimal(cost), words.times.has_units() ? "hours" : "time units");
}

std::string length_words(const Rational& duration, const PlanWords& words) {
  return fmt::format("{} {}", decimal(duration), words.times.has_units() ? "h" : "time units");
}

std::string schedule_claims(const ScheduleFindings& findings, const PlanWords& words) {
  const plan::MappingClaim claim(plan::Prover::loads, words.usable);
  std::string text =
      fmt::format("{}, one for each phase, cost less than {}: proved.{}", capital(claim.none_of_several()),
                  paid_words(findings.any_bound, words), claim.beyond());
  if (findings.wish.is_class_named) {
    text += fmt::format(
        " {} one for each phase, cost less{}: proved.",
        capital(plan::MappingClaim(plan::Prover::typed, words.usable).none_of_several()),
        findings.cost == findings.lower_bound ? std::string() : " than " + paid_words(findings.lower_bound, words));
  }
  if (findings.one_plan > findings.cost)
    text += fmt::format(" One plan for the greatest rate would cost {}.", paid_words(findings.one_plan, words));
  return text;
}

Table phase_table(const ScheduleFindings& findings, const PlanWords& words) {
  Table table{{{"for", Align::right},
               {"rate", Align::right},
               {words.money.counts_machines() ? "" : words.money.heading("price"), Align::right},
               {"machines", Align::right},
               {"stay", Align::right},
               {"to be set up", Align::right},
               {"parts"}},
              {}};
  for (std::size_t k = 0; k < findings.plans.size(); ++k) {
    const auto& [plan, changes] = findings.plans[k];
    table.rows.push_back({printable(findings.phases[k].written), words.rates.of_period(findings.phases[k].period),
                          words.money.counts_machines() ? "" : words.money.number(plan.facts.cost()),
                          std::to_string(plan.facts.machines()), std::to_string(changes.all_staying),
                          std::to_string(changes.set_up), part_machines_words(plan.parts, words)});
  }
  return table;
}

}  // namespace

void write_schedule(std::ostream& out, const ScheduleFindings& findings, const PlanWords& words,
                    const PlanShown& shown) {
  const std::string head = fmt::format("{}{}: ", tpn::title_of(findings.wish.model), shown.remark);
  if (findings.impossible) {
    const std::string rate = words.rates.of_period(findings.phases[*findings.impossible].period);
    fmt::print(out, "No under {}{} keeps {}. takt plan --rate says why.\n", head, none_typed(words), rate);
    return;
  }
  if (findings.plans.empty()) {
    fmt::print(out, "{}, {}no plans were found in time.\n", shown.file, head);
    return;
  }
  fmt::print(
      out, "{}, {}{} for {}, prices counted by the {}{}.\n{}\n\n", shown.file, head, paid_words(findings.cost, words),
      length_words(findings.duration, words), words.times.has_units() ? "hour" : "time unit",
      findings.setup ? fmt::format(", with {} for each machine that is set up", words.money.said(*findings.setup)) : "",
      schedule_claims(findings, words));
  phase_table(findings, words).write(out);
  if (findings.plans.size() > 1) out << "\n  The first phase follows the last.\n";
}

namespace {

void write_phase(tpn::JsonWriter& json, const ScheduleFindings& findings, std::size_t k, const PlanWords& words) {
  const SchedulePhase& phase = findings.phases[k];
  json.begin_object(tpn::JsonLayout::line);
  write_exact(json, "lasts", phase.duration);
  write_exact(json, "period", phase.period);
  write_reciprocal(json, "throughput", phase.period);
  if (k < findings.plans.size()) {
    const auto& [plan, changes] = findings.plans[k];
    write_changes(json, changes, words);
    json.key("plan");
    PlanWish wish = findings.wish;
    wish.aim = PlanAim::period;
    wish.period = phase.period;
    write_point(json, plan, wish, words);
  } else {
    json.member("impossible", findings.impossible == k);
  }
  json.end();
}

}  // namespace

void write_schedule(tpn::JsonWriter& json, const ScheduleFindings& findings, const PlanWords& words,
                    const std::string& file) {
  json.begin_object();
  json.member("file", file);
  tpn::write_model(json, findings.wish.model);
  write_time_unit(json, words.times);
  write_target(json, findings.wish);
  write_counts(json, words.catalogue);
  json.member("class", "typed");
  json.member("found", !findings.plans.empty());
  json.member("optimal", !findings.plans.empty() && findings.cost == findings.lower_bound);
  json.key("plan_schedule");
  json.begin_object(tpn::JsonLayout::block);
  write_exact(json, "lasts", findings.duration);
  if (findings.setup) write_exact(json, "setup_price", *findings.setup);
  if (!findings.plans.empty()) {
    write_exact(json, "cost", findings.cost);
    write_exact(json, "cost_lower_bound", findings.lower_bound);
    write_exact(json, "one_plan_cost", findings.one_plan);
  }
  json.key("phases");
  json.begin_array(tpn::JsonLayout::block);
  for (std::size_t k = 0; k < findings.phases.size(); ++k) write_phase(json, findings, k, words);
  json.end();
  json.end();
  json.end();
}

}  // namespace takt::tools

// Parts by their machines, and what is proved of which class.
#include "tools/plan/wider_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <ostream>
#include <set>
#include <vector>

#include "tools/plan/plan_json.hpp"
#include "tools/plan/plan_reasons.hpp"
#include "tools/words/ahead_words.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/table.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"
#include "tpn/workflow.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;
using tpn::JsonLayout;
using tpn::JsonWriter;

namespace {

// Of each machine that serves the part its first processor.
std::set<std::size_t> machines_of(const tpn::Document& mapped, const tpn::Part& part) {
  const std::vector<std::size_t> all = tpn::machines_of(mapped.platform);
  std::set<std::size_t> machines;
  for (const std::size_t p : part.processors) machines.insert(all[p]);
  return machines;
}

std::string stages_cell(const tpn::Document& mapped, const tpn::Part& part) {
  constexpr std::size_t kNamed = 3;
  const auto name = [&](std::size_t k) { return printable(mapped.application.stages[k].name); };
  // Of a workflow a first and a last name say nothing about those between.
  if (part.last_stage - part.first_stage >= kNamed && tpn::is_chain(mapped.application))
    return fmt::format("{} to {}", name(part.first_stage), name(part.last_stage));
  std::string text = name(part.first_stage);
  for (std::size_t k = part.first_stage + 1; k <= part.last_stage; ++k) text += " + " + name(k);
  return text;
}

// What a machine is called where it matters which of its type it is, or only its type.
std::string machine_name(const tpn::Document& mapped, std::size_t p, bool by_type) {
  const tpn::Processor& processor = mapped.platform.processors[p];
  return by_type && processor.type ? mapped.platform.types[*processor.type].name
                                   : std::string(tpn::entry_name(processor));
}

// " (3 of 8 cores)" of a machine that gives the part some of its cores.
std::string cores_words(const tpn::Document& mapped, const tpn::Part& part, std::size_t machine) {
  const std::vector<std::size_t> machines = tpn::machines_of(mapped.platform);
  const auto all = static_cast<std::size_t>(std::ranges::count(machines, machine));
  std::set<std::size_t> used;
  for (const std::size_t p : part.processors)
    if (machines[p] == machine) used.insert(p);
  return used.size() == all ? "" : fmt::format(" ({} of {} cores)", used.size(), all);
}

// "3 large, 1 small", or names if they have no types.
std::string machines_cell(const tpn::Document& mapped, const tpn::Part& part, bool by_type) {
  constexpr std::size_t kShown = 12;
  std::map<std::string, std::size_t> counts;
  std::vector<std::string> order;
  const std::set<std::size_t> machines = machines_of(mapped, part);
  for (const std::size_t p : machines) {
    std::string name = machine_name(mapped, p, by_type);
    if (!by_type) name += cores_words(mapped, part, p);
    if (counts[name]++ == 0) order.push_back(name);
  }
  std::string text;
  for (std::size_t k = 0; k < std::min(order.size(), kShown); ++k) {
    const bool is_type = by_type && mapped.platform.processors[*machines.begin()].type.has_value();
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", is_type ? std::to_string(counts[order[k]]) + " " : "",
                        printable(order[k]));
  }
  return order.size() > kShown ? fmt::format("{}, ... {} machines", text, order.size()) : text;
}

// The turns, where they are unequal.
std::string turns_cell(const tpn::Document& mapped, const tpn::Part& part, bool by_type) {
  constexpr std::size_t kShown = 16;
  const std::set<std::size_t> cores(part.processors.begin(), part.processors.end());
  if (cores.size() == part.processors.size()) return "";
  std::string text;
  for (std::size_t k = 0; k < std::min(part.processors.size(), kShown); ++k)
    text += (k == 0 ? "" : " ") + printable(machine_name(mapped, part.processors[k], by_type));
  return part.processors.size() > kShown ? fmt::format("{} ... {} turns", text, part.processors.size()) : text;
}

// "1 fewer gpu for detect and 2 fewer cpu for overlay"
std::string fewer_words(const tpn::Document& mapped, const std::vector<OrderCost::More>& added) {
  std::vector<std::string> texts;
  texts.reserve(added.size());
  for (const OrderCost::More& more : added) {
    texts.push_back(fmt::format("{} fewer {} for {}", more.machines, printable(mapped.platform.types[more.type].name),
                                stages_cell(mapped, (*mapped.mapping)[more.part])));
  }
  return listing(texts);
}

// Where parts of a workflow wait for each other's files: what keeps the period all the same.
void write_order(std::ostream& out, const WiderFindings& findings, const WiderWords& words) {
  const OrderCost& order = findings.order;
  if (order.without_more) {
    fmt::print(
        out, "With {} it would reach only {}, for {}{}.\n", fewer_words(*findings.mapped, order.without_more->added),
        words.rates.of_period(order.without_more->period), words.money.said_as_machines(order.without_more->cost),
        order.without_more->is_busy ? "" : ", though no resource would be busy all the time");
  }
  if (order.without_ahead) {
    fmt::print(out, "This is with {}; otherwise it would reach {}.\n", words_of_transfers(*findings.mapped),
               words.rates.of_period(*order.without_ahead));
  }
}

std::string none_of(const WiderFindings& findings, PlanClass kind, const WiderWords& words) {
  return claim_of(kind, findings.is_named, words.usable).none();
}

std::string budget_claims(const WiderFindings& findings, const WiderWords& words) {
  const std::string budget = words.money.said_as_machines(findings.wish.budget);
  return rate_bound_sentence(claim_of(PlanClass::any, findings.is_named, words.usable), words.rates,
                             *findings.mapped->predicted_period, findings.period_bound, " for at most " + budget);
}

void write_rows(std::ostream& out, const WiderFindings& findings, const WiderWords& words) {
  if (findings.rows.empty()) return;
  const bool is_free = words.money.counts_machines();
  Table table{{{"rate", Align::right},
               {is_free ? "" : words.money.heading("price"), Align::right},
               {"machines", Align::right},
               {is_free ? "none with fewer than" : "none below", Align::right}},
              {}};
  for (const WiderRow& row : findings.rows) {
    const bool is_best = row.bound == row.cost;
    table.rows.push_back({words.rates.of_period(row.period), is_free ? "" : words.money.number(row.cost),
                          std::to_string(row.machines),
                          !row.bound ? ""
                          : is_best  ? "proved"
                                     : words.money.number(*row.bound)});
  }
  const plan::MappingClaim claim = claim_of(PlanClass::any, findings.is_named, words.usable);
  fmt::print(out, "\nWhat other rates cost, and a proved lower bound for any mapping{}\n", claim.without());
  table.write(out);
  if (!findings.end_of_rows) return;
  const std::string end = words.rates.of_period(*findings.end_of_rows);
  if (findings.is_end_proved) {
    fmt::print(out, "  {} reaches {}: proved.\n", capital(none_of(findings, findings.among, words)), end);
  } else {
    fmt::print(out, "  For {} none was found.\n", end);
  }
}

// "; 250/s after any one failure".
std::string kept_words(const WiderFindings& findings, const WiderWords& words) {
  if (!findings.kept_period) return "";
  return fmt::format("; {} after {}", words.rates.of_period(*findings.kept_period),
                     failures_words(findings.wish.survive));
}

// " + p7, p9 standing by".
std::string idle_words(const WiderFindings& findings, std::size_t part) {
  if (findings.standing_by.empty() || findings.standing_by[part].empty()) return "";
  std::vector<std::string> names;
  for (const std::string& name : findings.standing_by[part]) names.push_back(printable(name));
  return fmt::format(" + {} standing by", fmt::join(names, ", "));
}

// Why nothing keeps the limits beside the rate; empty if that is not known.
std::string limit_words(const WiderFindings& findings, const WiderWords& words) {
  if (findings.least_stay) {
    return stay_words(words.times, *findings.least_stay);
  }
  return findings.all_may_fail ? fmt::format("after {} no machine may be left", failures_words(findings.wish.survive))
                               : "";
}

// "no mapping of any kind reaches 300/s, whatever it costs: proved."
std::string no_words(const WiderFindings& findings, PlanClass none, const WiderWords& words) {
  return fmt::format("{} reaches {}{}: proved.{}", none_of(findings, none, words),
                     words.rates.of_period(findings.wish.planned_period()),
                     none == PlanClass::any ? ", whatever it costs" : "",
                     claim_of(PlanClass::any, findings.is_named, words.usable).beyond());
}

// What no plan that was found keeps, beside the rate.
std::string missed_words(const WiderFindings& findings, const WiderWords& words) {
  std::vector<std::string> limits;
  if (findings.wish.latency) limits.push_back("a latency of " + words.times.readable(*findings.wish.latency));
  if (findings.wish.survive > 0) limits.push_back("the rate after " + failures_words(findings.wish.survive));
  return listing(limits);
}

}  // namespace

std::string plan_claims(const WiderFindings& findings, const WiderWords& words) {
  if (findings.wish.aim == PlanAim::budget) return budget_claims(findings, words);
  std::optional<Rational> any_bound;
  std::string classes;
  const char* cheaper = words.money.counts_machines() ? "needs fewer machines" : "is cheaper";
  const char* below = words.money.counts_machines() ? "needs fewer than" : "costs less than";
  for (const ClassBound& bound : findings.bounds) {
    if (bound.of == PlanClass::any) any_bound = bound.cost;
    // Where the plan is of a wider class, the bound says less than the plan.
    const bool is_told = bound.of != PlanClass::any && findings.wish.is_class_named && bound.cost &&
                         bound.cost->sign() > 0 && *bound.cost <= findings.cost;
    if (!is_told) continue;
    classes += fmt::format(" {} {}: proved.", capital(none_of(findings, bound.of, words)),
                           *bound.cost == findings.cost
                               ? std::string(cheaper)
                               : fmt::format("{} {}", below, words.money.said_as_machines(*bound.cost)));
  }
  const plan::MappingClaim claim = claim_of(PlanClass::any, findings.is_named, words.usable);
  if (any_bound == findings.cost && claim.is_of_any()) classes.clear();  // they are among those
  return cost_bound_sentence(claim, words.money, findings.cost, any_bound) + classes;
}

std::string plan_headline(const WiderFindings& findings, const WiderWords& words) {
  const tpn::Document& mapped = *findings.mapped;
  const Rational& period = *mapped.predicted_period;
  const std::size_t count = findings.machines();
  const std::size_t cores = mapped.platform.processors.size();
  const bool has_cores = !findings.is_named && cores > count;
  const std::string machines =
      machines_words(count) + (has_cores ? fmt::format(" ({})", plural(cores, "core")) : std::string());
  std::string text = fmt::format("{} {}{}.", words.rates.of_period(period),
                                 words.money.counts_machines()
                                     ? "with " + machines
                                     : fmt::format("for {}, with {}", words.money.said(findings.cost), machines),
                                 kept_words(findings, words));
  if (findings.wish.aim != PlanAim::period || period == findings.wish.period) return text;
  return fmt::format("{} {} was asked for{}.", text, words.rates.of_period(findings.wish.period),
                     findings.wish.headroom.sign() > 0
                         ? fmt::format(", with {} % of headroom", decimal(findings.wish.headroom * Rational(100)))
                         : "");
}

Table part_table(const WiderFindings& findings) {
  const tpn::Document& mapped = *findings.mapped;
  const bool by_type = !findings.is_named;
  Table table{{{"part"}, {"machines"}, {"in turn"}}, {}};
  for (std::size_t i = 0; i < mapped.mapping->size(); ++i) {
    const tpn::Part& part = (*mapped.mapping)[i];
    table.rows.push_back({stages_cell(mapped, part), machines_cell(mapped, part, by_type) + idle_words(findings, i),
                          turns_cell(mapped, part, by_type)});
  }
  return table;
}

Table loss_table(const WiderFindings& findings, const WiderWords& words, std::size_t most) {
  std::vector<MachineLoss> losses = findings.losses;
  std::ranges::stable_sort(losses, [](const MachineLoss& one, const MachineLoss& other) {
    if (!one.period || !other.period) return !one.period && other.period;
    return *other.period < *one.period;
  });
  Table table{{{"if one fails"}, {"then"}, {"", Align::right}, {"serves"}}, {}};
  for (std::size_t k = 0; k < std::min(losses.size(), most); ++k) {
    const MachineLoss& loss = losses[k];
    std::vector<std::string> parts;
    for (const std::size_t i : loss.parts)
      parts.push_back(stages_cell(*findings.mapped, (*findings.mapped->mapping)[i]));
    const auto gain = loss.period ? gain_percent(*findings.mapped->predicted_period, *loss.period) : std::nullopt;
    table.rows.push_back({printable(loss.name), loss.period ? words.rates.of_period(*loss.period) : "stops",
                          gain ? fmt::format("{:+.1f} %", *gain) : "", listing(parts)});
  }
  return table;
}

namespace {

void write_losses(std::ostream& out, const WiderFindings& findings, const WiderWords& words) {
  if (findings.losses.empty()) return;
  constexpr std::size_t kShown = 16;
  out << '\n';
  loss_table(findings, words, kShown).write(out);
  if (findings.losses.size() > kShown)
    fmt::print(out, "  ({} more lose less; --json has them)\n", findings.losses.size() - kShown);
}

void write_found(std::ostream& out, const WiderFindings& findings, const WiderWords& words, const std::string& file,
                 const std::string& remark, bool with_rows) {
  fmt::print(out, "{}, {}{}: {}\n{}\n", file, tpn::title_of(findings.wish.model), remark,
             plan_headline(findings, words), plan_claims(findings, words));
  write_order(out, findings, words);
  out << '\n';
  part_table(findings).write(out);
  if (findings.latency) {
    const Rational period = std::max(findings.wish.planned_period(), *findings.mapped->predicted_period);
    fmt::print(out, "\n  In the best schedule for {} no {} stays longer than {}.\n", words.rates.of_period(period),
               words.times.item(), words.times.readable(*findings.latency));
  }
  write_losses(out, findings, words);
  if (with_rows) write_rows(out, findings, words);
}

// "The fastest mapping that was found does 180/s with 4 machines; none is faster by more than 2.1 %: proved."
std::string reach_sentence(const WiderFindings& findings, const WiderWords& words) {
  const WiderReach& reach = *findings.reach;
  const plan::MappingClaim claim = claim_of(findings.among, findings.is_named, words.usable);
  const bool is_any = findings.among == PlanClass::any;
  const std::string found =
      fmt::format("The fastest {} that was found {} {} with {}", is_any ? "mapping" : "plan " + claim.kind() + ",",
                  findings.wish.survive > 0 ? "keeps" : "does", words.rates.of_period(reach.period),
                  machines_words(reach.machines));
  if (reach.lower_bound.sign() == 0) return found + ".";
  const std::string more = reach.lower_bound == reach.period
                               ? ""
                               : fmt::format(" by more than {} %", percent_above(reach.period, reach.lower_bound));
  return fmt::format("{}; none{} is faster{}: proved.", found, is_any ? claim.without() : "", more);
}

void write_parts(JsonWriter& json, const WiderFindings& findings) {
  std::size_t i = 0;
  write_objects(json, "parts", *findings.mapped->mapping, [&](const tpn::Part& part) {
    write_mapped_part(json, part, *findings.mapped);
    write_count(json, "machine_count", machines_of(*findings.mapped, part).size());
    if (!findings.standing_by.empty())
      write_list(json, "standing_by", findings.standing_by[i], [&](const std::string& name) { json.value(name); });
    ++i;
  });
}

void write_order(JsonWriter& json, const WiderFindings& findings) {
  const OrderCost& order = findings.order;
  if (order.without_ahead) {
    json.key("ahead");
    json.begin_object();
    write_objects(json, "transfers", findings.mapped->transfers,
                  [&](const tpn::PartTransfer& transfer) { write_advised_transfer(json, transfer); });
    write_exact(json, "period_without", order.without_ahead);
    json.end();
  }
  if (!order.without_more) return;
  json.key("without_more");
  json.begin_object();
  write_exact(json, "cost", order.without_more->cost);
  write_exact(json, "period", order.without_more->period);
  write_objects(json, "added", order.without_more->added, [&](const OrderCost::More& more) {
    json.member("part", more.part);
    json.member("type", findings.mapped->platform.types[more.type].name);
    write_count(json, "machine_count", more.machines);
  });
  json.end();
}

}  // namespace

void write_plan(std::ostream& out, const WiderFindings& findings, const WiderWords& words, const std::string& file,
                const std::string& remark, const TypedNo* typed, bool with_rows) {
  if (findings.mapped) return write_found(out, findings, words, file, remark, with_rows);
  const std::string wanted =
      findings.wish.aim == PlanAim::period ? words.rates.of_period(findings.wish.planned_period()) : std::string();
  const std::string model = tpn::title_of(findings.wish.model);
  const auto none = findings.impossible_in();
  if (findings.wish.aim == PlanAim::budget) {
    const std::string budget = words.money.said_as_machines(findings.wish.budget);
    fmt::print(out, "{} under {}{}: {} {} at most {}{}.\n", none ? "No" : "Undecided", model, remark,
               none ? none_of(findings, *none, words) : "no mapping that was found",
               words.money.counts_machines() ? "needs" : "costs", budget, none ? ": proved" : "");
    return;
  }
  const auto why = typed == nullptr ? std::nullopt : reason_of_any_mapping(typed->findings, typed->words);
  if (why) {
    fmt::print(out, "No under {}{}: {}\n", model, remark, why->text);
  } else if (const std::string no = limit_words(findings, words); !no.empty()) {
    fmt::print(out, "No under {}{}: {}.\n", model, remark, no);
  } else if (findings.are_limits_missed) {
    fmt::print(out, "Undecided under {}{}: there are plans for {}; none found also keeps {}.\n", model, remark, wanted,
               missed_words(findings, words));
  } else if (none && findings.is_settled()) {
    fmt::print(out, "No under {}{}: {}\n", model, remark, no_words(findings, *none, words));
  } else if (none) {
    fmt::print(out, "Undecided under {}{}: {} reaches {}: proved; whether another mapping does is not known.\n", model,
               remark, none_of(findings, *none, words), wanted);
  } else {
    fmt::print(out, "{}, {}{}: no plan for {} was found, nor that there is none.\n", file, model, remark, wanted);
  }
  if (findings.reach) fmt::print(out, "{}\n", reach_sentence(findings, words));
  if (typed == nullptr) return;
  const std::string addition = addition_sentence(typed->findings, typed->words);
  if (!addition.empty()) out << addition << '\n';
}

namespace {

void write_class_bounds(JsonWriter& json, const WiderFindings& findings, const WiderWords& words) {
  const auto best = findings.optimal_in();
  if (findings.mapped && findings.wish.aim == PlanAim::budget) {
    json.member("optimal", findings.is_settled());
    if (!findings.period_bound) return;
    write_loads_bound(json, "period", *findings.period_bound, words.usable);
    return plan::MappingClaim(plan::Prover::loads, words.usable).write(json);
  }
  json.member("optimal", best && *best >= findings.among);
  json.member("optimal_in", best ? std::optional(name_of(*best)) : std::nullopt);
  write_objects(json, "bounds", findings.bounds, [&](const ClassBound& bound) {
    json.member("class", name_of(bound.of));
    write_exact(json, "cost_lower_bound", bound.cost);
  });
  // As plans of one type per part have them.
  std::optional<Rational> of_class;
  std::optional<Rational> of_any;
  for (const ClassBound& bound : findings.bounds) {
    if (!bound.cost) continue;
    if (bound.of >= findings.among && (!of_class || *of_class < *bound.cost)) of_class = bound.cost;
    if (bound.of == PlanClass::any) of_any = bound.cost;
  }
  if (of_class) write_exact(json, "cost_lower_bound", *of_class);
  if (of_any) write_loads_bound(json, "cost", *of_any, words.usable);
  plan::MappingClaim(plan::Prover::loads, words.usable).write(json);
}

// Machines by type, of which all in the document are the plan's.
void write_machines_by_type(JsonWriter& json, const tpn::Document& mapped) {
  std::vector<std::uint64_t> machines(mapped.platform.types.size());
  for (const tpn::ProcessorGroup& machine : tpn::processor_groups(mapped.platform))
    ++machines[*mapped.platform.processors[machine.first].type];
  json.key("machines");
  json.begin_object(JsonLayout::line);
  for (std::size_t t = 0; t < machines.size(); ++t) {
    if (machines[t] > 0) write_count(json, mapped.platform.types[t].name, machines[t]);
  }
  json.end();
}

void write_mapped(JsonWriter& json, const WiderFindings& findings) {
  write_exact(json, "cost", findings.cost);
  write_exact(json, "period", *findings.mapped->predicted_period);
  write_reciprocal(json, "throughput", findings.mapped->predicted_period);
  if (findings.kept_period) write_exact(json, "kept_period", *findings.kept_period);
  if (findings.latency) write_exact(json, "latency", *findings.latency);
  if (!findings.is_named) write_machines_by_type(json, *findings.mapped);
  write_count(json, "machine_count", findings.machines());
  const std::size_t cores = findings.mapped->platform.processors.size();
  if (!findings.is_named && cores > findings.machines()) write_count(json, "machine_cores", cores);
  write_parts(json, findings);
  write_order(json, findings);
}

void write_further(JsonWriter& json, const WiderFindings& findings, const WiderWords& words) {
  if (!findings.losses.empty()) {
    write_objects(json, "machine_losses", findings.losses, [&](const MachineLoss& loss) {
      json.member("machine", loss.name);
      write_exact(json, "period_after_loss", loss.period);
    });
  }
  if (!findings.rows.empty()) {
    write_objects(json, "cost_by_rate", findings.rows, [&](const WiderRow& row) {
      write_exact(json, "cost", row.cost);
      write_exact(json, "period", row.period);
      write_reciprocal(json, "throughput", row.period);
      write_count(json, "machine_count", row.machines);
      if (row.bound) write_loads_bound(json, "cost", *row.bound, words.usable);
    });
  }
}

// Why there is no plan, where that is proved, as the text says it.
void write_reasons(JsonWriter& json, const WiderFindings& findings, const WiderWords& words, const TypedNo* typed) {
  if (findings.mapped) return;
  if (typed != nullptr && write_no(json, typed->findings, typed->words)) return;
  std::string kind = findings.least_stay ? "latency" : "failures";
  std::string text = limit_words(findings, words);
  const auto none = findings.impossible_in();
  if (text.empty() && none && findings.is_settled() && findings.wish.aim == PlanAim::period) {
    kind = "class";
    text = no_words(findings, *none, words);
  }
  if (text.empty()) return;
  write_objects(json, "reasons", std::vector{text}, [&](const std::string& said) {
    json.member("because", kind);
    json.member("text", said);
  });
}

}  // namespace

void write_plan(JsonWriter& json, const WiderFindings& findings, const WiderWords& words, const std::string& file,
                const TypedNo* typed) {
  json.begin_object();
  json.member("file", file);
  tpn::write_model(json, findings.wish.model);
  write_time_unit(json, words.times);
  write_target(json, findings.wish);
  json.member("class", name_of(findings.among));
  json.member("found", findings.mapped.has_value());
  write_class_bounds(json, findings, words);
  if (findings.mapped) write_mapped(json, findings);
  write_further(json, findings, words);
  if (findings.reach) {
    json.key("fastest_found");
    json.begin_object(JsonLayout::line);
    write_exact(json, "period", findings.reach->period);
    write_reciprocal(json, "throughput", findings.reach->period);
    write_count(json, "machine_count", findings.reach->machines);
    write_exact(json, "period_lower_bound", findings.reach->lower_bound);
    json.end();
  }
  write_reasons(json, findings, words, typed);
  json.end();
}

}  // namespace takt::tools

// From the plan to its parts, then what lies beside it.
#include "tools/plan/plan_json.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "tools/plan/plan_reasons.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using maxplus::Rational;
using tpn::JsonLayout;
using tpn::JsonWriter;

namespace {

void write_number(JsonWriter& json, const std::string& name, const Rational& number) {
  json.member(name, number.to_string());
  json.member(name + "_decimal", number.to_double());
}

const char* proof_name(plan::PlanProof proof) {
  switch (proof) {
    case plan::PlanProof::potentials:
      return "potentials";
    case plan::PlanProof::search:
      return "search";
    case plan::PlanProof::no_path:
      return "no path";
    case plan::PlanProof::excess:
      return "excess";
    case plan::PlanProof::none:
      break;
  }
  return "none";
}

// Both null where the period is 0: any rate.
void write_rate(JsonWriter& json, const std::string& name, const Rational& period) {
  if (period.sign() > 0) return write_number(json, name, Rational(1) / period);
  json.member(name, nullptr);
  json.member(name + "_decimal", nullptr);
}

void write_target(JsonWriter& json, const PlanWish& wish) {
  json.key("target");
  json.begin_object(JsonLayout::line);
  switch (wish.aim) {
    case PlanAim::period:
      write_number(json, "period", wish.period);
      write_rate(json, "rate", wish.period);
      break;
    case PlanAim::budget:
      write_number(json, "budget", wish.budget);
      break;
    case PlanAim::machines:
    case PlanAim::none:
      break;
  }
  if (wish.latency) write_number(json, "latency", *wish.latency);
  if (wish.headroom.sign() > 0) json.member("headroom", wish.headroom.to_string());
  if (wish.survive > 0) json.member("survive", wish.survive);
  if (wish.all_apart) json.member("apart", true);
  json.end();
}

// The machines there are, of types with counts.
void write_counts(JsonWriter& json, const plan::Catalogue& catalogue) {
  json.key("counts");
  json.begin_object(JsonLayout::line);
  for (const plan::MachineType& type : catalogue.types) {
    if (type.count) json.member(type.name, std::to_string(*type.count));
  }
  json.end();
}

void write_machines(JsonWriter& json, const plan::PlanFacts& facts, const PlanWords& words) {
  json.key("machines");
  json.begin_object(JsonLayout::line);
  for (std::size_t t = 0; t < words.catalogue.types.size(); ++t) {
    if (facts.machines_by_type()[t] > 0)
      json.member(words.catalogue.types[t].name, std::to_string(facts.machines_by_type()[t]));
  }
  json.end();
}

void write_stages(JsonWriter& json, const plan::TypedPart& part, const PlanWords& words) {
  json.key("stages");
  json.begin_array();
  for (std::size_t k = part.first_stage; k <= part.last_stage; ++k) json.value(words.catalogue.stages[k].name);
  json.end();
  json.member("type", words.catalogue.types[part.type].name);
  json.member("machines", std::to_string(part.machines));
  if (part.standby > 0) json.member("standby", std::to_string(part.standby));
}

void write_part(JsonWriter& json, const FoundPlan& found, std::size_t i, const PlanWish& wish, const PlanWords& words) {
  const plan::TypedPart& part = found.parts[i];
  const plan::PartTimes& times = found.facts.times()[i];
  json.begin_object(JsonLayout::line);
  write_stages(json, part, words);
  write_number(json, "demand", found.facts.demands()[i]);
  const Rational busy = found.facts.busy(i, wish.busy_period(found.facts));
  write_number(json, "busy", busy);
  json.key("bound_by");
  const Binding binding = binding_of(wish.model, times.receive, times.compute, times.send);
  json.begin_array();
  if (binding.receive) json.value("receive");
  if (binding.compute) json.value("compute");
  if (binding.send) json.value("send");
  json.end();
  const auto after = found.facts.period_without(i);
  json.member("after_loss", after ? std::optional(after->to_string()) : std::nullopt);
  json.end();
}

// A neighbor on the frontier, on a line.
void write_point(JsonWriter& json, const FoundPlan& point, const PlanWords& words) {
  json.begin_object(JsonLayout::line);
  write_number(json, "cost", point.facts.cost());
  write_number(json, "period", point.facts.period());
  write_rate(json, "throughput", point.facts.period());
  if (point.kept != point.facts.period()) write_number(json, "kept_period", point.kept);
  json.member("machines", std::to_string(point.facts.machines()));
  json.key("parts");
  json.begin_array();
  for (const plan::TypedPart& part : point.parts) {
    json.begin_object();
    write_stages(json, part, words);
    json.end();
  }
  json.end();
  json.end();
}

// A type of which there is one more, or less, and the plan then.
void write_change(JsonWriter& json, std::size_t type, const std::optional<FoundPlan>& plan, const PlanWords& words) {
  json.begin_object(JsonLayout::line);
  json.member("type", words.catalogue.types[type].name);
  json.key("plan");
  if (plan) {
    write_point(json, *plan, words);
  } else {
    json.value(nullptr);
  }
  json.end();
}

void write_found(JsonWriter& json, const PlanFindings& findings, const PlanWords& words) {
  const FoundPlan& found = *findings.found;
  write_number(json, "period", found.facts.period());
  write_rate(json, "throughput", found.facts.period());
  if (findings.wish.survive > 0) write_number(json, "kept_period", found.kept);
  write_number(json, "latency", found.facts.latency());
  json.member("window", found.facts.window().get_str());
  write_machines(json, found.facts, words);
  json.key("parts");
  json.begin_array(JsonLayout::block);
  for (std::size_t i = 0; i < found.parts.size(); ++i) write_part(json, found, i, findings.wish, words);
  json.end();
}

void write_beside(JsonWriter& json, const PlanFindings& findings, const PlanWords& words) {
  if (findings.frontier) {
    json.key("frontier");
    json.begin_array(JsonLayout::block);
    for (const plan::FrontierPoint& point : findings.frontier->points)
      write_point(json, found_plan(words.catalogue, findings.wish, point.plan), words);
    json.end();
    json.member("frontier_is_whole", findings.frontier->is_whole);
    json.member("frontier_cut_short", findings.frontier->cut_short);
    json.member("frontier_last_is_fastest", findings.frontier->is_last_fastest);
  }
  if (findings.cheaper) {
    json.key("next_cheaper");
    write_point(json, *findings.cheaper, words);
  }
  if (findings.faster) {
    json.key("next_faster");
    write_point(json, *findings.faster, words);
  }
  if (!findings.replans.empty()) {
    json.key("replanned");
    json.begin_array(JsonLayout::block);
    for (const FoundReplan& replan : findings.replans) write_change(json, replan.type, replan.left, words);
    json.end();
  }
  if (findings.upgrades.empty()) return;
  json.key("upgrade");
  json.begin_array(JsonLayout::block);
  for (const FoundUpgrade& upgrade : findings.upgrades) write_change(json, upgrade.type, upgrade.faster, words);
  json.end();
}

void write_bounds(JsonWriter& json, const PlanFindings& findings) {
  const bool is_cost = findings.wish.aim == PlanAim::period;
  if (findings.lower_bound) write_number(json, "lower_bound", *findings.lower_bound);
  if (findings.any_bound)
    write_number(json, is_cost ? "any_mapping_lower_bound" : "any_mapping_period_bound", *findings.any_bound);
  json.member("proof", proof_name(findings.proof));
  if (findings.cost_together) write_number(json, "cost_together", *findings.cost_together);
}

void write_type_counts(JsonWriter& json, const std::string& name, const std::vector<std::uint64_t>& counts,
                       const PlanWords& words) {
  json.key(name);
  json.begin_object(JsonLayout::line);
  for (std::size_t t = 0; t < counts.size(); ++t) {
    if (counts[t] > 0) json.member(words.catalogue.types[t].name, counts[t]);
  }
  json.end();
}

// How far plans go, and what would have to change.
void write_reach(JsonWriter& json, const PlanReach& reach, const PlanWords& words) {
  if (reach.fastest) {
    json.key("reachable");
    write_point(json, *reach.fastest, words);
    json.member("reachable_is_fastest", reach.is_fastest);
  }
  if (reach.unlimited && reach.is_unlimited_fastest) {
    json.key("reachable_without_limits");
    write_point(json, *reach.unlimited, words);
  }
  if (reach.wider) {
    json.key("wider");
    json.begin_object(JsonLayout::line);
    json.member("class", reach.wider->among);
    write_number(json, "cost", reach.wider->cost);
    write_number(json, "period", reach.wider->period);
    write_rate(json, "throughput", reach.wider->period);
    write_type_counts(json, "machines", reach.wider->machines, words);
    json.end();
  }
  if (!reach.with_more) return;
  json.key("to_add");
  json.begin_object(JsonLayout::block);
  write_type_counts(json, "machines", reach.added, words);
  write_number(json, "cost", reach.added_cost);
  json.member("is_least", reach.is_least_added);
  json.key("then");
  write_point(json, *reach.with_more, words);
  json.end();
}

void write_reasons(JsonWriter& json, const PlanFindings& findings, const PlanWords& words) {
  const PlanReason reason = reason_of(findings, words);
  json.key("reasons");
  json.begin_array(JsonLayout::block);
  json.begin_object(JsonLayout::line);
  json.member("kind", reason.kind);
  json.member("text", reason.text);
  if (reason.period) write_number(json, "period", *reason.period);
  if (reason.stage) json.member("stage", words.catalogue.stages[*reason.stage].name);
  if (reason.type) json.member("type", words.catalogue.types[*reason.type].name);
  json.end();
  json.end();
  if (findings.reach) write_reach(json, *findings.reach, words);
}

}  // namespace

void write_plan(JsonWriter& json, const PlanFindings& findings, const PlanWords& words, const std::string& file) {
  json.begin_object();
  json.member("file", file);
  tpn::write_model(json, findings.wish.model);
  write_time_unit(json, words.times);
  write_target(json, findings.wish);
  write_counts(json, words.catalogue);
  json.member("class", "typed");
  json.member("found", findings.found.has_value());
  json.member("optimal", findings.is_optimal);
  if (findings.found) write_number(json, "cost", findings.found->facts.cost());
  write_bounds(json, findings);
  if (findings.found) {
    write_found(json, findings, words);
  } else if (!findings.is_undecided && findings.wish.aim != PlanAim::none) {
    write_reasons(json, findings, words);
  }
  write_beside(json, findings, words);
  json.end();
}

}  // namespace takt::tools

// From the plan to its parts, then what lies beside it.
#include "tools/plan/plan_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/plan/latency_plan.hpp"
#include "tools/plan/plan_reasons.hpp"
#include "tools/words/json_results.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using maxplus::Rational;
using tpn::JsonLayout;
using tpn::JsonWriter;

namespace {

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

bool has_cores(const plan::Catalogue& catalogue) {
  return std::ranges::any_of(catalogue.types, [](const plan::MachineType& type) { return type.cores > 1; });
}

void write_machines(JsonWriter& json, const plan::PlanFacts& facts, const PlanWords& words) {
  json.key("machines");
  json.begin_object(JsonLayout::line);
  for (std::size_t t = 0; t < words.catalogue.types.size(); ++t) {
    if (facts.machines_by_type()[t] > 0) write_count(json, words.catalogue.types[t].name, facts.machines_by_type()[t]);
  }
  json.end();
}

void write_stages(JsonWriter& json, const plan::TypedPart& part, const PlanWish& wish, const PlanWords& words) {
  json.key("stages");
  json.begin_array();
  for (std::size_t k = part.first_stage; k <= part.last_stage; ++k) json.value(words.catalogue.stages[k].name);
  json.end();
  json.member("type", words.catalogue.types[part.type].name);
  write_count(json, "machine_count", part.machines);
  if (part.standby > 0) write_count(json, "standby_count", part.standby);
  if (wish.from) write_count(json, "staying_count", plan::staying(wish.from->parts, part));
  if (wish.on_demand) write_count(json, "on_demand_count", plan::machines_on_demand(words.catalogue, part));
  if (has_cores(words.catalogue)) {
    const Rational cores = Rational(part.machines) * Rational(words.catalogue.types[part.type].cores);
    write_count(json, "machine_cores", cores.numerator());
  }
}

void write_part(JsonWriter& json, const FoundPlan& found, std::size_t i, const PlanWish& wish, const PlanWords& words) {
  const plan::TypedPart& part = found.parts[i];
  json.begin_object(JsonLayout::line);
  write_stages(json, part, wish, words);
  write_exact(json, "demand", found.facts.demands()[i]);
  // A plan beside the one asked for need not reach the rate.
  const Rational busy = found.facts.busy(i, std::max(wish.busy_period(found.facts), found.facts.period()));
  write_exact(json, "utilization", busy);
  json.key("bound_by");
  const Binding binding = binding_of(found.facts.limits()[i], found.facts.times()[i]);
  json.begin_array();
  if (binding.receive) json.value("receive");
  if (binding.compute) json.value("compute");
  if (binding.send) json.value("send");
  json.end();
  write_exact(json, "period_after_loss", found.facts.period_without(i));
  json.end();
}

// What is said of every plan.
void write_members(JsonWriter& json, const FoundPlan& found, const PlanWish& wish, const PlanWords& words) {
  write_exact(json, "cost", found.facts.cost());
  write_exact(json, "period", found.facts.period());
  write_reciprocal(json, "throughput", found.facts.period());
  if (wish.survive > 0) write_exact(json, "kept_period", found.kept);
  if (wish.on_demand)
    write_exact(json, "on_demand_period", plan::period_on_demand(words.catalogue, wish.model, found.parts));
  const bool is_timed = !words.catalogue.has_rates;
  write_exact(json, "latency", is_timed ? std::optional(found.facts.latency()) : std::nullopt);
  is_timed ? write_count(json, "window", found.facts.window()) : json.member("window", nullptr);
  write_machines(json, found.facts, words);
  write_count(json, "machine_count", found.facts.machines());
  if (has_cores(words.catalogue) && found.facts.cores()) write_count(json, "machine_cores", *found.facts.cores());
  json.key("parts");
  json.begin_array();
  for (std::size_t i = 0; i < found.parts.size(); ++i) write_part(json, found, i, wish, words);
  json.end();
}

}  // namespace

void write_point(JsonWriter& json, const FoundPlan& point, const PlanWish& wish, const PlanWords& words) {
  json.begin_object(JsonLayout::line);
  write_members(json, point, wish, words);
  json.end();
}

namespace {

// A type of which there is one more, or less, and the plan then.
void write_change(JsonWriter& json, std::size_t type, const std::optional<FoundPlan>& plan, const PlanWish& wish,
                  const PlanWords& words) {
  json.begin_object(JsonLayout::line);
  json.member("type", words.catalogue.types[type].name);
  json.key("plan");
  if (plan) {
    write_point(json, *plan, wish, words);
  } else {
    json.value(nullptr);
  }
  json.end();
}

namespace {

void write_frontier(JsonWriter& json, const plan::Frontier& frontier, const PlanWish& wish, const PlanWords& words) {
  write_list(
      json, "frontier", frontier.points,
      [&](const plan::FrontierPoint& point) {
        write_point(json, found_plan(words.catalogue, wish, point.plan), wish, words);
      },
      JsonLayout::block);
  json.member("frontier_is_whole", frontier.is_whole);
  json.member("frontier_cut_short", frontier.cut_short);
  json.member("frontier_last_is_fastest", frontier.is_last_fastest);
}

}  // namespace

void write_beside(JsonWriter& json, const PlanFindings& findings, const PlanWords& words) {
  if (findings.frontier) write_frontier(json, *findings.frontier, findings.wish, words);
  if (findings.cheaper) {
    json.key("next_cheaper");
    write_point(json, *findings.cheaper, findings.wish, words);
  }
  if (findings.faster) {
    json.key("next_faster");
    write_point(json, *findings.faster, findings.wish, words);
  }
  if (!findings.replans.empty()) {
    write_list(
        json, "replanned", findings.replans,
        [&](const FoundReplan& replan) { write_change(json, replan.type, replan.left, findings.wish, words); },
        JsonLayout::block);
  }
  if (!findings.price_ranges.empty()) {
    write_list(
        json, "price_ranges", findings.price_ranges,
        [&](const plan::PriceRange& range) {
          json.begin_object(JsonLayout::line);
          json.member("type", words.catalogue.types[range.type].name);
          write_exact(json, "price", words.catalogue.types[range.type].price);
          write_exact(json, "lowest_price", range.lowest);
          write_exact(json, "highest_price", range.highest);
          json.end();
        },
        JsonLayout::block);
  }
  if (findings.upgrades.empty()) return;
  write_list(
      json, "upgrade", findings.upgrades,
      [&](const FoundUpgrade& upgrade) { write_change(json, upgrade.type, upgrade.faster, findings.wish, words); },
      JsonLayout::block);
}

void write_bounds(JsonWriter& json, const PlanFindings& findings, const PlanWords& words) {
  const bool is_cost = findings.wish.aim == PlanAim::period;
  if (findings.any_bound) plan::MappingClaim(plan::Prover::loads, words.usable).write(json);
  // With machines that are there the bounds are of what is added (write_added).
  if (!findings.wish.have.empty()) return json.member("proof", proof_name(findings.proof));
  if (findings.lower_bound) write_exact(json, "cost_lower_bound", *findings.lower_bound);
  if (findings.any_bound) write_loads_bound(json, is_cost ? "cost" : "period", *findings.any_bound, words.usable);
  json.member("proof", proof_name(findings.proof));
  if (findings.cost_together) write_exact(json, "cost_together", *findings.cost_together);
}

void write_type_counts(JsonWriter& json, const std::string& name, const std::vector<std::uint64_t>& counts,
                       const PlanWords& words) {
  json.key(name);
  json.begin_object(JsonLayout::line);
  for (std::size_t t = 0; t < counts.size(); ++t) {
    if (counts[t] > 0) write_count(json, words.catalogue.types[t].name, counts[t]);
  }
  json.end();
}

// The caller ends it.
void begin_to_add(JsonWriter& json, const std::vector<std::uint64_t>& machines, const Rational& cost, bool is_least,
                  const PlanWords& words) {
  json.key("to_add");
  json.begin_object(JsonLayout::block);
  write_type_counts(json, "machines", machines, words);
  write_exact(json, "cost", cost);
  json.member("is_least", is_least);
}

// What the plan takes beyond the machines that are there.
void write_added(JsonWriter& json, const PlanFindings& findings, const PlanWords& words) {
  write_type_counts(json, "have", findings.wish.have, words);
  if (!findings.found) return;
  begin_to_add(json, findings.added, findings.added_cost, findings.is_optimal, words);
  write_loads_bound(json, "cost", *findings.any_bound, words.usable);
  json.end();
}

void write_quotas(JsonWriter& json, const PlanFindings& findings, const PlanWords& words) {
  if (words.catalogue.quotas.empty()) return;
  write_list(
      json, "quotas", words.catalogue.quotas,
      [&](const tpn::QuotaUses& quota) {
        json.begin_object(JsonLayout::line);
        json.member("quota_of", tpn::key_of(quota.quota.of));
        json.key("counted_types");
        json.begin_array(JsonLayout::line);
        for (std::size_t t = 0; t < quota.uses.size(); ++t) {
          const auto& types = quota.quota.types;
          const bool counts = types.empty() || std::ranges::find(types, t) != types.end();
          if (counts) json.value(words.catalogue.types[t].name);
        }
        json.end();
        write_exact(json, "quota", quota.quota.most);
        if (findings.found) write_exact(json, "quota_used", quota.of(findings.found->facts.machines_by_type()));
        json.end();
      },
      JsonLayout::block);
}

// What changes from the machines that run.
void write_from(JsonWriter& json, const PlanFindings& findings, const PlanWords& words) {
  const RunningPlan& from = *findings.wish.from;
  json.key("changes");
  json.begin_object(JsonLayout::block);
  write_type_counts(json, "running", from.machines, words);
  if (from.setup) write_exact(json, "setup_price", *from.setup);
  write_changes(json, *findings.changes, words);
  json.member("is_least", findings.is_optimal);
  if (findings.cheapest) {
    write_exact(json, "cheapest_cost", findings.cheapest->facts.cost());
    write_count(json, "cheapest_setup_count", ChangeOver(findings.cheapest->parts, from).set_up);
  }
  json.end();
}

void write_addition(JsonWriter& json, const PlanReach& reach, const PlanWish& wish, const PlanWords& words) {
  if (!reach.with_more) return;
  begin_to_add(json, reach.added, reach.added_cost, reach.is_least_added, words);
  json.key("plan");
  write_point(json, *reach.with_more, wish, words);
  json.end();
}

// How far plans go, and what would have to change.
void write_reach(JsonWriter& json, const PlanReach& reach, const PlanWish& wish, const PlanWords& words) {
  if (reach.fastest) {
    json.key("reachable");
    write_point(json, *reach.fastest, wish, words);
    json.member("reachable_is_fastest", reach.is_fastest);
  }
  if (reach.unlimited && reach.is_unlimited_fastest) {
    json.key("reachable_without_limits");
    write_point(json, *reach.unlimited, wish, words);
  }
  if (reach.wider) {
    json.key("wider");
    json.begin_object(JsonLayout::line);
    json.member("class", reach.wider->among);
    write_exact(json, "cost", reach.wider->cost);
    write_exact(json, "period", reach.wider->period);
    write_reciprocal(json, "throughput", reach.wider->period);
    write_type_counts(json, "machines", reach.wider->machines, words);
    json.end();
  }
  write_addition(json, reach, wish, words);
}

void write_reason(JsonWriter& json, const PlanReason& reason, const PlanWords& words) {
  json.key("reasons");
  json.begin_array(JsonLayout::block);
  json.begin_object(JsonLayout::line);
  json.member("because", reason.kind);
  json.member("text", reason.text);
  if (reason.period) write_exact(json, "period", *reason.period);
  if (reason.stage) json.member("stage", words.catalogue.stages[*reason.stage].name);
  if (reason.type) json.member("type", words.catalogue.types[*reason.type].name);
  json.end();
  json.end();
}
void write_reasons(JsonWriter& json, const PlanFindings& findings, const PlanWords& words) {
  write_reason(json, reason_of(findings, words), words);
  if (findings.reach) write_reach(json, *findings.reach, findings.wish, words);
}

}  // namespace

void write_counts(JsonWriter& json, const plan::Catalogue& catalogue) {
  json.key("counts");
  json.begin_object(JsonLayout::line);
  for (const plan::MachineType& type : catalogue.types) {
    if (type.count) write_count(json, type.name, *type.count);
  }
  json.end();
}

void write_loads_bound(JsonWriter& json, std::string_view of, const Rational& bound, const plan::Freedoms& usable) {
  const bool is_any = plan::MappingClaim(plan::Prover::loads, usable).is_of_any();
  write_exact(json, fmt::format("{}_{}_lower_bound", is_any ? "any_mapping" : "varied", of), bound);
}

void write_changes(JsonWriter& json, const ChangeOver& changes, const PlanWords& words) {
  write_count(json, "staying_count", changes.all_staying);
  write_count(json, "setup_count", changes.set_up);
  write_type_counts(json, "moved", changes.moved, words);
  write_type_counts(json, "rented", changes.rented, words);
  write_type_counts(json, "returned", changes.returned, words);
}

void write_target(JsonWriter& json, const PlanWish& wish) {
  json.key("target");
  json.begin_object(JsonLayout::line);
  switch (wish.aim) {
    case PlanAim::period:
      write_exact(json, "period", wish.period);
      write_reciprocal(json, "throughput", wish.period);
      break;
    case PlanAim::budget:
      write_exact(json, "budget", wish.budget);
      break;
    case PlanAim::machines:
    case PlanAim::none:
      break;
  }
  if (wish.latency) write_exact(json, "latency", *wish.latency);
  if (wish.headroom.sign() > 0) write_exact(json, "headroom", wish.headroom);
  if (wish.survive > 0) json.member("survive", wish.survive);
  if (wish.all_apart) json.member("apart", true);
  if (wish.on_demand) write_exact(json, "on_demand", *wish.on_demand);
  json.end();
}

bool write_no(JsonWriter& json, const PlanFindings& findings, const PlanWords& words) {
  const auto reason = reason_of_any_mapping(findings, words);
  if (reason) write_reason(json, *reason, words);
  if (findings.reach) write_addition(json, *findings.reach, findings.wish, words);
  return reason.has_value();
}

void write_plan(JsonWriter& json, const PlanFindings& findings, const PlanWords& words, const std::string& file,
                const LatencyPlan* latency) {
  json.begin_object();
  json.member("file", file);
  tpn::write_model(json, findings.wish.model);
  write_time_unit(json, words.times);
  write_target(json, findings.wish);
  write_counts(json, words.catalogue);
  write_quotas(json, findings, words);
  json.member("class", "typed");
  json.member("found", findings.found.has_value());
  json.member("optimal", findings.is_optimal);
  if (words.catalogue.has_rates) json.member("rates_only", true);
  write_bounds(json, findings, words);
  if (!findings.wish.have.empty()) write_added(json, findings, words);
  if (findings.changes) write_from(json, findings, words);
  if (findings.found) {
    write_members(json, *findings.found, findings.wish, words);
  } else if (!findings.is_undecided && findings.wish.aim != PlanAim::none) {
    write_reasons(json, findings, words);
  }
  if (latency != nullptr) write_latency_plan(json, *latency, findings.wish, words);
  write_beside(json, findings, words);
  json.end();
}

}  // namespace takt::tools

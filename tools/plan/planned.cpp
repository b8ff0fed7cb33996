// The record says what was asked for; the mapping what was answered.
#include "tools/plan/planned.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "plan/bounds.hpp"
#include "tools/plan/wider_questions.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"
#include "tpn/workflow.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

// What a record has under a name, if it is of that kind.
template <typename Value>
std::optional<Value> option_of(const tpn::HeuristicRecord& record, std::string_view name) {
  for (const auto& [key, value] : record.options) {
    if (key != name) continue;
    const auto* held = std::get_if<Value>(&value);
    return held != nullptr ? std::optional(*held) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<PlanWish> recorded_wish(const tpn::Document& mapped) {
  if (!mapped.heuristic || mapped.heuristic->name != "plan" || !mapped.model) return std::nullopt;
  if (!tpn::follows_cycle_times(*mapped.model)) return std::nullopt;
  const tpn::HeuristicRecord& record = *mapped.heuristic;
  if (option_of<std::string>(record, "among") != "typed") return std::nullopt;
  // What was there then is not known.
  if (option_of<bool>(record, "adds") || option_of<Rational>(record, "set_up")) return std::nullopt;
  PlanWish wish;
  wish.model = *mapped.model;
  const auto period = option_of<Rational>(record, "period");
  if (!period || period->sign() <= 0) return std::nullopt;
  wish.period = *period;
  wish.latency = option_of<Rational>(record, "latency");
  wish.headroom = option_of<Rational>(record, "headroom").value_or(0);
  const Rational survive = option_of<Rational>(record, "survive").value_or(0);
  if (wish.headroom.sign() < 0 || wish.headroom >= Rational(1)) return std::nullopt;
  if (!survive.is_integer() || survive.sign() < 0 || survive > Rational(kMostMachinesMade)) return std::nullopt;
  wish.survive = survive.numerator().get_ui();
  wish.all_apart = option_of<bool>(record, "apart").value_or(false);
  wish.on_demand = option_of<Rational>(record, "on_demand");
  if (wish.on_demand && wish.on_demand->sign() < 0) return std::nullopt;
  return wish;
}

// The machines of a part, all of one type and none of which stands anywhere else: each a host of its type's cores, of
// which all compute, one of each in turn, then the next of each, or, where a stage must not be replicated, one.
std::optional<plan::TypedPart> typed_part(const tpn::Document& mapped, const plan::Catalogue& catalogue,
                                          const tpn::HostIndex& hosts, const tpn::Part& part,
                                          std::set<std::size_t>& used) {
  const auto& processors = mapped.platform.processors;
  const auto& type = processors[part.processors.front()].type;
  if (!type) return std::nullopt;
  const bool is_replicable = catalogue.is_replicable(part.first_stage, part.last_stage);
  const std::uint64_t cores = catalogue.types[*type].cores;
  const std::uint64_t working = catalogue.working_cores(*type, is_replicable);
  const std::size_t length = part.processors.size();
  if (length % working != 0 || std::set(part.processors.begin(), part.processors.end()).size() != length)
    return std::nullopt;
  const std::size_t machines = length / working;
  for (std::size_t k = 0; k < length; ++k) {
    const std::size_t p = part.processors[k];
    const std::size_t host = hosts.first_of(p);
    if (processors[p].type != type || hosts.size_of(p) != cores) return std::nullopt;
    if (k < machines ? !used.insert(host).second : host != hosts.first_of(part.processors[k - machines]))
      return std::nullopt;
  }
  plan::TypedPart typed{part.first_stage, part.last_stage, *type, std::uint64_t{machines}};
  if (catalogue.types[*type].premium.sign() == 0) return typed;
  for (std::size_t k = 0; k < machines; ++k)
    if (processors[part.processors[k]].price != catalogue.types[*type].price) ++typed.on_demand;
  return typed;
}

std::optional<plan::TypedPlan> typed_plan(const tpn::Document& mapped, const plan::Catalogue& catalogue,
                                          std::uint64_t survive) {
  plan::TypedPlan parts;
  std::set<std::size_t> used;
  const tpn::HostIndex hosts(mapped.platform);
  for (const tpn::Part& part : *mapped.mapping) {
    const auto found = typed_part(mapped, catalogue, hosts, part, used);
    if (!found) return std::nullopt;
    plan::TypedPart& typed = parts.emplace_back(*found);
    if (!catalogue.is_replicable(part.first_stage, part.last_stage)) typed.standby = survive;
    const bool is_linked =
        parts.size() < 2 || catalogue.transfer(part.first_stage - 1, parts[parts.size() - 2].type, typed.type);
    if (!is_linked || catalogue.least_first_stage(part.last_stage, typed.type) > part.first_stage) return std::nullopt;
  }
  if (!catalogue.from_source[parts.front().type] || !catalogue.to_sink[parts.back().type]) return std::nullopt;
  return parts;
}

}  // namespace

std::optional<PlannedDocument> planned(const tpn::Document& mapped, const evaluators::Deadline& deadline) {
  const auto wish = recorded_wish(mapped);
  if (!wish || !mapped.mapping || mapped.platform.types.empty()) return std::nullopt;
  if (!tpn::is_chain(mapped.application)) return std::nullopt;  // whose facts no closed form has
  plan::Catalogue catalogue = plan::catalogue_of(mapped);
  if (wish->on_demand) catalogue = plan::on_spot(std::move(catalogue), mapped.platform);
  auto parts = typed_plan(mapped, catalogue, wish->survive);
  if (!parts || !plan::PlanFacts(catalogue, wish->model, *parts).period_after(wish->survive)) return std::nullopt;
  PlanQuestions questions;
  questions.frontier = true;
  questions.upgrade = true;
  questions.deadline = deadline;
  PlanFindings findings = find_plan(catalogue, *wish, questions);
  findings.found = found_plan(catalogue, *wish, *std::move(parts));
  findings.is_optimal = findings.lower_bound == findings.found->facts.cost();
  return PlannedDocument{std::move(catalogue), std::move(findings)};
}

std::optional<WiderFindings> planned_wider(const tpn::Document& mapped, const evaluators::Deadline& deadline) {
  if (!mapped.heuristic || mapped.heuristic->name != "plan" || !mapped.model || !mapped.mapping) return std::nullopt;
  if (!mapped.predicted_period || !tpn::is_chain(mapped.application)) return std::nullopt;
  const tpn::HeuristicRecord& record = *mapped.heuristic;
  const auto among = option_of<std::string>(record, "among");
  const auto cost = option_of<Rational>(record, "cost");
  if (!among || !cost) return std::nullopt;
  const auto kind = plan_class_named(*among);
  const bool has_types = !mapped.platform.types.empty();
  // Of one type per part on a catalogue there are closed forms; "parts" is of workflows.
  if (!kind || kind == PlanClass::parts || (has_types && kind == PlanClass::typed)) return std::nullopt;
  WiderFindings findings;
  findings.among = *kind;
  findings.is_named = !has_types || findings.among == PlanClass::any;
  findings.mapped = mapped;
  findings.cost = *cost;
  findings.wish.model = *mapped.model;
  findings.wish.aim = PlanAim::none;
  if (const auto period = option_of<Rational>(record, "period"); period && period->sign() > 0) {
    findings.wish.aim = PlanAim::period;
    findings.wish.period = *period;
    if (!findings.is_named) {
      const plan::Catalogue catalogue = plan::catalogue_of(mapped);
      findings.bounds.push_back({PlanClass::any, plan::cost_bound(catalogue, *mapped.model, *period)});
    }
  }
  add_losses(findings, !findings.is_named, deadline);
  return findings;
}

}  // namespace takt::tools

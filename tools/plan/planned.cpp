// The record says what was asked for; the mapping what was answered.
#include "tools/plan/planned.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "tpn/models.hpp"

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
  return wish;
}

// The type that all of a part's machines have, none of which stands anywhere else.
std::optional<std::size_t> type_of(const tpn::Document& mapped, const tpn::Part& part, std::set<std::size_t>& used) {
  std::optional<std::size_t> type;
  for (const std::size_t p : part.processors) {
    const auto& own = mapped.platform.processors[p].type;
    if (!own || (type && *type != *own) || !used.insert(p).second) return std::nullopt;
    type = own;
  }
  return type;
}

std::optional<plan::TypedPlan> typed_plan(const tpn::Document& mapped, const plan::Catalogue& catalogue,
                                          std::uint64_t survive) {
  plan::TypedPlan parts;
  std::set<std::size_t> used;
  for (const tpn::Part& part : *mapped.mapping) {
    const auto type = type_of(mapped, part, used);
    if (!type) return std::nullopt;
    plan::TypedPart& typed = parts.emplace_back(
        plan::TypedPart{part.first_stage, part.last_stage, *type, std::uint64_t{part.processors.size()}});
    const bool is_replicable = catalogue.least_replicable_stage(part.last_stage) <= part.first_stage;
    if (!is_replicable) typed.standby = survive;
    const bool is_linked =
        parts.size() < 2 || catalogue.transfer(part.first_stage - 1, parts[parts.size() - 2].type, *type);
    if (!is_linked || catalogue.least_first_stage(part.last_stage, *type) > part.first_stage) return std::nullopt;
  }
  if (!catalogue.from_source[parts.front().type] || !catalogue.to_sink[parts.back().type]) return std::nullopt;
  return parts;
}

}  // namespace

std::optional<PlannedDocument> planned(const tpn::Document& mapped, const evaluators::Deadline& deadline) {
  const auto wish = recorded_wish(mapped);
  if (!wish || !mapped.mapping || mapped.platform.types.empty()) return std::nullopt;
  plan::Catalogue catalogue = plan::catalogue_of(mapped);
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

}  // namespace takt::tools

// Sentences that say what is proved, of which class.
#include "tools/plan/plan_proof.hpp"

#include <fmt/format.h>

#include <variant>

#include "plan/claims.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;

std::string said_cost(const Rational& cost, const std::string& currency) {
  const std::string rounded = decimal(cost);
  const std::string number = is_exactly(cost, rounded) ? rounded : cost.to_string();
  return currency.empty() ? number : fmt::format("{} {}", number, printable(currency));
}

// "with a period of at most 5 ms and a latency of at most 80 ms, after any failure, ...".
std::string conditions_of(const tpn::Document& document, const plan::PlanTarget& target) {
  const TimeWords times(document);
  std::string words =
      fmt::format("with a period {} {}", target.strictly ? "below" : "of at most", times.amount(target.period));
  if (target.latency) words += fmt::format(" and a latency of at most {}", times.amount(*target.latency));
  if (target.spare == 1) words += " after any machine has failed";
  if (target.spare > 1) words += fmt::format(" after any {} machines have failed", target.spare);
  if (target.all_apart) words += ", each stage a part of its own";
  if (target.on_demand)
    words += fmt::format(", and of at most {} on the machines on demand alone,", times.amount(*target.on_demand));
  if (target.at_spot_prices && !target.on_demand) words += ", all at spot prices";
  std::string counts;
  for (const auto& [type, count] : target.counts)
    counts += fmt::format("{}{} {}", counts.empty() ? ", of at most " : ", ", count, type);
  if (!document.platform.quotas.empty()) counts += ", within the quotas";
  return words + counts + " under " + tpn::title_of(target.model);
}

// "with one type per part, each machine whole in one part, in round robin,".
std::string of_this_kind(const tpn::Document& document) {
  return plan::MappingClaim(plan::Prover::typed, plan::freedoms_of(document)).kind() + ",";
}

}  // namespace

CheckedPlan check_plan_half(const tpn::Document& document, const plan::PlanCertificate& certificate,
                            const std::function<bool()>& is_out_of_time) {
  CheckedPlan result;
  plan::PlanCheckLimits limits;
  limits.is_out_of_time = is_out_of_time;
  result.verdict = plan::check_plan(document, certificate, limits);
  if (!std::holds_alternative<plan::PlanProven>(result.verdict) || !document.mapping) return result;
  // A mapping that keeps a period is beside claims of those that are faster.
  plan::PlanTarget target = certificate.target;
  target.strictly = false;
  result.mapped = plan::judge_mapping(document, target);
  const auto& bound = certificate.bound;
  const bool is_beyond =
      !bound || (certificate.target.strictly ? result.mapped->cost < *bound : result.mapped->cost <= *bound);
  result.is_best = !result.mapped->amiss && is_beyond;
  return result;
}

std::string plan_claim(const tpn::Document& document, const plan::PlanCertificate& certificate) {
  const std::string conditions = conditions_of(document, certificate.target);
  if (!certificate.bound) return fmt::format("there is no plan {} {}", of_this_kind(document), conditions);
  return fmt::format("no plan {} costs less than {} {}", of_this_kind(document),
                     said_cost(*certificate.bound, document.platform.currency), conditions);
}

std::string mapped_sentence(const tpn::Document& document, const plan::PlanCertificate& certificate,
                            const CheckedPlan& checked) {
  const plan::MappedPlan& mapped = *checked.mapped;
  const std::string cost =
      fmt::format("This mapping's {} {} {}", mapped.machines, mapped.machines == 1 ? "machine costs" : "machines cost",
                  said_cost(mapped.cost, document.platform.currency));
  if (mapped.amiss) return fmt::format("{}; it is no such plan: {}.", cost, *mapped.amiss);
  if (checked.is_best) {
    return fmt::format("{}, and it is such a plan: no such plan is {}.", cost,
                       certificate.target.strictly ? "faster for that" : "cheaper");
  }
  const auto& bound = certificate.bound;
  return fmt::format("{}, and it is such a plan: at most {} more than the cheapest of this kind.", cost,
                     said_cost(mapped.cost - *bound, document.platform.currency));
}

void write_checked_plan(tpn::JsonWriter& json, const plan::PlanCertificate& certificate, const CheckedPlan& checked,
                        std::string_view word, const std::string& why) {
  const plan::PlanTarget& target = certificate.target;
  json.member("verdict", word);
  json.member("class", "typed");
  tpn::write_model(json, target.model);
  json.key("target");
  json.begin_object(tpn::JsonLayout::line);
  write_exact(json, "period", target.period);
  write_reciprocal(json, "throughput", target.period);
  if (target.strictly) json.member("strictly", true);
  if (target.latency) write_exact(json, "latency", target.latency);
  if (target.spare > 0) json.member("survive", target.spare);
  if (target.all_apart) json.member("apart", true);
  if (target.at_spot_prices) json.member("spot", true);
  if (target.on_demand) write_exact(json, "on_demand_period", *target.on_demand);
  json.end();
  if (!target.counts.empty()) {
    json.key("counts");
    json.begin_object(tpn::JsonLayout::line);
    for (const auto& [type, count] : target.counts) write_count(json, type, count);
    json.end();
  }
  const auto& bound = certificate.bound;
  write_exact(json, "cost_lower_bound", bound);
  if (!bound) json.member("impossible", true);
  if (!why.empty()) json.member("reason", why);
  if (!checked.mapped) return;
  write_exact(json, "cost", checked.mapped->cost);
  write_count(json, "machine_count", checked.mapped->machines);
  json.member("optimal", checked.is_best);
  if (checked.mapped->amiss) json.member("other_kind", *checked.mapped->amiss);
}

}  // namespace takt::tools

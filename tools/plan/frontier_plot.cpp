// A step for every point of the frontier; below it what no mapping of any kind goes below.
#include "tools/plan/frontier_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "maxplus/contract.hpp"
#include "plan/bounds.hpp"
#include "tools/plan/plan_reasons.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

bool is_same_part(const plan::TypedPart& a, const plan::TypedPart& b) {
  return a.first_stage == b.first_stage && a.last_stage == b.last_stage && a.type == b.type;
}

// Of a plan the parts that the one before has not: "detect on gpu".
std::string changes(const plan::TypedPlan& before, const plan::TypedPlan& after, const plan::Catalogue& catalogue) {
  std::vector<std::string> texts;
  for (const plan::TypedPart& part : after) {
    const bool is_old = std::ranges::any_of(before, [&](const auto& other) { return is_same_part(part, other); });
    if (!is_old) {
      texts.push_back(fmt::format("{} on {}", stages_words(catalogue, part.first_stage, part.last_stage),
                                  printable(catalogue.types[part.type].name)));
    }
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// "200/s for 1.57".
std::string point_label(const Rational& period, const Rational& cost, const MoneyWords& money, const RateWords& rates) {
  return fmt::format("{} {} {}", rates.of_period(period), money.counts_machines() ? "with" : "for", money.said(cost));
}

// The rate at which a plan is drawn: any rate where it was asked for, if at one, and beyond all that are slower.
Rational rate_drawn(const Rational& period, const PlanWish& wish, const Rational& reached, const RateWords& rates) {
  if (period.sign() != 0) return rates.number_of(period);
  const Rational asked = wish.aim == PlanAim::period ? rates.number_of(wish.period) : Rational(1);
  return std::max(asked, reached * 2);
}

// Titles, axes and description of the plot of a file; `plan` is the label of the plan found, empty without one.
Plot empty_plot(const PlanWish& wish, const MoneyWords& money, const RateWords& rates, const std::string& file,
                const std::string& plan, const plan::MappingClaim& claim) {
  const bool is_free = money.counts_machines();
  Plot plot;
  plot.title = fmt::format("{} by rate, {}", is_free ? "Machines" : "Cost", tpn::title_of(wish.model));
  plot.description = fmt::format("The least {} for every rate of {}.", is_free ? "machines" : "cost", file);
  if (!plan.empty()) plot.description += fmt::format(" The plan: {}.", plan);
  plot.x_title = rates.heading();
  plot.y_title = is_free ? "machines" : money.heading("price");
  plot.dashed_words = fmt::format("dashed: {} is below", claim.none());
  plot.rises = true;
  return plot;
}

}  // namespace

Plot frontier_plot(const PlanFindings& findings, const PlanWords& words, const std::string& file) {
  maxplus::expects(findings.frontier.has_value(), "there is a frontier to be drawn");
  const std::string found_label =
      findings.found ? point_label(findings.found->kept, findings.found->facts.cost(), words.money, words.rates) : "";
  Plot plot = empty_plot(findings.wish, words.money, words.rates, file, found_label,
                         plan::MappingClaim(plan::Prover::loads, words.usable));
  Rational reached;
  bool has_plan = false;
  const plan::TypedPlan* before = nullptr;
  for (const plan::FrontierPoint& point : findings.frontier->points) {
    const Rational rate = rate_drawn(point.period, findings.wish, reached, words.rates);
    plot.line.emplace_back(reached, point.cost);
    plot.line.emplace_back(rate, point.cost);
    plot.dashed.emplace_back(rate, plan::cost_bound(words.catalogue, findings.wish.model, point.period));
    const bool is_found =
        findings.found && point.period == findings.found->kept && point.cost == findings.found->facts.cost();
    std::string label = before == nullptr ? "" : changes(*before, point.plan, words.catalogue);
    if (is_found) label = "the plan: " + found_label;
    has_plan = has_plan || is_found;
    plot.points.push_back({rate, point.cost, std::move(label),
                           fmt::format("{}: {}", point_label(point.period, point.cost, words.money, words.rates),
                                       part_machines_words(point.plan, words)),
                           is_found});
    before = &point.plan;
    reached = rate;
  }
  if (findings.found && !has_plan) {
    plot.points.push_back({rate_drawn(findings.found->kept, findings.wish, reached, words.rates),
                           findings.found->facts.cost(), "the plan: " + found_label, "", true});
  }
  return plot;
}

Plot rate_plot(const WiderFindings& findings, const WiderWords& words, const std::string& file) {
  maxplus::expects(findings.mapped.has_value(), "there is a plan to be drawn");
  const Rational& period = *findings.mapped->predicted_period;
  const std::string found_label = point_label(period, findings.cost, words.money, words.rates);
  Plot plot = empty_plot(findings.wish, words.money, words.rates, file, found_label,
                         plan::MappingClaim(plan::Prover::loads, words.usable));
  Rational reached;
  bool has_plan = false;
  for (const WiderRow& row : findings.rows) {
    const Rational rate = rate_drawn(row.period, findings.wish, reached, words.rates);
    plot.line.emplace_back(reached, row.cost);
    plot.line.emplace_back(rate, row.cost);
    if (row.bound) plot.dashed.emplace_back(rate, *row.bound);
    const bool is_found = row.period == period && row.cost == findings.cost;
    has_plan = has_plan || is_found;
    plot.points.push_back({rate, row.cost, is_found ? "the plan: " + found_label : "",
                           fmt::format("{}: {}", point_label(row.period, row.cost, words.money, words.rates),
                                       machines_words(maxplus::Integer(static_cast<unsigned long>(row.machines)))),
                           is_found});
    reached = rate;
  }
  if (!has_plan)
    plot.points.push_back(
        {rate_drawn(period, findings.wish, reached, words.rates), findings.cost, "the plan: " + found_label, "", true});
  return plot;
}

}  // namespace takt::tools

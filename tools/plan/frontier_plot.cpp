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

// "the plan: 200/s for 1.57".
std::string plan_label(const PlanFindings& findings, const PlanWords& words) {
  return fmt::format("the plan: {} {} {}", words.rates.of_period(findings.found->kept),
                     words.money.counts_machines() ? "with" : "for", words.money.said(findings.found->facts.cost()));
}

}  // namespace

Plot frontier_plot(const PlanFindings& findings, const PlanWords& words, const std::string& file) {
  maxplus::expects(findings.frontier.has_value(), "there is a frontier to be drawn");
  const bool is_free = words.money.counts_machines();
  Plot plot;
  plot.title = fmt::format("{} by rate, {}", is_free ? "Machines" : "Cost", tpn::title_of(findings.wish.model));
  plot.description = fmt::format("The least {} for every rate of {}.", is_free ? "machines" : "cost", file);
  if (findings.found) {
    plot.description += fmt::format(" The plan: {} {} {}.", words.rates.of_period(findings.found->kept),
                                    is_free ? "with" : "for", words.money.said(findings.found->facts.cost()));
  }
  plot.x_title = words.rates.heading();
  plot.y_title = is_free ? "machines" : words.money.heading("price");
  plot.dashed_words = "dashed: no mapping of any kind is below";
  plot.rises = true;
  Rational reached;
  bool has_plan = false;
  const plan::TypedPlan* before = nullptr;
  for (const plan::FrontierPoint& point : findings.frontier->points) {
    if (point.period.sign() == 0) break;  // at the end: any rate
    const Rational rate = words.rates.number_of(point.period);
    plot.line.emplace_back(reached, point.cost);
    plot.line.emplace_back(rate, point.cost);
    plot.dashed.emplace_back(rate, plan::cost_bound(words.catalogue, findings.wish.model, point.period));
    const bool is_found =
        findings.found && point.period == findings.found->kept && point.cost == findings.found->facts.cost();
    std::string label = before == nullptr ? "" : changes(*before, point.plan, words.catalogue);
    if (is_found) label = plan_label(findings, words);
    has_plan = has_plan || is_found;
    plot.points.push_back({rate, point.cost, std::move(label),
                           fmt::format("{} {} {}: {}", words.rates.of_period(point.period), is_free ? "with" : "for",
                                       words.money.said(point.cost), part_machines_words(point.plan, words)),
                           is_found});
    before = &point.plan;
    reached = rate;
  }
  if (findings.found && !has_plan && findings.found->kept.sign() != 0) {
    plot.points.push_back({words.rates.number_of(findings.found->kept), findings.found->facts.cost(),
                           plan_label(findings, words), "", true});
  }
  return plot;
}

}  // namespace takt::tools

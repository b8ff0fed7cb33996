// A plan among its neighbors: its parts, what is left of it once a machine fails, and what every rate costs.
#include "tools/plan/frontier_plot.hpp"
#include "tools/plan/plan_output.hpp"
#include "tools/plan/plan_words.hpp"
#include "tools/plan/wider_output.hpp"
#include "tools/plot/plot.hpp"
#include "tools/report/sections.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

namespace {

PageTable table_of(const Table& table) {
  PageTable result;
  for (const TableColumn& column : table.columns)
    result.headings.push_back({column.heading, column.align == Align::right});
  result.rows = table.rows;
  return result;
}

PagePlan wider_plan_of(const WiderFindings& found, const ReportFindings& findings, const ReportWords& words) {
  constexpr std::size_t kMostLosses = 16;
  const WiderWords plan_words{
      words.times(), MoneyWords(prices_of(findings.document), findings.document.platform.currency),
      RateWords(words.times(), *found.mapped->predicted_period), plan::freedoms_of(findings.document)};
  PagePlan section;
  section.is_shown = true;
  section.headline = plan_headline(found, plan_words);
  if (!found.bounds.empty()) section.claims = plan_claims(found, plan_words);
  section.parts = table_of(part_table(found));
  section.upgrades = table_of(loss_table(found, plan_words, kMostLosses));
  return section;
}

}  // namespace

PagePlan plan_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  if (findings.wider_plan) return wider_plan_of(*findings.wider_plan, findings, words);
  PagePlan section;
  if (!findings.plan) return section;
  const PlanFindings& found = findings.plan->findings;
  const plan::Catalogue& catalogue = findings.plan->catalogue;
  const PlanWords plan_words{
      catalogue, words.times(), MoneyWords(prices_of(findings.document), findings.document.platform.currency),
      RateWords(words.times(), found.found->facts.period()), plan::freedoms_of(findings.document)};
  section.is_shown = true;
  section.headline = plan_headline(found, plan_words);
  section.claims = found.is_cut_short ? "" : plan_claims(found, plan_words);
  section.parts = table_of(part_table(found, plan_words, true));
  section.stay = stay_sentence(found, plan_words);
  if (const std::string spot = spot_sentence(found, plan_words); !spot.empty()) section.stay += " " + spot;
  if (const std::string quotas = quota_sentence(found, plan_words); !quotas.empty()) section.stay += " " + quotas;
  section.upgrades = table_of(upgrade_table(found, plan_words));
  section.neighbors = neighbor_sentences(found, plan_words);
  if (!found.frontier || limits.curves < PageLimits().curves / 4) return section;
  const Plot plot = frontier_plot(found, plan_words, words.file());
  section.plot = base64_of(plot_svg(plot));
  section.plot_description = plot.description;
  return section;
}

}  // namespace takt::tools

// What they cost in all, then one after the other.
#include "tools/plan/stock_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

#include "tools/files/files.hpp"
#include "tools/plan/plan_json.hpp"
#include "tools/plan/plan_reasons.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/table.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

std::string claims(const StockFindings& findings, const PlanWords& words) {
  const MoneyWords& money = words.money;
  const plan::MappingClaim claim(plan::Prover::loads, words.usable);
  std::string text = cost_bound_sentence(claim, money, findings.cost, findings.any_bound, " in all", true);
  if (findings.is_optimal() && findings.wish.is_class_named) {
    text += fmt::format(" {} {} in all: proved.",
                        capital(plan::MappingClaim(plan::Prover::typed, words.usable).none_of_several()),
                        money.counts_machines() ? "need fewer machines" : "cost less");
  }
  if (!findings.is_optimal()) text += " Whether takt can find better ones is not known: the time was up.";
  if (findings.apart_cost) {
    text += fmt::format(" If each had the whole stock to itself, it would be {}.",
                        money.said_as_machines(*findings.apart_cost));
  }
  return text;
}

// "8 of 10 small and 4 gpu".
std::string stock_words(const StockFindings& findings) {
  std::vector<std::string> texts;
  const std::vector<std::uint64_t> used = findings.machines_by_type();
  const auto& types = findings.catalogues.front().types;
  for (std::size_t t = 0; t < types.size(); ++t) {
    if (used[t] == 0) continue;
    const std::string most = types[t].count ? fmt::format(" of {}", *types[t].count) : "";
    texts.push_back(fmt::format("{}{} {}", used[t], most, printable(types[t].name)));
  }
  return listing(texts);
}

PlanFindings findings_of(const StockFindings& findings, std::size_t pipeline) {
  PlanFindings own;
  own.wish = findings.wish_of(pipeline);
  own.found = findings.plans[pipeline];
  return own;
}

// "pages.json at 200/s".
std::string pipeline_text(const StockFindings& findings, const std::vector<PlanWords>& words, std::size_t pipeline) {
  return fmt::format("{} at {}", display_name(findings.pipelines[pipeline].file),
                     words[pipeline].rates.of_period(findings.pipelines[pipeline].period));
}

void write_none(std::ostream& out, const StockFindings& findings, const std::vector<PlanWords>& words,
                const std::string& remark) {
  const std::string model = tpn::title_of(findings.wish.model);
  if (findings.impossible) {
    const std::size_t k = *findings.impossible;
    fmt::print(out, "No under {}{}: {} has no plan even alone: {}\n", model, remark, pipeline_text(findings, words, k),
               reason_of(*findings.alone, words[k]).text);
  } else if (findings.is_cut_short) {
    fmt::print(out, "Undecided under {}{}: no plans were found in time.\n", model, remark);
  } else {
    fmt::print(out,
               "No under {}{}: each pipeline has a plan alone, and {} keep to the machines there are, for all of "
               "them: proved.\n",
               model, remark, plan::MappingClaim(plan::Prover::typed, words.front().usable).none_of_several());
  }
}

}  // namespace

void write_stock_plans(std::ostream& out, const StockFindings& findings, const std::vector<PlanWords>& words,
                       const std::string& remark) {
  if (findings.plans.empty()) return write_none(out, findings, words, remark);
  const MoneyWords& money = words.front().money;
  std::vector<std::string> rates;
  std::uint64_t machines = 0;
  for (std::size_t k = 0; k < findings.plans.size(); ++k) {
    rates.push_back(pipeline_text(findings, words, k));
    machines += findings.plans[k].facts.machines();
  }
  const std::string all = machines_words(maxplus::Integer(static_cast<unsigned long>(machines)));
  fmt::print(
      out, "{}, {}{}: {}.\n{}\nThey take {}.\n", listing(rates), tpn::title_of(findings.wish.model), remark,
      money.counts_machines() ? all + " in all" : fmt::format("{} in all, with {}", money.said(findings.cost), all),
      claims(findings, words.front()), stock_words(findings));
  for (std::size_t k = 0; k < findings.plans.size(); ++k) {
    const PlanFindings own = findings_of(findings, k);
    fmt::print(out, "\n{}: {}\n", display_name(findings.pipelines[k].file), plan_headline(own, words[k]));
    part_table(own, words[k], false).write(out);
    fmt::print(out, "  {}\n", stay_sentence(own, words[k]));
  }
}

void write_stock_plans(tpn::JsonWriter& json, const StockFindings& findings, const std::vector<PlanWords>& words) {
  json.begin_object();
  json.member("file", findings.pipelines.front().file);
  tpn::write_model(json, findings.wish.model);
  write_time_unit(json, words.front().times);
  write_target(json, findings.wish_of(0));
  write_counts(json, findings.catalogues.front());
  json.member("class", "typed");
  json.member("found", !findings.plans.empty());
  json.member("optimal", findings.is_optimal());
  if (!findings.plans.empty()) {
    write_exact(json, "stock_cost", findings.cost);
    write_exact(json, "cost_lower_bound", findings.lower_bound);
    write_loads_bound(json, "cost", findings.any_bound, words.front().usable);
    plan::MappingClaim(plan::Prover::loads, words.front().usable).write(json);
    if (findings.apart_cost) write_exact(json, "cost_of_cheapest", *findings.apart_cost);
  }
  json.key("pipelines");
  json.begin_array(tpn::JsonLayout::block);
  for (std::size_t k = 0; k < findings.pipelines.size(); ++k) {
    json.begin_object(tpn::JsonLayout::line);
    json.member("file", findings.pipelines[k].file);
    write_exact(json, "wanted_period", findings.pipelines[k].period);
    if (k < findings.plans.size()) {
      json.key("plan");
      write_point(json, findings.plans[k], findings.wish_of(k), words[k]);
    } else {
      json.member("impossible", findings.impossible == k);
    }
    json.end();
  }
  json.end();
  json.end();
}

}  // namespace takt::tools

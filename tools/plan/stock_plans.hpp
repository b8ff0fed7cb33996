// Plans of several pipelines that take their machines from one stock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "plan/catalogue.hpp"
#include "tools/plan/planning.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// A pipeline, and what is wanted of it.
struct StockPipeline {
  std::string file;
  tpn::Document document;
  maxplus::Rational period;  // that is asked for, headroom not yet taken off
};

/// A file and a rate, of "other.json 50/s". Throws UsageError if it is nothing of the kind.
std::pair<std::string, std::string> file_and_rate(const std::string& text);

struct StockFindings {
  PlanWish wish;                            // of each, without a period
  std::vector<StockPipeline> pipelines;     // the first has the counts and quotas
  std::vector<plan::Catalogue> catalogues;  // of each; all have the types of all
  std::vector<FoundPlan> plans;             // of each; none if there are none
  maxplus::Rational cost;                   // in all
  maxplus::Rational lower_bound;            // of all plans of the kind
  maxplus::Rational any_bound;              // of mappings of any kind
  bool is_cut_short = false;
  /// The first pipeline that has no plan even on the whole stock.
  std::optional<std::size_t> impossible;
  std::optional<PlanFindings> alone;  // why
  /// What the cheapest plans cost that need not share, where that is less.
  std::optional<maxplus::Rational> apart_cost;

  bool is_optimal() const { return !plans.empty() && cost == lower_bound; }
  PlanWish wish_of(std::size_t pipeline) const;
  /// By type of all.
  std::vector<std::uint64_t> machines_by_type() const;
};

/// The cheapest plans, of two pipelines or more. Counts and quotas are those of the first, but for types that it lacks;
/// `counts` are in their place where not empty. Throws UsageError if the files do not agree on a type.
StockFindings find_stock_plans(std::vector<StockPipeline> pipelines, const PlanWish& wish,
                               const std::optional<std::string>& counts, const evaluators::Deadline& deadline);

/// A pipeline's plan by the types of its own file, whose catalogue is given.
FoundPlan plan_by_own_types(const StockFindings& findings, std::size_t pipeline, const plan::Catalogue& catalogue);

/// "mapped-2.json" for the second, the name itself for the first.
std::string numbered_name(const std::string& path, std::size_t pipeline);

}  // namespace takt::tools

// Plans of several pipelines on one stock, in sentences and tables and as JSON.
#pragma once

#include <iosfwd>
#include <vector>

#include "tools/plan/plan_output.hpp"
#include "tools/plan/stock_plans.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// `words` are of each pipeline.
void write_stock_plans(std::ostream& out, const StockFindings& findings, const std::vector<PlanWords>& words,
                       const std::string& remark);
/// One object, whose member "pipelines" has the plan of each.
void write_stock_plans(tpn::JsonWriter& json, const StockFindings& findings, const std::vector<PlanWords>& words);

}  // namespace takt::tools

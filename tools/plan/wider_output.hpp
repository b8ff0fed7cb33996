// Plans of wider classes as text and as JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "tools/plan/plan_words.hpp"
#include "tools/plan/wider_plans.hpp"
#include "tools/time_words.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// How the answers for one document are told.
struct WiderWords {
  TimeWords times;
  MoneyWords money;
  RateWords rates;
};

/// The plan that was found, or why there is none.
void write_plan(std::ostream& out, const WiderFindings& findings, const WiderWords& words, const std::string& file,
                const std::string& remark);
void write_plan(tpn::JsonWriter& json, const WiderFindings& findings, const WiderWords& words, const std::string& file);

}  // namespace takt::tools

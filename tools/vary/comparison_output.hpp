// Nets beside each other, as tables and as JSON.
#pragma once

#include <iosfwd>

#include "tools/vary/vary_comparison.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

void write_comparison_table(std::ostream& out, const VaryComparison& result);
void write_comparison_json(tpn::JsonWriter& json, const VaryComparison& result);

}  // namespace takt::tools

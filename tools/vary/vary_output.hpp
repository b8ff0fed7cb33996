// Figures of times that vary, as sentences with a table, and as JSON.
#pragma once

#include <iosfwd>

#include "tools/vary/vary_answer.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

void write_vary_table(std::ostream& out, const VariedInstance& result);
void write_vary_json(tpn::JsonWriter& json, const VariedInstance& result);

}  // namespace takt::tools

// Figures of times that vary, as sentences with a table, and as JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "tools/vary/vary_answer.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// What is proved and what is estimated of the throughput: "At most ... (exact). With these times ...".
std::string vary_claims(const VariedInstance& result);

void write_vary_table(std::ostream& out, const VariedInstance& result);
void write_vary_json(tpn::JsonWriter& json, const VariedInstance& result);

}  // namespace takt::tools

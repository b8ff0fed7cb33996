// Stages on the clock and on cores: where a stage takes long without being computed.
#pragma once

#include <iosfwd>

#include "live/files/run_result.hpp"
#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// A table of the stages of which the time on the clock is not that on cores, by more than a tenth, and what it is
/// then; nothing if there are none.
void write_core_times(std::ostream& out, const tpn::Document& document, const live::RunResult& result);

/// The members "cores" and "stage_work".
void write_core_times_json(tpn::JsonWriter& json, const tpn::Document& document, const live::RunResult& result);

}  // namespace takt::tools

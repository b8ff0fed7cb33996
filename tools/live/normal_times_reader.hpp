// Normal times for a run that adapts: what stages took in an earlier run, or in a probe.
//
// A trace in CSV, as `takt run --trace-file`, `takt probe --times-file` and `takt simulate` write it. Of its columns
// data_set, operation, stages, processor, start and end count; the mapping may be any, and have changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "maxplus/rational.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// Rows for live::SafeTerms::normal: of data sets that have passed all stages, the latest 1000, in order. A part of
/// several stages is divided among them as the instance has it. `file` is its name in messages. Throws FileError,
/// "FILE:LINE: found F, expected E".
std::vector<std::vector<double>> read_normal_times(std::string_view text, const std::string& file,
                                                   const tpn::Document& document,
                                                   const maxplus::Rational& ticks_per_unit);

}  // namespace takt::tools

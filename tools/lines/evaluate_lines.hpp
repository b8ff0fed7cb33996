// Thousands of given mappings, for takt evaluate --lines.
#pragma once

#include "tools/answers/evaluate_options.hpp"

namespace takt::tools {

/// Prints a result per document of the one file and model, in order; its certificate, and what people read, are not
/// asked for. Returns the status.
int evaluate_lines(const EvaluateOptions& options, Streams& streams);

}  // namespace takt::tools

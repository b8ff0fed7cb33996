// gnuplot as a separate program, which need not be there.
#pragma once

#include <string>

namespace takt::tools {

/// What became of a script.
struct GnuplotOutcome {
  bool is_missing = false;  // there is no gnuplot
  std::string trouble;      // what it said, or how it ended, where it failed; empty if it drew
};

/// Draws `name`.svg from `name`.gp in that folder, without anybody's settings; the file appears whole or not at all.
/// Throws FileError if it cannot be written.
GnuplotOutcome run_gnuplot(const std::string& folder, const std::string& name);

}  // namespace takt::tools

// Always-on contract checks: a caller's bug becomes an exception that names the broken promise.
#pragma once

#include <stdexcept>
#include <string>

namespace takt::maxplus {

/// A broken precondition: a bug in the calling code, never the answer to bad input.
class ContractViolation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws ContractViolation, naming the caller's file and line, unless `holds`. The builtins stand in for
/// std::source_location, which clang 14 does not have.
inline void expects(bool holds, const char* promise, const char* file = __builtin_FILE(),
                    unsigned line = __builtin_LINE()) {
  if (!holds) {
    throw ContractViolation(std::string(file) + ":" + std::to_string(line) + ": contract violated: " + promise);
  }
}

}  // namespace takt::maxplus

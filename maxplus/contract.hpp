// Always-on contract checks: a caller's bug becomes an exception that names the broken promise.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace takt::maxplus {

/// A broken precondition: a bug in the calling code, never the answer to bad input.
class ContractViolation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws ContractViolation, naming the caller's file and line, unless `holds`.
inline void expects(bool holds, const char* promise,
                    std::source_location where = std::source_location::current()) {
  if (!holds) {
    throw ContractViolation(std::string(where.file_name()) + ":" + std::to_string(where.line()) +
                            ": contract violated: " + promise);
  }
}

}  // namespace takt::maxplus

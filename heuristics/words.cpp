// Numbers as decimals.
#include "heuristics/words.hpp"

#include <fmt/format.h>

namespace takt::heuristics {

std::string decimal(const maxplus::Rational& value) {
  const auto number = value.to_double();
  return number ? fmt::format("{:.6g}", *number) : value.to_string();
}

}  // namespace takt::heuristics

// Decimals for the tables of the heuristics.
#include "heuristics/words.hpp"

#include <fmt/format.h>

namespace takt::heuristics {

std::string decimal(const Rational& value) {
  const auto near = value.to_double();
  return near ? fmt::format("{:.6g}", *near) : value.to_string();
}

}  // namespace takt::heuristics

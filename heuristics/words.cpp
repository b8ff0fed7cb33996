<<<<<<< HEAD
<<<<<<< HEAD
// Decimals for the tables of the heuristics.
=======
// Numbers as decimals.
>>>>>>> hedpm
=======
// Numbers as decimals.
>>>>>>> divided
#include "heuristics/words.hpp"

#include <fmt/format.h>

namespace takt::heuristics {

<<<<<<< HEAD
<<<<<<< HEAD
std::string decimal(const Rational& value) {
  const auto near = value.to_double();
  return near ? fmt::format("{:.6g}", *near) : value.to_string();
=======
std::string decimal(const maxplus::Rational& value) {
  const auto number = value.to_double();
  return number ? fmt::format("{:.6g}", *number) : value.to_string();
>>>>>>> hedpm
=======
std::string decimal(const maxplus::Rational& value) {
  const auto number = value.to_double();
  return number ? fmt::format("{:.6g}", *number) : value.to_string();
>>>>>>> divided
}

}  // namespace takt::heuristics

// A factor, and the words of seconds or of the document.
#include "tools/live/run_time_words.hpp"

#include <fmt/format.h>

#include <variant>

#include "tools/words/number_words.hpp"

namespace takt::tools {

using maxplus::Rational;

RunTimeWords::RunTimeWords(const TimeWords& of_document, const std::optional<Rational>& unit_seconds)
    : words_(of_document) {
  if (!unit_seconds) return;
  factor_ = *unit_seconds;
  words_ = TimeWords::of_seconds();
}

std::string RunTimeWords::readable(double time) const {
  const auto number = maxplus::parse_decimal(fmt::format("{:.17g}", time));
  const auto* const exact = std::get_if<Rational>(&number);
  return exact != nullptr ? readable(*exact) : "-";
}

std::string signed_percent(const std::optional<Rational>& share) {
  const auto value = share ? in_percent(*share) : std::nullopt;
  return value ? fmt::format("{:+.2f} %", *value) : "-";
}

}  // namespace takt::tools

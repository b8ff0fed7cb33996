// Both periods beside each other.
#include "tools/answers/what_if_output.hpp"

#include <fmt/format.h>

#include <optional>

#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/parameter_words.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

std::string throughput_change(const Rational& before, const Rational& after) {
  if (after < before) return gain_text(before, after) + " throughput";
  const auto loss = in_percent(Rational(1) - before / after);
  if (!loss) return "less throughput";
  return *loss < 0.1 ? "under 0.1 % less throughput" : fmt::format("{:.1f} % less throughput", *loss);
}

// "at least 3, at most 5".
std::string bounds_text(const TimeWords& times, const Rational& lower, const Rational& upper) {
  if (lower == upper) return times.said(lower);
  return fmt::format("at least {} and at most {}", times.said(lower), times.said(upper));
}

}  // namespace

std::string what_if_sentence(const WhatIf& what_if, const EvaluatedInstance& result) {
  std::string changes;
  for (const ParameterChange& change : what_if.changes)
    changes += (changes.empty() ? "" : "; ") + change_text(change, result.times);
  const Rational& lower = result.evaluation.lower;
  const Rational& upper = result.evaluation.upper;
  if (what_if.exact() && result.evaluation.exact() && what_if.lower == lower)
    return fmt::format("With {}, the period stays {}.", changes, result.times.said(lower));
  std::string text =
      fmt::format("With {}, the period is {} in place of {}", changes, bounds_text(result.times, lower, upper),
                  bounds_text(result.times, what_if.lower, what_if.upper));
  if (what_if.exact() && result.evaluation.exact() && upper.sign() > 0)
    text += ": " + throughput_change(what_if.lower, lower);
  return text + ".";
}

void write_what_if(tpn::JsonWriter& json, const WhatIf& what_if) {
  write_objects(json, "changed", what_if.changes, [&](const ParameterChange& change) {
    json.member("name", change.name);
    json.member("pointer", change.pointer);
    write_exact(json, "value_before", change.before);
    write_exact(json, "value", change.value);
  });
  write_exact(json, "period_before", what_if.exact() ? std::optional(what_if.lower) : std::nullopt);
}

}  // namespace takt::tools

// The names of laws in one table.
#include "tpn/law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "maxplus/contract.hpp"
#include "tpn/json.hpp"

namespace takt::tpn {

using maxplus::Rational;

namespace {

constexpr long kMostPhases = 1'000'000;
constexpr long kMostVariation = 100;
constexpr long kMostExponent = 1'000'000;

constexpr auto kForms = std::to_array<LawForm>({
    {"constant", LawKind::constant, "", "", ""},
    {"exponential", LawKind::exponential, "", "", ""},
    {"uniform", LawKind::uniform, "spread", "a spread above 0 % and at most 100 %", "20%"},
    {"erlang", LawKind::erlang, "phases", "a whole number of phases from 1 to 1000000", "4"},
    {"gamma", LawKind::gamma, "cv", "a coefficient of variation above 0 and at most 100", "0.5"},
    {"lognormal", LawKind::lognormal, "cv", "a coefficient of variation above 0 and at most 100", "0.5"},
    {"normal", LawKind::normal, "cv",
     "a coefficient of variation above 0 and below 0.75 (a normal law of positive values has no more)", "0.2"},
    {"pareto", LawKind::pareto, "exponent",
     "an exponent above 1 and at most 1000000 (a law with a smaller one has no mean)", "2.5"},
});

std::string all_examples() {
  std::vector<std::string> texts;
  texts.reserve(kForms.size());
  for (const LawForm& form : kForms)
    texts.push_back(fmt::format("{}{}{}", form.name, form.key.empty() ? "" : ":", form.example));
  return json::alternatives(texts);
}

bool are_multiples_of_their_mean(const std::vector<Rational>& samples) {
  if (samples.empty() || samples.size() > kMostSamples) return false;
  Rational sum;
  for (const Rational& sample : samples) {
    if (sample.sign() < 0) return false;
    sum += sample;
  }
  return sum == Rational(samples.size());
}

}  // namespace

std::span<const LawForm> law_forms() { return kForms; }

const LawForm* find_law_form(std::string_view name) {
  const auto* const found = std::ranges::find(kForms, name, &LawForm::name);
  return found == kForms.end() ? nullptr : found;
}

const LawForm& form_of(LawKind kind) {
  const auto* const found = std::ranges::find(kForms, kind, &LawForm::kind);
  maxplus::expects(found != kForms.end(), "samples have no name");
  return *found;
}

bool is_within(const Law& law) {
  const Rational& parameter = law.parameter;
  if (law.kind == LawKind::samples) return parameter.sign() == 0 && are_multiples_of_their_mean(law.samples);
  if (!law.samples.empty()) return false;
  switch (law.kind) {
    case LawKind::uniform:
      return parameter.sign() > 0 && parameter <= Rational(1);
    case LawKind::erlang:
      return parameter >= Rational(1) && parameter <= Rational(kMostPhases) && parameter.is_integer();
    case LawKind::gamma:
    case LawKind::lognormal:
      return parameter.sign() > 0 && parameter <= Rational(kMostVariation);
    case LawKind::normal:
      return parameter.sign() > 0 && parameter < Rational::fraction(3, 4);
    case LawKind::pareto:
      return parameter > Rational(1) && parameter <= Rational(kMostExponent);
    case LawKind::constant:
    case LawKind::exponential:
    case LawKind::samples:
      break;
  }
  return parameter.sign() == 0;
}

std::optional<Rational> parse_parameter(std::string_view text) {
  const bool is_percent = text.ends_with('%');
  if (is_percent) text.remove_suffix(1);
  while (is_percent && text.ends_with(' ')) text.remove_suffix(1);
  const auto parsed = maxplus::parse_number(text);
  const auto* const number = std::get_if<Rational>(&parsed);
  if (number == nullptr) return std::nullopt;
  return is_percent ? *number / Rational(100) : *number;
}

std::variant<Law, LawExpectation> parse_law(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const LawForm* const form = find_law_form(name);
  if (form == nullptr) return LawExpectation{"a law, as in " + all_examples()};
  if (form->key.empty()) {
    if (colon != std::string_view::npos) return LawExpectation{fmt::format("{} without a parameter", name)};
    return Law{form->kind};
  }
  if (colon != std::string_view::npos) {
    const auto parameter = parse_parameter(text.substr(colon + 1));
    if (parameter && is_within({form->kind, *parameter})) return Law{form->kind, *parameter};
  }
  return LawExpectation{fmt::format("{}, as in {}:{}", form->expected, form->name, form->example)};
}

SampledLaw law_of_samples(std::span<const Rational> samples) {
  maxplus::expects(!samples.empty() && samples.size() <= kMostSamples, "samples are from 1 to kMostSamples");
  Rational sum;
  for (const Rational& sample : samples) {
    maxplus::expects(sample.sign() >= 0, "samples are at least 0");
    sum += sample;
  }
  SampledLaw result{sum / Rational(samples.size()), {LawKind::samples}};
  result.law.samples.reserve(samples.size());
  for (const Rational& sample : samples)
    result.law.samples.push_back(sum.sign() == 0 ? Rational(1) : sample / result.mean);
  return result;
}

namespace {

// Whether E(X - t | X > t) <= E X for all t: between two samples it falls, so it is largest just behind one, or at 0.
bool are_nbue(std::vector<Rational> samples) {
  std::ranges::sort(samples, std::greater<>());
  Rational rest;  // the sum of those that are larger
  for (std::size_t i = 0; i < samples.size(); ++i) {
    // Multiples of a mean of 1.
    if (rest > (samples[i] + Rational(1)) * Rational(i)) return false;
    rest += samples[i];
  }
  return true;
}

}  // namespace

bool is_nbue(const Law& law) {
  switch (law.kind) {
    case LawKind::constant:
    case LawKind::exponential:
    case LawKind::uniform:
    case LawKind::erlang:
    case LawKind::normal:
      return true;
    case LawKind::gamma:
      return law.parameter <= Rational(1);
    case LawKind::lognormal:
    case LawKind::pareto:
      return false;
    case LawKind::samples:
      return are_nbue(law.samples);
  }
  return false;
}

}  // namespace takt::tpn

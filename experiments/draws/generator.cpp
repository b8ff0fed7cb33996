// Ranges, values of parameters as texts, arguments.
#include "experiments/draws/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "maxplus/contract.hpp"

namespace takt::experiments {

using maxplus::Integer;

namespace {

constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 62;

// Of numerators and denominators: what is computed from a few of them can still be written.
constexpr std::size_t kMostDigits = 60;

bool is_short(const Integer& number) { return mpz_sizeinbase(number.get_mpz_t(), 10) <= kMostDigits; }

std::optional<Rational> number_of(std::string_view text) {
  auto number = maxplus::parse_number(text);
  const auto* value = std::get_if<Rational>(&number);
  if (value == nullptr || !is_short(value->numerator()) || !is_short(value->denominator())) return std::nullopt;
  return *value;
}

// floor((high - low) / step).
Integer steps_of(const Range& range) { return Rational((range.high - range.low) / range.step).floor(); }

std::optional<Range> parse_range(std::string_view text) {
  Range range;
  const std::size_t by = text.find(" by ");
  if (by != std::string_view::npos) {
    const auto step = number_of(text.substr(by + 4));
    if (!step || step->sign() <= 0) return std::nullopt;
    range.step = *step;
    text = text.substr(0, by);
  }
  const std::size_t dots = text.find("..");
  const auto low = number_of(text.substr(0, dots));
  const auto high = dots == std::string_view::npos ? low : number_of(text.substr(dots + 2));
  if (!low || !high || *high < *low) return std::nullopt;
  range.low = *low;
  range.high = *high;
  const Integer steps = steps_of(range);
  if (steps >= Integer(kMostSteps)) return std::nullopt;
  range.high = range.low + range.step * Rational(steps);
  if (steps == 0) range.step = 1;
  return range;
}

std::string joined(const std::vector<std::string_view>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string bounds_of(const GeneratorParameter& parameter) {
  if (parameter.is_above_least) return fmt::format("above {}, at most {}", parameter.least, parameter.most);
  return fmt::format("from {} to {}", parameter.least, parameter.most);
}

std::string expectation_of(const GeneratorParameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::count:
      return "a whole number " + bounds_of(parameter);
    case ParameterKind::number:
      return "a number " + bounds_of(parameter);
    case ParameterKind::range:
      return "a number or a range such as 5..15 or \"0.01..10 by 0.01\", " + bounds_of(parameter);
    case ParameterKind::choice:
      return "one of " + joined(parameter.choices);
  }
  return {};
}

bool is_within(const GeneratorParameter& parameter, const Rational& low, const Rational& high) {
  const Rational least = parameter.least;
  return (parameter.is_above_least ? least < low : least <= low) && high <= Rational(parameter.most);
}

std::optional<ParameterValue> value_of(const GeneratorParameter& parameter, std::string_view text) {
  if (parameter.kind == ParameterKind::choice) {
    if (std::ranges::find(parameter.choices, text) == parameter.choices.end()) return std::nullopt;
    return std::string(text);
  }
  if (parameter.kind == ParameterKind::range) {
    const auto range = parse_range(text);
    if (!range || !is_within(parameter, range->low, range->high)) return std::nullopt;
    return *range;
  }
  const auto number = number_of(text);
  if (!number || !is_within(parameter, *number, *number)) return std::nullopt;
  if (parameter.kind == ParameterKind::number) return *number;
  if (!number->is_integer()) return std::nullopt;
  return static_cast<std::uint64_t>(number->numerator().get_ui());
}

std::size_t index_of(const Generator& generator, std::string_view parameter) {
  const auto found = std::ranges::find(generator.parameters, parameter, &GeneratorParameter::name);
  maxplus::expects(found != generator.parameters.end(), "a generator's arguments are for its parameters");
  return static_cast<std::size_t>(found - generator.parameters.begin());
}

ParameterValue standard_of(const GeneratorParameter& parameter) {
  auto value = value_of(parameter, parameter.standard);
  maxplus::expects(value.has_value(), "the standard value of a parameter is a value of it");
  return *value;
}

}  // namespace

std::uint64_t Range::size() const { return static_cast<std::uint64_t>(steps_of(*this).get_ui()) + 1; }

std::string Range::to_string() const {
  if (low == high) return low.to_string();
  const std::string ends = low.to_string() + ".." + high.to_string();
  return step == Rational(1) ? ends : ends + " by " + step.to_string();
}

std::variant<ParameterValue, ParameterExpectation> parse_value(const GeneratorParameter& parameter,
                                                               std::string_view text) {
  if (auto value = value_of(parameter, text)) return std::move(*value);
  std::string expected = expectation_of(parameter);
  const bool may_be_long = text.size() > kMostDigits || text.find_first_of("eE") != std::string_view::npos;
  if (parameter.kind != ParameterKind::choice && may_be_long) {
    expected += fmt::format(", with at most {} digits", kMostDigits);
  }
  return ParameterExpectation{std::move(expected)};
}

std::string_view name_of(ParameterKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"count", "number", "range", "choice"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view name_of(DrawnKind kind) { return kind == DrawnKind::instance ? "instance" : "problem"; }

std::string value_text(const ParameterValue& value) {
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return std::to_string(*count);
  if (const auto* number = std::get_if<Rational>(&value)) return number->to_string();
  if (const auto* range = std::get_if<Range>(&value)) return range->to_string();
  return std::get<std::string>(value);
}

Arguments::Arguments(const Generator& generator) : generator_(&generator) {
  for (const GeneratorParameter& parameter : generator.parameters) values_.push_back(standard_of(parameter));
}

void Arguments::set(std::string_view parameter, ParameterValue value) {
  ParameterValue& place = values_[index_of(*generator_, parameter)];
  maxplus::expects(place.index() == value.index(), "an argument is of its parameter's kind");
  place = std::move(value);
}

const ParameterValue& Arguments::value(std::string_view parameter) const {
  return values_[index_of(*generator_, parameter)];
}

std::uint64_t Arguments::count(std::string_view parameter) const { return std::get<std::uint64_t>(value(parameter)); }
const Rational& Arguments::number(std::string_view parameter) const { return std::get<Rational>(value(parameter)); }
const Range& Arguments::range(std::string_view parameter) const { return std::get<Range>(value(parameter)); }
const std::string& Arguments::choice(std::string_view parameter) const {
  return std::get<std::string>(value(parameter));
}

std::string Arguments::canonical(const std::vector<std::string>& paired) const {
  std::string text(generator_->name);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const GeneratorParameter& parameter = generator_->parameters[i];
    if (values_[i] == standard_of(parameter)) continue;
    if (std::ranges::find(paired, parameter.name) != paired.end()) continue;
    text += fmt::format(";{}={}", parameter.name, value_text(values_[i]));
  }
  return text;
}

DrawKey key_of(const Arguments& arguments, std::uint64_t seed, std::uint64_t draw,
               const std::vector<std::string>& paired) {
  return {.seed = seed, .cell = cell_hash(arguments.canonical(paired)), .draw = draw};
}

std::string command_of(const Arguments& arguments, std::uint64_t seed, std::uint64_t draw,
                       const std::vector<std::string>& paired) {
  std::string text = fmt::format("takt generate {}", arguments.generator().name);
  for (const GeneratorParameter& parameter : arguments.generator().parameters) {
    const ParameterValue& value = arguments.value(parameter.name);
    if (value == standard_of(parameter)) continue;
    const std::string word = value_text(value);
    const char* quote = word.find(' ') == std::string::npos ? "" : "'";
    text += fmt::format(" --{} {}{}{}", parameter.name, quote, word, quote);
  }
  for (const std::string& name : paired) text += " --paired " + name;
  return text + fmt::format(" --seed {} --draw {}", seed, draw);
}

tpn::Document draw_document(const Arguments& arguments, std::uint64_t seed, std::uint64_t draw,
                            const std::vector<std::string>& paired) {
  const Generator& generator = arguments.generator();
  tpn::Document document = generator.draw(arguments, key_of(arguments, seed, draw, paired));
  document.application.name = fmt::format("{}, seed {}, draw {}", generator.name, seed, draw);
  document.remarks[""].comment = command_of(arguments, seed, draw, paired);
  return document;
}

}  // namespace takt::experiments

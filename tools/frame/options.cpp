// Values of options, checked before the option parser converts them.
#include "tools/frame/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "tools/command.hpp"
#include "tools/files/signals.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/suggestion.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

std::string refusal(const std::string& found, const std::string& expected) {
  return fmt::format("found \"{}\", expected {}", found, expected);
}

// True if all of the text is one number within the type's range.
template <typename T>
bool read(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

std::optional<maxplus::Rational> read_growth(std::string_view text) {
  const bool is_percent = text.ends_with('%');
  if (is_percent) text.remove_suffix(1);
  const auto number = read_number(text);
  if (!number || number->sign() < 0) return std::nullopt;
  return is_percent ? *number / maxplus::Rational(100) : *number;
}

std::optional<maxplus::Rational> read_share(std::string_view text) {
  const auto share = read_growth(text);
  // "5" is more likely 5 % than 500 %.
  const bool is_ambiguous = share && !text.ends_with('%') && *share > maxplus::Rational(1);
  return is_ambiguous ? std::nullopt : share;
}

std::string default_names() {
  std::vector<std::string_view> names;
  for (const tpn::Model& model : tpn::default_models()) names.push_back(tpn::name_of(model));
  return fmt::format("{}", fmt::join(names, " and "));
}

}  // namespace

std::optional<maxplus::Rational> read_number(std::string_view text) {
  for (const auto& parsed : {maxplus::parse_decimal(text), maxplus::parse_fraction(text)}) {
    if (const auto* number = std::get_if<maxplus::Rational>(&parsed)) return *number;
  }
  return std::nullopt;
}

std::optional<maxplus::Rational> read_quantity(std::string_view text, tpn::Quantity quantity) {
  auto parsed = tpn::parse_quantity(text, quantity, maxplus::kMaxDigits);
  if (auto* number = std::get_if<maxplus::Rational>(&parsed)) return std::move(*number);
  return std::nullopt;
}

void require_same_units(const std::string& option, const std::string& text, bool has_unit,
                        const tpn::Document& document, const std::string& example) {
  const bool document_has = document.time_unit == tpn::TimeUnit::second;
  if (has_unit == document_has) return;
  if (document_has) {
    throw UsageError(fmt::format("{}: found \"{}\", expected a unit, as in {}: the file has units", option,
                                 printable(text), example));
  }
  throw UsageError(fmt::format("{}: found \"{}\", expected a number alone: the numbers of the file have no units",
                               option, printable(text)));
}

std::string example_with_unit(const std::string& text, std::string_view number, std::string_view unit) {
  constexpr std::size_t kShort = 4;
  const bool is_plain = text.size() <= kShort && !tpn::has_unit(text);
  return fmt::format("\"{}{}\"", is_plain ? std::string_view(text) : number, unit);
}

maxplus::Rational read_time(const std::string& option, const std::string& text, const tpn::Document& document) {
  const bool has_unit = tpn::has_unit(text);
  require_same_units(option, text, has_unit, document, example_with_unit(text, "5", " ms"));
  return *read_quantity(text, tpn::Quantity::time);
}

ValueCheck any_time() {
  return [](const std::string& text) {
    const bool is_time = read_quantity(text, tpn::Quantity::time).has_value();
    return is_time ? std::string() : refusal(text, "a time, such as 210 or \"10 ms\"");
  };
}

ValueCheck positive_time() {
  return [](const std::string& text) -> std::string {
    const auto time = read_quantity(text, tpn::Quantity::time);
    return time && time->sign() > 0 ? "" : refusal(text, "a time above 0, such as 210 or \"10 ms\"");
  };
}

ValueCheck one_of(const std::vector<std::string>& names) {
  const auto wrong = [names](const std::string& text) {
    const bool is_known = std::ranges::find(names, text) != names.end();
    return is_known ? std::string()
                    : fmt::format("found \"{}\"{}, expected {}", text, suggestion(text, names),
                                  tpn::json::alternatives(names));
  };
  return {wrong, {.names = names}};
}

ValueCheck positive_integer() {
  return [](const std::string& text) {
    std::uint64_t value = 0;
    return read(text, value) && value > 0 ? std::string() : refusal(text, "a whole number from 1 to 2^64 - 1");
  };
}

ValueCheck whole_number() {
  return [](const std::string& text) {
    std::uint64_t value = 0;
    return read(text, value) ? std::string() : refusal(text, "a whole number from 0 to 2^64 - 1");
  };
}

namespace {

std::optional<std::vector<std::uint64_t>> read_ascending_integers(const std::string& text) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::uint64_t number = 0;
    if (!read(text.substr(begin, end - begin), number) || number == 0) return std::nullopt;
    if (!numbers.empty() && number <= numbers.back()) return std::nullopt;
    numbers.push_back(number);
    begin = end + 1;
  }
  return numbers;
}

}  // namespace

ValueCheck ascending_integers() {
  return [](const std::string& text) {
    return read_ascending_integers(text)
               ? std::string()
               : refusal(text, "a whole number from 1, or several, each larger than the one before, as in 1,2,4");
  };
}

std::vector<std::uint64_t> parse_ascending_integers(const std::string& text) {
  return read_ascending_integers(text).value();
}

ValueCheck output_name() {
  const auto wrong = [](const std::string& text) {
    return text.empty() ? refusal(text, "the name of a file") : std::string();
  };
  return {wrong, {.names = {}, .has_files = true}};
}

std::optional<double> read_seconds(const std::string& text) {
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  std::string_view unit(read.ptr, static_cast<std::size_t>(text.data() + text.size() - read.ptr));
  if (unit.starts_with(' ') && unit.size() > 1) unit.remove_prefix(1);
  constexpr auto kUnits =
      std::to_array<std::pair<std::string_view, double>>({{"", 1}, {"s", 1}, {"ms", 1e-3}, {"min", 60}, {"h", 3600}});
  const auto known = std::ranges::find(kUnits, unit, &std::pair<std::string_view, double>::first);
  if (known == kUnits.end()) return std::nullopt;
  const double value = number * known->second;
  return std::isfinite(value) && value > 0 ? std::optional(value) : std::nullopt;
}

ValueCheck positive_seconds() {
  return [](const std::string& text) {
    return read_seconds(text) ? std::string()
                              : refusal(text, "a time above 0, such as 30 or 0.5 (seconds), 500ms, 5s or 2min");
  };
}

void add_time_limit(CommandLine& line, std::optional<double>& limit, const std::string& scope,
                    const std::string& effect) {
  const std::string of = scope.empty() ? "" : " for " + scope;
  const std::string then = effect.empty() ? "" : "; then " + effect;
  line.option(
          "--time-limit", [&limit](const std::string& text) { limit = read_seconds(text); },
          fmt::format("limit{}, such as 500ms or 2min (no unit: seconds){}", of, then))
      .check(positive_seconds())
      .type_name("TIME");
}

ValueCheck number() {
  return [](const std::string& text) {
    return read_number(text) ? std::string() : refusal(text, "a number, such as 12.5 or 25/2");
  };
}

ValueCheck share() {
  return [](const std::string& text) {
    const bool is_fit = read_share(text).has_value();
    return is_fit ? std::string()
                  : refusal(text, "a share from 0 to 1, such as 0.05 or 1/20, or a percentage, such as 5%");
  };
}

maxplus::Rational parse_share(const std::string& text) { return read_share(text).value(); }

ValueCheck growth() {
  return [](const std::string& text) {
    return read_growth(text) ? std::string()
                             : refusal(text, "a number from 0 on, such as 0.5 or 3, or a percentage, such as 50%");
  };
}

maxplus::Rational parse_growth(const std::string& text) { return read_growth(text).value(); }

std::chrono::steady_clock::time_point deadline_in(double limit) {
  constexpr double kYear = 366.0 * 24 * 3600;
  return maxplus::SearchClock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                           std::chrono::duration<double>(std::min(limit, kYear)));
}

maxplus::Deadline deadline_after(const std::optional<double>& limit) {
  const maxplus::Deadline deadline = limit ? maxplus::Deadline(deadline_in(*limit)) : maxplus::Deadline();
  return deadline.or_on(interruption());
}

namespace {

void add_model_option(CommandLine& line, std::string& name, const std::string& meaning) {
  line.option("--model", name, "communication model: " + tpn::json::alternatives(model_names()) + "; " + meaning)
      .check(one_of(model_names()))
      .type_name("MODEL");
}

std::string default_meaning() { return "default: the file's, else both " + default_names(); }

}  // namespace

void add_model_option(CommandLine& line, std::string& name) { add_model_option(line, name, default_meaning()); }

void add_model_options(CommandLine& line, ModelChoice& choice) { add_model_options(line, choice, default_meaning()); }

void add_model_options(CommandLine& line, ModelChoice& choice, const std::string& meaning) {
  add_model_option(line, choice.name, meaning);
  line.option(
          "--rooms", choice.rooms,
          "with --model bounded: room for K files before, and K behind, each computation; default: the file's, else 1")
      .check(positive_integer())
      .type_name("K");
}

void add_window_option(CommandLine& line, std::optional<std::uint64_t>& window) {
  line.option("--window", window, "at most W data sets in the pipeline, delivered in order; default: no limit")
      .check(positive_integer())
      .type_name("W");
}

void require_window(const std::optional<std::uint64_t>& window) {
  if (window && *window > tpn::kMostWindow) {
    throw UsageError(fmt::format("--window: found {}, expected at most {}", *window, tpn::kMostWindow));
  }
}

}  // namespace takt::tools

// Values of options, checked before the option parser converts them.
#include "tools/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <variant>

#include "tools/command.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

std::string refusal(const std::string& found, const std::string& expected) {
  return fmt::format("found \"{}\", expected {}", found, expected);
}

// True where all of the text is one number within the type's range.
template <typename T>
bool read(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

std::optional<maxplus::Rational> read_share(std::string_view text) {
  const bool is_percent = text.ends_with('%');
  if (is_percent) text.remove_suffix(1);
  const auto number = read_number(text);
  if (!number || number->sign() < 0) return std::nullopt;
  // "5" is more likely 5 % than 500 %.
  if (!is_percent && *number > maxplus::Rational(1)) return std::nullopt;
  return is_percent ? *number / maxplus::Rational(100) : *number;
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

ValueCheck one_of(const std::vector<std::string>& names) {
  return [names](const std::string& text) {
    const bool is_known = std::ranges::find(names, text) != names.end();
    return is_known ? std::string() : refusal(text, tpn::json::alternatives(names));
  };
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

ValueCheck output_name() {
  return [](const std::string& text) { return text.empty() ? refusal(text, "the name of a file") : std::string(); };
}

ValueCheck seconds() {
  return [](const std::string& text) {
    double value = 0;
    const bool is_fit = read(text, value) && std::isfinite(value) && value > 0;
    return is_fit ? std::string() : refusal(text, "a number of seconds above 0, such as 30 or 0.5");
  };
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

std::chrono::steady_clock::time_point deadline_in(double limit) {
  constexpr double kYear = 366.0 * 24 * 3600;
  return std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                std::chrono::duration<double>(std::min(limit, kYear)));
}

void add_model_options(CommandLine& line, ModelChoice& choice) {
  add_model_options(line, choice, "unless said, the file's own, else both " + default_names());
}

void add_model_options(CommandLine& line, ModelChoice& choice, const std::string& meaning) {
  line.option("--model", choice.name, "communication model, " + tpn::json::alternatives(model_names()) + "; " + meaning)
      .check(one_of(model_names()))
      .type_name("MODEL");
  line.option("--rooms", choice.rooms,
              "files that a processor has room for before, and behind, each computation, under the model bounded; "
              "unless said, the file's own, else 1")
      .check(positive_integer())
      .type_name("K");
}

std::optional<tpn::Model> chosen_model(const ModelChoice& choice, const std::optional<tpn::Model>& own) {
  auto model = tpn::find_model(choice.name);
  if (!model || (own && own->definition().name == choice.name)) model = own ? own : model;
  if (!choice.rooms) return model;
  if (!model || !(*model)->has_rooms) throw UsageError("--rooms goes with --model bounded");
  if (*choice.rooms > tpn::kMostRooms) {
    throw UsageError(fmt::format("--rooms: found {}, expected at most {}", *choice.rooms, tpn::kMostRooms));
  }
  return tpn::with_rooms(*model, *choice.rooms);
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& model : tpn::communication_models()) names.emplace_back(model.name);
  return names;
}

}  // namespace takt::tools

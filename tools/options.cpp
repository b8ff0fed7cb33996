// Values of options, checked before the option parser converts them.
#include "tools/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>

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

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& names) {
  return {[names](std::string& text) {
            const bool is_known = std::ranges::find(names, text) != names.end();
            return is_known ? std::string() : refusal(text, alternatives(names));
          },
          ""};
}

CLI::Validator positive_integer() {
  return {[](std::string& text) {
            std::uint64_t value = 0;
            return read(text, value) && value > 0 ? std::string() : refusal(text, "a whole number from 1 to 2^64 - 1");
          },
          ""};
}

CLI::Validator seconds() {
  return {[](std::string& text) {
            double value = 0;
            const bool is_fit = read(text, value) && std::isfinite(value) && value > 0;
            return is_fit ? std::string() : refusal(text, "a number of seconds above 0, such as 30 or 0.5");
          },
          ""};
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& model : tpn::communication_models()) names.emplace_back(model.name);
  return names;
}

std::string alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace takt::tools

// One look at each character.
#include "tools/cycle_ratio/graph_lines.hpp"

#include <algorithm>
#include <numeric>

namespace takt::tools {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

std::size_t GraphLine::cut(std::string_view text, std::size_t start, char comment) {
  count_ = 0;
  std::size_t at = start;
  for (;;) {
    while (at < text.size() && is_blank(text[at])) ++at;
    if (at == text.size()) return at;
    if (text[at] == '\n') return at + 1;
    if (text[at] == comment || count_ == kMost) {
      const std::size_t end = text.find('\n', at);
      return end == std::string_view::npos ? text.size() : end + 1;
    }
    const std::size_t word = at;
    while (at < text.size() && text[at] != '\n' && !is_blank(text[at])) ++at;
    words_[count_++] = {text.substr(word, at - word), word - start + 1};
  }
}

std::optional<ShortWeight> short_weight(std::string_view text) {
  constexpr std::size_t kMostDigits = 18;
  const bool is_negative = !text.empty() && text.front() == '-';
  if (is_negative) text.remove_prefix(1);
  if (text.empty() || text.size() > kMostDigits || text.front() == '.' || text.back() == '.') return std::nullopt;
  ShortWeight weight;
  bool has_point = false;
  for (const char c : text) {
    if (c == '.' && !has_point) {
      has_point = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    weight.numerator = 10 * weight.numerator + (c - '0');
    if (has_point) weight.denominator *= 10;
  }
  if (is_negative) weight.numerator = -weight.numerator;
  if (has_point) {
    const std::int64_t divisor = std::gcd(weight.numerator, weight.denominator);
    weight.numerator /= divisor;
    weight.denominator /= divisor;
  }
  return weight;
}

std::size_t count_lines(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

}  // namespace takt::tools

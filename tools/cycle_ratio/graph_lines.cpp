// One look at each character.
#include "tools/cycle_ratio/graph_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tpn/json.hpp"

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

GraphLineReader::GraphLineReader(std::string_view text, const std::string& path, const std::function<bool()>& is_over)
    : text_(text), path_(path), builder_(path, is_over, text.size(), count_lines(text)) {}

void GraphLineReader::fail(const GraphWord& word, const std::string& expected) const {
  fail_at(path_, {line_, word.column}, tpn::json::quote(word.text), expected);
}

std::size_t GraphLineReader::numbered_vertex(const GraphWord& word, std::uint64_t most, const char* what) {
  const auto number = read_tokens(word.text);
  if (!number || *number < 1 || *number > most) fail(word, fmt::format("{} from 1 to {}", what, most));
  return builder_.vertex(word.text.front() == '0' ? std::to_string(*number) : std::string(word.text));
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

// Compares spellings by the edits between them.
#include "tools/words/suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace takt::tools {

namespace {

// No name is as long; what is need not be compared.
constexpr std::size_t kLongest = 40;
// Fewer letters begin too many names, and are within an edit of too many.
constexpr std::size_t kShortest = 3;

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// Letters put in, left out, replaced, or swapped with the next one.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i);
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const std::size_t replaced = last[k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1);
      row[k] = std::min({replaced, last[k] + 1, row[k - 1] + 1});
      const bool is_swap = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
      if (is_swap) row[k] = std::min(row[k], before_last[k - 2] + 1);
    }
    before_last = std::move(last);
    last = std::move(row);
  }
  return last.back();
}

// How far a name is from a text in lower case: less is nearer.
std::size_t distance(const std::string& text, const std::string& name) {
  const std::string lower = in_lower_case(name);
  if (lower == text) return 0;
  return lower.starts_with(text) ? 1 : 1 + edits_between(text, lower);
}

// The nearest name, unless two are as near.
std::string nearest(const std::string& text, const std::vector<std::string>& names) {
  const std::size_t farthest = 1 + std::min<std::size_t>(2, text.size() / kShortest);
  std::string found;
  std::size_t least = farthest + 1;
  for (const std::string& name : names) {
    const std::size_t now = distance(text, name);
    if (now < least) {
      least = now;
      found = name;
    } else if (now == least) {
      found.clear();
    }
  }
  return found;
}

}  // namespace

std::string nearest_name(std::string_view text, const std::vector<std::string>& names) {
  if (text.size() > kLongest) return "";
  const std::string lower = in_lower_case(text);
  const bool is_short = std::ranges::count_if(lower, [](unsigned char c) { return c != '-'; }) < int{kShortest};
  return is_short ? std::string() : nearest(lower, names);
}

std::string suggestion(std::string_view text, const std::vector<std::string>& names) {
  const std::string name = nearest_name(text, names);
  return name.empty() ? std::string() : fmt::format(" (did you mean \"{}\"?)", name);
}

}  // namespace takt::tools

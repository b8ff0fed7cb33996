// Quotes and line breaks.
#include "tools/experiment/gnuplot_text.hpp"

#include "tpn/visible.hpp"

namespace takt::tools {

std::string gnuplot_quoted(std::string_view text) {
  // Nothing is special in single quotes but these.
  std::string result = "'";
  for (const char c : tpn::visible(text)) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

std::vector<std::string> broken_lines(std::string_view text, std::size_t widest) {
  std::vector<std::string> lines;
  while (text.size() > widest) {
    const std::size_t blank = text.rfind(' ', widest);
    if (blank == std::string_view::npos || blank == 0) break;
    lines.emplace_back(text.substr(0, blank));
    text.remove_prefix(blank + 1);
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace takt::tools

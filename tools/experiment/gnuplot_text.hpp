// Texts in scripts of gnuplot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace takt::tools {

/// A text that stands for nothing but itself.
std::string gnuplot_quoted(std::string_view text);

/// Lines with at most that many characters, broken at blanks if there are any.
std::vector<std::string> broken_lines(std::string_view text, std::size_t widest);

}  // namespace takt::tools

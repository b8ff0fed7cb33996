// How wide texts of drawings are, which no program here sets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace takt::tools {

/// About how wide a text is, rather more than less.
double text_width(std::string_view text, double font_size);

/// The text, its end cut away where it is too wide.
std::string fitted(const std::string& text, double font_size, double width);

/// How many characters a text has.
std::size_t text_characters(std::string_view text);

/// The same, those of East Asian scripts, which are about twice as wide, and pictures counted twice.
std::size_t text_cells(std::string_view text);

}  // namespace takt::tools

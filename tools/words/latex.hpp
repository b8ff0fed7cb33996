// Texts in LaTeX.
#pragma once

#include <string>
#include <string_view>

namespace takt::tools {

/// A text that stands for nothing but itself in LaTeX, outside of mathematics: what is special is escaped, comparisons
/// are signs of mathematics, quotes open and close. Control characters become visible. Signs beyond Latin letters that
/// takt does not know stay as they are, which LuaLaTeX and XeLaTeX take.
std::string latex_text(std::string_view text);

}  // namespace takt::tools

// Writing SVG, and the markup of pages: elements one in the other, appended to a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/pictures/palette.hpp"

namespace takt::tools {

/// Whether XML 1.0, and so HTML and SVG, may hold a character. [Extensible Markup Language 1.0, production 2]
bool is_xml_character(char32_t code);

/// A text as XML and HTML may hold it between tags and in quotes: & < > " escaped, characters that XML does not allow
/// and bytes that are not UTF-8 replaced by U+FFFD.
std::string escaped(std::string_view text);

/// The rule of a style sheet that gives what matches `selector` the dark color of a property: ".page{fill:#14171b}".
std::string dark_rule(std::string_view selector, std::string_view property, std::string_view value);

/// A style sheet whose rules hold where the reader prefers dark. Without it, and for programs that know no style
/// sheets, presentation attributes hold, which are light.
std::string dark_style(std::string_view rules);

/// The fonts of drawings, as a presentation attribute.
inline constexpr std::string_view kSvgFonts =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";

/// What Cairo can draw at most in either direction of a bitmap.
inline constexpr double kMostPixels = 32767;

/// A coordinate with one decimal: "12.5", "-3.0", never "-0.0". Beyond +-1e9, that.
std::string coordinate(double value);

/// Appends elements to a text. Attributes belong to the element opened last, before anything else goes into it; the
/// caller closes what it opens. Anything else is a contract violation. Names are the caller's, contents any text.
class SvgWriter {
 public:
  /// The text must outlive the writer.
  explicit SvgWriter(std::string& text) : text_(text) {}

  SvgWriter& open(std::string_view element);
  SvgWriter& attribute(std::string_view name, std::string_view value);
  SvgWriter& attribute(std::string_view name, const char* value) { return attribute(name, std::string_view(value)); }
  /// A coordinate.
  SvgWriter& attribute(std::string_view name, double value);
  SvgWriter& text(std::string_view content);
  /// Markup that is one already, a style sheet among it.
  SvgWriter& raw(std::string_view markup);
  SvgWriter& close();
  /// open, text, close.
  SvgWriter& element(std::string_view name, std::string_view content);

 private:
  void end_tag();

  std::string& text_;
  std::vector<std::string> open_;
  bool in_tag_ = false;
};

}  // namespace takt::tools

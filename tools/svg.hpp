// Writing SVG, and the markup of pages: elements one in the other, appended to a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace takt::tools {

/// A text as XML and HTML may hold it between tags and in quotes: & < > " escaped, characters that XML does not allow
/// and bytes that are not UTF-8 replaced by U+FFFD.
std::string escaped(std::string_view text);

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

// Widths by kinds of characters, as those of DejaVu Sans, which is wide.
#include "tools/pictures/text_width.hpp"

#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

// How wide a character is that begins with this byte; 0 for the rest of a UTF-8 character.
double ems_of(char c) {
  constexpr std::string_view kNarrow = "iljtfI.,:;'|!()[] /";
  constexpr std::string_view kWide = "mwMW@%";
  const auto byte = static_cast<unsigned char>(c);
  if ((byte & 0xC0U) == 0x80U) return 0;
  if (byte >= 0x80U || kWide.find(c) != std::string_view::npos) return 1.0;
  if (kNarrow.find(c) != std::string_view::npos) return 0.40;
  return c >= 'A' && c <= 'Z' ? 0.72 : 0.64;
}

// Characters of East Asian scripts, pictures among them, are about twice as wide.
std::size_t cells_of(const tpn::Utf8Start& character) {
  constexpr char32_t kFirstWide = 0x1100;
  constexpr char32_t kFirstPunctuation = 0x2000;
  constexpr char32_t kFirstIdeograph = 0x2E80;
  const char32_t code = character.code.value_or(0);
  return (code >= kFirstWide && code < kFirstPunctuation) || code >= kFirstIdeograph ? 2 : 1;
}

}  // namespace

double text_width(std::string_view text, double font_size) {
  double ems = 0;
  for (const char c : text) ems += ems_of(c);
  return ems * font_size;
}

std::string fitted(const std::string& text, double font_size, double width) {
  if (text_width(text, font_size) <= width) return text;
  constexpr std::string_view kEllipsis = "…";
  // One character after the other: long texts are cut where their beginning ends.
  double ems = text_width(kEllipsis, 1);
  std::size_t end = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const double next = ems_of(text[i]);
    if (next > 0) end = i;  // a character begins
    ems += next;
    if (ems * font_size > width) break;
  }
  return text.substr(0, end) + std::string(kEllipsis);
}

std::size_t text_cells(std::string_view text) {
  std::size_t cells = 0;
  while (!text.empty()) {
    const auto character = tpn::first_character(text);
    cells += cells_of(character);
    text.remove_prefix(character.length);
  }
  return cells;
}

std::size_t text_characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); text.remove_prefix(tpn::first_character(text).length)) ++count;
  return count;
}

}  // namespace takt::tools

// Drawings of our own as files: SVG as it is, PNG and PDF made of it.
#pragma once

#include <string>
#include <string_view>

namespace takt::tools {

/// Whether a file's name ends as a picture's: .svg, .png or .pdf.
bool names_picture(std::string_view path);

/// ".svg, .png or .pdf", for messages.
inline constexpr std::string_view kPictureEndings = ".svg, .png or .pdf";

/// The bytes of a file of that name, which must be a picture's: of a PNG two pixels per coordinate, of a PDF one page.
/// The same SVG gives the same bytes where fonts and libraries are the same. librsvg draws, and is loaded when a PNG or
/// PDF is asked for. Throws FileError if it is missing, fails, or the PNG would have more than kMostPixels pixels
/// (tools/drawing/graphviz.hpp) on a side. One thread at a time draws; others wait.
std::string picture_bytes(const std::string& svg, std::string_view path);

}  // namespace takt::tools

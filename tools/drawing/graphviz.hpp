// Drawings as DOT text and as pictures: the only part of takt that knows Graphviz.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/drawing/drawing.hpp"

namespace takt::tools {

enum class PictureFormat { dot, svg, png, pdf };

/// The format a file's name asks for by its ending: .dot or .gv, .svg, .png, .pdf.
std::optional<PictureFormat> format_of(std::string_view path);

/// Pixels of a PNG's longer side.
double pixels(const Drawing& drawing);

/// The drawing as DOT text, positions included: `dot -Tsvg` keeps them, for the graph names its own engine,
/// nop2 (neato -n2).
std::string to_dot(const Drawing& drawing);

/// The bytes of a picture. The same drawing gives the same DOT and SVG everywhere the fonts are the same.
/// Throws FileError where Graphviz fails, with its own words. One thread at a time draws; others wait.
std::string render(const Drawing& drawing, PictureFormat format);

}  // namespace takt::tools

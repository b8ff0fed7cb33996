// A Gantt chart as SVG: a file of its own, or the markup of a page's section.
#pragma once

#include <string>
#include <string_view>

#include "tools/gantt/gantt_drawing.hpp"

namespace takt::tools {

/// Whether the times of a drawing can be coordinates: its ends and its width are within doubles.
bool is_drawable(const GanttDrawing& drawing);

/// A file: plain colors, dark ones where the reader prefers dark and the program knows style sheets, no script, nothing
/// from elsewhere. The drawing must be drawable.
std::string gantt_svg(const GanttDrawing& drawing);

/// The same for a page: `<div class="gantt">` of two drawings, labels and bars, so that a script can stretch time and
/// nothing else; times in data- attributes. `id` is unique in the page: letters and digits. The page has the style: the
/// classes are those of the file's. The widths of the two columns are the custom properties --labels (a pixel per
/// coordinate) and --labels-share, to stand beside 1000fr. The drawing must be drawable.
///
/// - svg.gbars has data-span, data-h (height) and data-t0 (the time at its left edge), and data-unit where times have
///   units ("ms"), in which all times are then; g.ticks has a g with a line and
/// a
///   text for each tick
/// - g.b is a bar: data-s and data-w are its start, less data-t0, and its width; its classes are its hue
///   (h0 to h5; qr, qc, qs where hues are kinds), its kind (r, c, s) and k where it is critical; in it are title, rect
///   and text, which has display="none" if it does not fit
/// - g.mark is a dashed line at data-t
std::string gantt_html(const GanttDrawing& drawing, std::string_view id);

/// The style sheet of a file: its colors where the reader prefers dark. Light ones are presentation attributes.
std::string gantt_style();

}  // namespace takt::tools

// A schedule of a net, its window chosen: the drawing of it, with words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/gantt/chart.hpp"
#include "tools/gantt/chart_window.hpp"
#include "tools/gantt/gantt_drawing.hpp"

namespace takt::tools {

/// Operations that are drawn where the window is not for takt to choose.
inline constexpr std::size_t kMostDrawn = 20'000;

/// Whether machines that are alike have lines of their own (fold_alike); where the window has chosen lines, they hold.
enum class GanttFolding { none, alike };

/// The drawing of a window of a schedule of a file's instance; of a path the drawing has the last name only. Nothing
/// if there are more than kMostDrawn operations.
std::optional<GanttDrawing> gantt_of(const std::string& file, const ChartSubject& subject, const PacedChart& chart,
                                     const ChosenWindow& window, GanttColor color = GanttColor::data_set,
                                     GanttFolding folding = GanttFolding::alike);
std::optional<GanttDrawing> gantt_of(const std::string& file, const ChartSubject& subject, const StartUpChart& chart,
                                     const ChosenWindow& window, GanttColor color = GanttColor::data_set,
                                     GanttFolding folding = GanttFolding::alike);

}  // namespace takt::tools

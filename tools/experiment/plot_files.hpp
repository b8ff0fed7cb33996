// A figure as files: its numbers as a table, and what gnuplot draws of them.
#pragma once

#include <string>

#include "experiments/reports/report.hpp"

namespace takt::tools {

/// NAME.tsv: a line of headings; then for each x a line, with tabs between: x to be read and exactly, and of each
/// series its number, exactly again, and for whiskers its deviation, exactly again. "NaN" if there is none; between
/// two ends "lower..upper".
std::string plot_table(const experiments::ReportedFigure& figure);

/// NAME.gp: what gnuplot makes NAME.svg of, next to NAME.tsv.
std::string plot_script(const experiments::ReportedFigure& figure);

}  // namespace takt::tools

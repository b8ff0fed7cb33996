// Colors, dashes and marks of curves: the same heuristic looks the same in all figures.
//
// Problem. Figures are compared with each other, printed in grey, and looked at by people who see few colors. The curve
// of bsc should look alike in all figures.
//
// Method. A fixed table gives each heuristic a color and a mark; the colors are those of Okabe and Ito and of Tol,
// chosen to be told apart by everybody, and the marks do it without colors. Several curves of one heuristic have its
// color, other dashes and open marks. What is in no table gets colors by its order in the figure.
#pragma once

#include <string>
#include <vector>

#include "experiments/reports/report.hpp"

namespace takt::tools {

/// How gnuplot draws a curve.
struct CurveStyle {
  std::string color;  // "#0072b2"
  std::string dash;   // of `dashtype`
  int mark = 7;       // of `pointtype`
  double fill = 1;    // of bars: how much of the color
};

/// By series of the figure.
std::vector<CurveStyle> styles_of(const experiments::ReportedFigure& figure);

}  // namespace takt::tools

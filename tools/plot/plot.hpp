// Plots: lines and points over two axes, as an SVG file that needs nothing else.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::tools {

/// A point of a plot.
struct PlotPoint {
  maxplus::Rational x;
  maxplus::Rational y;
  std::string label;    // beside it; may be empty
  std::string tooltip;  // may be empty
  bool is_accented = false;
};

/// Words along a stretch of the horizontal axis, at its top.
struct PlotNote {
  maxplus::Rational from;
  maxplus::Rational to;
  std::string text;
};

/// One of several lines, by x, with words at its left end.
struct PlotCurve {
  std::vector<std::pair<maxplus::Rational, maxplus::Rational>> line;
  std::string words;
};

/// What a plot shows. Both axes begin at 0 unless a number is smaller.
struct Plot {
  std::string title;
  std::string description;
  std::string x_title;
  std::string y_title;
  std::vector<std::pair<maxplus::Rational, maxplus::Rational>> line;    // by x; may be empty
  std::vector<std::pair<maxplus::Rational, maxplus::Rational>> dashed;  // another one, likewise
  std::string dashed_words;                                             // what it is
  bool has_diagonal = false;                                            // where y = x
  std::vector<PlotCurve> curves;                                        // the highest first at their left ends
  std::vector<std::pair<maxplus::Rational, std::string>> levels;        // dashed, across, with words
  std::vector<std::pair<maxplus::Rational, std::string>> uprights;      // dashed, upwards, with words at the top
  std::vector<PlotNote> notes;
  std::vector<PlotPoint> points;
  bool rises = false;  // the line does: labels stand above it, to the left of their points, the accented one below
};

/// 720 x 440 pixels, light and dark. Every number must have a double.
std::string plot_svg(const Plot& plot);

}  // namespace takt::tools

// Where things stand in a drawing of a net: boxes in rows and columns, and lines that lead around them.
//
// Problem. The circuits of a net join boxes of distant rows and columns; drawn straight they would run
// through the boxes between, and over one another.
//
// Method. Lines run level and upright only, with rounded corners. Beside each column are upright lanes, one
// group on each side, and in the channels between the rows are level tracks. A line takes the innermost
// lane, or the uppermost track, that is free along its whole way; short lines choose first. As many lanes
// and tracks as are needed widen the drawing.
//
// Invariant. No two lines share a piece of a lane or track, none crosses a box, and the spot of a line (where
// its place stands) lies on no other line.
//
// Cost. Quadratic in the lines beside one column or in one channel.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace takt::tools {

/// In points (1/72 inch), y upwards.
struct PagePoint {
  double x = 0;
  double y = 0;
};

struct Cell {
  std::size_t row = 0;
  std::size_t column = 0;

  /// Whether the other is the next one of its row.
  bool is_before(const Cell& other) const { return row == other.row && column + 1 == other.column; }
};

enum class Side { left, right };

/// A line from one box to another. A level one leads from a box to the next one of its row; any other
/// leaves and enters at the sides named here, unless it leads to the box below or to its own box.
struct Connection {
  enum class Kind { level, circuit };
  Kind kind = Kind::level;
  Cell from;
  Cell to;
  Side exit = Side::left;
  Side entry = Side::left;
  double shift = 0;  // where it meets a box from below or above: -1 the left end, 1 the right end
};

/// What is given of a drawing's geometry, in points.
struct BoxGrid {
  std::size_t rows = 1;
  std::vector<double> box_widths;  // by column
  double box_height = 0;
  double header = 0;       // free above the first row
  double spot_room = 0;    // between rows, beside the tracks
  double track_pitch = 0;  // between tracks
};

/// The course of a connection: its corners from box to box, and its spot on the way, which lies on the
/// piece from corner `piece` to the next.
struct Route {
  std::vector<PagePoint> corners;
  std::size_t piece = 0;
  PagePoint spot;
};

struct Layout {
  double width = 0;
  double height = 0;
  std::vector<double> column_x;  // centres
  std::vector<double> row_y;
  std::vector<Route> routes;  // as the connections
};

Layout lay_out(const BoxGrid& grid, const std::vector<Connection>& connections);

/// The path with rounded corners as control points of cubic Bezier curves: 3 k + 1 of them.
std::vector<PagePoint> rounded(const std::vector<PagePoint>& corners);

/// The path without its last `length` points, or what is left of its last piece.
std::vector<PagePoint> shortened(std::vector<PagePoint> corners, double length);

}  // namespace takt::tools

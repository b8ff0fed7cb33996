// Boxes on a grid, and routes that keep clear of them.
#include "tools/drawing/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "maxplus/contract.hpp"

namespace takt::tools {

namespace {

constexpr double kLanePitch = 17;
constexpr double kFirstLane = 18;  // from the box, with room for an arrow
constexpr double kLevelRoom = 32;  // between the lanes of two columns, for the places of level lines
constexpr double kCornerRadius = 8;
constexpr double kLoopHalfWidth = 23;
constexpr double kMargin = 8;
// Where lines meet a box's side, in heights from its middle.
constexpr double kExitHeight = 0.34;
constexpr double kEntryHeight = 0.21;

struct Stretch {
  double first = 0;
  double last = 0;
};

// Hands out numbers from 0 to intervals such that no two that meet have the same.
class Shelf {
 public:
  std::size_t add(double a, double b) {
    intervals_.push_back({std::min(a, b), std::max(a, b)});
    return intervals_.size() - 1;
  }

  void assign() {
    std::vector<std::size_t> order(intervals_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return intervals_[i].last - intervals_[i].first; });
    numbers_.resize(intervals_.size());
    std::vector<std::vector<Stretch>> taken;
    for (const std::size_t i : order) {
      const Stretch& mine = intervals_[i];
      const auto is_free = [&](const std::vector<Stretch>& others) {
        return std::ranges::none_of(
            others, [&](const Stretch& other) { return mine.first <= other.last && other.first <= mine.last; });
      };
      const auto found = std::ranges::find_if(taken, is_free);
      numbers_[i] = static_cast<std::size_t>(found - taken.begin());
      if (found == taken.end()) taken.emplace_back();
      taken[numbers_[i]].push_back(mine);
    }
    size_ = taken.size();
  }

  std::size_t number(std::size_t interval) const { return numbers_[interval]; }
  std::size_t size() const { return size_; }

 private:
  std::vector<Stretch> intervals_;
  std::vector<std::size_t> numbers_;
  std::size_t size_ = 0;
};

enum class Course { level, loop, down, lane, channel };

// Where a line meets a side of a box: in the upper or the lower half.
enum class Half { upper, lower };

struct LinePlan {
  Course course = Course::level;
  Half exit = Half::lower;
  Half entry = Half::upper;
  std::size_t channel = 0;  // above the row of the same number
  std::size_t exit_lane = 0;
  std::size_t entry_lane = 0;
  std::size_t track = 0;
};

// Rows and columns as numbers, finer than the boxes: what lines meet is known before any distance is.
double height_at(std::size_t row, Half half) { return static_cast<double>(row) + (half == Half::upper ? -0.3 : 0.3); }
double height_of(std::size_t channel) { return static_cast<double>(channel) - 0.5; }
double width_at(std::size_t column, Side side) {
  return static_cast<double>(column) + (side == Side::left ? -0.3 : 0.3);
}

bool faces(std::size_t column, Side side, std::size_t other) {
  return side == Side::left ? other + 1 == column : column + 1 == other;
}

class Router {
 public:
  Router(const BoxGrid& grid, const std::vector<Connection>& connections)
      : grid_(grid),
        connections_(connections),
        lanes_(grid.box_widths.size()),
        tracks_(grid.rows + 1),
        is_crossed_(grid.box_widths.size(), false) {}

  Layout run() {
    for (const Connection& connection : connections_) plans_.push_back(plan(connection));
    for (auto& sides : lanes_) {
      for (Shelf& shelf : sides) shelf.assign();
    }
    for (Shelf& shelf : tracks_) shelf.assign();
    place_columns();
    place_rows();
    for (std::size_t i = 0; i < connections_.size(); ++i) layout_.routes.push_back(route(connections_[i], plans_[i]));
    return std::move(layout_);
  }

 private:
  Shelf& lanes(std::size_t column, Side side) { return lanes_[column][side == Side::left ? 0 : 1]; }
  const Shelf& lanes(std::size_t column, Side side) const { return lanes_[column][side == Side::left ? 0 : 1]; }

  LinePlan plan(const Connection& line) {
    const auto& [from, to] = std::pair(line.from, line.to);
    if (line.kind == Connection::Kind::level) return {};
    LinePlan result;
    if (from.column == to.column && from.row == to.row) {
      result.course = Course::loop;
      has_loops_ = true;
      return result;
    }
    if (from.column == to.column && from.row + 1 == to.row && line.exit == line.entry) {
      result.course = Course::down;
      if (line.shift == 0) is_crossed_[from.column] = true;
      return result;
    }
    // Where exits and entries have sides of their own, they may choose the half that is nearer.
    if (line.exit != line.entry) {
      result.exit = to.row < from.row ? Half::upper : Half::lower;
      result.entry = to.row > from.row ? Half::upper : Half::lower;
    }
    const bool same_side = from.column == to.column && line.exit == line.entry;
    const bool facing = faces(from.column, line.exit, to.column) && line.exit != line.entry;
    if (same_side || (facing && from.row != to.row)) {
      result.course = Course::lane;
      result.exit_lane =
          lanes(from.column, line.exit).add(height_at(from.row, result.exit), height_at(to.row, result.entry));
      return result;
    }
    result.course = Course::channel;
    result.channel = result.entry == Half::upper ? to.row : to.row + 1;
    result.exit_lane = lanes(from.column, line.exit).add(height_at(from.row, result.exit), height_of(result.channel));
    result.entry_lane = lanes(to.column, line.entry).add(height_at(to.row, result.entry), height_of(result.channel));
    result.track = tracks_[result.channel].add(width_at(from.column, line.exit), width_at(to.column, line.entry));
    return result;
  }

  static double room(const Shelf& shelf) {
    if (shelf.size() == 0) return kFirstLane;
    return kFirstLane + kLanePitch * static_cast<double>(shelf.size() - 1) + 8;
  }

  void place_columns() {
    double x = kMargin + (lanes(0, Side::left).size() == 0 ? 0 : room(lanes(0, Side::left)));
    for (std::size_t c = 0; c < grid_.box_widths.size(); ++c) {
      if (c > 0) x += room(lanes(c - 1, Side::right)) + kLevelRoom + room(lanes(c, Side::left));
      layout_.column_x.push_back(x + grid_.box_widths[c] / 2);
      x += grid_.box_widths[c];
    }
    const Shelf& last = lanes(grid_.box_widths.size() - 1, Side::right);
    layout_.width = x + (last.size() == 0 ? 0 : room(last)) + kMargin;
  }

  // The channels between rows are of one height, that of the fullest.
  void place_rows() {
    std::size_t most = 0;
    for (std::size_t k = 1; k < grid_.rows; ++k) most = std::max(most, tracks_[k].size());
    const auto tracks_height = [&](std::size_t count) { return grid_.track_pitch * static_cast<double>(count); };
    const double pitch = grid_.box_height + grid_.spot_room + tracks_height(most);
    const double top = grid_.header + tracks_height(tracks_.front().size());
    const double bottom =
        (has_loops_ || tracks_.back().size() > 0 ? grid_.spot_room : 0) + tracks_height(tracks_.back().size());
    layout_.height = kMargin + top + pitch * static_cast<double>(grid_.rows - 1) + grid_.box_height + bottom + kMargin;
    for (std::size_t r = 0; r < grid_.rows; ++r) {
      layout_.row_y.push_back(layout_.height - kMargin - top - pitch * static_cast<double>(r) - grid_.box_height / 2);
    }
  }

  double side_x(std::size_t column, Side side) const {
    const double half = grid_.box_widths[column] / 2;
    return layout_.column_x[column] + (side == Side::left ? -half : half);
  }
  double lane_x(std::size_t column, Side side, std::size_t lane) const {
    const double distance = kFirstLane + kLanePitch * static_cast<double>(lanes(column, side).number(lane));
    return side_x(column, side) + (side == Side::left ? -distance : distance);
  }
  // The middle of the room for spots in the channel above a row.
  double spot_y(std::size_t channel) const {
    if (channel == 0) return layout_.row_y[0] + grid_.box_height / 2 + grid_.spot_room / 2;
    return layout_.row_y[channel - 1] - grid_.box_height / 2 - grid_.spot_room / 2;
  }
  double track_y(std::size_t channel, std::size_t track) const {
    const double number = static_cast<double>(tracks_[channel].number(track));
    if (channel == 0) {
      return layout_.row_y[0] + grid_.box_height / 2 + grid_.track_pitch * (number + 0.7);
    }
    return layout_.row_y[channel - 1] - grid_.box_height / 2 - grid_.spot_room - grid_.track_pitch * (number + 0.2);
  }
  double meeting_y(std::size_t row, Half half, double height) const {
    return layout_.row_y[row] + grid_.box_height * (half == Half::upper ? height : -height);
  }

  Route route(const Connection& line, const LinePlan& plan) const {
    const auto& [from, to] = std::pair(line.from, line.to);
    const double half_height = grid_.box_height / 2;
    const double upright_x = layout_.column_x[from.column] + line.shift * grid_.box_widths[from.column] / 2;
    switch (plan.course) {
      case Course::level: {
        const PagePoint start{side_x(from.column, Side::right), layout_.row_y[from.row]};
        const double middle = start.x + room(lanes(from.column, Side::right)) + kLevelRoom / 2;
        return {{start, {side_x(to.column, Side::left), start.y}}, 0, {middle, start.y}};
      }
      case Course::loop: {
        const double top = layout_.row_y[from.row] - half_height;
        const double bottom = spot_y(from.row + 1);
        const double left = upright_x - kLoopHalfWidth;
        const double right = upright_x + kLoopHalfWidth;
        return {{{left, top}, {left, bottom}, {right, bottom}, {right, top}}, 1, {upright_x, bottom}};
      }
      case Course::down: {
        return {{{upright_x, layout_.row_y[from.row] - half_height}, {upright_x, layout_.row_y[to.row] + half_height}},
                0,
                {upright_x, spot_y(to.row)}};
      }
      case Course::lane:
        return lane_route(line, plan);
      case Course::channel:
        return channel_route(line, plan);
    }
    maxplus::expects(false, "every course has a route");
    return {};
  }

  Route lane_route(const Connection& line, const LinePlan& plan) const {
    const double x = lane_x(line.from.column, line.exit, plan.exit_lane);
    const PagePoint start{side_x(line.from.column, line.exit), meeting_y(line.from.row, plan.exit, kExitHeight)};
    const PagePoint end{side_x(line.to.column, line.entry), meeting_y(line.to.row, plan.entry, kEntryHeight)};
    const std::size_t channel = (line.from.row + line.to.row + 1) / 2;
    return {{start, {x, start.y}, {x, end.y}, end}, 1, {x, spot_y(channel)}};
  }

  Route channel_route(const Connection& line, const LinePlan& plan) const {
    const PagePoint start{side_x(line.from.column, line.exit), meeting_y(line.from.row, plan.exit, kExitHeight)};
    const PagePoint end{side_x(line.to.column, line.entry), meeting_y(line.to.row, plan.entry, kEntryHeight)};
    const double first_x = lane_x(line.from.column, line.exit, plan.exit_lane);
    const double last_x = lane_x(line.to.column, line.entry, plan.entry_lane);
    const double y = track_y(plan.channel, plan.track);
    const double first = std::min(width_at(line.from.column, line.exit), width_at(line.to.column, line.entry));
    const double last = std::max(width_at(line.from.column, line.exit), width_at(line.to.column, line.entry));
    // The spot is under the middle one of the boxes that are passed.
    const double lowest = std::ceil(first);
    const double highest = std::floor(last);
    double spot = (first_x + last_x) / 2;
    if (lowest <= highest) {
      const auto column = static_cast<std::size_t>(std::floor((lowest + highest) / 2));
      spot = layout_.column_x[column] + (is_crossed_[column] ? grid_.box_widths[column] / 8 : 0);
    }
    return {{start, {first_x, start.y}, {first_x, y}, {last_x, y}, {last_x, end.y}, end}, 2, {spot, y}};
  }

  const BoxGrid& grid_;
  const std::vector<Connection>& connections_;
  std::vector<std::array<Shelf, 2>> lanes_;  // by column: left, right
  std::vector<Shelf> tracks_;                // by channel
  std::vector<bool> is_crossed_;             // by column: upright lines run in its middle
  bool has_loops_ = false;
  std::vector<LinePlan> plans_;
  Layout layout_;
};

double distance(const PagePoint& a, const PagePoint& b) { return std::hypot(b.x - a.x, b.y - a.y); }

PagePoint between(const PagePoint& a, const PagePoint& b, double share) {
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

}  // namespace

Layout lay_out(const BoxGrid& grid, const std::vector<Connection>& connections) {
  maxplus::expects(grid.rows > 0 && !grid.box_widths.empty(), "a grid has a box");
  return Router(grid, connections).run();
}

std::vector<PagePoint> rounded(const std::vector<PagePoint>& corners) {
  maxplus::expects(corners.size() >= 2, "a path has two ends");
  std::vector<PagePoint> curve = {corners.front()};
  const auto add = [&](const PagePoint& a, const PagePoint& b, const PagePoint& c) {
    curve.insert(curve.end(), {a, b, c});
  };
  const auto straight_to = [&](const PagePoint& end) {
    const PagePoint start = curve.back();
    add(between(start, end, 1.0 / 3), between(start, end, 2.0 / 3), end);
  };
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const double before = distance(corners[i - 1], corners[i]);
    const double after = distance(corners[i], corners[i + 1]);
    const double radius = std::min({kCornerRadius, before / 2, after / 2});
    if (radius <= 0) continue;
    const PagePoint start = between(corners[i], corners[i - 1], radius / before);
    const PagePoint end = between(corners[i], corners[i + 1], radius / after);
    straight_to(start);
    add(between(start, corners[i], 0.55), between(end, corners[i], 0.55), end);
  }
  straight_to(corners.back());
  return curve;
}

std::vector<PagePoint> shortened(std::vector<PagePoint> corners, double length) {
  const std::size_t n = corners.size();
  const double last = distance(corners[n - 2], corners[n - 1]);
  corners[n - 1] = between(corners[n - 2], corners[n - 1], std::max(0.0, last - length) / last);
  return corners;
}

}  // namespace takt::tools

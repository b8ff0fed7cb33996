// What a Gantt chart shows and where in time, before anything is drawn: lines, bars, ticks and marks.
//
// A line is a resource: each does one operation at a time, so no bars of a line overlap. Lines stand in the order of
// the pipeline: the parts from the source to the sink, the processors of a part in its own order; those of a part are a
// group, whose heading names its stages. A transfer stands on two lines, those of both
// its ends. Shape says what an operation is, number and hue its data set, outline that it is critical.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/gantt/chart.hpp"
#include "tools/gantt/ticks.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

struct GanttLine {
  std::string processor;         // its name, whatever characters it has
  std::string words;             // "receive", "compute", "send", "port"; none if one line has them all
  bool starts_processor = true;  // the first of its processor
  std::size_t processor_index = 0;
  std::size_t part = 0;  // the first that its processor has
  std::string heading;   // of the first line of a group in a drawing: "detect on 2 machines"
};

/// What an operation is to the processor of its line.
enum class BarKind { receive, compute, send };

struct GanttBar {
  std::size_t line = 0;  // index into GanttDrawing::lines
  BarKind kind = BarKind::compute;
  std::size_t hue = 0;  // 0 .. kHues - 1
  bool is_critical = false;
  TimeWindow shown;     // what of it lies within the drawing
  std::string label;    // the data set
  std::string tooltip;  // who does what for which data set, and exactly when
};
inline constexpr std::size_t kHues = 6;

/// What hues stand for: data sets, stages (the sender's for a transfer), or BarKind.
enum class GanttColor { data_set, stage, kind };

struct GanttDrawing {
  std::string title;
  std::string description;
  std::vector<std::string> caption;  // sentences below the drawing
  std::vector<std::string> hidden;   // of AlikeLines, which the caption has as well
  TimeWindow window;                 // from < to
  GanttColor color = GanttColor::data_set;
  TimeScale scale;  // in which the axis tells times
  std::vector<GanttLine> lines;
  std::vector<GanttBar> bars;            // critical ones last, so that nothing hides their outlines
  std::vector<AxisTick> ticks;           // their values in time units, their labels in those of the scale
  std::vector<maxplus::Rational> marks;  // times that a dashed line shows
  bool has_tall_bars = true;             // lines have computations and transfers
};

/// All lines of a net, without headings.
std::vector<GanttLine> gantt_lines(const tpn::FoldedNet& net);

/// "detect on 2 machines", "detect" on one, "source": what a group of lines is.
std::string group_heading(const tpn::FoldedNet& net, const std::vector<std::string>& stages, std::size_t part);

/// The lines of machines that say what others say: of those of a part that are alike, in all cycle times, all but the
/// first kShownAlike, if there are more than kMostAlike and no bar of the critical circuit stands on them.
struct AlikeLines {
  std::vector<std::size_t> shown;  // indices into gantt_lines, ascending; empty if all are
  std::vector<std::string>
      hidden;  // sentences' ends: "22 of the 26 machines of detect, each as busy as one that is shown"
};
inline constexpr std::size_t kMostAlike = 8;
inline constexpr std::size_t kShownAlike = 3;
AlikeLines fold_alike(const tpn::FoldedNet& net, const std::vector<std::string>& stages,
                      const std::vector<ChartOperation>& operations);

/// On which lines the operations of a net stand.
class LineIndex {
 public:
  /// Keeps a reference to the net.
  LineIndex(const tpn::FoldedNet& net);

  struct Place {
    std::size_t line = 0;
    BarKind kind = BarKind::compute;
  };
  /// The lines of an operation that takes some time: of a computation one, of a transfer the sender's, then the
  /// receiver's. None if it takes no time.
  std::vector<Place> places_of(const ChartOperation& operation) const;

 private:
  static constexpr std::size_t kNoLine = SIZE_MAX;
  const tpn::FoldedNet& net_;
  // By processor: the line that has its receptions, computations and sendings.
  std::vector<std::size_t> receive_;
  std::vector<std::size_t> compute_;
  std::vector<std::size_t> send_;
  std::vector<std::pair<std::size_t, std::size_t>> segments_;  // with its line
};

/// A drawing's words, window and marks; lines, bars and ticks are added.
struct GanttFrame {
  std::string title;
  std::string description;
  std::vector<std::string> caption;
  std::vector<std::string> hidden;
  TimeWindow window;
  std::vector<maxplus::Rational> marks;
  GanttColor color = GanttColor::data_set;
};

/// A net, the names of its stages, and how its times are told: references to what outlives it.
struct ChartSubject {
  const tpn::FoldedNet& net;
  const std::vector<std::string>& stages;
  const TimeWords& times;
};

/// "S2 on P5, data set -1", "P2 → P5, frame 3".
std::string operation_phrase(const ChartSubject& subject, const ChartOperation& operation);

/// The drawing of operations. Where `shown` is not empty, of the lines only
/// those (indices into gantt_lines) are there, ascending.
GanttDrawing draw_gantt(const ChartSubject& subject, GanttFrame frame, const std::vector<ChartOperation>& operations,
                        const std::vector<std::size_t>& shown = {});

}  // namespace takt::tools

// Lines by resource, bars by operation and end of it.
#include "tools/gantt/gantt_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "tools/number_words.hpp"
#include "tools/operation_words.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;
using tpn::ConstraintKind;
using tpn::PartRole;

namespace {

// A resource with a bar at some time.
struct LineResource {
  ConstraintKind kind;
  std::size_t processor;
  int end = 0;  // -1: the source, 1: the sink
};

int order_of(ConstraintKind kind) {
  if (tpn::handles_receptions(kind)) return 0;
  return tpn::handles_computations(kind) ? 1 : 2;
}

std::string line_words(ConstraintKind kind) {
  const bool computes = tpn::handles_computations(kind);
  const bool receives = tpn::handles_receptions(kind);
  const bool sends = tpn::handles_sendings(kind);
  if (computes) return receives || sends ? "" : "compute";
  if (receives && sends) return "port";
  return receives ? "receive" : "send";
}

int end_of(const tpn::Pipeline& pipeline, std::size_t processor) {
  const auto is_of = [&](const tpn::NetPart& part, PartRole role) {
    return part.role == role && part.sequence.front() == processor;
  };
  if (is_of(pipeline.parts.front(), PartRole::source)) return -1;
  return is_of(pipeline.parts.back(), PartRole::sink) ? 1 : 0;
}

// What never takes any time has no bar, and needs no line.
std::vector<LineResource> line_resources(const tpn::FoldedNet& net) {
  std::vector<LineResource> found;
  for (const tpn::Resource& resource : net.resources) {
    if (resource.cycle_time.sign() == 0) continue;
    found.push_back({resource.kind, resource.processor, end_of(net.pipeline, resource.processor)});
  }
  const auto& names = net.pipeline.processors;
  std::ranges::sort(found, [&](const LineResource& a, const LineResource& b) {
    if (a.end != b.end) return a.end < b.end;
    if (a.processor != b.processor) {
      if (tpn::natural_less(names[a.processor], names[b.processor])) return true;
      if (tpn::natural_less(names[b.processor], names[a.processor])) return false;
      return a.processor < b.processor;  // P1 and P01
    }
    return order_of(a.kind) < order_of(b.kind);
  });
  return found;
}

std::string exact_or_about(const Rational& number) {
  constexpr std::size_t kMostCharacters = 24;
  std::string exact = number.to_string();
  return exact.size() <= kMostCharacters ? exact : "about " + maxplus::decimal(number);
}

std::string with_minus(const Integer& number) {
  return number < 0 ? "−" + Integer(abs(number)).get_str() : number.get_str();
}

std::string stages_text(const OperationWords& words) {
  if (words.stages.empty()) return part_name(words);
  const std::string first = printable(words.stages.front());
  return words.stages.size() == 1 ? first : first + "–" + printable(words.stages.back());
}

std::string who(const OperationWords& words) {
  const std::string processor = printable(words.processor);
  if (words.kind == tpn::ColumnKind::transfer) return processor + " → " + printable(words.peer);
  return stages_text(words) + " on " + processor;
}

std::string tooltip_of(const std::string& phrase, const ChartOperation& operation) {
  return fmt::format("{}: {} to {} ({})", phrase, exact_or_about(operation.start), exact_or_about(operation.end),
                     exact_or_about(operation.end - operation.start));
}

std::size_t hue_of(const ChartOperation& operation, std::size_t part, BarKind kind, GanttColour colour) {
  if (colour == GanttColour::data_set) return maxplus::modulo(operation.data_set, kHues);
  if (colour == GanttColour::stage) return part % kHues;
  return static_cast<std::size_t>(kind);
}

}  // namespace

std::vector<GanttLine> gantt_lines(const tpn::FoldedNet& net) {
  std::vector<GanttLine> lines;
  for (const LineResource& resource : line_resources(net)) {
    const bool starts = lines.empty() || lines.back().processor_index != resource.processor;
    lines.push_back(
        {net.pipeline.processors[resource.processor], line_words(resource.kind), starts, resource.processor});
  }
  return lines;
}

LineIndex::LineIndex(const tpn::FoldedNet& net)
    : net_(net), receive_(net.pipeline.processors.size(), kNoLine), compute_(receive_), send_(receive_) {
  const std::vector<LineResource> resources = line_resources(net);
  for (std::size_t line = 0; line < resources.size(); ++line) {
    const LineResource& resource = resources[line];
    if (tpn::handles_receptions(resource.kind)) receive_[resource.processor] = line;
    if (tpn::handles_computations(resource.kind)) compute_[resource.processor] = line;
    if (tpn::handles_sendings(resource.kind)) send_[resource.processor] = line;
  }
}

std::vector<LineIndex::Place> LineIndex::places_of(const ChartOperation& operation) const {
  if (operation.start == operation.end) return {};
  const tpn::Pipeline& pipeline = net_.pipeline;
  const tpn::Column& column = pipeline.columns[operation.column];
  const std::uint64_t data_set = representative(pipeline, operation.column, operation.data_set);
  const std::size_t processor = pipeline.parts[column.part].processor_at(data_set);
  if (column.kind == tpn::ColumnKind::compute) return {{compute_[processor], BarKind::compute}};
  const std::size_t peer = pipeline.parts[column.part + 1].processor_at(data_set);
  return {{send_[processor], BarKind::send}, {receive_[peer], BarKind::receive}};
}

std::string operation_phrase(const tpn::FoldedNet& net, const std::vector<std::string>& stages,
                             const ChartOperation& operation) {
  const std::uint64_t data_set = representative(net.pipeline, operation.column, operation.data_set);
  const OperationWords words = words_of(net.pipeline, stages, {data_set, operation.column});
  return fmt::format("{}, data set {}", who(words), operation.data_set.get_str());
}

GanttDrawing draw_gantt(const tpn::FoldedNet& net, const std::vector<std::string>& stages, GanttFrame frame,
                        const std::vector<ChartOperation>& operations, const std::vector<std::size_t>& shown) {
  GanttDrawing drawing{std::move(frame.title),
                       std::move(frame.description),
                       std::move(frame.caption),
                       std::move(frame.window),
                       frame.colour,
                       gantt_lines(net),
                       {},
                       {},
                       std::move(frame.marks)};
  std::map<std::size_t, std::size_t> rank;  // of the lines that are shown
  if (!shown.empty()) {
    std::vector<GanttLine> kept;
    for (const std::size_t line : shown) {
      rank[line] = kept.size();
      kept.push_back(drawing.lines[line]);
      const std::size_t before = kept.size() - 1;
      kept.back().starts_group = before == 0 || kept[before - 1].processor_index != kept.back().processor_index;
    }
    drawing.lines = std::move(kept);
  }
  drawing.has_tall_bars = std::ranges::all_of(drawing.lines, [](const GanttLine& line) { return line.words.empty(); });
  const LineIndex index(net);
  for (const ChartOperation& operation : operations) {
    const std::string tooltip = tooltip_of(operation_phrase(net, stages, operation), operation);
    for (const LineIndex::Place& place : index.places_of(operation)) {
      const auto at = rank.find(place.line);
      if (!shown.empty() && at == rank.end()) continue;
      const TimeWindow within{std::max(operation.start, drawing.window.from),
                              std::min(operation.end, drawing.window.to)};
      if (within.from >= within.to) continue;
      const std::size_t part = net.pipeline.columns[operation.column].part;
      drawing.bars.push_back({shown.empty() ? place.line : at->second, place.kind,
                              hue_of(operation, part, place.kind, drawing.colour), operation.is_critical, within,
                              with_minus(operation.data_set), tooltip});
    }
  }
  std::ranges::stable_sort(drawing.bars, {},
                           [](const GanttBar& bar) { return std::tuple(bar.is_critical, bar.line, bar.shown.from); });
  drawing.ticks = axis_ticks(drawing.window.from, drawing.window.to);
  return drawing;
}

}  // namespace takt::tools

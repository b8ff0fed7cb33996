// Lines by resource, bars by operation and end of it.
#include "tools/gantt/gantt_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"

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
  std::size_t rank = 0;  // of the processor
};

int order_of(ConstraintKind kind) {
  if (tpn::handles_receptions(kind)) return 0;
  return tpn::handles_computations(kind) ? 1 : 2;
}

std::string line_words(ConstraintKind kind) {
  if (kind == ConstraintKind::segment) return "transfer";
  const bool computes = tpn::handles_computations(kind);
  const bool receives = tpn::handles_receptions(kind);
  const bool sends = tpn::handles_sendings(kind);
  if (computes) return receives || sends ? "" : "compute";
  if (receives && sends) return "port";
  return receives ? "receive" : "send";
}

// Processors in the order of the pipeline, and the first part of each; a host of several before the first of them.
struct ProcessorOrder {
  std::size_t count = 0;
  std::vector<std::size_t> rank;  // by processor
  std::vector<std::size_t> part;
};

ProcessorOrder processor_order(const tpn::Pipeline& pipeline) {
  ProcessorOrder order;
  order.rank.resize(pipeline.processors.size(), 2 * pipeline.processors.size());
  order.part.resize(pipeline.processors.size(), pipeline.parts.size());
  for (std::size_t part = 0; part < pipeline.parts.size(); ++part) {
    // Those of a host together, at the place of the first.
    std::vector<std::size_t> hosts;
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (const std::size_t processor : pipeline.parts[part].sequence) {
      if (order.part[processor] != pipeline.parts.size()) continue;
      order.part[processor] = part;
      std::vector<std::size_t>& list = members[pipeline.port_owner(processor)];
      if (list.empty()) hosts.push_back(pipeline.port_owner(processor));
      list.push_back(processor);
    }
    for (const std::size_t host : hosts) {
      if (order.part[host] == pipeline.parts.size()) {
        order.part[host] = part;
        order.rank[host] = order.count++;
      }
      for (const std::size_t processor : members[host]) order.rank[processor] = order.count++;
    }
  }
  return order;
}

// What never takes any time has no bar, and needs no line.
std::vector<LineResource> line_resources(const tpn::FoldedNet& net) {
  const ProcessorOrder order = processor_order(net.pipeline);
  std::vector<LineResource> found;
  for (const tpn::Resource& resource : net.resources) {
    if (resource.cycle_time.sign() == 0) continue;
    found.push_back({resource.kind, resource.processor, order.rank[resource.processor]});
  }
  std::ranges::sort(found, {}, [](const LineResource& one) { return std::pair(one.rank, order_of(one.kind)); });
  return found;
}

// Some unit suits a time before 0 as well as one behind it.
std::string signed_brief(const TimeWords& times, const Rational& time) {
  return time.sign() < 0 ? "-" + times.brief(-time) : times.brief(time);
}

std::string with_minus(const Integer& number) {
  return number < 0 ? "−" + Integer(abs(number)).get_str() : number.get_str();
}

// "7", "0–7" of a batch.
std::string data_sets_of(const tpn::Pipeline& pipeline, const ChartOperation& operation) {
  const tpn::Column& column = pipeline.columns[operation.column];
  const tpn::NetPart& part = pipeline.parts[column.part];
  if (column.kind != tpn::ColumnKind::compute || part.to_batch_end.empty()) return with_minus(operation.data_set);
  const std::uint64_t batch = part.computed_at(maxplus::modulo(operation.data_set, part.to_batch_end.size()));
  if (batch <= 1) return with_minus(operation.data_set);
  return with_minus(operation.data_set - batch + 1) + "–" + with_minus(operation.data_set);
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

std::string tooltip_of(const ChartSubject& subject, const ChartOperation& operation) {
  return fmt::format("{}: {} to {} ({})", operation_phrase(subject, operation),
                     signed_brief(subject.times, operation.start), signed_brief(subject.times, operation.end),
                     subject.times.brief(operation.end - operation.start));
}

std::size_t hue_of(const ChartOperation& operation, std::size_t part, BarKind kind, GanttColor color) {
  if (color == GanttColor::data_set) return maxplus::modulo(operation.data_set, kHues);
  if (color == GanttColor::stage) return part % kHues;
  return static_cast<std::size_t>(kind);
}

}  // namespace

std::vector<GanttLine> gantt_lines(const tpn::FoldedNet& net) {
  const ProcessorOrder order = processor_order(net.pipeline);
  std::vector<GanttLine> lines;
  for (const LineResource& resource : line_resources(net)) {
    const bool starts = lines.empty() || lines.back().processor_index != resource.processor;
    lines.push_back({net.pipeline.processors[resource.processor],
                     line_words(resource.kind),
                     starts,
                     resource.processor,
                     order.part[resource.processor],
                     {}});
  }
  return lines;
}

namespace {

bool is_on_shared_hosts(const tpn::Pipeline& pipeline, const tpn::NetPart& part) {
  return std::ranges::any_of(part.sequence, [&](std::size_t p) { return pipeline.port_owner(p) != p; });
}

std::size_t machines_of(const tpn::NetPart& part) {
  return std::set(part.sequence.begin(), part.sequence.end()).size();
}

std::string part_text(const tpn::NetPart& part, const std::vector<std::string>& stages) {
  if (part.role == PartRole::source) return "source";
  if (part.role == PartRole::sink) return "sink";
  const std::string first = printable(stages[part.first_stage]);
  return part.first_stage == part.last_stage ? first : first + "–" + printable(stages[part.last_stage]);
}

// With an operation of the critical circuit.
std::set<std::size_t> critical_processors(const tpn::FoldedNet& net, const std::vector<GanttLine>& lines,
                                          const std::vector<ChartOperation>& operations) {
  const LineIndex index(net);
  std::set<std::size_t> critical;
  for (const ChartOperation& operation : operations) {
    if (!operation.is_critical) continue;
    for (const LineIndex::Place& place : index.places_of(operation)) critical.insert(lines[place.line].processor_index);
  }
  return critical;
}

}  // namespace

std::string group_heading(const tpn::FoldedNet& net, const std::vector<std::string>& stages, std::size_t part) {
  if (part == net.pipeline.parts.size()) return "segments";
  const tpn::NetPart& who = net.pipeline.parts[part];
  const std::size_t machines = machines_of(who);
  const bool has_cores = is_on_shared_hosts(net.pipeline, who);
  return part_text(who, stages) +
         (machines > 1 ? fmt::format(" on {} {}", machines, has_cores ? "processors" : "machines") : "");
}

AlikeLines fold_alike(const tpn::FoldedNet& net, const std::vector<std::string>& stages,
                      const std::vector<ChartOperation>& operations) {
  const std::vector<GanttLine> lines = gantt_lines(net);
  std::map<std::size_t, std::map<ConstraintKind, Rational>> cycle_times;
  for (const tpn::Resource& resource : net.resources) {
    cycle_times[resource.processor][resource.kind] = resource.cycle_time;
  }
  const std::set<std::size_t> critical = critical_processors(net, lines, operations);
  // Processors of a part by what is alike, each class in the order of the lines.
  std::map<std::pair<std::size_t, std::map<ConstraintKind, Rational>>, std::vector<std::size_t>> classes;
  for (const GanttLine& line : lines) {
    if (!line.starts_processor || line.part == net.pipeline.parts.size()) continue;
    classes[{line.part, cycle_times[line.processor_index]}].push_back(line.processor_index);
  }
  AlikeLines result;
  std::set<std::size_t> hidden;
  for (const auto& [kind, processors] : classes) {
    if (processors.size() <= kMostAlike) continue;
    std::size_t count = 0;
    for (std::size_t k = kShownAlike; k < processors.size(); ++k) {
      if (!critical.contains(processors[k]) && hidden.insert(processors[k]).second) ++count;
    }
    if (count == 0) continue;
    const tpn::NetPart& part = net.pipeline.parts[kind.first];
    const bool has_cores = is_on_shared_hosts(net.pipeline, part);
    result.hidden.push_back(fmt::format("{} of the {} {} of {}, each as busy as one that is shown", count,
                                        machines_of(part), has_cores ? "processors" : "machines",
                                        part_text(part, stages)));
  }
  if (hidden.empty()) return result;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (!hidden.contains(lines[line].processor_index)) result.shown.push_back(line);
  }
  return result;
}

LineIndex::LineIndex(const tpn::FoldedNet& net)
    : net_(net), receive_(net.pipeline.processors.size(), kNoLine), compute_(receive_), send_(receive_) {
  const std::vector<LineResource> resources = line_resources(net);
  for (std::size_t line = 0; line < resources.size(); ++line) {
    const LineResource& resource = resources[line];
    if (tpn::handles_receptions(resource.kind)) receive_[resource.processor] = line;
    if (tpn::handles_computations(resource.kind)) compute_[resource.processor] = line;
    if (tpn::handles_sendings(resource.kind)) send_[resource.processor] = line;
    if (resource.kind == ConstraintKind::segment) segments_.emplace_back(resource.processor, line);
  }
}

std::vector<LineIndex::Place> LineIndex::places_of(const ChartOperation& operation) const {
  if (operation.start == operation.end) return {};
  const tpn::Pipeline& pipeline = net_.pipeline;
  const tpn::Column& column = pipeline.columns[operation.column];
  const std::uint64_t round = representative(pipeline, operation.column, operation.data_set);
  const std::size_t processor = pipeline.sender_of({round, operation.column});
  if (column.kind == tpn::ColumnKind::compute) return {{compute_[processor], BarKind::compute}};
  const std::size_t peer = pipeline.receiver_of({round, operation.column});
  // A processor's line and its host's, as far as there are any: a port without a limit has none.
  std::vector<Place> places;
  const auto add = [&](const std::vector<std::size_t>& lines, std::size_t handler, BarKind kind) {
    const std::size_t host = pipeline.port_owner(handler);
    if (lines[handler] != kNoLine) places.push_back({lines[handler], kind});
    if (host != handler && lines[host] != kNoLine && !pipeline.is_within_host(operation.column, round))
      places.push_back({lines[host], kind});
  };
  add(send_, processor, BarKind::send);
  add(receive_, peer, BarKind::receive);
  for (const auto& [segment, line] : segments_)
    if (pipeline.segment(segment).passes(processor, peer)) places.push_back({line, BarKind::send});
  return places;
}

std::string operation_phrase(const ChartSubject& subject, const ChartOperation& operation) {
  const tpn::Pipeline& pipeline = subject.net.pipeline;
  const std::uint64_t round = representative(pipeline, operation.column, operation.data_set);
  const OperationWords words = words_of(pipeline, subject.stages, {round, operation.column});
  if (words.batch > 1) {
    return fmt::format("{}, {} {} to {}", who(words), subject.times.item_plural(),
                       Integer(operation.data_set - words.batch + 1).get_str(), operation.data_set.get_str());
  }
  return fmt::format("{}, {} {}", who(words), subject.times.item(), operation.data_set.get_str());
}

namespace {

// Takes away all lines but those; the places of the ones that are left.
std::map<std::size_t, std::size_t> keep_lines(std::vector<GanttLine>& lines, const std::vector<std::size_t>& shown) {
  std::map<std::size_t, std::size_t> place;
  std::vector<GanttLine> kept;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (!shown.empty() && !std::ranges::binary_search(shown, line)) continue;
    place[line] = kept.size();
    kept.push_back(lines[line]);
    const std::size_t before = kept.size() - 1;
    kept.back().starts_processor = before == 0 || kept[before - 1].processor_index != kept.back().processor_index;
  }
  lines = std::move(kept);
  return place;
}

// A heading that would repeat the name below it is none.
void set_headings(std::vector<GanttLine>& lines, const ChartSubject& subject) {
  const GanttLine* before = nullptr;
  for (GanttLine& line : lines) {
    if (before == nullptr || before->part != line.part) {
      line.heading = group_heading(subject.net, subject.stages, line.part);
      if (line.heading == printable(line.processor)) line.heading.clear();
    }
    before = &line;
  }
}

std::vector<AxisTick> time_ticks(const TimeWindow& window, const TimeScale& scale) {
  std::vector<AxisTick> ticks = axis_ticks(window.from / scale.length, window.to / scale.length);
  for (AxisTick& tick : ticks) {
    tick.value *= scale.length;
    if (!scale.name.empty()) tick.label += fmt::format(" {}", scale.name);
  }
  return ticks;
}

}  // namespace

GanttDrawing draw_gantt(const ChartSubject& subject, GanttFrame frame, const std::vector<ChartOperation>& operations,
                        const std::vector<std::size_t>& shown) {
  GanttDrawing drawing;
  drawing.title = std::move(frame.title);
  drawing.description = std::move(frame.description);
  drawing.caption = std::move(frame.caption);
  drawing.hidden = std::move(frame.hidden);
  drawing.window = std::move(frame.window);
  drawing.marks = std::move(frame.marks);
  drawing.color = frame.color;
  drawing.scale = subject.times.scale_for(drawing.window.to - drawing.window.from);
  drawing.lines = gantt_lines(subject.net);
  const std::map<std::size_t, std::size_t> place_of = keep_lines(drawing.lines, shown);
  drawing.has_tall_bars = std::ranges::all_of(drawing.lines, [](const GanttLine& line) { return line.words.empty(); });
  set_headings(drawing.lines, subject);
  const LineIndex index(subject.net);
  for (const ChartOperation& operation : operations) {
    const TimeWindow within{std::max(operation.start, drawing.window.from), std::min(operation.end, drawing.window.to)};
    if (within.from >= within.to) continue;
    const std::size_t part = subject.net.pipeline.columns[operation.column].part;
    for (const LineIndex::Place& place : index.places_of(operation)) {
      const auto at = place_of.find(place.line);
      if (at == place_of.end()) continue;
      drawing.bars.push_back({at->second, place.kind, hue_of(operation, part, place.kind, drawing.color),
                              operation.is_critical, within, data_sets_of(subject.net.pipeline, operation),
                              tooltip_of(subject, operation)});
    }
  }
  std::ranges::stable_sort(drawing.bars, {},
                           [](const GanttBar& bar) { return std::tuple(bar.is_critical, bar.line, bar.shown.from); });
  drawing.ticks = time_ticks(drawing.window, drawing.scale);
  return drawing;
}

}  // namespace takt::tools

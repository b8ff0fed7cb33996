// The workflow as boxes and curves.
//
// Problem. Parts send files to several others, and receive from several: no row of columns shows that.
//
// Method. A box for each part, with its busiest processor; where it stands, and how curves get by other boxes, Graphviz
// says. Of more parts than PageLimits::boxes, or with files that pass more others than Graphviz deals with in a moment,
// the first in the list are drawn.
//
// Cost. That of Graphviz' layout, which no deadline cuts short: it makes a box for each column that a curve passes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "tools/drawing/graphviz.hpp"
#include "tools/pictures/text_width.hpp"
#include "tools/report/sections.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/short_names.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using tpn::NetPart;
using tpn::PartRole;

// Widths in the page's units, fonts as in page.css.
constexpr double kBoxWidth = 190;
constexpr double kNameFont = 14;
constexpr double kTextFont = 11.5;
constexpr double kLabelFont = 12.5;
constexpr double kMargin = 4;

class WorkflowPainter {
 public:
  WorkflowPainter(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits)
      : findings_(findings),
        words_(words),
        pipeline_(findings.net.pipeline),
        drawn_(soon_placed(pipeline_, std::min(pipeline_.parts.size(), std::max<std::size_t>(limits.boxes, 1)))) {}

  PagePipeline paint() {
    list_files();
    const PlacedBoxes placed = tools::placed(graph_);
    picture_.box_width = kBoxWidth;
    picture_.width = placed.width + 2 * kMargin;
    picture_.height = placed.height + 2 * kMargin;
    name_parts();
    for (std::size_t part = 0; part < drawn_; ++part) add_box(part, placed.centers[part]);
    for (std::size_t k = 0; k < files_.size(); ++k) add_curve(k, placed);
    std::stable_partition(picture_.curves.begin(), picture_.curves.end(),
                          [](const PageCurve& curve) { return !curve.is_critical; });
    describe();
    return std::move(picture_);
  }

 private:
  struct Files {
    tpn::ColumnIndex column;
    Rational shortest;
    Rational longest;
    Rational load;  // per data set
    std::string label;
  };

  // As many of the first parts as have few enough columns that files among them pass.
  static std::size_t soon_placed(const tpn::Pipeline& pipeline, std::size_t most) {
    constexpr std::size_t kMostPassed = 800;
    std::vector<std::vector<std::size_t>> senders(most);
    for (const tpn::ColumnIndex c : pipeline.all_columns()) {
      const tpn::Column& column = pipeline.columns[c];
      if (pipeline.is_transfer(c) && column.part < most && column.receiver < most)
        senders[column.receiver.value()].push_back(column.part.value());
    }
    std::vector<std::size_t> place(most, 0);
    std::size_t passed = 0;
    for (std::size_t part = 0; part < most; ++part) {
      for (const std::size_t sender : senders[part]) place[part] = std::max(place[part], place[sender] + 1);
      for (const std::size_t sender : senders[part]) passed += place[part] - place[sender];
      if (passed > kMostPassed) return std::max<std::size_t>(part, 1);
    }
    return most;
  }

  const NetPart& part_at(std::size_t number) const { return pipeline_.parts[number]; }
  static double inner_width() { return kBoxWidth - 2 * PagePipeline::kPadding; }

  // Transfers between parts that are drawn.
  void list_files() {
    graph_.boxes = drawn_;
    graph_.width = kBoxWidth;
    graph_.height = PagePipeline::kBoxHeight;
    graph_.label_height = kLabelFont + 4;
    for (const tpn::ColumnIndex c : pipeline_.all_columns()) {
      const tpn::Column& column = pipeline_.columns[c];
      if (!pipeline_.is_transfer(c) || column.part >= drawn_ || column.receiver >= drawn_) continue;
      Files files{c, {}, {}, {}, ""};
      if (findings_.loads) {
        bool is_first = true;
        for (const auto& [ends, load] : findings_.loads->operations[c]) {
          files.shortest = is_first ? load.duration : std::min(files.shortest, load.duration);
          files.longest = std::max(files.longest, load.duration);
          files.load += load.duration * load.frequency;
          is_first = false;
        }
        files.label = words_.time(files.shortest).readable;
        if (files.shortest != files.longest) files.label += "–" + words_.time(files.longest).readable;
      }
      const double width = files.label.empty() ? 0 : text_width(files.label, kLabelFont) + 8;
      graph_.edges.push_back({column.part.value(), column.receiver.value(), width});
      files_.push_back(std::move(files));
    }
  }

  // The largest cycle time of a processor's resources.
  std::map<std::size_t, Rational> cycle_times() const {
    std::map<std::size_t, Rational> times;
    for (const tpn::Resource& resource : findings_.net.resources) {
      Rational& time = times[resource.processor];
      time = std::max(time, resource.cycle_time);
    }
    return times;
  }

  void name_parts() {
    std::vector<std::string> stages;
    for (std::size_t part = 0; part < drawn_; ++part) stages.push_back(words_.stages(part_at(part)));
    names_ = short_names(stages, [&](std::size_t, const std::string& text) {
      return text_width(text, kNameFont) <= inner_width() - text_width("100.0 %", kTextFont) - 6;
    });
    cycle_times_ = cycle_times();
    for (const tpn::Resource& resource : findings_.net.resources)
      if (findings_.is_critical(resource)) critical_.insert(resource.processor);
    if (!findings_.shares) return;
    for (const CircuitShare& share : *findings_.shares) critical_columns_.insert(share.column);
  }

  Rational cycle_time(std::size_t processor) const {
    const auto known = cycle_times_.find(processor);
    return known == cycle_times_.end() ? Rational() : known->second;
  }

  void add_box(std::size_t number, const PagePoint& center) {
    const NetPart& part = part_at(number);
    PageBox box;
    box.x = center.x - kBoxWidth / 2 + kMargin;
    box.y = center.y - PagePipeline::kBoxHeight / 2 + kMargin;
    box.name = names_[number];
    const std::size_t busiest =
        *std::ranges::max_element(part.sequence, {}, [&](std::size_t processor) { return cycle_time(processor); });
    const std::set<std::size_t> processors(part.sequence.begin(), part.sequence.end());
    const auto share = findings_.share(cycle_time(busiest));
    box.busy = share ? percent(share) : "";
    const std::string& name = words_.processor(busiest);
    std::string who =
        processors.size() == 1 ? name : fmt::format("{}, busiest of {}", name, grouped(processors.size()));
    box.title = words_.stages(part) + " on " + who;
    if (part.role == PartRole::mapped) {
      const auto entry = static_cast<std::uint64_t>(std::ranges::find(part.sequence, busiest) - part.sequence.begin());
      const Rational time = pipeline_.duration({entry + pipeline_.columns[part.computation].shift, part.computation});
      const std::string takes = ": " + words_.time(time).readable;
      box.work = fitted(who, kTextFont, inner_width() - text_width(takes, kTextFont)) + takes;
      box.title += fmt::format(", computes {}", words_.time(time).readable);
    } else if (who != box.name) {
      box.work = fitted(who, kTextFont, inner_width());
    }
    if (share) box.title += fmt::format(", {} busy", percent(share));
    box.is_critical = critical_columns_.contains(part.computation) ||
                      std::ranges::any_of(processors, [&](std::size_t p) { return critical_.contains(p); });
    add_bars(box, busiest);
    picture_.boxes.push_back(std::move(box));
  }

  void add_bars(PageBox& box, std::size_t processor) const {
    if (!findings_.loads || !findings_.share(0)) return;
    box.has_bars = true;
    const ProcessorLoad& load = findings_.loads->processors[processor];
    const bool is_stacked = tpn::shares_processors(findings_.net.model);
    double x = box.x + PagePipeline::kPadding;
    double y = box.y + (is_stacked ? 47 : 46);
    for (const auto& [kind, time] :
         {std::pair('r', load.receives), std::pair('c', load.computes), std::pair('s', load.sends)}) {
      const double width = findings_.share(time)->to_double().value_or(0) * inner_width();
      if (width > 0)
        box.bars.push_back({kind, x, y, std::max(width - (is_stacked ? 0.8 : 0), 0.4), is_stacked ? 6 : 2.4});
      (is_stacked ? x : y) += is_stacked ? width : 3;
    }
  }

  void add_curve(std::size_t number, const PlacedBoxes& placed) {
    const Files& files = files_[number];
    const tpn::Column& column = pipeline_.columns[files.column];
    PageCurve curve;
    const std::vector<PagePoint>& points = placed.edges[number];
    for (std::size_t k = 0; k < points.size(); ++k) {
      curve.path += fmt::format("{}{:.0f} {:.0f}",
                                k == 0       ? "M"
                                : k % 3 == 1 ? "C"
                                             : " ",
                                points[k].x + kMargin, points[k].y + kMargin);
    }
    const auto share = findings_.loads ? findings_.share(files.load) : std::nullopt;
    curve.width = 1 + 5 * std::min(share ? share->to_double().value_or(0) : 0, 1.0);
    curve.is_critical = critical_columns_.contains(files.column);
    curve.title = fmt::format("{} → {}", words_.stages(part_at(column.part)), words_.stages(part_at(column.receiver)));
    if (!files.label.empty()) {
      curve.title += fmt::format(": {} per file", files.label);
      curve.label = files.label;
      curve.x = placed.labels[number].x + kMargin;
      curve.y = placed.labels[number].y + kMargin + 4;
    }
    picture_.curves.push_back(std::move(curve));
  }

  void describe() {
    constexpr std::size_t kDescribed = 24;
    for (std::size_t k = 0; k < std::min(files_.size(), kDescribed); ++k) {
      const tpn::Column& column = pipeline_.columns[files_[k].column];
      picture_.description += fmt::format("{}{} to {}", k == 0 ? "" : "; ", words_.stages(part_at(column.part)),
                                          words_.stages(part_at(column.receiver)));
    }
    picture_.description +=
        files_.size() > kDescribed ? fmt::format("; and {} more transfers.", files_.size() - kDescribed) : ".";
    picture_.introduction =
        "A box is a part, with its busiest processor and the computation time there. Numbers on links: time of one "
        "file.";
    if (findings_.exact() && findings_.period().sign() != 0)
      picture_.introduction += " Orange: on the critical circuit.";
    if (findings_.loads) picture_.introduction += " Bars: receive, compute, send.";
    if (drawn_ < pipeline_.parts.size()) {
      picture_.introduction = fmt::format("Parts 1 to {} of {}. ", grouped(drawn_), grouped(pipeline_.parts.size())) +
                              picture_.introduction;
    }
  }

  const ReportFindings& findings_;
  const ReportWords& words_;
  const tpn::Pipeline& pipeline_;
  std::size_t drawn_;
  BoxGraph graph_;
  std::vector<Files> files_;  // as the graph's edges
  std::vector<std::string> names_;
  std::map<std::size_t, Rational> cycle_times_;
  std::set<std::size_t> critical_;  // processors that never rest
  std::set<std::size_t> critical_columns_;
  PagePipeline picture_;
};

}  // namespace

PagePipeline workflow_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  return WorkflowPainter(findings, words, limits).paint();
}

}  // namespace takt::tools

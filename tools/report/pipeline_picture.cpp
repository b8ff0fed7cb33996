// The pipeline as boxes and curves.
//
// Problem. Parts follow each other from left to right, and every processor of one may send to every one of the next:
// curves meet, and the times that stand on them must not hide each other, nor anything else.
//
// Method. At most kColumns parts stand in a band; a curve to the next band swings round its end and through the gutter
// between the two. Labels take the first free place along their curve, those of critical transfers first; one that
// finds none is left to the curve's title. Beyond PageLimits::boxes or ::curves each part is one box; of more parts
// than that, those around the critical circuit are drawn.
//
// Cost. Quadratic in the labels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "tools/pictures/text_width.hpp"
#include "tools/report/sections.hpp"
#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/short_names.hpp"
#include "tpn/chain.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using tpn::NetPart;
using tpn::PartRole;

constexpr std::size_t kColumns = 5;
constexpr double kPitch = 262;        // from column to column, at least
constexpr double kWidestPitch = 380;  // if there are few
constexpr double kPageWidth = 960;
constexpr double kRowPitch = 84;
constexpr double kGutter = 56;  // between bands
constexpr double kHead = 45;    // above the boxes of a band
constexpr double kPadding = PagePipeline::kPadding;
constexpr double kLeastBox = 158;  // its width
constexpr double kMostBox = 250;
constexpr double kLeastGap = 104;  // between boxes, where curves and their labels are
constexpr double kFont = 14;
constexpr double kSmall = 11.5;

using BoxPair = std::pair<std::size_t, std::size_t>;  // places within two parts that follow each other

// The processors of a part, each once, in the order of its sequence.
std::vector<std::size_t> processors_of(const NetPart& part) {
  std::vector<std::size_t> processors;
  std::set<std::size_t> seen;
  for (const std::size_t processor : part.sequence) {
    if (seen.insert(processor).second) processors.push_back(processor);
  }
  return processors;
}

struct Curve {
  Rational shortest;
  Rational longest;
  Rational load;  // time units per data set
  bool is_critical = false;
};

// What stands where: boxes by part, curves by part and the two boxes' places. Parts are counted from the first that is
// drawn.
struct Scene {
  std::size_t first = 0;
  bool by_part = false;
  std::vector<std::vector<std::size_t>> processors;  // by part; none if each part is one box
  std::vector<std::map<BoxPair, Curve>> curves;      // by the sending part
};

// Those of a host together, at the place of the first.
std::vector<std::size_t> host_by_host(const tpn::Pipeline& pipeline, std::vector<std::size_t> processors) {
  std::map<std::size_t, std::size_t> place;
  for (const std::size_t p : processors) place.try_emplace(pipeline.port_owner(p), place.size());
  std::ranges::stable_sort(processors, {}, [&](std::size_t p) { return place.at(pipeline.port_owner(p)); });
  return processors;
}

std::size_t boxes_of(const Scene& scene, std::size_t part) { return scene.by_part ? 1 : scene.processors[part].size(); }

using Critical = std::set<std::tuple<std::size_t, std::size_t, std::size_t>>;  // column, processor, peer

Critical critical_pairs(const ReportFindings& findings) {
  Critical critical;
  if (!findings.shares) return critical;
  for (const CircuitShare& share : *findings.shares) critical.insert({share.column, share.processor, share.peer});
  return critical;
}

std::map<BoxPair, Curve> curves_behind(const ReportFindings& findings, const Critical& critical, const Scene& scene,
                                       std::size_t part) {
  std::map<BoxPair, Curve> curves;
  const tpn::ColumnIndex column = tpn::chain_transfer(scene.first + part);
  const auto place_of = [&](std::size_t where, std::size_t processor) -> std::size_t {
    if (scene.by_part) return 0;
    return static_cast<std::size_t>(std::ranges::find(scene.processors[where], processor) -
                                    scene.processors[where].begin());
  };
  for (const auto& [who, load] : findings.loads->operations[column]) {
    const BoxPair ends = {place_of(part, who.first), place_of(part + 1, who.second)};
    const auto [at, is_new] = curves.try_emplace(ends, Curve{load.duration, load.duration, {}, false});
    Curve& curve = at->second;
    curve.shortest = std::min(curve.shortest, load.duration);
    curve.longest = std::max(curve.longest, load.duration);
    curve.load += load.duration * load.frequency;
    curve.is_critical = curve.is_critical || critical.contains({column, who.first, who.second});
  }
  return curves;
}

// The first of `drawn` parts that are to be drawn: the middle of the critical circuit stands in their middle.
std::size_t first_drawn(const ReportFindings& findings, std::size_t drawn) {
  const std::size_t parts = findings.net.pipeline.parts.size();
  if (!findings.shares || findings.shares->empty()) return 0;
  const auto [low, high] = std::ranges::minmax(*findings.shares, {}, &CircuitShare::column);
  const auto part_of = [&](const CircuitShare& share) {
    return findings.net.pipeline.columns[share.column].part.value();
  };
  const std::size_t middle = (part_of(low) + part_of(high)) / 2;
  return std::min(middle - std::min(middle, drawn / 2), parts - drawn);
}

Scene scene_of(const ReportFindings& findings, const PageLimits& limits) {
  Scene scene;
  const std::size_t drawn = std::min(findings.net.pipeline.parts.size(), limits.boxes);
  scene.first = first_drawn(findings, drawn);
  std::size_t boxes = 0;
  std::size_t curves = 0;
  for (std::size_t part = 0; part < drawn; ++part) {
    scene.processors.push_back(
        host_by_host(findings.net.pipeline, processors_of(findings.net.pipeline.parts[scene.first + part])));
    boxes += scene.processors.back().size();
    if (findings.loads && part + 1 < drawn)
      curves += findings.loads->operations[tpn::chain_transfer(scene.first + part)].size();
  }
  scene.by_part = boxes > limits.boxes || curves > limits.curves;
  const Critical critical = critical_pairs(findings);
  for (std::size_t part = 0; part + 1 < drawn; ++part) {
    scene.curves.push_back(findings.loads ? curves_behind(findings, critical, scene, part)
                                          : std::map<BoxPair, Curve>{});
  }
  return scene;
}

// On the page, y downwards.
struct Spot {
  double x = 0;
  double y = 0;
};

// Where boxes stand, by their upper left corners.
class Places {
 public:
  /// Boxes of that width, if there is room.
  Places(const Scene& scene, double wanted) {
    const std::size_t parts = scene.processors.size();
    const std::size_t bands = (parts + kColumns - 1) / kColumns;
    per_band_ = (parts + bands - 1) / bands;
    left_ = bands > 1 ? kMargin : kEdge;
    const double gaps = static_cast<double>(std::max<std::size_t>(per_band_, 2) - 1);
    pitch_ = std::clamp((kPageWidth - kLeastBox) / gaps, kPitch, kWidestPitch);
    box_width_ = std::clamp(wanted, kLeastBox, std::min(kMostBox, pitch_ - kLeastGap));
    double top = 0;
    for (std::size_t first = 0; first < parts; first += per_band_) {
      const std::size_t last = std::min(parts, first + per_band_);
      std::size_t most = 1;
      for (std::size_t part = first; part < last; ++part) most = std::max(most, boxes_of(scene, part));
      for (std::size_t part = first; part < last; ++part) add(part - first, boxes_of(scene, part), most, top);
      top += kHead + static_cast<double>(most) * kRowPitch - 5;
      bottoms_.push_back(top);
      top += kGutter;
    }
    width_ = 2 * left_ + static_cast<double>(per_band_ - 1) * pitch_ + box_width_;
  }

  Spot box(std::size_t part, std::size_t place) const { return boxes_[part][place]; }
  Spot heading(std::size_t part) const { return {boxes_[part][0].x + box_width_ / 2, heads_[part]}; }
  double box_width() const { return box_width_; }
  /// What stands above boxes may be that wide; if there are bands, boxes stand at their edges.
  double heading_width() const { return box_width_ + 2 * std::min(left_, (pitch_ - box_width_) / 2 - kPadding); }
  bool is_last_of_band(std::size_t part) const { return (part + 1) % per_band_ == 0; }
  /// The middle of the gutter below the band of a part.
  double gutter(std::size_t part) const { return bottoms_[part / per_band_] + kGutter / 2 - 10; }
  double width() const { return width_; }
  double height() const { return bottoms_.back(); }

 private:
  static constexpr double kEdge = 4;
  static constexpr double kMargin = 34;  // where curves swing round

  void add(std::size_t column, std::size_t boxes, std::size_t most, double top) {
    const double y = top + kHead + static_cast<double>(most - boxes) * kRowPitch / 2;
    std::vector<Spot> places;
    for (std::size_t k = 0; k < boxes; ++k) {
      places.push_back({left_ + static_cast<double>(column) * pitch_, y + static_cast<double>(k) * kRowPitch});
    }
    boxes_.push_back(std::move(places));
    heads_.push_back(top + 16);
  }

  std::size_t per_band_ = 1;
  double left_ = kEdge;
  double pitch_ = kPitch;
  double box_width_ = kLeastBox;
  std::vector<std::vector<Spot>> boxes_;
  std::vector<double> heads_;
  std::vector<double> bottoms_;
  double width_ = 0;
};

// The way of a curve, and the piece of it that labels may stand on.
class Way {
 public:
  /// To the next column.
  Way(Spot from, Spot to)
      : from_(from),
        to_(to),
        path_(fmt::format("M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}", from.x, from.y,
                          (from.x + to.x) / 2, from.y, (from.x + to.x) / 2, to.y, to.x, to.y)) {}
  /// To the next band, through the gutter.
  Way(Spot from, Spot to, double gutter) : from_{from.x - kSwing, gutter}, to_{to.x + kSwing, gutter} {
    path_ = fmt::format(
        "M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}H{:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} "
        "{:.0f} {:.0f}",
        from.x, from.y, from.x + kSwing, from.y, from.x + kSwing, gutter, from_.x, gutter, to_.x, to.x - kSwing, gutter,
        to.x - kSwing, to.y, to.x, to.y);
  }

  const std::string& path() const { return path_; }
  double left() const { return std::min(from_.x, to_.x); }
  double right() const { return std::max(from_.x, to_.x); }
  /// A point of the piece, t from 0 to 1: a cubic curve whose inner controls stand half way, level with its ends.
  Spot at(double t) const {
    const double s = 1 - t;
    const double middle = (from_.x + to_.x) / 2;
    const double x = s * s * s * from_.x + 3 * s * t * middle + t * t * t * to_.x;
    const double y = (s * s * s + 3 * s * s * t) * from_.y + (3 * s * t * t + t * t * t) * to_.y;
    return {x, y};
  }

 private:
  static constexpr double kSwing = 40;
  Spot from_;
  Spot to_;
  std::string path_;
};

// Finds a free place for each label.
class Labels {
 public:
  /// The middle of a free place on the way; nothing if all are taken.
  std::optional<Spot> place(const Way& way, const std::string& text) {
    constexpr std::array kTries = {0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82};
    const double width = text_width(text, kLabelFont) + 8;
    for (const double t : kTries) {
      const Spot middle = way.at(t);
      if (middle.x - width / 2 < way.left() || way.right() < middle.x + width / 2) continue;
      const bool is_free = std::ranges::none_of(taken_, [&](const Taken& other) {
        return std::abs(other.middle.x - middle.x) < (other.width + width) / 2 &&
               std::abs(other.middle.y - middle.y) < kLineHeight;
      });
      if (!is_free) continue;
      taken_.push_back({middle, width});
      return middle;
    }
    return std::nullopt;
  }

 private:
  struct Taken {
    Spot middle;
    double width = 0;
  };
  static constexpr double kLabelFont = kSmall + 1;
  static constexpr double kLineHeight = 14;
  std::vector<Taken> taken_;
};

class PipelinePainter {
 public:
  PipelinePainter(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits)
      : findings_(findings), words_(words), scene_(scene_of(findings, limits)), places_(scene_, wanted_width()) {}

  PagePipeline paint() {
    picture_.width = places_.width();
    picture_.height = places_.height();
    picture_.box_width = places_.box_width();
    name_boxes();
    const std::vector<std::string> headings = short_headings();
    for (std::size_t part = 0; part < scene_.processors.size(); ++part) {
      const Spot at = places_.heading(part);
      picture_.headings.push_back({headings[part], at.x, at.y});
      add_boxes(part);
    }
    add_curves();
    describe();
    return std::move(picture_);
  }

 private:
  struct BoxNames {
    std::string name;
    std::string busy;
  };
  static constexpr double kNameGap = 6;

  const tpn::Pipeline& pipeline() const { return findings_.net.pipeline; }
  const NetPart& part_at(std::size_t drawn) const { return pipeline().parts[scene_.first + drawn]; }
  tpn::ColumnIndex computation(std::size_t drawn) const { return part_at(drawn).computation; }

  // The largest cycle time of a processor's resources.
  Rational cycle_time(std::size_t processor) const {
    Rational longest;
    for (const tpn::Resource& resource : findings_.net.resources) {
      if (resource.processor == processor) longest = std::max(longest, resource.cycle_time);
    }
    return longest;
  }

  // Whether a processor never rests, or computes the part on the critical circuit.
  bool is_critical(std::size_t part, std::size_t processor) const {
    const bool never_rests = std::ranges::any_of(findings_.net.resources, [&](const tpn::Resource& resource) {
      return resource.processor == processor && findings_.is_critical(resource);
    });
    if (never_rests || !findings_.shares) return never_rests;
    return std::ranges::any_of(*findings_.shares, [&](const CircuitShare& share) {
      return share.column == computation(part) && share.processor == processor;
    });
  }

  void add_boxes(std::size_t part) {
    const auto& processors = scene_.processors[part];
    if (scene_.by_part && processors.size() > 1) return add_summary(part);
    for (std::size_t place = 0; place < processors.size(); ++place) {
      add_box(part, places_.box(part, place), processors[place]);
    }
  }

  double inner_width() const { return places_.box_width() - 2 * kPadding; }

  std::string busy_words(std::size_t processor) const {
    const auto share = findings_.share(cycle_time(processor));
    return share ? percent(share) + " busy" : "";
  }

  // So that every name stands beside how busy its processor is.
  double wanted_width() const {
    double widest = 0;
    for (const auto& processors : scene_.processors) {
      for (const std::size_t processor : processors) {
        widest = std::max(widest, text_width(words_.processor(processor), kFont) + kNameGap +
                                      text_width(busy_words(processor), kSmall));
      }
    }
    return widest + 2 * kPadding;
  }

  // Names and how busy: "79.5 %" beside names that are too long for more, which are cut where they must.
  void name_boxes() {
    std::vector<std::size_t> processors;
    for (const auto& part : scene_.processors) processors.insert(processors.end(), part.begin(), part.end());
    std::vector<std::string> names;
    std::vector<std::string> busy;
    for (const std::size_t processor : processors) {
      names.push_back(words_.processor(processor));
      busy.push_back(busy_words(processor));
      const auto share = findings_.share(cycle_time(processor));
      if (share && text_width(names.back(), kFont) > inner_width() - text_width(busy.back(), kSmall) - kNameGap) {
        busy.back() = percent(share);
      }
    }
    const std::vector<std::string> texts = short_names(names, [&](std::size_t k, const std::string& text) {
      return text_width(text, kFont) <= inner_width() - text_width(busy[k], kSmall) - kNameGap;
    });
    for (std::size_t k = 0; k < processors.size(); ++k) names_[processors[k]] = {texts[k], busy[k]};
  }

  std::vector<std::string> short_headings() const {
    std::vector<std::string> headings;
    for (std::size_t part = 0; part < scene_.processors.size(); ++part)
      headings.push_back(words_.stages(part_at(part)));
    return short_names(headings, [&](std::size_t, const std::string& text) {
      return text_width(text, kFont) <= places_.heading_width();
    });
  }

  PageBox box_of(Spot at, std::size_t processor) const {
    PageBox box;
    box.x = at.x;
    box.y = at.y;
    const BoxNames& names = names_.at(processor);
    box.name = names.name;
    box.busy = names.busy;
    return box;
  }

  void add_box(std::size_t part, Spot at, std::size_t processor) {
    const NetPart& who = part_at(part);
    PageBox box = box_of(at, processor);
    box.is_critical = is_critical(part, processor);
    box.title = words_.processor(processor);
    if (who.role == PartRole::mapped) {
      const auto entry = std::ranges::find(who.sequence, processor) - who.sequence.begin();
      const Rational time = pipeline().duration({static_cast<std::uint64_t>(entry), computation(part)});
      const std::string takes = " takes " + words_.time(time).readable;
      const double room = inner_width() - text_width(takes, kSmall);
      box.work = fitted(words_.stages(who), kSmall, room) + takes;
      box.title += ": " + words_.stages(who) + takes;
    }
    if (!box.busy.empty()) box.title += ", " + box.busy;
    add_bars(box, processor);
    picture_.boxes.push_back(std::move(box));
  }

  // The busiest processor of a part, for all.
  void add_summary(std::size_t part) {
    const auto& processors = scene_.processors[part];
    std::size_t busiest = processors.front();
    std::size_t idlest = processors.front();
    std::map<std::size_t, Rational> times;
    for (const tpn::Resource& resource : findings_.net.resources) {
      Rational& time = times[resource.processor];
      time = std::max(time, resource.cycle_time);
    }
    bool any_critical = false;
    for (const std::size_t processor : processors) {
      if (times[busiest] < times[processor]) busiest = processor;
      if (times[processor] < times[idlest]) idlest = processor;
      any_critical = any_critical || is_critical(part, processor);
    }
    PageBox box = box_of(places_.box(part, 0), busiest);
    box.is_critical = any_critical;
    box.work = fmt::format("busiest of {}", grouped(processors.size()));
    const auto least = findings_.share(times[idlest]);
    if (least) box.least = "the others from " + percent(least);
    box.title =
        fmt::format("{} on {} processors: {} is the busiest{}{}", words_.stages(part_at(part)),
                    grouped(processors.size()), words_.processor(busiest), box.busy.empty() ? "" : ", ", box.busy);
    picture_.boxes.push_back(std::move(box));
  }

  void add_bars(PageBox& box, std::size_t processor) const {
    if (!findings_.loads || !findings_.share(0)) return;
    box.has_bars = true;
    const ProcessorLoad& load = findings_.loads->processors[processor];
    const std::array<std::pair<char, Rational>, 3> times = {std::pair{'r', load.receives},
                                                            std::pair{'c', load.computes}, std::pair{'s', load.sends}};
    const bool is_stacked = tpn::shares_processors(findings_.net.model);
    const double left = box.x + kPadding;
    double x = left;
    double y = box.y + (is_stacked ? 47 : 46);
    for (const auto& [kind, time] : times) {
      const double width = findings_.share(time)->to_double().value_or(0) * inner_width();
      if (width > 0)
        box.bars.push_back({kind, x, y, std::max(width - (is_stacked ? 0.8 : 0), 0.4), is_stacked ? 6 : 2.4});
      if (is_stacked) {
        x += width;
      } else {
        y += 3;
      }
    }
  }

  struct Drawn {
    PageCurve curve;
    Way way;
    std::string label;
  };

  // Critical ones first: they choose their labels' places.
  void add_curves() {
    std::vector<Drawn> drawn;
    for (std::size_t part = 0; part < scene_.curves.size(); ++part) {
      for (const auto& [ends, curve] : scene_.curves[part]) drawn.push_back(draw(part, ends, curve));
    }
    std::stable_partition(drawn.begin(), drawn.end(), [](const Drawn& one) { return one.curve.is_critical; });
    Labels labels;
    for (Drawn& one : drawn) {
      const auto middle = labels.place(one.way, one.label);
      if (!middle) continue;
      one.curve.label = one.label;
      one.curve.x = middle->x;
      one.curve.y = middle->y + 4;
    }
    std::ranges::reverse(drawn);
    for (Drawn& one : drawn) picture_.curves.push_back(std::move(one.curve));
  }

  Drawn draw(std::size_t part, const BoxPair& ends, const Curve& curve) const {
    const Spot sender = places_.box(part, ends.first);
    const Spot receiver = places_.box(part + 1, ends.second);
    const Spot from = {sender.x + places_.box_width(), sender.y + PagePipeline::kBoxHeight / 2};
    const Spot to = {receiver.x, receiver.y + PagePipeline::kBoxHeight / 2};
    Way way = places_.is_last_of_band(part) ? Way(from, to, places_.gutter(part)) : Way(from, to);
    std::string label = words_.time(curve.shortest).readable;
    if (curve.shortest != curve.longest) label += "–" + words_.time(curve.longest).readable;
    const auto share = findings_.share(curve.load);
    PageCurve result;
    result.path = way.path();
    // Bundles of curves are as wide as the busiest of curves can be.
    result.width = 1 + 5 * std::min(share ? share->to_double().value_or(0) : 0, 1.0);
    result.is_critical = curve.is_critical;
    result.title = fmt::format("{}: {} per file", ends_text(part, ends), label);
    if (share && !scene_.by_part) result.title += fmt::format(", {} of the period", percent(share));
    return {std::move(result), std::move(way), std::move(label)};
  }

  std::string ends_text(std::size_t part, const BoxPair& ends) const {
    if (scene_.by_part) {
      return words_.stages(part_at(part)) + " → " + words_.stages(part_at(part + 1));
    }
    return words_.processor(scene_.processors[part][ends.first]) + " → " +
           words_.processor(scene_.processors[part + 1][ends.second]);
  }

  void describe() {
    constexpr std::size_t kNamedProcessors = 6;
    constexpr std::size_t kDescribed = 12;
    std::vector<std::string> parts;
    for (std::size_t part = 0; part < scene_.processors.size(); ++part) {
      std::vector<std::string> names;
      for (const std::size_t processor : scene_.processors[part]) names.push_back(words_.processor(processor));
      if (parts.size() < kDescribed) {
        parts.push_back(words_.stages(part_at(part)) + " on " + listing(names, kNamedProcessors));
      }
    }
    for (const std::string& part : parts) picture_.description += (picture_.description.empty() ? "" : "; ") + part;
    const std::size_t all = pipeline().parts.size();
    if (parts.size() < all) picture_.description += fmt::format("; and {} more parts", grouped(all - parts.size()));
    picture_.description += ".";
    picture_.introduction =
        scene_.by_part
            ? "A box is a part: its busiest processor. Numbers on links: times of one file, from the shortest "
              "to the longest."
            : "Numbers on links: time of one file. Line width: share of the period.";
    if (findings_.exact() && findings_.period().sign() != 0)
      picture_.introduction += " Orange: on the critical circuit.";
    if (!scene_.by_part && findings_.loads) picture_.introduction += " Bars: receive, compute, send.";
    if (scene_.processors.size() < all) {
      picture_.introduction =
          fmt::format(
              "Parts {} to {} of {}{}. ", grouped(scene_.first + 1), grouped(scene_.first + scene_.processors.size()),
              grouped(all),
              findings_.shares && !findings_.shares->empty() ? ", around the middle of the critical circuit" : "") +
          picture_.introduction;
    }
    if (!findings_.loads) picture_.introduction = "Too many pairs of processors exchange files to draw them.";
    if (scene_.by_part) {
      picture_.introduction += fmt::format(" takt evaluate {} {} --json lists every processor.", words_.command_file(),
                                           words_.model_options());
    }
  }

  const ReportFindings& findings_;
  const ReportWords& words_;
  Scene scene_;
  Places places_;
  std::map<std::size_t, BoxNames> names_;  // by processor
  PagePipeline picture_;
};

}  // namespace

PagePipeline pipeline_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  return PipelinePainter(findings, words, limits).paint();
}

}  // namespace takt::tools

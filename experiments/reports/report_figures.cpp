// Figures: which points stand on which curve.
#include <algorithm>
#include <map>
#include <variant>

#include "experiments/reports/report.hpp"
#include "experiments/reports/series_choice.hpp"

namespace takt::experiments {

namespace {

// A point before its x is a number.
struct TextPoint {
  std::string x;
  std::size_t cell = 0;
  SeriesKeys series;
};

// The points of a curve: of one statistic, of series that have these keys, in cells that are called so.
struct CurveSource {
  const SeriesStatistic* statistic;
  SeriesKeys series;  // without x
  std::string cells;  // what tells them from those of other curves
  std::vector<TextPoint> points;
};

std::optional<Rational> number_in(const std::string& text) {
  auto parsed = maxplus::parse_number(text);
  auto* const number = std::get_if<Rational>(&parsed);
  return number == nullptr ? std::nullopt : std::optional(std::move(*number));
}

class FigureMaker {
 public:
  FigureMaker(const Summary& summary, const FigureRequest& request)
      : summary_(summary),
        request_(request),
        cells_(chosen_cells(summary.description(), request.where)),
        x_is_series_key_(is_series_key()) {}

  ReportedFigure figure() {
    ReportedFigure figure;
    figure.request = request_;
    if (request_.kind == FigureKind::histogram) {
      add_histograms(figure);
    } else {
      add_curves(figure);
    }
    fill_labels(figure);
    return figure;
  }

 private:
  bool is_series_key() const {
    return std::ranges::any_of(cells_, [&](std::size_t cell) {
      return std::ranges::any_of(summary_.cell(cell).series,
                                 [&](const SeriesKeys& series) { return !value_of(series, request_.x).empty(); });
    });
  }

  // What tells a cell from those with the same x: its other parameters, its name where there are none.
  std::string cell_words(std::size_t cell) const {
    const ExperimentCell& one = summary_.description().cells[cell];
    if (request_.x == "cell") return {};
    if (request_.kind == FigureKind::histogram || x_is_series_key_) return cells_.size() == 1 ? "" : one.name;
    std::string words;
    for (const auto& [key, value] : one.own) {
      if (key != request_.x && differs(key)) words = joined(words, joined(key, value));
    }
    return words;
  }

  // Whether the cells have several values of a parameter.
  bool differs(const std::string& key) const {
    const auto known = differs_.find(key);
    if (known != differs_.end()) return known->second;
    const auto& cells = summary_.description().cells;
    const std::string first = parameter_text(cells[cells_.front()], key);
    const bool result =
        std::ranges::any_of(cells_, [&](std::size_t cell) { return parameter_text(cells[cell], key) != first; });
    differs_.emplace(key, result);
    return result;
  }

  std::vector<CurveSource> sources() const {
    std::vector<CurveSource> result;
    for (const SeriesStatistic& statistic : request_.y) {
      const std::size_t begin = result.size();
      for (const std::size_t cell : cells_) {
        for (const SeriesKeys& series : summary_.cell(cell).series) {
          if (has_keys(series, statistic.series)) add_point(statistic, begin, cell, series, result);
        }
      }
    }
    return result;
  }

  void add_point(const SeriesStatistic& statistic, std::size_t begin, std::size_t cell, const SeriesKeys& series,
                 std::vector<CurveSource>& curves) const {
    SeriesKeys kind = without_key(series, request_.x);
    std::string words = cell_words(cell);
    auto curve = std::find_if(curves.begin() + static_cast<std::ptrdiff_t>(begin), curves.end(),
                              [&](const CurveSource& one) { return one.series == kind && one.cells == words; });
    if (curve == curves.end()) {
      curves.push_back({&statistic, std::move(kind), std::move(words), {}});
      curve = curves.end() - 1;
    }
    std::string x = x_is_series_key_ ? std::string(value_of(series, request_.x))
                    : request_.kind == FigureKind::histogram
                        ? std::string()
                        : parameter_text(summary_.description().cells[cell], request_.x);
    curve->points.push_back({std::move(x), cell, series});
  }

  // Those that have numbers: a prediction has none under other models than its own.
  std::vector<CurveSource> curves() const {
    std::vector<CurveSource> all = sources();
    std::erase_if(all, [&](const CurveSource& source) {
      return std::ranges::none_of(source.points, [&](const TextPoint& point) { return has_number(source, point); });
    });
    return all;
  }

  bool has_number(const CurveSource& source, const TextPoint& point) const {
    const Tally* const tally = find_tally(summary_, point.cell, point.series);
    if (tally == nullptr) return false;
    const Statistic& statistic = source.statistic->statistic;
    if (statistic.kind == StatisticKind::bins) return tally->measure(statistic.measure).count > 0;
    return tally->answer(statistic).has_value();
  }

  std::vector<FigureSeries> series_of(const std::vector<CurveSource>& all) const {
    std::vector<Unlabeled> unlabeled;
    unlabeled.reserve(all.size());
    for (const CurveSource& source : all) unlabeled.push_back({source.statistic, source.series, source.cells});
    std::vector<SeriesName> names = names_of(unlabeled, false);
    std::vector<FigureSeries> result;
    for (std::size_t i = 0; i < all.size(); ++i) {
      FigureSeries series;
      series.label = std::move(names[i].label);
      series.words = std::move(names[i].words);
      series.heuristic = heuristic_of(value_of(all[i].series, "heuristic"));
      series.model = value_of(all[i].series, "model");
      series.is_dashed = all[i].statistic->is_dashed;
      result.push_back(std::move(series));
    }
    return result;
  }

  // The registered name behind a label.
  std::string heuristic_of(std::string_view label) const {
    for (const ChosenHeuristic& chosen : summary_.description().heuristics) {
      if (chosen.label == label && chosen.heuristic != nullptr) return std::string(chosen.heuristic->name);
    }
    return std::string(label);
  }

  void add_curves(ReportedFigure& figure) const {
    const std::vector<CurveSource> all = curves();
    figure.series = series_of(all);
    const std::map<std::string, Rational> places = x_places(all, figure.categories);
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto& points = figure.series[i].points;
      for (const TextPoint& point : all[i].points) {
        points.push_back(point_of(all[i].statistic->statistic, point, places.at(point.x)));
      }
      std::ranges::stable_sort(points, {}, &FigurePoint::x);
    }
  }

  FigurePoint point_of(const Statistic& statistic, const TextPoint& point, const Rational& x) const {
    FigurePoint result{x, answer_of(summary_, point.cell, point.series, statistic), {}};
    if (request_.kind == FigureKind::whiskers) {
      Statistic deviation = statistic;
      deviation.kind = StatisticKind::deviation;
      result.deviation = answer_of(summary_, point.cell, point.series, deviation);
    }
    return result;
  }

  // Each x as a number; where one is none, all by their order.
  static std::map<std::string, Rational> x_places(const std::vector<CurveSource>& all,
                                                  std::vector<std::string>& categories) {
    std::map<std::string, Rational> places;
    bool are_numbers = true;
    for (const CurveSource& source : all) {
      for (const TextPoint& point : source.points) {
        const auto number = number_in(point.x);
        are_numbers = are_numbers && number;
        if (places.emplace(point.x, number.value_or(Rational(0))).second) categories.push_back(point.x);
      }
    }
    if (are_numbers) {
      categories.clear();
      return places;
    }
    for (std::size_t i = 0; i < categories.size(); ++i) places[categories[i]] = Rational(i);
    return places;
  }

  // A bin's x is its lower end, its y the draws in it; bins without draws between others have 0.
  void add_histograms(ReportedFigure& figure) const {
    const std::vector<CurveSource> all = curves();
    figure.series = series_of(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const CurveSource& source = all[i];
      const std::size_t measure = source.statistic->statistic.measure;
      const Rational& width = summary_.description().bin_widths.at(measure);
      figure.bin_width = width;
      std::map<Integer, std::uint64_t> bins;
      for (const TextPoint& point : source.points) {
        const Tally* const tally = find_tally(summary_, point.cell, point.series);
        if (tally == nullptr) continue;
        for (const auto& [bin, count] : tally->measure(measure).bins) bins[bin] += count;
      }
      add_bins(bins, width, figure.series[i].points);
    }
  }

  static void add_bins(const std::map<Integer, std::uint64_t>& bins, const Rational& width,
                       std::vector<FigurePoint>& points) {
    const auto add = [&](const Integer& bin, std::uint64_t count) {
      points.push_back({Rational(bin) * width, Estimate{Rational(count), Rational(count), {}}, {}});
    };
    std::optional<Integer> before;
    for (const auto& [bin, count] : bins) {
      // A wide gap stays empty: bins far out must not cost the memory of all between.
      constexpr int kMostEmpty = 1000;
      if (before && bin - *before <= kMostEmpty) {
        for (Integer empty = *before + 1; empty < bin; ++empty) add(empty, 0);
      }
      add(bin, count);
      before = bin;
    }
  }

  void fill_labels(ReportedFigure& figure) const {
    FigureRequest& request = figure.request;
    const bool is_histogram = request.kind == FigureKind::histogram;
    figure.x_words = request.x_label;
    figure.y_words = request.y_label;
    if (request.x_label.empty()) {
      const std::size_t measure = request.y.front().statistic.measure;
      request.x_label = is_histogram ? summary_.description().measures[measure] : request.x;
      figure.x_words = is_histogram ? summary_.description().measure_words[measure] : spelled_out(request.x);
    }
    if (request.y_label.empty()) {
      request.y_label = is_histogram ? "draws" : request.y.front().label;
      figure.y_words = is_histogram ? "draws" : request.y.front().words;
    }
  }

  const Summary& summary_;
  const FigureRequest& request_;
  std::vector<std::size_t> cells_;
  bool x_is_series_key_;
  mutable std::map<std::string, bool> differs_;  // by parameter, once it was asked for
};

}  // namespace

ReportedFigure figure_of(const Summary& summary, const FigureRequest& request) {
  return FigureMaker(summary, request).figure();
}

}  // namespace takt::experiments

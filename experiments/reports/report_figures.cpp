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

  // What tells a cell from those with the same x: its other parameters, its name if there are none.
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
    const bool is_of_heuristics = request_.kind == FigureKind::boxes && request_.x == "heuristic" && all.size() == 1;
    return is_of_heuristics ? by_heuristic(all.front()) : all;
  }

  // A box for each, in its color.
  static std::vector<CurveSource> by_heuristic(const CurveSource& all) {
    std::vector<CurveSource> result;
    for (const TextPoint& point : all.points) result.push_back({all.statistic, point.series, all.cells, {point}});
    return result;
  }

  bool has_number(const CurveSource& source, const TextPoint& point) const {
    const Tally* const tally = find_tally(summary_, point.cell, point.series);
    if (tally == nullptr) return false;
    const Statistic& statistic = source.statistic->statistic;
    if (request_.kind == FigureKind::histogram || request_.kind == FigureKind::boxes) {
      return tally->measure(statistic.measure).count > 0;
    }
    return tally->answer(statistic).has_value();
  }

  std::vector<FigureSeries> series_of(const std::vector<CurveSource>& all) const {
    std::vector<Unlabeled> unlabeled;
    unlabeled.reserve(all.size());
    for (const CurveSource& source : all) unlabeled.push_back({source.statistic, source.series, source.cells});
    return named_series(summary_.description(), unlabeled);
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
    if (request_.kind == FigureKind::boxes) return box_point(statistic, point, x);
    FigurePoint result{x, answer_of(summary_, point.cell, point.series, statistic), {}};
    if (request_.kind == FigureKind::whiskers) {
      Statistic deviation = statistic;
      deviation.kind = StatisticKind::deviation;
      result.deviation = answer_of(summary_, point.cell, point.series, deviation);
    }
    return result;
  }

  FigurePoint box_point(const Statistic& statistic, const TextPoint& point, const Rational& x) const {
    FigurePoint result{x, std::nullopt, {}};
    const Tally* const tally = find_tally(summary_, point.cell, point.series);
    if (tally == nullptr || tally->measure(statistic.measure).count == 0) return result;
    result.box = box_of(tally->values(statistic.measure));
    result.y = Estimate{result.box->median, result.box->median, {}};
    return result;
  }

  static BoxNumbers box_of(const std::vector<DrawnValue>& values) {
    const auto quartile = [&](unsigned long number) { return values[(number * values.size() + 3) / 4 - 1].value; };
    BoxNumbers box{
        .low = {}, .first = quartile(1), .median = quartile(2), .third = quartile(3), .high = {}, .outside = {}};
    const Rational reach = Rational::fraction(3, 2) * (box.third - box.first);
    bool has_low = false;
    for (const DrawnValue& drawn : values) {
      const bool is_outside = drawn.value < box.first - reach || drawn.value > box.third + reach;
      if (is_outside) {
        if (box.outside.empty() || box.outside.back() != drawn.value) box.outside.push_back(drawn.value);
        continue;
      }
      if (!has_low) box.low = drawn.value;
      has_low = true;
      box.high = drawn.value;
    }
    return box;
  }

  // Each x as a number; where one is none, all by their order. Boxes stand side by side, numbers in their order.
  std::map<std::string, Rational> x_places(const std::vector<CurveSource>& all,
                                           std::vector<std::string>& categories) const {
    std::map<std::string, Rational> places;
    bool are_numbers = true;
    for (const CurveSource& source : all) {
      for (const TextPoint& point : source.points) {
        const auto number = number_in(point.x);
        are_numbers = are_numbers && number;
        if (places.emplace(point.x, number.value_or(Rational(0))).second) categories.push_back(point.x);
      }
    }
    if (are_numbers && request_.kind != FigureKind::boxes) {
      categories.clear();
      return places;
    }
    if (are_numbers) std::ranges::sort(categories, {}, [&](const std::string& text) { return places.at(text); });
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

namespace {

ReportedFigure one_panel(const Summary& summary, const FigureRequest& request) {
  const bool is_ranking = request.kind == FigureKind::profile || request.kind == FigureKind::rank;
  return is_ranking ? ranking_figure_of(summary, request) : FigureMaker(summary, request).figure();
}

// What a panel is of: cells with this value of the facet, or series.
struct PanelChoice {
  std::string title;
  FigureRequest request;
};

bool contains(const std::vector<PanelChoice>& panels, const std::string& title) {
  return std::ranges::find(panels, title, &PanelChoice::title) != panels.end();
}

// In the order of the cells and series.
std::vector<PanelChoice> panels_of(const Summary& summary, const FigureRequest& request) {
  const Description& description = summary.description();
  std::vector<PanelChoice> panels;
  for (const std::size_t cell : chosen_cells(description, request.where)) {
    for (const SeriesKeys& series : summary.cell(cell).series) {
      const std::string value(value_of(series, request.facet));
      if (value.empty()) continue;
      std::string title = number_in(value) ? joined(spelled_out(request.facet), value) : value;
      if (contains(panels, title)) continue;
      panels.push_back({std::move(title), request});
      for (SeriesStatistic& statistic : panels.back().request.y) statistic.series[request.facet] = value;
    }
  }
  if (!panels.empty()) return panels;
  for (const std::size_t cell : chosen_cells(description, request.where)) {
    const std::string value = parameter_text(description.cells[cell], request.facet);
    std::string title = request.facet == "cell" ? value : joined(spelled_out(request.facet), value);
    if (contains(panels, title)) continue;
    panels.push_back({std::move(title), request});
    panels.back().request.where[request.facet] = {value};
  }
  return panels;
}

// Where x is no number in some panel, it is a name in all.
void name_places(ReportedFigure& panel) {
  std::map<Rational, std::size_t> places;
  for (const FigureSeries& series : panel.series) {
    for (const FigurePoint& point : series.points) places.emplace(point.x, 0);
  }
  for (auto& [x, place] : places) {
    place = panel.categories.size();
    panel.categories.push_back(x.to_string());
  }
  for (FigureSeries& series : panel.series) {
    for (FigurePoint& point : series.points) point.x = Rational(places.at(point.x));
  }
}

// Categories of a panel are put among those of all.
void add_panel(ReportedFigure& all, ReportedFigure&& panel, std::size_t number) {
  std::vector<Rational> places;
  for (const std::string& category : panel.categories) {
    const auto known = std::ranges::find(all.categories, category);
    places.emplace_back(known - all.categories.begin());
    if (known == all.categories.end()) all.categories.push_back(category);
  }
  for (Ranking& ranking : panel.rankings) {
    ranking.panel = number;
    ranking.first_series = all.series.size();
    all.rankings.push_back(std::move(ranking));
  }
  for (FigureSeries& series : panel.series) {
    series.panel = number;
    if (!places.empty()) {
      for (FigurePoint& point : series.points) point.x = places[point.x.numerator().get_ui()];
      std::ranges::stable_sort(series.points, {}, &FigurePoint::x);
    }
    all.series.push_back(std::move(series));
  }
}

}  // namespace

ReportedFigure figure_of(const Summary& summary, const FigureRequest& request) {
  if (request.facet.empty()) return one_panel(summary, request);
  const std::vector<PanelChoice> choices = panels_of(summary, request);
  std::vector<ReportedFigure> panels;
  panels.reserve(choices.size());
  for (const PanelChoice& choice : choices) panels.push_back(one_panel(summary, choice.request));
  const bool has_names =
      std::ranges::any_of(panels, [](const ReportedFigure& panel) { return !panel.categories.empty(); });
  ReportedFigure figure;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    ReportedFigure& panel = panels[p];
    if (has_names && panel.categories.empty()) name_places(panel);
    if (p == 0) {
      figure.request = panel.request;
      figure.request.where = request.where;
      figure.request.y = request.y;
      figure.x_words = panel.x_words;
      figure.y_words = panel.y_words;
    }
    if (panel.bin_width) figure.bin_width = panel.bin_width;
    figure.panels.push_back(choices[p].title);
    add_panel(figure, std::move(panel), p);
  }
  return figure;
}

}  // namespace takt::experiments

// The table of looks.
#include "tools/experiment/plot_style.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "tools/pictures/palette.hpp"

namespace takt::tools {

using experiments::FigureSeries;

namespace {

struct Look {
  std::string_view name;
  std::string_view color;
  int mark;
};

// Marks of gnuplot: 1 plus, 2 cross, 3 star; open and filled 4, 5 square, 6, 7 circle, 8, 9 triangle, 10, 11 triangle
// downwards, 12, 13 diamond, 14, 15 pentagon.
constexpr auto kLooks = std::to_array<Look>({{"bs121", hue::kBlue, 7},
                                             {"spl", hue::kOrange, 5},
                                             {"bsl", hue::kGreen, 9},
                                             {"bsc", hue::kVermilion, 13},
                                             {"random", "#7f7f7f", 2},
                                             {"greedy", hue::kPink, 11},
                                             {"exhaustive", hue::kBlack, 1},
                                             {"interval-optimal", hue::kBlack, 9},
                                             {"homogeneous-dp", hue::kSky, 5},
                                             {"hedpm", hue::kWine, 15},
                                             {"dpm", hue::kSky, 9},
                                             {"calibrate", hue::kOlive, 11},
                                             {"pdm", hue::kForest, 7},
                                             {"homogeneous-dp-divided", "#88ccee", 5},
                                             {"chain-dp", hue::kBlack, 3},
                                             {"chain-approx", "#661100", 15},
                                             {"random-sampling", hue::kSky, 7},
                                             {"hill-climbing", hue::kVermilion, 5},
                                             {"simulated-annealing", hue::kIndigo, 9},
                                             {"polish", hue::kForest, 5},
                                             {"clique-optimal", hue::kBlack, 13},
                                             {"greedy-cpu", hue::kPink, 5},
                                             {"coarse-grained", hue::kBlue, 9},
                                             {"typed-dp", hue::kOlive, 13},
                                             {"lower-bound", hue::kBlack, 1},
                                             {"in-order", "#999999", 5},
                                             {"overlap", hue::kBlue, 7},
                                             {"strict", hue::kVermilion, 13}});

// For what the table does not name, by order.
constexpr auto kOthers = std::to_array<Look>({{"", hue::kBlue, 7},
                                              {"", hue::kVermilion, 5},
                                              {"", hue::kGreen, 9},
                                              {"", hue::kPink, 11},
                                              {"", hue::kBlack, 13},
                                              {"", hue::kOrange, 15},
                                              {"", hue::kSky, 2},
                                              {"", hue::kWine, 1},
                                              {"", hue::kOlive, 3}});

constexpr auto kSolid = std::to_array<std::string_view>({"1", "(14,4,2,4)", "(2,4)"});
constexpr auto kFills = std::to_array<double>({0.85, 0.35, 0.1});
constexpr auto kDashed = std::to_array<std::string_view>({"(8,5)", "(4,5)", "(8,4,4,4)"});

const std::string& key_of(const FigureSeries& series) {
  return series.heuristic.empty() ? series.model : series.heuristic;
}

std::optional<Look> known_look(const std::string& key) {
  const auto found = std::ranges::find(kLooks, key, &Look::name);
  return found == kLooks.end() ? std::nullopt : std::optional(*found);
}

// How many curves of a kind come before one in the order of the figure.
struct Seen {
  std::size_t solid = 0;
  std::size_t dashed = 0;
};

CurveStyle variant_of(const Look& look, bool is_dashed, Seen& seen) {
  CurveStyle style;
  style.color = look.color;
  const std::size_t before = is_dashed ? seen.dashed++ : seen.solid++;
  style.dash = is_dashed ? kDashed[before % kDashed.size()] : kSolid[before % kSolid.size()];
  style.fill = kFills[(seen.solid + seen.dashed - 1) % kFills.size()];
  // Others than the first solid one are open where that is filled, and filled where that is open.
  constexpr int kFirstOpen = 4;
  const bool is_other = is_dashed || before > 0;
  style.mark = is_other && look.mark >= kFirstOpen ? look.mark ^ 1 : look.mark;
  return style;
}

// Whether more curves would look alike than there are dashes.
bool is_crowded(const experiments::ReportedFigure& figure) {
  std::map<std::tuple<std::size_t, std::string, bool>, std::size_t> counts;
  for (const FigureSeries& series : figure.series) ++counts[{series.panel, key_of(series), series.is_dashed}];
  return std::ranges::any_of(counts, [](const auto& pair) { return pair.second > kSolid.size(); });
}

}  // namespace

std::vector<CurveStyle> styles_of(const experiments::ReportedFigure& figure) {
  const bool goes_by_order = is_crowded(figure);
  std::map<std::string, Look> looks;
  std::map<std::pair<std::size_t, std::string>, Seen> seen;  // by panel, each of which begins anew
  std::size_t others = 0;
  std::vector<CurveStyle> styles;
  for (const FigureSeries& series : figure.series) {
    const std::string key = goes_by_order ? series.label : key_of(series);
    const auto known = goes_by_order ? std::nullopt : known_look(key);
    if (!looks.contains(key)) looks[key] = known ? *known : kOthers[others++ % kOthers.size()];
    styles.push_back(variant_of(looks[key], series.is_dashed, seen[{series.panel, key}]));
  }
  return styles;
}

}  // namespace takt::tools

// Cells by their parameters, series by their keys.
#include "experiments/reports/series_choice.hpp"

#include <algorithm>

namespace takt::experiments {

std::string_view value_of(const SeriesKeys& series, std::string_view key) {
  const auto found = std::ranges::find(series, key, [](const auto& pair) { return std::string_view(pair.first); });
  return found == series.end() ? std::string_view() : std::string_view(found->second);
}

bool has_keys(const SeriesKeys& series, const std::map<std::string, std::string>& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& pair) {
    return std::ranges::any_of(series,
                               [&](const auto& own) { return own.first == pair.first && own.second == pair.second; });
  });
}

SeriesKeys with_key(SeriesKeys series, std::string_view key, std::string_view value) {
  for (auto& [own, content] : series) {
    if (own == key) {
      content = value;
      return series;
    }
  }
  series.emplace_back(key, value);
  return series;
}

SeriesKeys with_keys(SeriesKeys series, const std::map<std::string, std::string>& wanted) {
  for (const auto& [key, value] : wanted) series = with_key(std::move(series), key, value);
  return series;
}

SeriesKeys without_key(SeriesKeys series, std::string_view key) {
  std::erase_if(series, [&](const auto& pair) { return pair.first == key; });
  return series;
}

std::vector<std::size_t> chosen_cells(const Description& description, const CellFilter& filter) {
  std::vector<std::size_t> result;
  for (std::size_t c = 0; c < description.cells.size(); ++c) {
    if (passes(description.cells[c], filter)) result.push_back(c);
  }
  return result;
}

std::vector<SeriesKeys> chosen_series(const Summary& summary, const std::vector<std::size_t>& cells,
                                      const std::map<std::string, std::string>& wanted) {
  std::vector<SeriesKeys> result;
  for (const std::size_t cell : cells) {
    for (const SeriesKeys& series : summary.cell(cell).series) {
      if (!has_keys(series, wanted) || std::ranges::find(result, series) != result.end()) continue;
      result.push_back(series);
    }
  }
  return result;
}

const Tally* find_tally(const Summary& summary, std::size_t cell, const SeriesKeys& series) {
  const CellSummary& known = summary.cell(cell);
  for (std::size_t s = 0; s < known.series.size(); ++s) {
    if (known.series[s].size() == series.size() && std::ranges::is_permutation(known.series[s], series)) {
      return &known.tallies[s];
    }
  }
  return nullptr;
}

std::optional<Estimate> answer_of(const Summary& summary, std::size_t cell, const SeriesKeys& series,
                                  const Statistic& statistic) {
  const Tally* const tally = find_tally(summary, cell, series);
  return tally == nullptr ? std::nullopt : tally->answer(statistic);
}

std::string parameter_text(const ExperimentCell& cell, std::string_view parameter) {
  return parameter == "cell" ? cell.name : value_text(cell.arguments.value(parameter));
}

std::string distinction(const SeriesKeys& series, const std::vector<SeriesKeys>& among) {
  std::string text;
  for (const auto& own : series) {
    const bool differs =
        std::ranges::any_of(among, [&](const SeriesKeys& other) { return value_of(other, own.first) != own.second; });
    if (differs) text = joined(text, own.second);
  }
  return text;
}

std::vector<SeriesName> names_of(const std::vector<Unlabeled>& all, bool says_statistic) {
  const bool are_alike = std::ranges::all_of(
      all, [&](const Unlabeled& one) { return one.statistic->label == all.front().statistic->label; });
  std::vector<SeriesName> names;
  for (const Unlabeled& one : all) {
    std::vector<SeriesKeys> others;
    for (const Unlabeled& other : all) {
      if (!one.statistic->has_own_label || other.statistic->label == one.statistic->label) {
        others.push_back(other.series);
      }
    }
    const std::string keys = joined(distinction(one.series, others), one.cells);
    const bool has_statistic = says_statistic || !are_alike || keys.empty();
    names.push_back({has_statistic ? joined(keys, one.statistic->label) : keys,
                     has_statistic ? joined(keys, one.statistic->words) : keys});
  }
  return names;
}

namespace {

// The registered name behind a label.
std::string heuristic_of(const Description& description, std::string_view label) {
  for (const ChosenHeuristic& chosen : description.heuristics) {
    if (chosen.label == label && chosen.heuristic != nullptr) return std::string(chosen.heuristic->name);
  }
  return std::string(label);
}

}  // namespace

std::vector<FigureSeries> named_series(const Description& description, const std::vector<Unlabeled>& all) {
  std::vector<SeriesName> names = names_of(all, false);
  std::vector<FigureSeries> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    FigureSeries series;
    series.label = std::move(names[i].label);
    series.words = std::move(names[i].words);
    series.heuristic = heuristic_of(description, value_of(all[i].series, "heuristic"));
    series.model = value_of(all[i].series, "model");
    series.is_dashed = all[i].statistic->is_dashed;
    result.push_back(std::move(series));
  }
  return result;
}

std::string joined(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + " " + second;
}

}  // namespace takt::experiments

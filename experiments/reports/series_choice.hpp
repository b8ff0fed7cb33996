// Which cells and series a table, a figure or an expectation is about, and what they are called there.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/descriptions/report_request.hpp"
#include "experiments/reports/chunk.hpp"
#include "experiments/reports/report.hpp"

namespace takt::experiments {

/// The value of a series' key; empty if it has no such key.
std::string_view value_of(const SeriesKeys& series, std::string_view key);

/// Whether a series has these values of these keys.
bool has_keys(const SeriesKeys& series, const std::map<std::string, std::string>& wanted);

/// The series with another value of a key, or with values of several; keys that it has not are put behind.
SeriesKeys with_key(SeriesKeys series, std::string_view key, std::string_view value);
SeriesKeys with_keys(SeriesKeys series, const std::map<std::string, std::string>& wanted);
SeriesKeys without_key(SeriesKeys series, std::string_view key);

/// Those that pass, ascending.
std::vector<std::size_t> chosen_cells(const Description& description, const CellFilter& filter);

/// The series of these cells that have these keys; each once, in the order in which they appear.
std::vector<SeriesKeys> chosen_series(const Summary& summary, const std::vector<std::size_t>& cells,
                                      const std::map<std::string, std::string>& wanted);

/// What is known of a series of a cell; null if the cell has no such series.
const Tally* find_tally(const Summary& summary, std::size_t cell, const SeriesKeys& series);

/// A statistic of a series of a cell; nothing if there is none.
std::optional<Estimate> answer_of(const Summary& summary, std::size_t cell, const SeriesKeys& series,
                                  const Statistic& statistic);

/// The value that a cell has of a parameter, its name for "cell".
std::string parameter_text(const ExperimentCell& cell, std::string_view parameter);

/// The values of those keys in which some of these series differ: "bsc strict". Empty if all are equal.
std::string distinction(const SeriesKeys& series, const std::vector<SeriesKeys>& among);

/// A column or a curve before it has a name.
struct Unlabeled {
  const SeriesStatistic* statistic;
  SeriesKeys series;
  std::string cells;  // what tells its cells from those of others, or empty
};

/// What a column or a curve is called: by programs, with the keys of measures, and by people, with their words.
struct SeriesName {
  std::string label;
  std::string words;
};

/// What each is called: the keys in which it differs, its cells, the statistic. One that its description gave a label
/// is only told from others of the same label. With `says_statistic` statistics are named where all are the same, too.
std::vector<SeriesName> names_of(const std::vector<Unlabeled>& all, bool says_statistic);

/// The series of a figure, without points.
std::vector<FigureSeries> named_series(const Description& description, const std::vector<Unlabeled>& all);

/// Both with a blank between them, or the one that is not empty.
std::string joined(const std::string& first, const std::string& second);

}  // namespace takt::experiments

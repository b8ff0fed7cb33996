// What a description wants reported: tables, figures and expectations.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/descriptions/statistic.hpp"

namespace takt::experiments {

/// Cells whose parameters (or name, under "cell") are among these; all where it is empty.
using CellFilter = std::map<std::string, std::vector<std::string>>;

/// A statistic of one series, or of each that has these keys.
struct SeriesStatistic {
  Statistic statistic;
  std::map<std::string, std::string> series;  // such as heuristic: bsc, model: strict
  std::string label;                          // of a column or a curve; made from the statistic where none is given
  std::string words;                          // the same with the words of measures for their keys
  bool has_own_label = false;                 // where one is given; it is both
  bool is_dashed = false;                     // of a curve
};

/// A row for each cell, with `each` one for each value of that series key in each cell. A column for each statistic, of
/// each series that has its keys.
struct TableRequest {
  std::string title;
  CellFilter where;
  std::vector<SeriesStatistic> columns;
  std::string each;  // a series key, or empty
};

enum class FigureKind { curve, whiskers, histogram, boxes, profile, rank };

/// Which pairs of mean ranks differ.
enum class RankTest {
  nemenyi,  // by a critical difference
  wilcoxon  // by signed rank tests of all pairs, with Holm's procedure
};

/// A figure: curves over a parameter, with one deviation to both sides, or how values spread. A curve for each
/// statistic, of each series that has its keys, and for each value of the other parameters that tell cells apart. A
/// profile has a curve for each series over all cells, ranks a place for each.
struct FigureRequest {
  FigureKind kind = FigureKind::curve;
  std::string name;  // of its files
  std::string title;
  CellFilter where;
  std::string x;  // a parameter of the cells, or a series key
  std::vector<SeriesStatistic> y;
  std::string x_label;
  std::string y_label;
  bool x_is_logarithmic = false;
  bool y_is_logarithmic = false;
  std::optional<std::pair<Rational, Rational>> y_range;
  std::optional<std::pair<Rational, Rational>> paper_range;  // of the paper's axis, where only that is left
  std::optional<Rational> line;                              // a level to compare with
  std::string line_label;
  std::string facet;  // a parameter or a series key: a panel for each value; or empty
  std::optional<std::pair<Rational, Rational>> x_range;  // of a profile
  RankTest test = RankTest::nemenyi;                     // of ranks
  Rational level;
  bool over_cells = false;  // ranks of the means of cells, not of draws
};

/// Panels of a figure.
inline constexpr std::size_t kMostPanels = 24;

using ReportItem = std::variant<TableRequest, FigureRequest>;

enum class ExpectationKind {
  value,     // the statistic is what the paper says, within a tolerance
  sample,    // a count of the paper's may come from what we drew from (Fisher's exact test)
  least,     // in each cell one of these series has the least statistic
  ratio,     // of two statistics, within two bounds, in each cell
  crossing,  // from which x on the first series is below the second
  apart      // how far the means of several series lie apart, in the least of their deviations
};

/// Whose an expectation is.
enum class ClaimSource {
  paper,  // the paper has the number, or the order of two
  words,  // the paper has the words, the threshold is ours
  ours
};

/// What is expected, and by whom. A sample is of all its cells together, a crossing over all of them; the rest applies
/// to each cell, and each series that has its keys, by itself. It is met if it holds in all of these places, or in
/// the share `at_least` of them.
struct Expectation {
  std::string says;  // a sentence: what is claimed
  ExpectationKind kind = ExpectationKind::value;
  CellFilter where;
  SeriesStatistic value;
  std::optional<SeriesStatistic> over;  // of ratio
  std::optional<Rational> paper;
  std::uint64_t of = 0;            // of sample: the paper's number of draws
  std::optional<Statistic> among;  // of sample: the count of draws that it is of; all with a result where it is none
  Rational confidence;  // where not 0: of the law that is drawn from, all places together; 0: of these draws alone
  Rational low;         // what else is accepted
  Rational high;
  std::string key;                    // of least, crossing and apart: a series key
  std::vector<std::string> expected;  // of least: values of it; of crossing: the two
  std::string x;                      // of crossing: a parameter of the cells
  Rational at_least = 1;              // share of the cells in which it must hold
  ClaimSource claim = ClaimSource::paper;
  std::string printed;  // what the paper has, where it is no number; or empty
  std::string why;      // why it came as it did, for a person; or empty
};

}  // namespace takt::experiments

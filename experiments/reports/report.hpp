// What an experiment shows: the tables and figures that its description asks for, and whether what was expected holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/descriptions/report_request.hpp"
#include "experiments/reports/chunk.hpp"
#include "experiments/statistics/fisher.hpp"

namespace takt::experiments {

/// A column of numbers: a statistic of one series, or of the series of each row.
struct ReportedColumn {
  std::string label;
  StatisticKind kind = StatisticKind::mean;
  std::string words{};  // what people read in place of the label, which has keys of measures
};

/// A row: of a cell, or of some of its series.
struct ReportedRow {
  std::size_t cell = 0;
  std::vector<std::string> labels;               // by ReportedTable::headings
  SeriesKeys series;                             // the value of `each`, or empty
  std::vector<std::optional<Estimate>> numbers;  // by column
};

struct ReportedTable {
  std::string title;
  std::vector<std::string> headings;  // of labels
  std::vector<ReportedColumn> columns;
  std::vector<ReportedRow> rows;
};

/// A box: quartiles by rank ceil(q n), whiskers to the farthest values that lie at most 1.5 times the quartiles'
/// distance from the box, and what lies beyond, each value once.
struct BoxNumbers {
  Rational low;
  Rational first;
  Rational median;
  Rational third;
  Rational high;
  std::vector<Rational> outside;  // ascending
};

/// A point of a curve, a step of a profile, a bin of a histogram, or a mean rank.
struct FigurePoint {
  Rational x;  // of a bin, its lower end; where x has no number, the index of a category
  std::optional<Estimate> y;
  std::optional<Estimate> deviation;  // of whiskers
  std::optional<BoxNumbers> box{};
};

struct FigureSeries {
  std::string label;
  std::string words;      // what people read in place of the label, which has keys of measures
  std::string heuristic;  // its registered name, or empty
  std::string model;      // or empty
  bool is_dashed = false;
  std::vector<FigurePoint> points;  // by x, ascending
  std::size_t panel = 0;
};

/// Two series of a panel, by their numbers within it.
struct RankedPair {
  std::size_t first = 0;
  std::size_t second = 0;
  double tail = 1;  // of Wilcoxon's test
};

/// Neighbors by mean rank: places in Ranking::order.
struct RankGroup {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Which of the mean ranks of a panel differ.
struct Ranking {
  std::size_t panel = 0;
  std::size_t first_series = 0;  // of the panel, in the figure
  RankTest test = RankTest::nemenyi;
  Rational level;
  std::uint64_t blocks = 0;  // draws or cells
  Rational statistic;        // Friedman's
  double tail = 1;           // of it; above the level no pairs differ
  std::optional<double> critical_difference{};
  std::vector<RankedPair> pairs{};    // of Wilcoxon's test, all
  std::vector<std::size_t> order{};   // series of the panel by mean rank
  std::vector<RankGroup> groups{};    // of which no two differ, none within another
  std::vector<RankGroup> unjoined{};  // pairs that do not differ and that no group has
};

struct ReportedFigure {
  FigureRequest request;  // labels of axes filled in
  std::string x_words;    // what people read at the axes
  std::string y_words;
  std::vector<std::string> categories;  // of x, where not all of its values are numbers
  std::optional<Rational> bin_width;    // of a histogram
  std::vector<FigureSeries> series;     // panel by panel
  std::vector<std::string> panels;      // their titles; empty without panels
  std::vector<Ranking> rankings;        // of ranks, by panel; none of a panel without draws
};

/// Whether something holds; it is undecided where a number is missing, or known between two ends that say both.
enum class ExpectationOutcome { met, not_met, undecided };

/// One cell and series, or one curve, that an expectation is about.
struct CheckedPlace {
  std::string name;  // "10x20, strict"
  ExpectationOutcome outcome = ExpectationOutcome::undecided;
  std::optional<Estimate> found;
  std::string remark;  // what else there is to know: which series is least, how likely a sample is; may be empty
  std::optional<double> tail;  // of a place that a test decides: how likely such draws are where the contrary holds
};

struct ExpectationVerdict {
  Expectation expectation;
  ExpectationOutcome outcome = ExpectationOutcome::undecided;
  std::vector<CheckedPlace> places;
  std::string remark;  // why there is nothing to check; or empty

  std::size_t count(ExpectationOutcome wanted) const;
};

struct ExperimentReport {
  std::uint64_t draws = 0;      // that were made
  std::uint64_t described = 0;  // that the description asks for
  std::vector<std::variant<ReportedTable, ReportedFigure>> items;
  std::vector<ExpectationVerdict> verdicts;
  std::vector<FailedDraw> failures;  // some of them
  std::uint64_t failed = 0;          // draws and series without an answer

  bool is_complete() const { return draws == described; }
  std::size_t count(ExpectationOutcome wanted) const;
};

/// The report of what is known; the same for the same summary.
ExperimentReport report_of(const Summary& summary);

// Its parts.
ReportedTable table_of(const Summary& summary, const TableRequest& request);
ReportedFigure figure_of(const Summary& summary, const FigureRequest& request);
/// Of profiles and ranks, without panels. Throws tpn::InvalidInstance if ratios are of values below 0.
ReportedFigure ranking_figure_of(const Summary& summary, const FigureRequest& request);
ExpectationVerdict verdict_of(const Summary& summary, const Expectation& expectation);

}  // namespace takt::experiments

// Ratios to four digits for people, exactly for programs.
#include "tools/compare/comparison_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>
#include <string_view>
#include <utility>

#include "tools/words/csv.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/latex.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/table.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

std::string ratio_cell(const std::optional<double>& ratio) { return ratio ? fmt::format("{:.4g}", *ratio) : "-"; }

std::string ratio_cell(const std::optional<Rational>& ratio) {
  return ratio_cell(ratio ? ratio->to_double() : std::nullopt);
}

// "95 %", "100 %" of all problems only.
std::string share_cell(std::size_t count, std::size_t all) {
  return percent(Rational::fraction(static_cast<unsigned long>(count), static_cast<unsigned long>(all)));
}

// "1.3 s", "42 ms".
std::string time_cell(const std::optional<double>& seconds) {
  if (!seconds) return "-";
  const TimeScale scale = TimeWords::of_seconds().scale_for(rational_of(*seconds));
  return fmt::format("{:.3g} {}", *seconds / double_of(scale.length), scale.name);
}

std::optional<double> median_time(const Standing& standing) {
  return standing.times ? std::optional(standing.times->median) : std::nullopt;
}

std::optional<double> longest_time(const Standing& standing) {
  return standing.times ? std::optional(standing.times->longest) : std::nullopt;
}

std::string under(const ComparisonResult& result) {
  return result.model ? "under " + tpn::title_of(*result.model) : "each under its problem's model";
}

std::vector<std::string> headings_of(const ComparisonResult& result) {
  std::vector<std::string> headings = {"heuristic", "solved", "best", "median", "mean", "worst", "to bound"};
  for (const Rational& factor : result.factors) headings.push_back("<= " + decimal(factor));
  if (result.shows_times) headings.insert(headings.end(), {"median time", "longest"});
  return headings;
}

std::vector<std::string> cells_of(const ComparisonResult& result, const Standing& standing) {
  const std::size_t all = result.problems.size();
  std::vector<std::string> cells = {standing.name,
                                    std::to_string(standing.solved),
                                    std::to_string(standing.wins),
                                    ratio_cell(standing.to_best.median),
                                    ratio_cell(standing.to_best.mean),
                                    ratio_cell(standing.to_best.worst),
                                    ratio_cell(standing.to_bound.median)};
  for (const std::size_t count : standing.within) cells.push_back(share_cell(count, all));
  if (result.shows_times) {
    cells.insert(cells.end(), {time_cell(median_time(standing)), time_cell(longest_time(standing))});
  }
  return cells;
}

void write_failures(std::ostream& out, const ComparisonResult& result) {
  constexpr std::size_t kShownReasons = 4;
  Table table{{{"heuristic"}, {"problems", Align::right}, {"the first"}, {"why"}}, {}};
  for (const Standing& standing : result.standings) {
    for (const FailureGroup& group : standing.failures) {
      if (&group == &standing.failures[kShownReasons - 1] && standing.failures.size() > kShownReasons) {
        const std::size_t more = standing.failures.size() - kShownReasons + 1;
        table.rows.push_back({standing.name, "", "", fmt::format("... and {} more reasons (--json has all)", more)});
        break;
      }
      table.rows.push_back({standing.name, std::to_string(group.count), group.first, group.reason});
    }
  }
  if (table.rows.empty()) return;
  out << "\nWithout a mapping\n";
  table.write(out);
}

void write_summary(tpn::JsonWriter& json, std::string_view name, const RatioSummary& summary) {
  json.key(name);
  json.begin_object();
  json.member("problems", summary.count);
  write_exact(json, "median", summary.median);
  json.member("ratio_mean", summary.mean);
  write_exact(json, "worst", summary.worst);
  json.end();
}

const Contestant& contestant_of(const ComparisonResult& result, const Standing& standing) {
  return *std::ranges::find(result.contestants, standing.name, &Contestant::name);
}

void write_standing(tpn::JsonWriter& json, const ComparisonResult& result, const Standing& standing) {
  json.begin_object();
  json.member("heuristic", standing.name);
  const Contestant& contestant = contestant_of(result, standing);
  if (contestant.heuristic == nullptr) json.member("command", contestant.command);
  if (result.shows_times) {
    json.member("median_seconds", median_time(standing));
    json.member("longest_seconds", longest_time(standing));
  }
  json.member("solved", standing.solved);
  json.member("failed", result.problems.size() - standing.solved);
  json.member("best", standing.wins);
  write_summary(json, "ratio_to_best", standing.to_best);
  write_summary(json, "ratio_to_bound", standing.to_bound);
  json.key("profile");
  json.begin_array();
  for (std::size_t k = 0; k < result.factors.size(); ++k) {
    json.begin_object(tpn::JsonLayout::line);
    write_exact(json, "factor", result.factors[k]);
    json.member("problems", standing.within[k]);
    json.end();
  }
  json.end();
  write_objects(json, "failures", standing.failures, [&](const FailureGroup& group) {
    json.member("reason", group.reason);
    json.member("problems", group.count);
    json.member("first", group.first);
  });
  json.end();
}

void write_latex_row(std::ostream& out, const std::vector<std::string>& cells) {
  for (std::size_t k = 0; k < cells.size(); ++k) out << (k == 0 ? "" : " & ") << latex_text(cells[k]);
  out << " \\\\\n";
}

void write_csv_row(std::ostream& out, const std::vector<std::string>& cells) { out << csv_row(cells) << '\n'; }

// The exact number and the nearest double, each empty if there is none.
void add_exactly(std::vector<std::string>& cells, const std::optional<Rational>& number) {
  cells.push_back(number ? number->to_string() : "");
  const auto nearest = number ? number->to_double() : std::nullopt;
  cells.push_back(nearest ? tpn::json_number(*nearest) : "");
}

std::string number_cell(const std::optional<double>& number) { return number ? tpn::json_number(*number) : ""; }

void add_summary(std::vector<std::string>& cells, const RatioSummary& summary) {
  add_exactly(cells, summary.median);
  cells.push_back(number_cell(summary.mean));
  add_exactly(cells, summary.worst);
}

}  // namespace

void write_comparison_table(std::ostream& out, const ComparisonResult& result) {
  fmt::print(out, "{}, exact periods {}{}, as ratios to the best\n", plural(result.problems.size(), "problem"),
             under(result), result.model_remark);
  Table table;
  for (const std::string& heading : headings_of(result)) {
    table.columns.push_back({heading, table.columns.empty() ? Align::left : Align::right});
  }
  for (const Standing& standing : result.standings) table.rows.push_back(cells_of(result, standing));
  table.write(out);
  write_failures(out, result);
}

void write_comparison_json(std::ostream& out, const ComparisonResult& result) {
  JsonResults results(JsonResults::Form::object, out);
  tpn::JsonWriter& json = results.next();
  json.begin_object();
  json.member("files", result.files);
  json.member("problems", result.problems.size());
  if (result.model) {
    tpn::write_model(json, *result.model);
  } else {
    json.member("model", nullptr);
  }
  write_list(json, "heuristics", result.standings,
             [&](const Standing& standing) { write_standing(json, result, standing); });
  json.end();
  results.finish();
}

void write_comparison_csv(std::ostream& out, const ComparisonResult& result) {
  std::vector<std::string> headings = {"heuristic", "problems", "solved", "best"};
  for (const std::string_view base : {"best", "bound"}) {
    for (const std::string_view what : {"median", "median_decimal", "mean_decimal", "worst", "worst_decimal"}) {
      headings.push_back(fmt::format("to_{}_{}", base, what));
    }
  }
  for (const Rational& factor : result.factors) headings.push_back("within_" + decimal(factor));
  if (result.shows_times) headings.insert(headings.end(), {"median_seconds", "longest_seconds"});
  write_csv_row(out, headings);
  for (const Standing& standing : result.standings) {
    std::vector<std::string> cells = {standing.name, std::to_string(result.problems.size()),
                                      std::to_string(standing.solved), std::to_string(standing.wins)};
    add_summary(cells, standing.to_best);
    add_summary(cells, standing.to_bound);
    for (const std::size_t count : standing.within) cells.push_back(std::to_string(count));
    if (result.shows_times) {
      cells.insert(cells.end(), {number_cell(median_time(standing)), number_cell(longest_time(standing))});
    }
    write_csv_row(out, cells);
  }
}

void write_comparison_latex(std::ostream& out, const ComparisonResult& result) {
  const std::vector<std::string> headings = headings_of(result);
  fmt::print(out, "% {}, exact periods {}, as ratios to the best\n", plural(result.problems.size(), "problem"),
             under(result));
  fmt::print(out, "\\begin{{tabular}}{{l{}}}\n\\hline\n", std::string(headings.size() - 1, 'r'));
  write_latex_row(out, headings);
  out << "\\hline\n";
  for (const Standing& standing : result.standings) write_latex_row(out, cells_of(result, standing));
  out << "\\hline\n\\end{tabular}\n";
}

void write_each_csv(std::ostream& out, const ComparisonResult& result) {
  std::vector<std::string> headings = {
      "problem",     "heuristic",     "predicted_period",      "period",         "period_decimal",         "best",
      "lower_bound", "ratio_to_best", "ratio_to_best_decimal", "ratio_to_bound", "ratio_to_bound_decimal", "failure"};
  if (result.shows_times) headings.emplace_back("seconds");
  write_csv_row(out, headings);
  for (const ScoredProblem& problem : result.problems) {
    const auto best = problem.best();
    for (std::size_t k = 0; k < result.contestants.size(); ++k) {
      const Score& score = problem.scores[k];
      std::vector<std::string> cells = {problem.name, result.contestants[k].name,
                                        score.predicted ? score.predicted->to_string() : ""};
      add_exactly(cells, score.period);
      cells.push_back(best ? best->to_string() : "");
      cells.push_back(problem.lower_bound ? problem.lower_bound->to_string() : "");
      add_exactly(cells, ratio_of(score.period, best));
      add_exactly(cells, ratio_of(score.period, problem.lower_bound));
      cells.push_back(score.failure);
      if (result.shows_times) cells.push_back(tpn::json_number(score.seconds));
      write_csv_row(out, cells);
    }
  }
}

}  // namespace takt::tools

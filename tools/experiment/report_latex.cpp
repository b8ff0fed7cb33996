// Reports for LaTeX, with the packages booktabs, longtable and graphicx.
//
// Numbers are as papers have them: a mean and a share to two digits of their interval, others to five. What is exact
// stands in the other formats.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tools/experiment/plot_ranks.hpp"
#include "tools/experiment/report_numbers.hpp"
#include "tools/experiment/report_writer.hpp"
#include "tools/experiment/verdict_words.hpp"
#include "tools/words/latex.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

using experiments::Description;
using experiments::Estimate;
using experiments::ExpectationOutcome;
using experiments::ExpectationVerdict;
using experiments::ReportedFigure;
using experiments::ReportedRow;
using experiments::ReportedTable;
using experiments::StatisticKind;
using maxplus::Rational;

namespace {

// Characters beside each other in a column of text, and lines on a page.
constexpr std::size_t kWidest = 84;
constexpr std::size_t kLongest = 40;

// A text whose numbers keep their signs of percent on the line.
std::string latex_words(std::string_view text) {
  std::string latex = latex_text(text);
  for (std::size_t at = latex.find(" \\%"); at != std::string::npos; at = latex.find(" \\%", at)) {
    latex.replace(at, 1, "\\,");
  }
  return latex;
}

// "1e-05" as mathematics; others as they are, but for a minus.
std::string latex_decimal(const std::string& decimal) {
  const std::size_t exponent = decimal.find('e');
  if (exponent == std::string::npos) return decimal.starts_with('-') ? "$" + decimal + "$" : decimal;
  const std::string factor = decimal.substr(0, exponent);
  return fmt::format("${}10^{{{}}}$", factor == "1" ? "" : factor + " \\cdot ",
                     std::stoi(decimal.substr(exponent + 1)));
}

// Digits behind the point so that this width has two significant ones.
int places_for(double width) {
  constexpr int kMost = 12;
  const std::string text = fmt::format("{:.1e}", width);
  return std::clamp(1 - std::stoi(text.substr(text.find('e') + 1)), 0, kMost);
}

double middle_number(const Estimate& number) {
  return ((number.lower + number.upper) / Rational(2)).to_double().value_or(0);
}

std::string latex_mean(const Estimate& number) {
  const double margin = (number.interval->second - number.interval->first) / 2;
  const int places = places_for(margin);
  return fmt::format("${:.{}f} \\pm {:.{}f}$", middle_number(number), places, margin, places);
}

// With more digits where fewer would say none or all.
std::string share_text(double percent, int places) {
  constexpr int kMost = 12;
  const auto is_end = [](double rounded) { return rounded <= 0 || rounded >= 100; };
  std::string text = fmt::format("{:.{}f}", percent, places);
  while (is_end(std::stod(text)) && places < kMost) text = fmt::format("{:.{}f}", percent, ++places);
  return text;
}

// "15.0\,\% [8.6, 23.5]".
std::string latex_share(const Estimate& number) {
  const double low = 100 * number.interval->first;
  const double high = 100 * number.interval->second;
  const int places = high > low ? places_for((high - low) / 2) : 0;
  const bool is_none = number.upper == Rational(0);
  const bool is_all = number.lower == Rational(1);
  std::string text = is_none ? "0" : is_all ? "100" : share_text(100 * middle_number(number), places);
  return fmt::format("{}\\,\\% [{:.{}f}, {:.{}f}]", text, low, places, high, places);
}

std::string latex_number(const std::optional<Estimate>& number, StatisticKind kind) {
  if (!number) return "--";
  const bool is_spread = number->interval && number->interval->first < number->interval->second;
  if (kind == StatisticKind::share) {
    return is_spread ? latex_share(*number) : latex_words(readable(Estimate{number->lower, number->upper, {}}, kind));
  }
  if (is_spread) return latex_mean(*number);
  const std::string low = latex_decimal(short_decimal(number->lower));
  const std::string high = latex_decimal(short_decimal(number->upper));
  return low == high ? low : low + " to " + high;
}

// About how many characters wide a text of LaTeX is.
std::size_t latex_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\') {
      const std::size_t begin = i;
      while (i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i + 1])) != 0) ++i;
      if (i == begin) ++i;
      ++width;
    } else if (std::string_view("{}$^").find(c) == std::string_view::npos &&
               (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++width;
    }
  }
  return width;
}

// The words of a heading below each other, so that it is hardly wider than what stands below it.
std::vector<std::string> broken_heading(const std::string& heading, std::size_t width) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < heading.size()) {
    const std::size_t end = std::min(heading.find(' ', begin), heading.size());
    const std::string word = heading.substr(begin, end - begin);
    if (!lines.empty() && latex_width(lines.back()) + 1 + latex_width(word) <= width) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
    begin = end + 1;
  }
  return lines;
}

// A table of LaTeX: its headings, its rows, and how wide it is.
struct LatexTable {
  std::vector<std::vector<std::string>> headings;  // lines, by column
  std::vector<std::vector<std::string>> rows;
  std::size_t labels = 0;  // columns to the left

  std::size_t width() const {
    std::size_t sum = 0;
    for (std::size_t c = 0; c < headings.size(); ++c) sum += column_width(c) + 2;
    return sum;
  }

  std::size_t column_width(std::size_t column) const {
    std::size_t width = 0;
    for (const std::string& line : headings[column]) width = std::max(width, latex_width(line));
    for (const auto& row : rows) width = std::max(width, latex_width(row[column]));
    return width;
  }
};

LatexTable latex_table(const ReportedTable& table) {
  LatexTable result;
  result.labels = table.headings.size();
  for (const ReportedRow& row : table.rows) {
    auto& cells = result.rows.emplace_back();
    for (const std::string& label : row.labels) cells.push_back(latex_text(label));
    for (std::size_t c = 0; c < row.numbers.size(); ++c) {
      cells.push_back(latex_number(row.numbers[c], table.columns[c].kind));
    }
  }
  std::vector<std::string> headings;
  for (const std::string& heading : table.headings) headings.push_back(latex_text(experiments::spelled_out(heading)));
  for (const auto& column : table.columns) headings.push_back(latex_text(column.words));
  for (std::size_t c = 0; c < headings.size(); ++c) {
    constexpr std::size_t kNarrowest = 10;
    std::size_t width = kNarrowest;
    for (const auto& row : result.rows) width = std::max(width, latex_width(row[c]));
    result.headings.push_back(broken_heading(headings[c], width));
  }
  return result;
}

std::string heading_row(const LatexTable& table) {
  std::vector<std::string> cells;
  for (std::size_t c = 0; c < table.headings.size(); ++c) {
    const auto& lines = table.headings[c];
    cells.push_back(lines.size() == 1 ? lines.front()
                                      : fmt::format("\\begin{{tabular}}[b]{{@{{}}{}@{{}}}}{}\\end{{tabular}}",
                                                    c < table.labels ? 'l' : 'r', fmt::join(lines, "\\\\")));
  }
  return fmt::format("{} \\\\\n", fmt::join(cells, " & "));
}

std::string body_rows(const LatexTable& table) {
  std::string text;
  for (const auto& row : table.rows) text += fmt::format("{} \\\\\n", fmt::join(row, " & "));
  return text;
}

std::string alignment_of(const LatexTable& table) {
  return std::string(table.labels, 'l') + std::string(table.headings.size() - table.labels, 'r');
}

// Of labels: "tab:small-1".
std::string label_name(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    result += is_plain ? c : '-';
  }
  return result;
}

constexpr std::string_view kLatexIntervalNote =
    "$\\pm$ and brackets: 95\\,\\% intervals (means: Student; shares: Clopper and Pearson).";

std::string floating_table(const LatexTable& table, const std::string& caption, const std::string& label,
                           bool has_note) {
  const bool is_wide = table.width() > kWidest;
  std::string text = "\\begin{table}[htbp]\n\\centering\n";
  text += fmt::format("\\caption{{{}}}\n\\label{{{}}}\n", caption, label);
  if (is_wide) text += "\\resizebox{\\linewidth}{!}{%\n";
  text += fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n{}\\midrule\n{}\\bottomrule\n\\end{{tabular}}",
                      alignment_of(table), heading_row(table), body_rows(table));
  text += is_wide ? "}\n" : "\n";
  if (has_note) text += fmt::format("\n\\smallskip\n{{\\footnotesize {}}}\n", kLatexIntervalNote);
  return text + "\\end{table}\n";
}

// Over several pages, each with the headings.
std::string long_table(const std::string& columns, const std::string& headings, const std::string& rows,
                       const std::string& caption, const std::string& label) {
  return fmt::format(
      "\\begin{{longtable}}{{{}}}\n\\caption{{{}}}\n\\label{{{}}}\\\\\n\\toprule\n{}\\midrule\n\\endfirsthead\n"
      "\\toprule\n{}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n{}\\end{{longtable}}\n",
      columns, caption, label, headings, headings, rows);
}

std::string table_latex(const ReportedTable& table, const std::string& caption, const std::string& label) {
  const LatexTable made = latex_table(table);
  if (made.rows.size() <= kLongest) return floating_table(made, caption, label, shows_intervals(table));
  std::string text = long_table(alignment_of(made), heading_row(made), body_rows(made), caption, label);
  if (shows_intervals(table)) text += fmt::format("{{\\footnotesize {}}}\n\n", kLatexIntervalNote);
  if (made.width() <= kWidest) return text;
  return "{\\footnotesize\\setlength{\\tabcolsep}{3pt}\n" + text + "}\n";
}

std::string caption_of(const ExperimentFindings& findings, const std::string& title) {
  const Description& description = findings.description;
  const std::string& whole = description.title.empty() ? description.name : description.title;
  return latex_text(title.empty() ? whole : title);
}

std::string tables_latex(const ExperimentFindings& findings) {
  std::string text;
  std::size_t number = 0;
  for (const auto& item : findings.report.items) {
    const auto* const table = std::get_if<ReportedTable>(&item);
    if (table == nullptr || table->rows.empty()) continue;
    text += "\n" + table_latex(*table, caption_of(findings, table->title),
                               fmt::format("tab:{}-{}", label_name(findings.description.name), ++number));
  }
  return text;
}

std::string figures_latex(const ExperimentFindings& findings, const std::string& folder) {
  std::string text;
  for (const auto& item : findings.report.items) {
    const auto* const figure = std::get_if<ReportedFigure>(&item);
    if (figure == nullptr) continue;
    std::string caption = caption_of(findings, figure->request.title);
    // Ranks stand in the picture; of panels the tests, too.
    if (figure->panels.empty()) {
      for (const auto& ranking : figure->rankings) caption += ". " + latex_words(ranking_text(*figure, ranking));
    }
    text += fmt::format(
        "\n\\begin{{figure}}[htbp]\n\\centering\n\\includegraphics[width=\\linewidth]{{{}/{}}}\n\\caption{{{}}}\n"
        "\\label{{fig:{}}}\n\\end{{figure}}\n",
        folder, figure->request.name, caption, figure->request.name);
  }
  return text;
}

std::string verdict_row(const ExpectationVerdict& verdict) {
  static constexpr TextMark kAsItIs = [](std::string_view text) { return std::string(text); };
  const auto& expectation = verdict.expectation;
  const std::string printed = printed_text(expectation, kAsItIs);
  return fmt::format("{} & {} & {} & {} & {} \\\\\n", latex_words(expectation.says),
                     printed.empty() ? "--" : latex_words(printed), latex_words(found_text(verdict, kAsItIs)),
                     latex_words(accepted_text(expectation, kAsItIs)), word_of(verdict.outcome));
}

std::string verdicts_latex(const ExperimentFindings& findings) {
  const auto& report = findings.report;
  if (report.verdicts.empty()) return "";
  std::string rows;
  for (const ExpectationVerdict& verdict : report.verdicts) {
    if (!rows.empty()) rows += "\\addlinespace\n";
    rows += verdict_row(verdict);
  }
  const std::string caption = fmt::format(
      "What was expected: of {}, {} met, {} not met, {} not decided",
      plural(maxplus::Integer(report.verdicts.size()), "expectation"), report.count(ExpectationOutcome::met),
      report.count(ExpectationOutcome::not_met), report.count(ExpectationOutcome::undecided));
  constexpr std::string_view kColumn = ">{\\raggedright\\arraybackslash}p{";
  return fmt::format("\n{{\\footnotesize\\setlength{{\\tabcolsep}}{{4pt}}\n{}}}\n",
                     long_table(fmt::format("{0}0.25\\linewidth}}{0}0.18\\linewidth}}{0}0.16\\linewidth}}"
                                            "{0}0.2\\linewidth}}l",
                                            kColumn),
                                "claim & the paper & found & accepted & verdict \\\\\n", rows, caption,
                                fmt::format("tab:{}-expected", label_name(findings.description.name))));
}

std::string whole_text(const ExperimentFindings& findings) {
  const auto& description = findings.description;
  std::string text =
      fmt::format("{} draws of {}, seed {}", findings.report.draws, description.generator->name, description.seed);
  if (description.source == "takt") return text + ", takt's own";
  return description.source.empty() ? text : text + ", after " + description.source;
}

// What no table says: that draws are not there, or have no result.
std::string missing_latex(const ExperimentFindings& findings) {
  const auto& report = findings.report;
  std::string text;
  if (!report.is_complete()) {
    text += fmt::format("\n\\textbf{{Not complete}}: {} of {} draws are there.\n", report.draws, report.described);
  }
  if (report.failed > 0) {
    text += fmt::format("\nWithout a result, so that no number holds them: {} of draws and series.\n",
                        plural(maxplus::Integer(report.failed), "pair"));
  }
  return text;
}

std::string begin_document(const ExperimentFindings& findings) {
  std::string text =
      "\\documentclass{article}\n\\usepackage[margin=25mm]{geometry}\n"
      "\\usepackage{array,booktabs,longtable,graphicx}\n"
      "\\setlength{\\belowcaptionskip}{6pt}\n\\begin{document}\n";
  text += fmt::format("\\section*{{{}}}\n{}.\n", caption_of(findings, ""), latex_text(whole_text(findings)));
  if (findings.description.notes.empty()) return text;
  text += "\\begin{itemize}\n";
  for (const std::string& note : findings.description.notes) text += "\\item " + latex_text(note) + "\n";
  return text + "\\end{itemize}\n";
}

std::string begin_part(const ExperimentFindings& findings) {
  const Description& description = findings.description;
  std::string text = fmt::format("% {}: {}\n% for \\input; needs \\usepackage{{array,booktabs,longtable,graphicx}}\n",
                                 tpn::visible(description.title.empty() ? description.name : description.title),
                                 tpn::visible(whole_text(findings)));
  for (const std::string& note : description.notes) text += "% - " + tpn::visible(note) + "\n";
  return text;
}

}  // namespace

std::string report_latex(const ExperimentFindings& findings, const LatexOptions& options) {
  std::string text = options.is_document ? begin_document(findings) : begin_part(findings);
  text += missing_latex(findings) + tables_latex(findings);
  if (options.figures) text += figures_latex(findings, *options.figures);
  text += verdicts_latex(findings);
  return options.is_document ? text + "\\end{document}\n" : text;
}

}  // namespace takt::tools

// Reports as Markdown, which is to be read as it stands as well.
#include <fmt/format.h>

#include <algorithm>

#include "tools/experiment/plot_ranks.hpp"
#include "tools/experiment/report_numbers.hpp"
#include "tools/experiment/report_writer.hpp"
#include "tools/experiment/verdict_words.hpp"
#include "tools/files/files.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

using experiments::Description;
using experiments::Expectation;
using experiments::ExpectationOutcome;
using experiments::ExpectationVerdict;
using experiments::ReportedFigure;
using experiments::ReportedRow;
using experiments::ReportedTable;

namespace {

// A user's text in a line of Markdown.
std::string marked(std::string_view text) {
  std::string result;
  for (const char c : tpn::visible(text)) {
    if (std::string_view("\\`*[]|<").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

// "benoit2009throughput, Table 2" with its key in brackets.
std::string source_text(const std::string& source) {
  const std::size_t end = std::min(source.find(','), source.size());
  const bool is_key = end > 0 && std::all_of(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(end),
                                             [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
  if (!is_key) return marked(source);
  return "[" + source.substr(0, end) + "]" + marked(source.substr(end));
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t width, bool is_right) {
  const std::string blanks(width - width_of(text), ' ');
  return is_right ? blanks + text : text + blanks;
}

// Columns as wide as their cells; the first `labels` to the left, the others to the right.
std::string table_text(const std::vector<std::vector<std::string>>& lines, std::size_t labels) {
  std::vector<std::size_t> widths(lines.front().size(), 3);
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], width_of(line[c]));
  }
  std::string text;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    for (std::size_t c = 0; c < widths.size(); ++c) text += "| " + padded(lines[l][c], widths[c], c >= labels) + " ";
    text += "|\n";
    if (l > 0) continue;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      text += "|" + std::string(widths[c] + (c < labels ? 2 : 1), '-') + (c < labels ? "" : ":");
    }
    text += "|\n";
  }
  return text;
}

std::string table_markdown(const ReportedTable& table) {
  std::vector<std::vector<std::string>> lines(1);
  for (const std::string& heading : table.headings) lines[0].push_back(marked(experiments::spelled_out(heading)));
  for (const auto& column : table.columns) lines[0].push_back(marked(column.words));
  for (const ReportedRow& row : table.rows) {
    auto& line = lines.emplace_back();
    for (const std::string& label : row.labels) line.push_back(marked(label));
    for (std::size_t c = 0; c < row.numbers.size(); ++c) {
      line.push_back(readable(row.numbers[c], table.columns[c].kind));
    }
  }
  return table_text(lines, table.headings.size());
}

constexpr std::string_view kIntervalNote =
    "± and ranges in parentheses: 95 % confidence intervals (means: Student; shares: Clopper and Pearson).";

std::string figure_markdown(const ReportedFigure& figure) {
  std::string text = fmt::format("Figure `{}`", figure.request.name);
  if (!figure.request.title.empty()) text += ": " + marked(figure.request.title);
  text += ".\n";
  for (const auto& ranking : figure.rankings) text += "  - " + marked(whole_ranking_text(figure, ranking)) + "\n";
  return text;
}

std::string verdict_markdown(const ExpectationVerdict& verdict) {
  const Expectation& expectation = verdict.expectation;
  std::string text = fmt::format("- **{}**, {}: {}\\\n  ", word_of(verdict.outcome), claim_text(expectation.claim),
                                 marked(expectation.says));
  const std::string printed = printed_text(expectation, marked);
  if (!printed.empty()) text += (expectation.printed.empty() ? "paper " : "paper: ") + printed + "; ";
  if (!verdict.places.empty()) text += "found ";
  text += found_text(verdict, marked) + missed_places_text(verdict, marked);
  text += "; accepted: " + accepted_text(expectation, marked) + "\n";
  if (!expectation.why.empty() && verdict.outcome != ExpectationOutcome::met)
    text.insert(text.size() - 1, "\\\n  " + marked(expectation.why));
  return text;
}

std::string head_markdown(const ExperimentFindings& findings) {
  const Description& description = findings.description;
  std::string text = "## " + marked(description.title.empty() ? description.name : description.title) + "\n\n";
  text += fmt::format("Experiment `{}`", tpn::visible(description.name));
  if (description.source == "takt") {
    text += ", takt's own";
  } else if (!description.source.empty()) {
    text += ", after " + source_text(description.source);
  }
  text += fmt::format(": {} draws of `{}`, seed {}.\n", findings.report.draws, description.generator->name,
                      description.seed);
  if (!findings.report.is_complete()) {
    text += fmt::format("\n**Not complete**: {} of {} draws are there.\n", findings.report.draws,
                        findings.report.described);
  }
  if (!description.notes.empty()) text += '\n';
  for (const std::string& note : description.notes) text += "- " + marked(note) + "\n";
  return text;
}

// A draw to look at: one that a table names, else the first.
std::string draw_command(const ExperimentFindings& findings, const ReportedTable& table) {
  const ReportedRow* row = &table.rows.front();
  std::uint64_t draw = 0;
  for (const ReportedRow& other : table.rows) {
    const auto named = std::ranges::find_if(other.numbers, [](const auto& number) { return number && number->draw; });
    if (named == other.numbers.end()) continue;
    row = &other;
    draw = *(*named)->draw;
    break;
  }
  const std::string& name = findings.description.cells[row->cell].name;
  // A name that cannot be shown as it is, is not to be typed either.
  const bool is_plain = tpn::visible(name) == name && name.find('`') == std::string::npos;
  return fmt::format("takt experiment draw {} --cell {} --draw {}", tpn::visible(shell_word(findings.directory)),
                     is_plain ? shell_word(name) : std::to_string(row->cell), draw);
}

std::string tables_markdown(const ExperimentFindings& findings) {
  std::string text;
  const ReportedTable* first = nullptr;
  for (const auto& item : findings.report.items) {
    const auto* const table = std::get_if<ReportedTable>(&item);
    if (table == nullptr || table->rows.empty()) continue;
    if (!table->title.empty()) text += "\n### " + marked(table->title) + "\n";
    text += "\n" + table_markdown(*table);
    if (shows_intervals(*table)) text += fmt::format("\n{}\n", kIntervalNote);
    if (first == nullptr) first = table;
  }
  if (first != nullptr) text += "\nOne of these draws as a document: `" + draw_command(findings, *first) + "`\n";
  return text;
}

std::string figures_markdown(const ExperimentFindings& findings) {
  std::string text;
  for (const auto& item : findings.report.items) {
    if (const auto* const figure = std::get_if<ReportedFigure>(&item)) text += "- " + figure_markdown(*figure);
  }
  if (text.empty()) return text;
  return fmt::format("\n### Figures\n\nDrawn by `takt experiment plot {}`:\n\n{}",
                     tpn::visible(shell_word(findings.directory)), text);
}

std::string verdicts_markdown(const ExperimentFindings& findings) {
  const auto& report = findings.report;
  if (report.verdicts.empty()) return "";
  std::string text = fmt::format("\n### What was expected\n\nOf {}, {} met, {} not met, {} not decided.\n\n",
                                 plural(maxplus::Integer(report.verdicts.size()), "expectation"),
                                 report.count(ExpectationOutcome::met), report.count(ExpectationOutcome::not_met),
                                 report.count(ExpectationOutcome::undecided));
  for (const ExpectationVerdict& verdict : report.verdicts) text += verdict_markdown(verdict);
  return text;
}

std::string failures_markdown(const ExperimentFindings& findings) {
  const auto& report = findings.report;
  if (report.failed == 0) return "";
  std::string text = fmt::format("\n### Without a result\n\n{} of draws and series, which no number above holds:\n\n",
                                 plural(maxplus::Integer(report.failed), "pair"));
  constexpr std::size_t kNamed = 20;
  for (std::size_t i = 0; i < report.failures.size() && i < kNamed; ++i) {
    const auto& failure = report.failures[i];
    std::vector<std::string> words = {findings.description.cells[failure.cell].name};
    for (const auto& pair : failure.series) words.push_back(pair.second);
    text += fmt::format("- draw {} of {}: {}\n", failure.draw, marked(fmt::format("{}", fmt::join(words, ", "))),
                        marked(failure.reason));
  }
  if (report.failed > kNamed) text += fmt::format("- and {} more\n", report.failed - kNamed);
  return text;
}

}  // namespace

std::string report_markdown(const ExperimentFindings& findings) {
  return head_markdown(findings) + tables_markdown(findings) + figures_markdown(findings) +
         verdicts_markdown(findings) + failures_markdown(findings);
}

}  // namespace takt::tools

// Reports as Markdown, CSV and JSON: whole texts of a small one, and hostile names.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/experiment/report_numbers.hpp"
#include "tools/experiment/report_writer.hpp"
#include "tools/words/latex.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using experiments::Estimate;
using experiments::ExpectationOutcome;
using experiments::StatisticKind;
using maxplus::Rational;

const char* const kReportedText = R"({
  "name": "small", "title": "A small one", "source": "benoit2009throughput, Table 2", "seed": 5, "study": "evaluate",
  "notes": ["A note, with a | and a *."],
  "generator": {"name": "replicated-mapping", "stages": 2},
  "grid": {"draws": 10, "processors": [3, 4]}, "models": ["strict"]
})";

std::optional<Estimate> exactly(const Rational& number) { return Estimate{number, number, {}}; }

experiments::ReportedTable small_table() {
  experiments::ReportedTable table;
  table.title = "Gaps";
  table.headings = {"processors"};
  table.columns = {{"share gap > 0", StatisticKind::share, "share with gap > 0"},
                   {"largest gap", StatisticKind::largest, "largest gap"},
                   {"mean", StatisticKind::mean, "mean"}};
  table.rows.push_back(
      {0,
       {"3"},
       {},
       {exactly(Rational::fraction(1, 3)), Estimate{Rational::fraction(2, 7), Rational::fraction(2, 7), 4},
        Estimate{Rational::fraction(1, 3), Rational::fraction(1, 2), {}}}});
  table.rows.push_back({1,
                        {"4"},
                        {},
                        {Estimate{0, 0, {}, std::pair(0.0, 0.25)}, std::nullopt,
                         Estimate{Rational::fraction(5, 4), Rational::fraction(5, 4), {}, std::pair(1.0, 1.5)}}});
  return table;
}

experiments::ExpectationVerdict small_verdict() {
  experiments::ExpectationVerdict verdict;
  verdict.expectation.says = "the mean is small";
  verdict.expectation.paper = Rational(1);
  verdict.expectation.claim = experiments::ClaimSource::words;
  verdict.expectation.confidence = Rational::fraction(19, 20);
  verdict.expectation.printed = "a small one, at most 1|";
  verdict.expectation.why = "The law is not known.";
  verdict.expectation.low = Rational::fraction(1, 2);
  verdict.expectation.high = 1;
  verdict.expectation.at_least = Rational::fraction(9, 10);
  verdict.outcome = ExpectationOutcome::not_met;
  verdict.places = {{"processors 3", ExpectationOutcome::undecided, std::nullopt, "a number is missing", {}},
                    {"processors 4", ExpectationOutcome::not_met, exactly(Rational::fraction(5, 4)), "", {}}};
  return verdict;
}

experiments::ExperimentReport small_report() {
  experiments::ExperimentReport report;
  report.draws = 19;
  report.described = 20;
  experiments::ReportedFigure figure;
  figure.request.name = "gaps";
  figure.request.title = "The gaps";
  report.items = {small_table(), figure};
  report.verdicts = {small_verdict()};
  report.failed = 1;
  report.failures = {{1, 7, {{"model", "strict"}}, "the time was up"}};
  return report;
}

tools::ExperimentFindings small_findings(const experiments::Description& description) {
  return {description, small_report(), "my run"};
}

}  // namespace

TEST_CASE("a report in Markdown has tables, figures, verdicts and what is missing") {
  const experiments::Description description = experiments::read_description(kReportedText, "small.json");
  CHECK(tools::report_markdown(small_findings(description)) ==
        R"(## A small one

Experiment `small`, after [benoit2009throughput], Table 2: 19 draws of `replicated-mapping`, seed 5.

**Not complete**: 19 of 20 draws are there.

- A note, with a \| and a \*.

### Gaps

| processors | share with gap > 0 |            largest gap |           mean |
|------------|-------------------:|-----------------------:|---------------:|
| 3          |            33.33 % | 0.28571 = 2/7 (draw 4) | 0.33333 to 0.5 |
| 4          |      0 % (0 to 25) |                      - |    1.25 ± 0.25 |

± and ranges in parentheses: 95 % confidence intervals (means: Student; shares: Clopper and Pearson).

One of these draws as a document: `takt experiment draw 'my run' --cell 'processors 3' --draw 4`

### Figures

Drawn by `takt experiment plot 'my run'`:

- Figure `gaps`: The gaps.

### What was expected

Of 1 expectation, 0 met, 1 not met, 0 not decided.

- **not met**, the paper's words, our threshold: the mean is small\
  paper: a small one, at most 1\|; found 1.25, met in 0 of 2 where 90.0 % is asked for; not met in processors 4 (1.25); not decided in processors 3 (- a number is missing); accepted: 0.5 to 1; t tests, Holm's correction over all places, at 5.0 %\
  The law is not known.

### Without a result

1 pair of draws and series, which no number above holds:

- draw 7 of processors 4, strict: the time was up
)");
}

TEST_CASE("a report in LaTeX has tables with rules, digits that intervals leave, and verdicts as a table") {
  const experiments::Description description = experiments::read_description(kReportedText, "small.json");
  CHECK(tools::report_latex(small_findings(description), {}) ==
        R"(% A small one: 19 draws of replicated-mapping, seed 5, after benoit2009throughput, Table 2
% for \input; needs \usepackage{array,booktabs,longtable,graphicx}
% - A note, with a | and a *.

\textbf{Not complete}: 19 of 20 draws are there.

Without a result, so that no number holds them: 1 pair of draws and series.

\begin{table}[htbp]
\centering
\caption{Gaps}
\label{tab:small-1}
\begin{tabular}{lrrr}
\toprule
processors & \begin{tabular}[b]{@{}r@{}}share with\\gap $>$ 0\end{tabular} & \begin{tabular}[b]{@{}r@{}}largest\\gap\end{tabular} & mean \\
\midrule
3 & 33.33\,\% & 0.28571 & 0.33333 to 0.5 \\
4 & 0\,\% [0, 25] & -- & $1.25 \pm 0.25$ \\
\bottomrule
\end{tabular}

\smallskip
{\footnotesize $\pm$ and brackets: 95\,\% intervals (means: Student; shares: Clopper and Pearson).}
\end{table}

{\footnotesize\setlength{\tabcolsep}{4pt}
\begin{longtable}{>{\raggedright\arraybackslash}p{0.25\linewidth}>{\raggedright\arraybackslash}p{0.18\linewidth}>{\raggedright\arraybackslash}p{0.16\linewidth}>{\raggedright\arraybackslash}p{0.2\linewidth}l}
\caption{What was expected: of 1 expectation, 0 met, 1 not met, 0 not decided}
\label{tab:small-expected}\\
\toprule
claim & the paper & found & accepted & verdict \\
\midrule
\endfirsthead
\toprule
claim & the paper & found & accepted & verdict \\
\midrule
\endhead
\bottomrule
\endfoot
the mean is small & a small one, at most 1\textbar{} & 1.25, met in 0 of 2 where 90.0\,\% is asked for & 0.5 to 1; t tests, Holm's correction over all places, at 5.0\,\% & not met \\
\end{longtable}
}
)");
}

TEST_CASE("in LaTeX a document stands by itself, figures are included, and long tables go over pages") {
  const experiments::Description description = experiments::read_description(kReportedText, "small.json");
  tools::ExperimentFindings findings = small_findings(description);
  experiments::ReportedTable table = small_table();
  while (table.rows.size() < 50) table.rows.push_back(table.rows.front());
  findings.report.items.emplace_back(table);
  const std::string whole = tools::report_latex(findings, {.is_document = true, .figures = "../pictures"});
  CHECK_THAT(whole, Catch::StartsWith("\\documentclass{article}\n") && Catch::EndsWith("\\end{document}\n"));
  CHECK_THAT(whole, Contains("\\section*{A small one}\n") && Contains("\\item A note, with a \\textbar{} and a *.\n"));
  CHECK_THAT(whole, Contains("\\includegraphics[width=\\linewidth]{../pictures/gaps}\n\\caption{The gaps}\n"
                             "\\label{fig:gaps}\n"));
  CHECK_THAT(whole, Contains("\\begin{longtable}{lrrr}\n\\caption{Gaps}\n\\label{tab:small-2}\\\\\n"));
  CHECK_THAT(tools::report_latex(findings, {}), !Contains("includegraphics") && !Contains("begin{document}"));
}

TEST_CASE("numbers in LaTeX have as many digits as their intervals leave") {
  const experiments::Description description = experiments::read_description(kReportedText, "small.json");
  experiments::ReportedTable table;
  table.headings = {"data_sets"};
  const auto number = [](const Rational& value, double low, double high) {
    return Estimate{value, value, {}, std::pair(low, high)};
  };
  const auto row = [&](const std::optional<Estimate>& mean, const std::optional<Estimate>& share) {
    table.rows.push_back({0, {"1"}, {}, {mean, share}});
  };
  table.columns = {{"m", StatisticKind::mean, "m"}, {"s", StatisticKind::share, "s"}};
  row(number(Rational::fraction(55381, 10000), 5.38, 5.70), number(Rational::fraction(15, 100), 0.0865, 0.2353));
  row(number(1234, 1134, 1334), number(1, 0.9638, 1));
  row(exactly(Rational::fraction(-1, 2)), exactly(Rational::fraction(1, 3)));
  row(exactly(Rational::fraction(3, 2000000)), number(Rational::fraction(113095, 2000000), 0.05623, 0.05687));
  row(number(Rational::fraction(1, 3), 1.0 / 3, 1.0 / 3), number(Rational::fraction(9999, 10000), 0.9, 1));
  experiments::ExperimentReport report;
  report.items = {table};
  CHECK_THAT(tools::report_latex({description, report, "run"}, {}),
             Contains("data sets & m & s \\\\\n\\midrule\n"
                      "1 & $5.54 \\pm 0.16$ & 15.0\\,\\% [8.6, 23.5] \\\\\n"
                      "1 & $1234 \\pm 100$ & 100\\,\\% [96.4, 100.0] \\\\\n"
                      "1 & $-0.5$ & 33.33\\,\\% \\\\\n"
                      "1 & $1.5 \\cdot 10^{-6}$ & 5.655\\,\\% [5.623, 5.687] \\\\\n"
                      "1 & 0.33333 & 99.99\\,\\% [90.0, 100.0] \\\\\n"));
}

TEST_CASE("a report in CSV has a line for each number, exact and decimal") {
  const experiments::Description description = experiments::read_description(kReportedText, "small.json");
  CHECK(tools::report_csv(small_findings(description)) ==
        "item,name,place,what,exact,decimal,lower,upper,draw,interval_low,interval_high\r\n"
        "table,Gaps,processors 3,share gap > 0,1/3,0.333333,1/3,1/3,,,\r\n"
        "table,Gaps,processors 3,largest gap,2/7,0.285714,2/7,2/7,4,,\r\n"
        "table,Gaps,processors 3,mean,,0.416667,1/3,1/2,,,\r\n"
        "table,Gaps,processors 4,share gap > 0,0,0,0,0,,0,0.25\r\n"
        "table,Gaps,processors 4,largest gap,,,,,,,\r\n"
        "table,Gaps,processors 4,mean,5/4,1.25,5/4,5/4,,1,1.5\r\n"
        "expectation,the mean is small,processors 3,not decided,,,,,,,\r\n"
        "expectation,the mean is small,processors 4,not met,5/4,1.25,5/4,5/4,,,\r\n");
}

TEST_CASE("a report in JSON has all of it") {
  const experiments::Description description = experiments::read_description(kReportedText, "small.json");
  const auto json = nlohmann::json::parse(tools::report_json(small_findings(description)));
  CHECK(json["draws"] == 20);
  CHECK(json["draws_done"] == 19);
  CHECK(json["file"] == "my run");
  CHECK(json["items"][0]["rows"][0]["numbers"][1] ==
        nlohmann::json{{"value", "2/7"}, {"value_decimal", 2.0 / 7}, {"draw", 4}});
  CHECK(json["items"][0]["rows"][0]["numbers"][2]["value_lower_bound"] == "1/3");
  CHECK(json["items"][0]["rows"][1]["numbers"][1].is_null());
  CHECK(json["items"][1]["name"] == "gaps");
  CHECK(json["items"][0]["rows"][1]["numbers"][0]["interval_95"] == nlohmann::json{0.0, 0.25});
  CHECK(json["expectations"][0]["claim_source"] == "words");
  CHECK(json["expectations"][0]["printed"] == "a small one, at most 1|");
  CHECK(json["expectations"][0]["why"] == "The law is not known.");
  CHECK(json["expectations"][0]["confidence"] == 0.95);
  CHECK(json["expectations"][0]["outcome"] == "not met");
  CHECK(json["expectations"][0]["high"] == "1");
  CHECK(json["expectations"][0]["places"][1]["number"]["value"] == "5/4");
  CHECK(json["failures"][0]["reason"] == "the time was up");
}

TEST_CASE("a report in JSON rounds long numbers, bounds outward, unless it is asked for all digits") {
  const experiments::Description description = experiments::read_description(kReportedText, "small.json");
  tools::ExperimentFindings findings = small_findings(description);
  const Rational lengthy = Rational::fraction(1, 3) / Rational(maxplus::Integer("1" + std::string(50, '0')));
  auto& numbers = std::get<experiments::ReportedTable>(findings.report.items[0]).rows[0].numbers;
  numbers[0] = exactly(lengthy);
  numbers[2] = Estimate{-lengthy, lengthy, {}};
  const auto brief = nlohmann::json::parse(tools::report_json(findings))["items"][0]["rows"][0]["numbers"];
  CHECK(brief[0]["value_rounded"] == "3.3333333333333333333e-51");
  CHECK(brief[0].size() == 3);
  CHECK(brief[2]["value_lower_bound_rounded"] == "-3.3333333333333333334e-51");
  CHECK(brief[2]["value_upper_bound_rounded"] == "3.3333333333333333334e-51");
  CHECK(brief[2]["value_upper_bound_crc64"] == brief[0]["value_crc64"]);
  CHECK(brief[2]["value_lower_bound_crc64"] != brief[0]["value_crc64"]);
  findings.is_exact = true;
  const auto exact = nlohmann::json::parse(tools::report_json(findings))["items"][0]["rows"][0]["numbers"];
  CHECK(exact[0]["value"] == lengthy.to_string());
  CHECK(exact[2]["value_lower_bound"] == (-lengthy).to_string());
  const Outcome refused = takt({"experiment", "report", "nowhere", "--exact"});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("--exact: found --format md, expected json or csv, which have exact numbers"));
}

TEST_CASE("names of users do no harm in reports") {
  const std::string text = R"json({"name": "a\u001b[31m", "title": "<b> | `x` [y](z)", "study": "evaluate",
    "generator": "replicated-mapping", "cells": [{"name": "it's, \"so\"\u001b", "draws": 1}], "models": ["strict"]})json";
  const experiments::Description description = experiments::read_description(text, "small.json");
  experiments::ExperimentReport report;
  experiments::ReportedTable table;
  table.headings = {"cell"};
  table.columns = {{"draws", StatisticKind::draws, "draws"}};
  table.rows = {{0, {description.cells[0].name}, {}, {exactly(1)}}};
  report.items = {table};
  const tools::ExperimentFindings findings{description, report, "run"};
  const std::string markdown = tools::report_markdown(findings);
  CHECK_THAT(markdown, Contains("## \\<b> \\| \\`x\\` \\[y\\](z)\n") && !Contains("\x1b") && Contains("--cell 0 "));
  CHECK_THAT(tools::report_csv(findings), Contains("\"it's, \"\"so\"\"") && Contains(",draws,1,1,1,1,"));
  CHECK(nlohmann::json::parse(tools::report_json(findings))["experiment"] == "a\x1b[31m");
}

TEST_CASE("what is special in LaTeX stands for itself") {
  CHECK(tools::latex_text("a_b & 50% of $x {y} #1 ~^\\|") ==
        "a\\_b \\& 50\\% of \\$x \\{y\\} \\#1 \\~{}\\^{}\\textbackslash{}\\textbar{}");
  CHECK(tools::latex_text("x <= 1 and y>=2, z != 3 < 4 > 5 ± 6") ==
        "x $\\le$ 1 and y$\\ge$2, z $\\ne$ 3 $<$ 4 $>$ 5 $\\pm$ 6");
  CHECK(tools::latex_text("\"so\" it (\"is\"), it's") == "``so'' it (``is''), it's");
  CHECK(tools::latex_text("Möbius\x1b[1m") == "Möbius\\textbackslash{}u001b[1m");
}

TEST_CASE("numbers of experiments are short, and never look like more than they are") {
  CHECK(tools::short_decimal(Rational::fraction(692, 3)) == "230.67");
  CHECK(tools::short_decimal(1234567) == "1234567");
  CHECK(tools::short_decimal(Rational::fraction(1234567, 2)) == "617284");
  CHECK(tools::short_decimal(Rational::fraction(1, 100'000)) == "1e-05");
  CHECK(tools::readable(exactly(Rational::fraction(99'999, 100'000)), StatisticKind::share) == "> 99.99 %");
  CHECK(tools::readable(exactly(1), StatisticKind::share) == "100 %");
  CHECK(tools::readable(exactly(Rational::fraction(7, 2)), StatisticKind::quantile) == "3.5");
  CHECK(tools::readable(exactly(Rational::fraction(7, 3)), StatisticKind::mean) == "2.3333");
  CHECK(tools::exact_text(Estimate{1, 2, {}}) == "1..2");
  CHECK(tools::plotted_text(std::nullopt) == "NaN");
}

}  // namespace takt::testing

// Reports as CSV and as JSON.
#include "tools/experiment/report_writer.hpp"

#include <fmt/format.h>

#include <array>
#include <initializer_list>

#include "tools/experiment/brief_numbers.hpp"
#include "tools/experiment/report_numbers.hpp"
#include "tools/words/csv.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

using experiments::BoxNumbers;
using experiments::CheckedPlace;
using experiments::Estimate;
using experiments::Expectation;
using experiments::ExpectationKind;
using experiments::ExpectationVerdict;
using experiments::FigureKind;
using experiments::FigurePoint;
using experiments::FigureSeries;
using experiments::RankedPair;
using experiments::RankGroup;
using experiments::Ranking;
using experiments::RankTest;
using experiments::ReportedFigure;
using experiments::ReportedTable;
using maxplus::Rational;
using tpn::JsonLayout;
using tpn::JsonWriter;

namespace {

// CSV.

void add_line(std::string& text, const std::vector<std::string>& fields) { text += csv_row(fields) + "\r\n"; }

void add_number(std::string& text, std::vector<std::string> fields, const std::optional<Estimate>& number) {
  if (!number) {
    fields.insert(fields.end(), 7, "");
  } else {
    const Rational middle = (number->lower + number->upper) / Rational(2);
    fields.push_back(number->exact() ? number->lower.to_string() : "");
    fields.push_back(decimal(middle));
    fields.push_back(number->lower.to_string());
    fields.push_back(number->upper.to_string());
    fields.push_back(number->draw ? std::to_string(*number->draw) : "");
    fields.push_back(number->interval ? plotted_text(number->interval->first) : "");
    fields.push_back(number->interval ? plotted_text(number->interval->second) : "");
  }
  add_line(text, fields);
}

// JSON.

void write_number(JsonWriter& json, const std::optional<Estimate>& number, bool is_exact) {
  if (!number) return json.value(nullptr);
  json.begin_object(JsonLayout::line);
  if (number->exact()) {
    write_brief(json, "value", number->lower, RoundingDirection::nearest, is_exact);
  } else {
    write_brief(json, "value_lower_bound", number->lower, RoundingDirection::down, is_exact);
    write_brief(json, "value_upper_bound", number->upper, RoundingDirection::up, is_exact);
  }
  if (number->draw) json.member("draw", *number->draw);
  if (number->interval) {
    json.key("interval_95");
    json.begin_array();
    json.value(number->interval->first);
    json.value(number->interval->second);
    json.end();
  }
  json.end();
}

void write_table(JsonWriter& json, const ReportedTable& table, const ExperimentFindings& findings) {
  json.begin_object();
  json.member("form", "table");
  json.member("title", table.title);
  json.member("headings", table.headings);
  write_list(json, "columns", table.columns, [&](const auto& column) { json.value(column.label); });
  json.key("rows");
  json.begin_array();
  for (const auto& row : table.rows) {
    json.begin_object();
    json.member("cell", findings.description.cells[row.cell].name);
    json.member("labels", row.labels);
    write_list(json, "numbers", row.numbers,
               [&](const auto& number) { write_number(json, number, findings.is_exact); });
    json.end();
  }
  json.end();
  json.end();
}

void write_box(JsonWriter& json, const BoxNumbers& box) {
  json.key("box");
  json.begin_object(JsonLayout::line);
  write_exact(json, "first_quartile", box.first);
  write_exact(json, "third_quartile", box.third);
  write_exact(json, "whisker_low", box.low);
  write_exact(json, "whisker_high", box.high);
  write_exact_list(json, "outside", box.outside);
  json.end();
}

void write_point(JsonWriter& json, const FigurePoint& point, const ReportedFigure& figure, bool is_exact) {
  json.begin_object(JsonLayout::line);
  if (figure.categories.empty()) {
    json.member("x", point.x.to_string());
  } else {
    json.member("x", figure.categories[point.x.numerator().get_ui()]);
  }
  json.key("y");
  write_number(json, point.y, is_exact);
  if (point.deviation) {
    json.key("deviation");
    write_number(json, point.deviation, is_exact);
  }
  if (point.box) write_box(json, *point.box);
  json.end();
}

// Series of a panel, by their places in its order.
void write_places(JsonWriter& json, const ReportedFigure& figure, const Ranking& ranking, std::size_t first,
                  std::size_t last) {
  json.begin_array(JsonLayout::line);
  for (std::size_t place = first; place <= last; ++place) {
    json.value(figure.series[ranking.first_series + ranking.order[place]].label);
  }
  json.end();
}

void write_ranking(JsonWriter& json, const ReportedFigure& figure, const Ranking& ranking) {
  json.begin_object();
  if (!figure.panels.empty()) json.member("panel", figure.panels[ranking.panel]);
  write_count(json, "ranked_blocks", ranking.blocks);
  json.member("ranks_of", figure.request.over_cells ? "cells" : "draws");
  write_exact(json, "friedman", ranking.statistic);
  json.member("p_value", ranking.tail);
  json.member("test", ranking.test == RankTest::nemenyi ? "nemenyi" : "wilcoxon");
  write_exact(json, "level", ranking.level);
  if (ranking.critical_difference) json.member("critical_difference", *ranking.critical_difference);
  if (ranking.test == RankTest::wilcoxon) {
    write_objects(json, "pairs", ranking.pairs, [&](const RankedPair& pair) {
      json.key("pair");
      json.begin_array(JsonLayout::line);
      json.value(figure.series[ranking.first_series + pair.first].label);
      json.value(figure.series[ranking.first_series + pair.second].label);
      json.end();
      json.member("p_value", pair.tail);
    });
  }
  write_list(json, "joined", ranking.groups,
             [&](const RankGroup& group) { write_places(json, figure, ranking, group.first, group.last); });
  write_list(json, "unjoined_pairs", ranking.unjoined, [&](const RankGroup& pair) {
    json.begin_array(JsonLayout::line);
    json.value(figure.series[ranking.first_series + ranking.order[pair.first]].label);
    json.value(figure.series[ranking.first_series + ranking.order[pair.last]].label);
    json.end();
  });
  json.end();
}

void write_figure(JsonWriter& json, const ReportedFigure& figure, bool is_exact) {
  static constexpr std::array<std::string_view, 6> kKinds = {"curve", "whiskers", "histogram",
                                                             "boxes", "profile",  "rank"};
  json.begin_object();
  json.member("form", kKinds[static_cast<std::size_t>(figure.request.kind)]);
  json.member("name", figure.request.name);
  json.member("title", figure.request.title);
  json.member("x_label", figure.request.x_label);
  json.member("y_label", figure.request.y_label);
  if (figure.bin_width) write_exact(json, "bin_width", *figure.bin_width);
  json.key("series");
  json.begin_array();
  for (const FigureSeries& series : figure.series) {
    json.begin_object();
    json.member("label", series.label);
    if (!figure.panels.empty()) json.member("panel", figure.panels[series.panel]);
    write_list(json, "points", series.points,
               [&](const FigurePoint& point) { write_point(json, point, figure, is_exact); });
    json.end();
  }
  json.end();
  if (figure.request.kind == FigureKind::rank) {
    write_list(json, "rankings", figure.rankings,
               [&](const Ranking& ranking) { write_ranking(json, figure, ranking); });
  }
  json.end();
}

std::string_view name_of(ExpectationKind kind) {
  static constexpr std::array<std::string_view, 6> kNames = {"value", "sample", "least", "ratio", "crossing", "apart"};
  return kNames[static_cast<std::size_t>(kind)];
}

void write_expected(JsonWriter& json, const Expectation& expectation) {
  if (expectation.paper) write_exact(json, "paper", *expectation.paper);
  switch (expectation.kind) {
    case ExpectationKind::sample:
      write_count(json, "of", expectation.of);
      if (expectation.among) json.member("among", expectation.among->predicate->text);
      json.member("confidence", expectation.confidence.to_double());
      return;
    case ExpectationKind::least:
      json.member("expected_series", expectation.expected);
      break;
    case ExpectationKind::value:
    case ExpectationKind::ratio:
    case ExpectationKind::crossing:
    case ExpectationKind::apart:
      write_exact(json, "low", expectation.low);
      write_exact(json, "high", expectation.high);
      break;
  }
  if (expectation.confidence.sign() > 0) json.member("confidence", expectation.confidence.to_double());
  write_exact(json, "share_needed", expectation.at_least);
}

void write_verdict(JsonWriter& json, const ExpectationVerdict& verdict, bool is_exact) {
  json.begin_object();
  json.member("says", verdict.expectation.says);
  static constexpr std::array<std::string_view, 3> kClaims = {"paper", "words", "takt"};
  json.member("claim_source", kClaims[static_cast<std::size_t>(verdict.expectation.claim)]);
  json.member("checks", name_of(verdict.expectation.kind));
  json.member("outcome", word_of(verdict.outcome));
  if (!verdict.expectation.printed.empty()) json.member("printed", verdict.expectation.printed);
  if (!verdict.expectation.why.empty()) json.member("why", verdict.expectation.why);
  write_expected(json, verdict.expectation);
  write_objects(json, "places", verdict.places, [&](const CheckedPlace& place) {
    json.member("name", place.name);
    json.member("outcome", word_of(place.outcome));
    json.key("number");
    write_number(json, place.found, is_exact);
    if (!place.remark.empty()) json.member("remark", place.remark);
    if (place.tail) json.member("p_value", *place.tail);
  });
  json.end();
}

}  // namespace

std::string report_csv(const ExperimentFindings& findings) {
  std::string text;
  add_line(text, {"item", "name", "place", "what", "exact", "decimal", "lower", "upper", "draw", "interval_low",
                  "interval_high"});
  for (const auto& item : findings.report.items) {
    const auto* const table = std::get_if<ReportedTable>(&item);
    if (table == nullptr) continue;
    for (const auto& row : table->rows) {
      std::string place = findings.description.cells[row.cell].name;
      for (const auto& pair : row.series) place += ", " + pair.second;
      for (std::size_t c = 0; c < row.numbers.size(); ++c) {
        add_number(text, {"table", table->title, place, table->columns[c].label}, row.numbers[c]);
      }
    }
  }
  for (const ExpectationVerdict& verdict : findings.report.verdicts) {
    for (const CheckedPlace& place : verdict.places) {
      add_number(text, {"expectation", verdict.expectation.says, place.name, std::string(word_of(place.outcome))},
                 place.found);
    }
  }
  return text;
}

void write_failures(JsonWriter& json, const experiments::Description& description, std::uint64_t failed,
                    const std::vector<experiments::FailedDraw>& failures) {
  json.member("failed", failed);
  write_objects(json, "failures", failures, [&](const experiments::FailedDraw& failure) {
    json.member("cell", description.cells[failure.cell].name);
    json.member("draw", failure.draw);
    json.key("series_keys");
    json.begin_object();
    for (const auto& [key, value] : failure.series) json.member(key, value);
    json.end();
    json.member("reason", failure.reason);
  });
}

std::string report_json(const ExperimentFindings& findings) {
  std::string text;
  JsonWriter json(text, tpn::IllFormed::replaced);
  json.begin_object();
  json.member("file", findings.directory);
  json.member("experiment", findings.description.name);
  json.member("title", findings.description.title);
  json.member("source", findings.description.source);
  json.member("notes", findings.description.notes);
  json.member("seed", findings.description.seed);
  write_count(json, "draws", findings.report.described);
  json.member("draws_done", findings.report.draws);
  json.key("items");
  json.begin_array();
  for (const auto& item : findings.report.items) {
    if (const auto* const table = std::get_if<ReportedTable>(&item)) {
      write_table(json, *table, findings);
    } else {
      write_figure(json, std::get<ReportedFigure>(item), findings.is_exact);
    }
  }
  json.end();
  write_list(json, "expectations", findings.report.verdicts,
             [&](const ExpectationVerdict& verdict) { write_verdict(json, verdict, findings.is_exact); });
  write_failures(json, findings.description, findings.report.failed, findings.report.failures);
  json.end();
  return text + "\n";
}

}  // namespace takt::tools

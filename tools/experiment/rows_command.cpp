// takt experiment rows: what every draw gave, as a table for data frames.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tools/experiment/commands.hpp"
#include "tools/experiment/run_directory.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/csv.hpp"
#include "tpn/json.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

using experiments::Description;
using experiments::ExperimentCell;
using maxplus::Rational;

namespace {

// Digits of a number of a row: exact means of long denominators have thousands.
constexpr std::size_t kMostRowDigits = 100'000;

struct ExperimentRowsOptions {
  std::string directory;
  std::string format = "csv";
  bool exact = false;
};

void add_new(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

// What the rows of a run have in common.
struct RowColumns {
  std::vector<std::string> parameters;  // those that cells differ in
  std::vector<std::string> keys;        // of series
  std::vector<std::string> measures;

  explicit RowColumns(const Description& description) : measures(description.measures) {
    for (const ExperimentCell& cell : description.cells) {
      for (const auto& [name, value] : cell.own) add_new(parameters, name);
      const auto study = description.study->prepare(description, cell);
      for (const auto& series : study->series())
        for (const auto& [key, value] : series) add_new(keys, key);
    }
  }

  // A measure may be called as a parameter is.
  std::string heading_of(const std::string& parameter) const {
    const std::set<std::string> taken = [&] {
      std::set<std::string> names{"cell", "draw", "failed"};
      names.insert(keys.begin(), keys.end());
      names.insert(measures.begin(), measures.end());
      return names;
    }();
    return taken.contains(parameter) ? parameter + "_parameter" : parameter;
  }

  std::vector<std::string> headings() const {
    std::vector<std::string> all{"cell"};
    for (const std::string& name : parameters) all.push_back(heading_of(name));
    all.emplace_back("draw");
    all.insert(all.end(), keys.begin(), keys.end());
    all.insert(all.end(), measures.begin(), measures.end());
    all.emplace_back("failed");
    return all;
  }
};

// A field of a row: a number, a text, or nothing.
struct RowField {
  std::string text;
  bool is_number = false;
};

std::string shortest_text(const Rational& number) {
  if (const auto value = number.to_double()) return fmt::format("{}", *value);
  return number.sign() < 0 ? "-inf" : "inf";
}

RowField number_field(std::string_view text, bool exact) {
  const auto number = maxplus::parse_number(text, kMostRowDigits);
  if (!std::holds_alternative<Rational>(number)) return {std::string(text)};
  if (exact) return {std::string(text)};
  return {shortest_text(std::get<Rational>(number)), true};
}

// Writes rows, in whichever format.
class RowsOutput {
 public:
  RowsOutput(const Description& description, const ExperimentRowsOptions& options, std::ostream& out)
      : columns_(description), headings_(columns_.headings()), options_(options), out_(out) {
    if (is_csv()) out_ << csv_row(headings_) << '\n';
  }

  void add(const ExperimentCell& cell, const tpn::json::Tree& row) {
    std::vector<RowField> fields{{cell.name}};
    for (const std::string& name : columns_.parameters) {
      const auto own = std::ranges::find(cell.own, name, &std::pair<std::string, std::string>::first);
      fields.push_back(own == cell.own.end() ? RowField{} : number_field(own->second, options_.exact));
    }
    fields.push_back({tpn::json::required(row, row.root, "a row", "draw").text, true});
    for (const std::string& key : columns_.keys) fields.push_back({text_of(row, key)});
    for (const std::string& measure : columns_.measures)
      fields.push_back(number_field(text_of(row, measure), options_.exact));
    fields.push_back({text_of(row, "failed")});
    write(fields);
  }

 private:
  bool is_csv() const { return options_.format == "csv"; }

  static std::string text_of(const tpn::json::Tree& row, const std::string& key) {
    const tpn::json::Value* const value = tpn::json::find(row.root, key);
    return value == nullptr ? "" : value->text;
  }

  void write(const std::vector<RowField>& fields) {
    std::string line;
    if (is_csv()) {
      std::vector<std::string> texts;
      texts.reserve(fields.size());
      for (const RowField& field : fields) texts.push_back(field.text);
      line = csv_row(texts);
    } else {
      tpn::JsonWriter json(line, tpn::IllFormed::replaced);
      json.begin_object(tpn::JsonLayout::line);
      for (std::size_t f = 0; f < fields.size(); ++f) {
        json.key(headings_[f]);
        const bool is_finite = fields[f].is_number && !fields[f].text.ends_with("inf");
        if (fields[f].text.empty() || (fields[f].is_number && !is_finite)) {
          json.value(nullptr);
        } else if (fields[f].is_number) {
          json.raw(fields[f].text);
        } else {
          json.value(fields[f].text);
        }
      }
      json.end();
    }
    out_ << line << '\n';
  }

  RowColumns columns_;
  std::vector<std::string> headings_;
  ExperimentRowsOptions options_;
  std::ostream& out_;
};

int answer_rows(const ExperimentRowsOptions& options, Streams& streams) {
  const RunDirectory directory = RunDirectory::open(options.directory);
  const Description& description = directory.description();
  if (description.keep == experiments::Keep::none) {
    throw FileError(
        fmt::format("{}: its description keeps no rows (\"keep\": \"none\"); takt experiment report says "
                    "what it counted",
                    options.directory));
  }
  RowsOutput rows(description, options, streams.out);
  bool is_whole = true;
  ChunkIndex done = directory.index();
  for (std::size_t i = 0; i < directory.chunks().size(); ++i) {
    const auto text = done.text(i);
    if (!text) {
      is_whole = false;
      continue;
    }
    experiments::for_each_line(*text, done.file_of(i), [&](const tpn::json::Tree& line) {
      if (!experiments::is_row(line)) return;
      rows.add(description.cells[directory.chunks()[i].cell], line);
      is_whole = is_whole && tpn::json::find(line.root, "failed") == nullptr;
    });
  }
  return is_whole ? kAnswered : kLimit;
}

}  // namespace

Action define_experiment_rows(CommandLine& line) {
  const auto options = std::make_shared<ExperimentRowsOptions>();
  line.positional("DIR", options->directory, "the directory of a run");
  line.option("--format", options->format, "csv, or jsonl with one object per line")
      .type_name("FORMAT")
      .check(one_of({"csv", "jsonl"}))
      .shows_default();
  line.flag("--exact", options->exact, "print numbers as exact fractions, not decimals");
  line.footer(
      "One row for each draw and series that the run kept; one column for each parameter in which cells differ, each\n"
      "key of a series and each measure. \"failed\" says why a draw has no result.\n"
      "Exit status: 0 complete; 3 bad input; 4 the run is not finished, or draws have no result.\n"
      "\n"
      "Example:\n"
      "  takt experiment rows table-2 > table-2.csv");
  return [options](Streams& streams) { return answer_rows(*options, streams); };
}

}  // namespace takt::tools

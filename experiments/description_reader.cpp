// Tables, figures and expectations of a description.
#include "experiments/description_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace takt::experiments {

namespace json = tpn::json;

namespace {

struct StatisticWord {
  std::string_view key;
  StatisticKind kind;
  bool has_measure;  // what stands behind the key is a measure, else a predicate or true
};
constexpr auto kStatistics = std::to_array<StatisticWord>({{"draws", StatisticKind::draws, false},
                                                           {"failed", StatisticKind::failed, false},
                                                           {"count", StatisticKind::count, false},
                                                           {"share", StatisticKind::share, false},
                                                           {"mean", StatisticKind::mean, true},
                                                           {"deviation", StatisticKind::deviation, true},
                                                           {"smallest", StatisticKind::smallest, true},
                                                           {"largest", StatisticKind::largest, true},
                                                           {"quantile", StatisticKind::quantile, true},
                                                           {"bins", StatisticKind::bins, true}});

// Keys of a series; the studies have no others.
constexpr auto kSeriesKeys =
    std::to_array<std::string_view>({"heuristic", "model", "iterations", "load", "threshold", "data_sets"});

class ReportReader {
 public:
  ReportReader(const json::Tree& tree, Description& description) : tree_(tree), description_(description) {}

  void read_item(const json::Value& value) {
    json::as_object(tree_, value, "a table or figure");
    const json::Value& kind_value = json::required(tree_, value, "a table or figure", "kind");
    const std::string& kind = json::as_string(tree_, kind_value, "a kind");
    static constexpr std::array<std::string_view, 4> kKinds = {"table", "curve", "whiskers", "histogram"};
    if (kind == "table") {
      description_.report.emplace_back(read_table(value));
    } else if (std::ranges::find(kKinds, kind) != kKinds.end()) {
      const FigureKind figure = kind == "curve"      ? FigureKind::curve
                                : kind == "whiskers" ? FigureKind::whiskers
                                                     : FigureKind::histogram;
      description_.report.emplace_back(read_figure(value, figure));
    } else {
      json::fail(tree_, kind_value, json::quote(kind) + json::suggestion(kind, kKinds), json::one_of(kKinds));
    }
  }

  void read_expectation(const json::Value& value) {
    static constexpr auto kKeys =
        std::to_array<std::string_view>({"says", "by", "where", "value", "paper", "of", "confidence", "within", "ratio",
                                         "least", "is", "crossing", "x", "in"});
    json::as_object(tree_, value, "an expectation", kKeys);
    Expectation expectation;
    expectation.says = text(value, "says", true);
    const std::string by = text(value, "by", false);
    expectation.is_paper = by.empty() || by == "paper";
    if (!expectation.is_paper && by != "takt") json::fail(tree_, value, json::quote(by), R"("paper" or "takt")");
    expectation.where = filter(value);
    if (const auto* share = json::find(value, "in")) {
      expectation.at_least = json::as_number(tree_, *share, json::Bound::positive);
    }
    if (const auto* paper = json::find(value, "paper")) {
      expectation.paper = json::as_number(tree_, *paper, json::Bound::any);
    }
    read_kind(value, expectation);
    description_.expectations.push_back(std::move(expectation));
  }

 private:
  void read_kind(const json::Value& value, Expectation& expectation) {
    if (const auto* ratio = json::find(value, "ratio")) {
      expectation.kind = ExpectationKind::ratio;
      const auto& two = json::as_array(tree_, *ratio, "two statistics");
      if (two.size() != 2) json::fail(tree_, *ratio, json::describe(*ratio), "two statistics");
      expectation.value = statistic(two[0]);
      expectation.over = statistic(two[1]);
      read_within(value, expectation);
      return;
    }
    expectation.value = statistic(json::required(tree_, value, "an expectation", "value"));
    if (json::find(value, "least") != nullptr) {
      expectation.kind = ExpectationKind::least;
      expectation.key = series_key(value, "least");
      expectation.expected = texts(json::required(tree_, value, "an expectation of the least", "is"));
    } else if (json::find(value, "crossing") != nullptr) {
      expectation.kind = ExpectationKind::crossing;
      expectation.key = series_key(value, "crossing");
      const json::Value& two = json::required(tree_, value, "an expectation of a crossing", "is");
      expectation.expected = texts(two);
      if (expectation.expected.size() != 2) json::fail(tree_, two, json::describe(two), "two series");
      expectation.x = cell_parameter(json::required(tree_, value, "an expectation of a crossing", "x"));
      read_within(value, expectation);
    } else if (json::find(value, "confidence") != nullptr) {
      read_sample(value, expectation);
    } else {
      expectation.kind = ExpectationKind::value;
      read_within(value, expectation);
    }
  }

  void read_sample(const json::Value& value, Expectation& expectation) {
    expectation.kind = ExpectationKind::sample;
    if (expectation.value.statistic.kind != StatisticKind::count) {
      const json::Value& at = json::required(tree_, value, "an expectation", "value");
      json::fail(tree_, at, "another statistic", "a \"count\", which is what a sample has");
    }
    const json::Value& confidence = json::required(tree_, value, "an expectation", "confidence");
    expectation.confidence = json::as_number(tree_, confidence, json::Bound::positive);
    if (expectation.confidence >= Rational(1)) json::fail(tree_, confidence, json::describe(confidence), "less than 1");
    json::required(tree_, value, "an expectation of a sample", "paper");
    const json::Value& of = json::required(tree_, value, "an expectation of a sample", "of");
    const Rational draws = json::as_number(tree_, of, json::Bound::positive_whole);
    if (draws > Rational(1'000'000)) json::fail(tree_, of, json::describe(of), "at most 1000000");
    expectation.of = draws.numerator().get_ui();
    if (*expectation.paper > draws || !expectation.paper->is_integer() || expectation.paper->sign() < 0) {
      json::fail(tree_, json::required(tree_, value, "an expectation", "paper"), expectation.paper->to_string(),
                 "a whole number of draws, at most \"of\"");
    }
  }

  void read_within(const json::Value& value, Expectation& expectation) {
    const json::Value& within = json::required(tree_, value, "an expectation", "within");
    const auto bounds = pair(within);
    expectation.low = bounds.first;
    expectation.high = bounds.second;
  }

  std::pair<Rational, Rational> pair(const json::Value& value) {
    const auto& items = json::as_array(tree_, value, "[low, high]");
    if (items.size() != 2) json::fail(tree_, value, json::describe(value), "[low, high]");
    std::pair<Rational, Rational> result = {json::as_number(tree_, items[0], json::Bound::any),
                                            json::as_number(tree_, items[1], json::Bound::any)};
    if (result.second < result.first) json::fail(tree_, value, "low above high", "[low, high]");
    return result;
  }

  std::string text(const json::Value& object, std::string_view key, bool is_required) {
    const json::Value* const value =
        is_required ? &json::required(tree_, object, "an expectation", key) : json::find(object, key);
    return value == nullptr ? std::string() : json::as_string(tree_, *value, "a text");
  }

  std::vector<std::string> texts(const json::Value& value) {
    if (value.kind == json::Kind::string || value.kind == json::Kind::number) return {value.text};
    std::vector<std::string> result;
    for (const json::Value& item : json::as_array(tree_, value, "a text or a list of texts")) {
      result.push_back(item.kind == json::Kind::number ? item.text : json::as_string(tree_, item, "a text"));
    }
    return result;
  }

  std::string series_key(const json::Value& object, std::string_view key) {
    const json::Value* const value = json::find(object, key);
    if (value == nullptr) return {};
    const std::string& name = json::as_string(tree_, *value, "a key of series");
    if (std::ranges::find(kSeriesKeys, name) == kSeriesKeys.end()) {
      json::fail(tree_, *value, json::quote(name) + json::suggestion(name, kSeriesKeys), json::one_of(kSeriesKeys));
    }
    return name;
  }

  std::vector<std::string_view> cell_keys() {
    std::vector<std::string_view> keys = {"cell"};
    for (const GeneratorParameter& parameter : description_.generator->parameters) keys.push_back(parameter.name);
    return keys;
  }

  std::string cell_parameter(const json::Value& value) {
    const std::string& name = json::as_string(tree_, value, "a parameter of the cells");
    std::vector<std::string_view> known = cell_keys();
    known.insert(known.end(), kSeriesKeys.begin(), kSeriesKeys.end());
    if (std::ranges::find(known, name) == known.end()) {
      json::fail(tree_, value, json::quote(name) + json::suggestion(name, known), json::one_of(known));
    }
    return name;
  }

  CellFilter filter(const json::Value& object) {
    CellFilter result;
    const json::Value* const where = json::find(object, "where");
    if (where == nullptr) return result;
    json::as_object(tree_, *where, "a choice of cells", cell_keys());
    for (std::size_t i = 0; i < where->keys.size(); ++i) {
      result[where->keys[i].name] = filter_values(where->items[i]);
    }
    if (std::ranges::none_of(description_.cells, [&](const ExperimentCell& cell) { return passes(cell, result); })) {
      json::fail(tree_, *where, "no such cell", "a choice that some cell meets");
    }
    return result;
  }

  // A value, a list of values, or {"from": 12, "to": 50}.
  std::vector<std::string> filter_values(const json::Value& value) {
    if (value.kind != json::Kind::object) return texts(value);
    static constexpr std::array<std::string_view, 2> kKeys = {"from", "to"};
    json::as_object(tree_, value, "a range", kKeys);
    const Rational from = json::as_number(tree_, json::required(tree_, value, "a range", "from"), json::Bound::whole);
    const Rational to = json::as_number(tree_, json::required(tree_, value, "a range", "to"), json::Bound::whole);
    if (to > from + Rational(100'000)) json::fail(tree_, value, "more values", "at most 100000 values");
    std::vector<std::string> result;
    for (Rational at = from; at <= to; at += Rational(1)) result.push_back(at.to_string());
    return result;
  }

  SeriesStatistic statistic(const json::Value& value) {
    json::as_object(tree_, value, "a statistic", statistic_keys());
    SeriesStatistic result;
    const StatisticWord* word = nullptr;
    for (const StatisticWord& known : kStatistics) {
      const json::Value* const content = json::find(value, known.key);
      if (content == nullptr) continue;
      if (word != nullptr) {
        json::fail(tree_, value, fmt::format("both \"{}\" and \"{}\"", word->key, known.key), "one statistic");
      }
      word = &known;
      read_content(*content, known, result.statistic);
    }
    if (word == nullptr) json::fail(tree_, value, "no statistic", "one of " + statistic_names());
    if (const auto* at = json::find(value, "at")) {
      result.statistic.at = json::as_number(tree_, *at, json::Bound::non_negative);
      if (result.statistic.at > Rational(1)) json::fail(tree_, *at, json::describe(*at), "a number from 0 to 1");
    } else if (result.statistic.kind == StatisticKind::quantile) {
      json::required(tree_, value, "a quantile", "at");
    }
    for (const std::string_view key : kSeriesKeys) {
      if (const auto* chosen = json::find(value, key)) result.series[std::string(key)] = texts(*chosen).front();
    }
    const auto* label = json::find(value, "label");
    result.label = label == nullptr ? label_of(*word, result) : json::as_string(tree_, *label, "a label");
    if (const auto* dashed = json::find(value, "dashed")) result.is_dashed = json::as_boolean(tree_, *dashed);
    return result;
  }

  static std::vector<std::string_view> statistic_keys() {
    std::vector<std::string_view> keys = {"at", "label", "dashed"};
    for (const StatisticWord& known : kStatistics) keys.push_back(known.key);
    keys.insert(keys.end(), kSeriesKeys.begin(), kSeriesKeys.end());
    return keys;
  }

  static std::string statistic_names() {
    std::vector<std::string_view> names;
    for (const StatisticWord& known : kStatistics) names.push_back(known.key);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void read_content(const json::Value& content, const StatisticWord& word, Statistic& result) {
    result.kind = word.kind;
    if (word.has_measure) {
      const std::string& name = json::as_string(tree_, content, "a measure");
      const std::vector<std::string_view> known(description_.measures.begin(), description_.measures.end());
      if (std::ranges::find(known, name) == known.end()) {
        json::fail(tree_, content, json::quote(name) + json::suggestion(name, known), json::one_of(known));
      }
      result.measure = description_.measure_index(name);
    } else if (word.kind == StatisticKind::count || word.kind == StatisticKind::share) {
      auto predicate = parse_predicate(json::as_string(tree_, content, "a predicate"), description_.measures);
      if (const auto* wrong = std::get_if<std::string>(&predicate)) {
        json::fail(tree_, content, json::describe(content), *wrong);
      }
      result.predicate = std::get<Predicate>(predicate);
      auto& all = description_.predicates;
      if (std::ranges::find(all, result.predicate->text, &Predicate::text) == all.end()) {
        all.push_back(*result.predicate);
      }
    }
  }

  std::string label_of(const StatisticWord& word, const SeriesStatistic& statistic) const {
    std::string label;
    for (const auto& [key, value] : statistic.series) label += value + " ";
    label += word.key;
    if (word.kind == StatisticKind::quantile) label += " " + statistic.statistic.at.to_string();
    if (word.has_measure) label += " " + description_.measures[statistic.statistic.measure];
    if (statistic.statistic.predicate) label += " " + statistic.statistic.predicate->text;
    return label;
  }

  std::vector<SeriesStatistic> statistics(const json::Value& value) {
    std::vector<SeriesStatistic> result;
    if (value.kind == json::Kind::object) return {statistic(value)};
    for (const json::Value& item : json::as_array(tree_, value, "statistics")) result.push_back(statistic(item));
    return result;
  }

  TableRequest read_table(const json::Value& value) {
    static constexpr auto kKeys = std::to_array<std::string_view>({"kind", "title", "where", "columns", "each"});
    json::as_object(tree_, value, "a table", kKeys);
    return {.title = text(value, "title", false),
            .where = filter(value),
            .columns = statistics(json::required(tree_, value, "a table", "columns")),
            .each = series_key(value, "each")};
  }

  FigureRequest read_figure(const json::Value& value, FigureKind kind) {
    static constexpr auto kKeys = std::to_array<std::string_view>(
        {"kind", "name", "title", "where", "x", "y", "each", "x_label", "y_label", "x_logarithmic", "y_logarithmic",
         "y_range", "paper_range", "line", "line_label"});
    json::as_object(tree_, value, "a figure", kKeys);
    FigureRequest figure;
    figure.kind = kind;
    figure.name = file_name(json::required(tree_, value, "a figure", "name"));
    figure.title = text(value, "title", false);
    figure.where = filter(value);
    if (kind != FigureKind::histogram) figure.x = cell_parameter(json::required(tree_, value, "a figure", "x"));
    figure.y = statistics(json::required(tree_, value, "a figure", "y"));
    figure.each = series_key(value, "each");
    figure.x_label = text(value, "x_label", false);
    figure.y_label = text(value, "y_label", false);
    figure.x_is_logarithmic = flag(value, "x_logarithmic");
    figure.y_is_logarithmic = flag(value, "y_logarithmic");
    if (const auto* range = json::find(value, "y_range")) figure.y_range = pair(*range);
    if (const auto* range = json::find(value, "paper_range")) figure.paper_range = pair(*range);
    if (const auto* line = json::find(value, "line")) figure.line = json::as_number(tree_, *line, json::Bound::any);
    figure.line_label = text(value, "line_label", false);
    return figure;
  }

  std::string file_name(const json::Value& value) {
    const std::string& name = json::as_string(tree_, value, "a name");
    const bool is_fine = !name.empty() && name.size() <= 60 && std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (!is_fine) json::fail(tree_, value, json::describe(value), "small letters, digits and \"-\": it names a file");
    return name;
  }

  bool flag(const json::Value& object, std::string_view key) {
    const json::Value* const value = json::find(object, key);
    return value != nullptr && json::as_boolean(tree_, *value);
  }

  const json::Tree& tree_;
  Description& description_;
};

}  // namespace

void read_report(const json::Tree& tree, const json::Value& report, const json::Value& expect,
                 Description& description) {
  ReportReader reader(tree, description);
  for (const json::Value& item : json::as_array(tree, report, "a list of tables and figures")) reader.read_item(item);
  for (const json::Value& item : json::as_array(tree, expect, "a list of expectations")) reader.read_expectation(item);
}

bool passes(const ExperimentCell& cell, const CellFilter& filter) {
  return std::ranges::all_of(filter, [&](const auto& choice) {
    const auto& [key, values] = choice;
    const std::string value = key == "cell" ? cell.name : value_text(cell.arguments.value(key));
    return std::ranges::find(values, value) != values.end();
  });
}

}  // namespace takt::experiments

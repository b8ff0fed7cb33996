// Tables, figures and expectations of a description.
#include "experiments/descriptions/description_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <set>
#include <variant>

namespace takt::experiments {

namespace json = tpn::json;

namespace {

struct StatisticWord {
  std::string_view key;
  StatisticKind kind;
  bool has_measure;        // what stands behind the key is a measure, else a predicate or true
  std::string_view words;  // what people read before the measure or predicate
};
constexpr auto kStatistics =
    std::to_array<StatisticWord>({{"draws", StatisticKind::draws, false, "draws"},
                                  {"failed", StatisticKind::failed, false, "failed"},
                                  {"count", StatisticKind::count, false, "draws with"},
                                  {"share", StatisticKind::share, false, "share with"},
                                  {"mean", StatisticKind::mean, true, "mean"},
                                  {"deviation", StatisticKind::deviation, true, "deviation of"},
                                  {"smallest", StatisticKind::smallest, true, "smallest"},
                                  {"largest", StatisticKind::largest, true, "largest"},
                                  {"quantile", StatisticKind::quantile, true, "quantile of"},
                                  {"bins", StatisticKind::bins, true, ""},
                                  {"values", StatisticKind::values, true, ""}});

// Whether a statistic is one number; the others are for figures.
bool is_one_number(const Statistic& statistic) {
  return statistic.kind != StatisticKind::bins && statistic.kind != StatisticKind::values;
}

std::string_view key_of(const Statistic& statistic) {
  return std::ranges::find(kStatistics, statistic.kind, &StatisticWord::kind)->key;
}

using SeriesChoice = std::map<std::string, std::string>;

class ReportReader {
 public:
  ReportReader(const json::Tree& tree, Description& description) : tree_(tree), description_(description) {}

  void read_item(const json::Value& value) {
    json::as_object(tree_, value, "a table or figure");
    const json::Value& kind_value = json::required(tree_, value, "a table or figure", "kind");
    const std::string& kind = json::as_string(tree_, kind_value, "a kind");
    // Behind the first in the order of FigureKind.
    static constexpr std::array<std::string_view, 7> kKinds = {"table", "curve",   "whiskers", "histogram",
                                                               "boxes", "profile", "rank"};
    const auto found = std::ranges::find(kKinds, kind);
    if (found == kKinds.end()) {
      json::fail(tree_, kind_value, json::quote(kind) + json::suggestion(kind, kKinds), json::one_of(kKinds));
    }
    if (found == kKinds.begin()) {
      description_.report.emplace_back(read_table(value));
    } else {
      description_.report.emplace_back(read_figure(value, static_cast<FigureKind>(found - kKinds.begin() - 1)));
    }
  }

  void read_expectation(const json::Value& value) {
    json::as_object(tree_, value, "an expectation");
    Expectation expectation;
    expectation.kind = kind_of(value);
    json::as_object(tree_, value, "an expectation of this kind", keys_of(expectation.kind));
    expectation.says = text(value, "says", true);
    read_claim(value, expectation);
    expectation.where = filter(value);
    if (const auto* share = json::find(value, "in")) {
      expectation.at_least = json::as_number(tree_, *share, json::Bound::positive);
      if (expectation.at_least > Rational(1)) json::fail(tree_, *share, json::describe(*share), "at most 1");
    }
    if (const auto* paper = json::find(value, "paper")) {
      expectation.paper = json::as_number(tree_, *paper, json::Bound::any);
    }
    read_kind(value, expectation);
    description_.expectations.push_back(std::move(expectation));
  }

  CellFilter filter(const json::Value& object) {
    CellFilter result;
    const json::Value* const where = json::find(object, "where");
    if (where == nullptr) return result;
    json::as_object(tree_, *where, "a choice of cells", cell_keys());
    for (std::size_t i = 0; i < where->keys.size(); ++i) {
      result[where->keys[i].name] = filter_values(where->keys[i].name, where->items[i]);
    }
    if (std::ranges::none_of(description_.cells, [&](const ExperimentCell& cell) { return passes(cell, result); })) {
      json::fail(tree_, *where, "no such cell", "a choice that some cell meets");
    }
    return result;
  }

 private:
  void read_claim(const json::Value& value, Expectation& expectation) {
    expectation.printed = text(value, "printed", false);
    expectation.why = text(value, "why", false);
    const json::Value* const by = json::find(value, "by");
    if (by == nullptr) return;
    static constexpr std::array<std::string_view, 3> kNames = {"paper", "words", "takt"};
    const std::string& name = json::as_string(tree_, *by, "whose claim it is");
    const auto* const found = std::ranges::find(kNames, name);
    if (found == kNames.end()) {
      json::fail(tree_, *by, json::quote(name) + json::suggestion(name, kNames), json::one_of(kNames));
    }
    expectation.claim = static_cast<ClaimSource>(found - kNames.begin());
  }

  static ExpectationKind kind_of(const json::Value& value) {
    if (json::find(value, "ratio") != nullptr) return ExpectationKind::ratio;
    if (json::find(value, "least") != nullptr) return ExpectationKind::least;
    if (json::find(value, "crossing") != nullptr) return ExpectationKind::crossing;
    if (json::find(value, "apart") != nullptr) return ExpectationKind::apart;
    return json::find(value, "of") != nullptr ? ExpectationKind::sample : ExpectationKind::value;
  }

  static std::vector<std::string_view> keys_of(ExpectationKind kind) {
    std::vector<std::string_view> keys = {"says", "by", "printed", "why", "where", "confidence"};
    const auto add = [&](std::initializer_list<std::string_view> more) { keys.insert(keys.end(), more); };
    switch (kind) {
      case ExpectationKind::value:
        add({"value", "within", "paper", "in"});
        break;
      case ExpectationKind::sample:
        add({"value", "among", "paper", "of"});
        break;
      case ExpectationKind::least:
        add({"value", "least", "is", "in"});
        break;
      case ExpectationKind::ratio:
        add({"ratio", "within", "paper", "in"});
        break;
      case ExpectationKind::crossing:
        add({"value", "crossing", "is", "x", "within", "paper", "in"});
        break;
      case ExpectationKind::apart:
        add({"value", "apart", "is", "within", "in"});
        break;
    }
    return keys;
  }

  void read_kind(const json::Value& value, Expectation& expectation) {
    if (expectation.kind == ExpectationKind::ratio) {
      const json::Value& ratio = json::required(tree_, value, "an expectation", "ratio");
      const auto& two = json::as_array(tree_, ratio, "two statistics");
      if (two.size() != 2) json::fail(tree_, ratio, json::describe(ratio), "two statistics");
      expectation.value = number_statistic(two[0]);
      expectation.over = number_statistic(two[1]);
      read_within(value, expectation);
      return read_confidence(value, expectation);
    }
    expectation.value = number_statistic(json::required(tree_, value, "an expectation", "value"));
    if (expectation.kind == ExpectationKind::least) {
      read_compared(value, "least", expectation);
    } else if (expectation.kind == ExpectationKind::crossing) {
      read_compared(value, "crossing", expectation);
      const json::Value& two = json::required(tree_, value, "an expectation", "is");
      if (expectation.expected.size() != 2) json::fail(tree_, two, json::describe(two), "two series");
      const json::Value& x = json::required(tree_, value, "an expectation of a crossing", "x");
      expectation.x = cell_parameter(x);
      require_numbers(x, expectation);
      read_within(value, expectation);
    } else if (expectation.kind == ExpectationKind::sample) {
      read_sample(value, expectation);
    } else if (expectation.kind == ExpectationKind::apart) {
      if (json::find(value, "is") != nullptr) {
        read_compared(value, "apart", expectation);
      } else {
        expectation.key = series_key(value, "apart");
      }
      if (expectation.value.statistic.kind != StatisticKind::mean) {
        const json::Value& at = json::required(tree_, value, "an expectation", "value");
        json::fail(tree_, at, "another statistic", "a \"mean\", which has a deviation");
      }
      read_within(value, expectation);
    } else {
      read_within(value, expectation);
    }
    read_confidence(value, expectation);
  }

  // The key of the series to be compared, and those that are expected of them.
  void read_compared(const json::Value& value, std::string_view kind, Expectation& expectation) {
    expectation.key = series_key(value, kind);
    const json::Value& is = json::required(tree_, value, "an expectation", "is");
    expectation.expected = texts(is);
    if (expectation.expected.empty()) json::fail(tree_, is, "nothing", "one series or several");
    for (std::size_t i = 0; i < expectation.expected.size(); ++i) {
      const json::Value& at = is.kind == json::Kind::array ? is.items[i] : is;
      require_series(at, with_value(expectation.value.series, expectation.key, expectation.expected[i]));
    }
  }

  static SeriesChoice with_value(SeriesChoice series, const std::string& key, const std::string& value) {
    series[key] = value;
    return series;
  }

  // Of a crossing: x must have an order.
  void require_numbers(const json::Value& at, const Expectation& expectation) {
    const auto require = [&](const std::string& text) {
      if (std::holds_alternative<Rational>(maxplus::parse_number(text))) return;
      json::fail(tree_, at, "the value " + json::quote(text) + " of " + json::quote(expectation.x),
                 "an x whose values are all numbers");
    };
    const auto keys = series_keys();
    const bool is_series_key = std::ranges::find(keys, expectation.x) != keys.end();
    for (const ExperimentCell& cell : description_.cells) {
      if (!is_series_key && passes(cell, expectation.where)) require(text_of(cell, expectation.x));
    }
    if (!is_series_key) return;
    for (const SeriesKeys& series : series_of_first_cell()) {
      for (const auto& [key, content] : series) {
        if (key == expectation.x) require(content);
      }
    }
  }

  void read_sample(const json::Value& value, Expectation& expectation) {
    expectation.kind = ExpectationKind::sample;
    if (expectation.value.statistic.kind != StatisticKind::count) {
      const json::Value& at = json::required(tree_, value, "an expectation", "value");
      json::fail(tree_, at, "another statistic", "a \"count\", which is what a sample has");
    }
    if (const json::Value* const among = json::find(value, "among")) {
      static constexpr StatisticWord kCount = {"count", StatisticKind::count, false, {}};
      expectation.among.emplace();
      read_content(*among, kCount, *expectation.among);
    }
    json::required(tree_, value, "an expectation of a sample", "paper");
    const json::Value& of = json::required(tree_, value, "an expectation of a sample", "of");
    const Rational draws = json::as_number(tree_, of, json::Bound::positive_whole);
    if (draws > Rational(100'000)) json::fail(tree_, of, json::describe(of), "at most 100000");
    expectation.of = draws.numerator().get_ui();
    if (*expectation.paper > draws || !expectation.paper->is_integer() || expectation.paper->sign() < 0) {
      json::fail(tree_, json::required(tree_, value, "an expectation", "paper"), expectation.paper->to_string(),
                 "a whole number of draws, at most \"of\"");
    }
  }

  // Draws decide of what has a sampling error: means, and shares of a value; a sample always has one.
  void read_confidence(const json::Value& value, Expectation& expectation) {
    const bool is_sample = expectation.kind == ExpectationKind::sample;
    const json::Value* const confidence =
        is_sample ? &json::required(tree_, value, "an expectation", "confidence") : json::find(value, "confidence");
    if (confidence == nullptr) return;
    expectation.confidence = json::as_number(tree_, *confidence, json::Bound::positive);
    if (expectation.confidence >= Rational(1)) {
      json::fail(tree_, *confidence, json::describe(*confidence), "less than 1");
    }
    if (is_sample) return;
    const auto is_mean = [](const SeriesStatistic& one) { return one.statistic.kind == StatisticKind::mean; };
    const bool is_share =
        expectation.kind == ExpectationKind::value && expectation.value.statistic.kind == StatisticKind::share;
    if (is_share) return;
    if (description_.keep != Keep::all) {
      json::fail(tree_, *confidence, "an experiment that does not keep all rows",
                 "\"keep\": \"all\", for a test of means");
    }
    if (is_mean(expectation.value) && (!expectation.over || is_mean(*expectation.over))) return;
    json::fail(tree_, *confidence, "another statistic", "a \"mean\", of which draws decide with a confidence");
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
    const auto keys = series_keys();
    if (std::ranges::find(keys, name) == keys.end()) {
      json::fail(tree_, *value, json::quote(name) + json::suggestion(name, keys), json::one_of(keys));
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
    const auto keys = series_keys();
    known.insert(known.end(), keys.begin(), keys.end());
    if (std::ranges::find(known, name) == known.end()) {
      json::fail(tree_, value, json::quote(name) + json::suggestion(name, known), json::one_of(known));
    }
    return name;
  }

  // A value, a list of values, or {"from": 12, "to": 50}.
  std::vector<std::string> filter_values(const std::string& key, const json::Value& value) {
    std::vector<std::string> result;
    if (value.kind != json::Kind::object) {
      const std::vector<std::string> listed = texts(value);
      for (std::size_t i = 0; i < listed.size(); ++i) {
        const json::Value& at = value.kind == json::Kind::array ? value.items[i] : value;
        result.push_back(filter_value(key, listed[i], at));
      }
      return result;
    }
    static constexpr std::array<std::string_view, 2> kKeys = {"from", "to"};
    json::as_object(tree_, value, "a range", kKeys);
    const Rational from = json::as_number(tree_, json::required(tree_, value, "a range", "from"), json::Bound::any);
    const Rational to = json::as_number(tree_, json::required(tree_, value, "a range", "to"), json::Bound::any);
    for (const ExperimentCell& cell : description_.cells) {
      const std::string text = text_of(cell, key);
      const auto parsed = maxplus::parse_number(text);
      const auto* const number = std::get_if<Rational>(&parsed);
      if (number != nullptr && from <= *number && *number <= to) result.push_back(text);
    }
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  // As cells have it: "0.5" is "1/2". One that no cell has is a slip.
  std::string filter_value(const std::string& key, const std::string& written, const json::Value& at) {
    std::string value = written;
    const auto& parameters = description_.generator->parameters;
    const auto parameter = std::ranges::find(parameters, key, &GeneratorParameter::name);
    if (parameter != parameters.end()) {
      const auto parsed = parse_value(*parameter, written);
      if (const auto* accepted = std::get_if<ParameterValue>(&parsed)) value = value_text(*accepted);
    }
    const bool is_known = std::ranges::any_of(description_.cells,
                                              [&](const ExperimentCell& cell) { return text_of(cell, key) == value; });
    if (!is_known) {
      std::vector<std::string_view> names;
      for (const ExperimentCell& cell : description_.cells) {
        if (key == "cell" && names.size() < 100) names.push_back(cell.name);
      }
      json::fail(tree_, at, json::quote(written) + json::suggestion(written, names),
                 key == "cell" ? "the name of a cell" : "a value of " + json::quote(key) + " that some cell has");
    }
    return value;
  }

  static std::string text_of(const ExperimentCell& cell, const std::string& key) {
    return key == "cell" ? cell.name : value_text(cell.arguments.value(key));
  }

  const std::vector<SeriesKeys>& series_of_first_cell() {
    if (series_.empty()) series_ = description_.study->prepare(description_, description_.cells.front())->series();
    return series_;
  }

  // What tells the study's series apart.
  std::vector<std::string_view> series_keys() {
    std::vector<std::string_view> keys;
    for (const SeriesKeys& series : series_of_first_cell()) {
      for (const auto& [key, content] : series) {
        if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
      }
    }
    return keys;
  }

  // The series of all cells are called alike.
  void require_series(const json::Value& at, const SeriesChoice& wanted) {
    const auto& all = series_of_first_cell();
    const auto has = [](const SeriesKeys& series, const auto& pair) {
      return std::ranges::any_of(series,
                                 [&](const auto& own) { return own.first == pair.first && own.second == pair.second; });
    };
    const bool is_known = std::ranges::any_of(all, [&](const SeriesKeys& series) {
      return std::ranges::all_of(wanted, [&](const auto& pair) { return has(series, pair); });
    });
    if (is_known) return;
    std::vector<std::string> parts;
    for (const auto& [key, content] : wanted) parts.push_back(key + " " + json::quote(content));
    json::fail(tree_, at, fmt::format("no series of {}", fmt::join(parts, ", ")), "one that the study has");
  }

  SeriesStatistic number_statistic(const json::Value& value) {
    SeriesStatistic result = statistic(value);
    require_number(value, result.statistic);
    return result;
  }

  void require_number(const json::Value& at, const Statistic& statistic) {
    if (is_one_number(statistic)) return;
    json::fail(tree_, at, json::quote(std::string(key_of(statistic))), "a statistic that is one number");
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
    for (const std::string_view key : series_keys()) {
      const auto* const chosen = json::find(value, key);
      if (chosen == nullptr) continue;
      const bool is_number = chosen->kind == json::Kind::number;
      result.series[std::string(key)] = is_number ? chosen->text : json::as_string(tree_, *chosen, "a text");
    }
    if (!result.series.empty()) require_series(value, result.series);
    const auto* const label = json::find(value, "label");
    result.has_own_label = label != nullptr;
    result.label = label == nullptr ? label_of(*word, result) : json::as_string(tree_, *label, "a label");
    result.words = label == nullptr ? words_of(*word, result.statistic) : result.label;
    if (const auto* dashed = json::find(value, "dashed")) result.is_dashed = json::as_boolean(tree_, *dashed);
    return result;
  }

  std::vector<std::string_view> statistic_keys() {
    std::vector<std::string_view> keys = {"at", "label", "dashed"};
    for (const StatisticWord& known : kStatistics) keys.push_back(known.key);
    const auto own = series_keys();
    keys.insert(keys.end(), own.begin(), own.end());
    return keys;
  }

  static std::string statistic_names() {
    std::vector<std::string_view> names;
    names.reserve(kStatistics.size());
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
    std::string label(word.key);
    if (word.kind == StatisticKind::quantile) label += " " + statistic.statistic.at.to_string();
    if (word.has_measure) label += " " + description_.measures[statistic.statistic.measure];
    if (statistic.statistic.predicate) label += " " + statistic.statistic.predicate->text;
    return label;
  }

  // "mean predicted period", "share with gap > 0", "median period".
  std::string words_of(const StatisticWord& word, const Statistic& statistic) const {
    std::string words(word.words);
    if (statistic.kind == StatisticKind::quantile) {
      words = statistic.at == Rational::fraction(1, 2) ? "median" : statistic.at.to_string() + " " + words;
    }
    const auto add = [&](const std::string& more) { words += (words.empty() ? "" : " ") + more; };
    if (word.has_measure) add(description_.measure_words[statistic.measure]);
    if (statistic.predicate) add(words_of(*statistic.predicate));
    return words;
  }

  // As it was written, with words for measures.
  std::string words_of(const Predicate& predicate) const {
    constexpr std::string_view kAnd = " and ";
    std::string words;
    std::string_view rest = predicate.text;
    for (const Predicate::Term& term : predicate.terms) {
      const std::size_t end = rest.find(kAnd);
      const std::string& name = description_.measures[term.measure];
      const std::string_view comparison = rest.substr(0, end);
      if (!words.empty()) words += kAnd;
      words += description_.measure_words[term.measure];
      words += comparison.substr(comparison.find(name) + name.size());
      if (end != std::string_view::npos) rest.remove_prefix(end + kAnd.size());
    }
    return words;
  }

  std::vector<SeriesStatistic> statistics(const json::Value& value) {
    std::vector<SeriesStatistic> result;
    if (value.kind == json::Kind::object) return {statistic(value)};
    for (const json::Value& item : json::as_array(tree_, value, "statistics")) result.push_back(statistic(item));
    if (result.empty()) json::fail(tree_, value, "none", "one statistic at least");
    return result;
  }

  TableRequest read_table(const json::Value& value) {
    static constexpr auto kKeys = std::to_array<std::string_view>({"kind", "title", "where", "columns", "each"});
    json::as_object(tree_, value, "a table", kKeys);
    const json::Value& columns = json::required(tree_, value, "a table", "columns");
    TableRequest table{.title = text(value, "title", false),
                       .where = filter(value),
                       .columns = statistics(columns),
                       .each = series_key(value, "each")};
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const json::Value& at = columns.kind == json::Kind::array ? columns.items[i] : columns;
      require_number(at, table.columns[i].statistic);
      if (table.columns[i].series.contains(table.each)) {
        json::fail(tree_, at, json::quote(table.each) + ", which \"each\" gives a row for each of its values",
                   "a column for all of them");
      }
    }
    return table;
  }

  static std::vector<std::string_view> keys_of(FigureKind kind) {
    std::vector<std::string_view> keys = {"kind", "name", "title", "where", "y", "facet"};
    const auto add = [&](std::initializer_list<std::string_view> more) { keys.insert(keys.end(), more); };
    if (kind == FigureKind::rank) {
      add({"test", "level", "over"});
    } else if (kind == FigureKind::profile) {
      add({"x_label", "y_label", "x_range"});
    } else {
      add({"x", "x_label", "y_label", "y_logarithmic", "y_range", "paper_range", "line", "line_label"});
      if (kind != FigureKind::boxes) add({"x_logarithmic"});
    }
    return keys;
  }

  static bool has_x(FigureKind kind) {
    return kind == FigureKind::curve || kind == FigureKind::whiskers || kind == FigureKind::boxes;
  }

  FigureRequest read_figure(const json::Value& value, FigureKind kind) {
    json::as_object(tree_, value, "a figure of this kind", keys_of(kind));
    FigureRequest figure;
    figure.kind = kind;
    figure.name = figure_name(value);
    figure.title = text(value, "title", false);
    figure.where = filter(value);
    if (has_x(kind)) figure.x = cell_parameter(json::required(tree_, value, "a figure", "x"));
    const json::Value& y = json::required(tree_, value, "a figure", "y");
    figure.y = statistics(y);
    require_kinds(y, figure);
    figure.x_label = text(value, "x_label", false);
    figure.y_label = text(value, "y_label", false);
    figure.x_is_logarithmic = kind == FigureKind::profile || flag(value, "x_logarithmic");
    figure.y_is_logarithmic = flag(value, "y_logarithmic");
    if (const auto* range = json::find(value, "y_range")) figure.y_range = pair(*range);
    if (const auto* range = json::find(value, "x_range")) figure.x_range = ratio_range(*range);
    if (const auto* range = json::find(value, "paper_range")) figure.paper_range = pair(*range);
    if (const auto* line = json::find(value, "line")) figure.line = json::as_number(tree_, *line, json::Bound::any);
    figure.line_label = text(value, "line_label", false);
    if (kind == FigureKind::rank) read_test(value, figure);
    if (const auto* facet = json::find(value, "facet")) read_facet(*facet, figure);
    if (kind == FigureKind::profile || kind == FigureKind::rank) require_several(y, figure);
    if (needs_rows(figure)) require_rows(value);
    return figure;
  }

  std::string figure_name(const json::Value& value) {
    const json::Value& at = json::required(tree_, value, "a figure", "name");
    std::string name = file_name(at);
    const bool is_taken = std::ranges::any_of(description_.report, [&](const ReportItem& item) {
      const auto* const other = std::get_if<FigureRequest>(&item);
      return other != nullptr && other->name == name;
    });
    if (is_taken) json::fail(tree_, at, json::quote(name) + " twice", "a name of its own for each figure");
    return name;
  }

  // Of ratios to the least: from 1 on.
  std::pair<Rational, Rational> ratio_range(const json::Value& value) {
    auto range = pair(value);
    if (range.first < Rational(1) || range.first == range.second) {
      json::fail(tree_, value, json::describe(value), "[low, high] of ratios, from 1 on");
    }
    return range;
  }

  template <std::size_t kCount>
  std::size_t choice(const json::Value& object, std::string_view key,
                     const std::array<std::string_view, kCount>& names) {
    const json::Value* const value = json::find(object, key);
    if (value == nullptr) return 0;
    const std::string& name = json::as_string(tree_, *value, "a name");
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      json::fail(tree_, *value, json::quote(name) + json::suggestion(name, names), json::one_of(names));
    }
    return static_cast<std::size_t>(found - names.begin());
  }

  void read_test(const json::Value& value, FigureRequest& figure) {
    static constexpr std::array<std::string_view, 2> kTests = {"nemenyi", "wilcoxon"};
    static constexpr std::array<std::string_view, 2> kBlocks = {"draws", "cells"};
    figure.test = static_cast<RankTest>(choice(value, "test", kTests));
    figure.over_cells = choice(value, "over", kBlocks) == 1;
    figure.level = Rational::fraction(1, 20);
    const json::Value* const level = json::find(value, "level");
    if (level == nullptr) return;
    figure.level = json::as_number(tree_, *level, json::Bound::positive);
    if (figure.level > Rational::fraction(1, 2)) json::fail(tree_, *level, json::describe(*level), "at most 1/2");
  }

  void read_facet(const json::Value& value, FigureRequest& figure) {
    figure.facet = cell_parameter(value);
    if (figure.facet == figure.x) {
      json::fail(tree_, value, json::quote(figure.facet) + ", which is \"x\" as well", "another parameter");
    }
    std::set<std::string> panels;
    const auto keys = series_keys();
    if (std::ranges::find(keys, figure.facet) == keys.end()) {
      for (const ExperimentCell& cell : description_.cells) {
        if (passes(cell, figure.where)) panels.insert(text_of(cell, figure.facet));
      }
    } else {
      for (const SeriesKeys& series : series_of_first_cell()) {
        for (const auto& [key, content] : series) {
          if (key == figure.facet) panels.insert(content);
        }
      }
    }
    if (panels.size() <= kMostPanels) return;
    json::fail(tree_, value, fmt::format("{} values of {}", panels.size(), json::quote(figure.facet)),
               fmt::format("at most {}, a panel for each", kMostPanels));
  }

  // Series of the same panel, which are compared.
  void require_several(const json::Value& y, const FigureRequest& figure) {
    std::map<std::string, std::size_t> counts;  // by panel
    for (const SeriesStatistic& statistic : figure.y) {
      for (const SeriesKeys& series : series_of_first_cell()) {
        std::string panel;
        bool is_meant = true;
        for (const auto& [key, content] : series) {
          const auto wanted = statistic.series.find(key);
          is_meant = is_meant && (wanted == statistic.series.end() || wanted->second == content);
          if (key == figure.facet) panel = content;
        }
        if (is_meant) ++counts[panel];
      }
    }
    const bool is_alone = std::ranges::any_of(counts, [](const auto& count) { return count.second < 2; });
    if (is_alone) json::fail(tree_, y, "one series", "two series or more, which are compared");
  }

  static bool needs_rows(const FigureRequest& figure) {
    return figure.y.front().statistic.kind == StatisticKind::values && !figure.over_cells;
  }

  void require_rows(const json::Value& value) {
    if (description_.keep == Keep::all) return;
    const json::Value& kind = json::required(tree_, value, "a figure", "kind");
    json::fail(tree_, kind, "a figure of all values in an experiment that does not keep all rows",
               "\"keep\": \"all\", or another kind");
  }

  // Curves show numbers, whiskers means, histograms the bins of measures that have a width, the others all values.
  void require_kinds(const json::Value& y, const FigureRequest& figure) {
    for (std::size_t i = 0; i < figure.y.size(); ++i) {
      const json::Value& at = y.kind == json::Kind::array ? y.items[i] : y;
      const Statistic& statistic = figure.y[i].statistic;
      const bool has_bins = statistic.kind == StatisticKind::bins;
      if (figure.kind == FigureKind::whiskers && statistic.kind != StatisticKind::mean) {
        json::fail(tree_, at, "another statistic", "a \"mean\", around which whiskers stand");
      }
      if (figure.kind == FigureKind::curve || figure.kind == FigureKind::whiskers) {
        require_number(at, statistic);
        continue;
      }
      if (figure.kind != FigureKind::histogram) {
        if (statistic.kind == StatisticKind::values) continue;
        json::fail(tree_, at, "another statistic", "the \"values\" of a measure");
      }
      if (!has_bins) json::fail(tree_, at, "another statistic", "the \"bins\" of a measure");
      const auto width = description_.bin_widths.find(statistic.measure);
      if (width == description_.bin_widths.end()) {
        json::fail(tree_, at, "a measure without bins", "one that \"bins\" of the description has a width for");
      }
      if (width->second != description_.bin_widths.at(figure.y.front().statistic.measure)) {
        json::fail(tree_, at, "bins of another width", "one width for all bins of a histogram");
      }
    }
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
  std::vector<SeriesKeys> series_;
};

}  // namespace

void read_report(const json::Tree& tree, Description& description) {
  ReportReader reader(tree, description);
  for (const json::Value& item : listed(tree, "report", "tables and figures")) reader.read_item(item);
  for (const json::Value& item : listed(tree, "expect", "expectations")) reader.read_expectation(item);
}

CellFilter read_filter(const json::Tree& tree, const json::Value& object, Description& description) {
  return ReportReader(tree, description).filter(object);
}

bool passes(const ExperimentCell& cell, const CellFilter& filter) {
  return std::ranges::all_of(filter, [&](const auto& choice) {
    const auto& [key, values] = choice;
    const std::string value = key == "cell" ? cell.name : value_text(cell.arguments.value(key));
    return std::ranges::find(values, value) != values.end();
  });
}

}  // namespace takt::experiments

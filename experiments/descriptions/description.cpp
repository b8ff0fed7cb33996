// Reads descriptions: generator, cells, study; their chunks; JSON values compared.
#include "experiments/descriptions/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "experiments/descriptions/description_reader.hpp"
#include "heuristics/registry.hpp"
#include "maxplus/contract.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/models.hpp"
#include "tpn/units.hpp"

namespace takt::experiments {

namespace json = tpn::json;

namespace {

constexpr std::size_t kMostCells = 100'000;
struct SpecialName {
  std::string_view name;
  Special special;
  bool is_mapping;
};
constexpr auto kSpecials = std::to_array<SpecialName>({{"in-order", Special::in_order, true},
                                                       {"lower-bound", Special::lower_bound, false},
                                                       {"hedpm-model", Special::model_optimum, false}});

constexpr auto kCommonKeys = std::to_array<std::string_view>(
    {"name", "title", "source", "notes", "seed", "generator", "paired", "cells", "grid", "draws", "study", "measures",
     "keep", "bins", "chunk", "time_limit", "report", "expect"});

constexpr std::uint64_t kMostDrawsPerChunk = std::uint64_t{1} << 40;
constexpr std::string_view kChunkSizes = "a number of draws from 1 to 2^40, or a time above 0 such as \"10 s\"";

}  // namespace

// Goes through a description from top to bottom; what stands above is known below.
class DescriptionReader {
 public:
  DescriptionReader(const json::Tree& tree, const Overrides& overrides) : tree_(tree), overrides_(overrides) {}

  Description read() {
    read_head();
    read_generator();
    read_cells();
    read_study();
    read_measures();
    read_keep();
    read_chunk();
    read_report(tree_, result_);
    return std::move(result_);
  }

 private:
  const json::Value& required(std::string_view key) { return json::required(tree_, tree_.root, "a description", key); }

  template <typename Items>
  [[noreturn]] void fail_unknown(const json::Value& value, const std::string& name, const Items& known) {
    const std::vector<std::string_view> names(known.begin(), known.end());
    json::fail(tree_, value, json::quote(name) + json::suggestion(name, names), json::one_of(names));
  }

  void read_head() {
    json::as_object(tree_, tree_.root, "a description");
    result_.name = json::as_string(tree_, required("name"), "a name");
    if (const auto* title = json::find(tree_.root, "title")) result_.title = json::as_string(tree_, *title, "a title");
    if (const auto* source = json::find(tree_.root, "source")) {
      result_.source = json::as_string(tree_, *source, "a source");
    }
    for (const json::Value& item : listed(tree_, "notes", "texts")) {
      result_.notes.push_back(json::as_string(tree_, item, "a text"));
    }
    if (const auto* seed = json::find(tree_.root, "seed")) result_.seed = read_count(tree_, *seed, UINT64_MAX);
    if (overrides_.seed) result_.seed = *overrides_.seed;
    if (const auto* limit = json::find(tree_.root, "time_limit")) {
      result_.seconds_per_draw = json::as_number(tree_, *limit, json::Bound::positive).to_double().value_or(600);
    }
  }

  void read_generator() {
    const json::Value& value = required("generator");
    const bool is_name = value.kind == json::Kind::string;
    if (!is_name) json::as_object(tree_, value, "a generator, a name or an object");
    const json::Value& name_value = is_name ? value : json::required(tree_, value, "a generator", "name");
    const std::string& name = json::as_string(tree_, name_value, "a generator's name");
    result_.generator = find_generator(name);
    if (result_.generator == nullptr) {
      std::vector<std::string_view> names;
      for (const Generator& generator : generators()) names.push_back(generator.name);
      fail_unknown(name_value, name, names);
    }
    common_.emplace(*result_.generator);
    for (std::size_t i = 0; !is_name && i < value.keys.size(); ++i) {
      if (value.keys[i].name != "name") set(*common_, value.keys[i].name, value.items[i]);
    }
    for (const json::Value& item : listed(tree_, "paired", "parameters")) {
      result_.paired.push_back(json::as_string(tree_, item, "a parameter"));
      parameter(result_.paired.back(), item);
    }
  }

  const GeneratorParameter& parameter(const std::string& name, const json::Value& at) {
    const auto& parameters = result_.generator->parameters;
    const auto found = std::ranges::find(parameters, name, &GeneratorParameter::name);
    if (found == parameters.end()) {
      std::vector<std::string_view> names(parameters.size());
      std::ranges::transform(parameters, names.begin(), &GeneratorParameter::name);
      json::fail(tree_, at, "the key " + json::quote(name) + json::suggestion(name, names),
                 "a parameter of " + std::string(result_.generator->name) + ": " + json::one_of(names));
    }
    return *found;
  }

  // 5, "5..15", [5, 15] or [0, 1, "1/10"].
  std::string value_as_text(const json::Value& value) {
    if (value.kind == json::Kind::string || value.kind == json::Kind::number) return value.text;
    if (value.kind == json::Kind::array && (value.items.size() == 2 || value.items.size() == 3)) {
      std::string text = value.items[0].text + ".." + value.items[1].text;
      if (value.items.size() == 3) text += " by " + value.items[2].text;
      return text;
    }
    json::fail(tree_, value, json::describe(value), "a number, a text or [low, high]");
  }

  // `at` is the value's place where it was made of a range, which has no values of its own in the text.
  std::string set(Arguments& arguments, const std::string& name, const json::Value& value,
                  const json::Value* at = nullptr) {
    const json::Value& place = at == nullptr ? value : *at;
    const GeneratorParameter& known = parameter(name, place);
    const std::string given = value_as_text(value);
    auto parsed = parse_value(known, given);
    if (const auto* refused = std::get_if<ParameterExpectation>(&parsed)) {
      json::fail(tree_, place, at == nullptr ? json::describe(value) : json::quote(given), refused->expected);
    }
    auto& accepted = std::get<ParameterValue>(parsed);
    std::string text = value_text(accepted);
    arguments.set(name, std::move(accepted));
    return text;
  }

  void add_cell(ExperimentCell cell, const json::Value& at) {
    if (result_.generator->objection != nullptr) {
      if (const auto objection = result_.generator->objection(cell.arguments)) {
        json::fail(tree_, at, "the cell " + json::quote(cell.name) + ": " + *objection, "a cell that can be drawn");
      }
    }
    if (!names_.insert(cell.name).second) {
      json::fail(tree_, at, "the name " + json::quote(cell.name) + " twice", "a name of its own for each cell");
    }
    if (result_.cells.size() == kMostCells) {
      json::fail(tree_, at, "more cells", fmt::format("at most {} cells", kMostCells));
    }
    if (overrides_.draws) cell.draws = *overrides_.draws;
    cell.hash = cell_hash(cell.arguments.canonical(result_.paired));
    result_.cells.push_back(std::move(cell));
  }

  void read_cells() {
    if (const json::Value* const cells = json::find(tree_.root, "cells")) {
      for (const json::Value& value : json::as_array(tree_, *cells, "cells")) read_cell(value);
    }
    if (const json::Value* const grid = json::find(tree_.root, "grid")) read_grid(*grid);
    if (result_.cells.empty()) {
      json::fail(tree_, tree_.root, "no cell", "\"cells\", or a \"grid\" of parameters, with at least one cell");
    }
  }

  std::uint64_t draws_of(const json::Value& object, const json::Value& at) {
    const json::Value* value = json::find(object, "draws");
    if (value == nullptr) value = json::find(tree_.root, "draws");
    if (value == nullptr) json::fail(tree_, at, "no \"draws\"", "how many draws a cell has, there or for all");
    return read_count(tree_, *value);
  }

  void read_cell(const json::Value& value) {
    json::as_object(tree_, value, "a cell");
    ExperimentCell cell{.name = {}, .draws = draws_of(value, value), .arguments = *common_, .hash = 0, .own = {}};
    cell.name = json::as_string(tree_, json::required(tree_, value, "a cell", "name"), "a name");
    for (std::size_t i = 0; i < value.keys.size(); ++i) {
      const std::string& key = value.keys[i].name;
      if (key == "name" || key == "draws") continue;
      cell.own.emplace_back(key, set(cell.arguments, key, value.items[i]));
    }
    add_cell(std::move(cell), value);
  }

  // The values of one parameter of a grid: a list, {"from": 1, "to": 50, "step": 1} or one value.
  std::vector<json::Value> grid_values(const json::Value& value) {
    if (value.kind == json::Kind::array) return value.items;
    if (value.kind != json::Kind::object) return {value};
    static constexpr std::array<std::string_view, 3> kKeys = {"from", "to", "step"};
    json::as_object(tree_, value, "a range", kKeys);
    const Rational from = json::as_number(tree_, json::required(tree_, value, "a range", "from"), json::Bound::any);
    const Rational to = json::as_number(tree_, json::required(tree_, value, "a range", "to"), json::Bound::any);
    const json::Value* const step_value = json::find(value, "step");
    const Rational step = step_value == nullptr ? 1 : json::as_number(tree_, *step_value, json::Bound::positive);
    if ((to - from) / step > Rational(kMostCells)) json::fail(tree_, value, "more values", "at most 100000 values");
    std::vector<json::Value> values;
    for (Rational at = from; at <= to; at += step) {
      json::Value item;
      item.kind = json::Kind::string;
      item.text = at.to_string();
      item.position = value.position;
      values.push_back(std::move(item));
    }
    return values;
  }

  // The first parameter changes slowest.
  void read_grid(const json::Value& grid) {
    json::as_object(tree_, grid, "a grid");
    const std::uint64_t draws = draws_of(grid, grid);
    std::vector<ExperimentCell> cells = {{.name = {}, .draws = draws, .arguments = *common_, .hash = 0, .own = {}}};
    for (std::size_t i = 0; i < grid.keys.size(); ++i) {
      const std::string& key = grid.keys[i].name;
      if (key == "draws") continue;
      const std::vector<json::Value> values = grid_values(grid.items[i]);
      if (cells.size() * values.size() > kMostCells) {
        json::fail(tree_, grid, "more cells", fmt::format("at most {} cells", kMostCells));
      }
      std::vector<ExperimentCell> more;
      for (const ExperimentCell& cell : cells) {
        for (const json::Value& value : values) {
          more.push_back(cell);
          more.back().own.emplace_back(key, set(more.back().arguments, key, value, &grid.items[i]));
        }
      }
      cells = std::move(more);
    }
    for (ExperimentCell& cell : cells) {
      std::vector<std::string> parts;
      for (const auto& [key, value] : cell.own) parts.push_back(fmt::format("{} {}", key, value));
      cell.name = parts.empty() ? "all" : fmt::format("{}", fmt::join(parts, ", "));
      add_cell(std::move(cell), grid);
    }
  }

  void read_study() {
    std::vector<std::string_view> names;
    for (const StudyKind& kind : study_kinds()) names.push_back(kind.name);
    const json::Value& value = required("study");
    const std::string& name = json::as_string(tree_, value, "a study");
    result_.study = find_study_kind(name);
    if (result_.study == nullptr) fail_unknown(value, name, names);
    std::vector<std::string_view> keys(kCommonKeys.begin(), kCommonKeys.end());
    keys.insert(keys.end(), result_.study->keys.begin(), result_.study->keys.end());
    json::as_object(tree_, tree_.root, "a description", keys);
    read_models();
    for (const json::Value& item : listed(tree_, "heuristics", "heuristics"))
      read_heuristic(item, result_.heuristics, false);
    for (const json::Value& item : listed(tree_, "references", "references"))
      read_heuristic(item, result_.references, true);
    if (result_.study->read != nullptr) result_.settings = result_.study->read(tree_);
    if (const auto* same = json::find(tree_.root, "same_problem")) {
      result_.same_problem = json::as_boolean(tree_, *same);
    }
    if (const auto objection = objection_of_study()) {
      json::fail(tree_, value, "the study " + name + ": " + *objection, "a description with what its study needs");
    }
  }

  std::optional<std::string> objection_of_study() const {
    if (result_.study->objection != nullptr) {
      if (auto objection = result_.study->objection(result_)) return objection;
    }
    const tpn::Capabilities& takes = result_.study->takes;
    if (const auto* shared = first_cell(takes.shared_resources, result_.generator->shares_resources)) {
      return "it takes only processors that share no resource, with one port each, and the cell " +
             json::quote(shared->name) + " draws others";
    }
    if (const auto* forked = first_cell(takes.workflows, result_.generator->forks_or_joins)) {
      return "it takes only chains, and the cell " + json::quote(forked->name) + " draws workflows that fork or join";
    }
    return std::nullopt;
  }

  // The first cell whose draws have what is not taken, or null.
  const ExperimentCell* first_cell(bool is_taken, bool (*has)(const Arguments& arguments)) const {
    if (is_taken || has == nullptr) return nullptr;
    const auto found =
        std::ranges::find_if(result_.cells, [&](const ExperimentCell& cell) { return has(cell.arguments); });
    return found == result_.cells.end() ? nullptr : &*found;
  }

  void read_models() {
    for (const json::Value& item : listed(tree_, "models", "models")) {
      const std::string& name = json::as_string(tree_, item, "a model");
      const auto model = tpn::find_model(name);
      if (!model) {
        std::vector<std::string_view> names;
        for (const auto& known : tpn::communication_models()) names.push_back(known.name);
        fail_unknown(item, name, names);
      }
      result_.models.push_back(*model);
    }
    if (result_.models.empty()) result_.models.assign(tpn::default_models().begin(), tpn::default_models().end());
  }

  static Special special_of(const std::string& name, bool is_reference) {
    for (const SpecialName& known : kSpecials) {
      if (known.name == name && (is_reference || known.is_mapping)) return known.special;
    }
    return Special::none;
  }

  void read_heuristic(const json::Value& value, std::vector<ChosenHeuristic>& chosen, bool is_reference) {
    static constexpr std::array<std::string_view, 7> kKeys = {"name",   "label",    "options", "command",
                                                              "server", "function", "where"};
    const bool is_name = value.kind == json::Kind::string;
    if (!is_name) {
      json::as_object(tree_, value, "a heuristic, a name or an object",
                      std::span(kKeys).first(kKeys.size() - (is_reference ? 0 : 1)));
    }
    const json::Value& name_value = is_name ? value : json::required(tree_, value, "a heuristic", "name");
    const std::string& name = json::as_string(tree_, name_value, "a heuristic's name");
    ChosenHeuristic heuristic{.label = name,
                              .heuristic = heuristics::find_heuristic(name),
                              .special = special_of(name, is_reference),
                              .options = {}};
    if (!is_name) read_own(value, heuristic);
    const bool is_known = heuristic.heuristic != nullptr || heuristic.special != Special::none;
    if (!is_known && heuristic.own == OwnForm::none) {
      std::vector<std::string_view> names;
      for (const auto& known : heuristics::heuristics()) names.push_back(known.name);
      for (const SpecialName& known : kSpecials) {
        if (is_reference || known.is_mapping) names.push_back(known.name);
      }
      fail_unknown(name_value, name, names);
    }
    if (is_known && heuristic.own != OwnForm::none) {
      json::fail(tree_, name_value, json::quote(name) + ", the name of a heuristic of takt's", "another name");
    }
    if (!is_name) {
      if (const auto* label = json::find(value, "label")) heuristic.label = json::as_string(tree_, *label, "a label");
      if (const auto* options = json::find(value, "options")) read_options(*options, heuristic);
      heuristic.where = read_filter(tree_, value, result_);
    }
    if (std::ranges::find(chosen, heuristic.label, &ChosenHeuristic::label) != chosen.end()) {
      json::fail(tree_, value, json::quote(heuristic.label) + " twice", "a \"label\" of its own for each");
    }
    chosen.push_back(std::move(heuristic));
  }

  void read_own(const json::Value& value, ChosenHeuristic& heuristic) {
    static constexpr std::array<std::pair<std::string_view, OwnForm>, 3> kForms = {
        {{"command", OwnForm::command}, {"server", OwnForm::server}, {"function", OwnForm::function}}};
    for (const auto& [key, form] : kForms) {
      const json::Value* const text = json::find(value, key);
      if (text == nullptr) continue;
      if (heuristic.own != OwnForm::none) {
        json::fail(tree_, *text, "another way to run it", "one of command, server and function");
      }
      heuristic.own = form;
      heuristic.command = json::as_string(tree_, *text, form == OwnForm::function ? "a function's name" : "a command");
      if (heuristic.command.empty()) json::fail(tree_, *text, "an empty text", "a command");
    }
  }

  void read_options(const json::Value& options, ChosenHeuristic& heuristic) {
    json::as_object(tree_, options, "options");
    for (std::size_t i = 0; i < options.keys.size(); ++i) {
      const std::string& name = options.keys[i].name;
      const heuristics::Option* known = nullptr;
      if (heuristic.heuristic != nullptr) {
        for (const heuristics::Option& option : heuristic.heuristic->options) {
          if (option.name == name) known = &option;
        }
      }
      if (known == nullptr) {
        json::fail(tree_, options.items[i], "the key " + json::quote(name), "an option of " + heuristic.label);
      }
      const tpn::OptionValue value = option_value(options.items[i]);
      if (const auto wrong = heuristics::violation(*heuristic.heuristic, *known, value)) {
        json::fail(tree_, options.items[i], json::describe(options.items[i]), *wrong);
      }
      heuristic.options.emplace_back(name, value);
    }
  }

  tpn::OptionValue option_value(const json::Value& value) {
    if (value.kind == json::Kind::boolean) return value.boolean;
    if (value.kind == json::Kind::string) return value.text;
    return json::as_number(tree_, value, json::Bound::any);
  }

  void read_measures() {
    std::vector<std::string> known;
    std::vector<std::string> words;
    for (const MeasureName& measure : result_.study->measures) {
      known.emplace_back(measure.name);
      words.push_back(measure.words.empty() ? spelled_out(measure.name) : std::string(measure.words));
    }
    if (result_.study->further_measures != nullptr) {
      for (FurtherMeasure& measure : result_.study->further_measures(result_)) {
        known.push_back(std::move(measure.name));
        words.push_back(std::move(measure.words));
      }
    }
    const json::Value* const chosen = json::find(tree_.root, "measures");
    if (chosen == nullptr) {
      for (std::size_t i = 0; i < known.size(); ++i) {
        if (is_run_time(known[i])) continue;
        result_.measures.push_back(known[i]);
        result_.measure_words.push_back(words[i]);
      }
      return;
    }
    for (const json::Value& item : json::as_array(tree_, *chosen, "measures")) {
      const std::string& name = json::as_string(tree_, item, "a measure");
      const auto found = std::ranges::find(known, name);
      if (found == known.end()) fail_unknown(item, name, known);
      if (std::ranges::find(result_.measures, name) != result_.measures.end()) {
        json::fail(tree_, item, json::quote(name) + " twice", "each measure once");
      }
      result_.measures.push_back(name);
      result_.measure_words.push_back(words[static_cast<std::size_t>(found - known.begin())]);
    }
  }

  bool is_run_time(std::string_view name) const {
    return std::ranges::any_of(result_.study->measures,
                               [&](const MeasureName& measure) { return measure.name == name && measure.is_run_time; });
  }

  void read_keep() {
    if (const auto* keep = json::find(tree_.root, "keep")) {
      const std::string& text = json::as_string(tree_, *keep, "what is kept");
      if (text == "none") {
        result_.keep = Keep::none;
      } else if (text != "all") {
        result_.keep = Keep::some;
        auto predicate = parse_predicate(text, result_.measures);
        if (const auto* wrong = std::get_if<std::string>(&predicate)) {
          json::fail(tree_, *keep, json::describe(*keep), "all, none, or " + *wrong);
        }
        result_.keep_where = std::get<Predicate>(predicate);
      }
    }
    if (const auto* bins = json::find(tree_.root, "bins")) {
      json::as_object(tree_, *bins, "widths of bins by measure", names_of(result_.measures));
      for (std::size_t i = 0; i < bins->keys.size(); ++i) {
        result_.bin_widths[result_.measure_index(bins->keys[i].name)] =
            json::as_number(tree_, bins->items[i], json::Bound::positive);
      }
    }
  }

  void read_chunk() {
    if (const auto* chunk = json::find(tree_.root, "chunk")) {
      if (chunk->kind != json::Kind::number && chunk->kind != json::Kind::string) {
        json::fail(tree_, *chunk, json::describe(*chunk), std::string(kChunkSizes));
      }
      const auto size = parse_chunk_size(chunk->text);
      if (const auto* expected = std::get_if<std::string>(&size)) {
        json::fail(tree_, *chunk, json::describe(*chunk), *expected);
      }
      result_.chunk = std::get<ChunkSize>(size);
    }
    if (overrides_.chunk) result_.chunk = overrides_.chunk;
    const bool is_number = result_.chunk && result_.chunk->draws > 0;
    for (std::size_t c = 0; c < result_.cells.size(); ++c) {
      result_.cells[c].draws_per_chunk = !overrides_.draws_per_chunk.empty() ? overrides_.draws_per_chunk.at(c)
                                         : is_number                         ? result_.chunk->draws
                                                                             : result_.study->draws_per_chunk;
    }
  }

  static std::vector<std::string_view> names_of(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
  }

  const json::Tree& tree_;
  Overrides overrides_;
  Description result_;
  std::optional<Arguments> common_;
  std::set<std::string> names_;
};

std::string spelled_out(std::string_view key) {
  std::string words(key);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::size_t Description::measure_index(std::string_view measure) const {
  const auto found = std::ranges::find(measures, measure);
  maxplus::expects(found != measures.end(), "a measure is one of the description's");
  return static_cast<std::size_t>(found - measures.begin());
}

Description read_description(std::string_view text, const std::string& file, const Overrides& overrides) {
  static constexpr std::array<std::string_view, 2> kRemarks = {"//", "$schema"};
  auto tree = std::make_shared<const json::Tree>(json::parse(text, file, nullptr, kRemarks));
  Description description = DescriptionReader(*tree, overrides).read();
  description.tree = std::move(tree);
  return description;
}

std::span<const json::Value> listed(const json::Tree& tree, std::string_view key, std::string_view what) {
  const json::Value* const value = json::find(tree.root, key);
  if (value == nullptr) return {};
  return json::as_array(tree, *value, what);
}

std::uint64_t read_count(const json::Tree& tree, const json::Value& value, std::uint64_t most) {
  const Rational number = json::as_number(tree, value, json::Bound::whole);
  if (number > Rational(most)) json::fail(tree, value, json::describe(value), fmt::format("at most {}", most));
  return number.numerator().get_ui();
}

std::variant<ChunkSize, std::string> parse_chunk_size(std::string_view text) {
  const auto read = tpn::parse_quantity(text, tpn::Quantity::time, maxplus::kMaxDigits);
  const auto* const number = std::get_if<Rational>(&read);
  if (number == nullptr || number->sign() <= 0) return std::string(kChunkSizes);
  if (tpn::has_unit(text)) {
    const double seconds = number->to_double().value_or(0);
    if (seconds > 0) return ChunkSize{.draws = 0, .seconds = seconds};
  } else if (number->denominator() == 1 && *number <= Rational(kMostDrawsPerChunk)) {
    return ChunkSize{.draws = number->numerator().get_ui(), .seconds = 0};
  }
  return std::string(kChunkSizes);
}

std::uint64_t count_chunks(const Description& description) {
  std::uint64_t count = 0;
  for (const ExperimentCell& cell : description.cells) {
    count += cell.draws / cell.draws_per_chunk + (cell.draws % cell.draws_per_chunk == 0 ? 0 : 1);
  }
  return count;
}

std::vector<Chunk> chunks_of(const Description& description) {
  std::vector<Chunk> chunks;
  chunks.reserve(count_chunks(description));
  for (std::size_t c = 0; c < description.cells.size(); ++c) {
    const std::uint64_t draws = description.cells[c].draws;
    const std::uint64_t size = description.cells[c].draws_per_chunk;
    for (std::uint64_t first = 0; first < draws; first += size) {
      chunks.push_back({c, first / size, first, std::min(size, draws - first)});
    }
  }
  return chunks;
}

DrawKey key_of(const Description& description, const ExperimentCell& cell, std::uint64_t draw) {
  return {.seed = description.seed, .cell = cell.hash, .draw = draw};
}

namespace {

void write_value(tpn::JsonWriter& writer, const json::Value& value) {
  switch (value.kind) {
    case json::Kind::null:
      writer.value(nullptr);
      break;
    case json::Kind::boolean:
      writer.value(value.boolean);
      break;
    case json::Kind::number:
      writer.raw(value.text);
      break;
    case json::Kind::string:
      writer.value(value.text);
      break;
    case json::Kind::array:
      writer.begin_array();
      for (const json::Value& item : value.items) write_value(writer, item);
      writer.end();
      break;
    case json::Kind::object:
      writer.begin_object();
      for (std::size_t i = 0; i < value.keys.size(); ++i) {
        writer.key(value.keys[i].name);
        write_value(writer, value.items[i]);
      }
      writer.end();
      break;
  }
}

std::optional<JsonDifference> difference_at(const json::Value& left, const json::Value& right, std::string pointer);

std::optional<JsonDifference> difference_of_objects(const json::Value& left, const json::Value& right,
                                                    const std::string& pointer) {
  for (std::size_t i = 0; i < left.keys.size(); ++i) {
    const std::string& key = left.keys[i].name;
    const std::string at = pointer + json::pointer_step(key);
    const json::Value* const other = json::find(right, key);
    if (other == nullptr) return JsonDifference{at, json::describe(left.items[i]), "nothing"};
    if (auto difference = difference_at(left.items[i], *other, at)) return difference;
  }
  for (std::size_t i = 0; i < right.keys.size(); ++i) {
    if (json::find(left, right.keys[i].name) == nullptr) {
      return JsonDifference{pointer + json::pointer_step(right.keys[i].name), "nothing",
                            json::describe(right.items[i])};
    }
  }
  return std::nullopt;
}

std::optional<JsonDifference> difference_at(const json::Value& left, const json::Value& right, std::string pointer) {
  const bool is_same_kind = left.kind == right.kind;
  if (is_same_kind && left.kind == json::Kind::object) return difference_of_objects(left, right, pointer);
  if (is_same_kind && left.kind == json::Kind::array) {
    for (std::size_t i = 0; i < std::min(left.items.size(), right.items.size()); ++i) {
      auto difference = difference_at(left.items[i], right.items[i], pointer + "/" + std::to_string(i));
      if (difference) return difference;
    }
    if (left.items.size() == right.items.size()) return std::nullopt;
    return JsonDifference{std::move(pointer), fmt::format("{} items", left.items.size()),
                          fmt::format("{} items", right.items.size())};
  }
  if (is_same_kind && left.text == right.text && left.boolean == right.boolean) return std::nullopt;
  return JsonDifference{std::move(pointer), json::describe(left), json::describe(right)};
}

}  // namespace

std::string json_text(const json::Value& value) {
  std::string text;
  tpn::JsonWriter writer(text, tpn::IllFormed::replaced);
  writer.begin_array(tpn::JsonLayout::line);
  write_value(writer, value);
  writer.end();
  return text.substr(1, text.size() - 2);
}

std::optional<JsonDifference> first_difference(const json::Value& left, const json::Value& right) {
  return difference_at(left, right, "");
}

}  // namespace takt::experiments

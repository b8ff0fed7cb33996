// The description of an experiment: what is drawn, what is computed of each draw, what is reported and expected.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/descriptions/report_request.hpp"
#include "experiments/descriptions/statistic.hpp"
#include "experiments/draws/generator.hpp"
#include "experiments/draws/study.hpp"
#include "heuristics/heuristic.hpp"
#include "tpn/json.hpp"

namespace takt::experiments {

/// How many draws a chunk has: a number or, where that is 0, as many as take so long.
struct ChunkSize {
  std::uint64_t draws = 0;
  double seconds = 0;
};

/// Reads "500" or "10 s"; in place of it what was expected, a phrase.
std::variant<ChunkSize, std::string> parse_chunk_size(std::string_view text);

/// A point of the parameters: a row of a table, an x of a curve.
struct ExperimentCell {
  std::string name;  // unique
  std::uint64_t draws = 0;
  std::uint64_t draws_per_chunk = 0;  // the study's usual number where time is to decide and has not yet
  Arguments arguments;
  std::uint64_t hash = 0;  // of DrawKey
  /// The parameters that the description gives each cell by itself, in its order, as texts.
  std::vector<std::pair<std::string, std::string>> own;
};

/// What a study knows beside the heuristics.
enum class Special {
  none,
  in_order,      // a mapping: stage i on processor i
  lower_bound,   // heuristics::period_lower_bound, to compare with
  model_optimum  // heuristics::model_optimum, to compare production times in HeDPM's model with
};

/// How a heuristic that is none of takt's is asked.
enum class OwnForm {
  none,
  command,  // run by the shell for each problem
  server,   // run by the shell once, a line for each problem
  function  // of the program that runs the experiment
};

/// A heuristic with its options, under a name of its own.
struct ChosenHeuristic {
  std::string label;  // unique
  const heuristics::Heuristic* heuristic = nullptr;
  Special special = Special::none;  // in place of the heuristic
  OwnForm own = OwnForm::none;      // likewise
  std::string command{};            // of such a one: the command, or the function's name
  std::vector<heuristics::OptionSetting> options;
  CellFilter where{};  // of a reference: the cells in which it is asked
};

/// Which rows are kept beside the tallies.
enum class Keep { all, some, none };

struct Description {
  std::string name;
  std::string title;   // a phrase, or empty
  std::string source;  // a key of docs/references.bib and the place, or empty
  std::vector<std::string> notes;
  std::uint64_t seed = 1;
  const StudyKind* study = nullptr;
  const Generator* generator = nullptr;
  std::vector<std::string> paired;  // parameters that leave the numbers of a draw as they are
  std::vector<ExperimentCell> cells;
  std::vector<std::string> measures;
  std::vector<std::string> measure_words;  // what tables and figures call them
  std::vector<tpn::Model> models;
  std::vector<ChosenHeuristic> heuristics;
  std::vector<ChosenHeuristic> references;
  std::shared_ptr<const StudySettings> settings;  // of the study's own keys; null if it has none
  bool same_problem = false;  // every draw is of the problem of draw 0; only seeds of heuristics differ
  Keep keep = Keep::all;
  std::optional<Predicate> keep_where;         // of Keep::some
  std::map<std::size_t, Rational> bin_widths;  // by measure
  std::optional<ChunkSize> chunk;              // what is said of it
  double seconds_per_draw = 600;
  std::vector<ReportItem> report;
  std::vector<Expectation> expectations;
  std::vector<Predicate> predicates;  // all that the report and the expectations count

  std::shared_ptr<const tpn::json::Tree> tree;  // of the text that it was read from

  std::size_t measure_index(std::string_view measure) const;
};

/// A key as people write it, with blanks for "_": "data sets".
std::string spelled_out(std::string_view key);

/// Those of the description's study, which are of that type.
template <typename Settings>
const Settings& settings_of(const Description& description) {
  return dynamic_cast<const Settings&>(*description.settings);
}

/// The items of a list of a description, such as "models"; none if the key is not there. Throws tpn::ParseError
/// where it holds something else; `what` names the items.
std::span<const tpn::json::Value> listed(const tpn::json::Tree& tree, std::string_view key, std::string_view what);

/// A whole number, 0 or more. Throws tpn::ParseError, also above `most`.
std::uint64_t read_count(const tpn::json::Tree& tree, const tpn::json::Value& value,
                         std::uint64_t most = std::uint64_t{1} << 40);

/// What a run may say differently from its description.
struct Overrides {
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> draws;  // of every cell
  std::optional<ChunkSize> chunk{};
  std::vector<std::uint64_t> draws_per_chunk{};  // by cell, as a run has chosen them; or empty
};

/// Reads a description. Throws tpn::ParseError, which names the place in `file`.
Description read_description(std::string_view text, const std::string& file, const Overrides& overrides = {});

/// Draws first .. first + count - 1 of a cell: the unit of work, of a file, of loss.
struct Chunk {
  std::size_t cell = 0;
  std::uint64_t number = 0;  // within the cell
  std::uint64_t first = 0;
  std::uint64_t draws = 0;
};

/// All chunks, cell after cell. Chunk k of a cell begins at draw k * draws_per_chunk, however many draws there are.
/// Memory: some 32 bytes a chunk.
std::vector<Chunk> chunks_of(const Description& description);
/// How many there are, in all.
std::uint64_t count_chunks(const Description& description);

/// Whether a cell is one that a report or an expectation is about.
bool passes(const ExperimentCell& cell, const CellFilter& filter);

/// The key of a draw.
DrawKey key_of(const Description& description, const ExperimentCell& cell, std::uint64_t draw);

/// A JSON value as compact text with its keys in order; equal texts, equal values.
std::string json_text(const tpn::json::Value& value);
/// Where two JSON values differ first: a JSON pointer, with what each has there; nothing if they are equal.
struct JsonDifference {
  std::string pointer;
  std::string left;  // "nothing", or what `tpn::json::describe` says
  std::string right;
};
std::optional<JsonDifference> first_difference(const tpn::json::Value& left, const tpn::json::Value& right);

}  // namespace takt::experiments

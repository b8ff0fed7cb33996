// What a study is: what is computed of a draw, as exact numbers in named series.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evaluators/kernel/period.hpp"
#include "experiments/draws/stream.hpp"
#include "maxplus/deadline.hpp"
#include "maxplus/rational.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/json.hpp"

namespace takt::experiments {

struct Description;
struct ExperimentCell;
class OwnHeuristics;

/// What tells the rows of one draw apart, such as heuristic "bsc" and model "strict", in the order of the output.
using SeriesKeys = std::vector<std::pair<std::string, std::string>>;

/// A measure of a draw, exactly: a fraction of two 64-bit integers costs no memory of its own.
using MeasuredNumber = evaluators::Period;

/// What a draw gave in one series: a number for each measure, absent if it has no meaning there; or why there is
/// none, a phrase.
struct SeriesResult {
  std::vector<std::optional<MeasuredNumber>> values;  // by measure
  std::string failure;                                // empty if there are values

  void fail(std::string reason) {
    failure = std::move(reason);
    for (auto& value : values) value.reset();
  }
};

/// By series.
using DrawResult = std::vector<SeriesResult>;

/// A study made ready for one cell. It serves one thread; the same draw gives the same numbers whenever it is asked.
class Study {
 public:
  Study() = default;
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;
  virtual ~Study() = default;

  /// The series that each draw has a result in.
  virtual const std::vector<SeriesKeys>& series() const = 0;
  /// Puts the numbers of a draw into the result, which has a value for each measure of the description in each series;
  /// what it held does not count. If the deadline passes, series fail.
  virtual void run(const DrawKey& key, const maxplus::Deadline& deadline, DrawResult& result) = 0;
  /// Sets what runs the heuristics that are not takt's, before the first draw; it must outlive the study.
  virtual void use(OwnHeuristics& /*own*/) {}
};

/// What a description says in the keys of a study's own. Each study has its type.
class StudySettings {
 public:
  StudySettings() = default;
  StudySettings(const StudySettings&) = delete;
  StudySettings& operator=(const StudySettings&) = delete;
  virtual ~StudySettings() = default;
};

/// A measure of a study: a key of descriptions and rows, what it is, and what tables and figures call it.
struct MeasureName {
  std::string_view name;
  std::string_view help;     // a phrase
  std::string_view words{};  // empty: the name, with blanks for "_"
  /// It differs from run to run, and is kept only where the description names it.
  bool is_run_time = false;
};

/// A measure that a description adds to those of its study.
struct FurtherMeasure {
  std::string name;
  std::string words;  // what tables and figures call it
};

/// A kind of study: what users are told of it, and how it is made ready.
struct StudyKind {
  std::string_view name;
  std::string_view summary;
  /// Keys of a description that mean something to this study beside those that all have: of those that several share
  /// (models, heuristics, references, same_problem), and its own, which `read` reads.
  std::vector<std::string_view> keys;
  std::vector<MeasureName> measures;
  /// Draws of a chunk where nobody says so and none may be timed: ten seconds of work or some.
  std::uint64_t draws_per_chunk = 1000;
  /// The measures that this description adds to those above, such as ratios to its references.
  std::vector<FurtherMeasure> (*further_measures)(const Description& description) = nullptr;
  /// What a description lacks for this study, a whole sentence without a full stop; nothing if all is well.
  std::optional<std::string> (*objection)(const Description& description) = nullptr;
  tpn::Capabilities takes{};
  /// The settings in the study's own keys; null if it has none. Throws tpn::ParseError, which names the place.
  std::unique_ptr<const StudySettings> (*read)(const tpn::json::Tree& tree) = nullptr;
  std::unique_ptr<Study> (*prepare)(const Description& description, const ExperimentCell& cell);
};

std::span<const StudyKind> study_kinds();

/// The kind of that name, or null.
const StudyKind* find_study_kind(std::string_view name);

}  // namespace takt::experiments

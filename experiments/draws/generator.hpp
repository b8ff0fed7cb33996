// What a generator is: parameters and the number of a draw in, an instance or a problem out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/mappings/time_table.hpp"
#include "experiments/draws/stream.hpp"
#include "maxplus/rational.hpp"
#include "tpn/document.hpp"

namespace takt::experiments {

using maxplus::Rational;

/// The numbers low, low + step, ... up to high, equally likely.
struct Range {
  Rational low;
  Rational high;
  Rational step = 1;  // > 0

  /// How many numbers there are, at least 1.
  std::uint64_t size() const;
  /// Number i of them, i < size().
  Rational at(std::uint64_t i) const { return low + step * Rational(i); }
  Rational draw(Stream& stream) const { return at(stream.below(size())); }
  /// "5", "5..15" or "1/100..10 by 1/100".
  std::string to_string() const;

  friend bool operator==(const Range&, const Range&) = default;
};

enum class ParameterKind {
  count,   // a whole number
  number,  // any number
  range,   // a Range: "5", "5..15", "0.01..10 by 0.01"
  choice   // one of some words
};

/// "count", "number", "range", "choice".
std::string_view name_of(ParameterKind kind);

/// A parameter of a generator: `--NAME` of takt generate, a key of a description's cells.
struct GeneratorParameter {
  std::string_view name;
  std::string_view help;  // a phrase without a full stop
  ParameterKind kind = ParameterKind::count;
  std::string_view standard;  // the default, as a text
  std::vector<std::string_view> choices{};
  std::int64_t least = 1;  // of a count; of a number and of the low end of a range, too
  std::int64_t most = 10'000;
  bool is_above_least = false;  // the least itself is no value
};

using ParameterValue = std::variant<std::uint64_t, Rational, Range, std::string>;

/// The value of a text for a parameter, or a phrase that completes "expected".
struct ParameterExpectation {
  std::string expected;
};
std::variant<ParameterValue, ParameterExpectation> parse_value(const GeneratorParameter& parameter,
                                                               std::string_view text);
/// The text that `parse_value` reads as the same value; one text for each value.
std::string value_text(const ParameterValue& value);

struct Generator;

/// A value for each parameter of a generator, the standard one until it is set.
class Arguments {
 public:
  /// Keeps a reference to the generator.
  explicit Arguments(const Generator& generator);

  const Generator& generator() const { return *generator_; }

  /// The parameter must be one of the generator's, the value of its kind.
  void set(std::string_view parameter, ParameterValue value);

  std::uint64_t count(std::string_view parameter) const;
  const Rational& number(std::string_view parameter) const;
  const Range& range(std::string_view parameter) const;
  const std::string& choice(std::string_view parameter) const;
  const ParameterValue& value(std::string_view parameter) const;

  /// The generator's name and the values that differ from the standard ones, but for those of `paired` parameters:
  /// what a cell's numbers depend on.
  std::string canonical(const std::vector<std::string>& paired = {}) const;

  friend bool operator==(const Arguments&, const Arguments&) = default;

 private:
  const Generator* generator_;
  std::vector<ParameterValue> values_;  // in the order of Generator::parameters
};

/// Which draw that is: of this seed, of the cell that the arguments are but for the paired ones, draw number `draw`.
DrawKey key_of(const Arguments& arguments, std::uint64_t seed, std::uint64_t draw,
               const std::vector<std::string>& paired = {});

/// What a generator draws: mappings to evaluate, or problems to map.
enum class DrawnKind { instance, problem };

/// "instance", "problem".
std::string_view name_of(DrawnKind kind);

/// Draws of one cell as tables of times, for studies that evaluate millions of them.
class TableFiller {
 public:
  TableFiller() = default;
  TableFiller(const TableFiller&) = delete;
  TableFiller& operator=(const TableFiller&) = delete;
  virtual ~TableFiller() = default;

  /// The draw of that key: the mapping of the document, part by part, and its times. Allocates nothing once
  /// this filler and this table have seen a draw as large.
  virtual void fill(const DrawKey& key, evaluators::TimeTable& table) = 0;
};

/// A generator: what users are told of it, and the function that draws.
struct Generator {
  std::string_view name;
  std::string_view summary;  // a phrase
  std::string_view source;   // a key of docs/references.bib, and the place; "takt" for our own
  DrawnKind kind = DrawnKind::problem;
  std::vector<GeneratorParameter> parameters;
  /// What is wrong with values that are fine one by one, a whole sentence without a full stop; nothing if all is
  /// well. Absent if no such thing can be.
  std::optional<std::string> (*objection)(const Arguments& arguments) = nullptr;
  /// The draw of that key, a document that `tpn::validate` accepts; the arguments are fine.
  tpn::Document (*draw)(const Arguments& arguments, const DrawKey& key);
  /// The same draws as tables, for arguments that are fine; null if their times have no common unit of 64 bits.
  /// Absent if there are no tables of this generator.
  std::unique_ptr<TableFiller> (*table_filler)(const Arguments& arguments) = nullptr;
  /// Whether processors of the draws share ports, or have other numbers of them than one. Absent if none do.
  bool (*shares_resources)(const Arguments& arguments) = nullptr;
  /// Whether draws may be workflows that are no chains. Absent if none are.
  bool (*forks_or_joins)(const Arguments& arguments) = nullptr;
};

/// The command line that draws it: "takt generate replicated-mapping --stages 3 --seed 1 --draw 17", with the values
/// that differ from the standard ones.
std::string command_of(const Arguments& arguments, std::uint64_t seed, std::uint64_t draw,
                       const std::vector<std::string>& paired = {});

/// That draw, its application named after it ("replicated-mapping, seed 1, draw 17"), its command line as a remark.
tpn::Document draw_document(const Arguments& arguments, std::uint64_t seed, std::uint64_t draw,
                            const std::vector<std::string>& paired = {});

/// All generators, in the order in which they are listed.
const std::vector<Generator>& generators();

/// The generator of that name, or null.
const Generator* find_generator(std::string_view name);

}  // namespace takt::experiments

// What a mapping heuristic is: a problem in, a mapping with the period that it predicts out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/document.hpp"
#include "tpn/json.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/stage_order.hpp"

namespace takt::heuristics {

using maxplus::Integer;
using maxplus::Rational;

/// The mappings that a heuristic chooses among, from narrow to wide: one stage per processor; one interval
/// of stages per processor; parts on several processors in turn; the same where a processor may serve several parts;
/// and where the processors of a part may take unequal shares.
enum class MappingClass { one_to_one, interval, replicated, general, divided };

std::string_view name_of(MappingClass mapping_class);

/// An option of a heuristic, `--NAME` of takt map.
struct Option {
  std::string_view name;
  std::string_view help;                           // a phrase without a full stop
  tpn::OptionValue standard;                       // the default; every value is of the same kind
  std::vector<std::string_view> choices{};         // of a text
  bool or_heuristic = false;                       // of a text: any other heuristic's name is a choice too
  tpn::json::Bound bound = tpn::json::Bound::any;  // of a number
  std::optional<std::uint64_t> most{};             // of a number
};

/// An option's name and value.
using OptionSetting = std::pair<std::string, tpn::OptionValue>;

inline constexpr std::uint64_t kDefaultSeed = 1;

/// A mapping and the name of the heuristic that found it.
struct KnownMapping {
  std::string name;
  tpn::Mapping mapping;
  std::optional<tpn::StageOrder> order{};  // as a proposal's
};

/// How to run a heuristic. Same settings, same mapping, on every machine, but for the deadline.
struct Settings {
  /// Where the heuristic has a choice, the model whose period it is to make small; `solve` takes the heuristic's own
  /// where none is chosen.
  std::optional<tpn::Model> model;
  std::uint64_t seed = kDefaultSeed;
  evaluators::Deadline deadline;
  /// What a search makes of the deadline that ends by itself without one: it goes on until then, looking for better
  /// mappings, rather than be cut short by it at most.
  bool uses_all_time = false;
  /// Mappings of the problem that others have found already, for searches that start from what others find.
  std::vector<KnownMapping> known;
  /// Those chosen; `solve` adds the others with their standard values, in the order of Heuristic::options.
  std::vector<OptionSetting> options;

  /// The value of an option that the heuristic has.
  const Rational& number(std::string_view name) const;
  /// The same for a number that is a whole one; the largest 64-bit integer where it is beyond.
  std::uint64_t count(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  bool flag(std::string_view name) const;
};

/// What was tried, as the tables of the papers show it. Every row has one cell per column.
struct LogTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// A search had nothing as good before.
struct Improvement {
  std::uint64_t iteration = 0;  // as the heuristic counts them, what it starts from included or 0
  Rational period;              // exactly, in time units per data set

  friend bool operator==(const Improvement&, const Improvement&) = default;
};

/// What a heuristic has to say besides its answer.
struct Log {
  std::vector<LogTable> tables;
  /// Of those that search step by step, the best so far: periods fall, iterations do not. The last period is the
  /// predicted one, but for what comes behind the search, such as rounded fractions.
  std::vector<Improvement> improvements;
  std::vector<std::string> notes;  // assumptions that the problem does not keep and the like; whole sentences
};

/// A mapping and what its heuristic predicts of it, in time units per data set.
struct Proposal {
  tpn::Mapping mapping;
  Rational predicted_period;
  /// The deadline cut the search short: without it the mapping might be another.
  bool cut_short = false;
  /// Proved: no mapping of the problem, of whatever class, has a shorter period under the solution's model.
  std::optional<Rational> lower_bound{};
  /// The order of a workflow's stages of whose list the parts are intervals; default: the problem's.
  std::optional<tpn::StageOrder> order{};
  /// The order in which its transfers are served within a data set; none: by sender, then receiver.
  std::vector<tpn::TransferEnds> served{};
};

/// The problem with the proposal's mapping, its stages and transfers in the proposal's orders.
tpn::Document document_of(const tpn::Document& problem, const Proposal& proposal);

/// There is no mapping of the heuristic's kind, or it is not made for such problems.
struct Infeasible {
  std::string reason;  // a phrase without a full stop
};

/// The problem is too large for the heuristic, or the deadline passed before it had a mapping.
struct LimitMet {
  std::string reason;  // a phrase without a full stop
};

/// What a heuristic answers if the deadline passed before it had a mapping.
LimitMet out_of_time();

using Result = std::variant<Proposal, Infeasible, LimitMet>;

using MapFunction = Result(const tpn::ProblemView& problem, const Settings& settings, Log& log);

/// What a heuristic makes of Settings::model.
enum class ModelUse {
  none,         // nothing: its prediction is one, and is held to one of tpn::default_models()
  cycle_times,  // predicts by cycle times, for models that follow_cycle_times
  evaluation    // evaluates nets, of any model
};

/// A heuristic: what users are told of it, and the function that answers. `map` takes a problem that
/// `tpn::validate` accepts (a mapping that it has counts only for those that say so), all options, and throws
/// tpn::InvalidInstance where a work or a size that it needs is absent. An absent link is no link.
struct Heuristic {
  std::string_view name;
  std::string_view summary;  // a phrase
  MappingClass mapping_class;
  tpn::Model model;  // in which it predicts, unless Settings::model says otherwise
  ModelUse model_use = ModelUse::none;
  tpn::Capabilities takes{};
  std::string_view communication;  // what it assumes of communication, a phrase
  std::string_view optimality;     // a phrase
  std::string_view cost;           // n stages, p processors
  std::string_view source;         // a key of docs/references.bib, and the place; "takt" for our own
  /// Ends by itself in well under a second on a hundred processors, so that a search may start from its mapping.
  bool is_quick = true;
  std::vector<Option> options{};
  MapFunction* map;
};

/// A phrase for what a value of the heuristic's option should be; nothing if it is.
std::optional<std::string> violation(const Heuristic& heuristic, const Option& option, const tpn::OptionValue& value);

/// The choices of a text, as "a, b or c".
std::string choices_text(const Option& option);

/// What `solve` answers.
struct Solution {
  Result result;
  Settings settings;                       // with every option
  tpn::Model model = tpn::Model::kStrict;  // under which the prediction is meant
  Log log;
};

/// Runs a heuristic on a problem that `tpn::validate` accepts. Options that the heuristic lacks, or values that
/// `violation` objects to, are a caller's bug. A proposal is valid (`tpn::validate` accepts the problem with
/// it); where its processors lack a link between them, the answer is Infeasible and names it, and LimitMet where the
/// predicted period is beyond the digits of a document.
Solution solve(const Heuristic& heuristic, const tpn::ProblemView& problem, Settings settings = {});
/// The same with a view of its own, for a problem that is asked about once.
Solution solve(const Heuristic& heuristic, const tpn::Document& problem, Settings settings = {});

/// The problem, its stages in the order of the proposal, with the mapping, its predicted period, the heuristic's record
/// and the model. The solution must be that heuristic's proposal.
tpn::Document mapped_document(const tpn::Document& problem, const Heuristic& heuristic, const Solution& solution);

}  // namespace takt::heuristics

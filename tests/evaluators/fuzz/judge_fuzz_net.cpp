// All answers for one net against each other.
#include "tests/evaluators/fuzz/judge_fuzz_net.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/insight/latency.hpp"
#include "evaluators/insight/paced.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "evaluators/mappings/table_evaluator.hpp"
#include "evaluators/play/play.hpp"
#include "evaluators/potentials/potentials.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/typed_documents.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/chain.hpp"
#include "tpn/errors.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"
#include "tpn/parameters.hpp"
#include "tpn/reader.hpp"
#include "tpn/turns.hpp"
#include "tpn/writer.hpp"

namespace takt::support {

namespace {

using evaluators::Evaluation;
using evaluators::Method;
using evaluators::Options;
using maxplus::Integer;
using maxplus::Rational;

// Questions to the clock: a search that asks more often on such a net has lost its way.
constexpr std::uint64_t kLongestSearch = 1'000'000;
// Where durations are huge and nearly equal, a play repeats after ages only.
constexpr std::uint64_t kLongestPlay = 1000;
constexpr std::uint64_t kPotentialMemory = 4 << 20;
// Karp's table grows with the square of the tokens.
constexpr std::uint64_t kMostTokensForKarp = 400;
// On large graphs one solver does, as Burns' rounds may be many.
constexpr std::uint64_t kMostOperationsForAll = 5000;

std::string interval_text(const Rational& lower, const Rational& upper) {
  return lower == upper ? lower.to_string() : "[" + lower.to_string() + ", " + upper.to_string() + "]";
}

class FuzzJudge {
 public:
  FuzzJudge(const FuzzNet& fuzz, const tpn::FoldedNet& net, FuzzTally& tally)
      : fuzz_(fuzz), model_(*fuzz.document.model), net_(net), tally_(tally) {}

  void judge(std::span<const FuzzWay> others) {
    compare_text();
    compare_methods(others);
    compare_intervals();
    const bool is_in_rounds = net_.pipeline.is_shifted();
    const bool is_for_evaluators =
        !tpn::why_refused({.shared_resources = true, .several_ends = true, .segments = true}, fuzz_.document);
    if (!fuzz_.is_limited() && is_for_evaluators) {
      compare_mapping_evaluator();
      compare_table_evaluator();
    }
    // What these rules know; of the rest tests/evaluators/hosts_test.cpp holds plays against another simulation.
    const bool is_plain =
        net_.pipeline.ports.segments.empty() && !net_.pipeline.has_batches() && net_.pipeline.is_chain();
    if (!is_in_rounds && is_plain) compare_plays();
    compare_boost();
    compare_stays();
    compare_relatives();
    compare_changes();
  }

 private:
  // What to say is asked for if it does not hold.
  template <typename Say>
  void hold(bool holds, const char* comparison, Say say) {
    ++tally_[comparison];
    if (!holds) throw FuzzFailure{comparison, say()};
  }

  void compare_text() {
    const tpn::Document back = tpn::read_document(tpn::write_document(fuzz_.document), "written");
    hold(back == fuzz_.document, "written and read", [] { return std::string("another document"); });
  }

  void compare_methods(std::span<const FuzzWay> others) {
    const bool has_many_tokens =
        net_.pipeline.rows * std::ranges::count_if(net_.dependences, &tpn::Dependence::height) > kMostTokensForKarp;
    const bool is_large = net_.pipeline.rows * net_.pipeline.columns.size() > kMostOperationsForAll;
    for (const Way& way : ways_for(net_)) {
      if (is_large && way.options.solver != nullptr) continue;
      if (has_many_tokens && way.options.solver == maxplus::find_solver("karp")) continue;
      compare_method(way.name, way.options);
    }
    compare_method("auto", options_of(Method::automatic));
    for (const FuzzWay& way : others) compare_exact(way.name, way.evaluate(net_));
  }

  void compare_method(const std::string& name, Options options) {
    options.deadline = clock_.at_question(kLongestSearch);
    compare_exact(name, evaluators::evaluate(net_, options));
  }

  void compare_exact(const std::string& name, const Evaluation& evaluation) {
    hold(evaluation.exact(), "exact", [&] { return name + ": " + interval_text(evaluation.lower, evaluation.upper); });
    if (first_way_.empty()) {
      first_way_ = name;
      period_ = evaluation.upper;
    }
    hold(evaluation.upper == period_, "methods",
         [&] { return first_way_ + ": " + period_.to_string() + ", " + name + ": " + evaluation.upper.to_string(); });
    const bool is_busy = evaluators::largest_cycle_time(net_) == evaluation.upper;
    hold(evaluation.circuit.resource.has_value() == is_busy, "critical resources",
         [&] { return name + (is_busy ? ": none, but the period is M_ct" : ": one, but the period is not M_ct"); });
    prove(name, evaluation);
  }

  void prove(const std::string& name, const Evaluation& evaluation) {
    const auto certified = evaluators::certify(net_, evaluation);
    if (std::holds_alternative<tpn::TooLarge>(certified)) {
      ++tally_["certificates too large"];
      return;
    }
    const std::string text = evaluators::write_certificate(std::get<evaluators::Certificate>(certified));
    const auto verdict = evaluators::check(fuzz_.document, evaluators::read_certificate(text, "certificate"));
    hold(std::holds_alternative<evaluators::Proven>(verdict), "certificates", [&] {
      const auto* refused = std::get_if<evaluators::Refused>(&verdict);
      return name + ": " + (refused != nullptr ? refused->reason : "no verdict");
    });
  }

  void compare_interval(const std::string& name, const Evaluation& evaluation) {
    hold(evaluation.lower <= period_ && period_ <= evaluation.upper, "intervals", [&] {
      return name + ": " + interval_text(evaluation.lower, evaluation.upper) + ", the period: " + period_.to_string();
    });
    prove(name, evaluation);
  }

  void compare_intervals() {
    compare_interval("bounds before a search", evaluators::coarse_bounds(net_, Method::sweep));
    compare_interval("bounds of a uniform schedule", evaluators::uniform_bounds(net_, Method::sweep));
    compare_simulate();
    Options options;
    for (const Method method : {Method::automatic, Method::unfold, Method::sweep, Method::simulate}) {
      if (evaluators::why_unfit(method, net_)) continue;
      options = options_of(method);
      options.max_rows = 1;
      options.deadline = clock_.at_question(kLongestPlay);
      compare_interval(std::string(evaluators::name_of(method)) + " within a row", evaluators::evaluate(net_, options));
    }
    if (!evaluators::why_unfit(Method::potentials, net_)) {
      options = options_of(Method::potentials);
      options.max_memory = kPotentialMemory;
      options.deadline = clock_.at_question(kLongestPlay);
      compare_interval("potentials", evaluators::evaluate(net_, options));
    }
    for (const std::uint64_t bytes : {1000U, 20'000U}) {
      options = options_of(Method::residue);
      options.max_memory = bytes;
      compare_interval("residue in " + std::to_string(bytes) + " bytes", evaluators::evaluate(net_, options));
    }
  }

  void compare_simulate() {
    if (evaluators::why_unfit(Method::simulate, net_)) return;
    Options options = options_of(Method::simulate);
    options.deadline = clock_.at_question(kLongestPlay);
    const Evaluation played = evaluators::evaluate(net_, options);
    compare_interval("simulate", played);
    if (!played.measurement || !played.measurement->repeats) return;
    hold(played.measurement->period == period_, "measured periods", [&] {
      return "simulate: " + played.measurement->period.to_string() + ", the period: " + period_.to_string();
    });
  }

  void hold_equal(const char* comparison, const std::string& name, const Rational& found, const Rational& expected) {
    hold(found == expected, comparison,
         [&] { return name + ": " + found.to_string() + ", expected " + expected.to_string(); });
  }

  void hold_exact(const char* comparison, const evaluators::MappingEvaluation& answer) {
    hold(answer.answer == evaluators::MappingAnswer::exact && answer.upper && *answer.upper == answer.lower, comparison,
         [&] { return "an interval from " + answer.lower.rational().to_string(); });
    hold_equal(comparison, "period", answer.lower.rational(), period_);
  }

  void compare_mapping_evaluator() {
    constexpr const char* kName = "evaluator of mappings";
    // Whose multiples leave 64 bits; a period that no evaluator's ticks reach.
    static const Integer kPrime = (Integer(1) << 61) - 1;
    static const Integer kFar = Integer(1) << 100;
    evaluators::MappingEvaluator evaluator(fuzz_.document);
    const tpn::Mapping& mapping = *fuzz_.document.mapping;
    hold_exact(kName, evaluator.evaluate(mapping, model_));
    const auto longest = evaluator.largest_cycle_time(mapping, model_);
    hold(longest.has_value(), kName, [] { return std::string("no largest cycle time"); });
    hold_equal(kName, "M_ct", longest->rational(), evaluators::largest_cycle_time(net_));
    for (const Rational& above : {period_, period_ * Rational::fraction(kPrime + 1, kPrime), period_ * Rational(kFar)})
      hold_exact(kName, evaluator.evaluate(mapping, model_, {above, evaluators::CutoffAt::above}));
    for (const Rational& below : {period_, period_ * Rational::fraction(1023, 1024),
                                  period_ * Rational::fraction(kPrime - 1, kPrime), Rational()}) {
      const auto answer = evaluator.evaluate(mapping, model_, {below, evaluators::CutoffAt::reached});
      if (answer.answer == evaluators::MappingAnswer::exact) {
        hold_exact(kName, answer);
        continue;
      }
      const Rational lower = answer.lower.rational();
      hold(answer.answer == evaluators::MappingAnswer::cut_off && below <= lower && lower <= period_, kName, [&] {
        return "cut off at " + below.to_string() + " by " + lower.to_string() + ", the period: " + period_.to_string();
      });
    }
    // Its memory was used since.
    hold_exact(kName, evaluator.evaluate(mapping, model_));
    compare_limited_evaluator();
  }

  void compare_limited_evaluator() {
    constexpr const char* kName = "evaluator within limits";
    const tpn::Mapping& mapping = *fuzz_.document.mapping;
    for (const std::uint64_t operations : {4U, 64U}) {
      evaluators::MappingLimits limits;
      limits.operations = operations;
      evaluators::MappingEvaluator evaluator(fuzz_.document, limits);
      const auto answer = evaluator.evaluate(mapping, model_);
      hold(answer.lower.rational() <= period_ && (!answer.upper || period_ <= answer.upper->rational()), kName, [&] {
        return "from " + answer.lower.rational().to_string() +
               (answer.upper ? " to " + answer.upper->rational().to_string() : "") +
               ", the period: " + period_.to_string();
      });
      if (const auto longest = evaluator.largest_cycle_time(mapping, model_))
        hold_equal(kName, "M_ct", longest->rational(), evaluators::largest_cycle_time(net_));
    }
  }

  void compare_table_evaluator() {
    constexpr const char* kName = "evaluator of tables";
    const auto table = evaluators::table_of(fuzz_.document);
    if (!table) return;
    evaluators::TableEvaluator evaluator;
    const Rational& longest = evaluators::largest_cycle_time(net_);
    const auto compare = [&](const evaluators::TableEvaluation& answer) {
      hold_exact(kName, answer.period);
      hold_equal(kName, "M_ct", answer.largest_cycle_time.rational(), longest);
    };
    compare(evaluator.evaluate(*table, model_));
    hold_equal(kName, "M_ct alone", evaluator.largest_cycle_time(*table, model_).rational(), longest);
    if (model_ == tpn::Model::kOverlap) compare(evaluator.evaluate(*table).overlap);
    if (model_ == tpn::Model::kStrict) compare(evaluator.evaluate(*table).strict);
    const tpn::FoldedNet again = std::get<tpn::FoldedNet>(tpn::fold(evaluators::pipeline_of(*table), model_));
    hold_equal(kName, "net of the table", evaluators::evaluate(again, options_of(Method::sweep)).lower, period_);
  }

  void compare_plays() {
    constexpr std::uint64_t kFewest = 12;
    constexpr std::uint64_t kMost = 80;
    const std::uint64_t data_sets =
        net_.pipeline.rows < Integer(kMost) ? std::clamp(2 * net_.pipeline.rows.get_ui(), kFewest, kMost) : kMost;
    const auto expected = played_operations(net_.pipeline, model_, data_sets, net_.capacity);
    std::size_t k = 0;
    const auto hold_operation = [&](const tpn::Operation& operation, const Rational& start, const Rational& end) {
      hold(k < expected.size() && start == expected[k].start && end == expected[k].end, "played operations", [&] {
        return "column " + std::to_string(operation.column) + " on data set " + std::to_string(operation.data_set) +
               ": from " + start.to_string() + " to " + end.to_string() + ", by the rules from " +
               expected[k].start.to_string() + " to " + expected[k].end.to_string();
      });
      ++k;
      return true;
    };
    evaluators::play(net_, data_sets, [&](const evaluators::Firing& firing) {
      return hold_operation(firing.operation, firing.start, firing.end);
    });
    const auto units = [&](std::int64_t ticks) { return Rational(ticks) / Rational(net_.pipeline.scale); };
    k = 0;
    evaluators::play_in_ticks(net_, data_sets,
                              [&](const tpn::Operation& operation, std::int64_t start, std::int64_t end) {
                                return hold_operation(operation, units(start), units(end));
                              });
  }

  // Where Boost's sums surely fit 64 bits.
  void compare_boost() {
    constexpr std::uint64_t kMostPlaces = 1 << 12;
    const Integer places = net_.pipeline.rows * net_.dependences.size();
    const Rational lambda = period_ * Rational(net_.pipeline.scale * net_.pipeline.rows);
    Integer weight = lambda.numerator();
    for (const tpn::Column& column : net_.pipeline.columns)
      weight = std::max(weight, Integer(lambda.denominator() * column.table.longest()));
    if (places > kMostPlaces || mpz_sizeinbase(weight.get_mpz_t(), 2) > 40) return;
    hold(boost_finds_no_longer_circuit(net_, period_), "Boost's Bellman-Ford",
         [&] { return "a circuit of more than " + period_.to_string(); });
  }

  // Multiplied durations multiply the period, in numbers of another width.
  void compare_stays() {
    constexpr std::uint64_t kMostOperations = 400;
    if (net_.pipeline.rows * net_.pipeline.columns.size() > kMostOperations) return;
    const evaluators::PacedSchedule paced = paced_of(net_, period_);
    const Rational least = least_of(net_, period_);
    for (const unsigned bits : {31U, 80U}) {
      const Rational factor = Integer(Integer(1) << bits);
      FuzzNet longer = fuzz_;
      longer.document = stretched(fuzz_.document, factor);
      const auto net = std::get<tpn::FoldedNet>(fold_fuzz_net(longer));
      const evaluators::PacedSchedule other = paced_of(net, period_ * factor);
      for (std::uint64_t row = 0; row < paced.rows; ++row) {
        for (std::size_t c = 0; c < paced.columns; ++c)
          hold_equal("paced schedules", "an offset", other.offset(row, c), paced.offset(row, c) * factor);
      }
      hold_equal("least latencies", "stretched by " + factor.to_string(), least_of(net, period_ * factor),
                 least * factor);
    }
  }

  static evaluators::PacedSchedule paced_of(const tpn::FoldedNet& net, const Rational& period) {
    return std::get<evaluators::PacedSchedule>(evaluators::paced_schedule(net, period));
  }

  static Rational least_of(const tpn::FoldedNet& net, const Rational& period) {
    return std::get<evaluators::LeastLatency>(evaluators::least_latency(net, period)).value;
  }

  Rational period_by_sweep(const FuzzNet& relative) {
    const auto folded = fold_fuzz_net(relative);
    const Evaluation evaluation = evaluators::evaluate(std::get<tpn::FoldedNet>(folded), options_of(Method::sweep));
    hold(evaluation.exact(), "relatives", [] { return std::string("an interval"); });
    return evaluation.upper;
  }

  void compare_relatives() {
    FuzzNet relative = fuzz_;
    for (const Rational& factor : {Rational::fraction(7, 3), Rational(Integer(1) << 45)}) {
      relative.document = stretched(fuzz_.document, factor);
      hold_equal("relatives", "stretched by " + factor.to_string(), period_by_sweep(relative), period_ * factor);
    }
    relative.document = fuzz_.document;
    tpn::Mapping& mapping = *relative.document.mapping;
    tpn::Part& part =
        *std::ranges::min_element(mapping, {}, [](const tpn::Part& one) { return one.processors.size(); });
    tpn::PartTurns turns = tpn::turns_of(part);
    const tpn::PartTurns once = turns;
    turns.processors.insert(turns.processors.end(), once.processors.begin(), once.processors.end());
    turns.sizes.insert(turns.sizes.end(), once.sizes.begin(), once.sizes.end());
    tpn::set_turns(part, turns);
    hold_equal("relatives", "a sequence said twice", period_by_sweep(relative), period_);
    if (fuzz_.document.platform.types.empty()) return;
    relative.document = without_types(fuzz_.document);
    hold_equal("relatives", "types written out", period_by_sweep(relative), period_);
  }

  // Some numbers changed, each in the document and in its text where the pointer leads: the same document, which is
  // written and read as it is, and the same net.
  void compare_changes() {
    constexpr std::size_t kChanged = 3;
    constexpr const char* kName = "numbers changed";
    const std::vector<tpn::Parameter> parameters = tpn::parameters_of(fuzz_.document);
    const std::string text = tpn::write_document(fuzz_.document);
    const std::size_t step = parameters.size() / kChanged + 1;
    for (std::size_t k = tally_[kName] % step; k < parameters.size(); k += step) {
      const tpn::Parameter& parameter = parameters[k];
      const auto say = [&] { return parameter.name + " at " + parameter.pointer; };
      FuzzNet changed = fuzz_;
      const Rational value = parameter.value + Rational(1);
      for (Rational* number : tpn::numbers_at(changed.document, parameter)) *number = value;
      const auto number = tpn::json::number_text(value);
      if (!number || fuzz_.document.time_unit == tpn::TimeUnit::second) continue;
      const tpn::Document read = tpn::read_document(with_number(text, parameter.pointer, *number), "changed");
      hold(read == changed.document, kName, say);
      const tpn::Document back = tpn::read_document(tpn::write_document(changed.document), "written");
      hold(back == changed.document, kName, say);
      const Rational period = period_by_sweep(changed);
      changed.document = read;
      hold_equal(kName, say(), period_by_sweep(changed), period);
    }
  }

  // The text with that number in the place of the one that the pointer leads to.
  static std::string with_number(std::string text, const std::string& pointer, const std::string& number) {
    const tpn::json::Tree tree = tpn::json::parse(text, "text");
    const tpn::json::Position position = tpn::json::position_of(tree, pointer);
    std::size_t at = 0;
    for (std::size_t line = 1; line < position.line; ++line) at = text.find('\n', at) + 1;
    at += position.column - 1;
    const bool is_text = text.at(at) == '"';
    const std::size_t end = is_text ? text.find('"', at + 1) + 1 : text.find_first_of(",}\n", at);
    return text.replace(at, end - at, number);
  }

  const FuzzNet& fuzz_;
  const tpn::Model model_;
  const tpn::FoldedNet& net_;
  FuzzTally& tally_;
  CountedClock clock_{std::chrono::milliseconds(1)};
  std::string first_way_;
  Rational period_;
};

}  // namespace

std::optional<FuzzFailure> judge_fuzz_net(const FuzzNet& net, FuzzTally& tally, std::span<const FuzzWay> others) {
  try {
    const auto folded = fold_fuzz_net(net);
    if (const auto* fits = std::get_if<tpn::FoldedNet>(&folded)) {
      FuzzJudge(net, *fits, tally).judge(others);
    } else {
      ++tally["nets too large"];
    }
    return std::nullopt;
  } catch (const FuzzFailure& failure) {
    return failure;
  } catch (const tpn::InvalidInstance& refused) {
    // Of branches that join, files wait for all that is ahead on the other one.
    const bool is_room =
        (*net.document.model)->has_rooms && refused.detail.find(", with room for ") != std::string::npos;
    if (!is_room) return FuzzFailure{"threw", refused.what()};
    ++tally["refused for want of room"];
    return std::nullopt;
  } catch (const std::exception& error) {
    return FuzzFailure{"threw", error.what()};
  }
}

}  // namespace takt::support

// Local search from any mapping, the exact TPN period its objective.
//
// Problem. The heuristics of the literature decide with models in which replicas never wait for one another; their
// mappings can often be bettered by looking at the period that the timed Petri net really has.
//
// Method. Descents over all small changes of a mapping (heuristics/search/moves.hpp), in random order, each taken as
// soon as it is found. A change is good if the exact period falls, or stays and the pressure on the resources falls
// (heuristics/search/loads.hpp): most mappings have several parts that set the period at once, each to be relieved by a
// move of its own, and on large platforms nothing matters more than to see those first steps. Changes after which some
// cycle time is beyond the period are never evaluated; the others are, up to the period that they must beat
// (evaluators/mappings/evaluator.hpp), and one whose evaluation would take too many operations counts as no better.
// From where a descent ends, one to four random moves and a descent lead to the next, which is kept unless its
// period is longer. First with every processor at most once in a sequence; then the same with repetitions, which
// give unequal processors unequal shares and large nets. The search ends when several descents in a row find
// nothing better, when no mapping can be better, or after so many moves: same seed, same mapping, however large the
// platform.
//
// Invariant. The period in hand is exact, and never longer than the start's.
//
// Cost. A mapping of p processors has O(p^2) moves, each O(p) to judge by cycle times; of those tried, one in
// ten to three in four is evaluated.
//
// References. [benoit2009throughput] for the period; the search is our own.
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/common/amounts.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/search/loads.hpp"
#include "heuristics/search/moves.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "heuristics/search/start.hpp"
#include "maxplus/decimal.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

namespace {

using evaluators::CutoffAt;
using evaluators::MappingAnswer;
using evaluators::Period;

// Of one evaluation: less than a millisecond.
constexpr std::uint64_t kMostOperations = 50'000;
// Random moves between descents, and draws until one of them is valid.
constexpr std::size_t kMostDisturbances = 4;
constexpr std::size_t kDraws = 50;

struct EvaluatedMapping {
  tpn::Mapping mapping;
  Period period;
  evaluators::Int128 pressure = 0;  // under that period
};

class LocalSearch {
 public:
  LocalSearch(const tpn::ProblemView& problem, const Settings& settings, const SearchStart& start)
      : problem_(problem.document()),
        links_(problem.links()),
        model_(*settings.model),
        deadline_(settings.deadline),
        restarts_(settings.count("restarts")),
        most_moves_(settings.count("moves")),
        lower_bound_(period_lower_bound(problem)),
        loads_(Loads::make(problem)),
        evaluator_(problem, {.operations = kMostOperations}),
        engine_(settings.seed),
        best_{start.mapping, start.period} {
    for (const tpn::Stage& stage : problem_.application.stages)
      fixed_before_.push_back(fixed_before_.back() + (stage.replicable ? 0 : 1));
  }

  // Descents until `restarts` of them in a row have found nothing better.
  void run(RepeatedProcessors repetition) {
    repetition_ = repetition;
    EvaluatedMapping current = best_;
    descend(current);
    for (std::uint64_t in_vain = 0; in_vain < restarts_ && !is_over(); ++in_vain) {
      const Period before = best_.period;
      EvaluatedMapping next = current;
      disturb(next);
      descend(next);
      if (next.period <= current.period) current = std::move(next);
      if (best_.period < before) in_vain = 0;
    }
  }

  const tpn::Mapping& mapping() const { return best_.mapping; }
  Rational period() const { return best_.period.rational(); }
  bool cannot_improve() const { return best_.period <= lower_bound_; }
  bool has_tried_all_it_may() const { return tried_ >= most_moves_; }
  bool cut_short() const { return cut_short_; }
  std::uint64_t tried() const { return tried_; }
  std::uint64_t evaluated() const { return evaluated_; }
  const LogTable& improvements() const { return improvements_; }

 private:
  bool is_over() {
    if (cannot_improve() || has_tried_all_it_may()) return true;
    return cut_short_ = cut_short_ || evaluators::has_passed(deadline_);
  }

  std::size_t below(std::size_t bound) {
    return boost::random::uniform_int_distribution<std::size_t>(0, bound - 1)(engine_);
  }

  void list(const tpn::Mapping& mapping) {
    list_moves(mapping, problem_.platform.processors.size(), repetition_, moves_);
  }

  // Takes good moves until there is none. Those from `left` on were tried since the last one.
  void descend(EvaluatedMapping& point) {
    list(point.mapping);
    set_pressure(point);
    for (std::size_t left = moves_.size(); left > 0 && !is_over();) {
      std::swap(moves_[below(left)], moves_[left - 1]);
      const Move move = moves_[--left];
      const auto period = try_move(move, point);
      if (!period) continue;
      if (*period < best_.period) record(move, point, *period);
      point.mapping.swap(candidate_);
      point.period = *period;
      list(point.mapping);
      set_pressure(point);
      left = moves_.size();
    }
  }

  void set_pressure(EvaluatedMapping& point) {
    if (loads_) point.pressure = loads_->pressure(point.mapping, model_, point.period).value();
  }

  // The period after a move, with the mapping in candidate_, if it is a good one.
  std::optional<Period> try_move(const Move& move, const EvaluatedMapping& point) {
    ++tried_;
    apply(move, point.mapping, candidate_);
    if (!is_valid(candidate_)) return std::nullopt;
    bool relieves = false;
    if (loads_) {
      const auto pressure = loads_->pressure(candidate_, model_, point.period);
      if (!pressure) return std::nullopt;
      relieves = *pressure < point.pressure;
    }
    ++evaluated_;
    const CutoffAt beyond = relieves ? CutoffAt::above : CutoffAt::reached;
    const auto evaluation = evaluator_.evaluate(candidate_, model_, {point.period, beyond});
    if (evaluation.answer != MappingAnswer::exact || evaluation.lower > point.period) return std::nullopt;
    if (evaluation.lower == point.period && !relieves) return std::nullopt;
    return evaluation.lower;
  }

  // Some valid moves, good or bad.
  void disturb(EvaluatedMapping& point) {
    const std::size_t count = 1 + below(kMostDisturbances);
    for (std::size_t step = 0; step < count; ++step) {
      list(point.mapping);
      if (moves_.empty()) return;
      for (std::size_t draw = 0; draw < kDraws && !is_over(); ++draw) {
        const Move move = moves_[below(moves_.size())];
        apply(move, point.mapping, candidate_);
        if (!is_valid(candidate_)) continue;
        ++evaluated_;
        const auto evaluation = evaluator_.evaluate(candidate_, model_);
        if (evaluation.answer != MappingAnswer::exact) continue;
        if (evaluation.lower < best_.period) record(move, point, evaluation.lower);
        point.mapping.swap(candidate_);
        point.period = evaluation.lower;
        break;
      }
    }
  }

  bool is_valid(const tpn::Mapping& mapping) const {
    for (const tpn::Part& part : mapping) {
      if (fixed_before_[part.last_stage + 1] == fixed_before_[part.first_stage]) continue;
      for (const std::size_t p : part.processors)
        if (p != part.processors.front()) return false;
    }
    return links_.hold(mapping);
  }

  // candidate_ is the new best, one move from `point`.
  void record(const Move& move, const EvaluatedMapping& point, const Period& period) {
    improvements_.rows.push_back(
        {in_words(move, point.mapping, problem_), decimal(best_.period.rational()), decimal(period.rational())});
    best_.mapping = candidate_;
    best_.period = period;
  }

  const tpn::Document& problem_;
  const tpn::LinkTable& links_;
  tpn::Model model_;
  evaluators::Deadline deadline_;
  std::uint64_t restarts_;
  std::uint64_t most_moves_;
  Period lower_bound_;          // of any mapping
  std::optional<Loads> loads_;  // none: only moves that shorten the period are good
  evaluators::MappingEvaluator evaluator_;
  boost::random::mt19937_64 engine_;
  RepeatedProcessors repetition_ = RepeatedProcessors::none;
  std::vector<std::size_t> fixed_before_{0};  // by stage, how many before it are not replicable
  EvaluatedMapping best_;
  std::vector<Move> moves_;
  tpn::Mapping candidate_;
  std::uint64_t tried_ = 0;
  std::uint64_t evaluated_ = 0;
  bool cut_short_ = false;
  LogTable improvements_{"Improvements", {"last move", "period before", "period after"}, {}};
};

Result map(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  require_amounts(problem);
  auto found = find_start(problem, settings.text("start"), settings, log);
  if (auto* infeasible = std::get_if<Infeasible>(&found)) return std::move(*infeasible);
  if (auto* limit = std::get_if<LimitMet>(&found)) return std::move(*limit);
  const auto& start = std::get<SearchStart>(found);
  log.notes.push_back(fmt::format("Starts from the mapping \"{}\", of period {}.", start.name, decimal(start.period)));

  std::size_t places = problem.document().platform.processors.size();
  for (const tpn::Part& part : start.mapping) places += part.processors.size();
  if (places > kMostPlaces) {
    log.notes.push_back(
        fmt::format("Left as it is: the platform's processors and the entries of all sequences are {} together, and "
                    "changes are tried up to {}.",
                    places, kMostPlaces));
    return Proposal{start.mapping, start.period, start.cut_short};
  }
  LocalSearch search(problem, settings, start);
  search.run(RepeatedProcessors::none);
  if (settings.flag("weighted")) search.run(RepeatedProcessors::allowed);
  log.tables.push_back(search.improvements());
  log.notes.push_back(fmt::format("Moves tried: {}; mappings evaluated: {}.", search.tried(), search.evaluated()));
  if (search.cannot_improve()) {
    log.notes.push_back(
        "No mapping at all has a shorter period: the ends, the work over all speeds or a stage that is "
        "not replicable takes as long.");
  } else if (search.has_tried_all_it_may()) {
    log.notes.push_back("More moves (--moves) might find a better mapping.");
  }
  return Proposal{search.mapping(), search.period(), start.cut_short || search.cut_short()};
}

}  // namespace

Heuristic polish() {
  return {
      .name = "polish",
      .summary = "local search on the exact period, from any mapping",
      .mapping_class = MappingClass::divided,
      .model = tpn::Model::kStrict,
      .model_use = ModelUse::evaluation,
      .communication = "as the model has it",
      .optimality = "never worse than its start",
      .cost = "O(p^2) moves per step, O(p) each, and the evaluation of some",
      .source = "takt",
      .options = {{.name = "start",
                   .help = "where to start: the given mapping (the document's own), a heuristic's, or auto, the given "
                           "one, else the best of some fast heuristics",
                   .standard = std::string("auto"),
                   .choices = {"auto", "given"},
                   .or_heuristic = true},
                  {.name = "restarts",
                   .help = "descents from disturbed mappings, in a row, that find nothing better before it ends",
                   .standard = Rational(20),
                   .bound = tpn::json::Bound::whole},
                  {.name = "moves",
                   .help = "moves that it may try",
                   .standard = Rational(3'000'000),
                   .bound = tpn::json::Bound::whole},
                  {.name = "weighted", .help = "whether it may repeat processors in sequences", .standard = true}},
      .map = map};
}

}  // namespace takt::heuristics

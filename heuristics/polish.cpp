// Local search from any mapping, the exact TPN period its objective.
//
// Problem. From a mapping, whoever proposed it, to one of smaller exact period, communication, ports and replication
// included.
//
// Method. A descent tries moves in random order and takes each that makes the period smaller: a boundary moved, parts
// split or merged, processors swapped or exchanged for unused ones, replicas added and dropped, sequences reordered, a
// processor repeated (heuristics/moves.hpp). Of mappings of equal period it takes one that relieves the busiest
// resources (heuristics/loads.hpp), for many circuits often tie. Where no move helps, some random moves disturb the
// mapping and a descent follows; the search ends after `restarts` of these without a better mapping. Evaluations end at
// the incumbent's period (evaluators/mapping_evaluator.hpp).
//
// Invariant. The best period never rises above that of the start.
//
// Cost. O(p^2) moves a descent's last round, each at most one evaluation; tens of thousands of these a second.
//
// References. Our own; [benoit2009throughput] for the period.
#include <fmt/format.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/mapping_evaluator.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/links.hpp"
#include "heuristics/loads.hpp"
#include "heuristics/moves.hpp"
#include "heuristics/start.hpp"
#include "maxplus/decimal.hpp"
#include "tpn/timing.hpp"

namespace takt::heuristics {

namespace {

using evaluators::CutoffAt;
using evaluators::MappingAnswer;
using evaluators::Period;

// Of one evaluation, so that none stalls the search.
constexpr std::uint64_t kMostOperations = 200'000;
constexpr std::size_t kSteps = 4;

struct Point {
  tpn::Mapping mapping;
  Period period;
  evaluators::Int128 pressure = 0;  // of its resources (heuristics/loads.hpp), where searched
};

class Search {
 public:
  Search(const tpn::Document& problem, const tpn::Timing& timing, const LinkTable& links, const Settings& settings)
      : problem_(problem),
        links_(links),
        model_(settings.model.value_or(tpn::Model::strict)),
        deadline_(settings.deadline),
        repetition_(settings.flag("weighted") ? Repetition::allowed : Repetition::none),
        loads_(Loads::make(problem, timing)),
        evaluator_(problem, {.operations = kMostOperations}),
        engine_(settings.seed) {
    for (const tpn::Stage& stage : problem.application.stages)
      fixed_before_.push_back(fixed_before_.back() + (stage.replicable ? 0 : 1));
  }

  // Improves until no move does.
  void climb(Point& point) {
    list(point.mapping);
    point.pressure = pressure(point.mapping, point.period);
    for (std::size_t left = moves_.size(); left > 0 && !out_of_time();) {
      const std::size_t drawn = below(left--);
      std::swap(moves_[drawn], moves_[left]);
      const auto period = try_move(moves_[left], point);
      if (!period) continue;
      point.mapping.swap(candidate_);
      point.period = *period;
      point.pressure = pressure(point.mapping, point.period);
      list(point.mapping);
      left = moves_.size();
    }
  }

  // Some moves, whatever they cost.
  bool disturb(Point& point, std::size_t steps) {
    for (std::size_t step = 0; step < steps; ++step) {
      list(point.mapping);
      if (moves_.empty()) return step > 0;
      bool moved = false;
      for (std::size_t attempt = 0; attempt < kAttempts && !moved && !out_of_time(); ++attempt) {
        apply(moves_[below(moves_.size())], point.mapping, candidate_);
        if (!is_valid(candidate_)) continue;
        const auto evaluation = evaluator_.evaluate(candidate_, model_);
        ++evaluations_;
        if (evaluation.answer != MappingAnswer::exact) continue;
        point.mapping.swap(candidate_);
        point.period = evaluation.lower;
        moved = true;
      }
      if (!moved) return step > 0;
    }
    return true;
  }

  std::size_t below(std::size_t bound) {
    return boost::random::uniform_int_distribution<std::size_t>(0, bound - 1)(engine_);
  }
  bool out_of_time() { return cut_short_ = cut_short_ || evaluators::has_passed(deadline_); }

  std::uint64_t evaluations() const { return evaluations_; }
  std::uint64_t tried() const { return tried_; }

 private:
  static constexpr std::size_t kAttempts = 50;

  void list(const tpn::Mapping& mapping) {
    list_moves(mapping, problem_.platform.processors.size(), repetition_, moves_);
  }

  std::optional<Period> try_move(const Move& move, const Point& point) {
    ++tried_;
    apply(move, point.mapping, candidate_);
    if (!is_valid(candidate_)) return std::nullopt;
    ++evaluations_;
    const bool relieves = pressure(candidate_, point.period) < point.pressure;
    const auto beyond = relieves ? CutoffAt::above : CutoffAt::reached;
    const auto evaluation = evaluator_.evaluate(candidate_, model_, {point.period, beyond});
    if (evaluation.answer != MappingAnswer::exact || evaluation.lower > point.period) return std::nullopt;
    if (evaluation.lower == point.period && !relieves) return std::nullopt;
    return evaluation.lower;
  }

  evaluators::Int128 pressure(const tpn::Mapping& mapping, const Period& period) {
    return loads_ ? loads_->pressure(mapping, model_, period) : 0;
  }

  bool is_valid(const tpn::Mapping& mapping) const {
    for (const tpn::Part& part : mapping) {
      if (fixed_before_[part.last_stage + 1] == fixed_before_[part.first_stage]) continue;
      for (const std::size_t p : part.processors)
        if (p != part.processors.front()) return false;
    }
    return links_.hold(mapping);
  }

  const tpn::Document& problem_;
  const LinkTable& links_;
  tpn::Model model_;
  evaluators::Deadline deadline_;
  Repetition repetition_;
  std::optional<Loads> loads_;
  evaluators::MappingEvaluator evaluator_;
  boost::random::mt19937_64 engine_;
  std::vector<std::size_t> fixed_before_{0};  // by stage, how many before it are not replicable
  std::vector<Move> moves_;
  tpn::Mapping candidate_;
  std::uint64_t evaluations_ = 0;
  std::uint64_t tried_ = 0;
  bool cut_short_ = false;
};

Result map(const tpn::Document& problem, const Settings& settings, Log& log) {
  const tpn::Timing timing(problem);
  require_amounts(problem, timing);
  const LinkTable links(problem, timing);
  auto found = find_start(problem, settings.text("start"), links, settings, log);
  if (auto* infeasible = std::get_if<Infeasible>(&found)) return std::move(*infeasible);
  if (auto* limit = std::get_if<LimitMet>(&found)) return std::move(*limit);
  auto& start = std::get<Start>(found);

  Search search(problem, timing, links, settings);
  Point best{start.mapping, start.period};
  search.climb(best);
  Steps& steps = log.tables.emplace_back(Steps{"Improvements", {"Descent", "Period before", "Period after"}, {}});
  std::uint64_t descent = 1;
  const auto record = [&](const Period& before, const Period& after) {
    if (after < before) {
      steps.rows.push_back({fmt::format("{}", descent), decimal(before.rational()), decimal(after.rational())});
    }
  };
  record(start.period, best.period);
  Point current = best;
  std::uint64_t without = 0;
  const std::uint64_t restarts = settings.count("restarts");
  while (without < restarts && !search.out_of_time()) {
    Point next = current;
    search.disturb(next, 1 + search.below(kSteps));
    search.climb(next);
    ++without;
    ++descent;
    if (next.period <= current.period) current = next;
    if (current.period < best.period) {
      record(best.period, current.period);
      best = current;
      without = 0;
    }
  }
  log.notes.push_back(
      fmt::format("{} moves were tried, and {} mappings evaluated.", search.tried(), search.evaluations()));
  return Proposal{best.mapping, best.period.rational(), start.cut_short || search.out_of_time()};
}

}  // namespace

Heuristic polish() {
  return {
      .name = "polish",
      .summary = "local search on the exact period, from any mapping",
      .mapping_class = MappingClass::divided,
      .model = tpn::Model::strict,
      .takes_model = true,
      .communication = "as the model has it",
      .optimality = "never worse than its start",
      .cost = "some O(p^2) moves a step, each the evaluation of a mapping",
      .source = "takt",
      .options = {{.name = "start",
                   .help = "a heuristic, \"given\" (the document's mapping) or \"auto\" (the given one, or the best "
                           "of some fast heuristics)",
                   .standard = std::string("auto")},
                  {.name = "restarts",
                   .help = "descents from a disturbed mapping that find nothing better before the search ends",
                   .standard = Rational(20),
                   .bound = tpn::json::Bound::whole},
                  {.name = "weighted", .help = "whether a part's sequence may repeat a processor", .standard = true}},
      .map = map};
}

}  // namespace takt::heuristics

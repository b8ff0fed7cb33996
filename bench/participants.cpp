// Makes takt and its peers ready for a problem.
#include "bench/participants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include "bench/boost_peer.hpp"
#include "bench/contraction.hpp"
#include "bench/lemon_peer.hpp"
#include "evaluators/columns/torus.hpp"
#include "evaluators/evaluate.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "maxplus/solvers.hpp"

namespace takt::bench {

namespace {

using evaluators::Evaluation;
using evaluators::Method;
using maxplus::Integer;
using maxplus::Rational;
using tpn::FoldedNet;

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string refute(const FoldedNet& net, const Evaluation& evaluation) {
  const auto certificate = evaluators::certify(net, evaluation);
  if (std::holds_alternative<tpn::TooLarge>(certificate)) return {};
  const auto verdict = evaluators::check(net, std::get<evaluators::Certificate>(certificate));
  const auto* refused = std::get_if<evaluators::Refused>(&verdict);
  return refused == nullptr ? "" : "the certificate is refused: " + refused->reason;
}

Runner by_method(const Problem& problem, Method method, const maxplus::CycleRatioSolver* solver = nullptr) {
  evaluators::Options options;
  options.method = method;
  options.solver = solver;
  options.threads = 1;
  // Unfolding is a matter of memory, which each case has by its row in the table.
  if (method == Method::unfold) options.max_rows = std::numeric_limits<std::uint32_t>::max();
  const auto last = std::make_shared<std::vector<Evaluation>>(problem.nets.size());
  Runner runner;
  runner.answer = [&problem, options, last](std::size_t net) mutable {
    options.deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(problem.seconds));
    Evaluation& evaluation = (*last)[net];
    evaluation = evaluators::evaluate(problem.nets[net], options);
    return Answer{evaluation.lower, evaluation.upper};
  };
  runner.refute = [&problem, last] {
    for (std::size_t k = 0; k < last->size(); ++k) {
      if (std::string reason = refute(problem.nets[k], (*last)[k]); !reason.empty()) return reason;
    }
    return std::string();
  };
  return runner;
}

Runner prepare_takt(const Problem& problem, const std::vector<Answer>&) {
  return by_method(problem, Method::automatic);
}

Runner prepare_sweep(const Problem& problem, const std::vector<Answer>&) { return by_method(problem, Method::sweep); }

Runner prepare_residue(const Problem& problem, const std::vector<Answer>&) {
  return by_method(problem, Method::residue);
}

Runner prepare_unfold(const Problem& problem, const std::vector<Answer>&) { return by_method(problem, Method::unfold); }

#define TAKT_PREPARE_UNFOLD(function, summary, cost, is_linear)                          \
  Runner prepare_unfold_##function(const Problem& problem, const std::vector<Answer>&) { \
    return by_method(problem, Method::unfold, maxplus::find_solver(#function));          \
  }
TAKT_CYCLE_RATIO_SOLVERS(TAKT_PREPARE_UNFOLD)
#undef TAKT_PREPARE_UNFOLD

Runner prepare_pattern(const Problem& problem, const std::vector<Answer>&) {
  return by_method(problem, Method::pattern);
}

Runner prepare_paper(const Problem& problem, const std::vector<Answer>&) {
  const bool is_strict = problem.nets.front().model == tpn::Model::kStrict;
  return by_method(problem, is_strict ? Method::unfold : Method::pattern, maxplus::find_solver("karp"));
}

// Its answers come without evidence: they are held against those of the nets.
Runner prepare_takt_mappings(const Problem& problem, const std::vector<Answer>&) {
  const auto evaluator = std::make_shared<evaluators::MappingEvaluator>(problem.document);
  Runner runner;
  runner.answer = [&problem, evaluator](std::size_t net) {
    const auto evaluation = evaluator->evaluate(problem.mappings[net], problem.nets[net].model);
    maxplus::expects(evaluation.upper.has_value(), "an evaluation without a cutoff has both bounds");
    return Answer{evaluation.lower, *evaluation.upper};
  };
  return runner;
}

// Whether a torus's clocks prove its upper bound: plays it once in the order of data sets from them.
bool clocks_prove(const evaluators::Torus& torus, const evaluators::TorusAnswer& answer) {
  // 64 bits hold every clock: all durations together do.
  Integer total = 0;
  for (const std::int64_t d : torus.durations) total += static_cast<long>(d);
  const auto narrow_clocks = [&](const std::vector<Integer>& clocks) {
    std::vector<std::int64_t> narrow;
    for (const Integer& clock : clocks) {
      maxplus::expects(Integer(abs(clock) + total * answer.factor).fits_slong_p(), "clocks of 64 bits");
      narrow.push_back(clock.get_si());
    }
    return narrow;
  };
  const std::vector<std::int64_t> first_sender = narrow_clocks(answer.sender_clocks);
  const std::vector<std::int64_t> first_receiver = narrow_clocks(answer.receiver_clocks);
  std::vector<std::int64_t> sender = first_sender;
  std::vector<std::int64_t> receiver = first_receiver;
  const std::int64_t factor = answer.factor.get_si();
  for (std::size_t k = 0, s = 0, r = 0; k < torus.senders * torus.receivers; ++k) {
    sender[s] = receiver[r] = std::max(sender[s], receiver[r]) + factor * torus.durations[s * torus.receivers + r];
    if (++s == torus.senders) s = 0;
    if (++r == torus.receivers) r = 0;
  }
  std::int64_t rise = std::numeric_limits<std::int64_t>::min();
  for (std::size_t s = 0; s < sender.size(); ++s) rise = std::max(rise, sender[s] - first_sender[s]);
  for (std::size_t r = 0; r < receiver.size(); ++r) rise = std::max(rise, receiver[r] - first_receiver[r]);
  return Rational(rise) <= answer.upper * Rational(answer.factor);
}

// What is wrong with a torus's circuit: walks it.
std::string refute_circuit(const evaluators::Torus& torus, const evaluators::TorusAnswer& answer) {
  const std::uint64_t pairs = torus.senders * torus.receivers;
  Integer weight = 0;
  std::uint64_t k = answer.circuit.first;
  Integer length = 0;
  for (const evaluators::TorusMove move : answer.circuit.moves) {
    weight += static_cast<long>(torus.durations[k % torus.senders * torus.receivers + k % torus.receivers]);
    const std::size_t step = move == evaluators::TorusMove::same_sender ? torus.senders : torus.receivers;
    length += step;
    k = (k + step) % pairs;
  }
  if (k != answer.circuit.first || length == 0) return "the circuit does not close";
  if (Rational::fraction(weight * pairs, length) != answer.lower) return "the circuit does not have the lower bound";
  return {};
}

// What is wrong with a torus's answer.
std::string refute(const evaluators::Torus& torus, const evaluators::TorusAnswer& answer) {
  if (!clocks_prove(torus, answer)) return "the clocks do not prove the upper bound";
  return refute_circuit(torus, answer);
}

Runner prepare_torus(const Problem& problem, const std::vector<Answer>&) {
  using Solved = std::variant<evaluators::TorusAnswer, evaluators::OutOfTime, evaluators::KeysTooLong>;
  const auto last = std::make_shared<Solved>();
  const Rational pairs = problem.torus->senders * problem.torus->receivers;
  Runner runner;
  runner.label = evaluators::name_of(evaluators::best_instructions());
  runner.answer = [&problem, pairs, last](std::size_t) {
    *last = evaluators::solve_torus(*problem.torus);
    const auto* answer = std::get_if<evaluators::TorusAnswer>(last.get());
    maxplus::expects(answer != nullptr, "keys of 128 bits suffice, and there is no deadline");
    return Answer{answer->lower / pairs, answer->upper / pairs};
  };
  runner.refute = [&problem, last] { return refute(*problem.torus, std::get<evaluators::TorusAnswer>(*last)); };
  return runner;
}

Rational mean_of(const MeanProblem& contracted, LemonSolver solver) {
  const MeanCycle cycle = largest_mean(contracted, solver);
  return Rational::fraction(Integer(static_cast<long>(cycle.weight)), Integer(static_cast<long>(cycle.arcs)));
}

Rational lemon_period(const FoldedNet& net, LemonSolver solver) {
  const tpn::Pipeline& pipeline = net.pipeline;
  const Rational scale = pipeline.scale;
  if (net.model == tpn::Model::kStrict) {
    return mean_of(contract_strict(pipeline), solver) / (scale * Rational(pipeline.rows));
  }
  Rational largest = computation_period(pipeline);
  for (std::size_t c = 1; c < pipeline.columns.size(); c += 2) {
    const Rational units_a_period = scale * Rational(turns_of(pipeline.columns[c]));
    for (const Grid& grid : grids_of(pipeline.columns[c])) {
      largest = std::max(largest, mean_of(contract_grid(grid), solver) / units_a_period);
    }
  }
  return largest;
}

Rational lemon_period(const Problem& problem, std::size_t net, LemonSolver solver) {
  if (!problem.nets.empty()) return lemon_period(problem.nets[net], solver);
  const evaluators::Torus& torus = *problem.torus;
  const Grid grid = grid_of(torus.durations, torus.senders, torus.receivers);
  return mean_of(contract_grid(grid), solver) / Rational(torus.senders * torus.receivers);
}

// Times both solvers on the whole problem and keeps the faster one.
Runner prepare_lemon(const Problem& problem, const std::vector<Answer>&) {
  Runner runner;
  std::map<double, LemonSolver> by_time;
  try {
    for (const LemonSolver solver : kLemonSolvers) {
      const auto start = Clock::now();
      for (std::size_t net = 0; net < problem.size(); ++net) lemon_period(problem, net, solver);
      by_time[milliseconds_since(start)] = solver;
    }
  } catch (const std::overflow_error& error) {
    runner.unfit = error.what();
    return runner;
  }
  const LemonSolver solver = by_time.begin()->second;
  runner.label = name_of(solver);
  runner.answer = [&problem, solver](std::size_t net) {
    const Rational period = lemon_period(problem, net, solver);
    return Answer{period, period};
  };
  return runner;
}

// Tries until Boost is right on every net, and times only the tries that were.
Runner prepare_boost(const Problem& problem, const std::vector<Answer>& expected) {
  Runner runner;
  std::vector<std::size_t> right(problem.nets.size());
  std::size_t most = 0;
  for (std::size_t k = 0; k < problem.nets.size(); ++k) {
    const auto is_right = [&](const BoostTry& how) {
      return evaluators::Period(boost_period(problem.nets[k], how)) == expected[k].upper;
    };
    right[k] = static_cast<std::size_t>(std::ranges::find_if(kBoostTries, is_right) - kBoostTries.begin());
    if (right[k] == kBoostTries.size()) {
      runner.unfit = fmt::format("stops before the longest circuit in all of {} tries", kBoostTries.size());
      return runner;
    }
    most = std::max(most, right[k]);
  }
  runner.label = fmt::format("right by try {}", most + 1);
  runner.answer = [&problem, right](std::size_t net) {
    const Rational period = boost_period(problem.nets[net], kBoostTries[right[net]]);
    return Answer{period, period};
  };
  return runner;
}

}  // namespace

std::span<const Participant> unfold_with_solvers() {
#define TAKT_UNFOLD_ROW(function, summary, cost, is_linear) Participant{"unfold_" #function, prepare_unfold_##function},
  static constexpr std::array kAll = {TAKT_CYCLE_RATIO_SOLVERS(TAKT_UNFOLD_ROW)};
#undef TAKT_UNFOLD_ROW
  return std::span(kAll).subspan(1);  // the default one is `unfold` itself
}

const Participant kTakt{"takt", prepare_takt};
const Participant kPattern{"pattern", prepare_pattern};
const Participant kTorus{"torus", prepare_torus};
const Participant kTaktTorus{"takt", prepare_torus};
const Participant kTaktMappings{"takt", prepare_takt_mappings};
const Participant kTaktNets{"evaluate", prepare_takt};
const Participant kSweep{"sweep", prepare_sweep};
const Participant kResidue{"residue", prepare_residue};
const Participant kUnfold{"unfold", prepare_unfold};
const Participant kPaper{"paper", prepare_paper};
const Participant kLemon{"lemon", prepare_lemon};
const Participant kBoost{"boost", prepare_boost};

}  // namespace takt::bench

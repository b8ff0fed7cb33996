// Makes takt and its peers ready for a problem.
#include "bench/participants.hpp"

#include <fmt/format.h>

#include <algorithm>
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
#include "evaluators/certify.hpp"
#include "evaluators/check.hpp"
#include "evaluators/evaluate.hpp"

namespace takt::bench {

namespace {

using evaluators::Evaluation;
using evaluators::Method;
using evaluators::Solver;
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

Runner by_method(const Problem& problem, Method method, Solver solver) {
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
  return by_method(problem, Method::automatic, Solver::howard);
}

Runner prepare_sweep(const Problem& problem, const std::vector<Answer>&) {
  return by_method(problem, Method::sweep, Solver::howard);
}

Runner prepare_unfold(const Problem& problem, const std::vector<Answer>&) {
  return by_method(problem, Method::unfold, Solver::howard);
}

Runner prepare_paper(const Problem& problem, const std::vector<Answer>&) {
  return by_method(problem, Method::unfold, Solver::karp);
}

Rational mean_of(const MeanProblem& contracted, LemonSolver solver) {
  const MeanCycle cycle = largest_mean(contracted, solver);
  return Rational::fraction(Integer(static_cast<long>(cycle.weight)), Integer(static_cast<long>(cycle.arcs)));
}

Rational lemon_period(const FoldedNet& net, LemonSolver solver) {
  const tpn::Pipeline& pipeline = net.pipeline;
  const Rational scale = pipeline.scale;
  if (net.model == tpn::Model::strict) {
    return mean_of(contract_strict(pipeline), solver) / (scale * Rational(pipeline.rows));
  }
  Rational largest = computation_period(pipeline);
  for (std::size_t c = 1; c < pipeline.columns.size(); c += 2) {
    for (const Torus& torus : tori_of(pipeline, pipeline.columns[c])) {
      largest =
          std::max(largest, mean_of(contract_torus(torus), solver) / (scale * Rational(pipeline.columns[c].period)));
    }
  }
  return largest;
}

// Times both solvers on the whole problem and keeps the faster one.
Runner prepare_lemon(const Problem& problem, const std::vector<Answer>&) {
  Runner runner;
  std::map<double, LemonSolver> by_time;
  try {
    for (const LemonSolver solver : kLemonSolvers) {
      const auto start = Clock::now();
      for (const FoldedNet& net : problem.nets) lemon_period(net, solver);
      by_time[milliseconds_since(start)] = solver;
    }
  } catch (const std::overflow_error& error) {
    runner.unfit = error.what();
    return runner;
  }
  const LemonSolver solver = by_time.begin()->second;
  runner.label = name_of(solver);
  runner.answer = [&problem, solver](std::size_t net) {
    const Rational period = lemon_period(problem.nets[net], solver);
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
    const auto is_right = [&](const BoostTry& how) { return boost_period(problem.nets[k], how) == expected[k].upper; };
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

const Participant kTakt{"takt", prepare_takt};
const Participant kSweep{"sweep", prepare_sweep};
const Participant kUnfold{"unfold", prepare_unfold};
const Participant kPaper{"paper", prepare_paper};
const Participant kLemon{"lemon", prepare_lemon};
const Participant kBoost{"boost", prepare_boost};

}  // namespace takt::bench

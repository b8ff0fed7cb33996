// Threads take problems from a counter; each runs all contestants on its problem, one after the other.
#include "tools/compare/contestants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "evaluators/evaluate.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/answers/result.hpp"
#include "tools/files/model_choice.hpp"
#include "tools/files/scratch_folder.hpp"
#include "tools/files/signals.hpp"
#include "tools/frame/options.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/rates.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

// What evaluating one mapping may take, in seconds.
constexpr double kJudgingSeconds = 30;

// A problem while everybody is run on it.
struct ContestProblem {
  const tpn::Document& document;
  const tpn::ProblemView view;
  tpn::Model model;
};

// The seconds since this was made.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(maxplus::SearchClock::now() - begin_).count(); }

 private:
  maxplus::SearchClock::time_point begin_ = maxplus::SearchClock::now();
};

// Of a document with its mapping, and its stages in whatever order.
void evaluate(const tpn::Document& mapped, const ContestProblem& problem, Score& score) {
  evaluators::Options options;
  options.deadline = deadline_after(kJudgingSeconds);
  auto folded = fold_instance("", mapped, problem.model, options.deadline, 0, tpn::RatedStages::as_loads);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) {
    score.failure = "its period: " + too_large_text(*too_large);
    return;
  }
  const auto evaluation = evaluators::evaluate(std::get<EvaluatedInstance>(folded).net, options);
  if (evaluation.exact()) {
    score.period = evaluation.upper;
  } else {
    score.failure = "its period is known as an interval only: " + limit_text(evaluation);
  }
}

Score score_of(const heuristics::Heuristic& heuristic, const ContestProblem& problem, const ContestSettings& settings,
               std::optional<Rational>& lower_bound) {
  Score score;
  heuristics::Settings run;
  run.model = problem.model;
  run.seed = settings.seed;
  run.deadline = deadline_after(settings.time_limit);
  try {
    const Stopwatch watch;
    const heuristics::Solution solution = heuristics::solve(heuristic, problem.view, std::move(run));
    score.seconds = watch.seconds();
    if (const auto* proposal = std::get_if<heuristics::Proposal>(&solution.result)) {
      if (solution.model == problem.model) {
        score.predicted = proposal->predicted_period;
        if (proposal->lower_bound) lower_bound = std::max(lower_bound.value_or(0), *proposal->lower_bound);
      }
      evaluate(heuristics::document_of(problem.document, *proposal), problem, score);
    } else if (const auto* infeasible = std::get_if<heuristics::Infeasible>(&solution.result)) {
      score.failure = infeasible->reason;
    } else {
      score.failure = std::get<heuristics::LimitMet>(solution.result).reason;
    }
  } catch (const tpn::InvalidInstance& error) {
    score.failure = fmt::format("{}: {}", error.pointer, error.detail);
  }
  return score;
}

Score score_of(OwnHeuristic& own, const ContestProblem& problem, const ContestSettings& settings) {
  Score score;
  const Stopwatch watch;
  OwnReply reply = own.ask({.problem = problem.view,
                            .model = problem.model,
                            .seed = settings.seed,
                            .time_limit = settings.time_limit,
                            .deadline = deadline_in(settings.time_limit)});
  score.seconds = watch.seconds();
  if (!reply.mapping) {
    score.failure = std::move(reply.failure);
    return score;
  }
  score.predicted = std::move(reply.mapping->predicted_period);
  tpn::Document mapped = problem.document;
  mapped.mapping = std::move(reply.mapping->mapping);
  evaluate(mapped, problem, score);
  return score;
}

std::optional<Rational> bound_of(const ContestProblem& problem, const evaluators::Deadline& deadline) {
  try {
    tpn::require_single_files(problem.document.application);
    return heuristics::period_lower_bound(problem.view, problem.model, deadline);
  } catch (const tpn::InvalidInstance&) {
    return std::nullopt;  // a work or a size is absent, or stages have rates
  }
}

class Contest {
 public:
  Contest(const std::vector<Contestant>& contestants, const ProblemSet& problems, const ContestSettings& settings,
          const std::function<void(std::size_t)>& on_done)
      : contestants_(contestants), problems_(problems), settings_(settings), on_done_(on_done) {}

  std::vector<ScoredProblem> hold() {
    scored_.resize(problems_.size());
    std::vector<std::jthread> threads;
    for (std::uint64_t k = 1; k < std::min<std::uint64_t>(settings_.jobs, problems_.size()); ++k) {
      threads.emplace_back([this] { work(); });
    }
    work();
    threads.clear();
    if (bug_) std::rethrow_exception(bug_);
    std::vector<ScoredProblem> whole;
    for (auto& problem : scored_) {
      if (!problem) break;
      whole.push_back(std::move(*problem));
    }
    return whole;
  }

 private:
  using OwnHeuristics = std::map<std::string, OwnHeuristic>;  // of one thread, by name

  void work() {
    OwnHeuristics own;
    for (const Contestant& one : contestants_) {
      if (one.heuristic == nullptr) own.try_emplace(one.name, one.form, one.command, folder_);
    }
    for (std::size_t k = next_++; k < problems_.size() && !interruption(); k = next_++) {
      try {
        ScoredProblem scored = run(k, own);
        const std::lock_guard lock(mutex_);
        if (interruption()) return;
        scored_[k] = std::move(scored);
        on_done_(++done_);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!bug_) bug_ = std::current_exception();
        next_ = problems_.size();
      }
    }
  }

  ScoredProblem run(std::size_t k, OwnHeuristics& own) {
    const tpn::Document document = problems_.document(k);
    const ContestProblem problem{document, tpn::ProblemView(document), contest_model(settings_.model, document)};
    ScoredProblem scored{problems_.name(k), {}, {}};
    scored.lower_bound = bound_of(problem, deadline_after(settings_.time_limit));
    for (const Contestant& contestant : contestants_) {
      if (interruption()) break;
      scored.scores.push_back(contestant.heuristic != nullptr
                                  ? score_of(*contestant.heuristic, problem, settings_, scored.lower_bound)
                                  : score_of(own.at(contestant.name), problem, settings_));
    }
    return scored;
  }

  const std::vector<Contestant>& contestants_;
  const ProblemSet& problems_;
  const ContestSettings& settings_;
  const std::function<void(std::size_t)>& on_done_;
  const ScratchFolder folder_{"compare"};
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::exception_ptr bug_;
  std::vector<std::optional<ScoredProblem>> scored_;
};

}  // namespace

tpn::Model contest_model(const ModelChoice& choice, const tpn::Document& problem) {
  return one_model_of(problem, choice);
}

std::vector<ScoredProblem> hold_contest(const std::vector<Contestant>& contestants, const ProblemSet& problems,
                                        const ContestSettings& settings,
                                        const std::function<void(std::size_t)>& on_done) {
  const InterruptibleSearch interruptible;
  return Contest(contestants, problems, settings, on_done).hold();
}

}  // namespace takt::tools

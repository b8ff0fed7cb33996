// Threads take problems from a counter; each runs all contestants on its problem, one after the other.
#include "tools/compare/contestants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <utility>

#include "evaluators/evaluate.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/answers/result.hpp"
#include "tools/compare/own_mapping.hpp"
#include "tools/compare/shell_command.hpp"
#include "tools/files/model_choice.hpp"
#include "tools/files/scratch_folder.hpp"
#include "tools/files/signals.hpp"
#include "tools/frame/options.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/problem_view.hpp"
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
  std::string file;  // for commands; empty where there are none
};

// Of a document with its mapping, and its stages in whatever order.
void evaluate(const tpn::Document& mapped, const ContestProblem& problem, Score& score) {
  evaluators::Options options;
  options.deadline = deadline_after(kJudgingSeconds);
  auto folded = fold_instance("", mapped, problem.model, options.deadline);
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
    const heuristics::Solution solution = heuristics::solve(heuristic, problem.view, std::move(run));
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

Score score_of(const std::string& command, const ContestProblem& problem, const ContestSettings& settings) {
  Score score;
  const CommandOutcome outcome =
      run_command(command, {.path = problem.file,
                            .variables = {fmt::format("TAKT_SEED={}", settings.seed),
                                          fmt::format("TAKT_MODEL={}", tpn::name_of(problem.model)),
                                          fmt::format("TAKT_TIME_LIMIT={}", settings.time_limit)},
                            .deadline = deadline_in(settings.time_limit)});
  if (outcome.failure) {
    score.failure = *outcome.failure;
    return score;
  }
  try {
    OwnMapping own = read_own_mapping(outcome.output, "its output", problem.view);
    score.predicted = own.predicted_period;
    tpn::Document mapped = problem.document;
    mapped.mapping = std::move(own.mapping);
    evaluate(mapped, problem, score);
  } catch (const tpn::ParseError& error) {
    score.failure = error.what();
  } catch (const tpn::InvalidInstance& error) {
    score.failure = error.what();
  }
  return score;
}

std::optional<Rational> bound_of(const ContestProblem& problem, const evaluators::Deadline& deadline) {
  try {
    return heuristics::period_lower_bound(problem.view, problem.model, deadline);
  } catch (const tpn::InvalidInstance&) {
    return std::nullopt;  // a work or a size is absent
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
  void work() {
    for (std::size_t k = next_++; k < problems_.size() && !interruption(); k = next_++) {
      try {
        ScoredProblem scored = run(k);
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

  ScoredProblem run(std::size_t k) {
    const tpn::Document document = problems_.document(k);
    ContestProblem problem{document, tpn::ProblemView(document), contest_model(settings_.model, document), {}};
    const bool needs_file = std::ranges::any_of(contestants_, [](const auto& one) { return one.heuristic == nullptr; });
    if (needs_file) problem.file = folder_.write(fmt::format("problem-{}.json", k + 1), tpn::write_document(document));
    ScoredProblem scored{problems_.name(k), {}, {}};
    scored.lower_bound = bound_of(problem, deadline_after(settings_.time_limit));
    for (const Contestant& contestant : contestants_) {
      if (interruption()) break;
      scored.scores.push_back(contestant.heuristic != nullptr
                                  ? score_of(*contestant.heuristic, problem, settings_, scored.lower_bound)
                                  : score_of(contestant.command, problem, settings_));
    }
    if (needs_file) ScratchFolder::remove(problem.file);
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

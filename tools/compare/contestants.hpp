// What is compared: heuristics of takt, and commands of a user's own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "tools/compare/comparison.hpp"
#include "tools/compare/problem_set.hpp"
#include "tools/frame/options.hpp"
#include "tools/own/own_heuristic.hpp"

namespace takt::tools {

/// A heuristic of takt, or a command that prints a mapping of the problem it is given.
struct Contestant {
  std::string name;
  const heuristics::Heuristic* heuristic = nullptr;
  std::string command;  // if there is no heuristic
  ProgramForm form = ProgramForm::command;
};

/// How everybody is run.
struct ContestSettings {
  ModelChoice model;
  std::uint64_t seed = heuristics::kDefaultSeed;
  double time_limit = 0;  // seconds, of each run
  std::uint64_t jobs = 1;
};

/// The model that the periods of a problem are compared under: the one chosen, else the problem's own, else STRICT.
tpn::Model contest_model(const ModelChoice& choice, const tpn::Document& problem);

/// The problems in order, each with the scores of all contestants, until someone interrupts it: then those before the
/// first that is not whole. `on_done` hears how many there are so far.
std::vector<ScoredProblem> hold_contest(const std::vector<Contestant>& contestants, const ProblemSet& problems,
                                        const ContestSettings& settings,
                                        const std::function<void(std::size_t)>& on_done);

}  // namespace takt::tools

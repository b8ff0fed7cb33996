// The evaluators behind one function, and the automatic choice between them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// An evaluator: a name for users and the function that answers.
struct Evaluator {
  Method method;
  std::string_view name;
  std::string_view summary;
  Evaluation (*evaluate)(const tpn::FoldedNet& net, const Options& options);
};

/// All evaluators, `auto` first.
std::span<const Evaluator> evaluators();

std::optional<Method> find_method(std::string_view name);
std::optional<Solver> find_solver(std::string_view name);

/// Evaluates by Options::method. Where the period is the largest cycle time, the critical circuit is that
/// resource's own.
Evaluation evaluate(const tpn::FoldedNet& net, const Options& options = {});

}  // namespace takt::evaluators

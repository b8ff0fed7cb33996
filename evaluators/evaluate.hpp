// The evaluators behind one function, and the automatic choice between them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "evaluators/evaluation.hpp"
#include "tpn/capabilities.hpp"

namespace takt::evaluators {

/// An evaluator: a name for users and the function that answers.
struct Evaluator {
  Method method;
  std::string_view name;
  std::string_view summary;
  Evaluation (*evaluate)(const tpn::FoldedNet& net, const Options& options);
  tpn::Capabilities takes = tpn::kEveryNet;
  /// Why the method can't answer for a net that its capabilities admit, if it can't; null if it can for all.
  std::optional<std::string> (*unfit)(const tpn::FoldedNet& net) = nullptr;
  /// Whether Options::solver means anything to it.
  bool has_solvers = false;
  /// Whether it is for intervals: exact by chance only.
  bool is_interval = false;
};

/// All evaluators, `auto` first.
std::span<const Evaluator> evaluators();

std::optional<Method> find_method(std::string_view name);

/// The evaluator of a method.
const Evaluator& evaluator_of(Method method);

/// Why the method can't answer for the net, a phrase; nothing if it can.
std::optional<std::string> why_unfit(Method method, const tpn::FoldedNet& net);

/// Evaluates by Options::method, which must not be unfit for the net. Where the period is the largest cycle time, the
/// critical circuit is that resource's own.
Evaluation evaluate(const tpn::FoldedNet& net, const Options& options = {});

}  // namespace takt::evaluators

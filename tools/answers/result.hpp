// An instance evaluated under a model, and what its words are taken from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/insight/latency.hpp"
#include "evaluators/play/sampled.hpp"
#include "tools/answers/advice.hpp"
#include "tools/answers/parameter_change.hpp"
#include "tools/words/core_names.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

/// How long data sets stay: in the paced schedule, the rest where asked for.
struct FoundLatency {
  evaluators::Latency paced;
  std::optional<maxplus::Rational> least;
  std::optional<std::vector<maxplus::Rational>> unpaced_growth;  // by class of data sets
  std::optional<evaluators::LatencyCurve> curve;
};

/// Or why there is none.
using FoundEstimate = std::variant<evaluators::SampledPeriod, std::string>;

/// Of times that vary: the expected period is at least Evaluation::lower and at most this, in time units per data set.
struct FoundExpectedPeriod {
  std::optional<maxplus::Rational> upper;
  std::string reason;  // why there is no upper bound, a clause
};

/// What was changed in an instance before it was evaluated, and the period without: an exact one, or its bounds.
struct WhatIf {
  std::vector<ParameterChange> changes;
  maxplus::Rational lower;
  maxplus::Rational upper;

  bool exact() const { return lower == upper; }
};

/// An evaluation and what its words are taken from.
struct EvaluatedInstance {
  std::string file;                 // as named on the command line
  std::vector<std::string> stages;  // names, in order
  tpn::FoldedNet net;
  evaluators::Evaluation evaluation;
  TimeWords times;                                // how its times are told
  std::optional<FoundLatency> latency;            // where it was looked for
  std::optional<FoundEstimate> estimate;          // where it was asked for
  std::optional<WhatIf> what_if{};                // where something was changed
  std::optional<FoundExpectedPeriod> expected{};  // where the document has laws
  std::optional<CoreNames> cores{};               // where processors share hosts
  Advice advice{};                                // what may be done about the period
  // Whether this is the evaluation with the transfers ahead of the advice, and all that are worth it were asked for.
  bool is_ahead = false;
  bool wants_ahead = false;
};

/// The folded net of an instance, not evaluated yet, at most `window` data sets under way unless that is 0; or what it
/// would need, time included. Throws tpn::InvalidInstance as tpn::fold.
std::variant<EvaluatedInstance, tpn::TooLarge> fold_instance(const std::string& file, const tpn::Document& document,
                                                             tpn::Model model,
                                                             const evaluators::Deadline& deadline = {},
                                                             std::uint64_t window = 0,
                                                             tpn::RatedStages rated = tpn::RatedStages::refused);

}  // namespace takt::tools

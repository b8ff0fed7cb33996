// What may be done about a period: each change is made in the document, which is evaluated, before it is told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tools/words/ahead_words.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// The entries of each part dealt machine by machine in turn, each machine's in their order: a shorter period.
struct DealtAdvice {
  std::string words;  // as the document has them: "["p", "q", "p", "q"] for a"
  maxplus::Rational period;
};

/// What is known to help, or said to be worth a look.
struct Advice {
  std::optional<AheadAdvice> ahead{};
  std::optional<DealtAdvice> dealt{};
  std::string world{};  // where the outside world is the bottleneck
};

/// A change that needs no faster machine and no further one.
struct FreeChange {
  std::string words;
  maxplus::Rational period;
  std::string sentence;
};

/// Of an exact evaluation of the document's net, its window included. `seeks_ahead`: transfers ahead as well, quickly,
/// where an order is on the critical circuit. `options` say until when.
Advice find_advice(const tpn::Document& document, const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation,
                   const evaluators::Options& options, bool seeks_ahead);

/// The shortest period first.
std::vector<FreeChange> free_changes(const Advice& advice, const TimeWords& times);

}  // namespace takt::tools

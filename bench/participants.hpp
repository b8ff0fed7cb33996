// The participants of a case: takt's methods and its peers, each prepared before it is timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluators/columns/torus.hpp"
#include "evaluators/kernel/period.hpp"
#include "tpn/folded_net.hpp"

namespace takt::bench {

/// What a case asks: the period of each of these nets, of which there is one in most cases. Moved, never copied.
struct Problem {
  std::vector<tpn::FoldedNet> nets;
  /// Where the nets are those of many mappings of one problem: that problem, and as many mappings.
  tpn::Document document;
  std::vector<tpn::Mapping> mappings;
  /// The durations of a single transfer column: of the only net, or, without a net, these.
  std::optional<evaluators::Torus> torus;
  std::vector<std::int64_t> durations;
  /// Time that takt has for a net before it answers with an interval.
  double seconds = 60;

  std::size_t size() const { return nets.empty() ? 1 : nets.size(); }
};

/// lower <= period <= upper, in time units; equal if the answer is exact.
struct Answer {
  evaluators::Period lower;
  evaluators::Period upper;

  bool exact() const { return lower == upper; }
};

/// A participant made ready for a problem, which must outlive it.
struct Runner {
  /// Answers for one net (or for the torus without a net): this is what is timed.
  std::function<Answer(std::size_t net)> answer;
  /// After all nets were answered: what is wrong with the evidence for these answers, empty if it proves them or
  /// if there is none to show.
  std::function<std::string()> refute;
  /// What the reader of a figure should know: the solver chosen, the tries needed.
  std::string label;
  /// Why it cannot take part; empty if it can.
  std::string unfit;
};

struct Participant {
  std::string_view name;
  /// `expected` holds the first participant's answer for each net; it is empty when that one is made ready.
  Runner (*prepare)(const Problem& problem, const std::vector<Answer>& expected);
};

/// takt's automatic choice, and its single methods; `unfold` with Howard.
extern const Participant kTakt;
extern const Participant kPattern;
extern const Participant kSweep;
extern const Participant kResidue;
extern const Participant kUnfold;
/// takt's kernel on a torus, without a net around it: as one of the methods, or as takt if there is no net.
extern const Participant kTorus;
extern const Participant kTaktTorus;
/// takt's evaluator of many mappings, and beside it the automatic choice on every net by itself.
extern const Participant kTaktMappings;
extern const Participant kTaktNets;

/// `unfold` with each of the other solvers of cycle ratios.
std::span<const Participant> unfold_with_solvers();

/// The paper's method: Karp, on the patterns of an OVERLAP net's columns or on the unfolded STRICT net.
extern const Participant kPaper;

/// LEMON after a token contraction, which is timed with it: the better of its two solvers.
extern const Participant kLemon;
/// Boost's Howard on the unfolded net, by the first try that is right.
extern const Participant kBoost;

}  // namespace takt::bench

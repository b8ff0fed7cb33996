// Who takes part in a case: takt's methods and its peers, each made ready before it is timed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tpn/folded_net.hpp"

namespace takt::bench {

/// What a case asks: the period of each of these nets, of which there is one in most cases.
struct Problem {
  std::vector<tpn::FoldedNet> nets;
  /// Time that takt has for a net before it answers with an interval.
  double seconds = 60;
};

/// lower <= period <= upper, in time units; equal where the answer is exact.
struct Answer {
  maxplus::Rational lower;
  maxplus::Rational upper;

  bool exact() const { return lower == upper; }
};

/// A participant made ready for a problem, which must outlive it.
struct Runner {
  /// Answers for one net: this is what is timed.
  std::function<Answer(std::size_t net)> answer;
  /// After all nets were answered: what is wrong with the evidence for these answers, empty where it proves them or
  /// where there is none to show.
  std::function<std::string()> refute;
  /// What the reader of a figure should know: the solver chosen, the tries needed.
  std::string label;
  /// Why it cannot take part; empty where it can.
  std::string unfit;
};

struct Participant {
  std::string_view name;
  /// `expected` holds takt's answer for each net; it is empty when takt itself is made ready.
  Runner (*prepare)(const Problem& problem, const std::vector<Answer>& expected);
};

/// takt's automatic choice; its single methods, `unfold` with Howard and `paper` with Karp.
extern const Participant kTakt;
extern const Participant kSweep;
extern const Participant kUnfold;
extern const Participant kPaper;

/// LEMON after a token contraction, which is timed with it: the better of its two solvers.
extern const Participant kLemon;
/// Boost's Howard on the unfolded net, by the first try that is right.
extern const Participant kBoost;

}  // namespace takt::bench

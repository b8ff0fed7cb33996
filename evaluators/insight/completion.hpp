// completion: when N data sets are done, from an empty pipeline on, however large N is.
//
// Problem. Everything starts as early as it may, nothing precedes data set 0. With e(j) the end of data set j's last
// operation, N data sets are done at the largest e(j) of j < N; where several parts send nothing, at the largest over
// these.
//
// Method. Where the play proves that it repeats (play/simulate.hpp), from data set t on every p m data sets, each of
// those p m ends lies on a line of its own: under OVERLAP they may have different slopes. So N data sets are done at
//
//   max of e(j) for j < min(t, N), and of e(r) + g_r floor((N - 1 - r) / (p m)) for t <= r < min(t + p m, N),
//
// with g_r = e(r + p m) - e(r), and t + 2 p m data sets have to be played, however many N are.
//
// Where no repetition was seen, bounds. Above, any schedule that keeps all dependences and begins nothing before time 0
// ends no operation earlier than the play does: the paced schedule if there is one, else that of a certificate by
// classes or by columns. Below, a walk along the critical circuit: whole laps of it in closed form, then as many steps
// as stay below data set N, then the data set's way to the end.
//
// Cost. That of the play, linear in t + p m for each N; of bounds, that of an evaluation.
//
// References. [baccelli1992synchronization] (cyclicity).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// When that many data sets are done: between these two, in time units.
struct CompletionTime {
  Integer data_sets;  // at least 1
  Rational lower;
  Rational upper;

  bool exact() const { return lower == upper; }
};

/// The ends of data sets of a play that repeats.
struct RepeatingEnds {
  // By part that sends nothing, of its operations on data sets 0, 1, ..., transient + 2 repeats_every - 1. Each part's
  // repeat, and the latest of several need not.
  std::vector<std::vector<Integer>> ends;
  Integer unit = 1;                 // an end of e stands for e / unit time units
  std::uint64_t transient = 0;      // the data set from which all of them repeat
  std::uint64_t repeats_every = 1;  // data sets

  /// The completion time of the first `data_sets` >= 1, in time units.
  Rational completion(const Integer& data_sets) const;
};

/// Those of a net, where the play repeats soon enough for it to be seen.
std::optional<RepeatingEnds> repeating_ends(const tpn::FoldedNet& net, const Options& options = {});

/// Bounds that need no play, from an evaluation of the net; of at least one data set.
CompletionTime completion_bounds(const tpn::FoldedNet& net, const Evaluation& evaluation, const Integer& data_sets,
                                 const Deadline& deadline = {});

/// The completion times of several numbers of first data sets, each at least 1.
struct Completions {
  std::vector<CompletionTime> times;           // in the order that was asked for
  std::optional<std::uint64_t> repeats_every;  // data sets, where that was looked for and seen
  std::optional<std::uint64_t> transient;      // the data set from which ends repeat, likewise
};

/// Operations that are played at most to as many data sets as are asked for, in place of a search for repetition.
inline constexpr std::uint64_t kCompletionOperations = 1'000'000;

/// Exact for few data sets, and where the play is seen to repeat; else bounds. Options say how the net is evaluated for
/// these, and until when.
Completions completions_of(const tpn::FoldedNet& net, std::span<const Integer> data_sets, const Options& options = {});

}  // namespace takt::evaluators

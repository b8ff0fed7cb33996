// What random times make of a mapping: its throughput, and the latencies of data sets that arrive at a rate.
//
// Problem. The exact period is for times that never vary. With times of the same means and some law, how many data sets
// does the mapping sustain, and how late is the slowest percent at a given rate?
//
// Method. Independent copies of the net are played (vary/play.hpp); each gives one number for each figure, and
// Student's t over the copies an interval. The first fifth of a copy's data sets is not measured. Whether that was
// enough is seen in the mean latencies of the two halves of the rest.
//
// What is proved and what is not. Figures are estimates; but with the same copies and without transfers ahead every
// latency falls as the gaps grow (Theorem 4 of docs/vary.md), so the largest rate that keeps a latency is bisected on
// one set of draws.
//
// References. [student1908probable]; [baccelli1992synchronization] for random times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "maxplus/deadline.hpp"
#include "vary/figure.hpp"
#include "vary/play.hpp"

namespace takt::vary {

/// Latencies that are kept at a time, of all copies under all scenarios at a rate: 2 GiB of them.
inline constexpr std::uint64_t kMostLatencies = std::uint64_t{1} << 28;

/// Copies that a precision is worth.
inline constexpr std::uint64_t kMostCopies = 1'000'000;

struct VarySettings {
  std::uint64_t seed = 1;
  std::uint64_t copies = 64;       // a multiple of kLanes
  std::uint64_t data_sets = 4000;  // of a copy
  /// Not measured at the beginning of each; default: a fifth, and so many more that whole hyper-periods are measured.
  std::optional<std::uint64_t> skipped{};
  Arrivals arrivals;
  /// Goes on with more copies until no margin is more than this share of its figure, of each scenario by itself, or
  /// there would be more copies than `most_copies`, or more latencies kept than `most_latencies`.
  std::optional<double> precision{};
  /// With a precision: a scenario whose latencies have not settled, or of which more than four times as much is to be
  /// played, is played again in copies of four times as many data sets, as long as as many copies as here have no more
  /// latencies than `most_latencies`.
  bool lengthens = false;
  double confidence = kConfidence;
  std::uint64_t most_copies = kMostCopies;
  std::uint64_t most_latencies = kMostLatencies;
  maxplus::Deadline deadline;
  evaluators::Instructions instructions = evaluators::best_instructions();
  /// Hears how many copies are played.
  std::function<void(std::uint64_t copies)> on_copies = nullptr;
};

/// Of a scenario; latencies in time units, from arrival to delivery.
struct ScenarioFigures {
  std::uint64_t copies = 0;
  std::uint64_t data_sets = 0;       // of a copy
  CopiesFigure period;               // time units per data set that is delivered
  std::optional<CopiesFigure> mean;  // of a scenario with a gap, where the law has one
  std::vector<CopiesFigure> within;  // the percentiles, by share asked for
  bool is_settled = true;           // the two halves of what is measured have the same mean latency, as far as is known
  std::vector<double> latencies{};  // of all copies, where they are kept: copy after copy, data sets in order
};

struct VaryFigures {
  std::uint64_t copies = 0;     // the most of a scenario
  std::uint64_t data_sets = 0;  // of a copy to begin with, as what is skipped
  std::uint64_t skipped = 0;
  bool is_cut_short = false;  // the deadline has passed before the copies or the precision that were asked for
  bool is_full = false;       // the precision that was asked for takes more copies, or latencies, than there may be
  std::vector<ScenarioFigures> scenarios;
};

/// The number of latencies that a play keeps of its first copies for `scenarios` scenarios at a rate; at most 2^64 - 1.
std::uint64_t latencies_of(std::size_t scenarios, const VarySettings& settings);

/// Figures of these scenarios, all with the same luck; `shares` are above 0 and below 1. The copies to begin with have
/// no more latencies than may be kept. Nothing if the deadline passes before two copies are played. The same for the
/// same settings, on every machine and for any number of threads, as far as they have the same functions of
/// mathematics.
std::optional<VaryFigures> figures_of(const PlayedNet& net, std::span<const Scenario> scenarios,
                                      std::span<const double> shares, const VarySettings& settings,
                                      bool keeps_latencies = false);

/// A net and how it is fed.
struct NetScenarios {
  const PlayedNet* net = nullptr;
  std::vector<Scenario> scenarios;
};

/// The same of several nets, all with the same luck and, of scenarios with the same gap, as many copies: figures of two
/// nets may be paired (vary/figure.hpp).
std::optional<std::vector<VaryFigures>> figures_of_each(std::span<const NetScenarios> nets,
                                                        std::span<const double> shares, const VarySettings& settings,
                                                        bool keeps_latencies = false);

/// "99% 150ms": this share of all latencies is within a time.
struct LatencyLimit {
  double share = 0;
  double latency = 0;  // time units
};

/// The smallest gap at which a limit is kept.
struct SmallestGap {
  /// Nothing: even data sets that come one at a time are slower.
  std::optional<double> gap;
  /// Gaps at which the interval of the percentile begins, and ends, to keep it: where the limit is likely to lie.
  std::optional<double> low;
  std::optional<double> high;
  Figure alone;  // the percentile of a data set that meets no other
};

/// How closely a gap is searched for.
struct GapTerms {
  double digits = 1e-4;      // of the gap: a share of it
  bool has_interval = true;  // whether `low` and `high` are searched for, which takes three times as long
};

/// Gaps that are looked at at a time.
inline constexpr std::size_t kGapsAtOnce = 6;

/// Looks among gaps from `shortest` on, on one set of draws. The net must have no transfers ahead and no batches.
std::optional<SmallestGap> smallest_gap(const PlayedNet& net, const LatencyLimit& limit, double shortest,
                                        const VarySettings& settings, const GapTerms& terms = {});

}  // namespace takt::vary

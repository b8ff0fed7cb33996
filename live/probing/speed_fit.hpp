// Works of stages and speeds of processors, of the times that stages took on processors, some of them not measured.
//
// Problem. Of times t(k, p), the works w(k) and speeds v(p) for which w(k) / v(p) is near t(k, p), in proportion to it.
// They are known up to a common factor: the first processor that was measured has speed 1.
//
// Method. The least sum of squares of log w(k) - log v(p) - log t(k, p). For given speeds the best log w(k) is a mean;
// with it put in, linear equations are left for the logarithms of speeds, solved by elimination in doubles. The matrix
// is a graph's Laplacian without one row, hence positive definite where the graph is connected.
//
// Cost. For K stages and P processors, K P^2 + P^3 operations.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "live/probing/significant.hpp"

namespace takt::live {

struct SpeedFit {
  std::vector<std::optional<Rational>> works;   // by stage, to kSignificantDigits; nothing if none of it was measured
  std::vector<std::optional<Rational>> speeds;  // by processor, likewise
  /// The largest |work / speed / time - 1|, and of which stage on which processor, the first of equals.
  Rational worst_misfit;
  std::size_t worst_stage = 0;
  std::size_t worst_processor = 0;
};

/// Times by stage, then processor, as many in each row, between 10^-30 and 10^30 where measured. Nothing if none
/// is, or where two groups of stages and processors have no time in common, so that their speeds cannot be compared,
/// or where speeds differ beyond doubles.
std::optional<SpeedFit> fit_speeds(std::span<const std::vector<std::optional<Rational>>> times);

/// The same works and speeds, held against these times, each of a stage and a processor that have one.
SpeedFit with_misfit(SpeedFit fit, std::span<const std::vector<std::optional<Rational>>> times);

}  // namespace takt::live

// What the stages of a problem ask of its processors, and what these can do.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// The works of a problem and the processors' times for them. Works must be there where a processor has a speed
/// (require_amounts); without speeds absent ones are 0.
struct Capacities {
  explicit Capacities(const tpn::ProblemView& problem);

  std::vector<tpn::Rational> works_from;  // by stage, for a data set, of it and all behind; behind the last one 0
  std::vector<tpn::LinearTime> times;     // by processor, of an amount of work
  /// By processor, as amounts of work per time unit; empty where one takes a fixed time, which bounds no work. A
  /// part's computations take at least its work over its processors' speeds.
  std::vector<tpn::Rational> speeds;
};

/// The processors with these times, fastest at this amount of work first; ties by index.
std::vector<std::size_t> fastest_first(std::span<const tpn::LinearTime> times, const tpn::Rational& work);

}  // namespace takt::heuristics

// What problems are put together from: numbers out of ranges, a chain of stages, processors.
#pragma once

#include <cstddef>
#include <vector>

#include "experiments/draws/generator.hpp"
#include "experiments/draws/stream.hpp"
#include "tpn/document.hpp"

namespace takt::experiments {

/// The first `count` numbers drawn from a range.
std::vector<Rational> draw_all(const Range& range, std::size_t count, Stream& stream);

/// A problem of stages S0, S1, ... of these works and processors P0, P1, ... of these speeds; without sizes, links and
/// ends.
tpn::Document chain_problem(const std::vector<Rational>& works, const std::vector<Rational>& speeds);

/// Gives the problem a source, a sink, both or neither: the choices of a parameter `ends`. The input's size is that of
/// the file that enters; without a source there is none.
void add_ends(tpn::Document& problem, std::string_view ends, const Rational& input);

}  // namespace takt::experiments

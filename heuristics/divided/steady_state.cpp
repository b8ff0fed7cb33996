// Steady-state rates from the least common denominators of the divisions.
#include "heuristics/divided/steady_state.hpp"

#include <algorithm>
#include <numeric>

#include "maxplus/contract.hpp"
#include "tpn/timing.hpp"

namespace takt::heuristics {

using maxplus::Integer;
using maxplus::Rational;

namespace {

Integer common_denominator(std::span<const Rational> numbers) {
  Integer denominator = 1;
  for (const Rational& number : numbers) denominator = lcm(denominator, number.denominator());
  return denominator;
}

}  // namespace

std::vector<Integer> repetition_vector(const tpn::Document& document) {
  const tpn::Timing timing(document);
  std::vector<Rational> gains;
  for (std::size_t k = 0; k < document.application.stages.size(); ++k) gains.push_back(timing.gain(k));
  // The first gain is 1: no common factor is left in the multiples.
  const Rational factor = common_denominator(gains);
  std::vector<Integer> repetitions;
  repetitions.reserve(gains.size());
  for (const Rational& gain : gains) repetitions.push_back((gain * factor).numerator());
  return repetitions;
}

std::vector<std::vector<std::size_t>> replicas(std::span<const tpn::Part> mapping) {
  std::vector<std::vector<std::size_t>> by_stage;
  for (const tpn::Part& part : mapping) {
    std::vector<std::size_t> distinct;
    for (const std::size_t processor : part.processors) {
      if (std::ranges::find(distinct, processor) == distinct.end()) distinct.push_back(processor);
    }
    by_stage.insert(by_stage.end(), part.last_stage - part.first_stage + 1, distinct);
  }
  return by_stage;
}

std::vector<DivisionVector> division_vectors(std::span<const tpn::Part> mapping) {
  const auto by_stage = replicas(mapping);
  std::vector<DivisionVector> divisions;
  for (const tpn::Part& part : mapping) {
    const Rational length = part.processors.size();
    DivisionVector division;
    for (const std::size_t processor : by_stage[part.first_stage]) {
      division.push_back(Rational(std::ranges::count(part.processors, processor)) / length);
    }
    divisions.insert(divisions.end(), part.last_stage - part.first_stage + 1, division);
  }
  return divisions;
}

SteadyState steady_state(std::span<const Integer> repetitions, std::span<const DivisionVector> divisions,
                         Augmentation augmentation) {
  maxplus::expects(repetitions.size() == divisions.size(), "a division for every stage");
  SteadyState state;
  state.factor = 1;
  for (std::size_t i = 0; i < divisions.size(); ++i) {
    const Rational sum = std::accumulate(divisions[i].begin(), divisions[i].end(), Rational());
    const bool positive = std::ranges::all_of(divisions[i], [](const Rational& share) { return share.sign() > 0; });
    maxplus::expects(sum == 1 && positive && repetitions[i] > 0, "shares are positive, and 1 in all");
    const Integer granularity = common_denominator(divisions[i]);
    const Integer own = granularity / gcd(repetitions[i], granularity);
    state.factor = augmentation == Augmentation::published ? Integer(state.factor * own) : lcm(state.factor, own);
  }
  for (std::size_t i = 0; i < divisions.size(); ++i) {
    state.stages.emplace_back(repetitions[i] * state.factor);
    std::vector<Integer>& nodes = state.nodes.emplace_back();
    for (const Rational& share : divisions[i]) nodes.push_back((share * state.stages[i]).numerator());
  }
  return state;
}

}  // namespace takt::heuristics

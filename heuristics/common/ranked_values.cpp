// One sort of indices.
#include "heuristics/common/ranked_values.hpp"

#include <algorithm>
#include <numeric>

#include "maxplus/contract.hpp"

namespace takt::heuristics {

using maxplus::Rational;

RankedValues::RankedValues(const std::vector<Rational>& numbers) : ranks(numbers.size()) {
  maxplus::expects(numbers.size() <= UINT32_MAX, "ranks fit 32 bits");
  std::vector<std::uint32_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t index) -> const Rational& { return numbers[index]; });
  for (const std::uint32_t index : order) {
    if (values.empty() || values.back() != numbers[index]) values.push_back(numbers[index]);
    ranks[index] = static_cast<std::uint32_t>(values.size() - 1);
  }
}

}  // namespace takt::heuristics

// As many as there is time for, then fewer.
#include "plan/wider/turns.hpp"

#include <algorithm>

namespace takt::plan {

using maxplus::Integer;
using maxplus::Rational;

namespace {

// That a machine has time for; at most the length.
std::uint64_t most_turns(const Rational& demand, const Rational& period, bool strictly, std::uint64_t length) {
  if (demand.sign() == 0) return length;
  const Rational ratio = period * Rational(length) / demand;
  if (Rational(length) < ratio) return length;
  const std::uint64_t turns = ratio.floor().get_ui();
  return strictly && ratio.is_integer() && turns > 0 ? turns - 1 : turns;
}

}  // namespace

bool keeps_pace(const std::vector<Rational>& demands, const Rational& period, bool strictly) {
  const Rational all = period * Rational(demands.size());
  return std::ranges::all_of(demands, [&](const Rational& one) { return strictly ? one < all : one <= all; });
}

std::optional<std::vector<std::uint64_t>> turns_of(const std::vector<Rational>& demands, const Rational& period,
                                                   bool strictly, std::uint64_t length) {
  std::vector<std::uint64_t> turns;
  std::uint64_t sum = 0;
  for (const Rational& demand : demands) {
    turns.push_back(most_turns(demand, period, strictly, length));
    if (turns.back() == 0) return std::nullopt;
    sum += turns.back();
  }
  if (sum < length || length < turns.size()) return std::nullopt;
  for (; sum > length; --sum) {
    std::size_t busiest = turns.size();
    for (std::size_t k = 0; k < turns.size(); ++k) {
      if (turns[k] == 1) continue;
      if (busiest == turns.size() || demands[busiest] * Rational(turns[busiest]) < demands[k] * Rational(turns[k]))
        busiest = k;
    }
    --turns[busiest];
  }
  return turns;
}

}  // namespace takt::plan

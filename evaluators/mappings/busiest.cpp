// Sums by entry, then fractions over the data sets after which they repeat.
#include "evaluators/mappings/busiest.hpp"

#include <algorithm>
#include <numeric>

#include "maxplus/contract.hpp"
#include "tpn/chain.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

namespace {

using maxplus::Int128;
using tpn::chain_computation;
using tpn::chain_transfer;
using tpn::ConstraintKind;

}  // namespace

void BusiestResources::add_up(const TimeTable& table) {
  const auto places = table.places();
  sums_.assign(places.back().first_entry + places.back().length, {});
  for (std::size_t p = 0; p < places.size(); ++p) {
    const auto& from = places[p];
    maxplus::expects(from.length <= kMostEntries, "a sequence has few entries");
    const auto times = table.computations_of(from);
    for (std::uint32_t a = 0; a < from.length; ++a) {
      maxplus::expects(times[a] <= kMostTicks, "a time has few ticks");
      sums_[from.first_entry + a].compute = times[a];
    }
    if (p + 1 == places.size()) break;
    const auto& to = places[p + 1];
    const std::uint32_t classes = std::gcd(from.length, to.length);
    for (std::uint32_t a = 0; a < from.length; ++a) {
      std::int64_t out = 0;
      for (std::uint32_t b = a % classes; b < to.length; b += classes) {
        const std::int64_t time = table.transfer(p, a, b);
        maxplus::expects(time <= kMostTicks, "a time has few ticks");
        out += time;
        sums_[to.first_entry + b].in += time;
      }
      sums_[from.first_entry + a].out = out;
    }
  }
}

// To the first entry of each processor.
void BusiestResources::join_repeated(const TimeTable& table) {
  const auto processors = table.processors();
  if (processors.empty()) return;
  for (const auto& place : table.places()) {
    const auto own = processors.subspan(place.first_entry, place.length);
    for (std::size_t entry = 1; entry < own.size(); ++entry) {
      const auto first = static_cast<std::size_t>(std::ranges::find(own, own[entry]) - own.begin());
      if (first == entry) continue;
      EntrySums& from = sums_[place.first_entry + entry];
      EntrySums& to = sums_[place.first_entry + first];
      to.in += from.in;
      to.compute += from.compute;
      to.out += from.out;
      from = {};
    }
  }
}

// Up to 2^22 times of 2^40 ticks in a sum, below 2^75 over a denominator of at most 2^33: their products stay below
// 2^127.
void BusiestResources::offer(Int128 numerator, std::uint64_t denominator, std::size_t column,
                             const TableResource& resource) {
  const Int128 ours = numerator * static_cast<Int128>(denominator_);
  const Int128 best = numerator_ * static_cast<Int128>(denominator);
  if (ours < best || ours == 0 || (ours == best && column > column_)) return;
  if (ours > best || column < column_) found_.clear();
  numerator_ = numerator;
  denominator_ = denominator;
  column_ = column;
  found_.push_back(resource);
}

std::span<const TableResource> BusiestResources::find(const TimeTable& table, tpn::Model model) {
  const bool is_strict = tpn::shares_processors(model);
  maxplus::expects(is_strict || tpn::separates_operations(model), "the model is one of the one-port models");
  add_up(table);
  join_repeated(table);
  found_.clear();
  numerator_ = 0;
  denominator_ = 1;
  const auto places = table.places();
  for (std::size_t p = 0; p < places.size(); ++p) {
    const std::uint64_t length = places[p].length;
    const std::uint64_t in = p > 0 ? std::lcm(length, std::uint64_t{places[p - 1].length}) : length;
    const std::uint64_t out = p + 1 < places.size() ? std::lcm(length, std::uint64_t{places[p + 1].length}) : length;
    const std::uint64_t all = std::lcm(in, out);
    for (std::uint32_t entry = 0; entry < length; ++entry) {
      const EntrySums& sums = sums_[places[p].first_entry + entry];
      if (is_strict) {
        const Int128 total = static_cast<Int128>(sums.in) * (all / in) +
                             static_cast<Int128>(sums.compute) * (all / length) +
                             static_cast<Int128>(sums.out) * (all / out);
        offer(total, all, p > 0 ? chain_transfer(p - 1) : chain_computation(p), {p, entry, ConstraintKind::processor});
      } else {
        offer(sums.compute, length, chain_computation(p), {p, entry, ConstraintKind::compute});
        offer(sums.out, out, chain_transfer(p), {p, entry, ConstraintKind::out_port});
        if (p > 0) offer(sums.in, in, chain_transfer(p - 1), {p, entry, ConstraintKind::in_port});
      }
    }
  }
  return found_;
}

}  // namespace takt::evaluators

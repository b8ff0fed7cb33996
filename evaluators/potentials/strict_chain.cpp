// From a net to its pipeline in ticks.
#include "evaluators/potentials/strict_chain.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace takt::evaluators {

namespace {

using maxplus::Integer;
using tpn::Pipeline;

// Ticks of the longest duration: sums of thousands fit 32 bits, and rounding adds 1 / 16384 of it at the most.
constexpr unsigned kTicksOfLongest = 1 << 14;

}  // namespace

StrictChain::StrictChain(const tpn::FoldedNet& net) {
  for (const tpn::NetPart& part : net.pipeline.parts) {
    moduli_.push_back(static_cast<std::uint32_t>(part.sequence.size()));
  }
  for (const std::uint32_t height : moduli_) {
    bits_.push_back(static_cast<unsigned>(std::bit_width(height - 1)));
    for (const std::uint32_t modulus : moduli_) shifts_.push_back(height % modulus);
  }
  choose_tick(net.pipeline);
  set_durations(net.pipeline);
  set_meetings();
  set_cycle_times();
}

void StrictChain::choose_tick(const Pipeline& pipeline) {
  Integer longest = 1;
  for (const tpn::Column& column : pipeline.columns) longest = std::max(longest, column.table.longest());
  const Integer per_unit = Integer(kTicksOfLongest) / longest;
  tick_ = per_unit > 0 ? Rational::fraction(1, per_unit * pipeline.scale)
                       : Rational::fraction(longest, pipeline.scale * kTicksOfLongest);
}

std::int32_t StrictChain::in_ticks(const Integer& duration, const Pipeline& pipeline) const {
  const Rational ticks = Rational::fraction(duration, pipeline.scale) / tick_;
  return static_cast<std::int32_t>(ticks.ceiling().get_si());
}

void StrictChain::set_durations(const Pipeline& pipeline) {
  for (const tpn::Column& column : pipeline.columns) {
    std::vector<std::int32_t> ticks(column.table.size());
    for (std::size_t k = 0; k < ticks.size(); ++k) ticks[k] = in_ticks(column.table[k], pipeline);
    std::vector<std::int32_t> durations;
    const std::size_t receivers = column.receiver_offset.size();
    const std::size_t divisor = std::gcd(column.sender_offset.size(), receivers);
    for (std::size_t a = 0; a < column.sender_offset.size(); ++a) {
      for (std::size_t b = 0; b < receivers; ++b) {
        const bool meets = column.kind == tpn::ColumnKind::compute || a % divisor == b % divisor;
        durations.push_back(meets ? ticks[column.sender_offset[a] + column.receiver_offset[b]] : 0);
        longest_ = std::max(longest_, durations.back());
      }
    }
    (column.kind == tpn::ColumnKind::compute ? compute_ : transfer_).push_back(std::move(durations));
  }
}

void StrictChain::set_meetings() {
  for (const std::uint32_t modulus : moduli_) {
    for (const std::uint32_t other : moduli_) {
      const std::uint32_t divisor = std::gcd(modulus, other);
      meetings_.push_back({divisor, by_remainder_.size()});
      for (std::uint32_t r = 0; r < divisor; ++r) {
        ResidueSet& residues = by_remainder_.emplace_back(modulus);
        residues.clear();
        for (std::uint32_t x = r; x < modulus; x += divisor) residues.add(x);
      }
    }
  }
}

void StrictChain::set_cycle_times() {
  for (std::size_t i = 0; i < parts(); ++i) {
    std::vector<double>& times = cycle_times_.emplace_back(moduli_[i]);
    for (std::size_t r = 0; r < times.size(); ++r) {
      double busy = compute_[i][r];
      const auto add_mean = [&](std::size_t neighbor, std::size_t t) {
        double sum = 0;
        std::size_t met = 0;
        for (std::size_t q = 0; q < moduli_[neighbor]; ++q) {
          if (!meet(neighbor, q, i, r)) continue;
          sum += neighbor < i ? transfer_[t][pair(t, q, r)] : transfer_[t][pair(t, r, q)];
          ++met;
        }
        busy += sum / static_cast<double>(met);
      };
      if (i > 0) add_mean(i - 1, i - 1);
      if (i + 1 < parts()) add_mean(i + 1, i);
      times[r] = busy / moduli_[i];
    }
  }
}

}  // namespace takt::evaluators

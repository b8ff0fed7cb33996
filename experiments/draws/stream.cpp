// Philox from Random123; whole numbers by multiplication and rejection; the normal distribution by thresholds.
#include "experiments/draws/stream.hpp"

#include <Random123/philox.h>

#include <algorithm>

#include "maxplus/contract.hpp"
#include "maxplus/rational.hpp"

namespace takt::experiments {

using maxplus::Integer;

std::uint64_t cell_hash(std::string_view parameters) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : parameters) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key) {
  const r123::Philox4x64::ctr_type in = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x64::key_type with = {{key[0], key[1]}};
  const auto out = r123::Philox4x64()(in, with);
  return {out[0], out[1], out[2], out[3]};
}

Stream::Stream(const DrawKey& key, Purpose purpose)
    : key_{key.seed, key.cell},
      counter_{0, static_cast<std::uint64_t>(purpose), key.draw, 0},
      block_{},
      used_(block_.size()) {}

void Stream::refill() {
  block_ = philox(counter_, key_);
  ++counter_[0];
  used_ = 0;
}

std::uint64_t Stream::below(std::uint64_t bound) {
  maxplus::expects(bound > 0, "a random number is below at least 1");
  __extension__ typedef unsigned __int128 Wide;
  Wide product = static_cast<Wide>(next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t rejected = -bound % bound;
    while (static_cast<std::uint64_t>(product) < rejected) product = static_cast<Wide>(next()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

// The gaps between `parts - 1` places among the `total - 1` between the units; the places by Floyd's method, each set
// of them equally likely.
void draw_composition(std::span<std::uint64_t> parts, std::uint64_t total, Stream& stream) {
  maxplus::expects(!parts.empty() && parts.size() <= total, "a composition has from one to total parts");
  const std::uint64_t places = total - 1;
  const std::span<std::uint64_t> cuts = parts.first(parts.size() - 1);
  std::uint64_t i = places - cuts.size();
  for (auto cut = cuts.begin(); cut != cuts.end(); ++cut, ++i) {
    const std::uint64_t place = stream.below(i + 1) + 1;
    *cut = std::find(cuts.begin(), cut, place) == cut ? place : i + 1;
  }
  std::ranges::sort(cuts);
  parts.back() = total;
  for (std::size_t k = parts.size() - 1; k > 0; --k) parts[k] -= parts[k - 1];
}

namespace {

constexpr unsigned kWeightBits = 256;

// exp(-1/(2 steps^2)) times 2^kWeightBits, by its series.
Integer density_ratio(long steps) {
  Integer term = Integer(1) << kWeightBits;
  Integer sum = term;
  for (long i = 1; term != 0; ++i) {
    term /= -2 * steps * steps * i;
    sum += term;
  }
  return sum;
}

Integer product(const Integer& a, const Integer& b) { return (a * b) >> kWeightBits; }

std::uint64_t low_64_bits(const Integer& value) {
  const Integer high = value >> 32;
  const Integer low = value - (high << 32);
  return (static_cast<std::uint64_t>(high.get_ui()) << 32) + low.get_ui();
}

}  // namespace

// The weight of k is r^(k^2), r = exp(-1/(2 steps^2)); from one to the next a factor r^(2k+1), which grows by r^2.
GridNormal::GridNormal(std::int64_t steps) : most_(9 * steps) {
  maxplus::expects(steps >= 1 && steps <= 10'000, "a normal distribution has 1 to 10,000 steps to a deviation");
  const Integer ratio = density_ratio(steps);
  const Integer square = product(ratio, ratio);
  std::vector<Integer> weights = {Integer(1) << kWeightBits};
  Integer factor = ratio;
  for (std::int64_t k = 0; k < most_; ++k) {
    weights.push_back(product(weights.back(), factor));
    factor = product(factor, square);
  }
  Integer total = weights[0];
  for (std::size_t k = 1; k < weights.size(); ++k) total += 2 * weights[k];
  Integer below = 0;
  for (std::int64_t k = -most_; k < most_; ++k) {
    below += weights[static_cast<std::size_t>(k < 0 ? -k : k)];
    const Integer threshold = (below << 64) / total;
    thresholds_.push_back(low_64_bits(threshold));
  }
}

std::int64_t GridNormal::draw(Stream& stream) const {
  const auto above = std::ranges::upper_bound(thresholds_, stream.next());
  return (above - thresholds_.begin()) - most_;
}

}  // namespace takt::experiments

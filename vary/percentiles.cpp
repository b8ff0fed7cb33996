// Counts are whole, so that shares are the same whatever the order.
#include "vary/percentiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "maxplus/contract.hpp"

namespace takt::vary {

namespace {

// Ascends as numbers do.
std::uint64_t key_of(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

void sort_bucket(double* begin, double* end) {
  constexpr std::ptrdiff_t kFew = 16;
  if (end - begin > kFew) return std::sort(begin, end);
  for (double* at = begin; at != end; ++at) {
    const double number = *at;
    double* to = at;
    for (; to != begin && to[-1] > number; --to) *to = to[-1];
    *to = number;
  }
}

}  // namespace

void sort_latencies(std::vector<double>& latencies) {
  const std::size_t size = latencies.size();
  if (size < 2) return;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most = 0;
  for (const double latency : latencies) {
    least = std::min(least, key_of(latency));
    most = std::max(most, key_of(latency));
  }
  if (least == most) return;
  const double scale = static_cast<double>(size - 1) / static_cast<double>(most - least);
  const auto bucket_of = [&](double latency) {
    return static_cast<std::size_t>(static_cast<double>(key_of(latency) - least) * scale);
  };
  std::vector<std::size_t> ends(size + 1, 0);  // of each bucket, one further
  for (const double latency : latencies) ++ends[bucket_of(latency) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<double> sorted(size);
  for (const double latency : latencies) sorted[ends[bucket_of(latency)]++] = latency;
  std::size_t begin = 0;
  for (std::size_t b = 0; b < size; ++b) {
    sort_bucket(sorted.data() + begin, sorted.data() + ends[b]);
    begin = ends[b];
  }
  latencies = std::move(sorted);
}

PooledLatencies::PooledLatencies(std::vector<std::span<const double>> copies, double confidence)
    : copies_(std::move(copies)), factor_(margin_factor(static_cast<double>(copies_.size()), confidence)) {
  for (const std::span<const double> copy : copies_) {
    maxplus::expects(!copy.empty() && copy.size() == copies_.front().size(), "copies have as many latencies");
    longest_ = std::max(longest_, copy.back());
  }
}

CopiesFigure PooledLatencies::percentile(double share) const {
  CopiesFigure result;
  result.value = first(share, Decides::value);
  const double low = first(share, Decides::high);
  const double high = first(share, Decides::low);
  result.margin = std::max(high - result.value, result.value - low);
  std::vector<std::size_t> counts;
  for (const std::span<const double> copy : copies_) {
    counts.push_back(static_cast<std::size_t>(std::ranges::upper_bound(copy, result.value) - copy.begin()));
  }
  const double share_margin = share_of(counts).margin;
  const double worth = share_margin > 0 ? result.margin / share_margin : 0;
  for (const std::size_t count : counts) {
    const double of_copy = static_cast<double>(count) / static_cast<double>(copies_.front().size());
    // More within the percentile is shorter.
    result.by_copy.push_back(result.value - worth * (of_copy - share));
  }
  return result;
}

Figure PooledLatencies::share_of(std::span<const std::size_t> counts) const {
  __extension__ typedef unsigned __int128 Wide;
  Wide sum = 0;
  Wide squares = 0;
  for (const std::size_t count : counts) {
    sum += count;
    squares += static_cast<Wide>(count) * count;
  }
  const auto copies = static_cast<double>(counts.size());
  const auto size = static_cast<double>(copies_.front().size());
  const double spread = static_cast<double>(counts.size() * squares - sum * sum);
  const double error = std::sqrt(spread / (copies - 1)) / copies / size;
  return {static_cast<double>(sum) / copies / size, factor_ * error};
}

// The least latency at which the share, or that end of its interval, is the one asked for, but for rounding.
double PooledLatencies::first(double share, Decides decides) const {
  constexpr double kRounding = 1e-12;
  constexpr int kHalvings = 60;
  double below = -1;
  double from = longest_;
  std::vector<std::size_t> below_counts(copies_.size(), 0);
  std::vector<std::size_t> from_counts(copies_.size(), copies_.front().size());
  std::vector<std::size_t> counts(copies_.size());
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (below + from) / 2;
    std::size_t left = 0;
    for (std::size_t c = 0; c < copies_.size(); ++c) {
      const auto begin = copies_[c].begin();
      const auto at = std::upper_bound(begin + static_cast<std::ptrdiff_t>(below_counts[c]),
                                       begin + static_cast<std::ptrdiff_t>(from_counts[c]), middle);
      counts[c] = static_cast<std::size_t>(at - begin);
      left += from_counts[c] - below_counts[c];
    }
    if (left <= 1) break;
    const Figure within = share_of(counts);
    const double decided = decides == Decides::high  ? within.high()
                           : decides == Decides::low ? within.low()
                                                     : within.value;
    const bool is_below = decided < share - kRounding;
    (is_below ? below : from) = middle;
    (is_below ? below_counts : from_counts).swap(counts);
  }
  double least = longest_;
  for (std::size_t c = 0; c < copies_.size(); ++c) {
    if (below_counts[c] < copies_[c].size()) least = std::min(least, copies_[c][below_counts[c]]);
  }
  return least;
}

}  // namespace takt::vary

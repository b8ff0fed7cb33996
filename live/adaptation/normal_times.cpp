// Sums along rows are kept in order for each range of stages that was asked for.
#include "live/adaptation/normal_times.hpp"

#include <algorithm>
#include <cmath>

#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

// The exponent of a bet: near the best against times that are six times as long, by an exponential law.
constexpr double kExponent = 0.2;

// Fewer say too little for a bet.
constexpr std::size_t kLeastNormal = 5;

// Times count as equal within this part of them.
constexpr double kTolerance = 1e-9;

// Of those seen, in an estimate: the latest.
constexpr std::size_t kLatest = 24;

// Normal times in an estimate, about.
constexpr std::size_t kCompared = 100;

void insert_in_order(std::vector<double>& sorted, double value) {
  sorted.insert(std::ranges::upper_bound(sorted, value), value);
}

void erase_from(std::vector<double>& sorted, double value) {
  const auto found = std::ranges::lower_bound(sorted, value);
  if (found != sorted.end() && *found == value) sorted.erase(found);
}

}  // namespace

NormalTimes::NormalTimes(std::size_t stages, std::size_t most_rows) : stages_(stages), most_rows_(most_rows) {
  maxplus::expects(stages >= 1 && most_rows >= 1, "normal times have stages and rows");
}

std::optional<double> NormalTimes::sum_of(const Row& row, StageRange stages) {
  double sum = 0;
  for (std::size_t k = stages.first; k <= stages.last; ++k) {
    if (!row[k]) return std::nullopt;
    sum += *row[k];
  }
  return sum;
}

NormalTimes::Row& NormalTimes::row_of(std::int64_t key) {
  const auto [found, is_new] = rows_.try_emplace(key, stages_);
  if (is_new && rows_.size() > most_rows_) {
    const auto oldest = rows_.begin()->first == key ? std::next(rows_.begin()) : rows_.begin();
    for (auto& [stages, sorted] : sums_)
      if (const auto sum = sum_of(oldest->second, stages)) erase_from(sorted, *sum);
    rows_.erase(oldest);
  }
  return found->second;
}

void NormalTimes::set(std::int64_t key, std::size_t first_stage, std::span<const double> times) {
  maxplus::expects(first_stage + times.size() <= stages_, "times are of stages that there are");
  Row& row = row_of(key);
  for (auto& [stages, sorted] : sums_)
    if (const auto sum = sum_of(row, stages)) erase_from(sorted, *sum);
  for (std::size_t k = 0; k < times.size(); ++k) row[first_stage + k] = times[k];
  for (auto& [stages, sorted] : sums_)
    if (const auto sum = sum_of(row, stages)) insert_in_order(sorted, *sum);
}

void NormalTimes::add(std::uint64_t data_set, std::size_t first_stage, std::span<const double> times) {
  set(static_cast<std::int64_t>(data_set), first_stage, times);
}

void NormalTimes::add_earlier(std::span<const double> times) {
  maxplus::expects(times.size() == stages_, "an earlier data set has passed all stages");
  set(--earlier_, 0, times);
}

void NormalTimes::forget(StageRange stages) {
  maxplus::expects(stages.first <= stages.last && stages.last < stages_, "a range is of stages that there are");
  for (auto& [key, row] : rows_)
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(stages.first),
              row.begin() + static_cast<std::ptrdiff_t>(stages.last + 1), std::nullopt);
  std::erase_if(
      sums_, [&](const auto& known) { return known.first.first <= stages.last && stages.first <= known.first.last; });
}

const std::vector<double>& NormalTimes::sums(StageRange stages) const {
  maxplus::expects(stages.first <= stages.last && stages.last < stages_, "a range is of stages that there are");
  const auto [found, is_new] = sums_.try_emplace(stages);
  if (is_new) {
    for (const auto& [key, row] : rows_)
      if (const auto sum = sum_of(row, stages)) found->second.push_back(*sum);
    std::ranges::sort(found->second);
  }
  return found->second;
}

double NormalTimes::bet(StageRange stages, double time, ChangeEnd end, std::optional<std::uint64_t> without) const {
  const std::vector<double>& sorted = sums(stages);
  const double tolerance = kTolerance * time;
  const auto first_equal = std::ranges::lower_bound(sorted, time - tolerance);
  const auto after_equal = std::ranges::upper_bound(sorted, time + tolerance);
  auto shorter = first_equal - sorted.begin();
  auto equal = after_equal - first_equal;
  auto longer = sorted.end() - after_equal;
  const auto own = without ? rows_.find(static_cast<std::int64_t>(*without)) : rows_.end();
  if (own != rows_.end()) {
    if (const auto sum = sum_of(own->second, stages)) {
      --(*sum < time - tolerance ? shorter : *sum > time + tolerance ? longer : equal);
    }
  }
  const auto count = shorter + equal + longer;
  if (count < static_cast<std::ptrdiff_t>(kLeastNormal)) return 1;
  const auto beyond = end == ChangeEnd::slow ? longer : shorter;
  const auto places = static_cast<double>(count + 1);
  const double a = static_cast<double>(beyond) / places;
  const double c = static_cast<double>(beyond + equal + 1) / places;
  return (std::pow(c, kExponent) - std::pow(a, kExponent)) / (c - a);
}

std::optional<double> slowdown(const NormalTimes& normal, std::span<const SeenTime> seen) {
  if (seen.size() > kLatest) seen = seen.last(kLatest);
  std::vector<double> quotients;
  for (const SeenTime& one : seen) {
    const std::vector<double>& sorted = normal.sums(one.stages);
    const std::size_t step = std::max<std::size_t>(1, sorted.size() / kCompared);
    for (std::size_t k = 0; k < sorted.size(); k += step)
      if (sorted[k] > 0) quotients.push_back(one.time / sorted[k]);
  }
  if (quotients.empty()) return std::nullopt;
  const auto middle = quotients.begin() + static_cast<std::ptrdiff_t>(quotients.size() / 2);
  std::ranges::nth_element(quotients, middle);
  return *middle;
}

void ChangeStake::see(const NormalTimes& normal, const SeenTime& seen, std::optional<std::uint64_t> without) {
  if (value_ <= 1) renew();
  value_ *= normal.bet(seen.stages, seen.time, end_, without);
  since_.push_back(seen);
}

void ChangeStake::renew() {
  value_ = 1;
  since_.clear();
}

}  // namespace takt::live

// Ends of exit columns, data set by data set.
#include "live/measurement/latencies.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

std::vector<double> own_deliveries(const tpn::FoldedNet& net, const Trace& trace) {
  maxplus::expects(trace.size() % net.pipeline.columns.size() == 0, "a trace has all operations of its data sets");
  std::vector<double> deliveries;
  for (const Rational& end : ends_of_data_sets(net.pipeline, trace)) deliveries.push_back(end.to_double().value_or(0));
  return deliveries;
}

}  // namespace

std::vector<double> latencies_of(const tpn::FoldedNet& net, const Trace& trace, std::uint64_t first,
                                 const ArrivalTimes& arrives) {
  std::vector<double> latencies = own_deliveries(net, trace);
  for (std::uint64_t j = 0; j < latencies.size(); ++j) latencies[j] -= arrives(j);
  latencies.erase(latencies.begin(), latencies.begin() + static_cast<std::ptrdiff_t>(first));
  return latencies;
}

double growth_from(const tpn::FoldedNet& net, const Trace& trace, std::uint64_t first) {
  const std::vector<double> deliveries = own_deliveries(net, trace);
  const auto begin = deliveries.begin() + static_cast<std::ptrdiff_t>(first);
  const double before = first == 0 ? 0 : *std::max_element(deliveries.begin(), begin);
  const double last = *std::max_element(deliveries.begin(), deliveries.end());
  return (last - before) / static_cast<double>(deliveries.size() - first);
}

double mean_of(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double percentile_of(std::vector<double> numbers, double share) {
  constexpr double kRounding = 1e-12;
  const auto count = static_cast<double>(numbers.size());
  const auto needed = static_cast<std::size_t>(std::max(1.0, std::ceil(count * (share - kRounding))));
  const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(std::min(needed, numbers.size()) - 1);
  std::ranges::nth_element(numbers, at);
  return *at;
}

}  // namespace takt::live

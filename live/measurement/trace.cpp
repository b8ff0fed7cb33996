// Sorted, so that the two sides of a transfer stand side by side.
#include "live/measurement/trace.hpp"

#include <algorithm>
#include <tuple>

namespace takt::live {

std::vector<evaluators::Firing> trace_of(std::span<const std::vector<Record>> records, const Rational& ticks_per_unit,
                                         Ticks begin) {
  std::vector<Record> all;
  for (const std::vector<Record>& some : records) all.insert(all.end(), some.begin(), some.end());
  std::ranges::sort(all, {}, [](const Record& record) { return std::tuple(record.data_set, record.column); });
  std::vector<evaluators::Firing> trace;
  const auto time = [&](Ticks ticks) { return Rational(ticks - begin) / ticks_per_unit; };
  for (std::size_t i = 0; i < all.size();) {
    Ticks start = all[i].start;
    Ticks end = all[i].end;
    std::size_t next = i + 1;
    for (; next < all.size() && all[next].data_set == all[i].data_set && all[next].column == all[i].column; ++next) {
      start = std::max(start, all[next].start);
      end = std::max(end, all[next].end);
    }
    trace.push_back({{all[i].data_set, tpn::ColumnIndex(all[i].column)}, time(start), time(end)});
    i = next;
  }
  return trace;
}

}  // namespace takt::live

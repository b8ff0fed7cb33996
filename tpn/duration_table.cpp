// The choice between the two forms.
#include "tpn/duration_table.hpp"

#include <algorithm>
#include <utility>

namespace takt::tpn {

DurationTable::DurationTable(std::vector<Integer> values) {
  if (std::ranges::all_of(values, [](const Integer& value) { return value.fits_slong_p(); })) {
    narrow_.reserve(values.size());
    for (const Integer& value : values) narrow_.push_back(value.get_si());
  } else {
    wide_ = std::move(values);
  }
}

Integer DurationTable::shortest() const {
  maxplus::expects(size() > 0, "a table of durations has entries");
  if (wide_.empty()) return static_cast<long>(*std::min_element(narrow_.begin(), narrow_.end()));
  return *std::min_element(wide_.begin(), wide_.end());
}

Integer DurationTable::longest() const {
  maxplus::expects(size() > 0, "a table of durations has entries");
  if (wide_.empty()) return static_cast<long>(*std::max_element(narrow_.begin(), narrow_.end()));
  return *std::max_element(wide_.begin(), wide_.end());
}

bool DurationTable::has_none_above(const Rational& limit) const {
  const Integer most = limit.floor();
  if (!wide_.empty()) return std::ranges::none_of(wide_, [&](const Integer& value) { return value > most; });
  if (!most.fits_slong_p()) return sgn(most) > 0;
  return std::ranges::none_of(narrow_, [most = most.get_si()](std::int64_t value) { return value > most; });
}

}  // namespace takt::tpn

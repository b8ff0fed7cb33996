// The unit that a time is told in.
#pragma once

#include <string_view>

#include "tpn/document.hpp"

namespace takt::tpn {

/// What times of about one size are told in, on an axis or in a column: "ms", and how long that is in the document's
/// own time unit. Where a document has no units the name is empty and the length 1.
struct TimeScale {
  std::string_view name;
  Rational length;
};

/// The scale that suits times of this size, at least 0: of seconds the largest of s, ms, us and ns that is not longer
/// than the time.
TimeScale time_scale(const Rational& time, TimeUnit unit);

}  // namespace takt::tpn

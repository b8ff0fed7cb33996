// GMP's integers to numbers of 64 or 128 bits and back.
#pragma once

#include <cstdint>
#include <type_traits>

#include "maxplus/rational.hpp"

namespace takt::evaluators {

using maxplus::Int128;

/// The value must fit.
template <typename Number>
Number narrow(const maxplus::Integer& value) {
  if constexpr (std::is_same_v<Number, maxplus::Integer>) {
    return value;
  } else if constexpr (std::is_same_v<Number, std::int64_t>) {
    return value.get_si();
  } else {
    static_assert(std::is_same_v<Number, Int128>);
    const maxplus::Integer high = value >> 64;  // floor, so the low half is not negative
    const maxplus::Integer low = value - (high << 64);
    return static_cast<Int128>(high.get_si()) * (static_cast<Int128>(1) << 64) + static_cast<Int128>(low.get_ui());
  }
}

template <typename Number>
maxplus::Integer widen(const Number& value) {
  if constexpr (std::is_same_v<Number, maxplus::Integer>) {
    return value;
  } else if constexpr (std::is_same_v<Number, std::int64_t>) {
    return maxplus::Integer(static_cast<long>(value));
  } else {
    static_assert(std::is_same_v<Number, Int128>);
    return maxplus::integer_of(value);
  }
}

}  // namespace takt::evaluators

// Durations of a column in contiguous memory: 64 bits each where all fit, GMP's otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::tpn {

using maxplus::Integer;
using maxplus::Rational;

/// A list of integers that does not change. Which of the two forms it has depends on its values only.
class DurationTable {
 public:
  DurationTable() = default;
  explicit DurationTable(std::vector<std::int64_t> values) : narrow_(std::move(values)) {}
  explicit DurationTable(std::vector<Integer> values);

  std::size_t size() const { return wide_.empty() ? narrow_.size() : wide_.size(); }
  Integer operator[](std::size_t index) const {
    return wide_.empty() ? Integer(static_cast<long>(narrow_[index])) : wide_[index];
  }
  /// The smallest and the largest value; there must be one.
  Integer shortest() const;
  Integer longest() const;

  /// Whether no value is above the limit.
  bool has_none_above(const Rational& limit) const;

  /// All values, where each fits 64 bits.
  std::optional<std::span<const std::int64_t>> narrow() const {
    if (!wide_.empty()) return std::nullopt;
    return narrow_;
  }

 private:
  std::vector<std::int64_t> narrow_;
  std::vector<Integer> wide_;  // empty if narrow_ holds the values
};

}  // namespace takt::tpn

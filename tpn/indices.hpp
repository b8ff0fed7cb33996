// Indices of a net's parts and columns: to look things up by, not to compute with. Which part comes after which, and
// which columns are a part's, only the pipeline says.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>

namespace takt::tpn {

/// An index into one kind of list. It converts to a number, so it indexes vectors; there is no arithmetic with it.
template <typename Kind>
class ListIndex {
 public:
  constexpr ListIndex() = default;
  constexpr explicit ListIndex(std::size_t value) : value_(value) {}

  constexpr operator std::size_t() const { return value_; }  // NOLINT(google-explicit-constructor): an index
  constexpr std::size_t value() const { return value_; }

  friend constexpr auto operator<=>(const ListIndex&, const ListIndex&) = default;
  template <typename Other>
  requires(!std::same_as<Kind, Other>) friend bool operator==(ListIndex, ListIndex<Other>) = delete;

  ListIndex& operator++() = delete;
  ListIndex& operator--() = delete;
  template <typename Number>
  friend void operator+(ListIndex, Number) = delete;
  template <typename Number>
  friend void operator-(ListIndex, Number) = delete;
  template <typename Number>
  friend void operator*(ListIndex, Number) = delete;
  template <typename Number>
  friend void operator/(ListIndex, Number) = delete;
  template <typename Number>
  friend void operator%(ListIndex, Number) = delete;
  template <std::integral Number>
  friend void operator+(Number, ListIndex) = delete;
  template <std::integral Number>
  friend void operator-(Number, ListIndex) = delete;
  template <std::integral Number>
  friend void operator*(Number, ListIndex) = delete;

 private:
  std::size_t value_ = 0;
};

/// A part of a net: Pipeline::parts.
using PartIndex = ListIndex<struct PartKind>;
/// A column of a net: Pipeline::columns.
using ColumnIndex = ListIndex<struct ColumnKindOfIndex>;

/// All indices of a list of that size, in order.
template <typename Kind>
class IndexRange {
 public:
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = ListIndex<Kind>;

    Iterator() = default;
    explicit Iterator(std::size_t at) : at_(at) {}
    ListIndex<Kind> operator*() const { return ListIndex<Kind>(at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++at_;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    std::size_t at_ = 0;
  };

  explicit IndexRange(std::size_t size) : size_(size) {}
  Iterator begin() const { return Iterator(0); }
  Iterator end() const { return Iterator(size_); }

 private:
  std::size_t size_ = 0;
};

using PartRange = IndexRange<PartKind>;
using ColumnRange = IndexRange<ColumnKindOfIndex>;

}  // namespace takt::tpn

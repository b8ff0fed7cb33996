// The JSON tree of a certificate, and whether there is time for its numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "tpn/json.hpp"

namespace takt::evaluators {

/// Numbers were still to be read when the time was over.
struct ReadingStopped {};

/// The tree of a certificate, and whether there is time for its numbers.
struct CertificateText {
  const tpn::json::Tree& tree;
  const std::function<bool()>& is_out_of_time;

  /// As the functions of trees take it.
  operator const tpn::json::Tree&() const { return tree; }  // NOLINT(google-explicit-constructor)
};

/// A number; throws ReadingStopped if it is long and the time is over.
maxplus::Rational number_of(const CertificateText& tree, const tpn::json::Value& value, tpn::json::Bound bound);

/// A member that is a whole number of 64 bits; `expected` says what it is where it is longer.
std::uint64_t whole_of(const CertificateText& tree, const tpn::json::Value& object, std::string_view what,
                       std::string_view key, const char* expected);

/// What read(tree, item) makes of each item of an array.
template <typename Item, typename Read>
std::vector<Item> read_list(const CertificateText& tree, const tpn::json::Value& value, std::string_view what,
                            Read read) {
  std::vector<Item> items;
  for (const tpn::json::Value& item : tpn::json::as_array(tree, value, what)) items.push_back(read(tree, item));
  return items;
}

}  // namespace takt::evaluators

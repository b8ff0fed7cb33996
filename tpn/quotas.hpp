// What machines take of quotas.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tpn/document.hpp"

namespace takt::tpn {

/// The key of its limit in documents.
std::string_view key_of(Quota::Of of);

/// The types that it counts, by index.
std::vector<std::size_t> counted_types(const Quota& quota, const Platform& platform);

/// A quota as numbers: machines may take `most`, by type `uses` each. All are multiples of `unit`.
struct QuotaUses {
  Quota quota;                 // the document's
  std::vector<Rational> uses;  // by type, 0 of those that are not counted
  Rational most;               // the document's, rounded down to what machines can take
  Rational unit = 1;           // > 0

  Rational of(std::span<const std::uint64_t> machines) const;
  bool allows(std::span<const std::uint64_t> machines) const { return of(machines) <= most; }
};

/// Of a platform that is valid.
QuotaUses quota_uses(const Quota& quota, const Platform& platform);

}  // namespace takt::tpn

// What the checker of plans works out of a document by itself: how long everything takes by type, in ticks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/limits.hpp"

namespace takt::plan {

using maxplus::Integer;
using maxplus::Rational;

/// Bits of the common denominator of all times, and of all costs.
inline constexpr std::uint64_t kPlanDenominatorBits = 65'536;

/// Exact times per data set, in ticks of which `scale` make a time unit; nothing if a stage does not run on a type,
/// or there is no link. Ends that the platform lacks take no time.
struct CatalogueTimes {
  std::size_t stages = 0;
  std::size_t types = 0;
  Integer scale = 1;
  std::vector<std::optional<Integer>> computations;  // by stage * types + type; 0 on types with a fixed time
  std::vector<std::optional<Integer>> fixed;         // by type: of whatever a part computes on it
  std::vector<std::optional<Integer>> transfers;     // by (stage * types + from) * types + to: of the file behind it
  std::vector<std::optional<Integer>> from_source;   // by type
  std::vector<std::optional<Integer>> to_sink;       // by type

  /// Of the file before a part that begins with `first`, whose type is `type`, that of the part before `before`, which
  /// does not matter before the first stage.
  const std::optional<Integer>& reception(std::size_t first, std::size_t before, std::size_t type) const {
    return first == 0 ? from_source[type] : transfers[((first - 1) * types + before) * types + type];
  }
  /// Of the file behind a part; the type of the part behind does not matter behind the last stage.
  const std::optional<Integer>& sending(std::size_t last, std::size_t type, std::size_t next) const {
    return last + 1 == stages ? to_sink[type] : transfers[(last * types + type) * types + next];
  }
};

/// A denominator that both numbers have; nothing beyond kPlanDenominatorBits.
std::optional<Integer> common_denominator(const Integer& denominator, const Rational& number);

/// The times of a document with types, and ticks of which the period is a whole number; TooLarge where those would be
/// too short. Throws tpn::InvalidInstance if the size of a file is absent that a link needs. Cost: n T^2.
std::variant<CatalogueTimes, tpn::TooLarge> catalogue_times(const tpn::Document& document, const Rational& period);

}  // namespace takt::plan

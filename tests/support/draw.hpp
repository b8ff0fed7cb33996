// Seeded draws for tests.
#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstddef>
#include <cstdint>

namespace takt::support {

/// Same seed, same numbers, on every machine.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  /// In [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return boost::random::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  /// Below `count`.
  std::size_t index(std::size_t count) {
    return boost::random::uniform_int_distribution<std::size_t>(0, count - 1)(engine_);
  }

 private:
  boost::random::mt19937_64 engine_;
};

}  // namespace takt::support

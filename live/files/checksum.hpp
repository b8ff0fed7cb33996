// The checksum of journals.
#pragma once

#include <cstdint>
#include <string_view>

namespace takt::live {

/// CRC-64/XZ, the 64-bit checksum of the .xz format, of bytes that may come in pieces. It finds every burst of errors
/// of at most 64 bits.
class Checksum {
 public:
  void add(std::string_view bytes);
  std::uint64_t value() const { return ~state_; }

 private:
  std::uint64_t state_ = ~std::uint64_t{0};
};

}  // namespace takt::live

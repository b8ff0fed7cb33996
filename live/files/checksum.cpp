// Eight bytes at a time, by eight tables: entry b of table k is what byte b does, k bytes before the end.
#include "live/files/checksum.hpp"

#include <array>
#include <cstddef>

namespace takt::live {

namespace {

constexpr std::uint64_t kPolynomial = 0xC96C5795D7870F42;  // of ECMA-182, lowest bit first
constexpr std::size_t kTables = 8;
using Tables = std::array<std::array<std::uint64_t, 256>, kTables>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::size_t b = 0; b < tables[0].size(); ++b) {
    std::uint64_t rest = b;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    tables[0][b] = rest;
  }
  for (std::size_t k = 1; k < kTables; ++k) {
    for (std::size_t b = 0; b < tables[0].size(); ++b) {
      const std::uint64_t before = tables[k - 1][b];
      tables[k][b] = tables[0][before & 0xFF] ^ (before >> 8);
    }
  }
  return tables;
}

constexpr Tables kTable = make_tables();

std::uint64_t byte_of(std::string_view bytes, std::size_t index) { return static_cast<unsigned char>(bytes[index]); }

}  // namespace

void Checksum::add(std::string_view bytes) {
  while (bytes.size() >= kTables) {
    std::uint64_t next = 0;
    for (std::size_t k = 0; k < kTables; ++k) {
      const std::uint64_t byte = byte_of(bytes, k) ^ ((state_ >> (8 * k)) & 0xFF);
      next ^= kTable[kTables - 1 - k][byte];
    }
    state_ = next;
    bytes.remove_prefix(kTables);
  }
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    state_ = kTable[0][(state_ ^ byte_of(bytes, k)) & 0xFF] ^ (state_ >> 8);
  }
}

}  // namespace takt::live

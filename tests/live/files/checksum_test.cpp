// The checksum is that of the .xz format, in whatever pieces the bytes come.
#include "live/files/checksum.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace takt::live {

TEST_CASE("the checksum is CRC-64/XZ") {
  const auto of = [](std::string_view bytes) {
    Checksum sum;
    sum.add(bytes);
    return sum.value();
  };
  CHECK(of("") == 0);
  CHECK(of("123456789") == 0x995DC9BBDF1939FA);  // the check value of its catalogues
  // A bit at a time, as the polynomial says it.
  const auto plainly = [](std::string_view bytes) {
    std::uint64_t state = ~std::uint64_t{0};
    for (const char byte : bytes) {
      state ^= static_cast<unsigned char>(byte);
      for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ ((state & 1) != 0 ? 0xC96C5795D7870F42 : 0);
    }
    return ~state;
  };
  std::string bytes;
  for (int k = 0; k < 100; ++k) {
    CHECK(of(bytes) == plainly(bytes));
    bytes += static_cast<char>(k * 37 + 200);
  }
}

TEST_CASE("a checksum does not depend on the pieces that the bytes come in") {
  std::string bytes;
  for (int k = 0; k < 40; ++k) bytes += static_cast<char>(k * 59);
  Checksum whole;
  whole.add(bytes);
  for (std::size_t first = 0; first <= bytes.size(); ++first) {
    for (std::size_t second = first; second <= bytes.size(); ++second) {
      Checksum sum;
      sum.add(bytes.substr(0, first));
      sum.add(bytes.substr(first, second - first));
      sum.add(bytes.substr(second));
      REQUIRE(sum.value() == whole.value());
    }
  }
}

}  // namespace takt::live

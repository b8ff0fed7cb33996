// What goes wrong in a pipeline is seen in its results.
#include "live/files/mix_kernel.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

std::string result_of(std::uint64_t data_set, const std::vector<std::size_t>& stages, std::size_t bytes) {
  MixKernel kernel(bytes);
  Packet packet{data_set, {}};
  for (const std::size_t stage : stages) kernel.run({stage, {}}, packet);
  return packet.bytes;
}

}  // namespace

TEST_CASE("stages in order make the expected result, of every size") {
  for (std::size_t bytes = 16; bytes <= 40; ++bytes) {
    const std::string result = result_of(7, {0, 1, 2, 3}, bytes);
    CHECK(result.size() == bytes);
    CHECK(result == expected_result(7, 4, bytes));
  }
}

TEST_CASE("a stage left out, done twice or out of order, and another data set, are seen in every word") {
  constexpr std::size_t kBytes = 64;
  const std::string right = expected_result(5, 4, kBytes);
  const std::vector<std::string> wrong = {
      result_of(5, {0, 1, 2}, kBytes),       result_of(5, {0, 1, 3}, kBytes),       result_of(5, {0, 2, 3}, kBytes),
      result_of(5, {0, 1, 2, 2, 3}, kBytes), result_of(5, {0, 2, 1, 3}, kBytes),    result_of(5, {0, 1, 3, 2}, kBytes),
      result_of(5, {0, 1, 2, 3, 3}, kBytes), result_of(5, {0, 1, 2, 3, 4}, kBytes), result_of(6, {0, 1, 2, 3}, kBytes)};
  for (const std::string& other : wrong) {
    for (std::size_t word = 0; word < kBytes; word += 8) CHECK(other.substr(word, 8) != right.substr(word, 8));
  }
  CHECK(std::set<std::string>(wrong.begin(), wrong.end()).size() == wrong.size());
}

TEST_CASE("stages are one-to-one: what differs before them differs behind them") {
  MixKernel kernel(16);
  std::set<std::string> results;
  for (std::size_t bit = 0; bit < 128; ++bit) {
    Packet packet{0, std::string(16, 'x')};
    packet.bytes[bit / 8] = static_cast<char>(packet.bytes[bit / 8] ^ (1 << bit % 8));
    kernel.run({3, {}}, packet);
    results.insert(packet.bytes);
  }
  CHECK(results.size() == 128);
}

TEST_CASE("a packet of another size is no packet of this run") {
  MixKernel kernel(24);
  Packet packet{9, "short"};
  CHECK_THROWS_WITH(kernel.run({2, {}}, packet), "stage 2, data set 9: found a packet of 5 bytes, expected 24");
  CHECK_THROWS_AS(MixKernel(15), maxplus::ContractViolation);
}

}  // namespace takt::live

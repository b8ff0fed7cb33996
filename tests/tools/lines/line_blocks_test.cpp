// Texts of any shape cut into their lines, whatever pieces they come in.
#include "tools/files/line_blocks.hpp"

#include <catch2/catch.hpp>
#include <istream>
#include <sstream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "tests/tools/program.hpp"

namespace takt::testing {
namespace {

using Numbered = std::vector<std::pair<std::size_t, std::string>>;

Numbered lines_of_blocks(std::istream& in) {
  std::ostringstream nowhere;
  tools::Streams streams{in, nowhere, nowhere};
  tools::ByteSource source("-", streams);
  tools::LineBlocks blocks(source);
  Numbered found;
  while (true) {
    const auto& lines = blocks.next();
    if (lines.empty()) return found;
    for (const auto& line : lines) found.emplace_back(line.number, line.text);
  }
}

Numbered lines_of_text(const std::string& text) {
  std::istringstream in(text);
  return lines_of_blocks(in);
}

TEST_CASE("lines have their numbers, blank ones counted and left out") {
  REQUIRE(lines_of_text("").empty());
  REQUIRE(lines_of_text("\n \t\r\n\n").empty());
  REQUIRE(lines_of_text("a\n\nb\r\n  \n c") == Numbered{{1, "a"}, {3, "b\r"}, {5, " c"}});
  REQUIRE(lines_of_text("\nlast\n") == Numbered{{2, "last"}});
}

TEST_CASE("blocks end anywhere, and a line may be longer than some of them") {
  constexpr std::size_t kBlock = tools::LineBlocks::kBlock;
  for (const std::size_t length : {kBlock - 2, kBlock - 1, kBlock, kBlock + 1, 3 * kBlock + 7}) {
    Numbered expected;
    std::string text;
    for (std::size_t k = 1; k <= 4; ++k) {
      expected.emplace_back(k, std::string(k == 2 ? length : k * 1000, static_cast<char>('a' + k)));
      text += expected.back().second + (k < 4 ? "\n" : "");
    }
    REQUIRE(lines_of_text(text) == expected);
    REQUIRE(lines_of_text(text + "\n") == expected);
  }
}

TEST_CASE("of many short lines no more than a block is in memory at a time") {
  std::string text;
  for (int k = 0; k < 700'000; ++k) text += "12345\n";
  std::istringstream in(text);
  std::ostringstream nowhere;
  tools::Streams streams{in, nowhere, nowhere};
  tools::ByteSource source("-", streams);
  tools::LineBlocks blocks(source);
  std::size_t count = 0;
  while (true) {
    const auto& lines = blocks.next();
    if (lines.empty()) break;
    REQUIRE(lines.size() <= tools::LineBlocks::kBlock / 6 + 1);
    count += lines.size();
  }
  REQUIRE(count == 700'000);
}

}  // namespace
}  // namespace takt::testing

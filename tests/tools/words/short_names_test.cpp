// Names cut to their room: what differs stays apart, and nothing is cut that has room.
#include "tools/words/short_names.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace takt::tools {
namespace {

// Of names without characters of several bytes but the ellipsis, which counts as one.
std::size_t length_of(const std::string& text) {
  return text.find("…") == std::string::npos ? text.size() : text.size() - 2;
}

std::vector<std::string> cut_to(const std::vector<std::string>& names, std::size_t most) {
  return short_names(names, [&](std::size_t, const std::string& text) { return length_of(text) <= most; });
}

using Names = std::vector<std::string>;

TEST_CASE("names are cut at their ends, unless that makes two alike that differ") {
  CHECK(cut_to({"ingest", "origin"}, 6) == Names{"ingest", "origin"});
  CHECK(cut_to({"ingest", "storage-server"}, 8) == Names{"ingest", "storage…"});
  CHECK(cut_to({"encoder-old", "encoder-new"}, 8) == Names{"enco…old", "enco…new"});
  CHECK(cut_to({"encoder-1-of-a-rack-long", "encoder-2-of-a-rack-long"}, 24) ==
        Names{"encoder-1-of-a-rack-long", "encoder-2-of-a-rack-long"});
  // Their ends are alike, and their beginnings: no cut of three tells them apart, and one stands.
  CHECK(cut_to({"aaaa1bbbb", "aaaa2bbbb"}, 5) == Names{"aaaa…", "aaaa…"});
  // The same name twice is no confusion.
  CHECK(cut_to({"encoder-old", "encoder-old"}, 8) == Names{"encoder…", "encoder…"});
  CHECK(cut_to({"aaaaaaaaaa-12345678", "aaaaaaaaaa-22345678"}, 9) == Names{"…12345678", "…22345678"});
}

TEST_CASE("characters are cut whole, and very long names at once") {
  const Names two =
      short_names({"日本語-1", "日本語-2"}, [](std::size_t, const std::string& text) { return text.size() <= 8; });
  CHECK(two == Names{"日…1", "日…2"});
  const Names cut = cut_to({std::string(5'000'000, 'x') + "1", std::string(5'000'000, 'x') + "2"}, 20);
  CHECK(cut[0] == std::string(10, 'x') + "…" + std::string(8, 'x') + "1");
  CHECK(cut[0] != cut[1]);
}

TEST_CASE("names that differ in their first or last characters stay apart in any room for these") {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const std::string middle(1 + random() % 40, 'm');
    const bool at_front = random() % 2 == 0;
    const std::size_t most = 8 + random() % 10;
    std::set<std::string> different;
    while (different.size() < 5) {
      const std::string number = std::to_string(100 + random() % 900);
      different.insert(at_front ? number + middle : middle + number);
    }
    const Names names(different.begin(), different.end());
    const Names cut = cut_to(names, most);
    CAPTURE(names.front(), most);
    CHECK(std::set(cut.begin(), cut.end()).size() == names.size());
    for (std::size_t k = 0; k < names.size(); ++k) {
      CHECK(length_of(cut[k]) <= most);
      if (names[k].size() <= most) CHECK(cut[k] == names[k]);
    }
  }
}

}  // namespace
}  // namespace takt::tools

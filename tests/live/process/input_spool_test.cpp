// Lines come out of a spool as they went in, however they were cut, also for those who begin again.
#include "live/process/input_spool.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace takt::live {

namespace {

using Catch::Contains;
using testing::TemporaryFolder;

std::vector<std::string> rest_of(SpoolReader& reader) {
  std::vector<std::string> lines;
  while (auto line = reader.next()) lines.push_back(*line);
  return lines;
}

}  // namespace

TEST_CASE("a line comes out once it is whole, and the end when it is said") {
  const TemporaryFolder folder;
  SpoolWriter writer(folder.path("spool"), 0);
  SpoolReader reader(folder.path("spool"), 0);
  CHECK_FALSE(reader.next());
  writer.append("one\ntw");
  CHECK(rest_of(reader) == std::vector<std::string>{"one"});
  CHECK(writer.waiting() == 6);
  reader.deliver(1);
  CHECK(writer.waiting() == 2);
  CHECK_FALSE(reader.is_over());
  writer.append("o\n\nlast");
  CHECK(rest_of(reader) == std::vector<std::string>{"two", ""});
  writer.end();
  CHECK_FALSE(reader.is_over());
  CHECK(rest_of(reader) == std::vector<std::string>{"last"});
  CHECK(reader.is_over());
}

TEST_CASE("who begins again gets what is not delivered, and no torn line") {
  const TemporaryFolder folder;
  const std::string path = folder.path("spool");
  {
    SpoolWriter writer(path, 10);
    writer.append("a\nb\nc\nd");
    SpoolReader reader(path, 10);
    CHECK(rest_of(reader) == std::vector<std::string>{"a", "b", "c"});
    reader.deliver(11);
  }
  {
    // The journal may be ahead of what the spool was told, not behind.
    SpoolReader ahead(path, 12);
    CHECK(rest_of(ahead) == std::vector<std::string>{"c"});
  }
  CHECK_THROWS_WITH(SpoolReader(path, 11),
                    Contains("it begins with data set 12, but the journal continues with data set 11"));
  CHECK_THROWS_WITH(SpoolReader(path, 14), Contains("it ends with data set 13, before the journal"));
  SpoolWriter writer(path, 12);
  CHECK(writer.cut_off() == 1);
  writer.append("D\n");
  SpoolReader reader(path, 12);
  CHECK(rest_of(reader) == std::vector<std::string>{"c", "D"});
  for (const std::size_t size : {3, 40}) {
    const std::string other = folder.write("other", std::string(size, 'x'));
    CHECK_THROWS_WITH(SpoolWriter(other, 0), Contains("it is no spool of takt run"));
    CHECK(testing::text_of(other) == std::string(size, 'x'));
  }
}

TEST_CASE("many lines of all lengths, read while they are written and given back when they are delivered") {
  const TemporaryFolder folder;
  const std::string path = folder.path("spool");
  SpoolWriter writer(path, 0);
  std::optional<SpoolReader> reader(std::in_place, path, 0);
  std::mt19937 random(5);
  std::vector<std::string> lines;
  std::string text;
  std::uint64_t wanted = 0;
  for (int round = 0; round < 600; ++round) {
    for (auto k = random() % 5; k > 0; --k) {
      lines.emplace_back(random() % 20000, static_cast<char>('a' + lines.size() % 26));
      text += lines.back() + '\n';
    }
    const std::size_t cut = random() % (text.size() + 1);
    writer.append(text.substr(0, cut));
    text.erase(0, cut);
    while (const auto line = reader->next()) REQUIRE(*line == lines[wanted++]);
    const std::uint64_t delivered = wanted > 8 ? wanted - 8 : 0;
    if (round % 7 == 0) reader->deliver(delivered);
    if (round % 50 == 49) {
      reader.emplace(path, delivered);
      wanted = delivered;
    }
  }
  writer.append(text);
  writer.end();
  while (const auto line = reader->next()) REQUIRE(*line == lines[wanted++]);
  CHECK(reader->is_over());
  CHECK(wanted == lines.size());
}

}  // namespace takt::live

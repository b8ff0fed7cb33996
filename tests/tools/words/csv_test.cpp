// Rows of RFC 4180, and what is none.
#include "tools/words/csv.hpp"
#include "tests/support/draw.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "tpn/visible.hpp"

namespace takt::testing {
namespace {

using tools::CsvTable;
using Fields = std::vector<std::string>;

std::vector<Fields> fields_of(const std::string& text) {
  std::vector<Fields> all;
  const CsvTable table = tools::read_csv(text);
  REQUIRE(table.faults.empty());
  for (const tools::CsvRow& row : table.rows) all.push_back(row.fields);
  return all;
}

TEST_CASE("fields stand between commas, in quotes or not, lines end in three ways") {
  CHECK(fields_of("a,b,c\n1,,3\n") == std::vector<Fields>{{"a", "b", "c"}, {"1", "", "3"}});
  CHECK(fields_of("\xEF\xBB\xBF"
                  "a\r\nb\rc\nd") == std::vector<Fields>{{"a"}, {"b"}, {"c"}, {"d"}});
  CHECK(fields_of(" a b ,\t\"c, \"\"d\"\"\"  \n") == std::vector<Fields>{{"a b", "c, \"d\""}});
  CHECK(fields_of("\"\",x\n\"\"\"\"\n") == std::vector<Fields>{{"", "x"}, {"\""}});
  CHECK(fields_of("\n  \n,,\n\"\"\n\r\n").empty());
  CHECK(fields_of("a,\n,b") == std::vector<Fields>{{"a", ""}, {"", "b"}});
  CHECK(fields_of("").empty());
}

TEST_CASE("a row has the line where it begins, line breaks within quotes counted") {
  const CsvTable table = tools::read_csv("a\n\n\"b\r\nc\nd\re\",f\ng\r\n\"h\"");
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[1].fields == Fields{"b\r\nc\nd\re", "f"});
  CHECK(table.rows[1].line == 3);
  CHECK(table.rows[2].line == 7);
  CHECK(table.rows[3].line == 8);
}

TEST_CASE("a row that cannot be split is a fault, and those behind it are read") {
  const CsvTable table = tools::read_csv("a\"b,c\nok,1\n\"x\"y,2\n\n\"open,3\n4\n");
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].fields == Fields{"ok", "1"});
  REQUIRE(table.faults.size() == 3);
  CHECK(table.faults[0].line == 1);
  CHECK(table.faults[0].message ==
        R"(found a quote within "a\"b", expected quotes around the whole field, and "" for one within)");
  CHECK(table.faults[1].line == 3);
  CHECK(table.faults[1].message ==
        R"(found text behind the quoted field "x", expected a comma or the end of the line)");
  CHECK(table.faults[2].line == 5);
  CHECK(table.faults[2].message == "found a quote that opens a field, expected one that closes it");
}

TEST_CASE("a field that is written holds nothing that acts on a terminal, and is read as what it stands for") {
  for (const std::string name :
       {"plain", "a, \"b\"", "\x1b[2Jx", "two\r\nlines", "\xc2\x9b31m", "\xff", " a ", "\\u001b"}) {
    const std::string written = tools::csv_field(name);
    CHECK(tpn::visible(written) == written);
    const auto read = fields_of("x," + written);
    REQUIRE(read.size() == 1);
    CHECK(tools::stands_for(read[0][1], name));
    CHECK(tools::stands_for(name, name));
  }
  CHECK_FALSE(tools::stands_for("a", "b"));
}

TEST_CASE("any fields, in quotes, are read back as they are") {
  support::Draw random(7);
  const auto below = [&](int n) { return random.whole(0, n - 1); };
  const std::string letters = "ab ,\"\n\r\t;\xC3\xA4";
  for (int round = 0; round < 500; ++round) {
    std::vector<Fields> rows(1 + static_cast<std::size_t>(below(4)));
    std::string text;
    for (Fields& row : rows) {
      for (int fields = 1 + below(4); fields > 0; --fields) {
        std::string& field = row.emplace_back("x");
        for (int length = below(6); length > 0; --length) field += letters[static_cast<std::size_t>(below(11))];
        text += row.size() > 1 ? ",\"" : "\"";
        for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
        text += '"';
      }
      text += below(2) == 0 ? "\n" : "\r\n";
    }
    CAPTURE(text);
    REQUIRE(fields_of(text) == rows);
  }
}

}  // namespace
}  // namespace takt::testing

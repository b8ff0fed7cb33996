// Tables as wide as what a terminal shows of their cells.
#include "tools/words/table.hpp"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace takt::tools {
namespace {

TEST_CASE("cells are aligned by what is shown of them, escapes included") {
  const Table table{{{"name"}, {"n", Align::right}}, {{"a\u009b", "1"}, {"\u202e\n", "22"}, {"東", "\xff"}}};
  std::ostringstream out;
  table.write(out);
  CHECK(out.str() ==
        "  name             n\n"
        "  a\\u009b          1\n"
        "  \\u202e\\u000a    22\n"
        "  東            \\xff\n");
}

TEST_CASE("rows from a source make the table that they make when they are kept") {
  const Table table{{{"", Align::right}, {"left out"}, {"b"}}, {{"1", "", "x"}, {"22", "", "yy"}}};
  std::ostringstream kept;
  table.write(kept);
  std::ostringstream asked;
  write_table(asked, table.columns, [&](const RowVisitor& visit) {
    for (const auto& row : table.rows) visit(row);
  });
  CHECK(asked.str() == kept.str());
  CHECK(asked.str() == "      b\n   1  x\n  22  yy\n");
}

}  // namespace
}  // namespace takt::tools

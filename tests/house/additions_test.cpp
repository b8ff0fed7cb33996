// docs/adding.md shows what tests/adding/ compiles, its diffs fit, and each of these checks can fail.
#include "tests/house/additions.hpp"

#include <catch2/catch.hpp>

#include "tests/house/document_rules.hpp"

namespace takt::house {

namespace {

using Lines = std::vector<std::string>;

const std::string kTable = "// A table.\n#define ROWS(ROW) \\\n  ROW(one) \\\n  ROW(two)\n";

Lines violations_of(const std::string& markdown, const std::string& addition = "// Three.\nint three;\n") {
  return addition_violations({{"docs/adding.md", markdown},
                              {"tpn/table.cpp", kTable},
                              {"tests/adding/three.cpp", addition},
                              {"tests/adding/three_test.cpp", "// A test.\n"}});
}

const std::string kBlock = "One file:\n```cpp tests/adding/three.cpp\n// Three.\nint three;\n```\n";

}  // namespace

TEST_CASE("the additions of docs/adding.md are those that are compiled, and their diffs fit") {
  std::vector<SourceFile> files = read_sources(TAKT_SOURCE_DIR);
  for (SourceFile& file : read_documents(TAKT_SOURCE_DIR)) files.push_back(std::move(file));
  CHECK(addition_violations(files) == Lines{});
}

TEST_CASE("a block that is not its file, or names none, is found") {
  CHECK(violations_of(kBlock) == Lines{});
  CHECK(violations_of(kBlock + "```cpp\nint any;\n```\n") == Lines{});
  CHECK(violations_of(kBlock, "// Three.\nint drei;\n") ==
        Lines{"docs/adding.md:2: the block is not tests/adding/three.cpp"});
  CHECK(violations_of(kBlock + "```cpp tpn/none.cpp\n```\n") == Lines{"docs/adding.md:6: no file tpn/none.cpp"});
  CHECK(violations_of("Nothing.\n") == Lines{"tests/adding/three.cpp:1: no block of docs/adding.md shows it"});
}

TEST_CASE("a diff that does not fit its file, or adds nothing, is found") {
  const std::string start = kBlock + "```diff tpn/table.cpp\n";
  CHECK(violations_of(start + "   ROW(one) \\\n+  ROW(three) \\\n   ROW(two)\n```\n") == Lines{});
  CHECK(violations_of(start + "   ROW(one) \\\n+  ROW(three) \\\n   ROW(four)\n```\n") ==
        Lines{"docs/adding.md:6: the diff does not fit tpn/table.cpp"});
  CHECK(violations_of(start + "   ROW(one) \\\n   ROW(two)\n```\n") ==
        Lines{"docs/adding.md:6: the diff adds nothing"});
}

TEST_CASE("a diff is applied where its lines stand, once and whole") {
  CHECK(apply_diff(kTable, "-  ROW(two)\n+  ROW(three) \\\n+  ROW(two)\n") ==
        "// A table.\n#define ROWS(ROW) \\\n  ROW(one) \\\n  ROW(three) \\\n  ROW(two)\n");
  CHECK(apply_diff("a\nb\na\n", " b\n+c\n@@\n-a\n b\n") == "b\nc\na\n");
  CHECK_FALSE(apply_diff("a\nb\na\n", " a\n+c\n"));
  CHECK_FALSE(apply_diff("ba\n", " a\n+c\n"));
  CHECK_FALSE(apply_diff("a\n", "+c\n"));
  CHECK_FALSE(apply_diff("a\n", "a\n+c\n"));
  CHECK_FALSE(apply_diffs(kBlock, "tpn/table.cpp", kTable));
}

}  // namespace takt::house

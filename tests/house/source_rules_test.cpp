// The rules of the source tree hold for this repository, and each of them can fail.
#include "tests/house/source_rules.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

namespace takt::house {

namespace {

const std::string kReadme = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

/// A tree that keeps every rule.
std::vector<SourceFile> good_tree() {
  return {{"maxplus/README.md", kReadme},
          {"tpn/README.md", kReadme},
          {"evaluators/README.md", kReadme},
          {"heuristics/README.md", kReadme},
          {"tools/README.md", kReadme},
          {"tests/README.md", kReadme},
          {"maxplus/contract.hpp", "// Contracts.\n"},
          {"maxplus/rational.hpp", "// Numbers.\n#include \"maxplus/contract.hpp\"\n"},
          {"maxplus/howard.hpp", "// A solver.\n#include \"maxplus/rational.hpp\"\n"},
          {"tpn/document.hpp", "// Documents.\n#include <vector>\n#include \"maxplus/rational.hpp\"\n"},
          {"evaluators/proof/README.md", "1\n2\n3\n"},
          {"evaluators/proof/certificate.hpp", "// Certificates.\n#include \"tpn/document.hpp\"\n"},
          {"evaluators/proof/check.hpp", "// The checker.\n#include \"evaluators/proof/certificate.hpp\"\n"},
          {"evaluators/unfold.hpp", "// An evaluator.\n#include \"maxplus/howard.hpp\"\n"},
          {"evaluators/kernel/README.md", "1\n2\n3\n"},
          {"evaluators/kernel/numbers.hpp", "// Numbers.\n#include \"maxplus/rational.hpp\"\n"},
          {"evaluators/sweep/README.md", "1\n2\n3\n"},
          {"evaluators/sweep/sweep.hpp",
           "// An evaluator.\n#include \"evaluators/kernel/numbers.hpp\"\n#include \"evaluators/unfold.hpp\"\n"},
          {"evaluators/columns/README.md", "1\n2\n3\n"},
          {"evaluators/columns/pattern.hpp", "// An evaluator.\n#include \"evaluators/sweep/sweep.hpp\"\n"},
          {"plan/README.md", kReadme},
          {"plan/proof/README.md", "1\n2\n3\n"},
          {"plan/proof/check_plan.hpp", "// The checker.\n#include \"tpn/document.hpp\"\n"},
          {"plan/program.hpp", "// A search.\n#include \"evaluators/unfold.hpp\"\n"},
          {"plan/certify.cpp", "// Proofs.\n#include \"plan/proof/check_plan.hpp\"\n"},
          {"heuristics/random.hpp", "// A heuristic.\n#include \"evaluators/unfold.hpp\"\n"},
          {"tools/drawing/README.md", "1\n2\n3\n"},
          {"tools/drawing/graphviz.cpp", "// Pictures.\n#include <graphviz/gvc.h>\n#include <fstream>\n"},
          {"tests/a_test.cpp", "// A test.\n#include \"tools/drawing/graphviz.cpp\"\n#include <iostream>\n"}};
}

/// The breaches of the good tree with one more file, or another text for one of its files.
std::vector<std::string> violations_with(const std::string& path, const std::string& text) {
  std::vector<SourceFile> files = good_tree();
  const auto at = std::find_if(files.begin(), files.end(), [&](const SourceFile& file) { return file.path == path; });
  if (at == files.end()) {
    files.push_back({path, text});
  } else {
    at->text = text;
  }
  return violations(files);
}

std::vector<std::string> violations_with_include(const std::string& path, const std::string& include) {
  return violations_with(path, "// A file.\n#include " + include + "\n");
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("the sources of this repository keep the rules of the tree") {
  const std::vector<SourceFile> files = read_sources(TAKT_SOURCE_DIR);
  REQUIRE(std::any_of(files.begin(), files.end(),
                      [](const SourceFile& file) { return file.path == "maxplus/rational.hpp"; }));
  for (const std::string& line : violations(files)) FAIL_CHECK(line);
}

TEST_CASE("a tree that keeps the rules has no breach") { CHECK(violations(good_tree()) == Lines{}); }

TEST_CASE("an include against the direction of the folders is found") {
  CHECK(violations_with_include("maxplus/bad.hpp", "\"tpn/document.hpp\"") ==
        Lines{"maxplus/bad.hpp:2: maxplus must not include from tpn"});
  CHECK(violations_with_include("tpn/bad.cpp", "\"maxplus/howard.hpp\"") ==
        Lines{"tpn/bad.cpp:2: tpn takes the exact numbers and deadlines of maxplus and nothing else, not "
              "maxplus/howard.hpp"});
  CHECK(violations_with_include("tpn/bad.cpp", "\"evaluators/unfold.hpp\"") ==
        Lines{"tpn/bad.cpp:2: tpn must not include from evaluators"});
  CHECK(violations_with_include("evaluators/bad.cpp", "\"heuristics/random.hpp\"") ==
        Lines{"evaluators/bad.cpp:2: evaluators must not include from heuristics"});
  CHECK(violations_with_include("heuristics/bad.cpp", "\"tools/drawing/graphviz.cpp\"") ==
        Lines{"heuristics/bad.cpp:2: heuristics must not include from tools"});
  CHECK(violations_with_include("tools/bad.cpp", "\"tests/a_test.cpp\"") ==
        Lines{"tools/bad.cpp:2: only tests and benchmarks include from tests"});
}

TEST_CASE("an include between folders of one folder that do not see each other is found") {
  CHECK(violations_with_include("evaluators/columns/good.cpp", "\"evaluators/sweep/sweep.hpp\"") == Lines{});
  CHECK(violations_with_include("evaluators/good.cpp", "\"evaluators/sweep/sweep.hpp\"") == Lines{});
  CHECK(violations_with_include("evaluators/sweep/bad.cpp", "\"evaluators/columns/pattern.hpp\"") ==
        Lines{"evaluators/sweep/bad.cpp:2: evaluators/sweep must not include from evaluators/columns"});
  CHECK(violations_with_include("evaluators/kernel/bad.cpp", "\"evaluators/unfold.hpp\"") ==
        Lines{"evaluators/kernel/bad.cpp:2: evaluators/kernel must not include from evaluators"});
  CHECK(violations_with_include("evaluators/proof/bad.cpp", "\"evaluators/kernel/numbers.hpp\"") ==
        Lines{"evaluators/proof/bad.cpp:2: evaluators/proof must not include from evaluators/kernel"});
  CHECK(violations_with_include("evaluators/cellar/bad.cpp", "\"evaluators/unfold.hpp\"") ==
        Lines{"evaluators/cellar/bad.cpp:2: no rule says what evaluators/cellar may include",
              "evaluators/cellar/README.md:1: missing: each code folder has a README.md"});
}

TEST_CASE("an include is found whatever its spacing") {
  CHECK(violations_with_include("maxplus/bad.hpp", "\t\"tpn/document.hpp\"  // why") ==
        Lines{"maxplus/bad.hpp:2: maxplus must not include from tpn"});
  CHECK(violations_with("maxplus/bad.hpp", "// A file.\n\n  #  include\"tpn/document.hpp\"\n") ==
        Lines{"maxplus/bad.hpp:3: maxplus must not include from tpn"});
}

TEST_CASE("the certificate checker sees no solver and no evaluator, directly or through a header") {
  CHECK(violations_with_include("evaluators/proof/check_parts.cpp", "\"maxplus/howard.hpp\"") ==
        Lines{"evaluators/proof/check_parts.cpp:2: the certificate checker shares no code with what it checks, not "
              "maxplus/howard.hpp"});
  CHECK(violations_with_include("evaluators/proof/check_clocks.cpp", "\"evaluators/unfold.hpp\"").size() == 2);
  CHECK(violations_with_include("evaluators/proof/certificate.hpp", "\"maxplus/howard.hpp\"") ==
        Lines{"evaluators/proof/certificate.hpp:2: the certificate checker evaluators/proof/check.hpp must not see "
              "maxplus/howard.hpp"});
}

TEST_CASE("the checker of plans sees neither the planner nor an evaluator") {
  const std::string shares_none =
      "plan/proof/a.cpp:2: the certificate checker shares no code with what it checks, not ";
  CHECK(violations_with_include("plan/proof/a.cpp", "\"plan/program.hpp\"") ==
        Lines{shares_none + "plan/program.hpp",
              "plan/program.hpp:2: the certificate checker plan/proof/a.cpp must not see evaluators/unfold.hpp",
              "evaluators/unfold.hpp:2: the certificate checker plan/proof/a.cpp must not see maxplus/howard.hpp"});
  CHECK(violations_with_include("plan/proof/a.cpp", "\"maxplus/howard.hpp\"") ==
        Lines{shares_none + "maxplus/howard.hpp"});
  CHECK(violations_with_include("plan/proof/a.cpp", "\"evaluators/proof/certificate.hpp\"") ==
        Lines{shares_none + "evaluators/proof/certificate.hpp"});
}

TEST_CASE("the checker of cycle ratios sees arcs and numbers, and no solver") {
  CHECK(violations_with_include("maxplus/ratio_check.cpp", "\"maxplus/howard.hpp\"") ==
        Lines{"maxplus/ratio_check.cpp:2: the certificate checker shares no code with what it checks, not "
              "maxplus/howard.hpp"});
  CHECK(violations_with_include("maxplus/ratio_check.cpp", "\"maxplus/rational.hpp\"").empty());
}

TEST_CASE("a header of the project is spelled from the repository root, in quotes") {
  CHECK(violations_with_include("tpn/bad.cpp", "\"document.hpp\"") ==
        Lines{"tpn/bad.cpp:2: no header document.hpp from the repository root"});
  CHECK(violations_with_include("tpn/bad.cpp", "\"../maxplus/howard.hpp\"") ==
        Lines{"tpn/bad.cpp:2: no header ../maxplus/howard.hpp from the repository root"});
  CHECK(violations_with_include("tpn/bad.cpp", "<maxplus/howard.hpp>") ==
        Lines{"tpn/bad.cpp:2: a header of the project stands in quotes: maxplus/howard.hpp"});
}

TEST_CASE("a source includes its own header before any other") {
  CHECK(violations_with("tpn/document.cpp", "// Documents.\n#include \"tpn/document.hpp\"\n#include <vector>\n") ==
        Lines{});
  CHECK(violations_with("tpn/document.cpp", "// Documents.\n#include <vector>\n#include \"tpn/document.hpp\"\n") ==
        Lines{"tpn/document.cpp:2: a source includes its own header first, tpn/document.hpp"});
}

TEST_CASE("a library that one place alone should know is included there") {
  CHECK(violations_with_include("tools/drawing/graphviz_render.cpp", "<graphviz/cgraph.h>") == Lines{});
  CHECK(violations_with_include("tools/evaluate.cpp", "<CLI/App.hpp>") ==
        Lines{"tools/evaluate.cpp:2: only tools/frame/command_line.cpp includes CLI11, not CLI/App.hpp"});
  CHECK(violations_with_include("tools/evaluate.cpp", "<nlohmann/json.hpp>") ==
        Lines{"tools/evaluate.cpp:2: only tpn/json_parser.cpp includes nlohmann-json, not nlohmann/json.hpp"});
  CHECK(violations_with_include("tools/evaluate.cpp", "<graphviz/cgraph.h>") ==
        Lines{"tools/evaluate.cpp:2: only tools/drawing/graphviz* includes Graphviz, not graphviz/cgraph.h"});
  CHECK(violations_with_include("tools/evaluate.cpp", "<simgrid/s4u.hpp>") ==
        Lines{"tools/evaluate.cpp:2: only tests/peers/* includes SimGrid, not simgrid/s4u.hpp"});
  CHECK(violations_with_include("tpn/dot.cpp", "<gvc.h>") ==
        Lines{"tpn/dot.cpp:2: only tools/drawing/graphviz* includes Graphviz, not gvc.h"});
}

TEST_CASE("only programs open files or print") {
  CHECK(violations_with_include("tpn/bad.cpp", "<fstream>") ==
        Lines{"tpn/bad.cpp:2: only programs open files or print, not <fstream>"});
  CHECK(violations_with("tpn/bad.cpp", "// A file.\nauto* f = std::fopen(\"x\", \"r\");\n") ==
        Lines{"tpn/bad.cpp:2: only programs open files or print, not fopen"});
  CHECK(violations_with("evaluators/bad.cpp", "// A file.\nstd::cout << 1;\n") ==
        Lines{"evaluators/bad.cpp:2: only programs open files or print, not std::cout"});
  CHECK(violations_with("tpn/good.cpp", "// A file.\nint i = 0;  // fopen is not called\n") == Lines{});
}

TEST_CASE("only claims say what is proved of all mappings") {
  CHECK(violations_with("tpn/good.cpp", "// A claim.\nauto s = \"no mapping of any kind\";\n") == Lines{});
  CHECK(violations_with("tools/bad.cpp", "// A claim.\nauto s = \"no mapping of any kind\";\n") ==
        Lines{"tools/bad.cpp:2: plan/claims.cpp alone says what is proved of which mappings, not mapping of any kind"});
}

TEST_CASE("an algorithm that clang 14 does not compile is found") {
  const std::string ranges = "std::ranges::";
  CHECK(violations_with("tpn/bad.cpp", "// An order.\nvoid f() { " + ranges + "rotate(order, middle); }\n") ==
        Lines{"tpn/bad.cpp:2: clang 14 does not compile this of libstdc++ 12: " + ranges + "rotate"});
  CHECK(violations_with("tpn/good.cpp", "// An order.\nvoid f() { " + ranges + "remove_copy(order, all, 3); }\n") ==
        Lines{});
}

TEST_CASE("every source opens with a comment and every code folder has a README of 10 to 30 lines") {
  CHECK(violations_with("tpn/bad.hpp", "#pragma once\n// Late.\n") ==
        Lines{"tpn/bad.hpp:1: line 1 is a // comment that says what the file is for"});
  CHECK(violations_with("tpn/README.md", "short\n") ==
        Lines{"tpn/README.md:1: a folder's README has 10 to 30 lines, not 1"});
  CHECK(violations_with("evaluators/sweep/README.md", "short\n") ==
        Lines{"evaluators/sweep/README.md:1: a folder's README has 3 to 30 lines, not 1"});
  CHECK(violations_with("bench/bench.cpp", "// A benchmark.\n") ==
        Lines{"bench/README.md:1: missing: each code folder has a README.md"});
}

}  // namespace takt::house

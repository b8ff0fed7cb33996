// The rules of the documents hold for this repository, and each of them can fail.
#include "tests/house/document_rules.hpp"

#include <catch2/catch.hpp>

namespace takt::house {

namespace {

using Lines = std::vector<std::string>;

std::vector<SourceFile> repository() {
  std::vector<SourceFile> files = read_sources(TAKT_SOURCE_DIR);
  for (SourceFile& file : read_documents(TAKT_SOURCE_DIR)) files.push_back(std::move(file));
  return files;
}

const SourceFile kBibliography = {"docs/references.bib", "% Ours.\n\n@book{knuth1997art,\n  title = {}\n}\n"};

Lines citations_with(const std::string& path, const std::string& text) {
  return citation_violations({kBibliography, {"docs/model.md", "As in\n[knuth1997art].\n"}, {path, text}});
}

Lines glossary_with(const std::string& row) {
  return glossary_violations(
      {{"docs/glossary.md", "| takt | see |\n|---|---|\n" + row + "\n"},
       {"tpn/models.hpp", "// Models.\nstruct Model;\nenum class Kind { a };\nusing Key = int;\n"},
       {"tests/a.hpp", "// A test.\nstruct Draw {};\n"}});
}

Lines versions(const std::string& cited, const std::string& packaged, const std::string& built) {
  return version_violations({{"CITATION.cff", cited}, {"CMakeLists.txt", built}, {"debian/changelog", packaged}});
}

}  // namespace

TEST_CASE("every key that is cited stands in references.bib, and every entry there is cited") {
  CHECK(citation_violations(repository()) == Lines{});
}

TEST_CASE("a key that is cited and missing is found in documents, comments and sources of heuristics") {
  CHECK(citations_with("docs/tour.md", "See [knuth1997art], [nobody1999].\n") ==
        Lines{"docs/tour.md:1: docs/references.bib has no nobody1999"});
  CHECK(citations_with("tpn/a.cpp", "// A file.\nint a;  // [" + std::string("nobody1999a] says why\n")) ==
        Lines{"tpn/a.cpp:2: docs/references.bib has no nobody1999a"});
  CHECK(citations_with("heuristics/a.cpp", "// A file.\n  .source = \"takt; nobody1999, Section 3\",\n") ==
        Lines{"heuristics/a.cpp:2: docs/references.bib has no nobody1999"});
  CHECK(citations_with("tpn/a.cpp",
                       "// A file.\nint a = table[" + std::string("row2000];  // [x], [a12345], [1999]\n")) == Lines{});
}

TEST_CASE("an entry that nothing cites is found") {
  CHECK(citation_violations({kBibliography, {"docs/model.md", "knuth1997art without brackets\n"}}) ==
        Lines{"docs/references.bib:3: nothing cites knuth1997art"});
  CHECK(citation_violations({}) == Lines{"docs/references.bib:1: missing"});
}

TEST_CASE("every file and type that the glossary names exists") { CHECK(glossary_violations(repository()) == Lines{}); }

TEST_CASE("a file or type that the glossary names and that does not exist is found") {
  CHECK(glossary_with("| model | `tpn/models.hpp`, `Model`, `Kind` and `Key` |") == Lines{});
  CHECK(glossary_with("| model | `tpn/model.hpp` |") == Lines{"docs/glossary.md:3: no file tpn/model.hpp"});
  CHECK(glossary_with("| model | `Model`, `Modell` |") == Lines{"docs/glossary.md:3: no type Modell"});
  CHECK(glossary_with("| model | `Draw` |") == Lines{"docs/glossary.md:3: no type Draw"});
  CHECK(glossary_with("| model | - |") == Lines{"docs/glossary.md:3: names no file or type in its last column"});
}

TEST_CASE("every link in the documents leads to what there is") {
  CHECK(link_violations(repository(), TAKT_SOURCE_DIR) == Lines{});
}

TEST_CASE("a link to a missing file, heading or id is found") {
  const std::vector<SourceFile> files = {
      {"README.md", "# takt\n\n[a](docs/a.md), [b](docs/b.md), [c](docs/a.md#how-much), [d](docs/a.md#here)\n"},
      {"docs/a.md",
       "## How much?\n<a id=\"there\"></a>[up](../README.md#takt)[x](#there) [y](#more)\n```\n[z](w)\n```\n"}};
  CHECK(link_violations(files, TAKT_SOURCE_DIR) == Lines{"README.md:3: no file docs/b.md",
                                                         "README.md:3: docs/a.md has no #here",
                                                         "docs/a.md:2: docs/a.md has no #more"});
  CHECK(link_violations({{"docs/a.md", "[a](../tests/house/) [b](https://example.org/#x)\n"}}, TAKT_SOURCE_DIR) ==
        Lines{});
}

TEST_CASE("every link of a page of the site leads to what the site holds") {
  CHECK(site_violations(repository()) == Lines{});
}

TEST_CASE("a link that leads out of the site is found") {
  const SourceFile page = {"docs/a.md",
                           "[a](b.md#x) [b](../tpn/a.hpp) [c](#x)\n[d](../results/x.md) [e](../results/x.json)\n"};
  const SourceFile elsewhere = {"tpn/README.md", "[a](a.hpp)\n"};
  CHECK(site_violations({page, elsewhere, {"docs/site/files", "docs\nresults/*.md\ntpn/a.hpp\nresults/x.json\n"}}) ==
        Lines{});
  CHECK(site_violations({page, elsewhere, {"docs/site/files", "docs\nresults/*.md\n"}}) ==
        Lines{"docs/a.md:1: docs/site/files has no tpn/a.hpp", "docs/a.md:2: docs/site/files has no results/x.json"});
  CHECK(site_violations({page}) == Lines{"docs/site/files:1: missing"});
}

TEST_CASE("the versions to cite and of the packages are the project's") {
  const std::string cited = "type: software\nversion: 0.1.0\n";
  const std::string packaged = "takt (0.1.0-0takt1) unstable; urgency=medium\n";
  CHECK(version_violations(repository()) == Lines{});
  CHECK(versions(cited, packaged, "project(takt VERSION 0.1.0 LANGUAGES CXX)\n") == Lines{});
  CHECK(versions(cited, packaged, "project(takt VERSION 0.2.0)\n") ==
        Lines{"CITATION.cff:2: version 0.1.0, the project's is 0.2.0",
              "debian/changelog:1: version 0.1.0, the project's is 0.2.0"});
  CHECK(versions(cited, "takt (0.1.1-0takt1) unstable\n", "project(takt VERSION 0.1.0)\n") ==
        Lines{"debian/changelog:1: version 0.1.1, the project's is 0.1.0"});
  CHECK(versions("cff-version: 1.2.0\n", "", "project(takt VERSION 0.2.0)\n") ==
        Lines{"CITATION.cff:1: says no version", "debian/changelog:1: says no version"});
  CHECK(version_violations({{"CITATION.cff", cited},
                            {"CMakeLists.txt", "project(takt VERSION 0.1.0)\n"},
                            {"debian/changelog", packaged},
                            {"docs/library.md", "find_package(takt 0.1 REQUIRED)\nfind_package(takt 0.2)\n"}}) ==
        Lines{"docs/library.md:2: version 0.2, the project's is 0.1"});
}

}  // namespace takt::house

// The rules of the documents: citations, links, the glossary, the worked additions and the version that is cited.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/house/source_rules.hpp"

namespace takt::house {

/// Every document of the repository: those of docs/ and examples/, at the root, debian/changelog, and all build files,
/// sorted by path.
std::vector<SourceFile> read_documents(const std::filesystem::path& root);

/// One line "PATH:LINE: what is wrong" for every key in brackets (in a document, or a comment of the code), or in a
/// heuristic's source, that docs/references.bib lacks, and for every entry there that nothing cites.
std::vector<std::string> citation_violations(const std::vector<SourceFile>& files);

/// The same for every file or type that a table of docs/glossary.md names in its last column and that does not exist.
std::vector<std::string> glossary_violations(const std::vector<SourceFile>& files);

/// The same for every link of a .md file, relative to it, to what `root` does not hold, or to a heading or an id that
/// the file it leads to does not have. Blocks of code have no links.
std::vector<std::string> link_violations(const std::vector<SourceFile>& files, const std::filesystem::path& root);

/// The same for every link of a page of the site to what is not there. docs/site/files lists what the site holds:
/// files, folders, and patterns with one '*'.
std::vector<std::string> site_violations(const std::vector<SourceFile>& files);

/// The same for CITATION.cff and debian/changelog: the version of each is the project's, that of a package up to its
/// revision. And for each "find_package(takt X.Y" that is not in C++: the project's major and minor.
std::vector<std::string> version_violations(const std::vector<SourceFile>& files);

}  // namespace takt::house

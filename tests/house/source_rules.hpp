// The rules of the source tree that no compiler checks: who may include what, open files or print.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::house {

/// A file by its path from the repository root, with forward slashes: "tpn/document.hpp".
struct SourceFile {
  std::string path;
  std::string text;
};

/// The files of these folders below `root` whose ending (".py") or name is wanted, sorted by path.
std::vector<SourceFile> read_files(const std::filesystem::path& root, std::span<const std::string_view> folders,
                                   const std::set<std::string>& wanted);

/// Every .hpp, .cpp and README.md of the code folders below `root`, sorted by path.
std::vector<SourceFile> read_sources(const std::filesystem::path& root);

/// One line "PATH:LINE: what is wrong" for every breach, in the order of `files`; empty if all is well.
/// An include of a project header is looked up in `files` alone.
std::vector<std::string> violations(const std::vector<SourceFile>& files);

/// The breach of a file that has to be there and is not.
inline std::vector<std::string> missing(std::string_view path) {
  std::string line(path);
  line += ":1: missing";
  return {std::move(line)};
}

}  // namespace takt::house

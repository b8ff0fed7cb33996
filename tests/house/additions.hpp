// The worked additions of docs/adding.md: code blocks that name the file they stand for, and diffs that must fit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tests/house/source_rules.hpp"

namespace takt::house {

/// A fenced block of Markdown whose info string is a language and the path of a file: "```cpp tests/adding/output.cpp".
struct CodeBlock {
  std::size_t line = 0;  // of the opening fence
  std::string language;
  std::string path;
  std::string text;
};

/// Those of a document, in order. Blocks that name no file are left out.
std::vector<CodeBlock> code_blocks(const std::string& markdown);

/// The text after a diff, whose lines start with ' ' (as they are), '-' (they go) or '+' (they come); lines that start
/// with "@@" part its hunks. Nothing if the lines of a hunk that are to be there are not, or are twice.
std::optional<std::string> apply_diff(const std::string& text, const std::string& diff);

/// The text of `path` after all diffs of a document for it; nothing if there is none, or one does not fit.
std::optional<std::string> apply_diffs(const std::string& markdown, const std::string& path, const std::string& text);

/// One line "PATH:LINE: what is wrong" for every block of docs/adding.md that is not its file, every diff that does not
/// fit its file, and every source of an addition that no block shows. The tests of tests/adding/ are no additions.
std::vector<std::string> addition_violations(const std::vector<SourceFile>& files);

}  // namespace takt::house

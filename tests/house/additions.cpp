// Line by line: no more of Markdown and of diffs is understood than the document needs.
#include "tests/house/additions.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>

namespace takt::house {

namespace {

constexpr std::string_view kDocument = "docs/adding.md";
constexpr std::string_view kFence = "```";

struct Hunk {
  std::string before;
  std::string after;
};

// None if a line starts with anything else than a diff's lines do.
std::optional<std::vector<Hunk>> hunks_of(const std::string& diff) {
  std::vector<Hunk> hunks(1);
  std::istringstream stream(diff);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("@@")) {
      hunks.emplace_back();
      continue;
    }
    const char mark = line.empty() ? ' ' : line.front();
    const std::string rest = (line.empty() ? line : line.substr(1)) + '\n';
    if (mark != ' ' && mark != '+' && mark != '-') return std::nullopt;
    if (mark != '+') hunks.back().before += rest;
    if (mark != '-') hunks.back().after += rest;
  }
  std::erase_if(hunks, [](const Hunk& hunk) { return hunk.before.empty() && hunk.after.empty(); });
  return hunks;
}

// Where whole lines of `text` are `lines`, if that is so once.
std::optional<std::size_t> place_of(const std::string& lines, const std::string& text) {
  std::optional<std::size_t> found;
  for (std::size_t at = text.find(lines); at != std::string::npos; at = text.find(lines, at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    if (found) return std::nullopt;
    found = at;
  }
  return found;
}

const SourceFile* find(const std::vector<SourceFile>& files, std::string_view path) {
  const auto found = std::ranges::find(files, path, &SourceFile::path);
  return found == files.end() ? nullptr : &*found;
}

bool is_addition(const std::string& path) {
  return path.starts_with("tests/adding/") && path.ends_with(".cpp") && !path.ends_with("_test.cpp") &&
         !path.ends_with("/apply.cpp");
}

// What is wrong with a block, if anything is.
std::optional<std::string> breach(const CodeBlock& block, const SourceFile* file) {
  if (file == nullptr) return "no file " + block.path;
  if (block.language == "diff") {
    if (block.text.find("\n+") == std::string::npos && !block.text.starts_with('+')) return "the diff adds nothing";
    if (!apply_diff(file->text, block.text)) return "the diff does not fit " + block.path;
  } else if (block.text != file->text) {
    return "the block is not " + block.path;
  }
  return std::nullopt;
}

}  // namespace

std::vector<CodeBlock> code_blocks(const std::string& markdown) {
  std::vector<CodeBlock> blocks;
  std::istringstream stream(markdown);
  bool is_open = false;
  CodeBlock block;
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (!line.starts_with(kFence)) {
      if (is_open) block.text += line + '\n';
    } else if (is_open) {
      if (!block.path.empty()) blocks.push_back(block);
      is_open = false;
    } else {
      is_open = true;
      block = {};
      block.line = number;
      std::istringstream(line.substr(kFence.size())) >> block.language >> block.path;
    }
  }
  return blocks;
}

std::optional<std::string> apply_diff(const std::string& text, const std::string& diff) {
  const auto hunks = hunks_of(diff);
  if (!hunks || hunks->empty()) return std::nullopt;
  std::string changed = text;
  for (const Hunk& hunk : *hunks) {
    const auto place = hunk.before.empty() ? std::nullopt : place_of(hunk.before, changed);
    if (!place) return std::nullopt;
    changed.replace(*place, hunk.before.size(), hunk.after);
  }
  return changed;
}

std::optional<std::string> apply_diffs(const std::string& markdown, const std::string& path, const std::string& text) {
  std::optional<std::string> changed;
  for (const CodeBlock& block : code_blocks(markdown)) {
    if (block.language != "diff" || block.path != path) continue;
    changed = apply_diff(changed.value_or(text), block.text);
    if (!changed) return std::nullopt;
  }
  return changed;
}

std::vector<std::string> addition_violations(const std::vector<SourceFile>& files) {
  const SourceFile* document = find(files, kDocument);
  if (document == nullptr) return missing(kDocument);
  std::vector<std::string> found;
  std::set<std::string> shown;
  for (const CodeBlock& block : code_blocks(document->text)) {
    shown.insert(block.path);
    if (const auto what = breach(block, find(files, block.path))) {
      found.push_back(std::string(kDocument) + ":" + std::to_string(block.line) + ": " + *what);
    }
  }
  for (const SourceFile& file : files) {
    if (is_addition(file.path) && !shown.contains(file.path)) {
      found.push_back(file.path + ":1: no block of " + std::string(kDocument) + " shows it");
    }
  }
  return found;
}

}  // namespace takt::house

// Documents that were read are kept; draws are drawn when they are asked for.
#include "tools/compare/problem_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "tools/files/files.hpp"
#include "tools/files/line_blocks.hpp"
#include "tpn/reader.hpp"

namespace takt::tools {

namespace {

constexpr std::string_view kLinesEnding = ".jsonl";

tpn::Document without_mapping(tpn::Document document) {
  document.mapping.reset();
  document.transfers.clear();
  document.order.clear();
  document.predicted_period.reset();
  document.heuristic.reset();
  std::erase_if(document.remarks, [](const auto& remark) {
    return remark.first.starts_with("/mapping") || remark.first.starts_with("/transfers") ||
           remark.first.starts_with("/order") || remark.first.starts_with("/heuristic");
  });
  return document;
}

// The files of a folder, by name.
std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (auto entry = std::filesystem::directory_iterator(folder, error); !error && entry != decltype(entry)();
       entry.increment(error)) {
    const std::string path = entry->path().string();
    if (path.ends_with(".json") || path.ends_with(kLinesEnding)) files.push_back(path);
  }
  if (error) throw FileError(folder + ": cannot be read: " + error.message());
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> spelled_out(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code unknown;
    if (path != "-" && std::filesystem::is_directory(path, unknown)) {
      for (std::string& file : files_of(path)) files.push_back(std::move(file));
    } else {
      files.push_back(path);
    }
  }
  return files;
}

}  // namespace

ProblemSet ProblemSet::of_files(const std::vector<std::string>& paths, bool lines, Streams& streams) {
  ProblemSet set;
  const auto documents = std::make_shared<std::vector<tpn::Document>>();
  for (const std::string& file : spelled_out(paths)) {
    if (!lines && !file.ends_with(kLinesEnding)) {
      documents->push_back(without_mapping(tpn::read_document(read_text(file, streams), display_name(file))));
      set.names_.push_back(display_name(file));
      continue;
    }
    ByteSource source(file, streams);
    LineBlocks blocks(source);
    for (auto found = blocks.next(); !found.empty(); found = blocks.next()) {
      for (const TextLine& line : found) {
        documents->push_back(without_mapping(tpn::read_document(line.text, display_name(file), line.number)));
        set.names_.push_back(fmt::format("{}:{}", display_name(file), line.number));
      }
    }
  }
  set.documents_ = [documents](std::size_t problem) { return (*documents)[problem]; };
  return set;
}

ProblemSet ProblemSet::of_draws(const experiments::Arguments& arguments, std::uint64_t seed, std::uint64_t draws) {
  ProblemSet set;
  for (std::uint64_t draw = 0; draw < draws; ++draw) set.names_.push_back(fmt::format("draw {}", draw));
  set.documents_ = [arguments, seed](std::size_t draw) {
    return without_mapping(experiments::draw_document(arguments, seed, draw));
  };
  return set;
}

}  // namespace takt::tools

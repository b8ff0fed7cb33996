// The files of the source tree that tests of the document read.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tpn/reader.hpp"

namespace takt::tpn::testing {

inline std::filesystem::path source_path(const std::string& path) {
  return std::filesystem::path(TAKT_SOURCE_DIR) / path;
}

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The JSON files directly in a folder of the source tree, by name.
inline std::vector<std::filesystem::path> json_files(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_path(folder))) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Every good document of the source tree.
inline std::vector<std::filesystem::path> good_documents() {
  std::vector<std::filesystem::path> files{
      source_path("tests/data/full-document.json"), source_path("tests/data/full-units.json"),
      source_path("tests/data/full-types.json"), source_path("tests/data/full-hosts.json"),
      source_path("tests/data/full-laws.json")};
  for (const auto& file : json_files("examples")) files.push_back(file);
  for (const auto& file : json_files("tests/data/known")) {
    if (file.filename() != "expected.json") files.push_back(file);
  }
  return files;
}

/// What is thrown says, or "accepted".
template <typename Function>
std::string message_of(const Function& function) {
  try {
    function();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

/// What reading a text says, or "accepted".
inline std::string message_of_text(const std::string& text, Catalogues catalogues = Catalogues::refused) {
  return message_of([&] { read_document(text, "f", std::nullopt, catalogues); });
}

/// The text with `to` in place of `from`, which must stand there.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("the text does not have " + from);
  return text.replace(at, from.size(), to);
}

/// A change of a text, from what to what, and the message that it is to lead to; empty: any.
using WrongChange = std::pair<std::pair<std::string, std::string>, std::string>;

/// Each of these changes of a text is refused as it is to be.
inline void check_messages(const std::string& text, const std::vector<WrongChange>& wrong) {
  for (const auto& [change, message] : wrong) {
    CAPTURE(change.second);
    const std::string found = message_of_text(replaced(text, change.first, change.second));
    if (message.empty()) {
      CHECK(found != "accepted");
    } else {
      CHECK(found == message);
    }
  }
}

}  // namespace takt::tpn::testing

// The descriptions that come with the program, and those of files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command.hpp"

namespace takt::tools {

/// A description that the program holds; the same text as the installed file share/takt/experiments/NAME.json.
struct BuiltinDescription {
  std::string_view name;
  std::string_view text;
};

/// By name.
std::span<const BuiltinDescription> builtin_descriptions();

/// Their names.
std::vector<std::string> builtin_names();

/// A description's text and what messages call it.
struct DescriptionText {
  std::string text;
  std::string file;
};

/// That of a built-in one's name, else of a file. Throws UsageError if it is neither, FileError.
DescriptionText description_text(const std::string& name_or_file, Streams& streams);

}  // namespace takt::tools

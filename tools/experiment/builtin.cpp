// Built-in descriptions by name, others by path.
#include "tools/experiment/builtin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "tools/files/files.hpp"
#include "tools/words/suggestion.hpp"

namespace takt::tools {

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (const BuiltinDescription& known : builtin_descriptions()) names.emplace_back(known.name);
  return names;
}

DescriptionText description_text(const std::string& name_or_file, Streams& streams) {
  const auto builtins = builtin_descriptions();
  const auto found = std::ranges::find(builtins, name_or_file, &BuiltinDescription::name);
  if (found != builtins.end()) return {std::string(found->text), std::string(found->name)};
  std::error_code ignored;
  if (name_or_file == "-" || std::filesystem::exists(name_or_file, ignored)) {
    return {read_text(name_or_file, streams), name_or_file};
  }
  throw UsageError(
      fmt::format("found \"{}\"{}, expected a file, or a built-in experiment: takt experiment list has them",
                  name_or_file, suggestion(name_or_file, builtin_names())));
}

}  // namespace takt::tools

// By spelling: clang-format puts what stands outside any class at the start of a line.
#include "tests/house/name_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>

namespace takt::house {

namespace {

constexpr std::array<std::string_view, 8> kFolders = {"maxplus/",    "tpn/",         "evaluators/", "plan/",
                                                      "heuristics/", "experiments/", "tools/",      "python/"};
constexpr std::string_view kModels = "tpn/models.cpp";
constexpr std::string_view kChain = "tpn/chain.";

bool is_ours(const SourceFile& file) {
  const bool is_code = file.path.ends_with(".cpp") || file.path.ends_with(".hpp");
  return is_code &&
         std::ranges::any_of(kFolders, [&](std::string_view folder) { return file.path.starts_with(folder); });
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view word_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(0, end);
}

std::string_view trimmed_end(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Calls visit(number, line without its comment) for every line, from 1 on.
template <typename Visit>
void for_each_code_line(const SourceFile& file, Visit visit) {
  std::istringstream stream(file.text);
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) visit(++number, line.substr(0, line.find("//")));
}

/// The type that a line outside any class defines, if it does: no declaration of one to come, no specialization.
std::optional<std::string> type_defined_by(std::string_view line) {
  for (const std::string_view start : {"struct ", "class ", "enum class ", "enum ", "union ", "using "}) {
    if (!line.starts_with(start)) continue;
    const std::string_view rest = line.substr(start.size());
    const std::string_view name = word_at(rest);
    const std::string_view behind = rest.substr(name.size());
    const bool is_alias = start == "using " && behind.starts_with(" =");
    const bool is_definition = start != "using " && !trimmed_end(line).ends_with(';');
    const bool is_short_definition = start != "using " && line.find('{') != std::string_view::npos;
    // A type within a class, defined outside it; a specialization.
    if (behind.starts_with("::") || behind.starts_with('<')) continue;
    if (!name.empty() && name != "class" && (is_alias || is_definition || is_short_definition)) {
      return std::string(name);
    }
  }
  return std::nullopt;
}

/// Whether the value of tpn::Model that starts at `at` is compared with something, or a case of a switch.
bool is_tested(std::string_view line, std::size_t at) {
  std::string_view before = line.substr(0, at);
  for (const std::string_view scope : {"tpn::", "takt::", "::"}) {
    if (before.ends_with(scope)) before.remove_suffix(scope.size());
  }
  before = trimmed_end(before);
  if (before.ends_with("==") || before.ends_with("!=")) return true;
  if (before.ends_with("case") && (before.size() == 4 || !is_word(before[before.size() - 5]))) return true;
  std::string_view behind = line.substr(at + std::string_view("Model::").size());
  behind.remove_prefix(word_at(behind).size());
  while (behind.starts_with(' ')) behind.remove_prefix(1);
  return behind.starts_with("==") || behind.starts_with("!=");
}

std::string at(const SourceFile& file, std::size_t line) { return file.path + ":" + std::to_string(line); }

}  // namespace

std::vector<std::string> name_violations(const std::vector<SourceFile>& files) {
  std::map<std::string, std::string> places;
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (!is_ours(file)) continue;
    for_each_code_line(file, [&](std::size_t number, const std::string& line) {
      const auto type = type_defined_by(line);
      if (!type) return;
      const auto [first, is_new] = places.emplace(*type, at(file, number));
      if (!is_new) found.push_back(at(file, number) + ": " + *type + " is another type's name, of " + first->second);
    });
  }
  return found;
}

std::vector<std::string> model_violations(const std::vector<SourceFile>& files) {
  constexpr std::string_view kScope = "Model::";
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (!is_ours(file) || file.path == kModels) continue;
    for_each_code_line(file, [&](std::size_t number, const std::string& line) {
      for (std::size_t k = line.find(kScope); k != std::string::npos; k = line.find(kScope, k + 1)) {
        if (k > 0 && is_word(line[k - 1])) continue;
        if (is_tested(line, k)) found.push_back(at(file, number) + ": only " + std::string(kModels) + " asks which");
      }
    });
  }
  return found;
}

std::vector<std::string> index_violations(const std::vector<SourceFile>& files) {
  static const std::vector<std::regex> kComputations = {
      // pipeline.parts[i + 1], columns[2 * i], columns[...]: the subscript computes
      std::regex(R"((pipeline_?(\(\))?\.(parts|columns)\[[^\]]*( [-+] 1|\b2 \* )|\bcolumns\[2 \* ))"),
      // part.value() + 1, 2 * part.value()
      std::regex(
          R"((part|column|sender|receiver|first|last|computation|transfer|delivery|arrival)_?\.value\(\) [-+] 1\b)"),
      std::regex(R"(\b2 \* [\w.]*\.value\(\))"),
      // duration(2 * part, ...), operation.column + 1, column / 2
      std::regex(R"(\bduration\(2 \* |\.column [-+] 1\b|\bcolumn / 2\b)"),
      // ColumnIndex(2 * part), PartIndex(i + 1)
      std::regex(R"(\b(Part|Column)Index\([^()]*( [-+] 1|\b2 \* )[^()]*\))")};
  // One of them stands in each: a search for it is a hundred times faster.
  static const std::vector<std::string> kSteps = {" + 1", " - 1", "2 * ", " / 2"};
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (!(is_ours(file) || file.path.starts_with("live/")) || file.path.starts_with(kChain)) continue;
    for_each_code_line(file, [&](std::size_t number, const std::string& line) {
      if (std::ranges::none_of(kSteps, [&](const std::string& step) { return line.find(step) != std::string::npos; }))
        return;
      const bool computes = std::ranges::any_of(
          kComputations, [&](const std::regex& computation) { return std::regex_search(line, computation); });
      if (computes) found.push_back(at(file, number) + ": only " + std::string(kChain) + "* computes with indices");
    });
  }
  return found;
}

}  // namespace takt::house

// Reads sources line by line, without a preprocessor: an include in a branch not taken counts as well.
#include "tests/house/source_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

namespace takt::house {

namespace {

constexpr std::array<std::string_view, 13> kCodeFolders = {
    "maxplus", "tpn",   "evaluators", "plan",  "heuristics", "library", "experiments",
    "live",    "tools", "tests",      "bench", "python",     "vary"};

// Folders whose sources may include anything: they are nobody's dependency.
constexpr std::array<std::string_view, 4> kClientFolders = {"tools", "tests", "bench", "python"};

// The only headers of maxplus that the checker, and all of tpn, may see: numbers, but no solver.
const std::set<std::string> kNumbers = {"maxplus/rational.hpp", "maxplus/contract.hpp", "maxplus/deadline.hpp"};

const std::map<std::string, std::set<std::string>> kAllowedFolders = {
    {"maxplus", {"maxplus"}},
    {"tpn", {"tpn"}},
    {"evaluators", {"evaluators", "tpn", "maxplus"}},
    {"plan", {"plan", "evaluators", "tpn", "maxplus"}},
    {"vary", {"vary", "evaluators", "tpn", "maxplus"}},
    {"heuristics", {"heuristics", "plan", "evaluators", "tpn", "maxplus"}},
    {"library", {"heuristics", "evaluators", "tpn", "maxplus"}},
    {"experiments", {"experiments", "heuristics", "plan", "evaluators", "tpn", "maxplus"}},
    {"live", {"live", "vary", "heuristics", "plan", "evaluators", "tpn", "maxplus"}}};

// Folders within a folder: which of their siblings they may include from; "" is the folder itself. All may include
// from their own. Files that stand in the folder itself may include from any of them.
const std::map<std::string, std::set<std::string>> kAllowedSiblings = {
    {"evaluators/kernel", {}},
    {"evaluators/sweep", {"", "kernel"}},
    {"evaluators/columns", {"", "kernel", "sweep"}},
    {"evaluators/residue", {"", "kernel"}},
    {"evaluators/play", {"", "kernel"}},
    {"evaluators/proof", {""}},
    {"evaluators/insight", {"", "kernel", "play"}},
    {"evaluators/mappings", {"", "kernel"}},
    {"evaluators/sub_pipelines", {"", "kernel", "sweep"}},
    {"evaluators/potentials", {"", "sub_pipelines"}},
    {"plan/proof", {}},
    {"plan/typed", {""}},
    {"plan/counted", {"", "typed"}},
    {"plan/wider", {"", "typed", "counted"}},
    {"plan/workflow", {"", "typed"}},
    {"heuristics/common", {""}},
    {"heuristics/interval", {"", "common"}},
    {"heuristics/hedpm", {"", "common"}},
    {"heuristics/divided", {"", "common"}},
    {"heuristics/workflow", {"", "common"}},
    {"heuristics/search", {"", "common", "hedpm"}},
    {"heuristics/typed", {"", "common", "search"}},
    {"experiments/draws", {}},
    {"experiments/statistics", {}},
    {"experiments/descriptions", {"draws", "statistics"}},
    {"experiments/generators", {"draws"}},
    {"experiments/studies", {"draws", "descriptions"}},
    {"experiments/reports", {"descriptions", "statistics"}},
    {"live/engine", {}},
    {"live/adaptation", {"engine"}},
    {"live/measurement", {"engine"}},
    {"live/rehearsal", {"engine", "adaptation", "measurement"}},
    {"live/probing", {}},
    {"live/files", {"engine", "adaptation", "probing"}},
    {"live/process", {"engine", "files"}},
    {"live/rank", {"", "engine", "adaptation", "files", "process"}},
    {"live/mpi", {"", "rank"}},
    {"tools/words", {}},
    {"tools/files", {"", "words"}},
    {"tools/pictures", {""}},
    {"tools/frame", {"", "words", "files"}},
    {"tools/answers", {"", "words", "files", "frame"}},
    {"tools/drawing", {"", "words", "pictures"}},
    {"tools/gantt", {"words", "files", "pictures"}},
    {"tools/interchange", {"words", "pictures"}},
    {"tools/cycle_ratio", {"words", "files"}},
    {"tools/lines", {"words", "files", "answers"}},
    {"tools/plot", {"words", "files", "pictures", "answers", "gantt"}},
    {"tools/plan", {"words", "files", "pictures", "frame", "answers", "plot", "vary"}},
    {"tools/report", {"words", "files", "pictures", "answers", "drawing", "gantt", "plan", "plot", "vary"}},
    {"tools/vary", {"", "words", "files", "frame", "answers", "plot"}},
    {"tools/own", {"", "words", "files"}},
    {"tools/experiment", {"", "words", "files", "pictures", "frame", "own"}},
    {"tools/mpi", {"files", "frame", "experiment"}},
    {"tools/shell", {"frame"}},
    {"tools/status", {"", "words", "files", "pictures", "report"}},
    {"tools/live", {"", "words", "files", "frame", "answers", "gantt", "status", "vary"}},
    {"tools/compare", {"", "words", "files", "frame", "answers", "own"}},
    {"tools/commands", {"",        "words",      "files",  "pictures",    "frame", "answers", "compare", "cycle_ratio",
                        "drawing", "experiment", "gantt",  "interchange", "live",  "lines",   "plan",    "plot",
                        "report",  "shell",      "status", "vary"}}};

struct Include {
  std::size_t line = 0;
  std::string header;
  bool quoted = false;
};

template <typename Range>
bool contains(const Range& range, std::string_view value) {
  return std::find(range.begin(), range.end(), value) != range.end();
}

bool is_readme(const SourceFile& file) { return std::filesystem::path(file.path).filename() == "README.md"; }

std::string folder_of(const std::string& path) { return path.substr(0, path.find('/')); }

/// Whether a source may open files and print, as programs do.
bool may_use_files(const std::string& path) {
  return contains(kClientFolders, folder_of(path)) || path.starts_with("live/process/") ||
         path.starts_with("live/rank/");
}

/// "sweep" of "evaluators/sweep/rows.hpp", "" of "evaluators/evaluate.hpp".
std::string inner_folder_of(const std::string& path) {
  const std::size_t first = path.find('/');
  const std::size_t second = path.find('/', first + 1);
  return second == std::string::npos ? "" : path.substr(first + 1, second - first - 1);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string_view without_spaces(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

std::optional<Include> include_of(std::string_view line, std::size_t number) {
  line = without_spaces(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = without_spaces(line.substr(1));
  constexpr std::string_view kDirective = "include";
  if (!line.starts_with(kDirective)) return std::nullopt;
  line = without_spaces(line.substr(kDirective.size()));
  if (!line.starts_with('<') && !line.starts_with('"')) return std::nullopt;
  const bool quoted = line.front() == '"';
  const std::size_t end = line.find_first_of(">\"", 1);
  if (end == std::string_view::npos || end == 1) return std::nullopt;
  return Include{number, std::string(line.substr(1, end - 1)), quoted};
}

std::vector<Include> includes_of(const SourceFile& file) {
  std::vector<Include> includes;
  std::size_t number = 0;
  for (const std::string& line : lines_of(file.text)) {
    ++number;
    if (auto include = include_of(line, number)) includes.push_back(std::move(*include));
  }
  return includes;
}

bool checks_periods(const std::string& path) { return path.starts_with("evaluators/proof/check"); }
bool checks_plans(const std::string& path) { return path.starts_with("plan/proof/"); }
bool checks_ratios(const std::string& path) { return path.starts_with("maxplus/ratio_check."); }
bool is_checker(const std::string& path) { return checks_periods(path) || checks_plans(path) || checks_ratios(path); }

bool checker_may_include(const std::string& checker, const std::string& header) {
  if (kNumbers.contains(header) || folder_of(header) == "tpn") return true;
  if (checks_plans(checker)) return checks_plans(header);
  if (checks_ratios(checker)) return checks_ratios(header) || header == "maxplus/rational_arcs.hpp";
  return header == "evaluators/proof/certificate.hpp" || header == "evaluators/potential_schedule.hpp" ||
         header == "evaluators/potential_limits.hpp" || checks_periods(header);
}

// Libraries that are slow to compile, or that one place alone should know: who may include them.
struct Reserved {
  std::string_view what;
  std::vector<std::string_view> beginnings;  // of headers
  std::string_view owner;                    // the beginning of the sources' paths
  std::string_view tests;                    // likewise
};

const std::vector<Reserved>& reserved_libraries() {
  static const std::vector<Reserved> kReserved = {
      {"Graphviz", {"graphviz/", "cgraph.h", "gvc.h", "cdt.h"}, "tools/drawing/graphviz", "tests/tools/drawing/"},
      {"pugixml", {"pugixml.hpp"}, "tools/", "tests/tools/"},
      {"mustache", {"kainjow/"}, "tools/report/page_writer.cpp", ""},
      {"CLI11", {"CLI/"}, "tools/frame/command_line.cpp", ""},
      {"nlohmann-json", {"nlohmann/"}, "tpn/json_parser.cpp", "tests/"},
      {"SimGrid", {"simgrid/", "smpi/"}, "tests/peers/", ""}};
  return kReserved;
}

std::optional<std::string> reservation_breach(const std::string& path, const std::string& header) {
  for (const Reserved& library : reserved_libraries()) {
    const bool is_meant = std::ranges::any_of(
        library.beginnings, [&](std::string_view beginning) { return header.starts_with(beginning); });
    if (!is_meant || path.starts_with(library.owner)) continue;
    if (!library.tests.empty() && path.starts_with(library.tests)) continue;
    const bool is_one = library.owner.ends_with(".cpp");
    return "only " + std::string(library.owner) + (is_one ? "" : "*") + " includes " + std::string(library.what) +
           ", not " + header;
  }
  return std::nullopt;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The first of these words in a line of code that stands there as a word of its own.
std::optional<std::string> word_in(std::string_view code, const std::vector<std::string_view>& words) {
  for (const std::string_view word : words) {
    for (std::size_t at = code.find(word); at != std::string_view::npos; at = code.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      if ((at == 0 || !is_word(code[at - 1])) && (end == code.size() || !is_word(code[end]))) return std::string(word);
    }
  }
  return std::nullopt;
}

/// What is wrong with a file of a folder within a folder including a header of the same folder, if anything is.
std::optional<std::string> sibling_breach(const std::string& path, const std::string& header) {
  const std::string inner = inner_folder_of(path);
  const std::string other = inner_folder_of(header);
  if (inner.empty() || inner == other) return std::nullopt;
  const std::string from = folder_of(path) + "/" + inner;
  const auto allowed = kAllowedSiblings.find(from);
  if (allowed == kAllowedSiblings.end()) return "no rule says what " + from + " may include";
  if (allowed->second.contains(other)) return std::nullopt;
  return from + " must not include from " + folder_of(path) + (other.empty() ? "" : "/" + other);
}

/// What is wrong with `path` including the project's `header`, if anything is.
std::optional<std::string> direction_breach(const std::string& path, const std::string& header) {
  const std::string from = folder_of(path);
  const std::string to = folder_of(header);
  if (from == "tests" || from == "bench") return std::nullopt;
  if (to == "tests" || to == "bench") return "only tests and benchmarks include from " + to;
  if (is_checker(path) && !checker_may_include(path, header)) {
    return "the certificate checker shares no code with what it checks, not " + header;
  }
  if (from == to) return sibling_breach(path, header);
  if (contains(kClientFolders, from)) return std::nullopt;
  if (from == "tpn" && to == "maxplus") {
    if (kNumbers.contains(header)) return std::nullopt;
    return "tpn takes the exact numbers and deadlines of maxplus and nothing else, not " + header;
  }
  if (!kAllowedFolders.at(from).contains(to)) return from + " must not include from " + to;
  return std::nullopt;
}

class Inspector {
 public:
  explicit Inspector(const std::vector<SourceFile>& files) {
    for (const SourceFile& file : files) {
      if (!is_readme(file)) includes_.emplace(file.path, includes_of(file));
    }
  }

  std::vector<std::string> run(const std::vector<SourceFile>& files) {
    std::set<std::string> folders;
    for (const SourceFile& file : files) {
      if (is_readme(file)) {
        inspect_readme(file);
        continue;
      }
      folders.insert(folder_of(file.path));
      if (folder_of(file.path) != "tests" && !inner_folder_of(file.path).empty()) {
        folders.insert(folder_of(file.path) + "/" + inner_folder_of(file.path));
      }
      inspect_source(file);
    }
    for (const std::string& folder : folders) {
      const std::string readme = folder + "/README.md";
      const bool exists =
          std::any_of(files.begin(), files.end(), [&](const SourceFile& file) { return file.path == readme; });
      if (!exists) found_.push_back(readme + ":1: missing: each code folder has a README.md");
    }
    return found_;
  }

 private:
  void report(const std::string& path, std::size_t line, const std::string& what) {
    found_.push_back(path + ":" + std::to_string(line) + ": " + what);
  }

  void inspect_readme(const SourceFile& file) {
    const auto depth = std::count(file.path.begin(), file.path.end(), '/');
    if (depth > 2 || (depth == 2 && folder_of(file.path) == "tests")) return;
    const std::size_t length = lines_of(file.text).size();
    const std::size_t least = depth == 1 ? 10 : 3;
    if (length < least || length > 30) {
      report(file.path, 1,
             "a folder's README has " + std::to_string(least) + " to 30 lines, not " + std::to_string(length));
    }
  }

  void inspect_source(const SourceFile& file) {
    if (!file.text.starts_with("// ")) report(file.path, 1, "line 1 is a // comment that says what the file is for");
    for (const Include& include : includes_.at(file.path)) inspect_include(file.path, include);
    inspect_own_header(file.path);
    if (is_checker(file.path)) inspect_checker(file.path);
    if (!may_use_files(file.path)) inspect_calls(file);
    inspect_ranges(file);
    inspect_claims(file);
  }

  // A header that its source includes before all else compiles alone; nobody else tries.
  void inspect_own_header(const std::string& path) {
    if (!path.ends_with(".cpp")) return;
    const std::string header = path.substr(0, path.size() - 3) + "hpp";
    if (!includes_.contains(header)) return;
    const std::vector<Include>& includes = includes_.at(path);
    if (!includes.empty() && includes.front().header == header) return;
    report(path, includes.empty() ? 1 : includes.front().line, "a source includes its own header first, " + header);
  }

  void inspect_include(const std::string& path, const Include& include) {
    static const std::set<std::string> kFilesAndConsole = {"fstream", "iostream", "filesystem", "fcntl.h"};
    const bool ours = includes_.contains(include.header) || contains(kCodeFolders, folder_of(include.header));
    if (include.quoted) {
      if (!includes_.contains(include.header)) {
        if (folder_of(path) == "tests" && path.find("/consumer/") != std::string::npos) return;
        report(path, include.line, "no header " + include.header + " from the repository root");
      } else if (const auto breach = direction_breach(path, include.header)) {
        report(path, include.line, *breach);
      }
    } else if (ours) {
      report(path, include.line, "a header of the project stands in quotes: " + include.header);
    }
    if (const auto breach = reservation_breach(path, include.header)) report(path, include.line, *breach);
    if (kFilesAndConsole.contains(include.header) && !may_use_files(path)) {
      report(path, include.line, "only programs open files or print, not <" + include.header + ">");
    }
  }

  // What the checker's headers bring along is held to the checker's own rule.
  void inspect_checker(const std::string& path) {
    std::set<std::string> seen = {path};
    std::vector<std::string> pending = {path};
    while (!pending.empty()) {
      const std::string at = pending.back();
      pending.pop_back();
      for (const Include& include : includes_.at(at)) {
        if (!include.quoted || !includes_.contains(include.header) || !seen.insert(include.header).second) continue;
        pending.push_back(include.header);
        if (at != path && !checker_may_include(path, include.header)) {
          report(at, include.line, "the certificate checker " + path + " must not see " + include.header);
        }
      }
    }
  }

  void inspect_calls(const SourceFile& file) {
    static const std::vector<std::string_view> kCalls = {
        "fopen",   "freopen", "fdopen", "popen",   "fstream",   "ifstream",  "ofstream",  "printf",
        "fprintf", "puts",    "fputs",  "putchar", "std::cout", "std::cerr", "std::clog", "fmt::print"};
    inspect_words(file, kCalls, "only programs open files or print, not ");
  }

  // What returns a std::ranges::subrange.
  void inspect_ranges(const SourceFile& file) {
    static const std::vector<std::string_view> kSubranges = {"equal_range", "find_end",         "partition", "remove",
                                                             "remove_if",   "rotate",           "search",    "search_n",
                                                             "subrange",    "stable_partition", "unique"};
    static const std::vector<std::string> kNames = [] {
      std::vector<std::string> names;
      for (const std::string_view name : kSubranges) names.push_back("ranges::" + std::string(name));
      return names;
    }();
    inspect_words(file, {kNames.begin(), kNames.end()}, "clang 14 does not compile this of libstdc++ 12: std::");
  }

  // Sentences about all mappings, or a class of them, say what their provers varied.
  void inspect_claims(const SourceFile& file) {
    static const std::vector<std::string_view> kClaims = {
        "mapping of any kind",  "mappings of any kind", "mapping at all",         "nothing of this kind",
        "Nothing of this kind", "Nothing of any kind",  "plan of this kind (one", "mapping has a shorter period"};
    const std::string folder = folder_of(file.path);
    const bool proves = folder == "plan" || folder == "heuristics" || folder == "tools";
    if (proves && file.path != "plan/claims.cpp")
      inspect_words(file, kClaims, "plan/claims.cpp alone says what is proved of which mappings, not ");
  }

  void inspect_words(const SourceFile& file, const std::vector<std::string_view>& words, const std::string& breach) {
    std::size_t number = 0;
    for (const std::string& line : lines_of(file.text)) {
      ++number;
      const std::string code = line.substr(0, line.find("//"));
      if (code.find("#include") != std::string::npos) continue;
      if (const auto word = word_in(code, words)) report(file.path, number, breach + *word);
    }
  }

  std::map<std::string, std::vector<Include>> includes_;
  std::vector<std::string> found_;
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

std::vector<SourceFile> read_files(const std::filesystem::path& root, std::span<const std::string_view> folders,
                                   const std::set<std::string>& wanted) {
  std::vector<SourceFile> files;
  for (const std::string_view folder : folders) {
    if (!std::filesystem::exists(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::filesystem::path& path = entry.path();
      const bool is_wanted = wanted.contains(path.extension().string()) || wanted.contains(path.filename().string());
      if (entry.is_regular_file() && is_wanted) {
        files.push_back({std::filesystem::relative(path, root).generic_string(), read_file(path)});
      }
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::vector<SourceFile> read_sources(const std::filesystem::path& root) {
  return read_files(root, kCodeFolders, {".hpp", ".cpp", "README.md"});
}

std::vector<std::string> violations(const std::vector<SourceFile>& files) { return Inspector(files).run(files); }

}  // namespace takt::house

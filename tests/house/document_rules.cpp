// Reads documents line by line; what counts as a key or a declaration is a matter of spelling.
#include "tests/house/document_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace takt::house {

namespace {

constexpr std::string_view kReferences = "docs/references.bib";
constexpr std::string_view kGlossary = "docs/glossary.md";

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Calls visit(number, line) for every line, from 1 on.
template <typename Visit>
void for_each_line(const std::string& text, Visit visit) {
  std::istringstream stream(text);
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) visit(++number, line);
}

std::string at(const SourceFile& file, std::size_t line) { return file.path + ":" + std::to_string(line) + ": "; }

bool is_code(const SourceFile& file) { return file.path.ends_with(".cpp") || file.path.ends_with(".hpp"); }

/// A key at the start of `text`: lower-case letters, a year, letters or none. Empty if there is none.
std::string_view key_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_lower(text[end])) ++end;
  const std::size_t year = end;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (year == 0 || end != year + 4) return {};
  while (end < text.size() && is_lower(text[end])) ++end;
  return end < text.size() && is_word(text[end]) ? std::string_view{} : text.substr(0, end);
}

/// The keys in brackets.
std::vector<std::string> bracketed_keys(std::string_view text) {
  std::vector<std::string> keys;
  for (std::size_t k = text.find('['); k != std::string_view::npos; k = text.find('[', k + 1)) {
    const std::string_view key = key_at(text.substr(k + 1));
    if (!key.empty() && text.substr(k + 1 + key.size()).starts_with(']')) keys.emplace_back(key);
  }
  return keys;
}

/// The keys among the words of a heuristic's source.
std::vector<std::string> source_keys(std::string_view line) {
  constexpr std::string_view kSource = ".source = \"";
  const std::size_t start = line.find(kSource);
  if (start == std::string_view::npos) return {};
  std::vector<std::string> keys;
  const std::string_view text = line.substr(start + kSource.size());
  for (std::size_t k = 0; k < text.size() && text[k] != '"'; ++k) {
    if (k > 0 && is_word(text[k - 1])) continue;
    if (const std::string_view key = key_at(text.substr(k)); !key.empty()) keys.emplace_back(key);
  }
  return keys;
}

std::vector<std::string> keys_of(const SourceFile& file, const std::string& line) {
  if (!is_code(file)) return bracketed_keys(line);
  const std::size_t comment = line.find("//");
  auto keys = comment == std::string::npos ? std::vector<std::string>{} : bracketed_keys(line.substr(comment));
  if (file.path.starts_with("heuristics/")) {
    for (std::string& key : source_keys(line)) keys.push_back(std::move(key));
  }
  return keys;
}

/// The entries of references.bib and their lines.
std::map<std::string, std::size_t> entries_of(const SourceFile& references) {
  std::map<std::string, std::size_t> entries;
  for_each_line(references.text, [&](std::size_t number, const std::string& line) {
    const std::size_t open = line.find('{');
    if (!line.starts_with('@') || open == std::string::npos) return;
    entries.emplace(line.substr(open + 1, line.find(',') - open - 1), number);
  });
  return entries;
}

const SourceFile* find(const std::vector<SourceFile>& files, std::string_view path) {
  const auto found = std::ranges::find(files, path, &SourceFile::path);
  return found == files.end() ? nullptr : &*found;
}

/// The last cell of a row of a Markdown table, or nothing.
std::optional<std::string> last_cell(const std::string& line) {
  if (!line.starts_with('|') || !line.ends_with('|')) return std::nullopt;
  const std::size_t bar = line.rfind('|', line.size() - 2);
  if (bar == std::string::npos) return std::nullopt;
  return line.substr(bar + 1, line.size() - bar - 2);
}

/// What stands between backticks.
std::vector<std::string> quoted_in(const std::string& cell) {
  std::vector<std::string> names;
  for (std::size_t open = cell.find('`'); open != std::string::npos;) {
    const std::size_t close = cell.find('`', open + 1);
    if (close == std::string::npos) break;
    names.push_back(cell.substr(open + 1, close - open - 1));
    open = cell.find('`', close + 1);
  }
  return names;
}

/// The names of all types that a header declares: the word behind struct, class, enum class or using.
std::set<std::string> types_of(const std::vector<SourceFile>& files) {
  std::set<std::string> types;
  for (const SourceFile& file : files) {
    if (!file.path.ends_with(".hpp") || file.path.starts_with("tests/")) continue;
    for_each_line(file.text, [&](std::size_t, const std::string& line) {
      std::istringstream words(line);
      std::string word;
      while (words >> word && word != "struct" && word != "class" && word != "enum" && word != "using") {
        if (word.starts_with("//")) return;
      }
      if (word == "enum") words >> word;
      if (words >> word) types.insert(word.substr(0, word.find_first_of(";:{<=")));
    });
  }
  return types;
}

/// Calls visit(number, line) for every line of a .md file outside blocks of code.
template <typename Visit>
void for_each_prose_line(const std::string& text, Visit visit) {
  bool is_code = false;
  for_each_line(text, [&](std::size_t number, const std::string& line) {
    const bool is_fence = line.find("```") != std::string::npos;
    if (is_fence) is_code = !is_code;
    if (!is_code && !is_fence) visit(number, line);
  });
}

/// What a link names to lead to a heading: in lower case, '-' for blanks, without what is neither a word's nor '-'.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (is_word(c) || c == '-') anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

/// Where links to a .md file may lead: its headings and ids.
std::set<std::string> anchors_of(const SourceFile& file) {
  std::set<std::string> anchors;
  for_each_prose_line(file.text, [&](std::size_t, const std::string& line) {
    const std::size_t words = line.find_first_not_of('#');
    if (words != 0 && words != std::string::npos && line[words] == ' ')
      anchors.insert(anchor_of(line.substr(words + 1)));
    constexpr std::string_view kId = "<a id=\"";
    for (std::size_t k = line.find(kId); k != std::string::npos; k = line.find(kId, k + 1)) {
      const std::size_t begin = k + kId.size();
      anchors.insert(line.substr(begin, line.find('"', begin) - begin));
    }
  });
  return anchors;
}

/// The targets of links, "PATH", "PATH#ANCHOR" or "#ANCHOR", but those that leave the repository.
std::vector<std::string> links_in(const std::string& line) {
  std::vector<std::string> links;
  for (std::size_t k = line.find("]("); k != std::string::npos; k = line.find("](", k + 1)) {
    const std::string link = line.substr(k + 2, line.find(')', k) - k - 2);
    if (link.find("://") == std::string::npos) links.push_back(link);
  }
  return links;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The text behind `start` on the line that starts with it, up to a blank or a parenthesis.
std::optional<std::pair<std::size_t, std::string>> word_behind(const SourceFile* file, std::string_view start) {
  std::optional<std::pair<std::size_t, std::string>> found;
  if (file == nullptr) return found;
  for_each_line(file->text, [&](std::size_t number, const std::string& line) {
    if (found || !line.starts_with(start)) return;
    const std::string rest = line.substr(start.size());
    found.emplace(number, rest.substr(0, rest.find_first_of(" )")));
  });
  return found;
}

/// Calls visit(line number, path that it leads to, anchor: "#WORDS" or nothing) for every link of a file.
template <typename Visit>
void for_each_link(const SourceFile& file, Visit visit) {
  for_each_prose_line(file.text, [&](std::size_t number, const std::string& line) {
    for (const std::string& link : links_in(line)) {
      const std::size_t hash = std::min(link.find('#'), link.size());
      const auto folder = std::filesystem::path(file.path).parent_path();
      visit(number, hash == 0 ? file.path : (folder / link.substr(0, hash)).lexically_normal().string(),
            link.substr(hash));
    }
  });
}

/// Whether the site holds a file or folder, by the lines of docs/site/files.
bool is_on_site(const std::string& path, const std::vector<std::string>& held) {
  return std::ranges::any_of(held, [&](const std::string& entry) {
    const std::size_t star = entry.find('*');
    if (star != std::string::npos)
      return path.starts_with(entry.substr(0, star)) && path.ends_with(entry.substr(star + 1));
    return path == entry || path.starts_with(entry + "/");
  });
}

}  // namespace

std::vector<SourceFile> read_documents(const std::filesystem::path& root) {
  static const std::array<std::string_view, 5> kExtensions = {".md", ".bib", ".cff", ".json", ".txt"};
  std::vector<SourceFile> files;
  const auto add = [&](const std::filesystem::directory_entry& entry) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || std::ranges::find(kExtensions, extension) == kExtensions.end()) return;
    files.push_back({std::filesystem::relative(entry.path(), root).generic_string(), read_file(entry.path())});
  };
  for (const auto& entry : std::filesystem::directory_iterator(root)) add(entry);
  for (const char* folder : {"docs", "examples", "cmake"}) {
    for (const auto& entry : std::filesystem::directory_iterator(root / folder)) add(entry);
  }
  for (const char* path : {"debian/changelog", "debian/libtakt-dev.README.Debian", "docs/site/files",
                           "examples/compress/CMakeLists.txt", "tests/house/consumer/CMakeLists.txt"}) {
    files.push_back({path, read_file(root / path)});
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::vector<std::string> citation_violations(const std::vector<SourceFile>& files) {
  const SourceFile* references = find(files, kReferences);
  if (references == nullptr) return missing(kReferences);
  std::map<std::string, std::size_t> uncited = entries_of(*references);
  const std::map<std::string, std::size_t> entries = uncited;
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (&file == references) continue;
    for_each_line(file.text, [&](std::size_t number, const std::string& line) {
      for (const std::string& key : keys_of(file, line)) {
        uncited.erase(key);
        if (!entries.contains(key)) found.push_back(at(file, number) + "docs/references.bib has no " + key);
      }
    });
  }
  for (const auto& [key, line] : uncited) found.push_back(at(*references, line) + "nothing cites " + key);
  return found;
}

std::vector<std::string> glossary_violations(const std::vector<SourceFile>& files) {
  const SourceFile* glossary = find(files, kGlossary);
  if (glossary == nullptr) return missing(kGlossary);
  const std::set<std::string> types = types_of(files);
  std::vector<std::string> found;
  for_each_line(glossary->text, [&](std::size_t number, const std::string& line) {
    const auto cell = last_cell(line);
    if (!cell || *cell == " see " || cell->starts_with("---")) return;
    const auto names = quoted_in(*cell);
    if (names.empty()) found.push_back(at(*glossary, number) + "names no file or type in its last column");
    for (const std::string& name : names) {
      const bool is_path = name.find('/') != std::string::npos;
      if (is_path ? find(files, name) == nullptr : !types.contains(name)) {
        found.push_back(at(*glossary, number) + "no " + (is_path ? "file " : "type ") + name);
      }
    }
  });
  return found;
}

std::vector<std::string> link_violations(const std::vector<SourceFile>& files, const std::filesystem::path& root) {
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (!file.path.ends_with(".md")) continue;
    for_each_link(file, [&](std::size_t number, const std::string& path, const std::string& anchor) {
      const SourceFile* target = find(files, path);
      if (target == nullptr && !std::filesystem::exists(root / path)) {
        found.push_back(at(file, number) + "no file " + path);
      } else if (!anchor.empty() && (target == nullptr || !anchors_of(*target).contains(anchor.substr(1)))) {
        found.push_back(at(file, number) + path + " has no " + anchor);
      }
    });
  }
  return found;
}

std::vector<std::string> site_violations(const std::vector<SourceFile>& files) {
  constexpr const char* kSite = "docs/site/files";
  const SourceFile* list = find(files, kSite);
  if (list == nullptr) return missing(kSite);
  std::vector<std::string> held;
  for_each_line(list->text, [&](std::size_t, const std::string& line) { held.push_back(line); });
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (!file.path.ends_with(".md") || !is_on_site(file.path, held)) continue;
    for_each_link(file, [&](std::size_t number, const std::string& path, const std::string&) {
      if (!is_on_site(path, held)) found.push_back(at(file, number) + kSite + " has no " + path);
    });
  }
  return found;
}

std::vector<std::string> version_violations(const std::vector<SourceFile>& files) {
  const auto built = word_behind(find(files, "CMakeLists.txt"), "project(takt VERSION ");
  if (!built) return {"CMakeLists.txt:1: says no version"};
  std::vector<std::string> found;
  for (const auto& [path, words] : {std::pair("CITATION.cff", "version: "), std::pair("debian/changelog", "takt (")}) {
    auto said = word_behind(find(files, path), words);
    if (!said) {
      found.push_back(path + std::string(":1: says no version"));
      continue;
    }
    // A package has a revision behind it.
    said->second.resize(std::min(said->second.find('-'), said->second.size()));
    if (said->second == built->second) continue;
    found.push_back(path + (":" + std::to_string(said->first)) + ": version " + said->second + ", the project's is " +
                    built->second);
  }
  const std::string minor = built->second.substr(0, built->second.rfind('.'));
  for (const SourceFile& file : files) {
    if (file.path.ends_with(".cpp") || file.path.ends_with(".hpp")) continue;
    for_each_line(file.text, [&](std::size_t number, const std::string& line) {
      static constexpr std::string_view kWanted = "find_package(takt ";
      const std::size_t place = line.find(kWanted);
      if (place == std::string::npos) return;
      const std::size_t begin = place + kWanted.size();
      const std::string wanted = line.substr(begin, line.find_first_of(" )", begin) - begin);
      if (wanted != minor) found.push_back(at(file, number) + "version " + wanted + ", the project's is " + minor);
    });
  }
  return found;
}

}  // namespace takt::house

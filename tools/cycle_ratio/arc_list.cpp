// Graphs as people type them, one arc per line.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>
#include <utility>
#include <variant>

#include "tools/cycle_ratio/graph_builder.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/files/files.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

constexpr std::string_view kBlanks = " \t\r";

class ArcListReader {
 public:
  ArcListReader(std::string_view text, const std::string& path, const std::function<bool()>& is_over)
      : text_(text), path_(path), builder_(path, is_over) {}

  RatioGraph read() {
    for (std::size_t start = 0; start < text_.size(); ++line_) {
      const std::size_t end = std::min(text_.find('\n', start), text_.size());
      read_line(text_.substr(start, end - start));
      start = end + 1;
    }
    if (builder_.graph().arcs.empty()) fail_at(path_, {}, "no arc", kExpectedLine);
    return std::move(builder_.graph());
  }

 private:
  static constexpr std::size_t kMostWords = 4;
  static constexpr const char* kExpectedLine = "lines FROM TO WEIGHT [TOKENS], an arc each";

  struct Word {
    std::string_view text;
    std::size_t column = 1;
  };

  // Up to a comment.
  void split(std::string_view line) {
    count_ = 0;
    for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos && line[at] != '#';) {
      const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
      const Word word{line.substr(at, end - at), at + 1};
      if (count_ == kMostWords) fail(word, "the end of the line");
      words_[count_++] = word;
      at = line.find_first_not_of(kBlanks, end);
    }
  }

  void read_line(std::string_view line) {
    split(line);
    if (count_ == 0) return;
    const auto& [from, to, weight, tokens] = words_;
    if (count_ + 1 < kMostWords) {
      fail_at(path_, {line_, from.column}, plural(count_, "word"), "FROM TO WEIGHT [TOKENS]");
    }
    maxplus::RationalArc arc;
    auto number = maxplus::parse_number(weight.text);
    if (const auto* refused = std::get_if<maxplus::NumberExpectation>(&number)) fail(weight, refused->expected);
    arc.weight = std::get<maxplus::Rational>(std::move(number));
    arc.tokens = kUnsaidTokens;
    if (count_ == kMostWords) {
      const auto said = read_tokens(tokens.text);
      if (!said) fail(tokens, kExpectedTokens);
      arc.tokens = *said;
    }
    arc.from = builder_.vertex(from.text);
    arc.to = builder_.vertex(to.text);
    builder_.add(std::move(arc));
  }

  [[noreturn]] void fail(const Word& word, const std::string& expected) const {
    fail_at(path_, {line_, word.column}, tpn::json::quote(word.text), expected);
  }

  std::string_view text_;
  const std::string& path_;
  GraphBuilder builder_;
  std::size_t line_ = 1;
  std::array<Word, kMostWords> words_;
  std::size_t count_ = 0;
};

constexpr std::string_view kGraphMark = "\xEF\xBB\xBF";

}  // namespace

RatioGraph read_arc_list(std::string_view text, const std::string& path, const std::function<bool()>& is_over) {
  require_text(text, path);
  return ArcListReader(text, path, is_over).read();
}

namespace {

// An instance has an application at its beginning.
void require_no_instance(std::string_view text, const std::string& path) {
  static const std::regex kApplication("\\{\\s*\"application\"\\s*:");
  const std::size_t looked_at = std::min<std::size_t>(text.size(), 1000);
  if (!std::regex_search(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(looked_at), kApplication,
                         std::regex_constants::match_continuous)) {
    return;
  }
  throw FileError(fmt::format("{}: found an instance, expected a graph; takt evaluate {} has its period",
                              display_name(path), shell_word(path)));
}

RatioGraph read_any_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over) {
  if (text.starts_with(kGraphMark)) text.remove_prefix(kGraphMark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const char start = first == std::string_view::npos ? '\0' : text[first];
  if (start == '<') return read_sdf3_graph(text, path, is_over);
  if (start == '{') require_no_instance(text.substr(first), path);
  if (start == '{' || start == '[') return read_json_graph(text, path, is_over);
  if (is_dimacs_graph(text)) return read_dimacs_graph(text, path, is_over);
  return read_arc_list(text, path, is_over);
}

}  // namespace

std::optional<RatioGraph> read_ratio_graph(std::string_view text, const std::string& path,
                                           const std::function<bool()>& is_over) {
  try {
    return read_any_graph(text, path, is_over);
  } catch (const GraphReadingStopped&) {
    return std::nullopt;
  }
}

}  // namespace takt::tools

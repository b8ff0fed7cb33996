// Graphs as people type them, one arc per line.
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>
#include <variant>

#include "tools/cycle_ratio/graph_builder.hpp"
#include "tools/cycle_ratio/graph_lines.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/files/files.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

class ArcListReader : GraphLineReader {
 public:
  ArcListReader(std::string_view text, const std::string& path, const std::function<bool()>& is_over)
      : GraphLineReader(text, path, is_over) {}

  RatioGraph read() {
    for (std::size_t start = 0; start < text_.size(); ++line_) {
      start = words_.cut(text_, start, '#');
      read_line();
    }
    if (builder_.graph().arcs.empty()) fail_at(path_, {}, "no arc", kExpectedLine);
    return std::move(builder_.graph());
  }

 private:
  static constexpr std::size_t kMostWords = 4;
  static constexpr const char* kExpectedLine = "lines FROM TO WEIGHT [TOKENS], an arc each";

  void read_line() {
    if (words_.size() == 0) return;
    if (words_.size() > kMostWords) fail(words_[kMostWords], "the end of the line");
    if (words_.size() + 1 < kMostWords) {
      fail_at(path_, {line_, words_[0].column}, plural(words_.size(), "word"), "FROM TO WEIGHT [TOKENS]");
    }
    std::uint64_t tokens = kUnsaidTokens;
    if (words_.size() == kMostWords) {
      const auto said = read_tokens(words_[3].text);
      if (!said) fail_after_weight();
      tokens = *said;
    }
    const std::size_t from = builder_.vertex(words_[0].text);
    const std::size_t to = builder_.vertex(words_[1].text);
    if (const auto expected = builder_.add(from, to, words_[2].text, tokens)) fail(words_[2], *expected);
  }

  // Of two slips the first is told.
  [[noreturn]] void fail_after_weight() const {
    const auto number = maxplus::parse_number(words_[2].text);
    if (const auto* refused = std::get_if<maxplus::NumberExpectation>(&number)) fail(words_[2], refused->expected);
    fail(words_[3], kExpectedTokens);
  }

  GraphLine words_;
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
  if (start == '{' && is_node_link_graph(text)) return read_node_link_graph(text, path, is_over);
  if (start == '{' || start == '[') return read_json_graph(text, path, is_over);
  if (is_matrix_market(text)) return read_matrix_market(text, path, is_over);
  if (is_lgf_graph(text)) return read_lgf_graph(text, path, is_over);
  if (is_csv_graph(text)) return read_csv_graph(text, path, is_over);
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

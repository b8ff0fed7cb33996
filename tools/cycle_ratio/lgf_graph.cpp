// Directed graphs in LEMON's graph format: sections "@nodes" and "@arcs", each with a line of the names of its maps.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/cycle_ratio/graph_builder.hpp"
#include "tools/cycle_ratio/graph_lines.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

struct LgfToken {
  std::string text;
  std::size_t column = 1;
};

class LgfReader {
 public:
  LgfReader(std::string_view text, const std::string& path, const std::function<bool()>& is_over)
      : text_(text), path_(path), builder_(path, is_over, text.size(), count_lines(text)) {}

  RatioGraph read() {
    for (std::size_t start = 0; start < text_.size(); ++line_) {
      const std::size_t end = std::min(text_.find('\n', start), text_.size());
      cut(text_.substr(start, end - start));
      start = end + 1;
      if (!tokens_.empty()) read_line();
    }
    if (!has_arcs_) fail_at(path_, {}, "no section @arcs", "one");
    return std::move(builder_.graph());
  }

 private:
  enum class Section { none, nodes, arcs, other };

  // Words, and texts in double quotes with backslashes before quotes and backslashes.
  void cut(std::string_view line) {
    tokens_.clear();
    for (std::size_t at = 0; at < line.size();) {
      if (line[at] == ' ' || line[at] == '\t' || line[at] == '\r') {
        ++at;
        continue;
      }
      if (line[at] == '#') return;
      LgfToken token{{}, at + 1};
      if (line[at] == '"') {
        at = cut_quoted(line, at, token.text);
      } else {
        const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
        token.text = line.substr(at, end - at);
        at = end;
      }
      tokens_.push_back(std::move(token));
    }
  }

  std::size_t cut_quoted(std::string_view line, std::size_t start, std::string& text) const {
    for (std::size_t at = start + 1; at < line.size(); ++at) {
      if (line[at] == '"') return at + 1;
      if (line[at] == '\\' && at + 1 < line.size()) ++at;
      text += line[at];
    }
    fail_at(path_, {line_, start + 1}, "a quote that is not closed", "another behind it");
  }

  void read_line() {
    if (tokens_.front().text.starts_with('@')) return begin_section();
    if (section_ == Section::none) fail(tokens_.front(), "a section such as @arcs");
    if (section_ == Section::other) return;
    if (!has_header_) return read_header();
    if (section_ == Section::arcs) return read_arc();
    if (tokens_.size() != maps_.size()) fail_count(maps_.size());
    if (label_) builder_.vertex(tokens_[*label_].text);
  }

  void begin_section() {
    const std::string& name = tokens_.front().text;
    if (name == "@edges" || name == "@uedges" || name == "@red_nodes" || name == "@blue_nodes") {
      fail(tokens_.front(), "a directed graph: sections @nodes and @arcs");
    }
    section_ = name == "@nodes"                        ? Section::nodes
               : name == "@arcs" || name == "@edgeset" ? Section::arcs
                                                       : Section::other;
    has_arcs_ = has_arcs_ || section_ == Section::arcs;
    has_header_ = false;
  }

  void read_header() {
    has_header_ = true;
    maps_.clear();
    for (const LgfToken& token : tokens_) maps_.push_back(token.text);
    if (section_ == Section::nodes) {
      label_ = map("label");
      return;
    }
    constexpr std::array kWeights = {"weight", "cost", "length"};
    weight_ = std::nullopt;
    for (const char* name : kWeights) {
      if (!weight_) weight_ = map(name);
    }
    if (!weight_) {
      fail_at(path_, {line_, 1}, fmt::format("the maps {}", fmt::join(maps_, ", ")),
              "one named weight, cost or length");
    }
    count_ = map("tokens");
  }

  std::optional<std::size_t> map(std::string_view name) const {
    const auto found = std::ranges::find(maps_, name);
    return found == maps_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - maps_.begin()));
  }

  // The two ends, then the maps.
  void read_arc() {
    constexpr std::size_t kEnds = 2;
    if (tokens_.size() != kEnds + maps_.size()) fail_count(kEnds + maps_.size());
    std::uint64_t tokens = kUnsaidTokens;
    if (count_) {
      const auto said = read_tokens(tokens_[kEnds + *count_].text);
      if (!said) fail(tokens_[kEnds + *count_], kExpectedTokens);
      tokens = *said;
    }
    const LgfToken& weight = tokens_[kEnds + *weight_];
    const std::size_t from = vertex(tokens_[0]);
    const std::size_t to = vertex(tokens_[1]);
    if (const auto expected = builder_.add(from, to, weight.text, tokens)) fail(weight, *expected);
  }

  std::size_t vertex(const LgfToken& token) {
    if (!label_) return builder_.vertex(token.text);
    const auto found = builder_.find_vertex(token.text);
    if (!found) fail(token, "the label of a node");
    return *found;
  }

  [[noreturn]] void fail(const LgfToken& token, const std::string& expected) const {
    fail_at(path_, {line_, token.column}, tpn::json::quote(token.text), expected);
  }
  [[noreturn]] void fail_count(std::size_t expected) const {
    fail_at(path_, {line_, 1}, plural(tokens_.size(), "word"), plural(expected, "word"));
  }

  std::string_view text_;
  const std::string& path_;
  GraphBuilder builder_;
  std::size_t line_ = 1;
  std::vector<LgfToken> tokens_;
  Section section_ = Section::none;
  bool has_header_ = false;
  bool has_arcs_ = false;
  std::vector<std::string> maps_;
  std::optional<std::size_t> label_;   // of the nodes, a map
  std::optional<std::size_t> weight_;  // of the arcs
  std::optional<std::size_t> count_;
};

}  // namespace

bool is_lgf_graph(std::string_view text) {
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t first = text.find_first_not_of(" \t\r\n", start);
    if (first == std::string_view::npos || text[first] != '#')
      return first != std::string_view::npos && text[first] == '@';
    start = std::min(text.find('\n', first), text.size());
  }
  return false;
}

RatioGraph read_lgf_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over) {
  require_text(text, path);
  return LgfReader(text, path, is_over).read();
}

}  // namespace takt::tools

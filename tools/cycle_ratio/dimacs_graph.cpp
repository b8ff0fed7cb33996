// Graphs in the form of the DIMACS challenges on shortest paths: "p sp VERTICES ARCS", then "a FROM TO WEIGHT".
#include <fmt/format.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tools/cycle_ratio/graph_builder.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

struct DimacsWord {
  std::string_view text;
  std::size_t column = 1;
};

using DimacsLine = std::vector<DimacsWord>;

constexpr std::string_view kDimacsBlanks = " \t\r";

DimacsLine words_of_line(std::string_view line) {
  DimacsLine words;
  for (std::size_t at = line.find_first_not_of(kDimacsBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kDimacsBlanks, at), line.size());
    words.push_back({line.substr(at, end - at), at + 1});
    at = line.find_first_not_of(kDimacsBlanks, end);
  }
  return words;
}

bool is_comment(const DimacsLine& words) { return words.empty() || words.front().text == "c"; }

bool is_problem_line(const DimacsLine& words) {
  constexpr std::size_t kWords = 4;
  return words.size() == kWords && words[0].text == "p" && words[1].text == "sp" && read_tokens(words[2].text) &&
         read_tokens(words[3].text);
}

// Calls visit(line number, words) for each line that is no comment, until it returns false.
template <typename Visit>
void for_each_line(std::string_view text, Visit visit) {
  std::size_t number = 1;
  for (std::size_t start = 0; start < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const DimacsLine words = words_of_line(text.substr(start, end - start));
    if (!is_comment(words) && !visit(number, words)) return;
    start = end + 1;
  }
}

class DimacsReader {
 public:
  DimacsReader(std::string_view text, const std::string& path, const std::function<bool()>& is_over)
      : text_(text), path_(path), builder_(path, is_over) {}

  RatioGraph read() {
    for_each_line(text_, [&](std::size_t line, const DimacsLine& words) {
      line_ = line;
      if (is_begun_) read_arc(words);
      if (!is_begun_) begin(words);
      return true;
    });
    if (builder_.graph().arcs.size() != arcs_) {
      fail_at(path_, {}, plural(builder_.graph().arcs.size(), "arc"),
              fmt::format("the {} of the line \"p sp\"", arcs_));
    }
    return std::move(builder_.graph());
  }

 private:
  void begin(const DimacsLine& words) {
    vertices_ = *read_tokens(words[2].text);
    arcs_ = *read_tokens(words[3].text);
    is_begun_ = true;
  }

  void read_arc(const DimacsLine& words) {
    constexpr std::size_t kWords = 4;
    if (words.size() != kWords || words.front().text != "a") {
      fail_at(path_, {line_, words.front().column}, tpn::json::quote(words.front().text), "a FROM TO WEIGHT, or c");
    }
    maxplus::RationalArc arc;
    arc.from = vertex(words[1]);
    arc.to = vertex(words[2]);
    auto number = maxplus::parse_number(words[3].text);
    if (const auto* refused = std::get_if<maxplus::NumberExpectation>(&number)) fail(words[3], refused->expected);
    arc.weight = std::get<maxplus::Rational>(std::move(number));
    arc.tokens = kUnsaidTokens;
    builder_.add(std::move(arc));
  }

  std::size_t vertex(const DimacsWord& word) {
    const auto number = read_tokens(word.text);
    if (!number || *number < 1 || *number > vertices_) fail(word, fmt::format("a vertex from 1 to {}", vertices_));
    return builder_.vertex(std::to_string(*number));
  }

  [[noreturn]] void fail(const DimacsWord& word, const std::string& expected) const {
    fail_at(path_, {line_, word.column}, tpn::json::quote(word.text), expected);
  }

  std::string_view text_;
  const std::string& path_;
  GraphBuilder builder_;
  bool is_begun_ = false;
  std::uint64_t vertices_ = 0;
  std::uint64_t arcs_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

bool is_dimacs_graph(std::string_view text) {
  bool is_problem = false;
  for_each_line(text, [&](std::size_t, const DimacsLine& words) {
    is_problem = is_problem_line(words);
    return false;
  });
  return is_problem;
}

RatioGraph read_dimacs_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over) {
  require_text(text, path);
  return DimacsReader(text, path, is_over).read();
}

}  // namespace takt::tools

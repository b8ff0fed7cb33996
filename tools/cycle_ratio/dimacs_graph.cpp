// Graphs in the form of the DIMACS challenges on shortest paths: "p sp VERTICES ARCS", then "a FROM TO WEIGHT".
#include <fmt/format.h>

#include <optional>
#include <string>

#include "tools/cycle_ratio/graph_builder.hpp"
#include "tools/cycle_ratio/graph_lines.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

bool is_comment(const GraphLine& words) { return words.size() == 0 || words[0].text == "c"; }

bool is_problem_line(const GraphLine& words) {
  constexpr std::size_t kWords = 4;
  return words.size() == kWords && words[0].text == "p" && words[1].text == "sp" && read_tokens(words[2].text) &&
         read_tokens(words[3].text);
}

// Calls visit(line number, words) for each line that is no comment, until it returns false.
template <typename Visit>
void for_each_line(std::string_view text, Visit visit) {
  std::size_t number = 1;
  GraphLine words;
  for (std::size_t start = 0; start < text.size(); ++number) {
    start = words.cut(text, start, '\0');
    if (!is_comment(words) && !visit(number, words)) return;
  }
}

class DimacsReader : GraphLineReader {
 public:
  DimacsReader(std::string_view text, const std::string& path, const std::function<bool()>& is_over)
      : GraphLineReader(text, path, is_over) {}

  RatioGraph read() {
    for_each_line(text_, [&](std::size_t line, const GraphLine& words) {
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
  void begin(const GraphLine& words) {
    vertices_ = *read_tokens(words[2].text);
    arcs_ = *read_tokens(words[3].text);
    is_begun_ = true;
  }

  void read_arc(const GraphLine& words) {
    constexpr std::size_t kWords = 4;
    if (words.size() != kWords || words[0].text != "a") {
      fail_at(path_, {line_, words[0].column}, tpn::json::quote(words[0].text), "a FROM TO WEIGHT, or c");
    }
    const std::size_t from = numbered_vertex(words[1], vertices_, "a vertex");
    const std::size_t to = numbered_vertex(words[2], vertices_, "a vertex");
    if (const auto expected = builder_.add(from, to, words[3].text, kUnsaidTokens)) fail(words[3], *expected);
  }

  bool is_begun_ = false;
  std::uint64_t vertices_ = 0;
  std::uint64_t arcs_ = 0;
};

}  // namespace

bool is_dimacs_graph(std::string_view text) {
  bool is_problem = false;
  for_each_line(text, [&](std::size_t, const GraphLine& words) {
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

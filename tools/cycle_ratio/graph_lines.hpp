// Inside the readers of graphs: texts of millions of lines, cut into words, and weights as fast as integers are read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tools/cycle_ratio/graph_builder.hpp"

namespace takt::tools {

struct GraphWord {
  std::string_view text;
  std::size_t column = 1;
};

/// The words of one line, between blanks, tabs and carriage returns. Those beyond `kMost` are not kept.
class GraphLine {
 public:
  static constexpr std::size_t kMost = 6;

  /// Cuts the line that begins at `start`; a word that begins with `comment` and what is behind it counts for nothing.
  /// Returns where the next line begins.
  std::size_t cut(std::string_view text, std::size_t start, char comment);

  std::span<const GraphWord> words() const { return {words_.data(), count_}; }
  const GraphWord& operator[](std::size_t i) const { return words_[i]; }
  std::size_t size() const { return count_; }

 private:
  std::array<GraphWord, kMost> words_;
  std::size_t count_ = 0;
};

/// What readers of graphs line by line have in common: the text, the graph, and the line that they are at.
class GraphLineReader {
 protected:
  GraphLineReader(std::string_view text, const std::string& path, const std::function<bool()>& is_over);

  /// Throws tpn::ParseError at a word of the line.
  [[noreturn]] void fail(const GraphWord& word, const std::string& expected) const;
  /// The vertex of a number from 1 to `most`; else `what`, such as "a vertex", is expected.
  std::size_t numbered_vertex(const GraphWord& word, std::uint64_t most, const char* what);

  std::string_view text_;
  const std::string& path_;
  GraphBuilder builder_;
  std::size_t line_ = 1;
};

/// A weight that 64 bits hold as a fraction: numerator over denominator.
struct ShortWeight {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
};

/// Of texts such as "12", "-7" and "0.25" of at most 18 digits; nothing of all others, which may be numbers.
std::optional<ShortWeight> short_weight(std::string_view text);

/// Lines that a text has, at least: for room.
std::size_t count_lines(std::string_view text);

}  // namespace takt::tools

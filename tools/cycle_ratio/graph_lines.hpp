// Inside the readers of graphs: texts of millions of lines, cut into words, and weights as fast as integers are read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

// Names, each once, in one text: the vertices of a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace takt::tools {

/// Names numbered from 0 in the order in which they came, fewer than 2^32 - 1. Numerals below a limit are found by
/// their number, other names by a hash.
class NameTable {
 public:
  /// Numerals below `numerals` have an entry of 4 bytes each once one as large has come.
  explicit NameTable(std::size_t numerals = kFewNumerals) : numerals_(numerals) {}

  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t index) const {
    const std::size_t start = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(text_).substr(start, ends_[index] - start);
  }

  /// The index of a name, a new one where it has not come yet.
  std::uint32_t add(std::string_view name);
  std::optional<std::uint32_t> find(std::string_view name) const;

 private:
  static constexpr std::size_t kFewNumerals = 1 << 16;

  struct Slot {
    std::uint32_t index = 0;  // of a name, plus 1; 0: free
    std::uint32_t hash = 0;
  };

  std::uint32_t append(std::string_view name);
  std::size_t slot_of(std::string_view name, std::size_t hash) const;
  void grow();

  std::size_t numerals_;
  std::string text_;
  std::vector<std::size_t> ends_;
  std::vector<std::uint32_t> by_numeral_;  // index plus 1
  std::vector<Slot> slots_;                // a power of two, at most half of them taken
  std::size_t taken_ = 0;
};

}  // namespace takt::tools

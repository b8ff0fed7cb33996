// A text cut into its lines, block by block as it comes: a file of any size takes the memory of a block.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/files/files.hpp"

namespace takt::tools {

/// A line that holds more than blanks.
struct TextLine {
  std::size_t number = 0;  // from 1, blank ones counted
  std::string_view text;   // without its end
};

class LineBlocks {
 public:
  /// About as many bytes, or one line that is longer, are in memory at a time.
  static constexpr std::size_t kBlock = std::size_t{1} << 20;

  /// The source must outlive it.
  explicit LineBlocks(ByteSource& source) : source_(source) {}

  /// The next lines, as many as came at once and one at least; none at the end. They hold until the next call.
  const std::vector<TextLine>& next();

 private:
  /// Waits for more; false at the end.
  bool fill();
  void cut(std::size_t end);

  ByteSource& source_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what is not cut yet
  std::size_t end_ = 0;    // of what was read
  std::size_t number_ = 0;
  std::vector<TextLine> lines_;
};

}  // namespace takt::tools

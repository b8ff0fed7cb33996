// What is behind the last end of a line waits at the front of the buffer for the rest.
#include "tools/files/line_blocks.hpp"

#include <algorithm>

namespace takt::tools {

const std::vector<TextLine>& LineBlocks::next() {
  lines_.clear();
  while (lines_.empty()) {
    const std::size_t known = end_ - begin_;
    if (!fill()) {
      cut(end_);
      break;
    }
    const std::string_view fresh(buffer_.data() + known, end_ - known);
    if (const std::size_t last = fresh.rfind('\n'); last != std::string_view::npos) cut(known + last + 1);
  }
  return lines_;
}

bool LineBlocks::fill() {
  std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
  end_ -= begin_;
  begin_ = 0;
  if (buffer_.size() < end_ + kBlock) buffer_.resize(std::max(end_ + kBlock, 2 * end_));
  const std::size_t count = source_.read(buffer_.data() + end_, kBlock);
  end_ += count;
  return count > 0;
}

// The lines up to there, an end of a line or of the text.
void LineBlocks::cut(std::size_t end) {
  while (begin_ < end) {
    const std::string_view rest(buffer_.data() + begin_, end - begin_);
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, length);
    ++number_;
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) lines_.push_back({number_, line});
    begin_ += std::min(length + 1, rest.size());
  }
}

}  // namespace takt::tools

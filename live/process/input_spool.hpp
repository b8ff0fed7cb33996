// What was read of a stream and is not delivered yet, on disk: so that it can be read again when a process died.
//
// A spool is a file: a head of four numbers of 8 bytes, as the machine has them, and lines. Its one writer appends what
// comes, its one reader hands out lines and says what is delivered; the space of that goes back to the system where it
// can.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "live/engine/input_feed.hpp"
#include "live/process/descriptor.hpp"

namespace takt::live {

/// A spool that cannot be read or written, or is none; says so on one line, path included.
class SpoolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Appends what is read of a stream.
class SpoolWriter {
 public:
  /// Makes the file, for lines of data sets from `next` on, or goes on with what it holds: a line at its end that is
  /// not whole is cut off. Throws SpoolError, also where lines before `next` are missing.
  SpoolWriter(std::string path, std::uint64_t next);

  /// Bytes of a line that was cut off.
  std::uint64_t cut_off() const { return cut_off_; }
  /// Bytes that are not delivered yet.
  std::uint64_t waiting() const;
  void append(std::string_view bytes);
  /// All lines since it was made, where none are given back.
  std::set<std::string> lines() const;
  /// Nothing comes any more; what is behind the last line feed is a line.
  void end();

 private:
  void begin_file(std::uint64_t next);
  void cut_off_last();

  std::string path_;
  OwnedDescriptor file_;
  std::uint64_t size_ = 0;
  std::uint64_t cut_off_ = 0;
  bool is_line_open_ = false;
};

/// Hands out the lines of a spool in order, while it grows.
class SpoolReader final : public InputFeed {
 public:
  /// From data set `next` on. What is delivered is given back, unless it `keeps` it. Throws SpoolError if data set
  /// `next` is not there.
  SpoolReader(std::string path, std::uint64_t next, bool keeps = false);

  std::optional<std::string> next() override;
  bool is_over() override;
  /// The lines of data sets below `next` are not wanted any more.
  void deliver(std::uint64_t next);

 private:
  std::optional<std::string> take_line();
  std::size_t read_more();

  std::string path_;
  OwnedDescriptor file_;
  bool keeps_ = false;
  std::string text_;             // from at_ on, what is read of it
  std::size_t taken_ = 0;        // of the text
  std::size_t searched_ = 0;     // of the text: no line feed from taken_ up to here
  std::uint64_t at_ = 0;         // where the text begins in the file
  std::uint64_t delivered_ = 0;  // lines of data sets below are not wanted
  std::uint64_t delivered_at_ = 0;
  std::uint64_t freed_at_ = 0;  // space before it is given back
};

}  // namespace takt::live

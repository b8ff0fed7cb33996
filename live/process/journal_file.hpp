// Journals on disk: one writer, which goes on where the last one ended, and readers.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "live/files/journal.hpp"
#include "live/process/descriptor.hpp"

namespace takt::live {

struct JournalOptions {
  /// The disk is synchronized after each of this many records; 0: when the system likes, which the end of a process
  /// does not harm, only that of the machine.
  std::uint64_t sync_every = 0;
  /// How long to wait for another writer to end.
  std::chrono::milliseconds patience{0};
};

/// A journal that is written. Nobody else writes it meanwhile.
class JournalFile {
 public:
  /// Makes the file, or reads all of it and cuts a torn record off its end; nothing else of it is ever changed. Throws
  /// JournalError, path included, where it cannot be had, is in another writer's hands, is no journal or a damaged one,
  /// or has another fingerprint.
  JournalFile(std::string path, std::string_view fingerprint, const JournalOptions& options = {});
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;
  /// Syncs where that was asked for.
  ~JournalFile();

  /// The data set whose result comes next: as many are there.
  std::uint64_t next() const { return next_; }
  /// Bytes of a torn record that were cut off when it was opened.
  std::uint64_t cut_off() const { return cut_off_; }

  /// Throws JournalError where `number` is not next(), or the result cannot be written; what of it was is torn then,
  /// and nothing can be appended any more.
  void append(std::uint64_t number, std::string_view result);
  /// All of it is on the disk when this returns. Throws JournalError.
  void sync();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void lock(std::chrono::milliseconds patience) const;
  void begin(std::string_view fingerprint);

  std::string path_;
  JournalOptions options_;
  OwnedDescriptor file_;
  std::uint64_t next_ = 0;
  std::uint64_t cut_off_ = 0;
  std::uint64_t unsynced_ = 0;
  bool is_torn_ = false;
};

/// A journal that is read, also while another process writes it: as long as it is now.
class JournalInput {
 public:
  /// Throws JournalError, path included.
  explicit JournalInput(std::string path);

  std::uint64_t size() const { return size_; }
  /// As scan_journal, path included.
  JournalScan scan(const RecordVisitor& visit = nullptr) const;
  /// As ReadAt. Throws JournalError.
  std::size_t read(std::uint64_t offset, std::span<char> to) const;

 private:
  std::string path_;
  OwnedDescriptor file_;
  std::uint64_t size_ = 0;
};

/// How to go on with a damaged journal, in words: what is right of it, and how to keep that.
std::string damage_words(const JournalDamage& damage);

}  // namespace takt::live

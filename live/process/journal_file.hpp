// Journals on disk: one writer, which goes on where the last one ended, and readers.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "live/files/journal.hpp"
#include "live/process/descriptor.hpp"

namespace takt::live {

struct JournalOptions {
  /// The disk is synchronized after each of this many records; 0: when the system likes, which the end of a process
  /// does not harm, only that of the machine.
  std::uint64_t sync_every = 0;
  /// How long to wait for another writer to end.
  std::chrono::milliseconds patience{0};
  /// Data sets in each segment of a new journal (segment_path); 0: one file. An existing journal keeps its
  /// segments.
  std::uint64_t segment = 0;
};

/// What a journal is held against before it goes on.
struct JournalOwner {
  Fingerprint fingerprint;
  /// By data set, the chain of the input up to it (InputChain); empty if there is no input.
  std::vector<std::uint64_t> chain{};
  /// A journal of other programs goes on all the same, and says so from then on (RecordKind::programs).
  bool takes_other_programs = false;
};

/// The chain of a file's lines, the inputs of data sets. Throws JournalError if it cannot be read.
std::vector<std::uint64_t> chain_of_lines(const std::string& path);

/// What tells a file from another, in words: its length and a checksum; nothing if it cannot be read.
std::optional<std::string> content_words(const std::string& path);

/// The file of a segment that is complete; the one that is written has the journal's own path. Segments are numbered
/// from 1.
std::string segment_path(const std::string& journal, std::uint64_t segment);

/// A file of a journal, opened.
struct JournalPart {
  std::string path;
  OwnedDescriptor file;
  std::uint64_t size = 0;
  std::uint64_t base = 0;  // bytes of the parts before it
};

/// Held by a run from its begin to its end, however many jobs write the journal in turn: a file beside it, which goes
/// with this.
class JournalLock {
 public:
  /// Throws JournalError at once, path included, where another run has it, or such a file is there that is no lock.
  explicit JournalLock(const std::string& journal);
  JournalLock(const JournalLock&) = delete;
  JournalLock& operator=(const JournalLock&) = delete;
  ~JournalLock();

 private:
  std::string path_;
  OwnedDescriptor file_;
  bool is_own_ = false;  // made by a run, which removes it
};

/// A journal that is written. Nobody else writes it meanwhile.
class JournalFile {
 public:
  /// Makes the file, or reads all of it, complete segments included, and cuts a torn record off its end; nothing else
  /// of it is ever changed. Throws JournalError, path included, where it cannot be had, is in another writer's hands,
  /// is no journal or a damaged one, one of version 1, or belongs to another pipeline, to other programs or to another
  /// input.
  JournalFile(std::string path, JournalOwner owner, const JournalOptions& options = {});
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;
  /// Syncs where that was asked for.
  ~JournalFile();

  /// The data set whose result comes next: as many are there.
  std::uint64_t next() const { return next_; }
  /// Of those that are there, the data sets that have failed, in order.
  const std::set<std::uint64_t>& failed() const { return failed_; }
  /// Bytes of a torn record that were cut off when it was opened.
  std::uint64_t cut_off() const { return cut_off_; }

  /// The programs were others before, and that is taken.
  bool has_changed_programs() const { return has_changed_programs_; }

  /// Throws JournalError if `number` is not next() or beyond the input, or the result cannot be written: its
  /// record is torn then, and nothing can be appended any more.
  void append(std::uint64_t number, std::string_view result);
  /// Likewise, in place of a result: that there is none (StageFailure, encoded).
  void append_failure(std::uint64_t number, std::string_view failure);
  /// The result of a data set that has failed, or its next failure. Throws JournalError if it has not.
  void replace(std::uint64_t number, std::string_view content, RecordKind kind);
  /// All of it is on the disk when this returns. Throws JournalError.
  void sync();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  bool lock(std::chrono::milliseconds patience) const;
  void open_locked();
  void begin();
  JournalScan scan(const RecordVisitor& visit) const;
  void require_same_input_before(const JournalSegment& segment) const;
  void require_begun(std::string_view header) const;
  void require_same_segments(const JournalScan& scan) const;
  void clear_place_of_next() const;
  void end_segment();
  std::uint64_t chain_before(std::uint64_t number) const;
  void require_same(const JournalScan& scan) const;
  void require_same_input(const JournalRecord& record) const;
  void note_programs();
  void append_record(std::uint64_t number, std::string_view content, RecordKind kind);
  void count_unsynced();
  void require_whole() const;
  void write_record(std::uint64_t number, std::string_view content, std::uint64_t chain, RecordKind kind);

  std::string path_;
  JournalOwner owner_;
  JournalOptions options_;
  OwnedDescriptor file_;
  std::uint64_t next_ = 0;
  std::set<std::uint64_t> failed_;
  std::uint64_t cut_off_ = 0;
  std::uint64_t unsynced_ = 0;
  bool is_torn_ = false;
  bool has_changed_programs_ = false;
  std::optional<JournalSegment> segment_;  // that is written
};

/// A journal that is read, also while another process writes it: as long as it is now, in all of its segments.
class JournalInput {
 public:
  /// Throws JournalError, path included.
  explicit JournalInput(std::string path);

  /// As scan_journal, path included.
  JournalScan scan(const RecordVisitor& visit = nullptr) const;
  /// As ReadAt. Throws JournalError.
  std::size_t read(std::uint64_t offset, std::span<char> to) const;

 private:
  std::vector<JournalPart> parts_;  // complete segments that are there, then the file of the path
};

/// How to go on with a damaged journal, in words: what is right of it, and how to keep that.
std::string damage_words(const JournalDamage& damage);

}  // namespace takt::live

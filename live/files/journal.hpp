// A journal: the results of a pipeline's data sets, each once and in order; its form, and how one is read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "live/files/checksum.hpp"

namespace takt::live {

/// What is no journal at all, one of another pipeline, or one that cannot be read or written; says so on one line.
class JournalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Longer texts about the pipeline are refused.
inline constexpr std::size_t kMostFingerprint = std::size_t{1} << 20;

/// What a journal belongs to, in two texts without line feeds, at most kMostFingerprint / 2 - 1 bytes each.
struct Fingerprint {
  std::string pipeline;
  std::string programs{};  // what its stages run; may change on purpose (RecordKind::programs)

  bool operator==(const Fingerprint&) const = default;
};

/// A journal in segments: which of them a file is.
struct JournalSegment {
  std::uint64_t data_sets = 0;  // of each segment; above 0
  std::uint64_t first = 0;      // data set of this one, a multiple of that
  std::uint64_t chain = 0;      // of the input before it

  bool operator==(const JournalSegment&) const = default;
};

/// How a journal, or a segment of one, begins.
std::string journal_header(const Fingerprint& fingerprint, const std::optional<JournalSegment>& segment = std::nullopt);

/// What a record holds.
enum class RecordKind : std::uint64_t {
  result,      // of the next data set
  programs,    // others, which stages run from the next data set on
  failure,     // of the next data set, in place of its result; or once more of one that has failed before
  replacement  // the result of a data set that has failed before
};

/// Why there is no result of a data set.
struct StageFailure {
  std::string stage;  // its name
  std::string words;  // on one line, without stage and data set
  std::string input;  // what the stage got

  bool operator==(const StageFailure&) const = default;
};

/// The content of a record of a failure, and back; nothing if it is none.
std::string encode(const StageFailure& failure);
std::optional<StageFailure> decode_failure(std::string_view content);

/// What stands around a content: number, kind, length, the chain of the input and a checksum of these before it, a
/// checksum of all behind it.
struct RecordFrame {
  static constexpr std::size_t kHead = 40;
  static constexpr std::size_t kCheck = 8;
  std::array<char, kHead> head{};
  std::array<char, kCheck> check{};
};

/// The chain is that of InputChain after the data set's input; 0 if there is no input.
RecordFrame frame_of(std::uint64_t number, std::string_view content, std::uint64_t chain = 0,
                     RecordKind kind = RecordKind::result);

/// A running checksum of an input: which inputs stand before and at a data set, and in which order. Where two inputs
/// differ at a data set their chains differ from there on, but for two differences that undo one another: one pair in
/// 2^64.
class InputChain {
 public:
  /// The next data set's input; the chain with it.
  std::uint64_t add(std::string_view input);

 private:
  Checksum sum_;
};

/// A result or a failure that is whole: where its bytes are.
struct JournalRecord {
  std::uint64_t number = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t chain = 0;
  RecordKind kind = RecordKind::result;
};

/// Programs that are others on purpose.
struct ProgramsChange {
  std::uint64_t data_set = 0;  // the first that they worked on
  std::string programs;
};

/// What cannot have come from a write that broke off.
struct JournalDamage {
  std::uint64_t record = 0;  // the number that was expected there
  std::uint64_t offset = 0;  // where it begins
  std::string what;          // "found ..., expected ..."
  std::string file{};        // the segment, if it is not the journal's own file
};

/// Data sets whose segments are not there any more.
struct DroppedSegments {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  bool operator==(const DroppedSegments&) const = default;
};

/// What a journal holds, up to the first record that is not whole.
struct JournalScan {
  std::uint64_t version = 0;                      // of its form; 0 if the header is torn
  std::optional<Fingerprint> fingerprint;         // nothing if the header itself is torn
  std::vector<ProgramsChange> changes;            // in order
  std::uint64_t records = 0;                      // data sets 0 to records - 1 have a result or a failure
  std::map<std::uint64_t, JournalRecord> failed;  // of these, those that have no result, each with its last failure
  std::uint64_t repeated = 0;                     // records of data sets that had failed before, results or failures
  std::uint64_t result_bytes = 0;                 // of results
  std::uint64_t end = 0;                          // of the last whole record; 0 if the header is torn
  std::uint64_t torn = 0;                         // bytes of a write that broke off behind it
  std::optional<JournalSegment> segment;          // which one was read last; nothing if there are none
  std::vector<DroppedSegments> dropped;           // in order
  std::optional<JournalDamage> damage;            // then nothing is torn

  /// Whether a data set's segment is not there any more.
  bool is_dropped(std::uint64_t number) const;
  /// How many data sets of `records` are there.
  std::uint64_t present() const;
  /// What its stages run since the last change. There is a fingerprint.
  const std::string& programs() const { return changes.empty() ? fingerprint->programs : changes.back().programs; }
};

/// Puts the bytes from an offset on into `to`; how many there were, fewer only at the end.
using ReadAt = std::function<std::size_t(std::uint64_t offset, std::span<char> to)>;
/// Hears of each whole result and failure in turn: data set by data set, but for those that come once more; false ends
/// the scan there.
using RecordVisitor = std::function<bool(const JournalRecord& record)>;

/// The form that is written. Journals of version 1, which say nothing of inputs and programs, are read alone.
inline constexpr std::uint64_t kJournalVersion = 2;
/// That of segments, whose records are the same.
inline constexpr std::uint64_t kSegmentVersion = 3;

/// Reads a journal of `size` bytes once from its begin to its end, in constant memory. Throws JournalError if it is
/// no journal, or one of a version to come. The last record is torn where its bytes are not all there, where they have
/// another checksum, or where only zeros follow: what a machine's end may leave behind.
JournalScan scan_journal(std::uint64_t size, const ReadAt& read, const RecordVisitor& visit = nullptr);

/// Likewise the segment that follows others, of which `before` was found; places are told as if `base` bytes stood
/// before it, but for `end`, `torn` and damage. Segments between them may be gone.
JournalScan scan_segment(JournalScan before, std::uint64_t base, std::uint64_t size, const ReadAt& read,
                         const RecordVisitor& visit = nullptr);

}  // namespace takt::live

// A journal: the results of a pipeline's data sets, each once and in order; its form, and how one is read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace takt::live {

/// What is no journal at all, one of another pipeline, or one that cannot be read or written; says so on one line.
class JournalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Longer texts about the pipeline are refused.
inline constexpr std::size_t kMostFingerprint = std::size_t{1} << 20;

/// How a journal begins. The fingerprint is any text that says which pipeline it belongs to.
std::string journal_header(std::string_view fingerprint);

/// What stands around a result: number, length and a checksum of both before it, a checksum of all behind it.
struct RecordFrame {
  static constexpr std::size_t kHead = 24;
  static constexpr std::size_t kCheck = 8;
  std::array<char, kHead> head{};
  std::array<char, kCheck> check{};
};

RecordFrame frame_of(std::uint64_t number, std::string_view result);

/// A record that is whole: where the bytes of its result are.
struct JournalRecord {
  std::uint64_t number = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// What cannot have come from a write that broke off.
struct JournalDamage {
  std::uint64_t record = 0;  // the number that was expected there
  std::uint64_t offset = 0;  // where it begins
  std::string what;          // "found ..., expected ..."
};

/// What a journal holds, up to the first record that is not whole.
struct JournalScan {
  std::optional<std::string> fingerprint;  // nothing where the header itself is torn
  std::uint64_t records = 0;               // whole ones: of data sets 0 to records - 1
  std::uint64_t result_bytes = 0;          // of their results
  std::uint64_t end = 0;                   // of the last whole record; 0 where the header is torn
  std::uint64_t torn = 0;                  // bytes of a write that broke off behind it
  std::optional<JournalDamage> damage;     // then nothing is torn
};

/// Puts the bytes from an offset on into `to`; how many there were, fewer only at the end.
using ReadAt = std::function<std::size_t(std::uint64_t offset, std::span<char> to)>;
/// Hears of each whole record in turn; false ends the scan there.
using RecordVisitor = std::function<bool(const JournalRecord& record)>;

/// Reads a journal of `size` bytes once from its begin to its end, in constant memory. Throws JournalError where it is
/// no journal, or one of a version to come. The last record is torn where its bytes are not all there, where they have
/// another checksum, or where only zeros follow: what a machine's end may leave behind.
JournalScan scan_journal(std::uint64_t size, const ReadAt& read, const RecordVisitor& visit = nullptr);

}  // namespace takt::live

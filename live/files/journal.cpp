// The form of journals, all numbers little endian; docs/formats.md has the table.
#include "live/files/journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "live/files/checksum.hpp"
#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

constexpr std::string_view kMagic = "TAKTJRNL";
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kNumber = 8;                // bytes of a number
constexpr std::size_t kHeaderHead = 3 * kNumber;  // magic, version, length of the fingerprint
constexpr std::size_t kPiece = std::size_t{1} << 18;

std::string encoded(std::uint64_t number) {
  std::string bytes;
  for (std::size_t k = 0; k < kNumber; ++k) bytes += static_cast<char>(number >> (8 * k) & 0xFF);
  return bytes;
}

std::uint64_t decoded(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t k = 0; k < kNumber; ++k) {
    number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[k])) << (8 * k);
  }
  return number;
}

std::uint64_t checksum_of(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
}

// A journal read from its begin to its end, piece by piece.
class JournalCursor {
 public:
  JournalCursor(std::uint64_t size, const ReadAt& read) : size_(size), read_(read), buffer_(kPiece) {}

  std::uint64_t left() const { return size_ - at_; }

  // The next `count` bytes or fewer, never none where some are left; they hold until the next call.
  std::string_view some(std::uint64_t count) {
    if (begin_ == end_) {
      begin_ = 0;
      end_ = read_(at_, std::span(buffer_).first(static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, left()))));
      if (end_ == 0) throw JournalError("it became shorter while it was read");
    }
    const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(count, end_ - begin_));
    const std::string_view bytes(&buffer_[begin_], taken);
    begin_ += taken;
    at_ += taken;
    return bytes;
  }

  // As many, of which there are enough.
  std::string exactly(std::uint64_t count) {
    std::string bytes;
    while (bytes.size() < count) bytes += some(count - bytes.size());
    return bytes;
  }

  bool has_only_zeros() {
    while (left() > 0) {
      if (std::ranges::any_of(some(left()), [](char byte) { return byte != 0; })) return false;
    }
    return true;
  }

 private:
  std::uint64_t size_;
  const ReadAt& read_;
  std::vector<char> buffer_;
  std::uint64_t at_ = 0;
  std::size_t begin_ = 0;  // of what of the buffer is still to come
  std::size_t end_ = 0;
};

class JournalScanner {
 public:
  JournalScanner(std::uint64_t size, const ReadAt& read, const RecordVisitor& visit)
      : size_(size), cursor_(size, read), visit_(visit) {}

  JournalScan run() && {
    if (read_header()) {
      while (cursor_.left() > 0 && read_record()) {
      }
    }
    return std::move(scan_);
  }

 private:
  bool stop_torn() {
    scan_.torn = size_ - scan_.end;
    return false;
  }
  bool stop_damaged(std::string what) {
    scan_.damage = {scan_.records, scan_.end, std::move(what)};
    return false;
  }

  // False where it is torn.
  bool read_header() {
    const std::string magic = cursor_.exactly(std::min<std::uint64_t>(kMagic.size(), size_));
    if (!kMagic.starts_with(magic)) throw JournalError("it is no journal of takt run");
    if (size_ < kHeaderHead) return stop_torn();
    std::string header = magic + cursor_.exactly(kHeaderHead - magic.size());
    const std::uint64_t version = decoded(std::string_view(header).substr(kNumber));
    if (version != kVersion) {
      throw JournalError(fmt::format("found a journal of version {}, expected version {}", version, kVersion));
    }
    const std::uint64_t length = decoded(std::string_view(header).substr(2 * kNumber));
    if (length > kMostFingerprint) throw JournalError("the header is damaged");
    if (cursor_.left() < length + kNumber) return stop_torn();
    header += cursor_.exactly(length);
    if (decoded(cursor_.exactly(kNumber)) != checksum_of(header)) throw JournalError("the header is damaged");
    scan_.fingerprint = header.substr(kHeaderHead);
    scan_.end = header.size() + kNumber;
    return true;
  }

  // False where the scan ends.
  bool read_record() {
    if (cursor_.left() < RecordFrame::kHead) return stop_torn();
    const std::string head = cursor_.exactly(RecordFrame::kHead);
    if (decoded(std::string_view(head).substr(2 * kNumber)) !=
        checksum_of(std::string_view(head).substr(0, 2 * kNumber))) {
      const bool is_zero = std::ranges::all_of(head, [](char byte) { return byte == 0; });
      if (is_zero && cursor_.has_only_zeros()) return stop_torn();
      return stop_damaged("found a head with another checksum, expected a record");
    }
    const std::uint64_t number = decoded(head);
    if (number != scan_.records) {
      return stop_damaged(fmt::format("found data set {}, expected data set {}", number, scan_.records));
    }
    return read_result(head, decoded(std::string_view(head).substr(kNumber)));
  }

  bool read_result(const std::string& head, std::uint64_t length) {
    if (cursor_.left() < RecordFrame::kCheck || cursor_.left() - RecordFrame::kCheck < length) return stop_torn();
    Checksum sum;
    sum.add(std::string_view(head).substr(0, 2 * kNumber));
    for (std::uint64_t left = length; left > 0;) {
      const std::string_view piece = cursor_.some(left);
      sum.add(piece);
      left -= piece.size();
    }
    if (decoded(cursor_.exactly(RecordFrame::kCheck)) != sum.value()) {
      if (cursor_.left() == 0) return stop_torn();
      return stop_damaged("found a result with another checksum, expected what was written");
    }
    const JournalRecord record{scan_.records, scan_.end + RecordFrame::kHead, length};
    ++scan_.records;
    scan_.result_bytes += length;
    scan_.end += RecordFrame::kHead + length + RecordFrame::kCheck;
    return !visit_ || visit_(record);
  }

  std::uint64_t size_;
  JournalCursor cursor_;
  const RecordVisitor& visit_;
  JournalScan scan_;
};

}  // namespace

std::string journal_header(std::string_view fingerprint) {
  maxplus::expects(fingerprint.size() <= kMostFingerprint, "a fingerprint is short");
  std::string header = std::string(kMagic) + encoded(kVersion) + encoded(fingerprint.size());
  header += fingerprint;
  return header + encoded(checksum_of(header));
}

RecordFrame frame_of(std::uint64_t number, std::string_view result) {
  const std::string numbers = encoded(number) + encoded(result.size());
  Checksum sum;
  sum.add(numbers);
  RecordFrame frame;
  std::ranges::copy(numbers + encoded(sum.value()), frame.head.begin());
  sum.add(result);
  std::ranges::copy(encoded(sum.value()), frame.check.begin());
  return frame;
}

JournalScan scan_journal(std::uint64_t size, const ReadAt& read, const RecordVisitor& visit) {
  return JournalScanner(size, read, visit).run();
}

}  // namespace takt::live

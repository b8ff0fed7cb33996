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
constexpr std::size_t kNumber = 8;                    // bytes of a number
constexpr std::size_t kHeaderHead = 3 * kNumber;      // magic, version, length of the fingerprint
constexpr std::size_t kSegmentNumbers = 3 * kNumber;  // behind the fingerprint of a segment
constexpr std::size_t kPiece = std::size_t{1} << 18;
constexpr std::size_t kFirstHead = 3 * kNumber;  // of a record of version 1: number, length, checksum

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

// A text behind its length, taken off the front; nothing if it is not all there.
std::optional<std::string> take_text(std::string_view& bytes) {
  if (bytes.size() < kNumber) return std::nullopt;
  const std::uint64_t length = decoded(bytes);
  bytes.remove_prefix(kNumber);
  if (bytes.size() < length) return std::nullopt;
  std::string text(bytes.substr(0, length));
  bytes.remove_prefix(length);
  return text;
}

// A journal read from its begin to its end, piece by piece.
class JournalCursor {
 public:
  JournalCursor(std::uint64_t size, const ReadAt& read) : size_(size), read_(read), buffer_(kPiece) {}

  std::uint64_t left() const { return size_ - at_; }

  // The next `count` bytes or fewer, never none if some are left; they hold until the next call.
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
  JournalScanner(JournalScan before, std::uint64_t base, std::uint64_t size, const ReadAt& read,
                 const RecordVisitor& visit)
      : size_(size), base_(base), cursor_(size, read), visit_(visit), scan_(std::move(before)) {
    scan_.end = 0;
    scan_.torn = 0;
  }

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
    scan_.damage = {scan_.records, scan_.end, std::move(what), {}};
    return false;
  }

  // False if it is torn.
  bool read_header() {
    const std::string magic = cursor_.exactly(std::min<std::uint64_t>(kMagic.size(), size_));
    if (!kMagic.starts_with(magic)) throw JournalError("it is no journal of takt run");
    if (size_ < kHeaderHead) return stop_torn();
    std::string header = magic + cursor_.exactly(kHeaderHead - magic.size());
    const std::uint64_t version = decoded(std::string_view(header).substr(kNumber));
    if (version < 1 || version > kSegmentVersion) {
      throw JournalError(
          fmt::format("found a journal of version {}, expected version 1 to {}", version, kSegmentVersion));
    }
    const std::uint64_t length = decoded(std::string_view(header).substr(2 * kNumber));
    if (length > kMostFingerprint) throw JournalError("the header is damaged");
    const std::size_t numbers = version == kSegmentVersion ? kSegmentNumbers : 0;
    if (cursor_.left() < length + numbers + kNumber) return stop_torn();
    header += cursor_.exactly(length + numbers);
    if (decoded(cursor_.exactly(kNumber)) != checksum_of(header)) throw JournalError("the header is damaged");
    const std::string text = header.substr(kHeaderHead, static_cast<std::size_t>(length));
    std::optional<JournalSegment> segment;
    if (numbers > 0) segment = segment_of(std::string_view(header).substr(kHeaderHead + text.size()));
    const std::size_t end = std::min(text.find('\n'), text.size());
    follow(segment, {text.substr(0, end), text.substr(std::min(end + 1, text.size()))});
    scan_.version = version;
    scan_.end = header.size() + kNumber;
    head_size_ = version == 1 ? kFirstHead : RecordFrame::kHead;
    return true;
  }

  static JournalSegment segment_of(std::string_view numbers) {
    const JournalSegment segment{decoded(numbers), decoded(numbers.substr(kNumber)),
                                 decoded(numbers.substr(2 * kNumber))};
    if (segment.data_sets == 0 || segment.first % segment.data_sets != 0) throw JournalError("the header is damaged");
    return segment;
  }

  // The file's place behind what was read before.
  void follow(const std::optional<JournalSegment>& segment, Fingerprint fingerprint) {
    const std::uint64_t first = segment ? segment->first : 0;
    if (scan_.fingerprint && (!segment || !scan_.segment || segment->data_sets != scan_.segment->data_sets ||
                              fingerprint.pipeline != scan_.fingerprint->pipeline)) {
      throw JournalError("a segment of another journal than those before it");
    }
    if (first < scan_.records) {
      throw JournalError(fmt::format("a segment from data set {} on, expected data set {}", first, scan_.records));
    }
    if (first > scan_.records) scan_.dropped.push_back({scan_.records, first - scan_.records});
    scan_.records = first;
    scan_.segment = segment;
    if (!scan_.fingerprint) {
      scan_.fingerprint = std::move(fingerprint);
    } else if (fingerprint.programs != scan_.programs()) {
      scan_.changes.push_back({first, std::move(fingerprint.programs)});  // in a segment that is gone
    }
  }

  // False if the scan ends.
  bool read_record() {
    if (cursor_.left() < head_size_) return stop_torn();
    const std::string head = cursor_.exactly(head_size_);
    const std::string_view numbers = std::string_view(head).substr(0, head_size_ - kNumber);
    if (decoded(std::string_view(head).substr(numbers.size())) != checksum_of(numbers)) {
      const bool is_zero = std::ranges::all_of(head, [](char byte) { return byte == 0; });
      if (is_zero && cursor_.has_only_zeros()) return stop_torn();
      return stop_damaged("found a head with another checksum, expected a record");
    }
    const std::uint64_t number = decoded(head);
    if (scan_.version == 1) {
      if (const auto fault = fault_of(number, RecordKind::result)) return stop_damaged(*fault);
      return read_content(numbers, number, RecordKind::result, decoded(numbers.substr(kNumber)), 0);
    }
    const std::uint64_t code = decoded(numbers.substr(kNumber));
    if (code > static_cast<std::uint64_t>(RecordKind::replacement)) {
      return stop_damaged(fmt::format("found a record of kind {}, expected kind 0 to 3", code));
    }
    const auto kind = static_cast<RecordKind>(code);
    if (const auto fault = fault_of(number, kind)) return stop_damaged(*fault);
    const std::uint64_t length = decoded(numbers.substr(2 * kNumber));
    if (kind == RecordKind::programs && length > kMostFingerprint) {
      return stop_damaged("found programs too long to be any");
    }
    return read_content(numbers, number, kind, length, decoded(numbers.substr(3 * kNumber)));
  }

  // What is wrong with a record of that number and kind at this place.
  std::optional<std::string> fault_of(std::uint64_t number, RecordKind kind) const {
    const bool may_be_again = kind == RecordKind::failure || kind == RecordKind::replacement;
    if (may_be_again && (scan_.failed.contains(number) || scan_.is_dropped(number))) return std::nullopt;
    if (kind == RecordKind::replacement) {
      return fmt::format("found a replacement of data set {}, which has not failed", number);
    }
    if (number == scan_.records) return std::nullopt;
    return fmt::format("found data set {}, expected data set {}", number, scan_.records);
  }

  bool read_content(std::string_view numbers, std::uint64_t number, RecordKind kind, std::uint64_t length,
                    std::uint64_t chain) {
    if (cursor_.left() < RecordFrame::kCheck || cursor_.left() - RecordFrame::kCheck < length) return stop_torn();
    Checksum sum;
    sum.add(numbers);
    std::string programs;
    for (std::uint64_t left = length; left > 0;) {
      const std::string_view piece = cursor_.some(left);
      sum.add(piece);
      if (kind == RecordKind::programs) programs += piece;
      left -= piece.size();
    }
    if (decoded(cursor_.exactly(RecordFrame::kCheck)) != sum.value()) {
      if (cursor_.left() == 0) return stop_torn();
      return stop_damaged("found a result with another checksum, expected what was written");
    }
    const JournalRecord record{number, base_ + scan_.end + head_size_, length, chain, kind};
    scan_.end += head_size_ + length + RecordFrame::kCheck;
    if (kind == RecordKind::programs) {
      scan_.changes.push_back({record.number, std::move(programs)});
      return true;
    }
    count(record);
    return !visit_ || visit_(record);
  }

  void count(const JournalRecord& record) {
    if (record.number == scan_.records) {
      ++scan_.records;
    } else {
      ++scan_.repeated;
    }
    if (record.kind == RecordKind::failure) {
      scan_.failed[record.number] = record;
    } else {
      scan_.failed.erase(record.number);
      scan_.result_bytes += record.length;
    }
  }

  std::uint64_t size_;
  std::uint64_t base_;
  JournalCursor cursor_;
  const RecordVisitor& visit_;
  std::size_t head_size_ = RecordFrame::kHead;
  JournalScan scan_;
};

}  // namespace

bool JournalScan::is_dropped(std::uint64_t number) const {
  return std::ranges::any_of(
      dropped, [&](const DroppedSegments& gap) { return number >= gap.first && number - gap.first < gap.count; });
}

std::uint64_t JournalScan::present() const {
  std::uint64_t count = records;
  for (const DroppedSegments& gap : dropped) count -= gap.count;
  return count;
}

std::string journal_header(const Fingerprint& fingerprint, const std::optional<JournalSegment>& segment) {
  const std::string text = fingerprint.pipeline + '\n' + fingerprint.programs;
  maxplus::expects(text.size() <= kMostFingerprint, "a fingerprint is short");
  std::string header =
      std::string(kMagic) + encoded(segment ? kSegmentVersion : kJournalVersion) + encoded(text.size());
  header += text;
  if (segment) header += encoded(segment->data_sets) + encoded(segment->first) + encoded(segment->chain);
  return header + encoded(checksum_of(header));
}

std::string encode(const StageFailure& failure) {
  return encoded(failure.stage.size()) + failure.stage + encoded(failure.words.size()) + failure.words + failure.input;
}

std::optional<StageFailure> decode_failure(std::string_view content) {
  std::optional<std::string> stage = take_text(content);
  std::optional<std::string> words = stage ? take_text(content) : std::nullopt;
  if (!words) return std::nullopt;
  return StageFailure{std::move(*stage), std::move(*words), std::string(content)};
}

std::uint64_t InputChain::add(std::string_view input) {
  sum_.add(encoded(input.size()));
  sum_.add(input);
  return sum_.value();
}

RecordFrame frame_of(std::uint64_t number, std::string_view content, std::uint64_t chain, RecordKind kind) {
  const std::string numbers =
      encoded(number) + encoded(static_cast<std::uint64_t>(kind)) + encoded(content.size()) + encoded(chain);
  Checksum sum;
  sum.add(numbers);
  RecordFrame frame;
  std::ranges::copy(numbers + encoded(sum.value()), frame.head.begin());
  sum.add(content);
  std::ranges::copy(encoded(sum.value()), frame.check.begin());
  return frame;
}

JournalScan scan_journal(std::uint64_t size, const ReadAt& read, const RecordVisitor& visit) {
  return JournalScanner({}, 0, size, read, visit).run();
}

JournalScan scan_segment(JournalScan before, std::uint64_t base, std::uint64_t size, const ReadAt& read,
                         const RecordVisitor& visit) {
  return JournalScanner(std::move(before), base, size, read, visit).run();
}

}  // namespace takt::live

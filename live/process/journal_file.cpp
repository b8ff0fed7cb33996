// flock, writev, fdatasync. A file is read through pread: what another process appends does not matter.
#include "live/process/journal_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "live/files/checksum.hpp"
#include "maxplus/deadline.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

namespace {

constexpr std::size_t kShownFingerprint = 200;
constexpr std::size_t kSegmentDigits = 6;
constexpr std::string_view kOtherRun = "another run writes to it";
constexpr std::string_view kLockText = "takt run writes to the journal beside this file\n";
constexpr std::string_view kNextSegment = ".new";  // behind the journal's name, until it takes that

[[noreturn]] void fail_at(const std::string& path, const std::string& what) {
  throw JournalError(tpn::visible(path.empty() ? "\"\"" : path) + ": " + what);
}

std::string reason() { return std::strerror(errno); }

void require_regular(const struct stat& status, const std::string& path) {
  if (!S_ISREG(status.st_mode)) fail_at(path, "a journal is a regular file, which this is not");
}

// Bytes of a regular file.
std::uint64_t size_of(const OwnedDescriptor& file, const std::string& path) {
  struct stat status {};
  if (fstat(file.number(), &status) != 0) fail_at(path, "cannot be read: " + reason());
  require_regular(status, path);
  return static_cast<std::uint64_t>(status.st_size);
}

// False if another one has the file.
bool takes_lock(const OwnedDescriptor& file, const std::string& path) {
  while (flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) fail_at(path, "cannot be locked: " + reason());
  }
  return true;
}

std::size_t read_at(const OwnedDescriptor& file, const std::string& path, std::uint64_t offset, std::span<char> to) {
  std::size_t count = 0;
  while (count < to.size()) {
    const ssize_t got = pread(file.number(), &to[count], to.size() - count, static_cast<off_t>(offset + count));
    if (got == 0) break;
    if (got < 0 && errno != EINTR) fail_at(path, "cannot be read: " + reason());
    if (got > 0) count += static_cast<std::size_t>(got);
  }
  return count;
}

JournalScan scan_file(JournalScan before, const OwnedDescriptor& file, const std::string& path, std::uint64_t base,
                      std::uint64_t size, const RecordVisitor& visit) {
  // Errors of reading have the path already.
  bool is_told = false;
  const auto read = [&](std::uint64_t offset, std::span<char> to) {
    is_told = true;
    const std::size_t count = read_at(file, path, offset, to);
    is_told = false;
    return count;
  };
  try {
    return scan_segment(std::move(before), base, size, read, visit);
  } catch (const JournalError& error) {
    if (is_told) throw;
    fail_at(path, error.what());
  }
}

// All parts in turn, up to one that is not whole; behind `complete` of them a write may have broken off.
JournalScan scan_parts(const std::vector<JournalPart>& parts, std::size_t complete, const RecordVisitor& visit) {
  JournalScan scan;
  bool goes_on = true;
  const RecordVisitor visit_or_end = [&](const JournalRecord& record) {
    goes_on = !visit || visit(record);
    return goes_on;
  };
  for (std::size_t k = 0; k < parts.size() && goes_on; ++k) {
    const JournalPart& part = parts[k];
    scan = scan_file(std::move(scan), part.file, part.path, part.base, part.size, visit_or_end);
    if (k >= complete) break;
    if (scan.torn > 0 || scan.end == 0) {
      scan.damage = {scan.records, scan.end, "found the end of the file, expected a complete segment", {}};
      scan.torn = 0;
    }
    if (!scan.damage) continue;
    scan.damage->file = part.path;
    break;
  }
  return scan;
}

// The header of a part alone.
JournalScan header_of(const OwnedDescriptor& file, const std::string& path, std::uint64_t size) {
  return scan_file({}, file, path, 0, size, [](const JournalRecord&) { return false; });
}

// The number of a complete segment of a journal, by the name of its file: that of the journal, a dot, and digits.
std::optional<std::uint64_t> segment_number(const std::string& journal, const std::string& name) {
  constexpr std::size_t kMostDigits = 18;
  if (!name.starts_with(journal + ".")) return std::nullopt;
  const std::string digits = name.substr(journal.size() + 1);
  if (digits.size() < kSegmentDigits || digits.size() > kMostDigits) return std::nullopt;
  if (digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const std::uint64_t number = std::stoull(digits);
  return number > 0 && segment_path(journal, number) == name ? std::optional(number) : std::nullopt;
}

// The numbers of complete segments, in order.
std::vector<std::uint64_t> segments_of(const std::string& path) {
  const std::filesystem::path journal(path);
  const std::filesystem::path folder = journal.has_parent_path() ? journal.parent_path() : ".";
  std::vector<std::uint64_t> numbers;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (const auto number = segment_number(journal.filename().string(), entry->path().filename().string())) {
      numbers.push_back(*number);
    }
  }
  if (error) fail_at(path, "its segments cannot be listed: " + error.message());
  std::ranges::sort(numbers);
  return numbers;
}

bool is_same_file(const OwnedDescriptor& one, const OwnedDescriptor& other) {
  struct stat first {};
  struct stat second {};
  return fstat(one.number(), &first) == 0 && fstat(other.number(), &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

// The complete segments before a journal's own file, which is open. Those that are dropped meanwhile are gone.
std::vector<JournalPart> parts_before(const OwnedDescriptor& own, const std::string& path, std::uint64_t size) {
  std::vector<JournalPart> parts;
  const JournalScan header = header_of(own, path, size);
  if (!header.segment) return parts;
  std::uint64_t base = 0;
  for (const std::uint64_t number : segments_of(path)) {
    // Completed since the file was opened, or the same file, complete but for a new one in its place.
    if (number > header.segment->first / header.segment->data_sets) break;
    JournalPart part;
    part.path = segment_path(path, number);
    part.file = OwnedDescriptor(open(part.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (!part.file.is_open() && errno == ENOENT) continue;
    if (!part.file.is_open()) fail_at(part.path, "cannot be read: " + reason());
    part.size = size_of(part.file, part.path);
    part.base = base;
    base += part.size;
    parts.push_back(std::move(part));
  }
  return parts;
}

// Writes all of it, in one piece as a rule; false with errno where that fails.
bool write_all(int file, std::span<const std::string_view> pieces) {
  std::vector<iovec> left;
  for (const std::string_view piece : pieces) {
    // writev does not change what it is given.
    if (!piece.empty()) left.push_back({const_cast<char*>(piece.data()), piece.size()});
  }
  for (std::size_t first = 0; first < left.size();) {
    const ssize_t count = writev(file, &left[first], static_cast<int>(left.size() - first));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    for (auto written = static_cast<std::size_t>(count); written > 0;) {
      const std::size_t taken = std::min(written, left[first].iov_len);
      left[first].iov_base = static_cast<char*>(left[first].iov_base) + taken;
      left[first].iov_len -= taken;
      written -= taken;
      if (left[first].iov_len == 0) ++first;
    }
  }
  return true;
}

// So that a new file has its name on the disk; where that cannot be, it cannot.
void sync_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const OwnedDescriptor opened(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open()) fsync(opened.number());
}

}  // namespace

std::string damage_words(const JournalDamage& damage) {
  if (!damage.file.empty()) {
    return fmt::format(
        "damaged in its segment {} at byte {}, where data set {} belongs: {}; if you move a segment away, its results "
        "count as deleted",
        tpn::visible(damage.file), damage.offset, damage.record, damage.what);
  }
  return fmt::format(
      "damaged at byte {}, where data set {} belongs: {}; everything before is right, and truncate -s {} keeps only "
      "that",
      damage.offset, damage.record, damage.what, damage.offset);
}

std::string segment_path(const std::string& journal, std::uint64_t segment) {
  return fmt::format("{}.{:0{}}", journal, segment, kSegmentDigits);
}

std::vector<std::uint64_t> chain_of_lines(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_at(path, "cannot be read");
  std::vector<std::uint64_t> chain;
  InputChain sum;
  for (std::string line; std::getline(file, line);) chain.push_back(sum.add(line));
  if (file.bad()) fail_at(path, "cannot be read");
  return chain;
}

std::optional<std::string> content_words(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Checksum sum;
  std::uint64_t size = 0;
  std::vector<char> piece(std::size_t{1} << 18);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    sum.add({piece.data(), count});
    size += count;
  }
  if (!file.eof()) return std::nullopt;
  return fmt::format("{} bytes, CRC-64/XZ {:016x}", size, sum.value());
}

JournalLock::JournalLock(const std::string& journal) {
  constexpr int kHow = O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW;
  struct stat status {};
  if (stat(journal.c_str(), &status) == 0) require_regular(status, journal);
  std::error_code ignored;
  path_ = std::filesystem::weakly_canonical(journal, ignored).string() + ".lock";  // whatever links lead there
  for (;;) {
    file_ = OwnedDescriptor(open(path_.c_str(), kHow | O_CREAT | O_EXCL, 0666));
    is_own_ = file_.is_open();
    const bool is_there = !is_own_ && errno == EEXIST;
    if (is_there) file_ = OwnedDescriptor(open(path_.c_str(), kHow));
    if (is_there && !file_.is_open() && errno == ENOENT) continue;
    if (!file_.is_open()) fail_at(path_, "cannot be written: " + reason());
    if (!takes_lock(file_, journal)) fail_at(journal, std::string(kOtherRun));
    // Who had it may have removed it before the lock was free.
    const OwnedDescriptor again(open(path_.c_str(), kHow));
    if (again.is_open() && is_same_file(file_, again)) break;
  }
  std::string text(kLockText.size() + 1, '\0');
  text.resize(read_at(file_, path_, 0, text));
  if (is_own_) write_all(file_.number(), std::array<std::string_view, 1>{kLockText});
  if (!text.empty() && text != kLockText) {
    fail_at(path_, "it is no lock of takt run, expected one or no file of this name");
  }
  is_own_ = is_own_ || text == kLockText;
}

JournalLock::~JournalLock() {
  if (is_own_) unlink(path_.c_str());
}

JournalFile::JournalFile(std::string path, JournalOwner owner, const JournalOptions& options)
    : path_(std::move(path)), owner_(std::move(owner)), options_(options) {
  open_locked();
  begin();
}

// The file may become a complete segment, and another one take its name, while its lock is waited for.
void JournalFile::open_locked() {
  const auto end = maxplus::SearchClock::now() + options_.patience;
  for (;;) {
    file_ = OwnedDescriptor(open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666));
    if (!file_.is_open()) fail("cannot be written: " + reason());
    size_of(file_, path_);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - maxplus::SearchClock::now());
    if (!lock(std::max(left, std::chrono::milliseconds(0)))) fail(std::string(kOtherRun));
    const OwnedDescriptor again(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (again.is_open() && is_same_file(file_, again)) return;
  }
}

JournalFile::~JournalFile() {
  if (options_.sync_every > 0 && unsynced_ > 0) fdatasync(file_.number());
}

void JournalFile::fail(const std::string& what) const { fail_at(path_, what); }

// False if another one has it all the time.
bool JournalFile::lock(std::chrono::milliseconds patience) const {
  constexpr std::chrono::milliseconds kStep{20};
  const auto end = maxplus::SearchClock::now() + patience;
  while (!takes_lock(file_, path_)) {
    if (maxplus::SearchClock::now() >= end) return false;
    std::this_thread::sleep_for(kStep);
  }
  return true;
}

void JournalFile::require_same(const JournalScan& scan) const {
  if (!scan.fingerprint) return;
  if (scan.version < kJournalVersion) {
    fail(
        fmt::format("a journal of version {}, which does not name its programs and input: takt journal reads it, but a "
                    "run needs another file",
                    scan.version));
  }
  const auto differ = [&](std::string_view what, std::string_view found, std::string_view expected,
                          std::string_view remedy) {
    fail(fmt::format("a journal of {}: found {}, expected {}{}", what, tpn::visible(found, kShownFingerprint),
                     tpn::visible(expected, kShownFingerprint), remedy));
  };
  const Fingerprint& own = owner_.fingerprint;
  if (scan.fingerprint->pipeline != own.pipeline) {
    differ("another pipeline", scan.fingerprint->pipeline, own.pipeline, "");
  }
  if (scan.programs() != own.programs && !owner_.takes_other_programs) {
    differ("other programs", scan.programs(), own.programs,
           "; if you changed them on purpose, --same-journal continues it");
  }
}

void JournalFile::require_same_input(const JournalRecord& record) const {
  if (owner_.chain.empty()) return;
  if (record.number >= owner_.chain.size()) {
    fail(fmt::format("a journal of another input: it holds the result of data set {}, and the input has {} lines",
                     record.number, owner_.chain.size()));
  }
  if (record.chain != owner_.chain[record.number]) {
    fail(fmt::format("a journal of another input: its result for data set {1} is not that of line {0} of the input",
                     record.number + 1, record.number));
  }
}

JournalScan JournalFile::scan(const RecordVisitor& visit) const {
  const std::uint64_t size = size_of(file_, path_);
  std::vector<JournalPart> parts = parts_before(file_, path_, size);
  const std::uint64_t base = parts.empty() ? 0 : parts.back().base + parts.back().size;
  const JournalScan before = scan_parts(parts, parts.size(), visit);
  if (before.damage) fail(damage_words(*before.damage));
  return scan_file(before, file_, path_, base, size, visit);
}

void JournalFile::require_same_segments(const JournalScan& scan) const {
  if (!scan.fingerprint) {
    if (options_.segment == 0) return;
    if (const auto segments = segments_of(path_); !segments.empty()) {
      fail(fmt::format("a new journal, but a segment of another one exists: {}",
                       tpn::visible(segment_path(path_, segments.front()))));
    }
    return;
  }
  const std::uint64_t found = scan.segment ? scan.segment->data_sets : 0;
  if (options_.segment == 0 || options_.segment == found) return;
  fail(found == 0 ? "a journal without segments: --segment needs another file"
                  : fmt::format("a journal of segments of {} data sets: found --segment {}", found, options_.segment));
}

std::uint64_t JournalFile::chain_before(std::uint64_t number) const {
  return number > 0 && number <= owner_.chain.size() ? owner_.chain[number - 1] : 0;
}

// Of a journal without one: what stands there must be the beginning of it, of a run that was killed while writing it.
void JournalFile::require_begun(std::string_view header) const {
  const std::uint64_t size = size_of(file_, path_);
  std::string start(static_cast<std::size_t>(std::min<std::uint64_t>(size, header.size())), '\0');
  read_at(file_, path_, 0, start);
  if (start.size() < size || !header.starts_with(start)) fail("an incomplete header of another journal");
}

void JournalFile::begin() {
  std::optional<JournalRecord> other;  // the first result of another input
  const auto compare = [&](const JournalRecord& record) {
    const bool is_same =
        owner_.chain.empty() || (record.number < owner_.chain.size() && record.chain == owner_.chain[record.number]);
    if (!is_same && !other) other = record;
    return true;
  };
  const JournalScan scan = this->scan(compare);
  if (scan.damage) fail(damage_words(*scan.damage));
  require_same(scan);
  require_same_segments(scan);
  if (other) require_same_input(*other);
  segment_ = scan.segment;
  if (!scan.fingerprint && options_.segment > 0) segment_ = {options_.segment, 0, 0};
  if (segment_) {
    require_same_input_before(*segment_);
    clear_place_of_next();
  }
  const std::string header = journal_header(owner_.fingerprint, segment_);
  if (!scan.fingerprint) require_begun(header);
  if (scan.torn > 0 && ftruncate(file_.number(), static_cast<off_t>(scan.end)) != 0) {
    fail("cannot be cut after its last complete record: " + reason());
  }
  next_ = scan.records;
  for (const auto& [number, record] : scan.failed) failed_.insert(number);
  cut_off_ = scan.torn;
  if (!scan.fingerprint && !write_all(file_.number(), std::array<std::string_view, 1>{header})) {
    fail("cannot be written: " + reason());
  }
  if (scan.fingerprint && scan.programs() != owner_.fingerprint.programs) note_programs();
  // The run before this one ended between the last record of a segment and the end of the segment.
  if (segment_ && next_ == segment_->first + segment_->data_sets) end_segment();
  if (options_.sync_every == 0) return;
  sync();
  if (!scan.fingerprint) sync_folder_of(path_);
}

// Of results that are not there any more.
void JournalFile::require_same_input_before(const JournalSegment& segment) const {
  if (owner_.chain.empty() || segment.first == 0) return;
  if (segment.first <= owner_.chain.size() && segment.chain == owner_.chain[segment.first - 1]) return;
  fail(fmt::format("a journal of another input: its segments held results of other lines than lines 1 to {}",
                   segment.first));
}

// The next segment is made beside this one. What stands there is removed if a run left it that was killed then: the
// header of this journal's next segment, and no more. All else belongs to somebody.
void JournalFile::clear_place_of_next() const {
  const std::string made = path_ + std::string(kNextSegment);
  const OwnedDescriptor file(open(made.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW));
  if (!file.is_open() && errno == ENOENT) return;
  struct stat status {};
  if (file.is_open() && fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode)) {
    const auto size = static_cast<std::uint64_t>(status.st_size);
    try {
      const JournalScan there = header_of(file, made, size);
      const bool is_next = there.segment && there.end == size && there.records == there.segment->first &&
                           there.segment->data_sets == segment_->data_sets &&
                           there.segment->first == segment_->first + segment_->data_sets &&
                           there.fingerprint->pipeline == owner_.fingerprint.pipeline;
      if (is_next && unlink(made.c_str()) == 0) return;
    } catch (const JournalError&) {
      // It is another one's.
    }
  }
  fail(
      fmt::format("found {}, which is not of this journal, expected no file of this name: its next segment is made "
                  "there",
                  tpn::visible(made)));
}

// The file gets the name of a complete segment, and a new one takes its own at once, with a header and locked.
void JournalFile::end_segment() {
  const std::uint64_t number = segment_->first / segment_->data_sets + 1;
  const std::string complete = segment_path(path_, number);
  if (options_.sync_every > 0) sync();
  if (link(path_.c_str(), complete.c_str()) != 0) {
    const OwnedDescriptor there(open(complete.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!there.is_open() || !is_same_file(there, file_)) {
      fail(fmt::format("its segment cannot become {}: {}", tpn::visible(complete), reason()));
    }
  }
  const JournalSegment next{segment_->data_sets, next_, chain_before(next_)};
  const std::string made = path_ + std::string(kNextSegment);
  const std::string header = journal_header(owner_.fingerprint, next);
  OwnedDescriptor file(open(made.c_str(), O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file.is_open() || flock(file.number(), LOCK_EX | LOCK_NB) != 0 ||
      !write_all(file.number(), std::array<std::string_view, 1>{header}) || fsync(file.number()) != 0 ||
      rename(made.c_str(), path_.c_str()) != 0) {
    is_torn_ = true;
    const std::string why = reason();
    if (file.is_open()) unlink(made.c_str());
    fail("its next segment cannot be written: " + why);
  }
  if (options_.sync_every > 0) sync_folder_of(path_);
  file_ = std::move(file);
  segment_ = next;
  unsynced_ = 0;
}

void JournalFile::note_programs() {
  const std::uint64_t chain = next_ > 0 && !owner_.chain.empty() ? owner_.chain[next_ - 1] : 0;
  write_record(next_, owner_.fingerprint.programs, chain, RecordKind::programs);
  has_changed_programs_ = true;
}

void JournalFile::write_record(std::uint64_t number, std::string_view content, std::uint64_t chain, RecordKind kind) {
  const RecordFrame frame = frame_of(number, content, chain, kind);
  const std::array<std::string_view, 3> pieces = {std::string_view(frame.head.data(), frame.head.size()), content,
                                                  std::string_view(frame.check.data(), frame.check.size())};
  if (!write_all(file_.number(), pieces)) {
    is_torn_ = true;
    fail(fmt::format("the result of data set {} cannot be written: {}", number, reason()));
  }
}

void JournalFile::require_whole() const {
  if (is_torn_) fail("its last record is torn, so nothing can follow it");
}

void JournalFile::append(std::uint64_t number, std::string_view result) {
  append_record(number, result, RecordKind::result);
}

void JournalFile::append_failure(std::uint64_t number, std::string_view failure) {
  append_record(number, failure, RecordKind::failure);
  failed_.insert(number);
}

void JournalFile::replace(std::uint64_t number, std::string_view content, RecordKind kind) {
  require_whole();
  if (!failed_.contains(number)) fail(fmt::format("data set {} has not failed, and is not replaced", number));
  write_record(number, content, owner_.chain.empty() ? 0 : owner_.chain.at(number), kind);
  if (kind == RecordKind::replacement) failed_.erase(number);
  count_unsynced();
}

void JournalFile::append_record(std::uint64_t number, std::string_view content, RecordKind kind) {
  require_whole();
  if (number != next_) fail(fmt::format("found the result of data set {}, expected data set {}", number, next_));
  if (!owner_.chain.empty() && number >= owner_.chain.size()) {
    fail(fmt::format("found the result of data set {}, and the input has {} lines", number, owner_.chain.size()));
  }
  write_record(number, content, owner_.chain.empty() ? 0 : owner_.chain[number], kind);
  ++next_;
  count_unsynced();
  if (segment_ && next_ == segment_->first + segment_->data_sets) end_segment();
}

void JournalFile::count_unsynced() {
  ++unsynced_;
  if (options_.sync_every > 0 && unsynced_ >= options_.sync_every) sync();
}

void JournalFile::sync() {
  if (fdatasync(file_.number()) != 0) {
    is_torn_ = true;
    fail("cannot be forced to disk: " + reason());
  }
  unsynced_ = 0;
}

JournalInput::JournalInput(std::string path) {
  JournalPart own;
  own.file = OwnedDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!own.file.is_open()) fail_at(path, "cannot be read: " + reason());
  own.size = size_of(own.file, path);
  own.path = std::move(path);
  parts_ = parts_before(own.file, own.path, own.size);
  if (!parts_.empty()) own.base = parts_.back().base + parts_.back().size;
  parts_.push_back(std::move(own));
}

JournalScan JournalInput::scan(const RecordVisitor& visit) const {
  return scan_parts(parts_, parts_.size() - 1, visit);
}

std::size_t JournalInput::read(std::uint64_t offset, std::span<char> to) const {
  const auto after = std::ranges::upper_bound(parts_, offset, {}, &JournalPart::base);
  const JournalPart& part = *std::prev(after);
  return read_at(part.file, part.path, offset - part.base, to);
}

}  // namespace takt::live

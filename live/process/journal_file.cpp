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
#include "tpn/visible.hpp"

namespace takt::live {

namespace {

constexpr std::size_t kShownFingerprint = 200;

[[noreturn]] void fail_at(const std::string& path, const std::string& what) {
  throw JournalError(tpn::visible(path.empty() ? "\"\"" : path) + ": " + what);
}

std::string reason() { return std::strerror(errno); }

// Bytes of a regular file.
std::uint64_t size_of(const OwnedDescriptor& file, const std::string& path) {
  struct stat status {};
  if (fstat(file.number(), &status) != 0) fail_at(path, "cannot be read: " + reason());
  if (!S_ISREG(status.st_mode)) fail_at(path, "a journal is a regular file, which this is not");
  return static_cast<std::uint64_t>(status.st_size);
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

JournalScan scan_file(const OwnedDescriptor& file, const std::string& path, std::uint64_t size,
                      const RecordVisitor& visit) {
  // Errors of reading have the path already.
  bool is_told = false;
  const auto read = [&](std::uint64_t offset, std::span<char> to) {
    is_told = true;
    const std::size_t count = read_at(file, path, offset, to);
    is_told = false;
    return count;
  };
  try {
    return scan_journal(size, read, visit);
  } catch (const JournalError& error) {
    if (is_told) throw;
    fail_at(path, error.what());
  }
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
  return fmt::format(
      "damaged at byte {}, where data set {} is to stand: {}; what is before it is right, and truncate -s {} keeps "
      "that "
      "alone",
      damage.offset, damage.record, damage.what, damage.offset);
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

JournalFile::JournalFile(std::string path, JournalOwner owner, const JournalOptions& options)
    : path_(std::move(path)),
      owner_(std::move(owner)),
      options_(options),
      file_(open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666)) {
  if (!file_.is_open()) fail("cannot be written: " + reason());
  size_of(file_, path_);
  lock(options.patience);
  begin();
}

JournalFile::~JournalFile() {
  if (options_.sync_every > 0 && unsynced_ > 0) fdatasync(file_.number());
}

void JournalFile::fail(const std::string& what) const { fail_at(path_, what); }

void JournalFile::lock(std::chrono::milliseconds patience) const {
  constexpr std::chrono::milliseconds kStep{20};
  const auto end = std::chrono::steady_clock::now() + patience;
  while (flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) fail("cannot be locked: " + reason());
    if (std::chrono::steady_clock::now() >= end) fail("another run writes to it");
    std::this_thread::sleep_for(kStep);
  }
}

void JournalFile::require_same(const JournalScan& scan) const {
  if (!scan.fingerprint) return;
  if (scan.version < kJournalVersion) {
    fail(
        fmt::format("a journal of version {}, which does not say of which programs and which input it is: takt "
                    "journal reads it, and a run needs another file",
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
           "; where they are changed on purpose, --same-journal goes on with it");
  }
}

void JournalFile::require_same_input(const JournalRecord& record) const {
  if (owner_.chain.empty()) return;
  if (record.number >= owner_.chain.size()) {
    fail(fmt::format("a journal of another input: it holds the result of data set {}, and the input has {} lines",
                     record.number, owner_.chain.size()));
  }
  if (record.chain != owner_.chain[record.number]) {
    fail(
        fmt::format("a journal of another input: line {0} of the input, data set {1}, is not the line whose result it "
                    "holds",
                    record.number + 1, record.number));
  }
}

void JournalFile::begin() {
  const std::uint64_t size = size_of(file_, path_);
  const std::string header = journal_header(owner_.fingerprint);
  std::optional<JournalRecord> other;  // the first result of another input
  const auto compare = [&](const JournalRecord& record) {
    const bool is_same =
        owner_.chain.empty() || (record.number < owner_.chain.size() && record.chain == owner_.chain[record.number]);
    if (!is_same && !other) other = record;
    return true;
  };
  const JournalScan scan = scan_file(file_, path_, size, compare);
  if (scan.damage) fail(damage_words(*scan.damage));
  require_same(scan);
  if (other) require_same_input(*other);
  if (!scan.fingerprint) {
    std::string start(static_cast<std::size_t>(std::min<std::uint64_t>(size, header.size())), '\0');
    read_at(file_, path_, 0, start);
    if (start.size() < size || !header.starts_with(start)) fail("the header of another journal, and not all of it");
  }
  if (scan.torn > 0 && ftruncate(file_.number(), static_cast<off_t>(scan.end)) != 0) {
    fail("cannot be cut off behind its last whole record: " + reason());
  }
  next_ = scan.records;
  for (const auto& [number, record] : scan.failed) failed_.insert(number);
  cut_off_ = scan.torn;
  if (!scan.fingerprint && !write_all(file_.number(), std::array<std::string_view, 1>{header})) {
    fail("cannot be written: " + reason());
  }
  if (scan.fingerprint && scan.programs() != owner_.fingerprint.programs) note_programs();
  if (options_.sync_every == 0) return;
  sync();
  if (!scan.fingerprint) sync_folder_of(path_);
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
  if (is_torn_) fail("its last record is torn, and nothing can stand behind it");
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
}

void JournalFile::count_unsynced() {
  ++unsynced_;
  if (options_.sync_every > 0 && unsynced_ >= options_.sync_every) sync();
}

void JournalFile::sync() {
  if (fdatasync(file_.number()) != 0) {
    is_torn_ = true;
    fail("cannot be brought to the disk: " + reason());
  }
  unsynced_ = 0;
}

JournalInput::JournalInput(std::string path)
    : path_(std::move(path)), file_(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) {
  if (!file_.is_open()) fail_at(path_, "cannot be read: " + reason());
  size_ = size_of(file_, path_);
}

JournalScan JournalInput::scan(const RecordVisitor& visit) const { return scan_file(file_, path_, size_, visit); }

std::size_t JournalInput::read(std::uint64_t offset, std::span<char> to) const {
  return read_at(file_, path_, offset, to);
}

}  // namespace takt::live

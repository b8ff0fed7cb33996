// pread, pwrite, and holes in place of what is delivered.
#include "live/process/input_spool.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <span>
#include <utility>

#include "tpn/visible.hpp"

namespace takt::live {

namespace {

constexpr std::uint64_t kSpoolMagic = 0x4c4f4f50534b4154;  // "TAKSPOOL"
constexpr std::string_view kNoSpool = "it is no spool of takt run";
constexpr std::size_t kSpoolHead = 4 * sizeof(std::uint64_t);
constexpr std::size_t kSpoolPiece = std::size_t{1} << 16;
constexpr std::uint64_t kFreedAtOnce = std::uint64_t{1} << 20;
constexpr std::size_t kTextKept = std::size_t{1} << 20;

// Of the head: the data set of the first line that is wanted, where it begins, and whether nothing comes any more.
constexpr off_t kDeliveredAt = sizeof(std::uint64_t);
constexpr off_t kEndedAt = 3 * sizeof(std::uint64_t);

[[noreturn]] void fail_spool(const std::string& path, const std::string& what) {
  throw SpoolError(tpn::visible(path) + ": " + what);
}

void write_at(const OwnedDescriptor& file, const std::string& path, std::span<const char> bytes, off_t at) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(file.number(), bytes.data(), bytes.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_spool(path, std::string("cannot be written: ") + std::strerror(errno));
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    at += count;
  }
}

template <std::size_t kCount>
void write_numbers(const OwnedDescriptor& file, const std::string& path,
                   const std::array<std::uint64_t, kCount>& numbers, off_t at) {
  write_at(file, path, {reinterpret_cast<const char*>(numbers.data()), sizeof numbers}, at);
}

std::size_t read_spool(const OwnedDescriptor& file, const std::string& path, std::span<char> to, std::uint64_t at) {
  for (;;) {
    const ssize_t count = pread(file.number(), to.data(), to.size(), static_cast<off_t>(at));
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) fail_spool(path, std::string("cannot be read: ") + std::strerror(errno));
  }
}

struct SpoolHead {
  std::uint64_t delivered = 0;
  std::uint64_t delivered_at = 0;
  bool has_ended = false;
};

SpoolHead head_of(const OwnedDescriptor& file, const std::string& path) {
  std::array<std::uint64_t, 4> numbers{};
  const std::span<char> bytes(reinterpret_cast<char*>(numbers.data()), sizeof numbers);
  if (read_spool(file, path, bytes, 0) < bytes.size() || numbers[0] != kSpoolMagic) {
    fail_spool(path, std::string(kNoSpool));
  }
  return {numbers[1], numbers[2], numbers[3] != 0};
}

std::string missing_words(std::uint64_t wanted, std::uint64_t first) {
  return "it begins with data set " + std::to_string(first) + ", but the journal continues with data set " +
         std::to_string(wanted);
}

}  // namespace

// An empty file is that of a run that was killed before it wrote to it; another one that is no spool is somebody's.
SpoolWriter::SpoolWriter(std::string path, std::uint64_t next)
    : path_(std::move(path)),
      file_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW, 0666)) {
  if (!file_.is_open()) fail_spool(path_, std::string("cannot be written: ") + std::strerror(errno));
  struct stat status {};
  if (fstat(file_.number(), &status) != 0 || !S_ISREG(status.st_mode)) fail_spool(path_, std::string(kNoSpool));
  size_ = static_cast<std::uint64_t>(status.st_size);
  if (size_ == 0) {
    begin_file(next);
    return;
  }
  const SpoolHead head = head_of(file_, path_);
  if (head.delivered > next) fail_spool(path_, missing_words(next, head.delivered));
  write_numbers<1>(file_, path_, {0}, kEndedAt);
  cut_off_last();
}

void SpoolWriter::begin_file(std::uint64_t next) {
  write_numbers<4>(file_, path_, {kSpoolMagic, next, kSpoolHead, 0}, 0);
  size_ = kSpoolHead;
}

void SpoolWriter::cut_off_last() {
  const std::uint64_t begin = head_of(file_, path_).delivered_at;
  std::uint64_t end = size_;
  for (std::string piece; end > begin; end -= std::min<std::uint64_t>(end - begin, piece.size())) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kSpoolPiece, end - begin)));
    piece.resize(read_spool(file_, path_, piece, end - piece.size()));
    const std::size_t feed = piece.rfind('\n');
    if (feed == std::string::npos) continue;
    end -= piece.size() - feed - 1;
    break;
  }
  cut_off_ = size_ - end;
  if (cut_off_ > 0 && ftruncate(file_.number(), static_cast<off_t>(end)) != 0) {
    fail_spool(path_, std::string("cannot be cut after its last line: ") + std::strerror(errno));
  }
  size_ = end;
}

std::uint64_t SpoolWriter::waiting() const { return size_ - head_of(file_, path_).delivered_at; }

void SpoolWriter::append(std::string_view bytes) {
  if (bytes.empty()) return;
  write_at(file_, path_, bytes, static_cast<off_t>(size_));
  size_ += bytes.size();
  is_line_open_ = bytes.back() != '\n';
}

std::set<std::string> SpoolWriter::lines() const {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(kSpoolHead));
  std::set<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.insert(line);
  return lines;
}

void SpoolWriter::end() {
  if (is_line_open_) append("\n");
  write_numbers<1>(file_, path_, {1}, kEndedAt);
}

SpoolReader::SpoolReader(std::string path, std::uint64_t next, bool keeps)
    : path_(std::move(path)), file_(open(path_.c_str(), O_RDWR | O_CLOEXEC)), keeps_(keeps) {
  if (!file_.is_open()) fail_spool(path_, std::string("cannot be read: ") + std::strerror(errno));
  const SpoolHead head = head_of(file_, path_);
  if (head.delivered > next) fail_spool(path_, missing_words(next, head.delivered));
  delivered_ = head.delivered;
  delivered_at_ = at_ = freed_at_ = head.delivered_at;
  for (std::uint64_t number = head.delivered; number < next; ++number) {
    if (!this->next()) fail_spool(path_, "it ends with data set " + std::to_string(number) + ", before the journal");
  }
  deliver(next);
}

std::size_t SpoolReader::read_more() {
  const std::size_t before = text_.size();
  text_.resize(before + kSpoolPiece);
  const std::size_t count = read_spool(file_, path_, std::span(text_).subspan(before), at_ + before);
  text_.resize(before + count);
  return count;
}

std::optional<std::string> SpoolReader::take_line() {
  const std::size_t feed = text_.find('\n', searched_);
  searched_ = text_.size();
  if (feed == std::string::npos) return std::nullopt;
  std::string line = text_.substr(taken_, feed - taken_);
  taken_ = searched_ = feed + 1;
  return line;
}

std::optional<std::string> SpoolReader::next() {
  do {
    if (auto line = take_line()) return line;
  } while (read_more() > 0);
  return std::nullopt;
}

// The writer marks the end behind the last line: once it is marked, all lines can be read.
bool SpoolReader::is_over() {
  if (!head_of(file_, path_).has_ended) return false;
  while (read_more() > 0) {
  }
  return text_.find('\n', taken_) == std::string::npos;
}

void SpoolReader::deliver(std::uint64_t next) {
  for (; delivered_ < next; ++delivered_) {
    const std::size_t feed = text_.find('\n', static_cast<std::size_t>(delivered_at_ - at_));
    delivered_at_ = at_ + feed + 1;
  }
  write_numbers<2>(file_, path_, {delivered_, delivered_at_}, kDeliveredAt);
  const auto done = static_cast<std::size_t>(delivered_at_ - at_);
  if (done > kTextKept) {
    text_.erase(0, done);
    taken_ -= done;
    searched_ -= done;
    at_ = delivered_at_;
  }
  if (keeps_ || delivered_at_ - freed_at_ < kFreedAtOnce) return;
  // The head stays; a file system without holes keeps the rest, too.
  const std::uint64_t begin = std::max<std::uint64_t>(freed_at_, kSpoolPiece);
  if (begin < delivered_at_) {
    fallocate(file_.number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
              static_cast<off_t>(delivered_at_ - begin));
  }
  freed_at_ = delivered_at_;
}

}  // namespace takt::live

// Both pipes are written and read as they are ready: neither side waits for the other on a full one.
#include "live/process/filter_kernel.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "live/process/child_process.hpp"
#include "live/process/descriptor.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLength = 8;  // bytes of a record's length
constexpr std::size_t kPiece = std::size_t{1} << 16;

// A pipe that nobody reads any more must be an error of write, not the end of this process.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigset_t signals = pipe_signal();
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~WithoutPipeSignal() {
    const sigset_t signals = pipe_signal();
    constexpr timespec kNow{};
    if (is_raised_ && !was_pending_) sigtimedwait(&signals, nullptr, &kNow);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

  void note_raised() { is_raised_ = true; }

 private:
  static sigset_t pipe_signal() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    return signals;
  }

  sigset_t before_{};
  bool was_pending_ = false;
  bool is_raised_ = false;
};

void make_non_blocking(const OwnedDescriptor& end) {
  if (fcntl(end.number(), F_SETFL, fcntl(end.number(), F_GETFL) | O_NONBLOCK) != 0) {
    throw std::system_error(errno, std::generic_category(), "fcntl");
  }
}

// The bytes that go out for a packet.
class OutgoingRecord {
 public:
  OutgoingRecord(RecordFormat format, std::string& bytes) {
    if (format == RecordFormat::lines) {
      bytes += '\n';
    } else {
      for (std::size_t k = 0; k < kLength; ++k) head_[k] = static_cast<char>(bytes.size() >> (8 * k) & 0xFF);
      left_[0] = {head_.data(), head_.size()};
    }
    left_[1] = bytes;
  }
  OutgoingRecord(const OutgoingRecord&) = delete;
  OutgoingRecord& operator=(const OutgoingRecord&) = delete;

  bool is_over() const { return left_[0].empty() && left_[1].empty(); }

  // As much as the pipe takes now; false, with errno, where it takes nothing for ever.
  bool write_some(int file) {
    std::array<iovec, 2> pieces{};
    // writev does not change what it is given.
    for (std::size_t k = 0; k < pieces.size(); ++k) pieces[k] = {const_cast<char*>(left_[k].data()), left_[k].size()};
    const ssize_t count = writev(file, pieces.data(), static_cast<int>(pieces.size()));
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    auto written = static_cast<std::size_t>(count);
    for (std::string_view& piece : left_) {
      const std::size_t taken = std::min(written, piece.size());
      piece.remove_prefix(taken);
      written -= taken;
    }
    return true;
  }

 private:
  std::array<char, kLength> head_{};
  std::array<std::string_view, 2> left_;
};

// The bytes that come in for a packet.
class IncomingRecord {
 public:
  IncomingRecord(RecordFormat format, std::uint64_t most_bytes) : format_(format), most_bytes_(most_bytes) {}

  bool is_over() const { return is_over_; }
  std::string& bytes() { return bytes_; }

  // What is wrong with it, if anything is.
  std::optional<std::string> add(std::string_view piece) {
    if (!is_over_) {
      if (auto failure = format_ == RecordFormat::lines ? add_of_line(piece) : add_of_length(piece)) return failure;
      if (piece.empty()) return std::nullopt;
    }
    return fmt::format("wrote {} byte{} behind its result", piece.size(), piece.size() == 1 ? "" : "s");
  }

  // What there is of it, as the end of a sentence.
  std::string found() const {
    if (head_.empty() && bytes_.empty()) return "";
    const std::string of_length = head_.size() == kLength ? fmt::format(" of {}", length_) : "";
    const std::size_t count = head_.size() == kLength ? bytes_.size() : head_.size() + bytes_.size();
    return fmt::format(", having written {}{} bytes of its result", count, of_length);
  }

 private:
  // Both take from the piece what belongs to the record.
  std::optional<std::string> add_of_line(std::string_view& piece) {
    const std::size_t end = piece.find('\n');
    bytes_ += piece.substr(0, end);
    is_over_ = end != std::string_view::npos;
    piece.remove_prefix(is_over_ ? end + 1 : piece.size());
    if (bytes_.size() > most_bytes_) return fmt::format("wrote a line of more than {} bytes", most_bytes_);
    return std::nullopt;
  }

  std::optional<std::string> add_of_length(std::string_view& piece) {
    const std::size_t of_head = std::min(kLength - head_.size(), piece.size());
    head_ += piece.substr(0, of_head);
    piece.remove_prefix(of_head);
    if (head_.size() < kLength) return std::nullopt;
    if (of_head > 0) {
      for (std::size_t k = 0; k < kLength; ++k) {
        length_ |= static_cast<std::uint64_t>(static_cast<unsigned char>(head_[k])) << (8 * k);
      }
      if (length_ > most_bytes_) {
        return fmt::format("wrote the length {}, expected at most {}; is it followed by a length and bytes?", length_,
                           most_bytes_);
      }
    }
    const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(length_ - bytes_.size(), piece.size()));
    bytes_ += piece.substr(0, taken);
    piece.remove_prefix(taken);
    is_over_ = bytes_.size() == length_;
    return std::nullopt;
  }

  RecordFormat format_;
  std::uint64_t most_bytes_;
  std::string head_;
  std::uint64_t length_ = 0;
  std::string bytes_;
  bool is_over_ = false;
};

// The last lines of a text, as one.
std::string last_lines(std::string_view text) {
  constexpr std::size_t kLines = 3;
  constexpr std::size_t kShown = 300;
  std::string shown;
  for (std::size_t lines = 0; lines < kLines && !text.empty();) {
    const std::size_t begin = text.rfind('\n') + 1;  // npos + 1 is 0
    const std::string_view line = text.substr(begin);
    text = text.substr(0, begin == 0 ? 0 : begin - 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    shown.insert(0, tpn::visible(line, kShown) + (shown.empty() ? "" : " / "));
    ++lines;
  }
  return shown;
}

}  // namespace

class FilterKernel::Filter {
 public:
  Filter(const FilterCommand& command, const FilterOptions& options)
      : name_(fmt::format("stage {}", tpn::visible(command.name))), options_(options) {
    Pipe input;
    Pipe output;
    Pipe errors;
    child_.emplace(command.command, std::vector<std::string>{},
                   ChildStreams{input.out.number(), output.in.number(), errors.in.number()});
    input_ = std::move(input.in);
    output_ = std::move(output.out);
    errors_ = std::move(errors.out);
    for (const OwnedDescriptor* end : {&input_, &output_, &errors_}) make_non_blocking(*end);
  }

  void run(Packet& packet) {
    data_set_ = packet.data_set;
    if (!failure_.empty()) refuse(failure_);
    if (options_.format == RecordFormat::lines && packet.bytes.find('\n') != std::string::npos) {
      refuse("its bytes hold a line feed, and records are lines");
    }
    deadline_ = std::nullopt;
    if (options_.time_limit) deadline_ = Clock::now() + *options_.time_limit;
    require_silence();
    OutgoingRecord outgoing(options_.format, packet.bytes);
    IncomingRecord incoming(options_.format, options_.most_bytes);
    exchange(outgoing, incoming);
    packet.bytes = std::move(incoming.bytes());
  }

  void close_input() { input_.reset(); }

  void end_by(Clock::time_point time) {
    while (child_ && !child_->has_ended() && Clock::now() < time) {
      take_errors();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    child_.reset();
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw StageFailed(fmt::format("{}, data set {}: {}", name_, data_set_, what));
  }

  // It did something else than to answer.
  [[noreturn]] void fail(const std::string& what) { fail_with("its program " + what); }

  // It has closed a pipe: most likely it has ended, and its status says why.
  [[noreturn]] void fail_at_end(const std::string& what) {
    input_.reset();
    const auto end = Clock::now() + options_.patience;
    while (!child_->has_ended() && Clock::now() < end) {
      take_errors();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (!child_->has_ended()) fail(what);
    const std::string ending = failure_of_status(child_->end()).value_or("exit status 0");
    fail_with(fmt::format("its program {}, and ended: {}", what, ending));
  }

  [[noreturn]] void fail_with(std::string failure) {
    take_errors();
    child_->end();
    failure_ = std::move(failure);
    if (const std::string said = last_lines(said_); !said.empty()) failure_ += "; on standard error: " + said;
    refuse(failure_);
  }

  // Of a program that writes unasked the results would be those of other data sets.
  void require_silence() {
    std::array<char, 1> byte{};
    const ssize_t count = read(output_.number(), byte.data(), byte.size());
    if (count > 0) fail("wrote more than a result for each data set");
    if (count == 0) fail_at_end("closed its output");
  }

  void exchange(OutgoingRecord& outgoing, IncomingRecord& incoming) {
    write_to(outgoing, incoming);
    while (!outgoing.is_over() || !incoming.is_over()) {
      std::array<pollfd, 3> ends = {pollfd{output_.number(), POLLIN, 0}, pollfd{errors_.number(), POLLIN, 0},
                                    pollfd{outgoing.is_over() ? -1 : input_.number(), POLLOUT, 0}};
      wait_for(ends);
      if (ends[1].revents != 0) take_errors();
      if (ends[0].revents != 0) read_from(incoming);
      if (ends[2].revents != 0) write_to(outgoing, incoming);
    }
  }

  void wait_for(std::array<pollfd, 3>& ends) {
    timespec left{};
    if (deadline_) {
      const auto rest = *deadline_ - Clock::now();
      if (rest <= rest.zero()) {
        fail(fmt::format("did not answer within {} ms; an answer counts once it is flushed",
                         std::chrono::duration<double, std::milli>(*options_.time_limit).count()));
      }
      const auto seconds = std::chrono::floor<std::chrono::seconds>(rest);
      left = {seconds.count(), std::chrono::nanoseconds(rest - seconds).count()};
    }
    ppoll(ends.data(), ends.size(), deadline_ ? &left : nullptr, nullptr);
  }

  void write_to(OutgoingRecord& outgoing, const IncomingRecord& incoming) {
    bool is_taken = false;
    {
      WithoutPipeSignal guard;
      is_taken = outgoing.write_some(input_.number());
      if (!is_taken && errno == EPIPE) guard.note_raised();
    }
    if (!is_taken) fail_at_end("read no more of its input" + incoming.found());
  }

  void read_from(IncomingRecord& incoming) {
    std::array<char, kPiece> buffer;
    const ssize_t count = read(output_.number(), buffer.data(), buffer.size());
    if (count < 0) return;
    if (count == 0) fail_at_end("closed its output" + incoming.found());
    if (const auto failure = incoming.add({buffer.data(), static_cast<std::size_t>(count)})) fail(*failure);
  }

  // Of what it says on standard error the end will do.
  void take_errors() {
    constexpr std::size_t kSaid = 10'000;
    std::array<char, kSaid> buffer;
    for (int pieces = 0; errors_.is_open() && pieces < 100; ++pieces) {
      const ssize_t count = read(errors_.number(), buffer.data(), buffer.size());
      if (count == 0) errors_.reset();
      if (count <= 0) return;
      said_.append(buffer.data(), static_cast<std::size_t>(count));
      if (said_.size() > 2 * kSaid) said_.erase(0, said_.size() - kSaid);
    }
  }

  std::string name_;
  const FilterOptions& options_;
  OwnedDescriptor input_;
  OwnedDescriptor output_;
  OwnedDescriptor errors_;
  std::optional<ChildProcess> child_;
  std::uint64_t data_set_ = 0;  // in hand
  std::optional<Clock::time_point> deadline_;
  std::string said_;     // the end of it
  std::string failure_;  // that ended it, if one did
};

FilterKernel::FilterKernel(const std::vector<FilterCommand>& commands, const FilterOptions& options)
    : options_(options) {
  for (const FilterCommand& command : commands) {
    filters_[command.stage] = std::make_unique<Filter>(command, options_);
  }
}

FilterKernel::~FilterKernel() {
  for (const auto& [stage, filter] : filters_) filter->close_input();
  const auto end = Clock::now() + options_.patience;
  for (const auto& [stage, filter] : filters_) filter->end_by(end);
}

void FilterKernel::run(const StageCall& call, Packet& packet) {
  const auto found = filters_.find(call.stage);
  if (found == filters_.end()) {
    throw StageFailed(fmt::format("stage {}, data set {}: it has no program here", call.stage, packet.data_set));
  }
  if (call.stage == 0 && options_.first_stage_counts) packet.bytes = std::to_string(packet.data_set);
  found->second->run(packet);
}

}  // namespace takt::live

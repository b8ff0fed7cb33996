// Records, as they go out and come in, and who has which data set.
#include "live/process/filter_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string_view>
#include <system_error>
#include <utility>

#include "live/process/child_process.hpp"
#include "live/process/core_time.hpp"
#include "live/process/each_program.hpp"
#include "live/process/stage_process.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

namespace {

using Clock = StageProcess::Clock;

constexpr std::size_t kLength = 8;  // bytes of a record's length
constexpr std::size_t kPiece = std::size_t{1} << 16;
constexpr std::chrono::milliseconds kLook{20};  // at a program that has not begun to read

// The bytes that go out for a packet, which must stay where it is.
class OutgoingRecord {
 public:
  OutgoingRecord(RecordFormat format, Packet& packet) : format_(format) {
    if (packet.inputs.empty()) add(packet.bytes);
    for (InputFile& input : packet.inputs) {
      add(input.stage);
      add(input.bytes);
    }
    for (const std::string_view piece : left_) size_ += piece.size();
  }
  OutgoingRecord(const OutgoingRecord&) = delete;
  OutgoingRecord& operator=(const OutgoingRecord&) = delete;

  bool is_over() const { return left_.empty(); }
  std::size_t size() const { return size_; }
  std::vector<std::string_view>& left() { return left_; }

 private:
  void add(std::string& bytes) {
    if (format_ == RecordFormat::lines) {
      bytes += '\n';
    } else {
      std::array<char, kLength>& head = heads_.emplace_back();
      for (std::size_t k = 0; k < kLength; ++k) head[k] = static_cast<char>(bytes.size() >> (8 * k) & 0xFF);
      left_.emplace_back(head.data(), head.size());
    }
    if (!bytes.empty()) left_.emplace_back(bytes);
  }

  RecordFormat format_;
  std::deque<std::array<char, kLength>> heads_;
  std::vector<std::string_view> left_;
  std::size_t size_ = 0;
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
    return fmt::format("wrote {} byte{} after its result", piece.size(), piece.size() == 1 ? "" : "s");
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

// One program for all data sets of its stage. It answers each before it gets the next.
class FilterProgram : public StageProgram {
 public:
  FilterProgram(Keeper& keeper, const StageCommand& command, const ProgramOptions& options)
      : keeper_(keeper),
        name_(fmt::format("stage {}", tpn::visible(command.name))),
        command_(command),
        options_(options) {}

  void start() override {
    if (process_) return;
    process_.emplace(keeper_, command_.command, std::vector<std::string>{});
    has_read_ = false;
  }

  void run(Packet& packet) override {
    data_set_ = packet.data_set;
    start();
    if (!before_) {
      group_ = process_->id();
      before_ = group_core_time(group_);
    }
    if (options_.format == RecordFormat::lines) require_lines(packet);
    require_silence();
    begin_ = Clock::now();
    OutgoingRecord outgoing(options_.format, packet);
    IncomingRecord incoming(options_.format, options_.most_bytes);
    exchange(outgoing, incoming);
    packet.bytes = std::move(incoming.bytes());
    has_answered_ = true;
  }

  // Since the first data set of each process.
  CoreTime time_outside() const override {
    CoreTime time = earlier_;
    if (!before_) return time;
    // Of processes that have ended nothing is left.
    const CoreTime now = group_core_time(group_);
    if (now.running > before_->running) time += now - *before_;
    return time;
  }

  void close_input() override {
    if (process_) process_->close_input();
  }

  void end_by(Clock::time_point time) override {
    try {
      if (process_) process_->end_within(std::chrono::ceil<std::chrono::milliseconds>(time - Clock::now()));
    } catch (const std::system_error&) {
      // The keeper has gone, and its programs with it.
    }
    process_.reset();
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw StageFailed(fmt::format("{}, data set {}: {}", name_, data_set_, what));
  }

  void require_lines(const Packet& packet) const {
    const auto holds_feed = [](const std::string& text) { return text.find('\n') != std::string::npos; };
    if (holds_feed(packet.bytes)) refuse("its bytes contain a line feed, but records are lines");
    for (const InputFile& input : packet.inputs) {
      const std::string name = tpn::visible(input.stage);
      if (holds_feed(input.stage))
        refuse(fmt::format("the name of stage {} contains a line feed, but records are lines", name));
      if (holds_feed(input.bytes))
        refuse(fmt::format("the file of stage {} contains a line feed, but records are lines", name));
    }
  }

  // It did something else than to answer. Another is started for the next data set.
  [[noreturn]] void fail(const std::string& what) { fail_with("its program " + what); }

  // It has closed a pipe: most likely it has ended, and its status says why.
  [[noreturn]] void fail_at_end(const std::string& what) {
    process_->close_input();
    const auto end = process_->end_within(options_.patience);
    if (!end) fail(what);
    fail_with(
        fmt::format("its program {}, and ended: {}", what, failure_of_status(end->status).value_or("exit status 0")));
  }

  [[noreturn]] void fail_with(std::string failure) {
    earlier_ = time_outside();
    before_.reset();
    process_->end();
    if (const std::string said = process_->said(); !said.empty()) failure += "; on standard error: " + said;
    process_.reset();
    refuse(failure);
  }

  // Of a program that writes unasked the results would be those of other data sets.
  void require_silence() {
    char byte = 0;
    const auto count = process_->read_some(&byte, 1);
    if (!count) return;
    if (*count > 0) fail("wrote more than one result for a data set");
    fail_at_end("closed its output");
  }

  void exchange(OutgoingRecord& outgoing, IncomingRecord& incoming) {
    bool is_told = has_answered_;
    NoticedStops stops;
    write_to(outgoing, incoming);
    while (!outgoing.is_over() || !incoming.is_over()) {
      if (!is_told && Clock::now() - begin_ >= kWithoutAnswer && incoming.found().empty()) {
        is_told = true;
        tell_that_it_waits(outgoing);
      }
      const StageReadiness ready = process_->wait(!outgoing.is_over(), next_look(outgoing, is_told));
      begin_ += stops.look();
      if (ready.can_read) read_from(incoming);
      if (ready.can_write) write_to(outgoing, incoming);
    }
  }

  // When to look again though it says nothing. Its start does not count against the limit of time, nor for ever.
  std::optional<Clock::time_point> next_look(const OutgoingRecord& outgoing, bool is_told) {
    std::optional<Clock::time_point> next;
    const auto now = Clock::now();
    if (!is_told) next = std::min(begin_ + kWithoutAnswer, now + NoticedStops::kLook);
    if (!options_.time_limit) return next;
    if (!has_read_ && (outgoing.is_over() ? process_->unread() : outgoing.size()) < outgoing.size()) {
      has_read_ = true;
      begin_ = now;
    }
    if (!has_read_ && now - begin_ >= options_.start_limit) {
      fail(fmt::format("did not read its input within {} of its start", milliseconds_words(options_.start_limit)));
    }
    if (has_read_ && now - begin_ >= *options_.time_limit) {
      fail(fmt::format("did not answer within {}; an answer counts once it is flushed",
                       milliseconds_words(*options_.time_limit)));
    }
    const Clock::time_point limit =
        has_read_
            ? std::min(begin_ + std::chrono::ceil<Clock::duration>(*options_.time_limit), now + NoticedStops::kLook)
            : now + kLook;
    return next ? std::min(*next, limit) : limit;
  }

  void tell_that_it_waits(const OutgoingRecord& outgoing) const {
    if (!options_.say) return;
    const bool has_read = outgoing.is_over() && process_->unread() == 0;
    options_.say(
        command_.stage,
        has_read
            ? fmt::format("{}: its program has read data set {} and has not answered for {} s. One that answers only "
                          "at the end of its input is started for each data set by --each {}={}; any other must flush "
                          "its answer",
                          name_, data_set_, kWithoutAnswer.count(), tpn::shell_word(command_.name),
                          tpn::shell_word(command_.command))
            : fmt::format("{}: its program has not read data set {} for {} s", name_, data_set_,
                          kWithoutAnswer.count()));
  }

  void write_to(OutgoingRecord& outgoing, const IncomingRecord& incoming) {
    if (!process_->write_some(outgoing.left())) fail_at_end("read no more of its input" + incoming.found());
  }

  void read_from(IncomingRecord& incoming) {
    std::array<char, kPiece> buffer;
    const auto count = process_->read_some(buffer.data(), buffer.size());
    if (!count) return;
    if (*count == 0) fail_at_end("closed its output" + incoming.found());
    if (const auto failure = incoming.add({buffer.data(), *count})) fail(*failure);
  }

  Keeper& keeper_;
  std::string name_;
  StageCommand command_;
  const ProgramOptions& options_;
  std::optional<StageProcess> process_;
  std::uint64_t data_set_ = 0;  // in hand
  Clock::time_point begin_;     // of its exchange; where the program had not begun to read, when it did
  bool has_read_ = false;       // anything since its start
  bool has_answered_ = false;   // ever
  pid_t group_ = -1;
  std::optional<CoreTime> before_;  // what the process had before its first data set
  CoreTime earlier_;                // of processes that have ended
};

}  // namespace

std::string milliseconds_words(std::chrono::nanoseconds time) {
  return fmt::format("{} ms", std::chrono::duration<double, std::milli>(time).count());
}

FilterKernel::FilterKernel(Keeper& keeper, const std::vector<StageCommand>& commands, ProgramOptions options)
    : options_(std::move(options)) {
  for (const StageCommand& command : commands) {
    if (command.is_each) {
      programs_[command.stage] = std::make_unique<EachProgram>(keeper, command, options_);
    } else {
      programs_[command.stage] = std::make_unique<FilterProgram>(keeper, command, options_);
    }
  }
}

FilterKernel::~FilterKernel() {
  for (const auto& [stage, program] : programs_) program->close_input();
  const auto end = Clock::now() + options_.patience;
  for (const auto& [stage, program] : programs_) program->end_by(end);
}

void FilterKernel::start(std::size_t stage) {
  const auto found = programs_.find(stage);
  if (found != programs_.end()) found->second->start();
}

CoreTime FilterKernel::time_outside(std::size_t stage) const {
  const auto found = programs_.find(stage);
  return found != programs_.end() ? found->second->time_outside() : CoreTime();
}

void FilterKernel::run(const StageCall& call, Packet& packet) {
  const auto found = programs_.find(call.stage);
  if (found == programs_.end()) {
    throw StageFailed(fmt::format("stage {}, data set {}: it has no program here", call.stage, packet.data_set));
  }
  if (options_.first_stage_counts && options_.flow.takes_input(call.stage))
    packet.bytes = std::to_string(packet.data_set);
  try {
    found->second->run(packet);
  } catch (const std::system_error& error) {
    throw StageFailed(fmt::format("stage {}, data set {}: its program cannot be started: {}", call.stage,
                                  packet.data_set, error.what()));
  }
}

}  // namespace takt::live

// Pipes that do not block, and ppoll.
#include "live/process/stage_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <system_error>
#include <utility>

#include "live/process/pipe_signal.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

namespace {

void make_non_blocking(const OwnedDescriptor& end) {
  if (fcntl(end.number(), F_SETFL, fcntl(end.number(), F_GETFL) | O_NONBLOCK) != 0) {
    throw std::system_error(errno, std::generic_category(), "fcntl");
  }
}

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

StageProcess::StageProcess(Keeper& keeper, const std::string& command, const std::vector<std::string>& variables)
    : keeper_(keeper) {
  Pipe input;
  Pipe output;
  Pipe errors;
  number_ = keeper.start(command, variables, {input.out.number(), output.in.number(), errors.in.number()});
  input_ = std::move(input.in);
  output_ = std::move(output.out);
  errors_ = std::move(errors.out);
  for (const OwnedDescriptor* end : {&input_, &output_, &errors_}) make_non_blocking(*end);
}

StageProcess::~StageProcess() {
  try {
    end();
  } catch (const std::system_error&) {
    // The keeper has gone, and its programs with it.
  }
}

bool StageProcess::write_some(std::vector<std::string_view>& pieces) {
  std::vector<iovec> given;
  given.reserve(pieces.size());
  // writev does not change what it is given.
  for (const std::string_view piece : pieces) given.push_back({const_cast<char*>(piece.data()), piece.size()});
  WithoutPipeSignal guard;
  const ssize_t count = writev(input_.number(), given.data(), static_cast<int>(given.size()));
  if (count < 0) {
    if (errno == EPIPE) guard.note_raised();
    return errno == EAGAIN || errno == EINTR;
  }
  auto written = static_cast<std::size_t>(count);
  while (!pieces.empty() && written >= pieces.front().size()) {
    written -= pieces.front().size();
    pieces.erase(pieces.begin());
  }
  if (!pieces.empty()) pieces.front().remove_prefix(written);
  return true;
}

std::size_t StageProcess::unread() const {
  int count = 0;
  if (!input_.is_open() || ioctl(input_.number(), FIONREAD, &count) != 0) return 0;
  return static_cast<std::size_t>(count);
}

std::optional<std::size_t> StageProcess::read_some(char* to, std::size_t most) {
  const ssize_t count = read(output_.number(), to, most);
  if (count < 0) return std::nullopt;
  return static_cast<std::size_t>(count);
}

StageReadiness StageProcess::wait(bool wants_to_write, const std::optional<Clock::time_point>& until) {
  std::array<pollfd, 4> ends = {pollfd{output_.number(), POLLIN, 0}, pollfd{errors_.number(), POLLIN, 0},
                                pollfd{wants_to_write ? input_.number() : -1, POLLOUT, 0},
                                pollfd{keeper_.socket(), POLLIN, 0}};
  timespec left{};
  if (until) {
    const auto rest = std::max(*until - Clock::now(), Clock::duration::zero());
    const auto seconds = std::chrono::floor<std::chrono::seconds>(rest);
    left = {seconds.count(), std::chrono::nanoseconds(rest - seconds).count()};
  }
  if (ppoll(ends.data(), ends.size(), until ? &left : nullptr, nullptr) <= 0) return {};
  if (ends[1].revents != 0) take_errors();
  if (ends[3].revents != 0) keeper_.look();
  return {ends[2].revents != 0, ends[0].revents != 0};
}

std::optional<KeptEnd> StageProcess::end_within(std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kStep{20};
  const auto until = Clock::now() + patience;
  while (!end_) {
    // A program that writes more than its pipe holds would wait for ever.
    take_errors();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (keeper_.end_of(number_, std::clamp(left, std::chrono::milliseconds(0), kStep))) end_ = keeper_.end(number_);
    if (left.count() <= 0) break;
  }
  return end_;
}

KeptEnd StageProcess::end() {
  if (!end_) {
    take_errors();
    // What a shell says of its killed children is not what the program had to say.
    errors_.reset();
    end_ = keeper_.end(number_);
  }
  return *end_;
}

std::string StageProcess::said() {
  take_errors();
  return last_lines(said_);
}

// Of what it says on standard error the end will do.
void StageProcess::take_errors() {
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

}  // namespace takt::live

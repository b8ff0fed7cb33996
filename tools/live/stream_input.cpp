// A FIFO is opened without waiting for who writes; its end is known by poll, once somebody has written.
#include "tools/live/stream_input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "tools/command.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/options.hpp"

namespace takt::tools {

namespace {

constexpr std::uint64_t kMostWaiting = std::uint64_t{1} << 26;
constexpr int kLookMilliseconds = 50;

constexpr std::string_view kEndName = ".end";

bool is_folder(const std::string& input) {
  std::error_code ignored;
  return input != "-" && !input.empty() && std::filesystem::is_directory(input, ignored);
}

// An error that was thrown in a command's words.
template <typename Make>
auto or_file_error(Make make) {
  try {
    return make();
  } catch (const live::SpoolError& error) {
    throw FileError(error.what());
  }
}

}  // namespace

void add_stream_options(CommandLine& line, RunChoices& choices) {
  line.option("--max-rate", choices.max_rate,
              "start at most R data sets per second, such as 20 or 0.5; default: no limit")
      .check(number())
      .type_name("R")
      .group("Time");
}

bool is_stream(const std::string& input) {
  std::error_code ignored;
  return input == "-" || is_folder(input) || (!input.empty() && std::filesystem::is_fifo(input, ignored));
}

void set_stream(live::RunPlan& plan, const RunChoices& choices) {
  if (choices.max_rate) {
    const auto rate = read_number(*choices.max_rate);
    if (!rate || rate->sign() <= 0) {
      throw UsageError(fmt::format("--max-rate: found \"{}\", expected a number above 0", *choices.max_rate));
    }
    if (choices.anchor == "logical") throw UsageError("--max-rate goes with real clocks, not with --anchor logical");
    const maxplus::Integer gap = (maxplus::Rational(1'000'000'000) / *rate).nearest();
    plan.coordination.least_gap = gap.fits_slong_p() ? std::max<live::Ticks>(gap.get_si(), 1) : live::Ticks{1} << 62;
  }
  if (!is_stream(choices.input)) return;
  if (choices.journal.empty())
    throw UsageError("--input -, FIFOs and folders go with --journal, which keeps the waiting input");
  if (choices.data_sets) throw UsageError("--data-sets does not go with a streamed input, which takt reads to its end");
  if (!choices.again.empty()) throw UsageError("--again does not go with a streamed input, which cannot be read again");
  if (!choices.trace_file.empty())
    throw UsageError("--trace-file does not go with a streamed input: a run without a known end keeps no trace");
  plan.input.clear();
  plan.spool = choices.journal + ".input";
  plan.keeps_spool = is_folder(choices.input);
}

StreamInput::StreamInput(const std::string& input, const std::string& spool, std::uint64_t next)
    : name_(display_name(input)),
      opened_(input == "-" ? -1 : open(input.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)),  // also of a folder
      file_(input == "-" ? STDIN_FILENO : opened_.number()),
      writer_(or_file_error([&] { return live::SpoolWriter(spool, next); })) {
  if (file_ < 0) throw FileError(fmt::format("{}: cannot be read: {}", name_, std::strerror(errno)));
  if (is_folder(input)) {
    folder_ = input.ends_with('/') ? input : input + '/';
    taken_ = writer_.lines();
  }
  thread_ = std::thread([this] { serve(); });
}

StreamInput::~StreamInput() {
  is_stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

void StreamInput::stop() {
  is_stopping_ = true;
  if (thread_.joinable()) thread_.join();
  if (!error_.empty()) throw FileError(error_);
}

// Without its input the run cannot go on: it ends as if it had been told to, and stop() says why.
void StreamInput::serve() {
  try {
    while (!is_stopping_ && (folder_.empty() ? read_some() : look_into_folder())) {
    }
  } catch (const std::exception& error) {
    error_ = error.what();
    kill(getpid(), SIGTERM);
  }
}

// Those that are new, by their names. False at the end, which is looked for first: what came before it is taken.
bool StreamInput::look_into_folder() {
  const bool is_last = std::filesystem::exists(folder_ + std::string(kEndName));
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    const std::string name = entry.path().filename();
    if (name.starts_with('.') || !entry.is_regular_file()) continue;
    if (name.find('\n') != std::string::npos) {
      throw std::runtime_error(fmt::format("{}: found a file whose name has a line feed", name_));
    }
    const std::string path = folder_ + name;
    if (!taken_.contains(path)) found.insert(path);
  }
  for (const std::string& path : found) writer_.append(path + '\n');
  taken_.merge(found);
  if (is_last) {
    writer_.end();
    return false;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(kLookMilliseconds));
  return true;
}

// False at the end.
bool StreamInput::read_some() {
  if (writer_.waiting() > kMostWaiting) {
    std::this_thread::sleep_for(std::chrono::milliseconds(kLookMilliseconds));
    return true;
  }
  pollfd look{file_, POLLIN, 0};
  if (poll(&look, 1, kLookMilliseconds) <= 0) return true;
  std::array<char, std::size_t{1} << 16> piece;
  const ssize_t count = read(file_, piece.data(), piece.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (count < 0) throw std::runtime_error(fmt::format("{}: cannot be read: {}", name_, std::strerror(errno)));
  if (count == 0) {
    writer_.end();
    return false;
  }
  writer_.append({piece.data(), static_cast<std::size_t>(count)});
  return true;
}

}  // namespace takt::tools

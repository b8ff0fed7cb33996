// Looks into /proc. Whoever ends meanwhile is no longer there, and that is no error.
#include "live/process/core_time.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "live/process/thread_time.hpp"

namespace takt::live {

using std::chrono::nanoseconds;

namespace {

// Of files in /proc, which are short.
using SmallText = std::array<char, 1024>;

std::string_view text_from(int file, SmallText& text) {
  const ssize_t count = pread(file, text.data(), text.size(), 0);
  return {text.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

std::string_view text_at(const std::string& path, SmallText& text) {
  const OwnedDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file.is_open() ? text_from(file.number(), text) : std::string_view();
}

// The numbers of a line, from the first on.
class NumbersInLine {
 public:
  explicit NumbersInLine(std::string_view text) : text_(text) {}

  std::optional<std::int64_t> next() {
    const std::size_t begin = text_.find_first_not_of(' ');
    if (begin == std::string_view::npos) return std::nullopt;
    text_.remove_prefix(begin);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
    if (error != std::errc()) return std::nullopt;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return number;
  }

 private:
  std::string_view text_;
};

// The second number of schedstat.
std::optional<nanoseconds> waiting_in(std::string_view schedstat) {
  NumbersInLine numbers(schedstat);
  if (!numbers.next()) return std::nullopt;
  const auto waited = numbers.next();
  return waited ? std::optional(nanoseconds(*waited)) : std::nullopt;
}

// Calls visit(name) for entries of a folder of /proc that are numbers.
template <typename Visit>
void for_each_number(const std::string& folder, Visit visit) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), closedir);
  if (!entries) return;
  while (const dirent* const entry = readdir(entries.get())) {  // NOLINT(concurrency-mt-unsafe): a stream of its own
    const std::string_view name = &entry->d_name[0];
    if (name.find_first_not_of("0123456789") == std::string_view::npos) visit(std::string(name));
  }
}

struct ProcessStat {
  std::int64_t group = 0;
  nanoseconds own{};
  nanoseconds children{};  // that it has waited for
};

std::optional<ProcessStat> stat_of(const std::string& path) {
  SmallText buffer;
  std::string_view text = text_at(path, buffer);
  // The name, in parentheses, may hold anything; a state of one letter follows.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos || name_end + 3 > text.size()) return std::nullopt;
  NumbersInLine numbers(text.substr(name_end + 3));
  ProcessStat stat;
  const nanoseconds tick(1'000'000'000 / sysconf(_SC_CLK_TCK));
  constexpr int kGroup = 5;
  for (int field = 4; field <= 17; ++field) {
    const auto number = numbers.next();
    if (!number) return std::nullopt;
    if (field == kGroup) stat.group = *number;
    if (field == 14 || field == 15) stat.own += *number * tick;
    if (field == 16 || field == 17) stat.children += *number * tick;
  }
  return stat;
}

// In finer steps than those of stat, where the system tells.
nanoseconds processor_time(const std::string& process, nanoseconds coarse) {
  pid_t id = 0;
  std::from_chars(process.data(), process.data() + process.size(), id);
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(id, &clock) != 0 || clock_gettime(clock, &time) != 0) return coarse;
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

}  // namespace

ThreadCoreClock::ThreadCoreClock() : schedstat_(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}

CoreTime ThreadCoreClock::now() const {
  SmallText text;
  return {thread_time(), schedstat_.is_open() ? waiting_in(text_from(schedstat_.number(), text)) : std::nullopt};
}

std::optional<nanoseconds> waiting_of(pid_t process) {
  SmallText text;
  return waiting_in(text_at(fmt::format("/proc/{}/schedstat", process), text));
}

CoreTime group_core_time(pid_t group, const std::string& proc) {
  CoreTime sum;
  bool has_processes = false;
  bool tells_waiting = false;
  const bool is_here = proc == "/proc";
  for_each_number(proc, [&](const std::string& process) {
    const auto stat = stat_of(proc + "/" + process + "/stat");
    if (!stat || stat->group != group) return;
    has_processes = true;
    sum.running += (is_here ? processor_time(process, stat->own) : stat->own) + stat->children;
    const std::string tasks = proc + "/" + process + "/task";
    for_each_number(tasks, [&](const std::string& task) {
      SmallText text;
      const auto waiting = waiting_in(text_at(fmt::format("{}/{}/schedstat", tasks, task), text));
      if (!waiting) return;
      tells_waiting = true;
      *sum.waiting += *waiting;
    });
  });
  if (has_processes && !tells_waiting) sum.waiting.reset();
  return sum;
}

}  // namespace takt::live

// What Open MPI says of a process that died is the only place where its rank stands.
#include "tools/live/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <regex>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

#include "live/process/child_process.hpp"
#include "live/process/descriptor.hpp"
#include "live/process/keeper.hpp"
#include "maxplus/deadline.hpp"
#include "tools/command.hpp"
#include "tools/files/files.hpp"
#include "tools/files/signals.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

constexpr std::chrono::milliseconds kLook{5};
constexpr std::chrono::milliseconds kLaterLook{100};  // of a job that runs for longer than kWord
constexpr std::chrono::seconds kWord{1};
constexpr std::chrono::seconds kFarewell{5};  // for the launcher to clean up behind its processes
constexpr int kNotFound = 127;

live::OwnedDescriptor opened(const std::string& path, int flags) {
  live::OwnedDescriptor file(open(path.c_str(), flags | O_CLOEXEC, 0644));
  if (!file.is_open()) throw FileError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  return file;
}

std::string text_if_any(const std::string& path) {
  if (path.empty()) return "";
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What launchers say of a process that died, the first of it:
// Open MPI 4.1:  mpirun noticed that process rank 3 with PID 17 on node here exited on signal 9 (Killed).
// Open MPI 5.0:  prterun noticed that process rank 3 with PID 17 on node here exited on signal 9 (Killed).
// Slurm 22.05:   srun: error: here: task 3: Killed
// Several tasks in one line are those that Slurm has ended behind it.
std::optional<std::size_t> rank_of(const std::string& messages) {
  static const std::regex kSaid(
      R"((?:process rank (\d{1,9}) with PID)|(?:(?:^|\n)srun: error: [^\s:]+: task (\d{1,9}): (?!Exited with exit code 0\b)))");
  std::smatch found;
  if (!std::regex_search(messages, found, kSaid)) return std::nullopt;
  return std::stoul(found[1].matched ? found[1] : found[2]);
}

// What a process of another machine has said of its failure, if it has no file to write that to. Options of
// launchers put more words before it.
std::string said_elsewhere(const std::string& messages) {
  static const std::regex kSaid(R"((?:^|\n)(?:\S{1,80}(?:: |>:))?takt-live: ([^\n]+))");
  std::smatch found;
  return std::regex_search(messages, found, kSaid) ? tpn::visible(found[1].str()) : "";
}

// The last line that says anything.
std::string last_words(const std::string& text) {
  std::size_t end = text.find_last_not_of("-\n\r \t");
  if (end == std::string::npos) return "";
  const std::size_t begin = text.rfind('\n', end);
  return tpn::visible(text.substr(begin == std::string::npos ? 0 : begin + 1, end - begin));
}

// What has been added to a file, which may not be there yet.
class Tail {
 public:
  explicit Tail(std::string path) : path_(std::move(path)) {}

  std::string added() {
    if (!file_.is_open()) file_.open(path_, std::ios::binary);
    if (!file_.is_open()) return "";
    std::string text{std::istreambuf_iterator<char>(file_), {}};
    file_.clear();
    return text;
  }

 private:
  std::string path_;
  std::ifstream file_;
};

// What a user sees of a job while it runs.
class JobView {
 public:
  explicit JobView(const Launch& launch) : launch_(launch), words_(launch.words) {
    if (launch.shown != nullptr) messages_.emplace(launch.messages);
  }

  void show() {
    if (messages_) {
      if (const std::string text = messages_->added(); !text.empty()) *launch_.shown << text << std::flush;
    }
    if (!launch_.on_words) return;
    line_ += words_.added();
    for (std::size_t end = 0; (end = line_.find('\n')) != std::string::npos; line_.erase(0, end + 1)) {
      launch_.on_words(line_.substr(0, end));
    }
  }

  void show_progress() {
    const auto now = maxplus::SearchClock::now();
    if (!launch_.on_progress || now < next_progress_) return;
    launch_.on_progress(text_if_any(launch_.begun));
    next_progress_ = now + kWord;
  }

 private:
  const Launch& launch_;
  std::optional<Tail> messages_;
  Tail words_;
  std::string line_;  // what is there of the next
  maxplus::SearchClock::time_point next_progress_ = maxplus::SearchClock::now() + kWord;
};

// Why the launcher of a job has to be ended.
struct Stop {
  std::string words;
  bool has_stalled = false;
  bool is_lingering = false;  // its processes have ended; what they left says how
};

// A zombie does not, whose parent has yet to wait for it.
bool is_running(pid_t process) {
  const char state = live::process_state(process);
  return state != '\0' && state != 'Z' && state != 'X';
}

std::atomic<bool> is_stop_wanted = false;

// While one is alive Ctrl-Z stops a job with takt, and what has takt go on has both go on.
class StopTogether {
 public:
  explicit StopTogether(pid_t job) : job_(job) {
    struct sigaction action {};
    action.sa_handler = [](int) { is_stop_wanted = true; };
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGTSTP, nullptr, &before_);
    if (before_.sa_handler != SIG_IGN) sigaction(SIGTSTP, &action, nullptr);
  }
  StopTogether(const StopTogether&) = delete;
  StopTogether& operator=(const StopTogether&) = delete;
  ~StopTogether() { sigaction(SIGTSTP, &before_, nullptr); }

  /// How long all were stopped just now, which begins if it was asked for.
  maxplus::SearchClock::duration look() const {
    if (!is_stop_wanted.exchange(false)) return {};
    const auto begin = maxplus::SearchClock::now();
    live::stop_all(job_);
    raise(SIGSTOP);
    live::continue_all(job_);
    return maxplus::SearchClock::now() - begin;
  }

 private:
  pid_t job_;
  struct sigaction before_ {};
};

// Whether the coordinator gives signs of life.
class SignsOfLife {
 public:
  explicit SignsOfLife(const Launch& launch) : launch_(launch) {}

  /// It was stopped so long, as was takt.
  void forgive(maxplus::SearchClock::duration time) {
    since_ += time;
    not_gone_ += time;
  }

  /// Something if it has not for longer than is allowed, or has ended for so long.
  std::optional<Stop> look() {
    const auto now = maxplus::SearchClock::now();
    std::error_code error;
    const auto renewed = std::filesystem::last_write_time(launch_.coordinator, error);
    if (error || renewed != renewed_) {
      renewed_ = renewed;
      since_ = now;
      has_told_ = false;
      process_ = static_cast<pid_t>(std::strtol(text_if_any(launch_.coordinator).c_str(), nullptr, 10));
    }
    if (has_ended_for(launch_.lingering_allowed, now)) {
      return Stop{fmt::format("the launcher had not ended {} s after the coordinator",
                              std::chrono::duration<double>(launch_.lingering_allowed).count()),
                  false, true};
    }
    const auto silence = std::chrono::duration_cast<std::chrono::milliseconds>(now - since_);
    if (launch_.silence_allowed && silence > *launch_.silence_allowed) return Stop{words(silence), true, false};
    if (silence > launch_.silence_told && !std::exchange(has_told_, true) && launch_.on_words) {
      launch_.on_words(words(silence));
    }
    return std::nullopt;
  }

 private:
  // Where the launcher makes a container the coordinator has another number here: only one that was seen can be gone.
  bool has_ended_for(std::chrono::milliseconds time, maxplus::SearchClock::time_point now) {
    const bool runs = is_running(process_);
    if (runs) seen_ = process_;
    if (runs || seen_ == 0 || seen_ != process_) not_gone_ = now;
    return now - not_gone_ > time;
  }

  std::string words(std::chrono::milliseconds silence) const {
    return fmt::format("the coordinator (process {}) has given no sign of life for {} s: is it stopped?",
                       tpn::visible(text_if_any(launch_.coordinator)),
                       std::chrono::duration_cast<std::chrono::seconds>(silence).count());
  }

  const Launch& launch_;
  std::filesystem::file_time_type renewed_;
  maxplus::SearchClock::time_point since_ = maxplus::SearchClock::now();
  bool has_told_ = false;
  pid_t process_ = 0;                                                        // as the file says
  pid_t seen_ = 0;                                                           // the last that ran
  maxplus::SearchClock::time_point not_gone_ = maxplus::SearchClock::now();  // when last looked
};

// Until a job ends or takt is interrupted; why it is to be ended, if it is.
std::optional<Stop> wait_for(const live::ChildProcess& job, const Launch& launch) {
  auto start = maxplus::SearchClock::now();
  const StopTogether stops(job.id());
  JobView view(launch);
  SignsOfLife signs(launch);
  bool has_begun = !launch.patience;
  std::error_code ignored;
  while (!job.has_ended() && !interruption()) {
    job.wait(maxplus::SearchClock::now() - start < kWord ? kLook : kLaterLook);
    const auto stopped = stops.look();
    start += stopped;
    signs.forgive(stopped);
    view.show();
    view.show_progress();
    if (has_begun || std::filesystem::exists(launch.begun, ignored)) {
      has_begun = true;
    } else if (maxplus::SearchClock::now() - start > *launch.patience) {
      return Stop{fmt::format("its processes had not all begun after {} s",
                              std::chrono::duration<double>(*launch.patience).count())};
    }
    if (auto stop = signs.look()) return stop;
  }
  view.show();
  return std::nullopt;
}

// The last of what processes have printed; the launcher's own words, between lines of dashes, where they said nothing.
std::string words_of_job(const std::string& messages) {
  std::string own;
  std::string launchers;  // its first paragraph
  bool is_launchers = false;
  bool is_whole = false;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    const bool is_fence = line.starts_with("------") && line.find_first_not_of('-') == std::string::npos;
    if (is_fence) is_launchers = !is_launchers;
    if (is_fence || line.empty()) {
      is_whole = !launchers.empty();
    } else if (!is_launchers) {
      own += line + '\n';
    } else if (!is_whole) {
      launchers += line + ' ';
    }
  }
  const std::string words = last_words(own);
  return words.empty() ? last_words(launchers) : words;
}

// Ranks that did not answer, and words.
JobEnd stalled_end(const std::string& text) {
  JobEnd end;
  end.has_stalled = true;
  std::istringstream lines(text);
  std::string ranks;
  std::getline(lines, ranks);
  std::string words;
  std::getline(lines, words);
  end.failure = tpn::visible(words);
  std::istringstream numbers(ranks);
  for (std::size_t rank = 0; numbers >> rank;) end.silent.push_back(rank);
  return end;
}

JobEnd failed_end(const Launch& launch, const std::string& status) {
  JobEnd end;
  if (const std::string stall = text_if_any(launch.stall); !stall.empty()) return stalled_end(stall);
  if (const std::string said = last_words(text_if_any(launch.failure)); !said.empty()) {
    end.failure = said;
    end.is_given = true;
    return end;
  }
  const std::string messages = text_if_any(launch.messages);
  if (const std::string said = said_elsewhere(messages); !said.empty()) {
    end.failure = said;
    end.is_given = true;
    return end;
  }
  end.rank = rank_of(messages);
  const std::string words = words_of_job(messages);
  end.failure = words.empty() ? status : fmt::format("{}: {}", status, words);
  return end;
}

// Of processes that ended well, but did not do what those of takt::live do.
JobEnd strange_end(const Launch& launch) {
  JobEnd end;
  end.failure = fmt::format("the processes have ended without a result; is {} made with takt::live?",
                            tpn::visible(launch.executable));
  end.is_given = true;
  return end;
}

// Of a launcher that had to be ended.
JobEnd stopped_end(const Launch& launch, const Stop& stop) {
  std::error_code ignored;
  if (stop.is_lingering && std::filesystem::exists(launch.result, ignored)) return {};
  if (stop.is_lingering) return failed_end(launch, stop.words);
  JobEnd end;
  end.failure = stop.words;
  end.has_stalled = stop.has_stalled;
  return end;
}

live::ChildProcess start_job(const Launch& launch, const live::ChildStreams& streams) {
  const std::string command = fmt::format("exec {} -n {} {} {}", launch.launcher, launch.processes,
                                          shell_word(launch.executable), shell_word(launch.plan));
  // Root needs both words; waiting in MPI's own calls, at the beginning and the end, should not keep others from work.
  const std::vector<std::string> variables = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                              "OMPI_MCA_mpi_yield_when_idle=1"};
  try {
    return live::ChildProcess(command, variables, streams, SIGTERM);
  } catch (const std::system_error& error) {
    throw FileError(fmt::format("{}: cannot be started: {}", launch.launcher, error.code().message()));
  }
}

}  // namespace

JobEnd interrupted_end() {
  JobEnd end;
  end.is_interrupted = true;
  end.failure = "interrupted";
  return end;
}

JobEnd run_job(const Launch& launch) {
  const live::OwnedDescriptor nothing = opened("/dev/null", O_RDONLY);
  live::OwnedDescriptor messages;
  if (!launch.messages.empty()) messages = opened(launch.messages, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
  const int out = messages.is_open() ? messages.number() : STDERR_FILENO;
  std::error_code ignored;
  std::filesystem::remove(launch.begun, ignored);
  std::filesystem::remove(launch.failure, ignored);
  std::filesystem::remove(launch.words, ignored);
  std::filesystem::remove(launch.stall, ignored);
  std::filesystem::remove(launch.coordinator, ignored);
  const InterruptibleSearch stops(SearchSignals::all_in_order);
  live::ChildProcess job = start_job(launch, {nothing.number(), out, out});
  const std::optional<Stop> stop = wait_for(job, launch);
  if (interruption() || stop) {
    job.ends_when_asked(kFarewell);
    return interruption() ? interrupted_end() : stopped_end(launch, *stop);
  }
  const int status = job.end();
  const auto failure = live::failure_of_status(status);
  if (!failure && std::filesystem::exists(launch.result, ignored)) return {};
  if (!failure) return strange_end(launch);
  JobEnd end = failed_end(launch, *failure);
  end.cannot_start = WIFEXITED(status) && WEXITSTATUS(status) == kNotFound;
  return end;
}

std::string cannot_start_words(const JobEnd& end) {
  return fmt::format(
      "the run cannot be started ({}): expected an MPI launcher, such as mpirun of openmpi-bin, and takt-live, which "
      "is built with takt if MPI is installed",
      end.failure.value_or(""));
}

std::string live_program() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path beside = self.parent_path() / "takt-live";
  return !error && std::filesystem::exists(beside, error) ? beside.string() : "takt-live";
}

}  // namespace takt::tools

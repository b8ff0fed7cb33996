// Workers by fork, their chunks in shared memory.
#include "tools/experiment/jobs.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <exception>
#include <new>
#include <system_error>
#include <thread>

#include "tools/command.hpp"
#include "tools/experiment/cpu_time.hpp"
#include "tools/experiment/own_programs.hpp"
#include "tools/files/signals.hpp"

namespace takt::tools {

using experiments::Chunk;
using experiments::ChunkWatch;

namespace {

using RunClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPoll{20};
constexpr int kMostUnexplainedDeaths = 3;

enum class ChunkState : std::uint8_t { free, taken, done, given_up };

// A worker's words for why it ended.
constexpr std::size_t kMessageSize = 1000;

// What the processes share. All of it is lock-free.
class SharedWork {
 public:
  explicit SharedWork(std::size_t chunks) : chunks_(chunks), bytes_(sizeof(Head) + chunks) {
    memory_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~SharedWork() { ::munmap(memory_, bytes_); }
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

  std::optional<std::size_t> take() {
    for (std::size_t i = head().first_free; i < chunks_; ++i) {
      auto expected = ChunkState::free;
      if (state(i).compare_exchange_strong(expected, ChunkState::taken)) return i;
    }
    return std::nullopt;
  }
  void set(std::size_t i, ChunkState to) {
    const ChunkState from = state(i).exchange(to);
    if (from != to && to == ChunkState::done) ++head().done;
    if (from != to && to == ChunkState::given_up) ++head().given_up;
    if (to == ChunkState::free && i < head().first_free) head().first_free = i;
  }
  // Only the watcher moves it: a worker that frees nothing cannot be overtaken.
  void advance() {
    std::size_t i = head().first_free;
    while (i < chunks_ && state(i) != ChunkState::free) ++i;
    head().first_free = i;
  }
  bool is(std::size_t i, ChunkState which) { return state(i) == which; }
  std::size_t done() { return head().done; }
  std::size_t given_up() { return head().given_up; }
  // As far as the watcher knows: `advance` has been called since the last one was freed or taken.
  bool has_free() { return head().first_free < chunks_; }
  void report(std::string_view message) {
    if (head().has_message.exchange(true)) return;
    const std::size_t size = std::min(message.size(), kMessageSize - 1);
    std::copy_n(message.data(), size, head().message.data());
  }
  std::string message() { return head().has_message ? std::string(head().message.data()) : std::string(); }

 private:
  struct Head {
    std::atomic<std::size_t> first_free;
    std::atomic<std::size_t> done;
    std::atomic<std::size_t> given_up;
    std::atomic<bool> has_message;
    std::array<char, kMessageSize> message;
  };
  static_assert(std::atomic<std::size_t>::is_always_lock_free && std::atomic<ChunkState>::is_always_lock_free);
  static_assert(sizeof(std::atomic<ChunkState>) == 1);

  Head& head() { return *static_cast<Head*>(memory_); }
  std::atomic<ChunkState>& state(std::size_t i) {
    return *reinterpret_cast<std::atomic<ChunkState>*>(static_cast<char*>(memory_) + sizeof(Head) + i);
  }

  std::size_t chunks_;
  std::size_t bytes_;
  void* memory_;
};

// Where a worker says which chunk it has: in shared memory too, one place each.
class SharedHands {
 public:
  static constexpr std::size_t kNothing = ~std::size_t{0};

  explicit SharedHands(std::size_t workers) : bytes_(workers * sizeof(std::atomic<std::size_t>)) {
    memory_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    for (std::size_t w = 0; w < workers; ++w) of(w) = kNothing;
  }
  ~SharedHands() { ::munmap(memory_, bytes_); }
  SharedHands(const SharedHands&) = delete;
  SharedHands& operator=(const SharedHands&) = delete;

  std::atomic<std::size_t>& of(std::size_t worker) { return static_cast<std::atomic<std::size_t>*>(memory_)[worker]; }

 private:
  std::size_t bytes_;
  void* memory_;
};

constexpr int kWorkerDone = 0;
constexpr int kWorkerFailed = 1;  // with a message: a full disk stops all of them

struct WorkerProcess {
  pid_t process = 0;
  RunClock::time_point since;  // it has what it has
  std::size_t seen = SharedHands::kNothing;
};

class Watcher {
 public:
  Watcher(const RunDirectory& directory, const std::vector<Chunk>& chunks, const JobOptions& options,
          const ComputeChunk& compute)
      : directory_(directory),
        chunks_(chunks),
        options_(options),
        compute_(compute),
        work_(chunks.size()),
        hands_(static_cast<std::size_t>(options.jobs)),
        workers_(static_cast<std::size_t>(options.jobs)),
        deaths_(chunks.size()),
        begin_(RunClock::now()) {}

  JobsEnd run() {
    const InterruptibleSearch interruptible(SearchSignals::interrupt_and_terminate);
    while (!is_over()) {
      if (interruption() || maxplus::has_passed(options_.deadline)) {
        end_.is_interrupted = true;
        break;
      }
      start_workers();
      reap();
      work_.advance();
      report();
      std::this_thread::sleep_for(kPoll);
    }
    stop_workers();
    end_.error = work_.message();
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      if (deaths_[i] >= kMostUnexplainedDeaths) end_.given_up.push_back(i);
    }
    return end_;
  }

 private:
  bool is_over() {
    if (!work_.message().empty()) return true;
    return work_.done() + work_.given_up() == chunks_.size();
  }

  void start_workers() {
    for (std::size_t w = 0; w < workers_.size(); ++w) {
      if (workers_[w].process != 0 || !work_.has_free()) continue;
      const pid_t watcher = ::getpid();
      const pid_t process = ::fork();
      if (process < 0) throw FileError("no process can be started: " + std::generic_category().message(errno));
      if (process == 0) ::_exit(serve(w, watcher));
      workers_[w] = {process, RunClock::now(), SharedHands::kNothing};
    }
  }

  // The life of a worker.
  int serve(std::size_t w, pid_t watcher) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != watcher) return kWorkerDone;
    // The watcher hears of Ctrl-C, and ends us.
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGTERM, SIG_DFL);
    // A file that is too large is an error of write(2), as a full disk is.
    ::signal(SIGXFSZ, SIG_IGN);
    note_crashes();
    omp_set_num_threads(1);
    try {
      ChunkWorker worker(directory_, compute_);
      while (const auto i = work_.take()) {
        hands_.of(w) = *i;
        worker.work_on(chunks_[*i]);
        work_.set(*i, ChunkState::done);
        hands_.of(w) = SharedHands::kNothing;
      }
    } catch (const FileError& error) {
      work_.report(error.what());
      return kWorkerFailed;
    } catch (const std::bad_alloc&) {
      return kWorkerFailed;  // as a process that is killed for want of memory
    } catch (const std::exception& error) {
      work_.report(fmt::format("internal error, please report it: {}: {}",
                               chunk_words(directory_.description(), chunks_[hands_.of(w)]), error.what()));
      return kWorkerFailed;
    }
    return kWorkerDone;
  }

  void reap() {
    for (std::size_t w = 0; w < workers_.size(); ++w) {
      if (workers_[w].process == 0) continue;
      int status = 0;
      const pid_t process = workers_[w].process;
      if (::waitpid(process, &status, WNOHANG) != process) continue;
      workers_[w].process = 0;
      const std::size_t had = hands_.of(w).exchange(SharedHands::kNothing);
      if (had == SharedHands::kNothing || has_stored(directory_.path(), process, chunks_[had])) {
        if (had != SharedHands::kNothing) work_.set(had, ChunkState::done);
        continue;
      }
      // A crash is noted with its draw, which is passed over in the end; other deaths are counted here.
      const bool is_crash = WIFSIGNALED(status) && is_crash_signal(WTERMSIG(status));
      if (!is_crash) ++deaths_[had];
      work_.set(had, deaths_[had] >= kMostUnexplainedDeaths ? ChunkState::given_up : ChunkState::free);
    }
  }

  void stop_workers() {
    for (const WorkerProcess& worker : workers_) {
      if (worker.process != 0) ::kill(worker.process, SIGTERM);
    }
    for (const WorkerProcess& worker : workers_) {
      if (worker.process != 0) ::waitpid(worker.process, nullptr, 0);
    }
  }

  void report() {
    if (options_.on_progress == nullptr) return;
    RunProgress progress;
    progress.left = chunks_.size();
    progress.done = work_.done();
    progress.seconds = std::chrono::duration<double>(RunClock::now() - begin_).count();
    if (progress.done != seen_done_) {
      seen_done_ = progress.done;
      seen_draws_ = draws_done();
    }
    progress.draws = seen_draws_;
    RunClock::time_point oldest = RunClock::time_point::max();
    for (std::size_t w = 0; w < workers_.size(); ++w) {
      WorkerProcess& worker = workers_[w];
      const std::size_t has = hands_.of(w);
      if (has != worker.seen) {
        worker.seen = has;
        worker.since = RunClock::now();
      }
      if (has == SharedHands::kNothing || worker.since >= oldest) continue;
      oldest = worker.since;
      progress.oldest = has;
    }
    options_.on_progress(progress);
  }

  std::uint64_t draws_done() {
    std::uint64_t draws = 0;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      if (work_.is(i, ChunkState::done)) draws += chunks_[i].draws;
    }
    return draws;
  }

  const RunDirectory& directory_;
  const std::vector<Chunk>& chunks_;
  const JobOptions& options_;
  const ComputeChunk& compute_;
  SharedWork work_;
  SharedHands hands_;
  std::vector<WorkerProcess> workers_;
  std::vector<int> deaths_;  // by chunk, those that no draw explains
  RunClock::time_point begin_;
  std::size_t seen_done_ = 0;
  std::uint64_t seen_draws_ = 0;
  JobsEnd end_;
};

}  // namespace

ComputeChunk computing(const RunDirectory& directory) {
  return [&directory, own = own_programs_of(directory.description())](const Chunk& chunk, const ChunkWatch& watch) {
    ChunkWatch with_own = watch;
    with_own.own = own.get();
    return experiments::compute_chunk(directory.description(), chunk, with_own);
  };
}

void ChunkWorker::work_on(const Chunk& chunk) {
  const double begin = cpu_seconds();
  announcer_.begin(chunk);
  const ChunkWatch watch{.on_draw = [&](std::uint64_t draw) { return announcer_.announce(draw); }, .stop = nullptr};
  const std::optional<std::string> text = compute_(chunk, watch);
  if (text) file_.append(*text);
  announcer_.end(text.has_value());
  if (text) directory_.note_time(chunk, cpu_seconds() - begin);
}

JobsEnd run_jobs(const RunDirectory& directory, const std::vector<Chunk>& chunks, const JobOptions& options,
                 const ComputeChunk& compute) {
  return Watcher(directory, chunks, options, compute).run();
}

}  // namespace takt::tools

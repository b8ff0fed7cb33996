// Draws timed by a process of their own; chunks and files by what they took.
#include "tools/experiment/chunk_times.hpp"

#include <omp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>

#include "experiments/reports/chunk.hpp"
#include "maxplus/contract.hpp"
#include "tools/command.hpp"
#include "tools/experiment/chunk_files.hpp"
#include "tools/experiment/cpu_time.hpp"
#include "tools/experiment/own_programs.hpp"
#include "tools/files/signals.hpp"

namespace takt::tools {

using experiments::Chunk;
using experiments::Description;

namespace {

using SampleClock = maxplus::SearchClock;

constexpr std::chrono::milliseconds kSamplePoll{20};
constexpr std::uint64_t kMostRowsOfChunk = 100'000;

// What the process that samples tells: the cell that it is at, and a sample for each cell.
class SharedSamples {
 public:
  explicit SharedSamples(std::size_t cells) : cells_(cells), bytes_(sizeof(Head) + cells * sizeof(DrawSample)) {
    memory_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~SharedSamples() { ::munmap(memory_, bytes_); }
  SharedSamples(const SharedSamples&) = delete;
  SharedSamples& operator=(const SharedSamples&) = delete;

  std::atomic<std::size_t>& cell() { return static_cast<Head*>(memory_)->cell; }
  DrawSample& of(std::size_t cell) {
    return reinterpret_cast<DrawSample*>(static_cast<char*>(memory_) + sizeof(Head))[cell];
  }
  std::vector<DrawSample> all() { return {&of(0), &of(0) + cells_}; }

 private:
  struct Head {
    std::atomic<std::size_t> cell;
  };
  static_assert(sizeof(Head) % alignof(DrawSample) == 0);

  std::size_t cells_;
  std::size_t bytes_;
  void* memory_;
};

void add_lines(DrawSample& sample, std::string_view text) {
  sample.chunk_bytes = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    if (experiments::is_row(text.substr(at, end - at))) {
      ++sample.rows;
      sample.row_bytes += end - at;
    } else {
      sample.chunk_bytes += end - at;
    }
    at = end;
  }
}

// CPU time of this process, or where others work for it the clock's.
class SampleWatch {
 public:
  explicit SampleWatch(bool is_by_clock) : is_by_clock_(is_by_clock), begin_(now()) {}
  double seconds() const { return now() - begin_; }

 private:
  double now() const {
    if (!is_by_clock_) return cpu_seconds();
    return std::chrono::duration<double>(SampleClock::now().time_since_epoch()).count();
  }

  bool is_by_clock_;
  double begin_;
};

// Chunks of 1, 2, 4, ... draws of a cell.
DrawSample sample_of(const Description& description, std::size_t cell, const SampleLimits& limits, OwnPrograms* own) {
  const std::uint64_t most = std::max<std::uint64_t>(1, description.cells[cell].draws / limits.one_in);
  const double seconds = limits.seconds / static_cast<double>(description.cells.size());
  DrawSample sample;
  const SampleWatch watch(own != nullptr);
  for (std::uint64_t draws = 1; sample.draws < most && sample.seconds < seconds; draws *= 2) {
    const Chunk chunk{cell, 0, sample.draws, std::min(draws, most - sample.draws)};
    const auto since = SampleClock::now();
    const auto text = experiments::compute_chunk(description, chunk, {.on_draw = nullptr, .stop = nullptr, .own = own});
    maxplus::expects(text.has_value(), "nobody stops a sample");
    const std::chrono::duration<double> taken = SampleClock::now() - since;
    sample.is_cut = sample.is_cut || (chunk.draws == 1 && taken.count() >= limits.seconds_per_draw);
    add_lines(sample, *text);
    sample.draws += chunk.draws;
    sample.seconds = watch.seconds();
  }
  return sample;
}

// The life of the process.
void sample_from(std::size_t cell, const Description& description, const SampleLimits& limits,
                 SampleClock::time_point end, SharedSamples& shared, OwnPrograms* own) {
  Description limited = description;
  limited.seconds_per_draw = std::min(description.seconds_per_draw, limits.seconds_per_draw);
  omp_set_num_threads(1);
  for (; cell < description.cells.size() && SampleClock::now() < end; ++cell) {
    shared.cell() = cell;
    if (description.cells[cell].draws > 0) shared.of(cell) = sample_of(limited, cell, limits, own);
  }
  shared.cell() = description.cells.size();
}

// A signal ends both processes; whoever runs commands in-process asks for the end.
void wait_for(pid_t process, const SampleLimits& limits, SharedSamples& shared) {
  int status = 0;
  while (::waitpid(process, &status, WNOHANG) != process) {
    if (interruption()) {
      ::kill(process, SIGKILL);
      ::waitpid(process, &status, 0);
      throw FileError("interrupted while draws were timed; nothing was written");
    }
    if (limits.on_cell != nullptr) limits.on_cell(std::min(shared.cell().load(), shared.all().size() - 1));
    std::this_thread::sleep_for(kSamplePoll);
  }
}

// 1, 2, 5, 10, 20, ...: the largest that is no more.
std::uint64_t round_down(double number, std::uint64_t most) {
  std::uint64_t result = 1;
  for (std::uint64_t power = 1; power <= most; power *= 10) {
    for (const std::uint64_t digit : {1U, 2U, 5U}) {
      if (static_cast<double>(digit * power) <= number && digit * power <= most) result = digit * power;
    }
  }
  return result;
}

std::uint64_t series_of(const Description& description, std::size_t cell) {
  return description.study->prepare(description, description.cells[cell])->series().size();
}

}  // namespace

std::vector<DrawSample> sample_draws(const Description& description, const SampleLimits& limits) {
  const auto own = own_programs_of(description);
  SharedSamples shared(description.cells.size());
  const auto end = SampleClock::now() + std::chrono::duration_cast<SampleClock::duration>(
                                            std::chrono::duration<double>(limits.most_seconds));
  for (std::size_t cell = 0; cell < description.cells.size() && SampleClock::now() < end; cell = shared.cell() + 1) {
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process < 0) throw FileError("no process can be started: " + std::generic_category().message(errno));
    if (process == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(0);
      try {
        sample_from(cell, description, limits, end, shared, own.get());
      } catch (const std::exception&) {
        ::_exit(1);  // as a draw that ends its process: the run will tell
      }
      ::_exit(0);
    }
    wait_for(process, limits, shared);
  }
  return shared.all();
}

std::vector<std::uint64_t> draws_per_chunk(const Description& description, const std::vector<DrawSample>& samples,
                                           double seconds) {
  constexpr std::uint64_t kMostDraws = 1'000'000'000;
  std::vector<std::uint64_t> result(samples.size());
  std::uint64_t least = 0;
  for (std::size_t c = 0; c < samples.size(); ++c) {
    if (samples[c].draws == 0) continue;
    const double per_draw = std::max(1e-9, samples[c].seconds / static_cast<double>(samples[c].draws));
    const bool has_rows = description.keep != experiments::Keep::none;
    const std::uint64_t most =
        has_rows ? std::max<std::uint64_t>(1, kMostRowsOfChunk / series_of(description, c)) : kMostDraws;
    result[c] = round_down(seconds / per_draw, most);
    if (least == 0 || result[c] < least) least = result[c];
  }
  std::ranges::replace(result, std::uint64_t{0}, std::max<std::uint64_t>(1, least));
  return result;
}

RunForecast forecast(const Description& description, const std::vector<DrawSample>& samples) {
  RunForecast result;
  for (std::size_t c = 0; c < samples.size(); ++c) {
    const auto& [cell, sample] = std::pair(description.cells[c], samples[c]);
    result.draws += cell.draws;
    result.timed += sample.draws;
    result.is_cut = result.is_cut || sample.is_cut;
    if (cell.draws == 0) continue;
    if (sample.draws == 0) {
      ++result.unknown_cells;
      continue;
    }
    const double draws = static_cast<double>(cell.draws);
    const double share = draws / static_cast<double>(sample.draws);
    const double chunks = std::ceil(draws / static_cast<double>(cell.draws_per_chunk));
    const double bytes =
        share * static_cast<double>(sample.row_bytes) + chunks * static_cast<double>(sample.chunk_bytes);
    result.rows += share * static_cast<double>(sample.rows);
    result.bytes += bytes;
    result.files += std::min(chunks, std::ceil(bytes / static_cast<double>(kPackBytes)));
    result.seconds += share * sample.seconds;
  }
  return result;
}

double usual_seconds(const RunForecast& run) {
  constexpr double kChunksOfShortRun = 200;
  constexpr double kLeast = 0.1;
  return std::clamp(run.seconds / kChunksOfShortRun, kLeast, kMostUsualSeconds);
}

}  // namespace takt::tools

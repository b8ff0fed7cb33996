// takt-mpi: an experiment shared by the processes of an MPI job.
//
// Process 0 hands out chunks, those of most draws first, and does nothing else: it looks for messages and sleeps a
// millisecond, for a receive that blocks spins on a core. The others ask for a chunk, compute it, put its file in the
// common directory and ask for the next. The only messages are numbers of chunks. Where a process dies, MPI ends all of
// them; the same command goes on with what is left.
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <sstream>
#include <thread>

#include "tools/experiment/jobs.hpp"
#include "tools/experiment/run_command.hpp"
#include "tools/files/progress.hpp"
#include "tools/frame/command_line.hpp"

#ifdef __SANITIZE_ADDRESS__
// Open MPI leaves memory behind, in modules that are unloaded when LeakSanitizer looks.
extern "C" int __lsan_is_turned_off();               // NOLINT: its name for it
extern "C" int __lsan_is_turned_off() { return 1; }  // NOLINT
#endif

namespace takt::tools {

namespace {

using experiments::Chunk;

constexpr int kAsk = 1;   // from a worker: the chunk that it has done, or kNone
constexpr int kGive = 2;  // to a worker: a chunk, or kNone if there is no more
constexpr std::int64_t kNone = -1;
constexpr std::chrono::milliseconds kNap{1};

int rank() {
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  return number;
}

int processes() {
  int number = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &number);
  return number;
}

// Gives each worker that asks the next chunk until none is left and all have heard so.
class Dispatcher {
 public:
  Dispatcher(const RunDirectory& directory, const std::vector<Chunk>& chunks, Streams& streams)
      : directory_(directory), chunks_(chunks), streams_(streams), workers_(processes() - 1) {}

  void run() {
    Progress line(streams_);
    const auto begin = std::chrono::steady_clock::now();
    int dismissed = 0;
    while (dismissed < workers_) {
      int is_there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, kAsk, MPI_COMM_WORLD, &is_there, &status);
      if (is_there == 0) {
        std::this_thread::sleep_for(kNap);
        continue;
      }
      if (!answer(status.MPI_SOURCE)) ++dismissed;
      progress_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      line.show(progress_text(directory_, chunks_, progress_));
    }
  }

 private:
  // False if there is no chunk for it any more.
  bool answer(int worker) {
    std::int64_t done = kNone;
    MPI_Recv(&done, 1, MPI_INT64_T, worker, kAsk, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    progress_.left = chunks_.size();
    if (done != kNone) {
      ++progress_.done;
      progress_.draws += chunks_[static_cast<std::size_t>(done)].draws;
    }
    const std::int64_t given = next_ < chunks_.size() ? static_cast<std::int64_t>(next_++) : kNone;
    MPI_Send(&given, 1, MPI_INT64_T, worker, kGive, MPI_COMM_WORLD);
    return given != kNone;
  }

  const RunDirectory& directory_;
  const std::vector<Chunk>& chunks_;
  Streams& streams_;
  int workers_;
  std::size_t next_ = 0;
  RunProgress progress_;
};

void serve(const RunDirectory& directory, const std::vector<Chunk>& chunks) {
  note_crashes();
  omp_set_num_threads(1);
  const ComputeChunk compute = computing(directory);
  ChunkWorker worker(directory, compute);
  std::int64_t chunk = kNone;
  for (;;) {
    MPI_Send(&chunk, 1, MPI_INT64_T, 0, kAsk, MPI_COMM_WORLD);
    MPI_Recv(&chunk, 1, MPI_INT64_T, 0, kGive, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (chunk == kNone) return;
    worker.work_on(chunks[static_cast<std::size_t>(chunk)]);
  }
}

// Process 0 makes the directory, the others find it there; all see the same chunks, for they are told how many.
int run_shared(const RunOptions& options, Streams& streams) {
  if (processes() < 2) {
    throw UsageError("found one process, expected two and more: one hands out the work, the others do it");
  }
  const bool is_first = rank() == 0;
  std::unique_ptr<OpenedRun> run;
  std::unique_ptr<RunDirectory> directory;
  if (is_first) {
    run = std::make_unique<OpenedRun>(open_run(options, streams));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (!is_first) directory = std::make_unique<RunDirectory>(RunDirectory::open(options.directory));
  // What is left must be the same list for all, whatever is done meanwhile.
  std::uint64_t left = is_first ? run->left.size() : 0;
  MPI_Bcast(&left, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  std::vector<std::uint64_t> numbers(left);
  if (is_first) numbers = chunk_numbers(run->directory, run->left);
  MPI_Bcast(numbers.data(), static_cast<int>(left), MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (!is_first) {
    std::vector<Chunk> chunks(numbers.size());
    std::ranges::transform(numbers, chunks.begin(), [&](std::uint64_t number) { return directory->chunks()[number]; });
    serve(*directory, chunks);
    MPI_Barrier(MPI_COMM_WORLD);
    return kAnswered;
  }
  Dispatcher(run->directory, run->left, streams).run();
  // The workers' files are nobody's by then.
  MPI_Barrier(MPI_COMM_WORLD);
  ChunkIndex done = run->directory.tidied();
  return end_of_run(run->directory, done, run->left, {}, "the same command", streams);
}

Action define_shared_run(CommandLine& line) {
  const auto options = std::make_shared<RunOptions>();
  add_run_options(line, *options);
  line.footer(
      "The same run as takt experiment run, shared by the processes of an MPI job through a common directory.\n"
      "Process 0 only hands out the work: start one process more than there are cores.\n"
      "\n"
      "Example:\n"
      "  mpirun -n 3 takt-mpi run replicated-table-2 -o table-2");
  return [options](Streams& streams) { return run_shared(*options, streams); };
}

}  // namespace

}  // namespace takt::tools

int main(int argc, char** argv) {
  using namespace takt::tools;
  MPI_Init(&argc, &argv);
  static constexpr std::array<Command, 1> kCommands = {
      {{"run", "compute the draws of an experiment, or go on with them", define_shared_run}}};
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  // What --help and a wrong command line print is printed once.
  std::ostringstream unseen;
  std::ostringstream complaint;
  const bool is_first = takt::tools::rank() == 0;
  const Streams streams = is_first ? Streams{std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) == 1}
                                   : Streams{std::cin, unseen, complaint, false};
  const int status = run_program("takt-mpi", kCommands, arguments, streams);
  if (!is_first && status != kUsage) std::cerr << complaint.str();
  // A rank that fails alone must not leave the others waiting.
  if (status != kAnswered && status != kLimit) {
    std::cout.flush();
    MPI_Abort(MPI_COMM_WORLD, status);
  }
  MPI_Finalize();
  return status;
}

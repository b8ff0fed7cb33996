// A run on one machine: processes that take chunks in turn, each a fork of the one that watches them.
//
// Problem. Chunks are to be computed by several processes, and a draw may end its process.
//
// Method. The chunks that are left stand in memory that all share; a worker takes the next free one, computes it and
// stores it. The watcher sees which worker died, frees the chunk that it had and starts another worker. Where a signal
// asks the run to end, the workers end at once: what they had in hand is lost, what is stored stays.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/experiment/run_directory.hpp"

namespace takt::tools {

/// Computes a chunk; nothing if it was stopped.
using ComputeChunk =
    std::function<std::optional<std::string>(const experiments::Chunk& chunk, const experiments::ChunkWatch& watch)>;

/// `experiments::compute_chunk` for a directory's description, its user's heuristics run as programs. Throws UsageError
/// where one is no program.
ComputeChunk computing(const RunDirectory& directory);

/// A process that computes chunks and stores them: draws announced, the time noted.
class ChunkWorker {
 public:
  /// Both must outlive it.
  ChunkWorker(const RunDirectory& directory, const ComputeChunk& compute)
      : directory_(directory), compute_(compute), announcer_(directory), file_(directory.path()) {}

  /// Throws FileError.
  void work_on(const experiments::Chunk& chunk);

 private:
  const RunDirectory& directory_;
  const ComputeChunk& compute_;
  Announcer announcer_;
  FreshFile file_;
};

/// Progress of a run.
struct RunProgress {
  std::size_t done = 0;  // chunks, of `left`
  std::size_t left = 0;
  std::uint64_t draws = 0;            // of chunks done by this run
  double seconds = 0;                 // since it began
  std::optional<std::size_t> oldest;  // the chunk longest in hand, an index into the list
};

struct JobOptions {
  std::uint64_t jobs = 1;
  maxplus::Deadline deadline;                                     // of the whole run
  std::function<void(const RunProgress&)> on_progress = nullptr;  // several times a second
};

/// How it ended.
struct JobsEnd {
  bool is_interrupted = false;        // by a signal or the deadline
  std::vector<std::size_t> given_up;  // chunks whose workers died for no reason that a draw gave, three times
  std::string error;                  // why a worker could not go on, such as a full disk; empty if all could
};

/// Computes these chunks of the directory. Files of chunks are not packed: RunDirectory::tidied does so.
JobsEnd run_jobs(const RunDirectory& directory, const std::vector<experiments::Chunk>& chunks,
                 const JobOptions& options, const ComputeChunk& compute);

}  // namespace takt::tools

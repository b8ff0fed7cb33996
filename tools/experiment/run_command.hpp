// Running an experiment: its chunks, and the progress that is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/command.hpp"
#include "tools/experiment/jobs.hpp"
#include "tools/experiment/run_directory.hpp"
#include "tools/frame/command_line.hpp"

namespace takt::tools {

/// Chunks c with c mod of = number - 1.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t of = 1;
};

/// "K/N", 1 <= K <= N; nothing if the text is none.
std::optional<Shard> read_shard(const std::string& text);

/// What a run is to do.
struct RunOptions {
  std::string experiment;
  std::string directory;
  std::optional<std::uint64_t> draws;
  std::optional<std::uint64_t> seed;
  std::optional<experiments::ChunkSize> chunk;
  std::optional<std::string> shard;
};

/// The experiment and the options that any way to run it has; --shard is not among them.
/// `needs_directory`: whether the command cannot do without --output.
void add_run_options(CommandLine& line, RunOptions& options, bool needs_directory = true);

/// A run's directory, what is done in it, and what is left of it, the chunks that are longest first.
struct OpenedRun {
  RunDirectory directory;
  ChunkIndex done;
  std::vector<experiments::Chunk> left;
};
/// Times draws where the chunks of a new directory are to be chosen. Throws UsageError, FileError, tpn::ParseError.
OpenedRun open_run(const RunOptions& options, Streams& streams);

/// The places of these chunks, which are of the shard and not done, in RunDirectory::chunks().
std::vector<std::uint64_t> chunk_numbers(const RunDirectory& directory, const std::vector<experiments::Chunk>& chunks);

/// Those of the shard that are not done.
std::vector<experiments::Chunk> chunks_left(const RunDirectory& directory, const ChunkIndex& done, const Shard& shard);

/// "812 of 3000 chunks, 11,400 draws/s, about 3 min left, at draws 100 to 199 of cell 3, "10x20"".
std::string progress_text(const RunDirectory& directory, const std::vector<experiments::Chunk>& chunks,
                          const RunProgress& progress);

/// What is said when a run ends, and its exit status: kAnswered if everything that it was to do is done and no draw
/// failed, else kLimit. `done` is what is done now, `again` the command line that goes on.
int end_of_run(const RunDirectory& directory, ChunkIndex& done, const std::vector<experiments::Chunk>& chunks,
               const JobsEnd& end, const std::string& again, Streams& streams);

}  // namespace takt::tools

// How long draws take, and how many of them are a chunk.
//
// Problem. A chunk is to take about as long as a description says, and the draws of one cell may take a thousand times
// as long as those of another.
//
// Method. The first draws of each cell are computed as chunks of 1, 2, 4, ... draws, in CPU seconds, until its share of
// the time is used up; what they give is thrown away. This is done in a process of its own, for a draw may end its
// process; then the next one goes on with the next cell.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "experiments/descriptions/description.hpp"
#include "maxplus/deadline.hpp"

namespace takt::tools {

/// What some draws of a cell took and gave. No draws: their process died, or there was no time for them.
struct DrawSample {
  std::uint64_t draws = 0;
  double seconds = 0;      // of CPU (with programs of a user's, of the clock), the preparations of chunks among them
  std::uint64_t rows = 0;  // that were kept
  std::uint64_t row_bytes = 0;    // theirs
  std::uint64_t chunk_bytes = 0;  // of the other lines of a chunk
  bool is_cut = false;            // its first draw took longer than it was watched
};

struct SampleLimits {
  double seconds = 1;            // for all cells, beyond one draw of each
  double seconds_per_draw = 10;  // what takes longer is broken off: it is known to take that long
  double most_seconds = 60;      // after which no cell is begun, of the clock
  std::uint64_t one_in = 1;      // of a cell's draws, at least one
  std::function<void(std::size_t cell)> on_cell = nullptr;  // several times a second
};

/// By cell. Nothing is written. Throws UsageError if a heuristic is no program.
std::vector<DrawSample> sample_draws(const experiments::Description& description, const SampleLimits& limits);

/// Draws of a chunk by cell, for chunks of `seconds`: 1, 2 or 5 times a power of ten, and at most 100,000 rows in
/// all series where rows may be kept. A cell of which nothing is known has the fewest draws of those that are known.
std::vector<std::uint64_t> draws_per_chunk(const experiments::Description& description,
                                           const std::vector<DrawSample>& samples, double seconds);

/// What the files of a run would hold, if all draws are like those of the sample.
struct RunForecast {
  std::uint64_t draws = 0;
  double rows = 0;
  double bytes = 0;
  double files = 0;    // of chunks, once they are packed
  double seconds = 0;  // of CPU
  std::uint64_t timed = 0;
  std::size_t unknown_cells = 0;  // whose draws ended their process, or for which there was no time
  bool is_cut = false;            // so of some cell
};
RunForecast forecast(const experiments::Description& description, const std::vector<DrawSample>& samples);

/// Seconds of a chunk where nobody says anything: kMostUsualSeconds, or less in a short run, for many processes to
/// share.
inline constexpr double kMostUsualSeconds = 10;
double usual_seconds(const RunForecast& run);

}  // namespace takt::tools

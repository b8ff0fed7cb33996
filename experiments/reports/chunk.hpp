// One chunk of an experiment: its rows and tallies as the lines of a file, computed and read back.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/descriptions/description.hpp"

namespace takt::experiments {

/// What happens around a chunk's draws.
struct ChunkWatch {
  /// Before each draw; true if it is to be passed over, for it has ended the process too often.
  std::function<bool(std::uint64_t draw)> on_draw = nullptr;
  /// Ends the chunk unfinished after the draw in hand.
  const std::atomic<bool>* stop = nullptr;
  /// Runs the heuristics that are not takt's; null if the description names none.
  OwnHeuristics* own = nullptr;
};

/// The lines of a chunk: a row for each draw and series that is kept, then, unless all are, a tally for each series;
/// last which draws they are and the CRC-32 of what stands before. Nothing if it was stopped. The same bytes
/// whenever and wherever it is computed, but for draws that meet the time limit.
std::optional<std::string> compute_chunk(const Description& description, const Chunk& chunk, const ChunkWatch& watch);

/// Why the text is not what compute_chunk wrote for the chunk; nothing if it is.
std::optional<std::string> damage_of(std::string_view text, const Chunk& chunk);

/// Where a chunk may stand in a text of several, one behind the other, and which draws its last line names.
struct ChunkPlace {
  std::size_t begin = 0;
  std::size_t size = 0;
  std::size_t cell = 0;
  std::uint64_t first = 0;
  std::uint64_t draws = 0;
};
/// One for each last line; `damage_of` says which are whole. What stands behind the last of them is none's.
std::vector<ChunkPlace> places_of(std::string_view text);

/// Calls `visit` for each line of a chunk that is whole, as JSON. Throws tpn::ParseError, which names `file`.
void for_each_line(std::string_view text, const std::string& file,
                   const std::function<void(const tpn::json::Tree&)>& visit);
/// Whether a line is a row: no tally, nor the last one.
bool is_row(const tpn::json::Tree& line);
/// The same of a line as it was written.
bool is_row(std::string_view line);

/// A draw that failed in some series.
struct FailedDraw {
  std::size_t cell = 0;
  std::uint64_t draw = 0;
  SeriesKeys series;
  std::string reason;
};

/// What is known of a cell: its series in the order of the study, each with a tally.
struct CellSummary {
  std::vector<SeriesKeys> series;
  std::vector<Tally> tallies;
};

/// What is known of an experiment, from any of its chunks in any order.
class Summary {
 public:
  explicit Summary(const Description& description);

  /// Adds the chunk of a text that is not damaged. Throws tpn::ParseError, which names `file`.
  void add(const Chunk& chunk, std::string_view text, const std::string& file);

  const Description& description() const { return *description_; }
  const CellSummary& cell(std::size_t index) const { return cells_[index]; }
  /// By cell and draw; the first kMostFailures of each cell.
  std::vector<FailedDraw> failures() const;
  std::uint64_t failed() const { return failed_; }

  static constexpr std::size_t kMostFailures = 20;

 private:
  void add_line(const Chunk& chunk, const tpn::json::Tree& tree);
  void add_row(const Chunk& chunk, const tpn::json::Tree& tree);
  std::size_t series_index(const Chunk& chunk, const tpn::json::Tree& tree, const tpn::json::Value& keys) const;

  const Description* description_;
  std::vector<CellSummary> cells_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::vector<FailedDraw>> failures_;
  std::uint64_t failed_ = 0;
};

}  // namespace takt::experiments

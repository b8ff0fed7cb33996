// The directory of a run: a manifest, a file for each chunk that is done, and what was started.
//
// Problem. A run of hours may be killed at any moment, by whoever; what was done must stay, whole, and going on must
// give the same bytes as a run that nobody disturbed.
//
// Method. A chunk's file appears whole: it is written under another name, synced and renamed, and the directory is
// synced. What has a chunk's name and its check sum is done; nothing else says so. While a chunk is in hand, a file of
// attempts/ holds the draw that each start was at, in memory that outlives the process, and whether that draw ended the
// process by itself: one that did so at three starts is passed over. A kill from outside leaves no such mark.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/descriptions/description.hpp"
#include "experiments/reports/chunk.hpp"

namespace takt::tools {

class RunDirectory {
 public:
  /// Opens the directory of a run, which must have a manifest. Throws FileError, tpn::ParseError.
  static RunDirectory open(const std::string& path);
  /// Opens it to go on, or creates it with a manifest for this description. Throws UsageError where the manifest is of
  /// another description or seed, or has more draws; more draws than the manifest has become its own, and so do title,
  /// source, notes, report and expectations, unless tallies lack what they count.
  static RunDirectory open_for(const std::string& path, std::string_view text, const std::string& file,
                               const experiments::Overrides& overrides);

  const std::string& path() const { return path_; }
  const experiments::Description& description() const { return *description_; }
  const std::vector<experiments::Chunk>& chunks() const { return chunks_; }

  /// "000012-00000345": of the cell and of the chunk within it.
  static std::string name_of(const experiments::Chunk& chunk);
  std::string path_of(const experiments::Chunk& chunk) const;

  /// The text of a chunk that is done; nothing where it is not, or what is there is damaged.
  std::optional<std::string> done(const experiments::Chunk& chunk) const;
  /// What is known by now. Throws FileError, tpn::ParseError.
  experiments::Summary summary() const;

  /// Puts a chunk's text where it belongs, and ends its attempts. Throws FileError.
  void store(const experiments::Chunk& chunk, std::string_view text) const;
  /// Notes what computing a chunk took, apart from what must be the same everywhere.
  void note_time(const experiments::Chunk& chunk, double cpu_seconds) const;
  /// Removes unfinished files of processes that are gone.
  void remove_leftovers() const;

  /// Starts of a chunk that did not finish it, and the draw that the last one was at.
  struct Attempts {
    std::uint64_t starts = 0;
    std::uint64_t draw = 0;
  };
  std::optional<Attempts> attempts(const experiments::Chunk& chunk) const;

  std::string attempts_path(const experiments::Chunk& chunk) const;

 private:
  explicit RunDirectory(std::string path) : path_(std::move(path)) {}
  void load();

  std::string path_;
  std::shared_ptr<const experiments::Description> description_;
  std::vector<experiments::Chunk> chunks_;
};

/// A start of a chunk: announces each draw where it outlives the process.
class AnnouncedChunk {
 public:
  AnnouncedChunk(const RunDirectory& directory, const experiments::Chunk& chunk);
  ~AnnouncedChunk();
  AnnouncedChunk(const AnnouncedChunk&) = delete;
  AnnouncedChunk& operator=(const AnnouncedChunk&) = delete;

  /// This draw comes next; true where it has ended the process at three starts and is to be passed over.
  bool announce(std::uint64_t draw);

 private:
  void* memory_ = nullptr;
  std::vector<std::uint64_t> passed_over_;
};

/// From now on a signal by which a draw ends the process, such as SIGSEGV or SIGABRT, is noted with the draw that was
/// announced last, and then ends the process.
void note_crashes();

/// Whether it is one of those.
bool is_crash_signal(int signal);

/// Deaths at one draw after which it is passed over.
inline constexpr std::uint64_t kMostDeaths = 3;

/// "000012-00000345" for people: "draws 100 to 199 of cell 3, \"10x20\"".
std::string chunk_words(const experiments::Description& description, const experiments::Chunk& chunk);

}  // namespace takt::tools

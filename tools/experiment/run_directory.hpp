// The directory of a run: a manifest, the files of chunks that are done, and what was started.
//
// Problem. A run of hours may be killed at any moment; what was done must stay, whole, and going on must
// give the same bytes as a run that nobody disturbed.
//
// Method. The manifest says which draws are a chunk, for good: its creator decides, all others take it as
// it is. Chunks stand in files as chunk_files.hpp says; what has its check sum there is done; nothing else says so.
// While a chunk is in hand, a file of attempts/ holds the draw that each start was at, in memory that outlives the
// process, and whether that draw ended the process by itself: one that did so at three starts is passed over. A kill
// from outside leaves no such mark.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/descriptions/description.hpp"
#include "experiments/reports/chunk.hpp"
#include "tools/experiment/chunk_files.hpp"

namespace takt::tools {

/// How many draws a chunk of each cell has where the description leaves it to time; nothing for the study's usual
/// number. May throw.
using ChooseChunks = std::function<std::vector<std::uint64_t>(const experiments::Description& description)>;

/// Throws UsageError if there are more chunks than memory should hold.
void require_bearable(const experiments::Description& description);

class RunDirectory {
 public:
  /// Opens the directory of a run, which must have a manifest. Throws FileError, tpn::ParseError.
  static RunDirectory open(const std::string& path);
  /// Opens it to go on, or creates it with a manifest for this description; then `choose` is asked, unless a number of
  /// draws is given. Throws UsageError if the manifest is of another description, seed or number of draws of a
  /// chunk, has more draws, or if there are too many chunks; more draws than the manifest has become its own, and so
  /// do title, source, notes, report and expectations, unless tallies lack what they count.
  static RunDirectory open_for(const std::string& path, std::string_view text, const std::string& file,
                               const experiments::Overrides& overrides, const ChooseChunks& choose = {});

  const std::string& path() const { return path_; }
  const experiments::Description& description() const { return *description_; }
  const std::vector<experiments::Chunk>& chunks() const { return *chunks_; }

  /// What is done by now. Throws FileError.
  ChunkIndex index() const { return {path_, chunks_}; }
  /// The same once files of chunks are packed, and what processes that are gone have left is removed.
  ChunkIndex tidied() const;
  /// What is known by now. Throws FileError, tpn::ParseError.
  experiments::Summary summary(ChunkIndex& done) const;
  experiments::Summary summary() const;

  /// Notes what computing a chunk took, apart from what must be the same everywhere.
  void note_time(const experiments::Chunk& chunk, double cpu_seconds) const;

  /// Starts of a chunk that did not finish it, and the draw that the last one was at.
  struct Attempts {
    std::uint64_t starts = 0;
    std::uint64_t draw = 0;
  };
  std::optional<Attempts> attempts(const experiments::Chunk& chunk) const;
  /// Chunks that are not done and have such starts, by their places in chunks().
  std::vector<std::pair<std::size_t, Attempts>> started(const ChunkIndex& done) const;

  std::string attempts_path(const experiments::Chunk& chunk) const;

 private:
  explicit RunDirectory(std::string path) : path_(std::move(path)) {}
  void load();
  bool create(std::string_view text, const std::string& file, experiments::Overrides overrides,
              const ChooseChunks& choose) const;
  void make_folders() const;
  void renew(std::string_view text, const std::string& file, const experiments::Overrides& overrides) const;
  std::vector<std::pair<std::size_t, std::string>> attempted() const;

  std::string path_;
  std::shared_ptr<const experiments::Description> description_;
  std::shared_ptr<const std::vector<experiments::Chunk>> chunks_;
};

/// Starts of chunks, one after the other: announces each draw where it outlives the process.
class Announcer {
 public:
  explicit Announcer(const RunDirectory& directory) : directory_(directory) {}
  ~Announcer();
  Announcer(const Announcer&) = delete;
  Announcer& operator=(const Announcer&) = delete;

  /// A chunk begins. Throws FileError.
  void begin(const experiments::Chunk& chunk);
  /// This draw comes next; true if it has ended the process at three starts and is to be passed over.
  bool announce(std::uint64_t draw);
  /// Nothing is in hand; `is_stored`: nor will what was.
  void end(bool is_stored);

 private:
  void take_file(const std::string& path);
  void open_file(const std::string& path);
  void let_go();

  const RunDirectory& directory_;
  std::string path_;
  void* memory_ = nullptr;
  bool is_free_ = false;  // what the file tells is of no use any more
  std::vector<std::uint64_t> passed_over_;
};

/// From now on a signal by which a draw ends the process, such as SIGSEGV or SIGABRT, is noted with the draw that was
/// announced last, and then ends the process.
void note_crashes();

/// Whether it is one of those.
bool is_crash_signal(int signal);

/// Deaths at one draw after which it is passed over.
inline constexpr std::uint64_t kMostDeaths = 3;

/// "Draws of a chunk by cell": "1000 draws", "20 to 5000 draws".
std::string chunk_size_words(const experiments::Description& description);

/// A chunk for people: "draws 100 to 199 of cell 3, \"10x20\"".
std::string chunk_words(const experiments::Description& description, const experiments::Chunk& chunk);

}  // namespace takt::tools

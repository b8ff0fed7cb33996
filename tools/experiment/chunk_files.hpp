// The files that chunks stand in, and which chunk stands where.
//
// Problem. A run has a million chunks and may be killed at any moment; a directory must not hold a million files, and
// the files of a run must be the same whichever process computed which chunk.
//
// Method. Each process puts the chunks that it finishes one behind the other into a file of its own in fresh/. A
// chunk's last line has its check sum: a text that was broken off is no chunk, and nobody writes behind it. In the end
// the chunks of a cell, from its first on, are copied to files of chunks/, each named after its first chunk and ended
// by the chunk that brings it to kPackBytes, or by the cell's last. So these files depend on nothing but the chunks.
// They appear whole (durable_files.hpp), and only then what they were copied from is removed: of a fresh file only that
// of a process that is gone, which its lock tells.
//
// Invariant. What was whole once stands somewhere at every moment: several may pack at a time, for they write the same.
// A run of before, with a file for each chunk, has files of chunks/ that hold one.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/descriptions/description.hpp"
#include "maxplus/none.hpp"
#include "tools/experiment/durable_files.hpp"

namespace takt::tools {

/// Where a file is full.
inline constexpr std::uint64_t kPackBytes = std::uint64_t{1} << 24;

/// The folders of a run's directory.
inline constexpr std::string_view kChunkFolder = "chunks";
inline constexpr std::string_view kFreshFolder = "fresh";

/// "000012-00000345": of the cell and of the chunk within it.
std::string name_of_chunk(const experiments::Chunk& chunk);

/// Which chunks of a run are done, and where they stand.
class ChunkIndex {
 public:
  /// Reads all files of the directory. Throws FileError.
  ChunkIndex(std::string directory, std::shared_ptr<const std::vector<experiments::Chunk>> chunks);

  /// By the chunk's place in the list.
  bool has(std::size_t chunk) const { return places_[chunk].file != kNowhere; }
  std::size_t count() const { return count_; }
  std::uint64_t draws() const { return draws_; }
  std::size_t fresh_files() const;

  /// The text of a chunk; nothing if it is not done, or by now damaged. Throws FileError.
  std::optional<std::string> text(std::size_t chunk);
  /// The same of a chunk that may not be one of the list.
  std::optional<std::string> text_of(const experiments::Chunk& chunk);
  /// The file that the chunk was found in.
  const std::string& file_of(std::size_t chunk) const { return files_[places_[chunk].file].path; }

  /// Copies to files of chunks/ what fills one, and removes what is copied. Throws FileError.
  void pack(std::uint64_t pack_bytes = kPackBytes);

 private:
  static constexpr std::uint32_t kNowhere = maxplus::kNone<std::uint32_t>;
  struct ChunkFile {
    std::string path;
    bool is_fresh = false;
    std::uint64_t bytes = 0;
    std::uint64_t whole = 0;   // chunks in it that were whole
    std::uint64_t wanted = 0;  // those that are read there
  };
  struct StoredChunk {
    std::uint32_t file = kNowhere;
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
  };

  void scan();
  bool scan_folder(std::string_view folder);
  void add_file(std::string path, bool is_fresh, std::string_view text);
  std::optional<std::size_t> find(std::size_t cell, std::uint64_t first, std::uint64_t draws) const;
  std::optional<std::string> read(std::size_t chunk);
  std::size_t end_of_pack(std::size_t begin, std::uint64_t pack_bytes) const;
  bool is_packed(std::size_t begin, std::size_t end) const;
  std::string path_of_pack(std::size_t begin) const;
  bool would_lose(std::size_t begin, std::size_t end) const;
  bool write_pack(std::size_t begin, std::size_t end);
  void place(std::size_t chunk, const StoredChunk& where);
  void remove_copied();

  std::string directory_;
  std::shared_ptr<const std::vector<experiments::Chunk>> chunks_;
  std::vector<std::size_t> first_of_cell_;  // and the number of chunks behind them
  std::vector<ChunkFile> files_;
  std::vector<StoredChunk> places_;
  std::size_t count_ = 0;
  std::uint64_t draws_ = 0;
  RunFile open_;  // that was read last
  std::uint32_t open_file_ = kNowhere;
};

/// What a process finishes, one chunk behind the other.
class FreshFile {
 public:
  explicit FreshFile(const std::string& directory, std::uint64_t pack_bytes = kPackBytes);

  /// Puts a chunk there: it outlives the process. Synced at once, but not twice in a second. Throws FileError.
  void append(std::string_view text);

 private:
  void open_next();
  int write(std::string_view text);

  std::string folder_;
  std::uint64_t pack_bytes_;
  std::string path_;
  RunFile file_;
  std::uint64_t size_ = 0;
  std::chrono::steady_clock::time_point synced_;
};

/// Whether a process of this machine that is gone has put the chunk there.
bool has_stored(const std::string& directory, int process, const experiments::Chunk& chunk);

}  // namespace takt::tools

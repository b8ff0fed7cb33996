// Chunks found, appended, packed.
#include "tools/experiment/chunk_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "experiments/reports/chunk.hpp"
#include "tools/command.hpp"

namespace takt::tools {

using experiments::Chunk;
using experiments::ChunkPlace;

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kChunkEnding = ".jsonl";
// Another process may pack while we read; a few times one after the other, not for ever.
constexpr int kMostScans = 100;

std::string folder_of(const std::string& directory, std::string_view folder) {
  return (fs::path(directory) / folder).string();
}

std::vector<std::string> chunk_files_of(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == kChunkEnding) paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

std::string name_of_chunk(const Chunk& chunk) { return fmt::format("{:06}-{:08}", chunk.cell, chunk.number); }

ChunkIndex::ChunkIndex(std::string directory, std::shared_ptr<const std::vector<Chunk>> chunks)
    : directory_(std::move(directory)), chunks_(std::move(chunks)) {
  for (std::size_t i = 0; i < chunks_->size(); ++i) {
    while (first_of_cell_.size() <= (*chunks_)[i].cell) first_of_cell_.push_back(i);
  }
  first_of_cell_.push_back(chunks_->size());
  scan();
}

void ChunkIndex::scan() {
  for (int i = 0; i < kMostScans; ++i) {
    files_.clear();
    places_.assign(chunks_->size(), {});
    count_ = 0;
    draws_ = 0;
    open_file_ = kNowhere;
    if (scan_folder(kChunkFolder) && scan_folder(kFreshFolder)) return;
  }
  throw FileError(directory_ + ": its files change faster than they can be read");
}

// False if a file was removed meanwhile: then what it held stands in another one.
bool ChunkIndex::scan_folder(std::string_view folder) {
  for (std::string& path : chunk_files_of(folder_of(directory_, folder))) {
    const auto text = text_if_there(path);
    if (!text) return false;
    add_file(std::move(path), folder == kFreshFolder, *text);
  }
  return true;
}

void ChunkIndex::add_file(std::string path, bool is_fresh, std::string_view text) {
  const auto number = static_cast<std::uint32_t>(files_.size());
  files_.push_back({.path = std::move(path), .is_fresh = is_fresh, .bytes = text.size()});
  for (const ChunkPlace& stands : experiments::places_of(text)) {
    const auto chunk = find(stands.cell, stands.first, stands.draws);
    if (!chunk || experiments::damage_of(text.substr(stands.begin, stands.size), (*chunks_)[*chunk])) continue;
    ++files_[number].whole;
    if (!has(*chunk)) place(*chunk, {number, stands.begin, stands.size});
  }
}

void ChunkIndex::place(std::size_t chunk, const StoredChunk& where) {
  if (has(chunk)) {
    --files_[places_[chunk].file].wanted;
  } else {
    ++count_;
    draws_ += (*chunks_)[chunk].draws;
  }
  places_[chunk] = where;
  ++files_[where.file].wanted;
}

std::optional<std::size_t> ChunkIndex::find(std::size_t cell, std::uint64_t first, std::uint64_t draws) const {
  if (cell + 1 >= first_of_cell_.size() || first_of_cell_[cell] == first_of_cell_[cell + 1]) return std::nullopt;
  // All chunks of a cell but the last have as many draws as its first.
  const std::uint64_t number = first / (*chunks_)[first_of_cell_[cell]].draws;
  if (number >= first_of_cell_[cell + 1] - first_of_cell_[cell]) return std::nullopt;
  const std::size_t chunk = first_of_cell_[cell] + number;
  const bool is_it = (*chunks_)[chunk].first == first && (*chunks_)[chunk].draws == draws;
  return is_it ? std::optional(chunk) : std::nullopt;
}

std::size_t ChunkIndex::fresh_files() const {
  return static_cast<std::size_t>(std::ranges::count_if(files_, &ChunkFile::is_fresh));
}

std::optional<std::string> ChunkIndex::read(std::size_t chunk) {
  const StoredChunk& where = places_[chunk];
  if (where.file == kNowhere) return std::nullopt;
  if (open_file_ != where.file) {
    open_file_ = open_.open(files_[where.file].path, O_RDONLY) ? where.file : kNowhere;
    if (open_file_ == kNowhere) return std::nullopt;
  }
  std::string text(where.size, '\0');
  for (std::size_t size = 0; size < text.size();) {
    const ssize_t read =
        ::pread(open_.number(), text.data() + size, text.size() - size, static_cast<off_t>(where.begin + size));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) return std::nullopt;
    size += static_cast<std::size_t>(read);
  }
  if (experiments::damage_of(text, (*chunks_)[chunk])) return std::nullopt;
  return text;
}

std::optional<std::string> ChunkIndex::text(std::size_t chunk) {
  if (!has(chunk)) return std::nullopt;
  auto text = read(chunk);
  if (text) return text;
  // Somebody has packed it meanwhile.
  scan();
  return read(chunk);
}

std::optional<std::string> ChunkIndex::text_of(const Chunk& chunk) {
  const auto found = find(chunk.cell, chunk.first, chunk.draws);
  return found ? text(*found) : std::nullopt;
}

// The end of the file that begins with this chunk; the beginning where what would fill it is not all there.
std::size_t ChunkIndex::end_of_pack(std::size_t begin, std::uint64_t pack_bytes) const {
  const std::size_t end = first_of_cell_[(*chunks_)[begin].cell + 1];
  std::uint64_t bytes = 0;
  std::size_t at = begin;
  while (at < end && has(at) && bytes < pack_bytes) bytes += places_[at++].size;
  return at == end || bytes >= pack_bytes ? at : begin;
}

bool ChunkIndex::is_packed(std::size_t begin, std::size_t end) const {
  const ChunkFile& file = files_[places_[begin].file];
  if (file.path != path_of_pack(begin)) return false;
  std::uint64_t at = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (places_[i].file != places_[begin].file || places_[i].begin != at) return false;
    at += places_[i].size;
  }
  return at == file.bytes;
}

std::string ChunkIndex::path_of_pack(std::size_t begin) const {
  const std::string name = name_of_chunk((*chunks_)[begin]) + std::string(kChunkEnding);
  return (fs::path(directory_) / kChunkFolder / name).string();
}

// False if a chunk is not there any more.
bool ChunkIndex::write_pack(std::size_t begin, std::size_t end) {
  std::string text;
  std::vector<StoredChunk> places;
  const auto number = static_cast<std::uint32_t>(files_.size());
  for (std::size_t i = begin; i < end; ++i) {
    const auto chunk = read(i);
    if (!chunk) return false;
    places.push_back({number, text.size(), chunk->size()});
    text += *chunk;
  }
  const std::string path = path_of_pack(begin);
  write_in_place(path, text);
  open_file_ = kNowhere;
  for (ChunkFile& file : files_) {
    if (file.path == path) file.path.clear();
  }
  files_.push_back({.path = path, .bytes = text.size(), .whole = places.size()});
  for (std::size_t i = begin; i < end; ++i) place(i, places[i - begin]);
  return true;
}

// Whether the file that would be written takes the name of one where other chunks stand: files of another size.
bool ChunkIndex::would_lose(std::size_t begin, std::size_t end) const {
  const std::string path = path_of_pack(begin);
  const auto file = std::ranges::find(files_, path, &ChunkFile::path);
  if (file == files_.end()) return false;
  const auto inside = std::count_if(
      places_.begin() + static_cast<std::ptrdiff_t>(begin), places_.begin() + static_cast<std::ptrdiff_t>(end),
      [&](const StoredChunk& where) { return where.file == static_cast<std::uint32_t>(file - files_.begin()); });
  return file->wanted > static_cast<std::uint64_t>(inside);
}

void ChunkIndex::pack(std::uint64_t pack_bytes) {
  std::vector<std::pair<std::size_t, std::size_t>> packs;
  for (std::size_t c = 0; c + 1 < first_of_cell_.size(); ++c) {
    for (std::size_t begin = first_of_cell_[c]; begin < first_of_cell_[c + 1];) {
      const std::size_t end = end_of_pack(begin, pack_bytes);
      if (end == begin) break;
      if (!is_packed(begin, end)) packs.emplace_back(begin, end);
      begin = end;
    }
  }
  // The last first: a file that held more than the one of its name now shall hold has been copied by then.
  std::ranges::reverse(packs);
  for (const auto& [begin, end] : packs) {
    if (!would_lose(begin, end) && !write_pack(begin, end)) break;
  }
  remove_copied();
}

void ChunkIndex::remove_copied() {
  for (const ChunkFile& file : files_) {
    if (file.path.empty() || file.wanted > 0) continue;
    if (!file.is_fresh) {
      if (file.whole > 0) ::unlink(file.path.c_str());
      continue;
    }
    const RunFile held(file.path, O_RDONLY);
    struct stat status {};
    const bool is_nobodys = held.is_open() && ::flock(held.number(), LOCK_EX | LOCK_NB) == 0;
    if (!is_nobodys || ::fstat(held.number(), &status) != 0) continue;
    if (static_cast<std::uint64_t>(status.st_size) == file.bytes) ::unlink(file.path.c_str());
  }
}

FreshFile::FreshFile(const std::string& directory, std::uint64_t pack_bytes)
    : folder_(folder_of(directory, kFreshFolder)), pack_bytes_(pack_bytes) {}

void FreshFile::open_next() {
  file_.close();
  make_directory(folder_);
  for (std::uint64_t i = 0; !file_.is_open(); ++i) {
    path_ = (fs::path(folder_) / fmt::format("{}.{}{}", name_of_process(::getpid()), i, kChunkEnding)).string();
    if (!file_.open(path_, O_WRONLY | O_CREAT | O_EXCL | O_APPEND) && errno != EEXIST) {
      fail_on_file(path_, "written", errno);
    }
  }
  ::flock(file_.number(), LOCK_EX | LOCK_NB);
  size_ = 0;
  synced_ = {};
  sync_directory(folder_);
}

// 0, or the number of an error, after which the file is as it was.
int FreshFile::write(std::string_view text) {
  const int error = write_all(file_.number(), text);
  if (error != 0 && ::ftruncate(file_.number(), static_cast<off_t>(size_)) != 0) file_.close();
  return error;
}

void FreshFile::append(std::string_view text) {
  constexpr std::chrono::seconds kMostUnsynced{1};
  for (;;) {
    if (!file_.is_open() || size_ >= pack_bytes_) open_next();
    if (const int error = write(text); error != 0) fail_on_file(path_, "written", error);
    struct stat status {};
    // Where locks are not seen by others, somebody may have taken it for a file of one who is gone.
    if (::fstat(file_.number(), &status) == 0 && status.st_nlink > 0) break;
    file_.close();
  }
  size_ += text.size();
  const auto now = std::chrono::steady_clock::now();
  if (now - synced_ < kMostUnsynced) return;
  if (::fdatasync(file_.number()) != 0) fail_on_file(path_, "written", errno);
  synced_ = now;
}

bool has_stored(const std::string& directory, int process, const Chunk& chunk) {
  const std::string begin = name_of_process(process) + ".";
  for (const std::string& path : chunk_files_of(folder_of(directory, kFreshFolder))) {
    if (!fs::path(path).filename().string().starts_with(begin)) continue;
    const auto text = text_if_there(path);
    if (!text) continue;
    for (const ChunkPlace& stands : experiments::places_of(*text)) {
      if (!experiments::damage_of(std::string_view(*text).substr(stands.begin, stands.size), chunk)) return true;
    }
  }
  return false;
}

}  // namespace takt::tools

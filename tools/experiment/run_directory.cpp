// Manifests, chunks' files, attempts.
#include "tools/experiment/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <system_error>

#include "tools/command.hpp"
#include "tools/files/files.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

namespace json = tpn::json;
using experiments::Chunk;
using experiments::Description;
using experiments::Overrides;

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kChunks = "chunks";
constexpr std::string_view kAttempts = "attempts";
constexpr std::string_view kManifest = "manifest.json";

[[noreturn]] void fail(const std::string& path, std::string_view verb, int error) {
  throw FileError(fmt::format("{}: cannot be {}: {}", path, verb, std::generic_category().message(error)));
}

std::string text_of(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "read", errno != 0 ? errno : EIO);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) fail(path, "read", EIO);
  return text;
}

// A descriptor that is closed in the end.
class RunFile {
 public:
  RunFile(const std::string& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~RunFile() {
    if (number_ >= 0) ::close(number_);
  }
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

// Some file systems cannot sync a directory; what is written is there all the same.
void sync_directory(const std::string& path) {
  const RunFile directory(path, O_RDONLY | O_DIRECTORY);
  if (directory.number() >= 0) ::fsync(directory.number());
}

// 0, or what went wrong: a write may be short, and says why only when it is tried again.
int write_whole(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0 ? 0 : errno;
}

constexpr std::string_view kPart = ".part.";

std::string part_of(const std::string& path) {
  std::array<char, 256> host = {};
  ::gethostname(host.data(), host.size() - 1);
  return fmt::format("{}{}{}.{}", path, kPart, host.data(), ::getpid());
}

// Under a lock as long as it is written, by which others see that its process lives.
int write_renamed(const std::string& path, const std::string& part, std::string_view text) {
  const RunFile file(part, O_WRONLY | O_CREAT | O_TRUNC);
  if (file.number() < 0) return errno;
  ::flock(file.number(), LOCK_EX | LOCK_NB);
  const int error = write_whole(file.number(), text);
  if (error != 0) return error;
  return ::rename(part.c_str(), path.c_str()) == 0 ? 0 : errno;
}

void write_in_place(const std::string& path, std::string_view text) {
  const std::string part = part_of(path);
  int error = write_renamed(path, part, text);
  // Somebody who came between its creation and its lock took it for a leftover.
  if (error == ENOENT) error = write_renamed(path, part, text);
  if (error != 0) {
    ::unlink(part.c_str());
    fail(path, "written", error);
  }
  sync_directory(fs::path(path).parent_path().string());
}

void make_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail(path, "created", error.value());
}

std::string manifest_of(const Description& description, const std::optional<std::uint64_t>& draws) {
  std::string text;
  tpn::JsonWriter writer(text, tpn::IllFormed::refused);
  writer.begin_object();
  writer.member("takt", TAKT_VERSION);
  writer.member("seed", description.seed);
  writer.member("draws", draws);
  writer.member("draws_per_chunk", description.draws_per_chunk);
  writer.key("description");
  writer.raw(experiments::json_text(description.tree->root));
  writer.end();
  return text + "\n";
}

struct Manifest {
  json::Tree tree;
  Overrides overrides;
  const json::Value* description = nullptr;
};

std::uint64_t count_of(const json::Tree& tree, const json::Value& value) {
  const auto number = json::as_number(tree, value, json::Bound::whole);
  if (number.numerator() > maxplus::Integer(UINT64_MAX)) json::fail(tree, value, json::describe(value), "64 bits");
  return number.numerator().get_ui();
}

std::unique_ptr<Manifest> read_manifest(const std::string& directory) {
  const std::string path = (fs::path(directory) / kManifest).string();
  auto manifest = std::make_unique<Manifest>();
  manifest->tree = json::parse(text_of(path), path);
  const json::Tree& tree = manifest->tree;
  static constexpr std::array<std::string_view, 5> kKeys = {"takt", "seed", "draws", "draws_per_chunk", "description"};
  json::as_object(tree, tree.root, "a manifest", kKeys);
  manifest->overrides.seed = count_of(tree, json::required(tree, tree.root, "a manifest", "seed"));
  const json::Value& draws = json::required(tree, tree.root, "a manifest", "draws");
  if (draws.kind != json::Kind::null) manifest->overrides.draws = count_of(tree, draws);
  manifest->description = &json::required(tree, tree.root, "a manifest", "description");
  return manifest;
}

bool has_manifest(const std::string& directory) {
  std::error_code ignored;
  return fs::exists(fs::path(directory) / kManifest, ignored);
}

// What no chunk depends on: it may change from start to start.
constexpr auto kWords =
    std::to_array<std::string_view>({"title", "source", "notes", "report", "expect", "//", "$schema"});

json::Value without_words(json::Value description) {
  for (std::size_t i = description.keys.size(); i-- > 0;) {
    if (std::ranges::find(kWords, description.keys[i].name) == kWords.end()) continue;
    description.keys.erase(description.keys.begin() + static_cast<std::ptrdiff_t>(i));
    description.items.erase(description.items.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return description;
}

bool have_same_predicates(const Description& a, const Description& b) {
  return std::ranges::equal(a.predicates, b.predicates, {}, &experiments::Predicate::text,
                            &experiments::Predicate::text);
}

[[noreturn]] void refuse(const std::string& path, const experiments::JsonDifference& difference) {
  throw UsageError(fmt::format("{}: holds a run of another description: at {} it has {}, this one {}", path,
                               difference.pointer, difference.left, difference.right));
}

void require_same(const std::string& path, const Manifest& manifest, const Description& wanted) {
  const json::Value& had = *manifest.description;
  if (const auto difference = experiments::first_difference(without_words(had), without_words(wanted.tree->root))) {
    refuse(path, *difference);
  }
  if (*manifest.overrides.seed != wanted.seed) {
    throw UsageError(
        fmt::format("{}: holds a run of seed {}, found seed {}", path, *manifest.overrides.seed, wanted.seed));
  }
  // Rows answer whatever is asked; tallies what was asked when they were made.
  if (wanted.keep == experiments::Keep::all) return;
  const Description before = experiments::read_description(experiments::json_text(had), path);
  if (have_same_predicates(before, wanted)) return;
  if (const auto difference = experiments::first_difference(had, wanted.tree->root)) refuse(path, *difference);
}

// A start of a chunk, in memory shared with its file.
struct AttemptRecord {
  std::uint64_t draw = 0;
  std::uint64_t crashed = 0;  // 1 where the draw ended the process by itself
};
struct AttemptPage {
  std::uint64_t starts = 0;
  std::array<AttemptRecord, 255> records;  // of the starts, modulo their number
};
static_assert(sizeof(AttemptPage) <= 4096 && std::is_trivially_copyable_v<AttemptPage>);

// Where the handler finds the record of the draw in hand.
std::atomic<AttemptRecord*> current_record = nullptr;
static_assert(std::atomic<AttemptRecord*>::is_always_lock_free);

constexpr std::array kCrashSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

void note_crash(int signal) {
  if (AttemptRecord* const record = current_record) record->crashed = 1;
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  raise(signal);
}

}  // namespace

std::string RunDirectory::name_of(const Chunk& chunk) { return fmt::format("{:06}-{:08}", chunk.cell, chunk.number); }

std::string RunDirectory::path_of(const Chunk& chunk) const {
  return (fs::path(path_) / kChunks / (name_of(chunk) + ".jsonl")).string();
}

std::string RunDirectory::attempts_path(const Chunk& chunk) const {
  return (fs::path(path_) / kAttempts / name_of(chunk)).string();
}

void RunDirectory::load() {
  const auto manifest = read_manifest(path_);
  const std::string file = (fs::path(path_) / kManifest).string();
  description_ = std::make_shared<const Description>(experiments::read_description(
      experiments::json_text(*manifest->description), file + ", description", manifest->overrides));
  chunks_ = experiments::chunks_of(*description_);
}

RunDirectory RunDirectory::open(const std::string& path) {
  if (!has_manifest(path)) throw FileError(path + ": holds no run: there is no manifest.json");
  RunDirectory directory(path);
  directory.load();
  return directory;
}

RunDirectory RunDirectory::open_for(const std::string& path, std::string_view text, const std::string& file,
                                    const Overrides& overrides) {
  const Description wanted = experiments::read_description(text, file, overrides);
  RunDirectory directory(path);
  const std::string manifest_path = (fs::path(path) / kManifest).string();
  if (!has_manifest(path)) {
    make_directory((fs::path(path) / kChunks).string());
    make_directory((fs::path(path) / kAttempts).string());
    write_in_place(manifest_path, manifest_of(wanted, overrides.draws));
  } else {
    const auto manifest = read_manifest(path);
    require_same(path, *manifest, wanted);
    const Overrides had = manifest->overrides;
    const auto draws = overrides.draws ? overrides.draws : had.draws;
    const Description before = experiments::read_description(text, file, had);
    for (std::size_t c = 0; overrides.draws && c < wanted.cells.size(); ++c) {
      if (wanted.cells[c].draws >= before.cells[c].draws) continue;
      throw UsageError(
          fmt::format("{}: holds a run of {} draws in \"{}\", found {}: fewer need a directory of their own", path,
                      before.cells[c].draws, wanted.cells[c].name, wanted.cells[c].draws));
    }
    const std::string renewed = manifest_of(wanted, draws);
    if (renewed != text_of(manifest_path)) write_in_place(manifest_path, renewed);
  }
  directory.load();
  return directory;
}

std::optional<std::string> RunDirectory::done(const Chunk& chunk) const {
  const std::string path = path_of(chunk);
  if (::access(path.c_str(), F_OK) != 0) return std::nullopt;
  std::string text = text_of(path);
  if (experiments::damage_of(text, chunk)) return std::nullopt;
  return text;
}

experiments::Summary RunDirectory::summary() const {
  experiments::Summary summary(*description_);
  for (const Chunk& chunk : chunks_) {
    if (const auto text = done(chunk)) summary.add(chunk, *text, path_of(chunk));
  }
  return summary;
}

void RunDirectory::store(const Chunk& chunk, std::string_view text) const {
  write_in_place(path_of(chunk), text);
  ::unlink(attempts_path(chunk).c_str());
}

void RunDirectory::note_time(const Chunk& chunk, double cpu_seconds) const {
  const std::string line = fmt::format("{{\"chunk\": \"{}\", \"draws\": {}, \"cpu_seconds\": {:.6f}}}\n",
                                       name_of(chunk), chunk.draws, cpu_seconds);
  const std::string path = (fs::path(path_) / "times.jsonl").string();
  const RunFile file(path, O_WRONLY | O_CREAT | O_APPEND);
  // Times are a courtesy: a run does not end for want of them.
  if (file.number() >= 0 && ::write(file.number(), line.data(), line.size()) < 0) return;
}

void RunDirectory::remove_leftovers() const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(path_) / kChunks, ignored)) {
    if (entry.path().filename().string().find(kPart) == std::string::npos) continue;
    const RunFile file(entry.path().string(), O_RDONLY);
    if (file.number() < 0 || ::flock(file.number(), LOCK_EX | LOCK_NB) != 0) continue;
    ::unlink(entry.path().c_str());
  }
  for (const Chunk& chunk : chunks_) {
    // Of one who died between its chunk's name and this.
    const std::string path = attempts_path(chunk);
    if (::access(path.c_str(), F_OK) == 0 && done(chunk)) ::unlink(path.c_str());
  }
}

std::optional<RunDirectory::Attempts> RunDirectory::attempts(const Chunk& chunk) const {
  std::ifstream file(attempts_path(chunk), std::ios::binary);
  AttemptPage page;
  if (!file.read(reinterpret_cast<char*>(&page), sizeof page) || page.starts == 0) return std::nullopt;
  return Attempts{page.starts, page.records[(page.starts - 1) % page.records.size()].draw};
}

AnnouncedChunk::AnnouncedChunk(const RunDirectory& directory, const Chunk& chunk) {
  const std::string path = directory.attempts_path(chunk);
  const RunFile file(path, O_RDWR | O_CREAT);
  if (file.number() < 0) fail(path, "written", errno);
  // A hole would end the process where the disk is full; a file that is written has its place.
  struct stat status {};
  if (::fstat(file.number(), &status) == 0 && status.st_size < static_cast<off_t>(sizeof(AttemptPage))) {
    if (const int error = write_whole(file.number(), std::string(sizeof(AttemptPage), '\0')); error != 0) {
      ::unlink(path.c_str());
      fail(path, "written", error);
    }
  }
  memory_ = ::mmap(nullptr, sizeof(AttemptPage), PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (memory_ == MAP_FAILED) fail(path, "mapped", errno);
  auto& page = *static_cast<AttemptPage*>(memory_);
  std::map<std::uint64_t, std::uint64_t> deaths;
  for (std::uint64_t s = 0; s < std::min<std::uint64_t>(page.starts, page.records.size()); ++s) {
    if (page.records[s].crashed != 0) ++deaths[page.records[s].draw];
  }
  for (const auto& [draw, count] : deaths) {
    if (count >= kMostDeaths) passed_over_.push_back(draw);
  }
  AttemptRecord& record = page.records[page.starts % page.records.size()];
  record = {chunk.first, 0};
  ++page.starts;
  current_record = &record;
}

AnnouncedChunk::~AnnouncedChunk() {
  current_record = nullptr;
  ::munmap(memory_, sizeof(AttemptPage));
}

bool AnnouncedChunk::announce(std::uint64_t draw) {
  current_record.load()->draw = draw;
  return std::ranges::find(passed_over_, draw) != passed_over_.end();
}

void note_crashes() {
  // A stack that is full has no room for a handler.
  static std::array<char, 1 << 16> stack;
  const stack_t other = {.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&other, nullptr);
  for (const int signal : kCrashSignals) {
    struct sigaction action {};
    action.sa_handler = note_crash;
    action.sa_flags = SA_ONSTACK;
    sigaction(signal, &action, nullptr);
  }
}

bool is_crash_signal(int signal) { return std::ranges::find(kCrashSignals, signal) != kCrashSignals.end(); }

std::string chunk_words(const Description& description, const Chunk& chunk) {
  return fmt::format("draws {} to {} of cell {}, \"{}\"", chunk.first, chunk.first + chunk.draws - 1, chunk.cell,
                     description.cells[chunk.cell].name);
}

}  // namespace takt::tools

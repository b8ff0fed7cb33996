// Manifests, chunks' files, attempts.
#include "tools/experiment/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>

#include "tools/command.hpp"
#include "tools/experiment/durable_files.hpp"
#include "tools/files/files.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

namespace json = tpn::json;
using experiments::Chunk;
using experiments::Description;
using experiments::Overrides;

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAttempts = "attempts";
constexpr std::string_view kManifest = "manifest.json";
// Half a gigabyte of them.
constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 24;

// A number, or where cells differ a number for each.
void write_chunk_sizes(tpn::JsonWriter& writer, const Description& description) {
  const auto& cells = description.cells;
  const bool are_equal = std::ranges::all_of(
      cells, [&](const auto& cell) { return cell.draws_per_chunk == cells.front().draws_per_chunk; });
  if (are_equal) return writer.value(cells.front().draws_per_chunk);
  writer.begin_array(tpn::JsonLayout::line);
  for (const auto& cell : cells) writer.value(cell.draws_per_chunk);
  writer.end();
}

std::string manifest_of(const Description& description, const std::optional<std::uint64_t>& draws) {
  std::string text;
  tpn::JsonWriter writer(text, tpn::IllFormed::refused);
  writer.begin_object();
  writer.member("takt", TAKT_VERSION);
  writer.member("seed", description.seed);
  writer.member("draws", draws);
  writer.key("draws_per_chunk");
  write_chunk_sizes(writer, description);
  writer.key("description");
  writer.raw(experiments::json_text(description.tree->root));
  writer.end();
  return text + "\n";
}

struct Manifest {
  json::Tree tree;
  Overrides overrides;
  std::vector<std::uint64_t> chunk_sizes;  // one of all cells, or one of each
  const json::Value* description = nullptr;

  // With those sizes for a description of so many cells. Throws FileError.
  Overrides overrides_for(std::size_t cells, const std::string& path) const {
    Overrides result = overrides;
    result.draws_per_chunk = chunk_sizes;
    if (chunk_sizes.size() == 1) result.draws_per_chunk.assign(cells, chunk_sizes.front());
    if (result.draws_per_chunk.size() == cells) return result;
    throw FileError(fmt::format("{}: \"draws_per_chunk\" has {} numbers, expected one, or {}: one for each cell",
                                (fs::path(path) / kManifest).string(), chunk_sizes.size(), cells));
  }
};

std::uint64_t count_of(const json::Tree& tree, const json::Value& value) {
  const auto number = json::as_number(tree, value, json::Bound::whole);
  if (number.numerator() > maxplus::Integer(UINT64_MAX)) json::fail(tree, value, json::describe(value), "64 bits");
  return number.numerator().get_ui();
}

std::uint64_t positive_count_of(const json::Tree& tree, const json::Value& value) {
  const std::uint64_t count = count_of(tree, value);
  if (count == 0) json::fail(tree, value, json::describe(value), "at least one draw");
  return count;
}

std::unique_ptr<Manifest> read_manifest(const std::string& directory) {
  const std::string path = (fs::path(directory) / kManifest).string();
  auto manifest = std::make_unique<Manifest>();
  manifest->tree = json::parse(text_of_file(path), path);
  const json::Tree& tree = manifest->tree;
  static constexpr std::array<std::string_view, 5> kKeys = {"takt", "seed", "draws", "draws_per_chunk", "description"};
  json::as_object(tree, tree.root, "a manifest", kKeys);
  manifest->overrides.seed = count_of(tree, json::required(tree, tree.root, "a manifest", "seed"));
  const json::Value& draws = json::required(tree, tree.root, "a manifest", "draws");
  if (draws.kind != json::Kind::null) manifest->overrides.draws = count_of(tree, draws);
  const json::Value& sizes = json::required(tree, tree.root, "a manifest", "draws_per_chunk");
  if (sizes.kind == json::Kind::array) {
    for (const json::Value& item : sizes.items) manifest->chunk_sizes.push_back(positive_count_of(tree, item));
  } else {
    manifest->chunk_sizes.push_back(positive_count_of(tree, sizes));
  }
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

// Chunks that are there stay as they are: a number must be theirs, and a time counts when a run begins.
void require_chunks(const std::string& path, const Manifest& manifest, const Overrides& overrides) {
  const std::uint64_t asked = overrides.chunk ? overrides.chunk->draws : 0;
  if (asked == 0) return;
  for (const std::uint64_t had : manifest.chunk_sizes) {
    if (had == asked) continue;
    throw UsageError(fmt::format("{}: holds a run in chunks of {} draws, found --chunk {}: they stay as they are", path,
                                 had, asked));
  }
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
  std::uint64_t crashed = 0;  // 1 if the draw ended the process by itself
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

void require_bearable(const Description& description) {
  const std::uint64_t chunks = experiments::count_chunks(description);
  if (chunks <= kMostChunks) return;
  throw UsageError(fmt::format("{}: found {} chunks, expected at most {}: put more draws into a chunk with --chunk N",
                               description.name, chunks, kMostChunks));
}

std::string RunDirectory::attempts_path(const Chunk& chunk) const {
  return (fs::path(path_) / kAttempts / name_of_chunk(chunk)).string();
}

void RunDirectory::load() {
  const auto manifest = read_manifest(path_);
  const std::string file = (fs::path(path_) / kManifest).string() + ", description";
  const std::string text = experiments::json_text(*manifest->description);
  const std::size_t cells = experiments::read_description(text, file, manifest->overrides).cells.size();
  description_ = std::make_shared<const Description>(
      experiments::read_description(text, file, manifest->overrides_for(cells, path_)));
  require_bearable(*description_);
  chunks_ = std::make_shared<const std::vector<Chunk>>(experiments::chunks_of(*description_));
}

RunDirectory RunDirectory::open(const std::string& path) {
  if (!has_manifest(path)) throw FileError(path + ": holds no run: found no manifest.json");
  RunDirectory directory(path);
  directory.load();
  return directory;
}

// False if another process has done so meanwhile.
bool RunDirectory::create(std::string_view text, const std::string& file, Overrides overrides,
                          const ChooseChunks& choose) const {
  Description wanted = experiments::read_description(text, file, overrides);
  const bool is_number = wanted.chunk && wanted.chunk->draws > 0;
  if (choose != nullptr && !is_number) {
    overrides.draws_per_chunk = choose(wanted);
    wanted = experiments::read_description(text, file, overrides);
  }
  require_bearable(wanted);
  make_folders();
  return write_if_new((fs::path(path_) / kManifest).string(), manifest_of(wanted, overrides.draws));
}

void RunDirectory::make_folders() const {
  for (const std::string_view folder : {kChunkFolder, kFreshFolder, kAttempts}) {
    make_directory((fs::path(path_) / folder).string());
  }
}

// Asks a run that is there to go on; its manifest is enough.
void RunDirectory::renew(std::string_view text, const std::string& file, const Overrides& overrides) const {
  const auto manifest = read_manifest(path_);
  Description wanted = experiments::read_description(text, file, overrides);
  require_same(path_, *manifest, wanted);
  require_chunks(path_, *manifest, overrides);
  const Description before = experiments::read_description(text, file, manifest->overrides);
  for (std::size_t c = 0; overrides.draws && c < wanted.cells.size(); ++c) {
    if (wanted.cells[c].draws >= before.cells[c].draws) continue;
    throw UsageError(fmt::format("{}: holds a run of {} draws in \"{}\", found {}: fewer draws need another directory",
                                 path_, before.cells[c].draws, wanted.cells[c].name, wanted.cells[c].draws));
  }
  Overrides with_chunks = overrides;
  with_chunks.draws_per_chunk = manifest->overrides_for(wanted.cells.size(), path_).draws_per_chunk;
  wanted = experiments::read_description(text, file, with_chunks);
  const std::string renewed = manifest_of(wanted, overrides.draws ? overrides.draws : manifest->overrides.draws);
  const std::string manifest_path = (fs::path(path_) / kManifest).string();
  if (renewed != text_of_file(manifest_path)) write_in_place(manifest_path, renewed);
  make_folders();
}

RunDirectory RunDirectory::open_for(const std::string& path, std::string_view text, const std::string& file,
                                    const Overrides& overrides, const ChooseChunks& choose) {
  RunDirectory directory(path);
  if (has_manifest(path) || !directory.create(text, file, overrides, choose)) directory.renew(text, file, overrides);
  directory.load();
  return directory;
}

experiments::Summary RunDirectory::summary(ChunkIndex& done) const {
  experiments::Summary summary(*description_);
  for (std::size_t i = 0; i < chunks().size(); ++i) {
    if (const auto text = done.text(i)) summary.add(chunks()[i], *text, done.file_of(i));
  }
  return summary;
}

experiments::Summary RunDirectory::summary() const {
  ChunkIndex done = index();
  return summary(done);
}

void RunDirectory::note_time(const Chunk& chunk, double cpu_seconds) const {
  const std::string line = fmt::format("{{\"chunk\": \"{}\", \"draws\": {}, \"cpu_seconds\": {:.6f}}}\n",
                                       name_of_chunk(chunk), chunk.draws, cpu_seconds);
  const std::string path = (fs::path(path_) / "times.jsonl").string();
  const RunFile file(path, O_WRONLY | O_CREAT | O_APPEND);
  // Times are a courtesy: a run does not end for want of them.
  if (file.is_open() && ::write(file.number(), line.data(), line.size()) < 0) return;
}

ChunkIndex RunDirectory::tidied() const {
  remove_unfinished((fs::path(path_) / kChunkFolder).string());
  ChunkIndex done = index();
  done.pack();
  // Of one who died between a chunk's last byte and this.
  for (const auto& [chunk, path] : attempted()) {
    if (done.has(chunk)) ::unlink(path.c_str());
  }
  return done;
}

// The files of attempts/, by chunk.
std::vector<std::pair<std::size_t, std::string>> RunDirectory::attempted() const {
  std::vector<std::pair<std::size_t, std::string>> result;
  std::map<std::string, std::string> paths;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(path_) / kAttempts, ignored)) {
    paths.emplace(entry.path().filename().string(), entry.path().string());
  }
  for (std::size_t i = 0; i < chunks().size() && !paths.empty(); ++i) {
    const auto found = paths.find(name_of_chunk(chunks()[i]));
    if (found == paths.end()) continue;
    result.emplace_back(i, found->second);
    paths.erase(found);
  }
  return result;
}

std::vector<std::pair<std::size_t, RunDirectory::Attempts>> RunDirectory::started(const ChunkIndex& done) const {
  std::vector<std::pair<std::size_t, Attempts>> result;
  for (const auto& [chunk, path] : attempted()) {
    if (done.has(chunk)) continue;
    if (const auto found = attempts(chunks()[chunk])) result.emplace_back(chunk, *found);
  }
  return result;
}

std::optional<RunDirectory::Attempts> RunDirectory::attempts(const Chunk& chunk) const {
  const std::string text = text_if_there(attempts_path(chunk)).value_or("");
  AttemptPage page;
  if (text.size() < sizeof page) return std::nullopt;
  std::memcpy(&page, text.data(), sizeof page);
  if (page.starts == 0) return std::nullopt;
  return Attempts{page.starts, page.records[(page.starts - 1) % page.records.size()].draw};
}

Announcer::~Announcer() { let_go(); }

void Announcer::let_go() {
  current_record = nullptr;
  if (memory_ != nullptr) ::munmap(memory_, sizeof(AttemptPage));
  if (memory_ != nullptr && is_free_) ::unlink(path_.c_str());
  memory_ = nullptr;
}

void Announcer::open_file(const std::string& path) {
  const RunFile file(path, O_RDWR | O_CREAT);
  if (!file.is_open()) fail_on_file(path, "written", errno);
  // A hole would end the process where the disk is full; a file that is written has its place.
  struct stat status {};
  if (::fstat(file.number(), &status) == 0 && status.st_size < static_cast<off_t>(sizeof(AttemptPage))) {
    int error = write_all(file.number(), std::string(sizeof(AttemptPage), '\0'));
    if (error == 0 && ::fsync(file.number()) != 0) error = errno;
    if (error != 0) {
      ::unlink(path.c_str());
      fail_on_file(path, "written", error);
    }
  }
  void* const memory = ::mmap(nullptr, sizeof(AttemptPage), PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (memory == MAP_FAILED) fail_on_file(path, "mapped", errno);
  memory_ = memory;
  path_ = path;
}

// The file of a chunk that is stored serves the next one: a new file for each would cost more than many a chunk does.
void Announcer::take_file(const std::string& path) {
  const bool is_taken_over =
      memory_ != nullptr && is_free_ && ::access(path.c_str(), F_OK) != 0 && ::rename(path_.c_str(), path.c_str()) == 0;
  if (is_taken_over) {
    path_ = path;
  } else {
    let_go();
    open_file(path);
  }
  is_free_ = false;
}

void Announcer::begin(const Chunk& chunk) {
  take_file(directory_.attempts_path(chunk));
  auto& page = *static_cast<AttemptPage*>(memory_);
  passed_over_.clear();
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

void Announcer::end(bool is_stored) {
  current_record = nullptr;
  is_free_ = is_stored;
  if (is_stored) *static_cast<AttemptPage*>(memory_) = {};
}

bool Announcer::announce(std::uint64_t draw) {
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

std::string chunk_size_words(const Description& description) {
  const auto [least, most] = std::ranges::minmax(description.cells, {}, &experiments::ExperimentCell::draws_per_chunk);
  if (least.draws_per_chunk == most.draws_per_chunk) {
    return fmt::format("{} draw{}", most.draws_per_chunk, most.draws_per_chunk == 1 ? "" : "s");
  }
  return fmt::format("{} to {} draws", least.draws_per_chunk, most.draws_per_chunk);
}

std::string chunk_words(const Description& description, const Chunk& chunk) {
  return fmt::format("draws {} to {} of cell {}, \"{}\"", chunk.first, chunk.first + chunk.draws - 1, chunk.cell,
                     description.cells[chunk.cell].name);
}

}  // namespace takt::tools

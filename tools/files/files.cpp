// The only code of the program that reads and writes files.
#include "tools/files/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <istream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include "tools/files/signals.hpp"
#include "tools/words/suggestion.hpp"
#include "tpn/errors.hpp"
#include "tpn/expansion.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
  throw FileError((path.empty() ? "\"\"" : path) + ": cannot be " + what + ": " + std::strerror(error));
}

// " (did you mean "examples/video.json"?)" for a file that does not exist, by those in its folder.
std::string similar_file(const std::string& path) {
  constexpr std::size_t kMostFiles = 10'000;
  const std::filesystem::path wanted(path);
  const std::filesystem::path folder = wanted.parent_path();
  std::vector<std::string> names;
  std::error_code error;
  for (auto at = std::filesystem::directory_iterator(folder.empty() ? "." : folder, error);
       !error && at != std::filesystem::directory_iterator() && names.size() < kMostFiles; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  const std::string near = nearest_name(wanted.filename().string(), names);
  return near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", (folder / near).string());
}

// What the first bytes of a file that is no JSON say it is; "" of other files.
std::string_view kind_of(std::string_view text) {
  using Magic = std::pair<std::string_view, std::string_view>;
  constexpr auto kMagics = std::to_array<Magic>({{"\x89PNG", "a PNG picture"},
                                                 {"\xFF\xD8\xFF", "a JPEG picture"},
                                                 {"GIF8", "a GIF picture"},
                                                 {"%PDF", "a PDF file"},
                                                 {"PK\x03\x04", "a ZIP archive"},
                                                 {"\x1F\x8B", "a gzip archive"},
                                                 {"\x7F"
                                                  "ELF",
                                                  "a program"},
                                                 {"<", "XML or HTML"}});
  const auto known = std::ranges::find_if(kMagics, [&](const Magic& magic) { return text.starts_with(magic.first); });
  return known == kMagics.end() ? std::string_view() : known->second;
}

// A table of values between commas: its first line has one, and begins with a word.
bool is_table(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return !line.empty() && std::isalpha(static_cast<unsigned char>(line.front())) != 0 &&
         line.find(',') != std::string_view::npos;
}

// Throws FileError for the text of a file that is something else than a document: the reader's message on its first
// character would not say what it is.
void require_document(std::string_view text, const std::string& path) {
  const std::string name = display_name(path);
  if (const std::string_view kind = kind_of(text); !kind.empty()) {
    throw FileError(fmt::format("{}: found {}, expected a JSON document", name, kind));
  }
  if (is_table(text)) {
    throw FileError(
        fmt::format("{}: found a table, expected a JSON document; takt import --times {} makes a problem of "
                    "measured times",
                    name, shell_word(path)));
  }
}

[[noreturn]] void fail_to_read(const std::string& path, int error) {
  throw FileError((path.empty() ? "\"\"" : path) + ": cannot be read: " + std::strerror(error) +
                  (error == ENOENT && !path.empty() ? similar_file(path) : "") +
                  (error == EISDIR ? ", expected a file" : ""));
}

// Where a path leads: itself, or what its links lead to, which need not exist.
std::filesystem::path followed(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::filesystem::path target = path;
  std::error_code error;
  for (int k = 0; k < kMostLinks && std::filesystem::is_symlink(target, error); ++k) {
    const auto next = std::filesystem::read_symlink(target, error);
    if (error) fail("written", path, error.value());
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

bool is_open_as(int descriptor, const std::string& path) {
  struct stat open_file {};
  struct stat file {};
  return fstat(descriptor, &open_file) == 0 && stat(path.c_str(), &file) == 0 && open_file.st_dev == file.st_dev &&
         open_file.st_ino == file.st_ino;
}

// What is left in a stream, of about that size.
std::string rest_of(std::istream& stream, std::uintmax_t size = 0) {
  constexpr std::uintmax_t kMostBelieved = std::uintmax_t{1} << 30;
  std::string text;
  text.reserve(std::min(size, kMostBelieved));
  std::array<char, 1 << 16> buffer;
  do {
    stream.read(buffer.data(), buffer.size());
    text.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  } while (stream);
  return text;
}

// What there is to know of a file that exists; nothing if there is none, or none that can be seen.
std::optional<struct stat> status_of(const std::string& path) {
  struct stat file {};
  const int outcome = path == "-" ? fstat(STDIN_FILENO, &file) : stat(path.c_str(), &file);
  return outcome == 0 ? std::optional(file) : std::nullopt;
}

// Whether two names, "-" among them, are of one file, which need not exist yet. Terminals and other devices can be read
// and written at once.
bool are_one_file(const std::string& a, const std::string& b) {
  const auto first = status_of(a);
  const auto second = status_of(b);
  if (first && second) {
    return first->st_dev == second->st_dev && first->st_ino == second->st_ino && !S_ISCHR(first->st_mode);
  }
  std::error_code error;
  return !first && !second &&
         std::filesystem::weakly_canonical(followed(a), error) ==
             std::filesystem::weakly_canonical(followed(b), error) &&
         !error;
}

// Where the text of a file goes: into a new file beside it, which takes its place in the end; or straight into a
// device or a pipe, which must not be replaced by a file. Throws FileError if it cannot go there.
class Destination {
 public:
  explicit Destination(const std::string& path) : path_(path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::none) fail(error.value());
    if (status.type() == std::filesystem::file_type::directory) fail(EISDIR);
    const bool exists = status.type() != std::filesystem::file_type::not_found;
    is_replaced_ = !exists || status.type() == std::filesystem::file_type::regular;
    target_ = is_replaced_ ? followed(path).string() : path;
    if (exists && access(target_.c_str(), W_OK) != 0) fail(errno);
    if (!is_replaced_) return;
    if (exists) {
      permissions_ = status.permissions();
      for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        if (is_open_as(descriptor, target_))
          throw FileError(path + ": cannot be written: standard output or standard error goes there");
      }
    }
    make_new_file();
  }
  Destination(const Destination&) = delete;
  Destination& operator=(const Destination&) = delete;

  // What is to be opened and written.
  const std::string& file() const { return new_file_ ? new_file_->path() : target_; }

  // The text is whole.
  void finish() {
    if (!new_file_) return;
    std::error_code ignored;
    if (permissions_) std::filesystem::permissions(new_file_->path(), *permissions_, ignored);
    if (const int error = new_file_->finish_as(target_); error != 0) fail(error);
  }

  [[noreturn]] void fail(int error) const { tools::fail("written", path_, error); }

 private:
  // OUT.part, or the first of OUT.part2, ... that is free.
  void make_new_file() {
    constexpr int kMostNames = 100;
    for (int k = 1; k <= kMostNames; ++k) {
      new_file_.emplace(target_ + ".part" + (k == 1 ? "" : std::to_string(k)));
      if (new_file_->error() == 0) return;
      if (new_file_->error() != EEXIST) break;
    }
    fail(new_file_->error());
  }

  std::string path_;
  std::string target_;
  bool is_replaced_ = false;
  std::optional<UnfinishedFile> new_file_;  // removed unless it has taken its place
  std::optional<std::filesystem::perms> permissions_;
};

}  // namespace

std::string shell_word(const std::string& file) {
  return tpn::shell_word(file.starts_with('-') && file != "-" ? "./" + file : file);
}

std::string display_name(const std::string& path) { return path == "-" ? "standard input" : tpn::visible(path); }

std::string read_text(const std::string& path, Streams& streams) {
  if (path == "-") {
    std::string text = rest_of(streams.in);
    if (streams.in.bad()) fail("read", display_name(path), EIO);
    return text;
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail_to_read(path, EISDIR);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_to_read(path, errno != 0 ? errno : EIO);
  // In one piece where the size is known: a string that grows takes twice the memory.
  const auto size = std::filesystem::file_size(path, ignored);
  std::string text = rest_of(file, ignored ? 0 : size);
  if (file.bad()) fail("read", path, EIO);
  return text;
}

ByteSource::ByteSource(const std::string& path, Streams& streams) : path_(path), streams_(streams) {
  if (path == "-") {
    if (&streams.in == &std::cin) descriptor_ = STDIN_FILENO;
    return;
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail_to_read(path, EISDIR);
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail_to_read(path, errno);
}

ByteSource::~ByteSource() {
  if (descriptor_ >= 0 && path_ != "-") close(descriptor_);
}

std::size_t ByteSource::read(char* to, std::size_t size) {
  if (descriptor_ < 0) {
    streams_.in.read(to, static_cast<std::streamsize>(size));
    if (streams_.in.bad()) fail("read", display_name(path_), EIO);
    return static_cast<std::size_t>(streams_.in.gcount());
  }
  // What a pipe has is there at once, without waiting for more.
  while (true) {
    const ssize_t count = ::read(descriptor_, to, size);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) fail("read", display_name(path_), errno);
  }
}

void write_file(const std::string& path, std::string_view text) {
  write_file(path, [&](std::ostream& file) { file.write(text.data(), static_cast<std::streamsize>(text.size())); });
}

void require_writable(const std::string& path) { const Destination destination(path); }

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  Destination destination(path);
  errno = 0;
  std::ofstream file(destination.file(), std::ios::binary | std::ios::trunc);
  if (!file) destination.fail(errno != 0 ? errno : EIO);
  write(file);
  file.close();
  if (!file) destination.fail(errno != 0 ? errno : EIO);
  destination.finish();
}

void hand_out(Streams& streams, const std::string& path, std::string_view what,
              const std::function<void(std::ostream&)>& write) {
  if (path.empty()) return write(streams.out);
  write_file(path, write);
  streams.out << "wrote " << tpn::visible(path) << ": " << what << '\n';
}

std::string read_document_text(const std::string& path, Streams& streams) {
  streams.document = display_name(path);
  return read_text(path, streams);
}

tpn::InvalidInstance placed(const tpn::InvalidInstance& error, const std::string& name) {
  return error.place.empty() && !name.empty() ? error.at(name) : error;
}

tpn::Document read_instance(const std::string& path, Streams& streams) {
  const std::string text = read_document_text(path, streams);
  require_document(text, path);
  return parse_instance(text, path);
}

tpn::Document parse_instance(std::string_view text, const std::string& path, std::optional<std::size_t> line) {
  tpn::Document document = tpn::read_document(text, display_name(path), line);
  require_mapping(document, path, line);
  return document;
}

namespace {

// How many processors a catalogue has of each type.
std::vector<std::uint64_t> machines_by_type(const tpn::Document& catalogue) {
  std::vector<std::uint64_t> counts;
  maxplus::Rational sum;
  for (const tpn::ProcessorType& type : catalogue.platform.types) {
    const std::string pointer = fmt::format("/platform/types/{}", counts.size());
    if (!type.count) {
      throw tpn::InvalidInstance(pointer, "type " + tpn::json::quote(type.name) + " without a \"count\"",
                                 "the number of machines to map on; \"takt plan\" chooses the number itself");
    }
    sum += *type.count;
    if (sum > maxplus::Rational(kMostCatalogued)) {
      throw tpn::InvalidInstance(pointer + "/count", "more processors than can be mapped on",
                                 fmt::format("at most {} of all types", kMostCatalogued));
    }
    counts.push_back(type.count->numerator().get_ui());
  }
  if (sum.sign() == 0) throw tpn::InvalidInstance("/platform/types", "no processor of any type", "at least one");
  if (const std::uint64_t times = tpn::inherited_times(catalogue.application, counts);
      times > tpn::kMostInheritedTimes) {
    throw tpn::InvalidInstance("/platform/types", fmt::format("{} times of stages on processors", times),
                               fmt::format("at most {}", tpn::kMostInheritedTimes));
  }
  return counts;
}

}  // namespace

tpn::Document read_problem(const std::string& path, Streams& streams) {
  const std::string text = read_document_text(path, streams);
  require_document(text, path);
  tpn::Document document = tpn::read_document(text, display_name(path), std::nullopt, tpn::Catalogues::accepted);
  return document.platform.is_catalogue() ? tpn::expanded(document, machines_by_type(document)) : document;
}

void require_mapping(const tpn::Document& document, const std::string& path, std::optional<std::size_t> line) {
  if (document.mapping) return;
  const std::string expected = "an instance, which maps every stage to processors";
  const auto hint = [&] { return fmt::format("; for a mapping: takt map {} -o mapped.json", shell_word(path)); };
  throw tpn::InvalidInstance("/mapping", "no mapping", line ? expected : expected + hint())
      .at(line ? fmt::format("{}:{}", display_name(path), *line) : display_name(path));
}

void require_apart(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    for (const std::string& input : inputs) {
      if (are_one_file(input, outputs[k])) {
        throw FileError(outputs[k] + ": cannot be written: it is the input " + input);
      }
    }
    for (std::size_t i = 0; i < k; ++i) {
      if (are_one_file(outputs[i], outputs[k])) {
        throw FileError(outputs[k] + ": cannot be written: it is the same file as " + outputs[i]);
      }
    }
  }
}

void require_beside_result(std::string_view option, const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty()) return;
  if (path == "-") throw UsageError(fmt::format("{} takes a file; standard output holds the result", option));
  require_apart(inputs, {path});
  require_writable(path);
}

void require_one_stdin(const std::vector<std::string>& files) {
  if (std::ranges::count(files, "-") > 1) throw UsageError("standard input, \"-\", can be read only once");
}

}  // namespace takt::tools

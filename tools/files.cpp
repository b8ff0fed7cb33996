// The only code of the program that opens files.
#include "tools/files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"

namespace takt::tools {

namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
  throw FileError((path.empty() ? "\"\"" : path) + ": cannot be " + what + ": " + std::strerror(error));
}

// Where the text of a file goes.
struct Destination {
  explicit Destination(const std::string& path) {
    std::error_code ignored;
    // A link stays one: what it leads to is written.
    target =
        std::filesystem::is_symlink(path, ignored) ? std::filesystem::weakly_canonical(path, ignored).string() : path;
    const auto kind = std::filesystem::status(target, ignored).type();
    // A device or a pipe takes text, but must not be replaced by a file.
    is_replaceable = kind == std::filesystem::file_type::regular || kind == std::filesystem::file_type::not_found;
    written = is_replaceable ? target + ".part" : target;
  }

  std::string target;
  bool is_replaceable = false;
  std::string written;  // what is opened; renamed to the target in the end
};

}  // namespace

std::string display_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_text(const std::string& path, Streams& streams) {
  std::ostringstream text;
  if (path == "-") {
    text << streams.in.rdbuf();
    if (streams.in.bad()) fail("read", display_name(path), EIO);
    return std::move(text).str();
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("read", path, EISDIR);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("read", path, errno != 0 ? errno : EIO);
  text << file.rdbuf();
  if (file.bad() || (text.fail() && file.peek() != std::ifstream::traits_type::eof())) fail("read", path, EIO);
  return std::move(text).str();
}

void write_file(const std::string& path, std::string_view text) {
  write_file(path, [&](std::ostream& file) { file.write(text.data(), static_cast<std::streamsize>(text.size())); });
}

void require_writable(const std::string& path) {
  const Destination to(path);
  const bool exists = access(to.written.c_str(), F_OK) == 0;
  const std::string folder = std::filesystem::path(to.written).parent_path().string();
  const bool is_fit =
      exists ? access(to.written.c_str(), W_OK) == 0 : access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0;
  if (!is_fit) fail("written", path, errno);
  std::error_code ignored;
  if (std::filesystem::is_directory(to.target, ignored)) fail("written", path, EISDIR);
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  const auto [target, is_replaceable, written] = Destination(path);
  errno = 0;
  std::ofstream file(written, std::ios::binary | std::ios::trunc);
  if (!file) fail("written", path, errno != 0 ? errno : EIO);
  try {
    write(file);
  } catch (...) {
    file.close();
    if (is_replaceable) std::remove(written.c_str());
    throw;
  }
  file.close();
  const bool is_whole = static_cast<bool>(file);
  if (is_whole && (!is_replaceable || std::rename(written.c_str(), target.c_str()) == 0)) return;
  const int error = errno != 0 ? errno : EIO;
  if (is_replaceable) std::remove(written.c_str());
  fail("written", path, error);
}

tpn::Document read_instance(const std::string& path, Streams& streams) {
  tpn::Document document = tpn::read_document(read_text(path, streams), display_name(path));
  if (!document.mapping) {
    throw tpn::InvalidInstance("/mapping", "no mapping", "an instance, which maps every stage to processors")
        .at(display_name(path));
  }
  return document;
}

void require_one_stdin(const std::vector<std::string>& files) {
  if (std::ranges::count(files, "-") > 1) throw UsageError("standard input, \"-\", can be read only once");
}

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::vector<tpn::Model> models_of(const tpn::Document& document, const std::string& option) {
  if (const auto named = tpn::find_model(option)) return {*named};
  if (document.model) return {*document.model};
  std::vector<tpn::Model> models;
  for (const tpn::CommunicationModel& model : tpn::communication_models()) models.push_back(model.model);
  return models;
}

}  // namespace takt::tools

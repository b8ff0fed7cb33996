// The only code of the program that opens files.
#include "tools/files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"

namespace takt::tools {

namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
  throw FileError(path + ": cannot be " + what + ": " + std::strerror(error));
}

}  // namespace

std::string display_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_text(const std::string& path, Streams& streams) {
  std::ostringstream text;
  if (path == "-") {
    text << streams.in.rdbuf();
    if (streams.in.bad()) fail("read", display_name(path), EIO);
    return std::move(text).str();
  }
  if (std::filesystem::is_directory(path)) fail("read", path, EISDIR);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("read", path, errno != 0 ? errno : EIO);
  text << file.rdbuf();
  if (file.bad() || (text.fail() && file.peek() != std::ifstream::traits_type::eof())) fail("read", path, EIO);
  return std::move(text).str();
}

void write_file(const std::string& path, std::string_view text) {
  const std::string unfinished = path + ".part";
  errno = 0;
  std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
  if (!file) fail("written", path, errno != 0 ? errno : EIO);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) {
    const int error = errno != 0 ? errno : EIO;
    std::remove(unfinished.c_str());
    fail("written", path, error);
  }
  if (std::rename(unfinished.c_str(), path.c_str()) != 0) {
    const int error = errno;
    std::remove(unfinished.c_str());
    fail("written", path, error);
  }
}

tpn::Document read_instance(const std::string& path, Streams& streams) {
  tpn::Document document = tpn::read_document(read_text(path, streams), display_name(path));
  if (!document.mapping) {
    throw tpn::InvalidInstance("/mapping", "no mapping", "an instance, which maps every stage to processors")
        .at(display_name(path));
  }
  return document;
}

std::vector<tpn::Model> models_of(const tpn::Document& document, const std::string& option) {
  if (const auto named = tpn::find_model(option)) return {*named};
  if (document.model) return {*document.model};
  std::vector<tpn::Model> models;
  for (const tpn::CommunicationModel& model : tpn::communication_models()) models.push_back(model.model);
  return models;
}

}  // namespace takt::tools

// A file beside the one that is meant takes its name.
#include "tools/status/status_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "tools/command.hpp"
#include "tools/files/files.hpp"
#include "tools/status/status_json.hpp"
#include "tools/status/status_page.hpp"
#include "tools/status/status_prometheus.hpp"

namespace takt::tools {

namespace {

using Writer = std::string (*)(const LiveStatus&);

Writer writer_of(std::string_view path) {
  if (path.ends_with(".json")) return status_json;
  if (path.ends_with(".prom")) return status_prometheus;
  if (path.ends_with(".html")) return status_page;
  return nullptr;
}

// The node exporter reads all names that end in .prom.
std::string beside(const std::string& path) {
  const std::filesystem::path file(path);
  return (file.parent_path() / fmt::format(".{}.{}", file.filename().string(), getpid())).string();
}

}  // namespace

bool is_status_name(std::string_view path) { return writer_of(path) != nullptr; }

void write_status(const std::vector<std::string>& paths, const LiveStatus& status) {
  for (const std::string& path : paths) {
    const std::string made = beside(path);
    write_file(made, writer_of(path)(status));
    std::error_code error;
    std::filesystem::rename(made, path, error);
    if (!error) continue;
    std::error_code ignored;
    std::filesystem::remove(made, ignored);
    throw FileError(fmt::format("{}: cannot be written: {}", display_name(path), error.message()));
  }
}

}  // namespace takt::tools

// Progress is told twice a second.
#include "live/rank/rank_files.hpp"

#include <fmt/format.h>

#include <iterator>
#include <ostream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "live/files/mix_kernel.hpp"
#include "live/files/run_result.hpp"
#include "live/rank/scheduling.hpp"

namespace takt::live {

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path));
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.flush();
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be written", path));
}

PacketSource lines_of(const std::string& path) {
  if (path.empty()) return nullptr;
  std::vector<std::string> lines;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path));
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  return [lines = std::move(lines), path](std::uint64_t data_set) {
    if (data_set >= lines.size()) {
      throw std::runtime_error(
          fmt::format("{}: found {} lines, and none for data set {}", path, lines.size(), data_set));
    }
    return lines[data_set];
  };
}

void CheckedResults::append(std::uint64_t data_set, const std::string& bytes) {
  const bool is_known = plan_.kernel == KernelKind::emulate || plan_.kernel == KernelKind::spin;
  if (is_known && bytes != expected_result(data_set, plan_.instance.application.stages.size(), plan_.bytes)) ++wrong_;
  ++delivered_;
  if (journal_ != nullptr) journal_->append(data_set, bytes);
  if (monotonic_now() >= next_word_) tell(data_set + 1);
}

void CheckedResults::tell(std::uint64_t data_sets) {
  constexpr std::int64_t kNowAndThen = 500'000'000;
  next_word_ = monotonic_now() + kNowAndThen;
  write_text(fmt::format("{}/{}", plan_.output, kBegunFile), std::to_string(data_sets));
}

FileLog::FileLog(const RunPlan& plan) : plan_(plan), file_(fmt::format("{}/{}", plan.output, kLogFile)) {}

void FileLog::write(const RunLogEntry& entry) {
  file_ << fmt::format("{:10.3f} ms  {}", static_cast<double>(entry.time) / 1e6,
                       text_of(entry, plan_.instance, {Rational(1'000'000), "ms"}))
        << std::endl;
}

}  // namespace takt::live

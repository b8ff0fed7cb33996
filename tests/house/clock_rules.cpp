// A line is looked at as text; what a comment says counts as well.
#include "tests/house/clock_rules.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>
#include <string_view>

namespace takt::house {

namespace {

bool may_measure(const std::string& path) {
  static const std::regex kTimed(
      R"(^tests/(timed|browser|fuzz|peers)/|_timed_test\.cpp$|_check\.(cpp|py)$|/clock_rules)");
  return std::regex_search(path, kTimed);
}

struct Refused {
  std::vector<std::string> hints;  // one stands in each place that the words find; a search for it is faster
  std::regex words;
  std::string_view instead;
};

const std::array<Refused, 4>& refused() {
  static const std::array<Refused, 4> kRefused = {
      Refused{{"sleep"},
              std::regex(R"(\b(sleep_for|sleep_until|u?sleep\(|nanosleep|time\.sleep)\b)"),
              "a test waits for an event, not for a time"},
      Refused{{"_clock::now", "time."},
              std::regex(R"((steady|system|high_resolution)_clock::now|\btime\.(time|monotonic|perf_counter)\()"),
              "a test reads no clock; limits are counted (tests/support/counted_clock.hpp)"},
      Refused{{"sleep "},
              std::regex(R"(\bsleep (?!1000\b|infinity\b)[0-9.{])"),
              "a program of a test waits for an event, or for ever (sleep 1000)"},
      Refused{{"REPEATS", "for ", "until-pass"},
              std::regex(R"(\bREPEATS\b|\bfor (attempt|retry|_try)\b|until-pass)"),
              "a test that fails is not tried again"}};
  return kRefused;
}

}  // namespace

std::vector<SourceFile> read_tests(const std::filesystem::path& root) {
  constexpr std::array<std::string_view, 1> kFolders = {"tests"};
  return read_files(root, kFolders, {".hpp", ".cpp", ".py"});
}

std::vector<std::string> clock_violations(const std::vector<SourceFile>& files) {
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (may_measure(file.path)) continue;
    std::istringstream lines(file.text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      for (const Refused& each : refused()) {
        const auto stands = [&](const std::string& hint) { return line.find(hint) != std::string::npos; };
        if (std::ranges::none_of(each.hints, stands) || !std::regex_search(line, each.words)) continue;
        found.push_back(file.path + ":" + std::to_string(number) + ": " + std::string(each.instead));
      }
    }
  }
  return found;
}

}  // namespace takt::house

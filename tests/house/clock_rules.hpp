// The rule of tests that no load moves: outside the label `timed` none sleeps, reads a clock or tries again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/house/source_rules.hpp"

namespace takt::house {

/// Every .hpp, .cpp and .py of the tests below `root`, sorted by path.
std::vector<SourceFile> read_tests(const std::filesystem::path& root);

/// One line "PATH:LINE: what is wrong" for each place that waits for a time; empty if all is well. What stands in
/// tests/timed/, *_timed_test.cpp and *_check.* may; peers sleep on a clock of SimGrid's.
std::vector<std::string> clock_violations(const std::vector<SourceFile>& files);

}  // namespace takt::house

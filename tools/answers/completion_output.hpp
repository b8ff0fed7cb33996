// Completion times of the first data sets: as a table, CSV or JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/command.hpp"
#include "tools/frame/command_line.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// What is asked for of completion times.
struct CompletionQuestion {
  std::string file;
  std::vector<std::string> data_sets;  // as written; each passed `count_of_data_sets`
  std::string format;                  // "csv", "json", or "" for a table
  std::optional<double> time_limit;    // seconds
};

/// A whole number from 1 on, of at most kCountDigits digits, also as 1e9.
ValueCheck count_of_data_sets();
inline constexpr std::size_t kCountDigits = 100;

/// Writes them for each model; the exit status.
int write_completions(const CompletionQuestion& question, const tpn::Document& document,
                      const std::vector<tpn::Model>& models, Streams& streams);

}  // namespace takt::tools

// Summaries of experiments whose rows are written by hand.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/reports/chunk.hpp"

namespace takt::experiments {

/// The rows of a cell, JSON objects, as draws 0, 1, ... of its first chunk.
struct HandMadeCell {
  std::size_t cell = 0;
  std::vector<std::string> rows;
};

/// A description and a summary of rows that nobody drew. The summary refers to the description.
struct HandMadeRun {
  std::unique_ptr<const Description> description;
  std::unique_ptr<Summary> summary;
};

/// Each cell has as many draws as its rows name.
HandMadeRun hand_made_run(const std::string& description, const std::vector<HandMadeCell>& cells);

}  // namespace takt::experiments

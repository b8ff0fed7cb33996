// What is said of a document's numbers, alone and together, against evaluations of changed documents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tpn/document.hpp"

namespace takt::support {

/// What was compared.
struct SensitivityTally {
  std::uint64_t documents = 0;
  std::uint64_t rows = 0;
  std::uint64_t groups = 0;    // of these rows, those of several numbers
  std::uint64_t bends = 0;     // of these rows, bandwidths that hold as the lesser of several
  std::uint64_t together = 0;  // smallest sets of two numbers or more
  std::uint64_t trials = 0;    // smaller sets that were tried, and do not help
};

/// What does not hold, if anything: of each row the period with it faster, for nothing, at the end of its slack and
/// beyond, at its target; of what helps together the period, and that no smaller set helps, by trying all.
std::optional<std::string> judge_sensitivity(const tpn::Document& document, const tpn::Model& model,
                                             SensitivityTally& tally);

/// The same of rows of single numbers alone, with derivatives and curves.
std::optional<std::string> judge_parameters(const tpn::Document& document, const tpn::Model& model,
                                            SensitivityTally& tally);

}  // namespace takt::support

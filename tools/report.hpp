// The two forms of an evaluation: a table for people and JSON for programs.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// An evaluation and what its words are taken from.
struct Result {
  std::string file;                 // as named on the command line
  std::vector<std::string> stages;  // names, in order
  tpn::FoldedNet net;
  evaluators::Evaluation evaluation;
};

/// How many steps of the critical circuit are shown: kExcerptSteps at most, or all up to kFullSteps.
enum class CircuitLength { excerpt, full };
inline constexpr std::size_t kExcerptSteps = 20;
inline constexpr std::size_t kFullSteps = 10'000'000;

/// The result object of docs/formats.md.
nlohmann::ordered_json to_json(const Result& result, CircuitLength length);

/// One sentence on the bottleneck, then period, circuit and utilizations.
void write_table(std::ostream& out, const Result& result, CircuitLength length);

/// Why an answer is an interval, for a person: "the net has ... rows, more than the limit of ...".
std::string limit_text(const evaluators::Evaluation& evaluation);

/// "what: N needed, the limit is M".
std::string too_large_text(const tpn::TooLarge& too_large);

}  // namespace takt::tools

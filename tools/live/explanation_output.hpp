// What explains a run's period, in words and as JSON.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "live/measurement/explanation.hpp"
#include "tools/live/run_time_words.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// A run's period beside what explains it.
struct ExplainedRun {
  const live::Explanation& explanation;
  const maxplus::Rational& predicted;  // in time units per data set
  const maxplus::Rational& measured;
  std::uint64_t window = 0;  // of the net; 0 if it has none
  std::uint64_t data_sets = 0;
  const tpn::FoldedNet* net = nullptr;               // null if operations are not to be named
  const std::vector<std::string>* stages = nullptr;  // names, likewise
};

/// Three lines: the period by mean times, by each operation's own time, and the rest, each with what it adds to the
/// predicted period; a line before them where the run is too short for the net's steady state; and a sentence that says
/// which of them counts.
void write_explanation(std::ostream& out, const ExplainedRun& run, const RunTimeWords& times);

/// The member "explanation"; null if there is none.
void write_explanation_json(tpn::JsonWriter& json, const std::optional<ExplainedRun>& run);

}  // namespace takt::tools

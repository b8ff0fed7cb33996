// Traces of runs: when each operation took place, as `takt simulate` writes it, held against an instance.
//
// Problem. A trace comes from a program that takt does not know. Its author wants to know the line where it is
// not one of this mapping: the wrong processor, an operation twice, one that is missing.
//
// Method. CSV with the columns of tools/words/operation_table.hpp in any order, or JSON: an object with `model` and
// `operations`, or an array of such objects; what begins with a bracket is JSON. Lines may come in any order. An
// operation is found by data set, part and kind; its processor must be the mapping's. Times are decimals or
// fractions. Rows and objects are looked at one by one: of the text nothing but operations is kept.
//
// Cost. Linear in the text, but for sorting where operations are not in order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evaluators/play/play.hpp"
#include "tools/files/model_choice.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/limits.hpp"

namespace takt::tools {

/// Operations of a trace that are read.
inline constexpr std::uint64_t kMostTraced = 10'000'000;
/// Bits of the common denominator of its times.
inline constexpr std::uint64_t kMostTraceBits = 2048;

/// Where a trace is from and what it is held against: references to what outlives the call.
struct TraceQuestion {
  const std::string& file;  // its name in messages
  const tpn::Pipeline& pipeline;
  const std::vector<std::string>& stages;  // names, in order
  const ModelChoice& choice;               // which of the trace's models, if there are several
  const std::optional<tpn::Model>& own;    // the instance's own model
};

struct ReadTrace {
  tpn::Model model;
  std::vector<evaluators::Firing> firings;  // all operations of data sets 0, 1, ..., by data set, then column
};

/// Throws FileError or tpn::ParseError, "FILE:LINE: found F, expected E", at the first line that is wrong, and
/// UsageError where the trace has several models and none is chosen, or lacks the one that is.
std::variant<ReadTrace, tpn::TooLarge> read_trace(std::string_view text, const TraceQuestion& question);

}  // namespace takt::tools

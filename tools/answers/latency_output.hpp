// How long data sets stay, as lines of a table and as JSON.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <variant>

#include "evaluators/insight/latency.hpp"
#include "tools/answers/result.hpp"
#include "tools/words/table.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// Distinct rows of a net up to which tables tell its latency without being asked.
inline constexpr std::uint64_t kLatencyRows = 100'000;

/// What is asked about latency.
enum class LatencyDetail { paced, all, all_and_curve };

/// The latency of an instance at its exact period; or the limit that was met.
std::variant<FoundLatency, evaluators::Limit> find_latency(const EvaluatedInstance& result, LatencyDetail detail,
                                                           const evaluators::Deadline& deadline = {});

/// The paced latency, where the period is exact and the net has at most kLatencyRows distinct rows.
std::optional<FoundLatency> quick_latency(const EvaluatedInstance& result, const evaluators::Deadline& deadline = {});

/// Adds lines of two cells, what and how much.
void add_latency(Table& table, const FoundLatency& latency, const TimeWords& times);

/// The trade-off of period and latency, with a heading; nothing if there is none to be seen.
void write_latency_curve(std::ostream& out, const FoundLatency& latency, const TimeWords& times);

/// The member "latency" of a result.
void write_latency(tpn::JsonWriter& json, const FoundLatency& latency);

/// The longest cyclic sequence of processors of a mapping, 1 at least.
std::size_t longest_sequence(const tpn::Pipeline& pipeline);

}  // namespace takt::tools

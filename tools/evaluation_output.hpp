// The two forms of an evaluation: a table for people and JSON for programs.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>

#include "tools/result.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// How many steps of the critical circuit are shown: kExcerptSteps at most, or all up to kFullSteps.
enum class CircuitLength { excerpt, full };
inline constexpr std::size_t kExcerptSteps = 20;
inline constexpr std::size_t kFullSteps = 10'000'000;

/// The result object of docs/formats.md; for a line of JSON Lines without spaces, that line's number first.
void write_json(tpn::JsonWriter& json, const EvaluatedInstance& result, CircuitLength length,
                std::optional<std::size_t> line = std::nullopt);

/// One sentence on the bottleneck, then period, circuit and utilizations.
void write_table(std::ostream& out, const EvaluatedInstance& result, CircuitLength length);

/// The critical circuit of an exact answer, with a heading.
void write_circuit(std::ostream& out, const EvaluatedInstance& result, CircuitLength length);

/// The circuit's field of the result object; null where the answer is not exact.
void write_circuit_json(tpn::JsonWriter& json, const EvaluatedInstance& result, CircuitLength length);

/// Why an answer is an interval, for a person: "the net has ... rows, more than the limit of ...".
std::string limit_text(const evaluators::Evaluation& evaluation);
/// The same of any limit that was met.
std::string limit_text(const evaluators::Limit& limit);

}  // namespace takt::tools

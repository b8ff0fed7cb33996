// The two forms of an evaluation: a table for people and JSON for programs.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>

#include "tools/answers/result.hpp"
#include "tools/words/circuit_length.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// The result object of docs/formats.md; for a line of JSON Lines without spaces, that line's number first.
void write_json(tpn::JsonWriter& json, const EvaluatedInstance& result, CircuitLength length,
                std::optional<std::size_t> line = std::nullopt);

/// One sentence on the bottleneck, then period, circuit and utilizations.
void write_table(std::ostream& out, const EvaluatedInstance& result, CircuitLength length);

/// The critical circuit of an exact answer, with a heading.
void write_circuit(std::ostream& out, const EvaluatedInstance& result, CircuitLength length);

/// The circuit's field of the result object; null if the answer is not exact.
void write_circuit_json(tpn::JsonWriter& json, const EvaluatedInstance& result, CircuitLength length);

/// Why an answer is an interval, for a person: "the net has ... rows, more than the limit of ...".
std::string limit_text(const evaluators::Evaluation& evaluation);
/// The same of any limit that was met.
std::string limit_text(const evaluators::Limit& limit);

}  // namespace takt::tools

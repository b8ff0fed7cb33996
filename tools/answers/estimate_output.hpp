// A sampled estimate of a period, as lines of a table and as JSON.
#pragma once

#include <cstdint>

#include "evaluators/evaluation.hpp"
#include "tools/answers/result.hpp"
#include "tools/words/table.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// The estimate of an interval with the usual sample; or why there is none.
FoundEstimate find_estimate(const EvaluatedInstance& result, std::uint64_t seed, const evaluators::Deadline& deadline);

/// Adds lines of two cells: how much, how sure and that nothing of it is proved.
void add_estimate(Table& table, const FoundEstimate& estimate, const TimeWords& times);

/// The members "estimate", null if there is none, and then "no_estimate".
void write_estimate(tpn::JsonWriter& json, const FoundEstimate& estimate);

}  // namespace takt::tools

// The expected period where the document's times vary: proved bounds, with no play.
#pragma once

#include <optional>

#include "tools/answers/result.hpp"
#include "tools/words/table.hpp"
#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// Of an instance that is evaluated; nothing if its document has no laws.
std::optional<FoundExpectedPeriod> find_expected_period(const EvaluatedInstance& result, const tpn::Document& document);

void add_expected_period(Table& table, const EvaluatedInstance& result);
void write_expected_period(tpn::JsonWriter& json, const EvaluatedInstance& result);

}  // namespace takt::tools

// Options that say how times vary, and which latency is to be kept: of takt vary, takt map and takt plan.
#pragma once

#include <string>

#include "tools/frame/command_line.hpp"
#include "tools/frame/laws.hpp"
#include "tools/vary/vary_answer.hpp"
#include "tpn/document.hpp"
#include "tpn/law.hpp"

namespace takt::tools {

/// A share below 100 % and a time: "99% 150ms".
ValueCheck latency_limit();

/// The law of a text that law_text() accepts.
tpn::Law law_of_text(const std::string& text);

/// Of a text that latency_limit() accepts. Throws UsageError if its time has units and the document's have none, or
/// the other way round.
AskedLimit limit_of_text(const std::string& option, const std::string& text, const tpn::Document& document);

/// Throws UsageError if neither the text nor the document has a law.
void require_law(const std::string& text, const tpn::Document& document, const std::string& file);

}  // namespace takt::tools

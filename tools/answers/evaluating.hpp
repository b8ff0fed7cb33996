// An instance evaluated as takt evaluate is asked to: until the answer is found, the time is up or someone interrupts
// it.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "evaluators/proof/certificate.hpp"
#include "tools/answers/evaluate_options.hpp"
#include "tools/answers/result.hpp"
#include "tools/command.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// What is found under a model, latency aside; or what the net would need. A terminal at `streams.err` sees how far the
/// search is. Throws UsageError if the method does not fit the net.
std::variant<EvaluatedInstance, tpn::TooLarge> evaluate_instance(const std::string& file, const tpn::Document& document,
                                                                 tpn::Model model, const EvaluateOptions& options,
                                                                 Streams& streams);

/// What proves the answer, with what is known of the expected period; or why nothing does.
std::variant<evaluators::Certificate, std::string> certificate_of(const EvaluatedInstance& result);

/// Adds the latency that was asked for, or is quickly found for a table; the limit that was met, if one was.
std::optional<evaluators::Limit> add_latency_as_asked(EvaluatedInstance& result, const EvaluateOptions& options);

/// Adds the estimate where it was asked for; it takes a second or two, whatever the time limit.
void add_estimate_as_asked(EvaluatedInstance& result, const EvaluateOptions& options);

}  // namespace takt::tools

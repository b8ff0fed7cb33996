// The order in which a processor serves several parts, or takes the files of one, where the critical circuit leads over
// it: in words and as JSON.
#pragma once

#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// "The order in which server serves its parts is on the critical circuit: compute decode of frame 1 starts only after
/// compute store of frame 0."; "The order in which O takes files for overlay ...". Empty if the period is not exact
/// or the circuit has no such step.
std::string order_sentence(const tpn::FoldedNet& net, const std::vector<std::string>& stages,
                           const evaluators::Evaluation& evaluation, const TimeWords& times);

/// The member "order_wait" if there is one.
void write_order_wait(tpn::JsonWriter& json, const tpn::FoldedNet& net, const std::vector<std::string>& stages,
                      const evaluators::Evaluation& evaluation);

}  // namespace takt::tools

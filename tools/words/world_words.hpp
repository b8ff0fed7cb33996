// Where the outside world is the bottleneck: in words, with what to write into the document if it is quicker than that.
#pragma once

#include <string>

#include "evaluators/evaluation.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

/// "The source is busy all the time: it sends one file at a time. If it sends more, write \"ports\": 2 or \"ports\":
/// \"unlimited\" in its \"source\"." The sink likewise. Empty if neither bounds the period, or it is not exact.
std::string world_sentence(const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation);

}  // namespace takt::tools

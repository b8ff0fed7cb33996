// Where the outside world is the bottleneck: in words, with what a document would say if it is quicker than that.
#pragma once

#include <string>

#include "evaluators/evaluation.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

/// "The source is busy all the time: it sends one file at a time. If it sends several at once, say so: \"ports\": 2 in
/// \"source\", or \"ports\": \"unlimited\"." Of source and sink, where they are; empty where the period is not exact.
std::string world_sentence(const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation);

}  // namespace takt::tools

// Where the outside world is the bottleneck: in words, with what to write into the document if it is quicker than that.
#pragma once

#include <string>

#include "evaluators/evaluation.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

/// "The source is busy all the time: it sends one file at a time. If it sends more, write "ports": 2 in its "source":
/// the period is then 5 ms, as with "unlimited"." The sink, and segments, likewise; the periods are those of the
/// document with these ports, and left out where they are not found before the deadline. Empty if nothing of the
/// outside world bounds the period, or it is not exact.
std::string world_sentence(const tpn::Document& document, const tpn::FoldedNet& net,
                           const evaluators::Evaluation& evaluation, const TimeWords& times,
                           const evaluators::Options& options);

}  // namespace takt::tools

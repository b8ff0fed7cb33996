// An instance evaluated under a model, and what its words are taken from.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tools/time_words.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

/// An evaluation and what its words are taken from.
struct EvaluatedInstance {
  std::string file;                 // as named on the command line
  std::vector<std::string> stages;  // names, in order
  tpn::FoldedNet net;
  evaluators::Evaluation evaluation;
  TimeWords times;  // how its times are told
};

/// The folded net of an instance, not evaluated yet; or what it would need, time included.
std::variant<EvaluatedInstance, tpn::TooLarge> fold_instance(const std::string& file, const tpn::Document& document,
                                                             tpn::Model model,
                                                             const evaluators::Deadline& deadline = {});

}  // namespace takt::tools

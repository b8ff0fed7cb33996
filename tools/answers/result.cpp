// From a document to what a command reports of it.
#include "tools/answers/result.hpp"

#include <utility>

#include "tools/words/operation_words.hpp"

namespace takt::tools {

std::variant<EvaluatedInstance, tpn::TooLarge> fold_instance(const std::string& file, const tpn::Document& document,
                                                             tpn::Model model, const evaluators::Deadline& deadline,
                                                             std::uint64_t window, tpn::RatedStages rated) {
  auto folded = tpn::fold(document, model, deadline, rated);
  if (window > 0 && std::holds_alternative<tpn::FoldedNet>(folded)) {
    folded =
        tpn::with_capacity(std::get<tpn::FoldedNet>(std::move(folded)), {.buffers = {}, .window = window}, deadline);
  }
  if (auto* too_large = std::get_if<tpn::TooLarge>(&folded)) return std::move(*too_large);
  EvaluatedInstance result{
      file, stage_names(document.application), std::get<tpn::FoldedNet>(std::move(folded)), {}, TimeWords(document), {},
      {}};
  if (!result.net.pipeline.ports.owner.empty()) result.cores.emplace(document.platform);
  return result;
}

}  // namespace takt::tools

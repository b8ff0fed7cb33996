// Text and back, then as any document.
#include "evaluators/insight/carried_out.hpp"

#include <variant>

#include "evaluators/evaluate.hpp"
#include "tpn/capacity.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::evaluators {

std::optional<CarriedOut> carry_out(const tpn::Document& changed, const tpn::Model& model, const Options& options,
                                    std::uint64_t window) {
  if (options.deadline.has_passed()) return std::nullopt;
  const tpn::Document document = tpn::read_document(tpn::write_document_line(changed), "the changed document");
  auto folded = tpn::fold(document, model, options.deadline);
  if (window > 0 && std::holds_alternative<tpn::FoldedNet>(folded)) {
    folded = tpn::with_capacity(std::get<tpn::FoldedNet>(std::move(folded)), {.buffers = {}, .window = window},
                                options.deadline);
  }
  auto* const net = std::get_if<tpn::FoldedNet>(&folded);
  if (net == nullptr) return std::nullopt;
  Evaluation evaluation = evaluate(*net, options);
  if (!evaluation.exact()) return std::nullopt;
  return CarriedOut(std::move(*net), std::move(evaluation.upper));
}

}  // namespace takt::evaluators

// One sentence, one member.
#include "tools/words/order_words.hpp"

#include <fmt/format.h>

#include "evaluators/insight/order_wait.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"

namespace takt::tools {

namespace {

std::optional<evaluators::OrderWait> wait_of(const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation) {
  if (!evaluation.exact() || evaluation.upper.sign() == 0) return std::nullopt;
  return evaluators::order_wait(net, evaluation.circuit);
}

}  // namespace

std::string order_sentence(const tpn::FoldedNet& net, const std::vector<std::string>& stages,
                           const evaluators::Evaluation& evaluation, const TimeWords& times) {
  const auto wait = wait_of(net, evaluation);
  if (!wait) return "";
  const auto told = [&](const tpn::Operation& operation) {
    return fmt::format("{} of {} {}", operation_text(words_of(net.pipeline, stages, operation)), times.item(),
                       net.pipeline.data_set_of(operation));
  };
  if (wait->join) {
    const tpn::NetPart& part = net.pipeline.parts[*wait->join];
    const std::string of = part.role == tpn::PartRole::mapped
                               ? " for " + printable(part.first_stage == part.last_stage
                                                         ? stages[part.first_stage]
                                                         : stages[part.first_stage] + " to " + stages[part.last_stage])
                               : "";
    return fmt::format("The order in which {} takes files{} is on the critical circuit: {} starts only after {}.",
                       printable(net.pipeline.processors[wait->processor]), of, told(wait->later), told(wait->earlier));
  }
  return fmt::format("The order in which {} serves its parts is on the critical circuit: {} starts only after {}.",
                     printable(net.pipeline.processors[wait->processor]), told(wait->later), told(wait->earlier));
}

void write_order_wait(tpn::JsonWriter& json, const tpn::FoldedNet& net, const std::vector<std::string>& stages,
                      const evaluators::Evaluation& evaluation) {
  const auto wait = wait_of(net, evaluation);
  if (!wait) return;
  json.key("order_wait");
  json.begin_object();
  json.member("processor", net.pipeline.processors[wait->processor]);
  json.key("earlier");
  json.begin_object();
  write_members(json, words_of(net.pipeline, stages, wait->earlier));
  json.end();
  json.key("later");
  json.begin_object();
  write_members(json, words_of(net.pipeline, stages, wait->later));
  json.end();
  json.end();
}

}  // namespace takt::tools

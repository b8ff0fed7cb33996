// The net over its rows, or over as many as it takes to repeat.
#include "tools/interchange/unfolded_net.hpp"

#include <fmt/format.h>

#include <utility>

#include "tools/words/operation_words.hpp"

namespace takt::tools {

namespace {

using maxplus::Integer;

bool has_one_processor(const tpn::NetPart& part, std::uint64_t rows) { return rows % part.sequence.size() == 0; }

}  // namespace

std::variant<UnfoldedNet, NotExported> unfold_for(const ExportedNet& exported, Unfolding unfolding,
                                                  std::uint64_t max_transitions) {
  const tpn::FoldedNet& net = exported.net;
  const Integer rows = unfolding == Unfolding::mapping ? net.pipeline.rows : tpn::repetition_of(net);
  const std::size_t columns = net.pipeline.columns.size();
  const Integer transitions = rows * columns;
  if (transitions > max_transitions) {
    return NotExported{
        fmt::format("the net has {} rows x {} columns = {} transitions, more than {}: raise "
                    "--max-transitions, or see whether --to csdf is smaller",
                    rows.get_str(), columns, transitions.get_str(), max_transitions)};
  }
  Integer places = 0;
  for (const tpn::Dependence& d : net.dependences) places += rows / d.modulus;
  if (places / kPlacesPerTransition > max_transitions) {
    return NotExported{
        fmt::format("the net has {} places, more than {} for each of {} transitions: raise "
                    "--max-transitions",
                    places.get_str(), kPlacesPerTransition, max_transitions)};
  }
  tpn::FoldedNet over = net;
  over.pipeline.rows = rows;
  auto graph = tpn::unfold(over, rows.get_ui());
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&graph)) {
    return NotExported{fmt::format("the net has {} transitions and places, more than {}", too_large->needed.get_str(),
                                   too_large->limit)};
  }
  return UnfoldedNet{rows.get_ui(), std::get<tpn::EventGraph>(std::move(graph))};
}

std::string transition_id(std::size_t vertex) { return "t" + std::to_string(vertex); }

std::string place_id(std::size_t number) { return "p" + std::to_string(number); }

std::string transition_name(const ExportedNet& exported, const UnfoldedNet& unfolded, std::size_t vertex) {
  const tpn::Pipeline& pipeline = exported.net.pipeline;
  const tpn::Transition& transition = unfolded.graph[vertex];
  const OperationWords words = words_of(pipeline, exported.stages, {transition.row, transition.column});
  const tpn::Column& column = pipeline.columns[transition.column];
  const bool knows_processors =
      has_one_processor(pipeline.parts[column.part], unfolded.rows) &&
      (words.peer.empty() || has_one_processor(pipeline.parts[column.receiver], unfolded.rows));
  return fmt::format("{} #{}{}", operation_text(words),
                     pipeline.data_set_of({transition.row, transition.column}, unfolded.rows),
                     knows_processors ? " on " + processors_text(words) : "");
}

}  // namespace takt::tools

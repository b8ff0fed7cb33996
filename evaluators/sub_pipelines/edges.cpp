// Averages of a column over the data sets of each entry of a sequence, added to computations.
#include "evaluators/sub_pipelines/edges.hpp"

#include <cstdint>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "tpn/column_period.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

namespace {

using tpn::Column;
using tpn::FoldedNet;

// Ticks of the sub-pipeline to one of the whole.
constexpr unsigned kFiner = 64;
constexpr std::uint64_t kMostMeetings = 1'000'000;

// The table with every duration in finer ticks; nothing if one leaves 60 bits, or is of GMP's.
std::optional<tpn::DurationTable> in_finer_ticks(const tpn::DurationTable& table) {
  constexpr std::int64_t kMost = (std::int64_t{1} << 60) / kFiner;
  const auto narrow = table.narrow();
  if (!narrow) return std::nullopt;
  std::vector<std::int64_t> finer;
  finer.reserve(narrow->size());
  for (const std::int64_t duration : *narrow) {
    if (duration > kMost) return std::nullopt;
    finer.push_back(duration * kFiner);
  }
  return tpn::DurationTable(std::move(finer));
}

// By entry of a sequence of that length, the average of a transfer in finer ticks, rounded down; nothing if too many
// meet.
std::optional<std::vector<Integer>> average_by_entry(const Column& transfer, std::size_t length) {
  const std::uint64_t meetings = std::lcm(transfer.period, static_cast<std::uint64_t>(length));
  if (meetings > kMostMeetings) return std::nullopt;
  std::vector<Integer> sums(length);
  for (std::uint64_t j = 0; j < meetings; ++j) sums[j % length] += transfer.duration(j);
  for (Integer& sum : sums) sum = sum * kFiner / Integer(meetings / length);
  return sums;
}

// Adds a transfer's averages to the computations of a part with a sequence of that length.
bool add_edge(const Column& transfer, std::size_t length, Column& computation) {
  const auto averages = average_by_entry(transfer, length);
  if (!averages) return false;
  std::vector<Integer> durations;
  for (std::size_t entry = 0; entry < length; ++entry) {
    durations.push_back(computation.duration(entry) + (*averages)[entry]);
  }
  computation.sender_offset.resize(length);
  std::iota(computation.sender_offset.begin(), computation.sender_offset.end(), std::size_t{0});
  computation.table = tpn::DurationTable(std::move(durations));
  computation.period = tpn::minimal_period(computation);
  return true;
}

}  // namespace

std::optional<FoldedNet> sub_pipeline_with_edges(const FoldedNet& net, const FoldedNet& sub_pipeline,
                                                 tpn::PartIndex first_part, const Deadline& deadline) {
  const std::vector<Column>& whole = net.pipeline.columns;
  const tpn::PartIndex last_part(first_part.value() + sub_pipeline.pipeline.parts.size() - 1);
  const std::vector<tpn::ColumnIndex>& before = net.pipeline.parts[first_part].receptions;
  const std::vector<tpn::ColumnIndex>& behind = net.pipeline.parts[last_part].sendings;
  if (!tpn::shares_processors(net.model) || (before.empty() && behind.empty())) return std::nullopt;
  tpn::Pipeline pipeline = sub_pipeline.pipeline;
  for (Column& column : pipeline.columns) {
    auto finer = in_finer_ticks(column.table);
    if (!finer) return std::nullopt;
    column.table = *std::move(finer);
  }
  pipeline.scale *= kFiner;
  const auto length_of = [](const tpn::NetPart& part) { return part.sequence.size(); };
  if (!before.empty() &&
      !add_edge(whole[before.front()], length_of(pipeline.parts.front()), pipeline.columns.front())) {
    return std::nullopt;
  }
  if (!behind.empty() && !add_edge(whole[behind.front()], length_of(pipeline.parts.back()), pipeline.columns.back())) {
    return std::nullopt;
  }
  auto folded = tpn::fold(std::move(pipeline), net.model, tpn::kDefaultCircuitSteps, deadline);
  if (!std::holds_alternative<FoldedNet>(folded)) return std::nullopt;
  return std::get<FoldedNet>(std::move(folded));
}

}  // namespace takt::evaluators

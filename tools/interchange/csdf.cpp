// Cyclo-static dataflow without unfolding: an actor for each column and each turn of its processors.
//
// Problem. The firings of an actor start in order, the operations of a column need not: data set j + 1 may overtake j
// on another processor. One actor for a column would have a longer period.
//
// Method. Actor (c, x), x < q_c, does the operations of column c on data sets x, x + q_c, ..., where q_c is the number
// of data sets after which the column's processors repeat. Its operations share their processors. If one of these, or a
// single port, does them one by one, they start in order anyway (docs/interchange.md has the proof), and take the same
// time; other nets are refused. A dependence from c to d becomes a channel from (c, x) to (d, y) for each x and y that
// it ever joins: with L = lcm(q_c, q_d, its modulus) it is used on data sets j + L, j + 2 L, ... for some j < L. The
// producer gives a token in each phase that is such a j, the consumer takes one for each data set that waits for such
// a j, and those of data sets before 0 are there from the start.
//
// Cost. The phases of the channels: for a dependence without a guard, q_c + q_d for each pair of residues that meet.
#include <fmt/format.h>

#include <boost/pending/disjoint_sets.hpp>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tools/interchange/dataflow.hpp"
#include "tools/interchange/format.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using maxplus::Integer;

// Rates and times for each actor that may be allowed.
constexpr std::uint64_t kNumbersPerActor = 200;

// Data sets after which the processors of a column repeat. Column::period may be less, where processors are alike.
Integer turns_of(const tpn::Pipeline& pipeline, const tpn::Column& column) {
  Integer length(pipeline.parts[column.part].sequence.size());
  if (column.kind == tpn::ColumnKind::compute) return length;
  return lcm(length, Integer(pipeline.parts[column.receiver].sequence.size()));
}

class FoldedGraph {
 public:
  FoldedGraph(const tpn::FoldedNet& net, std::uint64_t max_actors) : net_(net), max_actors_(max_actors) {}

  // Nothing if it would be too large: `reason` then.
  std::optional<DataflowGraph> build() {
    if (!add_actors()) return std::nullopt;
    for (const tpn::Dependence& d : net_.dependences) {
      if (!add_channels(d)) return std::nullopt;
    }
    if (!repeat_phases()) return std::nullopt;
    return std::move(graph_);
  }

  const std::string& reason() const { return reason_; }

 private:
  bool add_actors() {
    const tpn::Pipeline& pipeline = net_.pipeline;
    Integer actors = 0;
    for (const tpn::Column& column : pipeline.columns) actors += turns_of(pipeline, column);
    if (actors > max_actors_) {
      reason_ =
          fmt::format("the graph has {} actors, more than {}: raise --max-transitions", actors.get_str(), max_actors_);
      return false;
    }
    for (std::size_t c = 0; c < pipeline.columns.size(); ++c) {
      turns_.push_back(turns_of(pipeline, pipeline.columns[c]).get_ui());
      first_.push_back(graph_.actors.size());
      for (std::uint64_t x = 0; x < turns_[c]; ++x) {
        if (!is_in_order(tpn::ColumnIndex(c), x)) return false;
        graph_.actors.push_back({fmt::format("c{}_{}", c, x), pipeline.columns[c].duration(x)});
      }
    }
    return true;
  }

  // Whether a resource does the operations of an actor one by one: a processor, or the only port of either end.
  bool is_in_order(tpn::ColumnIndex column, std::uint64_t turn) {
    const tpn::Pipeline& pipeline = net_.pipeline;
    if (!pipeline.is_transfer(column) || pipeline.ports.owner.empty() || pipeline.is_internal(column, turn))
      return true;
    const std::size_t sender = pipeline.sender_of({turn, column});
    const std::size_t receiver = pipeline.receiver_of({turn, column});
    const auto does_one_by_one = [&](std::size_t end) {
      if (tpn::shares_processors(net_.model) && end < pipeline.ports.first_end) return true;
      return !pipeline.is_within_host(column, turn) && pipeline.port_count(pipeline.port_owner(end)) == tpn::kOnePort;
    };
    if (does_one_by_one(sender) || does_one_by_one(receiver)) return true;
    reason_ = fmt::format(
        "cyclo-static dataflow starts the firings of an actor in order, and transfers from {} to {} need not, as no "
        "single port handles them: export sdf3",
        printable(pipeline.processors[sender]), printable(pipeline.processors[receiver]));
    return false;
  }

  bool add_channels(const tpn::Dependence& d) {
    const std::uint64_t from_turns = turns_[d.from];
    const std::uint64_t to_turns = turns_[d.to];
    const Integer common = lcm(lcm(Integer(d.modulus), Integer(from_turns)), Integer(to_turns));
    if (!count(common / d.modulus)) return false;
    const std::uint64_t length = common.get_ui();
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> channels;
    for (std::uint64_t j = d.residue; j < length; j += d.modulus) {
      const std::uint64_t x = j % from_turns;
      const std::uint64_t y = (j + d.height) % to_turns;
      const auto [found, is_new] = channels.try_emplace({x, y}, graph_.channels.size());
      if (is_new) {
        if (!count(Integer(length / from_turns) + length / to_turns)) return false;
        graph_.channels.push_back(
            {first_[d.from] + x, first_[d.to] + y, PortRates(length / from_turns), PortRates(length / to_turns), 0});
      }
      DataflowChannel& channel = graph_.channels[found->second];
      channel.produced[j / from_turns] = 1;
      channel.consumed[(j + d.height) % length / to_turns] = 1;
      channel.tokens += (j + d.height) / length;  // of the data sets j - length, j - 2 length, ... from -height on
    }
    return true;
  }

  // An actor has as many phases as its ports have together.
  bool repeat_phases() {
    std::vector<Integer> phases(graph_.actors.size(), Integer(1));
    std::vector<std::uint64_t> ports(graph_.actors.size());
    const auto take = [&](std::size_t actor, const PortRates& rates) {
      phases[actor] = lcm(phases[actor], Integer(rates.size()));
      ++ports[actor];
    };
    for (const DataflowChannel& channel : graph_.channels) {
      take(channel.from, channel.produced);
      take(channel.to, channel.consumed);
    }
    numbers_ = 0;
    for (std::size_t a = 0; a < phases.size(); ++a) {
      if (!count(phases[a] * (ports[a] + 1))) return false;
      graph_.actors[a].phases = phases[a].get_ui();
    }
    return true;
  }

  bool count(const Integer& numbers) {
    numbers_ += numbers;
    if (numbers_ / kNumbersPerActor <= max_actors_) return true;
    reason_ = fmt::format("the graph has more than {} rates for each of {} actors: raise --max-transitions",
                          kNumbersPerActor, max_actors_);
    return false;
  }

  const tpn::FoldedNet& net_;
  std::uint64_t max_actors_;
  DataflowGraph graph_{.is_cyclo_static = true, .name = {}, .comment = {}, .actors = {}, .channels = {}};
  std::vector<std::uint64_t> turns_;  // by column
  std::vector<std::size_t> first_;    // actor of each column
  Integer numbers_ = 0;
  std::string reason_;
};

// Whether no column stands alone: readers count iterations of each connected piece by itself.
bool is_connected(const tpn::FoldedNet& net) {
  std::vector<std::size_t> rank(net.pipeline.columns.size());
  std::vector<std::size_t> parent(net.pipeline.columns.size());
  boost::disjoint_sets pieces(rank.data(), parent.data());
  for (std::size_t column = 0; column < parent.size(); ++column) pieces.make_set(column);
  for (const tpn::Dependence& d : net.dependences) pieces.union_set(d.from.value(), d.to.value());
  for (std::size_t column = 1; column < parent.size(); ++column)
    if (pieces.find_set(column) != pieces.find_set(std::size_t{0})) return false;
  return true;
}

// What the order of firings rests on: the resources, and nothing further into transfers within a processor.
bool orders_operations(const tpn::Model& model) {
  return (tpn::shares_processors(model) || tpn::separates_operations(model)) && tpn::follows_cycle_times(model);
}

}  // namespace

Exported write_csdf(const ExportedNet& exported, std::uint64_t max_transitions) {
  const tpn::FoldedNet& net = exported.net;
  if (auto unfit = unfit_time(net.pipeline)) return *std::move(unfit);
  if (!orders_operations(net.model)) {
    return NotExported{
        "cyclo-static dataflow starts the firings of an actor in order, and this model may not: export sdf3"};
  }
  if (!is_connected(net)) {
    return NotExported{
        "the pipeline falls into pieces that no file joins, which have no iteration in common as cyclo-static "
        "dataflow: export sdf3"};
  }
  FoldedGraph folded(net, max_transitions);
  auto graph = folded.build();
  if (!graph) return NotExported{folded.reason()};
  graph->name = exported.name;
  graph->comment = period_rule(net.pipeline.scale, net.pipeline.rows);
  return InterchangeText{sdf3_text(*graph), fmt::format("{} actors and {} channels; {}", graph->actors.size(),
                                                        graph->channels.size(), graph->comment)};
}

}  // namespace takt::tools

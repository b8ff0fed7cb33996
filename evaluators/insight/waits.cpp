// Waits listed by counting sort, guards unrolled.
#include "evaluators/insight/waits.hpp"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

namespace takt::evaluators {

using tpn::Dependence;
using tpn::FoldedNet;

std::variant<OperationWaits, tpn::TooLarge> OperationWaits::make(const FoldedNet& net, std::uint64_t most_operations) {
  const Integer rows = tpn::repetition_of(net);
  const Integer operations = rows * net.pipeline.columns.size();
  if (operations > most_operations)
    return tpn::TooLarge{tpn::LimitKind::distinct_operations, operations, most_operations};
  return OperationWaits(net, rows.get_ui());
}

OperationWaits::OperationWaits(const FoldedNet& net, std::uint64_t rows)
    : net_(&net), rows_(rows), first_(rows * net.pipeline.columns.size() + 1, 0) {
  const std::size_t columns = net.pipeline.columns.size();
  const auto for_each = [&](const auto& visit) {
    for (const Dependence& d : net.dependences) {
      for (std::uint64_t row = d.residue; row < rows_; row += d.modulus) {
        const std::uint64_t later = (row + d.height % rows_) % rows_;
        visit(later * columns + d.to.value(), Wait{row * columns + d.from.value(), d.height});
      }
    }
  };
  for_each([&](std::size_t to, const Wait&) { ++first_[to + 1]; });
  for (std::size_t v = 0; v + 1 < first_.size(); ++v) first_[v + 1] += first_[v];
  waits_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_each([&](std::size_t to, const Wait& wait) { waits_[next[to]++] = wait; });
}

std::vector<std::size_t> strong_components_of(const std::vector<WaitArc>& arcs, std::size_t vertices) {
  const boost::compressed_sparse_row_graph<boost::directedS> graph(boost::edges_are_unsorted_multi_pass, arcs.begin(),
                                                                   arcs.end(), vertices);
  std::vector<std::size_t> component(vertices);
  boost::strong_components(graph,
                           boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph)));
  return component;
}

bool fits_64_bits(const OperationWaits& waits, const Integer& factor, const Integer& period) {
  std::uint64_t highest = 1;
  for (const Dependence& d : waits.net().dependences) highest = std::max(highest, d.height);
  Integer longest = 0;
  for (const tpn::Column& column : waits.net().pipeline.columns) longest = std::max(longest, column.table.longest());
  const Integer most = kMostTime;
  return longest * factor < most && period * highest < most;
}

}  // namespace takt::evaluators

// Clusters: columns that wait for each other.
//
// A circuit of the net stays among columns of which each waits for the others, directly or not. So the period is the
// largest over such sets, and each repeats after the lengths of its own parts' sequences, whatever the number of rows
// of the whole net is. [docs/model.md, "Workflows"]
#pragma once

#include <cstddef>
#include <vector>

#include "tpn/folded_net.hpp"

namespace takt::tpn {

/// By column, the number of its cluster. Numbers go along dependences: each leads to a column of the same cluster, or
/// of one with a larger number. Cost: linear in the dependences.
std::vector<std::size_t> column_clusters(const FoldedNet& net);

/// The columns of each cluster, in order, by number.
std::vector<std::vector<ColumnIndex>> columns_by_cluster(const std::vector<std::size_t>& clusters);

}  // namespace takt::tpn

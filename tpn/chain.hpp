// The chain: the only place where "part i sends to part i + 1" stands as arithmetic. It lays out chains, and says
// whether a net is one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tpn/folded_net.hpp"

namespace takt::tpn {

/// A transfer between two parts, with its files: outputs of stages; none for the application's input, or if not asked.
struct PartEdge {
  PartIndex sender;
  PartIndex receiver;
  std::vector<std::size_t> files{};
};

/// The edges of a chain of `parts` parts, by sender.
std::vector<PartEdge> chain_edges(std::size_t parts);
/// Those of one sender; the edges stand by sender.
std::span<const PartEdge> edges_from(std::span<const PartEdge> edges, PartIndex sender);

/// Where the net is a chain (why_no_chain): the columns of part i, its computation and the transfer of its file, which
/// the last part has none of.
constexpr ColumnIndex chain_computation(std::size_t part) { return ColumnIndex(2 * part); }
constexpr ColumnIndex chain_transfer(std::size_t sender) { return ColumnIndex(2 * sender + 1); }
/// The number of columns of a chain of `parts` >= 1 parts.
constexpr std::size_t chain_columns(std::size_t parts) { return 2 * parts - 1; }
/// The other way round: the part that computes or sends in a column.
constexpr std::size_t chain_part(std::size_t column) { return column / 2; }

/// Why a resource of the net is not one processor's own: it makes the operation of another wait, as a port that several
/// processors share does. Nothing if each handles the operations of its processor alone.
/// Cost: linear in the dependences; where sequences repeat processors, in the data sets until they meet again.
std::optional<std::string> why_shared(const FoldedNet& net);

/// The parts `first` to `last` of a chain with what joins them: no dependences, and the columns from
/// chain_computation(first) on.
Pipeline sub_chain(const Pipeline& chain, PartIndex first, PartIndex last);
/// A dependence of sub_chain as one of the chain.
Dependence in_whole_chain(Dependence of_sub_chain, PartIndex first);
/// A column of sub_chain as one of the chain.
ColumnIndex in_whole_chain(ColumnIndex of_sub_chain, PartIndex first);

/// Why the net is not that of a chain; nothing if it is one: column 2i computes part i for each entry of its
/// sequence, column 2i + 1 sends from part i to part i + 1, a file leads from each column to the next on the same data
/// set, and no file leads elsewhere. Read off the net itself.
/// Cost: linear in the columns and the dependences.
std::optional<std::string> why_no_chain(const FoldedNet& net);

}  // namespace takt::tpn

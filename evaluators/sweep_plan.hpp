// What the passes of a sweep need to know of a net, whatever the numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tpn/folded_net.hpp"

namespace takt::evaluators {

/// Where an operation's predecessor stands: the column, and how many data sets before.
struct Incoming {
  std::size_t column = 0;
  std::uint64_t height = 0;
};

/// Guarded predecessors of one column that share a modulus: those of data set j are
/// arcs[first[j mod modulus]] .. arcs[first[j mod modulus + 1]].
struct GuardedIncoming {
  std::uint64_t modulus = 1;
  std::vector<std::size_t> first;
  std::vector<Incoming> arcs;
};

/// A token: the operation of `column`, `back` data sets before data set 0.
struct Token {
  std::size_t column = 0;
  std::uint64_t back = 0;
};

/// The predecessors of every column's operations, the clocks, and bounds.
struct Plan {
  struct ColumnPlan {
    std::vector<Incoming> always;
    std::vector<GuardedIncoming> guarded;
    std::size_t ring = 0;    // first slot of the column's ring of recent ends
    std::uint64_t mask = 0;  // ring size - 1, a power of two less one
  };
  std::vector<ColumnPlan> columns;
  std::size_t slots = 0;
  std::vector<Token> tokens;  // the clocks, by column, then by `back` descending
  std::uint64_t rows = 0;
  maxplus::Integer total_duration;  // at least that of all operations of all rows: no path of a pass is longer
  int origin_bits = 0;              // 2^origin_bits > tokens.size()
};

/// Calls visit with the predecessors of a column's operation on `row`, always in the same order.
template <typename Visit>
void for_each_incoming(const Plan::ColumnPlan& column, std::uint64_t row, Visit visit) {
  for (const Incoming& in : column.always) visit(in);
  for (const GuardedIncoming& group : column.guarded) {
    const std::uint64_t r = row % group.modulus;
    for (std::size_t k = group.first[r]; k < group.first[r + 1]; ++k) visit(group.arcs[k]);
  }
}

/// Cost: linear in the dependences, their heights and the moduli of their guards. The rows must fit 64 bits.
Plan make_plan(const tpn::FoldedNet& net);

}  // namespace takt::evaluators

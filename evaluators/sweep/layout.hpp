// What the passes of a sweep need to know of a net, whatever the numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tpn/folded_net.hpp"

namespace takt::evaluators {

/// Operations that may pass between two looks at the time.
inline constexpr std::uint64_t kOperationsBetweenClockReadings = 1 << 18;

inline double share_of(std::uint64_t done, std::uint64_t all) {
  return static_cast<double>(done) / static_cast<double>(all);
}

/// Where an operation's predecessor stands: the column, and how many data sets before.
struct Incoming {
  std::size_t column = 0;
  std::uint64_t height = 0;

  friend bool operator==(const Incoming&, const Incoming&) = default;
};

/// Guarded predecessors of one column that share a modulus: those of data set j are
/// SweepLayout::arcs[first[j mod modulus]] .. SweepLayout::arcs[first[j mod modulus + 1]].
struct GuardedIncoming {
  std::uint64_t modulus = 1;
  std::vector<std::size_t> first;
};

/// The operation that holds a token: that of `column`, `back` data sets before data set 0.
struct TokenHolder {
  std::size_t column = 0;
  std::uint64_t back = 0;
};

/// The predecessors of every column's operations, the clocks, and bounds.
struct SweepLayout {
  struct ColumnLayout {
    // The predecessors of every data set are arcs[first_arc] .. arcs[first_arc + always], without duplicates; then
    // come the guarded ones.
    std::size_t first_arc = 0;
    std::size_t always = 0;
    std::vector<GuardedIncoming> guarded;
    std::uint64_t longest = 0;    // greatest height of a dependence that leaves the column
    std::size_t first_token = 0;  // the column's tokens are first_token .. the next column's
  };
  std::vector<ColumnLayout> columns;
  std::vector<Incoming> arcs;       // by the column they lead to
  std::vector<TokenHolder> tokens;  // the clocks, by column, then by `back` descending
  std::uint64_t rows = 0;
  std::uint64_t longest = 0;   // greatest height
  bool plain = true;           // no guards: every data set has the same predecessors
  maxplus::Integer row_total;  // at least the sum of the durations of any row: a path within r rows is no
                               // longer than r times this
  int origin_bits = 0;         // 2^origin_bits > tokens.size()

  /// The index of the token that the operation of `column` leaves `back` data sets later. It must exist.
  std::size_t token_at(std::size_t column, std::uint64_t back) const;
};

/// Calls visit with the indices of the arcs into a column's operation on `row`, always in the same order.
template <typename Visit>
void for_each_arc(const SweepLayout::ColumnLayout& column, std::uint64_t row, Visit visit) {
  for (std::size_t k = 0; k < column.always; ++k) visit(column.first_arc + k);
  for (const GuardedIncoming& group : column.guarded) {
    const std::uint64_t r = row % group.modulus;
    for (std::size_t k = group.first[r]; k < group.first[r + 1]; ++k) visit(k);
  }
}

/// Cost: linear in the dependences, their heights and the moduli of their guards. The rows must fit 64 bits.
SweepLayout make_layout(const tpn::FoldedNet& net);

}  // namespace takt::evaluators

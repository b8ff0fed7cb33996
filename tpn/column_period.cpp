// Kinds of senders and receivers by sorting, then one division after the other.
#include "tpn/column_period.hpp"

#include <algorithm>
#include <compare>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace takt::tpn {

namespace {

// Numbers that are equal if durations beyond 64 bits are.
std::vector<std::int64_t> ranks_of(const DurationTable& table) {
  std::vector<std::size_t> order(table.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return table[k]; });
  std::vector<std::int64_t> ranks(table.size());
  for (std::size_t k = 1; k < order.size(); ++k) {
    ranks[order[k]] = ranks[order[k - 1]] + (table[order[k]] == table[order[k - 1]] ? 0 : 1);
  }
  return ranks;
}

// The distinct offsets, ascending, of a sequence's entries that share a residue modulo the gcd of both lengths.
using BlockOffsets = std::vector<std::size_t>;

class ColumnRepetition {
 public:
  // `durations` stand in the place of the column's table.
  ColumnRepetition(const Column& column, std::span<const std::int64_t> durations)
      : column_(column),
        durations_(durations),
        blocks_(std::gcd(column.sender_offset.size(), column.receiver_offset.size())),
        senders_(blocks_of(column.sender_offset)),
        receivers_(blocks_of(column.receiver_offset)) {
    find_kinds(column.sender_offset, senders_, receivers_, sender_kind_, sender_of_);
    find_kinds(column.receiver_offset, receivers_, senders_, receiver_kind_, receiver_of_);
  }

  // Whether the durations repeat after t data sets; t divides the meeting period.
  bool repeats_after(std::uint64_t t) const {
    if (!keeps_kinds(sender_kind_, t) || !keeps_kinds(receiver_kind_, t)) return false;
    for (std::size_t b = 0; b < blocks_; ++b) {
      for (const std::size_t from : sender_of_[b]) {
        const std::size_t sender = column_.sender_offset[from];
        const std::size_t later_sender = column_.sender_offset[later(from, t, column_.sender_offset.size())];
        for (const std::size_t to : receiver_of_[b]) {
          const std::size_t later_to = later(to, t, column_.receiver_offset.size());
          if (durations_[sender + column_.receiver_offset[to]] !=
              durations_[later_sender + column_.receiver_offset[later_to]])
            return false;
        }
      }
    }
    return true;
  }

 private:
  static std::size_t later(std::size_t entry, std::uint64_t t, std::size_t length) {
    return (entry + t % length) % length;
  }

  std::vector<BlockOffsets> blocks_of(const std::vector<std::size_t>& offsets) const {
    std::vector<BlockOffsets> blocks(blocks_);
    for (std::size_t e = 0; e < offsets.size(); ++e) blocks[e % blocks_].push_back(offsets[e]);
    for (BlockOffsets& block : blocks) {
      std::ranges::sort(block);
      block.erase(std::unique(block.begin(), block.end()), block.end());
    }
    return blocks;
  }

  // The kind of every entry, numbered within its block, and the first entry of every kind.
  void find_kinds(const std::vector<std::size_t>& offsets, const std::vector<BlockOffsets>& own,
                  const std::vector<BlockOffsets>& others, std::vector<std::size_t>& kind,
                  std::vector<std::vector<std::size_t>>& first) const {
    kind.resize(offsets.size());
    first.resize(blocks_);
    for (std::size_t b = 0; b < blocks_; ++b) {
      const std::vector<std::size_t> kind_of = kinds_of(own[b], others[b]);
      const std::size_t kinds = *std::ranges::max_element(kind_of) + 1;
      first[b].assign(kinds, offsets.size());
      for (std::size_t e = b; e < offsets.size(); e += blocks_) {
        const auto at = std::ranges::lower_bound(own[b], offsets[e]) - own[b].begin();
        kind[e] = kind_of[static_cast<std::size_t>(at)];
        first[b][kind[e]] = std::min(first[b][kind[e]], e);
      }
    }
  }

  // By offset: equal if all durations with the others are.
  std::vector<std::size_t> kinds_of(const std::vector<std::size_t>& offsets,
                                    const std::vector<std::size_t>& others) const {
    const auto compare = [&](std::size_t a, std::size_t b) -> std::strong_ordering {
      for (const std::size_t other : others) {
        const auto order = durations_[offsets[a] + other] <=> durations_[offsets[b] + other];
        if (order != std::strong_ordering::equal) return order;
      }
      return std::strong_ordering::equal;
    };
    std::vector<std::size_t> order(offsets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return compare(a, b) < 0; });
    std::vector<std::size_t> kind(offsets.size(), 0);
    for (std::size_t k = 1; k < order.size(); ++k) {
      const bool is_equal = compare(order[k - 1], order[k]) == std::strong_ordering::equal;
      kind[order[k]] = kind[order[k - 1]] + (is_equal ? 0 : 1);
    }
    return kind;
  }

  // Whether entries of one kind, in one block, lead to entries of one kind.
  bool keeps_kinds(const std::vector<std::size_t>& kind, std::uint64_t t) const {
    std::vector<std::vector<std::optional<std::size_t>>> leads_to(blocks_);
    for (std::size_t e = 0; e < kind.size(); ++e) {
      auto& known = leads_to[e % blocks_];
      if (known.size() <= kind[e]) known.resize(kind[e] + 1);
      const std::size_t next = kind[later(e, t, kind.size())];
      if (known[kind[e]] && *known[kind[e]] != next) return false;
      known[kind[e]] = next;
    }
    return true;
  }

  const Column& column_;
  std::span<const std::int64_t> durations_;
  std::size_t blocks_;
  std::vector<BlockOffsets> senders_;  // by residue modulo the number of blocks
  std::vector<BlockOffsets> receivers_;
  std::vector<std::size_t> sender_kind_;  // by entry
  std::vector<std::size_t> receiver_kind_;
  std::vector<std::vector<std::size_t>> sender_of_;  // by block: the first entry of each kind
  std::vector<std::vector<std::size_t>> receiver_of_;
};

}  // namespace

std::uint64_t meeting_period(const Column& column) {
  const auto period = maxplus::checked_lcm(column.sender_offset.size(), column.receiver_offset.size());
  maxplus::expects(period.has_value(), "two sequences have less than 2^64 pairs of entries");
  return *period;
}

std::uint64_t minimal_period(const Column& column) {
  std::uint64_t period = meeting_period(column);
  if (period == 1) return 1;
  if (column.table.shortest() == column.table.longest()) return 1;
  const auto narrow = column.table.narrow();
  const std::vector<std::int64_t> ranks = narrow ? std::vector<std::int64_t>() : ranks_of(column.table);
  const ColumnRepetition repetition(column, narrow ? *narrow : std::span(ranks));
  std::set<std::uint64_t> factors;
  for (const std::size_t length : {column.sender_offset.size(), column.receiver_offset.size()}) {
    for (const std::uint64_t factor : maxplus::prime_factors(length)) factors.insert(factor);
  }
  for (const std::uint64_t factor : factors) {
    while (period % factor == 0 && repetition.repeats_after(period / factor)) period /= factor;
  }
  return period;
}

}  // namespace takt::tpn

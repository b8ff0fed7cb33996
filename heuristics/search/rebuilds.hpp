// Larger changes of a mapping: processors change groups, parts become one or two, and turns are dealt anew.
//
// Problem. Where a start is far from good, no single change of an entry betters it: a processor that joins a group of
// unequal ones is worth a move only if it gets its share of turns, and the others fewer.
//
// Method. Each change moves processors or stages between parts, then deals the turns of the parts concerned: entry by
// entry, to the processor that is least busy with one more, in all its parts; among some short lengths the best one,
// of nearly equal ones the shortest; the turns spread by smooth weighted round robin. How long a turn takes is
// computation and the mean transfers with the neighbors, joined as the model joins them.
//
// Invariant. Parts stay intervals, sequences are never empty. What a change is worth is for an evaluation to say.
//
// Cost. O(p) per entry dealt, at most kMostDealt of them or one per processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evaluators/kernel/period.hpp"
#include "heuristics/search/loads.hpp"
#include "tpn/document.hpp"

namespace takt::heuristics {

enum class RebuildKind : std::uint8_t {
  redeal,      // `part` gets `length` entries, or the best number where 0
  enlist,      // the free `processor` joins `part`
  dismiss,     // `processor` leaves `part`
  hand_over,   // `processor` leaves `part` for `other`
  trade,       // `processor` of `part` and `second` of `other` change places
  lend,        // `processor`, which serves other parts, helps `part` as well
  boundary,    // `part` ends with stage `where`
  cut,         // `part` ends with stage `where`, the next part is the rest of it, on some of its processors
  gather,      // the parts from `part` to `other` become one on all of their processors
  gather_all,  // the same, on the free ones as well
};

/// A change of some mapping; which fields count is up to the kind.
struct Rebuild {
  RebuildKind kind = RebuildKind::redeal;
  std::uint32_t part = 0;
  std::uint32_t other = 0;
  std::uint32_t where = 0;
  std::uint32_t processor = 0;
  std::uint32_t second = 0;
  std::uint32_t length = 0;
};

class TurnDealer {
 public:
  /// Entries of a sequence that is dealt, unless it has more processors.
  static constexpr std::size_t kMostDealt = 24;

  /// Keeps references.
  TurnDealer(const tpn::Document& problem, Loads& loads, const tpn::Model& model);

  /// All rebuilds of a mapping, into `rebuilds`: of parts whose stages are all replicable.
  void list(const tpn::Mapping& mapping, std::vector<Rebuild>& rebuilds);

  /// The mapping after a rebuild, into `result`; turns are dealt for about that period.
  void apply(const Rebuild& rebuild, const tpn::Mapping& mapping, const evaluators::Period& period,
             tpn::Mapping& result);

  /// Deals part i of the mapping among these processors: `length` entries, or the best number where 0.
  void deal(tpn::Mapping& mapping, std::size_t i, std::vector<std::size_t> processors, std::size_t length,
            const evaluators::Period& period);

  /// The length at which these processors are busy alike in part i, as far as their mean times say; 0 if it is
  /// beyond `most` or they serve other parts.
  std::uint64_t even_length(const tpn::Mapping& mapping, std::size_t i, std::span<const std::size_t> processors,
                            std::uint64_t most, const evaluators::Period& period);

  /// What a rebuild does to a mapping, as a phrase.
  std::string in_words(const Rebuild& rebuild, const tpn::Mapping& mapping) const;

 private:
  // A processor of a part that is dealt.
  struct Player {
    std::size_t processor = 0;
    std::int64_t turn = 1;       // ticks of one turn
    std::int64_t available = 0;  // ticks per data set that its other parts leave
    std::uint64_t taken = 0;
    bool is_busier_than(const Player& other) const;
  };

  bool is_replicable(std::size_t first_stage, std::size_t last_stage) const {
    return fixed_before_[last_stage + 1] == fixed_before_[first_stage];
  }
  void list_of_part(const tpn::Mapping& mapping, std::uint32_t i, std::vector<Rebuild>& rebuilds);
  void list_between(const tpn::Mapping& mapping, std::uint32_t i, std::uint32_t j, std::vector<Rebuild>& rebuilds);
  void list_gathers(const tpn::Mapping& mapping, std::vector<Rebuild>& rebuilds) const;
  void cut(tpn::Mapping& mapping, std::size_t i, std::size_t where, const evaluators::Period& period);
  void gather(const Rebuild& rebuild, tpn::Mapping& mapping, const evaluators::Period& period);
  std::int64_t turn_ticks(const tpn::Mapping& mapping, std::size_t i, std::size_t processor) const;
  void set_players(const tpn::Mapping& mapping, std::size_t i, std::span<const std::size_t> processors,
                   const evaluators::Period& period);
  std::uint64_t natural_length(std::uint64_t most) const;
  std::uint64_t best_length(std::uint64_t rows_beside);
  Player& next_player();

  const tpn::Document& problem_;
  Loads& loads_;
  tpn::Model model_;
  std::vector<std::size_t> fixed_before_{0};  // by stage, how many before it are not replicable
  // By part, its processors, each once, in the order of their first turns; and the unused processors.
  std::vector<std::vector<std::size_t>> groups_;
  std::vector<std::size_t> free_;
  std::vector<Player> players_;
  std::vector<std::int64_t> busy_;  // by processor, ticks per data set in other parts
};

/// The processors of a sequence, each once, in the order of their first turns.
std::vector<std::size_t> group_of(std::span<const std::size_t> sequence);

}  // namespace takt::heuristics

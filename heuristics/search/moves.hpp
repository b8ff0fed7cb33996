// The neighbors of a mapping: small changes of boundaries and processor sequences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tpn/document.hpp"

namespace takt::heuristics {

/// Processors in use stay in use by at least one part by default; a free one serves no part.
enum class MoveKind : std::uint8_t {
  boundary,     // `part` ends with stage `where`, and the next part begins behind it
  merge,        // `part` and the next become one, on the processors that `merge` names
  split,        // `part` ends with stage `where` and keeps its entries before `entry`; the next part has the others
  split_back,   // the same, but the next part has the entries before `entry`
  branch,       // `part` ends with stage `where`; a new part behind it runs on the free `processor`
  branch_back,  // the same, but the new part keeps the sequence, and the free processor has the stages up to `where`
  swap,         // `entry` of `part` and entry `where` of `other`, maybe the same part
  shift,        // `entry` of `part` goes before entry `where` of `other`, maybe the same part
  replace,      // `entry` of `part` becomes the free `processor`
  add,          // the free `processor` goes before entry `where` of `part`
  drop,         // `entry` of `part` goes
  repeat,       // a further copy of `entry` of `part` goes before its entry `where`
  rotate,       // the sequence of `part` begins with what was its `entry`
  exchange,     // `part` and `other` exchange their sequences
};

/// What a merged part runs on: the first part's sequence, the second's, or one after the other.
enum class Merge : std::uint8_t { first, second, both };

/// A change of some mapping; which fields count is up to the kind.
struct Move {
  MoveKind kind = MoveKind::boundary;
  Merge merge = Merge::first;
  std::uint32_t part = 0;
  std::uint32_t entry = 0;
  std::uint32_t other = 0;
  std::uint32_t where = 0;
  std::uint32_t processor = 0;
};
static_assert(sizeof(Move) == 24);

/// Whether sequences may come to hold a processor twice.
enum class RepeatedProcessors : std::uint8_t { none, allowed };

/// Entries of sequences and free processors that the moves of a mapping are listed for: they are at most some
/// 2 places^2 + stages places moves, of 24 bytes.
inline constexpr std::size_t kMostPlaces = 2000;

/// All moves of a mapping on `processors` processors, into `moves`. They keep every stage in one part and every
/// sequence non-empty; replicability and links are the caller's to check.
void list_moves(const tpn::Mapping& mapping, std::size_t processors, RepeatedProcessors repetition,
                std::vector<Move>& moves);

/// The mapping after a move, into `result`, whose memory is used again.
void apply(const Move& move, const tpn::Mapping& mapping, tpn::Mapping& result);

/// What a move does to a mapping, as a phrase.
std::string in_words(const Move& move, const tpn::Mapping& mapping, const tpn::Document& problem);

}  // namespace takt::heuristics

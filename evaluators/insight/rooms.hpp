// rooms: how many files the buffers of an OVERLAP pipeline have to hold for its period to stay.
//
// Problem. OVERLAP lets files wait without limit. Give each buffer, before or behind a processor's computations, as
// little room as keeps the period P: one buffer at a time, and all at once.
//
// Method. More room never makes a pipeline slower: room for k + 1 files follows from room for k and the order of the
// port. So room for all is raised until the period is P, at `enough`; no buffer needs more than that. Alone, each is
// tried with room 1: many at the same time, for what many together keep each keeps alone, and the half of them where
// they do not. Between 1 and `enough` the rest is bisected. Together: where every buffer keeps the period with what it
// needs alone, no sum is less. Otherwise all begin with `enough`, and the largest are lowered by one, in order, as long
// as the period stays; again many at the same time, which comes to the same as one after the other: where all of them
// can be lowered, so can each of them before the others. That is a local optimum: no buffer can be lowered alone.
// Minimizing the sum is NP-hard. [marchetti2010complexity]
//
// Trial. A net with rooms is evaluated like any other (tpn::with_capacity), and its period compared with P. Where
// transfers are ahead or machines take batches, room that might make a net wait for itself is refused: it counts as
// room that does not keep P. More room is refused no sooner, buffer by buffer, so all of the above holds.
//
// Cost. An evaluation a trial: about as many as there are buffers that need more than one file, times the logarithm of
// the number of all.
//
// References. [marchetti2010complexity], [stuijk2008throughput].
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/capacity.hpp"

namespace takt::evaluators {

/// What the buffers of a pipeline have to hold. What a limit left open is empty, or 0.
struct RoomsInsight {
  Rational period;             // with room for any number of files
  std::uint64_t accepted = 1;  // the least room for all that is not refused for what is ahead
  // The period where every buffer has room for 1, 2, ... files; nothing if that is refused.
  std::vector<std::optional<Rational>> by_room;
  std::uint64_t enough = 0;           // the least room for all that keeps the period; 1 if there are no buffers
  std::vector<tpn::Buffer> alone;     // the least room of each, the others without limit; as tpn::buffers_of
  std::vector<tpn::Buffer> together;  // room with which all of them keep the period, in that order
  Integer lower_bound = 0;            // the sum over `alone`: no rooms of a smaller sum keep the period
  Integer sum = 0;                    // the sum over `together`
  Limit limit;                        // the one that ended the search, if any
  // Where that is the most room: a buffer that is refused even that much, if there is one.
  std::optional<tpn::Buffer> refused;
  std::uint64_t trials = 0;  // nets that were evaluated

  /// The search ended by itself.
  bool is_complete() const { return std::holds_alternative<std::monostate>(limit); }
  /// Whether no rooms of a smaller sum keep the period; false if that is not known.
  bool is_least() const { return is_complete() && sum == lower_bound; }
  /// The buffers that have to hold more than one file, together with all others.
  std::vector<tpn::Buffer> larger() const;
};

inline constexpr tpn::Capabilities kRoomsTake = [] {
  tpn::Capabilities takes = tpn::kEveryNet;
  takes.room = false;
  return takes;
}();

/// Room for all that is shown, by default, where the period does not stay before.
inline constexpr std::uint64_t kShownRooms = 16;

/// The rooms of a net under a model that separates operations and has no limits of its own, as OVERLAP. `by_room` goes
/// up to `shown` where that is not 0, else to `enough`, at most kShownRooms. Options say how each net is evaluated, and
/// until when.
RoomsInsight rooms_of(const tpn::FoldedNet& net, const Options& options = {}, std::uint64_t shown = 0);

}  // namespace takt::evaluators

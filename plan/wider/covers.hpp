// Which machines serve which part, each one part with any turns: covers of shares, with prices on scarce machines.
//
// Problem. A machine of type t that takes x_t per data set in a part can take a share s_t = min(1, P / x_t) of the data
// sets, and the shares of a part's machines are together at least 1. Which intervals of stages, and which machines for
// each, cost least, if the machines of each type are limited and each serves one part?
//
// Method. A shortest path over the boundaries between stages, whose edges are parts and cost the cheapest cover of 1 by
// shares (plan/cover.hpp). That a machine serves one part is relaxed: for prices y_t >= 0 on machines,
// in addition to their own, the path's cost less the sum of y_t times their number is a lower bound. Prices are raised
// for machines that the path wants more of than there are, and lowered for those that it wants fewer of (subgradients,
// steps of Polyak). For each path its parts, one after the other, take covers of the machines that are left: a
// candidate. A part that must not be replicated has one machine; what that has left of the period may serve other
// parts as well, in candidates that ask for it.
//
// Transfers are the least that a machine may have with any other, so that the bound holds for all links; where links
// are equal they are those of every plan.
//
// Invariant. The lower bound holds for every plan in which each machine serves one part, in whatever turns. Candidates
// are within the numbers of machines; whether they keep the period the net says.
//
// Cost. n^2 covers of T items for each of some dozens of rounds.
//
// References. [held1971travelling] for prices by subgradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "plan/catalogue.hpp"
#include "plan/cover.hpp"

namespace takt::plan {

/// A machine that serves a part: the `number`-th of its type, from 0. It is busy for `demand` per data set that it
/// takes, or for so much more as it has less of the period for this part.
struct CoverMachine {
  std::size_t type = 0;
  std::uint64_t number = 0;
  Rational demand;

  friend bool operator==(const CoverMachine&, const CoverMachine&) = default;
};

struct CoverPart {
  std::size_t first_stage = 0;
  std::size_t last_stage = 0;
  std::vector<CoverMachine> machines;

  friend bool operator==(const CoverPart&, const CoverPart&) = default;
};

struct CoverCandidate {
  std::vector<CoverPart> parts;
  Rational cost;
};

struct CoverQuery {
  tpn::Model model = tpn::Model::kOverlap;
  Rational period;
  /// Covers are worth 1 and this more, so that turns in whole numbers are enough.
  Rational slack;
  /// Whether the one machine of a part that must not be replicated may serve others, too.
  bool shares_leftovers = false;
  bool all_apart = false;  // each stage a part of its own
  maxplus::Deadline deadline;
};

struct CoversAnswer {
  std::vector<CoverCandidate> candidates;  // the cheapest first
  Rational lower_bound;                    // 0 with slack
  bool is_impossible = false;              // proved: no such plan keeps the period
  bool cut_short = false;
};

/// Types that covers take: their least transfers take the square of it.
inline constexpr std::size_t kMostCovered = 300;

CoversAnswer solve_covers(const Catalogue& catalogue, const CoverQuery& query);

/// The machine of each turn of a part, by its place in the list: plain turns where these keep the period (or,
/// `strictly`, are below it), else as many for each as it has time for, evenly spread, of the first length that is
/// enough. Nothing if none of at most 2000 turns is.
std::optional<std::vector<std::size_t>> turns_of_cover(const CoverPart& part, const Rational& period,
                                                       bool strictly = false);

/// Covers that are more and more ample, for whole turns, and files that wait, take some; their candidates, the cheapest
/// first, as long as they are cheaper than `known` and than what is kept. `keeps` judges one, and makes a plan of it.
/// The answer is that of covers which are just enough, without candidates.
CoversAnswer try_covers(const Catalogue& catalogue, CoverQuery query, std::optional<Rational> known,
                        const std::function<bool(const CoverCandidate&)>& keeps);

}  // namespace takt::plan

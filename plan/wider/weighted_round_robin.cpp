// The tournament in an array, as a heap: the matches of node i are between the winners of 2 i and 2 i + 1.
#include "plan/wider/weighted_round_robin.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "maxplus/contract.hpp"

namespace takt::plan {

namespace {

class Tournament {
 public:
  Tournament(std::span<const std::uint64_t> weights, std::int64_t turns)
      : turns_(turns), players_(std::bit_ceil(weights.size())), nodes_(2 * players_.size()) {
    for (std::size_t k = 0; k < weights.size(); ++k) players_[k].weight = static_cast<std::int64_t>(weights[k]);
    for (std::size_t k = 0; k < players_.size(); ++k) nodes_[players_.size() + k].winner = k;
    for (std::size_t node = players_.size(); node-- > 1;) play(node, 0);
  }

  // The one who takes a turn; turns are counted from 1, and each is asked for in its order.
  std::size_t take(std::int64_t turn) {
    if (nodes_[1].until <= turn) play_due(1, turn);
    const std::size_t richest = nodes_[1].winner;
    ++players_[richest].taken;
    for (std::size_t node = (players_.size() + richest) / 2; node > 0; node /= 2) play(node, turn);
    return richest;
  }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  struct Player {
    std::int64_t weight = 0;
    std::int64_t taken = 0;
  };
  struct BracketMatch {
    std::size_t winner = 0;
    std::int64_t until = kNever;  // the first turn at which a match here or below may end otherwise
  };

  // Both products are below 2^62, as neither weights nor what is taken of them exceed the turns.
  std::int64_t credit(const Player& player, std::int64_t turn) const {
    return player.weight * turn - player.taken * turns_;
  }

  void play(std::size_t node, std::int64_t turn) {
    const BracketMatch& left = nodes_[2 * node];
    const BracketMatch& right = nodes_[2 * node + 1];
    const Player& first = players_[left.winner];
    const Player& second = players_[right.winner];
    const std::int64_t lead = credit(first, turn) - credit(second, turn);
    const std::int64_t growth = first.weight - second.weight;
    std::int64_t until = kNever;
    if (lead >= 0) {
      if (growth < 0) until = turn + lead / -growth + 1;  // the first one wins ties
    } else if (growth > 0) {
      until = turn + (-lead - 1) / growth + 1;
    }
    nodes_[node] = {lead >= 0 ? left.winner : right.winner, std::min({until, left.until, right.until})};
  }

  void play_due(std::size_t node, std::int64_t turn) {
    for (const std::size_t child : {2 * node, 2 * node + 1})
      if (nodes_[child].until <= turn) play_due(child, turn);
    play(node, turn);
  }

  std::int64_t turns_;
  std::vector<Player> players_;      // a power of two
  std::vector<BracketMatch> nodes_;  // the root is 1, the leaves are the players
};

}  // namespace

std::vector<std::size_t> weighted_round_robin(std::span<const std::uint64_t> weights) {
  const auto turns = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  maxplus::expects(turns < std::uint64_t{1} << 31, "a sequence of turns is in memory");
  if (turns == 0) return {};
  Tournament tournament(weights, static_cast<std::int64_t>(turns));
  std::vector<std::size_t> sequence;
  sequence.reserve(turns);
  for (std::uint64_t turn = 1; turn <= turns; ++turn)
    sequence.push_back(tournament.take(static_cast<std::int64_t>(turn)));
  return sequence;
}

}  // namespace takt::plan

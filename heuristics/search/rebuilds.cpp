// Groups of processors, and the greedy dealing of turns among them.
#include "heuristics/search/rebuilds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "heuristics/common/mapping_words.hpp"
#include "plan/wider/weighted_round_robin.hpp"
#include "tpn/models.hpp"

namespace takt::heuristics {

namespace {

using evaluators::Int128;
using evaluators::Period;
using Group = std::vector<std::size_t>;

// The lengths that a redeal tries on purpose.
constexpr std::uint32_t kTriedLengths = 12;
// Longer sequences, in which all processors are busy alike or groups have several turns each, are not worth their
// length.
constexpr std::uint64_t kMostNatural = 240;
// Data sets after which a rebuilt mapping may repeat.
constexpr std::uint64_t kMostRows = 480;
// Entries of a neighboring part that a mean transfer is taken over.
constexpr std::size_t kMostPartners = 16;

std::uint32_t number(std::size_t value) { return static_cast<std::uint32_t>(value); }

std::ptrdiff_t distance(std::size_t value) { return static_cast<std::ptrdiff_t>(value); }

bool has(const Group& group, std::size_t processor) { return std::ranges::find(group, processor) != group.end(); }

Group with(Group group, std::size_t processor) {
  if (!has(group, processor)) group.push_back(processor);
  return group;
}

Group without(Group group, std::size_t processor) {
  std::erase(group, processor);
  return group;
}

Group exchanged(Group group, std::size_t old_one, std::size_t new_one) {
  std::ranges::replace(group, old_one, new_one);
  return group_of(group);
}

}  // namespace

Group group_of(std::span<const std::size_t> sequence) {
  Group group;
  for (const std::size_t p : sequence)
    if (!has(group, p)) group.push_back(p);
  return group;
}

TurnDealer::TurnDealer(const tpn::Document& problem, Loads& loads, const tpn::Model& model)
    : problem_(problem), loads_(loads), model_(model) {
  for (const tpn::Stage& stage : problem.application.stages)
    fixed_before_.push_back(fixed_before_.back() + (stage.replicable ? 0 : 1));
}

void TurnDealer::list(const tpn::Mapping& mapping, std::vector<Rebuild>& rebuilds) {
  rebuilds.clear();
  groups_.clear();
  std::vector<bool> used(problem_.platform.processors.size());
  for (const tpn::Part& part : mapping) {
    groups_.push_back(group_of(part.processors));
    for (const std::size_t p : groups_.back()) used[p] = true;
  }
  free_.clear();
  for (std::size_t p = 0; p < used.size(); ++p)
    if (!used[p]) free_.push_back(p);
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    if (!is_replicable(mapping[i].first_stage, mapping[i].last_stage)) continue;
    list_of_part(mapping, number(i), rebuilds);
    for (std::size_t j = 0; j < mapping.size(); ++j)
      if (i != j) list_between(mapping, number(i), number(j), rebuilds);
  }
  list_gathers(mapping, rebuilds);
}

void TurnDealer::list_of_part(const tpn::Mapping& mapping, std::uint32_t i, std::vector<Rebuild>& rebuilds) {
  const tpn::Part& part = mapping[i];
  rebuilds.push_back({.kind = RebuildKind::redeal, .part = i});
  if (groups_[i].size() > 1) {
    for (std::uint32_t length = 2; length <= kTriedLengths; ++length)
      rebuilds.push_back({.kind = RebuildKind::redeal, .part = i, .length = length});
    for (const std::size_t p : groups_[i])
      rebuilds.push_back({.kind = RebuildKind::dismiss, .part = i, .processor = number(p)});
    for (std::size_t where = part.first_stage; where < part.last_stage; ++where)
      rebuilds.push_back({.kind = RebuildKind::cut, .part = i, .where = number(where)});
  }
  for (const std::size_t p : free_)
    rebuilds.push_back({.kind = RebuildKind::enlist, .part = i, .processor = number(p)});
  if (i + 1 == mapping.size()) return;
  const tpn::Part& next = mapping[i + 1];
  if (!is_replicable(next.first_stage, next.last_stage)) return;
  for (std::size_t where = part.first_stage; where < next.last_stage; ++where) {
    if (where != part.last_stage)
      rebuilds.push_back({.kind = RebuildKind::boundary, .part = i, .where = number(where)});
  }
}

void TurnDealer::list_between(const tpn::Mapping& mapping, std::uint32_t i, std::uint32_t j,
                              std::vector<Rebuild>& rebuilds) {
  for (const std::size_t q : groups_[j]) {
    if (!has(groups_[i], q)) rebuilds.push_back({.kind = RebuildKind::lend, .part = i, .processor = number(q)});
  }
  if (!is_replicable(mapping[j].first_stage, mapping[j].last_stage)) return;
  for (const std::size_t p : groups_[i]) {
    if (has(groups_[j], p)) continue;
    if (groups_[i].size() > 1)
      rebuilds.push_back({.kind = RebuildKind::hand_over, .part = i, .other = j, .processor = number(p)});
    for (const std::size_t q : i < j ? groups_[j] : Group()) {
      if (!has(groups_[i], q))
        rebuilds.push_back(
            {.kind = RebuildKind::trade, .part = i, .other = j, .processor = number(p), .second = number(q)});
    }
  }
}

void TurnDealer::list_gathers(const tpn::Mapping& mapping, std::vector<Rebuild>& rebuilds) const {
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    for (std::size_t j = i; j < mapping.size(); ++j) {
      if (!is_replicable(mapping[i].first_stage, mapping[j].last_stage)) break;
      if (i < j) rebuilds.push_back({.kind = RebuildKind::gather, .part = number(i), .other = number(j)});
      if (!free_.empty()) rebuilds.push_back({.kind = RebuildKind::gather_all, .part = number(i), .other = number(j)});
    }
  }
}

void TurnDealer::apply(const Rebuild& rebuild, const tpn::Mapping& mapping, const Period& period,
                       tpn::Mapping& result) {
  result = mapping;
  const std::size_t i = rebuild.part;
  const std::size_t j = rebuild.other;
  const Group here = group_of(mapping[i].processors);
  const Group there = group_of(mapping[j].processors);
  switch (rebuild.kind) {
    case RebuildKind::redeal:
      return deal(result, i, here, rebuild.length, period);
    case RebuildKind::enlist:
    case RebuildKind::lend:
      return deal(result, i, with(here, rebuild.processor), 0, period);
    case RebuildKind::dismiss:
      return deal(result, i, without(here, rebuild.processor), 0, period);
    case RebuildKind::hand_over:
      deal(result, i, without(here, rebuild.processor), 0, period);
      return deal(result, j, with(there, rebuild.processor), 0, period);
    case RebuildKind::trade:
      deal(result, i, exchanged(here, rebuild.processor, rebuild.second), 0, period);
      return deal(result, j, exchanged(there, rebuild.second, rebuild.processor), 0, period);
    case RebuildKind::boundary:
      result[i].last_stage = rebuild.where;
      result[i + 1].first_stage = rebuild.where + 1;
      deal(result, i, here, 0, period);
      return deal(result, i + 1, group_of(mapping[i + 1].processors), 0, period);
    case RebuildKind::cut:
      return cut(result, i, rebuild.where, period);
    case RebuildKind::gather:
    case RebuildKind::gather_all:
      break;
  }
  gather(rebuild, result, period);
}

// The fastest first, each to the part that then has more to do per processor.
void TurnDealer::cut(tpn::Mapping& mapping, std::size_t i, std::size_t where, const Period& period) {
  Group group = group_of(mapping[i].processors);
  const std::size_t last_stage = std::exchange(mapping[i].last_stage, where);
  mapping.insert(mapping.begin() + distance(i) + 1, {where + 1, last_stage, group});
  const auto both = [&](std::size_t p) {
    return loads_.computation(mapping[i], p) + loads_.computation(mapping[i + 1], p);
  };
  std::ranges::stable_sort(group, {}, both);
  Group sides[2];
  Int128 rates[2] = {0, 0};  // turns in 2^40 ticks
  for (const std::size_t p : group) {
    const std::size_t side = sides[0].empty() ? 0 : sides[1].empty() ? 1 : rates[0] <= rates[1] ? 0 : 1;
    sides[side].push_back(p);
    rates[side] += (Int128{1} << 40) / std::max<std::int64_t>(turn_ticks(mapping, i + side, p), 1);
  }
  mapping[i].processors = sides[0];
  mapping[i + 1].processors = sides[1];
  deal(mapping, i, sides[0], 0, period);
  deal(mapping, i + 1, sides[1], 0, period);
}

void TurnDealer::gather(const Rebuild& rebuild, tpn::Mapping& mapping, const Period& period) {
  tpn::Part& first = mapping[rebuild.part];
  Group group;
  for (std::size_t k = rebuild.part; k <= rebuild.other; ++k) {
    for (const std::size_t p : group_of(mapping[k].processors)) group = with(std::move(group), p);
  }
  if (rebuild.kind == RebuildKind::gather_all) {
    std::vector<bool> used(problem_.platform.processors.size());
    for (const tpn::Part& part : mapping)
      for (const std::size_t p : part.processors) used[p] = true;
    for (std::size_t p = 0; p < used.size(); ++p)
      if (!used[p]) group.push_back(p);
  }
  first.last_stage = mapping[rebuild.other].last_stage;
  mapping.erase(mapping.begin() + distance(rebuild.part) + 1, mapping.begin() + distance(rebuild.other) + 1);
  deal(mapping, rebuild.part, std::move(group), 0, period);
}

std::int64_t TurnDealer::turn_ticks(const tpn::Mapping& mapping, std::size_t i, std::size_t processor) const {
  // One entry that meets all others: the mean over all of a neighbor's.
  const std::int64_t compute = loads_.computation(mapping[i], processor);
  const std::int64_t receive = loads_.mean_reception(mapping, i, processor, kMostPartners);
  const std::int64_t send = loads_.mean_sending(mapping, i, processor, kMostPartners);
  return tpn::cycle_time(model_, receive, compute, send);
}

void TurnDealer::set_players(const tpn::Mapping& mapping, std::size_t i, std::span<const std::size_t> processors,
                             const Period& period) {
  busy_.assign(problem_.platform.processors.size(), 0);
  for (std::size_t j = 0; j < mapping.size(); ++j) {
    if (j == i) continue;
    const auto length = static_cast<std::int64_t>(mapping[j].processors.size());
    for (const std::size_t p : mapping[j].processors) busy_[p] += loads_.computation(mapping[j], p) / length;
  }
  const std::int64_t most = loads_.ticks(period);
  players_.clear();
  for (const std::size_t p : processors) {
    players_.push_back(
        {p, std::max<std::int64_t>(turn_ticks(mapping, i, p), 1), std::max<std::int64_t>(most - busy_[p], 0), 0});
  }
}

// Turns that take no more than 2^40 ticks, sequences of at most 2^20 entries, periods of at most 2^62 ticks.
bool TurnDealer::Player::is_busier_than(const Player& other) const {
  if (available == 0 || other.available == 0) return available < other.available;
  return Int128{turn} * static_cast<std::int64_t>(taken + 1) * other.available >
         Int128{other.turn} * static_cast<std::int64_t>(other.taken + 1) * available;
}

TurnDealer::Player& TurnDealer::next_player() {
  Player* next = &players_.front();
  for (Player& player : players_)
    if (next->is_busier_than(player)) next = &player;
  return *next;
}

// Entries after which all of them are busy alike, if they are few; or 0.
std::uint64_t TurnDealer::natural_length(std::uint64_t most) const {
  constexpr std::int64_t kMost = std::int64_t{1} << 60;
  Int128 common = 1;
  for (const Player& player : players_) {
    if (player.available != players_.front().available) return 0;
    common = common / std::gcd(static_cast<std::int64_t>(common), player.turn) * player.turn;
    if (common > kMost) return 0;
  }
  Int128 length = 0;
  for (const Player& player : players_) length += common / player.turn;
  return length <= most ? static_cast<std::uint64_t>(length) : 0;
}

std::uint64_t TurnDealer::even_length(const tpn::Mapping& mapping, std::size_t i,
                                      std::span<const std::size_t> processors, std::uint64_t most,
                                      const Period& period) {
  set_players(mapping, i, processors, period);
  return natural_length(most);
}

std::uint64_t TurnDealer::best_length(std::uint64_t rows_beside) {
  const std::uint64_t natural = natural_length(kMostNatural);
  const std::uint64_t group = players_.size();
  const std::uint64_t longer = std::min<std::uint64_t>(4 * group, kMostNatural);
  const std::uint64_t most = std::max<std::uint64_t>({group, kMostDealt, natural, longer});
  std::uint64_t best = 1;
  Int128 best_busy = 0;  // the busiest player's ticks per available tick, times 2^20, and per entry
  Int128 busiest = 0;
  for (std::uint64_t length = 1; length <= most; ++length) {
    Player& player = next_player();
    ++player.taken;
    const std::int64_t available = std::max<std::int64_t>(player.available, 1);
    busiest = std::max(busiest, ((Int128{player.turn} << 30) / available) * static_cast<std::int64_t>(player.taken));
    if (length > kMostDealt && length % group != 0 && length != natural) continue;
    if (std::lcm(rows_beside, length) > kMostRows && length > 1) continue;
    const Int128 busy = busiest / static_cast<std::int64_t>(length);
    // Longer only for what is worth it.
    if (length > 1 && busy + busy / 64 >= best_busy) continue;
    best = length;
    best_busy = busy;
  }
  for (Player& player : players_) player.taken = 0;
  return best;
}

void TurnDealer::deal(tpn::Mapping& mapping, std::size_t i, Group processors, std::size_t length,
                      const Period& period) {
  if (processors.size() == 1 && length == 0) {
    mapping[i].processors = std::move(processors);
    return;
  }
  set_players(mapping, i, processors, period);
  std::uint64_t rows_beside = 1;
  for (std::size_t j = 0; j < mapping.size(); ++j) {
    if (j != i && rows_beside <= kMostRows)
      rows_beside = std::lcm(rows_beside, std::uint64_t{mapping[j].processors.size()});
  }
  const std::uint64_t entries = length == 0 ? best_length(rows_beside) : length;
  for (std::uint64_t k = 0; k < entries; ++k) ++next_player().taken;
  std::vector<std::uint64_t> weights;
  Group sharing;
  for (const Player& player : players_) {
    if (player.taken == 0) continue;
    weights.push_back(player.taken);
    sharing.push_back(player.processor);
  }
  std::uint64_t common = 0;
  for (const std::uint64_t weight : weights) common = std::gcd(common, weight);
  for (std::uint64_t& weight : weights) weight /= common;
  mapping[i].processors = plan::weighted_round_robin(weights);
  for (std::size_t& entry : mapping[i].processors) entry = sharing[entry];
}

std::string TurnDealer::in_words(const Rebuild& rebuild, const tpn::Mapping& mapping) const {
  const auto part = [&](std::size_t i) { return stages_in_words(problem_, mapping[i]); };
  const auto& name = processor_name(problem_, rebuild.processor);
  const std::string here = part(rebuild.part);
  const auto& stage = problem_.application.stages[rebuild.where].name;
  switch (rebuild.kind) {
    case RebuildKind::redeal:
      return fmt::format("turns of {} dealt anew", here);
    case RebuildKind::enlist:
      return fmt::format("{} joins {}, new turns", name, here);
    case RebuildKind::lend:
      return fmt::format("{} helps {} as well, new turns", name, here);
    case RebuildKind::dismiss:
      return fmt::format("{} leaves {}, new turns", name, here);
    case RebuildKind::hand_over:
      return fmt::format("{} leaves {} for {}, new turns", name, here, part(rebuild.other));
    case RebuildKind::trade:
      return fmt::format("{} of {} and {} of {} change places, new turns", name, here,
                         processor_name(problem_, rebuild.second), part(rebuild.other));
    case RebuildKind::boundary:
      return fmt::format("{} | {} cut behind {}, new turns", here, part(rebuild.part + 1), stage);
    case RebuildKind::cut:
      return fmt::format("{} cut behind {}, new turns", here, stage);
    case RebuildKind::gather:
    case RebuildKind::gather_all:
      break;
  }
  return fmt::format("{} to {} made one part{}, new turns", here, part(rebuild.other),
                     rebuild.kind == RebuildKind::gather_all ? " with all free processors" : "");
}

}  // namespace takt::heuristics

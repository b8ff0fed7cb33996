// Prices in whole shares of a step, values of items in whole shares of 1.
#include "plan/wider/covers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "maxplus/contract.hpp"
#include "plan/bounds.hpp"
#include "plan/machine_demand.hpp"
#include "plan/wider/turns.hpp"
#include "plan/wider/weighted_round_robin.hpp"

namespace takt::plan {

namespace {

constexpr std::int64_t kPriceGrain = 1024;  // of a step of the prices
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// A part that may be.
struct Interval {
  std::size_t first = 0;
  std::size_t last = 0;
  bool is_replicable = true;
  std::int64_t need = 0;
  std::vector<std::int64_t> values;  // by type, 0 if it cannot
  std::vector<Rational> demands;     // by type
};

class CoverProgram {
 public:
  CoverProgram(const Catalogue& catalogue, const CoverQuery& query)
      : catalogue_(catalogue), query_(query), counts_(catalogue.types.size()), charges_(catalogue.types.size()) {
    const auto step = price_step(catalogue);
    step_ = step.value_or(1);
    double dearest = 0;
    for (const MachineType& type : catalogue.types) {
      const Rational steps = type.price / step_;
      dearest = std::max(dearest, steps.to_double().value_or(HUGE_VAL));
      prices_.push_back(steps.numerator().get_si());
    }
    // Sums of prices stay within 62 bits.
    has_small_prices_ = dearest * kPriceGrain * 1e6 < 0x1p61;
  }

  CoversAnswer run() {
    CoversAnswer answer;
    if (!has_small_prices_ || !lay_out()) {
      answer.cut_short = true;
      return answer;
    }
    if (intervals_.empty()) {
      answer.is_impossible = true;
      return answer;
    }
    const std::int64_t best_bound = climb(answer);
    if (!answer.is_impossible) try_structures();
    answer.cut_short = is_cut_ || !are_counted_ || query_.deadline.has_passed();
    // Where a part might want more machines than are looked at, covers of these prove nothing.
    answer.is_impossible = answer.is_impossible && are_counted_;
    if (query_.slack.sign() == 0 && !is_cut_ && are_counted_)
      answer.lower_bound = Rational(Integer(in_steps(best_bound))) * step_;
    for (Kept& kept : candidates_) {
      answer.candidates.push_back({std::move(kept.parts), Rational(Integer(kept.cost)) * step_});
    }
    return answer;
  }

 private:
  // Moves the charges round by round, and leaves those of the best bound, which it returns.
  std::int64_t climb(CoversAnswer& answer) {
    std::int64_t best_bound = 0;
    std::vector<std::int64_t> best_charges = charges_;
    double reach = 1;
    int in_vain = 0;
    const auto rounds = static_cast<int>(std::clamp<std::size_t>(kMostEdges / intervals_.size(), kFewRounds, kRounds));
    for (int round = 0; round < rounds && !query_.deadline.has_passed(); ++round) {
      const auto path = shortest_path();
      if (!path) {
        answer.is_impossible = query_.slack.sign() == 0 && round == 0 && !is_cut_;
        break;
      }
      const std::int64_t bound = bound_of(*path);
      if (bound > best_bound) {
        best_bound = bound;
        best_charges = charges_;
        in_vain = 0;
      } else if (++in_vain == kPatience) {
        in_vain = 0;
        reach /= 2;
        charges_ = best_charges;
      }
      remember(path->intervals);
      take(path->intervals);
      const std::int64_t least_cost = in_steps(best_bound);
      if (best_cost_ && *best_cost_ <= least_cost) break;
      if (!move_charges(path->used, bound, reach)) break;
    }
    charges_ = best_charges;
    return best_bound;
  }

  static constexpr int kRounds = 120;
  static constexpr int kFewRounds = 5;
  static constexpr std::size_t kMostEdges = 200'000;  // that are priced in all rounds, but for a few
  static constexpr int kPatience = 6;
  static constexpr std::size_t kMostCandidates = 24;
  static constexpr std::uint64_t kMostCounted = 100'000;  // machines of a type that are looked at
  static constexpr std::size_t kMostStructures = 64;

  struct Kept {
    std::int64_t cost = 0;  // in steps
    std::vector<CoverPart> parts;
  };

  struct Path {
    std::int64_t cost = 0;
    std::vector<std::size_t> intervals;
    std::vector<std::int64_t> used;  // by type
  };

  std::size_t types() const { return catalogue_.types.size(); }

  // False if the deadline passes.
  bool lay_out() {
    for (std::size_t t = 0; t < types(); ++t) {
      const std::uint64_t there = catalogue_.types[t].count.value_or(kMostCounted);
      counts_[t] = static_cast<std::int64_t>(std::min(there, kMostCounted));
    }
    const auto receptions = least_transfers(catalogue_, true);
    const auto sendings = least_transfers(catalogue_, false);
    const std::size_t stages = catalogue_.stages.size();
    ending_at_.resize(stages);
    for (std::size_t last = 0; last < stages; ++last) {
      for (std::size_t first = last + 1; first-- > 0;) {
        if (query_.deadline.has_passed()) return false;
        add_interval(first, last, receptions, sendings);
      }
    }
    return true;
  }

  void add_interval(std::size_t first, std::size_t last, const std::vector<std::optional<Rational>>& receptions,
                    const std::vector<std::optional<Rational>>& sendings) {
    Interval interval{first, last, catalogue_.is_replicable(first, last), 0, {}, {}};
    std::vector<Rational> shares;
    for (std::size_t t = 0; t < types(); ++t) {
      Rational& demand = interval.demands.emplace_back();
      Rational& share = shares.emplace_back();
      const auto& receive = receptions[first * types() + t];
      const auto& send = sendings[last * types() + t];
      if (counts_[t] == 0 || catalogue_.least_first_stage(last, t, query_.all_apart) > first || !receive || !send)
        continue;
      demand = machine_demand(catalogue_.limits(query_.model, t, interval.is_replicable), *receive,
                              catalogue_.computation(first, last, t), *send);
      share = share_of_data_sets(demand, query_.period);
      if (!interval.is_replicable && share < 1) share = 0;
    }
    WholeValues whole = whole_values(shares, interval.is_replicable ? Rational(1) + query_.slack : Rational(1));
    interval.values = std::move(whole.values);
    interval.need = whole.need;
    if (std::ranges::none_of(interval.values, [](std::int64_t value) { return value > 0; })) return;
    for (std::size_t t = 0; t < types(); ++t) {
      const std::int64_t value = interval.values[t];
      const auto there = catalogue_.types[t].count;
      const bool has_more = !there || *there > kMostCounted;
      are_counted_ = are_counted_ && (value == 0 || !has_more || value * counts_[t] >= interval.need);
    }
    ending_at_[last].push_back(intervals_.size());
    intervals_.push_back(std::move(interval));
  }

  CoverAnswer cover_of(const Interval& interval, std::int64_t need, const std::vector<std::int64_t>& counts,
                       bool is_charged) const {
    constexpr std::uint64_t kSteps = 5'000;
    std::vector<CoverItem> items;
    for (std::size_t t = 0; t < types(); ++t) {
      items.push_back({prices_[t] * kPriceGrain + (is_charged ? charges_[t] : 0), interval.values[t], counts[t]});
    }
    return cheapest_cover(items, need, kSteps);
  }

  std::optional<Path> shortest_path() {
    const std::size_t stages = catalogue_.stages.size();
    std::vector<std::int64_t> cost(stages + 1, kNever);
    std::vector<std::size_t> through(stages + 1);
    std::vector<CoverAnswer> covers(intervals_.size());
    cost[0] = 0;
    for (std::size_t last = 0; last < stages; ++last) {
      for (const std::size_t i : ending_at_[last]) {
        const Interval& interval = intervals_[i];
        if (cost[interval.first] == kNever) continue;
        if (query_.deadline.has_passed()) {
          is_cut_ = is_cut_ || rounds_ == 0;
          return std::nullopt;
        }
        covers[i] = cover_of(interval, interval.need, counts_, true);
        if (!covers[i].cover) continue;
        const std::int64_t all = cost[interval.first] + covers[i].lower_bound;
        if (all >= cost[last + 1]) continue;
        cost[last + 1] = all;
        through[last + 1] = i;
      }
    }
    ++rounds_;
    if (cost[stages] == kNever) return std::nullopt;
    Path path{cost[stages], {}, std::vector<std::int64_t>(types())};
    for (std::size_t at = stages; at > 0; at = intervals_[through[at]].first) {
      path.intervals.push_back(through[at]);
      const Cover& cover = *covers[through[at]].cover;
      for (std::size_t t = 0; t < types(); ++t) path.used[t] += cover.taken[t];
    }
    std::ranges::reverse(path.intervals);
    return path;
  }

  // In grains.
  std::int64_t bound_of(const Path& path) const {
    std::int64_t bound = path.cost;
    for (std::size_t t = 0; t < types(); ++t) bound -= charges_[t] * counts_[t];
    return bound;
  }

  static std::int64_t in_steps(std::int64_t grains) { return (grains + kPriceGrain - 1) / kPriceGrain; }

  // Towards what the path wants too much of; false if it wants nothing too much, nor pays for what it leaves.
  bool move_charges(const std::vector<std::int64_t>& used, std::int64_t bound, double reach) {
    double norm = 0;
    std::vector<double> slope(types());
    for (std::size_t t = 0; t < types(); ++t) {
      if (!catalogue_.types[t].count) continue;
      const auto over = static_cast<double>(used[t] - counts_[t]);
      if (over < 0 && charges_[t] == 0) continue;
      slope[t] = over;
      norm += over * over;
    }
    if (norm <= 0) return false;
    const double aim = best_cost_ ? static_cast<double>(*best_cost_) * kPriceGrain
                                  : 1.05 * static_cast<double>(bound) + static_cast<double>(kPriceGrain);
    const double gap = std::max(aim - static_cast<double>(bound), static_cast<double>(kPriceGrain));
    for (std::size_t t = 0; t < types(); ++t) {
      const double moved = static_cast<double>(charges_[t]) + reach * gap / norm * slope[t];
      charges_[t] = static_cast<std::int64_t>(std::max(0.0, std::min(moved, 0x1p50)));
    }
    return true;
  }

  // Candidates of a path: its parts in several orders, without and with what charges say.
  void take(const std::vector<std::size_t>& path) {
    std::vector<std::size_t> order = path;
    for (int turn = 0; turn < 2; ++turn) {
      put_lone_first(order);
      for (const bool is_charged : {true, false}) add_candidate(path, order, {is_charged, std::nullopt});
      std::ranges::reverse(order);
    }
  }

  // The parts that must not be replicated, then the others, each in their order.
  void put_lone_first(std::vector<std::size_t>& order) const {
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return intervals_[i].is_replicable; });
  }

  void remember(const std::vector<std::size_t>& path) {
    if (structures_.size() < kMostStructures && std::ranges::find(structures_, path) == structures_.end()) {
      structures_.push_back(path);
    }
  }

  // The paths of the rounds, and all ways to cut a short chain: with each machine in the place of the first part that
  // must not be replicated, whose leftovers others use.
  void try_structures() {
    constexpr std::size_t kShortChain = 6;
    if (catalogue_.stages.size() <= kShortChain) {
      std::vector<std::size_t> path;
      add_structures(0, path);
    }
    for (const auto& path : structures_) {
      if (query_.deadline.has_passed()) return;
      take(path);
      if (!query_.shares_leftovers) continue;
      std::vector<std::size_t> order = path;
      put_lone_first(order);
      const Interval& lone = intervals_[order.front()];
      if (lone.is_replicable) continue;
      for (std::size_t t = 0; t < types() && !query_.deadline.has_passed(); ++t) {
        if (lone.values[t] < lone.need) continue;
        for (const bool is_charged : {true, false}) add_candidate(path, order, {is_charged, t});
      }
    }
  }

  void add_structures(std::size_t stage, std::vector<std::size_t>& path) {
    if (stage == catalogue_.stages.size()) return remember(path);
    for (std::size_t last = stage; last < catalogue_.stages.size(); ++last) {
      for (const std::size_t i : ending_at_[last]) {
        if (intervals_[i].first != stage) continue;
        path.push_back(i);
        add_structures(last + 1, path);
        path.pop_back();
      }
    }
  }

  // How a candidate's machines are chosen.
  struct Choice {
    bool is_charged = false;
    std::optional<std::size_t> lone{};  // the type of the first part in order, whose leftovers are used
  };

  void add_candidate(const std::vector<std::size_t>& path, const std::vector<std::size_t>& order,
                     const Choice& choice) {
    std::vector<std::int64_t> left = counts_;
    std::vector<std::uint64_t> next(types());
    std::vector<CoverPart> parts(path.size());
    std::vector<Leftover> leftovers;
    std::int64_t cost = 0;
    for (const std::size_t i : order) {
      CoverPart& part = parts[static_cast<std::size_t>(std::ranges::find(path, i) - path.begin())];
      const Interval& interval = intervals_[i];
      part.first_stage = interval.first;
      part.last_stage = interval.last;
      std::int64_t need = interval.need;
      if (interval.is_replicable) {
        for (Leftover& leftover : leftovers) need -= use(leftover, interval, part);
      }
      const bool is_given = choice.lone && i == order.front();
      std::optional<Cover> cover =
          is_given ? std::optional(one_of(*choice.lone)) : cover_of(interval, need, left, choice.is_charged).cover;
      if (!cover) return;
      for (std::size_t t = 0; t < types(); ++t) {
        const std::int64_t taken = cover->taken[t];
        left[t] -= taken;
        cost += taken * prices_[t];
        for (std::int64_t k = 0; k < taken; ++k) part.machines.push_back({t, next[t]++, interval.demands[t]});
      }
      if (candidates_.size() == kMostCandidates && cost >= candidates_.back().cost) return;
      if (!interval.is_replicable && choice.lone) {
        const CoverMachine& machine = part.machines.front();
        const Rational free = Rational(1) - busy_share(machine.demand, query_.period);
        if (free.sign() > 0) leftovers.push_back({machine, free});
      }
    }
    keep(std::move(parts), cost, choice.lone.has_value());
  }

  Cover one_of(std::size_t type) const {
    Cover cover{0, std::vector<std::int64_t>(types())};
    cover.taken[type] = 1;
    return cover;
  }

  // What a machine has left of the period.
  struct Leftover {
    CoverMachine machine;
    Rational free;  // a share of the period
  };

  // What it is worth in a part, all that is left of it.
  static std::int64_t use(Leftover& leftover, const Interval& interval, CoverPart& part) {
    const std::size_t type = leftover.machine.type;
    if (interval.values[type] == 0 || leftover.free.sign() == 0) return 0;
    part.machines.push_back({type, leftover.machine.number, interval.demands[type] / leftover.free});
    const Rational worth = Rational(Integer(interval.values[type])) * leftover.free;
    leftover.free = 0;
    return worth.floor().get_si();
  }

  void keep(std::vector<CoverPart> parts, std::int64_t cost, bool shares) {
    if (!shares && (!best_cost_ || cost < *best_cost_)) best_cost_ = cost;
    if (std::ranges::any_of(candidates_, [&](const Kept& one) { return one.parts == parts; })) return;
    candidates_.insert(std::ranges::upper_bound(candidates_, cost, {}, &Kept::cost), Kept{cost, std::move(parts)});
    if (candidates_.size() <= kMostCandidates) return;
    candidates_.erase(std::ranges::lower_bound(candidates_, candidates_.back().cost, {}, &Kept::cost));
  }

  const Catalogue& catalogue_;
  const CoverQuery& query_;
  Rational step_;
  bool has_small_prices_ = true;
  std::vector<std::int64_t> prices_;   // in steps
  std::vector<std::int64_t> counts_;   // by type
  std::vector<std::int64_t> charges_;  // beyond the price, in grains
  std::vector<Interval> intervals_;
  std::vector<std::vector<std::size_t>> ending_at_;   // by last stage
  std::vector<std::vector<std::size_t>> structures_;  // paths of intervals
  std::vector<Kept> candidates_;                      // the cheapest first
  std::optional<std::int64_t> best_cost_;             // in steps, of those in which each machine serves one part
  int rounds_ = 0;
  bool is_cut_ = false;
  bool are_counted_ = true;  // all machines that a part can want
};

}  // namespace

std::optional<std::vector<std::size_t>> turns_of_cover(const CoverPart& part, const Rational& period, bool strictly) {
  constexpr std::uint64_t kLongest = 2000;
  const std::size_t machines = part.machines.size();
  std::vector<Rational> demands;
  for (const CoverMachine& machine : part.machines) demands.push_back(machine.demand);
  if (keeps_pace(demands, period, strictly)) {
    std::vector<std::size_t> plain(machines);
    std::iota(plain.begin(), plain.end(), std::size_t{0});
    return plain;
  }
  for (std::uint64_t length = machines; length <= kLongest; ++length) {
    if (const auto turns = turns_of(demands, period, strictly, length)) return weighted_round_robin(*turns);
  }
  return std::nullopt;
}

CoversAnswer solve_covers(const Catalogue& catalogue, const CoverQuery& query) {
  maxplus::expects(query.period.sign() >= 0 && catalogue.types.size() <= kMostCovered,
                   "covers have a period and few types");
  return CoverProgram(catalogue, query).run();
}

CoversAnswer try_covers(const Catalogue& catalogue, CoverQuery query, std::optional<Rational> known,
                        const std::function<bool(const CoverCandidate&)>& keeps) {
  const maxplus::Deadline deadline = query.deadline;
  CoversAnswer enough;
  for (const int part : {0, 400, 150, 60, 30, 12}) {
    if (deadline.has_passed()) break;
    query.slack = part == 0 ? Rational(0) : Rational::fraction(1, part);
    query.deadline = deadline.half_way();
    CoversAnswer answer = solve_covers(catalogue, query);
    const std::vector<CoverCandidate> candidates = std::move(answer.candidates);
    if (part == 0) enough = std::move(answer);
    for (const CoverCandidate& candidate : candidates) {
      if (deadline.has_passed() || (known && *known <= candidate.cost)) break;
      if (!keeps(candidate)) continue;
      known = candidate.cost;
      break;
    }
    // Ampler ones are no cheaper, as far as they are found.
    if (known && *known <= (candidates.empty() ? enough.lower_bound : candidates.front().cost)) break;
  }
  enough.candidates.clear();
  return enough;
}

}  // namespace takt::plan

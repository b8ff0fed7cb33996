// Costs of parts are kept and mended where a choice changes them.
#include "plan/workflow/grouped.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "maxplus/contract.hpp"
#include "plan/machine_demand.hpp"
#include "plan/sequences.hpp"
#include "plan/typed/program.hpp"
#include "tpn/workflow.hpp"

namespace takt::plan {

namespace {

// Files from a group to another, or the outside world.
struct GroupRoute {
  std::optional<std::size_t> from;  // nothing: the source
  std::optional<std::size_t> to;    // nothing: the sink
  // By type of the sender * types + type of the receiver; by the one type where the other end is outside.
  std::vector<std::optional<Rational>> times;
};

std::vector<GroupRoute> routes_of(const WorkflowTimes& times, const StageGroups& groups) {
  const tpn::Application& application = times.application();
  const std::vector<std::size_t> group_of = group_of_stages(groups, application.stages.size());
  const std::vector<bool> is_exit = tpn::exit_stages(application);
  std::map<std::pair<std::size_t, std::size_t>, std::set<std::size_t>> files;
  std::vector<std::set<std::size_t>> delivered(groups.size());
  std::vector<bool> takes_input(groups.size());
  for (std::size_t k = 0; k < group_of.size(); ++k) {
    const std::vector<std::size_t> before = tpn::stages_before(application, k);
    if (before.empty()) takes_input[group_of[k]] = true;
    if (is_exit[k]) delivered[group_of[k]].insert(k);
    for (const std::size_t sender : before)
      if (group_of[sender] != group_of[k]) files[{group_of[sender], group_of[k]}].insert(sender);
  }
  std::vector<GroupRoute> routes;
  const std::size_t types = times.types();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (times.ends().has_source && takes_input[g]) routes.push_back({{}, g, times.catalogue().from_source});
    if (!times.ends().has_sink || delivered[g].empty()) continue;
    const std::vector<std::size_t> sent(delivered[g].begin(), delivered[g].end());
    GroupRoute& route = routes.emplace_back(GroupRoute{g, {}, {}});
    for (std::size_t t = 0; t < types; ++t) route.times.push_back(times.to_sink(sent, t));
  }
  for (const auto& [ends, stages] : files) {
    const std::vector<std::size_t> sent(stages.begin(), stages.end());
    GroupRoute& route = routes.emplace_back(GroupRoute{ends.first, ends.second, {}});
    for (std::size_t t = 0; t < types; ++t)
      for (std::size_t u = 0; u < types; ++u) route.times.push_back(times.transfer(sent, t, u));
  }
  return routes;
}

class GroupedSearch {
 public:
  GroupedSearch(const WorkflowTimes& times, const StageGroups& groups, const GroupedQuery& query)
      : times_(times),
        groups_(groups),
        query_(query),
        watch_(query.deadline, kStepsBetweenReadings),
        routes_(routes_of(times, groups)),
        routes_at_(groups.size()),
        neighbors_(groups.size()),
        computation_(groups.size()),
        is_replicable_(groups.size()),
        chosen_(groups.size()),
        least_(groups.size()) {
    for (std::size_t r = 0; r < routes_.size(); ++r) {
      const GroupRoute& route = routes_[r];
      if (route.from) routes_at_[*route.from].push_back(r);
      if (route.to) routes_at_[*route.to].push_back(r);
      if (!route.from || !route.to) continue;
      neighbors_[*route.from].insert(*route.to);
      neighbors_[*route.to].insert(*route.from);
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      is_replicable_[g] = times.is_replicable(groups[g]);
      for (std::size_t t = 0; t < times.types(); ++t) computation_[g].push_back(times.computation(groups[g], t));
    }
    is_open_ = true;
    for (std::size_t g = 0; g < groups.size() && is_open_; ++g) is_open_ = mend(g);
    is_open_ = is_open_ && ends_keep_up();
  }

  // Before any choice; nothing if there is no way.
  std::optional<Rational> bound() const { return is_open_ ? std::optional(total_) : std::nullopt; }

  GroupedAnswer find() {
    GroupedAnswer answer;
    if (!is_open_) return answer;
    const Rational first = total_;
    descend(0);
    answer.plan = std::move(best_);
    answer.cut_short = cut_short_;
    if (cut_short_) {
      answer.lower_bound = first;
    } else if (answer.plan) {
      answer.lower_bound = answer.plan->cost;
    }
    return answer;
  }

 private:
  struct Least {
    Rational cost;
    std::uint64_t machines = 0;  // of the chosen type
  };

  static constexpr double kStepsBetweenReadings = 256;

  // The quickest that a transfer can be, its end at this group being of that type.
  std::optional<Rational> quickest(const GroupRoute& route, std::size_t group, std::size_t type) const {
    const bool is_sent = route.from == group;
    const auto& other = is_sent ? route.to : route.from;
    if (!other) return route.times[type];
    const std::size_t types = times_.types();
    const auto time = [&](std::size_t u) -> const std::optional<Rational>& {
      return route.times[is_sent ? type * types + u : u * types + type];
    };
    if (chosen_[*other]) return time(*chosen_[*other]);
    std::optional<Rational> least;
    for (std::size_t u = 0; u < types; ++u) {
      if (!computation_[*other][u] || !time(u)) continue;
      if (!least || *time(u) < *least) least = time(u);
    }
    return least;
  }

  // How long one machine is busy with a data set, at least.
  std::optional<Rational> demand(std::size_t group, std::size_t type) const {
    if (!computation_[group][type]) return std::nullopt;
    Rational receive;
    Rational send;
    for (const std::size_t r : routes_at_[group]) {
      const auto time = quickest(routes_[r], group, type);
      if (!time) return std::nullopt;
      (routes_[r].from == group ? send : receive) += *time;
    }
    return machine_demand(times_.catalogue().limits(query_.model, type, is_replicable_[group]), receive,
                          *computation_[group][type], send);
  }

  // Of a type, at least; nothing if no number will do.
  std::optional<std::uint64_t> machines(std::size_t group, std::size_t type) const {
    const auto busy = demand(group, type);
    if (!busy) return std::nullopt;
    const auto needed = machines_for(*busy, query_.period);
    if (!needed || (!is_replicable_[group] && *needed > 1)) return std::nullopt;
    if (!needed->fits_ulong_p() || needed->get_ui() > kMostMachines) return std::nullopt;
    const auto& count = times_.catalogue().types[type].count;
    if (count && *count < needed->get_ui()) return std::nullopt;
    return needed->get_ui();
  }

  // What the group costs at least, as things are; false if there is no way.
  bool mend(std::size_t group) {
    watch_.has_passed(static_cast<double>(times_.types()));
    std::optional<Least> least;
    for (std::size_t t = 0; t < times_.types(); ++t) {
      if (chosen_[group] && *chosen_[group] != t) continue;
      const auto needed = machines(group, t);
      if (!needed) continue;
      Least one{times_.catalogue().types[t].price * Rational(*needed), *needed};
      if (!least || one.cost < least->cost) least = std::move(one);
    }
    if (!least) return false;
    total_ -= least_[group].cost;
    total_ += least->cost;
    least_[group] = *std::move(least);
    return true;
  }

  // How long the source or the sink is busy with a data set, at least, as things are; nothing if there is no way.
  std::optional<Rational> busy_ends() const {
    Rational sent;
    Rational taken;
    for (const GroupRoute& route : routes_) {
      if (route.from && route.to) continue;
      const std::size_t group = route.from ? *route.from : *route.to;
      std::optional<Rational> least;
      for (std::size_t t = 0; t < times_.types(); ++t) {
        if (!computation_[group][t] || (chosen_[group] && *chosen_[group] != t) || !route.times[t]) continue;
        if (!least || *route.times[t] < *least) least = route.times[t];
      }
      if (!least) return std::nullopt;
      (route.from ? taken : sent) += *least;
    }
    const Catalogue& catalogue = times_.catalogue();
    return std::max(end_demand(sent, catalogue.source_ports), end_demand(taken, catalogue.sink_ports));
  }

  bool ends_keep_up() const {
    const auto busy = busy_ends();
    return busy && *busy <= query_.period;
  }

  bool counts_suffice() const {
    std::vector<std::uint64_t> used(times_.types());
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (chosen_[g]) used[*chosen_[g]] += least_[g].machines;
    for (std::size_t t = 0; t < used.size(); ++t) {
      const auto& count = times_.catalogue().types[t].count;
      if (count && *count < used[t]) return false;
    }
    return true;
  }

  bool is_cut() const { return best_ && best_->cost <= total_; }

  void descend(std::size_t group) {
    if (cut_short_ || is_cut()) return;
    if (watch_.has_passed(static_cast<double>(groups_.size()))) {
      cut_short_ = true;
      return;
    }
    if (group == groups_.size()) return keep();
    std::vector<std::pair<Rational, std::size_t>> order;
    for (std::size_t t = 0; t < times_.types(); ++t)
      if (const auto needed = machines(group, t))
        order.emplace_back(times_.catalogue().types[t].price * Rational(*needed), t);
    std::ranges::sort(order);
    for (const auto& [cost, type] : order) {
      const std::vector<Least> before = around(group);
      const Rational total = total_;
      chosen_[group] = type;
      if (mend_around(group) && ends_keep_up() && counts_suffice()) descend(group + 1);
      chosen_[group].reset();
      restore(group, before);
      total_ = total;
    }
  }

  std::vector<Least> around(std::size_t group) const {
    std::vector<Least> result{least_[group]};
    for (const std::size_t other : neighbors_[group]) result.push_back(least_[other]);
    return result;
  }

  void restore(std::size_t group, const std::vector<Least>& before) {
    least_[group] = before.front();
    std::size_t i = 1;
    for (const std::size_t other : neighbors_[group]) least_[other] = before[i++];
  }

  bool mend_around(std::size_t group) {
    return mend(group) && std::ranges::all_of(neighbors_[group], [&](std::size_t other) { return mend(other); });
  }

  void keep() {
    GroupedPlan& plan = best_.emplace();
    plan.groups = groups_;
    plan.cost = total_;
    plan.busiest = *busy_ends();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      plan.machines.push_back({*chosen_[g], least_[g].machines});
      plan.busiest = std::max(plan.busiest, *demand(g, *chosen_[g]) / Rational(least_[g].machines));
    }
  }

  const WorkflowTimes& times_;
  const StageGroups& groups_;
  const GroupedQuery& query_;
  maxplus::DeadlineWatch watch_;
  std::vector<GroupRoute> routes_;
  std::vector<std::vector<std::size_t>> routes_at_;                // by group
  std::vector<std::set<std::size_t>> neighbors_;                   // by group
  std::vector<std::vector<std::optional<Rational>>> computation_;  // by group, by type
  std::vector<bool> is_replicable_;
  std::vector<std::optional<std::size_t>> chosen_;  // by group
  std::vector<Least> least_;                        // by group
  Rational total_;                                  // of these
  bool is_open_ = false;
  bool cut_short_ = false;
  std::optional<GroupedPlan> best_;
};

void require_query(const GroupedQuery& query) {
  maxplus::expects(tpn::follows_cycle_times(query.model) && !query.model->has_rooms && query.period.sign() >= 0,
                   "plans of workflows are for a period under a model of cycle times without rooms");
}

// Two groups as one; nothing if that is no grouping.
std::optional<StageGroups> joined(const tpn::Application& application, const StageGroups& groups, std::size_t one,
                                  std::size_t other) {
  StageGroups result = groups;
  result[one].insert(result[one].end(), groups[other].begin(), groups[other].end());
  std::ranges::sort(result[one]);
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(other));
  return in_order(application, std::move(result));
}

// Groups that send each other files, or have a neighbor in common: joining others saves no transfer.
std::set<std::pair<std::size_t, std::size_t>> worth_joining(const tpn::Application& application,
                                                            const StageGroups& groups) {
  const std::vector<std::size_t> group_of = group_of_stages(groups, application.stages.size());
  std::vector<std::set<std::size_t>> neighbors(groups.size());
  for (std::size_t k = 0; k < group_of.size(); ++k) {
    for (const std::size_t before : tpn::stages_before(application, k)) {
      neighbors[group_of[k]].insert(group_of[before]);
      neighbors[group_of[before]].insert(group_of[k]);
    }
  }
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::size_t h : neighbors[g]) {
      if (g < h) pairs.emplace(g, h);
      for (const std::size_t i : neighbors[h])
        if (g < i) pairs.emplace(g, i);
    }
  }
  return pairs;
}

// Pair by pair, each step an entry.
void add_joins(const WorkflowTimes& times, const GroupedQuery& query, Groupings& result) {
  StageGroups groups = each_apart(times.application());
  std::optional<Rational> bound = cost_bound_of(times, groups, query);
  for (;;) {
    if (bound) result.entries.push_back({groups, *bound});
    std::optional<Groupings::Entry> best;
    for (const auto& [one, other] : worth_joining(times.application(), groups)) {
      if (maxplus::has_passed(query.deadline)) {
        result.cut_short = true;
        return;
      }
      auto next = joined(times.application(), groups, one, other);
      if (!next) continue;
      auto cost = cost_bound_of(times, *next, query);
      if (!cost || (best && best->bound <= *cost)) continue;
      best = {*std::move(next), *std::move(cost)};
    }
    if (!best || (bound && *bound <= best->bound)) return;
    groups = std::move(best->groups);
    bound = best->bound;
  }
}

void add_all(const WorkflowTimes& times, const GroupedQuery& query, Groupings& result) {
  result.are_all = for_each_grouping(times.application(), [&](const StageGroups& groups) {
    if (maxplus::has_passed(query.deadline)) return false;
    if (auto bound = cost_bound_of(times, groups, query)) result.entries.push_back({groups, *std::move(bound)});
    return true;
  });
  result.cut_short = !result.are_all;
}

}  // namespace

GroupedAnswer cheapest_machines(const WorkflowTimes& times, const StageGroups& groups, const GroupedQuery& query) {
  require_query(query);
  return GroupedSearch(times, groups, query).find();
}

std::optional<Rational> cost_bound_of(const WorkflowTimes& times, const StageGroups& groups,
                                      const GroupedQuery& query) {
  require_query(query);
  return GroupedSearch(times, groups, query).bound();
}

Groupings groupings_of(const WorkflowTimes& times, const GroupedQuery& query) {
  Groupings result;
  if (query.all_apart) {
    StageGroups groups = each_apart(times.application());
    if (auto bound = cost_bound_of(times, groups, query))
      result.entries.push_back({std::move(groups), *std::move(bound)});
    result.are_all = true;
    return result;
  }
  if (times.application().stages.size() <= kMostEnumerated) {
    add_all(times, query, result);
  } else {
    add_joins(times, query, result);
  }
  std::ranges::stable_sort(result.entries, [](const Groupings::Entry& a, const Groupings::Entry& b) {
    return a.bound != b.bound ? a.bound < b.bound : a.groups.size() < b.groups.size();
  });
  return result;
}

std::vector<std::uint64_t> machines_by_type(const GroupedPlan& plan, std::size_t types) {
  std::vector<std::uint64_t> by_type(types);
  for (const GroupMachines& one : plan.machines) by_type[one.type] += one.machines;
  return by_type;
}

tpn::Document mapped_document(const tpn::Document& problem, const tpn::Model& model, const GroupedPlan& plan) {
  const tpn::StageOrder order = order_of(plan.groups);
  const bool is_as_listed = order == tpn::own_order(problem.application);
  const tpn::Document listed = is_as_listed ? problem : tpn::reordered(problem, order);
  const Catalogue catalogue = *catalogue_within(listed, {}, kWorkflowPlansTake);
  SequencePlan sequences;
  std::size_t next = 0;
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    const std::size_t last = next + plan.groups[g].size() - 1;
    std::vector<std::uint64_t> by_type(catalogue.types.size());
    by_type[plan.machines[g].type] = plan.machines[g].machines;
    sequences.push_back(round_robin(next, last, by_type, catalogue.is_replicable(next, last)));
    next = last + 1;
  }
  return mapped_document(listed, catalogue, model, sequences, plan.busiest);
}

}  // namespace takt::plan

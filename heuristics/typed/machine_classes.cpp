// Links as numbers, processors beside the first of each class.
#include "heuristics/typed/machine_classes.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "maxplus/contract.hpp"
#include "tpn/ends.hpp"
#include "tpn/hosts.hpp"
#include "tpn/segments.hpp"

namespace takt::heuristics {

namespace {

using tpn::LinearTime;
using tpn::Rational;

// A number for each different link, the same for equal ones.
class LinkNumbers {
 public:
  explicit LinkNumbers(const tpn::ProblemView& problem) : row_(problem.document().platform.processors.size()) {
    const tpn::Timing& timing = problem.timing();
    const tpn::OtherLinks& others = timing.other_links();
    std::vector<std::uint32_t> kinds;
    for (const tpn::OtherLinks::Kind& kind : others.kinds) kinds.push_back(number_of(kind.link));
    between_.resize(row_ * row_);
    for (std::size_t from = 0; from < row_; ++from) {
      for (std::size_t to = 0; to < row_; ++to)
        if (from != to) between_[from * row_ + to] = kinds[others.kind(from, to)];
    }
    for (const tpn::NamedLink& named : timing.named_links())
      between_[named.from * row_ + named.to] = number_of(timing.link(named));
    const tpn::Platform& platform = problem.document().platform;
    for (std::size_t k = 0; k < tpn::count_of(platform.source); ++k)
      for (std::size_t p = 0; p < row_; ++p) ends_.push_back(number_of(timing.source_link(p, k)));
    for (std::size_t k = 0; k < tpn::count_of(platform.sink); ++k)
      for (std::size_t p = 0; p < row_; ++p) ends_.push_back(number_of(timing.sink_link(p, k)));
  }

  std::uint32_t between(std::size_t from, std::size_t to) const { return between_[from * row_ + to]; }

  // As far as these others see.
  bool are_alike(std::size_t u, std::size_t v, const std::vector<std::size_t>& others) const {
    if (between(u, v) != between(v, u)) return false;
    for (std::size_t first = 0; first < ends_.size(); first += row_)
      if (ends_[first + u] != ends_[first + v]) return false;
    for (const std::size_t w : others) {
      if (w == u || w == v) continue;
      if (between(u, w) != between(v, w) || between(w, u) != between(w, v)) return false;
    }
    return true;
  }

 private:
  struct Order {
    bool operator()(const std::optional<LinearTime>& a, const std::optional<LinearTime>& b) const {
      if (!a || !b) return b.has_value() && !a.has_value();
      return std::tie(a->fixed, a->per_unit) < std::tie(b->fixed, b->per_unit);
    }
  };

  std::uint32_t number_of(const std::optional<LinearTime>& link) {
    return numbers_.try_emplace(link, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

  std::size_t row_;
  std::map<std::optional<LinearTime>, std::uint32_t, Order> numbers_;
  std::vector<std::uint32_t> between_;
  std::vector<std::uint32_t> ends_;  // by source, then sink; each by processor
};

std::optional<Rational> stage_time(const tpn::ProblemView& problem, std::size_t stage, std::size_t processor) {
  if (problem.document().platform.processors[processor].time) return Rational(0);
  return problem.timing().stage_time(stage, processor);
}

class MachineComparison {
 public:
  MachineComparison(const tpn::ProblemView& problem, const ClassRules& rules)
      : problem_(problem),
        rules_(rules),
        hosts_(problem.document().platform),
        segments_(problem.document().platform),
        groups_(tpn::processor_groups(problem.document().platform)) {
    for (const tpn::ProcessorGroup& group : groups_) machines_.push_back(group.first);
    if (rules.by_links) links_.emplace(problem);
    needs_memory_ = std::ranges::any_of(problem.document().application.stages,
                                        [](const tpn::Stage& stage) { return stage.memory.value_or(0).sign() > 0; });
  }

  const std::vector<tpn::ProcessorGroup>& groups() const { return groups_; }

  // Of machines, by number.
  bool are_alike(std::size_t first, std::size_t second) const {
    if (groups_[first].count != groups_[second].count) return false;
    const std::size_t u = machines_[first];
    const std::size_t v = machines_[second];
    const tpn::Processor& one = problem_.document().platform.processors[u];
    const tpn::Processor& other = problem_.document().platform.processors[v];
    if ((needs_memory_ && one.memory != other.memory) || (rules_.by_price && one.price != other.price)) return false;
    if (!hosts_.are_together(u, v) && one.ports != other.ports) return false;
    if (rules_.by_links && (!can_change_hosts(first, second) || segments_.sides(u) != segments_.sides(v))) return false;
    return compute_alike(one, other, u, v, groups_[first].count) && (!links_ || links_->are_alike(u, v, machines_));
  }

 private:
  // Machines on different hosts can only change places where neither shares its host.
  bool can_change_hosts(std::size_t first, std::size_t second) const {
    return hosts_.are_together(machines_[first], machines_[second]) || (is_alone(first) && is_alone(second));
  }
  bool is_alone(std::size_t machine) const { return hosts_.size_of(machines_[machine]) == groups_[machine].count; }

  bool compute_alike(const tpn::Processor& one, const tpn::Processor& other, std::size_t u, std::size_t v,
                     std::size_t cores) const {
    if (one.time || other.time) return one.time == other.time;
    if (!problem_.timing().has_own_times()) return one.speed == other.speed;
    for (std::size_t k = 0; k < problem_.document().application.stages.size(); ++k)
      for (std::size_t core = 0; core < cores; ++core)
        if (problem_.timing().stage_time(k, u + core) != problem_.timing().stage_time(k, v + core)) return false;
    return true;
  }

  const tpn::ProblemView& problem_;
  ClassRules rules_;
  tpn::HostIndex hosts_;
  tpn::SegmentIndex segments_;
  std::vector<tpn::ProcessorGroup> groups_;
  std::vector<std::size_t> machines_;  // their first processors
  std::optional<LinkNumbers> links_;
  bool needs_memory_ = false;
};

// Of several transfers, those that there are, the one that is asked for.
class Choice {
 public:
  explicit Choice(TransferChoice choice) : choice_(choice) {}

  void add(const std::optional<Rational>& time) {
    ++seen_;
    if (!time) return;
    ++there_;
    const bool is_better = choice_ == TransferChoice::least ? *time < time_ : *time > time_;
    if (there_ == 1 || is_better) time_ = *time;
  }

  std::optional<Rational> take() const {
    if (there_ == 0 || (choice_ == TransferChoice::largest && there_ < seen_)) return std::nullopt;
    return time_;
  }

 private:
  TransferChoice choice_;
  std::size_t seen_ = 0;
  std::size_t there_ = 0;
  Rational time_;
};

// As one end in place of all that take turns, each of which has as few ports as any. n with k ports each are one with
// n k: operation x waits for x - n k, whoever carries it out; with more ports it waits for less, and the busiest of
// them has as much to do.
tpn::PortCount ports_in_turn(const tpn::Endpoint& end) {
  const auto ends = end.in_turn();
  tpn::PortCount fewest = tpn::kUnlimitedPorts;
  for (const tpn::Endpoint& one : ends) {
    if (one.ports != tpn::kUnlimitedPorts && (fewest == tpn::kUnlimitedPorts || one.ports < fewest)) fewest = one.ports;
  }
  return fewest * ends.size();
}

class ClassCatalogue {
 public:
  ClassCatalogue(const tpn::ProblemView& problem, const MachineClasses& classes, TransferChoice choice)
      : problem_(problem), classes_(classes), choice_(choice), links_(problem) {}

  plan::Catalogue make(bool with_transfers) {
    const tpn::Platform& platform = problem_.document().platform;
    if (platform.source) result_.source_ports = ports_in_turn(*platform.source);
    if (platform.sink) result_.sink_ports = ports_in_turn(*platform.sink);
    const auto& stages = problem_.document().application.stages;
    for (const tpn::Stage& stage : stages)
      result_.stages.push_back({stage.name, stage.replicable, stage.apart, stage.memory.value_or(0)});
    for (const auto& members : classes_.members) add_type(members);
    for (std::size_t k = 0; k < stages.size(); ++k) {
      for (const auto& members : classes_.members) {
        Choice choice(choice_);
        for (const std::size_t p : members)  // a core may have times of its own
          for (std::size_t core = 0; core < classes_.cores_of(p); ++core) choice.add(stage_time(problem_, k, p + core));
        result_.stage_times.push_back(choice.take());
      }
    }
    if (with_transfers && stages.size() > 1) add_transfers(stages.size() - 1);
    for (const auto& members : classes_.members) add_ends(members);
    return std::move(result_);
  }

 private:
  // Two processors between which a link of a kind is.
  using Pair = std::pair<std::size_t, std::size_t>;

  void add_type(const std::vector<std::size_t>& members) {
    const auto& processors = problem_.document().platform.processors;
    const tpn::Processor& first = processors[members.front()];
    plan::MachineType& type = result_.types.emplace_back();
    type.name = first.name;
    type.count = members.size();
    type.cores = classes_.cores_of(members.front());
    type.ports = first.ports;
    type.fixed_time = first.time;
    Choice price(choice_);
    for (const std::size_t p : members) price.add(processors[p].price);
    type.price = *price.take();
    // More memory is less of a limit; classes that compute alike have the same.
    for (const std::size_t p : members)
      if (processors[p].memory && (!type.memory || *processors[p].memory < *type.memory))
        type.memory = processors[p].memory;
  }

  std::vector<Pair> different_links(const std::vector<std::size_t>& from, const std::vector<std::size_t>& to) const {
    std::map<std::uint32_t, Pair> found;
    for (const std::size_t a : from)
      for (const std::size_t b : to)
        if (a != b) found.try_emplace(links_.between(a, b), a, b);
    std::vector<Pair> pairs;
    pairs.reserve(found.size());
    for (const auto& [number, pair] : found) pairs.push_back(pair);
    return pairs;
  }

  void add_transfers(std::size_t files) {
    const std::size_t count = classes_.members.size();
    result_.transfers.resize(files * count * count);
    for (std::size_t t = 0; t < count; ++t) {
      for (std::size_t u = 0; u < count; ++u) {
        const std::vector<Pair> pairs = different_links(classes_.members[t], classes_.members[u]);
        for (std::size_t k = 0; k < files; ++k) {
          Choice choice(choice_);
          for (const auto& [a, b] : pairs) {
            choice.add(problem_.timing().has_link(a, b) ? std::optional(problem_.timing().transfer(k, a, b))
                                                        : std::nullopt);
          }
          result_.transfers[(k * count + t) * count + u] = choice.take();
        }
      }
    }
  }

  void add_ends(const std::vector<std::size_t>& members) {
    const tpn::Platform& platform = problem_.document().platform;
    const tpn::Timing& timing = problem_.timing();
    Choice in(choice_);
    Choice out(choice_);
    if (!platform.source) in.add(Rational(0));
    if (!platform.sink) out.add(Rational(0));
    for (const std::size_t p : members) {
      for (std::size_t k = 0; k < tpn::count_of(platform.source); ++k)
        in.add(timing.source_link(p, k) ? std::optional(timing.from_source(p, k)) : std::nullopt);
      for (std::size_t k = 0; k < tpn::count_of(platform.sink); ++k)
        out.add(timing.sink_link(p, k) ? std::optional(timing.to_sink(p, k)) : std::nullopt);
    }
    result_.from_source.push_back(in.take());
    result_.to_sink.push_back(out.take());
  }

  const tpn::ProblemView& problem_;
  const MachineClasses& classes_;
  TransferChoice choice_;
  LinkNumbers links_;
  plan::Catalogue result_;
};

}  // namespace

namespace {

bool are_equal(const std::optional<LinearTime>& one, const std::optional<LinearTime>& other) {
  if (!one || !other) return !one && !other;
  return one->fixed == other->fixed && one->per_unit == other->per_unit;
}

void add_cores(const tpn::ProblemView& problem, const std::vector<tpn::ProcessorGroup>& groups,
               MachineClasses& classes) {
  if (std::ranges::none_of(groups, &tpn::ProcessorGroup::is_of_cores)) return;
  for (const tpn::ProcessorGroup& group : groups) classes.cores.insert(classes.cores.end(), group.count, group.count);
  for (const tpn::Stage& stage : problem.document().application.stages) classes.is_fixed.push_back(!stage.replicable);
}

}  // namespace

bool do_ends_differ(const tpn::ProblemView& problem) {
  const tpn::Platform& platform = problem.document().platform;
  const tpn::Timing& timing = problem.timing();
  const auto differ = [&](const std::optional<tpn::Endpoint>& end, const auto& link_of) {
    for (std::size_t p = 0; p < platform.processors.size(); ++p) {
      for (std::size_t k = 1; k < tpn::count_of(end); ++k)
        if (!are_equal(link_of(p, k), link_of(p, 0))) return true;
    }
    return false;
  };
  return differ(platform.source, [&](std::size_t p, std::size_t k) { return timing.source_link(p, k); }) ||
         differ(platform.sink, [&](std::size_t p, std::size_t k) { return timing.sink_link(p, k); });
}

MachineClasses machine_classes(const tpn::ProblemView& problem, const ClassRules& rules) {
  const std::size_t processors = problem.document().platform.processors.size();
  maxplus::expects(processors <= kMostCompared, "no more processors are compared");
  const MachineComparison comparison(problem, rules);
  const std::vector<tpn::ProcessorGroup>& groups = comparison.groups();
  std::vector<std::size_t> first_of_class;  // machines
  MachineClasses classes;
  for (std::size_t machine = 0; machine < groups.size(); ++machine) {
    const auto found =
        std::ranges::find_if(first_of_class, [&](std::size_t first) { return comparison.are_alike(first, machine); });
    const auto place = static_cast<std::size_t>(found - first_of_class.begin());
    if (found == first_of_class.end()) {
      first_of_class.push_back(machine);
      classes.members.emplace_back();
    }
    classes.members[place].push_back(groups[machine].first);
    classes.of.insert(classes.of.end(), groups[machine].count, place);
  }
  add_cores(problem, groups, classes);
  return classes;
}

std::optional<MachineClasses> similar_classes(const tpn::ProblemView& problem, std::size_t most) {
  const auto& processors = problem.document().platform.processors;
  if (std::ranges::any_of(processors, [](const tpn::Processor& processor) { return processor.time.has_value(); }))
    return std::nullopt;
  const std::size_t last_stage = problem.document().application.stages.size() - 1;
  std::vector<std::pair<Rational, std::size_t>> times;
  for (std::size_t p = 0; p < processors.size(); ++p)
    times.emplace_back(problem.timing().computation(0, last_stage, p), p);
  std::ranges::sort(times);
  // Places in that order before which a class begins, widest gaps first.
  std::vector<std::pair<Rational, std::size_t>> gaps;
  for (std::size_t k = 1; k < times.size(); ++k) {
    if (times[k - 1].first < times[k].first)
      gaps.emplace_back((times[k].first - times[k - 1].first) / times[k].first, k);
  }
  std::ranges::stable_sort(gaps, std::greater<>(), [](const auto& gap) { return gap.first; });
  if (gaps.size() >= most) gaps.resize(most - 1);
  std::vector<bool> begins(times.size());
  for (const auto& gap : gaps) begins[gap.second] = true;
  MachineClasses classes;
  classes.of.resize(processors.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (k == 0 || begins[k]) classes.members.emplace_back();
    classes.members.back().push_back(times[k].second);
    classes.of[times[k].second] = classes.members.size() - 1;
  }
  for (auto& members : classes.members)
    std::ranges::stable_sort(members, {}, [&](std::size_t p) { return processors[p].price; });
  return classes;
}

plan::Catalogue catalogue_of(const tpn::ProblemView& problem, const MachineClasses& classes, TransferChoice choice) {
  return ClassCatalogue(problem, classes, choice).make(true);
}

plan::Catalogue catalogue_without_transfers(const tpn::ProblemView& problem, const MachineClasses& classes,
                                            TransferChoice choice) {
  return ClassCatalogue(problem, classes, choice).make(false);
}

tpn::Mapping mapping_of(const MachineClasses& classes, const plan::TypedPlan& plan) {
  return mapping_of(classes, plan::sequences_of(plan));
}

tpn::Mapping mapping_of(const MachineClasses& classes, const plan::SequencePlan& plan) {
  std::vector<std::size_t> next(classes.members.size());
  tpn::Mapping mapping;
  for (const plan::SequencePart& part : plan) {
    bool is_fixed = false;
    for (std::size_t k = part.first_stage; k <= part.last_stage && !classes.is_fixed.empty(); ++k)
      is_fixed = is_fixed || classes.is_fixed[k];
    std::vector<plan::MachineCores> chosen;
    for (const std::size_t type : part.machines) {
      maxplus::expects(next[type] < classes.members[type].size(), "a plan keeps to the counts");
      const std::size_t machine = classes.members[type][next[type]++];
      chosen.push_back({machine, is_fixed ? 1 : classes.cores_of(machine)});
    }
    mapping.push_back({part.first_stage, part.last_stage, plan::turns_of_cores(part.sequence, chosen)});
  }
  return mapping;
}

}  // namespace takt::heuristics

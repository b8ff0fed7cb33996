// The same demands as those of the checker's edges, for the parts of one mapping.
#include "plan/proof/mapped_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <variant>
#include <vector>

#include "plan/proof/catalogue_times.hpp"
#include "plan/proof/part_demands.hpp"
#include "plan/proof/plans_take.hpp"
#include "tpn/expansion.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"
#include "tpn/quotas.hpp"

namespace takt::plan {

namespace {

using Amiss = std::optional<std::string>;

constexpr std::size_t kIdle = static_cast<std::size_t>(-1);

class MappingJudge {
 public:
  MappingJudge(const tpn::Document& instance, const PlanTarget& target)
      : document_(instance), platform_(instance.platform), target_(target), hosts_(instance.platform) {}

  // What is amiss, if anything.
  Amiss run() {
    if (platform_.types.empty()) return "the document has no types";
    if (!document_.mapping) return "the document has no mapping";
    if (!tpn::follows_cycle_times(target_.model)) return "its model's periods do not follow from cycle times";
    if (const auto reason = tpn::why_refused(kProvedPlansTake, document_)) return "plans: " + *reason;
    if (Amiss amiss = look_at_processors()) return amiss;
    if (Amiss amiss = look_at_hosts()) return amiss;
    if (Amiss amiss = look_at_stage_times()) return amiss;
    if (Amiss amiss = look_at_sequences()) return amiss;
    if (Amiss amiss = look_at_counts()) return amiss;
    const Integer parts = lcm(target_.period.denominator(), target_.on_demand.value_or(1).denominator());
    const auto times = catalogue_times(document_, Rational::fraction(1, parts));
    if (std::holds_alternative<tpn::TooLarge>(times)) return "its times have too long a common denominator";
    return look_at_parts(std::get<CatalogueTimes>(times));
  }

 private:
  // At its type's spot price.
  bool is_spot(const tpn::Processor& processor) const {
    const tpn::ProcessorType& type = platform_.types[*processor.type];
    return target_.at_spot_prices && type.spot_price && *type.spot_price < type.price &&
           processor.price == *type.spot_price;
  }

  // All that a processor has is its type's.
  Amiss look_at_processors() const {
    for (const tpn::Processor& processor : platform_.processors) {
      if (!processor.type) return fmt::format("{} has no type", processor.name);
      const tpn::ProcessorType& type = platform_.types[*processor.type];
      tpn::Processor typical{processor.name, {}, {}, processor.type};
      typical.price = is_spot(processor) ? processor.price : type.price;
      typical.ports = type.ports;
      tpn::inherit(typical, type);
      typical.inherited = processor.inherited;
      typical.host = processor.host;
      typical.core = processor.core;
      if (!(typical == processor)) return fmt::format("{} differs from its type, {}", processor.name, type.name);
    }
    if (!platform_.links.empty()) {
      const tpn::Link& link = platform_.links.front();
      return fmt::format("{} and {} have a separate link", platform_.processors[link.from].name,
                         platform_.processors[link.to].name);
    }
    for (const std::optional<tpn::Endpoint>* end : {&platform_.source, &platform_.sink}) {
      if (!*end || (*end)->links.empty()) continue;
      return fmt::format("{} has a separate link with the source or the sink",
                         platform_.processors[(*end)->links.front().processor].name);
    }
    return std::nullopt;
  }

  // Each is a machine: the cores of its type, and nothing else.
  Amiss look_at_hosts() const {
    for (std::size_t p = 0; p < platform_.processors.size(); ++p) {
      const tpn::Processor& processor = platform_.processors[p];
      const tpn::Processor& first = platform_.processors[hosts_.first_of(p)];
      const tpn::ProcessorType& type = platform_.types[*processor.type];
      if (processor.type != first.type)
        return fmt::format("{} and {} share a host and have different types", first.name, processor.name);
      if (hosts_.size_of(p) == type.cores) continue;
      return fmt::format("the host of {} has {} processors, and a machine of its type, {}, has {}", processor.name,
                         hosts_.size_of(p), type.name, type.cores);
    }
    return std::nullopt;
  }

  Amiss look_at_stage_times() const {
    for (const tpn::Stage& stage : document_.application.stages) {
      std::vector<std::optional<Rational>> by_type(platform_.types.size());
      for (const tpn::TypeTime& time : stage.type_times) by_type[time.type] = time.fixed + time.time;
      std::vector<std::optional<Rational>> by_processor(platform_.processors.size());
      for (const tpn::StageTime& time : stage.times) by_processor[time.processor] = time.of_batch(1);
      for (std::size_t p = 0; p < by_processor.size(); ++p) {
        if (by_processor[p] == by_type[*platform_.processors[p].type]) continue;
        return fmt::format("{} has another time for {} than its type", platform_.processors[p].name, stage.name);
      }
    }
    return std::nullopt;
  }

  // Each part on different machines of one type, which serve no other.
  Amiss look_at_sequences() {
    std::vector<bool> is_taken(platform_.processors.size());
    part_of_.assign(platform_.processors.size(), kIdle);
    for (std::size_t i = 0; i < document_.mapping->size(); ++i) {
      const tpn::Part& part = (*document_.mapping)[i];
      for (const std::size_t p : part.processors) {
        const tpn::Processor& processor = platform_.processors[p];
        if (is_taken[p]) return fmt::format("{} has more than one turn", processor.name);
        is_taken[p] = true;
        const tpn::Processor& first = platform_.processors[part.processors.front()];
        if (processor.type != first.type)
          return fmt::format("{} and {} share a part and have different types", first.name, processor.name);
        std::size_t& served = part_of_[hosts_.first_of(p)];
        if (served != kIdle && served != i)
          return fmt::format("the host of {} serves two parts, and a machine of such a plan serves one",
                             processor.name);
        served = i;
      }
      if (Amiss amiss = look_at_turns(part)) return amiss;
    }
    return std::nullopt;
  }

  // Of a part that may be replicated all cores of each machine: one of each machine in turn, then the next of each.
  Amiss look_at_turns(const tpn::Part& part) const {
    if (!is_replicable(part)) return std::nullopt;
    const std::uint64_t cores = platform_.types[type_of(part)].cores;
    const std::size_t length = part.processors.size();
    if (length % cores != 0) return words_of(part) + " uses only some cores of a machine";
    const std::size_t machines = length / cores;
    std::set<std::size_t> firsts;
    for (std::size_t k = 0; k < length; ++k) {
      const std::size_t host = hosts_.first_of(part.processors[k]);
      const bool is_new = firsts.insert(host).second;
      if (is_new == (k < machines) && host == hosts_.first_of(part.processors[k % machines])) continue;
      return words_of(part) + " has its machines' cores in another order than machine by machine in turn";
    }
    return std::nullopt;
  }

  Amiss look_at_counts() {
    std::vector<std::uint64_t> used(platform_.types.size());
    idle_.assign(platform_.types.size(), 0);
    for (std::size_t p = 0; p < platform_.processors.size(); ++p) {
      if (hosts_.first_of(p) != p) continue;
      ++used[*platform_.processors[p].type];
      if (part_of_[p] == kIdle) ++idle_[*platform_.processors[p].type];
    }
    for (std::size_t t = 0; t < used.size(); ++t) {
      const tpn::ProcessorType& type = platform_.types[t];
      const auto own = target_.counts.find(type.name);
      const std::optional<Rational> most =
          own == target_.counts.end() ? type.count : std::optional<Rational>(own->second);
      if (!most || Rational(used[t]) <= *most) continue;
      return fmt::format("it has {} of {}, but there are only {}", used[t], type.name, most->to_string());
    }
    for (std::size_t q = 0; q < platform_.quotas.size(); ++q) {
      const tpn::QuotaUses quota = tpn::quota_uses(platform_.quotas[q], platform_);
      if (quota.allows(used)) continue;
      return fmt::format("its {} add up to {}, but quota {} allows {}", tpn::key_of(platform_.quotas[q].of),
                         quota.of(used).to_string(), q, platform_.quotas[q].most.to_string());
    }
    return std::nullopt;
  }

  std::size_t type_of(const tpn::Part& part) const { return *platform_.processors[part.processors.front()].type; }

  std::string words_of(const tpn::Part& part) const {
    const auto& stages = document_.application.stages;
    if (part.first_stage == part.last_stage) return fmt::format("the part {}", stages[part.first_stage].name);
    return fmt::format("the part {} to {}", stages[part.first_stage].name, stages[part.last_stage].name);
  }

  bool is_replicable(const tpn::Part& part) const {
    const auto& stages = document_.application.stages;
    return std::all_of(stages.begin() + static_cast<std::ptrdiff_t>(part.first_stage),
                       stages.begin() + static_cast<std::ptrdiff_t>(part.last_stage + 1),
                       [](const tpn::Stage& stage) { return stage.replicable; });
  }

  Amiss look_at_parts(const CatalogueTimes& times) {
    const PartDemands demands(document_, times, target_);
    const tpn::Mapping& mapping = *document_.mapping;
    Integer stay = 0;
    for (std::size_t i = 0; i < mapping.size(); ++i) {
      const tpn::Part& part = mapping[i];
      const std::size_t t = type_of(part);
      const auto& receive = times.reception(part.first_stage, i == 0 ? 0 : type_of(mapping[i - 1]), t);
      const auto& send = times.sending(part.last_stage, t, i + 1 == mapping.size() ? 0 : type_of(mapping[i + 1]));
      if (!receive || !send) return words_of(part) + " lacks a link";
      if (demands.least_first(part.last_stage, t) > part.first_stage)
        return fmt::format("{} may not be one on {}", words_of(part), platform_.types[t].name);
      if (i == 0 && !demands.source_keeps_up(*receive)) return "its source does not keep up";
      if (i + 1 == mapping.size() && !demands.sink_keeps_up(*send)) return "its sink does not keep up";
      const Integer compute = demands.computation(part.first_stage, part.last_stage, t);
      const Integer working = demands.working(t, is_replicable(part), *receive, compute, *send);
      if (Amiss amiss = look_at_machines(part, working)) return amiss;
      if (Amiss amiss = look_at_demand(part, demands.on_demand(t, is_replicable(part), *receive, compute, *send)))
        return amiss;
      stay += *receive + compute;
      if (i + 1 == mapping.size()) stay += *send;
    }
    if (target_.latency && Rational(stay) > *target_.latency * Rational(times.scale))
      return fmt::format("a data set stays {}", (Rational(stay) / Rational(times.scale)).to_string());
    return std::nullopt;
  }

  // All its machines are enough, whatever they would keep.
  Amiss look_at_demand(const tpn::Part& part, const Integer& needed) const {
    std::set<std::size_t> hosts;
    Integer found = 0;
    for (const std::size_t p : part.processors) {
      if (hosts.insert(hosts_.first_of(p)).second && !is_spot(platform_.processors[p])) ++found;
    }
    if (found >= needed || found == hosts.size()) return std::nullopt;
    return fmt::format("{} has {} machines on demand and needs {}", words_of(part), found.get_str(), needed.get_str());
  }

  // Parts that must not be replicated have their spare machines among those that serve no part.
  Amiss look_at_machines(const tpn::Part& part, const Integer& working) {
    if (is_replicable(part)) {
      const Integer found = part.processors.size() / platform_.types[type_of(part)].cores;
      const Integer needed = working + target_.spare;
      if (found >= needed) return std::nullopt;
      return fmt::format("{} has {} machines and needs {}", words_of(part), found.get_str(), needed.get_str());
    }
    if (working > 1) return words_of(part) + " is too slow for one machine";
    std::uint64_t& idle = idle_[type_of(part)];
    if (idle < target_.spare) return words_of(part) + " has too few spare machines";
    idle -= target_.spare;
    return std::nullopt;
  }

  const tpn::Document& document_;
  const tpn::Platform& platform_;
  const PlanTarget& target_;
  tpn::HostIndex hosts_;
  std::vector<std::size_t> part_of_;  // by the first processor of a host: the part that it serves, or kIdle
  std::vector<std::uint64_t> idle_;   // by type: machines that serve no part
};

}  // namespace

MappedPlan judge_mapping(const tpn::Document& instance, const PlanTarget& target) {
  MappedPlan result;
  for (const tpn::ProcessorGroup& machine : tpn::processor_groups(instance.platform)) {
    result.cost += instance.platform.processors[machine.first].price;
    ++result.machines;
  }
  result.amiss = MappingJudge(instance, target).run();
  return result;
}

}  // namespace takt::plan

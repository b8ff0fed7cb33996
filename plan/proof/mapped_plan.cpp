// The same demands as those of the checker's edges, for the parts of one mapping.
#include "plan/proof/mapped_plan.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <variant>
#include <vector>

#include "plan/proof/catalogue_times.hpp"
#include "plan/proof/part_demands.hpp"
#include "tpn/expansion.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

namespace {

using Amiss = std::optional<std::string>;

class MappingJudge {
 public:
  MappingJudge(const tpn::Document& instance, const PlanTarget& target)
      : document_(instance), platform_(instance.platform), target_(target) {}

  // What is amiss, if anything.
  Amiss run() {
    if (platform_.types.empty()) return "the document has no types";
    if (!document_.mapping) return "the document has no mapping";
    if (!tpn::follows_cycle_times(target_.model)) return "its model's periods do not follow from cycle times";
    if (Amiss amiss = look_at_processors()) return amiss;
    if (Amiss amiss = look_at_stage_times()) return amiss;
    if (Amiss amiss = look_at_sequences()) return amiss;
    if (Amiss amiss = look_at_counts()) return amiss;
    const auto times = catalogue_times(document_, target_.period);
    if (std::holds_alternative<tpn::TooLarge>(times)) return "its times have too long a common denominator";
    return look_at_parts(std::get<CatalogueTimes>(times));
  }

 private:
  // All that a processor has is its type's.
  Amiss look_at_processors() const {
    for (const tpn::Processor& processor : platform_.processors) {
      if (!processor.type) return fmt::format("{} has no type", processor.name);
      const tpn::ProcessorType& type = platform_.types[*processor.type];
      tpn::Processor typical{processor.name, {}, {}, processor.type};
      typical.price = type.price;
      tpn::inherit(typical, type);
      typical.inherited = processor.inherited;
      if (!(typical == processor)) return fmt::format("{} differs from its type, {}", processor.name, type.name);
    }
    if (!platform_.links.empty()) {
      const tpn::Link& link = platform_.links.front();
      return fmt::format("{} and {} have a link of their own", platform_.processors[link.from].name,
                         platform_.processors[link.to].name);
    }
    for (const std::optional<tpn::Endpoint>* end : {&platform_.source, &platform_.sink}) {
      if (!*end || (*end)->links.empty()) continue;
      return fmt::format("{} has a link of its own with the source or the sink",
                         platform_.processors[(*end)->links.front().processor].name);
    }
    return std::nullopt;
  }

  Amiss look_at_stage_times() const {
    for (const tpn::Stage& stage : document_.application.stages) {
      std::vector<std::optional<Rational>> by_type(platform_.types.size());
      for (const tpn::TypeTime& time : stage.type_times) by_type[time.type] = time.time;
      std::vector<std::optional<Rational>> by_processor(platform_.processors.size());
      for (const tpn::StageTime& time : stage.times) by_processor[time.processor] = time.time;
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
    for (const tpn::Part& part : *document_.mapping) {
      for (const std::size_t p : part.processors) {
        const tpn::Processor& processor = platform_.processors[p];
        if (is_taken[p]) return fmt::format("{} has more than one turn", processor.name);
        is_taken[p] = true;
        const tpn::Processor& first = platform_.processors[part.processors.front()];
        if (processor.type == first.type) continue;
        return fmt::format("{} and {} share a part and have different types", first.name, processor.name);
      }
    }
    idle_.assign(platform_.types.size(), 0);
    for (std::size_t p = 0; p < is_taken.size(); ++p) {
      if (!is_taken[p]) ++idle_[*platform_.processors[p].type];
    }
    return std::nullopt;
  }

  Amiss look_at_counts() const {
    std::vector<std::uint64_t> used(platform_.types.size());
    for (const tpn::Processor& processor : platform_.processors) ++used[*processor.type];
    for (std::size_t t = 0; t < used.size(); ++t) {
      const tpn::ProcessorType& type = platform_.types[t];
      const auto own = target_.counts.find(type.name);
      const std::optional<Rational> most =
          own == target_.counts.end() ? type.count : std::optional<Rational>(own->second);
      if (!most || Rational(used[t]) <= *most) continue;
      return fmt::format("it has {} of {}, of which there are {}", used[t], type.name, most->to_string());
    }
    return std::nullopt;
  }

  std::size_t type_of(const tpn::Part& part) const { return *platform_.processors[part.processors.front()].type; }

  std::string words_of(const tpn::Part& part) const {
    const auto& stages = document_.application.stages;
    if (part.first_stage == part.last_stage) return fmt::format("the part {}", stages[part.first_stage].name);
    return fmt::format("the part {} to {}", stages[part.first_stage].name, stages[part.last_stage].name);
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
      if (i == 0 && !demands.end_keeps_up(*receive)) return "its source does not keep up";
      if (i + 1 == mapping.size() && !demands.end_keeps_up(*send)) return "its sink does not keep up";
      const Integer compute = demands.computation(part.first_stage, part.last_stage, t);
      if (Amiss amiss = look_at_machines(part, demands.working(demands.demand(*receive, compute, *send)))) return amiss;
      stay += *receive + compute;
      if (i + 1 == mapping.size()) stay += *send;
    }
    if (target_.latency && Rational(stay) > *target_.latency * Rational(times.scale))
      return fmt::format("a data set stays {}", (Rational(stay) / Rational(times.scale)).to_string());
    return std::nullopt;
  }

  // Parts that must not be replicated have their spare machines among those that serve no part.
  Amiss look_at_machines(const tpn::Part& part, const Integer& working) {
    bool is_replicable = true;
    for (std::size_t k = part.first_stage; k <= part.last_stage; ++k)
      is_replicable = is_replicable && document_.application.stages[k].replicable;
    const Integer found = part.processors.size();
    if (is_replicable) {
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
  std::vector<std::uint64_t> idle_;  // by type: machines that serve no part
};

}  // namespace

MappedPlan judge_mapping(const tpn::Document& instance, const PlanTarget& target) {
  MappedPlan result;
  for (const tpn::Processor& processor : instance.platform.processors) result.cost += processor.price;
  result.machines = instance.platform.processors.size();
  result.amiss = MappingJudge(instance, target).run();
  return result;
}

}  // namespace takt::plan

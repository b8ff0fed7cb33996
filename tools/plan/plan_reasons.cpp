// Bounds of every mapping first, then what holds of typed plans alone.
#include "tools/plan/plan_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "plan/bounds.hpp"
#include "tools/number_words.hpp"

namespace takt::tools {

using maxplus::Rational;
using plan::PeriodBound;

namespace {

std::string stage_name(const PlanWords& words, std::size_t stage) {
  return printable(words.catalogue.stages[stage].name);
}

std::string type_name(const PlanWords& words, std::size_t type) { return printable(words.catalogue.types[type].name); }

// Types of which there are machines.
std::size_t types_there(const PlanWords& words) {
  const auto& types = words.catalogue.types;
  return static_cast<std::size_t>(std::ranges::count_if(types, [](const auto& type) { return type.count != 0U; }));
}

// "27 small", "20 small and 4 large": all there are.
std::string counts_words(const PlanWords& words) {
  std::vector<std::string> counts;
  for (const plan::MachineType& type : words.catalogue.types) {
    if (type.count.value_or(0) > 0) counts.push_back(fmt::format("{} {}", *type.count, printable(type.name)));
  }
  if (counts.empty()) return "no machine";
  if (counts.size() == 1) return counts.front();
  const std::string last = std::move(counts.back());
  counts.pop_back();
  return fmt::format("{} and {}", fmt::join(counts, ", "), last);
}

// What would do without counts and latency limit: " 28 small do: 512.8/s."
std::string unlimited_words(const PlanFindings& findings, const PlanWords& words) {
  if (!findings.unlimited) return "";
  const plan::PlanFacts& facts = findings.unlimited->facts;
  std::vector<std::string> machines;
  bool is_more = false;
  for (std::size_t t = 0; t < words.catalogue.types.size(); ++t) {
    const std::uint64_t used = facts.machines_by_type()[t];
    if (used > 0) machines.push_back(fmt::format("{} {}", used, type_name(words, t)));
    is_more = is_more || used > words.catalogue.types[t].count.value_or(used);
  }
  if (!is_more) return "";
  return fmt::format(" {} do: {}.", fmt::join(machines, ", "), words.rates.of_period(findings.unlimited->kept));
}

// Of all machines together: how long each is busy with a data set.
std::string work_words(const PeriodBound& bound, const PlanFindings& findings, const PlanWords& words) {
  const std::string counts = counts_words(words);
  const std::string most = words.rates.of_period(bound.period);
  if (types_there(words) > 1) {
    return fmt::format("{} reach {} at most, whatever the mapping: more work is not done in that time.{}", counts, most,
                       unlimited_words(findings, words));
  }
  Rational machines;
  for (const plan::MachineType& type : words.catalogue.types) machines += Rational(*type.count);
  return fmt::format("{} reach {} at most: a data set needs {} of work, on {} machines {} each.{}", counts, most,
                     words.times.readable(bound.period * machines), machines.to_string(),
                     words.times.readable(bound.period), unlimited_words(findings, words));
}

PlanReason period_reason(const PeriodBound& bound, const PlanFindings& findings, const PlanWords& words) {
  const std::string wanted = words.rates.of_period(findings.wish.planned_period());
  const std::string time = words.times.readable(bound.period);
  const std::string most = words.rates.of_period(bound.period);
  const std::string no_mapping = fmt::format("no mapping reaches {}.", wanted);
  switch (bound.kind) {
    case PeriodBound::Kind::not_replicable: {
      const bool has_choice = types_there(words) > 1;
      return {
          "not_replicable",
          fmt::format("{} {} is not replicable and takes {} on {} ({}); at most {}.", no_mapping,
                      stage_name(words, bound.stage), time, has_choice ? "its fastest type" : "the type that there is",
                      type_name(words, bound.type), most),
          bound.period};
    }
    case PeriodBound::Kind::source:
      return {"source",
              fmt::format("{} The source takes {} to send a data set, at best (to {}); at most {}.", no_mapping, time,
                          type_name(words, bound.type), most),
              bound.period};
    case PeriodBound::Kind::sink:
      return {"sink",
              fmt::format("{} The sink takes {} to receive a data set, at best (from {}); at most {}.", no_mapping,
                          time, type_name(words, bound.type), most),
              bound.period};
    case PeriodBound::Kind::work:
      break;
  }
  return {"work", work_words(bound, findings, words), bound.period};
}

// Of two types that no link is between, with an end of the world or not; empty where all are linked.
std::string unlinked_words(const PlanWords& words) {
  const plan::Catalogue& catalogue = words.catalogue;
  const std::size_t count = catalogue.types.size();
  for (std::size_t k = 0; k + 1 < catalogue.stages.size(); ++k) {
    for (std::size_t t = 0; t < count * count; ++t) {
      if (catalogue.transfers[k * count * count + t]) continue;
      return fmt::format(" No link leads from {} to {}: the file gives no bandwidth there.",
                         type_name(words, t / count), type_name(words, t % count));
    }
  }
  for (std::size_t t = 0; t < count; ++t) {
    if (!catalogue.from_source[t]) return fmt::format(" No link leads from the source to {}.", type_name(words, t));
    if (!catalogue.to_sink[t]) return fmt::format(" No link leads from {} to the sink.", type_name(words, t));
  }
  return "";
}

// What typed plans alone cannot do, as was found by search or multipliers.
PlanReason class_reason(const PlanFindings& findings, const PlanWords& words) {
  const PlanWish& wish = findings.wish;
  const std::string none = "no plan of this kind (one type per part, round robin)";
  const std::string does = wish.aim == PlanAim::period
                               ? fmt::format("reaches {}", words.rates.of_period(wish.planned_period()))
                               : std::string("is possible");
  if (!findings.unlimited)
    return {"class", fmt::format("{} {}, whatever it costs: proved.{}", none, does, unlinked_words(words))};
  const plan::PlanFacts& facts = findings.unlimited->facts;
  const std::string unlimited = unlimited_words(findings, words);
  if (wish.latency && unlimited.empty()) {
    return {"latency", fmt::format("{} {} with data sets that stay at most {}: proved. One for {} does where they may "
                                   "stay {}.",
                                   none, does, words.times.readable(*wish.latency), words.money.said(facts.cost()),
                                   words.times.readable(facts.latency()))};
  }
  return {"counts", fmt::format("{} {} on the machines there are{}: proved.{}", none, does,
                                wish.latency ? ", within that latency" : "", unlimited)};
}

std::optional<PlanReason> reason_of_aim(const PlanFindings& findings, const PlanWords& words) {
  if (findings.wish.aim != PlanAim::budget || !findings.unlimited) return std::nullopt;
  const plan::PlanFacts& cheapest = findings.unlimited->facts;
  if (cheapest.cost() <= findings.wish.budget) return std::nullopt;
  return PlanReason{"budget", fmt::format("nothing of this kind costs less than {}, which reaches {}.",
                                          words.money.said(cheapest.cost()), words.rates.of_period(cheapest.period()))};
}

}  // namespace

PlanReason reason_of(const PlanFindings& findings, const PlanWords& words) {
  const plan::Catalogue& catalogue = words.catalogue;
  const PlanWish& wish = findings.wish;
  if (const auto stage = plan::stage_without_type(catalogue)) {
    return {"stage", fmt::format("{} runs on none of the types: no time for it, or too little memory.",
                                 stage_name(words, *stage))};
  }
  if (wish.aim == PlanAim::period) {
    for (const PeriodBound& bound : plan::period_bounds(catalogue, wish.model)) {
      if (bound.period > wish.planned_period()) return period_reason(bound, findings, words);
    }
  }
  const Rational least_latency = plan::latency_bound(catalogue);
  if (wish.latency && least_latency > *wish.latency) {
    return {"latency",
            fmt::format("a data set stays at least {}, in any mapping.", words.times.readable(least_latency))};
  }
  if (auto reason = reason_of_aim(findings, words)) return *std::move(reason);
  return class_reason(findings, words);
}

std::string part_machines_words(const plan::TypedPlan& parts, const PlanWords& words) {
  std::string text;
  for (const plan::TypedPart& part : parts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part.machines + part.standby, type_name(words, part.type));
  return text;
}

}  // namespace takt::tools

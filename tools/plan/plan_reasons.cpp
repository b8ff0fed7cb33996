// Bounds of every mapping first, then what holds of typed plans alone.
#include "tools/plan/plan_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "plan/bounds.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/models.hpp"
#include "tpn/units.hpp"

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

// Of those the types that run a stage.
std::size_t types_that_run(const PlanWords& words, std::size_t stage) {
  std::size_t count = 0;
  for (std::size_t t = 0; t < words.catalogue.types.size(); ++t) {
    const bool runs = words.catalogue.least_first_stage(stage, t) <= stage;
    if (runs && words.catalogue.types[t].count != 0U) ++count;
  }
  return count;
}

// "27 small", "20 small and 4 large": all there are.
std::string counts_words(const PlanWords& words) {
  std::vector<std::uint64_t> counts;
  for (const plan::MachineType& type : words.catalogue.types) counts.push_back(type.count.value_or(0));
  return machine_counts_words(counts, words);
}

// " on the machines there are", " within the quotas"; empty if there are as many as one likes.
std::string limits_words(const PlanWords& words) {
  std::string counts = words.catalogue.has_counts() ? " on the machines there are" : "";
  if (words.catalogue.quotas.empty()) return counts;
  return counts + (counts.empty() ? "" : " and") + " within the quotas";
}

// Whether the cheapest plan without limits needs more machines than it may have.
bool is_short_of_machines(const PlanFindings& findings, const PlanWords& words) {
  return !words.catalogue.allows(findings.unlimited->facts.machines_by_type());
}

// Of the first quota that the cheapest plan without limits exceeds; empty if it exceeds none.
std::string exceeded_words(const PlanFindings& findings, const PlanWords& words) {
  const plan::PlanFacts& facts = findings.unlimited->facts;
  for (const tpn::QuotaUses& quota : words.catalogue.quotas) {
    if (quota.allows(facts.machines_by_type())) continue;
    return fmt::format(" The cheapest without limits, for {}, takes {}.", words.money.said(facts.cost()),
                       quota_words(quota, facts.machines_by_type(), words));
  }
  return "";
}

// Of all machines together: how long each is busy with a data set.
std::string work_words(const PeriodBound& bound, const PlanWords& words) {
  const std::string counts = counts_words(words);
  const std::string most = words.rates.of_period(bound.period);
  const plan::MappingClaim claim(plan::Prover::loads, words.usable);
  const bool has_several = std::ranges::any_of(words.catalogue.types, [](const plan::MachineType& type) {
    return type.cores > 1 || type.ports != tpn::kOnePort;
  });
  if (types_there(words) > 1 || has_several) {
    return fmt::format("{} reach {} at most, whatever the mapping{}: more work is not done in that time.{}", counts,
                       most, claim.without(), claim.beyond());
  }
  Rational machines;
  for (const plan::MachineType& type : words.catalogue.types) machines += Rational(*type.count);
  return fmt::format("{} reach {} at most{}: each {} needs {} of work, on {} machines {} each.{}", counts, most,
                     claim.without(), words.times.item(), words.times.readable(bound.period * machines),
                     machines.to_string(), words.times.readable(bound.period), claim.beyond());
}

// "6.3 MB": of the file before a stage, of whose size there is one for each data set.
std::string file_words(const PlanWords& words, std::size_t stage) {
  if (stage >= words.files.size() || !words.files[stage]) return "";
  return words.times.readable(*words.files[stage], tpn::Quantity::size);
}

std::size_t end_count(bool is_source, const PlanWords& words) {
  return is_source ? words.catalogue.sources : words.catalogue.sinks;
}

// "source"; "4 sources".
std::string end_words(bool is_source, const PlanWords& words) {
  const std::size_t count = end_count(is_source, words);
  const char* const word = is_source ? "source" : "sink";
  return count == 1 ? std::string(word) : fmt::format("{} {}s", count, word);
}

// "The source sends 0.9 MB in 7.2 ms"; "... on each of 2 ports"; "Each of the 4 sources, which take turns, sends ...".
std::string bound_words(const PeriodBound& bound, const PlanWords& words) {
  const bool is_source = bound.kind == PeriodBound::Kind::source;
  const std::size_t count = end_count(is_source, words);
  const tpn::PortCount all = is_source ? words.catalogue.source_ports : words.catalogue.sink_ports;
  const tpn::PortCount ports = all / count;
  const std::string time = words.times.readable(bound.period * Rational(all)) +
                           (ports == tpn::kOnePort ? std::string() : fmt::format(" on each of its {} ports", ports));
  const std::string file = file_words(words, is_source ? 0 : words.catalogue.stages.size());
  const std::string end = count == 1 ? fmt::format("The {}", end_words(is_source, words))
                                     : fmt::format("Each of the {}, which take turns,", end_words(is_source, words));
  if (file.empty()) {
    return fmt::format("{} takes {} to {} {} {}", end, time, is_source ? "send" : "receive",
                       count == 1 ? "each" : "its", words.times.item());
  }
  return fmt::format("{} {} {} in {}", end, is_source ? "sends" : "receives", file, time);
}

std::string stands_for_all(const PlanWords& words, std::size_t stage) {
  return types_there(words) > 1 && types_that_run(words, stage) > 1 ? "its fastest type" : "the type that there is";
}

PlanReason period_reason(const PeriodBound& bound, const PlanFindings& findings, const PlanWords& words) {
  const Rational planned = findings.wish.planned_period();
  const std::string wanted = words.rates.apart(planned, bound.period);
  const std::string time = words.times.readable(bound.period);
  const std::string most = words.rates.apart(bound.period, planned);
  const bool is_end = bound.kind == PeriodBound::Kind::source || bound.kind == PeriodBound::Kind::sink;
  const plan::MappingClaim claim(is_end ? plan::Prover::ends : plan::Prover::loads, words.usable);
  const std::string no_mapping = fmt::format("no mapping{} reaches {}.", claim.without(), wanted);
  switch (bound.kind) {
    case PeriodBound::Kind::not_replicable: {
      return {"not_replicable",
              fmt::format("{} {} is not replicable and takes {} on {} ({}); at most {}.", no_mapping,
                          stage_name(words, bound.stage), time, stands_for_all(words, bound.stage),
                          type_name(words, bound.type), most),
              bound.period, bound.stage, bound.type};
    }
    case PeriodBound::Kind::source:
      return {"source",
              fmt::format("{} {}, at best (to {}); at most {}.", no_mapping, bound_words(bound, words),
                          type_name(words, bound.type), most),
              bound.period, bound.stage, bound.type};
    case PeriodBound::Kind::sink:
      return {"sink",
              fmt::format("{} {}, at best (from {}); at most {}.", no_mapping, bound_words(bound, words),
                          type_name(words, bound.type), most),
              bound.period, bound.stage, bound.type};
    case PeriodBound::Kind::work:
      break;
  }
  return {"work", work_words(bound, words), bound.period};
}

// Of two types that no link is between, with an end of the world or not; empty if all are linked.
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

// What a part spends its time on: "receives 6.3 MB in 5.04 ms", "takes 9 ms to receive and compute".
std::string spends_words(const PlanWords& words, std::size_t first_stage, std::size_t last_stage,
                         const plan::PartTimes& times, const std::vector<plan::MachineLimit>& limits) {
  const Binding binding = binding_of(limits, times);
  const std::string time = words.times.readable(binding.time);
  const bool is_file = !binding.compute && binding.receive != binding.send;
  const bool receives = binding.receive || times.receive == binding.time;
  const std::string file = is_file ? file_words(words, receives ? first_stage : last_stage + 1) : "";
  if (!file.empty()) return fmt::format("{} {} in {}", receives ? "receives" : "sends", file, time);
  return fmt::format("takes {} to {}", time, binding_words(binding));
}

// The part of a stage that is not replicable, where no other part of it would do.
std::optional<PlanReason> part_reason(const PlanFindings& findings, const PlanWords& words) {
  const PlanWish& wish = findings.wish;
  const auto bounds = plan::part_bounds(words.catalogue, wish.model, wish.all_apart);
  if (bounds.empty() || bounds.front().period <= wish.planned_period()) return std::nullopt;
  const plan::PartBound& bound = bounds.front();
  const bool is_alone = bound.first_stage == bound.last_stage;
  const std::string text = fmt::format(
      "{} reaches {}. {} is not replicable and {}{} on {}, at best; at most {}.", none_typed(words),
      words.rates.apart(wish.planned_period(), bound.period), stage_name(words, bound.stage),
      is_alone ? "" : fmt::format("as {} ", stages_words(words.catalogue, bound.first_stage, bound.last_stage)),
      spends_words(words, bound.first_stage, bound.last_stage, bound.times,
                   words.catalogue.limits(wish.model, bound.type, false)),
      type_name(words, bound.type), words.rates.apart(bound.period, wish.planned_period()));
  return PlanReason{"part", text, bound.period, bound.stage, bound.type};
}

// Of the fastest plan of all, what keeps it from being faster: parts that are not replicable, or the ends.
std::string limiting_words(const PlanFindings& findings, const PlanWords& words) {
  if (!findings.reach) return "";
  const auto& fastest = findings.reach->unlimited ? findings.reach->unlimited : findings.reach->fastest;
  if (!fastest) return "";
  const plan::PlanFacts& facts = fastest->facts;
  for (std::size_t i = 0; i < fastest->parts.size(); ++i) {
    const plan::TypedPart& part = fastest->parts[i];
    if (facts.demands()[i] != fastest->kept * Rational(part.machines)) continue;
    const std::uint64_t partitions = words.catalogue.partitions(part.first_stage, part.last_stage);
    const plan::MachineType& type = words.catalogue.types[part.type];
    if (partitions > 0 && part.machines * type.cores == partitions) {
      return fmt::format(" In the fastest {}, of {} partitions, {} on each of {} {}{}.",
                         stages_words(words.catalogue, part.first_stage, part.last_stage), partitions,
                         spends_words(words, part.first_stage, part.last_stage, facts.times()[i], facts.limits()[i]),
                         part.machines, type_name(words, part.type), cores_words(type, part.machines));
    }
    if (words.catalogue.is_replicable(part.first_stage, part.last_stage)) continue;
    return fmt::format(" In the fastest {}, not replicable, {} on {}.",
                       stages_words(words.catalogue, part.first_stage, part.last_stage),
                       spends_words(words, part.first_stage, part.last_stage, facts.times()[i], facts.limits()[i]),
                       type_name(words, part.type));
  }
  if (facts.ends() != fastest->kept) return "";
  const Rational& received = facts.times().front().receive;
  const bool is_source = plan::end_demand(received, words.catalogue.source_ports) == facts.ends();
  const Rational& time = is_source ? received : facts.times().back().send;
  const std::size_t count = end_count(is_source, words);
  const tpn::PortCount ports = (is_source ? words.catalogue.source_ports : words.catalogue.sink_ports) / count;
  return fmt::format(" In the fastest {}the {} takes {} for {} {}{}.", count == 1 ? "" : "each of ",
                     end_words(is_source, words), words.times.readable(time), count == 1 ? "each" : "its",
                     words.times.item(), ports == tpn::kOnePort ? std::string() : fmt::format(", {} at a time", ports));
}

// What typed plans alone cannot do, as was found by search or multipliers.
PlanReason class_reason(const PlanFindings& findings, const PlanWords& words) {
  const PlanWish& wish = findings.wish;
  const bool has_period = wish.aim == PlanAim::period;
  const std::string does =
      has_period ? fmt::format("reaches {}", words.rates.of_period(wish.planned_period())) : std::string("is possible");
  if (!findings.unlimited) {
    if (has_period) {
      if (auto reason = part_reason(findings, words)) return *std::move(reason);
    }
    const std::string why = limiting_words(findings, words);
    return {"class", fmt::format("{} {}, whatever it costs: proved.{}", none_typed(words), does,
                                 why.empty() ? unlinked_words(words) : why)};
  }
  const plan::PlanFacts& facts = findings.unlimited->facts;
  const bool is_short = is_short_of_machines(findings, words);
  if (wish.latency && !is_short) {
    return {"latency",
            fmt::format("{} {} with {} that stay at most {}: proved. A plan for {} does if they may stay {}.",
                        none_typed(words), does, words.times.item_plural(), words.times.readable(*wish.latency),
                        words.money.said(facts.cost()), words.times.readable(facts.latency()))};
  }
  return {words.catalogue.has_counts() ? "counts" : "quotas",
          fmt::format("{} {}{}{}: proved.{}", none_typed(words), does, limits_words(words),
                      wish.latency ? ", within that latency" : "", exceeded_words(findings, words))};
}

std::optional<PlanReason> reason_of_aim(const PlanFindings& findings, const PlanWords& words) {
  if (findings.wish.aim != PlanAim::budget || !findings.unlimited) return std::nullopt;
  const plan::PlanFacts& cheapest = findings.unlimited->facts;
  if (cheapest.cost() <= findings.wish.budget) return std::nullopt;
  return PlanReason{"budget", fmt::format("{} costs less than {}, which reaches {}.", none_typed(words),
                                          words.money.said(cheapest.cost()), words.rates.of_period(cheapest.period()))};
}

}  // namespace

std::string none_typed(const PlanWords& words) { return plan::MappingClaim(plan::Prover::typed, words.usable).none(); }

std::string stay_words(const TimeWords& times, const Rational& least) {
  return fmt::format("each {} stays at least {}, in any mapping", times.item(), times.readable(least));
}

std::string quota_words(const tpn::QuotaUses& quota, const std::vector<std::uint64_t>& machines,
                        const PlanWords& words) {
  using Of = tpn::Quota::Of;
  const auto amount = [&](const Rational& number) {
    if (quota.quota.of == Of::memory) return words.times.readable(number, tpn::Quantity::size);
    return quota.quota.of == Of::price ? words.money.said(number) : number.to_string();
  };
  std::vector<std::string> names;
  for (const std::size_t type : quota.quota.types) names.push_back(type_name(words, type));
  std::string counted = names.empty() ? " in all" : " of " + names.front();
  for (std::size_t k = 1; k < names.size(); ++k) counted += (k + 1 == names.size() ? " and " : ", ") + names[k];
  const bool is_count = quota.quota.of == Of::machines || quota.quota.of == Of::cores;
  return fmt::format("{} of {}{}{}", amount(quota.of(machines)), amount(quota.quota.most),
                     is_count ? fmt::format(" {}", tpn::key_of(quota.quota.of)) : "", counted);
}

std::string machine_counts_words(const std::vector<std::uint64_t>& machines, const PlanWords& words) {
  std::vector<std::string> counts;
  for (std::size_t t = 0; t < machines.size(); ++t) {
    if (machines[t] == 0) continue;
    counts.push_back(
        fmt::format("{} {}{}", machines[t], type_name(words, t), cores_words(words.catalogue.types[t], machines[t])));
  }
  if (counts.empty()) return "no machine";
  if (counts.size() == 1) return counts.front();
  const std::string last = std::move(counts.back());
  counts.pop_back();
  return fmt::format("{} and {}", fmt::join(counts, ", "), last);
}

namespace {

// "500/s for 5, with 5 x"; of what is kept after failures.
std::string rate_and_price(const FoundPlan& plan, const PlanFindings& findings, const PlanWords& words) {
  const std::string machines = machine_counts_words(plan.facts.machines_by_type(), words);
  return fmt::format("{}{} {}", words.rates.of_period(plan.kept), findings.wish.survive > 0 ? " kept" : "",
                     words.money.counts_machines()
                         ? "with " + machines
                         : fmt::format("for {}, with {}", words.money.said(plan.facts.cost()), machines));
}

// The fastest within what there is, and without counts and latency where that is faster.
void add_fastest(std::vector<std::string>& sentences, const PlanFindings& findings, const PlanWords& words) {
  const PlanReach& reach = *findings.reach;
  const bool is_limited = words.catalogue.limits_machines();
  if (reach.fastest) {
    sentences.push_back(fmt::format("The fastest that was found{}: {}{}.", limits_words(words),
                                    rate_and_price(*reach.fastest, findings, words),
                                    reach.is_fastest ? "" : "; the time was up"));
  }
  const bool is_other = reach.unlimited && (!reach.fastest || reach.unlimited->kept < reach.fastest->kept);
  if (!is_other || !reach.is_unlimited_fastest) return;
  std::string without = !is_limited ? "that latency" : !words.catalogue.has_counts() ? "quotas" : "counts";
  if (words.catalogue.has_counts() && !words.catalogue.quotas.empty()) without += " and quotas";
  if (is_limited && findings.wish.latency) without += " and that latency";
  sentences.push_back(fmt::format("The fastest that was found without {}: {}.", without,
                                  rate_and_price(*reach.unlimited, findings, words)));
}

}  // namespace

std::vector<std::string> reach_sentences(const PlanFindings& findings, const PlanWords& words) {
  std::vector<std::string> sentences;
  if (!findings.reach) return sentences;
  const PlanReach& reach = *findings.reach;
  add_fastest(sentences, findings, words);
  if (reach.wider) {
    sentences.push_back(fmt::format("With the same machines, --among {} reaches it: {} with {}.", reach.wider->among,
                                    words.rates.of_period(reach.wider->period),
                                    machine_counts_words(reach.wider->machines, words)));
  }
  if (reach.with_more) sentences.push_back(addition_sentence(findings, words));
  return sentences;
}

std::string addition_sentence(const PlanFindings& findings, const PlanWords& words) {
  if (!findings.reach || !findings.reach->with_more) return "";
  const PlanReach& reach = *findings.reach;
  const std::string price =
      words.money.counts_machines() ? "" : fmt::format(", for {}", words.money.said(reach.added_cost));
  return fmt::format("{}: {}{}; then {}.", reach.is_least_added ? "The least to add that was found" : "Enough to add",
                     machine_counts_words(reach.added, words), price,
                     rate_and_price(*reach.with_more, findings, words));
}

std::optional<PlanReason> reason_of_any_mapping(const PlanFindings& findings, const PlanWords& words) {
  const plan::Catalogue& catalogue = words.catalogue;
  const PlanWish& wish = findings.wish;
  if (const auto stage = plan::stage_without_type(catalogue)) {
    return PlanReason{"stage", fmt::format("{} runs on none of the types: no time for it, or too little memory.",
                                           stage_name(words, *stage))};
  }
  if (wish.aim == PlanAim::period) {
    for (const PeriodBound& bound : plan::period_bounds(catalogue, wish.model)) {
      if (bound.period > wish.planned_period()) return period_reason(bound, findings, words);
    }
  }
  const Rational least_latency = plan::latency_bound(catalogue);
  if (wish.latency && least_latency > *wish.latency) {
    return PlanReason{"latency", stay_words(words.times, least_latency) + "."};
  }
  return std::nullopt;
}

PlanReason reason_of(const PlanFindings& findings, const PlanWords& words) {
  if (auto reason = reason_of_any_mapping(findings, words)) return *std::move(reason);
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

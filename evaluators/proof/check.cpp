// The checker: a closed walk for the lower bound, a schedule or one pass for the upper.
#include "evaluators/proof/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "evaluators/proof/check_clocks.hpp"

namespace takt::evaluators {

namespace {

using maxplus::modulo;
using tpn::Dependence;
using tpn::FoldedNet;
using tpn::Pipeline;

std::uint64_t gcd_with(const Integer& number, std::uint64_t other) {
  return mpz_gcd_ui(nullptr, number.get_mpz_t(), other);
}

std::string step_text(std::size_t number, const CertificateStep& step) {
  return fmt::format("step {} (column {} -> {}, height {})", number, step.column, step.to, step.height);
}

// The index of a resource in the net, if the net has it.
std::optional<std::size_t> find_resource(const FoldedNet& net, const ResourceName& name) {
  for (std::size_t r = 0; r < net.resources.size(); ++r) {
    const tpn::Resource& resource = net.resources[r];
    if (resource.kind == name.kind && net.pipeline.processors[resource.processor] == name.processor) return r;
  }
  return std::nullopt;
}

// --- Lower bound: a closed walk of dependences that repeats, lap after lap.

// The residues on which a dependence (from, to, height) holds, by modulus.
using Guards = std::map<std::uint64_t, std::set<std::uint64_t>>;
using GuardsOf = std::map<std::tuple<std::size_t, std::size_t, std::uint64_t>, Guards>;

// True where some modulus has every residue that data_set takes from lap to lap.
bool holds_on_every_lap(const Guards& guards, const Integer& data_set, const Integer& lap) {
  return std::ranges::any_of(guards, [&](const auto& guard) {
    const auto& [modulus, residues] = guard;
    const std::uint64_t stride = gcd_with(lap, modulus);
    if (residues.size() < modulus / stride) return false;
    for (std::uint64_t r = modulo(data_set, stride); r < modulus; r += stride) {
      if (!residues.contains(r)) return false;
    }
    return true;
  });
}

// The mean duration of a column over the data sets it is visited on, lap after lap.
class MeanDurations {
 public:
  MeanDurations(const Pipeline& pipeline, Integer lap) : pipeline_(pipeline), lap_(std::move(lap)) {}

  // Durations that were added up so far.
  const Integer& additions() const { return additions_; }
  // Those that the mean of a column would take.
  Integer additions_for(std::size_t column) const {
    const std::uint64_t period = pipeline_.columns[column].period;
    return period / gcd_with(lap_, period);
  }

  const Rational& at(std::size_t column, const Integer& data_set) {
    const std::uint64_t period = pipeline_.columns[column].period;
    const std::uint64_t stride = gcd_with(lap_, period);
    const std::uint64_t residue = modulo(data_set, stride);
    const auto [entry, is_new] = means_.try_emplace({column, residue});
    if (is_new) {
      additions_ += additions_for(column);
      Integer total = 0;
      for (std::uint64_t j = residue; j < period; j += stride) total += pipeline_.columns[column].duration(j);
      entry->second = Rational::fraction(total, pipeline_.scale * Integer(period / stride));
    }
    return entry->second;
  }

 private:
  const Pipeline& pipeline_;
  Integer lap_;
  Integer additions_ = 0;
  std::map<std::pair<std::size_t, std::uint64_t>, Rational> means_;
};

// The dependences of a net by what a step says of them, and whether they hold lap after lap.
class RepeatedDependences {
 public:
  RepeatedDependences(const FoldedNet& net, Integer lap) : lap_(std::move(lap)) {
    for (const Dependence& d : net.dependences) guards_[{d.from, d.to, d.height}][d.modulus].insert(d.residue);
  }

  bool hold(const CertificateStep& step, const Integer& data_set) {
    const auto found = guards_.find({step.column, step.to, step.height});
    if (found == guards_.end()) return false;
    const Guards& guards = found->second;
    Integer strides = 1;
    for (const auto& [modulus, residues] : guards) strides = lcm(strides, Integer(gcd_with(lap_, modulus)));
    const auto [entry, is_new] = answered_.try_emplace({&guards, data_set % strides});
    if (is_new) entry->second = holds_on_every_lap(guards, data_set, lap_);
    return entry->second;
  }

 private:
  Integer lap_;
  GuardsOf guards_;
  // What holds at a data set holds at those a multiple of all strides away.
  std::map<std::pair<const Guards*, Integer>, bool> answered_;
};

// The sum of the heights of a walk that is closed; else why it is not.
std::variant<Integer, Refused> length_of_lap(const CertificateWalk& walk) {
  if (walk.steps.empty()) return Refused{"the circuit has no steps"};
  Integer lap = 0;
  for (std::size_t t = 0; t < walk.steps.size(); ++t) {
    const std::size_t next = walk.steps[(t + 1) % walk.steps.size()].column;
    if (walk.steps[t].to != next) {
      return Refused{fmt::format("{} of the circuit leads to column {}, but the next one starts from column {}",
                                 step_text(t, walk.steps[t]), walk.steps[t].to, next)};
    }
    lap += walk.steps[t].height;
  }
  if (lap == 0) return Refused{"the circuit's heights sum to 0"};
  return lap;
}

Verdict check_walk(const FoldedNet& net, const CertificateWalk& walk, const Rational& lower,
                   std::uint64_t max_operations) {
  const auto length = length_of_lap(walk);
  if (const auto* refused = std::get_if<Refused>(&length)) return *refused;
  const Integer& lap = std::get<Integer>(length);
  RepeatedDependences dependences(net, lap);
  MeanDurations means(net.pipeline, lap);
  Integer data_set = walk.data_set;
  Rational weight;
  for (std::size_t t = 0; t < walk.steps.size(); ++t) {
    const CertificateStep& step = walk.steps[t];
    if (!dependences.hold(step, data_set)) {
      return Refused{fmt::format("{} of the circuit is no dependence at data set {} on every lap", step_text(t, step),
                                 data_set.get_str())};
    }
    const Integer additions = means.additions() + means.additions_for(step.column);
    if (additions > max_operations) return tpn::TooLarge{tpn::LimitKind::checked_durations, additions, max_operations};
    weight += means.at(step.column, data_set);
    data_set += step.height;
  }
  const Rational ratio = weight / Rational(lap);
  if (ratio < lower) {
    return Refused{fmt::format("the circuit takes {} time units per data set, less than the {} claimed",
                               ratio.to_string(), lower.to_string())};
  }
  return Proven{};
}

Verdict check_lower(const FoldedNet& net, const Certificate& certificate, std::uint64_t max_operations) {
  if (const auto* walk = std::get_if<CertificateWalk>(&certificate.circuit)) {
    return check_walk(net, *walk, certificate.lower, max_operations);
  }
  const auto& name = std::get<ResourceName>(certificate.circuit);
  const auto resource = find_resource(net, name);
  if (!resource) return Refused{fmt::format("the mapping has no resource {} under this model", text(name))};
  const Rational& cycle_time = net.resources[*resource].cycle_time;
  if (cycle_time < certificate.lower) {
    return Refused{fmt::format("the cycle time of {} is {}, less than the {} claimed", text(name),
                               cycle_time.to_string(), certificate.lower.to_string())};
  }
  return Proven{};
}

// --- Upper bound by a schedule of residue classes.

// For each residue modulo g, the earliest start(p) - mu p of a column's classes p of that residue.
std::vector<Rational> earliest_starts(const ColumnSchedule& schedule, std::uint64_t g, const Rational& mu) {
  std::vector<Rational> earliest;
  for (std::size_t p = 0; p < schedule.start.size(); ++p) {
    Rational start = schedule.start[p] - mu * Rational(p);
    if (p < g) {
      earliest.push_back(std::move(start));
    } else if (start < earliest[p % g]) {
      earliest[p % g] = std::move(start);
    }
  }
  return earliest;
}

using ScheduleByColumn = std::vector<const ColumnSchedule*>;

// One for each column, of moduli that its durations and guards divide; or why not.
std::variant<ScheduleByColumn, Refused> order_by_column(const FoldedNet& net,
                                                        const std::vector<ColumnSchedule>& schedules) {
  const Pipeline& pipeline = net.pipeline;
  ScheduleByColumn by_column(pipeline.columns.size(), nullptr);
  for (const ColumnSchedule& schedule : schedules) {
    if (schedule.column >= by_column.size()) {
      return Refused{
          fmt::format("the schedule speaks of column {}; the net has {}", schedule.column, by_column.size())};
    }
    if (by_column[schedule.column] != nullptr) {
      return Refused{fmt::format("the schedule has column {} twice", schedule.column)};
    }
    if (schedule.start.empty() || schedule.start.size() % pipeline.columns[schedule.column].period != 0) {
      return Refused{fmt::format("the schedule's modulus {} for column {} is no multiple of {}, its period",
                                 schedule.start.size(), schedule.column, pipeline.columns[schedule.column].period)};
    }
    by_column[schedule.column] = &schedule;
  }
  for (std::size_t c = 0; c < by_column.size(); ++c) {
    if (by_column[c] == nullptr) return Refused{fmt::format("the schedule lacks column {}", c)};
  }
  for (const Dependence& d : net.dependences) {
    if (by_column[d.from]->start.size() % d.modulus != 0) {
      return Refused{fmt::format("the schedule's modulus {} for column {} is no multiple of {}, the period of a guard",
                                 by_column[d.from]->start.size(), d.from, d.modulus)};
    }
  }
  return by_column;
}

Refusal check_schedule(const FoldedNet& net, const std::vector<ColumnSchedule>& schedules, const Rational& mu) {
  const auto ordered = order_by_column(net, schedules);
  if (const auto* refused = std::get_if<Refused>(&ordered)) return *refused;
  const auto& by_column = std::get<ScheduleByColumn>(ordered);
  // The dependence holds for all data sets p + K l and p' + K' l' that it joins: those are all pairs of
  // classes with p + height = p' modulo the gcd of K and K'.
  std::map<std::pair<std::size_t, std::uint64_t>, std::vector<Rational>> earliest;
  for (const Dependence& d : net.dependences) {
    const ColumnSchedule& from = *by_column[d.from];
    const ColumnSchedule& to = *by_column[d.to];
    const std::uint64_t g = std::gcd(from.start.size(), to.start.size());
    auto& starts = earliest[{d.to, g}];
    if (starts.empty()) starts = earliest_starts(to, g, mu);
    for (std::uint64_t p = d.residue; p < from.start.size(); p += d.modulus) {
      const Rational end = from.start[p] + net.pipeline.duration({p, d.from});
      if (end - mu * Rational(Integer(p) + Integer(d.height)) > starts[(p % g + d.height % g) % g]) {
        return Refused{
            fmt::format("the schedule breaks a dependence: column {} ends data sets {} modulo {} at {}, too "
                        "late for column {}, {} data sets later",
                        d.from, p, from.start.size(), end.to_string(), d.to, d.height)};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::variant<Proven, Refused, tpn::TooLarge> check(const FoldedNet& net, const Certificate& certificate,
                                                   std::uint64_t max_operations) {
  if (certificate.lower > certificate.upper) return Refused{"the lower bound is above the upper bound"};
  Verdict lower = check_lower(net, certificate, max_operations);
  if (!std::holds_alternative<Proven>(lower)) return lower;
  if (const auto* clocks = std::get_if<std::vector<CertificateClock>>(&certificate.witness)) {
    return check_clocks(net, *clocks, certificate.upper, max_operations);
  }
  if (const auto* columns = std::get_if<std::vector<ColumnClockList>>(&certificate.witness)) {
    return check_column_clocks(net, *columns, certificate.upper, max_operations);
  }
  const auto& schedules = std::get<std::vector<ColumnSchedule>>(certificate.witness);
  if (auto refusal = check_schedule(net, schedules, certificate.upper)) return *refusal;
  return Proven{};
}

std::variant<Proven, Refused, tpn::TooLarge> check(const tpn::Document& document, const Certificate& certificate,
                                                   std::uint64_t max_operations) {
  const auto folded = tpn::fold(document, certificate.model);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) return *too_large;
  return check(std::get<FoldedNet>(folded), certificate, max_operations);
}

}  // namespace takt::evaluators

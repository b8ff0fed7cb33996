// The checker: a closed walk for the lower bound; what proves the upper stands in files of its own.
#include "evaluators/proof/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "evaluators/proof/check_clocks.hpp"
#include "evaluators/proof/check_expected.hpp"
#include "evaluators/proof/check_potentials.hpp"
#include "evaluators/proof/check_schedule.hpp"
#include "tpn/errors.hpp"
#include "tpn/rates.hpp"

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

// Whether guards together hold on every lap of a data set.
class LapGuards {
 public:
  LapGuards(const Guards& guards, const Integer& lap) {
    for (const auto& [modulus, residues] : guards) {
      const std::uint64_t stride = gcd_with(lap, modulus);
      moduli_.push_back({modulus, stride, modulo(lap, modulus), &residues});
      laps_ = lcm(laps_, Integer(modulus / stride));
      strides_ = lcm(strides_, Integer(stride));
    }
  }

  // What holds at a data set holds at those a multiple of this away.
  const Integer& strides() const { return strides_; }

  // Nothing beyond the budget.
  std::optional<bool> hold_from(const Integer& data_set, CheckBudget& budget) const {
    for (const LapModulus& guard : moduli_) {
      if (guard.residues->size() < guard.modulus / guard.stride) continue;
      if (!budget.spend(guard.modulus / guard.stride)) return std::nullopt;
      if (holds_alone(guard, data_set)) return true;
    }
    if (moduli_.size() == 1) return false;
    std::vector<std::uint64_t> at;
    for (const LapModulus& guard : moduli_) at.push_back(modulo(data_set, guard.modulus));
    for (Integer lap = 0; lap < laps_; ++lap) {
      if (!budget.spend(moduli_.size())) return std::nullopt;
      bool holds = false;
      for (std::size_t k = 0; k < at.size(); ++k) {
        holds = holds || moduli_[k].residues->contains(at[k]);
        at[k] = (at[k] + moduli_[k].step) % moduli_[k].modulus;
      }
      if (!holds) return false;
    }
    return true;
  }

 private:
  // The residues of one modulus: from lap to lap the data sets' residues go on by `step` and are all those of a residue
  // modulo `stride`.
  struct LapModulus {
    std::uint64_t modulus = 1;
    std::uint64_t stride = 1;
    std::uint64_t step = 0;
    const std::set<std::uint64_t>* residues = nullptr;
  };

  static bool holds_alone(const LapModulus& guard, const Integer& data_set) {
    for (std::uint64_t r = modulo(data_set, guard.stride); r < guard.modulus; r += guard.stride) {
      if (!guard.residues->contains(r)) return false;
    }
    return true;
  }

  std::vector<LapModulus> moduli_;
  Integer laps_ = 1;  // after which all moduli repeat
  Integer strides_ = 1;
};

// The time that a lap takes on average: for each step the mean duration of its column over the data sets it is visited
// on, lap after lap.
class LapTime {
 public:
  LapTime(const Pipeline& pipeline, Integer lap, CheckBudget& budget)
      : pipeline_(pipeline), lap_(std::move(lap)), budget_(budget) {}

  // A step on that data set. False beyond the budget, as below.
  bool add(std::size_t column, const Integer& data_set) {
    const tpn::Column& visited = pipeline_.columns[column];
    const std::uint64_t stride = gcd_with(lap_, visited.period);
    const std::uint64_t residue = modulo(data_set, stride);
    Visits& visits = visits_[column];
    if (visits.totals.empty()) {
      visits.terms = visited.period / stride;
      visits.length = pieces(visited.table.longest());
    }
    const auto [entry, is_new] = visits.totals.try_emplace(residue);
    Integer& total = entry->second;
    if (is_new) {
      if (!budget_.spend(Integer(visits.terms) * visits.length)) return false;
      for (std::uint64_t j = residue; j < visited.period; j += stride) {
        if (!budget_.has_time(visits.length)) return false;
        total += visited.duration(j);
      }
    }
    if (!budget_.spend(pieces(total))) return false;
    visits.time += total;
    return true;
  }

  // Per data set, in time units.
  std::optional<Rational> per_data_set() {
    Integer common = 1;
    for (const auto& [column, visits] : visits_) {
      const Integer terms(visits.terms);
      if (!budget_.spend(divisor_cost(common, terms))) return std::nullopt;
      common = lcm(common, terms);
    }
    Integer time = 0;
    for (const auto& [column, visits] : visits_) {
      if (!budget_.spend(product_cost(visits.time, common))) return std::nullopt;
      time += visits.time * (common / visits.terms);
    }
    if (!budget_.spend(product_cost(pipeline_.scale, common))) return std::nullopt;
    const Integer data_sets = common * pipeline_.scale * lap_;
    if (!budget_.spend(divisor_cost(time, data_sets))) return std::nullopt;
    return Rational::fraction(time, data_sets);
  }

 private:
  // Of a column. A visit takes a total divided by `terms`; `time` is the sum of the totals over all visits.
  struct Visits {
    std::uint64_t terms = 1;
    std::uint64_t length = 1;                 // of durations, in pieces
    std::map<std::uint64_t, Integer> totals;  // by residue
    Integer time = 0;
  };

  const Pipeline& pipeline_;
  Integer lap_;
  CheckBudget& budget_;
  std::map<std::size_t, Visits> visits_;  // by column
};

// The dependences of a net by what a step says of them, and whether they hold lap after lap.
class RepeatedDependences {
 public:
  // Those that steps of the walk speak of.
  RepeatedDependences(const FoldedNet& net, const CertificateWalk& walk, Integer lap) : lap_(std::move(lap)) {
    for (const CertificateStep& step : walk.steps) guards_.try_emplace({step.column, step.to, step.height});
    for (const Dependence& d : net.dependences) {
      const auto found = guards_.find({d.from, d.to, d.height});
      if (found != guards_.end()) found->second[d.modulus].insert(d.residue);
    }
  }

  // Nothing beyond the budget.
  std::optional<bool> hold(const CertificateStep& step, const Integer& data_set, CheckBudget& budget) {
    const Guards& guards = guards_.at({step.column, step.to, step.height});
    if (guards.empty()) return false;
    if (!budget.spend(guards.size())) return std::nullopt;
    const LapGuards of_lap(guards, lap_);
    const auto [entry, is_new] = answered_.try_emplace({&guards, data_set % of_lap.strides()});
    if (is_new) {
      const auto answer = of_lap.hold_from(data_set, budget);
      if (!answer) return std::nullopt;
      entry->second = *answer;
    }
    return entry->second;
  }

 private:
  Integer lap_;
  GuardsOf guards_;
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

Verdict check_walk(const FoldedNet& net, const CertificateWalk& walk, const Rational& lower, CheckBudget& budget) {
  const auto length = length_of_lap(walk);
  if (const auto* refused = std::get_if<Refused>(&length)) return *refused;
  const Integer& lap = std::get<Integer>(length);
  RepeatedDependences dependences(net, walk, lap);
  LapTime time(net.pipeline, lap, budget);
  // What a step says of a data set it says of those whole laps away, however many digits the first one has.
  const Integer first = walk.data_set % lap;
  Integer data_set = first;
  for (std::size_t t = 0; t < walk.steps.size(); ++t) {
    const CertificateStep& step = walk.steps[t];
    const auto holds = dependences.hold(step, data_set, budget);
    if (!holds) return verdict_of(budget.unchecked());
    if (!*holds) {
      return Refused{fmt::format("{} of the circuit is no dependence at data set {} on every lap", step_text(t, step),
                                 Integer(walk.data_set + data_set - first).get_str())};
    }
    if (!time.add(step.column, data_set)) return verdict_of(budget.unchecked());
    data_set += step.height;
  }
  const auto ratio = time.per_data_set();
  if (!ratio) return verdict_of(budget.unchecked());
  if (*ratio < lower) {
    return Refused{fmt::format("the circuit takes {} time units per data set, less than the {} claimed",
                               ratio->to_string(), lower.to_string())};
  }
  return Proven{};
}

Verdict check_lower(const FoldedNet& net, const Certificate& certificate, CheckBudget& budget) {
  if (const auto* walk = std::get_if<CertificateWalk>(&certificate.circuit)) {
    return check_walk(net, *walk, certificate.lower, budget);
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

// The capacity that a certificate names, in the pipeline's own indices; or what the mapping does not have.
std::variant<tpn::Capacity, Refused> capacity_of(const Pipeline& pipeline, const Certificate& certificate) {
  tpn::Capacity capacity;
  capacity.window = certificate.window;
  using Place = std::tuple<std::string_view, std::size_t, tpn::BufferSide, std::optional<std::string>>;
  std::map<Place, tpn::Buffer> known;
  for (const tpn::Buffer& buffer : tpn::buffers_of(pipeline)) {
    const std::size_t part = pipeline.parts[buffer.part].mapping_part;
    known.try_emplace({pipeline.processors[buffer.processor], part, buffer.side, tpn::other_part_of(buffer, pipeline)},
                      buffer);
  }
  std::set<Place> seen;
  for (const CertificateBuffer& named : certificate.buffers) {
    const auto found = known.find({named.processor, named.part, named.side, named.other});
    if (found == known.end() || !seen.insert(found->first).second) {
      return Refused{fmt::format("the {}-buffer of {} in part {} {}", tpn::name_of(named.side), named.processor,
                                 named.part, found == known.end() ? "never holds a file" : "is listed twice")};
    }
    capacity.buffers.push_back(found->second);
    capacity.buffers.back().room = named.room;
  }
  return capacity;
}

// What the certificate limits beyond the rooms of the instance, which it must repeat.
std::variant<tpn::Capacity, Refused> further_than(const FoldedNet& net, tpn::Capacity named) {
  for (const tpn::Buffer& own : net.capacity.buffers) {
    const auto same = std::ranges::find_if(
        named.buffers, [&](const tpn::Buffer& other) { return other.is_place_of(own) && other.room == own.room; });
    if (same == named.buffers.end()) {
      return Refused{
          fmt::format("the instance has room for {} file{} in the {}-buffer of {} in part {}, which the certificate "
                      "does not mention",
                      own.room, own.room == 1 ? "" : "s", tpn::name_of(own.side),
                      net.pipeline.processors[own.processor], net.pipeline.parts[own.part].mapping_part)};
    }
    named.buffers.erase(same);
  }
  return named;
}

}  // namespace

Verdict verdict_of(const Unchecked& unchecked) {
  return std::visit([](const auto& why) -> Verdict { return why; }, unchecked);
}

Verdict check(const FoldedNet& net, const Certificate& certificate, const CheckLimits& limits) {
  if (certificate.lower > certificate.upper) return Refused{"the lower bound is above the upper bound"};
  CheckBudget budget(limits);
  Verdict lower = check_lower(net, certificate, budget);
  if (!std::holds_alternative<Proven>(lower)) return lower;
  if (const auto* clocks = std::get_if<std::vector<CertificateClock>>(&certificate.witness)) {
    return check_clocks(net, *clocks, certificate.upper, budget);
  }
  if (const auto* columns = std::get_if<std::vector<ColumnClockList>>(&certificate.witness)) {
    return check_column_clocks(net, *columns, certificate.upper, budget);
  }
  if (const auto* potentials = std::get_if<PotentialSchedule>(&certificate.witness)) {
    return check_potentials(net, *potentials, certificate.upper, limits);
  }
  return check_schedule(net, std::get<std::vector<ColumnSchedule>>(certificate.witness), certificate.upper, budget);
}

namespace {

Verdict check_folded(const tpn::Document& document, const Certificate& certificate, const CheckLimits& limits) {
  auto folded = tpn::fold(document, certificate.model, {}, tpn::RatedStages::as_loads);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) return *too_large;
  FoldedNet& net = std::get<FoldedNet>(folded);
  auto named = capacity_of(net.pipeline, certificate);
  if (auto* refused = std::get_if<Refused>(&named)) return std::move(*refused);
  auto further = further_than(net, std::get<tpn::Capacity>(std::move(named)));
  if (auto* refused = std::get_if<Refused>(&further)) return std::move(*refused);
  const auto limited = tpn::with_capacity(std::move(net), std::get<tpn::Capacity>(std::move(further)));
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&limited)) return *too_large;
  const FoldedNet& checked = std::get<FoldedNet>(limited);
  if (const auto why = tpn::why_rates_only(checked)) {
    return Refused{fmt::format(
        "a stage consumes or produces several files, and of such a net takt knows rates only where {}", *why)};
  }
  Verdict verdict = check(checked, certificate, limits);
  if (!certificate.expected_upper || !std::holds_alternative<Proven>(verdict)) return verdict;
  auto expected = expected_upper(document, checked, certificate.upper);
  if (auto* why = std::get_if<std::string>(&expected)) return Refused{"of the expected period: " + *why};
  if (*certificate.expected_upper < std::get<Rational>(expected)) {
    return Refused{fmt::format("the expected period is known to be at most {}, which is more than the {} claimed",
                               std::get<Rational>(expected).to_string(), certificate.expected_upper->to_string())};
  }
  return verdict;
}

}  // namespace

Verdict check(const tpn::Document& document, const Certificate& certificate, const CheckLimits& limits) {
  try {
    return check_folded(document, certificate, limits);
  } catch (const tpn::InvalidInstance& error) {
    // A file of a transfer that is ahead would wait for itself: of room, or a window, that small nothing holds.
    return Refused{error.detail};
  }
}

}  // namespace takt::evaluators

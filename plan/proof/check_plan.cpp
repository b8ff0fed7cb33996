// The checker: potentials held against every edge.
#include "plan/proof/check_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "plan/proof/catalogue_times.hpp"
#include "plan/proof/part_demands.hpp"
#include "plan/proof/plans_take.hpp"
#include "tpn/models.hpp"
#include "tpn/quotas.hpp"

namespace takt::plan {

namespace {

using tpn::LimitKind;
using tpn::TooLarge;

// Nothing: go on.
using Answer = std::optional<PlanVerdict>;

constexpr std::uint64_t kPieceBits = 1024;

PlanVerdict refused(std::string reason) { return PlanRefused{std::move(reason)}; }

Integer pieces(const Integer& number) { return mpz_sizeinbase(number.get_mpz_t(), 2) / kPieceBits + 1; }

// What an edge costs, in units of which all costs and potentials are whole numbers.
struct Costs {
  Rational unit = 1;
  std::vector<Integer> machines;  // by type, one
  std::vector<Integer> premiums;  // by type, of one on demand
  Integer tick;                   // that a data set stays
};

class PlanChecker {
 public:
  PlanChecker(const tpn::Document& document, const PlanCertificate& certificate, const PlanCheckLimits& limits)
      : document_(document),
        certificate_(certificate),
        limits_(limits),
        stages_(document.application.stages.size()),
        types_(document.platform.types.size()) {
    for (std::size_t t = 0; t < types_; ++t) indices_.emplace(type_name(t), t);
    for (const tpn::Quota& quota : document.platform.quotas)
      quotas_.push_back(tpn::quota_uses(quota, document.platform));
  }

  PlanVerdict run() {
    if (const auto reason = tpn::why_refused(kProvedPlansTake, document_)) return PlanRefused{"plans: " + *reason};
    if (Answer answer = look_at_claim()) return *answer;
    // As many as there are transfers and states.
    if (Answer answer = spend(Integer(stages_) * types_ * types_)) return *answer;
    const PlanTarget& target = certificate_.target;
    // So that both are whole numbers of ticks.
    const Integer parts = lcm(target.period.denominator(), target.on_demand.value_or(1).denominator());
    auto times = catalogue_times(document_, Rational::fraction(1, parts));
    if (const auto* too_large = std::get_if<TooLarge>(&times)) return *too_large;
    const auto& known = std::get<CatalogueTimes>(times);
    if (Answer answer = look_at_costs(known)) return *answer;
    if (Answer answer = look_at_potentials()) return *answer;
    const PartDemands demands(document_, known, certificate_.target);
    for (std::size_t last = 0; last < stages_; ++last) {
      for (std::size_t t = 0; t < types_; ++t) {
        if (Answer answer = look_at_parts(known, demands, last, t)) return *answer;
      }
    }
    return conclude();
  }

 private:
  // Before a potential: operations, each as often as the numbers are long.
  Answer spend(const Integer& operations) {
    spent_ += operations * longest_;
    if (spent_ > limits_.operations) return TooLarge{LimitKind::checked_operations, spent_, limits_.operations};
    unasked_ += operations * longest_;
    if (unasked_ < 1 << 14) return std::nullopt;
    unasked_ = 0;
    if (limits_.is_out_of_time && limits_.is_out_of_time()) return PlanCheckTimeout{};
    return std::nullopt;
  }

  std::optional<std::size_t> find_type(const std::string& name) const {
    const auto at = indices_.find(name);
    if (at == indices_.end()) return std::nullopt;
    return at->second;
  }

  const std::string& type_name(std::size_t t) const { return document_.platform.types[t].name; }

  // The most machines of a type; nothing if there is no limit.
  std::optional<Rational> count_of(std::size_t t) const {
    const auto own = certificate_.target.counts.find(type_name(t));
    if (own != certificate_.target.counts.end()) return Rational(own->second);
    return document_.platform.types[t].count;
  }

  Answer look_at_claim() const {
    if (types_ == 0) return refused("the document has no types of processors");
    const PlanTarget& target = certificate_.target;
    if (!tpn::follows_cycle_times(target.model)) {
      return refused(fmt::format("found the model {}, expected one whose periods follow from cycle times",
                                 tpn::label_of(target.model)));
    }
    if (target.period.sign() <= 0) return refused("the period is not positive");
    if (target.on_demand && target.on_demand->sign() <= 0)
      return refused("the period of the machines on demand is not positive");
    for (const auto& [name, count] : target.counts) {
      if (!find_type(name)) return refused(fmt::format("found a count for {}, which is no type", name));
    }
    for (const auto& [name, multiplier] : certificate_.multipliers) {
      const auto type = find_type(name);
      if (!type) return refused(fmt::format("found a multiplier for {}, which is no type", name));
      if (multiplier.sign() < 0) {
        return refused(fmt::format("the multiplier of {} is {}, expected at least 0", name, multiplier.to_string()));
      }
      if (multiplier.sign() > 0 && !count_of(*type)) {
        return refused(fmt::format("the multiplier of {} is {}, expected 0: their number is unlimited", name,
                                   multiplier.to_string()));
      }
    }
    if (Answer answer = look_at_quotas()) return answer;
    const Rational& latency = certificate_.latency_multiplier;
    if (latency.sign() < 0 || (latency.sign() > 0 && !target.latency)) {
      return refused(fmt::format("the multiplier of the latency is {}, expected {}", latency.to_string(),
                                 target.latency ? "at least 0" : "0, for it has no limit"));
    }
    return std::nullopt;
  }

  Answer look_at_quotas() const {
    const std::vector<Rational>& multipliers = certificate_.quota_multipliers;
    if (!multipliers.empty() && multipliers.size() != quotas_.size()) {
      return refused(fmt::format("found {} multipliers of quotas, expected {}", multipliers.size(), quotas_.size()));
    }
    for (std::size_t q = 0; q < multipliers.size(); ++q) {
      if (multipliers[q].sign() >= 0) continue;
      return refused(
          fmt::format("the multiplier of quota {} is {}, expected at least 0", q, multipliers[q].to_string()));
    }
    return std::nullopt;
  }

  // Of a machine, that of its type and those of what it takes of quotas.
  Rational charge_of(std::size_t t) const {
    Rational charge = multiplier_of(t);
    for (std::size_t q = 0; q < certificate_.quota_multipliers.size(); ++q)
      charge += certificate_.quota_multipliers[q] * quotas_[q].uses[t];
    return charge;
  }

  // Of a machine of the type, on demand or not; and what it costs more where it is.
  Rational price_of(std::size_t t) const {
    const tpn::ProcessorType& type = document_.platform.types[t];
    return certificate_.target.at_spot_prices ? type.spot_price.value_or(type.price) : type.price;
  }
  Rational premium_of(std::size_t t) const {
    return certificate_.target.on_demand ? document_.platform.types[t].price - price_of(t) : Rational(0);
  }

  Rational multiplier_of(std::size_t t) const {
    const auto at = certificate_.multipliers.find(type_name(t));
    return at == certificate_.multipliers.end() ? Rational(0) : at->second;
  }

  Answer look_at_costs(const CatalogueTimes& times) {
    std::vector<Rational> exact;
    for (std::size_t t = 0; t < types_; ++t)
      exact.push_back(charge_of(t) + (certificate_.bound ? price_of(t) : Rational(0)));
    for (std::size_t t = 0; t < types_; ++t) exact.push_back(certificate_.bound ? premium_of(t) : Rational(0));
    exact.push_back(certificate_.latency_multiplier / Rational(times.scale));
    std::optional<Integer> denominator = 1;
    for (const Rational& cost : exact) {
      denominator = common_denominator(*denominator, cost);
      if (!denominator) return TooLarge{LimitKind::denominator_bits, kPlanDenominatorBits + 1, kPlanDenominatorBits};
    }
    costs_.unit = Rational::fraction(1, *denominator);
    longest_ = std::max(pieces(*denominator), pieces(times.scale));
    const auto units = [&](const Rational& cost) { return (cost / costs_.unit).numerator(); };
    for (std::size_t t = 0; t < types_; ++t) costs_.machines.push_back(units(exact[t]));
    for (std::size_t t = 0; t < types_; ++t) costs_.premiums.push_back(units(exact[types_ + t]));
    costs_.tick = units(exact.back());
    return std::nullopt;
  }

  std::size_t state(std::size_t stage, std::size_t t, std::size_t u) const { return (stage * types_ + t) * types_ + u; }

  std::string state_text(std::size_t stage, std::size_t t, std::size_t u) const {
    const std::string next = stage == stages_ ? "" : fmt::format(", next {}", type_name(u));
    return fmt::format("stage {}, type {}{}", stage, type_name(t), next);
  }

  static std::string next_text(std::size_t stage, bool is_last) {
    if (is_last) {
      return fmt::format(
          "found a potential of stage {} with a next type, expected none: no part follows the last stage", stage);
    }
    return fmt::format("found a potential of stage {} without a next type, expected one", stage);
  }

  Answer look_at_potentials() {
    potentials_.resize((stages_ + 1) * types_ * types_);
    for (const PlanPotential& potential : certificate_.potentials) {
      if (Answer answer = spend(1)) return answer;
      if (potential.stage == 0 || potential.stage > stages_) {
        return refused(fmt::format("found a potential of stage {}, expected 1 to {}", potential.stage, stages_));
      }
      const bool is_last = potential.stage == stages_;
      if (potential.next.has_value() == is_last) return refused(next_text(potential.stage, is_last));
      const auto t = find_type(potential.type);
      const auto u = is_last ? std::optional<std::size_t>(0) : find_type(*potential.next);
      if (!t || !u) {
        return refused(fmt::format("found a potential of {}, which is no type", t ? *potential.next : potential.type));
      }
      const std::string place = state_text(potential.stage, *t, *u);
      const Rational units = potential.value / costs_.unit;
      if (!units.is_integer()) {
        return refused(fmt::format("the potential of {} is {}, expected a multiple of {}, as all costs are", place,
                                   potential.value.to_string(), costs_.unit.to_string()));
      }
      auto& entry = potentials_[state(potential.stage, *t, *u)];
      if (entry) return refused(fmt::format("{} has two potentials", place));
      entry = units.numerator();
      longest_ = std::max(longest_, pieces(*entry));
    }
    return std::nullopt;
  }

  // All parts that end with a stage, on machines of a type.
  Answer look_at_parts(const CatalogueTimes& times, const PartDemands& demands, std::size_t last, std::size_t t) {
    const std::size_t least = demands.least_first(last, t);
    Integer compute = times.fixed[t].value_or(0);
    bool is_replicable = true;
    std::uint64_t partitions = 0;
    for (std::size_t first = last + 1; first-- > least;) {
      compute += *times.computations[first * types_ + t];
      is_replicable = is_replicable && document_.application.stages[first].replicable;
      partitions = std::gcd(partitions, document_.application.stages[first].partitions);
      const std::size_t next_types = last + 1 == stages_ ? 1 : types_;
      for (std::size_t u = 0; u < next_types; ++u) {
        const std::optional<Integer>& send = times.sending(last, t, u);
        if (!send || (last + 1 == stages_ && !demands.sink_keeps_up(*send))) continue;
        const Edge edge{first, last, t, u, is_replicable, partitions};
        if (Answer answer = look_at_edges(times, demands, edge, compute, *send)) return answer;
      }
    }
    return std::nullopt;
  }

  struct Edge {
    std::size_t first;
    std::size_t last;
    std::size_t type;
    std::size_t next;
    bool is_replicable;
    std::uint64_t partitions;  // which the cores of all its machines divide; 0: none
  };

  // Machines, no fewer than those, whose cores divide the partitions; nothing if there are none.
  std::optional<Integer> divided(const Edge& edge, const Integer& least) {
    if (edge.partitions == 0 || !edge.is_replicable) return least;
    const std::uint64_t cores = document_.platform.types[edge.type].cores;
    if (least > edge.partitions / cores) return std::nullopt;
    const auto [known, is_new] = divisors_.try_emplace({edge.partitions, cores});
    std::vector<std::uint64_t>& allowed = known->second;
    for (std::uint64_t all = cores; is_new && all <= edge.partitions; all += cores) {
      if (edge.partitions % all == 0) allowed.push_back(all / cores);
    }
    const auto enough = std::ranges::lower_bound(allowed, std::uint64_t{least.get_ui()});
    if (enough == allowed.end()) return std::nullopt;
    return Integer(static_cast<unsigned long>(*enough));
  }

  // From every state in which the stages before are placed.
  Answer look_at_edges(const CatalogueTimes& times, const PartDemands& demands, const Edge& edge,
                       const Integer& compute, const Integer& send) {
    const std::size_t types_before = edge.first == 0 ? 1 : types_;
    if (Answer answer = spend(types_before)) return answer;
    for (std::size_t before = 0; before < types_before; ++before) {
      const std::optional<Integer>& receive = times.reception(edge.first, before, edge.type);
      if (!receive || (edge.first == 0 && !demands.source_keeps_up(*receive))) continue;
      const std::optional<Integer>& tail = potentials_[state(edge.first, before, edge.type)];
      if (edge.first > 0 && !tail) continue;
      const Integer asked = demands.working(edge.type, edge.is_replicable, *receive, compute, send);
      if (asked > 1 && !edge.is_replicable) continue;
      const auto working = divided(edge, asked);
      if (!working) continue;
      const Integer machines = *working + certificate_.target.spare;
      Integer stay = *receive + compute;
      if (edge.last + 1 == stages_) stay += send;
      const Integer on_demand =
          std::min(machines, demands.on_demand(edge.type, edge.is_replicable, *receive, compute, send));
      const Integer most = (edge.first == 0 ? Integer(0) : *tail) + costs_.machines[edge.type] * machines +
                           costs_.premiums[edge.type] * on_demand + costs_.tick * stay;
      const std::optional<Integer>& head = potentials_[state(edge.last + 1, edge.type, edge.next)];
      if (!head) return refused(edge_text(edge, before, machines) + ", whose potential is missing");
      if (*head > most) {
        return refused(fmt::format("{}, whose potential is {}, expected at most {}", edge_text(edge, before, machines),
                                   (Rational(*head) * costs_.unit).to_string(),
                                   (Rational(most) * costs_.unit).to_string()));
      }
    }
    return std::nullopt;
  }

  std::string edge_text(const Edge& edge, std::size_t before, const Integer& machines) const {
    const auto& stages = document_.application.stages;
    const std::string names = edge.first == edge.last
                                  ? stages[edge.first].name
                                  : fmt::format("{} to {}", stages[edge.first].name, stages[edge.last].name);
    const std::string from = edge.first == 0 ? "" : fmt::format(" behind {}", type_name(before));
    return fmt::format("{} on {} {}{} lead to {}", names, machines.get_str(), type_name(edge.type), from,
                       state_text(edge.last + 1, edge.type, edge.next));
  }

  PlanVerdict conclude() const {
    std::optional<Integer> least;
    for (std::size_t t = 0; t < types_; ++t) {
      const std::optional<Integer>& end = potentials_[state(stages_, t, 0)];
      if (end && (!least || *end < *least)) least = end;
    }
    // No plan at all costs whatever one says.
    if (!least) return PlanProven{};
    Rational proved = Rational(*least) * costs_.unit;
    for (std::size_t t = 0; t < types_; ++t) {
      if (const auto count = count_of(t)) proved -= multiplier_of(t) * *count;
    }
    for (std::size_t q = 0; q < certificate_.quota_multipliers.size(); ++q)
      proved -= certificate_.quota_multipliers[q] * quotas_[q].most;
    if (certificate_.target.latency) proved -= certificate_.latency_multiplier * *certificate_.target.latency;
    if (!certificate_.bound) {
      if (proved.sign() > 0) return PlanProven{};
      return refused(
          fmt::format("without prices the last potentials and the multipliers prove {}, expected more than "
                      "0: there may be a plan",
                      proved.to_string()));
    }
    // No price is below 0.
    proved = std::max(Rational(0), rounded_up(proved));
    if (*certificate_.bound <= proved) return PlanProven{};
    return refused(
        fmt::format("the bound is {}, expected at most {}, the least last potential minus the multipliers, rounded up "
                    "to a possible cost of machines",
                    certificate_.bound->to_string(), proved.to_string()));
  }

  // To a multiple of the greatest common divisor of the prices, as all costs of machines are.
  Rational rounded_up(const Rational& cost) const {
    Rational divisor;
    for (std::size_t t = 0; t < types_; ++t) {
      for (const Rational& price : {price_of(t), premium_of(t)}) {
        const Integer common = lcm(divisor.denominator(), price.denominator());
        const Rational scaled_divisor = divisor * Rational(common);
        const Rational scaled_price = price * Rational(common);
        divisor = Rational::fraction(gcd(scaled_divisor.numerator(), scaled_price.numerator()), common);
      }
    }
    if (divisor.sign() == 0) return cost;
    return Rational((cost / divisor).ceiling()) * divisor;
  }

  const tpn::Document& document_;
  const PlanCertificate& certificate_;
  const PlanCheckLimits& limits_;
  std::size_t stages_;
  std::size_t types_;
  std::map<std::string, std::size_t> indices_;  // of types, by name
  std::vector<tpn::QuotaUses> quotas_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint64_t>> divisors_;  // by partitions and cores
  Costs costs_;
  std::vector<std::optional<Integer>> potentials_;
  Integer spent_ = 0;
  Integer unasked_ = 0;
  Integer longest_ = 1;  // pieces of numbers
};

}  // namespace

PlanVerdict check_plan(const tpn::Document& document, const PlanCertificate& certificate,
                       const PlanCheckLimits& limits) {
  return PlanChecker(document, certificate, limits).run();
}

}  // namespace takt::plan

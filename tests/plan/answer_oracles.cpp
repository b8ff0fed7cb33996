// All plans of few machines with their costs and periods by nets, and what is best among them.
#include "tests/plan/answer_oracles.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plan/bounds.hpp"
#include "plan/certify.hpp"
#include "plan/counted/additions.hpp"
#include "plan/counted/counted.hpp"
#include "plan/counted/fastest.hpp"
#include "plan/counted/price_ranges.hpp"
#include "plan/proof/check_plan.hpp"
#include "plan/proof/mapped_plan.hpp"
#include "plan/shared_stock.hpp"
#include "plan/typed/frontier.hpp"
#include "tests/plan/random_catalogues.hpp"
#include "tests/support/draw.hpp"
#include "tpn/errors.hpp"
#include "tpn/validate.hpp"

namespace takt::plan {

namespace {

struct JudgedPlan {
  Rational cost;
  Rational kept;  // the period after the failures
  std::uint64_t machines = 0;
  std::vector<std::uint64_t> by_type;
  TypedPlan parts;
};

// One document in three has a quota or two of some of its types.
void give_quotas(tpn::Platform& platform, std::uint64_t seed) {
  support::Draw draw(seed ^ 0x900a);
  if (!draw.one_in(3)) return;
  for (std::size_t k = draw.count(1, 2); k > 0; --k) {
    tpn::Quota quota;
    for (std::size_t t = 0; t < platform.types.size(); ++t) {
      if (draw.coin()) quota.types.push_back(t);
    }
    if (quota.types.size() == platform.types.size()) quota.types.clear();
    constexpr std::array kOf = {tpn::Quota::Of::machines, tpn::Quota::Of::cores, tpn::Quota::Of::price,
                                tpn::Quota::Of::memory};
    quota.of = kOf[draw.index(kOf.size())];
    const bool has_memory =
        std::ranges::all_of(platform.types, [](const auto& type) { return type.memory.has_value(); });
    if (quota.of == tpn::Quota::Of::memory && !has_memory) quota.of = tpn::Quota::Of::machines;
    quota.most = draw.whole(0, 8);
    if (quota.of == tpn::Quota::Of::price) quota.most *= Rational::fraction(7, 3);
    if (quota.of == tpn::Quota::Of::memory) quota.most *= Rational(3);
    platform.quotas.push_back(std::move(quota));
  }
}

// One application in four has stages with partitions.
void give_partitions(tpn::Application& application, std::uint64_t seed) {
  support::Draw draw(seed ^ 0xd1f1);
  if (!draw.one_in(4)) return;
  constexpr std::array<std::uint64_t, 6> kPartitions = {2, 3, 4, 6, 8, 12};
  for (tpn::Stage& stage : application.stages) {
    if (draw.coin()) stage.partitions = kPartitions[draw.index(kPartitions.size())];
  }
}

// Half of the types have a spot price, which counts only where it is asked for.
void give_spot_prices(tpn::Platform& platform, std::uint64_t seed) {
  support::Draw draw(seed ^ 0x5907);
  for (tpn::ProcessorType& type : platform.types) {
    if (draw.coin()) type.spot_price = type.price * Rational::fraction(draw.whole(0, 4), 4);
  }
}

// A problem, a question, and all plans within the counts and the latency.
class Answered {
 public:
  Answered(const tpn::Model& model, std::uint64_t seed, std::uint64_t extra = 0)
      : draw_(seed * 31 + 7), document_(random_catalogue({.stages = 3, .types = 3}, seed)) {
    const int most = document_.platform.types.size() == 1 ? 6 : document_.platform.types.size() == 2 ? 3 : 2;
    for (tpn::ProcessorType& type : document_.platform.types) type.count = draw_.one_in(8) ? 0 : draw_.whole(1, most);
    // Prices that fall together, as plateaus need.
    if (draw_.coin()) {
      for (tpn::ProcessorType& type : document_.platform.types) type.price = draw_.whole(1, 2);
    }
    query_.query.model = model;
    query_.query.period = random_period(draw_);
    query_.query.spare = draw_.one_in(4) ? 1 : 0;
    give_quotas(document_.platform, seed);
    give_spot_prices(document_.platform, seed);
    if (query_.query.spare == 0) give_partitions(document_.application, seed);
    catalogue_ = catalogue_of(document_);
    query_.query.all_apart = draw_.one_in(8);
    if (draw_.one_in(6)) query_.latency = draw_.whole(10, 60);
    judge_all(extra);
  }

  // Another pipeline on the same platform, with the same question at another period.
  Answered(const Answered& first, std::uint64_t seed) : draw_(seed * 37 + 11), document_(first.document_) {
    auto& stages = document_.application.stages;
    if (stages.size() > 1 && draw_.coin()) stages.pop_back();
    for (tpn::Stage& stage : stages) {
      const Rational slower = Rational::fraction(draw_.whole(1, 5), 2);
      for (tpn::TypeTime& time : stage.type_times) time.time *= slower;
      if (stage.work) *stage.work *= slower;
      if (draw_.one_in(4)) stage.replicable = !stage.replicable;
      stage.partitions = 0;
    }
    query_ = first.query_;
    query_.query.period *= Rational::fraction(draw_.whole(2, 9), 4);
    catalogue_ = catalogue_of(document_);
    judge_all(0);
  }

  const tpn::Document& document() const { return document_; }
  const Catalogue& catalogue() const { return catalogue_; }
  CountedQuery& query() { return query_; }
  support::Draw& draw() { return draw_; }
  const std::vector<JudgedPlan>& plans() const { return plans_; }
  OracleCase& result() { return result_; }

  void expect(bool holds, const char* trouble) {
    if (!holds && result_.trouble.empty()) result_.trouble = trouble;
  }

  PlanSolver solver() const {
    return [this](const Query& asked) {
      CountedAnswer answer = solve_within(catalogue_, {asked, query_.latency});
      return PlanSolution{std::move(answer.plan), !answer.cut_short};
    };
  }

  // Of those that a condition holds for, the least by cost, or by kept period, first.
  template <typename Condition>
  const JudgedPlan* cheapest(const Condition& holds) const {
    return best(holds,
                [](const JudgedPlan& plan) { return std::pair(plan.cost, std::pair(plan.kept, plan.machines)); });
  }
  template <typename Condition>
  const JudgedPlan* fastest(const Condition& holds) const {
    return best(holds,
                [](const JudgedPlan& plan) { return std::pair(plan.kept, std::pair(plan.cost, plan.machines)); });
  }

  bool is(const FrontierPoint& point, const JudgedPlan& plan) const {
    std::uint64_t machines = 0;
    for (const TypedPart& part : point.plan) machines += part.machines + part.standby;
    return point.cost == plan.cost && point.period == plan.kept && machines == plan.machines;
  }

  // Within the quotas, by the document's own numbers.
  bool is_allowed(const TypedPlan& plan) const {
    const auto& types = document_.platform.types;
    return std::ranges::all_of(document_.platform.quotas, [&](const tpn::Quota& quota) {
      Rational sum;
      for (const TypedPart& part : plan) {
        if (!quota.types.empty() && std::ranges::find(quota.types, part.type) == quota.types.end()) continue;
        const tpn::ProcessorType& type = types[part.type];
        const Rational each = quota.of == tpn::Quota::Of::machines ? Rational(1)
                              : quota.of == tpn::Quota::Of::cores  ? Rational(type.cores)
                              : quota.of == tpn::Quota::Of::memory ? *type.memory
                                                                   : type.price;
        sum += each * Rational(part.machines + part.standby);
      }
      return sum <= quota.most;
    });
  }

 private:
  template <typename Condition, typename Key>
  const JudgedPlan* best(const Condition& holds, const Key& key) const {
    const JudgedPlan* found = nullptr;
    for (const JudgedPlan& plan : plans_) {
      if (holds(plan) && (found == nullptr || key(plan) < key(*found))) found = &plan;
    }
    return found;
  }

  void judge_all(std::uint64_t extra) {
    std::vector<std::uint64_t> machines;
    std::uint64_t in_all = 0;
    for (const MachineType& type : catalogue_.types) in_all += machines.emplace_back(*type.count + extra);
    constexpr std::uint64_t kMost = 6;
    NetJudge judge(document_, query_.query.model, machines);
    for_each_typed_plan(catalogue_, machines, std::min(in_all, kMost), query_.query, [&](const TypedPlan& plan) {
      const tpn::Mapping whole = judge.mapping_of(plan);
      if (!is_allowed(plan) || !is_valid(judge.document(), whole)) return;
      if (query_.latency && *query_.latency < judge.latency(whole)) return;
      JudgedPlan judged{{}, judge.period(whole), 0, std::vector<std::uint64_t>(machines.size()), plan};
      for (std::size_t i = 0; i < plan.size(); ++i) {
        if (query_.query.spare > 0)
          judged.kept = std::max(judged.kept, judge.period(judge.mapping_of(plan, i, query_.query.spare)));
        judged.by_type[plan[i].type] += plan[i].machines + plan[i].standby;
        judged.cost += catalogue_.types[plan[i].type].price * Rational(plan[i].machines + plan[i].standby);
      }
      for (const std::uint64_t used : judged.by_type) judged.machines += used;
      plans_.push_back(std::move(judged));
    });
    result_.judged = plans_.size();
  }

  static bool is_valid(const tpn::Document& document, const tpn::Mapping& mapping) {
    try {
      tpn::validate_mapping(document, mapping);
      return true;
    } catch (const tpn::InvalidInstance&) {
      return false;
    }
  }

  support::Draw draw_;
  tpn::Document document_;
  Catalogue catalogue_;
  CountedQuery query_;
  std::vector<JudgedPlan> plans_;
  OracleCase result_;
};

// --- The plan for a period, or how far plans go.

void look_at_no(Answered& asked) {
  const Rational period = asked.query().query.period;
  const GivenAnswer reach = fastest_within(asked.catalogue(), asked.query(), LeastOf::money);
  const JudgedPlan* fastest = asked.fastest([](const JudgedPlan&) { return true; });
  asked.expect(reach.is_proved, "how far plans go is not proved");
  asked.expect(reach.point.has_value() == (fastest != nullptr), "there are plans, or none");
  if (fastest == nullptr || !reach.point) return;
  asked.result().is_telling = true;
  asked.expect(period < fastest->kept, "there is a plan");
  asked.expect(asked.is(*reach.point, *fastest), "another plan is the fastest");
  for (const PartBound& bound :
       part_bounds(asked.catalogue(), asked.query().query.model, asked.query().query.all_apart))
    asked.expect(bound.period <= fastest->kept, "a plan is below the bound of a part");
}

// Of a certificate, and of forgeries: what the checker takes is no dearer than any plan.
void look_at_certificates(Answered& asked, const Catalogue& catalogue, const CountedAnswer& answer,
                          const std::optional<Rational>& least) {
  const auto certificate = certify_answer(catalogue, asked.query(), answer);
  if (!certificate) return;
  const auto is_taken = [&](const PlanCertificate& tried) {
    return std::holds_alternative<PlanProven>(check_plan(asked.document(), tried, {}));
  };
  asked.expect(is_taken(*certificate), "a certificate is refused");
  support::Draw& draw = asked.draw();
  for (int k = 0; k < 6; ++k) {
    PlanCertificate forged = *certificate;
    std::vector<Rational>& quotas = forged.quota_multipliers;
    quotas.resize(asked.document().platform.quotas.size());
    for (Rational& multiplier : quotas) multiplier += Rational::fraction(draw.whole(-2, 4), 3);
    if (draw.coin() && !forged.potentials.empty())
      forged.potentials[draw.index(forged.potentials.size())].value += Rational(draw.whole(-2, 6));
    if (forged.bound) *forged.bound += Rational::fraction(draw.whole(-1, 3), 2);
    if (draw.one_in(4)) forged.bound.reset();
    if (!is_taken(forged)) continue;
    asked.expect(!least || (forged.bound && *forged.bound <= *least), "a forged proof is taken");
  }
}

OracleCase try_settled(const tpn::Model& model, std::uint64_t seed) {
  Answered asked(model, seed);
  const Rational period = asked.query().query.period;
  const SettledPlan found = cheapest_and_fastest(asked.catalogue(), asked.query());
  const JudgedPlan* wanted = asked.cheapest([&](const JudgedPlan& plan) { return plan.kept <= period; });
  asked.expect(found.point.has_value() == (wanted != nullptr), "there is a plan, or none");
  look_at_certificates(asked, asked.catalogue(), found.answer,
                       wanted == nullptr ? std::nullopt : std::optional(wanted->cost));
  if (wanted == nullptr) {
    look_at_no(asked);
    return asked.result();
  }
  if (!found.point) return asked.result();
  asked.result().is_telling = true;
  asked.expect(found.is_fastest, "not proved");
  asked.expect(asked.is(*found.point, *wanted), "another plan is the fastest at its price");
  asked.expect(found.answer.lower_bound == wanted->cost, "another bound");
  return asked.result();
}

// --- Frontiers, cut and whole.

// The staircase of all plans, cut behind the first price that buys that period.
std::vector<JudgedPlan> staircase(const Answered& asked, const Rational& until, std::size_t most, bool& is_whole) {
  std::vector<JudgedPlan> rows;
  const JudgedPlan* next = asked.cheapest([](const JudgedPlan&) { return true; });
  while (next != nullptr) {
    const bool is_far = !rows.empty() && until.sign() > 0 && rows.back().kept <= until;
    if (is_far || rows.size() >= most) break;
    rows.push_back(*next);
    const Rational kept = next->kept;
    next = asked.cheapest([&](const JudgedPlan& plan) { return plan.kept < kept; });
  }
  is_whole = next == nullptr;
  return rows;
}

OracleCase try_cut_frontier(const tpn::Model& model, std::uint64_t seed) {
  Answered asked(model, seed);
  const auto& plans = asked.plans();
  Rational until;
  if (!plans.empty() && asked.draw().coin()) until = plans[asked.draw().index(plans.size())].kept;
  if (asked.draw().one_in(4)) until = random_period(asked.draw());
  const std::size_t most = asked.draw().one_in(4) ? asked.draw().count(1, 4) : 1000;
  bool is_whole = false;
  const std::vector<JudgedPlan> wanted = staircase(asked, until, most, is_whole);
  Frontier found = frontier(asked.catalogue(), asked.query().query, until, asked.solver(), {}, most);
  asked.result().is_telling = wanted.size() > 1;
  asked.expect(!found.cut_short, "cut short");
  asked.expect(found.is_last_fastest, "the last row is not proved");
  asked.expect(found.is_whole == is_whole, "whole, or not");
  asked.expect(found.points.size() == wanted.size(), "other rows");
  for (std::size_t k = 0; k < std::min(wanted.size(), found.points.size()); ++k) {
    take_fewest_machines(asked.catalogue(), asked.query(), found.points[k]);
    asked.expect(asked.is(found.points[k], wanted[k]), "a row is not the cheapest, the fastest or the smallest");
  }
  return asked.result();
}

// --- Budgets.

OracleCase try_budget(const tpn::Model& model, std::uint64_t seed) {
  Answered asked(model, seed);
  const Rational budget = Rational::fraction(asked.draw().whole(1, 40), 2);
  const JudgedPlan* wanted = asked.fastest([&](const JudgedPlan& plan) { return plan.cost <= budget; });
  FastestPlan found = fastest(asked.catalogue(), asked.query().query, asked.solver(),
                              [&](const FrontierPoint& point) { return point.cost <= budget; });
  asked.expect(found.is_proved, "not proved");
  asked.expect(found.point.has_value() == (wanted != nullptr), "there is a plan, or none");
  const Rational bound = std::max(kept_period_bound(asked.catalogue(), model, asked.query().query.spare),
                                  period_bound_of_budget(asked.catalogue(), model, budget));
  if (wanted == nullptr || !found.point) return asked.result();
  take_fewest_machines(asked.catalogue(), asked.query(), *found.point);
  asked.result().is_telling = true;
  asked.expect(asked.is(*found.point, *wanted), "another plan is the fastest for the money");
  asked.expect(bound <= wanted->kept, "a plan is below the bound of a budget");
  const Rational own = period_bound_of_budget(asked.catalogue(), model, budget);
  // A budget's is bisected.
  const Rational close = Rational::fraction(1'000'001, 1'000'000);
  if (own.sign() > 0)
    asked.expect(cost_bound(asked.catalogue(), model, own * close) <= budget, "a budget's bound says less than costs'");
  return asked.result();
}

// --- What to add.

OracleCase try_additions(const tpn::Model& model, std::uint64_t seed) {
  Answered asked(model, seed, 2);
  const Rational period = asked.query().query.period;
  const auto& types = asked.catalogue().types;
  const bool is_free = std::ranges::all_of(types, [](const MachineType& type) { return type.price.sign() == 0; });
  const auto cost_of = [&](const std::vector<std::uint64_t>& used) {
    Rational cost;
    for (std::size_t t = 0; t < types.size(); ++t) {
      const std::uint64_t added = used[t] - std::min(used[t], *types[t].count);
      cost += (is_free ? Rational(1) : types[t].price) * Rational(added);
    }
    return cost;
  };
  const Additions found = least_additions(asked.catalogue(), asked.query());
  asked.expect(!found.cut_short, "cut short");
  for (const JudgedPlan& plan : asked.plans()) {
    if (period < plan.kept) continue;
    asked.result().is_telling = true;
    asked.expect(found.plan && found.cost <= cost_of(plan.by_type), "less is enough");
  }
  if (!found.plan) return asked.result();
  const PlanFacts facts(asked.catalogue(), model, *found.plan);
  asked.expect(facts.period_after(asked.query().query.spare) <= period, "what is added does not do");
  asked.expect(!asked.query().latency || facts.latency() <= *asked.query().latency, "a data set stays too long");
  asked.expect(cost_of(facts.machines_by_type()) == found.cost, "another cost");
  for (std::size_t t = 0; t < types.size(); ++t) {
    const std::uint64_t used = facts.machines_by_type()[t];
    asked.expect(found.added[t] == used - std::min(used, *types[t].count), "other machines are added");
  }
  return asked.result();
}

// --- Prices.

// Where two plans cost the same, by the price of one type.
Rational meeting_price(const Answered& asked, const JudgedPlan& plan, const JudgedPlan& other, std::size_t type) {
  const Rational price = asked.catalogue().types[type].price;
  const Rational saved =
      (other.cost - price * Rational(other.by_type[type])) - (plan.cost - price * Rational(plan.by_type[type]));
  return saved / (Rational(plan.by_type[type]) - Rational(other.by_type[type]));
}

OracleCase try_prices(const tpn::Model& model, std::uint64_t seed) {
  Answered asked(model, seed);
  const auto is_kept = [&](const JudgedPlan& plan) { return plan.kept <= asked.query().query.period; };
  const JudgedPlan* plan = asked.cheapest(is_kept);
  if (plan == nullptr) return asked.result();
  const PriceRanges found = price_ranges(asked.catalogue(), asked.query(), plan->by_type);
  asked.expect(!found.cut_short && found.ranges.size() == plan->by_type.size(), "cut short");
  for (const PriceRange& range : found.ranges) {
    Rational lowest;
    std::optional<Rational> highest;
    for (const JudgedPlan& other : asked.plans()) {
      if (!is_kept(other) || other.by_type[range.type] == plan->by_type[range.type]) continue;
      const Rational meet = meeting_price(asked, *plan, other, range.type);
      if (other.by_type[range.type] > plan->by_type[range.type]) {
        lowest = std::max(lowest, meet);
      } else {
        highest = highest ? std::min(*highest, meet) : meet;
      }
    }
    asked.expect(range.lowest == lowest, "another lowest price");
    asked.expect(range.highest == highest, "another highest price");
    if (lowest.sign() > 0 || highest) asked.result().is_telling = true;
  }
  return asked.result();
}

// --- Machines that run.

// Those of a plan that serve other stages now, or none.
std::uint64_t set_up_of(const TypedPlan& plan, const TypedPlan& running) {
  std::uint64_t result = 0;
  for (const TypedPart& part : plan) {
    std::uint64_t needed = part.machines + part.standby;
    for (const TypedPart& now : running) {
      const bool is_same = now.first_stage == part.first_stage && now.last_stage == part.last_stage;
      if (is_same && now.type == part.type) needed -= std::min(needed, now.machines + now.standby);
    }
    result += needed;
  }
  return result;
}

OracleCase try_setups(const tpn::Model& model, std::uint64_t seed) {
  Answered asked(model, seed);
  support::Draw& draw = asked.draw();
  if (asked.plans().empty()) return asked.result();
  CountedQuery query = asked.query();
  query.query.running = asked.plans()[draw.index(asked.plans().size())].parts;
  if (draw.coin()) query.query.running.front().machines = draw.count(1, 4);
  if (draw.one_in(4)) query.query.running.pop_back();
  const bool is_fewest = draw.coin();
  query.query.setup =
      is_fewest ? above_all_costs(asked.catalogue(), query.query) : Rational::fraction(draw.whole(1, 12), 4);
  const auto worth = [&](const JudgedPlan& plan) {
    const Rational set_up(set_up_of(plan.parts, query.query.running));
    return is_fewest ? std::pair(set_up, plan.cost) : std::pair(plan.cost + query.query.setup * set_up, Rational(0));
  };
  const CountedAnswer found = solve_within(asked.catalogue(), query);
  asked.expect(!found.cut_short, "cut short");
  const JudgedPlan* cheapest = nullptr;
  const JudgedPlan* best = nullptr;
  for (const JudgedPlan& plan : asked.plans()) {
    if (query.query.period < plan.kept) continue;
    if (cheapest == nullptr || plan.cost < cheapest->cost) cheapest = &plan;
    if (best == nullptr || worth(plan) < worth(*best)) best = &plan;
  }
  asked.expect(found.plan || best == nullptr, "there is a plan");
  if (!found.plan) return asked.result();
  const PlanFacts facts(asked.catalogue(), model, *found.plan);
  const JudgedPlan own{facts.cost(), *facts.period_after(query.query.spare), 0, facts.machines_by_type(), *found.plan};
  asked.expect(own.kept <= query.query.period, "the plan is too slow");
  asked.expect(!query.latency || facts.latency() <= *query.latency, "a data set stays too long");
  asked.expect(found.cost == own.cost + further_cost(asked.catalogue(), query.query, *found.plan), "another cost");
  asked.expect(found.lower_bound == found.cost, "another bound");
  for (std::size_t t = 0; t < own.by_type.size(); ++t)
    asked.expect(own.by_type[t] <= *asked.catalogue().types[t].count, "there are fewer machines");
  if (best == nullptr) return asked.result();
  asked.expect(worth(own) <= worth(*best), "fewer, or cheaper, set-ups are enough");
  asked.result().is_telling = worth(*best) < worth(*cheapest);
  return asked.result();
}

// --- On demand and at spot prices.

// Whether the second has no more machines in any of the same parts.
bool is_within(const TypedPlan& all, const TypedPlan& some) {
  return std::ranges::equal(all, some, [](const TypedPart& part, const TypedPart& left) {
    return part.first_stage == left.first_stage && part.last_stage == left.last_stage && part.type == left.type &&
           left.machines <= part.machines;
  });
}

// The least premiums of a plan's machines that, or all of which, keep the period by their net.
Rational least_premiums(const Answered& asked, const Catalogue& spot, const JudgedPlan& plan,
                        const std::optional<Rational>& period) {
  const auto premiums_of = [&](const TypedPlan& parts) {
    Rational sum;
    for (const TypedPart& part : parts) sum += spot.types[part.type].premium * Rational(part.machines);
    return sum;
  };
  if (!period) return 0;
  Rational least = premiums_of(plan.parts);
  for (const JudgedPlan& left : asked.plans()) {
    if (left.kept <= *period && is_within(plan.parts, left.parts)) least = std::min(least, premiums_of(left.parts));
  }
  return least;
}

OracleCase try_on_demand(const tpn::Model& model, std::uint64_t seed) {
  Answered asked(model, seed);
  // What machines that are taken away served, partitions of state included, others would have to serve.
  if (asked.query().query.spare > 0 || asked.catalogue().has_partitions()) return asked.result();
  const Catalogue spot = on_spot(asked.catalogue(), asked.document().platform);
  Query& query = asked.query().query;
  query.period /= Rational(asked.draw().whole(1, 3));
  if (!asked.draw().one_in(5)) query.on_demand = query.period * Rational::fraction(asked.draw().whole(4, 16), 4);
  std::optional<Rational> least;
  for (const JudgedPlan& plan : asked.plans()) {
    if (query.period < plan.kept) continue;
    Rational cost = least_premiums(asked, spot, plan, query.on_demand);
    for (const TypedPart& part : plan.parts) cost += spot.types[part.type].price * Rational(part.machines);
    if (!least || cost < *least) least = cost;
  }
  const SettledPlan found = cheapest_and_fastest(spot, asked.query());
  asked.expect(found.point.has_value() == least.has_value(), "there is a plan, or none");
  look_at_certificates(asked, spot, found.answer, least);
  if (!found.point || !least) return asked.result();
  const PlanFacts facts(spot, model, found.point->plan);
  asked.expect(found.answer.lower_bound == *least, "another bound");
  asked.expect(facts.cost() == *least && found.point->cost == *least, "another cost");
  asked.expect(facts.period() <= query.period, "the plan is too slow");
  const auto left = period_on_demand(spot, model, found.point->plan);
  if (query.on_demand) asked.expect(left && *left <= *query.on_demand, "machines on demand are too slow");
  asked.expect(cost_bound(spot, model, query.period, query.on_demand) <= *least, "below the bound of every mapping");
  PlanTarget target{.model = model, .period = query.period, .latency = asked.query().latency};
  target.at_spot_prices = true;
  target.on_demand = query.on_demand;
  const MappedPlan mapped = judge_mapping(mapped_document(asked.document(), spot, model, found.point->plan), target);
  asked.expect(!mapped.amiss && mapped.cost == *least, "the checker sees another plan");
  asked.result().is_telling = left && facts.period() < *left;
  return asked.result();
}

// --- Several pipelines on one stock.

// The cheapest of those that keep the period, by the machines that they take.
std::map<std::vector<std::uint64_t>, const JudgedPlan*> cheapest_by_machines(Answered& asked) {
  std::map<std::vector<std::uint64_t>, const JudgedPlan*> result;
  for (const JudgedPlan& plan : asked.plans()) {
    if (asked.query().query.period < plan.kept) continue;
    const JudgedPlan*& known = result[plan.by_type];
    if (known == nullptr || plan.cost < known->cost) known = &plan;
  }
  return result;
}

bool fit_together(const Answered& asked, const JudgedPlan& one, const JudgedPlan& other) {
  for (std::size_t t = 0; t < one.by_type.size(); ++t) {
    if (one.by_type[t] + other.by_type[t] > *asked.catalogue().types[t].count) return false;
  }
  TypedPlan both = one.parts;
  both.insert(both.end(), other.parts.begin(), other.parts.end());
  return asked.is_allowed(both);
}

OracleCase try_stock(const tpn::Model& model, std::uint64_t seed) {
  Answered asked(model, seed);
  const auto is_fixed = [](const MachineType& type) { return type.fixed_time.has_value(); };
  if (asked.query().latency || std::ranges::any_of(asked.catalogue().types, is_fixed)) return asked.result();
  Answered other(asked, seed);
  const auto ones = cheapest_by_machines(asked);
  const auto others = cheapest_by_machines(other);
  std::optional<Rational> least;
  std::optional<Rational> alone;
  for (const auto& [own_machines, one] : ones) {
    for (const auto& [its_machines, two] : others) {
      const Rational cost = one->cost + two->cost;
      if (!alone || cost < *alone) alone = cost;
      if (fit_together(asked, *one, *two) && (!least || cost < *least)) least = cost;
    }
  }
  const std::vector<Rational> periods = {asked.query().query.period, other.query().query.period};
  const SharedStock stock = share_stock({asked.catalogue(), other.catalogue()}, periods);
  const CountedQuery query = asked.query();
  const CountedAnswer found = solve_within(stock.catalogue, query);
  asked.expect(found.plan.has_value() == least.has_value(), "there are plans, or none");
  if (!found.plan || !least) return asked.result();
  asked.expect(found.cost == *least && found.lower_bound == *least, "another cost");
  asked.expect(cost_bound(stock.catalogue, model, stock.period) <= *least, "below the bound of every mapping");
  const std::vector<TypedPlan> plans = plans_of_each(stock, *found.plan);
  Rational cost;
  std::vector<std::uint64_t> machines(asked.catalogue().types.size());
  for (std::size_t k = 0; k < plans.size(); ++k) {
    const PlanFacts facts(k == 0 ? asked.catalogue() : other.catalogue(), model, plans[k]);
    const auto kept = facts.period_after(query.query.spare);
    asked.expect(kept && *kept <= periods[k], "a plan is too slow");
    cost += facts.cost();
    for (std::size_t t = 0; t < machines.size(); ++t) machines[t] += facts.machines_by_type()[t];
  }
  asked.expect(cost == *least, "the plans cost something else");
  asked.expect(asked.catalogue().allows(machines), "there are fewer machines");
  asked.result().is_telling = *alone < *least;
  return asked.result();
}

constexpr std::array kAnswerOracles = {
    Oracle{"the plan is the cheapest, the fastest at its price, on the fewest machines; no names what is reachable",
           try_settled, 3},
    Oracle{"each row of a frontier, cut or whole, is the cheapest of its rate and the fastest for its price",
           try_cut_frontier, 6},
    Oracle{"the plan of a budget is the fastest, and the bound of a budget no plan's period", try_budget, 4},
    Oracle{"nothing less than what is named needs to be added", try_additions, 4},
    Oracle{"no plan sets up fewer machines, or is cheaper with set-ups paid for", try_setups, 12},
    Oracle{"nothing is cheaper at spot prices of which machines on demand keep a period alone", try_on_demand, 60},
    Oracle{"no plans of two pipelines on one stock are cheaper in all", try_stock, 20},
    Oracle{"a plan stays a cheapest one between its prices, and not beyond", try_prices, 6}};

}  // namespace

std::span<const Oracle> answer_oracles() { return kAnswerOracles; }

}  // namespace takt::plan

// Plans of all ways together, of sets alone, of the search alone; and typed-dp.
#include "tests/heuristics/typed/named_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "heuristics/registry.hpp"
#include "heuristics/typed/by_cost.hpp"
#include "heuristics/typed/named_plan.hpp"
#include "tests/support/draw.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/problem_view.hpp"

namespace takt::testing {

namespace {

using heuristics::NamedClass;
using maxplus::Rational;

std::string text_of(const std::optional<Rational>& number) { return number ? number->to_string() : "none"; }

class NamedCheck {
 public:
  NamedCheck(const NamedShape& shape, const tpn::Model& model, std::uint64_t seed, NamedCounts& counts)
      : problem_(named_problem(shape, seed)),
        view_(problem_),
        model_(model),
        counts_(counts),
        is_exact_(shape.link_spread == 0),
        mappings_(all_weighed(problem_, model)),
        draw_(seed) {}

  std::optional<std::string> run() {
    ++counts_.problems;
    if (auto wrong = check_typed_dp()) return wrong;
    if (mappings_.empty()) return std::nullopt;
    // A period of a mapping, where ties decide, and one just below it or of nobody.
    std::vector<Rational> targets{mappings_[draw_.index(mappings_.size())].period,
                                  mappings_[draw_.index(mappings_.size())].period * Rational::fraction(99, 100),
                                  *least_period(mappings_)};
    for (const Rational& target : targets) {
      if (target.sign() == 0) continue;
      if (auto wrong = check_target(target)) return fmt::format("period {}: {}", target.to_string(), *wrong);
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> check_target(const Rational& target) {
    ++counts_.targets;
    const auto mixed = least_cost(mappings_, target);
    const auto typed = least_cost(mappings_, target, true);
    counts_.feasible += mixed ? 1 : 0;
    heuristics::CostQuery sets;
    sets.model = model_;
    sets.period = target;
    const auto by_cost = heuristics::cheapest_by_cost(view_, sets);
    const auto cost_of_sets = by_cost.best ? std::optional(by_cost.best->cost) : std::nullopt;
    if (cost_of_sets != mixed || by_cost.lower_bound != mixed)
      return fmt::format("by sets {}, by enumeration {}", text_of(cost_of_sets), text_of(mixed));
    heuristics::NamedQuery query;
    query.model = model_;
    query.period = target;
    query.widest = NamedClass::mixed;
    if (auto wrong = check_answer(query, mixed, typed, true)) return wrong;
    query.steps = 0;
    // Rooms are evaluated by a slower way.
    if (model_.rooms() > 0) query.restarts = 10;
    if (auto wrong = check_answer(query, mixed, typed, false)) return "by search: " + *wrong;
    query.widest = NamedClass::any;
    return check_answer(query, mixed, typed, false);
  }

  std::optional<std::string> check_answer(const heuristics::NamedQuery& query, const std::optional<Rational>& mixed,
                                          const std::optional<Rational>& typed, bool is_exhaustive) {
    const heuristics::NamedAnswer answer = heuristics::cheapest_on_platform(view_, query);
    const auto cost = answer.plan ? std::optional(answer.plan->cost) : std::nullopt;
    if (answer.plan) {
      if (auto wrong = check_plan(*answer.plan, query)) return wrong;
    }
    if (query.widest == NamedClass::mixed && answer.plan && (!mixed || *cost < *mixed))
      return "cheaper than all mappings";
    if (is_exhaustive) {
      if (cost != mixed) return fmt::format("cost {}, by enumeration {}", text_of(cost), text_of(mixed));
      const auto proved = answer.plan ? answer.optimal_in() : answer.impossible_in();
      if (!proved || *proved < NamedClass::mixed) return "not proved of the class mixed";
    }
    for (const heuristics::NamedBound& bound : answer.bounds) {
      if (bound.of == NamedClass::any && answer.plan && (!bound.cost || *bound.cost > answer.plan->cost))
        return fmt::format("bound {} of any is above the plan", text_of(bound.cost));
      const auto& best = bound.of == NamedClass::typed ? typed : mixed;
      if (best && (!bound.cost || *bound.cost > *best))
        return fmt::format("bound {} of {} is above {}", text_of(bound.cost), name_of(bound.of), best->to_string());
      if (is_exact_ && bound.of == NamedClass::typed && bound.proof == "types" && is_exhaustive && bound.cost != typed)
        return fmt::format("bound {} of typed mappings is not {}", text_of(bound.cost), text_of(typed));
    }
    if (!is_exhaustive && query.widest == NamedClass::mixed && mixed) {
      counts_.search_found += cost ? 1 : 0;
      counts_.search_optimal += cost == mixed ? 1 : 0;
    }
    if (is_exhaustive && typed && answer.plan && answer.plan->cost == *typed) ++counts_.met;
    return std::nullopt;
  }

  // Against the net itself.
  std::optional<std::string> check_plan(const heuristics::CheapestMapping& plan,
                                        const heuristics::NamedQuery& query) const {
    tpn::Document mapped = problem_;
    mapped.mapping = plan.mapping;
    const auto net = tpn::fold(mapped, model_);
    const auto evaluation = evaluators::evaluate(std::get<tpn::FoldedNet>(net));
    if (!evaluation.exact() || evaluation.lower != plan.period) return "its period is another";
    if (plan.period > query.period) return "its period is too long";
    Rational cost;
    std::vector<bool> used(problem_.platform.processors.size());
    for (const tpn::Part& part : plan.mapping) {
      for (const std::size_t p : part.processors) {
        if (used[p] && query.widest == NamedClass::mixed) return "a processor has two turns";
        if (!used[p]) cost += problem_.platform.processors[p].price;
        used[p] = true;
      }
    }
    return cost == plan.cost ? std::nullopt : std::optional<std::string>("its cost is another");
  }

  std::optional<std::string> check_typed_dp() {
    heuristics::Settings settings;
    settings.model = model_;
    // Prices tell no types apart here.
    tpn::Document same_prices = problem_;
    for (tpn::Processor& processor : same_prices.platform.processors) processor.price = 1;
    const auto least = least_period(all_weighed(same_prices, model_), true);
    const auto solution = heuristics::solve(*heuristics::find_heuristic("typed-dp"), same_prices, settings);
    const auto* proposal = std::get_if<heuristics::Proposal>(&solution.result);
    if ((proposal != nullptr) != least.has_value()) {
      // Where links differ, the largest transfers may leave out mappings that there are.
      return proposal == nullptr && !is_exact_ ? std::nullopt
                                               : std::optional<std::string>("typed-dp finds none, or too much");
    }
    if (proposal == nullptr) return std::nullopt;
    counts_.dp_meets += proposal->predicted_period == *least ? 1 : 0;
    if (proposal->predicted_period < *least) return "typed-dp is better than all typed mappings";
    if (is_exact_ && proposal->predicted_period != *least) {
      return fmt::format("typed-dp has {}, by enumeration {}", proposal->predicted_period.to_string(),
                         least->to_string());
    }
    return std::nullopt;
  }

  tpn::Document problem_;
  tpn::ProblemView view_;
  tpn::Model model_;
  NamedCounts& counts_;
  bool is_exact_;
  std::vector<WeighedMapping> mappings_;
  support::Draw draw_;
};

}  // namespace

std::optional<std::string> named_violation(const NamedShape& shape, const tpn::Model& model, std::uint64_t seed,
                                           NamedCounts& counts) {
  return NamedCheck(shape, model, seed, counts).run();
}

}  // namespace takt::testing

// Every answer is a plan, or several, for a period.
#include "tools/plan/wider_questions.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "plan/simplest.hpp"
#include "tpn/hosts.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

constexpr int kSteps = 16;
constexpr int kDoublings = 60;

// What no mapping of any kind costs less than; nothing if none keeps the period.
std::optional<Rational> widest_bound(const WiderFindings& findings) {
  return findings.bounds.empty() ? std::optional<Rational>(0) : findings.bounds.back().cost;
}

// A period between two, of short numbers.
Rational between(const Rational& low, const Rational& high) {
  return plan::simplest_between((low * 3 + high * 2) / Rational(5), (low * 2 + high * 3) / Rational(5));
}

class BudgetSearch {
 public:
  BudgetSearch(const PlanWish& wish, const PlanAtPeriod& plan_at, const Rational& bound,
               const evaluators::Deadline& deadline)
      : budget_(wish.budget), plan_at_(plan_at), deadline_(deadline), proved_(bound) {}

  // True if a plan of that period is within the budget.
  bool look(const Rational& period, int steps_left) {
    WiderFindings found = plan_at_(period, deadline_.after_part(1, steps_left));
    is_cut_short_ = is_cut_short_ || found.is_cut_short;
    const auto bound = widest_bound(found);
    const bool is_any = !found.bounds.empty() && found.bounds.back().of == PlanClass::any;
    if (is_any && (!bound || *bound > budget_)) proved_ = std::max(proved_, period);
    if (!found.mapped || found.cost > budget_) return false;
    best_ = std::move(found);
    return true;
  }

  void search(const Rational& start) {
    const Rational close = Rational::fraction(1001, 1000);
    Rational none = proved_;
    Rational period = std::max(start, proved_);
    for (int step = 0; !look(period, kSteps); ++step) {
      if (step == kDoublings || deadline_.has_passed()) return;
      none = period;
      period = period.sign() == 0 ? Rational(1) : period * 2;  // any rate is too dear: from somewhere
    }
    for (int step = 0; step < kSteps && none * close < best_->mapped->predicted_period; ++step) {
      if (deadline_.has_passed()) {
        is_cut_short_ = true;
        return;
      }
      const Rational middle = between(none, *best_->mapped->predicted_period);
      if (!look(middle, kSteps - step)) none = middle;
    }
  }

  WiderFindings take(const PlanWish& wish, PlanClass among) {
    WiderFindings result = best_ ? *std::move(best_) : WiderFindings();
    result.wish = wish;
    result.among = among;
    result.is_cut_short = is_cut_short_;
    result.bounds.clear();
    if (!result.mapped) return result;
    const Rational& period = *result.mapped->predicted_period;
    if (proved_.sign() > 0 || period.sign() == 0) result.period_bound = std::min(proved_, period);
    return result;
  }

 private:
  const Rational& budget_;
  const PlanAtPeriod& plan_at_;
  const evaluators::Deadline& deadline_;
  Rational proved_;  // no mapping for the budget has a shorter period
  bool is_cut_short_ = false;
  std::optional<WiderFindings> best_;
};

}  // namespace

WiderFindings fastest_for_budget(const PlanWish& wish, PlanClass among, const PlanAtPeriod& plan_at,
                                 const Rational& start, const Rational& bound, const Rational& least,
                                 const evaluators::Deadline& deadline) {
  BudgetSearch search(wish, plan_at, bound, deadline);
  if (least <= wish.budget) search.search(start);
  WiderFindings result = search.take(wish, among);
  if (wish.budget < least) result.bounds.push_back({PlanClass::any, std::nullopt});
  return result;
}

void add_rows(WiderFindings& findings, const PlanAtPeriod& plan_at, const Rational& until,
              const evaluators::Deadline& deadline) {
  constexpr int kRows = 12;
  for (int k = 1; k <= kRows; ++k) {
    if (deadline.has_passed()) {
      findings.is_cut_short = true;
      return;
    }
    const Rational period = until * Rational::fraction(kRows, k);
    const WiderFindings found = plan_at(period, deadline.after_part(1, kRows + 1 - k));
    if (found.is_cut_short) findings.is_cut_short = true;
    if (!found.mapped) {
      findings.end_of_rows = period;
      findings.is_end_proved = found.impossible_in() && *found.impossible_in() >= findings.among;
      return;
    }
    WiderRow row{*found.mapped->predicted_period, found.cost, found.machines(), widest_bound(found)};
    auto& rows = findings.rows;
    while (!rows.empty() && rows.back().cost >= row.cost) {
      // What holds of a slower rate holds of this one as well.
      row.bound = std::max(row.bound, rows.back().bound);
      rows.pop_back();
    }
    rows.push_back(std::move(row));
    if (rows.back().period.sign() == 0) return;  // any rate
  }
}

void add_losses(WiderFindings& findings, bool by_type, const evaluators::Deadline& deadline) {
  const tpn::Document& mapped = *findings.mapped;
  const std::vector<std::size_t> machines = tpn::machines_of(mapped.platform);
  std::set<std::size_t> used;
  for (const tpn::Part& part : *mapped.mapping)
    for (const std::size_t p : part.processors) used.insert(machines[p]);
  // By type and turns in each part.
  std::set<std::vector<std::size_t>> seen;
  for (const std::size_t machine : used) {
    const tpn::Processor& processor = mapped.platform.processors[machine];
    std::vector<std::size_t> key = {processor.type.value_or(0)};
    tpn::Document left = mapped;
    bool stops = false;
    for (tpn::Part& part : *left.mapping) {
      key.push_back(std::erase_if(part.processors, [&](std::size_t p) { return machines[p] == machine; }));
      stops = stops || part.processors.empty();
    }
    if (by_type && !seen.insert(key).second) continue;
    MachineLoss& loss = findings.losses.emplace_back();
    loss.name = by_type && processor.type ? mapped.platform.types[*processor.type].name
                                          : std::string(tpn::entry_name(processor));
    for (std::size_t i = 0; i + 1 < key.size(); ++i) {
      if (key[i + 1] > 0) loss.parts.push_back(i);
    }
    if (stops) continue;
    loss.period = exact_period(left, deadline);
    if (!loss.period) {
      findings.losses.pop_back();
      findings.is_cut_short = true;
      return;
    }
  }
}

}  // namespace takt::tools

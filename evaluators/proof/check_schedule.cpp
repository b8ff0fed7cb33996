// Start times over one denominator, class against class.
#include "evaluators/proof/check_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "evaluators/proof/check_clocks.hpp"

namespace takt::evaluators {

namespace {

using tpn::Dependence;
using tpn::FoldedNet;

using ScheduleByColumn = std::vector<const ColumnSchedule*>;

// One for each column; or why not.
std::variant<ScheduleByColumn, Refused> order_by_column(const FoldedNet& net,
                                                        const std::vector<ColumnSchedule>& schedules) {
  const tpn::Pipeline& pipeline = net.pipeline;
  ScheduleByColumn by_column(pipeline.columns.size(), nullptr);
  for (const ColumnSchedule& schedule : schedules) {
    if (schedule.column >= by_column.size()) {
      return Refused{
          fmt::format("the schedule names column {}; the net has {} columns", schedule.column, by_column.size())};
    }
    if (by_column[schedule.column] != nullptr) {
      return Refused{fmt::format("the schedule has column {} twice", schedule.column)};
    }
    if (schedule.start.empty()) return Refused{fmt::format("the schedule of column {} is empty", schedule.column)};
    by_column[schedule.column] = &schedule;
  }
  for (std::size_t c = 0; c < by_column.size(); ++c) {
    if (by_column[c] == nullptr) return Refused{fmt::format("the schedule lacks column {}", c)};
  }
  return by_column;
}

// A common denominator of start times, durations and the period, and numbers over it. Functions answer false, or
// nothing, beyond the budget.
class CommonScale {
 public:
  CommonScale(const FoldedNet& net, const ScheduleByColumn& by_column, const Rational& upper, CheckBudget& budget)
      : net_(net), by_column_(by_column), upper_(upper), budget_(budget), scale_(net.pipeline.scale) {}

  bool find() {
    std::uint64_t most_classes = 1;
    for (const ColumnSchedule* schedule : by_column_) {
      most_classes = std::max<std::uint64_t>(most_classes, schedule->start.size());
    }
    if (!include(upper_.denominator(), most_classes)) return false;
    for (const ColumnSchedule* schedule : by_column_) {
      for (const Rational& start : schedule->start) {
        if (!include(start.denominator(), most_classes)) return false;
      }
    }
    const Integer& allowances = upper_.denominator();
    if (!budget_.spend(product_cost(scale_, allowances) + product_cost(upper_.numerator(), scale_))) return false;
    period_ = upper_.numerator() * (scale_ / allowances);
    duration_factor_ = scale_ / net_.pipeline.scale;
    denominator_ = 1;
    factor_ = scale_;
    return budget_.keep(most_classes, mpz_sizeinbase(scale_.get_mpz_t(), 2));
  }

  // `upper`, and what one unit of a column's durations is.
  const Integer& period() const { return period_; }
  const Integer& duration_factor() const { return duration_factor_; }

  // number - upper * j, for j below 2^64.
  bool relative(const Rational& number, std::uint64_t j, Integer& result) {
    if (number.denominator() != denominator_) {
      if (!budget_.spend(product_cost(scale_, number.denominator()))) return false;
      denominator_ = number.denominator();
      factor_ = scale_ / denominator_;
    }
    const std::uint64_t cost = product_cost(number.numerator(), factor_);
    if (!budget_.spend(std::max(cost, pieces(period_)))) return false;
    result = number.numerator() * factor_;
    mpz_submul_ui(result.get_mpz_t(), period_.get_mpz_t(), j);
    return true;
  }

 private:
  // As many numbers over this denominator as a column has classes are kept at once.
  bool include(const Integer& denominator, std::uint64_t classes) {
    if (denominator == denominator_) return budget_.spend(pieces(denominator));
    if (!budget_.spend(product_cost(scale_, denominator))) return false;
    denominator_ = denominator;
    if (mpz_divisible_p(scale_.get_mpz_t(), denominator.get_mpz_t()) != 0) return true;
    if (!budget_.spend(divisor_cost(scale_, denominator))) return false;
    scale_ = lcm(scale_, denominator);
    return budget_.keep(classes, mpz_sizeinbase(scale_.get_mpz_t(), 2));
  }

  const FoldedNet& net_;
  const ScheduleByColumn& by_column_;
  const Rational& upper_;
  CheckBudget& budget_;
  Integer scale_;
  Integer period_;
  Integer duration_factor_;
  // The denominator that came last, and what makes it the common one.
  Integer denominator_ = 1;
  Integer factor_ = 1;
};

// Holds the ends of one column's classes against the starts of another's.
class ScheduleCheck {
 public:
  ScheduleCheck(const FoldedNet& net, const ScheduleByColumn& by_column, const Rational& upper, CheckBudget& budget)
      : net_(net), by_column_(by_column), upper_(upper), scale_(net, by_column, upper, budget), budget_(budget) {}

  Verdict run() {
    if (!scale_.find()) return verdict_of(budget_.unchecked());
    std::vector<const Dependence*> dependences;
    for (const Dependence& d : net_.dependences) dependences.push_back(&d);
    // What is known of a column is kept as long as dependences lead to it.
    std::ranges::stable_sort(dependences, {}, &Dependence::to);
    for (const Dependence* d : dependences) {
      if (d->to != earliest_of_) earliest_.clear();
      earliest_of_ = d->to;
      Verdict verdict = check_dependence(*d);
      if (!std::holds_alternative<Proven>(verdict)) return verdict;
    }
    return Proven{};
  }

 private:
  // For each residue modulo g, the earliest start(p) - upper * p of a column's classes p of that residue; null beyond
  // the budget.
  const std::vector<Integer>* earliest_starts(const ColumnSchedule& schedule, std::uint64_t g) {
    std::vector<Integer>& earliest = earliest_[g];
    if (!earliest.empty()) return &earliest;
    Integer start;
    for (std::size_t p = 0; p < schedule.start.size(); ++p) {
      if (!scale_.relative(schedule.start[p], p, start)) return nullptr;
      if (p < g) {
        earliest.push_back(start);
      } else if (start < earliest[p % g]) {
        earliest[p % g] = start;
      }
    }
    return &earliest;
  }

  // From a class p of data sets modulo M, a multiple of K, of the durations' period and of the guard's modulus, the
  // dependence leads to all data sets p' + K' l' with p + height = p' modulo the gcd of M and K'. Each such pair
  // occurs.
  Verdict check_dependence(const Dependence& d) {
    const ColumnSchedule& from = *by_column_[d.from];
    const ColumnSchedule& to = *by_column_[d.to];
    const tpn::Column& column = net_.pipeline.columns[d.from];
    const Integer classes = lcm(Integer(from.start.size()), lcm(Integer(column.period), Integer(d.modulus)));
    const std::uint64_t g = mpz_gcd_ui(nullptr, classes.get_mpz_t(), to.start.size());
    const std::vector<Integer>* earliest = earliest_starts(to, g);
    if (earliest == nullptr || !budget_.allows(classes / d.modulus)) return verdict_of(budget_.unchecked());
    const Integer lead = scale_.period() * d.height;
    Integer end;
    for (std::uint64_t p = d.residue; classes > p; p += d.modulus) {
      const std::size_t own = p % from.start.size();
      if (!scale_.relative(from.start[own], own, end)) return verdict_of(budget_.unchecked());
      const Integer duration = column.duration(p);
      const std::uint64_t cost = product_cost(duration, scale_.duration_factor());
      if (cost > 1 && !budget_.spend(cost)) return verdict_of(budget_.unchecked());
      end += duration * scale_.duration_factor() - lead;
      if (end > (*earliest)[(p % g + d.height % g) % g]) return broken(d, p, classes);
    }
    return Proven{};
  }

  Verdict broken(const Dependence& d, std::uint64_t p, const Integer& classes) const {
    const ColumnSchedule& from = *by_column_[d.from];
    const std::size_t own = p % from.start.size();
    const Rational end = from.start[own] + upper_ * Rational(p - own) + net_.pipeline.duration({p, d.from});
    return Refused{
        fmt::format("the schedule breaks a dependence: column {} ends data sets {} modulo {} at {}, too late for "
                    "column {}, {} data sets later",
                    d.from, p, classes.get_str(), end.to_string(), d.to, d.height)};
  }

  const FoldedNet& net_;
  const ScheduleByColumn& by_column_;
  const Rational& upper_;
  CommonScale scale_;
  CheckBudget& budget_;
  // Of the column that earliest_of_ says, by g.
  std::map<std::uint64_t, std::vector<Integer>> earliest_;
  std::size_t earliest_of_ = 0;
};

}  // namespace

Verdict check_schedule(const FoldedNet& net, const std::vector<ColumnSchedule>& schedules, const Rational& upper,
                       CheckBudget& budget) {
  const auto ordered = order_by_column(net, schedules);
  if (const auto* refused = std::get_if<Refused>(&ordered)) return *refused;
  return ScheduleCheck(net, std::get<ScheduleByColumn>(ordered), upper, budget).run();
}

}  // namespace takt::evaluators

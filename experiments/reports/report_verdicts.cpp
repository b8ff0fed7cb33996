// Whether what was expected holds: cell by cell and series by series, and what that says of all.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "experiments/reports/report.hpp"
#include "experiments/reports/series_choice.hpp"
#include "experiments/statistics/place_tests.hpp"
#include "experiments/statistics/sampling.hpp"

namespace takt::experiments {

namespace {

ExpectationOutcome within(const std::optional<Estimate>& found, const Expectation& expectation) {
  if (!found) return ExpectationOutcome::undecided;
  if (expectation.low <= found->lower && found->upper <= expectation.high) return ExpectationOutcome::met;
  const bool is_outside = found->upper < expectation.low || expectation.high < found->lower;
  return is_outside ? ExpectationOutcome::not_met : ExpectationOutcome::undecided;
}

// All quotients of what two numbers may be; nothing if the divisor may be 0.
std::optional<Estimate> quotient(const std::optional<Estimate>& over, const std::optional<Estimate>& under) {
  if (!over || !under) return std::nullopt;
  if (under->lower.sign() == 0 || under->lower.sign() != under->upper.sign()) return std::nullopt;
  const std::array<Rational, 4> quotients = {over->lower / under->lower, over->lower / under->upper,
                                             over->upper / under->lower, over->upper / under->upper};
  const auto ends = std::ranges::minmax(quotients);
  return Estimate{ends.min, ends.max, {}};
}

std::string place_name(const std::string& cell, const std::string& series) {
  return cell.empty() || series.empty() ? cell + series : cell + ", " + series;
}

class ExpectationCheck {
 public:
  ExpectationCheck(const Summary& summary, const Expectation& expectation)
      : summary_(summary),
        expectation_(expectation),
        cells_(chosen_cells(summary.description(), expectation.where)),
        series_(chosen_series(summary, cells_, expectation.value.series)) {}

  std::vector<CheckedPlace> places() {
    switch (expectation_.kind) {
      case ExpectationKind::value:
      case ExpectationKind::ratio:
        for_each_series([&](std::size_t cell, const SeriesKeys& series) { check_number(cell, series); });
        break;
      case ExpectationKind::sample:
        for (const SeriesKeys& series : series_) check_sample(series);
        break;
      case ExpectationKind::least:
        for (const std::size_t cell : cells_) {
          for (const SeriesKeys& rest : rests(cell, {expectation_.key})) check_least(cell, rest);
        }
        break;
      case ExpectationKind::crossing:
        check_crossings();
        break;
      case ExpectationKind::apart:
        for (const std::size_t cell : cells_) {
          for (const SeriesKeys& rest : rests(cell, {expectation_.key})) check_apart(cell, rest);
        }
        break;
    }
    if (is_tested()) keep_rejections();
    return std::move(places_);
  }

 private:
  template <typename Visit>
  void for_each_series(const Visit& visit) {
    for (const std::size_t cell : cells_) {
      for (const SeriesKeys& series : summary_.cell(cell).series) {
        if (has_keys(series, expectation_.value.series)) visit(cell, series);
      }
    }
  }

  std::optional<Estimate> answer(std::size_t cell, const SeriesKeys& series) const {
    return answer_of(summary_, cell, series, expectation_.value.statistic);
  }

  // Of the law that is drawn from, and not of the draws alone.
  bool is_tested() const { return expectation_.confidence.sign() > 0 && expectation_.kind != ExpectationKind::sample; }

  const std::string& cell_name(std::size_t cell) const { return summary_.description().cells[cell].name; }

  // What a cell's series are, these keys aside.
  std::vector<SeriesKeys> rests(std::size_t cell, const std::vector<std::string>& keys) const {
    std::vector<SeriesKeys> result;
    for (SeriesKeys series : summary_.cell(cell).series) {
      if (!has_keys(series, expectation_.value.series)) continue;
      for (const std::string& key : keys) series = without_key(std::move(series), key);
      if (std::ranges::find(result, series) == result.end()) result.push_back(std::move(series));
    }
    return result;
  }

  void check_number(std::size_t cell, const SeriesKeys& series) {
    CheckedPlace place;
    place.name = place_name(cell_name(cell), distinction(series, series_));
    place.found = answer(cell, series);
    if (expectation_.over) {
      const SeriesKeys other = with_keys(series, expectation_.over->series);
      place.found = quotient(place.found, answer_of(summary_, cell, other, expectation_.over->statistic));
    }
    if (!is_tested()) {
      place.outcome = within(place.found, expectation_);
    } else if (place.found) {
      decide(place, tails_of_number(cell, series));
    }
    places_.push_back(std::move(place));
  }

  // The likelier of the two answers, and the tail of its contrary.
  static void decide(CheckedPlace& place, const AnswerTails& tails) {
    place.tail = std::min(tails.of_met, tails.of_not_met);
    place.outcome = tails.of_met <= tails.of_not_met ? ExpectationOutcome::met : ExpectationOutcome::not_met;
  }

  AnswerTails tails_of_number(std::size_t cell, const SeriesKeys& series) const {
    const double low = expectation_.low.to_double().value_or(0);
    const double high = expectation_.high.to_double().value_or(0);
    const Statistic& statistic = expectation_.value.statistic;
    const Tally& tally = *find_tally(summary_, cell, series);
    if (statistic.kind == StatisticKind::share) {
      Statistic count = statistic;
      count.kind = StatisticKind::count;
      return tails_within(tally.answer(count)->lower.numerator().get_ui(), tally.draws() - tally.failed(), low, high);
    }
    const ByDraw& values = tally.by_draw(statistic.measure);
    if (!expectation_.over) return tails_within(values, low, high);
    const Tally& other = *find_tally(summary_, cell, with_keys(series, expectation_.over->series));
    return tails_within(values, other.by_draw(expectation_.over->statistic.measure), low, high);
  }

  // All cells together, however the paper's draws divide among them.
  void check_sample(const SeriesKeys& series) {
    DividedSample sample{expectation_.paper->numerator().get_ui(), expectation_.of, {}};
    std::vector<std::string> names;
    CountedSample ours;
    for (const std::size_t cell : cells_) {
      const Tally* const tally = find_tally(summary_, cell, series);
      if (tally == nullptr || tally->draws() == tally->failed()) continue;
      const std::uint64_t draws =
          expectation_.among ? counted(*tally, *expectation_.among) : tally->draws() - tally->failed();
      if (draws == 0) continue;
      sample.ours.emplace_back(counted(*tally, expectation_.value.statistic), draws);
      names.push_back(cell_name(cell));
      ours.count += sample.ours.back().first;
      ours.draws += sample.ours.back().second;
    }
    CheckedPlace place;
    place.name = distinction(series, series_);
    if (ours.draws > 0) {
      const Rational count(ours.count);
      place.found = Estimate{count, count, {}};
      place.remark = fmt::format("of {}", ours.draws);
      judge_sample(sample, names, place);
    }
    places_.push_back(std::move(place));
  }

  static std::uint64_t counted(const Tally& tally, const Statistic& statistic) {
    return tally.answer(statistic)->lower.numerator().get_ui();
  }

  void judge_sample(const DividedSample& sample, const std::vector<std::string>& names, CheckedPlace& place) const {
    const DividedTails tails = divided_tails(sample);
    const double level = (Rational(1) - expectation_.confidence).to_double().value_or(0);
    const auto samples =
        std::ranges::count(summary_.description().expectations, ExpectationKind::sample, &Expectation::kind);
    place.tail = tails.two_sided();
    if (std::min(tails.least_at_most, tails.least_at_least) >= level / 2) {
      place.outcome = ExpectationOutcome::met;
    } else if (*place.tail <= level / static_cast<double>(std::max<long>(samples, 1))) {
      place.outcome = ExpectationOutcome::not_met;
    }
    const auto ends = [](double least, double most) {
      const std::string from = fmt::format("{:.2g}", least);
      const std::string to = fmt::format("{:.2g}", most);
      return from == to ? from : from + " to " + to;
    };
    place.remark += fmt::format(", tails {} and {}", ends(tails.least_at_most, tails.most_at_most),
                                ends(tails.least_at_least, tails.most_at_least));
    if (place.outcome != ExpectationOutcome::undecided || names.size() != 2) return;
    if (const auto range = second_cell_range(sample, level / 2)) {
      place.remark += fmt::format("; met where from {} to {} of the paper's {} draws are of {}", range->first,
                                  range->second, sample.draws, names[1]);
    }
  }

  // The least of several numbers, of which one is missing where its name is empty.
  struct Least {
    std::optional<Estimate> number;
    std::string name;  // of one that has the lowest lower end
    Rational name_end;
    bool is_complete = true;

    void take(const std::optional<Estimate>& other, std::string_view other_name) {
      if (!other) {
        is_complete = false;
        return;
      }
      if (!number || other->lower < name_end) {
        name = other_name;
        name_end = other->lower;
      }
      number =
          !number ? *other : Estimate{std::min(number->lower, other->lower), std::min(number->upper, other->upper), {}};
    }
  };

  void check_least(std::size_t cell, const SeriesKeys& rest) {
    Least expected;
    Least others;
    for (const SeriesKeys& series : summary_.cell(cell).series) {
      if (!has_keys(series, expectation_.value.series) || without_key(series, expectation_.key) != rest) continue;
      const std::string_view name = value_of(series, expectation_.key);
      const bool is_expected = std::ranges::find(expectation_.expected, name) != expectation_.expected.end();
      (is_expected ? expected : others).take(answer(cell, series), name);
    }
    CheckedPlace place;
    place.name = place_name(cell_name(cell), distinction(rest, rests(cell, {expectation_.key})));
    place.found = quotient(expected.number, others.number);
    if (!expected.number || !others.number || !expected.is_complete || !others.is_complete) {
      place.remark = "a number is missing";
    } else if (is_tested()) {
      test_least(cell, rest, place);
      if (place.outcome == ExpectationOutcome::not_met) place.remark = others.name + " has the least";
    } else if (expected.number->upper <= others.number->lower) {
      place.outcome = ExpectationOutcome::met;
    } else if (expected.number->lower > others.number->upper) {
      place.outcome = ExpectationOutcome::not_met;
      place.remark = others.name + " has the least";
    }
    places_.push_back(std::move(place));
  }

  void test_least(std::size_t cell, const SeriesKeys& rest, CheckedPlace& place) const {
    std::vector<const ByDraw*> expected;
    std::vector<const ByDraw*> others;
    for (const SeriesKeys& series : summary_.cell(cell).series) {
      if (!has_keys(series, expectation_.value.series) || without_key(series, expectation_.key) != rest) continue;
      const auto name = value_of(series, expectation_.key);
      const bool is_expected = std::ranges::find(expectation_.expected, name) != expectation_.expected.end();
      const Tally* const tally = find_tally(summary_, cell, series);
      (is_expected ? expected : others).push_back(&tally->by_draw(expectation_.value.statistic.measure));
    }
    decide(place, tails_of_least(expected, others));
  }

  // All expectations with tests share what may be wrong.
  double level() const {
    const auto tested = std::ranges::count_if(summary_.description().expectations, [](const Expectation& one) {
      return one.kind != ExpectationKind::sample && one.confidence.sign() > 0;
    });
    return (Rational(1) - expectation_.confidence).to_double().value_or(0) /
           static_cast<double>(std::max<long>(tested, 1));
  }

  void check_apart(std::size_t cell, const SeriesKeys& rest) {
    std::vector<const ByDraw*> series;
    for (const SeriesKeys& keys : summary_.cell(cell).series) {
      if (!has_keys(keys, expectation_.value.series) || without_key(keys, expectation_.key) != rest) continue;
      const auto& chosen = expectation_.expected;
      const bool is_chosen = std::ranges::find(chosen, value_of(keys, expectation_.key)) != chosen.end();
      if (!chosen.empty() && !is_chosen) continue;
      series.push_back(&find_tally(summary_, cell, keys)->by_draw(expectation_.value.statistic.measure));
    }
    CheckedPlace place;
    place.name = place_name(cell_name(cell), distinction(rest, rests(cell, {expectation_.key})));
    const auto apart = separation_of(series);
    // What lies apart by less than the last digits of a double is written as nobody would: to six digits.
    if (apart) {
      const Rational found = std::get<Rational>(maxplus::parse_number(fmt::format("{:.6g}", *apart)));
      place.found = Estimate{found, found, {}};
      if (is_tested()) {
        decide(place, tails_of_separation(series, expectation_.high.to_double().value_or(0)));
      } else {
        place.outcome = within(place.found, expectation_);
      }
    }
    places_.push_back(std::move(place));
  }

  // What the tests do not decide together is undecided.
  void keep_rejections() {
    std::vector<double> tails;
    for (const CheckedPlace& place : places_) {
      if (place.tail) tails.push_back(*place.tail);
    }
    const std::vector<bool> rejected = holm_rejections(tails, level());
    std::size_t next = 0;
    for (CheckedPlace& place : places_) {
      if (!place.tail || rejected[next++]) continue;
      place.outcome = ExpectationOutcome::undecided;
      place.remark = fmt::format("p {:.2g}", *place.tail);
    }
  }

  // Which of the two is below at an x; nothing if that is not known.
  struct Order {
    Rational x;
    std::optional<int> sign;     // -1 if the first is below
    std::optional<double> tail;  // of a test that says so
  };
  struct Curve {
    std::string name;
    std::vector<Order> orders;
  };

  void check_crossings() {
    std::vector<Curve> curves = curves_to_cross();
    if (is_tested()) keep_orders(curves);
    for (Curve& curve : curves) add_crossing(std::move(curve.name), std::move(curve.orders));
  }

  // An order that the tests do not decide together is unknown.
  void keep_orders(std::vector<Curve>& curves) const {
    std::vector<double> tails;
    for (const Curve& curve : curves) {
      for (const Order& order : curve.orders) {
        if (order.tail) tails.push_back(*order.tail);
      }
    }
    const std::vector<bool> rejected = holm_rejections(tails, level());
    std::size_t next = 0;
    for (Curve& curve : curves) {
      for (Order& order : curve.orders) {
        if (order.tail && !rejected[next++]) order.sign.reset();
      }
    }
  }

  std::vector<Curve> curves_to_cross() const {
    std::vector<Curve> curves;
    const bool is_series_key = std::ranges::any_of(
        series_, [&](const SeriesKeys& series) { return !value_of(series, expectation_.x).empty(); });
    if (is_series_key) {
      for (const std::size_t cell : cells_) {
        const auto kinds = rests(cell, {expectation_.key, expectation_.x});
        for (const SeriesKeys& rest : kinds) {
          std::vector<Order> orders;
          for (const std::string& x : values_at(cell)) {
            orders.push_back(order_at(cell, with_key(rest, expectation_.x, x), number_of(x)));
          }
          curves.push_back({place_name(cell_name(cell), distinction(rest, kinds)), std::move(orders)});
        }
      }
      return curves;
    }
    std::vector<SeriesKeys> kinds;
    for (const SeriesKeys& series : series_) {
      SeriesKeys rest = without_key(series, expectation_.key);
      if (std::ranges::find(kinds, rest) == kinds.end()) kinds.push_back(std::move(rest));
    }
    for (const SeriesKeys& rest : kinds) {
      std::vector<Order> orders;
      for (const std::size_t cell : cells_) {
        const std::string x = parameter_text(summary_.description().cells[cell], expectation_.x);
        orders.push_back(order_at(cell, rest, number_of(x)));
      }
      curves.push_back({distinction(rest, kinds), std::move(orders)});
    }
    return curves;
  }

  std::vector<std::string> values_at(std::size_t cell) const {
    std::vector<std::string> values;
    for (const SeriesKeys& series : summary_.cell(cell).series) {
      std::string value(value_of(series, expectation_.x));
      if (!value.empty() && std::ranges::find(values, value) == values.end()) values.push_back(std::move(value));
    }
    return values;
  }

  // The reader has seen to it that it is one.
  static Rational number_of(const std::string& text) { return std::get<Rational>(maxplus::parse_number(text)); }

  Order order_at(std::size_t cell, const SeriesKeys& rest, Rational x) const {
    const auto first = answer(cell, with_key(rest, expectation_.key, expectation_.expected[0]));
    const auto second = answer(cell, with_key(rest, expectation_.key, expectation_.expected[1]));
    Order order{std::move(x), {}, {}};
    if (!first || !second) return order;
    if (is_tested()) {
      test_order(cell, rest, order);
      return order;
    }
    if (first->upper < second->lower) order.sign = -1;
    if (first->lower > second->upper) order.sign = 1;
    if (first->exact() && second->exact() && first->lower == second->lower) order.sign = 0;
    return order;
  }

  // Series that are equal in every draw are so; else the likelier of the two orders.
  void test_order(std::size_t cell, const SeriesKeys& rest, Order& order) const {
    const auto values = [&](const std::string& name) -> const ByDraw& {
      return find_tally(summary_, cell, with_key(rest, expectation_.key, name))
          ->by_draw(expectation_.value.statistic.measure);
    };
    const ByDraw& first = values(expectation_.expected[0]);
    const ByDraw& second = values(expectation_.expected[1]);
    if (first == second) {
      order.sign = 0;
      return;
    }
    const double below = tail_below(first, second, 1);
    const double above = tail_below(second, first, 1);
    order.sign = below <= above ? -1 : 1;
    order.tail = std::min(1.0, 2 * std::min(below, above));
  }

  // The least x from which on the first is below, such that fewest points say otherwise; nothing if it never is.
  static std::optional<Rational> crossing_of(const std::vector<Order>& orders, int unknown) {
    const auto sign = [&](const Order& order) { return order.sign.value_or(unknown); };
    if (std::ranges::none_of(orders, [&](const Order& order) { return sign(order) < 0; })) return std::nullopt;
    std::ptrdiff_t wrong = std::ranges::count_if(orders, [&](const Order& order) { return sign(order) > 0; });
    std::ptrdiff_t fewest = std::numeric_limits<std::ptrdiff_t>::max();
    std::optional<Rational> best;
    for (std::size_t i = 0; i <= orders.size(); ++i) {
      const bool is_start = i == orders.size() || i == 0 || orders[i - 1].x < orders[i].x;
      if (is_start && wrong < fewest) {
        fewest = wrong;
        best = i == orders.size() ? std::nullopt : std::optional(orders[i].x);
      }
      if (i < orders.size()) wrong -= sign(orders[i]);
    }
    return best;
  }

  // What is not known may be one or the other; the more points have the first below, the lower is the crossing.
  void add_crossing(std::string name, std::vector<Order> orders) {
    std::ranges::sort(orders, {}, &Order::x);
    const auto lowest = crossing_of(orders, -1);
    const auto highest = crossing_of(orders, 1);
    CheckedPlace place;
    place.name = std::move(name);
    if (lowest && highest) {
      place.found = Estimate{*lowest, *highest, {}};
      place.outcome = within(place.found, expectation_);
    } else if (!lowest) {
      place.outcome = ExpectationOutcome::not_met;
      place.remark = expectation_.expected[0] + " is never below";
    } else if (*lowest > expectation_.high) {
      place.outcome = ExpectationOutcome::not_met;
    }
    const auto unknown = std::ranges::count_if(orders, [](const Order& order) { return !order.sign; });
    if (unknown > 0) place.remark = joined(place.remark, fmt::format("({} points without order)", unknown));
    places_.push_back(std::move(place));
  }

  const Summary& summary_;
  const Expectation& expectation_;
  std::vector<std::size_t> cells_;
  std::vector<SeriesKeys> series_;
  std::vector<CheckedPlace> places_;
};

}  // namespace

ExpectationVerdict verdict_of(const Summary& summary, const Expectation& expectation) {
  ExpectationVerdict verdict;
  verdict.expectation = expectation;
  verdict.places = ExpectationCheck(summary, expectation).places();
  if (verdict.places.empty()) {
    verdict.remark = "no cell has such a series";
    return verdict;
  }
  const Rational needed = expectation.at_least * Rational(verdict.places.size());
  const Rational met(verdict.count(ExpectationOutcome::met));
  const Rational undecided(verdict.count(ExpectationOutcome::undecided));
  if (met >= needed) {
    verdict.outcome = ExpectationOutcome::met;
  } else if (met + undecided < needed) {
    verdict.outcome = ExpectationOutcome::not_met;
  }
  return verdict;
}

}  // namespace takt::experiments

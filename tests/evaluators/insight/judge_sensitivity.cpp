// Every claim is a changed document, written, read, folded and evaluated anew.
#include "tests/evaluators/insight/judge_sensitivity.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/sensitivity.hpp"
#include "evaluators/insight/together.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/parameters.hpp"
#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::support {

namespace {

using evaluators::ParameterInsight;
using maxplus::Rational;
using tpn::Parameter;
using ParameterPlaces = std::vector<std::size_t>;

constexpr std::uint64_t kMostTrials = 400;

class SensitivityJudge {
 public:
  SensitivityJudge(const tpn::Document& document, const tpn::Model& model, SensitivityTally& tally)
      : document_(document), model_(model), tally_(tally), net_(net_of(document, model)) {}

  void judge(bool is_alone) {
    if (net_.pipeline.rows > 24) return;
    evaluation_ = evaluators::evaluate(net_);
    if (evaluation_.lower.sign() == 0) return;
    ++tally_.documents;
    questions_.target = evaluation_.lower * Rational::fraction(tally_.documents % 2 == 0 ? 9 : 13, 10);
    questions_.curve = questions_.derivatives = is_alone;
    const std::vector<Parameter> each = tpn::parameters_of(document_);
    if (is_alone) return judge_rows(each);
    const std::vector<Parameter> groups = tpn::with_alike_together(document_, each);
    judge_rows(each);
    judge_rows(groups);
    judge_together(each);
    judge_together(groups);
  }

 private:
  static void hold(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error(what);
  }

  static void set(tpn::Document& document, const Parameter& parameter, const Rational& weight) {
    for (Rational* number : tpn::numbers_at(document, parameter)) *number = parameter.weight_of(weight);
  }
  // Of the file that takt would write: what the reader makes of it, not the document in memory.
  Rational period_read(const tpn::Document& changed) const {
    return period_of(net_of(tpn::read_document(tpn::write_document(changed), "changed.json"), model_));
  }
  Rational period_at(const Parameter& parameter, const Rational& weight) const {
    tpn::Document changed = document_;
    set(changed, parameter, weight);
    return period_read(changed);
  }

  void judge_rows(const std::vector<Parameter>& parameters) {
    const auto analysis = evaluators::analyze_parameters(net_, document_, evaluation_, questions_, parameters);
    hold(analysis.is_whole(), "not every row was looked at");
    for (const ParameterInsight& insight : analysis.insights) {
      ++tally_.rows;
      tally_.groups += insight.parameter.alike.empty() ? 0 : 1;
      tally_.bends += insight.parameter.may_bend ? 1 : 0;
      judge_row(insight);
    }
  }

  void judge_row(const ParameterInsight& insight) const {
    const Parameter& parameter = insight.parameter;
    const Rational& period = evaluation_.lower;
    const Rational now = parameter.weight_of(parameter.value);
    const auto holds = [&](bool is_so, const char* what) { hold(is_so, parameter.name + ": " + what); };
    if (now.sign() > 0)
      holds(*insight.faster_period == period_at(parameter, now / Rational::fraction(11, 10)), "faster");
    if (parameter.is_inverse()) {
      const Rational nearly_free = period_at(parameter, Rational::fraction(1, 1'000'000'000));
      holds(insight.free->period <= nearly_free, "not slower than free");
      holds(nearly_free - insight.free->period < Rational::fraction(1, 10'000), "nearly free");
    } else {
      holds(insight.free->period == period_at(parameter, Rational()), "free");
    }
    if (insight.is_without_limit) {
      holds(period_at(parameter, (now + 1) * Rational(1'000'000)) == period, "no limit");
    } else {
      holds(insight.slack.has_value(), "no slack");
      holds(period_at(parameter, now + *insight.slack) == period, "slack");
      holds(period_at(parameter, now + *insight.slack + Rational::fraction(1, 1000)) > period, "beyond the slack");
    }
    const auto& wanted = insight.target->weight;
    if (!wanted) {
      holds(*questions_.target < insight.free->period || insight.is_without_limit, "no target");
    } else if (wanted->sign() > 0 || !parameter.is_inverse()) {
      holds(period_at(parameter, *wanted) == *questions_.target, "target");
      holds(period_at(parameter, *wanted + Rational::fraction(1, 1000)) > *questions_.target, "beyond the target");
    } else {
      holds(insight.free->period == *questions_.target, "target for nothing");
    }
    if (questions_.derivatives) judge_derivatives(insight, now);
    if (questions_.curve) judge_curve(insight);
  }

  // The slopes on both sides, by changes too small to pass a vertex.
  void judge_derivatives(const ParameterInsight& insight, const Rational& now) const {
    const Rational tiny = Rational::fraction(1, maxplus::Integer("1000000000000000000000000"));
    const auto period_near = [&](const Rational& weight) {
      tpn::Document changed = document_;
      set(changed, insight.parameter, weight);
      return period_of(net_of(changed, model_));
    };
    const std::optional<Rational>& left = insight.left_derivative;
    hold(insight.right_derivative == (period_near(now + tiny) - evaluation_.lower) / tiny, "right derivative");
    hold(left.has_value() == (now.sign() > 0), "which derivatives");
    if (left)
      hold(left == (evaluation_.lower - period_near(now - tiny)) / tiny && left <= insight.right_derivative,
           "left derivative");
  }

  void judge_curve(const ParameterInsight& insight) const {
    const evaluators::Polyline& curve = *insight.curve;
    hold(curve.front().first == Rational(), "begin of the curve");
    const auto slope = [&](std::size_t i) {
      return (curve[i + 1].second - curve[i].second) / (curve[i + 1].first - curve[i].first);
    };
    for (std::size_t k = 0; k + 2 < curve.size(); ++k) hold(slope(k) < slope(k + 1), "convex curve");
    for (const int eighths : {1, 3, 4, 7}) {
      const Rational weight = curve.back().first * Rational::fraction(eighths, 8);
      Rational value = curve.back().second;
      for (std::size_t k = curve.size() - 1; k-- > 0;)
        if (weight <= curve[k + 1].first) value = curve[k].second + slope(k) * (weight - curve[k].first);
      hold(value == period_at(insight.parameter, weight), "curve");
    }
  }

  Rational period_with(const std::vector<Parameter>& parameters, const ParameterPlaces& places) const {
    tpn::Document changed = document_;
    for (const std::size_t p : places) {
      const Rational weight = parameters[p].weight_of(parameters[p].value);
      if (weight.sign() > 0) set(changed, parameters[p], weight / Rational::fraction(11, 10));
    }
    return period_read(changed);
  }

  void judge_together(const std::vector<Parameter>& parameters) {
    const auto found = evaluators::change_together(net_, document_, evaluation_, parameters, questions_.faster, {});
    hold(found.has_value() && !found->parameters.empty(), "nothing helps together");
    hold(found->period == period_with(parameters, found->parameters), "together");
    hold(found->period < evaluation_.lower, "together helps");
    hold(found->is_smallest, "the smallest set is not found");
    if (found->parameters.size() == 1) return;
    ++tally_.together;
    left_ = kMostTrials;
    try_all(parameters, found->parameters.size() - 1, 0, {});
  }

  // Sets of that size do not help; nor do smaller ones, which are in them.
  void try_all(const std::vector<Parameter>& parameters, std::size_t size, std::size_t first, ParameterPlaces places) {
    if (left_ == 0) return;
    if (places.size() == size) {
      --left_;
      ++tally_.trials;
      hold(period_with(parameters, places) == evaluation_.lower, "a smaller set helps: " + parameters[places[0]].name);
      return;
    }
    for (std::size_t p = first; p < parameters.size(); ++p) {
      places.push_back(p);
      try_all(parameters, size, p + 1, places);
      places.pop_back();
    }
  }

  const tpn::Document& document_;
  const tpn::Model model_;
  SensitivityTally& tally_;
  const tpn::FoldedNet net_;
  evaluators::Evaluation evaluation_;
  evaluators::SensitivityQuestions questions_;
  std::uint64_t left_ = 0;
};

std::optional<std::string> judged(const tpn::Document& document, const tpn::Model& model, SensitivityTally& tally,
                                  bool is_alone) {
  try {
    SensitivityJudge(document, model, tally).judge(is_alone);
    return std::nullopt;
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

std::optional<std::string> judge_sensitivity(const tpn::Document& document, const tpn::Model& model,
                                             SensitivityTally& tally) {
  return judged(document, model, tally, false);
}

std::optional<std::string> judge_parameters(const tpn::Document& document, const tpn::Model& model,
                                            SensitivityTally& tally) {
  return judged(document, model, tally, true);
}

}  // namespace takt::support

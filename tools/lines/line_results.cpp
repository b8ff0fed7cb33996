// Written member by member without a tree or a writer between: most of the lines are short numbers.
#include "tools/lines/line_results.hpp"

#include <array>
#include <charconv>
#include <numeric>

#include "tools/evaluation_output.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using evaluators::NarrowFraction;
using evaluators::Period;

namespace {

void append(std::string& text, std::integral auto number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  text.append(digits.data(), end.ptr);
}

// A period in lowest terms: as two integers, or as whatever number it is.
class LowestTerms {
 public:
  explicit LowestTerms(const Period& period) : period_(period) {
    const NarrowFraction* narrow = period.narrow();
    if (narrow == nullptr) return;
    const std::int64_t common = std::gcd(narrow->numerator, narrow->denominator);
    numerator_ = narrow->numerator / common;
    denominator_ = narrow->denominator / common;
  }

  bool is_zero() const { return is_narrow() ? numerator_ == 0 : period_.rational().sign() == 0; }

  /// "p/q" or "p" in double quotes.
  void append_to(std::string& text) const {
    is_narrow() ? append_fraction(text, numerator_, denominator_) : append_text(text, period_.rational());
  }

  void append_reciprocal_to(std::string& text) const {
    is_narrow() ? append_fraction(text, denominator_, numerator_)
                : append_text(text, maxplus::Rational(1) / period_.rational());
  }

  /// The nearest double, or null.
  void append_decimal_to(std::string& text) const {
    constexpr std::int64_t kMostWhole = std::int64_t{1} << 53;
    // Both are doubles then, and a quotient of doubles is the nearest one.
    if (is_narrow() && numerator_ <= kMostWhole && denominator_ <= kMostWhole) {
      text += tpn::json_number(static_cast<double>(numerator_) / static_cast<double>(denominator_));
      return;
    }
    const auto decimal = period_.rational().to_double();
    text += decimal ? tpn::json_number(*decimal) : "null";
  }

 private:
  bool is_narrow() const { return denominator_ != 0; }

  static void append_fraction(std::string& text, std::int64_t numerator, std::int64_t denominator) {
    text += '"';
    append(text, numerator);
    if (denominator != 1) {
      text += '/';
      append(text, denominator);
    }
    text += '"';
  }

  static void append_text(std::string& text, const maxplus::Rational& number) {
    text += '"';
    text += number.to_string();
    text += '"';
  }

  const Period& period_;
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 0;  // 0 where the period is not narrow
};

void append_text(std::string& text, std::string_view value) {
  text += *tpn::json_string(value, tpn::IllFormed::replaced);
}

void begin_line(std::string& text, std::size_t line, const tpn::Model& model) {
  text += R"({"line":)";
  append(text, line);
  text += R"(,"model":")";
  text += tpn::name_of(model);
  text += '"';
  if (!model->has_rooms) return;
  text += R"(,"rooms":)";
  append(text, model.rooms());
}

void append_exact(std::string& text, const LowestTerms& period) {
  text += R"(,"exact":true,"period":)";
  period.append_to(text);
  text += R"(,"period_decimal":)";
  period.append_decimal_to(text);
  text += R"(,"throughput":)";
  period.is_zero() ? text += "null" : (period.append_reciprocal_to(text), text);
}

void append_interval(std::string& text, const LineResult& result) {
  text += R"(,"exact":false,"period":null,"period_decimal":null,"throughput":null,"lower_bound":)";
  LowestTerms(result.lower).append_to(text);
  text += R"(,"upper_bound":)";
  LowestTerms(result.upper).append_to(text);
}

}  // namespace

LineResult line_result(std::size_t line, const EvaluatedInstance& result, tpn::TimeUnit unit) {
  const tpn::Resource& busiest = result.net.resources[result.evaluation.busiest];
  return {.line = line,
          .model = result.net.model,
          .window = result.net.capacity.window,
          .time_unit = unit,
          .lower = result.evaluation.lower,
          .upper = result.evaluation.upper,
          .max_cycle_time = busiest.cycle_time,
          .processor = result.net.pipeline.processors[busiest.processor],
          .resource = busiest.kind,
          .limit = result.evaluation.exact() ? "" : limit_text(result.evaluation)};
}

void write_line(std::string& text, const LineResult& result) {
  begin_line(text, result.line, result.model);
  if (result.window > 0) {
    text += R"(,"window":)";
    append(text, result.window);
  }
  if (result.time_unit == tpn::TimeUnit::second) text += R"(,"time_unit":"s")";
  const bool is_exact = result.is_exact();
  is_exact ? append_exact(text, LowestTerms(result.upper)) : append_interval(text, result);
  text += R"(,"max_cycle_time":{"value":)";
  LowestTerms(result.max_cycle_time).append_to(text);
  text += R"(,"resource":)";
  append_text(text, result.processor);
  if (result.resource != tpn::ConstraintKind::processor) {
    text.back() = ' ';
    text += tpn::name_of(result.resource);
    text += '"';
  }
  text += R"(},"critical_resource":)";
  text += !is_exact ? "null" : result.lower == result.max_cycle_time ? "true" : "false";
  if (!is_exact) {
    text += R"(,"limit":)";
    append_text(text, result.limit);
  }
  text += "}\n";
}

void write_line(std::string& text, const LineVerdict& verdict) {
  const auto& period = verdict.period;
  const bool is_exact = period && period->lower == period->upper;
  const auto exact = is_exact ? std::optional(period->lower) : std::nullopt;
  const auto holds =
      period ? heuristics::holds_within(verdict.predicted, *period, verdict.tolerance) : heuristics::Holds::undecided;
  tpn::JsonWriter json(text, tpn::IllFormed::replaced);
  json.begin_object(tpn::JsonLayout::compact);
  json.member("line", verdict.line);
  json.member("heuristic", verdict.heuristic);
  tpn::write_model(json, verdict.model);
  if (verdict.time_unit == tpn::TimeUnit::second) json.member("time_unit", "s");
  json.member("predicted_period", verdict.predicted.to_string());
  json.member("period", exact ? std::optional(exact->to_string()) : std::nullopt);
  if (period && !is_exact) {
    json.member("lower_bound", period->lower.to_string());
    json.member("upper_bound", period->upper.to_string());
  }
  json.key("periods");
  json.begin_object();
  for (const auto& [model, known] : verdict.periods) {
    json.member(tpn::name_of(model), known ? std::optional(known->to_string()) : std::nullopt);
  }
  json.end();
  json.member("relation", heuristics::name_of(period ? heuristics::relation_of(verdict.predicted, *period)
                                                     : heuristics::Relation::undecided));
  const auto gap = exact ? heuristics::gap(verdict.predicted, *exact) : std::nullopt;
  json.member("gap_percent", gap ? (*gap * maxplus::Rational(100)).to_double() : std::nullopt);
  json.member("holds",
              holds == heuristics::Holds::undecided ? std::nullopt : std::optional(holds == heuristics::Holds::yes));
  if (!is_exact) json.member("limit", verdict.limit);
  json.end();
  text += '\n';
}

}  // namespace takt::tools

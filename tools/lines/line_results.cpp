// Written member by member without a tree or a writer between: most of the lines are short numbers.
#include "tools/lines/line_results.hpp"

#include <array>
#include <charconv>
#include <numeric>
#include <optional>
#include <utility>

#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/verification.hpp"
#include "tools/words/json_results.hpp"
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

// A number in lowest terms: two integers, or whatever number it is.
class LowestTerms {
 public:
  explicit LowestTerms(const Period& period) {
    const NarrowFraction* narrow = period.narrow();
    if (narrow == nullptr) {
      wide_ = period.rational();
      return;
    }
    const std::int64_t common = std::gcd(narrow->numerator, narrow->denominator);
    numerator_ = narrow->numerator / common;
    denominator_ = narrow->denominator / common;
  }

  bool is_zero() const { return wide_ ? wide_->sign() == 0 : numerator_ == 0; }

  /// Of a number above 0.
  LowestTerms reciprocal() const {
    LowestTerms result = *this;
    if (wide_) {
      result.wide_ = maxplus::Rational(1) / *wide_;
    } else {
      std::swap(result.numerator_, result.denominator_);
    }
    return result;
  }

  /// "p/q" or "p" in double quotes.
  void append_to(std::string& text) const {
    text += '"';
    if (wide_) {
      text += wide_->to_string();
    } else {
      append(text, numerator_);
      if (denominator_ != 1) {
        text += '/';
        append(text, denominator_);
      }
    }
    text += '"';
  }

  /// The nearest double, or null.
  void append_decimal_to(std::string& text) const {
    constexpr std::int64_t kMostWhole = std::int64_t{1} << 53;
    // Both are doubles then, and a quotient of doubles is the nearest one.
    if (!wide_ && numerator_ <= kMostWhole && denominator_ <= kMostWhole) {
      text += tpn::json_number(static_cast<double>(numerator_) / static_cast<double>(denominator_));
      return;
    }
    const auto decimal = (wide_ ? *wide_ : maxplus::Rational::fraction(numerator_, denominator_)).to_double();
    text += decimal ? tpn::json_number(*decimal) : "null";
  }

 private:
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
  std::optional<maxplus::Rational> wide_;  // in their place, if they do not hold it
};

void append_text(std::string& text, std::string_view value) {
  text += *tpn::json_string(value, tpn::IllFormed::replaced);
}

void begin_line(std::string& text, std::string_view file, std::size_t line, const tpn::Model& model) {
  text += R"({"file":)";
  append_text(text, file);
  text += R"(,"line":)";
  append(text, line);
  text += R"(,"model":")";
  text += tpn::name_of(model);
  text += '"';
  if (!model->has_rooms) return;
  text += R"(,"rooms":)";
  append(text, model.rooms());
}

// `name` and `name_decimal`, as write_exact does.
void append_number(std::string& text, std::string_view name, const LowestTerms& number) {
  text += R"(,")";
  text += name;
  text += R"(":)";
  number.append_to(text);
  text += R"(,")";
  text += name;
  text += R"(_decimal":)";
  number.append_decimal_to(text);
}

void append_exact(std::string& text, const Period& period) {
  text += R"(,"exact":true)";
  const LowestTerms number(period);
  append_number(text, "period", number);
  if (number.is_zero()) {
    text += R"(,"throughput":null,"throughput_decimal":null)";
  } else {
    append_number(text, "throughput", number.reciprocal());
  }
}

void append_interval(std::string& text, const LineResult& result) {
  text += R"(,"exact":false,"period":null,"period_decimal":null,"throughput":null,"throughput_decimal":null)";
  append_number(text, "period_lower_bound", LowestTerms(result.lower));
  append_number(text, "period_upper_bound", LowestTerms(result.upper));
}

}  // namespace

LineResult line_result(std::size_t line, const EvaluatedInstance& result, tpn::TimeUnit unit) {
  const tpn::Resource& busiest = result.net.resources[result.evaluation.busiest];
  return {.file = result.file,
          .line = line,
          .model = result.net.model,
          .window = result.net.capacity.window,
          .limited_buffers = result.net.capacity.buffers.size(),
          .time_unit = unit,
          .lower = result.evaluation.lower,
          .upper = result.evaluation.upper,
          .max_cycle_time = busiest.cycle_time,
          .processor = result.net.pipeline.processors[busiest.processor],
          .resource = busiest.kind,
          .limit = result.evaluation.exact() ? "" : limit_text(result.evaluation)};
}

void write_line(std::string& text, const LineResult& result) {
  begin_line(text, result.file, result.line, result.model);
  if (result.window > 0) {
    text += R"(,"window":)";
    append(text, result.window);
  }
  if (result.limited_buffers > 0) {
    text += R"(,"limited_buffers":)";
    append(text, result.limited_buffers);
  }
  if (result.time_unit == tpn::TimeUnit::second) text += R"(,"time_unit":"s")";
  const bool is_exact = result.is_exact();
  is_exact ? append_exact(text, result.upper) : append_interval(text, result);
  append_number(text, "max_cycle_time", LowestTerms(result.max_cycle_time));
  text += R"(,"busiest_resource":{"processor":)";
  append_text(text, result.processor);
  text += R"(,"kind":")";
  text += tpn::name_of(result.resource);
  text += R"("},"has_critical_resource":)";
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
  json.member("file", verdict.file);
  json.member("line", verdict.line);
  json.member("heuristic", verdict.heuristic);
  tpn::write_model(json, verdict.model);
  if (verdict.time_unit == tpn::TimeUnit::second) json.member("time_unit", "s");
  write_exact(json, "predicted_period", verdict.predicted);
  write_exact(json, "period", exact);
  if (period && !is_exact) {
    write_exact(json, "period_lower_bound", period->lower);
    write_exact(json, "period_upper_bound", period->upper);
  }
  json.key("periods");
  json.begin_array();
  for (const auto& [model, known] : verdict.periods) write_model_period(json, model, known);
  json.end();
  json.member("relation", heuristics::name_of(period ? heuristics::relation_of(verdict.predicted, *period)
                                                     : heuristics::Relation::undecided));
  const auto gap = exact ? heuristics::gap(verdict.predicted, *exact) : std::nullopt;
  write_percent(json, "gap_percent", gap);
  json.member("holds",
              holds == heuristics::Holds::undecided ? std::nullopt : std::optional(holds == heuristics::Holds::yes));
  if (!is_exact) json.member("limit", verdict.limit);
  json.end();
  text += '\n';
}

}  // namespace takt::tools

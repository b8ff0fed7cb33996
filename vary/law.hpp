// Laws of durations: how a time varies around its mean.
//
// Problem. Draw factors of mean 1 by a law, a hundred million of them in seconds, each a function of one random number,
// so that more luck is more luck under every law.
//
// Method. The inverse of the distribution function, at a uniform number u. Uniform laws and samples have it in closed
// form. Of the others a table holds it, at 64 places of each octave of u and of 1 - u, which puts places as close
// together as they are to an end; between them it is linear, and in the last 2^-44 of each end the function itself is
// asked. The table is scaled so that its mean is 1. Between places it is off by less than 1e-4 of the mean, or of the
// value where that is larger (tests/vary).
//
// References. [devroye1986random], chapter II.2.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace takt::vary {

enum class LawKind { constant, exponential, uniform, erlang, gamma, lognormal, normal, pareto, samples };

/// How a duration is distributed around its mean, which is the document's.
struct Law {
  LawKind kind = LawKind::constant;
  /// Of `uniform` the share of the mean that it lies off at most, above 0 to 1; of `erlang` the number of exponential
  /// phases; of `gamma`, `lognormal` and `normal` the coefficient of variation, above 0, of a normal law, of which only
  /// positive values are taken, below 0.75; of `pareto` the exponent of its tail, above 1.
  double parameter = 0;
  /// Of `samples`: as multiples of their mean, each as likely.
  std::vector<double> samples{};

  friend bool operator==(const Law&, const Law&) = default;
};

/// The law of a text: "exponential", "uniform:20%", "erlang:4", "gamma:0.5", "lognormal:0.5", "normal:0.2",
/// "pareto:2.5", "constant"; or what was expected in place of it, a phrase.
struct LawExpectation {
  std::string expected;
};
std::variant<Law, LawExpectation> parse_law(std::string_view text);

/// As people say it: "lognormal, coefficient of variation 0.5"; of samples "3 samples".
std::string words_of(const Law& law);

/// Standard deviation over mean; infinite where a law has none (pareto up to 2).
double variation_of(const Law& law);

/// Whether what is left of a duration is on average no longer than a new one, however much of it is over: new better
/// than used in expectation. Of samples it is tried at each of them.
bool is_nbue(const Law& law);

/// Whether the mean latency of a queue with such times is finite at a rate: it takes a finite variance of durations.
bool has_mean_latency(const Law& law);

/// Draws factors of mean 1.
class LawSampler {
 public:
  explicit LawSampler(const Law& law);

  bool is_constant() const { return kind_ == Form::one; }

  /// The factor at 64 random bits; it does not fall as these, as a number, grow.
  double operator()(std::uint64_t bits) const;
  /// The same of many.
  void draw(std::span<const std::uint64_t> bits, std::span<double> factors) const;

 private:
  enum class Form { one, linear, samples, table };
  struct Table;

  static std::shared_ptr<const Table> table_of(const Law& law);

  double from_table(std::uint64_t bits) const;

  Form kind_ = Form::one;
  double spread_ = 0;
  std::vector<double> samples_;         // ascending
  std::shared_ptr<const Table> table_;  // samplers of one law share it
};

}  // namespace takt::vary

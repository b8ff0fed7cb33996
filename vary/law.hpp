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
#include <span>
#include <string>
#include <vector>

#include "tpn/law.hpp"

namespace takt::vary {

using tpn::Law;
using tpn::LawKind;

/// As people say it: "lognormal, coefficient of variation 0.5"; of samples "3 samples".
std::string words_of(const Law& law);

/// Standard deviation over mean; infinite where a law has none (pareto up to 2).
double variation_of(const Law& law);

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

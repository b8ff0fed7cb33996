// Laws: how a number of a document varies around its mean.
//
// Problem. Exact answers take the mean of every time, work and size; random ones (vary/) also how it varies. Both read
// the same document.
//
// Method. A law is a kind and at most one parameter, or samples, as multiples of their mean: if the mean changes, the
// law stays as it is. Everything is exact; what draws from a law (vary/law.hpp) makes doubles of it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::tpn {

enum class LawKind { constant, exponential, uniform, erlang, gamma, lognormal, normal, pareto, samples };

/// How a number is distributed around its mean.
struct Law {
  LawKind kind = LawKind::constant;
  /// Of `uniform` the share of the mean that it lies off at most, above 0 to 1; of `erlang` the number of exponential
  /// phases; of `gamma`, `lognormal` and `normal` the coefficient of variation, above 0, of a normal law, of which only
  /// positive values are taken, below 0.75; of `pareto` the exponent of its tail, above 1; else 0.
  maxplus::Rational parameter{};
  /// Of `samples`, from 1 to kMostSamples: as multiples of their mean, each as likely.
  std::vector<maxplus::Rational> samples{};

  friend bool operator==(const Law&, const Law&) = default;
};

inline constexpr std::size_t kMostSamples = 1'000'000;

/// What people write of a kind of laws.
struct LawForm {
  std::string_view name;  // "lognormal"
  LawKind kind;
  std::string_view key;       // of its parameter in a document: "cv"; empty if it has none
  std::string_view expected;  // what the parameter is expected to be, a phrase
  std::string_view example;   // of it
};

/// Of all kinds but samples.
std::span<const LawForm> law_forms();
const LawForm* find_law_form(std::string_view name);
/// Of that kind, which must not be samples.
const LawForm& form_of(LawKind kind);

/// Whether the parameter, or the samples, are such as a law of that kind may have.
bool is_within(const Law& law);

/// Whether what is left of a duration is on average no longer than a new one, however much of it is over: new better
/// than used in expectation. Of samples it is tried at each of them.
bool is_nbue(const Law& law);

/// A number, or one in percent as a share of 1: "0.2" or "20%"; nothing if it is neither.
std::optional<maxplus::Rational> parse_parameter(std::string_view text);

/// What was expected in place of a law, a phrase.
struct LawExpectation {
  std::string expected;
};

/// The law of a text: "exponential", "uniform:20%", "erlang:4", "gamma:0.5", "lognormal:0.5", "normal:0.2",
/// "pareto:2.5", "constant".
std::variant<Law, LawExpectation> parse_law(std::string_view text);

/// Numbers of at least 0, from 1 to kMostSamples, as a law and their mean. Where all are 0, the multiples are 1.
struct SampledLaw {
  maxplus::Rational mean;
  Law law;
};
SampledLaw law_of_samples(std::span<const maxplus::Rational> samples);

/// The law of a number in a document, or none: the number does not vary. Copies share it.
class SharedLaw {
 public:
  SharedLaw() = default;
  explicit SharedLaw(Law law) : law_(std::make_shared<const Law>(std::move(law))) {}

  /// Null if there is none.
  const Law* get() const { return law_.get(); }
  const Law* operator->() const { return law_.get(); }
  const Law& operator*() const { return *law_; }
  explicit operator bool() const { return law_ != nullptr; }

  friend bool operator==(const SharedLaw& a, const SharedLaw& b) {
    return a.law_ == b.law_ || (a.law_ != nullptr && b.law_ != nullptr && *a.law_ == *b.law_);
  }

 private:
  std::shared_ptr<const Law> law_;
};

}  // namespace takt::tpn

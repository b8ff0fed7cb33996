// Columns that widen as arcs need it: numerators, then fractions; no tokens, 32 bits of them, then 64.
#include "maxplus/arc_columns.hpp"

#include <limits>
#include <numeric>
#include <utility>

#include "maxplus/contract.hpp"

namespace takt::maxplus {

ArcColumns::ArcColumns(std::span<const RationalArc> arcs) {
  reserve(arcs.size());
  for (const RationalArc& arc : arcs) add(arc);
}

void ArcColumns::reserve(std::size_t arcs) {
  from_.reserve(arcs);
  to_.reserve(arcs);
  numerators_.reserve(arcs);
}

void ArcColumns::add(std::uint32_t from, std::uint32_t to, std::int64_t numerator, std::int64_t denominator,
                     std::uint64_t tokens) {
  std::int64_t scaled = 0;
  const bool fits = is_narrow() && (denominator_ % denominator == 0 || widen_denominator(denominator)) &&
                    !__builtin_mul_overflow(numerator, denominator_ / denominator, &scaled);
  if (!fits) {
    give_up_columns();
    fractions_.push_back(Rational::fraction(integer_of(numerator), integer_of(denominator)));
  } else {
    numerators_.push_back(scaled);
  }
  from_.push_back(from);
  to_.push_back(to);
  add_tokens(tokens);
}

void ArcColumns::add(const RationalArc& arc) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
  expects(arc.from <= kMost && arc.to <= kMost, "an arc's ends are below 2^32 - 1");
  const auto from = static_cast<std::uint32_t>(arc.from);
  const auto to = static_cast<std::uint32_t>(arc.to);
  const Integer& numerator = arc.weight.numerator();
  const Integer& denominator = arc.weight.denominator();
  if (numerator.fits_slong_p() && denominator.fits_slong_p()) {
    return add(from, to, numerator.get_si(), denominator.get_si(), arc.tokens);
  }
  give_up_columns();
  fractions_.push_back(arc.weight);
  from_.push_back(from);
  to_.push_back(to);
  add_tokens(arc.tokens);
}

void ArcColumns::add_times(std::span<const Rational> times) {
  ArcColumns sums;
  sums.reserve(size());
  for (std::size_t arc = 0; arc < size(); ++arc) {
    RationalArc sum = (*this)[arc];
    sum.weight += times[sum.from];
    sums.add(sum);
  }
  *this = std::move(sums);
}

Rational ArcColumns::weight(std::size_t arc) const {
  if (!is_narrow()) return fractions_[arc];
  if (denominator_ == 1) return numerators_[arc];
  return Rational::fraction(integer_of(numerators_[arc]), integer_of(denominator_));
}

std::vector<RationalArc> ArcColumns::listed() const {
  std::vector<RationalArc> arcs;
  arcs.reserve(size());
  for (std::size_t arc = 0; arc < size(); ++arc) arcs.push_back((*this)[arc]);
  return arcs;
}

// At least doubles the denominator, hence happens 62 times at most.
bool ArcColumns::widen_denominator(std::int64_t denominator) {
  const std::int64_t factor = denominator / std::gcd(denominator, denominator_);
  std::int64_t widened = 0;
  if (__builtin_mul_overflow(denominator_, factor, &widened)) return false;
  std::int64_t product = 0;
  for (const std::int64_t numerator : numerators_) {
    if (__builtin_mul_overflow(numerator, factor, &product)) return false;
  }
  for (std::int64_t& numerator : numerators_) numerator *= factor;
  denominator_ = widened;
  return true;
}

void ArcColumns::give_up_columns() {
  if (!is_narrow()) return;
  std::vector<Rational> fractions;
  fractions.reserve(numerators_.capacity());
  for (std::size_t arc = 0; arc < numerators_.size(); ++arc) fractions.push_back(weight(arc));
  fractions_ = std::move(fractions);
  numerators_ = {};
  denominator_ = 1;
}

void ArcColumns::add_tokens(std::uint64_t tokens) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::size_t before = size() - 1;
  if (!long_tokens_.empty()) return long_tokens_.push_back(tokens);
  if (tokens > kMost) {
    long_tokens_.reserve(from_.capacity());
    if (tokens_.empty()) {
      long_tokens_.assign(before, 1);
    } else {
      long_tokens_.assign(tokens_.begin(), tokens_.end());
    }
    tokens_ = {};
    return long_tokens_.push_back(tokens);
  }
  if (tokens_.empty()) {
    if (tokens == 1) return;
    tokens_.reserve(from_.capacity());
    tokens_.assign(before, 1);
  }
  tokens_.push_back(static_cast<std::uint32_t>(tokens));
}

}  // namespace takt::maxplus

// Binomial coefficients, each from the one before it.
#include "experiments/statistics/fisher.hpp"

#include <utility>

#include "maxplus/contract.hpp"

namespace takt::experiments {

namespace {

using maxplus::Integer;

Integer binomial(std::uint64_t n, std::uint64_t k) {
  Integer result;
  mpz_bin_ui(result.get_mpz_t(), Integer(n).get_mpz_t(), k);
  return result;
}

// C(marked, x) C(all - marked, drawn - x) for one x after the other: how often x of those drawn are marked.
class HypergeometricTerms {
 public:
  HypergeometricTerms(std::uint64_t all, std::uint64_t marked, std::uint64_t drawn)
      : all_(all), marked_(marked), drawn_(drawn) {
    // Which of the two is drawn makes no difference.
    if (marked_ < drawn_) std::swap(marked_, drawn_);
    others_ = all_ - marked_;
  }

  std::uint64_t least() const { return drawn_ > others_ ? drawn_ - others_ : 0; }
  std::uint64_t most() const { return drawn_; }
  Integer total() const { return binomial(all_, drawn_); }

  // The sum of all terms up to `last`; the last of them comes out, too.
  Integer sum_up_to(std::uint64_t last, Integer& term) const {
    std::uint64_t x = least();
    term = x == 0 ? binomial(others_, drawn_) : binomial(marked_, x);
    Integer sum = term;
    for (; x < last; ++x) {
      term *= Integer(marked_ - x) * Integer(drawn_ - x);
      term /= Integer(x + 1) * Integer(others_ + x + 1 - drawn_);
      sum += term;
    }
    return sum;
  }

  // The sum of all terms from `first` on; the first of them comes out, too.
  Integer sum_from(std::uint64_t first, Integer& term) const {
    std::uint64_t x = most();
    term = binomial(marked_, drawn_);
    Integer sum = term;
    for (; x > first; --x) {
      term *= Integer(x) * Integer(others_ + x - drawn_);
      term /= Integer(marked_ - x + 1) * Integer(drawn_ - x + 1);
      sum += term;
    }
    return sum;
  }

 private:
  std::uint64_t all_;
  std::uint64_t marked_;
  std::uint64_t drawn_;
  std::uint64_t others_ = 0;
};

}  // namespace

SampleTails sample_tails(const CountedSample& sample, const CountedSample& other) {
  maxplus::expects(sample.draws > 0 && other.draws > 0, "a sample has draws");
  maxplus::expects(sample.count <= sample.draws && other.count <= other.draws, "a count is among the draws");
  const HypergeometricTerms terms(sample.draws + other.draws, sample.count + other.count, sample.draws);
  const Integer total = terms.total();
  Integer term;
  const bool is_low = sample.count - terms.least() <= terms.most() - sample.count;
  const Integer sum = is_low ? terms.sum_up_to(sample.count, term) : terms.sum_from(sample.count, term);
  const maxplus::Rational near = maxplus::Rational::fraction(sum, total);
  const maxplus::Rational far = maxplus::Rational::fraction(total - sum + term, total);
  return is_low ? SampleTails{near, far} : SampleTails{far, near};
}

}  // namespace takt::experiments

// What a check may cost, and what it has cost so far: operations by the length of their numbers, and time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <variant>

#include "evaluators/proof/certificate.hpp"

namespace takt::evaluators {

/// Operations the checker makes before it answers TooLarge. One on numbers of up to kPieceBits bits counts once, a
/// longer one as often as `product_cost` and `divisor_cost` say. Ten million take about a second.
inline constexpr std::uint64_t kCheckedOperations = 200'000'000;
inline constexpr std::uint64_t kPieceBits = 1024;

/// Bits of all the numbers that the checker keeps at once, of those whose length a certificate's denominators decide.
inline constexpr std::uint64_t kCheckedBits = std::uint64_t{1} << 33;

/// What a check may cost.
struct CheckLimits {
  // NOLINTNEXTLINE(google-explicit-constructor): a number alone limits the operations
  CheckLimits(std::uint64_t most_operations = kCheckedOperations, std::function<bool()> out_of_time = {})
      : operations(most_operations), is_out_of_time(std::move(out_of_time)) {}

  std::uint64_t operations;
  std::function<bool()> is_out_of_time;  // asked every now and then; may be empty
};

/// The time ran out before there was a verdict.
struct CheckTimeout {};

/// Why there is no verdict.
using Unchecked = std::variant<tpn::TooLarge, CheckTimeout>;

/// Pieces of kPieceBits bits that a number has, 1 at the least.
inline std::uint64_t pieces(const Integer& number) {
  constexpr std::uint64_t kLimbs = kPieceBits / static_cast<unsigned>(GMP_NUMB_BITS);
  return std::max<std::uint64_t>((mpz_size(number.get_mpz_t()) + kLimbs - 1) / kLimbs, 1);
}
inline std::uint64_t pieces(const Rational& number) {
  return pieces(number.numerator()) + pieces(number.denominator());
}

/// What an operation counts: a product or quotient one number's
/// pieces for each of the other's; a greatest common divisor sixteen times as much.
inline std::uint64_t product_cost(const Integer& a, const Integer& b) { return pieces(a) * pieces(b); }
inline std::uint64_t divisor_cost(const Integer& a, const Integer& b) { return 16 * product_cost(a, b); }

/// Counts the operations of one check.
class CheckBudget {
 public:
  explicit CheckBudget(CheckLimits limits) : limits_(std::move(limits)) {}

  /// Counts operations that are about to be made. False if they are too many, or the time is over: `unchecked`
  /// then says which, and none of them must be made.
  bool spend(std::uint64_t operations) {
    if (operations > limits_.operations - spent_) return refuse(operations);
    spent_ += operations;
    return has_time(operations);
  }
  bool spend(const Integer& operations);

  /// The same for operations that were counted before: is there time for them?
  bool has_time(std::uint64_t operations) {
    unasked_ += operations;
    if (unasked_ < kOperationsBetweenQuestions) return true;
    return ask();
  }

  /// Whether that number of operations is left; counts nothing.
  bool allows(const Integer& operations) { return operations <= limits_.operations - spent_ || refuse(operations); }

  /// Charges a common denominator of `bits` bits; at most `most_bits`.
  bool bound_denominator(std::uint64_t bits, std::uint64_t most_bits);

  /// Charges `numbers` numbers over a denominator of `bits` bits, kept at once. False if they take too much memory.
  bool keep(std::uint64_t numbers, std::uint64_t bits);

  /// Why there is no verdict, after an answer of false.
  const Unchecked& unchecked() const { return *unchecked_; }

 private:
  static constexpr std::uint64_t kOperationsBetweenQuestions = 1 << 14;

  bool refuse(const Integer& operations);
  bool ask();

  CheckLimits limits_;
  std::uint64_t spent_ = 0;
  std::uint64_t unasked_ = 0;
  std::optional<Unchecked> unchecked_;
};

}  // namespace takt::evaluators

// What is beyond the budget, in words of limits.
#include "evaluators/proof/check_budget.hpp"

namespace takt::evaluators {

bool CheckBudget::spend(const Integer& operations) {
  if (!operations.fits_ulong_p()) return refuse(operations);
  return spend(std::uint64_t{operations.get_ui()});
}

bool CheckBudget::refuse(const Integer& operations) {
  unchecked_ = tpn::TooLarge{tpn::LimitKind::checked_operations, operations + spent_, limits_.operations};
  return false;
}

bool CheckBudget::keep(std::uint64_t numbers, std::uint64_t bits) {
  return bound_denominator(bits, kCheckedBits / std::max<std::uint64_t>(numbers, 1));
}

bool CheckBudget::bound_denominator(std::uint64_t bits, std::uint64_t most_bits) {
  if (bits <= most_bits) return true;
  unchecked_ = tpn::TooLarge{tpn::LimitKind::denominator_bits, bits, most_bits};
  return false;
}

bool CheckBudget::ask() {
  unasked_ = 0;
  if (!limits_.is_out_of_time || !limits_.is_out_of_time()) return true;
  unchecked_ = CheckTimeout{};
  return false;
}

}  // namespace takt::evaluators

// Follows the potential and every bound along both dependences of its transfer until nothing new rises above the
// potential.
#include "evaluators/proof/check_potentials.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "evaluators/proof/check_clocks.hpp"
#include "evaluators/proof/check_potential_system.hpp"
#include "evaluators/proof/check_residue_bounds.hpp"

namespace takt::evaluators {

namespace {

// Functions answer false if there is no more to do: `verdict` then says why.
class PotentialSaturation {
 public:
  PotentialSaturation(const PotentialSystem& system, std::int64_t highest, CheckBudget& budget)
      : system_(system), highest_(highest), exceptions_(system, highest), budget_(budget) {}

  Verdict run() {
    for (std::size_t t = 0; t < system_.transfers.size(); ++t) {
      if (!follow_potentials(t)) return verdict();
    }
    while (const auto bound = exceptions_.next()) {
      if (!follow(*bound)) return verdict();
    }
    if (exceptions_.failure()) return verdict();
    return Proven{};
  }

 private:
  Verdict verdict() const {
    if (refused_) return *refused_;
    return exceptions_.failure() ? *exceptions_.failure() : verdict_of(budget_.unchecked());
  }

  static std::size_t pair_of(const PotentialTransfer& transfer, std::size_t t, const KnownResidues& known) {
    return known.of[t] * transfer.receivers + known.of[t + 1];
  }

  // Every class, at its potential.
  bool follow_potentials(std::size_t t) {
    const PotentialTransfer& transfer = system_.transfers[t];
    KnownResidues known;
    return each_residue(system_, known, t, budget_, [&] {
      return each_residue(system_, known, t + 1, budget_, [&] {
        const std::size_t pair = pair_of(transfer, t, known);
        const TransferPotentials& potentials = *transfer.potentials;
        return each_class(system_, known, transfer.seen[potentials.sees_of[pair]], potentials.offset[pair], budget_,
                          [&](std::size_t index) { return follow(t, pair, known, potentials.potentials[index]); });
      });
    });
  }

  bool follow(const Exception& bound) {
    const PotentialTransfer& transfer = system_.transfers[bound.transfer];
    const std::size_t pair = pair_of(transfer, bound.transfer, bound.known);
    std::size_t index = transfer.potentials->offset[pair];
    for (const SeenPart& seen : transfer.seen[transfer.potentials->sees_of[pair]]) {
      index += bound.known.of[seen.part] * seen.stride;
    }
    return follow(bound.transfer, pair, bound.known, transfer.potentials->potentials[index] + bound.rise);
  }

  // Starts on these data sets at `value`: who waits for it?
  bool follow(std::size_t t, std::size_t pair, const KnownResidues& known, std::int64_t value) {
    const PotentialTransfer& transfer = system_.transfers[t];
    return budget_.spend(2) && follow(t, transfer.forwards, known, value + transfer.forwards.gain[pair]) &&
           follow(t, transfer.backwards, known, value + transfer.backwards.gain[pair]);
  }

  bool follow(std::size_t t, const PotentialArc& arc, const KnownResidues& known, std::int64_t value) {
    const PotentialTransfer& target = system_.transfers[arc.target];
    // The part that both transfers have stays where it is.
    if (arc.target > t && value <= target.least_of_sender[known.of[arc.target]]) return true;
    if (arc.target < t && value <= target.least_of_receiver[known.of[t]]) return true;
    KnownResidues moved = move(known, arc);
    const std::size_t joined = arc.target > t ? arc.target + 1 : arc.target;
    return each_residue(system_, moved, joined, budget_, [&] {
      const std::size_t pair = pair_of(target, arc.target, moved);
      return value <= target.least[pair] || reach(arc.target, pair, moved, value);
    });
  }

  KnownResidues move(const KnownResidues& known, const PotentialArc& arc) const {
    KnownResidues moved;
    moved.parts = known.parts;
    for (PartSet parts = known.parts; parts != 0; parts &= parts - 1) {
      const auto part = static_cast<std::size_t>(std::countr_zero(parts));
      const std::uint64_t residue = std::uint64_t{known.of[part]} + arc.shift[part];
      const std::uint64_t length = system_.lengths[part];
      moved.of[part] = static_cast<std::uint32_t>(residue < length ? residue : residue - length);
    }
    return moved;
  }

  // What rises above the potential is a bound, of what its pair keeps.
  bool reach(std::size_t t, std::size_t pair, KnownResidues& known, std::int64_t value) {
    const PotentialTransfer& transfer = system_.transfers[t];
    const TransferPotentials& potentials = *transfer.potentials;
    const std::uint32_t sees = potentials.sees_of[pair];
    const PartSet needed = transfer.sees[sees];
    const PartSet kept = needed | transfer.keeps[potentials.keeps_of[pair]];
    return each_class(system_, known, transfer.seen[sees], potentials.offset[pair], budget_, [&](std::size_t index) {
      const std::int64_t rise = value - potentials.potentials[index];
      if (rise <= 0) return true;
      if (rise > highest_) return refuse(t, rise);
      return exceptions_.add(t, known, known.parts & kept, needed, static_cast<std::uint32_t>(rise));
    });
  }

  bool refuse(std::size_t t, std::int64_t rise) {
    refused_ =
        Refused{fmt::format("an exception of transfer {} rises {} above the floor; the certificate calls {} the "
                            "highest",
                            t, rise, highest_)};
    return false;
  }

  const PotentialSystem& system_;
  std::int64_t highest_;
  ResidueBounds exceptions_;
  CheckBudget& budget_;
  std::optional<Refused> refused_;
};

}  // namespace

Verdict check_potentials(const tpn::FoldedNet& net, const PotentialSchedule& potentials, const Rational& upper,
                         const CheckLimits& limits) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const bool is_bounded = limits.operations < kMost / kPotentialSteps;
  CheckBudget budget({is_bounded ? limits.operations * kPotentialSteps : kMost, limits.is_out_of_time});
  const auto system = potential_system(net, potentials, upper, budget);
  if (const auto* refused = std::get_if<Refused>(&system)) return *refused;
  if (const auto* unchecked = std::get_if<Unchecked>(&system)) return verdict_of(*unchecked);
  return PotentialSaturation(std::get<PotentialSystem>(system), potentials.highest, budget).run();
}

}  // namespace takt::evaluators

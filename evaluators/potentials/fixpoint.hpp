// Fixpoint search: residue-specific bounds above the potentials at a candidate period, until all together keep every
// dependence.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluators/potentials/known_sets.hpp"
#include "evaluators/potentials/potential_classes.hpp"
#include "evaluators/potentials/strict_chain.hpp"
#include "maxplus/deadline.hpp"

namespace takt::evaluators {

/// The lowest start times, less candidate * data set, of each class, in ticks; and minima that spare looks at all of
/// them.
class ClassPotentials {
 public:
  /// No class of a pair that no data set has is ever asked for.
  static constexpr std::int32_t kNever = INT32_MAX / 2;

  /// `values` by transfer and class.
  ClassPotentials(const StrictChain& chain, const PotentialClasses& classes,
                  std::vector<std::vector<std::int32_t>> values);

  std::int32_t of_class(std::size_t t, std::size_t index) const { return transfers_[t].by_class[index]; }
  void prefetch(std::size_t t, std::size_t index) const { __builtin_prefetch(&transfers_[t].by_class[index]); }
  std::int32_t least_of_pair(std::size_t t, std::size_t pair) const { return transfers_[t].by_pair[pair]; }
  /// By receiver, and by sender.
  std::span<const std::int32_t> least_from(std::size_t t, std::size_t sender) const;
  std::span<const std::int32_t> least_to(std::size_t t, std::size_t receiver) const;
  std::int32_t least_of_sender(std::size_t t, std::size_t sender) const { return transfers_[t].by_sender[sender]; }
  std::int32_t least_of_receiver(std::size_t t, std::size_t receiver) const {
    return transfers_[t].by_receiver[receiver];
  }
  const std::vector<std::int32_t>& values(std::size_t t) const { return transfers_[t].by_class; }

 private:
  struct OfTransfer {
    std::vector<std::int32_t> by_class;
    std::vector<std::int32_t> by_pair;
    std::vector<std::int32_t> by_reversed_pair;  // receiver first
    std::vector<std::int32_t> by_sender;
    std::vector<std::int32_t> by_receiver;
  };

  const StrictChain& chain_;
  std::vector<OfTransfer> transfers_;
};

/// How a fixpoint search ended: nothing more follows; bounds rise so high or so often that they seem to diverge; or a
/// limit: of bounds, of memory or of time.
enum class FixpointEnd { found, divergence, over_budget, full, out_of_time };

/// What a fixpoint search may take. A residue-specific bound counts each time that it is reached.
struct FixpointLimits {
  std::int32_t highest = 0;  // ticks above the potential, beyond which the search diverges
  double expected = 0;       // bounds reached, beyond which it is one if most were known before
  double bounds = 0;         // reached
  std::uint64_t memory = 0;  // bytes
  maxplus::Deadline deadline;
};

/// Residue-specific bounds are followed the highest first. What is known of their data sets is cut down to `keeps` of
/// their transfer and what their class needs: forgetting makes a bound hold for more data sets. See potentials.hpp for
/// the proof.
class Fixpoint {
 public:
  /// `keeps` by transfer; the bits of each one's residues, with those of a class, 64 at the most. `allowances` by part:
  /// the candidate period times its modulus in ticks, rounded down. Keeps references.
  Fixpoint(const StrictChain& chain, const PotentialClasses& classes, const ClassPotentials& potentials,
           std::span<const PartBits> keeps, std::span<const std::int64_t> allowances);

  FixpointEnd run(const FixpointLimits& limits);

  /// Residue-specific bounds, each as often as it was reached, and each once.
  double reached() const { return reached_; }
  double stored() const { return static_cast<double>(stored_); }
  /// The most that one rose above the potential, in ticks.
  std::int32_t highest() const { return highest_; }

 private:
  // A residue-specific bound in a bucket of its height; if it starts later by now, it waits higher too.
  struct Waiting {
    std::uint64_t key;
    std::uint32_t set;
    std::int32_t start;
  };
  // A start time at a class that may be above the potential.
  struct Arrival {
    std::uint64_t key;
    std::uint32_t set;
    std::uint32_t index;
    std::int32_t start;
    std::int32_t height;  // once the potential is known
  };
  // Known residues at a transfer, and a start time in ticks.
  struct Item {
    std::size_t transfer = 0;
    PartBits known = 0;
    std::int64_t start = 0;
    std::array<std::uint32_t, kPotentialParts> residues;  // of those that are known
  };

  FixpointEnd begin(const FixpointLimits& limits);
  FixpointEnd follow_batch(const FixpointLimits& limits);
  // The end that a limit asks for; the fixpoint where none does.
  FixpointEnd end_by(const FixpointLimits& limits) const;
  std::size_t pair_of(const Item& item) const {
    return chain_.pair(item.transfer, item.residues[item.transfer], item.residues[item.transfer + 1]);
  }
  void follow(Item& item);
  void follow_later(const Item& item, std::size_t transfer, std::size_t height_of, std::int64_t gain);
  void arrive(Item& item);
  void arrive_at_pair(Item& item);
  void arrive_at_class(const Item& item);
  template <typename Least, typename Arrive>
  void branch(Item& item, std::size_t part, Least least, Arrive arrive);
  ResidueSet possible(const Item& item, std::size_t part) const;
  void store_arrivals();
  void keep_arrivals_above();
  std::size_t bucket(std::int32_t height) const {
    return std::min(static_cast<std::size_t>(height) / bucket_width_, waiting_.size() - 1);
  }

  const StrictChain& chain_;
  const PotentialClasses& classes_;
  const ClassPotentials& potentials_;
  std::vector<PartBits> keeps_;
  std::vector<std::int64_t> allowances_;
  KnownSets sets_;
  std::vector<std::vector<Waiting>> waiting_;  // by height
  std::size_t bucket_width_ = 1;
  std::size_t top_ = 0;  // no bucket above has any
  std::vector<Arrival> arrivals_;
  std::size_t stored_ = 0;
  std::size_t waiting_count_ = 0;
  double reached_ = 0;
  std::int32_t highest_ = 0;
  std::uint64_t table_bytes_ = 0;
};

}  // namespace takt::evaluators

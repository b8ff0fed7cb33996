// Soft potentials of classes: how far walks get, where what a class does not know counts by its mean and deviation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluators/floors/floor_classes.hpp"
#include "evaluators/floors/strict_chain.hpp"
#include "maxplus/deadline.hpp"

namespace takt::evaluators {

/// From or to the hub: the line of the processor with the largest cycle time, its receptions and sendings in turn.
enum class FieldSide { from_hub, to_hub };

/// By class, the largest weight of a walk from the hub to it, and from it to the hub, at a beat; an unknown residue's
/// values count as mean + caution * standard deviation in place of their maximum. Estimates, in ticks: floats, that
/// prove nothing. With more caution fewer data sets are above, until circuits of estimates gain and nothing settles.
class SoftField {
 public:
  /// Keeps references.
  SoftField(const StrictChain& chain, const FloorClasses& classes);

  /// Forgets all values.
  void restart(double caution);

  /// Raises the values until they keep what they should at the beat, in ticks per data set; those of a larger beat are
  /// a beginning. False where that takes more than `sweeps` over all classes, on either side, or the time is over.
  bool settle(double beat, unsigned sweeps, const maxplus::Deadline& deadline);

  /// The middle between what a walk from the hub brings and what one to the hub allows.
  float middle(std::size_t transfer, std::size_t index) const;

 private:
  // Unreached.
  static constexpr float kNone = -1e30F;

  struct Values {
    std::vector<std::vector<float>> by_class;  // by transfer
    std::vector<std::vector<float>> by_pair;   // the soft maximum over the third residue
    // When a value last changed, by transfer and residue of its sender, and of its receiver.
    std::vector<std::vector<std::uint32_t>> changed_sender;
    std::vector<std::vector<std::uint32_t>> changed_receiver;
    std::vector<std::vector<std::uint32_t>> examined;  // by pair
    std::uint32_t clock = 0;
  };

  // The pair at hand.
  struct Place {
    std::size_t transfer, sender, receiver, pair;
  };

  void seed(Values& values, FieldSide side);
  void seed_line(Values& values, FieldSide side, std::size_t part, std::size_t processor);
  bool settle(Values& values, FieldSide side, double beat, unsigned sweeps, const maxplus::Deadline& deadline);
  std::size_t sweep(Values& values, FieldSide side, double beat, bool upwards, const maxplus::Deadline& deadline);
  bool is_up_to_date(const Values& values, const Place& place) const;
  std::size_t raise(Values& values, FieldSide side, double beat, const Place& place);
  void average(Values& values, std::size_t transfer, std::size_t pair) const;
  float soft_maximum(const float* values, std::size_t count) const;

  // The value of a class of a pair, or the pair's own where its third part is another one.
  float value(const Values& values, std::size_t t, std::size_t pair, std::size_t part, std::size_t residue) const {
    if (classes_.third(t, pair) != part) return values.by_pair[t][pair];
    const std::size_t index = classes_.first(t, pair) + residue;
    return classes_.is_met(t, index) ? values.by_class[t][index] : kNone;
  }
  float left(const Values& values, FieldSide side, double beat, const Place& place, std::size_t x) const;
  float right(const Values& values, FieldSide side, double beat, const Place& place, std::size_t x) const;
  float own(const Values& values, FieldSide side, double beat, const Place& place, std::size_t x) const;
  void gather(const Values& values, FieldSide side, double beat, const Place& place);

  const StrictChain& chain_;
  const FloorClasses& classes_;
  float caution_ = 1;
  float tolerance_ = 1;
  Values from_hub_;
  Values to_hub_;
  std::vector<float> known_;    // of the pair at hand, by residue of its third part
  std::vector<float> unknown_;  // the values that do not depend on that
};

}  // namespace takt::evaluators

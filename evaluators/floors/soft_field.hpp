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

  /// Raises the values until they keep what they should at the beat, in ticks per data set; those of a larger beat are
  /// a beginning. False where that takes more than `sweeps` over all classes, on either side, or the time is over.
  bool settle(double beat, double caution, unsigned sweeps, const maxplus::Deadline& deadline);

  /// The middle between what a walk from the hub brings and what one to the hub allows.
  float middle(std::size_t transfer, std::size_t index) const;

 private:
  // Unreached.
  static constexpr float kNone = -1e30F;

  struct Values {
    std::vector<std::vector<float>> by_class;  // by transfer
    std::vector<std::vector<float>> by_pair;   // the soft maximum over the third residue
    // When a value last changed, by transfer and residue of its sender, and of its receiver; and when those next to a
    // processor last served to raise others over its line, likewise.
    std::vector<std::vector<std::uint32_t>> changed_sender;
    std::vector<std::vector<std::uint32_t>> changed_receiver;
    std::vector<std::vector<std::uint32_t>> raised_sender;
    std::vector<std::vector<std::uint32_t>> raised_receiver;
    std::uint32_t clock = 0;
  };

  // Transfer t and those before or after it on the line of one processor, its sender or its receiver. Rows are residues
  // of the line's far neighbour, columns those of the other end of transfer t.
  struct Line {
    std::size_t transfer, processor;
    bool is_sender;
    std::size_t part, far, other, source;  // source: the transfer between part and far
    bool is_shifted;                       // by the part's processors, from a transfer of another data set
    bool is_shifted_back;                  // which is an earlier one
  };

  void seed(Values& values, FieldSide side);
  void seed_line(Values& values, FieldSide side, std::size_t part, std::size_t processor);
  bool settle(Values& values, FieldSide side, double beat, unsigned sweeps, const maxplus::Deadline& deadline);
  std::size_t sweep(Values& values, FieldSide side, double beat, bool upwards, const maxplus::Deadline& deadline);
  std::size_t raise_transfer(Values& values, FieldSide side, double beat, std::size_t transfer);

  Line line(FieldSide side, std::size_t transfer, std::size_t processor, bool is_sender) const;
  // Of a processor and another one, the receiver where the first one sends.
  std::size_t pair_of(std::size_t transfer, std::size_t processor, bool is_sender, std::size_t other) const {
    return is_sender ? chain_.pair(transfer, processor, other) : chain_.pair(transfer, other, processor);
  }
  std::size_t shifted(const Line& line, std::size_t part, std::size_t residue) const;
  void gather(const Values& values, FieldSide side, double beat, const Line& line);
  void gather_row(const Values& values, const Line& line, std::size_t far_residue, float gain, float* row) const;
  void soften(const Line& line);
  std::size_t raise_over(Values& values, const Line& line);
  std::size_t raise_over_own(Values& values, FieldSide side, double beat, std::size_t transfer, std::size_t processor);
  void has_risen(Values& values, std::size_t transfer, std::size_t pair);
  void average(Values& values, std::size_t transfer, std::size_t pair) const;
  float soft_maximum(const float* values, std::size_t count) const;
  float soft_maximum(float sum, float squares, float count) const;

  const StrictChain& chain_;
  const FloorClasses& classes_;
  float caution_ = 1;
  float tolerance_ = 1;
  Values from_hub_;
  Values to_hub_;
  // Of the line at hand: what each row and column brings, and what a column does where its row is unknown.
  std::vector<float> brought_;
  std::vector<float> softly_;
  std::vector<float> gains_;  // by column
};

}  // namespace takt::evaluators

// Estimates of potentials: the longest walks by class, where a residue that a class does not know counts by its mean
// and deviation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluators/potentials/potential_classes.hpp"
#include "evaluators/potentials/strict_chain.hpp"
#include "maxplus/deadline.hpp"

namespace takt::evaluators {

/// From or to the reference processor: the circuit of the processor with the largest cycle time, its receptions and
/// sendings in turn.
enum class EstimateSide { from_reference, to_reference };

/// By class, the largest weight of a walk from the reference processor to it, and from it to the reference processor,
/// at a candidate period; an unknown residue's values count as mean + safety_factor * standard deviation in place of
/// their maximum. Estimates, in ticks: floats, that prove nothing. With a larger safety factor fewer data sets are
/// above, until circuits of estimates gain and nothing settles.
class PotentialEstimate {
 public:
  /// Keeps references.
  PotentialEstimate(const StrictChain& chain, const PotentialClasses& classes);

  /// Raises the values until they keep what they should at the candidate period, in ticks per data set; those of a
  /// larger candidate period are a beginning. False if that takes more than `sweeps` over all classes, on either
  /// side, or the time is over.
  bool settle(double candidate, double safety_factor, unsigned sweeps, const maxplus::Deadline& deadline);

  /// The mean of the lower bound (walks from the reference processor) and the upper bound (walks to it).
  float middle(std::size_t transfer, std::size_t index) const;

 private:
  // Unreached.
  static constexpr float kNone = -1e30F;

  struct Values {
    std::vector<std::vector<float>> by_class;  // by transfer
    std::vector<std::vector<float>> by_pair;   // the estimated maximum over the third residue
    // When a value last changed, by transfer and residue of its sender, and of its receiver; and when those next to a
    // processor last served to raise others over its circuit, likewise.
    std::vector<std::vector<std::uint32_t>> changed_sender;
    std::vector<std::vector<std::uint32_t>> changed_receiver;
    std::vector<std::vector<std::uint32_t>> raised_sender;
    std::vector<std::vector<std::uint32_t>> raised_receiver;
    std::uint32_t clock = 0;
  };

  // Transfer t and those before or after it on the circuit of one processor, its sender or its receiver. Rows are
  // residues of the circuit's far neighbor, columns those of the other end of transfer t.
  struct ProcessorCircuit {
    std::size_t transfer, processor;
    bool is_sender;
    std::size_t part, far, other, source;  // source: the transfer between part and far
    bool is_shifted;                       // by the part's processors, from a transfer of another data set
    bool is_shifted_back;                  // which is an earlier one
  };

  void seed(Values& values, EstimateSide side);
  void seed_circuit(Values& values, EstimateSide side, std::size_t part, std::size_t processor);
  bool settle(Values& values, EstimateSide side, double candidate, unsigned sweeps, const maxplus::Deadline& deadline);
  std::size_t sweep(Values& values, EstimateSide side, double candidate, bool upwards,
                    const maxplus::Deadline& deadline);
  std::size_t raise_transfer(Values& values, EstimateSide side, double candidate, std::size_t transfer);

  ProcessorCircuit circuit(EstimateSide side, std::size_t transfer, std::size_t processor, bool is_sender) const;
  // Of a processor and another one, the receiver where the first one sends.
  std::size_t pair_of(std::size_t transfer, std::size_t processor, bool is_sender, std::size_t other) const {
    return is_sender ? chain_.pair(transfer, processor, other) : chain_.pair(transfer, other, processor);
  }
  std::size_t shifted(const ProcessorCircuit& circuit, std::size_t part, std::size_t residue) const;
  void gather(const Values& values, EstimateSide side, double candidate, const ProcessorCircuit& circuit);
  void gather_row(const Values& values, const ProcessorCircuit& circuit, std::size_t far_residue, float gain,
                  float* row) const;
  void estimate_unknown(const ProcessorCircuit& circuit);
  std::size_t raise_over(Values& values, const ProcessorCircuit& circuit);
  std::size_t raise_over_own(Values& values, EstimateSide side, double candidate, std::size_t transfer,
                             std::size_t processor);
  void has_risen(Values& values, std::size_t transfer, std::size_t pair);
  void average(Values& values, std::size_t transfer, std::size_t pair) const;
  float estimated_maximum(const float* values, std::size_t count) const;
  float estimated_maximum(float sum, float squares, float count) const;

  const StrictChain& chain_;
  const PotentialClasses& classes_;
  float safety_factor_ = 1;
  float tolerance_ = 1;
  Values from_reference_;
  Values to_reference_;
  // Of the circuit at hand: what each row and column brings, and what a column does where its row is unknown.
  std::vector<float> brought_;
  std::vector<float> estimated_;
  std::vector<float> gains_;  // by column
};

}  // namespace takt::evaluators

// Value iteration on the classes, pair by pair, as long as what a pair depends on changes.
#include "evaluators/potentials/potential_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace takt::evaluators {

namespace {

// A value that would rise by less than this share of the longest duration stays.
constexpr float kTolerance = 1.0F / 2048;
constexpr std::size_t kColumns = 8;

}  // namespace

PotentialEstimate::PotentialEstimate(const StrictChain& chain, const PotentialClasses& classes)
    : chain_(chain), classes_(classes), tolerance_(static_cast<float>(chain.longest()) * kTolerance) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < chain.parts(); ++i) most = std::max<std::size_t>(most, chain.modulus(i));
  // Columns are taken some at a time, beyond the last too.
  brought_.resize(most * most + kColumns);
  estimated_.resize(most + kColumns);
  gains_.resize(most);
  seed(from_reference_, EstimateSide::from_reference);
  seed(to_reference_, EstimateSide::to_reference);
}

void PotentialEstimate::seed(Values& values, EstimateSide side) {
  values = {};
  for (std::size_t t = 0; t < chain_.transfers(); ++t) {
    values.by_class.emplace_back(classes_.count(t), kNone);
    values.by_pair.emplace_back(chain_.pairs(t), kNone);
    values.changed_sender.emplace_back(chain_.modulus(t), 1);
    values.changed_receiver.emplace_back(chain_.modulus(t + 1), 1);
    values.raised_sender.emplace_back(chain_.modulus(t), 0);
    values.raised_receiver.emplace_back(chain_.modulus(t + 1), 0);
  }
  values.clock = 1;
  // Data sets whose residues modulo the divisor of all moduli differ never meet: each has a reference processor of its
  // own.
  std::uint32_t divisor = 0;
  for (std::size_t i = 0; i < chain_.parts(); ++i) divisor = std::gcd(divisor, chain_.modulus(i));
  for (std::uint32_t r = 0; r < divisor; ++r) {
    std::size_t part = 0;
    std::size_t processor = r;
    for (std::size_t i = 0; i < chain_.parts(); ++i) {
      for (std::size_t p = r; p < chain_.modulus(i); p += divisor) {
        if (chain_.cycle_time(i, p) <= chain_.cycle_time(part, processor)) continue;
        part = i;
        processor = p;
      }
    }
    seed_circuit(values, side, part, processor);
  }
  for (std::size_t t = 0; t < chain_.transfers(); ++t) {
    for (std::size_t pair = 0; pair < chain_.pairs(t); ++pair) average(values, t, pair);
  }
}

// The circuit's receptions and sendings one after the other, each as much late or early as the circuit is by then.
void PotentialEstimate::seed_circuit(Values& values, EstimateSide side, std::size_t part, std::size_t processor) {
  const std::size_t modulus = chain_.modulus(part);
  const bool has_left = part > 0;
  const bool has_right = part + 1 < chain_.parts();
  const std::size_t left_modulus = has_left ? chain_.modulus(part - 1) : 1;
  const std::size_t right_modulus = has_right ? chain_.modulus(part + 1) : 1;
  const std::size_t repeats = std::lcm(std::lcm(modulus, left_modulus), right_modulus);
  double late = 0;
  const auto set = [&](std::size_t t, std::size_t pair, std::size_t x) {
    float& value = values.by_class[t][classes_.first(t, pair) + x];
    value = std::max(value, static_cast<float>(side == EstimateSide::from_reference ? late : -late));
  };
  for (std::size_t j = processor; j < repeats; j += modulus) {
    if (has_left) {
      const std::size_t pair = chain_.pair(part - 1, j % left_modulus, processor);
      if (has_right && !classes_.sees_left(part - 1, pair)) set(part - 1, pair, j % right_modulus);
      late += chain_.transfer(part - 1, pair);
    }
    late += chain_.compute(part, processor);
    if (has_right) {
      const std::size_t pair = chain_.pair(part, processor, j % right_modulus);
      if (has_left && classes_.sees_left(part, pair)) set(part, pair, j % left_modulus);
      late += chain_.transfer(part, pair);
    }
    late -= chain_.cycle_time(part, processor) * static_cast<double>(modulus);
  }
}

bool PotentialEstimate::settle(double candidate, double safety_factor, unsigned sweeps,
                               const maxplus::Deadline& deadline) {
  safety_factor_ = static_cast<float>(safety_factor);
  const bool is_settled = settle(from_reference_, EstimateSide::from_reference, candidate, sweeps, deadline);
  return settle(to_reference_, EstimateSide::to_reference, candidate, sweeps, deadline) && is_settled;
}

bool PotentialEstimate::settle(Values& values, EstimateSide side, double candidate, unsigned sweeps,
                               const maxplus::Deadline& deadline) {
  for (auto* raised : {&values.raised_sender, &values.raised_receiver}) {
    for (std::vector<std::uint32_t>& of_transfer : *raised) std::ranges::fill(of_transfer, 0);
  }
  for (unsigned k = 0; k < sweeps; ++k) {
    const std::size_t risen = sweep(values, side, candidate, k % 2 == 0, deadline);
    if (deadline.has_passed()) return false;
    if (risen == 0) return true;
  }
  return false;
}

std::size_t PotentialEstimate::sweep(Values& values, EstimateSide side, double candidate, bool upwards,
                                     const maxplus::Deadline& deadline) {
  ++values.clock;
  std::size_t risen = 0;
  for (std::size_t k = 0; k < chain_.transfers(); ++k) {
    const std::size_t t = upwards ? k : chain_.transfers() - 1 - k;
    if (deadline.has_passed()) return risen;
    risen += raise_transfer(values, side, candidate, t);
  }
  return risen;
}

// Over the circuits of senders, then of receivers, of those where something changed.
std::size_t PotentialEstimate::raise_transfer(Values& values, EstimateSide side, double candidate,
                                              std::size_t transfer) {
  const std::size_t last = chain_.transfers() - 1;
  std::size_t risen = 0;
  for (const bool is_sender : {true, false}) {
    const bool is_own = is_sender ? transfer == 0 : transfer == last;
    const bool sends_at_source = is_own == is_sender;
    const std::size_t source = is_own ? transfer : is_sender ? transfer - 1 : transfer + 1;
    const auto& changed = (sends_at_source ? values.changed_sender : values.changed_receiver)[source];
    auto& raised = (is_sender ? values.raised_sender : values.raised_receiver)[transfer];
    for (std::size_t r = 0; r < raised.size(); ++r) {
      if (changed[r] < raised[r]) continue;
      raised[r] = values.clock;
      if (is_own) {
        risen += raise_over_own(values, side, candidate, transfer, r);
      } else {
        const ProcessorCircuit of = circuit(side, transfer, r, is_sender);
        gather(values, side, candidate, of);
        estimate_unknown(of);
        risen += raise_over(values, of);
      }
    }
  }
  return risen;
}

PotentialEstimate::ProcessorCircuit PotentialEstimate::circuit(EstimateSide side, std::size_t transfer,
                                                               std::size_t processor, bool is_sender) const {
  const bool is_shifted_back = side == EstimateSide::from_reference;
  return {.transfer = transfer,
          .processor = processor,
          .is_sender = is_sender,
          .part = is_sender ? transfer : transfer + 1,
          .far = is_sender ? transfer - 1 : transfer + 2,
          .other = is_sender ? transfer + 1 : transfer,
          .source = is_sender ? transfer - 1 : transfer + 1,
          .is_shifted = is_shifted_back != is_sender,
          .is_shifted_back = is_shifted_back};
}

// The residue at the circuit's source.
std::size_t PotentialEstimate::shifted(const ProcessorCircuit& circuit, std::size_t part, std::size_t residue) const {
  if (!circuit.is_shifted) return residue;
  const std::size_t modulus = chain_.modulus(part);
  const std::size_t by = chain_.modulus(circuit.part) % modulus;
  const std::size_t moved = residue + (circuit.is_shifted_back ? modulus - by : by);
  return moved < modulus ? moved : moved - modulus;
}

// The gain of a step is the duration of the transfer that it starts from: the source's, of each row, on the way from
// the reference processor, and the circuit's own, of each column, on the way to it.
void PotentialEstimate::gather(const Values& values, EstimateSide side, double candidate,
                               const ProcessorCircuit& circuit) {
  const std::size_t t = circuit.transfer;
  const std::size_t columns = chain_.modulus(circuit.other);
  const double turn = circuit.is_shifted ? -candidate * static_cast<double>(chain_.modulus(circuit.part))
                                         : static_cast<double>(chain_.compute(circuit.part, circuit.processor));
  const auto constant = static_cast<float>(turn);
  const bool counts_source = side == EstimateSide::from_reference;
  for (std::size_t y = 0; y < columns; ++y) {
    const std::size_t pair = pair_of(t, circuit.processor, circuit.is_sender, y);
    gains_[y] = counts_source ? 0.0F : static_cast<float>(chain_.transfer(t, pair));
  }
  for (std::size_t x = 0; x < chain_.modulus(circuit.far); ++x) {
    const std::size_t far = shifted(circuit, circuit.far, x);
    const std::size_t pair = pair_of(circuit.source, circuit.processor, !circuit.is_sender, far);
    const float duration = counts_source ? static_cast<float>(chain_.transfer(circuit.source, pair)) : 0.0F;
    gather_row(values, circuit, far, constant + duration, &brought_[x * columns]);
  }
}

void PotentialEstimate::gather_row(const Values& values, const ProcessorCircuit& circuit, std::size_t far_residue,
                                   float gain, float* row) const {
  const std::size_t columns = chain_.modulus(circuit.other);
  const std::size_t pair = pair_of(circuit.source, circuit.processor, !circuit.is_sender, far_residue);
  if (!classes_.meets(circuit.source, pair)) {
    std::fill_n(row, columns, kNone);
  } else if (classes_.third(circuit.source, pair) == circuit.other) {
    const float* of_pair = &values.by_class[circuit.source][classes_.first(circuit.source, pair)];
    const std::size_t from = shifted(circuit, circuit.other, 0);
    for (std::size_t y = 0; y < columns - from; ++y) row[y] = of_pair[from + y] + gain;
    for (std::size_t y = columns - from; y < columns; ++y) row[y] = of_pair[from + y - columns] + gain;
  } else {
    std::fill_n(row, columns, values.by_pair[circuit.source][pair] + gain);
    if (std::gcd(columns, static_cast<std::size_t>(chain_.modulus(circuit.far))) == 1) return;
    const ResidueSet& met = chain_.meeting(circuit.other, circuit.far, far_residue);
    for (std::size_t y = 0; y < columns; ++y) {
      if (!met.has(shifted(circuit, circuit.other, y))) row[y] = kNone;
    }
  }
}

// The estimated maximum of each column, over the rows that are reached; some columns at a time, so that sums stay in
// registers.
void PotentialEstimate::estimate_unknown(const ProcessorCircuit& circuit) {
  const std::size_t columns = chain_.modulus(circuit.other);
  const std::size_t rows = chain_.modulus(circuit.far);
  for (std::size_t first = 0; first < columns; first += kColumns) {
    std::array<float, kColumns> sums{};
    std::array<float, kColumns> squares{};
    std::array<float, kColumns> counts{};
    for (std::size_t x = 0; x < rows; ++x) {
      const float* row = &brought_[x * columns + first];
      for (std::size_t y = 0; y < kColumns; ++y) {
        const float is_reached = row[y] > kNone / 2 ? 1.0F : 0.0F;
        const float value = row[y] * is_reached;
        sums[y] += value;
        squares[y] += value * value;
        counts[y] += is_reached;
      }
    }
    for (std::size_t y = 0; y < kColumns; ++y)
      estimated_[first + y] = estimated_maximum(sums[y], squares[y], counts[y]);
  }
}

std::size_t PotentialEstimate::raise_over(Values& values, const ProcessorCircuit& circuit) {
  const std::size_t t = circuit.transfer;
  const std::size_t columns = chain_.modulus(circuit.other);
  std::size_t all_risen = 0;
  for (std::size_t y = 0; y < columns; ++y) {
    const std::size_t pair = pair_of(t, circuit.processor, circuit.is_sender, y);
    if (!classes_.meets(t, pair)) continue;
    const std::size_t third = classes_.third(t, pair);
    const std::size_t first = classes_.first(t, pair);
    const bool is_row_known = third == circuit.far;
    float* of_pair = &values.by_class[t][first];
    std::size_t risen = 0;
    for (std::size_t x = 0; x < chain_.modulus(third); ++x) {
      const float brought = (is_row_known ? brought_[x * columns + y] : estimated_[y]) + gains_[y];
      if (brought <= of_pair[x] + tolerance_ || brought <= kNone / 2 || !classes_.is_met(t, first + x)) continue;
      of_pair[x] = brought;
      ++risen;
    }
    if (risen > 0) has_risen(values, t, pair);
    all_risen += risen;
  }
  return all_risen;
}

// Of the first transfer over the circuit of its sender, or the last over that of its receiver.
std::size_t PotentialEstimate::raise_over_own(Values& values, EstimateSide side, double candidate, std::size_t transfer,
                                              std::size_t processor) {
  const bool is_sender = transfer == 0;
  const std::size_t part = is_sender ? 0 : transfer + 1;
  const std::size_t other_part = is_sender ? 1 : transfer;
  const std::size_t third = is_sender ? 2 : transfer - 1;
  const ProcessorCircuit circuit{.transfer = transfer,
                                 .processor = processor,
                                 .is_sender = is_sender,
                                 .part = part,
                                 .far = third,
                                 .other = other_part,
                                 .source = transfer,
                                 .is_shifted = true,
                                 .is_shifted_back = side == EstimateSide::from_reference};
  const double turn = chain_.compute(part, processor) - candidate * static_cast<double>(chain_.modulus(part));
  std::size_t all_risen = 0;
  for (std::size_t y = 0; y < chain_.modulus(other_part); ++y) {
    const std::size_t pair = pair_of(transfer, processor, is_sender, y);
    const std::size_t from = pair_of(transfer, processor, is_sender, shifted(circuit, other_part, y));
    if (!classes_.meets(transfer, pair)) continue;
    const std::size_t starting = side == EstimateSide::from_reference ? from : pair;
    const auto gain = static_cast<float>(chain_.transfer(transfer, starting) + turn);
    const float* source = &values.by_class[transfer][classes_.first(transfer, from)];
    float* target = &values.by_class[transfer][classes_.first(transfer, pair)];
    std::size_t risen = 0;
    for (std::size_t x = 0; x < chain_.modulus(third); ++x) {
      const float brought = source[shifted(circuit, third, x)] + gain;
      if (brought <= target[x] + tolerance_ || brought <= kNone / 2) continue;
      target[x] = brought;
      ++risen;
    }
    if (risen > 0) has_risen(values, transfer, pair);
    all_risen += risen;
  }
  return all_risen;
}

void PotentialEstimate::has_risen(Values& values, std::size_t transfer, std::size_t pair) {
  average(values, transfer, pair);
  const std::size_t receivers = chain_.modulus(transfer + 1);
  values.changed_sender[transfer][pair / receivers] = values.clock;
  values.changed_receiver[transfer][pair % receivers] = values.clock;
}

void PotentialEstimate::average(Values& values, std::size_t transfer, std::size_t pair) const {
  if (!classes_.meets(transfer, pair)) return;
  const std::size_t first = classes_.first(transfer, pair);
  const std::size_t count = chain_.modulus(classes_.third(transfer, pair));
  values.by_pair[transfer][pair] = estimated_maximum(&values.by_class[transfer][first], count);
}

// Of those that are reached.
float PotentialEstimate::estimated_maximum(const float* values, std::size_t count) const {
  float sum = 0;
  float squares = 0;
  float reached = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (values[k] <= kNone / 2) continue;
    sum += values[k];
    squares += values[k] * values[k];
    reached += 1;
  }
  return estimated_maximum(sum, squares, reached);
}

float PotentialEstimate::estimated_maximum(float sum, float squares, float count) const {
  if (count == 0) return kNone;
  const float mean = sum / count;
  return mean + safety_factor_ * std::sqrt(std::max(0.0F, squares / count - mean * mean));
}

float PotentialEstimate::middle(std::size_t transfer, std::size_t index) const {
  const float from = from_reference_.by_class[transfer][index];
  const float to = to_reference_.by_class[transfer][index];
  if (from <= kNone / 2) return to <= kNone / 2 ? 0.0F : -to;
  return to <= kNone / 2 ? from : (from - to) / 2;
}

}  // namespace takt::evaluators

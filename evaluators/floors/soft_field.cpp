// Value iteration on the classes, pair by pair, as long as what a pair depends on changes.
#include "evaluators/floors/soft_field.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace takt::evaluators {

namespace {

// A value that would rise by less than this share of the longest duration stays.
constexpr float kTolerance = 1.0F / 2048;

std::size_t before(std::size_t residue, std::size_t height, std::size_t modulus) {
  return (residue + modulus - height % modulus) % modulus;
}

std::size_t after(std::size_t residue, std::size_t height, std::size_t modulus) { return (residue + height) % modulus; }

}  // namespace

SoftField::SoftField(const StrictChain& chain, const FloorClasses& classes)
    : chain_(chain), classes_(classes), tolerance_(static_cast<float>(chain.longest()) * kTolerance) {
  known_.resize(kFloorResidues);
  unknown_.resize(kFloorResidues);
}

void SoftField::restart(double caution) {
  caution_ = static_cast<float>(caution);
  seed(from_hub_, FieldSide::from_hub);
  seed(to_hub_, FieldSide::to_hub);
}

void SoftField::seed(Values& values, FieldSide side) {
  values = {};
  for (std::size_t t = 0; t < chain_.transfers(); ++t) {
    values.by_class.emplace_back(classes_.count(t), kNone);
    values.by_pair.emplace_back(chain_.pairs(t), kNone);
    values.changed_sender.emplace_back(chain_.modulus(t), 1);
    values.changed_receiver.emplace_back(chain_.modulus(t + 1), 1);
    values.examined.emplace_back(chain_.pairs(t), 0);
  }
  values.clock = 1;
  // Data sets whose residues modulo the divisor of all moduli differ never meet: each has a hub of its own.
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
    seed_line(values, side, part, processor);
  }
  for (std::size_t t = 0; t < chain_.transfers(); ++t) {
    for (std::size_t pair = 0; pair < chain_.pairs(t); ++pair) average(values, t, pair);
  }
}

// The line's receptions and sendings one after the other, each as much late or early as the line is by then.
void SoftField::seed_line(Values& values, FieldSide side, std::size_t part, std::size_t processor) {
  const std::size_t modulus = chain_.modulus(part);
  const bool has_left = part > 0;
  const bool has_right = part + 1 < chain_.parts();
  const std::size_t left_modulus = has_left ? chain_.modulus(part - 1) : 1;
  const std::size_t right_modulus = has_right ? chain_.modulus(part + 1) : 1;
  const std::size_t repeats = std::lcm(std::lcm(modulus, left_modulus), right_modulus);
  double late = 0;
  const auto set = [&](std::size_t t, std::size_t pair, std::size_t x) {
    float& value = values.by_class[t][classes_.first(t, pair) + x];
    value = std::max(value, static_cast<float>(side == FieldSide::from_hub ? late : -late));
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

bool SoftField::settle(double beat, unsigned sweeps, const maxplus::Deadline& deadline) {
  const bool is_settled = settle(from_hub_, FieldSide::from_hub, beat, sweeps, deadline);
  return settle(to_hub_, FieldSide::to_hub, beat, sweeps, deadline) && is_settled;
}

bool SoftField::settle(Values& values, FieldSide side, double beat, unsigned sweeps,
                       const maxplus::Deadline& deadline) {
  for (std::vector<std::uint32_t>& examined : values.examined) std::ranges::fill(examined, 0);
  for (unsigned k = 0; k < sweeps; ++k) {
    const std::size_t risen = sweep(values, side, beat, k % 2 == 0, deadline);
    if (deadline.has_passed()) return false;
    if (risen == 0) return true;
  }
  return false;
}

std::size_t SoftField::sweep(Values& values, FieldSide side, double beat, bool upwards,
                             const maxplus::Deadline& deadline) {
  ++values.clock;
  std::size_t risen = 0;
  for (std::size_t k = 0; k < chain_.transfers(); ++k) {
    const std::size_t t = upwards ? k : chain_.transfers() - 1 - k;
    if (deadline.has_passed()) return risen;
    for (std::size_t a = 0; a < chain_.modulus(t); ++a) {
      for (std::size_t b = 0; b < chain_.modulus(t + 1); ++b) {
        const Place place{t, a, b, chain_.pair(t, a, b)};
        if (!classes_.meets(t, place.pair) || is_up_to_date(values, place)) continue;
        values.examined[t][place.pair] = values.clock;
        risen += raise(values, side, beat, place);
      }
    }
  }
  return risen;
}

// Values depend on those of pairs that share a processor, in the transfer before or after.
bool SoftField::is_up_to_date(const Values& values, const Place& place) const {
  const auto [t, a, b, pair] = place;
  const std::uint32_t left = t > 0 ? values.changed_receiver[t - 1][a] : values.changed_sender[t][a];
  const std::uint32_t right =
      t + 1 < chain_.transfers() ? values.changed_sender[t + 1][b] : values.changed_receiver[t][b];
  return std::max(left, right) < values.examined[t][pair];
}

// Over the line of the sender, with the transfer of part t - 1 whose residue is x.
float SoftField::left(const Values& values, FieldSide side, double beat, const Place& place, std::size_t x) const {
  const auto [t, a, b, pair] = place;
  if (side == FieldSide::from_hub) {
    const std::size_t from = chain_.pair(t - 1, x, a);
    return value(values, t - 1, from, t + 1, b) +
           static_cast<float>(chain_.transfer(t - 1, from) + chain_.compute(t, a));
  }
  const std::size_t height = chain_.modulus(t);
  const std::size_t to = chain_.pair(t - 1, after(x, height, chain_.modulus(t - 1)), a);
  return value(values, t - 1, to, t + 1, after(b, height, chain_.modulus(t + 1))) +
         static_cast<float>(chain_.transfer(t, pair) - beat * static_cast<double>(height));
}

// Over the line of the receiver, with the transfer to part t + 2 whose residue is x.
float SoftField::right(const Values& values, FieldSide side, double beat, const Place& place, std::size_t x) const {
  const auto [t, a, b, pair] = place;
  if (side == FieldSide::to_hub) {
    return value(values, t + 1, chain_.pair(t + 1, b, x), t, a) +
           static_cast<float>(chain_.transfer(t, pair) + chain_.compute(t + 1, b));
  }
  const std::size_t height = chain_.modulus(t + 1);
  const std::size_t from = chain_.pair(t + 1, b, before(x, height, chain_.modulus(t + 2)));
  return value(values, t + 1, from, t, before(a, height, chain_.modulus(t))) +
         static_cast<float>(chain_.transfer(t + 1, from) - beat * static_cast<double>(height));
}

// Of the first transfer over the line of its sender, or the last over that of its receiver.
float SoftField::own(const Values& values, FieldSide side, double beat, const Place& place, std::size_t x) const {
  const auto [t, a, b, pair] = place;
  const std::size_t part = t == 0 ? 0 : t + 1;
  const std::size_t height = chain_.modulus(part);
  const auto moved = [&](std::size_t of, std::size_t residue) {
    return side == FieldSide::from_hub ? before(residue, height, chain_.modulus(of))
                                       : after(residue, height, chain_.modulus(of));
  };
  const std::size_t other = t == 0 ? chain_.pair(t, a, moved(1, b)) : chain_.pair(t, moved(t, a), b);
  const std::size_t third = t == 0 ? 2 : t - 1;
  const std::size_t starting = side == FieldSide::from_hub ? other : pair;
  return value(values, t, other, third, moved(third, x)) +
         static_cast<float>(chain_.transfer(t, starting) + chain_.compute(part, t == 0 ? a : b) -
                            beat * static_cast<double>(height));
}

// Into known_ and, its first entry, unknown_.
void SoftField::gather(const Values& values, FieldSide side, double beat, const Place& place) {
  const auto [t, a, b, pair] = place;
  const bool sees_left = classes_.sees_left(t, pair);
  const std::size_t third = classes_.third(t, pair);
  for (std::size_t x = 0; x < chain_.modulus(third); ++x) {
    known_[x] = kNone;
    if (!classes_.is_met(t, classes_.first(t, pair) + x)) continue;
    known_[x] = sees_left ? left(values, side, beat, place, x) : right(values, side, beat, place, x);
    if (t == 0 || t + 1 == chain_.transfers()) known_[x] = std::max(known_[x], own(values, side, beat, place, x));
  }
  std::size_t count = 0;
  if (t > 0 && t + 1 < chain_.transfers()) {
    const std::size_t part = sees_left ? t + 2 : t - 1;
    ResidueSet met = chain_.meeting(part, t, a);
    met.keep(chain_.meeting(part, t + 1, b));
    for (std::size_t x = 0; x < chain_.modulus(part); ++x) {
      if (!met.has(x)) continue;
      unknown_[count++] = sees_left ? right(values, side, beat, place, x) : left(values, side, beat, place, x);
    }
  }
  unknown_[0] = soft_maximum(unknown_.data(), count);
}

std::size_t SoftField::raise(Values& values, FieldSide side, double beat, const Place& place) {
  gather(values, side, beat, place);
  const auto [t, a, b, pair] = place;
  std::size_t risen = 0;
  const std::size_t first = classes_.first(t, pair);
  for (std::size_t x = 0; x < chain_.modulus(classes_.third(t, pair)); ++x) {
    if (!classes_.is_met(t, first + x)) continue;
    const float most = std::max(known_[x], unknown_[0]);
    float& value = values.by_class[t][first + x];
    if (most <= kNone / 2 || most <= value + tolerance_) continue;
    value = most;
    ++risen;
  }
  if (risen == 0) return 0;
  average(values, t, pair);
  values.changed_sender[t][a] = values.changed_receiver[t][b] = values.clock;
  return risen;
}

void SoftField::average(Values& values, std::size_t transfer, std::size_t pair) const {
  if (!classes_.meets(transfer, pair)) return;
  const std::size_t first = classes_.first(transfer, pair);
  const std::size_t count = chain_.modulus(classes_.third(transfer, pair));
  values.by_pair[transfer][pair] = soft_maximum(&values.by_class[transfer][first], count);
}

// Of those that are reached.
float SoftField::soft_maximum(const float* values, std::size_t count) const {
  float sum = 0;
  float squares = 0;
  float reached = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (values[k] <= kNone / 2) continue;
    sum += values[k];
    squares += values[k] * values[k];
    reached += 1;
  }
  if (reached == 0) return kNone;
  const float mean = sum / reached;
  return mean + caution_ * std::sqrt(std::max(0.0F, squares / reached - mean * mean));
}

float SoftField::middle(std::size_t transfer, std::size_t index) const {
  const float from = from_hub_.by_class[transfer][index];
  const float to = to_hub_.by_class[transfer][index];
  if (from <= kNone / 2) return to <= kNone / 2 ? 0.0F : -to;
  return to <= kNone / 2 ? from : (from - to) / 2;
}

}  // namespace takt::evaluators

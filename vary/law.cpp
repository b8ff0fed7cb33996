// Quantiles from Boost, in tables; samples in order.
#include "vary/law.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

#include "maxplus/contract.hpp"

namespace takt::vary {

namespace {

double double_of(const maxplus::Rational& number) { return number.to_double().value_or(0); }

}  // namespace

double variation_of(const Law& law) {
  const double parameter = double_of(law.parameter);
  switch (law.kind) {
    case LawKind::constant:
      return 0;
    case LawKind::exponential:
      return 1;
    case LawKind::uniform:
      return parameter / std::sqrt(3.0);
    case LawKind::erlang:
      return 1 / std::sqrt(parameter);
    case LawKind::gamma:
    case LawKind::lognormal:
    case LawKind::normal:
      return parameter;
    case LawKind::pareto:
      return parameter <= 2 ? std::numeric_limits<double>::infinity() : 1 / std::sqrt(parameter * (parameter - 2));
    case LawKind::samples: {
      double squares = 0;
      for (const maxplus::Rational& sample : law.samples) {
        const double off = double_of(sample) - 1;
        squares += off * off;
      }
      return std::sqrt(squares / static_cast<double>(law.samples.size()));
    }
  }
  return 0;
}

bool has_mean_latency(const Law& law) { return std::isfinite(variation_of(law)); }

namespace {

using Normal = boost::math::normal_distribution<double>;

// The value at a probability counted from one end: the upper one, or 0.
using Quantile = std::function<double(double probability, bool is_upper)>;

Quantile gamma_quantile(double shape) {
  return [law = boost::math::gamma_distribution<double>(shape, 1 / shape)](double probability, bool is_upper) {
    return is_upper ? boost::math::quantile(boost::math::complement(law, probability))
                    : boost::math::quantile(law, probability);
  };
}

Quantile lognormal_quantile(double variation) {
  const double variance = std::log1p(variation * variation);
  return [variance, deviation = std::sqrt(variance)](double probability, bool is_upper) {
    const double below = boost::math::quantile(Normal(), probability);
    return std::exp((is_upper ? -below : below) * deviation - variance / 2);
  };
}

// N(t, 1) where it is positive: its mean is t + h, its variance 1 - h (t + h), h = density(t) / P(N(0, 1) < t).
struct PositiveNormal {
  double middle = 0;  // t

  double hazard() const { return boost::math::pdf(Normal(), middle) / boost::math::cdf(Normal(), middle); }
  double mean() const { return middle + hazard(); }
  double variation() const { return std::sqrt(1 - hazard() * mean()) / mean(); }
};

PositiveNormal positive_normal(double variation) {
  double low = 0;  // the half normal law varies most
  double high = 2 / variation + 2;
  constexpr int kHalvings = 200;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (PositiveNormal{middle}.variation() > variation ? low : high) = middle;
  }
  return {low};
}

Quantile normal_quantile(double variation) {
  const PositiveNormal law = positive_normal(variation);
  const double mass = boost::math::cdf(Normal(), law.middle);
  return [law, mass, mean = law.mean()](double probability, bool is_upper) {
    // Of what is positive; the rest of the mass lies below.
    const double value = is_upper ? -boost::math::quantile(Normal(), probability * mass)
                                  : boost::math::quantile(Normal(), 1 - mass + probability * mass);
    return std::max(0.0, (law.middle + value) / mean);
  };
}

Quantile pareto_quantile(double exponent) {
  return [exponent, least = (exponent - 1) / exponent](double probability, bool is_upper) {
    return is_upper ? least * std::pow(probability, -1 / exponent)
                    : least * std::exp(-std::log1p(-probability) / exponent);
  };
}

Quantile quantile_of(const Law& law) {
  const double parameter = double_of(law.parameter);
  switch (law.kind) {
    case LawKind::exponential:
      return [](double probability, bool is_upper) {
        return is_upper ? -std::log(probability) : -std::log1p(-probability);
      };
    case LawKind::erlang:
      return gamma_quantile(parameter);
    case LawKind::gamma:
      return gamma_quantile(1 / (parameter * parameter));
    case LawKind::lognormal:
      return lognormal_quantile(parameter);
    case LawKind::normal:
      return normal_quantile(parameter);
    case LawKind::pareto:
      return pareto_quantile(parameter);
    case LawKind::constant:
    case LawKind::uniform:
    case LawKind::samples:
      break;
  }
  return nullptr;
}

// A half of the table is octaves of the distance to an end, half to a quarter, a quarter to an eighth, ..., of cells
// each; the value at the near border of each cell, the first one at 1/2.
constexpr unsigned kOctaves = 43;
constexpr unsigned kCellBits = 6;
constexpr std::size_t kCells = std::size_t{1} << kCellBits;
constexpr std::size_t kHalf = kOctaves * kCells + 1;

// The distance to the end at a border: octave o goes from 2^-(o + 1) down to half of that.
double border(std::size_t index) {
  const std::size_t octave = index / kCells;
  const auto cell = static_cast<double>(index % kCells);
  return std::ldexp(1 - cell / (2 * kCells), -static_cast<int>(octave) - 1);
}

}  // namespace

LawSampler::LawSampler(const Law& law) {
  maxplus::expects(tpn::is_within(law), "a law's parameter is one that it can have");
  if (law.kind == LawKind::constant) return;
  if (law.kind == LawKind::uniform) {
    kind_ = Form::linear;
    spread_ = double_of(law.parameter);
    return;
  }
  if (law.kind == LawKind::samples) {
    kind_ = Form::samples;
    for (const maxplus::Rational& sample : law.samples) samples_.push_back(double_of(sample));
    std::ranges::sort(samples_);
    return;
  }
  kind_ = Form::table;
  table_ = table_of(law);
}

// Of both ends the octaves, from the middle outwards, and the value at a probability counted from one of them.
struct LawSampler::Table {
  explicit Table(const Law& law) : values(2 * kHalf) {
    const Quantile quantile = quantile_of(law);
    double mean = 0;
    for (const bool is_upper : {false, true}) {
      double* const half = values.data() + (is_upper ? kHalf : 0);
      for (std::size_t i = 0; i < kHalf; ++i) half[i] = quantile(border(i), is_upper);
      for (std::size_t i = 0; i + 1 < kHalf; ++i) mean += (border(i) - border(i + 1)) * (half[i] + half[i + 1]) / 2;
    }
    // What lies beyond the table counts only where tails are heavy; a pareto law's is known.
    double scale = mean;
    if (law.kind == LawKind::pareto) {
      scale = mean / (1 - std::pow(border(kHalf - 1), 1 - 1 / double_of(law.parameter)));
    }
    for (double& value : values) value /= scale;
    tail = [quantile, scale](double probability, bool is_upper) { return quantile(probability, is_upper) / scale; };
  }

  std::vector<double> values;
  Quantile tail;
};

// Quantiles of some laws take a while: those of late are kept.
std::shared_ptr<const LawSampler::Table> LawSampler::table_of(const Law& law) {
  constexpr std::size_t kMostKept = 64;
  static std::mutex mutex;
  static std::map<std::pair<LawKind, maxplus::Rational>, std::shared_ptr<const Table>> kept;
  const std::lock_guard lock(mutex);
  if (kept.size() >= kMostKept) kept.clear();
  auto& table = kept[{law.kind, law.parameter}];
  if (!table) table = std::make_shared<const Table>(law);
  return table;
}

namespace {

// Which half of the table, how far from its end, below 2^63, which stands for one below 1/2, and in which octave.
struct TablePlace {
  explicit TablePlace(std::uint64_t bits) : upper(bits >> 63), distance(bits ^ (0 - upper)) {
    octave = static_cast<unsigned>(std::countl_zero(distance)) - 1;
  }

  bool is_in_table() const { return octave < kOctaves; }

  double value(const double* table) const {
    // From the octave's outer border on: the cell, and how far into it.
    const std::uint64_t within = ~(distance << (octave + 1)) << 1;
    const std::size_t cell = octave * kCells + static_cast<std::size_t>(within >> (64 - kCellBits));
    const double part = static_cast<double>(static_cast<std::int64_t>((within << kCellBits) >> 11)) * 0x1p-53;
    const double* const values = table + upper * kHalf + cell;
    return values[0] + part * (values[1] - values[0]);
  }

  std::uint64_t upper;
  std::uint64_t distance;
  unsigned octave;
};

}  // namespace

double LawSampler::from_table(std::uint64_t bits) const {
  const TablePlace place(bits);
  if (place.is_in_table()) return place.value(table_->values.data());
  return table_->tail((static_cast<double>(place.distance) + 0.5) * 0x1p-64, place.upper != 0);
}

double LawSampler::operator()(std::uint64_t bits) const {
  switch (kind_) {
    case Form::one:
      return 1;
    case Form::linear:
      return 1 + spread_ * (static_cast<double>(bits >> 11) * 0x1p-52 - 1 + 0x1p-53);
    case Form::samples: {
      __extension__ typedef unsigned __int128 Wide;
      return samples_[static_cast<std::size_t>(static_cast<Wide>(bits) * samples_.size() >> 64)];
    }
    case Form::table:
      return from_table(bits);
  }
  return 1;
}

void LawSampler::draw(std::span<const std::uint64_t> bits, std::span<double> factors) const {
  if (kind_ == Form::table) {
    const double* const table = table_->values.data();
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const TablePlace place(bits[i]);
      factors[i] = place.is_in_table() ? place.value(table) : from_table(bits[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < bits.size(); ++i) factors[i] = (*this)(bits[i]);
}

}  // namespace takt::vary

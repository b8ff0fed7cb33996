// Means over laps, the Chinese remainder theorem, and contradictions modulo prime powers.
#include "evaluators/residue/circuit.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "evaluators/kernel/mean_lap.hpp"
#include "evaluators/kernel/numbers.hpp"

namespace takt::evaluators {

namespace {

// Additions of durations, which may be long, or divisions of 128 bits.
constexpr double kStepsBetweenReadings = 4096;

std::uint64_t residue_of(Int128 number, std::uint64_t modulus) {
  const Int128 rest = number % static_cast<Int128>(modulus);
  return static_cast<std::uint64_t>(rest < 0 ? rest + static_cast<Int128>(modulus) : rest);
}

// The data sets x that a circuit may start from so that steps agree: x = value (mod modulus).
struct Congruence {
  std::uint64_t value = 0;
  std::uint64_t modulus = 1;

  // Adds x = residue (mod other) where that agrees; the moduli divide one 64-bit number.
  void agree(std::uint64_t residue, std::uint64_t other) {
    const std::uint64_t g = std::gcd(modulus, other);
    if (value % g != residue % g || other == g) return;
    // modulus * k = residue - value (mod other), divided by g.
    const std::uint64_t small = other / g;
    const std::uint64_t inverse = inverse_of(modulus / g % small, small);
    const Int128 difference = (static_cast<Int128>(residue) - static_cast<Int128>(value)) / static_cast<Int128>(g);
    const Int128 k = residue_of(difference, small) * static_cast<Int128>(inverse) % static_cast<Int128>(small);
    value += modulus * static_cast<std::uint64_t>(k);
    modulus *= small;
  }

 private:
  // The inverse of a modulo m, coprime; 0 for m = 1.
  static std::uint64_t inverse_of(std::uint64_t a, std::uint64_t m) {
    Int128 r0 = m;
    Int128 r1 = a;
    Int128 t0 = 0;
    Int128 t1 = 1;
    while (r1 != 0) {
      const Int128 q = r0 / r1;
      r0 = std::exchange(r1, r0 - q * r1);
      t0 = std::exchange(t1, t0 - q * t1);
    }
    return residue_of(t0, m);
  }
};

// The heights before each step.
std::vector<std::uint64_t> heights_before(const ResidueSystem& system, const std::vector<ClassStep>& circuit) {
  std::vector<std::uint64_t> before;
  before.reserve(circuit.size());
  std::uint64_t height = 0;
  for (const ClassStep& step : circuit) {
    before.push_back(height);
    height += system.precedences[step.precedence].height;
  }
  return before;
}

// A precedence, the stride of laps over what it depends on, and the residue of its data sets: what a step's mean
// depends on.
struct Visit {
  std::size_t precedence = 0;
  std::uint64_t residue = 0;

  friend auto operator<=>(const Visit&, const Visit&) = default;
};

std::optional<RealCircuit> from_data_set(const ResidueSystem& system, const std::vector<ClassStep>& circuit,
                                         const std::vector<std::uint64_t>& before, std::uint64_t height,
                                         std::uint64_t data_set, maxplus::DeadlineWatch& watch) {
  std::map<Visit, std::uint64_t> visits;  // how often in a lap
  for (std::size_t t = 0; t < circuit.size(); ++t) {
    const Precedence& precedence = system.precedences[circuit[t].precedence];
    const Int128 at = static_cast<Int128>(data_set) + static_cast<Int128>(before[t]);
    if (precedence.modulus > 1 &&
        (height % precedence.modulus != 0 || residue_of(at, precedence.modulus) != precedence.residue)) {
      return std::nullopt;
    }
    ++visits[{circuit[t].precedence, residue_of(at, std::gcd(height, precedence.weights->size()))}];
  }
  MeanLap lap(height);
  for (const auto& [visit, count] : visits) {
    const tpn::DurationTable& weights = *system.precedences[visit.precedence].weights;
    const auto weight_at = [&](std::uint64_t j) { return weights[j]; };
    if (!lap.add(weights.size(), visit.residue, count, weight_at, watch)) return std::nullopt;
  }
  return RealCircuit{.ratio = lap.ratio(), .data_set = data_set, .laps = lap.laps()};
}

// The contradictions of a circuit, prime power by prime power, and the cheapest refinement that ends one.
class RefinementSearch {
 public:
  RefinementSearch(const ResidueSystem& system, const std::vector<std::uint64_t>& moduli,
                   const std::vector<ClassStep>& circuit, const Deadline& deadline)
      : system_(system),
        moduli_(moduli),
        circuit_(circuit),
        deadline_(deadline),
        before_(heights_before(system, circuit)),
        height_(height_of(system, circuit)) {}

  std::optional<Refinement> run() {
    for (const std::uint64_t prime : system_.primes) {
      for (std::uint64_t power = prime;; power *= prime) {
        if (has_passed(deadline_)) return std::nullopt;
        const std::vector<std::size_t> knowing = steps_that_know(power);
        if (knowing.empty() || offer_contradictions(knowing, power)) break;
      }
    }
    return std::move(best_);
  }

 private:
  // Steps to look at for a prime power, once it has a contradiction.
  static constexpr std::size_t kSteps = 20'000;

  std::size_t node(std::size_t t) const { return system_.precedences[circuit_[t % circuit_.size()].precedence].from; }

  // Steps from nodes that know data sets modulo a power.
  std::vector<std::size_t> steps_that_know(std::uint64_t power) const {
    std::vector<std::size_t> knowing;
    for (std::size_t t = 0; t < circuit_.size(); ++t) {
      if (moduli_[node(t)] % power == 0) knowing.push_back(t);
    }
    return knowing;
  }

  // The data set that the first step would start from, were this step right.
  Int128 origin(std::size_t t) const {
    return static_cast<Int128>(circuit_[t].data_set) - static_cast<Int128>(before_[t]);
  }

  // Offers what would end a contradiction between a step that knows the power and the next that does. True if there
  // is one.
  bool offer_contradictions(const std::vector<std::size_t>& knowing, std::uint64_t power) {
    bool contradiction = false;
    std::size_t walked = 0;
    for (std::size_t k = 0; k < knowing.size() && (walked < kSteps || !contradiction); ++k) {
      const bool wraps = k + 1 == knowing.size();
      const std::size_t s = knowing[k];
      const std::size_t t = knowing[wraps ? 0 : k + 1];
      const std::size_t last = wraps ? t + circuit_.size() : t;
      walked += last - s;
      const Int128 there = origin(t) - static_cast<Int128>(wraps ? height_ : 0);
      if (residue_of(origin(s) - there, power) == 0) continue;
      contradiction = true;
      offer(s + 1, last, power);
    }
    return contradiction;
  }

  // The nodes of steps first..last learn the power, if that is the cheapest so far.
  void offer(std::size_t first, std::size_t last, std::uint64_t power) {
    std::set<std::size_t> nodes;
    for (std::size_t t = first; t <= last && nodes.size() < moduli_.size(); ++t) nodes.insert(node(t));
    Refinement refinement;
    for (const std::size_t v : nodes) {
      const std::uint64_t raised = std::lcm(moduli_[v], power);
      if (raised == moduli_[v]) continue;
      refinement.moduli.emplace_back(v, raised);
      refinement.classes += static_cast<double>(raised - moduli_[v]);
    }
    if (refinement.moduli.empty()) return;
    if (!best_ || refinement.classes < best_->classes) best_ = std::move(refinement);
  }

  const ResidueSystem& system_;
  const std::vector<std::uint64_t>& moduli_;
  const std::vector<ClassStep>& circuit_;
  const Deadline& deadline_;
  std::vector<std::uint64_t> before_;  // heights
  std::uint64_t height_;
  std::optional<Refinement> best_;
};

}  // namespace

std::uint64_t height_of(const ResidueSystem& system, const std::vector<ClassStep>& circuit) {
  std::uint64_t height = 0;
  for (const ClassStep& step : circuit) height += system.precedences[step.precedence].height;
  return height;
}

Rational class_ratio(const ResidueSystem& system, const std::vector<ClassStep>& circuit) {
  Integer weight = 0;
  for (const ClassStep& step : circuit) {
    const tpn::DurationTable& weights = *system.precedences[step.precedence].weights;
    weight += weights[residue_of(step.data_set, weights.size())];
  }
  return Rational::fraction(weight, Integer(height_of(system, circuit)));
}

std::optional<RealCircuit> real_circuit(const ResidueSystem& system, const std::vector<ClassStep>& circuit,
                                        const Deadline& deadline) {
  constexpr std::size_t kStarts = 8;
  maxplus::DeadlineWatch watch(deadline, kStepsBetweenReadings);
  const std::vector<std::uint64_t> before = heights_before(system, circuit);
  const std::uint64_t height = height_of(system, circuit);
  std::optional<RealCircuit> best;
  std::set<std::uint64_t> tried;
  for (std::size_t k = 0; k < std::min(kStarts, circuit.size()); ++k) {
    const std::size_t first = k * circuit.size() / std::min(kStarts, circuit.size());
    Congruence start;
    std::set<Visit> seen;
    for (std::size_t i = 0; i < circuit.size(); ++i) {
      if (watch.has_passed()) return best;
      const std::size_t t = (first + i) % circuit.size();
      const Precedence& precedence = system.precedences[circuit[t].precedence];
      // Laps visit data sets `height` apart, so only residues modulo its divisors matter.
      const std::uint64_t modulus = std::gcd(height, std::lcm(precedence.weights->size(), precedence.modulus));
      const std::uint64_t residue =
          residue_of(static_cast<Int128>(circuit[t].data_set) - static_cast<Int128>(before[t]), modulus);
      if (seen.insert({modulus, residue}).second) start.agree(residue, modulus);
    }
    if (!tried.insert(start.value).second) continue;
    auto real = from_data_set(system, circuit, before, height, start.value, watch);
    if (real && (!best || real->ratio > best->ratio)) best = std::move(real);
  }
  return best;
}

std::optional<Refinement> cheapest_refinement(const ResidueSystem& system, const std::vector<std::uint64_t>& moduli,
                                              const std::vector<ClassStep>& circuit, const Deadline& deadline) {
  return RefinementSearch(system, moduli, circuit, deadline).run();
}

}  // namespace takt::evaluators

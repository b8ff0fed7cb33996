// Balance along a spanning forest, then on every channel.
#include "tools/cycle_ratio/repetition_vector.hpp"

#include <numeric>
#include <utility>

namespace takt::tools {

namespace {

using maxplus::Integer;
using maxplus::Rational;

// Channels in and out of each actor.
struct Incidences {
  std::vector<std::size_t> first;
  std::vector<std::size_t> flows;
};

Incidences incidences(std::size_t actors, std::span<const Flow> flows) {
  Incidences result;
  result.first.assign(actors + 1, 0);
  for (const Flow& flow : flows) {
    ++result.first[flow.from + 1];
    ++result.first[flow.to + 1];
  }
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.flows.resize(2 * flows.size());
  std::vector<std::size_t> next(result.first.begin(), result.first.end() - 1);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    result.flows[next[flows[i].from]++] = i;
    result.flows[next[flows[i].to]++] = i;
  }
  return result;
}

class Balance {
 public:
  Balance(std::size_t actors, std::span<const Flow> flows)
      : flows_(flows), around_(incidences(actors, flows)), share_(actors), firings_(actors) {}

  std::optional<std::vector<Integer>> find() {
    for (std::size_t actor = 0; actor < share_.size(); ++actor) {
      if (share_[actor].sign() == 0 && !settle_part(actor)) return std::nullopt;
    }
    return std::move(firings_);
  }

 private:
  // Firings per one of the first actor, through all channels of its part.
  bool settle_part(std::size_t start) {
    part_.assign(1, start);
    share_[start] = 1;
    for (std::size_t next = 0; next < part_.size(); ++next) {
      const std::size_t actor = part_[next];
      for (std::size_t i = around_.first[actor]; i < around_.first[actor + 1]; ++i) {
        const Flow& flow = flows_[around_.flows[i]];
        const bool is_source = flow.from == actor;
        const std::size_t other = is_source ? flow.to : flow.from;
        const Rational gain = Rational(flow.produced) / Rational(flow.consumed);
        const Rational share = is_source ? share_[actor] * gain : share_[actor] / gain;
        if (share_[other].sign() != 0) {
          if (share_[other] != share) return false;
          continue;
        }
        if (is_long(share.numerator()) || is_long(share.denominator())) return false;
        share_[other] = share;
        part_.push_back(other);
      }
    }
    return make_whole();
  }

  bool make_whole() {
    Integer multiple = 1;
    Integer divisor;
    for (const std::size_t actor : part_) {
      multiple = lcm(multiple, share_[actor].denominator());
      if (is_long(multiple)) return false;
    }
    for (const std::size_t actor : part_) {
      firings_[actor] = multiple / share_[actor].denominator() * share_[actor].numerator();
      divisor = gcd(divisor, firings_[actor]);
    }
    for (const std::size_t actor : part_) firings_[actor] /= divisor;
    return true;
  }

  static bool is_long(const Integer& number) { return mpz_sizeinbase(number.get_mpz_t(), 2) > kMostRepetitionBits; }

  std::span<const Flow> flows_;
  Incidences around_;
  std::vector<Rational> share_;  // 0 is none yet
  std::vector<Integer> firings_;
  std::vector<std::size_t> part_;
};

}  // namespace

std::optional<std::vector<Integer>> repetition_vector(std::size_t actors, std::span<const Flow> flows) {
  return Balance(actors, flows).find();
}

}  // namespace takt::tools

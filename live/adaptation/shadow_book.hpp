// Shadows that are under way, and the pairs that come of them.
//
// A shadow is a computation that a second processor repeats. It is asked for, lent by the processor that computes, and
// computed by the other; either may be done first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "live/adaptation/adaptation.hpp"

namespace takt::live {

/// A computation that both have done: `from` for the pipeline, `to` as a shadow.
struct DonePair {
  std::size_t from = 0;
  std::size_t to = 0;
  double from_time = 0;
  double to_time = 0;
};

/// Which computation.
struct ComputationKey {
  std::size_t part = 0;
  std::uint64_t data_set = 0;

  friend bool operator==(const ComputationKey&, const ComputationKey&) = default;
};

class ShadowBook {
 public:
  explicit ShadowBook(std::size_t processors) : latest_(processors), refused_(processors), blocked_(processors) {}

  /// Whether the processor is to repeat something, or lends for that.
  bool repeats(std::size_t processor) const { return repeating_.contains(processor); }
  bool lends(std::size_t processor) const;
  /// Whether it may lend: it has begun something since it was last asked. The same again says nothing new.
  bool may_lend(std::size_t processor) const { return !blocked_[processor]; }
  /// Nothing that it computes can be handed over.
  bool never_lends(std::size_t processor) const;

  void begun(std::size_t processor) { blocked_[processor] = false; }
  void asked(const ShadowWish& wish);
  void lent(const ShadowWish& wish, const ComputationKey& key);
  void not_lent(const ShadowWish& wish);

  /// The pairs that are done by these.
  std::vector<DonePair> computed(std::size_t processor, const ComputationKey& key, double time);
  std::optional<DonePair> shadowed(std::size_t processor, const ComputationKey& key, std::optional<double> time);

 private:
  struct Repeated {
    std::size_t from = 0;
    std::optional<ComputationKey> key;  // once it is lent
  };
  struct Waiting {
    std::size_t from = 0;
    std::size_t to = 0;
    ComputationKey key;
    double time = 0;
  };
  struct Known {
    ComputationKey key;
    double time = 0;
  };

  std::map<std::size_t, Repeated> repeating_;  // by who repeats
  std::vector<Waiting> waiting_;               // shadows that were done first
  std::vector<std::deque<Known>> latest_;      // what each processor has computed
  std::vector<std::size_t> refused_;           // in a row
  std::vector<bool> blocked_;
};

}  // namespace takt::live

// The times of whatever mapping of a problem, as 64-bit integers over one scale, a look-up each.
//
// Problem. Many mappings of one application on one platform ask for the same times again and again, each
// as an exact fraction, and each mapping has a common denominator of its own.
//
// Method. A time is fixed, or grows with a work or a size. Works and sizes are integers in a unit that
// divides them all; so is every fixed time and every rate in ticks, 1 / scale time units. Rates times
// amounts are then looked up and multiplied, so that no table grows with stages times pairs. Processors for which
// stages have times of their own get sums over the stages before each, in place of a rate.
//
// Cost. Linear in stages, processors and the platform's links to build; quadratic memory in the
// processors where links differ, stages times processors where stages have times of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/timing.hpp"

namespace takt::tpn {

class TickTimes {
 public:
  /// What a time is that the document does not give: Timing throws in its place.
  static constexpr std::int64_t kAbsent = -1;
  /// No time has more ticks, whatever the mapping.
  static constexpr std::int64_t kMostTicks = std::int64_t{1} << 50;
  static constexpr std::int64_t kMostRoundedTicks = std::int64_t{1} << 36;
  /// Pairs of processors where links differ; pairs of stages and processors for which stages have times of their own.
  static constexpr std::uint64_t kMostPairs = 4'000'000;

  /// Every time exactly; nothing if some time would exceed kMostTicks over the common scale of all, or
  /// there are too many pairs.
  static std::optional<TickTimes> exact(const Document& document, const Timing& timing);
  /// No time larger than it is, and each time nearly as large as kMostRoundedTicks allows; nothing if
  /// there are too many pairs.
  static std::optional<TickTimes> rounded_down(const Document& document, const Timing& timing);

  /// Ticks per time unit: an integer where the times are exact.
  const Rational& scale() const { return scale_; }
  /// No time exceeds this.
  std::int64_t longest() const { return longest_; }

  /// As the functions of Timing by these names, in ticks, or kAbsent.
  std::int64_t computation(std::size_t first_stage, std::size_t last_stage, std::size_t processor) const {
    const Ticks& on = processors_[processor];
    if (on.rate < 0) return on.rate == kSummed ? summed(first_stage, last_stage, on.fixed) : on.fixed;
    if (missing_works_[last_stage + 1] != missing_works_[first_stage]) return kAbsent;
    return on.fixed + grown(on.rate, works_[last_stage + 1] - works_[first_stage]);
  }
  std::int64_t transfer(std::size_t last_stage, std::size_t from, std::size_t to) const {
    const Ticks& link = links_[from * row_ + to * cell_];
    if (link.rate < 0) return link.fixed;
    if (outputs_[last_stage] < 0) return kAbsent;
    return link.fixed + grown(link.rate, outputs_[last_stage]);
  }
  /// The files of stages together, in the unit that `transfer_of` takes; kAbsent if a size is.
  std::int64_t amount_of(std::span<const std::size_t> files) const {
    std::int64_t amount = 0;
    for (const std::size_t stage : files) {
      if (outputs_[stage] < 0) return kAbsent;
      amount += outputs_[stage];
    }
    return amount;
  }
  /// One message of that amount.
  std::int64_t transfer_of(std::int64_t amount, std::size_t from, std::size_t to) const {
    return ticks_of(links_[from * row_ + to * cell_], amount);
  }
  /// The same to one of the sinks, of a workflow.
  std::int64_t to_sink_of(std::int64_t amount, std::size_t processor, std::size_t which) const {
    return ticks_of(sink_links_[which * processors_.size() + processor], amount);
  }
  std::int64_t from_source(std::size_t processor, std::size_t which = 0) const {
    return sources_[which * processors_.size() + processor];
  }
  /// The file of the last stage.
  std::int64_t to_sink(std::size_t processor, std::size_t which = 0) const {
    return sinks_[which * processors_.size() + processor];
  }
  /// The least of any source, and of any sink; kAbsent if there is none.
  std::int64_t least_from_source(std::size_t processor) const { return least_of(sources_, processor); }
  std::int64_t least_to_sink(std::size_t processor) const { return least_of(sinks_, processor); }

 private:
  // fixed + rate * amount / 2^shift_; a negative rate: `fixed`, whatever the amount, or kAbsent. With the rate kSummed
  // `fixed` is which of the rows of sums_ is the processor's.
  struct Ticks {
    std::int64_t fixed = kAbsent;
    std::int64_t rate = -1;
  };
  static constexpr std::int64_t kSummed = -2;
  // Of all stages before one, on a processor: in ticks / 2^sums_shift_, and how many have no time.
  struct Sum {
    std::int64_t ticks = 0;
    std::int64_t missing = 0;
  };
  class Builder;

  // At most longest_, so at most 2^50: the product before the shift has less than 2^(50 + 62).
  std::int64_t grown(std::int64_t rate, std::int64_t amount) const {
    return static_cast<std::int64_t>((static_cast<maxplus::Int128>(rate) * amount) >> shift_);
  }

  std::int64_t ticks_of(const Ticks& link, std::int64_t amount) const {
    if (link.rate < 0) return link.fixed;
    return amount < 0 ? kAbsent : link.fixed + grown(link.rate, amount);
  }

  std::int64_t summed(std::size_t first_stage, std::size_t last_stage, std::int64_t row) const {
    const Sum* sums = sums_.data() + static_cast<std::size_t>(row) * works_.size();
    if (sums[last_stage + 1].missing != sums[first_stage].missing) return kAbsent;
    return (sums[last_stage + 1].ticks - sums[first_stage].ticks) >> sums_shift_;
  }

  std::int64_t least_of(const std::vector<std::int64_t>& ends, std::size_t processor) const {
    std::int64_t least = kAbsent;
    for (std::size_t k = processor; k < ends.size(); k += processors_.size())
      if (least == kAbsent || (ends[k] != kAbsent && ends[k] < least)) least = ends[k];
    return least;
  }

  Rational scale_ = 1;
  std::int64_t longest_ = 0;
  int shift_ = 0;
  std::vector<std::int64_t> works_;         // by stage, of all stages before
  std::vector<std::size_t> missing_works_;  // by stage, how many before have none
  std::vector<std::int64_t> outputs_;       // by stage; kAbsent if there is none
  std::vector<Ticks> processors_;
  std::vector<Sum> sums_;  // rows of one more than stages
  int sums_shift_ = 0;
  std::vector<Ticks> links_;  // by from * row_ + to * cell_; both 0 if all links are the default
  std::size_t row_ = 0;
  std::size_t cell_ = 0;
  std::vector<std::int64_t> sources_;  // by source, then processor
  std::vector<std::int64_t> sinks_;
  std::vector<Ticks> sink_links_;  // likewise, of workflows
};

}  // namespace takt::tpn

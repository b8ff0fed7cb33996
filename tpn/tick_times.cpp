// Finds the unit of works and sizes, the scale of times, and fills the tables of TickTimes.
#include "tpn/tick_times.hpp"

#include <algorithm>
#include <utility>

#include "tpn/ends.hpp"
#include "tpn/workflow.hpp"

namespace takt::tpn {

namespace {

// Finer ticks of sums of rounded times.
constexpr int kSumBits = 20;

// Bits of a scale beyond which no time but 0 could be narrow enough.
constexpr std::size_t kMostScaleBits = 2000;

std::size_t bits_of(const Integer& value) { return mpz_sizeinbase(value.get_mpz_t(), 2); }

// 2^exponent.
Rational power_of_two(std::int64_t exponent) {
  const Integer power = Integer(1) << static_cast<mp_bitcnt_t>(exponent < 0 ? -exponent : exponent);
  return exponent < 0 ? Rational::fraction(1, power) : Rational(power);
}

// Works or sizes of a chain, times the stages' gains.
struct Amounts {
  std::vector<std::optional<Rational>> values;
  Rational unit = 1;  // the largest number that divides them all
  Rational largest;   // that a time can grow with
};

void find_unit(Amounts& amounts) {
  Integer numerator = 0;
  Integer denominator = 1;
  for (const auto& value : amounts.values) {
    if (!value) continue;
    numerator = gcd(numerator, value->numerator());
    denominator = lcm(denominator, value->denominator());
  }
  // In lowest terms: the greatest divisor of a/b and c/d is gcd(a, c) / lcm(b, d).
  if (numerator != 0) amounts.unit = Rational::fraction(numerator, denominator);
}

std::optional<Rational> times(const std::optional<Rational>& amount, const Rational& gain) {
  if (!amount) return std::nullopt;
  return *amount * gain;
}

}  // namespace

class TickTimes::Builder {
 public:
  Builder(const Document& document, const Timing& timing)
      : document_(document), timing_(timing), is_workflow_(!is_chain(document.application)) {
    const auto& stages = document.application.stages;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      works_.values.push_back(times(stages[s].work, timing.gain(s)));
      outputs_.values.push_back(times(stages[s].output, timing.gain(s)));
      if (works_.values[s]) works_.largest += *works_.values[s];
      if (outputs_.values[s]) outputs_.largest = std::max(outputs_.largest, *outputs_.values[s]);
    }
    // A message of a workflow may have the files of several stages.
    if (is_workflow_) {
      outputs_.largest = {};
      for (const auto& output : outputs_.values) outputs_.largest += output.value_or(0);
    }
    find_unit(works_);
    find_unit(outputs_);
    if (has_too_many_pairs()) return;
    add_named();
    find_longest();
  }

  bool has_too_many_pairs() const {
    const std::uint64_t count = document_.platform.processors.size();
    if (!are_links_alike() && count * count > kMostPairs) return true;  // a document has less than 2^32
    std::uint64_t summed = 0;
    for (std::size_t p = 0; p < count; ++p) summed += timing_.has_own_times(p) ? 1U : 0U;
    return summed * works_.values.size() > kMostPairs;
  }

  std::optional<TickTimes> exact() {
    Integer scale = 1;
    bool fits = true;
    const auto include = [&](const Rational& number) {
      if (fits) scale = lcm(scale, number.denominator());
      fits = bits_of(scale) <= kMostScaleBits;
    };
    for_each_time([&](const LinearTime& time, const Amounts& amounts) {
      include(time.fixed);
      if (grows(time, amounts)) include(*time.per_unit * amounts.unit);
    });
    for_each_end([&](const Rational& time) { include(time); });
    for_each_sum([&](const Rational& time) { include(time); }, [](const Rational&) {});
    if (!fits || longest_ * Rational(scale) > Rational(kMostTicks)) return std::nullopt;
    return fill(Rational(scale), 0);
  }

  TickTimes rounded_down() {
    // The largest amount has 2^39 units, so a rate is at most 2^36 * 2^40 / 2^39, and off by less than a tick.
    constexpr std::int64_t kAmountBits = 40;
    for (Amounts* amounts : {&works_, &outputs_}) {
      if (amounts->largest.sign() > 0) amounts->unit = amounts->largest * power_of_two(1 - kAmountBits);
    }
    std::int64_t exponent = 0;
    if (longest_.sign() > 0) {
      // longest_ < 2^(bits of numerator - bits of denominator + 1)
      const auto above = static_cast<std::int64_t>(bits_of(longest_.numerator())) -
                         static_cast<std::int64_t>(bits_of(longest_.denominator())) + 1;
      exponent = static_cast<std::int64_t>(bits_of(Integer(kMostRoundedTicks))) - 1 - above;
    }
    return fill(power_of_two(exponent), static_cast<int>(kAmountBits));
  }

 private:
  bool are_links_alike() const {
    return document_.platform.links.empty() && timing_.other_links().classes == 1 && !timing_.has_shared_hosts();
  }

  // Nothing of classes that do not meet, whose times are not to make the scale finer.
  std::optional<LinearTime> link_of(const OtherLinks::Kind& kind) const {
    return timing_.other_links().classes == 1 || kind.pairs > 0 ? kind.link : std::nullopt;
  }

  // If there are classes, what a link does not say may depend on the direction.
  std::size_t place_of(std::size_t named) const {
    const bool is_by_link = timing_.other_links().classes == 1 && !timing_.has_shared_hosts();
    return is_by_link ? timing_.named_links()[named].link : named;
  }

  void add_named() {
    const auto named = timing_.named_links();
    links_.resize(std::max(named.size(), document_.platform.links.size()));
    for (std::size_t k = 0; k < named.size(); ++k) {
      if (auto& link = links_[place_of(k)]; !link) link = timing_.link(named[k]);
    }
  }

  static bool grows(const LinearTime& time, const Amounts& amounts) {
    return time.per_unit && amounts.largest.sign() > 0;
  }

  // Every computation's and transfer's time, once for links that are alike.
  template <typename Visit>
  void for_each_time(Visit visit) const {
    const Platform& platform = document_.platform;
    for (std::size_t p = 0; p < platform.processors.size(); ++p) {
      if (const auto time = timing_.processor(p)) visit(*time, works_);
    }
    for (const OtherLinks::Kind& kind : timing_.other_links().kinds) {
      if (const auto link = link_of(kind)) visit(*link, outputs_);
    }
    for (const auto& link : links_) {
      if (link) visit(*link, outputs_);
    }
    for (std::size_t k = 0; is_workflow_ && k < count_of(platform.sink); ++k) {
      for (std::size_t p = 0; p < platform.processors.size(); ++p)
        if (const auto link = timing_.sink_link(p, k)) visit(*link, outputs_);
    }
  }

  template <typename Visit>
  void for_each_end(Visit visit) const {
    for (std::size_t p = 0; p < document_.platform.processors.size(); ++p) {
      for (std::size_t k = 0; k < count_of(document_.platform.source); ++k)
        if (const auto time = source_time(p, k)) visit(*time);
      for (std::size_t k = 0; k < count_of(document_.platform.sink); ++k)
        if (const auto time = sink_time(p, k)) visit(*time);
    }
  }

  // The time of every stage on the processors that stages have times of their own for, and the sum of each processor's.
  template <typename Visit, typename VisitSum>
  void for_each_sum(Visit visit, VisitSum visit_sum) const {
    for (std::size_t p = 0; p < document_.platform.processors.size(); ++p) {
      if (!timing_.has_own_times(p)) continue;
      Rational sum;
      for (std::size_t s = 0; s < works_.values.size(); ++s) {
        const auto time = timing_.stage_time(s, p);
        if (!time) continue;
        visit(*time);
        sum += *time;
      }
      visit_sum(sum);
    }
  }

  static std::optional<Rational> time_of(const std::optional<LinearTime>& link, const std::optional<Rational>& amount) {
    if (!link || (link->per_unit && !amount)) return std::nullopt;
    return link->of(amount.value_or(0));
  }
  std::optional<Rational> source_time(std::size_t processor, std::size_t which) const {
    return time_of(timing_.source_link(processor, which), document_.application.input);
  }
  std::optional<Rational> sink_time(std::size_t processor, std::size_t which) const {
    return time_of(timing_.sink_link(processor, which), outputs_.values.back());
  }

  void find_longest() {
    for_each_time([&](const LinearTime& time, const Amounts& amounts) {
      longest_ = std::max(longest_, time.of(amounts.largest));
    });
    for_each_end([&](const Rational& time) { longest_ = std::max(longest_, time); });
    for_each_sum([](const Rational&) {}, [&](const Rational& sum) { longest_ = std::max(longest_, sum); });
  }

  // Whether any time grows with these amounts; else they may be of any size and are left out.
  bool counts(const Amounts& amounts) const {
    bool found = false;
    for_each_time(
        [&](const LinearTime& time, const Amounts& of) { found = found || (grows(time, of) && &of == &amounts); });
    return found;
  }

  // A rate has rate_bits bits behind the point: none if they are exact.
  TickTimes fill(const Rational& scale, int rate_bits) const {
    TickTimes result;
    result.scale_ = scale;
    result.shift_ = rate_bits;
    result.longest_ = (longest_ * scale).floor().get_si();
    const Rational fine_scale = scale * power_of_two(rate_bits);
    const Rational work_scale = works_.unit * fine_scale;
    const Rational output_scale = outputs_.unit * fine_scale;
    const auto ticks = [&](const std::optional<LinearTime>& time, const Amounts& amounts) {
      const Rational& rate_scale = &amounts == &works_ ? work_scale : output_scale;
      Ticks found;
      if (!time) return found;
      found.fixed = (time->fixed * scale).floor().get_si();
      if (time->per_unit) found.rate = 0;
      if (grows(*time, amounts)) found.rate = (*time->per_unit * rate_scale).floor().get_si();
      return found;
    };
    const auto ticks_of_end = [&](const std::optional<Rational>& time) {
      return time ? std::int64_t{(*time * scale).floor().get_si()} : kAbsent;
    };
    fill_amounts(result);
    const std::size_t count = document_.platform.processors.size();
    for (std::size_t p = 0; p < count; ++p) {
      result.processors_.push_back(timing_.has_own_times(p) ? add_sums(result, p)
                                                            : ticks(timing_.processor(p), works_));
    }
    for (std::size_t k = 0; k < count_of(document_.platform.source); ++k)
      for (std::size_t p = 0; p < count; ++p) result.sources_.push_back(ticks_of_end(source_time(p, k)));
    for (std::size_t k = 0; k < count_of(document_.platform.sink); ++k)
      for (std::size_t p = 0; p < count; ++p) result.sinks_.push_back(ticks_of_end(sink_time(p, k)));
    for (std::size_t k = 0; is_workflow_ && k < count_of(document_.platform.sink); ++k)
      for (std::size_t p = 0; p < count; ++p) result.sink_links_.push_back(ticks(timing_.sink_link(p, k), outputs_));
    fill_links(result, [&](const std::optional<LinearTime>& link) { return ticks(link, outputs_); });
    return result;
  }

  template <typename ToTicks>
  void fill_links(TickTimes& result, ToTicks to_ticks) const {
    const OtherLinks& others = timing_.other_links();
    std::vector<Ticks> kinds;
    for (const OtherLinks::Kind& kind : others.kinds) kinds.push_back(to_ticks(link_of(kind)));
    result.links_.assign(1, kinds.front());
    if (are_links_alike()) return;
    const std::size_t count = document_.platform.processors.size();
    result.row_ = count;
    result.cell_ = 1;
    result.links_.assign(count * count, Ticks(result.links_.front()));
    for (std::size_t from = 0; others.classes > 1 && from < count; ++from) {
      for (std::size_t to = 0; to < count; ++to) result.links_[from * count + to] = kinds[others.kind(from, to)];
    }
    std::vector<Ticks> ticks_of_link;
    for (const auto& link : links_) ticks_of_link.push_back(to_ticks(link));
    const auto named = timing_.named_links();
    for (std::size_t k = 0; k < named.size(); ++k) {
      result.links_[named[k].from * count + named[k].to] = ticks_of_link[place_of(k)];
    }
  }

  Ticks add_sums(TickTimes& result, std::size_t processor) const {
    // Sums are rounded down stage by stage: with finer ticks, of which the longest has less than 2^62.
    result.sums_shift_ = result.shift_ > 0 ? kSumBits : 0;
    const Rational fine_scale = result.scale_ * power_of_two(result.sums_shift_);
    Sum sum;
    const Ticks row{static_cast<std::int64_t>(result.sums_.size() / (works_.values.size() + 1)), kSummed};
    result.sums_.push_back(sum);
    for (std::size_t s = 0; s < works_.values.size(); ++s) {
      if (const auto time = timing_.stage_time(s, processor)) {
        sum.ticks += (*time * fine_scale).floor().get_si();
      } else {
        ++sum.missing;
      }
      result.sums_.push_back(sum);
    }
    return row;
  }

  // An amount that a time grows with by at least a tick has at most kMostTicks units; a rounded one 2^40.
  void fill_amounts(TickTimes& result) const {
    const bool works_count = counts(works_);
    const bool outputs_count = counts(outputs_);
    result.works_.assign(1, 0);
    result.missing_works_.assign(1, 0);
    for (std::size_t s = 0; s < works_.values.size(); ++s) {
      const auto& work = works_.values[s];
      const auto& output = outputs_.values[s];
      result.missing_works_.push_back(result.missing_works_.back() + (work ? 0U : 1U));
      const std::int64_t units = work && works_count ? (*work / works_.unit).floor().get_si() : 0;
      result.works_.push_back(result.works_.back() + units);
      result.outputs_.push_back(!output ? kAbsent : (outputs_count ? (*output / outputs_.unit).floor().get_si() : 0));
    }
  }

  const Document& document_;
  const Timing& timing_;
  bool is_workflow_;
  Amounts works_;
  Amounts outputs_;
  Rational longest_;                              // of all times
  std::vector<std::optional<LinearTime>> links_;  // of the named pairs, by place_of; nothing if there is none
};

std::optional<TickTimes> TickTimes::exact(const Document& document, const Timing& timing) {
  Builder builder(document, timing);
  if (builder.has_too_many_pairs()) return std::nullopt;
  return builder.exact();
}

std::optional<TickTimes> TickTimes::rounded_down(const Document& document, const Timing& timing) {
  Builder builder(document, timing);
  if (builder.has_too_many_pairs()) return std::nullopt;
  return builder.rounded_down();
}

}  // namespace takt::tpn

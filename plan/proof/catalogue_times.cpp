// Times of types as those between two processors of each.
#include "plan/proof/catalogue_times.hpp"

#include <algorithm>
#include <span>

#include "tpn/ends.hpp"
#include "tpn/expansion.hpp"
#include "tpn/timing.hpp"

namespace takt::plan {

namespace {

using Times = std::vector<std::optional<Rational>>;

// Exact times, before there are ticks.
struct ExactTimes {
  Times computations;
  Times fixed;
  Times transfers;
  Times from_source;
  Times to_sink;
};

tpn::Document pairs_of_processors(const tpn::Document& document) {
  tpn::Document bare = document;
  bare.platform.links.clear();
  for (auto* ends : {&bare.platform.source, &bare.platform.sink}) {
    if (!*ends) continue;
    for (tpn::Endpoint& end : tpn::in_turn(**ends)) end.links.clear();
  }
  for (tpn::ProcessorType& type : bare.platform.types) type.cores = 1;  // all are alike, and share the links
  return tpn::expanded(bare, std::vector<std::uint64_t>(document.platform.types.size(), 2));
}

// Without a source or sink its transfer takes no time; without a link there is none.
std::optional<Rational> from_source(const tpn::Document& pairs, const tpn::Timing& timing, std::size_t processor) {
  if (!pairs.platform.source) return Rational(0);
  return timing.source_link(processor) ? std::optional(timing.from_source(processor)) : std::nullopt;
}
std::optional<Rational> to_sink(const tpn::Document& pairs, const tpn::Timing& timing, std::size_t processor) {
  if (!pairs.platform.sink) return Rational(0);
  return timing.sink_link(processor) ? std::optional(timing.to_sink(processor)) : std::nullopt;
}

ExactTimes exact_times(const tpn::Document& pairs) {
  const tpn::Timing timing(pairs);
  const std::size_t stages = pairs.application.stages.size();
  const std::size_t types = pairs.platform.types.size();
  ExactTimes result;
  for (std::size_t t = 0; t < types; ++t) {
    const std::size_t one = 2 * t;
    result.fixed.push_back(pairs.platform.processors[one].time);
    result.from_source.push_back(from_source(pairs, timing, one));
    result.to_sink.push_back(to_sink(pairs, timing, one));
  }
  for (std::size_t k = 0; k < stages; ++k) {
    for (std::size_t t = 0; t < types; ++t) {
      const auto& places = pairs.application.stages[k].runs_on;
      const bool runs = places.empty() || std::ranges::find(places, pairs.platform.types[t].name) != places.end();
      result.computations.push_back(result.fixed[t] ? Rational(0) : runs ? timing.stage_time(k, 2 * t) : std::nullopt);
      if (k + 1 == stages) continue;
      for (std::size_t u = 0; u < types; ++u) {
        std::optional<Rational>& time = result.transfers.emplace_back();
        if (timing.has_link(2 * t, 2 * u + 1)) time = timing.transfer(k, 2 * t, 2 * u + 1);
      }
    }
  }
  return result;
}

std::vector<std::optional<Integer>> in_ticks(const Times& times, const Integer& scale) {
  std::vector<std::optional<Integer>> result;
  for (const std::optional<Rational>& time : times) {
    result.emplace_back();
    if (time) result.back() = (*time * Rational(scale)).numerator();
  }
  return result;
}

}  // namespace

std::optional<Integer> common_denominator(const Integer& denominator, const Rational& number) {
  if (mpz_divisible_p(denominator.get_mpz_t(), number.denominator().get_mpz_t()) != 0) return denominator;
  const Integer common = lcm(denominator, number.denominator());
  if (mpz_sizeinbase(common.get_mpz_t(), 2) > kPlanDenominatorBits) return std::nullopt;
  return common;
}

std::variant<CatalogueTimes, tpn::TooLarge> catalogue_times(const tpn::Document& document, const Rational& period) {
  const ExactTimes exact = exact_times(pairs_of_processors(document));
  CatalogueTimes result;
  result.stages = document.application.stages.size();
  result.types = document.platform.types.size();
  result.scale = period.denominator();
  for (const Times* times : {&exact.computations, &exact.fixed, &exact.transfers, &exact.from_source, &exact.to_sink}) {
    for (const std::optional<Rational>& time : *times) {
      if (!time) continue;
      const auto common = common_denominator(result.scale, *time);
      if (!common)
        return tpn::TooLarge{tpn::LimitKind::denominator_bits, kPlanDenominatorBits + 1, kPlanDenominatorBits};
      result.scale = *common;
    }
  }
  result.computations = in_ticks(exact.computations, result.scale);
  result.fixed = in_ticks(exact.fixed, result.scale);
  result.transfers = in_ticks(exact.transfers, result.scale);
  result.from_source = in_ticks(exact.from_source, result.scale);
  result.to_sink = in_ticks(exact.to_sink, result.scale);
  return result;
}

}  // namespace takt::plan

// Sums over the pairs that meet on either side of a segment.
#include "heuristics/search/segment_loads.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "tpn/ends.hpp"
#include "tpn/workflow.hpp"

namespace takt::heuristics {

using evaluators::Int128;
using maxplus::Rational;

std::vector<LimitedWay> limited_ways(const tpn::Platform& platform) {
  const tpn::SegmentIndex index(platform);
  const std::size_t machines =
      platform.processors.size() + tpn::count_of(platform.source) + tpn::count_of(platform.sink);
  std::vector<LimitedWay> ways;
  for (std::size_t s = 0; s < platform.segments.size(); ++s) {
    const tpn::NetworkSegment& segment = platform.segments[s];
    if (segment.ports == tpn::kUnlimitedPorts) continue;
    LimitedWay limited{{}, static_cast<std::int64_t>(segment.ports)};
    limited.way.is_both = !segment.duplex;
    for (std::size_t machine = 0; machine < machines; ++machine) {
      limited.way.from.push_back(index.side(s, machine) == tpn::SegmentSide::first);
      limited.way.to.push_back(index.side(s, machine) == tpn::SegmentSide::second);
    }
    ways.push_back(limited);
    if (segment.duplex) {
      std::swap(limited.way.from, limited.way.to);
      ways.push_back(std::move(limited));
    }
  }
  return ways;
}

namespace {

// What one way of a segment takes per data set, file by file: the least over all processors that may send or receive
// it, nothing as soon as it need not pass.
class LeastOnWay {
 public:
  LeastOnWay(const tpn::ProblemView& problem, const tpn::SegmentWay& way, maxplus::DeadlineWatch& watch)
      : problem_(problem), timing_(problem.timing()), way_(way), watch_(watch) {}

  Rational all() {
    const tpn::Platform& platform = problem_.document().platform;
    const std::size_t last = problem_.document().application.stages.size() - 1;
    const std::size_t sources = tpn::count_of(platform.source);
    const std::size_t sinks = tpn::count_of(platform.sink);
    Rational sum;
    for (std::size_t k = 0; k < sources; ++k) {
      const auto receive = [&](std::size_t p) -> std::optional<Rational> {
        if (!timing_.source_link(p, k)) return std::nullopt;
        return way_.passes(processors() + k, p) ? timing_.from_source(p, k) : Rational();
      };
      sum += with_end(0, receive) / Rational(sources);
    }
    for (std::size_t k = 0; k < last; ++k) sum += between(k);
    for (std::size_t k = 0; k < sinks; ++k) {
      const auto send = [&](std::size_t p) -> std::optional<Rational> {
        if (!timing_.sink_link(p, k)) return std::nullopt;
        return way_.passes(p, processors() + sources + k) ? timing_.to_sink(p, k) : Rational();
      };
      sum += with_end(last, send) / Rational(sinks);
    }
    return watch_.has_passed() ? Rational() : sum;
  }

 private:
  bool runs(std::size_t stage, std::size_t p) const { return problem_.can_run(stage, stage, p); }
  std::size_t processors() const { return problem_.document().platform.processors.size(); }

  template <typename TimeOf>
  Rational with_end(std::size_t stage, const TimeOf& time_of) const {
    std::optional<Rational> least;
    for (std::size_t p = 0; p < processors() && (!least || least->sign() > 0); ++p) {
      if (!runs(stage, p)) continue;
      const std::optional<Rational> time = time_of(p);
      if (time && (!least || *time < *least)) least = time;
    }
    return least.value_or(Rational());
  }

  // The file behind a stage.
  Rational between(std::size_t stage) {
    for (std::size_t p = 0; p < processors(); ++p)
      if (runs(stage, p) && runs(stage + 1, p)) return {};
    std::optional<Rational> least;
    for (std::size_t p = 0; p < processors(); ++p) {
      if (!runs(stage, p)) continue;
      if (watch_.has_passed(static_cast<double>(processors()))) return {};
      for (std::size_t q = 0; q < processors(); ++q) {
        if (!runs(stage + 1, q) || !timing_.has_link(p, q)) continue;
        if (!way_.passes(p, q)) return {};
        const Rational time = timing_.transfer(stage, p, q);
        if (!least || time < *least) least = time;
      }
    }
    return least.value_or(Rational());
  }

  const tpn::ProblemView& problem_;
  const tpn::Timing& timing_;
  const tpn::SegmentWay& way_;
  maxplus::DeadlineWatch& watch_;
};

}  // namespace

Rational least_on_segments(const tpn::ProblemView& problem, const maxplus::Deadline& deadline) {
  if (problem.document().platform.segments.empty() || !tpn::is_chain(problem.document().application)) return {};
  maxplus::DeadlineWatch watch(deadline);
  Rational most;
  for (const LimitedWay& limited : limited_ways(problem.document().platform))
    most = std::max(most, LeastOnWay(problem, limited.way, watch).all() / Rational(limited.ports));
  return most;
}

SegmentLoads::SegmentLoads(const tpn::Document& problem, const tpn::TickTimes& times)
    : problem_(problem), times_(times), ways_(limited_ways(problem.platform)) {
  const tpn::SegmentIndex index(problem.platform);
  for (std::size_t k = 0; k < tpn::count_of(problem.platform.source); ++k) sources_.push_back(index.source(k));
  for (std::size_t k = 0; k < tpn::count_of(problem.platform.sink); ++k) sinks_.push_back(index.sink(k));
  if (!tpn::is_chain(problem.application)) routes_.emplace(problem.application, tpn::outer_ends(problem.platform));
}

// Each pair meets once in as many data sets as both sequences repeat after. No sum of ticks leaves 128 bits.
template <typename Ticks>
void SegmentLoads::add(std::span<const std::size_t> senders, std::span<const std::size_t> receivers,
                       const Ticks& ticks) {
  if (senders.empty() || receivers.empty()) return;
  totals_.assign(ways_.size(), 0);
  const std::size_t modulus = std::gcd(senders.size(), receivers.size());
  for (std::size_t a = 0; a < senders.size(); ++a) {
    for (std::size_t b = a % modulus; b < receivers.size(); b += modulus) {
      for (std::size_t w = 0; w < ways_.size(); ++w)
        if (ways_[w].way.passes(senders[a], receivers[b])) totals_[w] += ticks(senders[a], receivers[b]);
    }
  }
  const Int128 data_sets = Int128{senders.size()} * (receivers.size() / modulus);
  for (std::size_t w = 0; w < ways_.size(); ++w) loads_[w] += static_cast<std::int64_t>(totals_[w] / data_sets);
}

void SegmentLoads::add_routes(std::span<const tpn::Part> mapping) {
  const std::size_t first_source = problem_.platform.processors.size();
  const std::size_t first_sink = first_source + sources_.size();
  routes_->list(mapping);
  for (const tpn::MappingRoutes::Route& route : routes_->all()) {
    const bool enters = route.from == tpn::MappingRoutes::kOutside;
    const bool leaves = route.to == tpn::MappingRoutes::kOutside;
    const std::int64_t amount = times_.amount_of(routes_->files_of(route));
    add(enters ? sources_ : mapping[route.from].processors, leaves ? sinks_ : mapping[route.to].processors,
        [&](std::size_t from, std::size_t to) {
          if (enters) return times_.from_source(to, from - first_source);
          return leaves ? times_.to_sink_of(amount, from, to - first_sink) : times_.transfer_of(amount, from, to);
        });
  }
}

const std::vector<std::int64_t>& SegmentLoads::of(std::span<const tpn::Part> mapping) {
  loads_.assign(ways_.size(), 0);
  routes_ ? add_routes(mapping) : add_chain(mapping);
  for (std::size_t w = 0; w < loads_.size(); ++w) loads_[w] /= ways_[w].ports;
  return loads_;
}

void SegmentLoads::add_chain(std::span<const tpn::Part> mapping) {
  const std::size_t first_sink = problem_.platform.processors.size() + sources_.size();
  if (!mapping.empty()) {
    add(sources_, mapping.front().processors, [&](std::size_t from, std::size_t to) {
      return times_.from_source(to, from - problem_.platform.processors.size());
    });
  }
  for (std::size_t i = 0; i + 1 < mapping.size(); ++i) {
    add(mapping[i].processors, mapping[i + 1].processors,
        [&](std::size_t from, std::size_t to) { return times_.transfer(mapping[i].last_stage, from, to); });
  }
  if (!mapping.empty() && mapping.back().last_stage + 1 == problem_.application.stages.size()) {
    add(mapping.back().processors, sinks_,
        [&](std::size_t from, std::size_t to) { return times_.to_sink(from, to - first_sink); });
  }
}

}  // namespace takt::heuristics

// Ratios are kept; times per data set are made of them when somebody asks.
#include "live/adaptation/monitor.hpp"

#include <algorithm>
#include <utility>

#include "maxplus/contract.hpp"
#include "tpn/chain.hpp"

namespace takt::live {

namespace {

// Times of each processor before anything is decided, where K is not less.
constexpr std::size_t kLeastTimes = 2;

// What each processor computes per data set on average, in ticks.
std::vector<Rational> shares_of(const Route& route, std::size_t processors) {
  std::vector<Rational> shares(processors);
  for (std::size_t i = 0; i < route.parts(); ++i) {
    const tpn::NetPart& part = route.part(i);
    if (part.role != tpn::PartRole::mapped) continue;
    const auto turns = static_cast<std::int64_t>(part.sequence.size());
    for (std::size_t k = 0; k < part.sequence.size(); ++k) {
      shares[part.sequence[k]] += Rational::fraction(route.duration(tpn::chain_computation(i), k), turns);
    }
  }
  return shares;
}

}  // namespace

Monitor::Monitor(std::size_t processors, MonitorTerms terms) : terms_(std::move(terms)), watched_(processors) {
  maxplus::expects(terms_.keep >= 1, "the monitor keeps times");
}

void Monitor::follow(std::uint64_t data_set, Route route) {
  maxplus::expects(followed_.empty() || data_set >= followed_.back().from, "mappings follow one another");
  const std::vector<Rational> shares = shares_of(route, watched_.size());
  if (!followed_.empty() && data_set == followed_.back().from) followed_.pop_back();  // no data set had that one
  followed_.push_back({data_set, std::move(route)});
  for (std::size_t p = 0; p < watched_.size(); ++p) watched_[p].share = shares[p];
  calibrate_anew();
}

void Monitor::calibrate_anew() {
  for (Watched& watched : watched_) {
    watched.first.clear();
    watched.last.clear();
  }
}

const Route& Monitor::route_of(std::uint64_t data_set) const {
  const auto after = std::ranges::upper_bound(followed_, data_set, {}, &Followed::from);
  return after == followed_.begin() ? after->route : std::prev(after)->route;
}

Ticks Monitor::nominal(std::size_t part, std::uint64_t data_set) const {
  return route_of(data_set).duration(tpn::chain_computation(part), data_set);
}

void Monitor::begun(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start) {
  watched_[processor].under_way = UnderWay{part, data_set, start, nominal(part, data_set)};
}

void Monitor::computed(const MeasuredTime& measured) {
  Watched& watched = watched_[measured.processor];
  watched.under_way.reset();
  const Ticks usual = nominal(measured.part, measured.data_set);
  if (usual == 0) return;
  const Rational ratio = Rational::fraction(measured.time, usual);
  watched.best = watched.best ? std::min(*watched.best, ratio) : ratio;
  watched.latest = measured;
  if (!is_present(measured.data_set)) {
    watched.known = ratio;
    return;
  }
  if (watched.first.size() < terms_.keep) watched.first.push_back(ratio);
  watched.last.push_back(ratio);
  if (watched.last.size() > terms_.keep) watched.last.pop_front();
  watched.known = *std::ranges::min_element(watched.last);
}

Monitor::Standard Monitor::standard() const {
  bool is_calibrated = true;
  bool is_relied_on = true;
  for (const Watched& watched : watched_) {
    if (watched.share.sign() == 0) continue;
    if (watched.first.size() < std::min(terms_.keep, kLeastTimes)) is_calibrated = false;
    if (!watched.relied_on) is_relied_on = false;
  }
  return is_calibrated ? Standard::calibrated : is_relied_on ? Standard::relied_on : Standard::none;
}

Rational Monitor::standard_time(const Watched& watched, Standard standard) const {
  if (standard == Standard::relied_on) return watched.share * *watched.relied_on;
  const Rational& ratio = *std::ranges::min_element(watched.first);
  return watched.share * (watched.relied_on ? std::min(ratio, *watched.relied_on) : ratio);
}

// But for what is under way.
Rational Monitor::current_ratio(const Watched& watched, Standard standard) const {
  if (standard == Standard::relied_on) return watched.known.value_or(*watched.relied_on);
  return *std::ranges::min_element(watched.last);
}

std::optional<Rational> Monitor::under_way_ratio(const Watched& watched, Ticks now) const {
  if (!terms_.counts_under_way || !watched.under_way) return std::nullopt;
  const UnderWay& under_way = *watched.under_way;
  if (under_way.nominal == 0 || now <= under_way.start) return std::nullopt;
  return Rational::fraction(now - under_way.start, under_way.nominal);
}

std::optional<MonitorFinding> Monitor::finding(Ticks now) const {
  const Standard standard = this->standard();
  if (standard == Standard::none) return std::nullopt;
  std::vector<Rational> standard_times;
  std::vector<Rational> current_times;
  std::vector<MeasuredTime> causes;
  for (std::size_t p = 0; p < watched_.size(); ++p) {
    const Watched& watched = watched_[p];
    if (watched.share.sign() == 0) continue;
    standard_times.push_back(standard_time(watched, standard));
    Rational ratio = current_ratio(watched, standard);
    causes.push_back(watched.latest);
    const std::optional<Rational> so_far = under_way_ratio(watched, now);
    if (so_far && *so_far > ratio) {
      ratio = *so_far;
      const UnderWay& under_way = *watched.under_way;
      causes.back() = {p, under_way.part, under_way.data_set, now - under_way.start, true};
    }
    current_times.push_back(watched.share * ratio);
  }
  if (current_times.empty()) return std::nullopt;
  const auto reason = heuristics::remap_reason(standard_times, current_times, terms_.threshold);
  if (!reason) return std::nullopt;
  const bool is_slower = reason->rule == heuristics::RemapRule::slower_than_the_worst;
  if (!is_slower && standard == Standard::relied_on) return std::nullopt;  // too little is known
  return MonitorFinding{reason->rule, current_times[reason->processor], reason->limit, causes[reason->processor]};
}

std::vector<Rational> Monitor::ratios(Ticks now) const { return ratios(now, UnderWayUse::half_done); }

std::optional<Ticks> Monitor::next() const {
  const Standard standard = this->standard();
  if (!terms_.counts_under_way || standard == Standard::none) return std::nullopt;
  Rational limit;
  for (const Watched& watched : watched_) {
    if (watched.share.sign() > 0) limit = std::max(limit, standard_time(watched, standard));
  }
  limit *= Rational(1) + terms_.threshold;
  std::optional<Ticks> next;
  for (const Watched& watched : watched_) {
    if (watched.share.sign() == 0 || !watched.under_way || watched.under_way->nominal == 0) continue;
    const Rational longest = Rational(watched.under_way->nominal) * limit / watched.share;
    if (longest > Rational(std::int64_t{1} << 60)) continue;
    const Ticks moment = watched.under_way->start + longest.floor().get_si() + 1;
    if (!next || moment < *next) next = moment;
  }
  return next;
}

std::vector<Rational> Monitor::ratios(Ticks now, UnderWayUse use) const {
  std::vector<std::optional<Rational>> known;
  std::vector<Rational> all;
  for (const Watched& watched : watched_) {
    std::optional<Rational> ratio = watched.known;
    const std::optional<Rational> so_far = under_way_ratio(watched, now);
    if (so_far && (!ratio || *so_far > *ratio)) {
      const bool is_beyond = ratio && *so_far > (Rational(1) + terms_.threshold) * *ratio;
      ratio = is_beyond && use == UnderWayUse::half_done ? 2 * *so_far : *so_far;
    }
    if (ratio) all.push_back(watched.best.value_or(*ratio));
    known.push_back(std::move(ratio));
  }
  std::ranges::sort(all);
  const Rational middle = all.empty() ? Rational(1) : all[(all.size() - 1) / 2];
  std::vector<Rational> ratios;
  ratios.reserve(known.size());
  for (const auto& ratio : known) ratios.push_back(ratio.value_or(middle));
  return ratios;
}

void Monitor::rely_on_times(Ticks now) {
  const std::vector<Rational> all = ratios(now, UnderWayUse::nearly_done);
  for (std::size_t p = 0; p < watched_.size(); ++p) watched_[p].relied_on = all[p];
}

}  // namespace takt::live

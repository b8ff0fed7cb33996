// Ratios are kept; times per data set are made of them when somebody asks.
#include "live/monitor.hpp"

#include <algorithm>
#include <utility>

#include "maxplus/contract.hpp"

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
      shares[part.sequence[k]] += Rational::fraction(route.duration(2 * i, k), turns);
    }
  }
  return shares;
}

// The largest whole number that is not above a non-negative one.
Ticks floor_of(const Rational& number) {
  const maxplus::Integer whole = number.numerator() / number.denominator();
  return whole.get_si();
}

}  // namespace

Monitor::Monitor(std::size_t processors, MonitorTerms terms) : terms_(std::move(terms)), watched_(processors) {
  maxplus::expects(terms_.keep >= 1, "the monitor keeps times");
}

void Monitor::follow(std::uint64_t data_set, Route route) {
  maxplus::expects(followed_.empty() || data_set > followed_.back().from, "mappings follow one another");
  const std::vector<Rational> shares = shares_of(route, watched_.size());
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
  return route_of(data_set).duration(2 * part, data_set);
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
  if (!is_present(measured.data_set)) {
    watched.known = ratio;
    return;
  }
  watched.latest = measured;
  if (watched.first.size() < terms_.keep) watched.first.push_back(ratio);
  watched.last.push_back(ratio);
  if (watched.last.size() > terms_.keep) watched.last.pop_front();
  watched.known = *std::ranges::min_element(watched.last);
}

Rational Monitor::calibrated(const Watched& watched) const {
  const Rational ratio = *std::ranges::min_element(watched.first);
  return watched.share * (watched.relied_on ? std::min(ratio, *watched.relied_on) : ratio);
}

std::optional<Rational> Monitor::under_way_ratio(const Watched& watched, Ticks now) const {
  if (!terms_.counts_under_way || !watched.under_way) return std::nullopt;
  const UnderWay& under_way = *watched.under_way;
  if (under_way.nominal == 0 || now <= under_way.start) return std::nullopt;
  return Rational::fraction(now - under_way.start, under_way.nominal);
}

std::optional<MonitorFinding> Monitor::finding(Ticks now) const {
  std::vector<Rational> calibrated_times;
  std::vector<Rational> current_times;
  std::vector<MeasuredTime> causes;
  for (std::size_t p = 0; p < watched_.size(); ++p) {
    const Watched& watched = watched_[p];
    if (watched.share.sign() == 0) continue;
    if (watched.first.size() < std::min(terms_.keep, kLeastTimes)) return std::nullopt;
    calibrated_times.push_back(calibrated(watched));
    Rational ratio = *std::ranges::min_element(watched.last);
    causes.push_back(watched.latest);
    const std::optional<Rational> so_far = under_way_ratio(watched, now);
    if (so_far && *so_far > ratio && is_present(watched.under_way->data_set)) {
      ratio = *so_far;
      const UnderWay& under_way = *watched.under_way;
      causes.back() = {p, under_way.part, under_way.data_set, now - under_way.start, true};
    }
    current_times.push_back(watched.share * ratio);
  }
  if (current_times.empty()) return std::nullopt;
  const auto reason = heuristics::remap_reason(calibrated_times, current_times, terms_.threshold);
  if (!reason) return std::nullopt;
  return MonitorFinding{reason->rule, current_times[reason->processor], reason->limit, causes[reason->processor]};
}

// Beyond it a processor is too slow; nothing where too little is known.
std::optional<Rational> Monitor::worst_limit() const {
  std::optional<Rational> worst;
  for (const Watched& watched : watched_) {
    if (watched.share.sign() == 0) continue;
    if (watched.first.size() < std::min(terms_.keep, kLeastTimes)) return std::nullopt;
    const Rational time = calibrated(watched);
    if (!worst || time > *worst) worst = time;
  }
  if (worst) *worst *= Rational(1) + terms_.threshold;
  return worst;
}

std::optional<Ticks> Monitor::next() const {
  const std::optional<Rational> limit = worst_limit();
  if (!terms_.counts_under_way || !limit) return std::nullopt;
  std::optional<Ticks> next;
  for (const Watched& watched : watched_) {
    if (watched.share.sign() == 0 || !watched.under_way || !is_present(watched.under_way->data_set)) continue;
    const Rational longest = Rational(watched.under_way->nominal) * *limit / watched.share;
    if (watched.under_way->nominal == 0 || longest > Rational(std::int64_t{1} << 60)) continue;
    const Ticks moment = watched.under_way->start + floor_of(longest) + 1;
    if (!next || moment < *next) next = moment;
  }
  return next;
}

std::vector<Rational> Monitor::ratios(Ticks now) const {
  std::vector<std::optional<Rational>> known;
  std::vector<Rational> all;
  for (const Watched& watched : watched_) {
    std::optional<Rational> ratio = watched.known;
    const std::optional<Rational> so_far = under_way_ratio(watched, now);
    if (so_far && (!ratio || *so_far > *ratio)) ratio = so_far;
    if (ratio) all.push_back(*ratio);
    known.push_back(std::move(ratio));
  }
  std::ranges::sort(all);
  const Rational middle = all.empty() ? Rational(1) : all[(all.size() - 1) / 2];
  std::vector<Rational> ratios;
  ratios.reserve(known.size());
  for (const auto& ratio : known) ratios.push_back(ratio.value_or(middle));
  return ratios;
}

void Monitor::rely_on_ratios(Ticks now) {
  const std::vector<Rational> all = ratios(now);
  for (std::size_t p = 0; p < watched_.size(); ++p)
    if (watched_[p].known) watched_[p].relied_on = all[p];
}

}  // namespace takt::live

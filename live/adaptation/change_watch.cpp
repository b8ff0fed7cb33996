// Stakes, times that wait, and pairs of each processor.
#include "live/adaptation/change_watch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace takt::live {

namespace {

constexpr double kLeastBelief = 0.2;  // a few lucky times must not draw all stages to their processor
constexpr double kMostBelief = 20;
constexpr std::size_t kMostWaiting = 24;

// A pair counts for so many times of its processor, and so many pairs count.
constexpr std::size_t kPairLasts = 6;
constexpr std::size_t kMostPairs = 3;

// How far the estimate by normal times may be from that of pairs.
constexpr double kNearPairs = 1.5;

// A computation under way counts when it is so much longer than all normal ones, and each time that it has grown by
// this part.
constexpr double kBeyond = 1.0001;
constexpr Ticks kGrowth = 4;

}  // namespace

ChangeWatch::ChangeWatch(std::size_t stages, std::size_t processors) : normal_(stages), watched_(processors) {}

void ChangeWatch::begun(std::size_t processor, StageRange stages, Ticks start, double scale) {
  UnderWay under_way{stages, start, scale};
  const std::vector<double>& sums = normal_.sums(stages);
  constexpr std::size_t kLeast = 5;
  if (sums.size() >= kLeast) {
    under_way.counts = true;
    under_way.next = start + static_cast<Ticks>(sums.back() * kBeyond * watched_[processor].belief * scale) + 1;
  }
  watched_[processor].under_way = under_way;
}

void ChangeWatch::see(Watched& watched, const SeenTime& seen, std::uint64_t data_set) {
  watched.slow.see(normal_, seen, data_set);
  watched.fast.see(normal_, seen, data_set);
  ++watched.seen;
}

void ChangeWatch::computed(std::size_t processor, std::uint64_t data_set, std::size_t first_stage,
                           std::span<const double> times) {
  Watched& watched = watched_[processor];
  watched.under_way.reset();
  Waiting one{data_set, first_stage, {}};
  for (const double time : times) one.times.push_back(time / watched.belief);
  const double sum = std::accumulate(one.times.begin(), one.times.end(), 0.0);
  see(watched, {{first_stage, first_stage + times.size() - 1}, sum}, data_set);
  watched.latest.push_back(one);
  if (watched.latest.size() > kMostWaiting) watched.latest.pop_front();
  watched.waiting.push_back(std::move(one));
  if (watched.slow.value() <= kHeldBack || watched.waiting.size() > kMostWaiting) put_in(watched, 1);
}

void ChangeWatch::shadowed(std::size_t processor, StageRange stages, std::uint64_t data_set, double time) {
  Watched& watched = watched_[processor];
  see(watched, {stages, time / watched.belief}, data_set);
}

void ChangeWatch::paired(std::size_t processor, double factor) {
  Watched& watched = watched_[processor];
  watched.pairs.push_back({watched.seen, factor});
  if (watched.pairs.size() > kMostPairs) watched.pairs.pop_front();
}

double ChangeWatch::stake(std::size_t processor, ChangeEnd end) const {
  const Watched& watched = watched_[processor];
  return end == ChangeEnd::slow ? watched.slow.value() : watched.fast.value();
}

ChangeAlarm ChangeWatch::alarm_of(std::size_t processor, ChangeEnd end, double stake,
                                  std::span<const SeenTime> since) const {
  const Watched& watched = watched_[processor];
  ChangeAlarm alarm{processor, end, stake, watched.belief * slowdown(normal_, since).value_or(1), 0, {}, false};
  std::vector<double> late;
  const std::size_t age = std::min(kPairLasts, since.size() + 1);
  for (const Pair& pair : watched.pairs)
    if (pair.seen + age > watched.seen) late.push_back(pair.factor);
  alarm.pairs = late.size();
  if (!late.empty()) {
    std::ranges::sort(late);
    const std::size_t middle = end == ChangeEnd::slow ? late.size() / 2 : (late.size() - 1) / 2;
    alarm.paired = late[middle];
    alarm.factor = std::clamp(alarm.factor, *alarm.paired / kNearPairs, *alarm.paired * kNearPairs);
  }
  alarm.factor = std::clamp(alarm.factor, kLeastBelief, kMostBelief);
  // Near to usual is usual: else the first mapping would not be found again.
  const double away = std::abs(std::log(alarm.factor));
  if (away < std::max(std::log(kLeastFactor), std::abs(std::log(watched.belief)) / 2)) alarm.factor = 1;
  return alarm;
}

std::optional<ChangeAlarm> ChangeWatch::alarm_under_way(std::size_t processor, Ticks now) {
  Watched& watched = watched_[processor];
  if (!watched.under_way || !watched.under_way->counts || now < watched.under_way->next) return std::nullopt;
  UnderWay& under_way = *watched.under_way;
  const Ticks so_far = now - under_way.start;
  under_way.next = now + so_far / kGrowth + 1;
  const double time = static_cast<double>(so_far) / under_way.scale / watched.belief;
  ChangeStake stake = watched.slow;
  // It is half done, as far as anybody knows.
  stake.see(normal_, {under_way.stages, 2 * time});
  if (stake.value() < kAlarm) return std::nullopt;
  ChangeAlarm alarm = alarm_of(processor, ChangeEnd::slow, stake.value(), stake.since());
  alarm.is_under_way = true;
  return alarm;
}

std::optional<ChangeAlarm> ChangeWatch::alarm(std::size_t processor, Ticks now) {
  Watched& watched = watched_[processor];
  const std::optional<ChangeAlarm> under_way = alarm_under_way(processor, now);  // first: it says when it is next
  if (watched.slow.value() >= kAlarm)
    return alarm_of(processor, ChangeEnd::slow, watched.slow.value(), watched.slow.since());
  if (watched.fast.value() >= (watched.belief > kLeastFactor ? kBackAlarm : kAlarm))
    return alarm_of(processor, ChangeEnd::fast, watched.fast.value(), watched.fast.since());
  return under_way;
}

std::optional<Ticks> ChangeWatch::next() const {
  std::optional<Ticks> next;
  for (const Watched& watched : watched_) {
    if (!watched.under_way || !watched.under_way->counts) continue;
    if (!next || watched.under_way->next < *next) next = watched.under_way->next;
  }
  return next;
}

void ChangeWatch::put_in(Watched& watched, double divisor) {
  for (Waiting& one : watched.waiting) {
    for (double& time : one.times) time /= divisor;
    normal_.add(one.data_set, one.first_stage, one.times);
  }
  watched.waiting.clear();
}

void ChangeWatch::renew(std::size_t processor) {
  Watched& watched = watched_[processor];
  put_in(watched, 1);
  watched.slow.renew();
  watched.fast.renew();
}

void ChangeWatch::believe(std::size_t processor, double factor) {
  Watched& watched = watched_[processor];
  put_in(watched, factor / watched.belief);
  watched.belief = factor;
  watched.slow.renew();
  watched.fast.renew();
  watched.latest.clear();
}

void ChangeWatch::start_anew(std::size_t processor) {
  Watched& watched = watched_[processor];
  const std::size_t since = std::min(watched.fast.since().size(), watched.latest.size());
  for (const SeenTime& seen : watched.fast.since()) normal_.forget(seen.stages);
  watched.waiting.assign(watched.latest.end() - static_cast<std::ptrdiff_t>(since), watched.latest.end());
  renew(processor);
}

}  // namespace takt::live

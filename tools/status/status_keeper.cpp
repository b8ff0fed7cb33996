// Samples of the last minute are kept, and one that is older.
#include "tools/status/status_keeper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "tpn/models.hpp"
#include "tpn/timing.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

constexpr double kMinute = 60;
constexpr double kNow = 5;
constexpr double kLately = 10;
constexpr std::size_t kMostEvents = 200;
constexpr std::size_t kMostPoints = 600;
constexpr double kTicks = 1e9;  // of a second

double seconds_of(live::Ticks ticks) { return static_cast<double>(ticks) / kTicks; }

// Processors of the platform, then the outside world's, as a pipeline numbers them.
std::vector<std::string> names_of(const tpn::Document& document) {
  std::vector<std::string> names;
  for (const tpn::Processor& processor : document.platform.processors) names.push_back(tpn::visible(processor.name));
  const auto made = tpn::make_pipeline(document);
  if (const auto* pipeline = std::get_if<tpn::Pipeline>(&made)) {
    for (std::size_t p = names.size(); p < pipeline->processors.size(); ++p) {
      names.push_back(tpn::visible(pipeline->processors[p]));
    }
  }
  return names;
}

std::optional<double> rate_between(const StatusPoint& from, const StatusPoint& to) {
  if (to.seconds <= from.seconds || to.delivered < from.delivered) return std::nullopt;
  return static_cast<double>(to.delivered - from.delivered) / (to.seconds - from.seconds);
}

}  // namespace

std::string_view name_of(RunPhase phase) {
  constexpr std::array<std::string_view, kRunPhases> kNames = {"starting", "running", "restarting",
                                                               "ended",    "failed",  "interrupted"};
  return kNames.at(static_cast<std::size_t>(phase));
}

std::optional<double> predicted_rate(const LiveStatus& status) {
  if (status.predicted_period <= 0) return std::nullopt;
  return 1 / status.predicted_period;
}

StatusKeeper::StatusKeeper(StatusSubject subject, double now, const live::RunPlan& plan, double period,
                           std::optional<std::uint64_t> data_sets)
    : subject_(std::move(subject)), delivered_(subject_.first_data_set) {
  start(now, plan, period, data_sets);
}

void StatusKeeper::start(double now, const live::RunPlan& plan, double period, std::optional<std::uint64_t> data_sets) {
  const bool is_another = mappings_ == 0 || plan_.instance.mapping != plan.instance.mapping;
  plan_ = plan;
  base_ = plan.again.empty() ? 0 : delivered_;
  names_ = names_of(plan.instance);
  data_sets_ = data_sets ? std::optional(*data_sets + base_) : std::nullopt;
  phase_ = RunPhase::starting;
  begin_.reset();
  view_.reset();
  told_loads_.assign(plan.loads.size(), false);
  if (is_another) ++mappings_;
  if (predictions_.empty() || predictions_.back().period != period) predictions_.push_back({now, period});
  // Times of processors are those of a job.
  for (Sample& sample : samples_) sample.states.clear();
}

void StatusKeeper::begin(double moment) {
  begin_ = moment;
  phase_ = RunPhase::running;
  if (!first_begin_) {
    first_begin_ = moment;
    last_delivery_ = moment;
    predictions_.back().seconds = moment;
  }
  const double period = predictions_.back().period;
  tell(moment,
       fmt::format("{}, data set {} is next, window of {}, predicted {:.4g} data sets per second: {}",
                   restarts_.empty() ? "the run begins" : "the next job begins",
                   delivered_ < plan_.again.size() && base_ == 0 ? plan_.again[delivered_] : delivered_,
                   plan_.coordination.window > 0 ? fmt::format("{} data sets", plan_.coordination.window)
                                                 : std::string("any size"),
                   period > 0 ? 1 / period : 0.0, live::mapping_words(*plan_.instance.mapping, plan_.instance)));
  samples_.push_back({moment, delivered_, {}});
  add_point(moment, delivered_);
}

void StatusKeeper::see(const live::RunView& view) {
  const double moment = *begin_ + seconds_of(view.now);
  if (base_ + view.next > delivered_) last_delivery_ = moment;
  delivered_ = std::max(delivered_, base_ + view.next);
  tell_loads(moment);
  samples_.push_back({moment, delivered_, view.states});
  while (samples_.size() > 2 && samples_[1].moment <= moment - kMinute) samples_.pop_front();
  add_point(moment, delivered_);
  view_ = view;
}

// Thinned out if there are too many, so that those that are left are about evenly apart.
void StatusKeeper::add_point(double moment, std::uint64_t delivered) {
  if (points_.size() > 1 && moment - points_[points_.size() - 2].seconds < least_gap_) {
    points_.back() = {moment, delivered};
    return;
  }
  points_.push_back({moment, delivered});
  if (points_.size() <= kMostPoints) return;
  least_gap_ = 2 * (points_.back().seconds - points_.front().seconds) / static_cast<double>(kMostPoints);
  std::vector<StatusPoint> kept;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const bool is_end = k == 0 || k + 1 == points_.size();
    if (is_end || points_[k].seconds - kept.back().seconds >= least_gap_) kept.push_back(points_[k]);
  }
  points_ = std::move(kept);
}

// Loads that were asked for, as their times come.
void StatusKeeper::tell_loads(double until) {
  for (std::size_t k = 0; k < plan_.loads.size(); ++k) {
    const live::BackgroundLoad& load = plan_.loads[k];
    const double from = *begin_ + seconds_of(load.from);
    if (told_loads_[k] || from > until) continue;
    told_loads_[k] = true;
    const bool ends = seconds_of(load.until) < 1e9;
    tell(from, fmt::format("a load comes to {}, {} takes {:.4g} times as long (--load)", name(load.processor),
                           ends ? fmt::format("which until {:.3f} s", *begin_ + seconds_of(load.until))
                                : std::string("which from now on"),
                           1 + load.load.to_double().value_or(0)));
  }
}

void StatusKeeper::hear(const live::RunEvent& event) {
  const double moment = begin_.value_or(0) + seconds_of(event.time);
  if (begin_) tell_loads(moment);
  if (event.is_failure) ++failed_;
  if (event.is_decision) ++decisions_;
  if (event.predicted) {
    predictions_.push_back({moment, seconds_of(*event.predicted)});
    ++mappings_;
  }
  tell(moment, event.words);
}

void StatusKeeper::tell(double now, std::string words) {
  const auto place = std::ranges::upper_bound(events_, now, {}, &StatusEvent::seconds);
  events_.insert(place, {now, std::move(words)});
  if (events_.size() <= kMostEvents) return;
  events_.pop_front();
  ++earlier_events_;
}

void StatusKeeper::restart(double now, const StatusRestart& restart, const std::set<std::size_t>& left_out,
                           std::string words) {
  phase_ = RunPhase::restarting;
  left_out_ = left_out;
  if (restart.delivered > delivered_) last_delivery_ = now;
  delivered_ = std::max(delivered_, restart.delivered);
  restarts_.push_back(restart);
  tell(now, std::move(words));
}

void StatusKeeper::end(double now, RunPhase phase, std::uint64_t delivered, std::string words) {
  phase_ = phase;
  ended_ = now;
  delivered_ = std::max(delivered_, delivered);
  if (points_.empty() || points_.back().delivered != delivered_) add_point(now, delivered_);
  tell(now, std::move(words));
}

std::string StatusKeeper::name(std::size_t processor) const {
  return processor < names_.size() ? names_[processor] : std::to_string(processor);
}

std::string StatusKeeper::stages(std::size_t first, std::size_t last) const {
  const auto& all = plan_.instance.application.stages;
  if (first > last || last >= all.size()) return "";
  const std::string begin = tpn::visible(all[first].name);
  return first == last ? begin : begin + ".." + tpn::visible(all[last].name);
}

std::string StatusKeeper::stages_of(std::size_t processor) const {
  std::string text;
  const tpn::Mapping& mapping = view_ ? view_->mapping : *plan_.instance.mapping;
  for (const tpn::Part& part : mapping) {
    if (std::ranges::find(part.processors, processor) == part.processors.end()) continue;
    text += (text.empty() ? "" : ", ") + stages(part.first_stage, part.last_stage);
  }
  return text;
}

std::vector<StatusHolding> StatusKeeper::holdings(const live::RankState& state) const {
  std::vector<StatusHolding> all;
  for (const live::Holding& holding : state.holdings) {
    StatusHolding& held = all.emplace_back();
    held.data_set = holding.data_set < plan_.again.size() ? plan_.again[holding.data_set] : holding.data_set;
    held.stages = stages(holding.first_stage, holding.last_stage);
    if (holding.receiver) held.receiver = name(*holding.receiver);
    held.seconds = std::max(0.0, seconds_of(view_->now - holding.since));
  }
  return all;
}

namespace {

void add_shares(StatusProcessor& processor, const live::RankState& state, const live::RankState* past) {
  std::array<double, live::kActivities> times{};
  double sum = 0;
  for (std::size_t k = 0; k < live::kActivities; ++k) {
    times[k] = seconds_of(state.times[k] - (past != nullptr ? past->times[k] : 0));
    sum += times[k];
  }
  if (sum > 0) processor.shares = {times[0] / sum, times[1] / sum, times[2] / sum, times[3] / sum};
}

std::optional<double> slowdown_since(const live::RankState& state, const live::RankState* past) {
  const live::Ticks computed = state.computed - (past != nullptr ? past->computed : 0);
  const live::Ticks nominal = state.nominal - (past != nullptr ? past->nominal : 0);
  if (nominal <= 0) return std::nullopt;
  return static_cast<double>(computed) / static_cast<double>(nominal);
}

}  // namespace

// The state of a processor at the last sample that is as old as that; null if its job had not begun.
const live::RankState* StatusKeeper::state_before(std::size_t processor, double moment) const {
  const live::RankState* found = nullptr;
  for (const Sample& sample : samples_) {
    if (sample.moment > moment) break;
    const auto state = sample.states.find(processor);
    found = state == sample.states.end() ? nullptr : &state->second;
  }
  return found;
}

StatusProcessor StatusKeeper::processor(std::size_t number, double now) const {
  StatusProcessor made;
  made.name = name(number);
  made.is_left_out = left_out_.contains(number);
  made.stages = stages_of(number);
  if (!view_) return made;
  if (number < view_->beliefs.size()) made.believed = view_->beliefs[number].to_double();
  for (const auto& [other, state] : view_->states) {
    made.queue += static_cast<std::uint64_t>(std::ranges::count_if(
        state.holdings, [&](const live::Holding& holding) { return holding.receiver == number; }));
  }
  const auto state = view_->states.find(number);
  if (state == view_->states.end() || made.is_left_out) return made;
  made.queue += state->second.queue;
  add_shares(made, state->second, state_before(number, now - kMinute));
  for (const double time : {kLately, kMinute}) {
    if (!made.slowdown) made.slowdown = slowdown_since(state->second, state_before(number, now - time));
  }
  made.holds = holdings(state->second);
  return made;
}

// Those of the platform, and the outside world's where they have a rank.
std::vector<StatusProcessor> StatusKeeper::processors(double now) const {
  std::vector<StatusProcessor> all;
  for (std::size_t p = 0; p < names_.size(); ++p) all.push_back(processor(p, now));
  return all;
}

void StatusKeeper::add_rates(LiveStatus& status, double now) const {
  if (!first_begin_) return;
  // A sample is up to a second old.
  constexpr double kFresh = 2.5;
  const bool is_fresh = !samples_.empty() && now - samples_.back().moment < kFresh;
  const StatusPoint present{is_fresh ? samples_.back().moment : now, delivered_};
  const auto rate_of = [&](double time) -> std::pair<std::optional<double>, double> {
    StatusPoint past{*first_begin_, subject_.first_data_set};
    for (const Sample& sample : samples_) {
      if (sample.moment <= present.seconds - time) past = {sample.moment, sample.delivered};
    }
    return {rate_between(past, present), present.seconds - past.seconds};
  };
  std::tie(status.rate, status.rate_seconds) = rate_of(kMinute);
  status.now_rate = rate_of(kNow).first;
  if (status.data_sets && status.rate.value_or(0) > 0 && !is_last(phase_)) {
    status.seconds_left =
        static_cast<double>(*status.data_sets - std::min(*status.data_sets, delivered_)) / *status.rate;
  }
  status.seconds_since_delivery = std::max(0.0, now - last_delivery_);
}

LiveStatus StatusKeeper::status(double now, std::int64_t written) const {
  LiveStatus status;
  status.file = subject_.file;
  status.model = tpn::name_of(plan_.model);
  status.is_rehearsal = subject_.is_rehearsal;
  status.phase = phase_;
  status.seconds = is_last(phase_) ? ended_ : now;
  if (!subject_.is_rehearsal) {
    status.begun = written - static_cast<std::int64_t>(now);
    status.written = written;
  }
  status.data_sets = data_sets_;
  status.first_data_set = subject_.first_data_set;
  status.delivered = delivered_;
  status.failed = failed_;
  status.window = plan_.coordination.window;
  status.max_rate = subject_.max_rate;
  if (view_ && phase_ == RunPhase::running) {
    status.under_way = view_->horizon - std::min(view_->horizon, view_->next);
  }
  status.mapping_from = view_ ? view_->mapping_from : plan_.coordination.first_data_set;
  status.mapping = live::mapping_words(view_ ? view_->mapping : *plan_.instance.mapping, plan_.instance);
  status.mappings = mappings_;
  status.decisions = decisions_;
  status.restarts = restarts_;
  status.predicted_period = predictions_.back().period;
  // What has ended does not become slower; what has answered for the last time did so then.
  add_rates(status, is_last(phase_) && !samples_.empty() ? samples_.back().moment : now);
  status.processors = processors(now);
  status.events.assign(events_.begin(), events_.end());
  status.earlier_events = earlier_events_;
  status.points = points_;
  status.predictions = predictions_;
  return status;
}

}  // namespace takt::tools

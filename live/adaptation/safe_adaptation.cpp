// News first, then alarms, then at most one mapping at a time.
#include "live/adaptation/safe_adaptation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

constexpr double kGain = 0.9;        // of the present period, at most
constexpr double kLossWeight = 20;   // of a loss, in the stake that it takes
constexpr double kMostWeight = 100;  // of all that
constexpr double kLeastLoss = 0.01;  // that is on probation
constexpr double kBelieved = 1e4;    // a stake at which a slow processor is believed to be so without a better mapping
constexpr double kShare = 0.03;      // of the data sets, for losses
constexpr double kPeriods = 6;       // likewise, at once
constexpr double kMostProbation = 24;  // data sets
constexpr double kLeastProbation = 4;
constexpr double kConfirmed = 50;
constexpr std::size_t kConfirmingPairs = 2;
constexpr std::size_t kRefutingPairs = 4;
constexpr double kDataFactor = 1.25;  // pairs below it: the data was slow
constexpr std::uint64_t kCalm = 16;   // data sets between shadows of a processor that is not suspected
constexpr double kSuspected = 5;      // a stake
constexpr std::uint64_t kAgain = 8;   // data sets after which an alarm is weighed again

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double number(const Rational& value) { return value.to_double().value_or(0); }

}  // namespace

SafeAdaptation::SafeAdaptation(const tpn::Document& problem, const Rational& ticks_per_unit, AdaptationTerms terms,
                               RunLog& log)
    : problem_(problem),
      view_(problem),
      ticks_per_unit_(ticks_per_unit),
      terms_(std::move(terms)),
      log_(log),
      scale_(view_, ticks_per_unit),
      watch_(problem.application.stages.size(), ranks_of(problem.platform)),
      shadows_(ranks_of(problem.platform)) {
  maxplus::expects(terms_.remapping.heuristic != nullptr, "a run that adapts has a heuristic");
  for (const std::vector<double>& row : terms_.safe.normal) watch_.add_earlier(row);
}

void SafeAdaptation::begin(std::uint64_t data_set, const tpn::Mapping& mapping, std::span<const std::size_t> processors,
                           Ticks now) {
  for (std::size_t p = 0; p < problem_.platform.processors.size(); ++p) {
    if (std::ranges::find(processors, p) == processors.end()) terms_.gone.insert(p);
    if (!terms_.gone.contains(p)) processors_.push_back(p);
  }
  std::optional<Route> route = route_for(view_, mapping, ticks_per_unit_);
  maxplus::expects(route.has_value(), "a run's mapping can be carried out");
  followed_.push_back({data_set, std::move(*route)});
  mapping_ = first_ = mapping;
  first_data_set_ = data_set;
  begin_ = now;
  const std::optional<Rational> period = period_of(problem_, mapping, terms_.remapping);
  if (period) period_ = std::max(1.0, number(*period * ticks_per_unit_));
}

const Route& SafeAdaptation::route_of(std::uint64_t data_set) const {
  const auto after = std::ranges::upper_bound(followed_, data_set, {}, &Followed::from);
  return after == followed_.begin() ? after->route : std::prev(after)->route;
}

const tpn::NetPart& SafeAdaptation::part_of(std::size_t part, std::uint64_t data_set) const {
  const Route& route = route_of(data_set);
  if (part >= route.parts() || route.part(part).role != tpn::PartRole::mapped) {
    throw std::runtime_error(fmt::format("data set {} has no part {} of stages", data_set, part));
  }
  return route.part(part);
}

const tpn::NetPart& SafeAdaptation::checked_part(std::size_t processor, std::size_t part,
                                                 std::uint64_t data_set) const {
  const Route& route = route_of(data_set);
  if (part < route.parts() && route.processor_at(part, data_set) == processor) return part_of(part, data_set);
  throw std::runtime_error(
      fmt::format("processor {} reports a part of data set {} that it does not have", processor, data_set));
}

// What the stages would have taken on the first processor.
std::vector<double> SafeAdaptation::stage_times(const Computed& computed, const tpn::NetPart& part) const {
  const std::vector<double> shares(computed.stages.begin(), computed.stages.end());
  return scale_.in_units(computed.processor, part.first_stage, part.last_stage,
                         static_cast<double>(computed.end - computed.start), shares);
}

bool SafeAdaptation::is_used(std::size_t processor) const { return uses_any(mapping_, {processor}); }

bool SafeAdaptation::is_idle(std::size_t processor) const {
  if (is_used(processor)) return false;
  const auto due = due_.find(processor);
  const std::uint64_t window = terms_.remapping.window;
  return due == due_.end() || due->second.empty() || (window > 0 && let_in_ >= followed_.back().from + window);
}

// What processors have still to compute of the mapping that ends before this data set: the last of each part.
void SafeAdaptation::note_due(std::uint64_t data_set) {
  const Route& route = route_of(data_set - 1);
  for (std::size_t i = 0; i < route.parts(); ++i) {
    const tpn::NetPart& part = route.part(i);
    if (part.role != tpn::PartRole::mapped) continue;
    std::set<std::size_t> seen;
    for (std::uint64_t j = data_set; j > first_data_set_ && j + part.sequence.size() > data_set; --j)
      if (seen.insert(part.processor_at(j - 1)).second) due_[part.processor_at(j - 1)].push_back({i, j - 1});
  }
}

void SafeAdaptation::begun(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start) {
  const tpn::NetPart& of = checked_part(processor, part, data_set);
  shadows_.begun(processor);
  if (!terms_.safe.times_under_way) return;
  watch_.begun(processor, {of.first_stage, of.last_stage}, start,
               scale_.factor(processor, of.first_stage, of.last_stage));
}

void SafeAdaptation::computed(const Computed& computed) {
  const tpn::NetPart& part = checked_part(computed.processor, computed.part, computed.data_set);
  const std::vector<double> times = stage_times(computed, part);
  const double time = std::accumulate(times.begin(), times.end(), 0.0);
  probe(computed.processor, {{part.first_stage, part.last_stage}, time}, computed.data_set);
  watch_.computed(computed.processor, computed.data_set, part.first_stage, times);
  for (const DonePair& pair : shadows_.computed(computed.processor, {computed.part, computed.data_set}, time))
    take(pair);
  std::erase(due_[computed.processor], ComputationKey{computed.part, computed.data_set});
  changed_.insert(computed.processor);
  if (!terms_.logs_all_times) return;
  const MeasuredTime measured{computed.processor, computed.part, computed.data_set, computed.end - computed.start,
                              false};
  log_.write({computed.end - begin_, MeasurementPoint{measured, part.first_stage, part.last_stage}});
}

void SafeAdaptation::lent(const ShadowWish& wish, std::size_t part, std::uint64_t data_set) {
  checked_part(wish.from, part, data_set);
  shadows_.lent(wish, {part, data_set});
}

void SafeAdaptation::not_lent(const ShadowWish& wish) {
  shadows_.not_lent(wish);
  if (shadows_.never_lends(wish.from)) changed_.insert(wish.from);
}

void SafeAdaptation::shadowed(const Computed& shadow) {
  const tpn::NetPart& part = part_of(shadow.part, shadow.data_set);
  const ComputationKey key{shadow.part, shadow.data_set};
  shadow_time_ += std::max(0.0, static_cast<double>(shadow.end - shadow.start));
  charged_[shadow.processor] = 0;
  if (is_used(shadow.processor)) {  // the pipeline may have waited
    charged_[shadow.processor] = std::max(0.0, static_cast<double>(shadow.end - shadow.start)) / period_;
    spent_ += charged_[shadow.processor];
  }
  if (shadow.end < shadow.start) {
    shadows_.shadowed(shadow.processor, key, std::nullopt);
    return;
  }
  const std::vector<double> times = stage_times(shadow, part);
  const SeenTime seen{{part.first_stage, part.last_stage}, std::accumulate(times.begin(), times.end(), 0.0)};
  probe(shadow.processor, seen, shadow.data_set);
  watch_.shadowed(shadow.processor, seen.stages, shadow.data_set, seen.time);
  if (const auto pair = shadows_.shadowed(shadow.processor, key, seen.time)) take(*pair);
  changed_.insert(shadow.processor);
}

void SafeAdaptation::take(const DonePair& pair) {
  if (pair.from_time <= 0 || pair.to_time <= 0) return;
  // A helper that is believed to be slow may be so no more: nobody is slow because of that.
  const double from = pair.from_time / pair.to_time * std::min(1.0, watch_.belief(pair.to));
  const double to = pair.to_time / pair.from_time * watch_.belief(pair.from);
  // Where the change is real the pipeline waits for the slow processor, not for a busy one that repeats.
  if (from >= kDataFactor * watch_.belief(pair.from)) spent_ -= std::exchange(charged_[pair.to], 0);
  watch_.paired(pair.from, from);
  watch_.paired(pair.to, to);
  for (Probation& probation : probations_) {
    if (probation.processor == pair.from) probation.pairs.push_back(from);
    if (probation.processor == pair.to) probation.pairs.push_back(to);
  }
  changed_.insert(pair.from);
  changed_.insert(pair.to);
}

// Fresh times of a processor that is on probation.
void SafeAdaptation::probe(std::size_t processor, const SeenTime& seen, std::uint64_t data_set) {
  for (Probation& probation : probations_) {
    if (probation.processor != processor) continue;
    probation.stake.see(watch_.normal(), {seen.stages, seen.time / probation.before}, data_set);
  }
}

std::optional<Ticks> SafeAdaptation::next() const { return terms_.safe.times_under_way ? watch_.next() : std::nullopt; }

// As this rule has it: how many times as long as usual.
std::vector<Rational> SafeAdaptation::beliefs(Ticks /*now*/) const {
  return ratios_with(problem_.platform.processors.size(), 1);
}

double SafeAdaptation::budget(std::uint64_t data_set) const {
  return kPeriods + kShare * static_cast<double>(data_set - first_data_set_) - spent_;
}

bool SafeAdaptation::is_called_for(std::uint64_t data_set, Ticks now) {
  let_in_ = data_set;
  if (planned_) return true;
  watch_probations(data_set);
  std::set<std::size_t> news = std::exchange(changed_, {});
  const auto next = this->next();
  if (next && *next <= now) news.insert(processors_.begin(), processors_.end());
  for (const std::size_t p : news) {
    if (planned_) {
      changed_.insert(p);
      continue;
    }
    lacking_.erase(p);
    if (const auto alarm = watch_.alarm(p, now)) weigh(*alarm, data_set, now);
  }
  return planned_.has_value();
}

void SafeAdaptation::weigh(const ChangeAlarm& alarm, std::uint64_t data_set, Ticks now) {
  if (is_no_change(alarm, data_set, now)) return;
  if (lacks_pair(alarm)) {
    lacking_.insert(alarm.processor);
    return;
  }
  Weighed& last = weighed_[alarm.processor];
  if (alarm.stake < 2 * last.stake && alarm.pairs <= last.pairs && data_set < last.data_set + kAgain) return;
  last = {alarm.stake, alarm.pairs, data_set};
  const bool returns = alarm.end == ChangeEnd::fast && alarm.factor == 1;
  returns ? weigh_return(alarm, data_set, now) : weigh_change(alarm, data_set, now);
}

// The data was slow or fast; or all is as it was; or faster than ever: then what was taken for usual was not.
bool SafeAdaptation::is_no_change(const ChangeAlarm& alarm, std::uint64_t data_set, Ticks now) {
  const std::size_t p = alarm.processor;
  const double before = watch_.belief(p);
  const bool is_slow = alarm.end == ChangeEnd::slow;
  if (alarm.paired && !(alarm.is_under_way && alarm.pairs == 0) &&
      (is_slow ? *alarm.paired < kDataFactor * before : *alarm.paired > before / kDataFactor)) {
    if (alarm.is_under_way) return true;
    SafeDecision decision = decision_for(alarm, data_set);
    decision.outcome = SafeOutcome::data;
    if (terms_.logs_all_times) write(std::move(decision), now);
    watch_.renew(p);
    weighed_.erase(p);
    return true;
  }
  if (!is_slow && before < kLeastFactor && alarm.factor < 1) {
    const bool is_common = std::ranges::any_of(
        processors_, [&](std::size_t other) { return other != p && watch_.stake(other, ChangeEnd::fast) > kHeldBack; });
    is_common ? watch_.renew(p) : watch_.start_anew(p);
    return true;
  }
  constexpr double kSame = 1.1;
  if (std::abs(std::log(alarm.factor / before)) >= std::log(kSame)) return false;
  if (!alarm.is_under_way) watch_.renew(p);
  return true;
}

bool SafeAdaptation::lacks_pair(const ChangeAlarm& alarm) {
  if (!terms_.safe.has_shadows || alarm.pairs > 0) return false;
  const std::size_t p = alarm.processor;
  if (shadows_.never_lends(p)) {
    if (told_.insert(p).second) log_.write({0, NoPairs{p}});
    return false;
  }
  return std::ranges::any_of(processors_, [&](std::size_t other) { return can_repeat(other, p); });
}

std::vector<Rational> SafeAdaptation::ratios_with(std::size_t processor, double factor) const {
  constexpr double kParts = 1000;
  std::vector<Rational> ratios;
  for (std::size_t p = 0; p < problem_.platform.processors.size(); ++p) {
    const double ratio = p == processor ? factor : watch_.belief(p);
    ratios.push_back(Rational::fraction(std::max<std::int64_t>(1, std::llround(ratio * kParts)), 1000));
  }
  return ratios;
}

SafeAdaptation::Choice SafeAdaptation::choose(std::size_t processor, double factor) const {
  Choice choice;
  const std::vector<Rational> ratios = ratios_with(processor, factor);
  const tpn::Document believed = believed_problem(problem_, ratios);
  const bool is_first_possible = !uses_any(first_, terms_.gone);
  const bool is_as_usual = std::ranges::all_of(ratios, [](const Rational& ratio) { return ratio == 1; });
  std::optional<Rational> first;
  if (is_first_possible) first = period_of(believed, first_, terms_.remapping);
  if (is_as_usual && first) {
    choice.mapping = first_;
    choice.predicted = *first;
  } else {
    Remapping found = remap(believed, terms_.gone, &mapping_, terms_.remapping);
    choice.mapping = std::move(found.mapping);
    choice.reason = std::move(found.reason);
    choice.predicted = found.predicted;
    if (first && (!choice.mapping || *first <= choice.predicted * Rational::fraction(10001, 10000))) {
      choice.mapping = first_;
      choice.predicted = *first;
    }
  }
  choice.as_it_was = period_of(believed, mapping_, terms_.remapping);
  if (!choice.mapping || !choice.as_it_was || *choice.mapping == mapping_) return choice;
  const tpn::Document before = believed_problem(problem_, ratios_with(processor, watch_.belief(processor)));
  const auto there = period_of(before, *choice.mapping, terms_.remapping);
  const auto here = period_of(before, mapping_, terms_.remapping);
  if (!there || !here || here->sign() == 0) return choice;
  choice.loss = std::max(0.0, number(*there / *here) - 1);
  choice.is_better = number(choice.predicted) <= kGain * number(*choice.as_it_was);
  return choice;
}

SafeDecision SafeAdaptation::decision_for(const ChangeAlarm& alarm, std::uint64_t data_set) const {
  SafeDecision decision;
  decision.processor = alarm.processor;
  decision.end = alarm.end;
  decision.stake = alarm.stake;
  const bool is_back = alarm.end == ChangeEnd::fast && watch_.belief(alarm.processor) > kLeastFactor;
  decision.need = is_back ? kBackAlarm : kAlarm;
  decision.before = watch_.belief(alarm.processor);
  decision.factor = alarm.factor;
  decision.pairs = alarm.pairs;
  decision.paired = alarm.paired;
  decision.is_under_way = alarm.is_under_way;
  decision.budget = budget(data_set);
  decision.kind = terms_.kind;
  decision.data_set = data_set;
  return decision;
}

void SafeAdaptation::write(SafeDecision decision, Ticks now) { log_.write({now - begin_, std::move(decision)}); }

void SafeAdaptation::plan(SafeDecision decision, const Choice& choice, SafeOutcome outcome) {
  decision.outcome = outcome;
  decision.mapping = *choice.mapping;
  planned_ = Planned{std::move(decision), *choice.mapping, {}};
}

void SafeAdaptation::weigh_change(const ChangeAlarm& alarm, std::uint64_t data_set, Ticks now) {
  const std::size_t p = alarm.processor;
  const Choice choice = choose(p, alarm.factor);
  SafeDecision decision = decision_for(alarm, data_set);
  if (choice.mapping) decision.predicted = choice.predicted * ticks_per_unit_;
  if (choice.as_it_was) decision.as_it_was = *choice.as_it_was * ticks_per_unit_;
  decision.loss = choice.loss;
  if (!choice.is_better) {
    if (alarm.stake < kBelieved || alarm.is_under_way) return;
    decision.outcome = SafeOutcome::believed;
    write(std::move(decision), now);
    watch_.believe(p, alarm.factor);
    weighed_.erase(p);
    return;
  }
  const double weight = std::clamp(kLossWeight * choice.loss, 1.0, kMostWeight);
  decision.need = kAlarm * weight;
  const double probation =
      choice.loss > kLeastLoss ? std::min(kMostProbation, std::floor(decision.budget / choice.loss)) : kMostProbation;
  if (alarm.stake < decision.need || probation < kLeastProbation) {
    decision.outcome = SafeOutcome::waits;
    return write(std::move(decision), now);
  }
  const double before = decision.before;
  plan(std::move(decision), choice, SafeOutcome::mapped);
  if (choice.loss > kLeastLoss) {
    planned_->probation =
        Probation{p, 0, static_cast<std::uint64_t>(probation), choice.loss, before, alarm.factor, mapping_};
  }
  watch_.believe(p, alarm.factor);
  weighed_.erase(p);
}

void SafeAdaptation::weigh_return(const ChangeAlarm& alarm, std::uint64_t data_set, Ticks now) {
  const std::size_t p = alarm.processor;
  const Choice choice = choose(p, 1);
  SafeDecision decision = decision_for(alarm, data_set);
  if (choice.mapping) decision.predicted = choice.predicted * ticks_per_unit_;
  if (choice.as_it_was) decision.as_it_was = *choice.as_it_was * ticks_per_unit_;
  for (const Probation& probation : probations_) {
    if (probation.processor == p) spent_ += probation.loss * static_cast<double>(data_set - probation.from);
  }
  std::erase_if(probations_, [&](const Probation& probation) { return probation.processor == p; });
  if (choice.is_better) {
    plan(std::move(decision), choice, SafeOutcome::returned);
  } else {
    decision.outcome = SafeOutcome::believed;
    write(std::move(decision), now);
  }
  watch_.believe(p, 1);
  weighed_.erase(p);
}

void SafeAdaptation::watch_probations(std::uint64_t data_set) {
  for (std::size_t k = 0; k < probations_.size() && !planned_;) {
    Probation& probation = probations_[k];
    const double nearer = std::sqrt(probation.factor * probation.before);
    const bool is_slow = probation.factor > probation.before;
    const auto agrees = [&](double pair) { return is_slow ? pair > nearer : pair < nearer; };
    const bool has_pairs = !probation.pairs.empty();
    const bool pairs_agree = has_pairs && agrees(middle_of(probation.pairs));
    const bool is_confirmed =
        (probation.stake.value() >= kConfirmed && (!has_pairs || pairs_agree)) ||
        (probation.pairs.size() >= kConfirmingPairs && std::ranges::all_of(probation.pairs, agrees));
    if (is_confirmed) {
      probations_.erase(probations_.begin() + static_cast<std::ptrdiff_t>(k));
      continue;
    }
    const bool is_refuted = probation.pairs.size() >= kRefutingPairs && !pairs_agree;
    if (!is_refuted && data_set < probation.until) {
      ++k;
      continue;
    }
    const Probation ended = std::move(probation);
    probations_.erase(probations_.begin() + static_cast<std::ptrdiff_t>(k));
    take_back(ended, data_set);
  }
}

void SafeAdaptation::take_back(const Probation& probation, std::uint64_t data_set) {
  spent_ += probation.loss * static_cast<double>(data_set - probation.from);
  SafeDecision decision;
  decision.processor = probation.processor;
  decision.stake = probation.stake.value();
  decision.need = kConfirmed;
  decision.before = probation.before;
  decision.factor = probation.factor;
  decision.pairs = probation.pairs.size();
  if (!probation.pairs.empty()) decision.paired = middle_of(probation.pairs);
  decision.loss = probation.loss;
  decision.budget = budget(data_set);
  decision.kind = terms_.kind;
  decision.data_set = data_set;
  watch_.believe(probation.processor, probation.before);
  weighed_.erase(probation.processor);
  Choice choice;
  choice.mapping = probation.previous;
  if (choice.mapping == mapping_) return;
  plan(std::move(decision), choice, SafeOutcome::taken_back);
}

std::optional<tpn::Mapping> SafeAdaptation::decide(std::uint64_t data_set, Ticks now) {
  if (!planned_) return std::nullopt;
  Planned planned = std::move(*planned_);
  planned_.reset();
  std::optional<Route> route = route_for(view_, planned.mapping, ticks_per_unit_);
  if (!route) return std::nullopt;
  planned.decision.data_set = data_set;
  write(std::move(planned.decision), now);
  if (data_set == followed_.back().from) {
    followed_.pop_back();  // no data set had that one
  } else {
    note_due(data_set);
  }
  followed_.push_back({data_set, std::move(*route)});
  mapping_ = planned.mapping;
  if (planned.probation) {
    planned.probation->from = data_set;
    planned.probation->until += data_set;
    probations_.push_back(std::move(*planned.probation));
  }
  return mapping_;
}

// Every stage that `what` has can be computed by the processor, another one.
bool SafeAdaptation::can_repeat(std::size_t processor, std::size_t what) const {
  if (processor == what) return false;
  for (const tpn::Part& part : mapping_) {
    if (std::ranges::find(part.processors, what) == part.processors.end()) continue;
    for (std::size_t k = part.first_stage; k <= part.last_stage; ++k)
      if (!scale_.can_compute(processor, k)) return false;
  }
  return true;
}

std::optional<std::size_t> SafeAdaptation::idle_helper(std::size_t of) const {
  std::optional<std::size_t> best;
  for (const std::size_t p : processors_) {
    if (!is_idle(p) || shadows_.repeats(p) || !can_repeat(p, of) || watch_.belief(p) > kLeastFactor) continue;
    if (!best || std::abs(std::log(watch_.belief(p))) < std::abs(std::log(watch_.belief(*best)))) best = p;
  }
  return best;
}

// Of those in use the least suspected one.
std::optional<std::size_t> SafeAdaptation::busy_helper(std::size_t of) const {
  std::optional<std::size_t> best;
  for (const std::size_t p : processors_) {
    if (!is_used(p)) {
      if (can_repeat(p, of) && watch_.belief(p) <= kLeastFactor) return std::nullopt;  // an idle one will be free
      continue;
    }
    if (shadows_.repeats(p) || !can_repeat(p, of)) continue;
    const auto doubt = [&](std::size_t q) { return std::pair(watch_.belief(q), watch_.stake(q, ChangeEnd::slow)); };
    if (!best || doubt(p) < doubt(*best)) best = p;
  }
  return best;
}

std::optional<ShadowWish> SafeAdaptation::wish_for_alarm(std::uint64_t data_set, bool may_shadow) {
  for (const std::size_t p : processors_) {
    const bool is_suspected = watch_.stake(p, ChangeEnd::slow) > kHeldBack || lacking_.contains(p) ||
                              (watch_.belief(p) > kLeastFactor && watch_.stake(p, ChangeEnd::fast) > kSuspected);
    if (!may_shadow && !lacking_.contains(p)) continue;
    if (!is_suspected || !is_used(p) || shadows_.lends(p) || !shadows_.may_lend(p)) continue;
    if (const auto helper = idle_helper(p)) return ShadowWish{p, *helper};
    if (!lacking_.contains(p)) continue;
    const auto helper = busy_helper(p);
    if (!helper || budget(data_set) < 1) continue;
    return ShadowWish{p, *helper};
  }
  return std::nullopt;
}

std::optional<std::size_t> SafeAdaptation::next_lender(std::size_t helper) {
  for (const double most : {kLeastFactor, std::numeric_limits<double>::infinity()})
    for (std::size_t k = 0; k < processors_.size(); ++k) {
      const std::size_t p = processors_[(turn_ + k) % processors_.size()];
      if (p == helper || !is_used(p) || shadows_.lends(p) || !shadows_.may_lend(p) || shadows_.never_lends(p)) continue;
      if (watch_.stake(p, ChangeEnd::slow) > kHeldBack || watch_.belief(p) > most || !can_repeat(helper, p)) continue;
      turn_ = (turn_ + k + 1) % processors_.size();
      return p;
    }
  return std::nullopt;
}

std::optional<ShadowWish> SafeAdaptation::wish_of_idle(std::uint64_t data_set) {
  for (const std::size_t q : processors_) {
    if (!is_idle(q) || shadows_.repeats(q)) continue;
    const bool is_suspected = watch_.belief(q) > kLeastFactor || watch_.stake(q, ChangeEnd::slow) > kSuspected;
    const auto last = calm_.find(q);
    if (!is_suspected && last != calm_.end() && data_set < last->second + kCalm) continue;
    const auto from = next_lender(q);
    if (!from) continue;
    calm_[q] = data_set;
    return ShadowWish{*from, q};
  }
  return std::nullopt;
}

bool SafeAdaptation::may_shadow(Ticks now) const {
  return !terms_.safe.shadow_share || shadow_time_ <= *terms_.safe.shadow_share * static_cast<double>(now - begin_);
}

std::optional<ShadowWish> SafeAdaptation::wished_shadow(std::uint64_t data_set, Ticks now) {
  if (!terms_.safe.has_shadows || followed_.empty()) return std::nullopt;
  let_in_ = data_set;
  const bool is_allowed = may_shadow(now);
  std::optional<ShadowWish> wish = wish_for_alarm(data_set, is_allowed);
  if (!wish && is_allowed) wish = wish_of_idle(data_set);
  if (wish) shadows_.asked(*wish);
  return wish;
}

}  // namespace takt::live

// News of all ranks are looked for in turn; few are there at a time.
#include "live/adaptation/coordinator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "live/adaptation/first_free.hpp"

namespace takt::live {

Coordinator::Coordinator(const RunTerms& terms, const CoordinatorTerms& coordination, tpn::Mapping mapping,
                         Transport& transport, ResultSink& sink, Adaptation* adaptation, InputFeed* feed,
                         FirstFree* first_free)
    : terms_(terms),
      coordination_(coordination),
      transport_(transport),
      sink_(sink),
      adaptation_(adaptation),
      feed_(feed),
      first_free_(first_free),
      mappings_{{coordination.first_data_set, std::move(mapping)}},
      next_(coordination.first_data_set),
      horizon_(coordination.first_data_set),
      records_(terms.coordinator) {
  if (coordination.stalls) watch_.emplace(*coordination.stalls, terms.processors);
}

StepResult Coordinator::step() {
  StepResult result;
  if (!has_begun_) {
    begin();
    result.has_moved = true;
  }
  while (const auto said = transport_.receive_any(kNewsTag)) {
    std::optional<NewsMessage> news = decode_news(said->second);
    if (!news) throw std::runtime_error(fmt::format("processor {} sent an unreadable message", said->first));
    hear(said->first, std::move(*news));
    result.has_moved = true;
  }
  tell_last();
  if (adaptation_ != nullptr) result.add(adapt());
  if (adaptation_ != nullptr) result.add(ask_for_shadows());
  if (is_stream() || coordination_.least_gap || coordination_.arrives) result.add(let_in());
  if (watch_ && !is_over()) result.add(watch_for_stalls());
  if (coordination_.looks_every) result.add(look());
  return result;
}

// Whoever takes files ahead would wait for what does not come. Told as soon as it is known: a turn that is held for a
// data set that never comes delays others.
void Coordinator::tell_last() {
  const bool is_known = !is_stream() || horizon_ == coordination_.data_sets;
  if (!terms_.is_ahead || has_told_last_ || !is_known) return;
  has_told_last_ = true;
  tell_all({Order::last, coordination_.data_sets, 0, {}});
}

// Who waits for an input does not stand still.
StepResult Coordinator::watch_for_stalls() {
  StepResult result;
  const Ticks now = transport_.now();
  if (next_ == horizon_ && !is_ending_) watch_->move_on(now);
  if (watch_->asks(now)) {
    tell_all({Order::report, next_, now, {}});
    result.has_moved = true;
  }
  if (auto stall = watch_->found(now)) {
    stall->next = next_;
    stall->is_ending = is_ending_;
    sink_.stalled(*stall);
    result.has_moved = true;
  }
  result.wait_for(watch_->next());
  return result;
}

// Asks all ranks, and shows what they answer: when all have, or what has come when the next look is due.
StepResult Coordinator::look() {
  StepResult result;
  const Ticks now = transport_.now();
  if (is_ending_) {
    if (is_over() && is_looking_) show(now);
    return result;
  }
  if (is_looking_ && (states_.size() == terms_.processors.size() || now >= next_look_)) show(now);
  if (now >= next_look_) {
    states_.clear();
    is_looking_ = true;
    next_look_ = now + *coordination_.looks_every;
    tell_all({Order::look, next_, now, {}});
    result.has_moved = true;
  }
  result.wait_for(next_look_);
  return result;
}

void Coordinator::show(Ticks now) {
  is_looking_ = false;
  RunView view{now - begin_time_,       next_, horizon_, is_over(), states_, {}, mappings_.back().data_set,
               mappings_.back().mapping};
  if (adaptation_ != nullptr) view.beliefs = adaptation_->beliefs(now);
  sink_.seen(view);
}

// A mapping that changes does so at a data set that has not been let in: there must be one.
StepResult Coordinator::adapt() {
  StepResult result;
  if (horizon_ == coordination_.data_sets) return result;
  if (is_draining_) {
    if (next_ < horizon_) return result;
    is_draining_ = false;
    decide();
    grant(latest_);
    result.has_moved = true;
    return result;
  }
  if (adaptation_->is_called_for(horizon_, transport_.now())) {
    if (adaptation_->kind() == SwitchKind::drain) {
      is_draining_ = true;
    } else {
      decide();
    }
    result.has_moved = true;
  } else if (const auto next = adaptation_->next()) {
    result.wait_for(*next);
  }
  return result;
}

StepResult Coordinator::ask_for_shadows() {
  StepResult result;
  if (!terms_.lends_inputs || horizon_ == coordination_.data_sets) return result;
  while (const auto wish = adaptation_->wished_shadow(horizon_, transport_.now())) {
    transport_.send(wish->from, kOrderTag, encode(OrderMessage{Order::lend, wish->to, 0, {}}), Delivery::prompt);
    result.has_moved = true;
  }
  return result;
}

// What comes by and by: inputs, arrivals, and turns by a rate.
StepResult Coordinator::let_in() {
  constexpr Ticks kLook = 2'000'000;
  constexpr Ticks kLatestLook = 50'000'000;
  StepResult result;
  const std::uint64_t before = horizon_;
  grant(std::max(latest_, transport_.now()));
  end_if_done();
  const Ticks now = transport_.now();
  result.has_moved = horizon_ > before;
  if (coordination_.arrives) {
    if (arrived_ < coordination_.data_sets) result.wait_for(origin_ + coordination_.arrives(arrived_));
    return result;
  }
  if (result.has_moved) let_in_ = now;
  // Whoever waits for an input for long does not look often.
  const Ticks look = now + std::clamp((now - let_in_) / 32, kLook, kLatestLook);
  if (!is_ending_) result.wait_for(turn_ > now ? std::min(turn_, look) : look);
  return result;
}

void Coordinator::decide() {
  auto mapping = adaptation_->decide(horizon_, transport_.now());
  if (!mapping) return;
  tell_all({Order::route, horizon_, 0, encode_mapping(*mapping)});
  if (mappings_.back().data_set == horizon_) mappings_.pop_back();  // decided again before any data set had it
  mappings_.push_back({horizon_, std::move(*mapping)});
}

void Coordinator::begin() {
  has_begun_ = true;
  find_versatile();
  pass_on({Order::route, horizon_, 0, encode_mapping(mappings_.back().mapping)});
  begin_time_ = transport_.now();
  latest_ = begin_time_;
  next_look_ = begin_time_;
  turn_ = begin_time_;
  arrived_ = horizon_;
  origin_ = begin_time_;
  if (coordination_.arrives && horizon_ > 0) origin_ -= coordination_.arrives(horizon_);
  if (watch_) watch_->move_on(begin_time_);
  if (adaptation_ != nullptr) {
    adaptation_->begin(horizon_, mappings_.back().mapping, terms_.processors, begin_time_);
  }
  grant(latest_);
}

// From one to the next, where that keeps the order of what each hears.
void Coordinator::pass_on(const OrderMessage& order) {
  if (adaptation_ != nullptr) return tell_all(order);
  const std::string bytes = encode(order);
  for (const std::size_t processor : first_told(terms_)) {
    transport_.send(processor, kOrderTag, bytes, Delivery::prompt);
  }
}

// Processors where data sets begin, and that have turns of other parts, too.
void Coordinator::find_versatile() {
  if (!terms_.sources.empty()) return;
  const tpn::Mapping& mapping = mappings_.front().mapping;
  for (const std::size_t entry : terms_.entry_parts) {
    for (const std::size_t processor : mapping[entry].processors) {
      for (std::size_t i = 0; i < mapping.size(); ++i) {
        const std::vector<std::size_t>& others = mapping[i].processors;
        if (i != entry && std::ranges::find(others, processor) != others.end()) versatile_.insert(processor);
      }
    }
  }
}

// Whoever begins none of the data sets need not hear that they may begin: the files say so. Unless its turns of another
// part are among them.
void Coordinator::tell_grant(const OrderMessage& order) {
  if (adaptation_ != nullptr) return tell_all(order);
  const std::string bytes = encode(order);
  const std::set<std::size_t> next = beginners_of(granted_, order.data_set);
  for (const std::size_t processor : next) transport_.send(processor, kOrderTag, bytes, Delivery::prompt);
  for (const std::size_t processor : versatile_) {
    if (next.contains(processor)) continue;
    const bool is_waiting = waits_for(processor, order.data_set);
    transport_.send(processor, kOrderTag, bytes, is_waiting ? Delivery::prompt : Delivery::quiet);
  }
}

// Where data sets begin: lists of processors that take them in turn.
std::vector<const std::vector<std::size_t>*> Coordinator::beginners() const {
  if (!terms_.sources.empty()) return {&terms_.sources};
  std::vector<const std::vector<std::size_t>*> lists;
  for (const std::size_t entry : terms_.entry_parts) lists.push_back(&mappings_.back().mapping[entry].processors);
  return lists;
}

// Where those from a data set on begin that are let in up to a horizon.
std::set<std::size_t> Coordinator::beginners_of(std::uint64_t from, std::uint64_t horizon) const {
  std::set<std::size_t> all;
  for (const std::vector<std::size_t>* const list : beginners()) {
    for (std::uint64_t j = from; j < std::min(horizon, from + list->size()); ++j) all.insert((*list)[j % list->size()]);
  }
  return all;
}

void Coordinator::tell_all(const OrderMessage& order) {
  const std::string bytes = encode(order);
  for (const std::size_t processor : terms_.processors) {
    const bool is_waiting = order.order != Order::grant || waits_for(processor, order.data_set);
    transport_.send(processor, kOrderTag, bytes, is_waiting ? Delivery::prompt : Delivery::quiet);
  }
}

// Whether a processor must be woken for a horizon: it begins one of the data sets that are let in; or the window is so
// narrow that it may have done all that it knows of, or it knows of too few rounds. Others hear of it in time when they
// next do something.
bool Coordinator::waits_for(std::size_t processor, std::uint64_t horizon) const {
  if (terms_.is_ahead) return true;
  constexpr std::uint64_t kAhead = 3;
  const tpn::Mapping& mapping = mappings_.back().mapping;
  const auto longest = std::ranges::max(mapping, {}, [](const tpn::Part& part) { return part.processors.size(); });
  if (coordination_.window > 0 && coordination_.window < longest.processors.size() + kAhead) return true;
  return beginners_of(granted_, horizon).contains(processor);
}

void Coordinator::grant(Ticks time) {
  if (is_draining_) return;
  const std::uint64_t end = coordination_.data_sets;
  const std::uint64_t window = coordination_.window;
  std::uint64_t horizon = window == 0 || window >= end - next_ ? end : next_ + window;
  if (coordination_.least_gap) horizon = std::min(horizon, horizon_ + turns());
  if (coordination_.arrives) horizon = std::min(horizon, arrived());
  if (feed_ != nullptr) horizon = fed(horizon);
  if (horizon <= horizon_) return;
  if (coordination_.least_gap) take_turns(horizon - horizon_);
  granted_ = std::exchange(horizon_, horizon);
  if (first_free_ != nullptr) return let_in_free(time);
  tell_grant({Order::grant, horizon_, time, {}});
}

// Data sets below this one have arrived by now.
std::uint64_t Coordinator::arrived() {
  const Ticks now = transport_.now();
  while (arrived_ < coordination_.data_sets && origin_ + coordination_.arrives(arrived_) <= now) ++arrived_;
  return arrived_;
}

// Turns that were missed are made up for only where the coordinator was late, not where nothing was there to begin.
constexpr Ticks kMadeUpFor = 10'000'000;

// How many data sets may begin now, by the rate.
std::uint64_t Coordinator::turns() const {
  const Ticks now = transport_.now();
  if (turn_ > now) return 0;
  return static_cast<std::uint64_t>((now - std::max(turn_, now - kMadeUpFor)) / *coordination_.least_gap) + 1;
}

void Coordinator::take_turns(std::uint64_t count) {
  turn_ = std::max(turn_, transport_.now() - kMadeUpFor) + static_cast<Ticks>(count) * *coordination_.least_gap;
}

// As far as there are inputs, which go to where they are wanted.
std::uint64_t Coordinator::fed(std::uint64_t horizon) {
  for (std::uint64_t j = horizon_; j < horizon; ++j) {
    auto input = feed_->next();
    if (!input) {
      if (feed_->is_over()) coordination_.data_sets = j;
      return j;
    }
    if (first_free_ != nullptr) {
      beginnings_[j].input = std::move(*input);
      continue;
    }
    const std::string order = encode(OrderMessage{Order::input, j, 0, std::move(*input)});
    for (const std::size_t processor : beginners_of(j, j + 1))
      transport_.send(processor, kOrderTag, order, Delivery::quiet);
  }
  return horizon;
}

void Coordinator::end_if_done() {
  if (is_ending_ || next_ != coordination_.data_sets) return;
  is_ending_ = true;
  if (coordination_.looks_every) {
    states_.clear();
    is_looking_ = true;
  }
  pass_on({Order::end, next_, 0, {}});
}

void Coordinator::let_in_free(Ticks time) {
  for (std::uint64_t j = granted_; j < horizon_; ++j) {
    beginnings_[j].time = time;
    first_free_->let_in(j);
  }
  move_on();
}

// A receiver is told after its sender: the file takes longer than that.
void Coordinator::move_on() {
  const auto tell = [&](std::size_t processor, const OrderMessage& order) {
    transport_.send(processor, kOrderTag, encode(order), Delivery::prompt);
  };
  for (const FreeMove& move : first_free_->moves()) {
    if (move.sender) {
      tell(*move.sender, {Order::pass, move.data_set, move.duration, {}, move.receiver});
      tell(move.receiver, {Order::take, move.data_set, move.duration, {}, *move.sender});
    } else {
      auto beginning = beginnings_.extract(move.data_set);
      tell(move.receiver,
           {Order::begin, move.data_set, beginning.mapped().time, std::move(beginning.mapped().input), 0});
    }
  }
}

// Whether the news are of who is free.
bool Coordinator::hear_of_turns(std::size_t processor, const NewsMessage& news) {
  if (news.news != News::is_free && news.news != News::has_file) return false;
  if (first_free_ == nullptr) {
    throw std::runtime_error(fmt::format("processor {} reports that it is free, but processors take turns", processor));
  }
  news.news == News::is_free ? first_free_->is_free(news.part, processor)
                             : first_free_->has_file(news.part, news.data_set, processor);
  move_on();
  return true;
}

// Whether the news are of times, for the adaptation.
bool Coordinator::hear_of_times(std::size_t processor, NewsMessage& news) {
  const bool is_begun = news.news == News::begun;
  const bool is_shadow = news.news == News::shadowed;
  if (!is_begun && !is_shadow && news.news != News::computed && news.news != News::lent) return false;
  if (adaptation_ == nullptr) return true;
  if (is_begun) {
    adaptation_->begun(processor, news.part, news.data_set, news.start);
  } else if (news.news == News::lent) {
    hand_over(processor, news);
  } else {
    auto stages = decode_stage_times(news.bytes);
    if (!stages) throw std::runtime_error(fmt::format("processor {} sent unreadable times of its stages", processor));
    const Computed computed{processor, news.part, news.data_set, news.start, news.end, std::move(*stages)};
    is_shadow ? adaptation_->shadowed(computed) : adaptation_->computed(computed);
  }
  return true;
}

// The input of a computation goes to whoever repeats it; no rank begins that when the run is ending.
void Coordinator::hand_over(std::size_t processor, NewsMessage& news) {
  const ShadowWish wish{processor, static_cast<std::size_t>(news.start)};
  if (std::ranges::find(terms_.processors, wish.to) == terms_.processors.end()) {
    throw std::runtime_error(fmt::format("processor {} lends to an unknown processor", processor));
  }
  if (news.end < 0 || is_ending_) return adaptation_->not_lent(wish);
  adaptation_->lent(wish, news.part, news.data_set);
  transport_.send(
      wish.to, kOrderTag,
      encode(OrderMessage{Order::shadow, news.data_set, static_cast<Ticks>(news.part), std::move(news.bytes)}),
      Delivery::prompt);
}

void Coordinator::hear(std::size_t processor, NewsMessage news) {
  if (hear_of_times(processor, news) || hear_of_turns(processor, news)) return;
  switch (news.news) {
    case News::begun:
    case News::computed:
    case News::lent:
    case News::shadowed:
    case News::is_free:
    case News::has_file:
      break;
    case News::delivered:
    case News::failed:
      terms_.flow.is_chain() ? take(std::move(news)) : gather(std::move(news));
      break;
    case News::worked:
      hear_work(processor, news.bytes);
      break;
    case News::said:
      sink_.say(static_cast<std::size_t>(news.part), news.bytes);
      break;
    case News::holding:
      hear_holdings(processor, news.bytes);
      break;
    case News::state:
      hear_state(processor, news.bytes);
      break;
    case News::recorded:
      hear_records(processor, news.bytes);
      break;
  }
}

void Coordinator::hear_work(std::size_t processor, const std::string& bytes) {
  auto work = decode_work(bytes);
  if (!work) throw std::runtime_error(fmt::format("processor {} sent an unreadable list of its stages", processor));
  work_[processor] = std::move(*work);
}

// The last that a processor says.
void Coordinator::hear_records(std::size_t processor, const std::string& bytes) {
  auto records = decode_records(bytes);
  if (!records) throw std::runtime_error(fmt::format("processor {} sent unreadable records", processor));
  records_[processor] = std::move(*records);
  ++ended_;
  if (!watch_) return;
  watch_->leave(processor);
  watch_->move_on(transport_.now());
}

void Coordinator::hear_holdings(std::size_t processor, const std::string& bytes) {
  auto holdings = decode_holdings(bytes);
  if (!holdings) throw std::runtime_error(fmt::format("processor {} sent an unreadable list of its files", processor));
  if (watch_) watch_->hear(processor, std::move(*holdings));
}

void Coordinator::hear_state(std::size_t processor, const std::string& bytes) {
  auto state = decode_state(bytes);
  if (!state) throw std::runtime_error(fmt::format("processor {} sent an unreadable state", processor));
  states_[processor] = std::move(*state);
}

// A data set of a workflow is delivered when all its exits are.
void Coordinator::gather(NewsMessage news) {
  Gathered& gathered = gathered_[news.data_set];
  const bool has_failed = news.news == News::failed;
  if (!gathered.packets.emplace(news.part, Packet{news.data_set, std::move(news.bytes), has_failed, {}}).second) {
    throw std::runtime_error(fmt::format("data set {} was delivered twice by part {}", news.data_set, news.part));
  }
  gathered.end = std::max(gathered.end, news.end);
  if (gathered.packets.size() < terms_.deliverers) return;
  std::vector<Packet> packets;
  for (auto& [part, packet] : gathered.packets) packets.push_back(std::move(packet));
  const Packet all = joined(std::move(packets));
  NewsMessage whole{.news = all.has_failed ? News::failed : News::delivered,
                    .data_set = news.data_set,
                    .end = gathered.end,
                    .bytes = result_of(terms_.flow, all, terms_.results)};
  gathered_.erase(news.data_set);
  take(std::move(whole));
}

void Coordinator::take(NewsMessage news) {
  const std::uint64_t data_set = news.data_set;
  if (data_set < next_ || data_set >= horizon_ ||
      !waiting_.emplace(data_set, Delivered{std::move(news.bytes), news.end, news.news == News::failed}).second) {
    throw std::runtime_error(fmt::format("data set {} was delivered twice, or never begun", data_set));
  }
  while (!waiting_.empty() && waiting_.begin()->first == next_) {
    const auto first = waiting_.extract(waiting_.begin());
    const Delivered& delivered = first.mapped();
    delivered.has_failed ? sink_.append_failure(next_++, delivered.bytes) : sink_.append(next_++, delivered.bytes);
    latest_ = std::max(latest_, first.mapped().end);
    if (is_stream()) deliveries_.clear();  // of a stream the last counts
    deliveries_.push_back(latest_);
    if (!watch_) continue;
    if (const auto lasted = watch_->move_on(transport_.now())) sink_.resumed(next_ - 1, *lasted);
  }
  grant(latest_);
  end_if_done();
}

}  // namespace takt::live

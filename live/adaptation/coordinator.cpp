// News of all ranks are looked for in turn; few are there at a time.
#include "live/adaptation/coordinator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace takt::live {

Coordinator::Coordinator(const RunTerms& terms, const CoordinatorTerms& coordination, tpn::Mapping mapping,
                         Transport& transport, ResultSink& sink, Adaptation* adaptation)
    : terms_(terms),
      coordination_(coordination),
      transport_(transport),
      sink_(sink),
      adaptation_(adaptation),
      mappings_{{coordination.first_data_set, std::move(mapping)}},
      next_(coordination.first_data_set),
      horizon_(coordination.first_data_set),
      records_(terms.coordinator) {}

StepResult Coordinator::step() {
  StepResult result;
  if (!has_begun_) {
    begin();
    result.has_moved = true;
  }
  for (const std::size_t processor : terms_.processors) {
    while (const auto bytes = transport_.receive(processor, kNewsTag)) {
      std::optional<NewsMessage> news = decode_news(*bytes);
      if (!news) throw std::runtime_error(fmt::format("what processor {} says is no news", processor));
      hear(processor, std::move(*news));
      result.has_moved = true;
    }
  }
  if (adaptation_ != nullptr) result.add(adapt());
  return result;
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
  if (adaptation_->is_called_for(transport_.now())) {
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

void Coordinator::decide() {
  auto mapping = adaptation_->decide(horizon_, transport_.now());
  if (!mapping) return;
  tell_all({Order::route, horizon_, 0, encode_mapping(*mapping)});
  if (mappings_.back().data_set == horizon_) mappings_.pop_back();  // decided again before any data set had it
  mappings_.push_back({horizon_, std::move(*mapping)});
}

void Coordinator::begin() {
  has_begun_ = true;
  tell_all({Order::route, horizon_, 0, encode_mapping(mappings_.back().mapping)});
  begin_time_ = transport_.now();
  latest_ = begin_time_;
  if (adaptation_ != nullptr) {
    adaptation_->begin(horizon_, mappings_.back().mapping, terms_.processors, begin_time_);
  }
  grant(latest_);
}

void Coordinator::tell_all(const OrderMessage& order) {
  const std::string bytes = encode(order);
  for (const std::size_t processor : terms_.processors) {
    const bool is_waiting = order.order != Order::grant || waits_for(processor, order.data_set);
    transport_.send(processor, kOrderTag, bytes, is_waiting ? Delivery::prompt : Delivery::quiet);
  }
}

// Whether a processor must be woken for a horizon: it begins one of the data sets that are let in; or the window is so
// narrow that it may have done all that it knows of. Others hear of it in time when they next do something.
bool Coordinator::waits_for(std::size_t processor, std::uint64_t horizon) const {
  constexpr std::uint64_t kAhead = 3;
  const tpn::Mapping& mapping = mappings_.back().mapping;
  const auto longest = std::ranges::max(mapping, {}, [](const tpn::Part& part) { return part.processors.size(); });
  if (coordination_.window > 0 && coordination_.window < longest.processors.size() + kAhead) return true;
  if (terms_.source) return processor == *terms_.source;
  const std::vector<std::size_t>& first = mapping.front().processors;
  for (std::uint64_t j = granted_; j < std::min(horizon, granted_ + first.size()); ++j) {
    if (first[j % first.size()] == processor) return true;
  }
  return false;
}

void Coordinator::grant(Ticks time) {
  if (is_draining_) return;
  const std::uint64_t end = coordination_.data_sets;
  const std::uint64_t window = coordination_.window;
  const std::uint64_t horizon = window == 0 || window >= end - next_ ? end : next_ + window;
  if (horizon <= horizon_) return;
  granted_ = std::exchange(horizon_, horizon);
  tell_all({Order::grant, horizon_, time, {}});
}

void Coordinator::hear(std::size_t processor, NewsMessage news) {
  switch (news.news) {
    case News::begun:
      if (adaptation_ != nullptr) adaptation_->begun(processor, news.part, news.data_set, news.start);
      break;
    case News::computed:
      if (adaptation_ != nullptr) adaptation_->computed(processor, news.part, news.data_set, news.start, news.end);
      break;
    case News::delivered:
      take(news.data_set, std::move(news.bytes), news.end);
      break;
    case News::recorded: {
      auto records = decode_records(news.bytes);
      if (!records) throw std::runtime_error(fmt::format("what processor {} recorded are no records", processor));
      records_[processor] = std::move(*records);
      ++ended_;
      break;
    }
  }
}

void Coordinator::take(std::uint64_t data_set, std::string bytes, Ticks end) {
  if (data_set < next_ || data_set >= horizon_ ||
      !waiting_.emplace(data_set, Delivered{std::move(bytes), end}).second) {
    throw std::runtime_error(fmt::format("data set {} was delivered twice, or never begun", data_set));
  }
  while (!waiting_.empty() && waiting_.begin()->first == next_) {
    const auto first = waiting_.extract(waiting_.begin());
    sink_.append(next_++, first.mapped().bytes);
    latest_ = std::max(latest_, first.mapped().end);
    deliveries_.push_back(latest_);
  }
  grant(latest_);
  if (next_ == coordination_.data_sets) tell_all({Order::end, next_, 0, {}});
}

}  // namespace takt::live

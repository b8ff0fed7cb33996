// The engine comes first: what is due waits neither for orders nor for news to be sent.
#include "live/engine/participant.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

namespace takt::live {

namespace {

// Eight: a thousand ranks are four apart.
constexpr std::size_t kBranches = 8;

// The k-th processor tells those with the numbers from 8 (k + 1) on.
std::vector<std::size_t> told_from(const RunTerms& terms, std::size_t first) {
  const std::size_t begin = std::min(first, terms.processors.size());
  const std::size_t end = std::min(first + kBranches, terms.processors.size());
  return {terms.processors.begin() + static_cast<std::ptrdiff_t>(begin),
          terms.processors.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

std::vector<std::size_t> first_told(const RunTerms& terms) { return told_from(terms, 0); }

OrderTree order_tree(const RunTerms& terms, std::size_t processor) {
  if (terms.tells_times) return {terms.coordinator, {}};
  const auto k = static_cast<std::size_t>(std::ranges::find(terms.processors, processor) - terms.processors.begin());
  const std::size_t parent = k < kBranches ? terms.coordinator : terms.processors.at(k / kBranches - 1);
  return {parent, told_from(terms, kBranches * (k + 1))};
}

Participant::Participant(std::size_t processor, const tpn::ProblemView& problem, const RunTerms& terms,
                         Transport& transport, Computer& computer, StageWordQueue* words)
    : problem_(problem),
      terms_(terms),
      transport_(transport),
      computer_(computer),
      processor_(processor),
      engine_(processor, terms.model, terms.engine, transport, computer, *this),
      words_(words),
      tree_(order_tree(terms, processor)) {
  if (terms.lends_inputs) engine_.keep_inputs();
}

StepResult Participant::step() {
  StepResult result = engine_.step();
  tell_news();
  if (hear(tree_.parent)) result.has_moved = true;
  // What comes straight from the coordinator may be faster than the route.
  if (has_route_ && tree_.parent != terms_.coordinator && hear(terms_.coordinator)) result.has_moved = true;
  if (is_ending_ && !is_over_ && engine_.is_idle()) {
    is_over_ = true;
    if (terms_.tells_last_state) tell({.news = News::state, .bytes = encode_state(engine_.state())});
    const std::vector<StageWork> work = computer_.work();
    if (!work.empty()) tell({.news = News::worked, .bytes = encode_work(work)});
    tell({.news = News::recorded, .bytes = encode_records(records_)});
    result.has_moved = true;
  }
  return result;
}

// Whether there was an order.
bool Participant::hear(std::size_t from) {
  bool has_heard = false;
  while (auto bytes = transport_.receive(from, kOrderTag)) {
    const std::optional<OrderMessage> order = decode_order(*bytes);
    if (!order) throw std::runtime_error("the coordinator sent an unreadable order");
    if (order->order == Order::route || order->order == Order::end) pass_on(*order);
    follow(*order);
    has_heard = true;
  }
  return has_heard;
}

void Participant::pass_on(const OrderMessage& order) {
  const std::string bytes = encode(order);
  for (const std::size_t child : tree_.children) transport_.send(child, kOrderTag, bytes, Delivery::prompt);
}

void Participant::drive_engine(const OrderMessage& order) {
  switch (order.order) {
    case Order::grant:
      return engine_.grant(order.data_set, order.time);
    case Order::input:
      return engine_.give(order.data_set, order.text);
    case Order::begin:
      return engine_.begin(order.data_set, order.text, order.time);
    case Order::pass:
      return engine_.pass(order.data_set, order.peer, order.time);
    case Order::take:
      return engine_.take(order.data_set, order.peer, order.time);
    default:
      return;
  }
}

void Participant::follow(const OrderMessage& order) {
  switch (order.order) {
    case Order::route:
      add_route(order);
      break;
    case Order::grant:
    case Order::input:
    case Order::begin:
    case Order::pass:
    case Order::take:
      drive_engine(order);
      break;
    case Order::report:
      tell({.news = News::holding, .bytes = encode_holdings(engine_.holdings())});
      break;
    case Order::look:
      tell({.news = News::state, .bytes = encode_state(engine_.state())});
      break;
    case Order::lend:
      lend(order.data_set);
      break;
    case Order::shadow:
      shadow(order);
      break;
    case Order::last:
      last_ = order.data_set;
      if (has_route_) engine_.end_at(order.data_set);
      break;
    case Order::end:
      engine_.end_at(order.data_set);
      is_ending_ = true;
      break;
  }
}

void Participant::add_route(const OrderMessage& order) {
  const std::optional<tpn::Mapping> mapping = decode_mapping(order.text);
  if (!mapping) throw std::runtime_error("the coordinator sent an unreadable mapping");
  const auto made = run_pipeline(problem_, *mapping);
  const auto* pipeline = std::get_if<tpn::Pipeline>(&made);
  if (pipeline == nullptr) throw std::runtime_error("the coordinator's mapping is too large");
  auto route = Route::make(*pipeline, terms_.ticks_per_unit, terms_.flow,
                           tpn::rooms_of_transfers(problem_.document(), *pipeline), &problem_.timing());
  if (!route) throw std::runtime_error("a duration of the coordinator's mapping is too long");
  if (terms_.durations) route->draw(terms_.durations);
  const bool begins = route->begins_at(engine_.processor());
  const auto shared = std::make_shared<const Route>(std::move(*route));
  if (terms_.lends_inputs) routes_[order.data_set] = shared;
  if (auto ports = HostPorts::make(*pipeline, terms_.model, processor_)) {
    engine_.add_route(order.data_set, shared, std::move(*ports), terms_.data_sets);
  } else {
    engine_.add_route(order.data_set, shared);
  }
  has_route_ = true;
  const bool is_in_turn = terms_.engine.turns == TurnOrder::in_turn;
  if (is_in_turn && !terms_.tells_times && !begins) engine_.grant_all();
  if (last_) engine_.end_at(*last_);
}

void Participant::lend(std::uint64_t to) {
  const std::optional<LentInput>& input = engine_.latest_input();
  NewsMessage news{.news = News::lent, .start = static_cast<Ticks>(to), .end = -1, .bytes = {}};
  if (input) news = {News::lent, input->part, input->data_set, static_cast<Ticks>(to), 0, input->bytes};
  tell(news);
}

void Participant::shadow(const OrderMessage& order) {
  const auto after = routes_.upper_bound(order.data_set);
  const auto part = static_cast<std::size_t>(order.time);
  if (after == routes_.begin() || part >= std::prev(after)->second->parts()) {
    throw std::runtime_error("the coordinator asks for the shadow of an unknown part");
  }
  const tpn::NetPart& of = std::prev(after)->second->part(part);
  const Rational time =
      problem_.timing().computation(of.first_stage, of.last_stage, processor_) * terms_.ticks_per_unit;
  engine_.shadow({order.data_set, part, Ticks{time.nearest().get_si()}, order.text});
}

void Participant::tell(const NewsMessage& news) {
  transport_.send(terms_.coordinator, kNewsTag, encode(news), Delivery::prompt);
}

void Participant::tell_news() {
  if (words_ != nullptr) {
    for (StageWords& said : words_->take()) {
      news_.push_back({.news = News::said, .part = said.stage, .bytes = std::move(said.words)});
    }
  }
  for (const NewsMessage& news : news_) tell(news);
  news_.clear();
}

void Participant::begun(std::size_t part, std::uint64_t data_set, Ticks start) {
  if (terms_.tells_times) news_.push_back({News::begun, part, data_set, start, start, {}});
}

void Participant::computed(std::size_t part, std::uint64_t data_set, Ticks start, Ticks end) {
  if (!terms_.tells_times) return;
  news_.push_back({News::computed, part, data_set, start, end, encode_stage_times(computer_.stage_times())});
}

void Participant::shadowed(std::size_t part, std::uint64_t data_set, Ticks start, std::optional<Ticks> end) {
  news_.push_back(
      {News::shadowed, part, data_set, start, end.value_or(start - 1), encode_stage_times(computer_.stage_times())});
}

void Participant::delivered(std::size_t part, Packet packet, Ticks end) {
  const News news = packet.has_failed ? News::failed : News::delivered;
  news_.push_back({news, part, packet.data_set, end, end, std::move(packet.bytes)});
}

void Participant::is_free(std::size_t part) { news_.push_back({.news = News::is_free, .part = part, .bytes = {}}); }

void Participant::has_file(std::size_t part, std::uint64_t data_set) {
  news_.push_back({.news = News::has_file, .part = part, .data_set = data_set, .bytes = {}});
}

}  // namespace takt::live

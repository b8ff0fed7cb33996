// Makes what is asked for, once.
#include "tpn/problem_view.hpp"

#include <optional>
#include <utility>

namespace takt::tpn {

namespace {

std::unique_ptr<const TickTimes> kept(std::optional<TickTimes> times) {
  return times ? std::make_unique<const TickTimes>(*std::move(times)) : nullptr;
}

}  // namespace

ProblemView::ProblemView(const Document& document) : document_(document), timing_(document) {}
ProblemView::ProblemView(const Document& completed, const AbsentTimes& absent)
    : document_(completed), absent_(&absent), timing_(completed) {}
ProblemView::~ProblemView() = default;

template <typename Value, typename Make>
const Value* ProblemView::get(Lazy<Value>& lazy, Make make) {
  std::call_once(lazy.made, [&] { lazy.value = make(); });
  return lazy.value.get();
}

const LinkTable& ProblemView::links() const {
  return *get(links_, [this] { return std::make_unique<const LinkTable>(document_, timing_); });
}

const TickTimes* ProblemView::exact_ticks() const {
  return get(exact_ticks_, [this] { return kept(TickTimes::exact(document_, timing_)); });
}

const TickTimes* ProblemView::rounded_ticks() const {
  return get(rounded_ticks_, [this] { return kept(TickTimes::rounded_down(document_, timing_)); });
}

const TickTimes* ProblemView::short_ticks() const {
  const TickTimes* exact = exact_ticks();
  return exact != nullptr && exact->longest() <= TickTimes::kMostRoundedTicks ? exact : rounded_ticks();
}

}  // namespace takt::tpn

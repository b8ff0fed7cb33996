// Shortest paths over stages and processors, and prices that rise where they are busy.
#include "heuristics/search/priced_paths.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tpn/hosts.hpp"
#include "tpn/models.hpp"
#include "tpn/workflow.hpp"

namespace takt::heuristics {

namespace {

using maxplus::Rational;

// All prices together, at most: costs stay below 2^36 x 2^36 x 3 n, and products of those with prices below 2^127.
constexpr std::int64_t kMostPrices = std::int64_t{1} << 36;
// Rounds for all ways, and for those with a stage on one processor, as far as the steps of shortest paths allow; and
// rounds in vain after which there are no more.
constexpr std::uint64_t kMostRounds = 1000;
constexpr std::uint64_t kLeastRounds = 20;
constexpr std::uint64_t kMostSteps = 6'000'000;
constexpr std::uint64_t kMostFixedSteps = 200'000;
constexpr int kInVain = 40;
// Prices rise by less in each round. A climb that begins near the best counts its rounds from kLate.
constexpr int kLate = 40;

bool has_one_port(const std::optional<tpn::Endpoint>& end) {
  return !end || (end->in_turn().size() == 1 && end->in_turn().front().ports == tpn::kOnePort);
}

}  // namespace

PricedPaths::PricedPaths(const tpn::ProblemView& problem, const tpn::TickTimes& times, const tpn::Model& model,
                         const maxplus::Deadline& deadline)
    : problem_(problem.document()),
      links_(problem.links()),
      times_(times),
      model_(tpn::bounding_model(model, tpn::do_ports_bound(problem_.platform))),
      has_one_source_port_(has_one_port(problem_.platform.source)),
      has_one_sink_port_(has_one_port(problem_.platform.sink)),
      are_exact_(&times == problem.exact_ticks()),
      is_workflow_(!tpn::is_chain(problem_.application)),
      watch_(deadline),
      kinds_(model_->resources.size()) {
  const std::size_t count = problem_.platform.processors.size();
  for (auto* costs : {&receiving_, &computing_, &sending_}) costs->resize(count);
  prices_.resize(sink() + 1);
  busy_.resize(sink() + 1);
  came_from_.assign(problem_.application.stages.size(), std::vector<std::size_t>(count));
}

Rational PricedPaths::bound() {
  const std::uint64_t count = computing_.size();
  const std::uint64_t steps = problem_.application.stages.size() * count * count;
  const auto rounds = static_cast<int>(std::clamp(kMostSteps / steps, std::uint64_t{1}, kMostRounds));
  Cost best;
  std::vector<std::int64_t> best_prices;  // empty at first
  for (const auto& times : {times_of_work(), times_alone()}) {
    set_prices(times);
    const Cost found = climb(std::nullopt, 0, rounds);
    if (!best_prices.empty() && !best.is_less_than(found)) continue;
    best = found;
    best_prices = dearest_;
  }
  const std::uint64_t fixed_rounds = kMostFixedSteps / steps / count / std::max<std::uint64_t>(count_fixed(), 1);
  if (fixed_rounds >= kLeastRounds) {
    const auto most = static_cast<int>(std::min(fixed_rounds, kMostRounds));
    for (std::size_t k = 0; k < problem_.application.stages.size() && !watch_.has_passed(); ++k) {
      if (problem_.application.stages[k].replicable) continue;
      const auto least = with_fixed(k, best_prices, most);
      if (least && best.is_less_than(*least)) best = *least;
    }
  }
  if (best.prices == 0) return {};  // links leave no way, and no mapping
  // Any denominator: products of 128 bits as two factors.
  const Int128 whole = best.cost / best.prices;
  const Int128 rest = best.cost % best.prices;
  const Rational ticks =
      Rational(static_cast<std::int64_t>(whole)) + Rational::fraction(static_cast<std::int64_t>(rest), best.prices);
  return ticks / times_.scale();
}

std::uint64_t PricedPaths::count_fixed() const {
  return static_cast<std::uint64_t>(std::ranges::count(problem_.application.stages, false, &tpn::Stage::replicable));
}

// The least over the processors for a stage that is not replicable; nothing if the deadline leaves some out.
std::optional<PricedPaths::Cost> PricedPaths::with_fixed(std::size_t stage, const std::vector<std::int64_t>& prices,
                                                         int rounds) {
  std::optional<Cost> least;
  for (std::size_t p = 0; p < computing_.size(); ++p) {
    prices_ = prices;
    const Cost found = climb(Fixed{stage, p}, kLate, rounds);
    if (watch_.has_passed()) return std::nullopt;
    if (found.prices > 0 && (!least || found.is_less_than(*least))) least = found;
  }
  return least;
}

// Computations are priced in inverse proportion to these times, exactly where the numbers are short.
void PricedPaths::set_prices(const std::vector<std::int64_t>& times) {
  std::ranges::fill(prices_, 0);
  const auto count = static_cast<std::int64_t>(times.size());
  std::int64_t common = 1;
  for (const std::int64_t time : times) {
    const std::int64_t step = time / std::gcd(common, time);
    common = step > kMostPrices / common ? kMostPrices + 1 : common * step;
    if (common > kMostPrices) break;
  }
  const std::int64_t shortest = *std::ranges::min_element(times);
  const bool is_exact = common <= kMostPrices && common / shortest <= kMostPrices / 4 / count;
  for (std::size_t kind = 0; kind < kinds_; ++kind) {
    if (!tpn::handles_computations(model_->resources[kind])) continue;
    for (std::size_t p = 0; p < times.size(); ++p) {
      prices_[kind * times.size() + p] =
          is_exact ? common / times[p]
                   : static_cast<std::int64_t>(Int128{kMostPrices / (4 * count)} * shortest / times[p]);
    }
  }
}

std::vector<std::int64_t> PricedPaths::times_of_work() const {
  std::vector<std::int64_t> times;
  const std::size_t last = problem_.application.stages.size() - 1;
  for (std::size_t p = 0; p < computing_.size(); ++p)
    times.push_back(std::max<std::int64_t>(times_.computation(0, last, p), 1));
  return times;
}

std::vector<std::int64_t> PricedPaths::times_alone() const {
  std::vector<std::int64_t> times;
  const std::size_t last = problem_.application.stages.size() - 1;
  for (std::size_t p = 0; p < computing_.size(); ++p) {
    const std::int64_t receive = problem_.platform.source ? std::max<std::int64_t>(times_.least_from_source(p), 0) : 0;
    const std::int64_t send = problem_.platform.sink ? std::max<std::int64_t>(times_.least_to_sink(p), 0) : 0;
    times.push_back(std::max<std::int64_t>(tpn::cycle_time(model_, receive, times_.computation(0, last, p), send), 1));
  }
  return times;
}

// The best of some rounds; prices of 0 if no way leads through the fixed stage.
PricedPaths::Cost PricedPaths::climb(const std::optional<Fixed>& fixed, int first_round, int rounds) {
  Cost best;
  dearest_ = prices_;
  int in_vain = 0;
  for (int round = first_round; round < first_round + rounds && in_vain < kInVain; ++round, ++in_vain) {
    price_operations();
    const auto cost = cheapest(fixed);
    if (watch_.has_passed()) break;
    if (!cost) return {0, 0};
    const Cost found{*cost, std::accumulate(prices_.begin(), prices_.end(), std::int64_t{0})};
    if (best.is_less_than(found)) {
      // Less than a thousandth more is in vain.
      if (best.cost + best.cost / 1024 < found.cost / found.prices * best.prices) in_vain = 0;
      best = found;
      dearest_ = prices_;
    }
    raise_prices(round);
  }
  return best;
}

void PricedPaths::price_operations() {
  for (auto* costs : {&receiving_, &computing_, &sending_}) std::ranges::fill(*costs, 0);
  const std::size_t count = computing_.size();
  for (std::size_t kind = 0; kind < kinds_; ++kind) {
    const tpn::ConstraintKind handles = model_->resources[kind];
    for (std::size_t p = 0; p < count; ++p) {
      const std::int64_t price = prices_[kind * count + p];
      if (tpn::handles_receptions(handles)) receiving_[p] += price;
      if (tpn::handles_computations(handles)) computing_[p] += price;
      if (tpn::handles_sendings(handles)) sending_[p] += price;
    }
  }
}

// The first stage on each processor, as the costs.
void PricedPaths::begin_paths() {
  const std::size_t count = computing_.size();
  costs_.assign(count, std::nullopt);
  const std::int64_t source_price = has_one_source_port_ ? prices_[source()] : 0;
  for (std::size_t p = 0; p < count; ++p) {
    if (!links_.from_source(p)) continue;
    const Int128 receive = problem_.platform.source ? times_.least_from_source(p) : 0;
    costs_[p] = receive * (receiving_[p] + source_price) + Int128{times_.computation(0, 0, p)} * computing_[p];
  }
}

// What the cheapest way costs, with its busy times in busy_; nothing if links leave none.
std::optional<PricedPaths::Int128> PricedPaths::cheapest(const std::optional<Fixed>& fixed) {
  if (is_workflow_) return cheapest_apart(fixed);
  const std::size_t count = computing_.size();
  const std::size_t last = problem_.application.stages.size() - 1;
  begin_paths();
  if (fixed && fixed->stage == 0) keep_only(fixed->processor);
  for (std::size_t k = 1; k <= last && !watch_.has_passed(); ++k) {
    go_on(k);
    if (fixed && fixed->stage == k) keep_only(fixed->processor);
  }
  std::optional<Int128> least;
  std::size_t end = 0;
  for (std::size_t p = 0; p < count; ++p) {
    if (!costs_[p] || !links_.to_sink(p)) continue;
    const Int128 send = problem_.platform.sink ? times_.least_to_sink(p) : 0;
    const Int128 cost = *costs_[p] + send * (sending_[p] + (has_one_sink_port_ ? prices_[sink()] : 0));
    if (least && cost >= *least) continue;
    least = cost;
    end = p;
  }
  if (least && !watch_.has_passed()) trace_back(end);
  return least;
}

// Each stage on the processor where it costs least, with its busy time. A processor with a fixed time per part may
// have all stages in one: a stage adds to it what it adds to the one before, at least nothing.
std::optional<PricedPaths::Int128> PricedPaths::cheapest_apart(const std::optional<Fixed>& fixed) {
  std::ranges::fill(busy_, 0);
  Int128 sum = 0;
  for (std::size_t k = 0; k < problem_.application.stages.size(); ++k) {
    std::optional<Int128> least;
    std::size_t on = 0;
    std::int64_t ticks = 0;
    for (std::size_t p = 0; p < computing_.size() && !watch_.has_passed(); ++p) {
      if (fixed && fixed->stage == k && fixed->processor != p) continue;
      const bool is_fixed_time = problem_.platform.processors[p].time.has_value();
      const std::int64_t here =
          is_fixed_time ? 0 : std::max<std::int64_t>(times_.computation(k, k, p) - (are_exact_ ? 0 : 1), 0);
      const Int128 cost = Int128{here} * computing_[p];
      if (least && cost >= *least) continue;
      least = cost;
      on = p;
      ticks = here;
    }
    if (!least) return std::nullopt;
    sum += *least;
    keep_busy(on, tpn::handles_computations, ticks);
  }
  return sum;
}

void PricedPaths::keep_only(std::size_t processor) {
  for (std::size_t p = 0; p < costs_.size(); ++p)
    if (p != processor) costs_[p].reset();
}

// What a stage adds to the one before it in the same part: a processor may take a fixed time per part. Of numbers that
// are rounded down a difference may be a tick too large.
std::int64_t PricedPaths::further(std::size_t stage, std::size_t processor) const {
  const std::int64_t added = times_.computation(stage - 1, stage, processor) -
                             times_.computation(stage - 1, stage - 1, processor) - (are_exact_ ? 0 : 1);
  return std::max<std::int64_t>(added, 0);
}

// From stage - 1 to stage.
void PricedPaths::go_on(std::size_t stage) {
  const std::size_t count = computing_.size();
  std::vector<std::optional<Int128>> next(count);
  for (std::size_t q = 0; q < count && !watch_.has_passed(static_cast<double>(count)); ++q) {
    for (std::size_t p = 0; p < count; ++p) {
      if (!costs_[p] || !links_.between(p, q)) continue;
      Int128 cost = *costs_[p];
      if (p == q) {
        cost += Int128{further(stage, p)} * computing_[p];
      } else {
        cost += Int128{times_.transfer(stage - 1, p, q)} * (sending_[p] + receiving_[q]);
        cost += Int128{times_.computation(stage, stage, q)} * computing_[q];
      }
      if (next[q] && cost >= *next[q]) continue;
      next[q] = cost;
      came_from_[stage][q] = p;
    }
  }
  costs_ = std::move(next);
}

void PricedPaths::keep_busy(std::size_t processor, bool (*handles)(tpn::ConstraintKind), std::int64_t ticks) {
  for (std::size_t kind = 0; kind < kinds_; ++kind)
    if (handles(model_->resources[kind])) busy_[kind * computing_.size() + processor] += ticks;
}

// Busy times along the way that ends on a processor.
void PricedPaths::trace_back(std::size_t processor) {
  std::ranges::fill(busy_, 0);
  if (problem_.platform.sink) {
    const std::int64_t send = times_.least_to_sink(processor);
    keep_busy(processor, tpn::handles_sendings, send);
    if (has_one_sink_port_) busy_[sink()] = send;
  }
  std::size_t q = processor;
  for (std::size_t k = problem_.application.stages.size(); k-- > 0;) {
    keep_busy(q, tpn::handles_computations, times_.computation(k, k, q));
    if (k == 0) break;
    const std::size_t p = came_from_[k][q];
    if (p != q) {
      const std::int64_t ticks = times_.transfer(k - 1, p, q);
      keep_busy(p, tpn::handles_sendings, ticks);
      keep_busy(q, tpn::handles_receptions, ticks);
    }
    q = p;
  }
  if (!problem_.platform.source) return;
  const std::int64_t receive = times_.least_from_source(q);
  keep_busy(q, tpn::handles_receptions, receive);
  if (has_one_source_port_) busy_[source()] = receive;
}

// For those that are busy, by less and less; then all together are at most a quarter of kMostPrices again.
void PricedPaths::raise_prices(int round) {
  const std::int64_t busiest = std::max<std::int64_t>(*std::ranges::max_element(busy_), 1);
  std::int64_t sum = 0;
  for (const std::int64_t price : prices_) sum += price;
  // Resources that cost nothing so far begin with little.
  const std::int64_t least = std::max<std::int64_t>(sum / (512 * static_cast<std::int64_t>(prices_.size())), 1);
  sum = 0;
  for (std::size_t r = 0; r < prices_.size(); ++r) {
    std::int64_t& price = prices_[r];
    price = std::max(price, least);
    price += static_cast<std::int64_t>(Int128{price} * busy_[r] / busiest / (2 + round / 4));
    sum += price;
  }
  if (sum <= kMostPrices / 4) return;
  for (std::int64_t& price : prices_) price = std::max<std::int64_t>(price / 4, 1);
}

}  // namespace takt::heuristics

// orders: what the order in which processors handle files costs a mapping, and what other orders give back.
//
// Problem. If no resource is critical, operations wait for each other's order: a join takes the files of a data set
// one after the other, and those of the next behind them. How much of the period is that, and how much of it do
// transfers ahead take away, or another order of columns?
//
// Method. Gaps are those of study `evaluate`: period over largest cycle time M_ct, less 1. No order changes cycle
// times, so M_ct bounds all of them. Transfers ahead are those that `takt evaluate` advises
// (evaluators/insight/ahead.hpp), with the room that their receivers need. Of column orders (docs/model.md,
// "Workflows") one is drawn: column after column, each uniform among those whose predecessors stand already. And a
// local search looks at up to `orders` of them, from the default on: a transfer is moved to another place that its
// sender and its receiver allow, and stays there if the period is no longer. Moves that leave the order of each part's
// receptions and sendings are none: the generators draw processors of one part each, whose operations nothing else
// orders. What was found is the least of what was looked at, not of all.
//
// Cost. An evaluation of the net for each order, some hundred for what is ahead. Only if there is a gap.
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "evaluators/insight/ahead.hpp"
#include "experiments/descriptions/description.hpp"
#include "experiments/studies/periods.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"

namespace takt::experiments {

namespace {

enum class OrderMeasure { period, max_cycle_time, gap, ahead_gap, ahead, room, order_gap, random_gap };

constexpr auto kMeasures = std::to_array<MeasureName>(
    {{"period", "exact, in the default order of columns, in time units per data set"},
     {"max_cycle_time", "the longest that a resource is busy per data set"},
     {"gap", "period / max_cycle_time - 1: more than 0 where no resource is critical"},
     {"ahead_gap", "the gap with the transfers ahead that are advised; the same where none are",
      "gap with transfers ahead"},
     {"ahead", "data sets that these are ahead, added up", "data sets ahead"},
     {"room", "files that their receivers have room for, added up; absent where it was not found", "files of room"},
     {"order_gap", "the least gap of the orders of columns that a local search looked at", "gap in the best order"},
     {"random_gap", "the gap in an order of columns drawn at random", "gap in a random order"}});

struct OrdersSettings : StudySettings {
  std::uint64_t orders = 50;  // that the search looks at, at most
};

std::unique_ptr<const StudySettings> read_orders(const tpn::json::Tree& tree) {
  auto settings = std::make_unique<OrdersSettings>();
  if (const auto* orders = tpn::json::find(tree.root, "orders"))
    settings->orders = read_count(tree, *orders, 1'000'000);
  return settings;
}

// Columns as numbers of the pipeline that was drawn, in the order in which they are to stand.
using ColumnOrder = std::vector<std::size_t>;

// A pipeline's columns, and the orders in which they may stand: a transfer behind its sender's computation and before
// its receiver's.
class ColumnOrders {
 public:
  explicit ColumnOrders(const tpn::Pipeline& pipeline)
      : pipeline_(pipeline), before_(pipeline.columns.size()), behind_(pipeline.columns.size()) {
    for (const tpn::ColumnIndex c : pipeline.all_columns()) {
      if (!pipeline.is_transfer(c)) continue;
      transfers_.push_back(c);
      add(pipeline.parts[pipeline.columns[c].part].computation, c);
      add(c, pipeline.parts[pipeline.columns[c].receiver].computation);
    }
  }

  ColumnOrder usual() const {
    ColumnOrder order(before_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  }

  ColumnOrder random(Stream& stream) const {
    std::vector<std::size_t> missing(before_.size());
    std::vector<std::size_t> ready;
    for (std::size_t c = 0; c < before_.size(); ++c) {
      missing[c] = before_[c].size();
      if (missing[c] == 0) ready.push_back(c);
    }
    ColumnOrder order;
    while (!ready.empty()) {
      std::swap(ready[stream.below(ready.size())], ready.back());
      const std::size_t next = ready.back();
      ready.pop_back();
      order.push_back(next);
      for (const std::size_t c : behind_[next]) {
        if (--missing[c] == 0) ready.push_back(c);
      }
    }
    return order;
  }

  // With one transfer in another place, where a part receives or sends in another order then; nothing if chance
  // does not hit upon one.
  std::optional<ColumnOrder> neighbor(const ColumnOrder& order, Stream& stream) const {
    constexpr int kAttempts = 20;
    if (transfers_.empty()) return std::nullopt;
    std::vector<std::size_t> places(order.size());
    for (std::size_t place = 0; place < order.size(); ++place) places[order[place]] = place;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const std::size_t moved = transfers_[stream.below(transfers_.size())];
      const std::size_t least = places[before_[moved].front()] + 1;
      const std::size_t most = places[behind_[moved].front()] - 1;
      const std::size_t from = places[moved];
      const std::size_t to = least + stream.below(most - least + 1);
      if (!passes_its_like(order, from, to)) continue;
      ColumnOrder result = order;
      result.erase(result.begin() + static_cast<std::ptrdiff_t>(from));
      result.insert(result.begin() + static_cast<std::ptrdiff_t>(to), moved);
      return result;
    }
    return std::nullopt;
  }

  tpn::Pipeline in_order(const ColumnOrder& order) const {
    tpn::Pipeline result = pipeline_;
    for (std::size_t place = 0; place < order.size(); ++place) result.columns[place] = pipeline_.columns[order[place]];
    tpn::connect(result);
    return result;
  }

 private:
  void add(std::size_t earlier, std::size_t later) {
    before_[later].push_back(earlier);
    behind_[earlier].push_back(later);
  }

  // Whether a transfer that goes from one place to another passes one of the same sender or the same receiver.
  bool passes_its_like(const ColumnOrder& order, std::size_t from, std::size_t to) const {
    const tpn::Column& moved = pipeline_.columns[order[from]];
    const auto [first, last] = std::minmax(from, to);
    for (std::size_t place = first; place <= last; ++place) {
      const tpn::Column& passed = pipeline_.columns[order[place]];
      if (place == from || passed.kind != tpn::ColumnKind::transfer) continue;
      if (passed.part == moved.part || passed.receiver == moved.receiver) return true;
    }
    return false;
  }

  const tpn::Pipeline& pipeline_;
  std::vector<std::vector<std::size_t>> before_;  // by column
  std::vector<std::vector<std::size_t>> behind_;
  std::vector<std::size_t> transfers_;
};

// One draw under one model.
class ColumnOrderSearch {
 public:
  ColumnOrderSearch(const tpn::Pipeline& pipeline, const tpn::Model& model, const maxplus::Deadline& deadline)
      : pipeline_(pipeline), model_(model) {
    options_.deadline = deadline;
  }

  // False if the period is not known exactly.
  bool look() {
    const auto net = folded(pipeline_);
    if (!net) return false;
    longest_ = evaluators::largest_cycle_time(*net);
    const auto found = period_of(*net);
    if (found) period_ = *found;
    return found.has_value();
  }

  const Rational& period() const { return period_; }
  const Rational& longest() const { return longest_; }
  bool has_gap() const { return longest_ < period_; }
  // Nothing if nothing takes time, or the period is not known.
  std::optional<Rational> gap_of(const std::optional<Rational>& period) const {
    if (!period || longest_.sign() == 0) return std::nullopt;
    return *period / longest_ - Rational(1);
  }

  std::optional<evaluators::AheadChoice> ahead() const {
    return has_gap() ? evaluators::best_ahead(pipeline_, model_, period_, options_) : std::nullopt;
  }

  std::optional<std::uint64_t> room(const evaluators::AheadChoice& choice) const {
    const auto net = folded(tpn::with_ahead(pipeline_, choice.ahead));
    const auto rooms = net ? evaluators::least_rooms(*net, choice.ahead, choice.period, options_) : std::nullopt;
    if (!rooms) return std::nullopt;
    return std::accumulate(rooms->begin(), rooms->end(), std::uint64_t{0});
  }

  std::optional<Rational> of_random_order(Stream& stream) const {
    const ColumnOrders orders(pipeline_);
    return period_in(orders.in_order(orders.random(stream)));
  }

  // The least period of that many orders at most.
  std::optional<Rational> best_order(std::uint64_t most, Stream& stream) const {
    const ColumnOrders orders(pipeline_);
    ColumnOrder order = orders.usual();
    Rational best = period_;
    for (std::uint64_t i = 0; i < most && longest_ < best; ++i) {
      auto changed = orders.neighbor(order, stream);
      if (!changed) continue;
      const auto found = period_in(orders.in_order(*changed));
      if (!found) return std::nullopt;
      if (best < *found) continue;
      best = *found;
      order = std::move(*changed);
    }
    return best;
  }

 private:
  std::optional<tpn::FoldedNet> folded(tpn::Pipeline pipeline) const {
    auto result = tpn::fold(std::move(pipeline), model_, tpn::kDefaultCircuitSteps, options_.deadline);
    auto* net = std::get_if<tpn::FoldedNet>(&result);
    return net == nullptr ? std::nullopt : std::optional(std::move(*net));
  }

  std::optional<Rational> period_of(const tpn::FoldedNet& net) const {
    const evaluators::Evaluation evaluation = evaluators::evaluate(net, options_);
    return evaluation.exact() ? std::optional(evaluation.lower) : std::nullopt;
  }

  std::optional<Rational> period_in(tpn::Pipeline pipeline) const {
    const auto net = folded(std::move(pipeline));
    return net ? period_of(*net) : std::nullopt;
  }

  const tpn::Pipeline& pipeline_;
  const tpn::Model& model_;
  evaluators::Options options_;
  Rational period_;
  Rational longest_;
};

class OrdersStudy : public Study {
 public:
  OrdersStudy(const Description& description, const ExperimentCell& cell)
      : description_(description), cell_(cell), orders_(settings_of<OrdersSettings>(description).orders) {
    for (const tpn::Model& model : description.models) series_.push_back({{"model", tpn::label_of(model)}});
    for (const std::string& measure : description.measures) {
      const auto known = std::ranges::find(kMeasures, measure, &MeasureName::name);
      measured_.push_back(static_cast<OrderMeasure>(known - kMeasures.begin()));
    }
  }

  const std::vector<SeriesKeys>& series() const override { return series_; }

  void run(const DrawKey& key, const maxplus::Deadline& deadline, DrawResult& result) override {
    const tpn::Document document = draw_taken(description_, cell_, key);
    const auto made = tpn::make_pipeline(document, tpn::kDefaultMeetings, deadline);
    const auto* pipeline = std::get_if<tpn::Pipeline>(&made);
    for (std::size_t m = 0; m < description_.models.size(); ++m) {
      if (pipeline == nullptr) {
        result[m].fail("the net is too large");
        continue;
      }
      ColumnOrderSearch search(*pipeline, description_.models[m], deadline);
      if (!search.look()) {
        result[m].fail("the period is not known exactly");
      } else {
        put(search, key, result[m]);
        if (maxplus::has_passed(deadline)) result[m].fail("the time limit cut the search short");
      }
    }
  }

 private:
  bool is_measured(OrderMeasure measure) const { return std::ranges::find(measured_, measure) != measured_.end(); }

  void put(const ColumnOrderSearch& search, const DrawKey& key, SeriesResult& result) const {
    const bool asks_ahead =
        is_measured(OrderMeasure::ahead_gap) || is_measured(OrderMeasure::ahead) || is_measured(OrderMeasure::room);
    const auto choice = asks_ahead ? search.ahead() : std::nullopt;
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      result.values[i] = value(measured_[i], search, choice, key);
    }
  }

  std::optional<Rational> value(OrderMeasure measure, const ColumnOrderSearch& search,
                                const std::optional<evaluators::AheadChoice>& choice, const DrawKey& key) const {
    switch (measure) {
      case OrderMeasure::period:
        return search.period();
      case OrderMeasure::max_cycle_time:
        return search.longest();
      case OrderMeasure::gap:
        return search.gap_of(search.period());
      case OrderMeasure::ahead_gap:
        return search.gap_of(choice ? choice->period : search.period());
      case OrderMeasure::ahead:
        return choice ? Rational(std::accumulate(choice->ahead.begin(), choice->ahead.end(), std::uint64_t{0}))
                      : Rational(0);
      case OrderMeasure::room: {
        if (!choice) return Rational(0);
        const auto room = search.room(*choice);
        return room ? std::optional<Rational>(*room) : std::nullopt;
      }
      case OrderMeasure::order_gap: {
        Stream stream(key, Purpose::search);
        return search.gap_of(search.best_order(orders_, stream));
      }
      case OrderMeasure::random_gap: {
        Stream stream(key, Purpose::order);
        return search.gap_of(search.of_random_order(stream));
      }
    }
    return std::nullopt;
  }

  const Description& description_;
  const ExperimentCell& cell_;
  const std::uint64_t orders_;
  std::vector<SeriesKeys> series_;
  std::vector<OrderMeasure> measured_;
};

std::optional<std::string> objection_of_orders(const Description& description) {
  if (description.generator->kind == DrawnKind::instance) return std::nullopt;
  return "it needs mappings, and the generator draws problems without";
}

}  // namespace

StudyKind orders_study() {
  return {.name = "orders",
          .summary =
              "what the order of files costs the mappings drawn, and what transfers ahead and other orders give back",
          .keys = {"models", "orders"},
          .measures = {kMeasures.begin(), kMeasures.end()},
          .draws_per_chunk = 50,
          .objection = objection_of_orders,
          .takes = {.workflows = true},
          .read = read_orders,
          .prepare = [](const Description& description, const ExperimentCell& cell) -> std::unique_ptr<Study> {
            return std::make_unique<OrdersStudy>(description, cell);
          }};
}

}  // namespace takt::experiments

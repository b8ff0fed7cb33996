// Each order is written into the document, and folded.
#include "heuristics/search/served_order.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/workflow.hpp"

namespace takt::heuristics {

namespace {

using maxplus::Integer;

using Served = std::vector<tpn::TransferEnds>;

bool are_alike(const tpn::TransferEnds& a, const tpn::TransferEnds& b) { return a.from == b.from || a.to == b.to; }

// The transfer at `from` served where that at `to` is; nothing if a part would send before it has all of its files.
std::optional<Served> moved(const Served& order, std::size_t from, std::size_t to) {
  const auto [first, last] = std::minmax(from, to);
  for (std::size_t k = first; k <= last; ++k) {
    if (k == from) continue;
    const tpn::TransferEnds& earlier = from < to ? order[from] : order[k];
    const tpn::TransferEnds& later = from < to ? order[k] : order[from];
    if (earlier.to && earlier.to == later.from) return std::nullopt;
  }
  Served result = order;
  const auto begin = result.begin();
  const auto at = [&](std::size_t place) { return begin + static_cast<std::ptrdiff_t>(place); };
  if (from < to) {
    std::rotate(at(from), at(from + 1), at(to + 1));
  } else {
    std::rotate(at(to), at(from), at(from + 1));
  }
  return result;
}

class ServedSearch {
 public:
  ServedSearch(const tpn::Document& mapped, const tpn::Model& model, const Rational& period,
               const evaluators::Deadline& deadline, std::uint64_t most_operations)
      : document_(mapped), model_(model), best_(period), left_(most_operations) {
    options_.deadline = deadline;
  }

  std::optional<ServedOrder> find() {
    for (const tpn::FileRoute& route :
         tpn::routes_of(document_.application, *document_.mapping, tpn::outer_ends(document_.platform)))
      order_.push_back({route.from, route.to});
    bool is_better = false;
    while (improve()) is_better = true;
    if (!is_better) return std::nullopt;
    return ServedOrder{std::move(order_), std::move(best_), tried_};
  }

 private:
  // The first order that is better.
  bool improve() {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const auto next = std::find_if(order_.begin() + static_cast<std::ptrdiff_t>(i) + 1, order_.end(),
                                     [&](const tpn::TransferEnds& other) { return are_alike(order_[i], other); });
      if (next == order_.end()) continue;
      const auto j = static_cast<std::size_t>(next - order_.begin());
      if (attempt(moved(order_, i, j))) return true;
      if (j > i + 1 && attempt(moved(order_, j, i))) return true;
    }
    return false;
  }

  bool attempt(std::optional<Served> order) {
    if (!order || is_least_ || left_ == 0 || options_.deadline.has_passed()) return false;
    ++tried_;
    document_.order = *order;
    const auto folded = tpn::fold(document_, model_, options_.deadline);
    const auto* net = std::get_if<tpn::FoldedNet>(&folded);
    const Integer operations =
        net == nullptr ? Integer(left_ + 1) : Integer(tpn::repetition_of(*net) * net->pipeline.columns.size());
    if (operations > left_) {
      left_ = 0;
      return false;
    }
    left_ -= operations.get_ui();
    is_least_ = evaluators::largest_cycle_time(*net) == best_;
    if (is_least_) return false;
    const evaluators::Evaluation evaluation = evaluators::evaluate(*net, options_);
    if (!evaluation.exact() || evaluation.upper >= best_) return false;
    best_ = evaluation.upper;
    order_ = *std::move(order);
    return true;
  }

  tpn::Document document_;
  const tpn::Model& model_;
  evaluators::Options options_;
  Rational best_;
  Served order_;
  std::uint64_t left_;
  std::uint64_t tried_ = 0;
  bool is_least_ = false;  // no order makes it less
};

}  // namespace

std::optional<ServedOrder> better_served(const tpn::Document& mapped, const tpn::Model& model, const Rational& period,
                                         const evaluators::Deadline& deadline, std::uint64_t most_operations) {
  return ServedSearch(mapped, model, period, deadline, most_operations).find();
}

}  // namespace takt::heuristics

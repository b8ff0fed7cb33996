// Nets with this or that ahead, each evaluated once.
#include "evaluators/insight/ahead.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "tpn/capacity.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

namespace {

using Ahead = std::vector<std::uint64_t>;

// All transfers at once, and one alone.
constexpr std::uint64_t kMostAtOnce = 16;
constexpr std::uint64_t kMostAlone = 8;

// Transfers that may matter: under models whose transfers occupy processors all of them, else those between two parts
// that a processor, or host, serves.
std::vector<tpn::ColumnIndex> transfers_of(const tpn::Pipeline& pipeline, const tpn::Model& model) {
  std::map<std::size_t, std::pair<tpn::PartIndex, tpn::PartIndex>> spans;  // first and last part by owner
  for (const tpn::PartIndex part : pipeline.all_parts()) {
    for (const std::size_t processor : pipeline.parts[part].sequence) {
      auto [span, is_new] = spans.try_emplace(pipeline.port_owner(processor), part, part);
      span->second.second = part;
    }
  }
  std::vector<tpn::ColumnIndex> found;
  for (const tpn::ColumnIndex c : pipeline.all_columns()) {
    if (!pipeline.is_transfer(c)) continue;
    const tpn::Column& column = pipeline.columns[c];
    const bool is_spanned = std::ranges::any_of(spans, [&](const auto& span) {
      return span.second.first <= column.part && column.receiver <= span.second.second;
    });
    if (is_spanned || !pipeline.is_chain() || tpn::shares_processors(model)) found.push_back(c);
  }
  // What comes to a join is ahead of the other files that come there.
  std::stable_partition(found.begin(), found.end(), [&](tpn::ColumnIndex c) {
    return pipeline.parts[pipeline.columns[c].receiver].receptions.size() > 1;
  });
  return found;
}

class Search {
 public:
  Search(const tpn::Pipeline& pipeline, const tpn::Model& model, const Options& options, std::uint64_t most_operations)
      : pipeline_(pipeline),
        model_(model),
        options_(options),
        left_(most_operations),
        transfers_(transfers_of(pipeline, model)) {}

  std::optional<AheadChoice> run(const Rational& period) {
    all_at_once();
    each_alone();
    if (!best_ || !(*best_ < period)) return std::nullopt;
    AheadChoice choice;
    choice.ahead = lowered(first_choice());
    choice.period = *best_;
    choice.is_least = is_least();
    choice.is_searched = is_searched_;
    return choice;
  }

 private:
  // The period with that ahead; nothing if it is not known, or if room would wait for itself.
  std::optional<Rational> period_of(const Ahead& ahead) {
    const auto [at, is_new] = periods_.try_emplace(ahead);
    if (is_new) {
      at->second = evaluated(ahead);
      if (at->second && (!best_ || *at->second < *best_)) best_ = at->second;
    }
    return at->second;
  }

  std::optional<Rational> evaluated(const Ahead& ahead) {
    if (options_.deadline.has_passed()) is_searched_ = false;
    if (!is_searched_) return std::nullopt;
    try {
      auto folded = tpn::fold(tpn::with_ahead(pipeline_, ahead), model_, tpn::kDefaultCircuitSteps, options_.deadline);
      const auto* const net = std::get_if<tpn::FoldedNet>(&folded);
      const Integer operations =
          net == nullptr ? Integer(left_ + 1) : Integer(tpn::repetition_of(*net) * pipeline_.columns.size());
      if (operations > left_) {
        is_searched_ = false;
        return std::nullopt;
      }
      left_ -= operations.get_ui();
      least_ = largest_cycle_time(*net);
      const Evaluation evaluation = evaluate(*net, options_);
      if (evaluation.exact()) return evaluation.upper;
      is_searched_ = false;
    } catch (const tpn::InvalidInstance&) {
    }
    return std::nullopt;
  }

  bool is_least() const { return best_ && least_ && *best_ == *least_; }

  Ahead with(std::uint64_t k, std::optional<tpn::ColumnIndex> only = std::nullopt) const {
    Ahead ahead(pipeline_.columns.size(), 0);
    for (const tpn::ColumnIndex c : transfers_)
      if (!only || *only == c) ahead[c] = k;
    return ahead;
  }

  void all_at_once() {
    for (std::uint64_t k = 1; k <= kMostAtOnce && !is_least(); k *= 2) period_of(with(k));
  }

  // Those that reach the best are looked at in the order in which they are preferred.
  void each_alone() {
    for (std::uint64_t k = 1; k <= kMostAlone; ++k) {
      for (const tpn::ColumnIndex c : transfers_) {
        const auto period = period_of(with(k, c));
        if (period && is_least() && *period == *best_) return;
      }
    }
  }

  Ahead first_choice() {
    for (std::uint64_t k = 1; k <= kMostAlone; ++k) {
      for (const tpn::ColumnIndex c : transfers_)
        if (period_of(with(k, c)) == best_) return with(k, c);
    }
    return std::ranges::find_if(periods_, [&](const auto& known) { return known.second == best_; })->first;
  }

  // No number can be smaller: each smaller one was tried with what the others are in the end.
  Ahead lowered(Ahead ahead) {
    for (bool is_lower = true; is_lower;) {
      is_lower = false;
      for (auto c = transfers_.rbegin(); c != transfers_.rend(); ++c) {
        const std::uint64_t before = ahead[*c];
        for (std::uint64_t smaller = 0; smaller < before && !is_lower; ++smaller) {
          ahead[*c] = smaller;
          const auto period = period_of(ahead);
          is_lower = period && *period <= *best_;
        }
        if (is_lower) break;
        ahead[*c] = before;
      }
    }
    return ahead;
  }

  const tpn::Pipeline& pipeline_;
  const tpn::Model& model_;
  const Options& options_;
  std::uint64_t left_;
  std::vector<tpn::ColumnIndex> transfers_;
  std::map<Ahead, std::optional<Rational>> periods_;
  std::optional<Rational> best_;
  std::optional<Rational> least_;  // the largest cycle time
  bool is_searched_ = true;
};

}  // namespace

namespace {

// Tries rooms, each an evaluation.
class AheadRoomSearch {
 public:
  AheadRoomSearch(const tpn::FoldedNet& net, const std::vector<std::uint64_t>& ahead, const Rational& period,
                  const Options& options)
      : net_(net), period_(period), options_(options), rooms_(ahead.size(), 0) {
    for (const tpn::Buffer& buffer : tpn::buffers_of(net.pipeline))
      if (buffer.side == tpn::BufferSide::in && ahead[buffer.transfer] > 0) buffers_.push_back(buffer);
    for (const tpn::Buffer& buffer : buffers_) rooms_[buffer.transfer] = 1;
  }

  std::optional<std::vector<std::uint64_t>> run() {
    if (buffers_.empty()) return std::nullopt;
    constexpr std::uint64_t kMost = 64;
    std::uint64_t room = 1;
    while (!keeps(with(room))) {
      if (is_cut_short_ || ++room > kMost) return std::nullopt;
    }
    rooms_ = with(room);
    for (std::uint64_t& own : rooms_) {
      while (own > 1) {
        --own;
        if (keeps(rooms_)) continue;
        ++own;
        break;
      }
    }
    return is_cut_short_ ? std::nullopt : std::optional(rooms_);
  }

 private:
  std::vector<std::uint64_t> with(std::uint64_t room) const {
    std::vector<std::uint64_t> rooms = rooms_;
    for (std::uint64_t& own : rooms) own = own > 0 ? room : 0;
    return rooms;
  }

  bool keeps(const std::vector<std::uint64_t>& rooms) {
    if (options_.deadline.has_passed()) is_cut_short_ = true;
    if (is_cut_short_) return false;
    std::vector<tpn::Buffer> buffers = buffers_;
    for (tpn::Buffer& buffer : buffers) buffer.room = rooms[buffer.transfer];
    try {
      const auto limited = tpn::with_capacity(net_, {.buffers = std::move(buffers)}, options_.deadline);
      const auto* const narrowed = std::get_if<tpn::FoldedNet>(&limited);
      if (narrowed != nullptr) {
        const Evaluation evaluation = evaluate(*narrowed, options_);
        if (evaluation.upper <= period_) return true;
        if (evaluation.lower > period_) return false;
      }
      is_cut_short_ = true;
    } catch (const tpn::InvalidInstance&) {
      // It would wait for itself.
    }
    return false;
  }

  const tpn::FoldedNet& net_;
  const Rational& period_;
  const Options& options_;
  std::vector<tpn::Buffer> buffers_;
  std::vector<std::uint64_t> rooms_;  // by column
  bool is_cut_short_ = false;
};

}  // namespace

std::optional<std::vector<std::uint64_t>> least_rooms(const tpn::FoldedNet& net,
                                                      const std::vector<std::uint64_t>& ahead, const Rational& period,
                                                      const Options& options) {
  return AheadRoomSearch(net, ahead, period, options).run();
}

std::optional<AheadChoice> best_ahead(const tpn::Pipeline& pipeline, const tpn::Model& model, const Rational& period,
                                      const Options& options, std::uint64_t most_operations) {
  return Search(pipeline, model, options, most_operations).run(period);
}

}  // namespace takt::evaluators

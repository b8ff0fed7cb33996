// Nets with this or that ahead, each evaluated once.
#include "evaluators/insight/ahead.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
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

// All transfers at once, one alone, and all choices of few transfers.
constexpr std::uint64_t kMostAtOnce = 16;
constexpr std::uint64_t kMostAlone = 8;
constexpr std::uint64_t kMostOfFew = 3;
constexpr std::size_t kFewTransfers = 3;
// Steps from the best that was seen, within a limit of operations and without.
constexpr int kQuickSteps = 6;
constexpr int kMostSteps = 64;

// Transfers that may change the order of a resource: all, but of a chain under models whose transfers do not occupy
// processors those before which no processor, or host, of a part so early has another part later.
std::vector<tpn::ColumnIndex> transfers_of(const tpn::Pipeline& pipeline, const tpn::Model& model) {
  std::map<std::size_t, std::pair<tpn::PartIndex, tpn::PartIndex>> spans;  // first and last part by owner
  for (const tpn::PartIndex part : pipeline.all_parts()) {
    for (const std::size_t processor : pipeline.parts[part].sequence) {
      auto [span, is_new] = spans.try_emplace(pipeline.port_owner(processor), part, part);
      span->second.second = part;
    }
  }
  const bool may_all = !pipeline.is_chain() || tpn::shares_processors(model) || !pipeline.ports.segments.empty();
  std::vector<tpn::ColumnIndex> found;
  for (const tpn::ColumnIndex c : pipeline.all_columns()) {
    if (!pipeline.is_transfer(c)) continue;
    const tpn::PartIndex receiver = pipeline.columns[c].receiver;
    const bool is_spanned = std::ranges::any_of(spans, [&](const auto& span) {
      const auto [first, last] = span.second;
      return first < last && first <= receiver && receiver <= last;
    });
    if (may_all || is_spanned) found.push_back(c);
  }
  // What comes to a join is ahead of the other files that come there.
  std::stable_partition(found.begin(), found.end(), [&](tpn::ColumnIndex c) {
    return pipeline.parts[pipeline.columns[c].receiver].receptions.size() > 1;
  });
  return found;
}

class Search {
 public:
  Search(const tpn::Pipeline& pipeline, const tpn::Model& model, const Options& options, std::uint64_t most_operations,
         const TransferTerms& terms)
      : pipeline_(pipeline),
        model_(model),
        options_(options),
        left_(most_operations),
        most_steps_(most_operations > kAheadOperations ? kMostSteps : kQuickSteps),
        rooms_(terms.room),
        present_(terms.ahead.empty() ? Ahead(pipeline.columns.size(), 0) : terms.ahead),
        transfers_(transfers_of(pipeline, model)) {}

  std::optional<AheadChoice> run(const Rational& period) {
    if (transfers_.empty()) return std::nullopt;
    period_of(present_);
    if (is_least()) return std::nullopt;
    all_at_once();
    each_alone();
    each_of_few();
    step_by_step();
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
      if (auto* const made = std::get_if<tpn::FoldedNet>(&folded); made != nullptr && !rooms_.empty()) {
        auto buffers = tpn::buffers_with(made->pipeline, rooms_);
        folded = tpn::with_capacity(std::move(*made), {.buffers = std::move(buffers)}, options_.deadline);
      }
      const auto* const net = std::get_if<tpn::FoldedNet>(&folded);
      const Integer operations =
          net == nullptr ? Integer(left_ + 1) : Integer(tpn::repetition_of(*net) * pipeline_.columns.size());
      if (operations > left_) {
        is_searched_ = false;
        return std::nullopt;
      }
      left_ -= operations.get_ui();
      if (!least_) least_ = least_of_any_order(*net);
      const Evaluation evaluation = evaluate(*net, options_);
      if (evaluation.exact()) return evaluation.upper;
      is_searched_ = false;
    } catch (const tpn::InvalidInstance&) {
    }
    return std::nullopt;
  }

  bool is_least() const { return best_ && least_ && *best_ == *least_; }

  // What changes no order stays as it is.
  Ahead with(std::uint64_t k, std::optional<tpn::ColumnIndex> only = std::nullopt) const {
    Ahead ahead = present_;
    for (const tpn::ColumnIndex c : transfers_) ahead[c] = 0;
    for (const tpn::ColumnIndex c : transfers_)
      if (!only || *only == c) ahead[c] = k;
    return ahead;
  }

  void all_at_once() {
    period_of(with(0));
    for (std::uint64_t k = 1; k <= kMostAtOnce && !is_least(); k *= 2) period_of(with(k));
  }

  // Those that reach the best are looked at in the order in which they are preferred.
  void each_alone() {
    const bool is_ahead = present_ != with(0);
    for (std::uint64_t k = is_ahead ? 0 : 1; k <= kMostAlone; ++k) {
      for (const tpn::ColumnIndex c : transfers_) {
        const auto period = period_of(with(k, c));
        if (period && is_least() && *period == *best_) return;
        Ahead beside = present_;
        beside[c] = k;
        if (is_ahead) period_of(beside);
      }
    }
  }

  void each_of_few() {
    if (transfers_.size() > kFewTransfers) return;
    Ahead ahead = with(0);
    while (!is_least() && is_searched_) {
      period_of(ahead);
      auto next = transfers_.begin();
      while (next != transfers_.end() && ahead[*next] == kMostOfFew) ahead[*next++] = 0;
      if (next == transfers_.end()) return;
      ++ahead[*next];
    }
  }

  // From the shortest period that was not yet looked around at; at ties from the least ahead.
  void step_by_step() {
    using Seen = std::tuple<Rational, std::uint64_t, Ahead>;
    std::set<Seen> open;
    const auto add = [&](const Ahead& ahead, const std::optional<Rational>& period) {
      if (period) open.emplace(*period, std::accumulate(ahead.begin(), ahead.end(), std::uint64_t{0}), ahead);
    };
    for (const auto& [ahead, period] : periods_) add(ahead, period);
    for (int step = 0; step < most_steps_ && !open.empty() && !is_least() && is_searched_; ++step) {
      const Ahead here = std::get<Ahead>(open.extract(open.begin()).value());
      for (const tpn::ColumnIndex c : transfers_) {
        for (const bool is_more : {false, true}) {
          if (here[c] == (is_more ? tpn::kMostAhead : 0)) continue;
          Ahead beside = here;
          beside[c] = is_more ? here[c] + 1 : here[c] - 1;
          if (!periods_.contains(beside)) add(beside, period_of(beside));
        }
      }
    }
  }

  Ahead first_choice() {
    for (std::uint64_t k = 0; k <= kMostAlone; ++k) {
      for (const tpn::ColumnIndex c : transfers_)
        if (period_of(with(k, c)) == best_) return with(k, c);
    }
    return std::ranges::find_if(periods_, [&](const auto& known) { return known.second == best_; })->first;
  }

  // No number can be smaller: each smaller one was tried with what the others are in the end.
  Ahead lowered(Ahead ahead) {
    while (lower_one(ahead)) {
    }
    return ahead;
  }

  bool lower_one(Ahead& ahead) {
    for (auto c = transfers_.rbegin(); c != transfers_.rend(); ++c) {
      const std::uint64_t before = ahead[*c];
      for (ahead[*c] = 0; ahead[*c] < before; ++ahead[*c]) {
        const auto period = period_of(ahead);
        if (period && *period <= *best_) return true;
      }
    }
    return false;
  }

  const tpn::Pipeline& pipeline_;
  const tpn::Model& model_;
  const Options& options_;
  std::uint64_t left_;
  int most_steps_;
  const std::vector<std::uint64_t>& rooms_;
  Ahead present_;
  std::vector<tpn::ColumnIndex> transfers_;
  std::map<Ahead, std::optional<Rational>> periods_;
  std::optional<Rational> best_;
  std::optional<Rational> least_;  // of any order
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
                                      const Options& options, std::uint64_t most_operations,
                                      const TransferTerms& terms) {
  return Search(pipeline, model, options, most_operations, terms).run(period);
}

}  // namespace takt::evaluators

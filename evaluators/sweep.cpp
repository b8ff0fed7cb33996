// The passes, the search over lambda, and the circuit rebuilt from recorded choices.
#include "evaluators/sweep.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "evaluators/bounds.hpp"
#include "evaluators/sweep_pass.hpp"
#include "evaluators/sweep_plan.hpp"

namespace takt::evaluators {

namespace {

using tpn::FoldedNet;

// A circuit of tokens and its ratio of weight (net units) to tokens.
struct TokenCircuit {
  Rational ratio;
  std::vector<std::size_t> tokens;
};

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// The cycle of largest ratio in a graph in which each token has at most one predecessor.
std::optional<TokenCircuit> best_cycle(const std::vector<std::size_t>& predecessor,
                                       const std::vector<Integer>& weight) {
  std::optional<TokenCircuit> best;
  std::vector<std::size_t> seen_from(predecessor.size(), kNone);
  for (std::size_t start = 0; start < predecessor.size(); ++start) {
    std::size_t t = start;
    while (t != kNone && seen_from[t] == kNone) {
      seen_from[t] = start;
      t = predecessor[t];
    }
    if (t == kNone || seen_from[t] != start) continue;
    TokenCircuit circuit;
    Integer total = 0;
    std::size_t member = t;
    do {
      circuit.tokens.push_back(member);
      total += weight[member];
      member = predecessor[member];
    } while (member != t);
    circuit.ratio = Rational::fraction(total, Integer(circuit.tokens.size()));
    if (!best || circuit.ratio > best->ratio) best = std::move(circuit);
  }
  return best;
}

// The search of the header comment.
class Search {
 public:
  explicit Search(const FoldedNet& net) : net_(net), plan_(make_plan(net)) {}

  Evaluation run(const Deadline& deadline) {
    Evaluation evaluation = coarse_bounds(net_, Method::sweep);
    const Rational units_a_period = Rational(net_.pipeline.scale * net_.pipeline.rows);
    set_lambda(evaluation.lower * units_a_period);
    x_.assign(plan_.tokens.size(), 0);
    forget_parents();
    for (;;) {
      const std::optional<Pass> pass = run_pass(x_, deadline, nullptr);
      if (!pass) {
        evaluation.limit = OutOfTime{};
        break;
      }
      // What this pass proves: A x <= x + rise.
      Integer rise = pass->values[0] - x_[0];
      for (std::size_t t = 0; t < x_.size(); ++t) rise = std::max(rise, Integer(pass->values[t] - x_[t]));
      const Rational upper = Rational::fraction(rise, factor_) / units_a_period;
      if (upper <= evaluation.upper) {
        evaluation.upper = upper;
        proven_ = {x_, factor_};
      }
      if (!raise(*pass)) break;
    }
    if (!proven_.clocks.empty()) evaluation.witness = witness();
    // An interval keeps the largest cycle time as its lower bound: only clocks that prove lambda from above
    // show which operations its circuit is made of.
    if (lambda_ == evaluation.upper * units_a_period) {
      evaluation.lower = evaluation.upper;
      evaluation.limit = {};
      if (!circuit_.empty()) evaluation.circuit = rebuild_circuit();
    }
    return evaluation;
  }

 private:
  void set_lambda(const Rational& lambda) {
    const Integer& factor = lambda.denominator();
    for (Integer& value : x_) {
      value *= factor;
      mpz_fdiv_q(value.get_mpz_t(), value.get_mpz_t(), factor_.get_mpz_t());
    }
    lambda_ = lambda;
    set_factor(factor);
  }

  void set_factor(const Integer& factor) {
    if (factor == factor_) return;
    factor_ = factor;
    narrow_.reset();
    wide_.reset();
    unbounded_.reset();
  }

  void forget_parents() {
    parent_.assign(plan_.tokens.size(), kNone);
    parent_weight_.assign(plan_.tokens.size(), 0);
  }

  // Raises clocks, then lambda. False if no clock rose.
  bool raise(const Pass& pass) {
    std::vector<Integer> weights(x_.size());
    for (std::size_t t = 0; t < x_.size(); ++t) weights[t] = (pass.values[t] - x_[pass.origins[t]]) / factor_;
    bool rose = false;
    const Integer step = lambda_.numerator();
    std::vector<Integer> raised = x_;
    for (std::size_t t = 0; t < x_.size(); ++t) {
      Integer value = pass.values[t] - step;
      if (value <= x_[t]) continue;
      raised[t] = std::move(value);
      parent_[t] = pass.origins[t];
      parent_weight_[t] = weights[t];
      rose = true;
    }
    if (!rose) return false;
    x_ = std::move(raised);
    std::optional<TokenCircuit> best = best_cycle(parent_, parent_weight_);
    std::optional<TokenCircuit> own = best_cycle(pass.origins, weights);
    if (own && (!best || own->ratio > best->ratio)) best = std::move(own);
    if (best && best->ratio > lambda_) {
      circuit_ = best->tokens;
      set_lambda(best->ratio);
      forget_parents();
    }
    return true;
  }

  // The narrowest numbers that hold every key of a pass from x: |key| <= (max |x| + total duration of all
  // operations) * 2^bits + origin, and one bit for the sign.
  std::optional<Pass> run_pass(const std::vector<Integer>& x, const Deadline& deadline,
                               std::vector<std::uint8_t>* choices) {
    Integer largest = 0;
    for (const Integer& value : x) largest = std::max(largest, Integer(abs(value)));
    const Integer bound = shifted(largest + plan_.total_duration * factor_ + 1, plan_.origin_bits);
    const std::size_t bits = mpz_sizeinbase(bound.get_mpz_t(), 2) + 1;
    if (bits <= 63) return sweeper(narrow_).run(x, deadline, choices);
    if (bits <= 127) return sweeper(wide_).run(x, deadline, choices);
    return sweeper(unbounded_).run(x, deadline, choices);
  }

  template <typename Number>
  Sweeper<Number>& sweeper(std::optional<Sweeper<Number>>& slot) {
    if (!slot) slot.emplace(net_, plan_, factor_);
    return *slot;
  }

  // The clocks of the smallest upper bound, by resource; start times of all rows where a model has tokens
  // that belong to no resource.
  UpperWitness witness() const {
    const Rational unit = Rational::fraction(1, proven_.factor * net_.pipeline.scale);
    std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> index;
    for (std::size_t t = 0; t < plan_.tokens.size(); ++t) index[{plan_.tokens[t].column, plan_.tokens[t].back}] = t;
    if (!tokens_belong_to_resources(net_)) {
      return row_schedule(unit, [&](std::size_t column, std::uint64_t back) -> const Integer& {
        return proven_.clocks[index.at({column, back})];
      });
    }
    ResourceClocks result;
    for (const ResourceToken& held : resource_tokens(net_)) {
      result.values.push_back(Rational(proven_.clocks[index.at({held.column, held.back})]) * unit);
    }
    return result;
  }

  // The start times of a pass from the proven clocks.
  template <typename ClockOf>
  RowSchedule row_schedule(const Rational& unit, ClockOf clock_of) const {
    const std::size_t columns = plan_.columns.size();
    std::vector<Integer> ends(plan_.rows * columns);
    RowSchedule schedule;
    schedule.starts.reserve(ends.size());
    for (std::uint64_t row = 0; row < plan_.rows; ++row) {
      for (std::size_t c = 0; c < columns; ++c) {
        const Integer* start = nullptr;
        for_each_incoming(plan_.columns[c], row, [&](const Incoming& in) {
          const Integer& end =
              in.height > row ? clock_of(in.column, in.height - row) : ends[(row - in.height) * columns + in.column];
          if (start == nullptr || end > *start) start = &end;
        });
        schedule.starts.push_back(Rational(*start) * unit);
        ends[row * columns + c] = *start + net_.pipeline.columns[c].duration(row) * proven_.factor;
      }
    }
    return schedule;
  }

  // From the proven clocks, a pass in which only the circuit's own count: each ends exactly lambda later, on
  // paths that start at clocks of the circuit, so following origins closes a circuit of ratio lambda.
  CriticalCircuit rebuild_circuit() {
    x_ = proven_.clocks;
    set_factor(proven_.factor);
    const Integer lowest = *std::ranges::min_element(x_, {}, [](const Integer& v) { return v; });
    std::vector<Integer> only(x_.size(), lowest - plan_.total_duration * factor_ - 1);
    for (const std::size_t t : circuit_) only[t] = x_[t];
    std::vector<std::uint8_t> choices(plan_.rows * plan_.columns.size());
    const Pass pass = *run_pass(only, {}, &choices);  // without a deadline

    std::vector<std::size_t> laps;  // tokens, the later one first
    std::vector<bool> seen(x_.size(), false);
    std::size_t t = circuit_.front();
    for (; !seen[t]; t = pass.origins[t]) seen[t] = true;
    const std::size_t first = t;
    do {
      laps.push_back(t);
      t = pass.origins[t];
    } while (t != first);

    std::vector<tpn::Operation> operations;  // the last one first
    for (std::size_t k = 0; k < laps.size(); ++k) trace_lap(laps[k], laps.size() - 1 - k, choices, operations);
    std::ranges::reverse(operations);
    return circuit_through(operations, laps.size() * plan_.rows);
  }

  // Appends the operations from the one that leaves `token` in lap `lap` back to the lap's first.
  void trace_lap(std::size_t token, std::size_t lap, const std::vector<std::uint8_t>& choices,
                 std::vector<tpn::Operation>& operations) const {
    std::size_t column = plan_.tokens[token].column;
    const std::uint64_t back = plan_.tokens[token].back;
    if (back > plan_.rows) return;
    for (std::uint64_t row = plan_.rows - back;;) {
      operations.push_back({row + lap * plan_.rows, column});
      const Incoming in = incoming(column, row, choices[row * plan_.columns.size() + column]);
      column = in.column;
      if (in.height > row) return;
      row -= in.height;
    }
  }

  Incoming incoming(std::size_t column, std::uint64_t row, std::size_t position) const {
    Incoming found;
    std::size_t at = 0;
    for_each_incoming(plan_.columns[column], row, [&](const Incoming& in) {
      if (at++ == position) found = in;
    });
    return found;
  }

  // Clocks that prove the best upper bound so far, scaled by `factor`.
  struct Proven {
    std::vector<Integer> clocks;
    Integer factor = 1;
  };

  const FoldedNet& net_;
  Plan plan_;
  Rational lambda_;
  Integer factor_ = 1;      // denominator of lambda_
  std::vector<Integer> x_;  // clocks, net units times factor_
  std::vector<std::size_t> parent_;
  std::vector<Integer> parent_weight_;
  std::vector<std::size_t> circuit_;  // the tokens of lambda_'s circuit; empty while it is M_ct's
  Proven proven_;
  std::optional<Sweeper<std::int64_t>> narrow_;
  std::optional<Sweeper<Int128>> wide_;
  std::optional<Sweeper<Integer>> unbounded_;
};

}  // namespace

Evaluation sweep(const FoldedNet& net, const Options& options) {
  const std::uint64_t columns = net.pipeline.columns.size();
  const std::uint64_t max_rows =
      std::min(options.max_rows.value_or(kSweepOperations / columns), kSweepMostOperations / columns);
  if (net.pipeline.rows > max_rows) {
    Evaluation evaluation = coarse_bounds(net, Method::sweep);
    if (!evaluation.exact()) evaluation.limit = tpn::TooLarge{"rows", net.pipeline.rows, max_rows};
    return evaluation;
  }
  return Search(net).run(options.deadline);
}

}  // namespace takt::evaluators

// The passes, the search over lambda, and the circuit rebuilt from recorded choices.
#include "evaluators/sweep.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "evaluators/bounds.hpp"

namespace takt::evaluators {

namespace {

using tpn::Column;
using tpn::Dependence;
using tpn::FoldedNet;

__extension__ typedef __int128 Int128;

// Where an operation's predecessor stands: the column, and how many data sets before.
struct Incoming {
  std::size_t column = 0;
  std::uint64_t height = 0;
};

// Guarded predecessors of one column that share a modulus: those of data set j are
// arcs[first[j mod modulus]] .. arcs[first[j mod modulus + 1]].
struct GuardedIncoming {
  std::uint64_t modulus = 1;
  std::vector<std::size_t> first;
  std::vector<Incoming> arcs;
};

// A token: the operation of `column`, `back` data sets before data set 0.
struct Token {
  std::size_t column = 0;
  std::uint64_t back = 0;
};

// What a pass needs to know of a net, whatever the numbers.
struct Plan {
  struct ColumnPlan {
    std::vector<Incoming> always;
    std::vector<GuardedIncoming> guarded;
    std::size_t ring = 0;       // first slot of the column's ring of recent ends
    std::uint64_t mask = 0;     // ring size - 1, a power of two less one
  };
  std::vector<ColumnPlan> columns;
  std::size_t slots = 0;
  std::vector<Token> tokens;    // the clocks, by column, then by `back` descending
  std::uint64_t rows = 0;
  Integer total_duration;       // of all operations of all rows: no path of a pass is longer
  int origin_bits = 0;          // 2^origin_bits > tokens.size()
};

// Calls visit with the predecessors of a column's operation on `row`, always in the same order.
template <typename Visit>
void for_each_incoming(const Plan::ColumnPlan& column, std::uint64_t row, Visit visit) {
  for (const Incoming& in : column.always) visit(in);
  for (const GuardedIncoming& group : column.guarded) {
    const std::uint64_t r = row % group.modulus;
    for (std::size_t k = group.first[r]; k < group.first[r + 1]; ++k) visit(group.arcs[k]);
  }
}

Plan make_plan(const FoldedNet& net) {
  const auto& pipeline = net.pipeline;
  Plan plan;
  plan.rows = pipeline.rows.get_ui();
  plan.columns.resize(pipeline.columns.size());
  std::vector<std::vector<bool>> holds_token(pipeline.columns.size());  // [column][back]
  std::vector<std::map<std::uint64_t, std::map<std::uint64_t, std::vector<Incoming>>>> guarded(pipeline.columns.size());

  for (const Dependence& d : net.dependences) {
    if (d.modulus == 1) {
      plan.columns[d.to].always.push_back({d.from, d.height});
    } else {
      guarded[d.to][d.modulus][(d.residue + d.height) % d.modulus].push_back({d.from, d.height});
    }
    auto& backs = holds_token[d.from];
    if (backs.size() <= d.height) backs.resize(d.height + 1, false);
    for (std::uint64_t back = d.modulus - d.residue; back <= d.height; back += d.modulus) {
      for (std::uint64_t b = back; b > 0; b = b > plan.rows ? b - plan.rows : 0) backs[b] = true;
    }
  }
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    Plan::ColumnPlan& column = plan.columns[c];
    for (const auto& [modulus, by_residue] : guarded[c]) {
      GuardedIncoming group;
      group.modulus = modulus;
      group.first.assign(modulus + 1, 0);
      for (const auto& [residue, arcs] : by_residue) group.first[residue + 1] = arcs.size();
      for (std::size_t r = 0; r < modulus; ++r) group.first[r + 1] += group.first[r];
      for (const auto& [residue, arcs] : by_residue) group.arcs.insert(group.arcs.end(), arcs.begin(), arcs.end());
      column.guarded.push_back(std::move(group));
    }
    const std::uint64_t longest = holds_token[c].empty() ? 0 : holds_token[c].size() - 1;
    column.ring = plan.slots;
    column.mask = std::bit_ceil(longest + 1) - 1;
    plan.slots += column.mask + 1;
    for (std::uint64_t back = longest; back > 0; --back) {
      if (holds_token[c][back]) plan.tokens.push_back({c, back});
    }
  }
  for (const Column& column : pipeline.columns) {
    // An entry of the table occurs at most once for each data set it can serve; the largest bounds all.
    plan.total_duration += *std::ranges::max_element(column.table) * pipeline.rows;
  }
  plan.origin_bits = static_cast<int>(std::bit_width(plan.tokens.size()));
  return plan;
}

Integer shifted(const Integer& value, int bits) { return value << static_cast<mp_bitcnt_t>(bits); }

template <typename Number>
Number narrow(const Integer& value) {
  if constexpr (std::is_same_v<Number, Integer>) {
    return value;
  } else if constexpr (std::is_same_v<Number, std::int64_t>) {
    return value.get_si();
  } else {
    const Integer high = value >> 64;  // floor, so the low half is not negative
    const Integer low = value - (high << 64);
    return static_cast<Int128>(high.get_si()) * (static_cast<Int128>(1) << 64) + static_cast<Int128>(low.get_ui());
  }
}

template <typename Number>
Integer widen(const Number& value) {
  if constexpr (std::is_same_v<Number, Integer>) {
    return value;
  } else if constexpr (std::is_same_v<Number, std::int64_t>) {
    return Integer(static_cast<long>(value));
  } else {
    const Integer high = static_cast<long>(value >> 64);
    return (high << 64) + Integer(static_cast<unsigned long>(value));
  }
}

// One pass y = A x: for each token its value and the token its path came from.
struct Pass {
  std::vector<Integer> values;
  std::vector<std::size_t> origins;
};

constexpr std::uint64_t kRowsBetweenClockReadings = 1 << 14;

// The passes of one net with durations scaled by `factor`, in one kind of number.
template <typename Number>
class Sweeper {
 public:
  Sweeper(const FoldedNet& net, const Plan& plan, const Integer& factor) : plan_(plan) {
    for (const Column& column : net.pipeline.columns) {
      Durations durations{column.sender_offset, column.receiver_offset, {}};
      durations.table.reserve(column.table.size());
      for (const Integer& d : column.table) durations.table.push_back(narrow<Number>(shifted(d * factor, plan.origin_bits)));
      durations_.push_back(std::move(durations));
    }
  }

  // `choices`, where not null, takes for each operation (row * columns + column) the position of the
  // predecessor it waited for longest. Nothing if the deadline passed.
  std::optional<Pass> run(const std::vector<Integer>& x, const Options& options, std::vector<std::uint8_t>* choices) {
    std::vector<Number> ends(plan_.slots);
    for (std::size_t t = 0; t < plan_.tokens.size(); ++t) {
      const Token& token = plan_.tokens[t];
      ends[slot(token.column, -token.back)] = narrow<Number>(shifted(x[t], plan_.origin_bits) + static_cast<unsigned long>(t));
    }
    std::vector<std::uint64_t> sender_entry(durations_.size(), 0);
    std::vector<std::uint64_t> receiver_entry(durations_.size(), 0);
    for (std::uint64_t row = 0; row < plan_.rows; ++row) {
      if (row % kRowsBetweenClockReadings == 0 && options.deadline &&
          std::chrono::steady_clock::now() >= *options.deadline) {
        return std::nullopt;
      }
      for (std::size_t c = 0; c < durations_.size(); ++c) {
        const Durations& d = durations_[c];
        const Number& duration = d.table[d.sender_offset[sender_entry[c]] + d.receiver_offset[receiver_entry[c]]];
        if (++sender_entry[c] == d.sender_offset.size()) sender_entry[c] = 0;
        if (++receiver_entry[c] == d.receiver_offset.size()) receiver_entry[c] = 0;
        const Number* latest = choices ? latest_end<true>(ends, c, row, choices) : latest_end<false>(ends, c, row, nullptr);
        ends[slot(c, row)] = *latest + duration;
      }
    }
    Pass pass;
    for (const Token& token : plan_.tokens) {
      const Integer key = widen<Number>(ends[slot(token.column, plan_.rows - token.back)]);
      const Integer value = key >> static_cast<mp_bitcnt_t>(plan_.origin_bits);
      pass.origins.push_back(Integer(key - shifted(value, plan_.origin_bits)).get_ui());
      pass.values.push_back(value);
    }
    return pass;
  }

 private:
  struct Durations {
    std::vector<std::size_t> sender_offset;
    std::vector<std::size_t> receiver_offset;
    std::vector<Number> table;
  };

  std::size_t slot(std::size_t column, std::uint64_t data_set) const {
    return plan_.columns[column].ring + (data_set & plan_.columns[column].mask);
  }

  template <bool kRecord>
  const Number* latest_end(const std::vector<Number>& ends, std::size_t c, std::uint64_t row,
                           std::vector<std::uint8_t>* choices) const {
    const Plan::ColumnPlan& column = plan_.columns[c];
    const Number* latest = nullptr;
    std::size_t position = 0;
    std::size_t chosen = 0;
    for_each_incoming(column, row, [&](const Incoming& in) {
      const Number& end = ends[slot(in.column, row - in.height)];
      if (latest == nullptr || end > *latest) {
        latest = &end;
        if constexpr (kRecord) chosen = position;
      }
      if constexpr (kRecord) ++position;
    });
    maxplus::expects(latest != nullptr, "every operation waits for another");
    if constexpr (kRecord) (*choices)[row * plan_.columns.size() + c] = static_cast<std::uint8_t>(chosen);
    return latest;
  }

  const Plan& plan_;
  std::vector<Durations> durations_;
};

// A circuit of tokens and its ratio of weight (net units) to tokens.
struct TokenCircuit {
  Rational ratio;
  std::vector<std::size_t> tokens;
};

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// The cycle of largest ratio in a graph in which each token has at most one predecessor.
std::optional<TokenCircuit> best_cycle(const std::vector<std::size_t>& predecessor, const std::vector<Integer>& weight) {
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
  Search(const FoldedNet& net, const Options& options) : net_(net), options_(options), plan_(make_plan(net)) {}

  Evaluation run() {
    Evaluation evaluation = coarse_bounds(net_, Method::sweep);
    const Rational units_a_period = Rational(net_.pipeline.scale * net_.pipeline.rows);
    set_lambda(evaluation.lower * units_a_period);
    x_.assign(plan_.tokens.size(), 0);
    forget_parents();
    for (;;) {
      const std::optional<Pass> pass = run_pass(x_, nullptr);
      if (!pass) {
        evaluation.limit = OutOfTime{};
        break;
      }
      // What this pass proves: A x <= x + rise.
      Integer rise = pass->values[0] - x_[0];
      for (std::size_t t = 0; t < x_.size(); ++t) rise = std::max(rise, Integer(pass->values[t] - x_[t]));
      const Rational upper = Rational::fraction(rise, factor_) / units_a_period;
      if (upper < evaluation.upper) {
        evaluation.upper = upper;
        proven_ = {x_, factor_};
      }
      if (!raise(*pass)) break;
    }
    if (!proven_.clocks.empty()) evaluation.witness = witness();
    evaluation.lower = lambda_ / units_a_period;
    if (!circuit_.empty()) {
      // The rows that make up the circuit are found from clocks that `raise` left at a fixed point, so an
      // interval keeps the circuit of the largest cycle time.
      if (evaluation.exact()) {
        evaluation.circuit = rebuild_circuit();
      } else {
        evaluation.lower = net_.resources[evaluation.busiest].cycle_time;
      }
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
  std::optional<Pass> run_pass(const std::vector<Integer>& x, std::vector<std::uint8_t>* choices) {
    Integer largest = 0;
    for (const Integer& value : x) largest = std::max(largest, Integer(abs(value)));
    const Integer bound = shifted(largest + plan_.total_duration * factor_ + 1, plan_.origin_bits);
    const std::size_t bits = mpz_sizeinbase(bound.get_mpz_t(), 2) + 1;
    if (bits <= 63) return sweeper(narrow_).run(x, options_, choices);
    if (bits <= 127) return sweeper(wide_).run(x, options_, choices);
    return sweeper(unbounded_).run(x, options_, choices);
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
          const Integer& end = in.height > row ? clock_of(in.column, in.height - row) : ends[(row - in.height) * columns + in.column];
          if (start == nullptr || end > *start) start = &end;
        });
        schedule.starts.push_back(Rational(*start) * unit);
        ends[row * columns + c] = *start + net_.pipeline.columns[c].duration(row) * proven_.factor;
      }
    }
    return schedule;
  }

  // From the final x, a pass in which only the circuit's own clocks count: each ends exactly lambda later,
  // on paths that start at clocks of the circuit, so following origins closes a circuit of ratio lambda.
  CriticalCircuit rebuild_circuit() {
    const Integer lowest = *std::ranges::min_element(x_, {}, [](const Integer& v) { return v; });
    std::vector<Integer> only(x_.size(), lowest - plan_.total_duration * factor_ - 1);
    for (const std::size_t t : circuit_) only[t] = x_[t];
    std::vector<std::uint8_t> choices(plan_.rows * plan_.columns.size());
    Options unhurried = options_;
    unhurried.deadline.reset();
    std::swap(options_, unhurried);
    const Pass pass = *run_pass(only, &choices);
    std::swap(options_, unhurried);

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
    CriticalCircuit result;
    result.data_set = operations.front().data_set;
    for (std::size_t k = 0; k < operations.size(); ++k) {
      const bool last = k + 1 == operations.size();
      const std::uint64_t next =
          last ? operations.front().data_set + laps.size() * plan_.rows : operations[k + 1].data_set;
      result.steps.push_back({operations[k].column, next - operations[k].data_set});
    }
    return result;
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
  Options options_;
  Plan plan_;
  Rational lambda_;
  Integer factor_ = 1;         // denominator of lambda_
  std::vector<Integer> x_;     // clocks, net units times factor_
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
  const std::uint64_t max_rows = options.max_rows.value_or(kSweepOperations / net.pipeline.columns.size());
  if (net.pipeline.rows > max_rows) {
    Evaluation evaluation = coarse_bounds(net, Method::sweep);
    if (!evaluation.exact()) evaluation.limit = tpn::TooLarge{"rows", net.pipeline.rows, max_rows};
    return evaluation;
  }
  return Search(net, options).run();
}

}  // namespace takt::evaluators

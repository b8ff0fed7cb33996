// The search over lambda, the clocks of a round of data sets, and the circuit.
#include "evaluators/columns/torus.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "evaluators/columns/torus_pass.hpp"
#include "evaluators/kernel/clock_cycles.hpp"
#include "evaluators/kernel/numbers.hpp"

namespace takt::evaluators {

namespace {

// A weight over the tokens of a circuit.
template <typename Key>
struct Ratio {
  Key weight = 0;
  std::size_t tokens = 1;
};

template <typename Key>
bool less(const Ratio<Key>& a, const Ratio<Key>& b) {
  if constexpr (std::is_same_v<Key, std::int64_t>) {
    return static_cast<Int128>(a.weight) * static_cast<Int128>(b.tokens) <
           static_cast<Int128>(b.weight) * static_cast<Int128>(a.tokens);
  } else {
    return widen(a.weight) * b.tokens < widen(b.weight) * a.tokens;
  }
}

// One arc into each clock, at most: from where, and what it weighs.
template <typename Key>
struct Arcs {
  std::vector<std::size_t> from;
  std::vector<Key> weight;

  explicit Arcs(std::size_t clocks) : from(clocks, kNoVertex<std::size_t>), weight(clocks, 0) {}
};

template <typename Key>
struct BestCircuit {
  Ratio<Key> ratio;
  std::size_t member = 0;
};

// Not inlined: GCC 12 would warn that seen_from frees what was never allocated.
template <typename Key>
[[gnu::noinline]] std::optional<BestCircuit<Key>> best_circuit(const Arcs<Key>& arcs) {
  std::optional<BestCircuit<Key>> best;
  std::vector<std::size_t> seen_from(arcs.from.size(), kNoVertex<std::size_t>);
  const auto before = [&](std::size_t t) { return arcs.from[t]; };
  for_each_cycle(std::span(seen_from), before, [&](std::size_t t) {
    // At most as many weights as clocks, each that of a path within a pass: fits a key, as it is, times the
    // number of clocks.
    Ratio<Key> ratio{0, 0};
    std::size_t member = t;
    do {
      ratio.weight += arcs.weight[member];
      ++ratio.tokens;
      member = arcs.from[member];
    } while (member != t);
    if (!best || less(best->ratio, ratio)) best = BestCircuit<Key>{ratio, t};
  });
  return best;
}

// What a typical round takes, guessed from a sample: from the longer side's mean load, if all durations are
// equal, to the load of both sides, if they vary like exponential ones.
double estimated_lambda(const Torus& torus) {
  constexpr std::size_t kSamples = 512;
  const std::size_t stride = torus.durations.size() / kSamples + 1;
  double count = 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t k = 0; k < torus.durations.size(); k += stride) {
    const auto duration = static_cast<double>(torus.durations[k]);
    count += 1;
    sum += duration;
    squares += duration * duration;
  }
  const double mean = sum / count;
  if (!(mean > 0)) return 0;
  const double variation = std::max(0.0, squares / count / (mean * mean) - 1);  // squared
  const auto longer = static_cast<double>(std::max(torus.senders, torus.receivers));
  const auto shorter = static_cast<double>(std::min(torus.senders, torus.receivers));
  return mean * (longer + shorter * std::min(1.0, variation));
}

// The search of the header comment, with the passes of TorusLanePasses or TorusPlainPasses.
template <typename Passes, typename Key>
class TorusSearch {
 public:
  TorusSearch(Passes& passes, const TorusOptions& options)
      : passes_(passes),
        options_(options),
        clocks_(passes.grid().rows + passes.grid().columns),
        tag_bits_(static_cast<int>(std::bit_width(clocks_)) + 1),
        longest_path_(Integer(static_cast<unsigned long>(passes.longest())) * (clocks_ - 1)),
        arcs_(clocks_),
        parents_(clocks_) {}

  std::variant<TorusAnswer, OutOfTime, KeysTooLong> run(double estimate) {
    // No ratio exceeds the longest path of a pass, so a larger known one says no more.
    const Integer known = std::min(options_.known, longest_path_);
    if (!fits(0, 1)) return KeysTooLong{};
    lambda_ = {narrow<Key>(known), 1};
    start_clocks(std::max(estimate, known.get_d()));
    TorusAnswer answer;
    for (;;) {
      if (!fits(*std::ranges::max_element(x_), lambda_.tokens)) return KeysTooLong{};
      keys_ = tagged(x_);
      if (!passes_.run(keys_, factor_of_pass(), options_.deadline, nullptr)) {
        answer.out_of_time = true;
        break;
      }
      ++answer.passes;
      if (is_last_pass()) break;
      if (!raise()) return KeysTooLong{};
    }
    if (!proven_) return OutOfTime{};
    finish(answer);
    return answer;
  }

 private:
  // Clocks x with A x <= x + rise, all times factor.
  struct Proof {
    std::vector<Key> x;
    Ratio<Key> upper;  // rise / factor
  };

  // Whether no key of a pass leaves the quarter of the numbers around 0: |key| <= (largest clock + factor * longest
  // path + 1) * 2^tag_bits. Clocks are never negative. As 2^tag_bits is more than the clocks, sums of as many weights
  // fit as well.
  bool fits(const Key& largest_clock, std::size_t factor) const {
    const Integer value = widen(largest_clock) + longest_path_ * factor + 1;
    return mpz_sizeinbase(value.get_mpz_t(), 2) + static_cast<std::size_t>(tag_bits_) <= 8 * sizeof(Key) - 3;
  }

  Key factor_of_pass() const { return static_cast<Key>(lambda_.tokens) << tag_bits_; }

  std::vector<Key> tagged(const std::vector<Key>& values) const {
    std::vector<Key> keys(clocks_);
    for (std::size_t t = 0; t < clocks_; ++t) keys[t] = (values[t] << tag_bits_) | static_cast<Key>(t);
    return keys;
  }

  std::size_t origin_of(const Key& key) const {
    // Without the highest bit of the tag, which only the traced pass sets.
    return static_cast<std::size_t>(key & ((Key{1} << (tag_bits_ - 1)) - 1));
  }

  // On the slope that clocks of the given lambda would have: lambda / u from row to row, lambda / v from column
  // to column. Rounding does no harm.
  void start_clocks(double lambda) {
    x_.assign(clocks_, 0);
    const std::size_t rows = passes_.grid().rows;
    if (!(lambda < 0x1p60)) return;
    for (std::size_t t = 0; t < clocks_; ++t) {
      const double share = t < rows ? static_cast<double>(t) / static_cast<double>(rows)
                                    : static_cast<double>(t - rows) / static_cast<double>(clocks_ - rows);
      x_[t] = static_cast<Key>(static_cast<std::int64_t>(lambda * share));
    }
    if (!fits(*std::ranges::max_element(x_), 1)) x_.assign(clocks_, 0);
  }

  // Reads the arcs of a pass. True if they show that lambda is an upper bound.
  bool is_last_pass() {
    const auto factor = static_cast<Key>(lambda_.tokens);
    Key rise = (keys_[0] >> tag_bits_) - x_[0];
    for (std::size_t t = 0; t < clocks_; ++t) {
      const Key value = keys_[t] >> tag_bits_;
      arcs_.from[t] = origin_of(keys_[t]);
      arcs_.weight[t] = (value - x_[arcs_.from[t]]) / factor;
      rise = std::max(rise, value - x_[t]);
    }
    const Ratio<Key> upper{rise, lambda_.tokens};
    if (!proven_ || less(upper, proven_->upper)) proven_ = Proof{x_, upper};
    return rise <= lambda_.weight;
  }

  // Raises lambda to the best circuit of the pass, then the clocks along its arcs until none rises more, or a
  // circuit of parents raises lambda again. False if the numbers would become too long.
  bool raise() {
    if (!raise_lambda(arcs_)) return false;
    for (;;) {
      std::vector<Key> x = x_;
      Arcs<Key> parents = parents_;
      relax(x, parents);
      const Ratio<Key> before = lambda_;
      if (!raise_lambda(parents)) return false;
      if (!less(before, lambda_)) {
        x_ = std::move(x);
        parents_ = std::move(parents);
        return true;
      }
    }
  }

  bool raise_lambda(const Arcs<Key>& arcs) {
    const auto best = best_circuit(arcs);
    if (!best || !less(lambda_, best->ratio)) return true;
    circuit_.clear();
    std::size_t t = best->member;
    do {
      circuit_.push_back(t);
      t = arcs.from[t];
    } while (t != best->member);
    Ratio<Key> lambda = best->ratio;
    Key a = lambda.weight;
    for (auto b = static_cast<Key>(lambda.tokens); b != 0;) a = std::exchange(b, a % b);
    lambda.weight /= a;
    lambda.tokens /= static_cast<std::size_t>(a);
    if (lambda.tokens != lambda_.tokens) {
      const Integer largest = widen(*std::ranges::max_element(x_)) * lambda.tokens;
      if (mpz_sizeinbase(largest.get_mpz_t(), 2) > 126) return false;
      for (Key& value : x_) {
        value = static_cast<Key>(static_cast<Int128>(value) * static_cast<Int128>(lambda.tokens) /
                                 static_cast<Int128>(lambda_.tokens));
      }
    }
    lambda_ = lambda;
    parents_ = Arcs<Key>(clocks_);
    return fits(*std::ranges::max_element(x_), lambda_.tokens);
  }

  // Clocks rise along the arcs of the pass. As none of their circuits exceeds lambda, twice around a circuit, then
  // once along every path out of it, leaves nothing to raise.
  void relax(std::vector<Key>& x, Arcs<Key>& parents) const {
    const auto factor = static_cast<Key>(lambda_.tokens);
    const auto raise_clock = [&](std::size_t t) {
      const Key value = x[arcs_.from[t]] + arcs_.weight[t] * factor - lambda_.weight;
      if (value <= x[t]) return;
      x[t] = value;
      parents.from[t] = arcs_.from[t];
      parents.weight[t] = arcs_.weight[t];
    };
    enum class State : std::uint8_t { untouched, on_path, final };
    std::vector<State> state(clocks_, State::untouched);
    std::vector<std::size_t> path;
    for (std::size_t start = 0; start < clocks_; ++start) {
      path.clear();
      std::size_t t = start;
      for (; state[t] == State::untouched; t = arcs_.from[t]) {
        state[t] = State::on_path;
        path.push_back(t);
      }
      if (state[t] == State::on_path) {
        for (auto member = path.rbegin(); *member != t; ++member) raise_clock(*member);
        raise_clock(t);
      }
      for (auto member = path.rbegin(); member != path.rend(); ++member) {
        raise_clock(*member);
        state[*member] = State::final;
      }
    }
  }

  // One more pass, from the clocks that prove the upper bound. Among paths of equal value those from clocks of the
  // circuit come first, so at a clock of the circuit, which ends exactly lambda later, the path does.
  void finish(TorusAnswer& answer) {
    const bool closes = !answer.out_of_time && !circuit_.empty();
    const Key rise = proven_->upper.weight;
    lambda_.tokens = proven_->upper.tokens;
    keys_ = tagged(proven_->x);
    if (closes) {
      for (const std::size_t t : circuit_) keys_[t] |= Key{1} << (tag_bits_ - 1);
    }
    PassTrace<Key> trace;
    trace.choices = closes;
    passes_.run(keys_, factor_of_pass(), {}, &trace);

    const Grid& grid = passes_.grid();
    answer.factor = Integer(static_cast<unsigned long>(lambda_.tokens));
    answer.upper = Rational::fraction(widen(rise), answer.factor);
    answer.sender_clocks.resize(grid.rows);
    answer.receiver_clocks.resize(grid.columns);
    // Grid's last cells end where a sender's, or receiver's, last data set of a round does: a round before that,
    // its last one before data set 0.
    for (std::size_t i = 0; i < grid.rows; ++i) {
      answer.sender_clocks[grid.sender(i)] = widen((trace.row_ends[i] >> tag_bits_) - rise);
    }
    for (std::size_t j = 0; j < grid.columns; ++j) {
      answer.receiver_clocks[grid.receiver(j)] = widen((trace.column_ends[j] >> tag_bits_) - rise);
    }
    if (!closes) return;
    answer.lower = answer.upper;
    trace_circuit(answer.circuit);
  }

  void trace_circuit(TorusCircuit& circuit) const {
    std::vector<bool> seen(clocks_, false);
    std::size_t t = circuit_.front();
    for (; !seen[t]; t = origin_of(keys_[t])) seen[t] = true;
    const std::size_t last = t;
    do {
      t = trace_lap(t, circuit);
    } while (t != last);
    // From "how each transfer was reached", the last one first, to "where each one leads", from the first.
    std::ranges::reverse(circuit.moves);
    std::rotate(circuit.moves.begin(), circuit.moves.begin() + 1, circuit.moves.end());
  }

  // From the transfer that leaves a clock back to the first one of its lap, which becomes the circuit's; the clock
  // before.
  std::size_t trace_lap(std::size_t clock, TorusCircuit& circuit) const {
    const Grid& grid = passes_.grid();
    std::size_t row = clock < grid.rows ? clock : grid.rows - 1;
    std::size_t column = clock < grid.rows ? grid.columns - 1 : clock - grid.rows;
    for (;;) {
      const bool along_row = passes_.came_along_row(row, column);
      circuit.moves.push_back(along_row ? TorusMove::same_sender : TorusMove::same_receiver);
      if ((along_row ? column : row) == 0) {
        circuit.first = grid.data_set(row, column);
        return along_row ? row : grid.rows + column;
      }
      --(along_row ? column : row);
    }
  }

  Passes& passes_;
  const TorusOptions& options_;
  std::size_t clocks_;  // rows, then columns
  int tag_bits_;        // 2^(tag_bits - 1) > clocks
  Integer longest_path_;
  Ratio<Key> lambda_;
  std::vector<Key> x_;  // clocks, durations times lambda_.tokens
  std::vector<Key> keys_;
  Arcs<Key> arcs_;  // of the last pass
  Arcs<Key> parents_;
  std::vector<std::size_t> circuit_;  // the clocks of lambda_'s circuit; empty while it is `known`
  std::optional<Proof> proven_;
};

// One sender or one receiver: its own circuit goes through all transfers, and no other is as long.
TorusAnswer solve_line(const Torus& torus, const Integer& known) {
  TorusAnswer answer;
  const std::size_t length = torus.durations.size();
  const bool one_sender = torus.senders == 1;
  auto& ends = one_sender ? answer.receiver_clocks : answer.sender_clocks;
  Integer end = 0;
  for (const std::int64_t duration : torus.durations) {
    end += static_cast<long>(duration);
    ends.push_back(end);
  }
  for (Integer& clock : ends) clock -= end;
  (one_sender ? answer.sender_clocks : answer.receiver_clocks).assign(1, 0);
  answer.upper = end;
  if (end <= known) return answer;
  answer.lower = end;
  answer.circuit.moves.assign(length, one_sender ? TorusMove::same_sender : TorusMove::same_receiver);
  return answer;
}

}  // namespace

std::variant<TorusAnswer, OutOfTime, KeysTooLong> solve_torus(const Torus& torus, const TorusOptions& options) {
  maxplus::expects(torus.senders > 0 && torus.receivers > 0 && std::gcd(torus.senders, torus.receivers) == 1,
                   "senders and receivers are coprime");
  maxplus::expects(
      torus.durations.size() / torus.senders == torus.receivers && torus.durations.size() % torus.senders == 0,
      "every sender has a duration with every receiver");
  maxplus::expects(!options.instructions || supports(*options.instructions), "the machine has the instructions");
  const std::size_t shorter = std::min(torus.senders, torus.receivers);
  if (shorter == 1 && !options.instructions) return solve_line(torus, options.known);
  const double estimate = estimated_lambda(torus);
  if (options.instructions || shorter >= kBandRows) {
    TorusLanePasses passes(torus, options.instructions.value_or(best_instructions()));
    if (passes.usable()) {
      auto answer = TorusSearch<TorusLanePasses, std::int64_t>(passes, options).run(estimate);
      if (!std::holds_alternative<KeysTooLong>(answer)) return answer;
    }
  } else {
    TorusPlainPasses<std::int64_t> passes(torus);
    auto answer = TorusSearch<TorusPlainPasses<std::int64_t>, std::int64_t>(passes, options).run(estimate);
    if (!std::holds_alternative<KeysTooLong>(answer)) return answer;
  }
  TorusPlainPasses<Int128> passes(torus);
  return TorusSearch<TorusPlainPasses<Int128>, Int128>(passes, options).run(estimate);
}

}  // namespace takt::evaluators

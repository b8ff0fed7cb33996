// The search over lambda, the clocks of a round of data sets, and the circuit.
#include "evaluators/columns/torus.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "evaluators/columns/torus_pass.hpp"
#include "evaluators/kernel/numbers.hpp"
#include "evaluators/kernel/ratio_search.hpp"

namespace takt::evaluators {

namespace {

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
        keys_(clocks_) {}

  std::variant<TorusAnswer, OutOfTime, KeysTooLong> run(double estimate) {
    // No ratio exceeds the longest path of a pass, so a larger known one says no more.
    const Integer known = std::min(options_.known, longest_path_);
    if (!fits(0, 1)) return KeysTooLong{};
    place_on_slope(std::max(estimate, known.get_d()), search_.prepare(clocks_));
    const auto pass = [this](const std::vector<Key>& x, const Key& factor, ClockArcs<Key>& arcs) {
      return play(x, factor, arcs);
    };
    const SearchEnd end = search_.run({narrow<Key>(known), 1}, pass, [](const ClockRatio<Key>&) { return false; });
    if (end == SearchEnd::too_wide) return KeysTooLong{};
    if (!search_.upper()) return OutOfTime{};
    TorusAnswer answer;
    answer.passes = search_.passes();
    answer.out_of_time = end == SearchEnd::out_of_time;
    finish(answer);
    return answer;
  }

 private:
  // Whether no key of a pass leaves the quarter of the numbers around 0: |key| <= (largest clock + factor * longest
  // path + 1) * 2^tag_bits. Clocks are never negative. As 2^tag_bits is more than twice the clocks, sums of as many
  // weights are in range as well.
  bool fits(const Key& largest_clock, const Key& factor) const {
    const Integer value = widen(largest_clock) + longest_path_ * widen(factor) + 1;
    return mpz_sizeinbase(value.get_mpz_t(), 2) + static_cast<std::size_t>(tag_bits_) <= 8 * sizeof(Key) - 3;
  }

  void tag(const std::vector<Key>& values) {
    for (std::size_t t = 0; t < clocks_; ++t) keys_[t] = (values[t] << tag_bits_) | static_cast<Key>(t);
  }

  std::uint32_t origin_of(const Key& key) const {
    // Without the highest bit of the tag, which only the traced pass sets.
    return static_cast<std::uint32_t>(key & ((Key{1} << (tag_bits_ - 1)) - 1));
  }

  // On the slope that clocks of the given lambda would have: lambda / u from row to row, lambda / v from column
  // to column. Rounding does no harm.
  void place_on_slope(double lambda, std::vector<Key>& x) const {
    const std::size_t rows = passes_.grid().rows;
    if (!(lambda < 0x1p60)) return;
    for (std::size_t t = 0; t < clocks_; ++t) {
      const double share = t < rows ? static_cast<double>(t) / static_cast<double>(rows)
                                    : static_cast<double>(t - rows) / static_cast<double>(clocks_ - rows);
      x[t] = static_cast<Key>(static_cast<std::int64_t>(lambda * share));
    }
    if (!fits(*std::ranges::max_element(x), 1)) x.assign(clocks_, 0);
  }

  // One pass of the search.
  PassOutcome play(const std::vector<Key>& x, const Key& factor, ClockArcs<Key>& arcs) {
    if (!fits(*std::ranges::max_element(x), factor)) return PassOutcome::too_wide;
    tag(x);
    if (!passes_.run(keys_, factor << tag_bits_, options_.deadline, nullptr)) return PassOutcome::out_of_time;
    for (std::size_t t = 0; t < clocks_; ++t) {
      arcs.values[t] = keys_[t] >> tag_bits_;
      arcs.origins[t] = origin_of(keys_[t]);
    }
    return PassOutcome::done;
  }

  // One more pass, from the clocks that prove the upper bound. Among paths of equal value those from clocks of the
  // circuit come first, so at a clock of the circuit, which ends exactly lambda later, the path does.
  void finish(TorusAnswer& answer) {
    const bool closes = !answer.out_of_time && !search_.circuit().empty();
    const auto [rise, factor] = *search_.upper();
    tag(search_.proven());
    if (closes) {
      for (const std::uint32_t t : search_.circuit()) keys_[t] |= Key{1} << (tag_bits_ - 1);
    }
    PassTrace<Key> trace;
    trace.choices = closes;
    passes_.run(keys_, factor << tag_bits_, {}, &trace);

    const TorusGrid& grid = passes_.grid();
    answer.factor = widen(factor);
    answer.upper = Rational::fraction(widen(rise), answer.factor);
    answer.sender_clocks.resize(grid.rows);
    answer.receiver_clocks.resize(grid.columns);
    // TorusGrid's last cells end where a sender's, or receiver's, last data set of a round does: a round before that,
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
    std::size_t t = search_.circuit().front();
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
    const TorusGrid& grid = passes_.grid();
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
  RatioSearch<Key, Evidence::kept> search_;
  std::vector<Key> keys_;  // of a pass: a clock's value, and the clock it came from
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

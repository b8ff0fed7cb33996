// Labels pairs of residues of neighboring parts, so that a walk that comes down along them has to satisfy one
// condition.
#include "tests/support/coprime_families.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "tests/support/timed_parts.hpp"

namespace takt::support {

namespace {

using maxplus::integer_of;
using maxplus::Rational;

// Parts whose only valid residue is 0: where all of them have it, a number may be an assignment. The other labeled
// parts are one a variable, with the valid residues 0 and 1, its values.
constexpr std::size_t kMarkers = 2;

/// What a walk that comes down at data set y has to satisfy, y - start being the assignment. The start is no less than
/// `from`.
struct Label {
  std::vector<Literal> condition;
  std::uint64_t from = 0;
};

/// Where the labels are.
struct LabelLayout {
  std::vector<std::uint64_t> moduli;       // of the labeled parts: markers, then variables
  std::vector<std::uint64_t> starts;       // of the labels
  std::vector<std::vector<bool>> labeled;  // for each part and residue
};

/// What steps weigh, but for what labels and residues make of it.
struct LabelWeights {
  std::uint64_t candidate;
  std::uint64_t refund;       // more on each label, less at each part that stands before one
  std::uint64_t fee;          // of each pair
  std::uint64_t label_bonus;  // more on labels between the first two parts
  std::uint64_t entry_bonus;  // at residue 0 of the first part
  std::uint64_t penalty;
};

std::uint64_t total_of(const std::vector<std::uint64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

std::uint64_t sum_behind(const std::vector<std::uint64_t>& moduli, std::size_t part) {
  return total_of({moduli.begin() + static_cast<std::ptrdiff_t>(part) + 1, moduli.end()});
}

/// The values that a part may have under a condition.
std::vector<std::uint64_t> values_under(const std::vector<Literal>& condition, std::size_t part) {
  if (part < kMarkers) return {0};
  for (const Literal& literal : condition) {
    if (literal.variable == part - kMarkers) return {literal.positive ? 1U : 0U};
  }
  return {0, 1};
}

/// The least starts at which no residue is labeled twice, nor a valid one where these are `kept`; none if one of them
/// would be more than `width` from where it may begin.
std::optional<LabelLayout> place_labels(const std::vector<Label>& labels, std::vector<std::uint64_t> moduli,
                                        std::uint64_t width, bool valid_are_kept) {
  LabelLayout layout{std::move(moduli), {}, {}};
  for (const std::uint64_t modulus : layout.moduli) {
    layout.labeled.emplace_back(modulus, false);
    if (valid_are_kept) layout.labeled.back()[0] = layout.labeled.back()[1] = true;
  }
  const auto mark = [&](std::uint64_t start, bool only_look) {
    for (std::size_t part = 0; part < layout.moduli.size(); ++part) {
      for (const std::uint64_t value : {0U, 1U}) {
        const std::uint64_t at = (start + sum_behind(layout.moduli, part) + value) % layout.moduli[part];
        if (only_look && layout.labeled[part][at]) return false;
        if (!only_look) layout.labeled[part][at] = true;
      }
    }
    return true;
  };
  for (const Label& label : labels) {
    std::uint64_t start = label.from;
    while (start < label.from + width && !mark(start, true)) ++start;
    if (start == label.from + width) return std::nullopt;
    mark(start, false);
    layout.starts.push_back(start);
  }
  return layout;
}

std::uint64_t product_of_markers(const LabelLayout& layout) { return layout.moduli[0] * layout.moduli[1]; }

std::vector<std::uint64_t> primes_from(std::uint64_t least, std::size_t count) {
  std::vector<std::uint64_t> primes;
  for (; primes.size() < count; least = primes.back() + 1) primes.push_back(prime_from(least));
  return primes;
}

/// One part for each modulus, each residue penalized or not, and the labels' links between them.
void add_labeled_parts(tpn::Document& document, const std::vector<Label>& labels, const LabelLayout& layout,
                       const LabelWeights& weights, const std::vector<std::vector<bool>>& penalized) {
  const std::size_t first = document.mapping->size();
  const std::vector<std::uint64_t>& moduli = layout.moduli;
  for (std::size_t part = 0; part < moduli.size(); ++part) {
    const std::uint64_t usual =
        weights.candidate * moduli[part] - 2 - (part + 1 < moduli.size() ? weights.refund : 0) - weights.fee;
    std::vector<std::uint64_t> times(moduli[part], usual);
    if (part == 0) times[0] += weights.entry_bonus;
    for (std::size_t residue = 0; residue < times.size(); ++residue) {
      if (penalized[part][residue]) times[residue] -= weights.penalty;
    }
    add_timed_part(document, times);
  }
  for (std::size_t part = 0; part + 1 < moduli.size(); ++part) {
    const std::vector<std::size_t>& senders = (*document.mapping)[first + part].processors;
    const std::vector<std::size_t>& receivers = (*document.mapping)[first + part + 1].processors;
    const std::uint64_t time = 1 + weights.refund + (part == 0 ? weights.label_bonus : 0);
    for (std::size_t k = 0; k < labels.size(); ++k) {
      const std::uint64_t shifted = layout.starts[k] + sum_behind(moduli, part);
      for (const std::uint64_t sent : values_under(labels[k].condition, part)) {
        for (const std::uint64_t received : values_under(labels[k].condition, part + 1)) {
          add_link(document, senders[(sent + shifted) % moduli[part]],
                   receivers[(received + shifted) % moduli[part + 1]], time);
        }
      }
    }
  }
}

std::vector<std::vector<bool>> not_valid(const std::vector<std::uint64_t>& moduli) {
  std::vector<std::vector<bool>> invalid;
  for (const std::uint64_t modulus : moduli) {
    std::vector<bool>& residues = invalid.emplace_back(modulus, true);
    residues[0] = false;
    if (invalid.size() > kMarkers) residues[1] = false;
  }
  return invalid;
}

maxplus::Integer product_of(const std::vector<std::uint64_t>& moduli) {
  maxplus::Integer product = 1;
  for (const std::uint64_t modulus : moduli) product *= integer_of(modulus);
  return product;
}

// The parts of a counting instance, behind one processor each that compute so long less than the candidate.
CountingInstance counting_behind(const Formula& terms, std::uint64_t least, std::uint64_t more,
                                 const std::vector<std::uint64_t>& less) {
  std::vector<Label> labels;
  labels.reserve(terms.clauses.size());
  for (const std::vector<Literal>& term : terms.clauses) labels.push_back({term, 1});
  const std::size_t parts = kMarkers + terms.variables;
  std::optional<LabelLayout> layout;
  const auto is_wide = [](const LabelLayout& one) {
    return product_of_markers(one) > *std::ranges::max_element(one.starts) + total_of(one.moduli);
  };
  for (; !layout || !is_wide(*layout); ++least) {
    std::vector<std::uint64_t> moduli = primes_from(least, parts);
    std::rotate(moduli.begin(), moduli.end() - kMarkers, moduli.end());  // the markers are the largest
    layout = place_labels(labels, moduli, 4 * total_of(moduli), true);
  }
  const std::uint64_t refund = parts + 2;
  const LabelWeights weights{3 * refund + 3 + more, refund, 1, 0, parts + 1, 2 * refund};
  CountingInstance instance;
  instance.candidate = weights.candidate;
  instance.data_sets = product_of(layout->moduli);
  for (const std::uint64_t one : less) add_timed_part(instance.document, {weights.candidate - one});
  add_labeled_parts(instance.document, labels, *layout, weights, not_valid(layout->moduli));
  add_timed_part(instance.document, {weights.candidate - 1});
  return instance;
}

// In each block of a window but the last a data set from which nothing keeps a walk from going up, whatever the
// assignment.
bool leaves_ways_up(const LabelLayout& layout, std::uint64_t block, std::size_t clauses) {
  const std::uint64_t below = 2 * total_of(layout.moduli);
  const auto is_free = [&](std::uint64_t data_set) {
    for (std::size_t part = 0; part < layout.moduli.size(); ++part) {
      for (std::uint64_t value = 0; value <= (part < kMarkers ? 0U : 1U); ++value) {
        if (layout.labeled[part][(data_set + value) % layout.moduli[part]]) return false;
      }
    }
    return true;
  };
  for (std::size_t clause = 0; clause < clauses; ++clause) {
    std::uint64_t data_set = clause * block + below;
    while (data_set < (clause + 1) * block && !is_free(data_set)) ++data_set;
    if (data_set == (clause + 1) * block) return false;
  }
  return true;
}

/// Where a formula's passes are: in each window of as many data sets as the markers' product, one block a clause.
struct PassLayout {
  LabelLayout layout;
  std::vector<Label> labels;  // a literal of a clause
  std::uint64_t wait = 0;     // the longest that a walk with all passes of a window waits, and some more
};

std::uint64_t gain_of(const PassLayout& passes) { return passes.wait + 2; }

std::optional<PassLayout> lay_out_passes(const Formula& formula, const std::vector<std::uint64_t>& moduli) {
  const std::size_t clauses = formula.clauses.size();
  const std::uint64_t sum = total_of(moduli);
  const std::uint64_t block = 3 * sum;
  PassLayout passes{{}, {}, (clauses + 2) * block};
  for (std::size_t clause = 0; clause < clauses; ++clause) {
    for (const Literal& literal : formula.clauses[clause]) passes.labels.push_back({{literal}, (clause + 1) * block});
  }
  std::optional<LabelLayout> layout = place_labels(passes.labels, moduli, sum, false);
  if (!layout || !leaves_ways_up(*layout, block, clauses)) return std::nullopt;
  if (product_of_markers(*layout) < 2 * passes.wait + clauses * gain_of(passes) + 2 * sum) return std::nullopt;
  passes.layout = std::move(*layout);
  return passes;
}

// Variables from the least prime that will do, markers from the least behind them.
PassLayout find_passes(const Formula& formula, std::uint64_t least) {
  for (;; ++least) {
    const std::vector<std::uint64_t> variables = primes_from(least, formula.variables);
    for (std::uint64_t marker = variables.back() + 1; marker < 40 * variables.back() * formula.clauses.size();) {
      std::vector<std::uint64_t> moduli = primes_from(marker, kMarkers);
      marker = moduli.front() + 1;
      moduli.insert(moduli.end(), variables.begin(), variables.end());
      std::optional<PassLayout> passes = lay_out_passes(formula, moduli);
      if (passes) return std::move(*passes);
    }
  }
}

}  // namespace

std::uint64_t satisfying_some_term(const Formula& terms) {
  Formula denied = terms;
  for (std::vector<Literal>& clause : denied.clauses) {
    for (Literal& literal : clause) literal.positive = !literal.positive;
  }
  return (std::uint64_t{1} << terms.variables) - satisfying_assignments(denied);
}

CountingInstance coprime_counting_instance(const Formula& terms, std::uint64_t least) {
  return counting_behind(terms, least, 0, {1});
}

CountingInstance coprime_threshold_instance(const Formula& terms, std::uint64_t threshold, std::uint64_t least) {
  const std::uint64_t toll = (std::uint64_t{1} << terms.variables) + 1;
  CountingInstance instance = counting_behind(terms, least, toll, {1, 2 + toll, 2});
  std::optional<Rational>& far = instance.document.platform.processors.front().time;
  *far = *far + Rational::fraction(integer_of(threshold), instance.data_sets);
  return instance;
}

CountingInstance coprime_deciding_instance(const Formula& formula, std::uint64_t least) {
  const PassLayout passes = find_passes(formula, least);
  const std::vector<std::uint64_t>& moduli = passes.layout.moduli;
  const std::uint64_t gain = gain_of(passes);
  const std::uint64_t toll = formula.clauses.size() * gain - passes.wait - 1;
  const std::uint64_t fee = *std::ranges::max_element(moduli);
  const std::uint64_t reward = gain + moduli.size() * fee;
  const std::uint64_t refund = reward + 1;
  const std::uint64_t penalty = 2 * (refund + reward);
  const LabelWeights weights{3 + refund + fee + penalty + toll, refund, fee, reward, 0, penalty};
  CountingInstance instance;
  instance.candidate = weights.candidate;
  instance.data_sets = product_of(moduli);
  for (const std::uint64_t less : {std::uint64_t{1}, 2 + toll, std::uint64_t{3}}) {
    add_timed_part(instance.document, {weights.candidate - less});
  }
  add_labeled_parts(instance.document, passes.labels, passes.layout, weights, passes.layout.labeled);
  add_timed_part(instance.document, {weights.candidate - 2});
  return instance;
}

}  // namespace takt::support

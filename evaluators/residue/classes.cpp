// Rolls over rows and closes over classes, in numbers of each width.
#include "evaluators/residue/classes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <type_traits>
#include <utility>

namespace takt::evaluators {

namespace {

template <typename Number>
bool fits(const Integer& number) {
  if constexpr (std::is_same_v<Number, Integer>) return true;
  return abs(number) < largest_number<Number>();
}

// start * factor / before, rounded down; nothing if that leaves Number.
template <typename Number>
std::optional<Number> rescaled(const Number& start, const Integer& factor, const Integer& before) {
  Integer scaled = widen<Number>(start) * factor;
  mpz_fdiv_q(scaled.get_mpz_t(), scaled.get_mpz_t(), before.get_mpz_t());
  if (!fits<Number>(scaled)) return std::nullopt;
  return narrow<Number>(scaled);
}

// The same for factors of 64 bits.
std::optional<std::int64_t> rescaled_in_128_bits(std::int64_t start, std::int64_t factor, std::int64_t before) {
  const Int128 scaled = static_cast<Int128>(start) * factor / before;
  if (scaled >> 62 != 0) return std::nullopt;
  return static_cast<std::int64_t>(scaled);
}

}  // namespace

template <typename Number>
Integer largest_number() {
  if constexpr (std::is_same_v<Number, std::int64_t>) return Integer(1) << 62;
  return Integer(1) << 126;
}

template <typename Number>
Classes<Number>::Classes(const ResidueSystem& system, const std::vector<std::uint64_t>& moduli,
                         const Deadline& deadline)
    : system_(system),
      moduli_(moduli),
      raised_(moduli.size(), 1),
      examined_(system.precedences.size(), 0),
      lowest_(narrow<Number>(Integer(-largest_number<Number>()))),
      watch_(deadline) {
  for (const std::uint64_t modulus : moduli_) starts_.emplace_back(modulus);
  for (const Precedence& precedence : system_.precedences) {
    if (precedence.height > 0) chunk_ = std::min(chunk_, precedence.height);
  }
  for (const std::uint64_t modulus : moduli_) chunk_ = std::min(chunk_, modulus);
  list_tables();
}

template <typename Number>
void Classes<Number>::list_tables() {
  std::map<std::pair<const tpn::DurationTable*, std::uint64_t>, std::size_t> known;
  for (const Precedence& precedence : system_.precedences) {
    const std::uint64_t height = precedence.modulus == 1 ? precedence.height : 0;
    const auto [table, is_new] = known.try_emplace({precedence.weights.get(), height}, tables_.size());
    if (is_new) tables_.push_back({precedence.weights.get(), height, {}});
    table_.push_back(table->second);
  }
}

template <typename Number>
bool Classes<Number>::set_candidate(const Rational& candidate) {
  const Integer& factor = candidate.denominator();
  if (!rescale(factor)) return false;
  factor_ = factor;
  most_ = 0;
  for (WeightTable& table : tables_) {
    if (!scale(table, candidate)) return false;
  }
  allowances_.clear();
  for (const Precedence& precedence : system_.precedences) {
    const Integer allowances =
        precedence.modulus == 1 ? Integer(0) : Integer(candidate.numerator() * precedence.height);
    if (!fits<Number>(allowances)) return false;
    allowances_.push_back(narrow<Number>(allowances));
  }
  measure();
  for (std::uint64_t& version : raised_) ++version;
  return true;
}

// False if Number does not hold the weights less the candidate periods of the table's height.
template <typename Number>
bool Classes<Number>::scale(WeightTable& table, const Rational& candidate) {
  const Integer allowances = candidate.numerator() * table.height;
  const std::size_t size = table.durations->size();
  table.values.clear();
  table.values.reserve(size + kChunk);
  if constexpr (std::is_same_v<Number, std::int64_t>) {
    if (const auto narrow = table.durations->narrow(); narrow && factor_.fits_slong_p() && allowances.fits_slong_p())
      return scale_natively(*narrow, allowances.get_si(), table.values);
  }
  for (std::size_t j = 0; j < size; ++j) {
    const Integer scaled = (*table.durations)[j] * factor_ - allowances;
    if (!fits<Number>(scaled)) return false;
    most_ = std::max(most_, scaled);
    table.values.push_back(passes_deadline(1) ? Number(0) : narrow<Number>(scaled));
  }
  // A chunk of rows may run beyond the last weight.
  for (std::size_t j = 0; j < kChunk; ++j) table.values.push_back(table.values[j]);
  return true;
}

// The same for a factor, candidate periods and durations of 64 bits: no product leaves 126 bits.
template <typename Number>
bool Classes<Number>::scale_natively(std::span<const std::int64_t> durations, std::int64_t allowances,
                                     std::vector<Number>& values) {
  const Int128 factor = factor_.get_si();
  Int128 most = 0;
  for (const std::int64_t duration : durations) {
    const Int128 scaled = duration * factor - allowances;
    const Int128 magnitude = scaled < 0 ? -scaled : scaled;
    if (magnitude >> 62 != 0) return false;
    most = std::max(most, scaled);
    values.push_back(static_cast<Number>(static_cast<std::int64_t>(scaled)));
  }
  passes_deadline(static_cast<double>(durations.size()));
  most_ = std::max(most_, Integer(static_cast<long>(most)));
  for (std::size_t j = 0; j < kChunk; ++j) values.push_back(values[j]);
  return true;
}

template <typename Number>
double Classes<Number>::bytes_per_start() const {
  if constexpr (!std::is_same_v<Number, Integer>) return sizeof(Number);
  constexpr double kOverhead = 2 * sizeof(std::size_t);  // of an allocation
  const Integer largest = highest_ + most_ + 1;
  return kOverhead + static_cast<double>(sizeof(Integer) + sizeof(mp_limb_t) * mpz_size(largest.get_mpz_t()));
}

template <typename Number>
double Classes<Number>::other_bytes() const {
  double bytes = bytes_of_precedences(system_);
  std::set<const tpn::DurationTable*> counted;
  for (const WeightTable& table : tables_) {
    const auto size = static_cast<double>(table.durations->size());
    bytes += (size + kChunk) * bytes_per_start();
    if (counted.insert(table.durations).second) bytes += size * bytes_per_weight(*table.durations);
  }
  return bytes;
}

template <typename Number>
void Classes<Number>::refine(std::size_t node, std::uint64_t modulus) {
  const std::uint64_t before = moduli_[node];
  if (modulus == before) return;
  std::vector<Number>& starts = starts_[node];
  starts.resize(modulus);
  for (std::uint64_t p = before; p < modulus; ++p) starts[p] = starts[p - before];
  moduli_[node] = modulus;
  visits_ += static_cast<double>(modulus);
}

template <typename Number>
std::optional<bool> Classes<Number>::roll(std::size_t first, std::size_t last, std::uint64_t rows, Rises& rises) {
  if (!has_room(Integer(rows) * (last - first + 1))) return std::nullopt;
  std::vector<RollingNode> nodes;
  for (std::size_t v = first; v <= last; ++v) nodes.push_back(rolling_node(v));
  bool any = false;
  double visited = 0;  // per chunk, precedences or data sets
  for (std::size_t v = first; v <= last; ++v) visited += static_cast<double>(system_.incoming[v].size() + chunk_);
  for (std::uint64_t done = 0; done < rows && !passes_deadline(visited); done += chunk_) {
    const std::uint64_t length = std::min(chunk_, rows - done);
    for (RollingNode& node : nodes) {
      const auto rose = advance(node, next_ + static_cast<std::int64_t>(done), length);
      if (!rose) continue;
      if (!node.rose) ++raised_[node.node];
      node.rose = true;
      any = true;
      rises.note(node.node, *rose);
    }
  }
  next_ += static_cast<std::int64_t>(rows);
  visits_ += static_cast<double>(rows) * static_cast<double>(last - first + 1);
  return any;
}

template <typename Number>
std::optional<bool> Classes<Number>::close(Rises& rises) {
  if (!has_room(Integer(system_.precedences.size()))) return std::nullopt;
  bool any = false;
  for (std::size_t v = 0; v < moduli_.size(); ++v) {
    bool rose = false;
    for (const std::size_t k : system_.incoming[v]) {
      const std::size_t from = system_.precedences[k].from;
      if (examined_[k] == raised_[from]) continue;
      if (passes_deadline(static_cast<double>(moduli_[from] + moduli_[v]))) return true;
      examined_[k] = raised_[from];
      if (const auto at = examine(k)) {
        rises.note(v, *at);
        rose = true;
      }
    }
    if (!rose) continue;
    ++raised_[v];
    any = true;
  }
  return any;
}

// Starts in units of 1 / factor, rounded down: whatever they are, they only have to rise far enough.
template <typename Number>
bool Classes<Number>::rescale(const Integer& factor) {
  if (factor == factor_) return true;
  const bool is_native = factor.fits_slong_p() && factor_.fits_slong_p();
  for (std::vector<Number>& starts : starts_) {
    if (passes_deadline(static_cast<double>(starts.size()))) return true;
    for (Number& start : starts) {
      std::optional<Number> scaled;
      if constexpr (std::is_same_v<Number, std::int64_t>) {
        scaled = is_native ? rescaled_in_128_bits(start, factor.get_si(), factor_.get_si())
                           : rescaled<Number>(start, factor, factor_);
      } else {
        scaled = rescaled<Number>(start, factor, factor_);
      }
      if (!scaled) return false;
      start = *scaled;
    }
  }
  return true;
}

// Sums of `sums` more weights fit Number.
template <typename Number>
bool Classes<Number>::has_room(const Integer& sums) {
  if constexpr (std::is_same_v<Number, Integer>) return true;
  const Integer more = sums * most_;
  if (highest_ + more + most_ >= largest_number<Number>()) measure();
  if (highest_ + more + most_ >= largest_number<Number>()) return false;
  highest_ += more;
  return true;
}

template <typename Number>
void Classes<Number>::measure() {
  Number highest = 0;
  for (const std::vector<Number>& starts : starts_)
    highest = std::max(highest, *std::ranges::max_element(starts, std::less<>{}));
  highest_ = widen<Number>(highest);
  if constexpr (std::is_same_v<Number, Integer>) {
    steps_per_number_ = 32 + static_cast<double>(mpz_size(highest_.get_mpz_t()));
  }
}

template <typename Number>
typename Classes<Number>::RollingNode Classes<Number>::rolling_node(std::size_t v) {
  RollingNode node;
  node.node = v;
  node.starts = starts_[v].data();
  node.modulus = moduli_[v];
  node.at = modulo(next_, node.modulus);
  for (const std::size_t k : system_.incoming[v]) {
    const Precedence& precedence = system_.precedences[k];
    const std::int64_t source = next_ - static_cast<std::int64_t>(precedence.height);
    Arriving arriving{
        k, starts_[precedence.from].data(), weights_of(k), moduli_[precedence.from], precedence.weights->size(), 0, 0};
    arriving.source = modulo(source, arriving.source_modulus);
    arriving.weight = modulo(source, arriving.weight_period);
    (precedence.modulus == 1 ? node.plain : node.guarded).push_back(arriving);
  }
  return node;
}

template <typename Number>
std::uint64_t Classes<Number>::raise_by(Number* starts, const Number* sources, const Number* weights,
                                        std::uint64_t count) const {
  if constexpr (std::is_same_v<Number, std::int64_t>) return kernels_.raise_by(starts, sources, weights, count);
  return raise(starts, count, [=](std::uint64_t i) -> Number { return sources[i] + weights[i]; });
}

template <typename Number>
std::uint64_t Classes<Number>::raise_to(Number* starts, const Number* ends, std::uint64_t count) const {
  if constexpr (std::is_same_v<Number, std::int64_t>) return kernels_.raise_to(starts, ends, count);
  return raise(starts, count, [=](std::uint64_t i) -> const Number& { return ends[i]; });
}

// The precedences into a node over the next `length` data sets. A chunk is no longer than the smallest height, so that
// what it reads has been written before. Returns a data set whose start rose.
template <typename Number>
std::optional<std::int64_t> Classes<Number>::advance(RollingNode& node, std::int64_t data_set, std::uint64_t length) {
  std::optional<std::int64_t> rose;
  for (std::uint64_t done = 0; done < length;) {
    std::uint64_t count = std::min(length - done, node.modulus - node.at);
    for (const Arriving& a : node.plain) count = std::min(count, a.source_modulus - a.source);
    const std::int64_t here = data_set + static_cast<std::int64_t>(done);
    if (const auto at = advance_plain(node, here, count)) rose = at;
    if (const auto at = advance_guarded(node, here, count)) rose = at;
    done += count;
    node.at += count;
    if (node.at == node.modulus) node.at = 0;
  }
  return rose;
}

// `count` data sets on, within one turn of all moduli.
template <typename Number>
inline std::optional<std::int64_t> Classes<Number>::advance_plain(RollingNode& node, std::int64_t data_set,
                                                                  std::uint64_t count) {
  std::optional<std::int64_t> rose;
  for (Arriving& a : node.plain) {
    const std::uint64_t first = raise_by(node.starts + node.at, a.sources + a.source, a.weights + a.weight, count);
    if (first < count) rose = data_set + static_cast<std::int64_t>(first);
    a.source += count;
    if (a.source == a.source_modulus) a.source = 0;
    a.weight += count;
    while (a.weight >= a.weight_period) a.weight -= a.weight_period;
  }
  return rose;
}

template <typename Number>
inline std::optional<std::int64_t> Classes<Number>::advance_guarded(const RollingNode& node, std::int64_t data_set,
                                                                    std::uint64_t count) {
  std::optional<std::int64_t> rose;
  for (const Arriving& a : node.guarded) {
    const Precedence& precedence = system_.precedences[a.precedence];
    const std::int64_t source = data_set - static_cast<std::int64_t>(precedence.height);
    const std::uint64_t wait =
        (precedence.residue + precedence.modulus - modulo(source, precedence.modulus)) % precedence.modulus;
    for (std::uint64_t i = wait; i < count; i += precedence.modulus) {
      const std::int64_t j = source + static_cast<std::int64_t>(i);
      const Number sum =
          a.sources[modulo(j, a.source_modulus)] + (a.weights[modulo(j, a.weight_period)] - allowances_[a.precedence]);
      if (sum > node.starts[node.at + i]) {
        node.starts[node.at + i] = sum;
        rose = data_set + static_cast<std::int64_t>(i);
      }
    }
  }
  return rose;
}

// Holds one precedence against all pairs of classes it joins: p + height = p' modulo the gcd g of the two moduli.
// Returns a class that rose.
template <typename Number>
std::optional<std::int64_t> Classes<Number>::examine(std::size_t k) {
  const Precedence& precedence = system_.precedences[k];
  const std::uint64_t g = std::gcd(moduli_[precedence.from], moduli_[precedence.to]);
  gather_ends(k, g);
  visits_ += static_cast<double>(moduli_[precedence.from] + moduli_[precedence.to]);
  return raise_to_ends(k, g);
}

// The latest end of each residue modulo g among the source classes.
template <typename Number>
void Classes<Number>::gather_ends(std::size_t k, std::uint64_t g) {
  const Precedence& precedence = system_.precedences[k];
  const std::vector<Number>& sources = starts_[precedence.from];
  const Number* const weights = weights_of(k);
  const std::uint64_t period = precedence.weights->size();
  ends_.resize(std::max<std::size_t>(ends_.size(), g));
  // Source classes of one residue modulo g stand g apart; every residue has one below g, if its guard lets it.
  std::fill_n(ends_.begin(), g, lowest_);
  if (precedence.modulus > 1) {
    for (std::uint64_t p = precedence.residue; p < sources.size(); p += precedence.modulus) {
      ends_[p % g] = std::max<Number>(ends_[p % g], sources[p] + (weights[p % period] - allowances_[k]));
    }
    return;
  }
  for (std::uint64_t p = 0, x = 0, w = 0; p < sources.size();) {
    const std::uint64_t count = std::min({sources.size() - p, g - x, period - w});
    raise_by(ends_.data() + x, sources.data() + p, weights + w, count);
    p += count;
    x = x + count == g ? 0 : x + count;
    w = w + count == period ? 0 : w + count;
  }
}

template <typename Number>
std::optional<std::int64_t> Classes<Number>::raise_to_ends(std::size_t k, std::uint64_t g) {
  const Precedence& precedence = system_.precedences[k];
  std::optional<std::int64_t> risen;
  std::vector<Number>& starts = starts_[precedence.to];
  std::uint64_t x = modulo(-static_cast<std::int64_t>(precedence.height), g);
  for (std::uint64_t p = 0; p < starts.size();) {
    const std::uint64_t count = std::min(starts.size() - p, g - x);
    const std::uint64_t first = raise_to(starts.data() + p, ends_.data() + x, count);
    if (first < count) risen = static_cast<std::int64_t>(p + first);
    p += count;
    x = x + count == g ? 0 : x + count;
  }
  return risen;
}

template Integer largest_number<std::int64_t>();
template Integer largest_number<Int128>();
template class Classes<std::int64_t>;
template class Classes<Int128>;
template class Classes<Integer>;

}  // namespace takt::evaluators

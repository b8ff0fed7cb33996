// Start times of residue classes, raised until they keep every link at a given period.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "evaluators/kernel/numbers.hpp"
#include "evaluators/residue/circuit.hpp"
#include "evaluators/residue/kernels.hpp"
#include "evaluators/residue/system.hpp"

namespace takt::evaluators {

using maxplus::modulo;

// The largest number that sums of starts and weights may reach.
template <typename Number>
Integer largest_number() {
  if constexpr (std::is_same_v<Number, std::int64_t>) return Integer(1) << 62;
  return Integer(1) << 126;
}

// One start for every residue class of every node, relative to the beat: the operation of node v on data set j
// starts at beat * j + start(v, j mod modulus(v)), in units of 1 / (denominator of the beat) net units. Starts only
// rise, and only as far as some link demands. Number holds them: 64 or 128 bits, or any size.
template <typename Number>
class Classes {
 public:
  Classes(const ResidueSystem& system, const std::vector<std::uint64_t>& moduli)
      : system_(system), moduli_(moduli), raised_(moduli.size(), 1), examined_(system.links.size(), 0) {
    for (const std::uint64_t modulus : moduli_) starts_.emplace_back(modulus);
    for (const Link& link : system_.links) {
      if (link.height > 0) chunk_ = std::min(chunk_, link.height);
    }
    for (const std::uint64_t modulus : moduli_) chunk_ = std::min(chunk_, modulus);
  }

  // Net units a data set. False where the weights at this beat are beyond Number.
  bool set_beat(const Rational& beat) {
    const Integer& factor = beat.denominator();
    if (!rescale(factor)) return false;
    factor_ = factor;
    weights_.clear();
    most_ = 0;
    for (const Link& link : system_.links) {
      std::vector<Number>& weights = weights_.emplace_back();
      weights.reserve(link.weights.size() + kChunk);
      for (const Integer& weight : link.weights) {
        const Integer scaled = weight * factor - beat.numerator() * link.height;
        if (!fits(scaled)) return false;
        most_ = std::max(most_, scaled);
        weights.push_back(narrow<Number>(scaled));
      }
      // A chunk of rows may run beyond the last weight.
      for (std::size_t j = 0; j < kChunk; ++j) weights.push_back(weights[j]);
    }
    measure();
    for (std::uint64_t& version : raised_) ++version;
    return true;
  }

  std::uint64_t modulus(std::size_t node) const { return moduli_[node]; }
  const std::vector<std::uint64_t>& moduli() const { return moduli_; }
  const std::vector<Number>& starts(std::size_t node) const { return starts_[node]; }
  const Integer& factor() const { return factor_; }
  // Classes visited so far.
  double visits() const { return visits_; }

  // Splits the classes of a node; each inherits its start.
  void refine(std::size_t node, std::uint64_t modulus) {
    const std::uint64_t before = moduli_[node];
    if (modulus == before) return;
    std::vector<Number>& starts = starts_[node];
    starts.resize(modulus);
    for (std::uint64_t p = before; p < modulus; ++p) starts[p] = starts[p - before];
    moduli_[node] = modulus;
    visits_ += static_cast<double>(modulus);
  }

  // Sees to the links into nodes first..last on the next `rows` data sets, in the order of data sets and columns, the
  // way the net itself would run; calls risen(node, data set) where a start rose, at least once a chunk of rows.
  // Returns false, having done nothing, where the sums may be beyond Number.
  template <typename Risen>
  bool roll(std::size_t first, std::size_t last, std::uint64_t rows, Risen risen) {
    if (!has_room(Integer(rows) * (last - first + 1))) return false;
    std::vector<Row> nodes;
    for (std::size_t v = first; v <= last; ++v) nodes.push_back(row_of(v));
    for (std::uint64_t done = 0; done < rows; done += chunk_) {
      const std::uint64_t length = std::min(chunk_, rows - done);
      for (Row& row : nodes) {
        const auto rose = advance(row, next_ + static_cast<std::int64_t>(done), length);
        if (!rose) continue;
        if (!row.rose) ++raised_[row.node];
        row.rose = true;
        risen(row.node, *rose);
      }
    }
    next_ += static_cast<std::int64_t>(rows);
    visits_ += static_cast<double>(rows) * static_cast<double>(last - first + 1);
    return true;
  }

  // Holds every link whose start classes rose against all classes it leads to. Nothing where Number is too narrow;
  // else whether a start rose: if none did, now or since, all links are kept.
  template <typename Risen>
  std::optional<bool> close(Risen risen) {
    if (!has_room(Integer(system_.links.size()))) return std::nullopt;
    bool any = false;
    for (std::size_t v = 0; v < moduli_.size(); ++v) {
      bool rose = false;
      for (const std::size_t k : system_.incoming[v]) {
        const std::size_t from = system_.links[k].from;
        if (examined_[k] == raised_[from]) continue;
        examined_[k] = raised_[from];
        if (const auto at = examine(k)) {
          risen(v, *at);
          rose = true;
        }
      }
      if (!rose) continue;
      ++raised_[v];
      any = true;
    }
    return any;
  }

  // Which predecessors a walk backwards tries first: those of its own data set, or the latest of its class.
  enum class Walk { own_data_set, latest };

  // Walks from a start backwards along links that force it, depth first, to a circuit of classes that forces itself
  // up: a list of steps, first one first. Circuits without any gain are passed by.
  std::optional<std::vector<ClassStep>> trace(std::size_t node, std::int64_t data_set, Walk walk) {
    std::vector<std::unordered_map<std::uint64_t, std::size_t>> seen(moduli_.size());  // class to position, or kLeft
    std::vector<Stop> path;
    std::uint64_t budget = kTraceVisits;
    std::optional<std::vector<ClassStep>> circuit;
    const auto enter = [&](std::size_t v, std::int64_t j, const Number& gain) {
      seen[v][modulo(j, moduli_[v])] = path.size();
      path.push_back({v, j, gain, walk == Walk::latest ? Stage::latest : Stage::own_data_set, 0, 0, {}});
    };
    enter(node, data_set, Number(0));
    while (!path.empty() && path.size() < kTraceSteps && budget > 0) {
      Stop& here = path.back();
      if (!next_predecessor(here, budget)) {
        seen[here.node][modulo(here.data_set, moduli_[here.node])] = kLeft;
        path.pop_back();
        continue;
      }
      const ClassStep step = here.step;
      const std::size_t from = system_.links[step.link].from;
      const Number gain = here.gain + (end_of(step.link, step.data_set) - start_of(here.node, here.data_set));
      const auto known = seen[from].find(modulo(step.data_set, moduli_[from]));
      if (known == seen[from].end()) {
        enter(from, step.data_set, gain);
      } else if (known->second != kLeft && gain > path[known->second].gain) {
        circuit.emplace();
        for (std::size_t k = path.size(); k > known->second; --k) circuit->push_back(path[k - 1].step);
        break;
      }
    }
    visits_ += static_cast<double>(kTraceVisits - budget);
    for (const auto& classes : seen) visits_ += kVisitsAStop * static_cast<double>(classes.size());
    return circuit;
  }

 private:
  static constexpr std::uint64_t kChunk = 64;
  static constexpr std::size_t kLeft = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kTraceSteps = 300'000;
  static constexpr std::uint64_t kTraceVisits = 2'000'000;
  static constexpr double kVisitsAStop = 32;  // that a stop of a walk takes as long as

  // Where a link's sources and weights stand on the current data set.
  struct Arriving {
    std::size_t link = 0;
    const Number* sources = nullptr;
    const Number* weights = nullptr;
    std::uint64_t source_modulus = 1;
    std::uint64_t weight_period = 1;
    std::uint64_t source = 0;
    std::uint64_t weight = 0;
  };
  struct Row {
    std::size_t node = 0;
    Number* starts = nullptr;
    std::uint64_t modulus = 1;
    std::uint64_t at = 0;
    std::vector<Arriving> plain;
    std::vector<Arriving> guarded;
    bool rose = false;
  };

  static bool fits(const Integer& number) {
    if constexpr (std::is_same_v<Number, Integer>) return true;
    return abs(number) < largest_number<Number>();
  }

  // Starts in units of 1 / factor, rounded down: whatever they are, they only have to rise far enough.
  bool rescale(const Integer& factor) {
    if (factor == factor_) return true;
    const bool is_native = std::is_same_v<Number, std::int64_t> && factor.fits_slong_p() && factor_.fits_slong_p();
    for (std::vector<Number>& starts : starts_) {
      for (Number& start : starts) {
        if constexpr (std::is_same_v<Number, std::int64_t>) {
          if (is_native) {
            const Int128 scaled = static_cast<Int128>(start) * factor.get_si() / factor_.get_si();
            if (scaled >> 62 != 0) return false;
            start = static_cast<std::int64_t>(scaled);
            continue;
          }
        }
        Integer scaled = widen<Number>(start) * factor;
        mpz_fdiv_q(scaled.get_mpz_t(), scaled.get_mpz_t(), factor_.get_mpz_t());
        if (!fits(scaled)) return false;
        start = narrow<Number>(scaled);
      }
    }
    return true;
  }

  // Sums of so many weights more cannot leave Number.
  bool has_room(const Integer& sums) {
    if constexpr (std::is_same_v<Number, Integer>) return true;
    const Integer more = sums * most_;
    if (highest_ + more + most_ >= largest_number<Number>()) measure();
    if (highest_ + more + most_ >= largest_number<Number>()) return false;
    highest_ += more;
    return true;
  }

  void measure() {
    Number highest = 0;
    for (const std::vector<Number>& starts : starts_)
      highest = std::max(highest, *std::ranges::max_element(starts, std::less<>{}));
    highest_ = widen<Number>(highest);
  }

  Row row_of(std::size_t v) {
    Row row;
    row.node = v;
    row.starts = starts_[v].data();
    row.modulus = moduli_[v];
    row.at = modulo(next_, row.modulus);
    for (const std::size_t k : system_.incoming[v]) {
      const Link& link = system_.links[k];
      const std::int64_t source = next_ - static_cast<std::int64_t>(link.height);
      Arriving arriving{k, starts_[link.from].data(), weights_[k].data(), moduli_[link.from], link.weights.size(), 0,
                        0};
      arriving.source = modulo(source, arriving.source_modulus);
      arriving.weight = modulo(source, arriving.weight_period);
      (link.modulus == 1 ? row.plain : row.guarded).push_back(arriving);
    }
    return row;
  }

  std::uint64_t raise_by(Number* starts, const Number* sources, const Number* weights, std::uint64_t count) const {
    if constexpr (std::is_same_v<Number, std::int64_t>) return kernels_.raise_by(starts, sources, weights, count);
    return raise(starts, count, [=](std::uint64_t i) -> Number { return sources[i] + weights[i]; });
  }

  std::uint64_t raise_to(Number* starts, const Number* ends, std::uint64_t count) const {
    if constexpr (std::is_same_v<Number, std::int64_t>) return kernels_.raise_to(starts, ends, count);
    return raise(starts, count, [=](std::uint64_t i) -> const Number& { return ends[i]; });
  }

  // The links into a node over the next `length` data sets. A chunk is no longer than the smallest height, so that
  // what it reads has been written before. Returns a data set whose start rose.
  std::optional<std::int64_t> advance(Row& row, std::int64_t data_set, std::uint64_t length) {
    std::optional<std::int64_t> rose;
    for (std::uint64_t done = 0; done < length;) {
      std::uint64_t count = std::min(length - done, row.modulus - row.at);
      for (const Arriving& a : row.plain) count = std::min(count, a.source_modulus - a.source);
      for (Arriving& a : row.plain) {
        const std::uint64_t first = raise_by(row.starts + row.at, a.sources + a.source, a.weights + a.weight, count);
        if (first < count) rose = data_set + static_cast<std::int64_t>(done + first);
        a.source += count;
        if (a.source == a.source_modulus) a.source = 0;
        a.weight += count;
        while (a.weight >= a.weight_period) a.weight -= a.weight_period;
      }
      for (const Arriving& a : row.guarded) {
        const Link& link = system_.links[a.link];
        const std::int64_t source = data_set + static_cast<std::int64_t>(done) - static_cast<std::int64_t>(link.height);
        const std::uint64_t wait = (link.residue + link.modulus - modulo(source, link.modulus)) % link.modulus;
        for (std::uint64_t i = wait; i < count; i += link.modulus) {
          const std::int64_t j = source + static_cast<std::int64_t>(i);
          const Number sum = a.sources[modulo(j, a.source_modulus)] + a.weights[modulo(j, a.weight_period)];
          if (sum > row.starts[row.at + i]) {
            row.starts[row.at + i] = sum;
            rose = data_set + static_cast<std::int64_t>(done + i);
          }
        }
      }
      done += count;
      row.at += count;
      if (row.at == row.modulus) row.at = 0;
    }
    return rose;
  }

  // Holds one link against all pairs of classes it joins: p + height = p' modulo the gcd g of the two moduli. Returns
  // a class that rose.
  std::optional<std::int64_t> examine(std::size_t k) {
    const Link& link = system_.links[k];
    const std::vector<Number>& sources = starts_[link.from];
    const std::vector<Number>& weights = weights_[k];
    const std::uint64_t period = link.weights.size();
    const std::uint64_t g = std::gcd(sources.size(), moduli_[link.to]);
    ends_.resize(std::max<std::size_t>(ends_.size(), g));
    // Source classes of one residue modulo g stand g apart; every residue has one below g, if its guard lets it.
    std::fill_n(ends_.begin(), g, lowest_);
    if (link.modulus == 1) {
      for (std::uint64_t p = 0, x = 0, w = 0; p < sources.size();) {
        const std::uint64_t count = std::min({sources.size() - p, g - x, period - w});
        raise_by(ends_.data() + x, sources.data() + p, weights.data() + w, count);
        p += count;
        x = x + count == g ? 0 : x + count;
        w = w + count == period ? 0 : w + count;
      }
    } else {
      for (std::uint64_t p = link.residue; p < sources.size(); p += link.modulus) {
        ends_[p % g] = std::max<Number>(ends_[p % g], sources[p] + weights[p % period]);
      }
    }
    visits_ += static_cast<double>(sources.size() + moduli_[link.to]);
    std::optional<std::int64_t> risen;
    std::vector<Number>& starts = starts_[link.to];
    std::uint64_t x = modulo(-static_cast<std::int64_t>(link.height), g);
    for (std::uint64_t p = 0; p < starts.size();) {
      const std::uint64_t count = std::min(starts.size() - p, g - x);
      const std::uint64_t first = raise_to(starts.data() + p, ends_.data() + x, count);
      if (first < count) risen = static_cast<std::int64_t>(p + first);
      p += count;
      x = x + count == g ? 0 : x + count;
    }
    return risen;
  }

  const Number& start_of(std::size_t node, std::int64_t data_set) const {
    return starts_[node][modulo(data_set, moduli_[node])];
  }

  Number end_of(std::size_t k, std::int64_t source) const {
    const Link& link = system_.links[k];
    return start_of(link.from, source) + weights_[k][modulo(source, link.weights.size())];
  }

  bool forces(std::size_t k, std::int64_t source, const Number& start) const {
    const Link& link = system_.links[k];
    return modulo(source, link.modulus) == link.residue && end_of(k, source) >= start;
  }

  // Stages of looking for what forces a start.
  enum class Stage { own_data_set, latest, all };

  // A class on a walk, and where it stands among the predecessors.
  struct Stop {
    std::size_t node = 0;
    std::int64_t data_set = 0;
    Number gain;  // by which the steps so far end later than the starts they force
    Stage stage = Stage::all;
    std::size_t link = 0;        // position among the node's incoming
    std::uint64_t position = 0;  // among the link's source classes
    ClassStep step;
  };

  // Moves to the next step that forces the start; false if there is none, as where the start was inherited.
  bool next_predecessor(Stop& stop, std::uint64_t& budget) const {
    const Number& start = start_of(stop.node, stop.data_set);
    const std::vector<std::size_t>& incoming = system_.incoming[stop.node];
    if (stop.stage == Stage::own_data_set) {
      while (stop.link < incoming.size()) {
        const std::size_t k = incoming[stop.link++];
        stop.step = {k, stop.data_set - static_cast<std::int64_t>(system_.links[k].height)};
        if (forces(k, stop.step.data_set, start)) return true;
      }
      stop.stage = Stage::all;
      stop.link = 0;
    }
    if (stop.stage == Stage::latest) {
      stop.stage = Stage::all;
      bool found = false;
      Stop scan = stop;
      while (scan_predecessors(scan, budget)) {
        if (found && !(end_of(scan.step.link, scan.step.data_set) > end_of(stop.step.link, stop.step.data_set)))
          continue;
        stop.step = scan.step;
        found = true;
      }
      if (found) return true;
    }
    return scan_predecessors(stop, budget);
  }

  bool scan_predecessors(Stop& stop, std::uint64_t& budget) const {
    const Number& start = start_of(stop.node, stop.data_set);
    const std::vector<std::size_t>& incoming = system_.incoming[stop.node];
    for (; stop.link < incoming.size(); ++stop.link, stop.position = 0) {
      const std::size_t k = incoming[stop.link];
      const Link& link = system_.links[k];
      const std::uint64_t g = std::gcd(moduli_[link.from], moduli_[stop.node]);
      const std::uint64_t first = modulo(stop.data_set - static_cast<std::int64_t>(link.height), g);
      while (first + stop.position * g < moduli_[link.from]) {
        if (budget == 0) return false;
        --budget;
        const auto source = static_cast<std::int64_t>(first + stop.position++ * g);
        if (!forces(k, source, start)) continue;
        stop.step = {k, source};
        return true;
      }
    }
    return false;
  }

  const ResidueSystem& system_;
  std::vector<std::uint64_t> moduli_;
  std::vector<std::vector<Number>> starts_;
  std::vector<std::vector<Number>> weights_;  // of links: factor * weight - beat * height
  Integer factor_ = 1;
  Integer most_ = 0;     // no weight is larger
  Integer highest_ = 0;  // no start is larger
  std::uint64_t chunk_ = kChunk;
  std::int64_t next_ = 0;                // the data set that the next roll starts with
  std::vector<std::uint64_t> raised_;    // by node: grows whenever a start rises
  std::vector<std::uint64_t> examined_;  // by link: raised_ of its source when it was last examined
  std::vector<Number> ends_;
  // Below every start, and far enough from the end of Number.
  const Number lowest_ = narrow<Number>(Integer(-1) << (std::is_same_v<Number, std::int64_t> ? 62 : 126));
  double visits_ = 0;
  const ResidueKernels& kernels_ = residue_kernels();
};

}  // namespace takt::evaluators

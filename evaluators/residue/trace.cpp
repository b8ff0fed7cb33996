// A depth-first walk over classes, each of whose stops knows where it stands among its predecessors.
#include "evaluators/residue/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace takt::evaluators {

namespace {

template <typename Number>
class ClassTracer {
 public:
  ClassTracer(const ResidueSystem& system, Classes<Number>& classes, TraceOrder order, const TraceLimits& limits)
      : system_(system),
        classes_(classes),
        first_scan_(order == TraceOrder::latest ? Scan::latest : Scan::own_data_set),
        seen_(system.columns.size()),
        limits_(limits),
        budget_(limits.visits),
        watch_(limits.deadline) {}

  std::optional<std::vector<ClassStep>> run(const Rise& rise) {
    enter(rise.node, rise.data_set, Number(0));
    std::optional<std::vector<ClassStep>> circuit;
    while (!circuit && !path_.empty() && path_.size() < limits_.steps && budget_ > 0 && !watch_.has_passed())
      circuit = advance();
    classes_.add_visits(visits());
    return circuit;
  }

 private:
  static constexpr std::size_t kLeft = std::numeric_limits<std::size_t>::max();
  static constexpr double kVisitsPerStop = 32;  // that a stop of a walk takes as long as

  // The ways to look for what forces a start, in this order.
  enum class Scan { own_data_set, latest, all };

  // A class on a walk, and where it stands among the predecessors.
  struct Stop {
    std::size_t node = 0;
    std::int64_t data_set = 0;
    Number gain;  // by which the steps so far end later than the starts they force
    Scan scan = Scan::all;
    std::size_t incoming = 0;    // position among the node's precedences
    std::uint64_t position = 0;  // among the precedence's source classes
    ClassStep step;
  };

  void enter(std::size_t v, std::int64_t j, const Number& gain) {
    seen_[v][modulo(j, classes_.modulus(v))] = path_.size();
    path_.push_back({v, j, gain, first_scan_, 0, 0, {}});
  }

  // One step on from the last stop, or back from it; a circuit where the step closes one with a gain.
  std::optional<std::vector<ClassStep>> advance() {
    Stop& here = path_.back();
    if (!next_predecessor(here)) {
      seen_[here.node][modulo(here.data_set, classes_.modulus(here.node))] = kLeft;
      path_.pop_back();
      return std::nullopt;
    }
    const ClassStep step = here.step;
    const std::size_t from = system_.precedences[step.precedence].from;
    const Number gain =
        here.gain + (classes_.end_of(step.precedence, step.data_set) - classes_.start_of(here.node, here.data_set));
    const auto known = seen_[from].find(modulo(step.data_set, classes_.modulus(from)));
    if (known == seen_[from].end()) {
      enter(from, step.data_set, gain);
    } else if (known->second != kLeft && gain > path_[known->second].gain) {
      return steps_back_to(known->second);
    }
    return std::nullopt;
  }

  std::vector<ClassStep> steps_back_to(std::size_t first) const {
    std::vector<ClassStep> circuit;
    for (std::size_t k = path_.size(); k > first; --k) circuit.push_back(path_[k - 1].step);
    return circuit;
  }

  double visits() const {
    auto total = static_cast<double>(limits_.visits - budget_);
    for (const auto& classes : seen_) total += kVisitsPerStop * static_cast<double>(classes.size());
    return total;
  }

  bool forces(std::size_t k, std::int64_t source, const Number& start) const {
    const Precedence& precedence = system_.precedences[k];
    return modulo(source, precedence.modulus) == precedence.residue && classes_.end_of(k, source) >= start;
  }

  // Moves to the next step that forces the start; false if there is none, as where the start was inherited.
  bool next_predecessor(Stop& stop) {
    if (stop.scan == Scan::own_data_set && next_of_own_data_set(stop)) return true;
    if (stop.scan == Scan::latest && find_latest(stop)) return true;
    return next_of_all(stop);
  }

  bool next_of_own_data_set(Stop& stop) const {
    const Number& start = classes_.start_of(stop.node, stop.data_set);
    const std::vector<std::size_t>& incoming = system_.incoming[stop.node];
    while (stop.incoming < incoming.size()) {
      const std::size_t k = incoming[stop.incoming++];
      stop.step = {k, stop.data_set - static_cast<std::int64_t>(system_.precedences[k].height)};
      if (forces(k, stop.step.data_set, start)) return true;
    }
    stop.scan = Scan::all;
    stop.incoming = 0;
    return false;
  }

  // Only once per stop; all others follow, the latest itself once more.
  bool find_latest(Stop& stop) {
    stop.scan = Scan::all;
    bool found = false;
    Stop other = stop;
    while (next_of_all(other)) {
      if (found && !(classes_.end_of(other.step.precedence, other.step.data_set) >
                     classes_.end_of(stop.step.precedence, stop.step.data_set)))
        continue;
      stop.step = other.step;
      found = true;
    }
    return found;
  }

  bool next_of_all(Stop& stop) {
    const Number& start = classes_.start_of(stop.node, stop.data_set);
    const std::vector<std::size_t>& incoming = system_.incoming[stop.node];
    for (; stop.incoming < incoming.size(); ++stop.incoming, stop.position = 0) {
      const std::size_t k = incoming[stop.incoming];
      const Precedence& precedence = system_.precedences[k];
      const std::uint64_t sources = classes_.modulus(precedence.from);
      const std::uint64_t g = std::gcd(sources, classes_.modulus(stop.node));
      const std::uint64_t first = modulo(stop.data_set - static_cast<std::int64_t>(precedence.height), g);
      while (first + stop.position * g < sources) {
        if (budget_ == 0 || watch_.has_passed()) return false;
        --budget_;
        const auto source = static_cast<std::int64_t>(first + stop.position++ * g);
        if (!forces(k, source, start)) continue;
        stop.step = {k, source};
        return true;
      }
    }
    return false;
  }

  const ResidueSystem& system_;
  Classes<Number>& classes_;
  Scan first_scan_;
  std::vector<std::unordered_map<std::uint64_t, std::size_t>> seen_;  // by node: class to position on path_, or kLeft
  std::vector<Stop> path_;
  TraceLimits limits_;
  std::uint64_t budget_;
  maxplus::DeadlineWatch watch_;
};

}  // namespace

template <typename Number>
std::optional<std::vector<ClassStep>> trace_back(const ResidueSystem& system, Classes<Number>& classes,
                                                 const Rise& rise, TraceOrder order, const TraceLimits& limits) {
  return ClassTracer<Number>(system, classes, order, limits).run(rise);
}

template std::optional<std::vector<ClassStep>> trace_back(const ResidueSystem&, Classes<std::int64_t>&, const Rise&,
                                                          TraceOrder, const TraceLimits&);
template std::optional<std::vector<ClassStep>> trace_back(const ResidueSystem&, Classes<Int128>&, const Rise&,
                                                          TraceOrder, const TraceLimits&);
template std::optional<std::vector<ClassStep>> trace_back(const ResidueSystem&, Classes<Integer>&, const Rise&,
                                                          TraceOrder, const TraceLimits&);

}  // namespace takt::evaluators

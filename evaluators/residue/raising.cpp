// One function per state: roll, close; and between them the hunt for circuits.
#include "evaluators/residue/raising.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace takt::evaluators {

namespace {

// Above a lower bound by 1 / margin of it, rounded up to few bits so that the starts stay small.
Rational candidate_above(const Rational& lower, unsigned margin) {
  Integer unit = 1;
  while (Rational(unit) * lower < Rational(8 * margin)) unit *= 2;
  const Rational above = lower * Rational::fraction(margin + 1, margin) * Rational(unit);
  return Rational::fraction(above.ceiling(), unit);
}

bool is_met(const Limit& limit) { return !std::holds_alternative<std::monostate>(limit); }

template <typename Number>
class Raising {
 public:
  Raising(const ResidueSystem& system, const RaisingLimits& limits, unsigned margin, Classes<Number>& classes,
          RaisingProgress& progress)
      : system_(system),
        limits_(limits),
        margin_(margin),
        classes_(classes),
        progress_(progress),
        rises_(progress.rises) {}

  RaisingState run() {
    RaisingState state = start_candidate();
    for (;;) {
      if (state == RaisingState::rolling) {
        state = roll();
      } else if (state == RaisingState::closing) {
        state = close();
      } else {
        return state;
      }
    }
  }

 private:
  static constexpr std::uint64_t kLeastRows = 1 << 16;
  static constexpr std::uint64_t kRollsBeforeClosing = 4;

  // What a hunt brings home.
  enum class Catch { nothing, refinement, better_bound, limit };

  RaisingState start_candidate() {
    const Rational& lower = progress_.findings.lower();
    candidate_ = margin_ == 0 ? lower : candidate_above(lower, margin_);
    rises_.activate_all(system_.columns.size());
    if (!classes_.set_candidate(candidate_)) return RaisingState::too_wide;
    if (Limit limit = met_by(0); is_met(limit)) return stop(std::move(limit));
    return classes_.is_out_of_time() ? stop(OutOfTime{}) : RaisingState::rolling;
  }

  // The limit that this number of further classes would meet, or none.
  Limit met_by(double more_classes) const {
    double classes = more_classes;
    for (const std::uint64_t modulus : classes_.moduli()) classes += static_cast<double>(modulus);
    return limits_.met_by(classes, classes_.bytes_per_start(), classes_.other_bytes());
  }

  RaisingState stop(Limit limit) {
    progress_.findings.stopped_by(std::move(limit));
    return RaisingState::stopped;
  }

  RaisingState roll() {
    if (Limit limit = limits_.met_after(classes_.visits(), has_split_); is_met(limit)) return stop(std::move(limit));
    if (auto* listener = limits_.deadline.listener()) listener->on_share(limits_.share_after(classes_.visits()));
    rises_.clear();
    rose_ = false;
    bool partly = false;  // fewer rows than the largest modulus
    if (!roll_near_active(partly)) return RaisingState::too_wide;
    if (classes_.is_out_of_time()) return stop(OutOfTime{});
    if (rose_) {
      const Catch caught = hunt();
      if (caught != Catch::nothing) {
        rows_ = std::max(kLeastRows, rows_ / 2);
        return after(caught);
      }
    }
    if (partly) {
      rows_ *= 2;
      return RaisingState::rolling;
    }
    if (rose_ && ++progress_.aimless_rolls % kRollsBeforeClosing != 0) return RaisingState::rolling;
    return RaisingState::closing;
  }

  RaisingState close() {
    rises_.clear();
    const auto closed = classes_.close(rises_);
    if (!closed) return RaisingState::too_wide;
    if (classes_.is_out_of_time()) return stop(OutOfTime{});
    if (*closed || rose_) return after(hunt());
    progress_.findings.prove(classes_, candidate_, limits_.max_memory);
    tell_bounds();
    return RaisingState::proved;
  }

  RaisingState after(Catch caught) {
    if (caught == Catch::limit) return RaisingState::stopped;
    return caught == Catch::better_bound ? start_candidate() : RaisingState::rolling;
  }

  // Nodes that are active, or that an active one leads to.
  std::vector<bool> near_active() const {
    const std::size_t nodes = system_.columns.size();
    std::vector<bool> near(nodes, false);
    for (std::size_t v = 0; v < nodes; ++v) {
      if (!rises_.is_active(v)) continue;
      near[v] = true;
      for (const std::size_t k : system_.outgoing[v]) near[system_.precedences[k].to] = true;
    }
    return near;
  }

  // Rolls over each range of neighbors near active nodes. False if Number is too narrow.
  bool roll_near_active(bool& partly) {
    const std::vector<bool> near = near_active();
    rises_.activate_none(near.size());
    for (std::size_t first = 0; first < near.size(); ++first) {
      if (!near[first]) continue;
      std::size_t last = first;
      while (last + 1 < near.size() && near[last + 1]) ++last;
      if (!roll_range(first, last, partly)) return false;
      first = last;
    }
    return true;
  }

  bool roll_range(std::size_t first, std::size_t last, bool& partly) {
    std::uint64_t rows = 0;
    for (std::size_t v = first; v <= last; ++v) rows = std::max(rows, classes_.modulus(v));
    const auto rose = classes_.roll(first, last, std::min(rows, rows_), rises_);
    if (!rose) return false;
    rose_ |= *rose;
    if (rows <= rows_) return true;
    partly = true;
    if (!*rose) {
      for (std::size_t v = first; v <= last; ++v) rises_.activate(v);
    }
    return true;
  }

  // Looks for circuits that force starts up.
  Catch hunt() {
    constexpr std::size_t kTraces = 16;
    const std::vector<Rise>& risen = rises_.sample();
    const std::size_t traces = std::min(kTraces, risen.size());
    std::vector<Refinement> refinements;
    for (std::size_t k = 0; k < traces; ++k) {
      const Rise& rise = risen[risen.size() - 1 - risen.size() * k / traces];
      for (const TraceOrder order : {TraceOrder::own_data_set, TraceOrder::latest}) {
        if (has_passed(limits_.deadline)) return out_of_time();
        const auto circuit = trace_back(system_, classes_, rise, order, limits_.trace());
        if (!circuit || class_ratio(system_, *circuit) <= candidate_) continue;
        if (progress_.findings.improve(*circuit, limits_.deadline) && progress_.findings.lower() > candidate_) {
          tell_bounds();
          return Catch::better_bound;
        }
        auto refinement = cheapest_refinement(system_, classes_.moduli(), *circuit, limits_.deadline);
        // Without time neither finds what there is.
        if (has_passed(limits_.deadline)) return out_of_time();
        maxplus::expects(refinement.has_value(), "a circuit of the net is no longer than its bound says");
        refinements.push_back(std::move(*refinement));
      }
    }
    return refinements.empty() ? Catch::nothing : refine(std::move(refinements));
  }

  void tell_bounds() const {
    auto* const listener = limits_.deadline.listener();
    if (listener == nullptr) return;
    const Evaluation found = progress_.findings.answer();
    listener->on_bounds(found.lower, found.upper);
  }

  Catch out_of_time() {
    progress_.findings.stopped_by(OutOfTime{});
    return Catch::limit;
  }

  // The cheapest refinement, and others nearly as cheap at nodes of their own.
  Catch refine(std::vector<Refinement> refinements) {
    has_split_ = true;
    if (Limit limit = limits_.met_after(classes_.visits(), has_split_); is_met(limit)) {
      progress_.findings.stopped_by(std::move(limit));
      return Catch::limit;
    }
    constexpr double kFewClasses = 10'000;
    std::ranges::sort(refinements, {}, &Refinement::classes);
    const double most = 2 * refinements.front().classes + kFewClasses;
    std::vector<bool> touched(system_.columns.size(), false);
    for (const Refinement& refinement : refinements) {
      if (refinement.classes > most) break;
      const auto is_touched = [&](const auto& raised) { return touched[raised.first]; };
      if (std::ranges::any_of(refinement.moduli, is_touched)) continue;
      if (Limit limit = met_by(refinement.classes); is_met(limit)) {
        progress_.findings.stopped_by(std::move(limit));
        return Catch::limit;
      }
      for (const auto& [node, modulus] : refinement.moduli) {
        touched[node] = true;
        split(node, modulus);
      }
    }
    return Catch::refinement;
  }

  void split(std::size_t node, std::uint64_t modulus) {
    classes_.refine(node, modulus);
    rises_.activate(node);
    for (const std::size_t k : system_.outgoing[node]) rises_.activate(system_.precedences[k].to);
  }

  const ResidueSystem& system_;
  const RaisingLimits& limits_;
  unsigned margin_;
  Classes<Number>& classes_;
  RaisingProgress& progress_;
  Rises& rises_;
  Rational candidate_;
  std::uint64_t rows_ = kLeastRows;  // at most, of the next roll
  bool rose_ = false;                // a start, in the latest roll
  bool has_split_ = false;           // classes
};

}  // namespace

Limit RaisingLimits::met_after(double visits_since, bool has_split) const {
  if (has_passed(deadline)) return OutOfTime{};
  const double total = visits_before + visits_since;
  const double most = has_split ? std::min(visits, visits_once_split) : visits;
  if (total <= most) return {};
  return tpn::TooLarge{tpn::LimitKind::residue_visits, Integer(total), static_cast<std::uint64_t>(most)};
}

Limit RaisingLimits::met_by(double total_classes, double bytes_per_start, double other_bytes) const {
  if (total_classes > classes) {
    return tpn::TooLarge{tpn::LimitKind::residue_classes, Integer(total_classes), static_cast<std::uint64_t>(classes)};
  }
  // Starts, the copy that a growing vector needs, and the ends of one precedence.
  const double bytes = other_bytes + total_classes * 2 * bytes_per_start;
  if (bytes <= static_cast<double>(max_memory)) return {};
  return tpn::TooLarge{tpn::LimitKind::residue_bytes, Integer(bytes), max_memory};
}

TraceLimits RaisingLimits::trace() const {
  constexpr std::uint64_t kBytesPerStep = 1024;  // with its share of the classes seen, and what a growing list leaves
  constexpr std::uint64_t kLeastSteps = 20'000;  // without which hardly a circuit is found
  TraceLimits result;
  result.steps = std::min(result.steps, std::max(kLeastSteps, max_memory / kBytesPerStep));
  result.visits = std::min(result.visits, std::max(kLeastSteps, max_memory / kBytesPerStep) * 4);
  result.deadline = deadline;
  return result;
}

template <typename Number>
RaisingState raise_starts(const ResidueSystem& system, const RaisingLimits& limits, unsigned margin,
                          Classes<Number>& classes, RaisingProgress& progress) {
  return Raising<Number>(system, limits, margin, classes, progress).run();
}

template RaisingState raise_starts(const ResidueSystem&, const RaisingLimits&, unsigned, Classes<std::int64_t>&,
                                   RaisingProgress&);
template RaisingState raise_starts(const ResidueSystem&, const RaisingLimits&, unsigned, Classes<Int128>&,
                                   RaisingProgress&);
template RaisingState raise_starts(const ResidueSystem&, const RaisingLimits&, unsigned, Classes<Integer>&,
                                   RaisingProgress&);

}  // namespace takt::evaluators

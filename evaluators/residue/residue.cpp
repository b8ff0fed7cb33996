// The search over beats and moduli, and its answer in the net's own terms.
#include "evaluators/residue/residue.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "evaluators/bounds.hpp"
#include "evaluators/residue/circuit.hpp"
#include "evaluators/residue/classes.hpp"
#include "evaluators/residue/system.hpp"

namespace takt::evaluators {

namespace {

using tpn::FoldedNet;

// The classes whose starts an evaluation keeps as its witness: as many as a certificate may hold.
constexpr double kKeptClasses = 10'000'000;

enum class Outcome { proved, limit, too_wide };

class Search {
 public:
  Search(const FoldedNet& net, const ResidueSystem& system, const Options& options, double max_visits)
      : net_(net), system_(system), options_(options), max_visits_(max_visits), moduli_(system.least_moduli) {
    evaluation_ = coarse_bounds(net, Method::residue);
    best_ = evaluation_.lower * Rational(net.pipeline.scale);
  }

  Evaluation run() {
    // How far above the lower bound the beats are: 1 / margin of it, 0 for none.
    constexpr std::array<unsigned, 11> kMargins = {0, 1, 4, 8, 16, 32, 64, 128, 512, 4096, 0};
    // Of the attempt to be exact at once.
    constexpr double kFirstVisits = 4e8;
    constexpr double kFirstClasses = 8e6;
    for (std::size_t k = 0; k < kMargins.size() && !evaluation_.exact(); ++k) {
      margin_ = kMargins[k];
      if (k == 1) start_anew();
      stop_ = k == 0 ? std::min(kFirstVisits, max_visits_) : max_visits_;
      most_classes_ = k == 0 ? kFirstClasses : std::numeric_limits<double>::infinity();
      deadline_ = k == 0 ? half_way(options_.deadline) : options_.deadline;
      Outcome outcome = Outcome::too_wide;
      if (width_ <= 0) outcome = attempt<std::int64_t>();
      if (outcome == Outcome::too_wide && width_ <= 1) outcome = attempt<Int128>();
      if (outcome == Outcome::too_wide) outcome = attempt<Integer>();
      if (outcome == Outcome::limit && (k > 0 || max_visits_ <= kFirstVisits)) break;
    }
    if (evaluation_.exact()) evaluation_.limit = {};
    evaluation_.lower = best_ / Rational(net_.pipeline.scale);
    return evaluation_;
  }

 private:
  struct Rise {
    std::size_t node = 0;
    std::int64_t data_set = 0;
  };

  // Forgets the classes, but not what they cost.
  void start_anew() {
    std::apply([&](auto&... classes) { ((spent_ += classes ? classes->visits() : 0, classes.reset()), ...); },
               classes_);
    moduli_ = system_.least_moduli;
  }

  // Raises starts at beats `margin_` above the best lower bound until they keep every link.
  template <typename Number>
  Outcome attempt() {
    auto& kept = std::get<std::optional<Classes<Number>>>(classes_);
    if (!kept) {
      std::get<0>(classes_).reset();
      std::get<1>(classes_).reset();
      kept.emplace(system_, moduli_);
    }
    width_ = std::is_same_v<Number, std::int64_t> ? 0 : std::is_same_v<Number, Int128> ? 1 : 2;
    Classes<Number>& classes = *kept;
    const Outcome outcome = raise(classes);
    moduli_ = classes.moduli();
    if (outcome == Outcome::too_wide) {
      spent_ += classes.visits();
      kept.reset();
      ++width_;
    }
    return outcome;
  }

  template <typename Number>
  Outcome raise(Classes<Number>& classes) {
    if (!start_beat(classes)) return Outcome::too_wide;
    std::uint64_t rows = kLeastRows;
    for (;;) {
      if (is_spent(classes)) return Outcome::limit;
      risen_.clear();
      const auto rolled = roll(classes, rows);
      if (!rolled) return Outcome::too_wide;
      if (rolled->rose) {
        const auto hunted = hunt(classes);
        if (!hunted) return Outcome::limit;
        if (*hunted == Hunt::new_beat && !start_beat(classes)) return Outcome::too_wide;
        if (*hunted != Hunt::nothing) {
          rows = std::max(kLeastRows, rows / 2);
          continue;
        }
      }
      if (rolled->partly) {
        rows *= 2;
        continue;
      }
      if (rolled->rose && ++rolls_ % kRollsBeforeClosing != 0) continue;
      risen_.clear();
      const auto closed = classes.close([&](std::size_t v, std::int64_t j) { note(v, j); });
      if (!closed) return Outcome::too_wide;
      if (!*closed && !rolled->rose) {
        prove(classes);
        return Outcome::proved;
      }
      const auto hunted = hunt(classes);
      if (!hunted) return Outcome::limit;
      if (*hunted == Hunt::new_beat && !start_beat(classes)) return Outcome::too_wide;
    }
  }

  struct Rolled {
    bool rose = false;
    bool partly = false;  // fewer rows than the largest modulus
  };

  // Rolls over each range of nodes that has an active one, or one that an active one leads to.
  template <typename Number>
  std::optional<Rolled> roll(Classes<Number>& classes, std::uint64_t most_rows) {
    const std::size_t nodes = system_.columns.size();
    std::vector<bool> near(nodes, false);
    for (std::size_t v = 0; v < nodes; ++v) {
      if (!active_[v]) continue;
      near[v] = true;
      for (const std::size_t k : system_.outgoing[v]) near[system_.links[k].to] = true;
    }
    active_.assign(nodes, false);
    Rolled rolled;
    for (std::size_t first = 0; first < nodes; ++first) {
      if (!near[first]) continue;
      std::size_t last = first;
      while (last + 1 < nodes && near[last + 1]) ++last;
      std::uint64_t rows = 0;
      for (std::size_t v = first; v <= last; ++v) rows = std::max(rows, classes.modulus(v));
      const bool partly = rows > most_rows;
      bool rose = false;
      const auto risen = [&](std::size_t v, std::int64_t j) {
        rose = true;
        note(v, j);
      };
      if (!classes.roll(first, last, std::min(rows, most_rows), risen)) return std::nullopt;
      rolled.rose |= rose;
      rolled.partly |= partly;
      if (partly && !rose) {
        for (std::size_t v = first; v <= last; ++v) active_[v] = true;
      }
      first = last;
    }
    return rolled;
  }

  // Keeps a sample of what rose, the latest among it.
  void note(std::size_t node, std::int64_t data_set) {
    active_[node] = true;
    if (risen_.size() < kNoted) {
      risen_.push_back({node, data_set});
    } else {
      risen_[noted_++ % kNoted] = {node, data_set};
    }
  }

  enum class Hunt { nothing, refined, new_beat };

  static Deadline half_way(const Deadline& deadline) {
    if (!deadline) return std::nullopt;
    const auto now = std::chrono::steady_clock::now();
    return now + (*deadline - now) / 2;
  }

  // Looks for circuits that force starts up. Nothing where the refinement would take too much memory.
  template <typename Number>
  std::optional<Hunt> hunt(Classes<Number>& classes) {
    constexpr std::size_t kTraces = 16;
    std::vector<Refinement> refinements;
    const std::size_t traces = std::min(kTraces, risen_.size());
    using Walk = typename Classes<Number>::Walk;
    for (std::size_t k = 0; k < traces; ++k) {
      if (has_passed(deadline_)) break;
      const Rise& rise = risen_[risen_.size() - 1 - risen_.size() * k / traces];
      for (const Walk walk : {Walk::own_data_set, Walk::latest}) {
        const auto circuit = classes.trace(rise.node, rise.data_set, walk);
        if (!circuit || class_ratio(system_, *circuit) <= beat_) continue;
        if (improve(*circuit) && best_ > beat_) return Hunt::new_beat;
        auto refinement = cheapest_refinement(system_, classes.moduli(), *circuit);
        maxplus::expects(refinement.has_value(), "a circuit of the net is no longer than its bound says");
        refinements.push_back(std::move(*refinement));
      }
    }
    if (refinements.empty()) return Hunt::nothing;
    return refine(classes, std::move(refinements));
  }

  // The cheapest refinement, and others nearly as cheap at nodes of their own.
  template <typename Number>
  std::optional<Hunt> refine(Classes<Number>& classes, std::vector<Refinement> refinements) {
    constexpr double kFewClasses = 10'000;
    std::ranges::sort(refinements, {}, &Refinement::classes);
    const double most = 2 * refinements.front().classes + kFewClasses;
    std::vector<bool> touched(system_.columns.size(), false);
    for (const Refinement& refinement : refinements) {
      if (refinement.classes > most) break;
      const auto is_touched = [&](const auto& raised) { return touched[raised.first]; };
      if (std::ranges::any_of(refinement.moduli, is_touched)) continue;
      if (!has_memory<Number>(classes, refinement.classes)) return std::nullopt;
      for (const auto& [node, modulus] : refinement.moduli) {
        touched[node] = true;
        classes.refine(node, modulus);
        active_[node] = true;
        for (const std::size_t k : system_.outgoing[node]) active_[system_.links[k].to] = true;
      }
    }
    return Hunt::refined;
  }

  // Starts, the copy that a growing vector needs, and the ends of one link.
  template <typename Number>
  bool has_memory(const Classes<Number>& classes, double more) {
    double total = more;
    for (const std::uint64_t modulus : classes.moduli()) total += static_cast<double>(modulus);
    if (total > most_classes_) {
      evaluation_.limit =
          tpn::TooLarge{tpn::LimitKind::residue_classes, Integer(total), static_cast<std::uint64_t>(most_classes_)};
      return false;
    }
    const double bytes = (total * 2) * static_cast<double>(sizeof(Number));
    if (bytes <= static_cast<double>(options_.max_memory)) return true;
    evaluation_.limit = tpn::TooLarge{tpn::LimitKind::residue_bytes, Integer(bytes), options_.max_memory};
    return false;
  }

  template <typename Number>
  bool is_spent(const Classes<Number>& classes) {
    if (has_passed(deadline_)) {
      evaluation_.limit = OutOfTime{};
      return true;
    }
    const double visits = spent_ + classes.visits();
    if (visits <= stop_) return false;
    evaluation_.limit =
        tpn::TooLarge{tpn::LimitKind::residue_visits, Integer(visits), static_cast<std::uint64_t>(stop_)};
    return true;
  }

  // True where the circuit of the net is a better lower bound.
  bool improve(const std::vector<ClassStep>& circuit) {
    const auto real = real_circuit(system_, circuit);
    if (!real || real->ratio <= best_) return false;
    best_ = real->ratio;
    CriticalCircuit& found = evaluation_.circuit;
    found = {};
    found.data_set = real->data_set;
    found.laps = real->laps;
    for (const ClassStep& step : circuit) {
      const auto& steps = system_.links[step.link].steps;
      found.steps.insert(found.steps.end(), steps.begin(), steps.end());
    }
    return true;
  }

  template <typename Number>
  bool start_beat(Classes<Number>& classes) {
    beat_ = best_;
    if (margin_ > 0) {
      // Rounded up to few bits, so that the starts stay small.
      Integer unit = 1;
      while (Rational(unit) * best_ < Rational(8 * margin_)) unit *= 2;
      const Rational above = best_ * Rational::fraction(margin_ + 1, margin_) * Rational(unit);
      Integer rounded;
      mpz_cdiv_q(rounded.get_mpz_t(), above.numerator().get_mpz_t(), above.denominator().get_mpz_t());
      beat_ = Rational::fraction(rounded, unit);
    }
    active_.assign(system_.columns.size(), true);
    return classes.set_beat(beat_);
  }

  template <typename Number>
  void prove(const Classes<Number>& classes) {
    const Rational upper = beat_ / Rational(net_.pipeline.scale);
    if (upper > evaluation_.upper) return;
    evaluation_.upper = upper;
    evaluation_.lower = best_ / Rational(net_.pipeline.scale);
    double total = 0;
    for (const std::uint64_t modulus : classes.moduli()) total += static_cast<double>(modulus);
    for (const ImmediateColumn& immediate : system_.immediate)
      total += static_cast<double>(classes.modulus(node_of(immediate.after)));
    if (total > kKeptClasses) {
      evaluation_.witness = LargeSchedule{Integer(total)};
    } else {
      evaluation_.witness = schedule(classes);
    }
  }

  std::size_t node_of(std::size_t column) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(system_.columns, column) - system_.columns.begin());
  }

  template <typename Number>
  ClassSchedule schedule(const Classes<Number>& classes) const {
    ClassSchedule result;
    result.unit = classes.factor() * net_.pipeline.scale;
    std::vector<std::vector<Integer>> starts(net_.pipeline.columns.size());
    for (std::size_t v = 0; v < system_.columns.size(); ++v) {
      for (const Number& start : classes.starts(v)) starts[system_.columns[v]].push_back(widen<Number>(start));
    }
    for (const ImmediateColumn& immediate : system_.immediate) {
      const std::vector<Integer>& before = starts[immediate.after];
      const Integer beats = beat_.numerator() * immediate.height;
      for (std::uint64_t p = 0; p < before.size(); ++p) {
        const std::uint64_t source = (p + before.size() - immediate.height % before.size()) % before.size();
        starts[immediate.column].push_back(
            before[source] + net_.pipeline.columns[immediate.after].duration(source) * classes.factor() - beats);
      }
    }
    for (std::vector<Integer>& column : starts) result.starts.emplace_back(std::move(column));
    return result;
  }

  static constexpr std::uint64_t kLeastRows = 1 << 16;
  static constexpr std::size_t kNoted = 20'000;
  static constexpr std::uint64_t kRollsBeforeClosing = 4;

  const FoldedNet& net_;
  const ResidueSystem& system_;
  const Options& options_;
  double max_visits_;
  double stop_ = 0;
  double most_classes_ = 0;
  Deadline deadline_;
  double spent_ = 0;  // by numbers that became too narrow
  unsigned margin_ = 0;
  int width_ = 0;  // of the numbers: 64 bits, 128, any
  std::vector<std::uint64_t> moduli_;
  std::tuple<std::optional<Classes<std::int64_t>>, std::optional<Classes<Int128>>, std::optional<Classes<Integer>>>
      classes_;
  Rational best_;  // lower bound, net units
  Rational beat_;
  Evaluation evaluation_;
  std::vector<bool> active_;
  std::vector<Rise> risen_;
  std::size_t noted_ = 0;
  std::uint64_t rolls_ = 0;
};

}  // namespace

Evaluation residue(const FoldedNet& net, const Options& options, double max_visits) {
  const auto system = make_residue_system(net);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&system)) {
    Evaluation evaluation = coarse_bounds(net, Method::residue);
    if (!evaluation.exact()) evaluation.limit = *too_large;
    return evaluation;
  }
  return Search(net, std::get<ResidueSystem>(system), options, max_visits).run();
}

Evaluation residue(const FoldedNet& net, const Options& options) {
  return residue(net, options, options.deadline ? std::numeric_limits<double>::infinity() : kResidueVisits);
}

}  // namespace takt::evaluators

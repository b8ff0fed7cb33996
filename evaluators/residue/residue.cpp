// The attempts of a search: which candidate periods, in numbers of which width, within which limits.
#include "evaluators/residue/residue.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "evaluators/bounds.hpp"
#include "evaluators/residue/classes.hpp"
#include "evaluators/residue/findings.hpp"
#include "evaluators/residue/raising.hpp"
#include "evaluators/residue/system.hpp"

namespace takt::evaluators {

namespace {

using tpn::FoldedNet;

class ResidueSearch {
 public:
  ResidueSearch(const FoldedNet& net, const ResidueSystem& system, Evaluation bounds, const Options& options,
                const VisitLimits& visits)
      : system_(system),
        options_(options),
        visits_(visits),
        moduli_(system.least_moduli),
        progress_{Findings(net, system, std::move(bounds)), {}, 0} {}

  Evaluation run() {
    // How far above the lower bound the candidate periods are: 1 / margin of it, 0 for none.
    constexpr std::array<unsigned, 11> kMargins = {0, 1, 4, 8, 16, 32, 64, 128, 512, 4096, 0};
    for (std::size_t k = 0; k < kMargins.size() && !progress_.findings.exact(); ++k) {
      if (k == 1) start_anew();
      const RaisingLimits limits = k == 0 ? first_limits() : later_limits();
      const RaisingState state = attempt(limits, kMargins[k]);
      if (state == RaisingState::stopped && (k > 0 || visits_.all <= kResidueFirstVisits)) break;
    }
    return progress_.findings.answer();
  }

 private:
  // Of the attempt to be exact at once.
  static constexpr double kFirstClasses = 8e6;

  static constexpr double kVisitsPerInteger = 16;  // of any size

  enum class Width { bits64, bits128, any };

  RaisingLimits first_limits() const {
    return {.visits = std::min(kResidueFirstVisits, visits_.all),
            .visits_once_split = visits_.once_split,
            .classes = kFirstClasses,
            .max_memory = options_.max_memory,
            .deadline = options_.deadline.half_way()};
  }

  RaisingLimits later_limits() const {
    return {.visits = visits_.all, .max_memory = options_.max_memory, .deadline = options_.deadline};
  }

  // Forgets the classes, but not what they cost.
  void start_anew() {
    if (const auto* classes = std::get_if<Classes<std::int64_t>>(&classes_)) visits_before_ += classes->visits();
    if (const auto* classes = std::get_if<Classes<Int128>>(&classes_)) visits_before_ += classes->visits();
    if (const auto* classes = std::get_if<Classes<Integer>>(&classes_)) visits_before_ += classes->visits();
    classes_.emplace<std::monostate>();
    moduli_ = system_.least_moduli;
  }

  // In numbers as narrow as have not failed yet.
  RaisingState attempt(const RaisingLimits& limits, unsigned margin) {
    RaisingState state = RaisingState::too_wide;
    if (width_ == Width::bits64) state = attempt_in<std::int64_t>(limits, margin, Width::bits128);
    if (state == RaisingState::too_wide && width_ == Width::bits128) {
      state = attempt_in<Int128>(limits, margin, Width::any);
    }
    if (state == RaisingState::too_wide) state = attempt_in<Integer>(limits, margin, Width::any);
    return state;
  }

  // With the classes of the attempt before, if there are some.
  template <typename Number>
  RaisingState attempt_in(RaisingLimits limits, unsigned margin, Width wider) {
    auto* classes = std::get_if<Classes<Number>>(&classes_);
    if (classes == nullptr) classes = &classes_.template emplace<Classes<Number>>(system_, moduli_, limits.deadline);
    limits.visits_before = visits_before_;
    // A visit stands for a time.
    if constexpr (std::is_same_v<Number, Integer>)
      limits.visits = visits_before_ + (limits.visits - visits_before_) / kVisitsPerInteger;
    const RaisingState state = raise_starts(system_, limits, margin, *classes, progress_);
    moduli_ = classes->moduli();
    if (state == RaisingState::too_wide) {
      visits_before_ += classes->visits();
      classes_.template emplace<std::monostate>();
      width_ = wider;
    }
    return state;
  }

  const ResidueSystem& system_;
  const Options& options_;
  VisitLimits visits_;
  double visits_before_ = 0;  // to classes that are no more
  Width width_ = Width::bits64;
  std::vector<std::uint64_t> moduli_;
  std::variant<std::monostate, Classes<std::int64_t>, Classes<Int128>, Classes<Integer>> classes_;
  RaisingProgress progress_;
};

}  // namespace

Evaluation residue(const FoldedNet& net, const Options& options, const VisitLimits& limits) {
  Evaluation bounds = uniform_bounds(net, Method::residue);
  if (bounds.exact()) return bounds;
  tell(options.deadline, bounds);
  const auto system = make_residue_system(
      net, {.max_numbers = limits.all, .max_memory = options.max_memory, .deadline = options.deadline});
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&system)) bounds.limit = *too_large;
  if (std::holds_alternative<OutOfTime>(system)) bounds.limit = OutOfTime{};
  if (!std::holds_alternative<ResidueSystem>(system)) return bounds;
  return ResidueSearch(net, std::get<ResidueSystem>(system), std::move(bounds), options, limits).run();
}

Evaluation residue(const FoldedNet& net, const Options& options) {
  VisitLimits limits;
  if (options.deadline.time()) limits.all = std::numeric_limits<double>::infinity();
  return residue(net, options, limits);
}

}  // namespace takt::evaluators

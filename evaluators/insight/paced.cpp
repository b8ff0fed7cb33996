// Passes over the rows, in 64 bits as long as times fit.
#include "evaluators/insight/paced.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "evaluators/insight/waits.hpp"
#include "maxplus/contract.hpp"

namespace takt::evaluators {

namespace {

enum class PassEnd { settled, raised, too_long };

template <typename Number>
class Pacing {
 public:
  Pacing(const OperationWaits& waits, const Rational& period)
      : waits_(waits),
        durations_(waits.durations<Number>(period.denominator())),
        period_(narrow<Number>(period.numerator() * waits.net().pipeline.scale)),
        offsets_(waits.size(), Number(0)),
        is_reached_(waits.size(), false) {
    enter();
  }

  PassEnd pass() {
    bool raised = false;
    for (std::size_t v = 0; v < offsets_.size(); ++v) {
      for (const Wait& wait : waits_.of(v)) {
        if (!is_reached_[wait.vertex]) continue;
        raised = raise(v, offsets_[wait.vertex] + durations_[wait.vertex] - sooner_by(period_, wait.height)) || raised;
      }
      if constexpr (std::is_same_v<Number, std::int64_t>) {
        if (offsets_[v] > kMostTime || offsets_[v] < -kMostTime) return PassEnd::too_long;
      }
    }
    return raised ? PassEnd::raised : PassEnd::settled;
  }

  bool is_whole() const { return std::ranges::find(is_reached_, false) == is_reached_.end(); }

  std::vector<Integer> take_offsets() {
    if constexpr (std::is_same_v<Number, Integer>) return std::move(offsets_);
    std::vector<Integer> result;
    result.reserve(offsets_.size());
    for (const Number& offset : offsets_) result.push_back(widen(offset));
    return result;
  }

 private:
  // Arrivals wait for their data sets, which come a shift sooner than their rounds.
  void enter() {
    const tpn::Pipeline& pipeline = waits_.net().pipeline;
    for (const tpn::PartIndex entry : pipeline.entries()) {
      const tpn::ColumnIndex arrival = pipeline.parts[entry].computation;
      for (std::uint64_t row = 0; row < waits_.rows(); ++row)
        raise(row * waits_.columns() + arrival.value(),
              Number(0) - sooner_by(period_, pipeline.columns[arrival].shift));
    }
  }

  bool raise(std::size_t v, Number offset) {
    if (is_reached_[v] && !(offsets_[v] < offset)) return false;
    offsets_[v] = std::move(offset);
    is_reached_[v] = true;
    return true;
  }

  const OperationWaits& waits_;
  std::vector<Number> durations_;
  Number period_;
  std::vector<Number> offsets_;
  std::vector<bool> is_reached_;
};

template <typename Number>
std::variant<std::vector<Integer>, OutOfTime, Beyond64Bits> offsets_of(const OperationWaits& waits,
                                                                       const Rational& period,
                                                                       const Deadline& deadline) {
  Pacing<Number> pacing(waits, period);
  for (std::size_t passes = 0; !deadline.has_passed(); ++passes) {
    maxplus::expects(passes < waits.size() + 2, "the net attains the period of a paced schedule");
    const PassEnd end = pacing.pass();
    if (end == PassEnd::too_long) return Beyond64Bits{};
    if (end != PassEnd::settled) continue;
    maxplus::expects(pacing.is_whole(), "every operation follows an arrival");
    return pacing.take_offsets();
  }
  return OutOfTime{};
}

}  // namespace

std::size_t PacedSchedule::index(const Integer& data_set, std::size_t column) const {
  return maxplus::modulo(data_set, rows) * columns + column;
}

Rational PacedSchedule::start(const Integer& data_set, std::size_t column) const {
  return Rational(data_set) * period + Rational::fraction(offsets[index(data_set, column)], unit);
}

std::variant<PacedSchedule, Limit> paced_schedule(const tpn::FoldedNet& net, const Rational& period,
                                                  const Deadline& deadline, std::uint64_t most_operations) {
  auto made = OperationWaits::make(net, most_operations);
  if (auto* too_large = std::get_if<tpn::TooLarge>(&made)) return Limit(std::move(*too_large));
  const OperationWaits& waits = std::get<OperationWaits>(made);
  std::variant<std::vector<Integer>, OutOfTime, Beyond64Bits> offsets = Beyond64Bits{};
  if (fits_64_bits(waits, period.denominator(), period.numerator() * net.pipeline.scale))
    offsets = offsets_of<std::int64_t>(waits, period, deadline);
  if (std::holds_alternative<Beyond64Bits>(offsets)) offsets = offsets_of<Integer>(waits, period, deadline);
  if (std::holds_alternative<OutOfTime>(offsets)) return Limit(OutOfTime{});
  return PacedSchedule{period, waits.rows(), waits.columns(), std::get<std::vector<Integer>>(std::move(offsets)),
                       net.pipeline.scale * period.denominator()};
}

}  // namespace takt::evaluators

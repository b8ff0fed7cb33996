// Column by column, by the net's own dependences.
#include "vary/expected_period.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tpn/models.hpp"

namespace takt::vary {

namespace {

using maxplus::Rational;
using tpn::ColumnIndex;
using tpn::ConstraintKind;
using tpn::Dependence;
using tpn::FoldedNet;

// The resources' dependences within a column.
struct Turns {
  std::vector<const Dependence*> dependences;

  bool has_several_kinds() const {
    return std::ranges::any_of(dependences, [&](const Dependence* d) { return d->kind != dependences.front()->kind; });
  }
};

// After how many data sets a sending, and a receiving, port has its turn again, if it is the same for all.
struct TorusSides {
  std::uint64_t senders = 0;
  std::uint64_t receivers = 0;
};

std::optional<TorusSides> sides_of(const Turns& turns) {
  TorusSides sides;
  for (const Dependence* dependence : turns.dependences) {
    const bool is_sender = dependence->kind == ConstraintKind::out_port;
    std::uint64_t& side = is_sender ? sides.senders : sides.receivers;
    if ((!is_sender && dependence->kind != ConstraintKind::in_port) || dependence->modulus != 1 || side != 0) {
      return std::nullopt;
    }
    side = dependence->height;
  }
  return sides;
}

std::optional<std::string> why_not_independent(const FoldedNet& net) {
  if (!tpn::separates_operations(net.model) || net.model.rooms() != 0) return "it is known under OVERLAP alone";
  if (net.capacity.window != 0 || !net.capacity.buffers.empty()) return "it is not known with windows or rooms";
  if (net.pipeline.is_shifted()) return "it is not known with transfers that are ahead";
  if (net.pipeline.has_batches()) return "it is not known with batches";
  for (const Dependence& dependence : net.dependences) {
    if (dependence.kind == ConstraintKind::flow || dependence.from == dependence.to) continue;
    return fmt::format(
        "it is not known where the {} of one processor, host or segment serves several transfers or parts",
        tpn::name_of(dependence.kind));
  }
  return std::nullopt;
}

// Of a transfer that forms tori.
std::optional<std::string> why_no_torus(const NetTimes& times, const ColumnTimes& column) {
  for (const TimeTerm& term : column.terms) {
    if (!tpn::is_nbue(times.laws[term.law])) {
      return fmt::format("it is not known for transfers between several senders and several receivers by this law: {}",
                         words_of(times.laws[term.law]));
    }
    if (times.data_set_law && term.grows_with_data_set)
      return "it is not known for transfers between several senders and several receivers where data sets differ";
  }
  return std::nullopt;
}

}  // namespace

std::variant<ExpectedPeriod, NoExpectedPeriod> expected_period(const FoldedNet& net, const NetTimes& times,
                                                               const Rational& period) {
  if (auto why = why_not_independent(net)) return NoExpectedPeriod{*std::move(why)};
  std::vector<Turns> turns(net.pipeline.columns.size());
  for (const Dependence& dependence : net.dependences)
    if (dependence.from == dependence.to) turns[dependence.from.value()].dependences.push_back(&dependence);
  ExpectedPeriod result{.upper = period};
  for (const ColumnIndex index : net.pipeline.all_columns()) {
    const Turns& here = turns[index.value()];
    if (here.dependences.empty() || !here.has_several_kinds()) continue;
    const auto sides = sides_of(here);
    if (!sides) {
      return NoExpectedPeriod{"it is known only where senders and receivers of a transfer take turns, each once"};
    }
    const std::uint64_t tori = std::gcd(sides->senders, sides->receivers);
    if (tori == sides->senders || tori == sides->receivers) continue;
    const ColumnTimes& of_column = times.columns[index.value()];
    if (auto why = why_no_torus(times, of_column)) return NoExpectedPeriod{*std::move(why)};
    const Rational mean = Rational::fraction(net.pipeline.columns[index].table.longest(), net.pipeline.scale);
    const Rational bound = mean * Rational(sides->senders + sides->receivers - tori) /
                           (Rational(sides->senders) * Rational(sides->receivers));
    result.upper = std::max(result.upper, bound);
  }
  return result;
}

}  // namespace takt::vary

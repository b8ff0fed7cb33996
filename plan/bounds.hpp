// What no mapping of any kind can do better: bounds that need no search, and can be said in a sentence.
//
// Problem. A plan is the cheapest of its class; what is the bound for all other mappings? And if there is no plan: why?
//
// Method. A data set comes in, is worked on by each stage on some machine, and leaves. Let X_kt be the share of the
// data sets that stage k computes on type t, so that sum_t X_kt = 1. For every kind of resource of a machine, the n_t
// machines of a type are busy for at most P n_t per data set:
//     sum_k X_kt w_kt <= P n_t,
// w_kt being what stage k asks of that resource on type t: its time where it handles computations; the transfer from
// the source, for the first stage, where it handles receptions; to the sink, for the last, where it handles sendings;
// divided by the cores, or ports, where a machine has several.
// With prices p_t and any y_t >= 0
//     cost >= sum_k min_t (p_t + y_t) w_kt / P - sum_t y_t N_t,
// and with y alone, P sum_t y_t N_t >= sum_k min_t y_t w_kt, which is the best that the linear program says for the
// best y. Of a type with a fixed time F a part of any of the n stages takes F, so each of them F / n at least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/catalogue.hpp"
#include "plan/plan.hpp"
#include "tpn/document.hpp"

namespace takt::plan {

/// Why no mapping has a shorter period.
struct PeriodBound {
  enum class Kind {
    not_replicable,  // `stage`, on `type`, where it takes the least time, computes every data set
    source,          // sends every data set, soonest to `type`, of those that run the first stage
    sink,            // receives every data set, soonest from `type`, of those that run the last stage
    work             // all machines there are, by their counts, are needed for a data set's work
  };
  Kind kind = Kind::work;
  Rational period;
  std::size_t stage = 0;
  std::size_t type = 0;
};

/// In the order in which they are to be said; only those above 0. `work` where every type has a count.
std::vector<PeriodBound> period_bounds(const Catalogue& catalogue, const tpn::Model& model);

/// No mapping whatsoever of at most that cost has a shorter period; 0 if nothing is known.
Rational period_bound_of_budget(const Catalogue& catalogue, const tpn::Model& model, const Rational& budget);

/// Lower bound of the period of every mapping after any `failures` failures without remapping.
Rational kept_period_bound(const Catalogue& catalogue, const tpn::Model& model, std::uint64_t failures);

/// Why no mapping whose machines serve one part each has a shorter period: the part of `stage` is at its best
/// [first_stage, last_stage] on `type`, which takes such times.
struct PartBound {
  std::size_t stage = 0;
  std::size_t first_stage = 0;
  std::size_t last_stage = 0;
  std::size_t type = 0;
  PartTimes times;
  Rational period;
};

/// Of the stages that may not be replicated, the slowest first; where such a stage cannot run at all it has none.
std::vector<PartBound> part_bounds(const Catalogue& catalogue, const tpn::Model& model, bool all_apart);

/// No mapping whatsoever with that period costs less: a multiple of the prices' greatest common divisor. Machines
/// on demand are to keep `on_demand`, > 0, alone: they do at their premiums what all do at their prices.
Rational cost_bound(const Catalogue& catalogue, const tpn::Model& model, const Rational& period,
                    const std::optional<Rational>& on_demand = std::nullopt);

/// The least transfers that machines of a type receive or send, from or to any that run the next stage: by stage * T +
/// type, in front of the stage or behind it, source and sink included. Nothing if there is no link.
std::vector<std::optional<Rational>> least_transfers(const Catalogue& catalogue, bool receives);

/// No data set stays less, in any mapping.
Rational latency_bound(const Catalogue& catalogue);

/// The first stage that no type runs, by time or memory.
std::optional<std::size_t> stage_without_type(const Catalogue& catalogue);

/// The largest number that all prices are multiples of; nothing if all are 0.
std::optional<Rational> price_step(const Catalogue& catalogue);
/// The least multiple of the step that is at least this.
Rational rounded_up(const Rational& cost, const std::optional<Rational>& step);

}  // namespace takt::plan

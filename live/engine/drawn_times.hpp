// Drawn durations and arrivals of a run, in ticks: the same in every rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "live/engine/route.hpp"
#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/law.hpp"
#include "vary/play.hpp"

namespace takt::live {

/// How the durations of a run vary: by one law in place of all, or by those of its document.
struct JitterTerms {
  std::optional<tpn::Law> law{};
  std::uint64_t seed = 1;
};

/// When data sets arrive.
struct ArrivalTerms {
  Rational gap = 1;  // on the average, in time units, above 0
  vary::ArrivalKind kind = vary::ArrivalKind::periodic;
  std::uint64_t seed = 1;
};

/// When a data set arrives, since the first moment; ascending.
using ArrivalSource = std::function<Ticks(std::uint64_t data_set)>;

/// Those of the first copy of a play (vary/drawn_copy.hpp), rounded to the nearest tick, of which there are 2^53 at
/// most. The pipeline is that of the document and has no batches.
DurationSource drawn_durations(const tpn::Document& document, const tpn::Pipeline& pipeline, const JitterTerms& jitter,
                               const Rational& ticks_per_unit);

/// Likewise. To be asked for data sets one after the other: it adds up gaps.
ArrivalSource drawn_arrivals(const ArrivalTerms& arrivals, const Rational& ticks_per_unit);

}  // namespace takt::live

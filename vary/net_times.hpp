// The durations of a net as laws around means: what a play draws.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"
#include "vary/draws.hpp"
#include "vary/law.hpp"

namespace takt::vary {

/// What a column's durations are made of: a mean, by entry of Column::table, times a factor that is drawn.
struct TimeTerm {
  DrawStream stream;
  std::size_t law = 0;        // an index into NetTimes::laws
  std::vector<double> means;  // in time units
};

struct NetTimes {
  std::vector<Law> laws;
  std::vector<std::vector<TimeTerm>> columns;  // a duration is the sum of its terms
};

/// All durations of a document's net by one law. A part's computation is a sum over its stages, each drawn by itself;
/// on a processor with a fixed time, one draw, of its first stage.
NetTimes times_of(const tpn::Document& document, const tpn::FoldedNet& net, const Law& law);

}  // namespace takt::vary

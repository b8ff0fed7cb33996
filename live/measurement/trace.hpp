// What ranks recorded, as one trace: every operation of every data set, in time units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "evaluators/play/play.hpp"
#include "live/engine/messages.hpp"
#include "tpn/folded_net.hpp"

namespace takt::live {

/// The operations by data set, then column, from the records of all processors. A transfer has a record of each side,
/// but for those within a processor: it starts when both were ready and ends with the later of them. `begin` is time 0.
std::vector<evaluators::Firing> trace_of(std::span<const std::vector<Record>> records, const Rational& ticks_per_unit,
                                         Ticks begin = 0);

/// What a processor has computed.
struct ComputationShare {
  std::uint64_t data_sets = 0;
  Ticks time = 0;

  friend bool operator==(const ComputationShare&, const ComputationShare&) = default;
};

/// By processor.
using ComputationShares = std::map<std::size_t, ComputationShare>;

/// Of the processors with mapped parts of the pipeline, from their records.
ComputationShares computation_shares(const tpn::Pipeline& pipeline,
                                                           std::span<const std::vector<Record>> records);

}  // namespace takt::live

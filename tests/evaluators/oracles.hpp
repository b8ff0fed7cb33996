// Outside oracles of a period: Boost's solver on the unfolded net, and the pipeline played by its rules.
#pragma once

#include <cstdint>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/event_graph.hpp"

namespace takt::support {

/// The period of an unfolded net by boost::maximum_cycle_ratio, component by component. Boost works in
/// doubles and stops after 100 rounds; the exact ratio is that of the circuit it returns, never above the period.
maxplus::Rational boost_period(const tpn::FoldedNet& net);

/// True if boost::bellman_ford_shortest_paths, in integers, finds no circuit of the unfolded net that
/// takes more than `period` per data set.
bool boost_finds_no_longer_circuit(const tpn::FoldedNet& net, const maxplus::Rational& period);

/// The period measured on a pipeline that is played without any net: every processor (STRICT), or every
/// port and computation (OVERLAP), is free from the end of its last operation, operations are taken in
/// the order of data sets and columns. The growth of the last completion over `hyper_periods` after as
/// many before, which is exact once the transient is over and the growth is periodic.
maxplus::Rational played_period(const tpn::Pipeline& pipeline, tpn::Model model, std::uint64_t hyper_periods,
                                const tpn::Capacity& capacity = {});

struct PlayedOperation {
  maxplus::Rational start;
  maxplus::Rational end;
};

/// When each operation of the first data sets starts and ends in such a play, by data set, then column.
std::vector<PlayedOperation> played_operations(const tpn::Pipeline& pipeline, tpn::Model model, std::uint64_t data_sets,
                                               const tpn::Capacity& capacity = {});

/// The time until data sets first to first + count - 1 are through a net without guards that was empty, in ticks.
maxplus::Integer time_of_block(const tpn::FoldedNet& net, std::uint64_t first, std::uint64_t count);

/// The cycle time of a resource: what the busiest of its ports does, added up one operation at a time until all of them
/// have had the same turns again.
maxplus::Rational plain_cycle_time(const tpn::FoldedNet& net, const tpn::Resource& resource);

}  // namespace takt::support

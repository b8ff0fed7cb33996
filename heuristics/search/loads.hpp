// How busy the processors of a mapping are, in integer ticks: bounds for exhaustive search, a slope for local search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "evaluators/kernel/numbers.hpp"
#include "evaluators/kernel/period.hpp"
#include "heuristics/search/segment_loads.hpp"
#include "tpn/mapping_routes.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// The transfers between one entry of a part and all entries of a neighboring part that it meets: one after the
/// other, each equally often.
struct Meetings {
  std::int64_t ticks = 0;  // of all
  std::int64_t partners = 1;
};

/// Look-ups of durations in ticks, none longer than 2^36, each at most what it really is, for chains and workflows.
/// Keeps references into the view. Mappings must have their links.
class Loads {
 public:
  /// Nothing if the platform has too many different links (tpn::TickTimes).
  static std::optional<Loads> make(const tpn::ProblemView& problem);

  /// Ticks per time unit.
  const tpn::Rational& scale() const { return times_.scale(); }

  std::int64_t computation(const tpn::Part& part, std::size_t processor) const {
    return times_.computation(part.first_stage, part.last_stage, processor);
  }
  /// The largest cycle time of the part's processors as if they served it alone, as far as its neighbors are there to
  /// transfer to and from: ticks, and the data sets that take them. Nothing beyond 2^24 data sets.
  std::optional<Meetings> largest_cycle_time(const tpn::Mapping& mapping, std::size_t i, const tpn::Model& model);

  /// What the busiest segment's cycle time is at least, in ticks, whatever parts follow those of the mapping; nothing
  /// where no segment limits anything.
  std::optional<std::int64_t> busiest_segment(const tpn::Mapping& mapping);

  /// What a processor in part i would spend per turn of its on receptions, on the mean over each part before, of which
  /// at most `most` entries are looked at.
  std::int64_t mean_reception(const tpn::Mapping& mapping, std::size_t i, std::size_t processor, std::size_t most);
  /// The same for sendings to the part behind.
  std::int64_t mean_sending(const tpn::Mapping& mapping, std::size_t i, std::size_t processor, std::size_t most);

  /// A period in whole ticks, rounded down, at least 1.
  std::int64_t ticks(const evaluators::Period& period);

  /// How near the resources come to setting a period: the sum of the eighth powers of their cycle times over the
  /// period, in 256ths. Of two mappings of that period the one with less of it has fewer or less urgent resources
  /// that stand in the way of a smaller one; rounded, so good for a choice and not for a bound. Nothing if some
  /// cycle time is certainly longer than the period.
  std::optional<evaluators::Int128> pressure(const tpn::Mapping& mapping, tpn::Model model,
                                             const evaluators::Period& period);

 private:
  Loads(const tpn::Document& problem, const tpn::TickTimes& times);

  const tpn::Document& problem_;
  const tpn::TickTimes& times_;
  using Route = tpn::MappingRoutes::Route;

  /// Of entry k of part i, from the part before it or from the source. For a part without the one or the other: none.
  Meetings receptions(const tpn::Mapping& mapping, std::size_t i, std::size_t k) const;
  /// The same to the part behind it, or to the sink.
  Meetings sendings(const tpn::Mapping& mapping, std::size_t i, std::size_t k) const;
  /// Of the listed mapping of a workflow: of entry k of the part that sends, or receives.
  Meetings sent(const tpn::Mapping& mapping, const Route& route, std::size_t k) const;
  Meetings received(const tpn::Mapping& mapping, const Route& route, std::size_t k) const;
  /// Entries on the other side.
  std::size_t senders(const tpn::Mapping& mapping, const Route& route) const;
  std::size_t receivers(const tpn::Mapping& mapping, const Route& route) const;
  std::optional<Meetings> largest_in_workflow(const tpn::Mapping& mapping, std::size_t i, const tpn::Model& model);
  /// Ticks per data set of all processors, into receiving_, computing_ and sending_.
  void add_up(const tpn::Mapping& mapping);
  /// Of ports by host, divided by their number.
  void add_up_ports();
  /// Those of the model's resources that are not 0, into loads_; false if one is beyond `most`.
  bool list_loads(const tpn::Model& model, std::int64_t most);
  bool list_segments(const tpn::Mapping& mapping, std::int64_t most);

  // The period asked for last, in ticks, at least 1.
  std::optional<evaluators::Period> asked_;
  std::int64_t asked_ticks_ = 1;
  // Ports are their hosts'; by processor, empty if each has one of its own.
  std::vector<std::size_t> port_owner_;
  std::vector<tpn::PortCount> ports_;
  bool do_ports_bound_ = true;
  std::optional<SegmentLoads> segments_;      // if there are any
  std::optional<tpn::MappingRoutes> routes_;  // of a workflow
  // By processor, ticks per data set; kept for their memory.
  std::vector<std::int64_t> receiving_;
  std::vector<std::int64_t> computing_;
  std::vector<std::int64_t> sending_;
  std::vector<std::int64_t> port_receiving_;  // of hosts, by their first processor
  std::vector<std::int64_t> port_sending_;
  std::vector<std::int64_t> loads_;  // by resource
};

}  // namespace takt::heuristics

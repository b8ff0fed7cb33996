// What the planner knows of a problem: how long stages and files take on types of processors, and what those cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "maxplus/deadline.hpp"
#include "plan/machine_demand.hpp"
#include "plan/proof/plans_take.hpp"
#include "tpn/document.hpp"
#include "tpn/quotas.hpp"

namespace takt::plan {

using maxplus::Integer;
using maxplus::Rational;

/// A stage as far as it matters which stages share a part.
struct PlannedStage {
  std::string name;
  bool replicable = true;
  bool apart = false;  // never in one part with the stage before
  Rational memory;
  std::uint64_t partitions = 0;  // which the cores of its part divide; 0: none
};

/// A type of machines.
struct MachineType {
  std::string name;
  Rational price = 1;                  // >= 0
  std::optional<std::uint64_t> count;  // as many as one likes where absent
  std::optional<Rational> memory;
  std::optional<Rational> fixed_time;  // of whatever a part computes on it, in place of the stages' times
  std::uint64_t cores = 1;             // that compute at once, each a data set of its own
  tpn::PortCount ports = tpn::kOnePort;
  Rational premium{};  // >= 0: what a machine costs beside `price` that is on demand (on_spot)
};

/// Exact times per data set, in time units: n stages, T types. Nothing if a stage does not run on a type, or a link
/// is missing. Ends that a problem lacks take no time.
struct Catalogue {
  std::vector<PlannedStage> stages;
  std::vector<MachineType> types;
  std::vector<std::optional<Rational>> stage_times;  // by stage * T + type; 0 on types with a fixed time
  // By (stage * T + from) * T + to: of the file behind the stage. None of a workflow.
  std::vector<std::optional<Rational>> transfers;
  std::vector<std::optional<Rational>> from_source;  // by type
  std::vector<std::optional<Rational>> to_sink;      // by type
  // Sources that take turns, alike, and the ports of all; likewise sinks.
  std::size_t sources = 1;
  std::size_t sinks = 1;
  tpn::PortCount source_ports = tpn::kOnePort;
  tpn::PortCount sink_ports = tpn::kOnePort;
  std::vector<tpn::QuotaUses> quotas{};
  bool has_rates = false;  // of stages: the times are loads, not those of operations (tpn/rates.hpp)

  const std::optional<Rational>& stage_time(std::size_t stage, std::size_t type) const {
    return stage_times[stage * types.size() + type];
  }
  const std::optional<Rational>& transfer(std::size_t last_stage, std::size_t from, std::size_t to) const {
    return transfers[(last_stage * types.size() + from) * types.size() + to];
  }
  /// Whether a stage runs on a type at all, by its time and memory.
  bool runs(std::size_t stage, std::size_t type) const;
  /// Of a part, on a type that runs all its stages.
  Rational computation(std::size_t first_stage, std::size_t last_stage, std::size_t type) const;
  /// The least first stage of a part that ends with this one on that type, by what runs there, memory and `apart`;
  /// last_stage + 1 if it does not run there even alone.
  std::size_t least_first_stage(std::size_t last_stage, std::size_t type, bool all_apart = false) const;
  /// The least first stage of a part that ends with this one and may be replicated; last_stage + 1 if none.
  std::size_t least_replicable_stage(std::size_t last_stage) const;
  /// The greatest common divisor of the partitions of a part's stages; 0 if none has any.
  std::uint64_t partitions(std::size_t first_stage, std::size_t last_stage) const;
  bool has_partitions() const;
  bool is_replicable(std::size_t first_stage, std::size_t last_stage) const {
    return least_replicable_stage(last_stage) <= first_stage;
  }
  /// Of a machine of the type, those that compute for a part: one where a stage must not be replicated.
  std::uint64_t working_cores(std::size_t type, bool is_replicable) const {
    return is_replicable ? types[type].cores : 1;
  }
  std::vector<MachineLimit> limits(const tpn::Model& model, std::size_t type, bool is_replicable) const {
    return machine_limits(model, working_cores(type, is_replicable), types[type].ports);
  }
  /// Whether the counts and quotas allow these numbers of machines by type, spare ones included.
  bool allows(std::span<const std::uint64_t> machines) const;
  bool has_counts() const;
  /// Whether some type has a count, or there is a quota.
  bool limits_machines() const { return !quotas.empty() || has_counts(); }
  /// Whether all types have as many cores: then the period of a part of several types is known in closed form.
  bool has_equal_cores() const;
  /// Whether no transfer depends on the types that it is between, ends included.
  bool has_equal_links() const;
};

/// The catalogue of a document with types; its processors, if any, do not count. Throws tpn::InvalidInstance for what
/// plans do not take, and where the size of a file that a link needs is absent. A stage without a time, or a work, that
/// a type needs does not run on it. Cost: n T^2.
Catalogue catalogue_of(const tpn::Document& problem);
/// The same; nothing if the time was up before all times were read. Of a workflow, where these are taken, without
/// transfers between types.
std::optional<Catalogue> catalogue_within(const tpn::Document& problem, const maxplus::Deadline& deadline,
                                          const tpn::Capabilities& takes = kPlansTake);

/// The same at spot prices, where types have one: what a machine costs more that is on demand is the type's premium.
Catalogue on_spot(Catalogue catalogue, const tpn::Platform& platform);

/// The document with two processors of each type, so that there are links within one; named as the types, for messages.
/// One core of each is enough.
tpn::Document two_of_each_type(const tpn::Document& problem);
inline std::size_t first_of_type(std::size_t type) { return 2 * type; }
inline std::size_t second_of_type(std::size_t type) { return 2 * type + 1; }

}  // namespace takt::plan

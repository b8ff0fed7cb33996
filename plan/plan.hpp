// A plan, and all that is known of it in closed form.
//
// Theorem. Where each part runs on equal machines in plain round robin, machine by machine, then the next core of each,
// and the time of a transfer follows from the two types that it is between, let x_i be the *demand* of part i, the
// period that one of its machines alone allows; m_i its machines; S the sum of all computations and transfers of
// one data set. Then the period is Q = max x_i / m_i (the ends of the world are parts of one machine), some resource is
// critical; a data set can stay exactly S at every period >= Q; with at most W data sets under way the period is
// max(Q, S / W). docs/planner.md has the proof, and what holds of parts whose machines differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/catalogue.hpp"
#include "tpn/document.hpp"

namespace takt::plan {

/// Stages [first_stage, last_stage] on machines of one type, in turn. `machines` > 0 compute; `standby` machines more
/// are paid for and idle: the spare ones of a part that must not be replicated, which computes on one core. On demand
/// are `on_demand` of them, at the premium of their type.
struct TypedPart {
  std::size_t first_stage = 0;
  std::size_t last_stage = 0;
  std::size_t type = 0;
  std::uint64_t machines = 1;
  std::uint64_t standby = 0;
  std::uint64_t on_demand = 0;

  friend bool operator==(const TypedPart&, const TypedPart&) = default;
};

/// Parts in the order of the chain, all stages once.
using TypedPlan = std::vector<TypedPart>;

/// Times of one data set in a part: `receive` from the part before or the source, `send` to the next or the sink.
struct PartTimes {
  Rational receive;
  Rational compute;
  Rational send;
};

/// A plan's closed forms under a model that tpn::follows_cycle_times.
class PlanFacts {
 public:
  /// The plan's links must be there.
  PlanFacts(const Catalogue& catalogue, const tpn::Model& model, const TypedPlan& plan);

  const Rational& cost() const { return cost_; }
  std::uint64_t machines() const { return machines_; }  // stand-bys included
  /// Of all machines, idle ones included; nothing if 64 bits do not hold that.
  std::optional<std::uint64_t> cores() const { return cores_; }
  const std::vector<std::uint64_t>& machines_by_type() const { return by_type_; }  // stand-bys included
  const Rational& period() const { return period_; }
  const Rational& latency() const { return latency_; }
  /// The least number of data sets under way that keeps the period; 1 if the period is 0.
  Integer window() const;
  /// The least room for files before and behind each core that keeps the period, where transfers and computations wait
  /// for nothing else; nothing if none does: what takes time takes place without end at once.
  std::optional<Integer> rooms() const;
  const std::vector<PartTimes>& times() const { return times_; }
  const std::vector<Rational>& demands() const { return demands_; }  // by part
  /// By part: what a machine's demand is the largest of.
  const std::vector<std::vector<MachineLimit>>& limits() const { return limits_; }
  /// Of the source and the sink, whichever is busy longer: no period is shorter.
  const Rational& ends() const { return ends_; }
  /// The period once a part has lost `lost` computing machines; nothing if none is left, or the others have not the
  /// partitions of those.
  std::optional<Rational> period_without(std::size_t part, std::uint64_t lost = 1) const;
  /// The longest period after any `failures` failures without remapping; nothing if a part may be left without
  /// machines.
  std::optional<Rational> period_after(std::uint64_t failures) const;
  /// The share of the time that a machine of the part is busy, 0 to 1.
  Rational busy(std::size_t part) const { return busy(part, period_); }
  /// The same where data sets come only once per so long, at least the plan's period.
  Rational busy(std::size_t part, const Rational& period) const;

 private:
  TypedPlan plan_;
  std::vector<PartTimes> times_;
  std::vector<Rational> demands_;
  std::vector<std::vector<MachineLimit>> limits_;
  std::vector<std::uint64_t> working_cores_;  // of a machine, by part
  std::vector<bool> has_partitions_;          // by part
  std::vector<std::uint64_t> by_type_;
  std::uint64_t machines_ = 0;
  std::optional<std::uint64_t> cores_;
  Rational cost_;
  Rational ends_;
  Rational period_;
  Rational latency_;
};

/// The machines of a part that are on demand: all of a type without a premium.
std::uint64_t machines_on_demand(const Catalogue& catalogue, const TypedPart& part);
/// The period that they keep without the others; nothing if some part has none.
std::optional<Rational> period_on_demand(const Catalogue& catalogue, const tpn::Model& model, TypedPlan plan);

/// The catalogue's document with the plan's machines and mapping, stand-bys being processors that the mapping does not
/// use, the plan's period predicted and the model. Machines that are not on demand have a price of their own.
tpn::Document mapped_document(const tpn::Document& problem, const Catalogue& catalogue, const tpn::Model& model,
                              const TypedPlan& plan);

}  // namespace takt::plan

// The cheapest machines of one type per part for a workflow: for given parts by branch and bound, for all by search.
//
// Problem. A part is a set of stages on m machines of one type, in plain round robin, each machine in one part. Its
// machines are to be busy for at most m P per data set, P the period: with what they receive, compute and send. What a
// transfer takes depends on the types at both of its ends. The sum of prices is to be as little as can be.
//
// Method. Part by part a type is chosen; of a neighbor without one the quickest link is assumed, so what the parts cost
// so far is a lower bound, and a branch that reaches the best sum known is cut. Where links do not depend on types the
// first descent is the best. Parts are found by enumeration up to kMostEnumerated stages; of more stages two parts are
// joined at a time, those that save most, as long as any saves.
//
// Invariant. How long machines are busy is a lower bound of the period, whatever the order of transfers and whatever is
// ahead, so no machines of these parts cost less. The plan's period may be longer: where parts fork and join
// (docs/model.md, "Workflows"), and where several ports pass several files of a data set in turn, for one of them may
// get all the large ones. A net says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "maxplus/deadline.hpp"
#include "plan/plan.hpp"
#include "plan/workflow/stage_groups.hpp"
#include "plan/workflow/workflow_times.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

/// Stages whose groupings are all looked at.
inline constexpr std::size_t kMostEnumerated = 8;

/// What the machines of a part are.
struct GroupMachines {
  std::size_t type = 0;
  std::uint64_t machines = 1;

  friend bool operator==(const GroupMachines&, const GroupMachines&) = default;
};

/// Machines for parts.
struct GroupedPlan {
  StageGroups groups;
  std::vector<GroupMachines> machines;  // by group
  Rational cost;
  Rational busiest;  // how long a machine, the source or the sink is busy with a data set; no period is shorter
};

struct GroupedQuery {
  tpn::Model model = tpn::Model::kOverlap;  // one that tpn::follows_cycle_times and that has no rooms
  Rational period;
  bool all_apart = false;  // each stage a part of its own
  maxplus::Deadline deadline;
};

struct GroupedAnswer {
  std::optional<GroupedPlan> plan;      // nothing: there is none, or, cut short, none was found
  std::optional<Rational> lower_bound;  // of the cost of any machines for these parts; nothing: there are none
  bool cut_short = false;
};

/// The cheapest machines for these parts, which are in order.
GroupedAnswer cheapest_machines(const WorkflowTimes& times, const StageGroups& groups, const GroupedQuery& query);

/// The least cost that the choice of each part alone allows; nothing if some part has no machines.
std::optional<Rational> cost_bound_of(const WorkflowTimes& times, const StageGroups& groups, const GroupedQuery& query);

/// Parts that are worth a look.
struct Groupings {
  struct Entry {
    StageGroups groups;
    Rational bound;  // cost_bound_of
  };
  std::vector<Entry> entries;  // the least bound first, with fewer parts before more; without those that have none
  bool are_all = false;        // no other parts can have machines
  bool cut_short = false;
};

Groupings groupings_of(const WorkflowTimes& times, const GroupedQuery& query);

std::vector<std::uint64_t> machines_by_type(const GroupedPlan& plan, std::size_t types);

/// The problem's document with the stages in the order of the parts, the plan's machines and its mapping; the period
/// predicted is `busiest`.
tpn::Document mapped_document(const tpn::Document& problem, const tpn::Model& model, const GroupedPlan& plan);

}  // namespace takt::plan

// Which processors of a platform are machines of one type, though nobody called them so.
//
// Problem. The planner chooses among machine types, each with a count; documents name processors, each with speeds and
// links of its own.
//
// Method. *Twins* may change places in every mapping: they compute alike, cost the same, and have the same links, with
// the ends, with one another and with everybody else. That is an equivalence: where changing u and v leaves the
// platform as it is, and v and w, so does changing u and w. So within a class all links are equal, as between two
// classes, and the closed forms of typed plans (plan/plan.hpp) hold. Cores that a document names at once are one
// machine; such machines are twins where each has a host of its own. Where only the computations are compared, classes
// are fewer, and links differ within a pair of them: the least durations bound from below what the largest attain, for
// longer durations never make a period shorter.
//
// Cost. O(p^2) for the links' numbers, then O(p) for each processor and class.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plan/catalogue.hpp"
#include "plan/plan.hpp"
#include "plan/sequences.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// A partition of the machines: of processors that the document names alone, and of cores that it names at once, each
/// by the first of them.
struct MachineClasses {
  std::vector<std::vector<std::size_t>> members;  // ascending, but for similar ones
  std::vector<std::size_t> of;                    // by processor
  std::vector<std::size_t> cores{};               // by first processor; empty if each machine has one
  std::vector<bool> is_fixed{};                   // by stage: not replicable, on one core of a machine

  std::size_t cores_of(std::size_t machine) const { return cores.empty() ? 1 : cores[machine]; }
};

/// What else but computations, and memory where stages need any, tells machines apart.
struct ClassRules {
  bool by_price = true;
  bool by_links = true;  // else links do not count, nor who shares a host or is on which side of a segment
};

/// Processors beyond which links are not compared: their numbers take 16 MB.
inline constexpr std::size_t kMostCompared = 2000;

/// Whether the sources that take turns, or the sinks, differ in their links: then transfers do within a type, too.
bool do_ends_differ(const tpn::ProblemView& problem);

/// More types than this are no types: the planner's program takes the cube of it.
inline constexpr std::size_t kMostTypes = 8;

/// Works and times must be there (require_works). At most kMostCompared processors.
MachineClasses machine_classes(const tpn::ProblemView& problem, const ClassRules& rules = {});

/// At most `most` classes of processors that take similar times for the whole chain, by the widest gaps, cheapest
/// members first; nothing if a processor has a fixed time.
std::optional<MachineClasses> similar_classes(const tpn::ProblemView& problem, std::size_t most);

/// Of all transfers between two classes.
enum class TransferChoice { least, largest };

/// The classes as types, named as their first machines, each with a count, cores and ports; times, price and memory as
/// those of its least, or for largest transfers its worst, members. Where two classes lack some link between them, the
/// largest transfer is none; where they lack all, the least is none. Sizes of files must be there (require_amounts).
plan::Catalogue catalogue_of(const tpn::ProblemView& problem, const MachineClasses& classes, TransferChoice choice);
/// The same without transfers between classes, of which there are many: for bounds that ask for none.
plan::Catalogue catalogue_without_transfers(const tpn::ProblemView& problem, const MachineClasses& classes,
                                            TransferChoice choice);

/// A plan on the classes' processors, from the first of each on; there must be enough of them.
tpn::Mapping mapping_of(const MachineClasses& classes, const plan::TypedPlan& plan);
/// The same; stand-bys serve no part.
tpn::Mapping mapping_of(const MachineClasses& classes, const plan::SequencePlan& plan);

}  // namespace takt::heuristics

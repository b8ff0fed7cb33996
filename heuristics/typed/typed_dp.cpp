// typed-dp: the mapping of least period among those whose parts are of one type of machine each.
//
// Problem. Clusters are bought by the dozen: a hundred processors are of three types. Heuristics that tell each from
// each do not see it, and those for equal processors refuse.
//
// Method. Processors that compute alike are of one type (heuristics/typed/machine_classes.hpp). For a period the
// planner says whether some plan keeps it with the machines that there are, and bisection finds the least period, on
// the fewest machines (plan/counted/fastest.hpp). homogeneous-dp is the case of one type and one machine a part. Where
// links differ within a pair of types, three plans are found and evaluated, and the best is taken: that of the largest
// transfers, whose period is at most what its program says, for shorter durations never make a period longer; that of
// the least, whose program's period bounds all such mappings; and that of twins, whose links are equal. Sources that
// take turns are one whose ports are theirs together; where their links differ, transfers do, too. The planner does not
// know segments: a plan's period is that of its mapping only when that has been evaluated.
//
// Invariant. Under OVERLAP, STRICT and bounded room the period of a plan on twins is what the program says.
//
// Cost. Some twenty programs of O(n^2 T^3), more where counts are scarce; up to kMostTypes types.
//
// References. [subhlok1995optimal] for one type; the rest is our own.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/common/amounts.hpp"
#include "heuristics/common/mapping_words.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "heuristics/search/start.hpp"
#include "heuristics/typed/machine_classes.hpp"
#include "plan/claims.hpp"
#include "plan/counted/counted.hpp"
#include "plan/counted/fastest.hpp"
#include "plan/typed/frontier.hpp"
#include "tpn/hosts.hpp"
#include "tpn/json.hpp"

namespace takt::heuristics {

namespace {

std::string types_note(const tpn::Document& problem, const MachineClasses& classes) {
  std::string list;
  for (const auto& members : classes.members) {
    if (!list.empty()) list += ", ";
    const tpn::Processor& first = problem.platform.processors[members[0]];
    list += fmt::format("{} like {}", members.size(), tpn::json::quote(std::string(tpn::entry_name(first))));
    if (const std::size_t cores = classes.cores_of(members[0]); cores > 1) list += fmt::format(" with {} cores", cores);
  }
  return fmt::format("{} of {} {}: {}.", classes.cores.empty() ? "Processors" : "Machines", classes.members.size(),
                     classes.members.size() == 1 ? "type" : "types", list);
}

class TypedSearch {
 public:
  TypedSearch(const tpn::ProblemView& problem, const Settings& settings)
      : problem_(problem), settings_(settings), evaluator_(problem) {
    const tpn::Platform& platform = problem.document().platform;
    const tpn::HostIndex hosts(platform);
    share_ = !platform.segments.empty() ||
             std::ranges::any_of(tpn::processor_groups(platform), [&](const tpn::ProcessorGroup& machine) {
               return hosts.size_of(machine.first) > machine.count;
             });
  }

  // The plan of least period of these types on that choice of transfers, its mapping evaluated.
  plan::GivenAnswer look(const MachineClasses& classes, TransferChoice choice, std::string_view name, int part) {
    plan::CountedQuery asked;
    asked.query.model = *settings_.model;
    asked.deadline = settings_.deadline.after_part(1, part);
    plan::GivenAnswer found = plan::fastest_within(catalogue_of(problem_, classes, choice), asked);
    cut_short_ = cut_short_ || !found.is_proved;
    std::vector<std::string> row{std::string(name), "", ""};
    if (found.point) {
      row[1] = time_in_words(problem_.document(), found.point->period);
      const tpn::Mapping mapping = mapping_of(classes, found.point->plan);
      // Among the least transfers may be some of links that others lack.
      if (problem_.links().hold(mapping)) row[2] = evaluate(mapping, *found.point, choice);
    }
    table_.rows.push_back(std::move(row));
    return found;
  }

  const std::optional<Proposal>& best() const { return best_; }
  bool cut_short() const { return cut_short_; }
  const LogTable& table() const { return table_; }

 private:
  std::string evaluate(const tpn::Mapping& mapping, const plan::FrontierPoint& point, TransferChoice choice) {
    std::optional<Rational> period = exact_period(problem_, evaluator_, mapping, *settings_.model, settings_.deadline);
    // A net too large to evaluate: at most this, and no less where the links are equal, unless machines share ports or
    // wires.
    if (!period && choice == TransferChoice::largest && !share_) period = point.period;
    if (!period) return "";
    if (!best_ || *period < best_->predicted_period) best_ = Proposal{mapping, *period};
    return time_in_words(problem_.document(), *period);
  }

  const tpn::ProblemView& problem_;
  const Settings& settings_;
  evaluators::MappingEvaluator evaluator_;
  bool share_ = false;  // two machines have one host, or transfers one segment
  std::optional<Proposal> best_;
  bool cut_short_ = false;
  LogTable table_{"Plans", {"transfers", "its period", "the mapping's"}, {}};
};

// Why the period may be above that of the plan with the least transfers.
std::string_view why_above(const tpn::Document& problem, bool do_links_differ) {
  if (!problem.platform.segments.empty()) return "the quickest links are counted, and no segments";
  return do_links_differ ? "links differ within pairs of types" : "links of sources or sinks differ";
}

void say_bound(const tpn::Document& problem, const Proposal& proposal, const plan::GivenAnswer& least,
               std::string_view why_above, Log& log) {
  if (!least.is_proved || !least.point) return;
  const Rational& bound = least.point->period;
  if (proposal.predicted_period <= bound) {
    log.notes.push_back(fmt::format(
        "No mapping of parts of one type each, each machine in one part, in plain round robin{}, has a shorter period.",
        plan::MappingClaim(plan::Prover::loads, plan::freedoms_of(problem)).without()));
  } else {
    log.notes.push_back(
        fmt::format("Mappings of parts of one type each, each machine in one part, in plain round robin, have periods "
                    "of {} at least: {}.",
                    time_in_words(problem, bound), why_above));
  }
}

Result map_by_typed_dp(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  require_amounts(problem);
  const std::size_t processors = problem.document().platform.processors.size();
  if (processors > kMostCompared) {
    return LimitMet{
        fmt::format("the platform has {} processors, and types are looked for among {}", processors, kMostCompared)};
  }
  const MachineClasses types = machine_classes(problem, {.by_price = false, .by_links = false});
  if (types.members.size() > kMostTypes) {
    return Infeasible{fmt::format("the processors are of {} types, by what they compute, and it takes {} at most",
                                  types.members.size(), kMostTypes)};
  }
  log.notes.push_back(types_note(problem.document(), types));
  const MachineClasses twins = machine_classes(problem, {.by_price = false, .by_links = true});
  const bool do_links_differ = twins.members.size() != types.members.size();
  const bool are_twins = !do_links_differ && !do_ends_differ(problem);
  TypedSearch search(problem, settings);
  const plan::GivenAnswer largest = search.look(types, TransferChoice::largest, are_twins ? "all" : "largest", 4);
  const plan::GivenAnswer least = are_twins ? largest : search.look(types, TransferChoice::least, "least", 3);
  if (do_links_differ && twins.members.size() <= kMostTypes)
    search.look(twins, TransferChoice::largest, "of processors with equal links", 2);
  log.tables.push_back(search.table());
  if (!search.best()) {
    if (search.cut_short()) return out_of_time();
    return Infeasible{"no mapping of parts of one type each has all its links, memories and single machines"};
  }
  Proposal proposal = *search.best();
  proposal.cut_short = search.cut_short();
  proposal.lower_bound = period_lower_bound(problem, *settings.model, settings.deadline);
  say_bound(problem.document(), proposal, least, why_above(problem.document(), do_links_differ), log);
  log.notes.push_back(
      bound_note(problem.document(), *settings.model, proposal.predicted_period, *proposal.lower_bound));
  return proposal;
}

}  // namespace

Heuristic typed_dp() {
  return {.name = "typed-dp",
          .summary = "the least period of mappings with one machine type per part, on platforms of few types",
          .mapping_class = MappingClass::replicated,
          .model = tpn::Model::kStrict,
          .model_use = ModelUse::cycle_times,
          .takes = {.shared_resources = true, .several_ends = true, .segments = true},
          .communication = "as the model has it; bounded where links differ within pairs of types",
          .optimality = "least period of its class where links depend on types",
          .cost = "some twenty programs of O(n^2 T^3), T types",
          .source = "takt",
          .is_quick = false,
          .map = map_by_typed_dp};
}

}  // namespace takt::heuristics

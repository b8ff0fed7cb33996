// Small random problems with types, and all their typed plans, each judged by its net.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "plan/catalogue.hpp"
#include "plan/plan.hpp"
#include "plan/typed/program.hpp"
#include "tests/support/draw.hpp"
#include "tpn/document.hpp"

namespace takt::plan {

/// What a random catalogue may have.
struct CatalogueShape {
  std::size_t stages = 4;  // at most
  std::size_t types = 3;   // at most
  bool equal_links = false;
  bool counted = true;  // most types have a count of 0 to 4
  bool equal_cores = false;
};

/// Makes types of one document in three machines of one to four cores, with one to three ports or without a limit, and
/// so the ends. `equal_cores`: all types have equally many.
void give_cores(tpn::Platform& platform, std::uint64_t seed, bool equal_cores = false);

/// Whole times to 12, files to 10, bandwidths 1 to 4, prices 0 to 9 in halves; stages that some types do not run, that
/// cannot be replicated, hold memory or stay apart; source and sink or not; cores and ports. Same seed, same problem.
tpn::Document random_catalogue(const CatalogueShape& shape, std::uint64_t seed);

/// A period that some plan is likely to keep, and some not.
Rational random_period(support::Draw& draw);

/// Multiplies all times.
void slow_down(Catalogue& catalogue, const Rational& factor);

Rational cost_of(const Catalogue& catalogue, const TypedPlan& plan);

/// The least potential behind the last stage, which is the cost of the plan that they prove; 0 if there is none.
Rational potential_of_end(const Catalogue& catalogue, const Potentials& potentials);

/// Judges mappings of a catalogue by their nets.
class NetJudge {
 public:
  /// `machines`: the most of each type.
  NetJudge(const tpn::Document& problem, const tpn::Model& model, std::vector<std::uint64_t> machines);

  /// The period, or that it is above the limit.
  bool keeps(const tpn::Mapping& mapping, const Rational& period, bool strictly = false);
  Rational period(const tpn::Mapping& mapping);
  /// The time that a data set takes from end to end by the durations of the net, all data sets alike.
  Rational latency(const tpn::Mapping& mapping) const;
  /// The cores of machine k of a type in the expanded document.
  std::vector<std::size_t> machine(std::size_t type, std::uint64_t k) const;
  /// Of machines that take turns for these stages: core by core, and all but the first idle where a stage must not be
  /// replicated. A machine with several turns gives them to its cores in turn.
  tpn::Part part_on(std::size_t first_stage, std::size_t last_stage,
                    const std::vector<std::vector<std::size_t>>& turns) const;
  std::size_t types() const { return first_.size(); }
  const tpn::Document& document() const { return document_; }

  /// The plan's mapping with `missing` machines fewer in part `short_part`.
  tpn::Mapping mapping_of(const TypedPlan& plan, std::size_t short_part = 0, std::uint64_t missing = 0) const;
  /// Whether the plan keeps the query's period, whichever part loses the spare machines.
  bool serves(const TypedPlan& plan, const Query& query);

 private:
  tpn::Document document_;
  std::vector<std::size_t> first_;
  tpn::Model model_;
  evaluators::MappingEvaluator evaluator_;
};

/// All typed plans of a catalogue by its rules of stages and types alone, with at most `machines` of each type and
/// `in_all` in all, spare ones included: each part has more than `spare`.
void for_each_typed_plan(const Catalogue& catalogue, const std::vector<std::uint64_t>& machines, std::uint64_t in_all,
                         const Query& query, const std::function<void(const TypedPlan&)>& use);

}  // namespace takt::plan

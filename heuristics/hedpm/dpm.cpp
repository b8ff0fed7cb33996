// DPM: what HeDPM grew out of, which takes every processor and every link for the average one.
//
// Problem. As HeDPM's, on a cluster of processors that are more or less alike.
//
// Method. The slowest stages are replicated, fast neighbors grouped until each match comes close to the ideal time.
// The HeDPM paper compares with DPM and says no more of it than that; ours is Algorithm 4.1 in its `closest` reading
// (heuristics/hedpm/match.hpp) on the averaged platform: every processor has the mean speed, every link the mean
// bandwidth and the mean latency, over all entries of HeDPM's matrices. All processors are alike then, and are taken in
// the platform's order. The scan of Algorithm 4.2 came with HeDPM, and is no part of it. Missing links stay missing.
//
// Invariant. Decision and prediction know the averages alone: the largest T of the matches on the averaged platform.
//
// Cost. A run of Algorithm 4.1.
//
// References. [moreno2017hedpm], Sections 1 and 5.2.
#include <algorithm>

#include "heuristics/hedpm/chain.hpp"
#include "heuristics/hedpm/match.hpp"
#include "heuristics/hedpm/model.hpp"
#include "heuristics/hedpm/table.hpp"
#include "heuristics/heuristic.hpp"

namespace takt::heuristics {

namespace {

Result map_by_dpm(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const dynamic_mapping::CostModel model(problem, dynamic_mapping::View::averaged);
  log.notes = model.notes();
  const dynamic_mapping::Order order = dynamic_mapping::sorted(model);
  const dynamic_mapping::StageMatching matching =
      dynamic_mapping::match(model, order, dynamic_mapping::Reading::closest, std::nullopt, settings.deadline);
  if (matching.ending == dynamic_mapping::MatchingEnd::deadline) return out_of_time();
  log.tables.push_back(
      dynamic_mapping::table_of(problem.document(), order, matching, "Algorithm 4.1 on the averaged platform"));
  if (matching.ending == dynamic_mapping::MatchingEnd::missing_link)
    return dynamic_mapping::chain_proposal(model, order, settings.deadline, log);
  return Proposal{matching.mapping(), matching.production_time()};
}

}  // namespace

Heuristic dpm() {
  return {.name = "dpm",
          .summary = "HeDPM's predecessor: fast stages grouped, slow ones replicated, as if all processors were equal",
          .mapping_class = MappingClass::replicated,
          .model = tpn::Model::kStrict,
          .takes = {.absent_times = false},
          .communication = "computation and transfers add up; every link is the mean one",
          .optimality = "none; predicts for the averaged platform, on either side of the exact period",
          .cost = "O((n + p) p) estimates",
          .source = "moreno2017hedpm, Sections 1 and 5.2",
          .map = map_by_dpm};
}

}  // namespace takt::heuristics

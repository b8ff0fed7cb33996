// coarse-grained: as StreamIt's compiler maps: replicable stages fused, dealt out by level, and packed.
//
// Problem. A mapping of a workflow whose replicable parts have several turns, each of any processor, such that the
// most that a processor computes per data set is small.
//
// Method. Coarse-grained data parallelism and software pipelining, in three steps. Fusion:
// heuristics/workflow/fusion.hpp. Fission: a part's level is the length of the longest way to it. A part that is not
// replicable keeps one processor; of the p processors that these leave to its level, a replicable part gets a share in
// proportion to its work among those of the level, rounded down, at least one: so many copies does it have. Packing:
// the copies, those of most work first, each on the processor that has least to compute then. A part's copies take
// turns in the order in which they were placed; several may be on one processor.
//
// The steps are the paper's; the details are those of the authors' compiler where it deals with graphs of any shape.
// Its processors are alike. If they are not, work is the mean time over those that run a part, a part has at most as
// many copies as there are of these, and a copy goes to the processor that has least to compute with it: among equal
// ones that is the same. Three things of the compiler are left out: fewer and larger parts as long as packing does not
// suffer; no copies of filters that compute little for what they receive and send, in units of its machine; and none of
// sinks, which are its files.
//
// Prediction. The most that a processor computes per data set, communication hidden, as the compiler has it.
//
// Invariant. The prediction is never above the exact OVERLAP period, nor above that of any model: each processor
// computes that long.
//
// Cost. Fusion, and O(c p) for c copies, about p for each level.
//
// References. [gordon2006exploiting]; github.com/bthies/streamit: FusePipelines, TMD.calculateFizzAmounts,
// BasicGreedyLayout.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "heuristics/common/amounts.hpp"
#include "heuristics/common/computation_times.hpp"
#include "heuristics/common/mapping_words.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/ordered_problem.hpp"
#include "heuristics/workflow/fusion.hpp"
#include "heuristics/workflow/placed_turns.hpp"
#include "tpn/stage_order.hpp"

namespace takt::heuristics {

namespace {

// Groups of stages as intervals of a list of them.
struct GroupedList {
  std::optional<tpn::StageOrder> order;  // nothing: the problem's
  tpn::Mapping parts;                    // without processors
};

GroupedList list_groups(const tpn::Application& application, const std::vector<std::size_t>& groups) {
  GroupedList list;
  tpn::StageOrder order = tpn::own_order(application);
  if (tpn::may_be_reordered(application)) {
    order = tpn::drawn_order(application, groups, [](std::size_t) { return std::size_t{0}; });
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool begins = k == 0 || groups[order[k]] != groups[order[k - 1]];
    if (begins) list.parts.push_back({k, k, {}});
    list.parts.back().last_stage = k;
  }
  if (order != tpn::own_order(application)) list.order = std::move(order);
  return list;
}

// The shortest list that it is made of by repetition.
std::vector<std::size_t> without_repetition(std::vector<std::size_t> turns) {
  for (std::size_t length = 1; length < turns.size(); ++length) {
    if (turns.size() % length != 0) continue;
    const bool repeats = std::equal(turns.begin() + static_cast<std::ptrdiff_t>(length), turns.end(), turns.begin());
    if (repeats) turns.resize(length);
  }
  return turns;
}

// The parts of a listed problem, dealt out and packed.
class CoarseGrains {
 public:
  CoarseGrains(const tpn::ProblemView& problem, const tpn::Mapping& parts)
      : problem_(problem),
        times_(problem),
        turns_(problem, parts),
        levels_(parts.size()),
        works_(parts.size()),
        runners_(parts.size()),
        copies_(parts.size(), 1),
        loads_(times_.processors()) {}

  // How many copies each part has; the number of a part that nobody runs, if there is one.
  std::optional<std::size_t> deal() {
    for (std::size_t i = 0; i < works_.size(); ++i) {
      for (const std::size_t sender : turns_.senders(i)) levels_[i] = std::max(levels_[i], levels_[sender] + 1);
      for (std::size_t u = 0; u < times_.processors(); ++u) {
        if (!turns_.can_serve(i, u)) continue;
        works_[i] += time(i, u);
        ++runners_[i];
      }
      if (runners_[i] == 0) return i;
      works_[i] /= Rational(runners_[i]);
    }
    std::map<std::size_t, std::vector<std::size_t>> by_level;
    for (std::size_t i = 0; i < works_.size(); ++i) by_level[levels_[i]].push_back(i);
    for (const auto& [level, parts] : by_level) deal_level(parts);
    return std::nullopt;
  }

  // The number of a part with a copy that nobody may have; nothing if all are placed, or the deadline passes.
  std::optional<std::size_t> pack(const maxplus::Deadline& deadline) {
    std::vector<std::size_t> parts(works_.size());
    std::iota(parts.begin(), parts.end(), std::size_t{0});
    std::ranges::stable_sort(parts, [&](std::size_t a, std::size_t b) { return copy_work(a) > copy_work(b); });
    for (const std::size_t i : parts) {
      for (std::size_t copy = 0; copy < copies_[i]; ++copy) {
        if (maxplus::has_passed(deadline)) return std::nullopt;
        if (!place(i)) return i;
      }
    }
    return std::nullopt;
  }

  tpn::Mapping mapping() const {
    tpn::Mapping mapping = turns_.mapping();
    for (tpn::Part& part : mapping) part.processors = without_repetition(std::move(part.processors));
    return mapping;
  }
  Rational largest_load() const { return *std::ranges::max_element(loads_); }

  LogTable parts_table() const {
    LogTable table{"Parts dealt out", {"stages", "level", "work", "copies", "processors"}, {}};
    for (std::size_t i = 0; i < works_.size(); ++i) {
      std::string processors;
      for (const std::size_t u : turns_.mapping()[i].processors) {
        if (!processors.empty()) processors += ' ';
        processors += processor_name(problem_.document(), u);
      }
      table.rows.push_back({stages_of(i), std::to_string(levels_[i]), time_in_words(problem_.document(), works_[i]),
                            std::to_string(copies_[i]), std::move(processors)});
    }
    return table;
  }
  LogTable loads_table() const {
    LogTable table{"Computations packed", {"processor", "load"}, {}};
    for (std::size_t u = 0; u < loads_.size(); ++u) {
      table.rows.push_back({processor_name(problem_.document(), u), time_in_words(problem_.document(), loads_[u])});
    }
    return table;
  }
  std::string stages_of(std::size_t i) const { return stages_in_words(problem_.document(), turns_.mapping()[i]); }

 private:
  Rational time(std::size_t i, std::size_t u) const {
    const tpn::Part& part = turns_.mapping()[i];
    return times_.of(part.first_stage, part.last_stage, u);
  }
  Rational copy_work(std::size_t i) const { return works_[i] / Rational(copies_[i]); }

  bool is_replicable(std::size_t i) const {
    const tpn::Part& part = turns_.mapping()[i];
    const auto& stages = problem_.document().application.stages;
    return std::all_of(stages.begin() + static_cast<std::ptrdiff_t>(part.first_stage),
                       stages.begin() + static_cast<std::ptrdiff_t>(part.last_stage) + 1,
                       [](const tpn::Stage& stage) { return stage.replicable; });
  }

  void deal_level(const std::vector<std::size_t>& parts) {
    Rational work;
    std::size_t left = times_.processors();
    for (const std::size_t i : parts) {
      if (is_replicable(i)) {
        work += works_[i];
      } else if (left > 0) {
        --left;
      }
    }
    if (work.sign() == 0) return;
    for (const std::size_t i : parts) {
      if (!is_replicable(i)) continue;
      const std::size_t share = (works_[i] * Rational(left) / work).floor().get_ui();
      copies_[i] = std::clamp<std::size_t>(share, 1, runners_[i]);
    }
  }

  bool place(std::size_t i) {
    std::optional<std::size_t> best;
    Rational least;
    for (std::size_t u = 0; u < times_.processors(); ++u) {
      if (best && loads_[u] >= least) continue;
      if (!turns_.may_have(i, u)) continue;
      const Rational load = loads_[u] + time(i, u) / Rational(copies_[i]);
      if (best && load >= least) continue;
      best = u;
      least = load;
    }
    if (!best) return false;
    turns_.give(i, *best);
    loads_[*best] = least;
    return true;
  }

  const tpn::ProblemView& problem_;
  ComputationTimes times_;
  PlacedTurns turns_;
  std::vector<std::size_t> levels_;   // by part
  std::vector<Rational> works_;       // by part: the mean time of those that run it
  std::vector<std::size_t> runners_;  // by part: how many do
  std::vector<std::size_t> copies_;   // by part
  std::vector<Rational> loads_;       // by processor
};

Result map_coarsely(const tpn::ProblemView& asked, const Settings& settings, Log& log) {
  require_works(asked);
  const auto groups = fused_stages(asked, settings.deadline);
  if (!groups) return out_of_time();
  const GroupedList list = list_groups(asked.document().application, *groups);
  const OrderedProblem ordered(asked, list.order);
  CoarseGrains grains(ordered.view(), list.parts);
  auto stuck = grains.deal();
  if (!stuck) stuck = grains.pack(settings.deadline);
  if (stuck) return Infeasible{nobody_left_for(grains.stages_of(*stuck))};
  if (evaluators::has_passed(settings.deadline)) return out_of_time();
  log.tables.push_back(grains.parts_table());
  log.tables.push_back(grains.loads_table());
  return Proposal{.mapping = grains.mapping(), .predicted_period = grains.largest_load(), .order = list.order};
}

}  // namespace

Heuristic coarse_grained() {
  return {.name = "coarse-grained",
          .summary = "replicable stages of a workflow fused, replicated level by level, and packed, as in StreamIt",
          .mapping_class = MappingClass::divided,
          .model = tpn::Model::kOverlap,
          .takes = {.workflows = true, .shared_resources = true, .several_ends = true, .segments = true},
          .communication = "hidden behind computation",
          .optimality = "none; its prediction is a lower bound of the exact period",
          .cost = "O(n^2 + c p) for c copies, about p for each level",
          .source = "gordon2006exploiting, and the authors' compiler",
          .map = map_coarsely};
}

}  // namespace takt::heuristics

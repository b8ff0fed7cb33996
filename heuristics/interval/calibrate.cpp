// Calibration by Gonzalez-Velez and Cole: how many of the equally heavy stages each processor should have.
//
// Problem. Processor i takes t_i for a stage, whichever it is, and transfers take no time. Find x_i, the stages of each
// processor, so that the largest x_i t_i is least.
//
// Method. Stage after stage goes to the processor on which the resulting time x_i t_i is the lowest. The paper's rule
// starts with one stage on each of the n fittest processors and moves one from the slowest to the processor whose time
// is lowest *now*, while that helps. Its proof of optimality is wrong: t = (3, 5, 10, 10) with four stages stops at 10,
// and three stages on the first, one on the second take 9. `rule=printed` runs it as the text has it; Algorithm 1,
// taken to the letter, divides by x_i = 0 and loses stages. "The processor with the lowest processing time" is read as
// one of those that have stages: with those that lost theirs, it can end elsewhere. The paper is silent on more stages
// than processors: then the first mapping gives the others, one by one, to the processor that is fastest at that
// moment. t_i is the mean work of the stages over the speed, or the mean of their own times for the processor; a
// processor's fixed time is that of any number of stages.
// Stages go to the processors as intervals in stage order, the fittest processor first; where that order lacks a link,
// the first order that does not, if a bounded search finds one.
//
// Invariant. Corrected rule: no mapping of as many stages has a smaller largest time. The time y of the last stage
// placed where the largest arises was the lowest on offer, so that under a smaller bound no processor could have had
// more stages than it has.
//
// Cost. O(n p).
//
// References. [gonzalez2006adaptive], Section 3.1.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "heuristics/common/amounts.hpp"
#include "heuristics/common/computation_times.hpp"
#include "heuristics/common/mapping_words.hpp"
#include "heuristics/heuristic.hpp"
#include "maxplus/decimal.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

namespace {

constexpr std::size_t kOrderSteps = 10'000;

// A processor and the stages that it has.
struct Worker {
  std::size_t processor = 0;
  std::size_t stages = 0;
};

// x_i t_i: the processors, the fittest first, and how long each takes for its stages.
class Workers {
 public:
  explicit Workers(const ComputationTimes& times) : n_(times.stages()), times_(times) {
    for (std::size_t p = 0; p < times.processors(); ++p) workers_.push_back({p, 0});
    std::ranges::stable_sort(workers_, {}, [&](const Worker& worker) { return time(worker, 1); });
  }

  std::size_t stages() const { return n_; }
  const std::vector<Worker>& all() const { return workers_; }
  std::vector<Worker>& all() { return workers_; }

  Rational time(const Worker& worker, std::size_t stages) const {
    if (stages == 0) return 0;
    return times_.share_of_chain(Rational::fraction(stages, n_), worker.processor);
  }
  Rational now(const Worker& worker) const { return time(worker, worker.stages); }

  Worker& slowest() {
    return *std::ranges::max_element(workers_, {}, [&](const Worker& worker) { return now(worker); });
  }
  // Among those that have a stage; one must.
  Worker& lowest_now() {
    Worker* lowest = nullptr;
    for (Worker& worker : workers_)
      if (worker.stages > 0 && (lowest == nullptr || now(worker) < now(*lowest))) lowest = &worker;
    return *lowest;
  }

 private:
  std::size_t n_;
  const ComputationTimes& times_;
  std::vector<Worker> workers_;
};

enum class DealingEnd { complete, deadline };

DealingEnd give_to_lowest_resulting_time(Workers& workers, const tpn::Document& problem, const Settings& settings,
                                         Log& log) {
  LogTable table{"Each stage to the lowest resulting time",
                 {"stage", "processor", "stages there", "time there", "largest time"},
                 {}};
  Rational largest;
  for (std::size_t k = 1; k <= workers.stages(); ++k) {
    if (evaluators::has_passed(settings.deadline)) return DealingEnd::deadline;
    Worker& chosen = *std::ranges::min_element(
        workers.all(), {}, [&](const Worker& worker) { return workers.time(worker, worker.stages + 1); });
    ++chosen.stages;
    largest = std::max(largest, workers.now(chosen));
    table.rows.push_back({std::to_string(k), problem.platform.processors[chosen.processor].name,
                          std::to_string(chosen.stages), time_in_words(problem, workers.now(chosen)),
                          time_in_words(problem, largest)});
  }
  log.tables.push_back(std::move(table));
  return DealingEnd::complete;
}

// The paper's rule. It ends: a move lowers the largest time, or leaves it and fewer stages on those that have it.
DealingEnd move_to_lowest_current_time(Workers& workers, const tpn::Document& problem, const Settings& settings,
                                       Log& log) {
  for (std::size_t k = 0; k < workers.stages(); ++k) {
    if (evaluators::has_passed(settings.deadline)) return DealingEnd::deadline;
    ++(k < workers.all().size() ? workers.all()[k] : workers.lowest_now()).stages;
  }
  LogTable table{"Moves from the largest time to the lowest current one",
                 {"move", "from", "to", "time there", "largest time"},
                 {{"0", "-", "-", "-", time_in_words(problem, workers.now(workers.slowest()))}}};
  while (true) {
    if (evaluators::has_passed(settings.deadline)) return DealingEnd::deadline;
    Worker& from = workers.slowest();
    Worker& to = workers.lowest_now();
    if (workers.time(to, to.stages + 1) >= workers.now(from)) break;
    --from.stages;
    ++to.stages;
    table.rows.push_back({std::to_string(table.rows.size()), problem.platform.processors[from.processor].name,
                          problem.platform.processors[to.processor].name, time_in_words(problem, workers.now(to)),
                          time_in_words(problem, workers.now(workers.slowest()))});
  }
  log.tables.push_back(std::move(table));
  return DealingEnd::complete;
}

// Whether p may stand behind `chain`, of `length` in the end: its links exist.
bool follows(const tpn::ProblemView& problem, const std::vector<Worker>& chain, const Worker& next,
             std::size_t length) {
  const tpn::Platform& platform = problem.document().platform;
  const tpn::Timing& timing = problem.timing();
  const std::size_t p = next.processor;
  if (chain.empty() ? platform.source && !timing.source_link(p) : !timing.link(chain.back().processor, p)) return false;
  return chain.size() + 1 < length || !platform.sink || timing.sink_link(p);
}

// Depth first: appends those of `open` in the first order whose links all exist.
bool extend(const tpn::ProblemView& problem, std::vector<Worker>& chain, std::vector<Worker>& open,
            std::size_t& steps) {
  if (open.empty()) return true;
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (steps == 0) return false;
    --steps;
    if (!follows(problem, chain, open[i], chain.size() + open.size())) continue;
    const Worker next = open[i];
    chain.push_back(next);
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
    if (extend(problem, chain, open, steps)) return true;
    open.insert(open.begin() + static_cast<std::ptrdiff_t>(i), next);
    chain.pop_back();
  }
  return false;
}

// The workers with stages, the fittest first unless links are missing.
std::vector<Worker> in_order(const tpn::ProblemView& problem, std::vector<Worker> workers) {
  std::erase_if(workers, [](const Worker& worker) { return worker.stages == 0; });
  std::vector<Worker> chain;
  std::vector<Worker> open = workers;
  std::size_t steps = kOrderSteps;
  return extend(problem, chain, open, steps) ? chain : workers;
}

// A size that is not known counts as none.
bool surely_takes_time(const std::optional<tpn::LinearTime>& link, const std::optional<Rational>& size) {
  return link && (link->fixed.sign() > 0 || (link->per_unit && size && size->sign() > 0));
}

// Whether any transfer of the mapping takes time.
bool communicates(const tpn::ProblemView& problem, const tpn::Mapping& mapping) {
  const tpn::Application& application = problem.document().application;
  const tpn::Platform& platform = problem.document().platform;
  const tpn::Timing& timing = problem.timing();
  if (platform.source && surely_takes_time(timing.source_link(mapping.front().processors.front()), application.input))
    return true;
  for (std::size_t i = 0; i + 1 < mapping.size(); ++i) {
    if (surely_takes_time(timing.link(mapping[i].processors.front(), mapping[i + 1].processors.front()),
                          application.stages[mapping[i].last_stage].output))
      return true;
  }
  return platform.sink &&
         surely_takes_time(timing.sink_link(mapping.back().processors.front()), application.stages.back().output);
}

// What decides in place of unequal stages; nothing if they are equal.
std::optional<std::string> unequal_stages(const ComputationTimes& times) {
  const std::size_t n = times.stages();
  const auto are_even = [n](const auto& before) {
    const Rational first = before(1);
    for (std::size_t k = 2; k <= n; ++k)
      if (before(k) != first * Rational(k)) return false;
    return true;
  };
  if (!are_even([&](std::size_t k) { return times.work_before(k); }) && times.are_by_work()) {
    return "works are unequal; their mean, " + decimal(times.work_before(n) / Rational(n)) +
           ", decides, and the prediction is that of the works of each interval.";
  }
  for (std::size_t p = 0; p < times.processors(); ++p) {
    if (times.are_by_work() || are_even([&](std::size_t k) { return times.before(k, p); })) continue;
    return "times are unequal; each processor's mean decides, and the prediction is that of the times of each "
           "interval.";
  }
  return std::nullopt;
}

Result map_by_calibrate(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  require_works(problem);
  const ComputationTimes times(problem);
  Workers workers(times);
  const auto rule = settings.text("rule") == "printed" ? move_to_lowest_current_time : give_to_lowest_resulting_time;
  if (rule(workers, problem.document(), settings, log) == DealingEnd::deadline) return out_of_time();

  tpn::Mapping mapping;
  Rational period;
  std::size_t first = 0;
  for (const Worker& worker : in_order(problem, workers.all())) {
    mapping.push_back({first, first + worker.stages - 1, {worker.processor}});
    period = std::max(period, problem.timing().computation(first, first + worker.stages - 1, worker.processor));
    first += worker.stages;
  }
  if (const auto unequal = unequal_stages(times)) log.notes.push_back("The stages' " + *unequal);
  if (communicates(problem, mapping))
    log.notes.emplace_back("Transfers take time here, which neither the decision nor the prediction counts.");
  return Proposal{std::move(mapping), std::move(period)};
}

}  // namespace

Heuristic calibrate() {
  return {.name = "calibrate",
          .summary = "as many equally heavy stages on each processor as its calibrated time allows",
          .mapping_class = MappingClass::interval,
          .model = tpn::Model::kOverlap,
          .takes = {.absent_times = false},
          .communication = "none: transfers take no time",
          .optimality = "optimal for equal works and free communication",
          .cost = "O(n p)",
          .source = "gonzalez2006adaptive, Section 3.1",
          .options = {{.name = "rule",
                       .help = "which processor gets a stage: the one with the lowest resulting time, or as printed "
                               "with the lowest present time",
                       .standard = std::string("corrected"),
                       .choices = {"corrected", "printed"}}},
          .map = map_by_calibrate};
}

}  // namespace takt::heuristics

// Small problems, whose mappings are few enough to judge them all.
#include "tests/plan/oracles.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/latency.hpp"
#include "evaluators/insight/window.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "plan/bounds.hpp"
#include "plan/counted/counted.hpp"
#include "plan/plan.hpp"
#include "plan/typed/frontier.hpp"
#include "plan/typed/program.hpp"
#include "tests/plan/random_catalogues.hpp"
#include "tests/plan/rich_catalogues.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/ends.hpp"
#include "tpn/errors.hpp"
#include "tpn/expansion.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

namespace {

using support::Draw;

// A case in the making.
class Trial {
 public:
  Trial(const tpn::Model& model, std::uint64_t seed, const RichShape& shape)
      : model_(model), draw_(seed ^ 0x0acu), document_(rich_catalogue(shape, seed)), seed_(seed) {
    refresh();
  }

  const tpn::Model& model() const { return model_; }
  Draw& draw() { return draw_; }
  tpn::Document& document() { return document_; }
  const Catalogue& catalogue() const { return catalogue_; }
  OracleCase& result() { return result_; }

  // After a change of the document.
  void refresh() { catalogue_ = catalogue_of(document_); }

  Query query() { return {.model = model_, .period = telling_period(catalogue_, seed_)}; }

  void note(const std::string& trouble) {
    if (result_.trouble.empty()) result_.trouble = trouble;
  }
  void expect(bool holds, const std::string& trouble) {
    if (!holds) note(trouble);
  }

  std::vector<std::uint64_t> machines(std::uint64_t of_each) const {
    return std::vector<std::uint64_t>(catalogue_.types.size(), of_each);
  }

  // Machines of each type that a judge of this plan needs.
  std::vector<std::uint64_t> used(const TypedPlan& plan) const {
    std::vector<std::uint64_t> result(catalogue_.types.size());
    for (const TypedPart& part : plan) result[part.type] += part.machines + part.standby;
    return result;
  }

  // A typed plan of at most `in_all` machines, uniformly drawn; nothing if there is none.
  std::optional<TypedPlan> drawn_plan(std::uint64_t in_all) {
    std::vector<TypedPlan> all;
    Query any;
    any.model = model_;
    for_each_typed_plan(catalogue_, machines(in_all), in_all, any, [&](const TypedPlan& plan) { all.push_back(plan); });
    if (all.empty()) return std::nullopt;
    return all[draw_.index(all.size())];
  }

 private:
  tpn::Model model_;
  Draw draw_;
  tpn::Document document_;
  std::uint64_t seed_;
  Catalogue catalogue_;
  OracleCase result_;
};

// The document of a plan with its mapping: spare machines idle.
tpn::Document mapped(Trial& trial, const TypedPlan& plan) {
  return mapped_document(trial.document(), trial.catalogue(), trial.model(), plan);
}

// --- The cheapest plan.

// The mapping that is left of a plan's document once these machines, all their cores, have failed, the first cores of
// spare ones having taken over.
std::optional<tpn::Mapping> without(const tpn::Document& instance, const std::vector<bool>& failed) {
  tpn::Mapping left = *instance.mapping;
  const std::vector<std::size_t> machine = tpn::entries_of(instance.platform);
  std::vector<bool> is_used(failed.size());
  for (const tpn::Part& part : left) {
    for (const std::size_t p : part.processors) is_used[machine[p]] = true;
  }
  for (tpn::Part& part : left) {
    const auto type = instance.platform.processors[part.processors.front()].type;
    std::erase_if(part.processors, [&](std::size_t p) { return failed[machine[p]]; });
    for (std::size_t p = 0; part.processors.empty() && p < machine.size(); ++p) {
      if (is_used[machine[p]] || failed[machine[p]] || instance.platform.processors[p].type != type) continue;
      is_used[machine[p]] = true;
      part.processors.push_back(p);
    }
    if (part.processors.empty()) return std::nullopt;
  }
  return left;
}

// Whether a plan keeps its period whichever machines fail, `spare` of them; each loss judged by its net.
bool survives(Trial& trial, const TypedPlan& plan, const Query& query) {
  const tpn::Document instance = mapped(trial, plan);
  evaluators::MappingEvaluator evaluator(instance);
  const std::size_t count = tpn::processor_groups(instance.platform).size();
  std::vector<bool> failed(count);
  std::fill(failed.begin(), failed.begin() + static_cast<std::ptrdiff_t>(std::min(query.spare, count)), true);
  do {
    const auto left = without(instance, failed);
    if (!left) return false;
    ++trial.result().judged;
    const Rational period = evaluator.evaluate(*left, trial.model()).lower.rational();
    if (query.strictly ? period >= query.period : period > query.period) return false;
  } while (std::prev_permutation(failed.begin(), failed.end()));
  return true;
}

OracleCase try_cheapest(const tpn::Model& model, std::uint64_t seed) {
  Trial trial(model, seed, {});
  Query query = trial.query();
  query.strictly = trial.draw().one_in(5);
  query.all_apart = trial.draw().one_in(8);
  query.spare = trial.draw().one_in(4) ? trial.draw().count(1, 2) : 0;
  const ProgramAnswer answer = solve(trial.catalogue(), query);
  if (answer.plan && cost_of(trial.catalogue(), *answer.plan) != answer.cost) trial.note("another cost");
  std::uint64_t found = 0;
  if (answer.plan) {
    for (const std::uint64_t number : trial.used(*answer.plan)) found += number;
    constexpr std::uint64_t kFewEnough = 14;
    if (found <= kFewEnough) trial.expect(survives(trial, *answer.plan, query), "the plan is late");
  }
  NetJudge judge(trial.document(), model, trial.machines(4));
  for_each_typed_plan(trial.catalogue(), trial.machines(4), 5, query, [&](const TypedPlan& plan) {
    if (answer.plan && answer.cost <= cost_of(trial.catalogue(), plan)) return;
    trial.result().is_telling = true;
    ++trial.result().judged;
    if (judge.serves(plan, query)) trial.note(answer.plan ? "a cheaper plan" : "there is a plan");
  });
  return trial.result();
}

// --- Closed forms.

// One number for each column proves the period.
bool proves_period(const tpn::FoldedNet& net, const Rational& period) {
  const evaluators::Evaluation evaluation = evaluators::evaluate(net);
  auto certificate = std::get<evaluators::Certificate>(evaluators::certify(net, evaluation));
  std::vector<evaluators::ColumnSchedule> schedule;
  Rational start;
  for (std::size_t c = 0; c < net.pipeline.columns.size(); ++c) {
    schedule.push_back({c, {start}});
    start += Rational(net.pipeline.columns[c].duration(0)) / Rational(net.pipeline.scale);
  }
  certificate.lower = certificate.upper = period;
  certificate.witness = std::move(schedule);
  return std::holds_alternative<evaluators::Proven>(evaluators::check(net, certificate));
}

void try_times(Trial& trial, const tpn::FoldedNet& net, const PlanFacts& facts) {
  const Rational& period = facts.period();
  const bool busy =
      std::ranges::any_of(net.resources, [&](const tpn::Resource& resource) { return resource.cycle_time == period; });
  if (trial.model()->has_rooms == false) trial.expect(busy, "no resource is critical");
  trial.expect(proves_period(net, period), "one number for each column is no proof");
  const auto least = evaluators::least_latency(net, period);
  trial.expect(std::get<evaluators::LeastLatency>(least).value == facts.latency(), "another least latency");
  if (period.sign() > 0) {
    const auto window = evaluators::least_window(net, period, 1000);
    trial.expect(window && Integer(*window) == facts.window(), "another window");
  }
}

// The least room that costs no time.
void try_rooms(Trial& trial, const tpn::Document& instance, const PlanFacts& facts) {
  const auto with = [&](std::uint64_t rooms) {
    return support::period_of(support::net_of(instance, tpn::bounded_model(rooms)));
  };
  const auto rooms = facts.rooms();
  if (!rooms || *rooms > Integer(static_cast<unsigned long>(tpn::kMostRooms))) return;
  trial.expect(with(rooms->get_ui()) == facts.period(), "room costs time");
  if (*rooms > 1) trial.expect(facts.period() < with(rooms->get_ui() - 1), "less room costs no time");
}

OracleCase try_closed_forms(const tpn::Model& model, std::uint64_t seed) {
  Trial trial(model, seed, {});
  const auto plan = trial.drawn_plan(6);
  if (!plan) return trial.result();
  trial.result().is_telling = plan->size() > 1 || plan->front().machines > 1;
  const PlanFacts facts(trial.catalogue(), model, *plan);
  const tpn::Document instance = mapped(trial, *plan);
  const tpn::FoldedNet net = support::net_of(instance, model);
  trial.result().judged = 1;
  if (support::period_of(net) != facts.period()) {
    trial.note("another period");
    return trial.result();
  }
  try_times(trial, net, facts);
  if (model == tpn::Model::kOverlap) try_rooms(trial, instance, facts);
  NetJudge judge(trial.document(), model, trial.used(*plan));
  for (std::size_t i = 0; i < plan->size(); ++i) {
    const auto after = facts.period_without(i);
    trial.expect(after.has_value() == ((*plan)[i].machines > 1), "a part is lost");
    if (after) trial.expect(judge.period(judge.mapping_of(*plan, i, 1)) == *after, "another period after a loss");
  }
  return trial.result();
}

// --- Lemmas.

OracleCase try_merge(const tpn::Model& model, std::uint64_t seed) {
  Trial trial(model, seed, {.most_types = 2});
  const auto plan = trial.drawn_plan(6);
  if (!plan) return trial.result();
  const Catalogue& catalogue = trial.catalogue();
  NetJudge judge(trial.document(), model, trial.used(*plan));
  for (std::size_t i = 0; i + 1 < plan->size(); ++i) {
    const TypedPart& one = (*plan)[i];
    const TypedPart& other = (*plan)[i + 1];
    if (one.type != other.type || catalogue.least_first_stage(other.last_stage, one.type) > one.first_stage) continue;
    if (catalogue.least_replicable_stage(other.last_stage) > one.first_stage) continue;
    TypedPlan merged = *plan;
    merged[i].last_stage = other.last_stage;
    merged[i].machines += other.machines;
    merged.erase(merged.begin() + static_cast<std::ptrdiff_t>(i + 1));
    trial.result().is_telling = true;
    trial.result().judged += 2;
    trial.expect(judge.period(judge.mapping_of(merged)) <= judge.period(judge.mapping_of(*plan)), "merged is slower");
    trial.expect(judge.latency(judge.mapping_of(merged)) <= judge.latency(judge.mapping_of(*plan)), "it takes longer");
  }
  return trial.result();
}

OracleCase try_one_type(const tpn::Model& model, std::uint64_t seed) {
  Trial trial(model, seed, {.most_types = 1, .limits = false});
  const Query query = trial.query();
  const ProgramAnswer answer = solve(trial.catalogue(), query);
  const Catalogue& catalogue = trial.catalogue();
  const std::size_t last = catalogue.stages.size() - 1;
  if (catalogue.least_first_stage(last, 0) > 0 || !catalogue.from_source[0] || !catalogue.to_sink[0]) {
    trial.expect(!answer.plan, "a plan on what runs nothing");
    return trial.result();
  }
  if (std::max(end_demand(*catalogue.from_source[0], catalogue.source_ports),
               end_demand(*catalogue.to_sink[0], catalogue.sink_ports)) > query.period) {
    trial.expect(!answer.plan, "an end is too slow");
    return trial.result();
  }
  // Any split plan of as few machines is no better.
  trial.result().is_telling = true;
  const TypedPlan alone{{0, last, 0, 1}};
  const Rational demand = PlanFacts(catalogue, model, alone).demands().front();
  std::uint64_t machines = 1;
  while (demand > query.period * Rational(machines)) ++machines;
  trial.expect(answer.cost == catalogue.types[0].price * Rational(machines), "one part is not the best");
  // Of any kind, where each stage asks for its own time.
  if (!model->has_rooms && !catalogue.types[0].fixed_time)
    trial.expect(cost_bound(catalogue, model, query.period) == answer.cost, "the bound of every class is below");
  return trial.result();
}

// All mappings of parts whose machines may differ, as counts of types per part in ascending order of types.
class MixedMappings {
 public:
  MixedMappings(Trial& trial, const NetJudge& judge, std::uint64_t of_each,
                std::function<void(const tpn::Mapping&, const Rational&)> use)
      : catalogue_(trial.catalogue()),
        judge_(judge),
        of_each_(of_each),
        next_(catalogue_.types.size()),
        use_(std::move(use)) {}

  void from(std::size_t first, std::uint64_t left) {
    if (first == catalogue_.stages.size()) return use_(mapping(), cost_);
    for (std::size_t last = first; last < catalogue_.stages.size(); ++last) {
      parts_.push_back({first, last, {}});
      fill(0, left);
      parts_.pop_back();
    }
  }

 private:
  struct MixedPart {
    std::size_t first_stage = 0;
    std::size_t last_stage = 0;
    std::vector<std::vector<std::size_t>> machines;
  };

  tpn::Mapping mapping() const {
    tpn::Mapping made;
    for (const MixedPart& part : parts_)
      made.push_back(judge_.part_on(part.first_stage, part.last_stage, part.machines));
    return made;
  }

  void fill(std::size_t t, std::uint64_t left) {
    const std::size_t at = parts_.size() - 1;
    if (t == catalogue_.types.size()) {
      if (!parts_[at].machines.empty()) from(parts_[at].last_stage + 1, left);
      return;
    }
    fill(t + 1, left);
    const std::size_t first = parts_[at].first_stage;
    const std::size_t last = parts_[at].last_stage;
    if (catalogue_.least_first_stage(last, t) > first) return;
    const bool replicable = catalogue_.least_replicable_stage(last) <= first;
    std::uint64_t added = 0;
    while (left > added && next_[t] < of_each_ && (replicable || parts_[at].machines.empty())) {
      parts_[at].machines.push_back(judge_.machine(t, next_[t]++));
      cost_ += catalogue_.types[t].price;
      ++added;
      fill(t + 1, left - added);
    }
    for (; added > 0; --added) {
      parts_[at].machines.pop_back();
      cost_ -= catalogue_.types[t].price;
      --next_[t];
    }
  }

  const Catalogue& catalogue_;
  const NetJudge& judge_;
  std::uint64_t of_each_;
  std::vector<std::uint64_t> next_;
  std::function<void(const tpn::Mapping&, const Rational&)> use_;
  std::vector<MixedPart> parts_;
  Rational cost_;
};

OracleCase try_mixing(const tpn::Model& model, std::uint64_t seed) {
  Trial trial(model, seed, {.most_stages = 3, .unequal_links = false, .equal_cores = true});
  for (std::optional<tpn::Endpoint>* end : {&trial.document().platform.source, &trial.document().platform.sink}) {
    if (!*end) continue;
    for (tpn::Endpoint& one : tpn::in_turn(**end)) one.timing = trial.document().platform.defaults;
  }
  trial.refresh();
  if (!trial.catalogue().has_equal_links()) return trial.result();
  const Query query = trial.query();
  const ProgramAnswer answer = solve(trial.catalogue(), query);
  constexpr std::uint64_t kOfEach = 4;
  NetJudge judge(trial.document(), model, trial.machines(kOfEach));
  MixedMappings(trial, judge, kOfEach, [&](const tpn::Mapping& mapping, const Rational& cost) {
    if (answer.plan && answer.cost <= cost) return;
    ++trial.result().judged;
    trial.result().is_telling = true;
    if (judge.keeps(mapping, query.period)) trial.note("a cheaper mixed mapping");
  }).from(0, 5);
  return trial.result();
}

// --- The frontier.

OracleCase try_frontier(const tpn::Model& model, std::uint64_t seed) {
  Trial trial(model, seed, {.most_stages = 3});
  Query any;
  any.model = model;
  any.all_apart = trial.draw().one_in(6);
  struct Point {
    Rational cost;
    Rational period;
  };
  std::vector<Point> judged;
  NetJudge judge(trial.document(), model, trial.machines(4));
  for_each_typed_plan(trial.catalogue(), trial.machines(4), 4, any, [&](const TypedPlan& plan) {
    judged.push_back({cost_of(trial.catalogue(), plan), judge.period(judge.mapping_of(plan))});
  });
  trial.result().judged = judged.size();
  if (judged.empty()) return trial.result();
  const Rational until = std::ranges::min_element(judged, {}, &Point::period)->period;
  const Frontier found = frontier(trial.catalogue(), any, until, unlimited(trial.catalogue()), {});
  trial.expect(!found.cut_short, "cut short");
  trial.result().is_telling = found.points.size() > 1;
  for (const Point& point : judged) {
    const bool is_reached = std::ranges::any_of(found.points, [&](const FrontierPoint& other) {
      return other.cost <= point.cost && other.period <= point.period;
    });
    trial.expect(is_reached, "a plan is better than the frontier");
  }
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    const FrontierPoint& point = found.points[i];
    const auto used = trial.used(point.plan);
    if (i > 0) {
      const FrontierPoint& before = found.points[i - 1];
      trial.expect(before.cost < point.cost && point.period < before.period, "no staircase");
    }
    NetJudge own(trial.document(), model, used);
    trial.expect(own.period(own.mapping_of(point.plan)) == point.period, "a point has another period");
    trial.expect(cost_of(trial.catalogue(), point.plan) == point.cost, "a point has another cost");
  }
  return trial.result();
}

// --- Bounds of every class.

// A mapping of any kind: machines in several parts, sequences that repeat machines.
tpn::Mapping drawn_mapping(Trial& trial, const std::vector<std::vector<std::size_t>>& runs_on, bool& is_one) {
  Draw& draw = trial.draw();
  const auto& stages = trial.document().application.stages;
  tpn::Mapping mapping;
  for (std::size_t k = 0; k < stages.size();) {
    std::size_t last = k;
    while (last + 1 < stages.size() && draw.coin()) ++last;
    std::vector<std::size_t> candidates;
    bool replicable = true;
    for (std::size_t p = 0; p < runs_on[k].size(); ++p) {
      bool runs = true;
      for (std::size_t stage = k; stage <= last; ++stage) runs = runs && runs_on[stage][p] != 0;
      if (runs) candidates.push_back(p);
    }
    for (std::size_t stage = k; stage <= last; ++stage) replicable = replicable && stages[stage].replicable;
    if (candidates.empty()) {
      is_one = false;
      return mapping;
    }
    tpn::Part& part = mapping.emplace_back(tpn::Part{k, last, {}});
    const std::size_t length = replicable ? draw.count(1, 4) : 1;
    for (std::size_t turn = 0; turn < length; ++turn)
      part.processors.push_back(candidates[draw.index(candidates.size())]);
    k = last + 1;
  }
  return mapping;
}

bool has_links(const tpn::Document& document, const tpn::Mapping& mapping) {
  tpn::Document instance = document;
  instance.mapping = mapping;
  try {
    return std::holds_alternative<tpn::Pipeline>(tpn::make_pipeline(instance));
  } catch (const tpn::InvalidInstance&) {
    return false;
  }
}

// Stages' own memory does not matter to mappings of any kind here: each part's sum is checked.
bool fits(Trial& trial, const tpn::Document& platform, const tpn::Mapping& mapping) {
  for (const tpn::Part& part : mapping) {
    for (const std::size_t p : part.processors) {
      const std::size_t t = *platform.platform.processors[p].type;
      if (trial.catalogue().least_first_stage(part.last_stage, t) > part.first_stage) return false;
    }
  }
  return has_links(platform, mapping);
}

// Of the machines that a mapping uses.
Rational price_of_used(const tpn::Platform& platform, const tpn::Mapping& mapping) {
  const tpn::HostIndex hosts(platform);
  std::vector<bool> is_used(platform.processors.size());
  for (const tpn::Part& part : mapping) {
    for (const std::size_t p : part.processors) is_used[hosts.first_of(p)] = true;
  }
  Rational cost;
  for (std::size_t p = 0; p < is_used.size(); ++p) cost += is_used[p] ? platform.processors[p].price : Rational(0);
  return cost;
}

OracleCase try_bounds(const tpn::Model& model, std::uint64_t seed) {
  Trial trial(model, seed, {.most_stages = 3, .counts = true});
  for (tpn::ProcessorType& type : trial.document().platform.types) type.count = trial.draw().whole(1, 2);
  trial.refresh();
  const Catalogue& catalogue = trial.catalogue();
  std::vector<std::uint64_t> counts;
  for (const MachineType& type : catalogue.types) counts.push_back(*type.count);
  NetJudge judge(trial.document(), model, counts);
  const tpn::Document platform = tpn::expanded(trial.document(), counts);
  const auto& processors = platform.platform.processors;
  std::vector<std::vector<std::size_t>> runs_on;
  for (std::size_t k = 0; k < catalogue.stages.size(); ++k) {
    std::vector<std::size_t>& row = runs_on.emplace_back();
    for (const tpn::Processor& processor : processors)
      row.push_back(catalogue.least_first_stage(k, *processor.type) <= k);
  }
  Rational slowest;
  for (const PeriodBound& bound : period_bounds(catalogue, model)) slowest = std::max(slowest, bound.period);
  const Rational shortest = latency_bound(catalogue);
  constexpr int kMappings = 40;
  for (int k = 0; k < kMappings; ++k) {
    bool is_one = true;
    const tpn::Mapping mapping = drawn_mapping(trial, runs_on, is_one);
    if (!is_one || !fits(trial, platform, mapping)) continue;
    ++trial.result().judged;
    const Rational period = judge.period(mapping);
    trial.expect(slowest <= period, "a period is below its bounds");
    trial.expect(shortest <= judge.latency(mapping), "a latency is below its bound");
    if (period.sign() == 0) continue;
    const Rational cost = price_of_used(platform.platform, mapping);
    const Rational bound = cost_bound(catalogue, model, period);
    if (bound.sign() > 0) trial.result().is_telling = true;
    trial.expect(bound <= cost, "a mapping is cheaper than the bound of every class");
  }
  return trial.result();
}

// --- Properties.

std::optional<Rational> cost_within(Trial& trial, const CountedQuery& asked) {
  const CountedAnswer answer = solve_within(trial.catalogue(), asked);
  if (!answer.plan) return std::nullopt;
  return answer.cost;
}

// Whether what is asked for more costs at least as much; nothing: there is no plan.
bool is_at_least(const std::optional<Rational>& more, const std::optional<Rational>& less) {
  return !more || (less && *more >= *less);
}

OracleCase try_properties(const tpn::Model& model, std::uint64_t seed) {
  Trial trial(model, seed, {.counts = seed % 2 == 0});
  CountedQuery asked{trial.query()};
  if (trial.draw().one_in(3)) asked.latency = trial.draw().fraction(60, 2);
  const auto cost = cost_within(trial, asked);
  trial.result().is_telling = cost.has_value();
  const auto harder = [&](const std::function<void(CountedQuery&)>& change, const char* trouble) {
    CountedQuery changed = asked;
    change(changed);
    trial.expect(is_at_least(cost_within(trial, changed), cost), trouble);
  };
  harder([](CountedQuery& changed) { changed.query.period *= Rational::fraction(2, 3); },
         "a shorter period is cheaper");
  harder([](CountedQuery& changed) { changed.query.strictly = true; }, "below the period is cheaper");
  harder([](CountedQuery& changed) { ++changed.query.spare; }, "one failure more is cheaper");
  harder([](CountedQuery& changed) { changed.query.all_apart = true; }, "stages apart are cheaper");
  harder([](CountedQuery& changed) { changed.latency = changed.latency.value_or(20) / Rational(2); },
         "a shorter latency is cheaper");
  if (cost) {
    const CountedAnswer answer = solve_within(trial.catalogue(), asked);
    CountedQuery own = asked;
    own.query.period = *PlanFacts(trial.catalogue(), model, *answer.plan).period_after(asked.query.spare);
    if (own.query.period.sign() > 0) trial.expect(cost_within(trial, own) == cost, "its own period costs more");
  }
  const tpn::Document original = trial.document();
  for (tpn::ProcessorType& type : trial.document().platform.types) type.price *= Rational(2);
  trial.refresh();
  const auto twice = cost_within(trial, asked);
  trial.expect(twice.has_value() == cost.has_value() && (!cost || *twice == *cost * Rational(2)),
               "not twice the price");
  trial.document() = original;
  for (tpn::ProcessorType& type : trial.document().platform.types) {
    if (type.count) type.count = *type.count - Rational(1);
  }
  trial.refresh();
  trial.expect(is_at_least(cost_within(trial, asked), cost), "fewer machines are cheaper");
  trial.document() = original;
  tpn::ProcessorType added = original.platform.types.front();
  added.name = "more";
  added.price = trial.draw().fraction(20, 4);
  trial.document().platform.types.push_back(std::move(added));
  trial.refresh();
  trial.expect(is_at_least(cost, cost_within(trial, asked)), "a type more is dearer");
  return trial.result();
}

constexpr std::array kOracles = {
    Oracle{"nothing is cheaper than the plan, and it survives the failures it should", try_cheapest},
    Oracle{"period, latency, window, schedule, rooms and losses are the closed forms", try_closed_forms},
    Oracle{"two neighboring parts of a type are no better than one", try_merge, 10},
    Oracle{"of one type, one part of all stages is best, in every class", try_one_type, 4},
    Oracle{"on equal links no mixed mapping is cheaper", try_mixing, 4},
    Oracle{"the frontier holds all plans that no other beats", try_frontier, 3},
    Oracle{"no mapping of any kind is below the bounds of every class", try_bounds, 4},
    Oracle{"what is asked for more costs no less", try_properties, 4}};

}  // namespace

std::span<const Oracle> oracles() { return kOracles; }

}  // namespace takt::plan

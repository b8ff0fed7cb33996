// Draws, and a recursion over parts.
#include "tests/plan/random_catalogues.hpp"

#include <variant>

#include <map>
#include <numeric>

#include "maxplus/contract.hpp"
#include "tests/support/named_ends.hpp"
#include "tpn/expansion.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/problem_view.hpp"

namespace takt::plan {

namespace {

tpn::Stage random_stage(std::size_t k, support::Draw& draw, std::size_t types) {
  tpn::Stage stage;
  stage.name = "S" + std::to_string(k);
  stage.output = draw.whole(0, 10);
  const bool alike = draw.one_in(4);
  const int time = draw.whole(1, 12);
  for (std::size_t t = 0; t < types; ++t) {
    if (draw.one_in(10)) continue;
    stage.type_times.push_back({t, alike ? time : draw.whole(1, 12)});
  }
  stage.replicable = !draw.one_in(5);
  stage.apart = draw.one_in(8);
  if (draw.one_in(4)) stage.memory = draw.whole(1, 4);
  return stage;
}

tpn::LinkTiming random_link(support::Draw& draw) {
  tpn::LinkTiming link;
  link.bandwidth = draw.whole(1, 4);
  return link;
}

class TypedPlans {
 public:
  TypedPlans(const Catalogue& catalogue, std::vector<std::uint64_t> left, const Query& query,
             const std::function<void(const TypedPlan&)>& use)
      : catalogue_(catalogue), left_(std::move(left)), query_(query), use_(use) {}

  void from(std::size_t first, std::uint64_t in_all) {
    if (first == catalogue_.stages.size()) {
      use_(plan_);
      return;
    }
    for (std::size_t last = first; last < catalogue_.stages.size(); ++last) {
      for (std::size_t t = 0; t < left_.size(); ++t) {
        if (catalogue_.least_first_stage(last, t, query_.all_apart) <= first) place(first, last, t, in_all);
      }
    }
  }

 private:
  void place(std::size_t first, std::size_t last, std::size_t t, std::uint64_t in_all) {
    if (!is_linked(first, last, t)) return;
    const bool replicable = catalogue_.least_replicable_stage(last) <= first;
    for (std::uint64_t paid = query_.spare + 1; paid <= std::min(left_[t], in_all); ++paid) {
      if (!replicable && paid > query_.spare + 1) return;
      plan_.push_back({first, last, t, replicable ? paid : 1, replicable ? 0 : query_.spare});
      left_[t] -= paid;
      from(last + 1, in_all - paid);
      left_[t] += paid;
      plan_.pop_back();
    }
  }

  bool is_linked(std::size_t first, std::size_t last, std::size_t t) const {
    if (first == 0 ? !catalogue_.from_source[t] : !catalogue_.transfer(first - 1, plan_.back().type, t)) return false;
    return last + 1 < catalogue_.stages.size() || catalogue_.to_sink[t];
  }

  const Catalogue& catalogue_;
  std::vector<std::uint64_t> left_;
  const Query& query_;
  const std::function<void(const TypedPlan&)>& use_;
  TypedPlan plan_;
};

// So that there is a platform.
std::vector<std::uint64_t>& one_at_least(std::vector<std::uint64_t>& machines) {
  for (std::uint64_t& count : machines) count = std::max(count, std::uint64_t{1});
  return machines;
}

}  // namespace

void give_cores(tpn::Platform& platform, std::uint64_t seed, bool equal_cores) {
  support::Draw draw(seed ^ 0xc02e5);
  if (!draw.one_in(3)) return;
  const auto ports = [&]() -> tpn::PortCount {
    if (draw.one_in(2)) return tpn::kOnePort;
    return draw.one_in(4) ? tpn::kUnlimitedPorts : draw.count(2, 3);
  };
  const std::uint64_t all = draw.count(2, 3);
  for (tpn::ProcessorType& type : platform.types) {
    type.cores = equal_cores ? all : draw.one_in(4) ? 1 : draw.count(2, 4);
    type.ports = ports();
    if (draw.one_in(4)) type.memory_bandwidth = draw.whole(1, 4);
  }
  for (std::optional<tpn::Endpoint>* end : {&platform.source, &platform.sink})
    if (*end) (*end)->ports = ports();
  if (platform.source && draw.one_in(3))
    *platform.source = support::alike_ends(*platform.source, "cam", draw.count(1, 3));
  if (platform.sink && draw.one_in(3)) *platform.sink = support::alike_ends(*platform.sink, "disk", draw.count(1, 3));
}

tpn::Document random_catalogue(const CatalogueShape& shape, std::uint64_t seed) {
  support::Draw draw(seed);
  tpn::Document document;
  const std::size_t stages = draw.count(1, shape.stages);
  const std::size_t types = draw.count(1, shape.types);
  document.application.input = draw.whole(0, 10);
  for (std::size_t k = 0; k < stages; ++k) document.application.stages.push_back(random_stage(k, draw, types));
  tpn::Platform& platform = document.platform;
  for (std::size_t t = 0; t < types; ++t) {
    tpn::ProcessorType& type = platform.types.emplace_back();
    type.name = std::string(1, static_cast<char>('a' + t));
    type.price = draw.one_in(10) ? Rational(0) : Rational::fraction(draw.whole(1, 18), 2);
    if (shape.counted && !draw.one_in(4)) type.count = draw.whole(0, 4);
    if (draw.one_in(6)) type.memory = draw.whole(2, 6);
    if (!shape.equal_links && draw.one_in(4)) type.bandwidth = draw.whole(1, 4);
  }
  platform.defaults.bandwidth = draw.whole(1, 4);
  for (std::size_t a = 0; a < types && !shape.equal_links; ++a) {
    for (std::size_t b = a; b < types; ++b) {
      if (draw.coin()) platform.type_links.push_back({a, b, random_link(draw)});
    }
  }
  if (draw.coin()) platform.source = tpn::Endpoint{random_link(draw), {}};
  if (draw.coin()) platform.sink = tpn::Endpoint{random_link(draw), {}};
  give_cores(platform, seed, shape.equal_cores);
  return document;
}

Rational random_period(support::Draw& draw) { return Rational::fraction(draw.whole(4, 80), draw.whole(1, 4)); }

void slow_down(Catalogue& catalogue, const Rational& factor) {
  for (auto* times : {&catalogue.stage_times, &catalogue.transfers, &catalogue.from_source, &catalogue.to_sink}) {
    for (auto& time : *times) {
      if (time) *time *= factor;
    }
  }
  for (MachineType& type : catalogue.types) {
    if (type.fixed_time) *type.fixed_time *= factor;
  }
}

Rational cost_of(const Catalogue& catalogue, const TypedPlan& plan) {
  Rational cost;
  for (const TypedPart& part : plan) cost += catalogue.types[part.type].price * Rational(part.machines + part.standby);
  return cost;
}

Rational potential_of_end(const Catalogue& catalogue, const Potentials& potentials) {
  const std::size_t types = catalogue.types.size();
  std::optional<Integer> least;
  for (std::size_t t = 0; t < types; ++t) {
    const auto& end = potentials.values[(catalogue.stages.size() * types + t) * types];
    if (end && (!least || *end < *least)) least = end;
  }
  return least ? Rational(*least) * potentials.unit : Rational(0);
}

NetJudge::NetJudge(const tpn::Document& problem, const tpn::Model& model, std::vector<std::uint64_t> machines)
    : document_(tpn::expanded(problem, one_at_least(machines))), model_(model), evaluator_(document_) {
  std::size_t first = 0;
  for (std::size_t t = 0; t < machines.size(); ++t) {
    first_.push_back(first);
    first += machines[t] * problem.platform.types[t].cores;
  }
}

std::vector<std::size_t> NetJudge::machine(std::size_t type, std::uint64_t k) const {
  std::vector<std::size_t> cores(document_.platform.types[type].cores);
  std::iota(cores.begin(), cores.end(), first_[type] + k * cores.size());
  return cores;
}

tpn::Part NetJudge::part_on(std::size_t first_stage, std::size_t last_stage,
                            const std::vector<std::vector<std::size_t>>& turns) const {
  tpn::Part part{first_stage, last_stage, {}};
  bool is_replicable = true;
  for (std::size_t k = first_stage; k <= last_stage; ++k)
    is_replicable = is_replicable && document_.application.stages[k].replicable;
  std::map<std::vector<std::size_t>, std::size_t> taken;
  // Until all are where they began.
  do {
    for (const std::vector<std::size_t>& machine : turns) {
      const std::size_t core = is_replicable ? taken[machine]++ % machine.size() : 0;
      part.processors.push_back(machine[core]);
    }
  } while (std::ranges::any_of(taken, [](const auto& one) { return one.second % one.first.size() != 0; }));
  return part;
}

bool NetJudge::keeps(const tpn::Mapping& mapping, const Rational& period, bool strictly) {
  const evaluators::CutoffAt at = strictly ? evaluators::CutoffAt::reached : evaluators::CutoffAt::above;
  const auto found = evaluator_.evaluate(mapping, model_, {period, at});
  maxplus::expects(found.answer != evaluators::MappingAnswer::interval, "small nets are evaluated");
  if (found.answer == evaluators::MappingAnswer::cut_off) return false;
  return strictly ? found.lower.rational() < period : found.lower.rational() <= period;
}

Rational NetJudge::period(const tpn::Mapping& mapping) {
  const auto found = evaluator_.evaluate(mapping, model_);
  maxplus::expects(found.answer == evaluators::MappingAnswer::exact, "small nets are evaluated");
  return found.lower.rational();
}

Rational NetJudge::latency(const tpn::Mapping& mapping) const {
  const tpn::ProblemView view(document_);
  const auto made = tpn::make_pipeline(view, mapping);
  const auto& pipeline = std::get<tpn::Pipeline>(made);
  Rational sum;
  for (const tpn::Column& column : pipeline.columns) sum += Rational(column.duration(0)) / Rational(pipeline.scale);
  return sum;
}

tpn::Mapping NetJudge::mapping_of(const TypedPlan& plan, std::size_t short_part, std::uint64_t missing) const {
  tpn::Mapping mapping;
  std::vector<std::uint64_t> next(first_.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const TypedPart& part = plan[i];
    std::vector<std::vector<std::size_t>> turns;
    const std::uint64_t out = i == short_part && part.standby == 0 ? missing : 0;
    for (std::uint64_t k = 0; k + out < part.machines; ++k) turns.push_back(machine(part.type, next[part.type] + k));
    mapping.push_back(part_on(part.first_stage, part.last_stage, turns));
    next[part.type] += part.machines + part.standby;
  }
  return mapping;
}

bool NetJudge::serves(const TypedPlan& plan, const Query& query) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (!keeps(mapping_of(plan, i, query.spare), query.period, query.strictly)) return false;
    if (query.spare == 0) return true;
  }
  return true;
}

void for_each_typed_plan(const Catalogue& catalogue, const std::vector<std::uint64_t>& machines, std::uint64_t in_all,
                         const Query& query, const std::function<void(const TypedPlan&)>& use) {
  TypedPlans(catalogue, machines, query, use).from(0, in_all);
}

}  // namespace takt::plan

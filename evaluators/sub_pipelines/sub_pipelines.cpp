// Which sub-pipelines fit, their order, their sweeps and what comes of them.
#include "evaluators/sub_pipelines/sub_pipelines.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/sub_pipelines/edges.hpp"
#include "evaluators/sub_pipelines/embedding.hpp"
#include "evaluators/sweep/sweep.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/chain.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

namespace {

using tpn::FoldedNet;

// What the sub-pipeline's circuit may take of the memory: it is there twice, and embedded.
constexpr std::uint64_t kCircuitCopies = 4;

// Passes on how far a sweep is, but neither its name nor its bounds: those above are not the whole's.
class SubPipelineListener : public maxplus::SearchListener {
 public:
  explicit SubPipelineListener(maxplus::SearchListener* whole) : whole_(whole) {}

  void on_method(std::string_view) override {}
  void on_share(double share) override {
    if (whole_ != nullptr) whole_->on_share(share);
  }
  void on_bounds(const Rational&, const Rational&) override {}

 private:
  maxplus::SearchListener* whole_;
};

// Costs of a sweep in units of a plain operation, which takes a nanosecond.
std::optional<double> fitting_cost(const FoldedNet& sub_pipeline, const SubPipelineLimits& limits) {
  const SweepCost cost = sweep_cost(sub_pipeline);
  if (cost.operations > kSweepMostOperations || cost.nanoseconds > limits.operations) return std::nullopt;
  if (cost.bytes > static_cast<double>(limits.max_memory)) return std::nullopt;
  return cost.nanoseconds;
}

struct SubPipelineCandidate {
  std::size_t first = 0;
  std::size_t last = 0;
  double cost = 0;
  double promise = 0;
};

// The sub-pipelines that fit and that none of the others contains.
class SubPipelineCandidates {
 public:
  SubPipelineCandidates(const FoldedNet& net, const SubPipelineLimits& limits) : net_(net), limits_(limits) {}

  // By promise, then cost. If the deadline passes, those found by then.
  std::vector<SubPipelineCandidate> list() const {
    const std::size_t parts = net_.pipeline.parts.size();
    std::vector<SubPipelineCandidate> found;
    std::size_t next = 0;  // the first part that no sub-pipeline so far has
    for (std::size_t first = 0; first < parts && next < parts && !has_passed(limits_.deadline); ++first) {
      std::optional<SubPipelineCandidate> longest;
      for (std::size_t last = std::max(first, next); last < parts; ++last) {
        const auto cost = cost_of(first, last);
        if (!cost) break;
        longest = SubPipelineCandidate{first, last, *cost};
        next = last + 1;
      }
      if (longest) found.push_back(*longest);
      next = std::max(next, first + 1);
    }
    const std::vector<double> tightness = tightness_of_parts();
    for (SubPipelineCandidate& sub_pipeline : found) {
      for (std::size_t i = sub_pipeline.first; i <= sub_pipeline.last; ++i) sub_pipeline.promise += tightness[i];
    }
    std::ranges::sort(found, [](const SubPipelineCandidate& a, const SubPipelineCandidate& b) {
      return std::tuple(-a.promise, a.cost, a.first) < std::tuple(-b.promise, b.cost, b.first);
    });
    return found;
  }

 private:
  // Nothing if it does not fit.
  std::optional<double> cost_of(std::size_t first, std::size_t last) const {
    Integer rows = 1;
    for (std::size_t c = tpn::chain_computation(first); c <= tpn::chain_computation(last); ++c)
      rows = lcm(rows, Integer(net_.pipeline.columns[c].period));
    if (Integer(rows * tpn::chain_columns(last - first + 1)).get_d() > limits_.operations) return std::nullopt;
    const auto sub_pipeline = net_of_sub_pipeline(net_, first, last, limits_.deadline);
    if (!std::holds_alternative<FoldedNet>(sub_pipeline)) return std::nullopt;
    return fitting_cost(std::get<FoldedNet>(sub_pipeline), limits_);
  }

  // By part: 1 for M_ct, 0 from four fifths of it down.
  std::vector<double> tightness_of_parts() const {
    constexpr double kLoose = 0.8;
    std::vector<double> busiest(net_.pipeline.processors.size(), 0);
    const double most = largest_cycle_time(net_).to_double().value_or(0);
    for (const tpn::Resource& resource : net_.resources) {
      const double share = most > 0 ? resource.cycle_time.to_double().value_or(0) / most : 0;
      busiest[resource.processor] = std::max(busiest[resource.processor], share);
    }
    std::vector<double> tightness;
    for (const tpn::NetPart& part : net_.pipeline.parts) {
      double share = 0;
      for (const std::size_t processor : part.sequence) share = std::max(share, busiest[processor]);
      tightness.push_back(std::max(0.0, (share - kLoose) / (1 - kLoose)));
    }
    return tightness;
  }

  const FoldedNet& net_;
  const SubPipelineLimits& limits_;
};

// Sub-pipelines are parts in a row, folded anew under the model.
bool has_sub_pipelines(const FoldedNet& net) { return net.model->further == nullptr && !tpn::why_refused({}, net); }

// The whole's own circuit of a resource that the sub-pipeline has, too.
SubPipelineBound bound_of_resource(const FoldedNet& net, const tpn::Resource& resource) {
  const auto same = std::ranges::find_if(net.resources, [&](const tpn::Resource& r) { return r.same_as(resource); });
  maxplus::expects(same != net.resources.end(), "the whole has the resources of its sub-pipelines");
  const auto index = static_cast<std::size_t>(same - net.resources.begin());
  return {.lower = same->cycle_time, .circuit = own_circuit(net, index)};
}

// The parts from first_part on, and what of them is asked for.
struct SubPipelineSearch {
  const FoldedNet& net;
  const FoldedNet& sub_pipeline;
  tpn::PartIndex first_part;
  const SubPipelineLimits& limits;
  const Rational* above;  // only bounds above it are; null: any
};

// The period of a net that has the operations of the sub-pipeline, and the bound that its circuit gives, where that may
// be one that is asked for.
struct SweptStretch {
  Rational period;
  std::optional<SubPipelineBound> bound;
};

// Nothing if a limit is reached.
std::optional<SweptStretch> sweep_sub_pipeline(const SubPipelineSearch& search, const FoldedNet& sub_pipeline) {
  const SubPipelineLimits& limits = search.limits;
  SubPipelineListener listener(limits.deadline.listener());
  Options options;
  options.max_memory = limits.max_memory;
  options.deadline = limits.deadline.heard_by(listener);
  Evaluation swept = sweep(sub_pipeline, options);
  if (!swept.exact()) return std::nullopt;
  SweptStretch result{swept.lower, std::nullopt};
  if (swept.circuit.resource) {
    result.bound = bound_of_resource(search.net, sub_pipeline.resources[*swept.circuit.resource]);
    return result;
  }
  if (search.above != nullptr && swept.lower <= *search.above) return result;
  const std::uint64_t most_steps = limits.max_memory / sizeof(CircuitStep) / kCircuitCopies;
  auto circuit =
      Embedding(search.net, search.sub_pipeline, search.first_part).embed(swept.circuit, most_steps, limits.deadline);
  if (!circuit) return result;
  swept = {};
  const auto ratio = ratio_of(search.net, *circuit, limits.deadline);
  if (ratio) result.bound = SubPipelineBound{.lower = *ratio, .circuit = *std::move(circuit)};
  return result;
}

// First with edges: where the circuit takes in the whole what it took there, or more, that is at least what it takes
// without. Nothing if a limit is reached, or no bound is as asked for.
std::optional<SubPipelineBound> raised_bound(const SubPipelineSearch& search) {
  std::optional<SubPipelineBound> best;
  const auto edged =
      sub_pipeline_with_edges(search.net, search.sub_pipeline, search.first_part, search.limits.deadline);
  const FoldedNet& first = edged ? *edged : search.sub_pipeline;
  if (search.above != nullptr && uniform_schedule(first).period <= *search.above) return best;
  auto swept = sweep_sub_pipeline(search, first);
  if (!swept) return best;
  best = std::move(swept->bound);
  if (edged && (!best || best->lower < swept->period) && (search.above == nullptr || swept->period > *search.above)) {
    auto plain = sweep_sub_pipeline(search, search.sub_pipeline);
    if (plain && plain->bound && (!best || plain->bound->lower > best->lower)) best = std::move(plain->bound);
  }
  return best;
}

}  // namespace

std::variant<FoldedNet, tpn::TooLarge> net_of_sub_pipeline(const FoldedNet& net, std::size_t first_part,
                                                           std::size_t last_part, const Deadline& deadline) {
  tpn::Pipeline pipeline = tpn::sub_chain(net.pipeline, tpn::PartIndex(first_part), tpn::PartIndex(last_part));
  return tpn::fold(std::move(pipeline), net.model, tpn::kDefaultCircuitSteps, deadline);
}

std::optional<SubPipelineBound> bound_of_sub_pipeline(const FoldedNet& net, std::size_t first_part,
                                                      std::size_t last_part, const SubPipelineLimits& limits) {
  if (!has_sub_pipelines(net)) return std::nullopt;
  const auto sub_pipeline = net_of_sub_pipeline(net, first_part, last_part, limits.deadline);
  const auto* folded = std::get_if<FoldedNet>(&sub_pipeline);
  if (folded == nullptr || !fitting_cost(*folded, limits)) return std::nullopt;
  auto bound = raised_bound({net, *folded, tpn::PartIndex(first_part), limits, nullptr});
  if (bound) {
    bound->first_part = first_part;
    bound->last_part = last_part;
  }
  return bound;
}

std::optional<SubPipelineBound> best_sub_pipeline(const FoldedNet& net, const SubPipelineLimits& limits,
                                                  const Rational& above) {
  std::optional<SubPipelineBound> best;
  if (!has_sub_pipelines(net)) return best;
  maxplus::SearchListener* const listener = limits.deadline.listener();
  if (listener != nullptr) listener->on_method("sub-pipelines");
  const Rational upper = sequential_period(net);
  double operations = 0;
  for (const SubPipelineCandidate& sub_pipeline : SubPipelineCandidates(net, limits).list()) {
    if (has_passed(limits.deadline)) break;
    if (operations + sub_pipeline.cost > limits.all_operations) continue;
    const auto folded = net_of_sub_pipeline(net, sub_pipeline.first, sub_pipeline.last, limits.deadline);
    if (!std::holds_alternative<FoldedNet>(folded)) continue;
    const Rational known = best ? best->lower : above;
    auto bound = raised_bound({net, std::get<FoldedNet>(folded), tpn::PartIndex(sub_pipeline.first), limits, &known});
    operations += sub_pipeline.cost;
    if (!bound || bound->lower <= known) continue;
    bound->first_part = sub_pipeline.first;
    bound->last_part = sub_pipeline.last;
    best = std::move(bound);
    if (listener != nullptr) listener->on_bounds(best->lower, upper);
  }
  return best;
}

}  // namespace takt::evaluators

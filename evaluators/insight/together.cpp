// Circuits as conditions on sets of parameters, and the smallest set that keeps them all.
#include "evaluators/insight/together.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/parametric.hpp"
#include "maxplus/contract.hpp"

namespace takt::evaluators {

namespace {

using ParameterSet = std::vector<std::size_t>;  // rising
using Condition = std::vector<ParameterSet>;    // one of them must be in the set

// What parameters do to the net's table entries.
class EffectTable {
 public:
  explicit EffectTable(std::size_t columns) : by_column_(columns) {}

  void add(std::size_t parameter, std::vector<std::vector<ParametricNet::Effect>> effects) {
    for (std::size_t c = 0; c < effects.size(); ++c)
      if (!effects[c].empty()) by_column_[c].emplace_back(parameter, std::move(effects[c]));
  }

  // What makes the circuit shorter.
  Condition condition_of(const tpn::Pipeline& pipeline, const CriticalCircuit& circuit) const {
    std::set<ParameterSet> sets;
    Integer height = 0;
    for (const CircuitStep& step : circuit.steps) height += step.height;
    std::uint64_t data_set = circuit.data_set;
    for (const CircuitStep& step : circuit.steps) {
      for (const std::size_t entry : entries_met(pipeline.columns[step.column], data_set, height))
        add_sets(step.column, entry, sets);
      data_set += step.height;
    }
    Condition condition(sets.begin(), sets.end());
    std::ranges::stable_sort(condition, {}, &ParameterSet::size);
    return condition;
  }

 private:
  // On data sets that are `height` apart.
  static std::set<std::size_t> entries_met(const tpn::Column& column, std::uint64_t data_set, const Integer& height) {
    const std::uint64_t pairs = std::lcm(column.sender_offset.size(), column.receiver_offset.size());
    const std::uint64_t apart = maxplus::modulo(height, pairs);
    std::set<std::size_t> entries;
    std::uint64_t residue = data_set % pairs;
    const std::uint64_t first = residue;
    do {
      entries.insert(column.entry(residue));
      residue = (residue + apart) % pairs;
    } while (residue != first);
    return entries;
  }

  void add_sets(std::size_t column, std::size_t entry, std::set<ParameterSet>& sets) const {
    ParameterSet only_together;
    for (const auto& [parameter, effects] : by_column_[column]) {
      if (effects[entry] == ParametricNet::Effect::falls) sets.insert({parameter});
      if (effects[entry] == ParametricNet::Effect::grows_only) only_together.push_back(parameter);
    }
    if (!only_together.empty()) sets.insert(std::move(only_together));
  }

  std::vector<std::vector<std::pair<std::size_t, std::vector<ParametricNet::Effect>>>> by_column_;
};

// The smallest set that keeps all conditions.
class SmallestSet {
 public:
  SmallestSet(std::size_t parameters, std::uint64_t most_branches)
      : chosen_(parameters), most_branches_(most_branches) {}

  void add(Condition condition) { conditions_.push_back(std::move(condition)); }

  // With fewer conditions it was no smaller. Not the smallest from where the branches are used up.
  ParameterSet find() {
    while (is_smallest_) {
      branches_ = 0;
      if (choose(0)) return take();
      if (branches_ > most_branches_) is_smallest_ = false;
      if (is_smallest_) ++size_;
    }
    choose_greedily();
    return take();
  }

  bool is_smallest() const { return is_smallest_; }

 private:
  bool holds(const ParameterSet& set) const {
    return std::ranges::all_of(set, [&](std::size_t parameter) { return chosen_[parameter]; });
  }
  bool holds(const Condition& condition) const {
    return std::ranges::any_of(condition, [&](const ParameterSet& set) { return holds(set); });
  }

  std::vector<std::size_t> choose_all(const ParameterSet& set) {
    std::vector<std::size_t> added;
    for (const std::size_t parameter : set) {
      if (chosen_[parameter]) continue;
      chosen_[parameter] = true;
      added.push_back(parameter);
    }
    return added;
  }

  // Whether some set of size_, with those chosen, keeps all conditions; it is chosen then.
  bool choose(std::size_t count) {
    const auto open = std::ranges::find_if(conditions_, [&](const Condition& c) { return !holds(c); });
    if (open == conditions_.end()) return true;
    for (const ParameterSet& set : *open) {
      if (++branches_ > most_branches_) return false;
      const std::vector<std::size_t> added = choose_all(set);
      if (count + added.size() <= size_ && choose(count + added.size())) return true;
      for (const std::size_t parameter : added) chosen_[parameter] = false;
    }
    return false;
  }

  // For each condition that is open the set that most of the open ones ask for.
  void choose_greedily() {
    for (const Condition& condition : conditions_) {
      if (holds(condition)) continue;
      const auto asked = [&](const ParameterSet& set) {
        return std::ranges::count_if(conditions_, [&](const Condition& other) {
          return !holds(other) && std::ranges::find(other, set) != other.end();
        });
      };
      choose_all(*std::ranges::max_element(condition, {}, asked));
    }
    for (std::size_t p = 0; p < chosen_.size(); ++p) {
      if (!chosen_[p]) continue;
      chosen_[p] = false;
      chosen_[p] = !std::ranges::all_of(conditions_, [&](const Condition& condition) { return holds(condition); });
    }
  }

  ParameterSet take() {
    ParameterSet set;
    for (std::size_t p = 0; p < chosen_.size(); ++p)
      if (chosen_[p]) set.push_back(p);
    chosen_.assign(chosen_.size(), false);
    return set;
  }

  std::vector<Condition> conditions_;
  std::vector<bool> chosen_;
  std::size_t size_ = 1;
  std::uint64_t branches_ = 0;
  std::uint64_t most_branches_;
  bool is_smallest_ = true;
};

// The evaluation with each of the set divided by 1 + faster.
Evaluation evaluate_faster(const tpn::FoldedNet& net, tpn::Document document,
                           std::span<const tpn::Parameter> parameters, const ParameterSet& set, const Rational& faster,
                           const Options& options) {
  for (const std::size_t p : set) {
    const tpn::Parameter& parameter = parameters[p];
    if (parameter.is_inverse() || parameter.value.sign() != 0) {
      const Rational weight = parameter.weight_of(parameter.value) / (Rational(1) + faster);
      for (Rational* number : tpn::numbers_at(document, parameter)) *number = parameter.weight_of(weight);
    }
  }
  const auto changed = tpn::make_pipeline(document);
  const auto* pipeline = std::get_if<tpn::Pipeline>(&changed);
  maxplus::expects(pipeline != nullptr, "a net that was made can be made with other numbers");
  return evaluate(with_durations_of(net, *pipeline), options);
}

}  // namespace

std::optional<TogetherChange> change_together(const tpn::FoldedNet& net, const tpn::Document& document,
                                              const Evaluation& evaluation, std::span<const tpn::Parameter> parameters,
                                              const Rational& faster, const Options& options,
                                              std::uint64_t most_branches) {
  maxplus::expects(evaluation.exact() && evaluation.lower.sign() > 0 && faster.sign() > 0,
                   "what makes an exact period smaller is asked for");
  EffectTable effects(net.pipeline.columns.size());
  tpn::Document changeable = document;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (options.deadline.has_passed()) return std::nullopt;
    effects.add(p, ParametricNet(net, changeable, parameters[p]).effects());
  }
  SmallestSet smallest(parameters.size(), most_branches);
  CriticalCircuit circuit = evaluation.circuit;
  ParameterSet set;
  for (;;) {
    Condition condition = effects.condition_of(net.pipeline, circuit);
    if (condition.empty()) return TogetherChange{{}, evaluation.lower, false};
    const bool is_kept =
        std::ranges::any_of(condition, [&](const ParameterSet& asked) { return std::ranges::includes(set, asked); });
    maxplus::expects(!is_kept, "what makes a circuit shorter makes it shorter");
    smallest.add(std::move(condition));
    set = smallest.find();
    if (options.deadline.has_passed()) return std::nullopt;
    const Evaluation changed = evaluate_faster(net, document, parameters, set, faster, options);
    if (!changed.exact()) return std::nullopt;
    if (changed.lower < evaluation.lower) return TogetherChange{set, changed.lower, smallest.is_smallest()};
    circuit = changed.circuit;
  }
}

}  // namespace takt::evaluators

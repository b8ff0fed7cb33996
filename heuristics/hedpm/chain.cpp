// Breadth-first search for the chain; for its cuts, passes that raise a lower bound until it is possible.
#include "heuristics/hedpm/chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace takt::heuristics::dynamic_mapping {

namespace {

// The shortest chain of linked processors from the source to the sink, by breadth-first search; a chain of one is the
// processor that computes all stages the fastest.
std::vector<std::size_t> shortest_chain(const CostModel& model, const Order& order) {
  const auto starts = [&](std::size_t p) { return !model.has_source() || model.source_link(p); };
  const auto ends = [&](std::size_t p) { return !model.has_sink() || model.sink_link(p); };
  const Matches none(model.stages());
  std::optional<std::size_t> alone;
  std::optional<Rational> least;
  for (const std::size_t p : order.processors) {
    if (!starts(p) || !ends(p)) continue;
    const auto time = model.execution_time(0, model.stages() - 1, p, none);
    if (!least || *time < *least) {
      alone = p;
      least = time;
    }
  }
  if (alone) return {*alone};

  std::vector<std::size_t> reached;  // in the order of the search
  std::vector<std::size_t> before;   // indices into `reached`
  std::vector<std::size_t> open = order.processors;
  const auto reach = [&](std::size_t p, std::size_t from) {
    reached.push_back(p);
    before.push_back(from);
  };
  for (const std::size_t p : order.processors)
    if (starts(p)) reach(p, reached.size());
  std::erase_if(open, starts);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (ends(reached[i])) {
      std::vector<std::size_t> chain{reached[i]};
      for (std::size_t k = i; before[k] != k; k = before[k]) chain.push_back(reached[before[k]]);
      std::ranges::reverse(chain);
      return chain;
    }
    std::erase_if(open, [&](std::size_t q) {
      if (!model.has_link(reached[i], q)) return false;
      reach(q, i);
      return true;
    });
  }
  return {};
}

// Where the stages of a chain may be cut, and what its parts take for their intervals. Part k has at least one stage,
// and so has each before and behind it: it begins in front of stage k + j, and ends behind stage k + j, with j <
// places.
class Cuts {
 public:
  Cuts(const CostModel& model, const std::vector<std::size_t>& chain)
      : chain_(chain), places_(model.stages() - chain.size() + 1) {
    for (std::size_t part = 0; part < chain.size(); ++part) {
      const std::size_t p = chain[part];
      const auto in = part > 0 ? model.link(chain[part - 1], chain[part])
                               : (model.has_source() ? model.source_link(chain[part]) : std::nullopt);
      const auto out = part + 1 < chain.size() ? model.link(chain[part], chain[part + 1])
                                               : (model.has_sink() ? model.sink_link(chain[part]) : std::nullopt);
      for (std::size_t j = 0; j < places_; ++j) {
        const std::size_t begin = part + j;
        const std::size_t end = begin + 1;
        begins_.push_back((in ? in->of(model.file(begin)) : Rational()) + model.fixed(p) -
                          model.computation_before(begin, p));
        ends_.push_back((out ? out->of(model.file(end)) : Rational()) + model.computation_before(end, p));
      }
    }
    begin_of_.resize(begins_.size());
  }

  // A pass with a production time: whether some cuts keep to it. `next`: where it fails, none below is possible.
  struct CutPass {
    bool complete = false;
    std::optional<Rational> next;
  };

  // The ends that each part can have follow from those of the part before, by the cheapest begin among them. Between
  // `time` and the least time by which an end is missed the same ends are reached.
  CutPass pass(const Rational& time) {
    CutPass result;
    std::vector<bool> reached(places_);  // the begins of a part
    reached[0] = true;
    for (std::size_t part = 0; part < chain_.size(); ++part) {
      const bool is_last = part + 1 == chain_.size();
      std::optional<std::size_t> cheapest;
      for (std::size_t j = 0; j < places_; ++j) {
        const std::size_t here = part * places_ + j;
        if (reached[j] && (!cheapest || begins_[here] < begins_[part * places_ + *cheapest])) cheapest = j;
        reached[j] = false;
        if (!cheapest || (is_last && j + 1 < places_)) continue;
        Rational taken = begins_[part * places_ + *cheapest] + ends_[here];
        if (taken <= time) {
          reached[j] = true;
          begin_of_[here] = *cheapest;
        } else if (!result.next || taken < *result.next) {
          result.next = std::move(taken);
        }
      }
    }
    result.complete = reached.back();
    return result;
  }

  // As the last pass made it, which was complete.
  tpn::Mapping mapping() const {
    tpn::Mapping mapping(chain_.size());
    std::size_t j = places_ - 1;
    for (std::size_t part = chain_.size(); part-- > 0;) {
      const std::size_t begin = begin_of_[part * places_ + j];
      mapping[part] = {part + begin, part + j, {chain_[part]}};
      j = begin;
    }
    return mapping;
  }

 private:
  const std::vector<std::size_t>& chain_;
  std::size_t places_;
  // By part and place; their sum is the time of the interval between.
  std::vector<Rational> begins_;
  std::vector<Rational> ends_;
  std::vector<std::size_t> begin_of_;  // by part and place of the end
};

struct Cut {
  tpn::Mapping mapping;
  bool cut_short = false;
};

// The cuts of least production time, or those of the last bound that was possible when the deadline passed.
Cut best_cut(const CostModel& model, const std::vector<std::size_t>& chain, const evaluators::Deadline& deadline) {
  constexpr int kHalvings = 20;  // brings the bound so close that few steps remain; any number is right
  Cut best;
  for (std::size_t part = 0; part < chain.size(); ++part) {
    const std::size_t last = part + 1 == chain.size() ? model.stages() - 1 : part;
    best.mapping.push_back({part, last, {chain[part]}});
  }
  Cuts cuts(model, chain);
  // Invariant: nothing below `bound` is possible, `possible` is.
  Rational bound;
  Rational possible = *model.production_time(best.mapping);
  for (int k = 0; bound < possible; ++k) {
    if (evaluators::has_passed(deadline)) {
      best.cut_short = true;
      break;
    }
    const Rational time = k < kHalvings ? (bound + possible) / 2 : bound;
    auto pass = cuts.pass(time);
    if (pass.complete) {
      best.mapping = cuts.mapping();
      possible = time;
    } else {
      bound = std::move(*pass.next);
    }
  }
  return best;
}

}  // namespace

Result chain_proposal(const CostModel& model, const Order& order, const evaluators::Deadline& deadline, Log& log) {
  const std::vector<std::size_t> chain = shortest_chain(model, order);
  if (chain.empty() || chain.size() > model.stages()) {
    return Infeasible{fmt::format(
        "no chain of linked processors leads through at most {} stages{}{}, and every mapping needs one",
        model.stages(), model.has_source() ? " from the source" : "", model.has_sink() ? " to the sink" : "")};
  }
  log.notes.emplace_back(
      "The matching met a missing link; the mapping is a shortest chain of linked processors instead.");
  Cut best = best_cut(model, chain, deadline);
  Rational production = *model.production_time(best.mapping);
  return Proposal{std::move(best.mapping), std::move(production), best.cut_short};
}

}  // namespace takt::heuristics::dynamic_mapping

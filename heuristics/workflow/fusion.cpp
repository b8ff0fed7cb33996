// Contracts the graph of stages, group by group.
#include "heuristics/workflow/fusion.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "tpn/stage_order.hpp"
#include "tpn/workflow.hpp"

namespace takt::heuristics {

namespace {

using maxplus::Rational;
using Nodes = std::set<std::size_t>;

Nodes without(const Nodes& nodes, const Nodes& others) {
  Nodes left;
  std::ranges::set_difference(nodes, others, std::inserter(left, left.end()));
  return left;
}

// A group of stages, known by the first of them.
struct Node {
  Nodes stages;
  Nodes senders;
  Nodes receivers;
  bool is_replicable = true;
};

class Fusion {
 public:
  explicit Fusion(const tpn::ProblemView& problem)
      : problem_(problem),
        application_(problem.document().application),
        may_be_reordered_(tpn::may_be_reordered(application_)),
        nodes_(application_.stages.size()) {
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      nodes_[k].stages = {k};
      nodes_[k].is_replicable = application_.stages[k].replicable;
      for (const std::size_t sender : tpn::stages_before(application_, k)) {
        nodes_[k].senders.insert(sender);
        nodes_[sender].receivers.insert(k);
      }
    }
  }

  // False if the deadline passes.
  bool run(const maxplus::Deadline& deadline) {
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (std::size_t x = 0; x < nodes_.size(); ++x) {
        if (maxplus::has_passed(deadline)) return false;
        while (fuse_at(x)) has_changed = true;
      }
    }
    return true;
  }

  std::vector<std::size_t> groups() const {
    std::vector<std::size_t> groups(nodes_.size());
    for (std::size_t x = 0; x < nodes_.size(); ++x) {
      for (const std::size_t k : nodes_[x].stages) groups[k] = x;
    }
    return groups;
  }

 private:
  // The siblings of a node with what is behind or before them.
  bool fuse_at(std::size_t x) {
    const Node& node = nodes_[x];
    if (node.stages.empty() || !node.is_replicable) return false;
    return fuse_with(x, node.receivers, &Node::senders, node.senders) ||
           fuse_with(x, node.senders, &Node::receivers, node.receivers);
  }

  // With the only neighbor on one side; `back` leads from it to the siblings, `past` are those on their other side.
  bool fuse_with(std::size_t x, const Nodes& neighbors, Nodes Node::*back, const Nodes& past) {
    if (neighbors.size() != 1) return false;
    const std::size_t neighbor = *neighbors.begin();
    if (!nodes_[neighbor].is_replicable) return false;
    Nodes members = without(nodes_[neighbor].*back, past);
    const bool are_siblings = std::ranges::all_of(members, [&](std::size_t y) {
      return nodes_[y].is_replicable && nodes_[y].senders == nodes_[x].senders &&
             nodes_[y].receivers == nodes_[x].receivers;
    });
    if (!are_siblings) return false;
    members.insert(neighbor);
    if (!may_be_one(members)) return false;
    contract(members);
    return true;
  }

  bool may_be_one(const Nodes& members) const {
    Nodes stages;
    for (const std::size_t y : members) stages.insert(nodes_[y].stages.begin(), nodes_[y].stages.end());
    const std::size_t first = *stages.begin();
    if (!may_be_reordered_) {
      if (*stages.rbegin() - first + 1 != stages.size()) return false;
      if (std::ranges::any_of(stages, [&](std::size_t k) { return k > first && application_.stages[k].apart; })) {
        return false;
      }
    }
    Rational memory;
    for (const std::size_t k : stages) memory += application_.stages[k].memory.value_or(0);
    const auto& processors = problem_.document().platform.processors;
    for (std::size_t u = 0; u < processors.size(); ++u) {
      if (processors[u].memory && *processors[u].memory < memory) continue;
      if (std::ranges::all_of(stages, [&](std::size_t k) { return problem_.can_run(k, k, u); })) return true;
    }
    return false;
  }

  void contract(const Nodes& members) {
    Node one;
    for (const std::size_t y : members) {
      one.stages.merge(nodes_[y].stages);
      one.senders.merge(nodes_[y].senders);
      one.receivers.merge(nodes_[y].receivers);
      nodes_[y] = {};
    }
    const std::size_t x = *one.stages.begin();
    one.senders = without(one.senders, members);
    one.receivers = without(one.receivers, members);
    for (const std::size_t sender : one.senders) replace(nodes_[sender].receivers, members, x);
    for (const std::size_t receiver : one.receivers) replace(nodes_[receiver].senders, members, x);
    nodes_[x] = std::move(one);
  }

  static void replace(Nodes& nodes, const Nodes& members, std::size_t x) {
    nodes = without(nodes, members);
    nodes.insert(x);
  }

  const tpn::ProblemView& problem_;
  const tpn::Application& application_;
  bool may_be_reordered_;
  std::vector<Node> nodes_;  // by first stage; those that have become part of another have no stages
};

}  // namespace

std::optional<std::vector<std::size_t>> fused_stages(const tpn::ProblemView& problem,
                                                     const maxplus::Deadline& deadline) {
  Fusion fusion(problem);
  if (!fusion.run(deadline)) return std::nullopt;
  return fusion.groups();
}

}  // namespace takt::heuristics

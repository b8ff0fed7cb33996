// Where the cycles of a token graph are: its strongly connected components, and its order without tokens.
#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "maxplus/token_graph.hpp"

namespace takt::maxplus {

/// All vertices, ordered so that every arc without tokens leads forward; or the cycle that forbids it.
/// Cost: linear, and no recursion however long the paths.
std::variant<std::vector<std::size_t>, Deadlock> token_free_order(const TokenGraph& graph);

/// The strongly connected components that hold an arc, hence a cycle; no other vertex lies on any cycle.
class Components {
 public:
  std::size_t size() const { return first_.size() - 1; }
  std::span<const std::size_t> members(std::size_t component) const {
    return std::span(members_).subspan(first_[component], first_[component + 1] - first_[component]);
  }
  /// All vertices that lie on a cycle, component by component.
  std::span<const std::size_t> all_members() const { return members_; }

 private:
  friend Components cyclic_components(const TokenGraph& graph, std::span<const std::size_t> order);
  std::vector<std::size_t> members_;
  std::vector<std::size_t> first_{0};
};

/// The components, each one's members in the order that `order`, a permutation of all vertices, gives them.
/// Cost: linear, and no recursion.
Components cyclic_components(const TokenGraph& graph, std::span<const std::size_t> order);

}  // namespace takt::maxplus

// Which starts rose of late: where the search looks for circuits, and where it goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace takt::evaluators {

/// A start that rose: of the class of `data_set`.
struct Rise {
  std::size_t node = 0;
  std::int64_t data_set = 0;
};

/// Keeps a sample of what rose since it was cleared, the latest among it, and the nodes that are to be looked at again.
class Rises {
 public:
  void note(std::size_t node, std::int64_t data_set) {
    active_[node] = true;
    if (sample_.size() < kKept) {
      sample_.push_back({node, data_set});
    } else {
      sample_[noted_++ % kKept] = {node, data_set};
    }
  }

  /// Forgets the sample, but not which nodes are active.
  void clear() { sample_.clear(); }
  const std::vector<Rise>& sample() const { return sample_; }

  void activate(std::size_t node) { active_[node] = true; }
  /// All nodes, or none of them.
  void activate_all(std::size_t nodes) { active_.assign(nodes, true); }
  void activate_none(std::size_t nodes) { active_.assign(nodes, false); }
  bool is_active(std::size_t node) const { return active_[node]; }

 private:
  static constexpr std::size_t kKept = 20'000;

  std::vector<bool> active_;
  std::vector<Rise> sample_;
  std::size_t noted_ = 0;
};

}  // namespace takt::evaluators

// Where the stages of a problem may stand: whose memory holds them, and which must not share a part.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// What a problem says of memory, `apart`, replicability and the processors that run a stage; links are others' to
/// check.
class PlacementRules {
 public:
  /// Keeps a reference.
  explicit PlacementRules(const tpn::ProblemView& problem);

  /// Whether the stages may be one part.
  bool may_share(std::size_t first_stage, std::size_t last_stage) const {
    return apart_before_[last_stage + 1] == apart_before_[first_stage + 1];
  }
  bool is_replicable(std::size_t first_stage, std::size_t last_stage) const {
    return fixed_before_[last_stage + 1] == fixed_before_[first_stage];
  }
  /// Whether a processor runs these stages and its memory holds them.
  bool fits(std::size_t first_stage, std::size_t last_stage, std::size_t processor) const;
  /// Whether a mapping keeps to all of it; a processor holds the stages of all its parts, cores that the document names
  /// at once those of each part of theirs once.
  bool allow(std::span<const tpn::Part> mapping) const { return let_run(mapping) && allow_but_for_runs(mapping); }
  /// Whether it has each stage only on processors that run it.
  bool let_run(std::span<const tpn::Part> mapping) const { return view_.can_run(mapping); }
  /// Whether each machine's memory holds what the mapping has there.
  bool memory_holds(std::span<const tpn::Part> mapping) const;
  /// Whether it keeps to all the rest.
  bool allow_but_for_runs(std::span<const tpn::Part> mapping) const;

 private:
  const tpn::ProblemView& view_;
  const tpn::Document& problem_;
  bool has_memory_ = false;
  std::vector<std::size_t> machines_;  // by processor; one memory each. Empty if memory says nothing
  // By stage and one more, over all stages before it.
  std::vector<std::size_t> fixed_before_{0};
  std::vector<std::size_t> apart_before_{0};
  std::vector<tpn::Rational> memory_before_{0};
};

}  // namespace takt::heuristics

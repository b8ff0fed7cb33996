// Turns of parts, given one by one to processors that may serve several parts.
//
// Problem. Packing gives a part's next turn to the processor with the least work of those that may have it: which are
// these?
//
// Method. A processor may have a turn if it runs the part's stages, has memory left for them, and is linked with the
// sources or sinks that the part exchanges files with and with every processor that has a turn of a part which it
// receives from, or sends to, so far. Turns of two parts need not meet, so this asks for more links than a mapping
// needs, and never for fewer.
//
// Cost. A question costs a look-up for each turn of the neighboring parts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "heuristics/common/placement.hpp"
#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/links.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

class PlacedTurns {
 public:
  /// The parts of a mapping, none of which has a processor yet. Keeps a reference to the problem.
  PlacedTurns(const tpn::ProblemView& problem, tpn::Mapping parts);

  /// Whether it runs the part's stages and its memory holds them, were there nothing else.
  bool can_serve(std::size_t part, std::size_t processor) const;
  bool may_have(std::size_t part, std::size_t processor) const;
  /// The part's next turn.
  void give(std::size_t part, std::size_t processor);

  const tpn::Mapping& mapping() const { return mapping_; }
  /// The parts whose files a part takes, in ascending order.
  const std::vector<std::size_t>& senders(std::size_t part) const { return neighbors_[part].senders; }

 private:
  struct Neighbors {
    std::vector<std::size_t> senders;
    std::vector<std::size_t> receivers;
    bool takes_input = false;  // from a source
    bool has_results = false;  // for a sink
  };

  bool is_linked(std::size_t part, std::size_t processor) const;
  bool has_memory_for(std::size_t part, std::size_t processor) const;
  bool is_held(std::size_t part, std::size_t machine) const;
  maxplus::Rational memory_of(std::size_t part) const;

  const tpn::ProblemView& problem_;
  PlacementRules rules_;
  const tpn::LinkTable& links_;
  tpn::Mapping mapping_;
  std::vector<Neighbors> neighbors_;     // by part
  std::vector<std::size_t> machines_;    // by processor
  std::vector<maxplus::Rational> held_;  // by machine, bytes
};

/// Why no processor may have a turn of these stages, a phrase for Infeasible.
std::string nobody_left_for(const std::string& stages);

}  // namespace takt::heuristics

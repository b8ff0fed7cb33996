// single: OVERLAP, but a part that computes has no place for the next file.
//
// A processor whose turn it is receives the file of its next turn no sooner than it has computed with that of this one:
// one dependence from each computation back to the transfer before it, a round of the part's sequence later.
#include "tpn/models.hpp"

namespace takt::tpn {

void list_single_places(DependenceList& dependences, const Model&) {
  const std::vector<NetPart>& parts = dependences.pipeline().parts;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].role != PartRole::mapped) continue;
    dependences.add({.from = 2 * i,
                     .to = 2 * i - 1,
                     .height = parts[i].sequence.size(),
                     .modulus = 1,
                     .residue = 0,
                     .kind = ConstraintKind::flow,
                     .part = 0});
  }
}

}  // namespace takt::tpn

// single: OVERLAP, but a part that computes has no place for the next file.
//
// A processor whose turn it is receives the file of its next turn no sooner than it has computed with that of this one:
// one dependence from each computation back to the transfer before it, a round of the part's sequence later.
#include "tpn/models.hpp"

namespace takt::tpn {

void list_single_places(DependenceList& dependences, const Model&) {
  for (const NetPart& part : dependences.pipeline().parts) {
    if (part.role != PartRole::mapped) continue;
    for (const ColumnIndex reception : part.receptions) {
      dependences.add({.from = part.computation,
                       .to = reception,
                       .height = part.sequence.size(),
                       .modulus = 1,
                       .residue = 0,
                       .kind = ConstraintKind::flow,
                       .part = {}});
    }
  }
}

}  // namespace takt::tpn

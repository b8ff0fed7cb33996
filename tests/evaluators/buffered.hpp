// A communication model of the tests: OVERLAP with bounded buffers, so with tokens that belong to no resource.
#pragma once

#include <cstdint>

#include "tpn/models.hpp"

namespace takt::support {

/// OVERLAP with room for kRoom files between the reception and the computation of a part: the file of data
/// set j + kRoom is received no sooner than data set j has been computed.
template <std::uint64_t kRoom>
void list_bounded_buffers(tpn::DependenceList& dependences, const tpn::Model&) {
  const tpn::Pipeline& pipeline = dependences.pipeline();
  for (const tpn::ColumnIndex c : pipeline.all_columns()) {
    if (!pipeline.is_transfer(c)) continue;
    dependences.add({.from = pipeline.parts[pipeline.columns[c].receiver].computation,
                     .to = c,
                     .height = kRoom,
                     .modulus = 1,
                     .residue = 0,
                     .kind = tpn::ConstraintKind::flow,
                     .part = {}});
  }
}

template <std::uint64_t kRoom>
tpn::FoldedNet buffered_net(const tpn::Document& document) {
  static const tpn::CommunicationModel kBuffered{.name = "buffered",
                                                 .title = "BOUNDED BUFFERS",
                                                 .resources = tpn::Model::kOverlap->resources,
                                                 .further = list_bounded_buffers<kRoom>};
  return std::get<tpn::FoldedNet>(tpn::fold(document, tpn::Model(kBuffered)));
}

}  // namespace takt::support

// A plain judge of certificates: every arc of the unfolded net, one after the other.
#pragma once

#include "evaluators/proof/certificate.hpp"
#include "tpn/document.hpp"

namespace takt::support {

/// Does the certificate prove its claim? Decided without the checker's arithmetic on residues: the circuit
/// is walked lap by lap until its rows repeat, and the upper witness is held against every arc of the net
/// unfolded over all data sets that its classes tell apart. Small instances only.
bool proves(const tpn::Document& document, const evaluators::Certificate& certificate);

}  // namespace takt::support

// From an evaluator's answer to the certificate that proves it.
#pragma once

#include <variant>

#include "evaluators/evaluation.hpp"
#include "evaluators/proof/certificate.hpp"

namespace takt::evaluators {

/// The certificate of an evaluation of that net, or TooLarge.
std::variant<Certificate, tpn::TooLarge> certify(const tpn::FoldedNet& net, const Evaluation& evaluation);

}  // namespace takt::evaluators

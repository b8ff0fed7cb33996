// From an evaluator's answer to the certificate that proves it.
#pragma once

#include <cstdint>
#include <variant>

#include "evaluators/evaluation.hpp"
#include "evaluators/proof/certificate.hpp"

namespace takt::evaluators {

/// Start times, or steps, a certificate may hold: a certificate stays small.
inline constexpr std::uint64_t kCertificateNumbers = 10'000'000;

/// The certificate of an evaluation of that net, or TooLarge.
std::variant<Certificate, tpn::TooLarge> certify(const tpn::FoldedNet& net, const Evaluation& evaluation);

}  // namespace takt::evaluators

// The independent checker: does a certificate prove the period of an instance?
//
// It shares no code with the solvers: it knows the folded net and its dependences only. The lower bound
// is the ratio of a closed walk, by averages over residues; the upper bound is a schedule, verified on
// every dependence for every data set, by residue classes or by one pass over the rows. All numbers are
// GMP's.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "evaluators/proof/certificate.hpp"
#include "evaluators/proof/check_budget.hpp"

namespace takt::evaluators {

/// The certificate proves lower <= period <= upper.
struct Proven {};

/// It does not; why, for a person.
struct Refused {
  std::string reason;
};

/// Proven, refused, or why there is no verdict.
using Verdict = std::variant<Proven, Refused, tpn::TooLarge, CheckTimeout>;

/// Checks a certificate against an instance, under the certificate's own model and capacity.
/// Cost: linear in the certificate and the dependences; in the periods of the columns on the circuit; with
/// clocks, in the operations of all rows. Each operation as much as its numbers are long: `limits` counts both. The
/// instance's net is made before, with limits of its own and no look at the time.
Verdict check(const tpn::Document& document, const Certificate& certificate, const CheckLimits& limits = {});

/// The same against a net, whatever the model and the capacity that the certificate names.
Verdict check(const tpn::FoldedNet& net, const Certificate& certificate, const CheckLimits& limits = {});

}  // namespace takt::evaluators

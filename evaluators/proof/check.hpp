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

namespace takt::evaluators {

/// The certificate proves lower <= period <= upper.
struct Proven {};

/// It does not; why, for a person.
struct Refused {
  std::string reason;
};

/// Operations (rows times columns) the checker visits for clocks, and durations it adds up for a circuit,
/// before it answers TooLarge.
inline constexpr std::uint64_t kCheckedOperations = 200'000'000;

/// Checks a certificate against an instance, under the certificate's own model.
/// Cost: linear in the certificate and the dependences; in the periods of the columns on the circuit; with
/// clocks, in the operations of all rows, whose numbers are as long as the clocks' common denominator.
std::variant<Proven, Refused, tpn::TooLarge> check(const tpn::Document& document, const Certificate& certificate,
                                                   std::uint64_t max_operations = kCheckedOperations);

/// The same against a net, whatever the model that the certificate names.
std::variant<Proven, Refused, tpn::TooLarge> check(const tpn::FoldedNet& net, const Certificate& certificate,
                                                   std::uint64_t max_operations = kCheckedOperations);

}  // namespace takt::evaluators

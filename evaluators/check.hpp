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

#include "evaluators/certificate.hpp"

namespace takt::evaluators {

/// The certificate proves lower <= period <= upper.
struct Proven {};

/// It does not; why, for a person.
struct Refused {
  std::string reason;
};

/// Operations (rows times columns) the checker visits for clocks before it answers TooLarge.
inline constexpr std::uint64_t kCheckedOperations = 200'000'000;

/// Checks a certificate against the columns of an instance, under the certificate's own model.
/// Cost: linear in the certificate, the dependences and the columns' periods; with clocks, also in
/// the operations of all rows.
std::variant<Proven, Refused, tpn::TooLarge> check(const tpn::Pipeline& pipeline, const Certificate& certificate,
                                                   std::uint64_t max_operations = kCheckedOperations);

/// The same against a net, whatever the model that the certificate names.
std::variant<Proven, Refused, tpn::TooLarge> check(const tpn::FoldedNet& net, const Certificate& certificate,
                                                   std::uint64_t max_operations = kCheckedOperations);

}  // namespace takt::evaluators

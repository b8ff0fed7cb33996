// What a change of a document gives, found by making it.
//
// Problem. An answer says what would help: transfers ahead, other turns, one more port. What does somebody get who
// writes that into the document?
//
// Method. The changed document is written as text, read again, checked as any other, folded and evaluated, rooms,
// transfers ahead, order and window included. CarriedOut cannot be made in another way, and whatever promises a period
// for a change holds one, or the period of one.
//
// Cost. That of writing, reading and evaluating a document.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "evaluators/evaluation.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::evaluators {

class CarriedOut {
 public:
  const tpn::FoldedNet& net() const { return net_; }
  /// Exact.
  const Rational& period() const { return period_; }

 private:
  friend std::optional<CarriedOut> carry_out(const tpn::Document&, const tpn::Model&, const Options&, std::uint64_t);
  CarriedOut(tpn::FoldedNet net, Rational period) : net_(std::move(net)), period_(std::move(period)) {}

  tpn::FoldedNet net_;
  Rational period_;
};

/// What a changed instance takes under a model, at most `window` data sets under way unless that is 0. Nothing if its
/// period is not found exactly within the limits of `options`. Throws InvalidInstance if it breaks a rule of documents,
/// or would wait for itself.
std::optional<CarriedOut> carry_out(const tpn::Document& changed, const tpn::Model& model, const Options& options,
                                    std::uint64_t window = 0);

}  // namespace takt::evaluators

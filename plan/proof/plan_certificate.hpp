// A plan's certificate: a proof, for a given catalogue, that no plan of the kind costs less.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"

namespace takt::plan {

using maxplus::Integer;
using maxplus::Rational;

/// What every plan must keep that a certificate speaks of.
struct PlanTarget {
  tpn::Model model = tpn::Model::kOverlap;
  Rational period;                                // > 0, in the document's time units: at most this
  bool strictly = false;                          // below it
  std::uint64_t spare = 0;                        // machines that any part may lose, and still keep the period
  bool all_apart = false;                         // each stage a part of its own
  std::optional<Rational> latency;                // at most so long does a data set stay, >= 0
  std::map<std::string, std::uint64_t> counts{};  // most machines by type; the document's for the others
  bool at_spot_prices = false;                    // machines cost these, where their type has one
  /// Then the period that machines at full price keep without the others, > 0; nothing: none need be there.
  std::optional<Rational> on_demand{};
};

/// Of the state in which `stage` stages are placed, the last part on machines of type `type`, and the next part will be
/// on those of type `next`, nothing once all are placed: plans that lead there cost at least `value`.
struct PlanPotential {
  std::size_t stage = 0;
  std::string type;
  std::optional<std::string> next;
  Rational value;
};

/// Claims that every typed plan (each part on machines of one type in plain round robin, no machine in two parts) that
/// keeps the target costs at least `bound`; without a bound, that there is no such plan. States without a potential
/// cannot be reached. With multipliers a machine costs its type's price and multiplier and those of what it
/// takes of quotas, a time unit that a data set stays `latency_multiplier`; without a bound a machine costs its
/// multiplier alone.
struct PlanCertificate {
  PlanTarget target;
  std::map<std::string, Rational> multipliers;  // by type, >= 0; 0 for the others
  Rational latency_multiplier;                  // >= 0
  std::vector<Rational> quota_multipliers;      // >= 0, of the document's quotas in order; all 0 if empty
  std::vector<PlanPotential> potentials;
  std::optional<Rational> bound;
};

/// Digits that a number of a plan's certificate may have.
inline constexpr std::size_t kPlanDigits = 10'000;

/// What a file of certificates holds of plans.
struct PlanHalf {
  std::optional<PlanCertificate> certificate;
  bool is_alone = false;  // nothing else stands in the file
};

/// The object behind "plan" of docs/certificates.md, into an object of its own or beside a mapping's certificate. The
/// writer stands in an object that is open.
void write_plan_certificate(tpn::JsonWriter& json, const PlanCertificate& certificate);
/// A file with this and nothing else.
std::string write_plan_certificate(const PlanCertificate& certificate);

/// Throws tpn::ParseError, or tpn::InvalidInstance for rooms beyond their limit, where what stands behind "plan" is no
/// plan's certificate. The other keys are for others to read. Whether it proves anything is for
/// plan/proof/check_plan.hpp to say. Nothing if `is_out_of_time`, asked before every long number, says so.
std::optional<PlanHalf> read_plan_half(std::string_view text, const std::string& file_name,
                                       const std::function<bool()>& is_out_of_time = {});

}  // namespace takt::plan

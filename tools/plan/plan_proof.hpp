// What takt check says of a plan's certificate.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "plan/proof/check_plan.hpp"
#include "plan/proof/mapped_plan.hpp"
#include "plan/proof/plan_certificate.hpp"
#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// A certificate of plans, and what became of it.
struct CheckedPlan {
  plan::PlanVerdict verdict;
  std::optional<plan::MappedPlan> mapped;  // of a document with a mapping, where the certificate proves its claim
  /// The mapping is a plan that keeps the target, and nothing of its kind is cheaper; or faster, where the certificate
  /// is of plans that are faster than its target.
  bool is_best = false;
};

/// Of a document with types, whether it has a mapping or not.
CheckedPlan check_plan_half(const tpn::Document& document, const plan::PlanCertificate& certificate,
                            const std::function<bool()>& is_out_of_time);

/// "no plan with one type of machine per part costs less than 1.57, with a period of at most 5 ms under OVERLAP
/// ONE-PORT"
std::string plan_claim(const tpn::Document& document, const plan::PlanCertificate& certificate);

/// What its mapping is beside that claim: "Its 29 machines cost 1.57: it is a plan of least cost."
std::string mapped_sentence(const tpn::Document& document, const plan::PlanCertificate& certificate,
                            const CheckedPlan& checked);

/// The members of "plan" in the results of takt check, into an object that is open; `word` for the verdict, and `why`
/// where the certificate does not prove its claim.
void write_checked_plan(tpn::JsonWriter& json, const plan::PlanCertificate& certificate, const CheckedPlan& checked,
                        std::string_view word, const std::string& why);

}  // namespace takt::tools

// What takt plan --certificate writes: the proof of the plan's period, and that nothing of its kind is cheaper.
#pragma once

#include <optional>
#include <string>

#include "plan/catalogue.hpp"
#include "plan/proof/plan_certificate.hpp"
#include "tools/plan/planning.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// What can be proved without a search.
struct PlanProofs {
  std::optional<std::string> text;              // of a file of certificates; nothing if there is none
  std::optional<plan::PlanCertificate> others;  // what no other plan does, which the text holds
};

/// A plan's certificates: of its mapped document's period, if there is one, by a schedule that treats all data sets
/// alike; and of what no other plan does, where that is known. `problem` is the document of the catalogue, whose counts
/// may be others.
PlanProofs plan_certificates(const tpn::Document& problem, const plan::Catalogue& catalogue,
                             const PlanFindings& findings, const tpn::Document* mapped,
                             const evaluators::Deadline& deadline);

}  // namespace takt::tools

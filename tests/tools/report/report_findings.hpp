// What a report finds out about a document where no time passes, for tests.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <variant>

#include "tests/support/counted_clock.hpp"
#include "tools/report/findings.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {

inline tools::ReportFindings findings_of(const tpn::Document& document, const tpn::Model& model,
                                         const evaluators::Deadline& deadline = {}) {
  const support::StoppedClock clock;
  auto found = tools::find_out({"some/folder/file.json", tpn::write_document(document), document}, model, deadline);
  REQUIRE(std::holds_alternative<tools::ReportFindings>(found));
  return std::get<tools::ReportFindings>(std::move(found));
}

}  // namespace takt::testing

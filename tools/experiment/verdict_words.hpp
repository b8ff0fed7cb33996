// What became of expectations, in the words of reports.
#pragma once

#include <string>
#include <string_view>

#include "experiments/reports/report.hpp"

namespace takt::tools {

/// A user's text as a format has it.
using TextMark = std::string (*)(std::string_view text);

/// "the paper's number", "the paper's words, our threshold", "takt's own".
std::string_view claim_text(experiments::ClaimSource claim);

/// What the paper has: its own words, or "14 of 220"; empty if it has nothing.
std::string printed_text(const experiments::Expectation& expectation, TextMark mark);

/// What is accepted, and the test that decides: "0.5 to 1; t tests, Holm's correction over all places, at 5.0 %".
std::string accepted_text(const experiments::Expectation& expectation, TextMark mark);

/// What was found: the number of one place with its remark, of several "1.5 to 2, met in 3 of 4"; why there is nothing.
std::string found_text(const experiments::ExpectationVerdict& verdict, TextMark mark);

/// "; not met in a (3.4), b (3.5) and 7 more; not decided in c (-)"; empty for fewer than two places, or where
/// all are met.
std::string missed_places_text(const experiments::ExpectationVerdict& verdict, TextMark mark);

}  // namespace takt::tools

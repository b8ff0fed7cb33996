// Places, ranges and tests as phrases.
#include "tools/experiment/verdict_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/experiment/report_numbers.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

using experiments::CheckedPlace;
using experiments::ClaimSource;
using experiments::Estimate;
using experiments::Expectation;
using experiments::ExpectationKind;
using experiments::ExpectationOutcome;
using experiments::ExpectationVerdict;
using maxplus::Rational;

namespace {

// What decides of the law that is drawn from; nothing if the draws are all that is meant.
std::string test_text(const Expectation& expectation) {
  if (expectation.confidence.sign() == 0) return "";
  const bool is_share = expectation.value.statistic.kind == experiments::StatisticKind::share;
  const bool is_alone = expectation.kind == ExpectationKind::value;
  return fmt::format("; {}, Holm's correction over all places, at {}",
                     is_share   ? "binomial tests"
                     : is_alone ? "t tests"
                                : "paired t tests",
                     percent(Rational(1) - expectation.confidence));
}

bool is_of_one_cell(const Expectation& expectation) {
  const auto cells = expectation.where.find("cell");
  return cells != expectation.where.end() && cells->second.size() == 1;
}

std::string place_text(const CheckedPlace& place, TextMark mark) {
  std::string text = readable(place.found);
  if (!place.remark.empty()) text += " " + mark(place.remark);
  return text;
}

// From the least to the largest that was found in any place.
std::string range_text(const ExpectationVerdict& verdict) {
  std::optional<Estimate> all;
  for (const CheckedPlace& place : verdict.places) {
    if (!place.found) continue;
    if (!all) all = place.found;
    all->lower = std::min(all->lower, place.found->lower);
    all->upper = std::max(all->upper, place.found->upper);
  }
  return readable(all);
}

// "; not met in a (3.4), b (3.5) and 7 more".
std::string places_text(const ExpectationVerdict& verdict, ExpectationOutcome outcome, TextMark mark) {
  constexpr std::size_t kNamed = 5;
  const std::size_t count = verdict.count(outcome);
  if (count == 0) return "";
  std::vector<std::string> names;
  for (const CheckedPlace& place : verdict.places) {
    if (place.outcome == outcome && names.size() < kNamed) {
      names.push_back(fmt::format("{} ({})", mark(place.name), place_text(place, mark)));
    }
  }
  std::string text = fmt::format("; {} in {}", word_of(outcome), fmt::join(names, ", "));
  if (count > kNamed) text += fmt::format(" and {} more", count - kNamed);
  return text;
}

}  // namespace

std::string_view claim_text(ClaimSource claim) {
  if (claim == ClaimSource::paper) return "the paper's number";
  return claim == ClaimSource::words ? "the paper's words, our threshold" : "takt's own";
}

std::string printed_text(const Expectation& expectation, TextMark mark) {
  if (!expectation.printed.empty()) return mark(expectation.printed);
  if (!expectation.paper) return "";
  std::string text = short_decimal(*expectation.paper);
  if (expectation.kind == ExpectationKind::sample) text += fmt::format(" of {}", expectation.of);
  return text;
}

std::string accepted_text(const Expectation& expectation, TextMark mark) {
  switch (expectation.kind) {
    case ExpectationKind::sample:
      return fmt::format(
          "each tail of Fisher's exact test at least {} (hypothesis: the paper's draws have it as often as takt's{})",
          short_decimal((Rational(1) - expectation.confidence) / Rational(2)),
          is_of_one_cell(expectation) ? "" : ", however they divide among the cells");
    case ExpectationKind::least:
      return fmt::format("{} has the least (found: over the least of the others{})",
                         mark(fmt::format("{}", fmt::join(expectation.expected, " or "))), test_text(expectation));
    case ExpectationKind::apart:
      return fmt::format("means at most {} of the least deviation apart{}", short_decimal(expectation.high),
                         test_text(expectation));
    case ExpectationKind::value:
    case ExpectationKind::ratio:
    case ExpectationKind::crossing:
      break;
  }
  if (expectation.low == expectation.high) return "exactly " + short_decimal(expectation.low) + test_text(expectation);
  return short_decimal(expectation.low) + " to " + short_decimal(expectation.high) + test_text(expectation);
}

std::string found_text(const ExpectationVerdict& verdict, TextMark mark) {
  if (verdict.places.empty()) return verdict.remark;
  if (verdict.places.size() == 1) return place_text(verdict.places.front(), mark);
  std::string text = fmt::format("{}, met in {} of {}", range_text(verdict), verdict.count(ExpectationOutcome::met),
                                 verdict.places.size());
  if (verdict.expectation.at_least < Rational(1)) {
    text += fmt::format(" where {} is asked for", percent(verdict.expectation.at_least));
  }
  return text;
}

std::string missed_places_text(const ExpectationVerdict& verdict, TextMark mark) {
  if (verdict.places.size() < 2) return "";
  return places_text(verdict, ExpectationOutcome::not_met, mark) +
         places_text(verdict, ExpectationOutcome::undecided, mark);
}

}  // namespace takt::tools

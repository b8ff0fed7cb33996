// The numbers of experiments as texts: for people, exactly, and in between.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "experiments/reports/report.hpp"

namespace takt::tools {

/// To five significant digits; whole numbers of up to 15 digits as they are.
std::string short_decimal(const maxplus::Rational& number);

/// "3.7017", "3.7 to 3.8" where it is known between two ends that differ to the eye, "-" if there is none.
std::string readable(const std::optional<experiments::Estimate>& number);

/// The same as a cell of a table: shares in percent; an extreme or a quantile with the exact number behind it where
/// that is short, an extreme with the draw that has it.
std::string readable(const std::optional<experiments::Estimate>& number, experiments::StatisticKind kind);

/// "7/2", "7/2..15/4" between two ends, nothing if there is none.
std::string exact_text(const std::optional<experiments::Estimate>& number);

/// To ten significant digits, of the middle between two ends; "NaN" if there is none, or no double.
std::string plotted_text(const std::optional<experiments::Estimate>& number);
std::string plotted_text(double number);
/// 0 beyond doubles.
std::string plotted_text(const maxplus::Rational& number);

/// Whether any number of a table has an interval, which a note explains then.
bool shows_intervals(const experiments::ReportedTable& table);

/// "met", "not met", "not decided".
std::string_view word_of(experiments::ExpectationOutcome outcome);

}  // namespace takt::tools

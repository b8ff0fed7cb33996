// Checks of options' values, whose messages say what was found and what was expected.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maxplus/deadline.hpp"
#include "maxplus/rational.hpp"
#include "tools/files/model_choice.hpp"
#include "tools/frame/command_line.hpp"
#include "tpn/document.hpp"
#include "tpn/units.hpp"

namespace takt::tools {

/// One of these names; of a misspelt one the message says which it may be.
ValueCheck one_of(const std::vector<std::string>& names);

/// A whole number from 1 to 2^64 - 1. The option parser alone would wrap -1 and clip what is larger.
ValueCheck positive_integer();

/// A whole number from 0 to 2^64 - 1.
ValueCheck whole_number();

/// Whole numbers from 1, each larger than the one before: "1,2,4".
ValueCheck ascending_integers();
/// The numbers of a text that `ascending_integers` passes.
std::vector<std::uint64_t> parse_ascending_integers(const std::string& text);

/// The name of a file to be written: any but an empty one.
ValueCheck output_name();

/// The seconds of a time above 0: a number, with the unit ms, s, min or h or without (seconds). Nothing if the text
/// is none.
std::optional<double> read_seconds(const std::string& text);

/// What `read_seconds` reads.
ValueCheck positive_seconds();

/// Adds the option "--time-limit TIME"; `limit` is in seconds. Its help: "limit for SCOPE, such as 500ms or 2min (no
/// unit: seconds); then EFFECT". Both may be empty.
void add_time_limit(CommandLine& line, std::optional<double>& limit, const std::string& scope,
                    const std::string& effect);

/// The exact number of a decimal or a fraction "p/q"; nothing if the text is neither.
std::optional<maxplus::Rational> read_number(std::string_view text);

/// The same of a number with or without a unit (tpn::parse_quantity).
std::optional<maxplus::Rational> read_quantity(std::string_view text, tpn::Quantity quantity);

/// "\"5 ms\"", the text with a unit, of a value without one; of a long one `number` with it: it may be in another unit.
std::string example_with_unit(const std::string& text, std::string_view number, std::string_view unit);

/// Throws UsageError unless a value has a unit exactly where the document has units; `option` is what gives it,
/// `example` a value with a unit.
void require_same_units(const std::string& option, const std::string& text, bool has_unit,
                        const tpn::Document& document, const std::string& example);

/// A time, with or without a unit; one that may be 0 or below.
ValueCheck any_time();
/// A time above 0, likewise.
ValueCheck positive_time();
/// The time of a text that `positive_time` or `any_time` passes, in the document's time unit. Throws UsageError if
/// one of the two has a unit and the other none.
maxplus::Rational read_time(const std::string& option, const std::string& text, const tpn::Document& document);

/// What `read_number` reads.
ValueCheck number();

/// A number from 0 to 1, a decimal or a fraction "p/q"; or any from 0 on with "%".
ValueCheck share();
/// The number of a text that `share` passes.
maxplus::Rational parse_share(const std::string& text);

/// By how much something grows: a number from 0 on, a decimal or a fraction "p/q", or with "%": 3 is 300%.
ValueCheck growth();
/// The number of a text that `growth` passes.
maxplus::Rational parse_growth(const std::string& text);

/// The moment that many seconds from now, from `read_seconds`; a limit beyond a year is none.
std::chrono::steady_clock::time_point deadline_in(double limit);

/// After that many seconds from now, if there is a limit, or as soon as the search is interrupted.
maxplus::Deadline deadline_after(const std::optional<double>& limit);

/// "--model MODEL" and "--rooms K", the same for all commands that evaluate files.
void add_model_options(CommandLine& line, ModelChoice& choice);
/// The same with a text of its own: what the model is for, and the default.
void add_model_options(CommandLine& line, ModelChoice& choice, const std::string& meaning);
/// "--model MODEL" alone.
void add_model_option(CommandLine& line, std::string& name);

/// "--window W": at most W data sets under way.
void add_window_option(CommandLine& line, std::optional<std::uint64_t>& window);
/// Throws UsageError if it is beyond tpn::kMostWindow.
void require_window(const std::optional<std::uint64_t>& window);

}  // namespace takt::tools

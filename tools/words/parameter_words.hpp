// A document's parameters in words: their values, how far they may go, what limits once one is free.
#pragma once

#include <optional>
#include <string>

#include "evaluators/insight/sensitivity.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/parameters.hpp"
#include "tpn/units.hpp"

namespace takt::tools {

/// Whether a parameter's values are times.
bool is_time(const tpn::Parameter& parameter);

/// What kind of quantity a parameter's values are; nothing of works, which have no unit.
std::optional<tpn::Quantity> quantity_of(const tpn::Parameter& parameter);

/// A value of a parameter to six digits: "192", "3.785 ms".
std::string value_text(const tpn::Parameter& parameter, const maxplus::Rational& value, const TimeWords& times);

/// How much a slack lets a parameter be worse: "61 (41 %)", "0"; for speeds and bandwidths down to what: "down to 2.5
/// (29 % slower)".
std::string slack_text(const tpn::Parameter& parameter, const maxplus::Rational& slack, const TimeWords& times);

/// What limits the period of a net with another value of a parameter: "P1, always busy", "a circuit through P0, P1 and
/// 2 more"; nothing if the period is 0.
std::string limiting_text(const tpn::FoldedNet& net, const evaluators::LimitedPeriod& period);

/// A gain in throughput: "+3.9 %", "nothing".
std::string gain_text(const maxplus::Rational& period, const maxplus::Rational& smaller);

}  // namespace takt::tools

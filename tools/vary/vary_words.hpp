// What answers about varying times say alike: shares, samples, arrivals; figures in JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/vary/vary_answer.hpp"
#include "tpn/json_writer.hpp"
#include "vary/figure.hpp"

namespace takt::tools {

/// "95 %"
std::string share_words(double share);
/// "50.0 %"
std::string percent_words(double share);
/// "half within", "95 % within"
std::string heading_of(double share);
/// "99 % of all frames within 70 ms"
std::string limit_words(const AskedLimit& limit, const TimeWords& times);
/// "95 %, 64 copies of 4000 data sets, seed 1"; with a precision "64 to 1024 copies of 4000 to 16000 data sets".
std::string sample_words(const VaryQuestion& question, const PlayedAmount& amount);
/// "Arrivals are evenly spaced; latency is from arrival to delivery."
std::string arrival_sentence(const VaryQuestion& question);
/// That latencies have no mean, where they have none; else "".
std::string mean_sentence(bool has_mean_latency);
/// Behind "times vary": ": lognormal, coefficient of variation 0.5", or " as the file says".
std::string law_words(const std::optional<tpn::Law>& law);
/// Why less was played than was asked for; "" where nothing ended early.
std::string end_words(const VaryQuestion& question, const PlayedAmount& amount);

/// The members that say how much was played, and how it arrived.
void write_amount(tpn::JsonWriter& json, const VaryQuestion& question, const PlayedAmount& amount);
/// The members that say how much was played at a rate: 0 if latencies grow without bound.
void write_played(tpn::JsonWriter& json, const std::optional<vary::ScenarioFigures>& figures);
/// The members of a limit and of the gap that keeps it, null if nothing was found.
void write_limit(tpn::JsonWriter& json, const AskedLimit& limit, const std::optional<vary::SmallestGap>& found);
/// {"estimated": ..., "margin": ...}
void write_figure(tpn::JsonWriter& json, std::string_view name, const vary::Figure& figure);

}  // namespace takt::tools

// One wording for tables of one instance and of several.
#include "tools/vary/vary_words.hpp"

#include <fmt/format.h>

#include "tools/files/files.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/words/json_results.hpp"

namespace takt::tools {

namespace {

constexpr double kPercent = 100;

}  // namespace

std::string share_words(double share) { return fmt::format("{:.4g} %", kPercent * share); }

std::string percent_words(double share) { return fmt::format("{:.1f} %", kPercent * share); }

std::string heading_of(double share) {
  return share == 0.5 ? std::string("half within") : share_words(share) + " within";  // NOLINT: as people say it
}

std::string limit_words(const AskedLimit& limit, const TimeWords& times) {
  return fmt::format("{} of all {} within {}", share_words(limit.limit.share), times.item_plural(),
                     times.readable(limit.latency));
}

std::string sample_words(const VaryQuestion& question, const PlayedAmount& amount) {
  const auto range = [](std::uint64_t least, std::uint64_t most) {
    return least < most ? fmt::format("{} to {}", least, most) : fmt::format("{}", most);
  };
  return fmt::format("{}, {} copies of {} data sets, seed {}", share_words(question.settings.confidence),
                     range(amount.fewest_copies, amount.copies), range(amount.data_sets, amount.most_data_sets),
                     question.settings.seed);
}

std::string arrival_sentence(const VaryQuestion& question) {
  if (question.table) {
    const ArrivalTable& table = *question.table;
    return fmt::format("Arrivals are those of {}{}; latency is from arrival to delivery, of all {} data sets.\n",
                       display_name(table.file), table.data_sets > table.times->size() ? ", again and again" : "",
                       table.data_sets);
  }
  const bool is_periodic = question.settings.arrivals.kind == vary::ArrivalKind::periodic;
  return fmt::format("Arrivals are {}; latency is from arrival to delivery.\n",
                     is_periodic ? "evenly spaced" : "at random (Poisson)");
}

std::string mean_sentence(bool has_mean_latency) {
  return has_mean_latency ? "" : "No mean: latencies of times with so heavy a tail have none.\n";
}

std::string law_words(const std::optional<tpn::Law>& law) {
  return law ? ": " + vary::words_of(*law) : std::string(" as the file says");
}

std::string end_words(const VaryQuestion& question, const PlayedAmount& amount) {
  if (amount.is_cut_short) return fmt::format("{}: {} copies were played", why_ended(), amount.copies);
  if (!amount.is_full) return "";
  return fmt::format("--precision was not met: {} copies were played; there are at most {}, with {} latencies",
                     amount.copies, question.settings.most_copies, question.settings.most_latencies);
}

void write_amount(tpn::JsonWriter& json, const VaryQuestion& question, const PlayedAmount& amount) {
  if (question.law) {
    json.member("law", question.law_text);
  } else {
    json.member("law", nullptr);
  }
  json.member("seed", question.settings.seed);
  json.member("copies", amount.copies);
  json.member("data_sets", amount.data_sets);
  json.member("skipped_data_sets", amount.skipped);
  json.member("confidence", question.settings.confidence);
  json.member("ended_early", amount.is_cut_short || amount.is_full);
  const bool is_periodic = question.settings.arrivals.kind == vary::ArrivalKind::periodic;
  json.member("arrivals", question.table ? question.table->file : is_periodic ? "periodic" : "poisson");
  if (question.table) json.member("arriving_data_sets", question.table->data_sets);
}

void write_played(tpn::JsonWriter& json, const std::optional<vary::ScenarioFigures>& figures) {
  json.member("copies", figures ? figures->copies : 0);
  json.member("data_sets", figures ? figures->data_sets : 0);
}

void write_limit(tpn::JsonWriter& json, const AskedLimit& limit, const std::optional<vary::SmallestGap>& found) {
  json.member("fraction", limit.limit.share);
  write_exact(json, "latency_limit", limit.latency);
  json.member("arrival_gap", found ? found->gap : std::nullopt);
  json.member("arrival_gap_low", found ? found->low : std::nullopt);
  json.member("arrival_gap_high", found ? found->high : std::nullopt);
  json.member("alone", found ? std::optional(found->alone.value) : std::nullopt);
}

void write_figure(tpn::JsonWriter& json, std::string_view name, const vary::Figure& figure) {
  json.key(name);
  json.begin_object(tpn::JsonLayout::line);
  json.member("estimated", figure.value);
  json.member("margin", figure.margin);
  json.end();
}

}  // namespace takt::tools

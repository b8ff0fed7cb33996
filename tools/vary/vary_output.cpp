// Exact numbers are marked; estimates have intervals, count and seed.
#include "tools/vary/vary_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "tools/command.hpp"
#include "tools/files/files.hpp"
#include "tools/vary/estimate_words.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/table.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using maxplus::Rational;
using vary::Figure;

namespace {

constexpr double kPercent = 100;

std::string share_words(double share) { return fmt::format("{:.4g} %", kPercent * share); }

std::string heading_of(double share) {
  return share == 0.5 ? std::string("half within") : share_words(share) + " within";  // NOLINT: as people say it
}

std::string_view arrival_words(vary::ArrivalKind arrivals) {
  return arrivals == vary::ArrivalKind::periodic ? "evenly spaced" : "at random (Poisson)";
}

// "95 %, 64 copies of 4000 data sets, seed 1"; with a precision "64 to 1024 copies".
std::string sample_words(const VariedInstance& result) {
  std::uint64_t fewest = result.copies;
  for (const VariedRate& rate : result.rates) {
    if (rate.figures) fewest = std::min(fewest, rate.figures->copies);
  }
  fewest = std::min(fewest, result.period_copies);
  return fmt::format("{}, {}{} copies of {} data sets, seed {}", share_words(result.question.settings.confidence),
                     fewest < result.copies ? fmt::format("{} to ", fewest) : "", result.copies, result.data_sets,
                     result.question.settings.seed);
}

void write_table(std::ostream& out, const VariedInstance& result, const EstimateWords& words) {
  Table table{{{"rate"}, {"of the most", Align::right}, {"latency: mean", Align::right}}, {}};
  for (const double share : result.question.shares) table.columns.push_back({heading_of(share), Align::right});
  for (const VariedRate& rate : result.rates) {
    std::vector<std::string> row = {words.rate_at(rate.gap), fmt::format("{:.1f} %", kPercent * rate.load)};
    if (!rate.figures) {
      row.emplace_back("grows without bound");
      row.resize(table.columns.size());
    } else {
      row.push_back(rate.figures->mean ? words.time(*rate.figures->mean) : "-");
      for (const Figure& within : rate.figures->within) row.push_back(words.time(within));
    }
    table.rows.push_back(std::move(row));
  }
  out << '\n';
  table.write(out);
}

void write_notes(std::ostream& out, const VariedInstance& result, const EstimateWords& words) {
  if (!result.has_mean_latency && !result.rates.empty()) {
    out << "No mean: latencies of times with so heavy a tail have none.\n";
  }
  for (const VariedRate& rate : result.rates) {
    if (!rate.figures || rate.figures->is_settled) continue;
    fmt::print(out,
               "At {} latencies had not settled: in the second half of each copy they differ from the first. More "
               "--data-sets tell.\n",
               words.rate_at(rate.gap));
  }
}

void write_within(std::ostream& out, const VariedInstance& result, const EstimateWords& words) {
  if (!result.question.within || !result.smallest_gap) return;
  const vary::SmallestGap& found = *result.smallest_gap;
  const std::string limit =
      fmt::format("{} of all {} within {}", share_words(result.question.within->share), result.times.item_plural(),
                  result.times.readable(*result.question.within_latency));
  if (!found.gap) {
    fmt::print(out, "\nNo rate keeps {}: even alone, {} take longer than {}.\n", limit,
               share_words(1 - result.question.within->share), words.time(found.alone));
    return;
  }
  // A longer gap is a lower rate.
  const double slow = found.high.value_or(*found.gap);
  const double fast = found.low.value_or(*found.gap);
  fmt::print(out, "\nUp to {} keep {}: from {} to {} as far as is known ({}).\n", words.rate_at(*found.gap), limit,
             words.rate_at(slow), words.rate_at(fast), share_words(result.question.settings.confidence));
}

void write_figure(tpn::JsonWriter& json, std::string_view name, const Figure& figure) {
  json.key(name);
  json.begin_object(tpn::JsonLayout::line);
  json.member("estimated", figure.value);
  json.member("margin", figure.margin);
  json.end();
}

void write_rates(tpn::JsonWriter& json, const VariedInstance& result) {
  write_list(json, "at_rates", result.rates, [&](const VariedRate& rate) {
    json.begin_object();
    json.member("arrival_gap", rate.gap);
    json.member("rate_share", rate.load);
    json.member("grows", !rate.figures);
    json.member("settled", rate.figures && rate.figures->is_settled);
    if (rate.figures && rate.figures->mean) {
      write_figure(json, "latency_mean", *rate.figures->mean);
    } else {
      json.member("latency_mean", nullptr);
    }
    json.key("percentiles");
    json.begin_array();
    for (std::size_t i = 0; rate.figures && i < rate.figures->within.size(); ++i) {
      json.begin_object(tpn::JsonLayout::line);
      json.member("fraction", result.question.shares[i]);
      json.member("estimated", rate.figures->within[i].value);
      json.member("margin", rate.figures->within[i].margin);
      json.end();
    }
    json.end();
    json.end();
  });
}

void write_limit(tpn::JsonWriter& json, const VariedInstance& result) {
  const vary::SmallestGap& found = *result.smallest_gap;
  json.key("within");
  json.begin_object();
  json.member("fraction", result.question.within->share);
  write_exact(json, "latency_limit", result.question.within_latency);
  json.member("arrival_gap", found.gap);
  json.member("arrival_gap_low", found.low);
  json.member("arrival_gap_high", found.high);
  json.member("alone", found.alone.value);
  json.end();
}

}  // namespace

std::string law_words(const VaryQuestion& question) {
  return question.law ? ": " + vary::words_of(*question.law) : std::string(" as the file says");
}

std::string vary_claims(const VariedInstance& result) {
  const EstimateWords words(result.times);
  std::string claims;
  if (result.exact_period && result.exact_period->sign() > 0) {
    claims =
        fmt::format("At most {}, whatever the times (exact). ", result.times.rate(Rational(1) / *result.exact_period));
  }
  return claims + fmt::format("With these times {} ({}).", words.rate_of(result.period), sample_words(result));
}

void write_vary_table(std::ostream& out, const VariedInstance& result) {
  const EstimateWords words(result.times);
  fmt::print(out, "{}, {}, times vary{}\n", display_name(result.file), tpn::title_of(result.model),
             law_words(result.question));
  if (result.exact_period && result.exact_period->sign() > 0) {
    fmt::print(out, "At most {}, whatever the times (exact).\n", result.times.rate(Rational(1) / *result.exact_period));
  }
  fmt::print(out, "With these times {} ({}).\n", words.rate_of(result.period), sample_words(result));
  if (!result.rates.empty()) {
    write_table(out, result, words);
    fmt::print(out, "Arrivals are {}; latency is from arrival to delivery.\n",
               arrival_words(result.question.settings.arrivals));
  }
  write_notes(out, result, words);
  write_within(out, result, words);
}

void write_vary_json(tpn::JsonWriter& json, const VariedInstance& result) {
  json.begin_object();
  json.member("file", result.file);
  tpn::write_model(json, result.model);
  write_time_unit(json, result.times);
  if (result.question.law) {
    json.member("law", result.question.law_text);
  } else {
    json.member("law", nullptr);
  }
  json.member("seed", result.question.settings.seed);
  json.member("copies", result.copies);
  json.member("data_sets", result.data_sets);
  json.member("skipped_data_sets", result.skipped);
  json.member("confidence", result.question.settings.confidence);
  json.member("ended_early", result.is_cut_short);
  write_exact(json, "period", result.exact_period);
  write_figure(json, "expected_period", result.period);
  write_rates(json, result);
  if (result.smallest_gap) write_limit(json, result);
  json.end();
}

}  // namespace takt::tools

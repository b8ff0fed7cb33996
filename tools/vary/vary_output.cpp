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
#include "tools/vary/vary_words.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/table.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using maxplus::Rational;
using vary::Figure;

namespace {

void write_table(std::ostream& out, const VariedInstance& result, const EstimateWords& words) {
  Table table{{{"rate"}, {"of the most", Align::right}, {"latency: mean", Align::right}}, {}};
  for (const double share : result.question.shares) table.columns.push_back({heading_of(share), Align::right});
  for (const VariedRate& rate : result.rates) {
    std::vector<std::string> row = {words.rate_at(rate.gap), percent_words(rate.load)};
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
  if (!result.rates.empty()) out << mean_sentence(result.has_mean_latency);
  for (const VariedRate& rate : result.rates) {
    if (!rate.figures) continue;
    if (result.question.table) {
      if (rate.load < 1) continue;
      fmt::print(out, "At {} data sets arrive faster than they are delivered: latencies grow as long as that lasts.\n",
                 words.rate_at(rate.gap));
    } else if (!rate.figures->is_settled) {
      fmt::print(out,
                 "At {} latencies had not settled: in the second half of each copy they differ from the first half. "
                 "Use more --data-sets.\n",
                 words.rate_at(rate.gap));
    }
  }
}

void write_within(std::ostream& out, const VariedInstance& result, const EstimateWords& words) {
  if (!result.question.within || !result.smallest_gap) return;
  const vary::SmallestGap& found = *result.smallest_gap;
  const AskedLimit& asked = *result.question.within;
  const std::string limit = limit_words(asked, result.times);
  if (!found.gap) {
    fmt::print(out, "\nNo rate keeps {}: even {}, {} take longer than {}.\n", limit,
               result.question.table ? "a million times as far apart" : "alone", share_words(1 - asked.limit.share),
               words.time(found.alone));
    return;
  }
  if (*found.gap == 0) {
    fmt::print(out, "\nAny rate keeps {}.\n", limit);
    return;
  }
  // A longer gap is a lower rate.
  const double slow = found.high.value_or(*found.gap);
  const double fast = found.low.value_or(*found.gap);
  fmt::print(out,
             "\n"
             "Rates up to {} keep {}; the estimated limit lies from {} to {} ({}).\n",
             words.rate_at(*found.gap), limit, words.rate_at(slow), words.rate_at(fast),
             share_words(result.question.settings.confidence));
}

void write_rates(tpn::JsonWriter& json, const VariedInstance& result) {
  write_list(json, "at_rates", result.rates, [&](const VariedRate& rate) {
    json.begin_object();
    json.member("arrival_gap", rate.gap);
    json.member("rate_share", rate.load);
    json.member("grows", !rate.figures);
    json.member("settled", rate.figures && rate.figures->is_settled);
    write_played(json, rate.figures);
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

// What is proved of the rate with these times, beyond the most.
std::string proved_sentence(const VariedInstance& result) {
  if (!result.upper || !result.exact_period || result.upper->sign() <= 0) return "";
  if (*result.upper == *result.exact_period) return "In the long run these times cost no throughput (exact).\n";
  return fmt::format("In the long run at least {} with these times (exact).\n",
                     result.times.rate(Rational(1) / *result.upper));
}

}  // namespace

std::string vary_claims(const VariedInstance& result) {
  const EstimateWords words(result.times);
  std::string claims;
  if (result.exact_period && result.exact_period->sign() > 0) {
    claims =
        fmt::format("At most {}, whatever the times (exact). ", result.times.rate(Rational(1) / *result.exact_period));
  }
  return claims + fmt::format("With these times {} ({}).", words.rate_of(result.period),
                              sample_words(result.question, result.amount));
}

void write_vary_table(std::ostream& out, const VariedInstance& result) {
  const EstimateWords words(result.times);
  fmt::print(out, "{}, {}, times vary{}\n", display_name(result.file), tpn::title_of(result.model),
             law_words(result.question.law));
  if (result.exact_period && result.exact_period->sign() > 0) {
    fmt::print(out, "At most {}, whatever the times (exact).\n", result.times.rate(Rational(1) / *result.exact_period));
    out << proved_sentence(result);
  }
  if (result.period.value > 0) {
    fmt::print(out, "With these times {} ({}).\n", words.rate_of(result.period),
               sample_words(result.question, result.amount));
  } else {
    fmt::print(out, "No operation takes time: {} are delivered as they arrive, at any rate.\n",
               result.times.item_plural());
  }
  if (!result.rates.empty()) {
    write_table(out, result, words);
    out << arrival_sentence(result.question);
  }
  write_notes(out, result, words);
  write_within(out, result, words);
}

void write_vary_json(tpn::JsonWriter& json, const VariedInstance& result) {
  json.begin_object();
  json.member("file", result.file);
  tpn::write_model(json, result.model);
  write_time_unit(json, result.times);
  write_amount(json, result.question, result.amount);
  write_exact(json, "period", result.exact_period);
  write_exact(json, "expected_period_upper_bound", result.upper);
  write_figure(json, "expected_period", result.period);
  write_rates(json, result);
  if (result.smallest_gap) {
    json.key("within");
    json.begin_object();
    write_limit(json, *result.question.within, result.smallest_gap);
    json.end();
  }
  json.end();
}

}  // namespace takt::tools

// As takt vary finds it.
#include "tools/vary/kept_rates.hpp"

#include <fmt/format.h>

#include <tuple>
#include <utility>
#include <variant>

#include "tools/vary/estimate_words.hpp"
#include "tools/vary/vary_words.hpp"
#include "tools/words/json_results.hpp"

namespace takt::tools {

KeptRateQuestion kept_rate_question(const std::string& law, const std::string& within, const tpn::Document& document) {
  KeptRateQuestion question;
  if (!law.empty()) question.law = law_of_text(law);
  question.limit = limit_of_text("--within", within, document);
  return question;
}

KeptRate kept_rate(const tpn::Document& mapped, const tpn::Model& model, const KeptRateQuestion& question,
                   const maxplus::Deadline& deadline) {
  const auto pipeline = tpn::make_pipeline(mapped);
  const auto* const made = std::get_if<tpn::Pipeline>(&pipeline);
  if (made != nullptr && (made->is_shifted() || made->has_batches())) {
    return {{}, "with transfers ahead, or batches, a lower rate may have longer latencies"};
  }
  VaryQuestion asked;
  asked.law = question.law;
  asked.loads.clear();
  asked.within = question.limit;
  asked.settings.seed = question.seed;
  asked.settings.copies = kRankingCopies;
  asked.gap_terms = {.digits = kRankingDigits, .has_interval = false};
  asked.settings.deadline = deadline;
  auto answer = vary_instance({}, mapped, model, asked);
  if (auto* const none = std::get_if<NotVaried>(&answer)) return {{}, std::move(none->reason)};
  const auto& varied = std::get<VariedInstance>(answer);
  if (!varied.smallest_gap) return {{}, "the time was up before its rate was found"};
  return {varied.smallest_gap, {}};
}

bool keeps_more(const KeptRate& a, const KeptRate& b) {
  const auto order = [](const KeptRate& rate) {
    const bool is_kept = rate.is_kept();
    const double by = is_kept ? *rate.found->gap : rate.found ? rate.found->alone.value : 0;
    return std::tuple(is_kept ? 0 : rate.found ? 1 : 2, by);
  };
  return order(a) < order(b);
}

std::string kept_rate_cell(const KeptRate& rate, const tpn::Document& mapped) {
  if (!rate.found) return "-";
  return rate.is_kept() ? EstimateWords(TimeWords(mapped)).rate_at(*rate.found->gap) : "none";
}

std::string kept_rate_basis(const KeptRateQuestion& question, std::uint64_t copies) {
  return fmt::format("times vary{}; estimates on the same random times, {} copies of {} data sets, seed {}",
                     law_words(question.law), copies, vary::VarySettings().data_sets, question.seed);
}

void write_kept_rate(tpn::JsonWriter& json, const KeptRate& rate, const KeptRateQuestion& question) {
  json.key("within");
  json.begin_object();
  write_limit(json, question.limit, rate.found);
  if (!rate.found) json.member("not_varied", rate.reason);
  json.end();
}

}  // namespace takt::tools

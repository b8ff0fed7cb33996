// Mappings by the largest rate that keeps a latency, if times vary: all of them with the same random times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maxplus/deadline.hpp"
#include "tools/vary/law_options.hpp"
#include "tools/vary/vary_answer.hpp"
#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

/// What is asked of each mapping.
struct KeptRateQuestion {
  std::optional<tpn::Law> law;  // in place of the document's laws
  AskedLimit limit;
  std::uint64_t seed = 1;
};

/// Of texts that law_text() and latency_limit() accept; no law: the document's. Throws UsageError as limit_of_text()
/// does.
KeptRateQuestion kept_rate_question(const std::string& law, const std::string& within, const tpn::Document& document);

/// Copies that are played to compare mappings by their rates, and to how many digits.
inline constexpr std::uint64_t kRankingCopies = 16;
inline constexpr double kRankingDigits = 1e-3;

/// Of a mapping.
struct KeptRate {
  std::optional<vary::SmallestGap> found;  // nothing if the reason says why
  std::string reason;

  /// Whether some rate keeps the limit.
  bool is_kept() const { return found && found->gap; }
};

KeptRate kept_rate(const tpn::Document& mapped, const tpn::Model& model, const KeptRateQuestion& question,
                   const maxplus::Deadline& deadline);

/// True if a's rate is the larger: those that keep the limit first, then those that do not, then those without an
/// answer.
bool keeps_more(const KeptRate& a, const KeptRate& b);

/// "95.11/s", "none", "-".
std::string kept_rate_cell(const KeptRate& rate, const tpn::Document& mapped);
/// "times vary: lognormal, coefficient of variation 0.5; estimates with the same random times, 64 copies of 4000 data
/// sets, seed 1".
std::string kept_rate_basis(const KeptRateQuestion& question, std::uint64_t copies = kRankingCopies);

/// The member "within".
void write_kept_rate(tpn::JsonWriter& json, const KeptRate& rate, const KeptRateQuestion& question);

}  // namespace takt::tools

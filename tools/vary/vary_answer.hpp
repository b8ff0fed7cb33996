// An instance whose times vary, as takt vary is asked about it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "maxplus/deadline.hpp"
#include "maxplus/rational.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"
#include "vary/vary.hpp"

namespace takt::tools {

/// Shares of the estimated rate that are looked at if no rate is asked for.
inline constexpr std::array<double, 5> kVaryLoads = {0.5, 0.7, 0.8, 0.9, 0.95};

/// When data sets arrive, as a table says.
struct ArrivalTable {
  std::string file;
  std::shared_ptr<const std::vector<double>> times;  // at a mean gap of 1, the first at 0
  double mean_gap = 0;                               // time units
  std::uint64_t data_sets = 0;                       // that are played, all of them measured
};

/// A latency that a share of the data sets is to keep.
struct AskedLimit {
  vary::LatencyLimit limit;
  maxplus::Rational latency;  // exactly, in time units
};

/// What is asked, in time units of the document.
struct VaryQuestion {
  std::optional<tpn::Law> law;          // in place of all laws of the document; none: these
  std::string law_text;                 // of `law`
  std::vector<maxplus::Rational> gaps;  // of the rates asked for; none: at these shares of the estimated rate
  std::vector<double> loads{kVaryLoads.begin(), kVaryLoads.end()};
  std::vector<double> shares = {0.5, 0.95, 0.99};
  std::optional<AskedLimit> within;
  vary::GapTerms gap_terms{};
  vary::VarySettings settings;  // arrivals but of a table as well
  std::optional<ArrivalTable> table{};

  /// Whether the rate is that of the table.
  bool has_own_gap() const { return table && gaps.empty() && !draws_curve; }
  bool draws_curve = false;
};

/// How data sets arrive and how many are played at rates.
vary::VarySettings rate_settings(const VaryQuestion& question);

/// Why these scenarios at rates are not played: they have more latencies than can be kept.
std::optional<std::string> too_many_latencies(const VaryQuestion& question, std::size_t scenarios);

/// The exact period, where it is found within some seconds, or within one of that many parts of the time that is left.
std::optional<maxplus::Rational> exact_period_of(const tpn::FoldedNet& net, const maxplus::Deadline& deadline,
                                                 int parts);

/// Proved: the expected period is no more, by the document's laws or that one; nothing if none is known.
/// `exact_period`: of the net.
std::optional<maxplus::Rational> upper_bound_of(const tpn::Document& document, const tpn::FoldedNet& net,
                                                const std::optional<tpn::Law>& law,
                                                const maxplus::Rational& exact_period);

/// Puts an estimate that is beyond what is proved, `exact_period` to `upper`, at the nearer bound. If even its interval
/// is above `upper`, the interval becomes the proved one: copies begin empty, and the means of many columns that are
/// about as slow come down slowly.
void keep_within_bounds(vary::Figure& period, const std::optional<maxplus::Rational>& exact_period,
                        const std::optional<maxplus::Rational>& upper);

/// Whether latencies at this gap are known not to grow for ever, or end with a table.
bool has_latencies(const VaryQuestion& question, double gap, const vary::Figure& period,
                   const std::optional<maxplus::Rational>& upper);

/// How much was played.
struct PlayedAmount {
  std::uint64_t copies = 0;          // the most of a scenario
  std::uint64_t fewest_copies = 0;   // the fewest
  std::uint64_t data_sets = 0;       // of the saturated net, as what is skipped
  std::uint64_t most_data_sets = 0;  // of a copy that was made longer, else the same
  std::uint64_t skipped = 0;
  bool is_cut_short = false;
  bool is_full = false;  // narrower intervals would take more copies, or latencies, than there may be

  void add_saturated(const vary::VaryFigures& figures);
  void add_at_rates(const vary::VaryFigures& figures);
};

/// Latencies at a rate.
struct VariedRate {
  double gap = 0;
  double load = 0;  // of the estimated rate
  /// Nothing if data sets arrive faster than they are delivered: latency grows without bound.
  std::optional<vary::ScenarioFigures> figures;
};

/// What was found under a model.
struct VariedInstance {
  std::string file;
  tpn::Model model;
  TimeWords times;
  VaryQuestion question;
  std::optional<maxplus::Rational> exact_period;  // of the means; nothing if it is not known exactly
  std::optional<maxplus::Rational> upper;         // proved: the expected period is no more; nothing if none is known
  vary::Figure period;                            // 0 if no operation takes time
  bool has_mean_latency = true;                   // as far as the laws have second moments
  PlayedAmount amount;
  std::vector<VariedRate> rates;
  std::optional<vary::SmallestGap> smallest_gap;  // where a limit is asked for
};

/// Why there are no figures: the net is too large, or the deadline has passed.
struct NotVaried {
  std::string reason;
};

std::variant<VariedInstance, NotVaried> vary_instance(const std::string& file, const tpn::Document& document,
                                                      const tpn::Model& model, const VaryQuestion& question);

}  // namespace takt::tools

// An instance whose times vary, as takt vary is asked about it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "maxplus/rational.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"
#include "vary/vary.hpp"

namespace takt::tools {

/// Shares of the estimated rate that are looked at where no rate is asked for.
inline constexpr std::array<double, 5> kVaryLoads = {0.5, 0.7, 0.8, 0.9, 0.95};

/// What is asked, in time units of the document.
struct VaryQuestion {
  std::optional<tpn::Law> law;          // in place of all laws of the document; none: these
  std::string law_text;                 // of `law`
  std::vector<maxplus::Rational> gaps;  // of the rates asked for; none: at these shares of the estimated rate
  std::vector<double> loads{kVaryLoads.begin(), kVaryLoads.end()};
  std::vector<double> shares = {0.5, 0.95, 0.99};
  std::optional<vary::LatencyLimit> within;
  std::optional<maxplus::Rational> within_latency;  // of `within`, exactly
  vary::VarySettings settings;
};

/// Latencies at a rate.
struct VariedRate {
  double gap = 0;
  double load = 0;  // of the estimated rate
  /// Nothing where data sets arrive faster than they are delivered: latency grows without bound.
  std::optional<vary::ScenarioFigures> figures;
};

/// What was found under a model.
struct VariedInstance {
  std::string file;
  tpn::Model model;
  TimeWords times;
  VaryQuestion question;
  std::optional<maxplus::Rational> exact_period;  // of the means; nothing where it is not known exactly
  vary::Figure period;
  bool has_mean_latency = true;     // as far as the laws have second moments
  std::uint64_t copies = 0;         // the most of a rate
  std::uint64_t period_copies = 0;  // of the saturated net
  std::uint64_t data_sets = 0;
  std::uint64_t skipped = 0;
  bool is_cut_short = false;
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

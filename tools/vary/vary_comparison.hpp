// Nets whose times vary beside each other, with the same random times: two mappings, several rooms, several windows.
//
// Method. All nets are played with the same draws, by stage and data set (vary/draws.hpp), and as many copies of each;
// differences are paired over copies. A net that does not sustain a rate is not played at it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "maxplus/rational.hpp"
#include "tools/vary/vary_answer.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/document.hpp"
#include "tpn/models.hpp"
#include "vary/vary.hpp"

namespace takt::tools {

/// Shares of the least estimated rate at which nets are compared if no rate is asked for.
inline constexpr std::array<double, 3> kComparedLoads = {0.5, 0.8, 0.9};

/// A net to be compared.
struct NetChoice {
  std::string label;  // "room for 2 files"
  std::string file;
  const tpn::Document* document = nullptr;
  tpn::Model model = tpn::Model::kOverlap;
  std::uint64_t window = 0;  // data sets; 0: no limit
};

/// What was found of one; figures have what each copy adds to them.
struct ComparedNet {
  NetChoice choice;
  std::optional<maxplus::Rational> exact_period;  // of the means; nothing if it is not known exactly
  std::optional<maxplus::Rational> upper;         // proved: the expected period is no more; nothing if none is known
  vary::CopiesFigure period{};
  /// By rate; nothing if data sets arrive faster than they are delivered.
  std::vector<std::optional<vary::ScenarioFigures>> at_rates{};
};

struct VaryComparison {
  std::string title;  // what is compared: "a.json beside b.json, OVERLAP ONE-PORT"
  std::string file;   // of the first net
  TimeWords times;
  VaryQuestion question;
  PlayedAmount amount;
  bool has_mean_latency = true;   // as far as the laws have second moments
  std::vector<ComparedNet> nets;  // in the order asked for; differences are to the one before
  std::vector<double> gaps;       // of the rates
};

/// Two nets at least. Throws InvalidInstance if a window is too narrow for what is ahead.
std::variant<VaryComparison, NotVaried> compare_varied(const std::string& title, std::span<const NetChoice> choices,
                                                       const VaryQuestion& question);

}  // namespace takt::tools
